"""The few rewrites that a checked tree needs before it is compiled; everything else stays the
bytecode CPython would make.

    x.format, x.__dict__, …     a call that looks at x; names.py lists which attributes
    x.format += v               a call that reads, adds and stores
    x.a = v, del x.a            a call that looks at x, which may be no class of a library
    import, from … import       a call of the session's import: the import instructions fall back
                                to sys.modules
    case C(a, b):               an extra case before it, never taken, that looks at C.__match_args__
    the last statement          its value is recorded; an import has none, so a `pass` follows it

A guard is called through a constant: a string while compiling, which `put_guards` replaces by the
function afterwards. So code has no name by which to replace a guard. Text in a source that is equal
to such a string gives code a guard to call, which does no harm.
"""

from __future__ import annotations

import ast
import itertools
import types
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from fumehood.language.guarded import names
from fumehood.language.guarded.check import Rewrite
from fumehood.language.source import keep_value

_TOKEN = "\0guard "
"""How the constant begins that stands for a guard until the code is compiled."""

_sites = itertools.count()

HIDDEN = "<class "
"""How the variables begin that hold the classes of patterns; not identifiers, so code cannot spell
them."""

_Node = TypeVar("_Node", bound=ast.AST)


def guard_tree(tree: ast.AST, rewrites: list[Rewrite], *, keeps_value: bool = True) -> None:
    """Rewrite a checked tree in place, at the places that the checker found.

    With `keeps_value` the value of the last statement is kept as VALUE.
    """
    if rewrites and isinstance(tree, ast.Module) and _has_future_annotations(tree):
        inside = _inside_annotations(tree)  # becomes text, which is checked when it is evaluated
        rewrites = [entry for entry in rewrites if id(entry.node) not in inside]
    for parent, name, node in reversed(rewrites):  # inner ones first
        new = _rewritten(node)
        value = getattr(parent, name)
        if type(value) is list:
            at = next(index for index, child in enumerate(value) if child is node)
            value[at : at + 1] = new
        else:
            setattr(parent, name, new[0])
    if keeps_value and isinstance(tree, ast.Module):
        keep_value(tree.body)


def _rewritten(node: ast.AST) -> list[Any]:
    if isinstance(node, ast.Import):
        return [*(_import(node, alias) for alias in node.names), _at(ast.Pass(), node)]
    if isinstance(node, ast.ImportFrom):
        return [_import_from(node), _at(ast.Pass(), node)]
    if isinstance(node, ast.Match):
        known: dict[str, str] = {}
        node.cases = [part for case in node.cases for part in (*_match_guards(case, known), case)]
        return [node]
    if isinstance(node, ast.AugAssign):
        target = node.target
        if isinstance(target, ast.Attribute) and names.reading(target.attr) == "guarded":
            operation = _OPERATIONS[type(node.op).__name__]
            texts = ast.Constant(target.attr), ast.Constant(operation)
            call = _call("augment", node, target.value, *texts, node.value)
            return [_at(ast.Expr(call), node)]
        return [node]
    assert isinstance(node, ast.Attribute)
    if isinstance(node.ctx, ast.Load):
        return [_call("attribute", node, node.value, ast.Constant(node.attr))]
    node.value = _call("owner", node.value, node.value)
    return [node]


_OPERATIONS = {
    "Add": "iadd", "Sub": "isub", "Mult": "imul", "MatMult": "imatmul", "Div": "itruediv",
    "FloorDiv": "ifloordiv", "Mod": "imod", "Pow": "ipow", "LShift": "ilshift",
    "RShift": "irshift", "BitOr": "ior", "BitXor": "ixor", "BitAnd": "iand",
}  # fmt: skip
"""Functions of the module `operator`, by the names of nodes."""


def _inside_annotations(tree: ast.Module) -> set[int]:
    found: set[int] = set()
    for node in ast.walk(tree):
        for name in ("annotation", "returns"):
            annotation = getattr(node, name, None)
            if isinstance(annotation, ast.AST):
                found.update(id(inner) for inner in ast.walk(annotation))
    return found


def _call(guard: str, place: ast.AST, *args: ast.expr) -> ast.Call:
    return _at(ast.Call(func=_function(guard), args=list(args), keywords=[]), place)


def _function(guard: str) -> ast.expr:
    """A guard to be called. The compiler warns about calling a constant, but not about calling one
    of two; and it leaves the choice out."""
    return ast.IfExp(
        test=ast.Constant(True), body=ast.Constant(_TOKEN + guard), orelse=ast.Constant(None)
    )


def _at(node: _Node, place: ast.AST) -> _Node:
    """Give new nodes the place of the code they stand for, so that tracebacks point at what was
    written."""
    where = place.lineno, place.col_offset, place.end_lineno, place.end_col_offset  # type: ignore[attr-defined]
    waiting: list[ast.AST] = [node]
    while waiting:
        part = waiting.pop()
        if part._attributes and not hasattr(part, "lineno"):
            part.lineno, part.col_offset, part.end_lineno, part.end_col_offset = where  # type: ignore[attr-defined]
            for name in part._fields:
                inside = getattr(part, name)
                if isinstance(inside, ast.AST):
                    waiting.append(inside)
                elif type(inside) is list:
                    waiting += inside
    return node


# -- imports


def _import(node: ast.Import, alias: ast.alias) -> ast.stmt:
    bound = alias.asname or alias.name.partition(".")[0]
    which = "import_as" if alias.asname else "import"
    call = _call(which, node, _at(ast.Constant(alias.name), node))
    return _at(ast.Assign(targets=[ast.Name(bound, ast.Store())], value=call), node)


def _import_from(node: ast.ImportFrom) -> ast.stmt:
    taken = [alias.name for alias in node.names]
    module = _at(ast.Constant(node.module or ""), node)
    if taken == ["*"]:
        return _at(ast.Expr(_call("import_star", node, module)), node)
    wanted = _at(ast.Tuple([ast.Constant(name) for name in taken], ast.Load()), node)
    bound = ast.Tuple(
        [ast.Name(alias.asname or alias.name, ast.Store()) for alias in node.names], ast.Store()
    )
    return _at(ast.Assign(targets=[bound], value=_call("import_from", node, module, wanted)), node)


def _has_future_annotations(tree: ast.Module) -> bool:
    return any(
        isinstance(node, ast.ImportFrom)
        and node.module == "__future__"
        and any(a.name == "annotations" for a in node.names)
        for node in tree.body
    )


# -- class patterns


def _match_guards(case: ast.match_case, known: dict[str, str]) -> list[ast.match_case]:
    """A case `_ if look(t := C): pass` before one that has class patterns with positional
    arguments, in which `t` then stands for `C`.

    It is never taken: `look` raises or gives False. `C` is evaluated once for all cases of a match
    (`known` has the variables so far): a second time it could be another class. The names of
    classes further inside a pattern are evaluated here too, a moment before the pattern would.
    """
    looks: list[ast.expr] = []
    stack: list[ast.pattern] = [case.pattern]
    while stack:
        pattern = stack.pop()
        stack.extend(
            child for child in ast.iter_child_nodes(pattern) if isinstance(child, ast.pattern)
        )
        if isinstance(pattern, ast.MatchClass) and pattern.patterns:
            text = ast.unparse(pattern.cls)
            if text in known:
                pattern.cls = _at(ast.Name(known[text], ast.Load()), pattern)
                continue
            name = f"{HIDDEN}{next(_sites)}>"
            kept = ast.NamedExpr(ast.Name(name, ast.Store()), pattern.cls)
            looks.append(_call("class_pattern", pattern, kept))
            pattern.cls = _at(ast.Name(name, ast.Load()), pattern)
            known[text] = name
    if not looks:
        return []
    guard = looks[0] if len(looks) == 1 else _at(ast.BoolOp(ast.Or(), looks), case.pattern)
    return [
        ast.match_case(
            pattern=_at(ast.MatchAs(), case.pattern),
            guard=guard,
            body=[_at(ast.Pass(), case.pattern)],
        )
    ]


def put_guards(code: types.CodeType, guards: Mapping[str, Callable[..., Any]]) -> types.CodeType:
    """Replace each constant that stands for a guard by the guard itself, in nested code too."""
    consts: list[Any] = []
    for const in code.co_consts:
        if type(const) is str and const.startswith(_TOKEN):
            const = guards.get(const.removeprefix(_TOKEN), const)
        elif type(const) is types.CodeType:
            const = put_guards(const, guards)
        consts.append(const)
    return code.replace(co_consts=tuple(consts))
