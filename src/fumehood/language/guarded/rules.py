"""Every kind of syntax node, and every field of it that holds a name, as a table. A kind without a
row is refused, and so is text in any other field.

A field says what kind of name it holds; `check.py` looks each up in `names.py` accordingly:

    variable   read, bound or deleted as a variable, by its context
    binding    always binds a variable
    attribute  read, stored or deleted as an attribute, by its context
    pattern    an attribute that a class pattern reads
    keyword    the name of an argument
    module     the module of an import statement
    member     the name taken by an import statement

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
    parsed = dict(field.split(":") for field in fields.split())
    for name in names.split():
        NODES[name] = NodeRow(name, verdict, parsed, reason)


# fmt: off
_node("Module", "", "a cell; the value of its last statement is recorded", "guard")
_node("Interactive", "", "only an interactive prompt makes it, and a cell is not typed at one", "refuse")
_node("FunctionType TypeIgnore", "", "only type checkers make it, from comments", "refuse")

# -- with names
_node("FunctionDef AsyncFunctionDef ClassDef", "name:binding", "binds a name")
_node("Global Nonlocal", "names:binding", "binds names")
_node("arg", "arg:binding", "binds a name")
_node("ExceptHandler MatchStar MatchAs TypeVar ParamSpec TypeVarTuple", "name:binding", "binds a name")
_node("MatchMapping", "rest:binding", "binds a name")
_node("Name", "id:variable", "a variable")
_node("keyword", "arg:keyword", "the name of an argument")
_node("Attribute", "attr:attribute", "plain CPython, but for the few names that names.py has read through a guard", "guard")
_node("MatchClass", "kwd_attrs:pattern", "reads attributes by name, so the names are checked")
_node("alias", "name:member asname:binding", "part of an import statement, which is looked at whole")
_node("Import", "", "becomes a call of the session's own import", "guard")
_node("ImportFrom", "module:module", "becomes a call of the session's own import", "guard")

# -- without
_node("Match", "", "class patterns with positional arguments have their __match_args__ looked at", "guard")
_node("Assign AugAssign AnnAssign Expr", "", "plain CPython; as a cell's last statement its value is recorded", "guard")
_node("Expression Return Delete TypeAlias For AsyncFor While If With AsyncWith Raise Try TryStar Assert Pass Break Continue"
      " BoolOp NamedExpr BinOp UnaryOp Lambda IfExp Dict Set ListComp SetComp GeneratorExp DictComp Await Yield YieldFrom Compare Call"
      " FormattedValue Interpolation JoinedStr TemplateStr Constant Subscript Starred List Tuple Slice comprehension arguments withitem"
      " match_case MatchValue MatchSingleton MatchSequence MatchOr Load Store Del And Or Add Sub Mult MatMult Div Mod Pow LShift RShift"
      " BitOr BitXor BitAnd FloorDiv Invert Not UAdd USub Eq NotEq Lt LtE Gt GtE Is IsNot In NotIn", "", "plain CPython")
# fmt: on

TEXT_FIELDS = frozenset({"type_comment", "kind", "value", "str", "tag"})
"""Fields that may hold text that is no name."""

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
