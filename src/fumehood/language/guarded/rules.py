"""Every kind of syntax node and every field of it, as a table: a kind or a field without a row is
refused by name.

A field that holds an identifier says what kind of name it is; `check.py` looks each up in
`names.py` accordingly:

    variable   read, bound or deleted as a variable, by its context
    binding    always binds a variable
    attribute  read, stored or deleted as an attribute, by its context
    pattern    an attribute that a class pattern reads
    keyword    the name of an argument
    module     the module of an import statement
    member     the name taken by an import statement
    plain      holds no identifier: child nodes, constants, counts

The verdict "guard" marks nodes that `guard.py` may rewrite; all others are compiled as they stand.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Verdict = Literal["allow", "guard", "refuse"]


@dataclass(frozen=True, slots=True)
class NodeRow:
    node: str
    verdict: Verdict
    fields: dict[str, str]
    reason: str


NODES: dict[str, NodeRow] = {}


def _node(names: str, fields: str, reason: str, verdict: Verdict = "allow") -> None:
    parsed = {
        name: kind or "plain"
        for name, _, kind in (field.partition(":") for field in fields.split())
    }
    for name in names.split():
        NODES[name] = NodeRow(name, verdict, parsed, reason)


# fmt: off
# -- roots
_node("Module", "body type_ignores", "a cell; the value of its last statement is recorded", "guard")
_node("Expression", "body", "an expression given to eval")
_node("Interactive", "body", "only an interactive prompt makes it, and a cell is not typed at one", "refuse")
_node("FunctionType", "argtypes returns", "only type checkers make it, from comments", "refuse")
_node("TypeIgnore", "lineno tag", "only type checkers make it, from comments", "refuse")

# -- statements
_node("FunctionDef AsyncFunctionDef", "name:binding args body decorator_list returns type_comment type_params", "plain CPython")
_node("ClassDef", "name:binding bases keywords body decorator_list type_params", "plain CPython, metaclasses included")
_node("Return", "value", "plain CPython")
_node("Delete", "targets", "plain CPython")
_node("Assign", "targets value type_comment", "plain CPython; as a cell's last statement its value is recorded", "guard")
_node("AugAssign", "target op value", "plain CPython; as a cell's last statement its value is recorded", "guard")
_node("AnnAssign", "target annotation value simple", "plain CPython; as a cell's last statement its value is recorded", "guard")
_node("TypeAlias", "name type_params value", "plain CPython; the name is a variable node")
_node("For AsyncFor", "target iter body orelse type_comment", "plain CPython; no counter is added")
_node("While", "test body orelse", "plain CPython; no counter is added")
_node("If", "test body orelse", "plain CPython")
_node("With AsyncWith", "items body type_comment", "plain CPython")
_node("Match", "subject cases", "class patterns with positional arguments have their __match_args__ looked at", "guard")
_node("Raise", "exc cause", "plain CPython")
_node("Try TryStar", "body handlers orelse finalbody", "plain CPython")
_node("Assert", "test msg", "plain CPython")
_node("Import", "names", "becomes a call of the session's own import", "guard")
_node("ImportFrom", "module:module names level", "becomes a call of the session's own import", "guard")
_node("Global Nonlocal", "names:binding", "plain CPython")
_node("Expr", "value", "plain CPython; as a cell's last statement its value is recorded", "guard")
_node("Pass Break Continue", "", "plain CPython")

# -- expressions
_node("BoolOp", "op values", "plain CPython")
_node("NamedExpr", "target value", "plain CPython")
_node("BinOp", "left op right", "plain CPython")
_node("UnaryOp", "op operand", "plain CPython")
_node("Lambda", "args body", "plain CPython")
_node("IfExp", "test body orelse", "plain CPython")
_node("Dict", "keys values", "plain CPython")
_node("Set", "elts", "plain CPython")
_node("ListComp SetComp GeneratorExp", "elt generators", "plain CPython")
_node("DictComp", "key value generators", "plain CPython")
_node("Await Yield YieldFrom", "value", "plain CPython")
_node("Compare", "left ops comparators", "plain CPython")
_node("Call", "func args keywords", "plain CPython")
_node("FormattedValue", "value conversion format_spec", "an f-string's expressions are checked like any other")
_node("Interpolation", "value str conversion format_spec", "a template string's expressions are checked like any other")
_node("JoinedStr TemplateStr", "values", "plain CPython")
_node("Constant", "value kind", "plain CPython")
_node("Attribute", "value attr:attribute ctx", "plain CPython, but for the few names that names.py has read through a guard", "guard")
_node("Subscript", "value slice ctx", "plain CPython")
_node("Starred", "value ctx", "plain CPython")
_node("Name", "id:variable ctx", "plain CPython")
_node("List Tuple", "elts ctx", "plain CPython")
_node("Slice", "lower upper step", "plain CPython")
_node("Load Store Del", "", "what an expression is for")
_node("And Or Add Sub Mult MatMult Div Mod Pow LShift RShift BitOr BitXor BitAnd FloorDiv Invert Not UAdd USub", "", "an operator")
_node("Eq NotEq Lt LtE Gt GtE Is IsNot In NotIn", "", "a comparison")

# -- parts
_node("comprehension", "target iter ifs is_async", "plain CPython")
_node("ExceptHandler", "type name:binding body", "plain CPython")
_node("arguments", "posonlyargs args vararg kwonlyargs kw_defaults kwarg defaults", "plain CPython")
_node("arg", "arg:binding annotation type_comment", "plain CPython")
_node("keyword", "arg:keyword value", "plain CPython")
_node("alias", "name:member asname:binding", "part of an import statement, which is looked at whole")
_node("withitem", "context_expr optional_vars", "plain CPython")
_node("match_case", "pattern guard body", "plain CPython")
_node("MatchValue", "value", "plain CPython")
_node("MatchSingleton", "value", "plain CPython")
_node("MatchSequence MatchOr", "patterns", "plain CPython")
_node("MatchMapping", "keys patterns rest:binding", "plain CPython")
_node("MatchClass", "cls patterns kwd_attrs:pattern kwd_patterns", "reads attributes by name, so the names are checked")
_node("MatchStar", "name:binding", "plain CPython")
_node("MatchAs", "pattern name:binding", "plain CPython")
_node("TypeVar", "name:binding bound default_value", "plain CPython")
_node("ParamSpec TypeVarTuple", "name:binding default_value", "plain CPython")
# fmt: on

# -- builtins that exist in Python and are not offered
REFUSED_BUILTINS: dict[str, tuple[str, str]] = {
    "open": (
        "opens files of the host",
        "pass the data in as a variable, or use io.StringIO; Policy(files=True) gives code an open() for a directory of its own",
    ),
    "input": (
        "guarded code has no input",
        "pass the answer in as a variable, or ask through a tool",
    ),
    "breakpoint": ("starts a debugger, which hands out frames", "print what you want to see"),
    "help": ("starts a pager and imports by name", "print(x.__doc__)"),
    "copyright": ("an interactive prompt's text", ""),
    "credits": ("an interactive prompt's text", ""),
    "license": ("an interactive prompt's text", ""),
}
