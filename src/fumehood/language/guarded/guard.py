"""The few rewrites that a checked tree needs before it is compiled; everything else stays the
bytecode CPython would make.

    x.format, x.__dict__, …     a call that looks at x; names.py lists which attributes
    x.format += v               a call that reads, adds and stores
    import, from … import       a call of the session's import, so that no import instruction is
                                left whose
                                fallback reads sys.modules directly
    case C(a, b):               an extra case before it, never taken, that looks at C.__match_args__
    the last statement          its value is recorded

A guard is called through a constant. While compiling it is a string that no source can contain;
`compile.py` puts the function in its place afterwards, so that code has no name by which to read or
replace it.
"""

from __future__ import annotations

import ast
import itertools
import os
from typing import Any, TypeVar

from fumehood.language.guarded import names
from fumehood.language.guarded.check import Rewrite
from fumehood.language.source import keep_value

_SECRET = f"\0{os.urandom(16).hex()}:"


def renew_secret() -> None:
    """A process copied from another has a secret of its own."""
    global _SECRET
    _SECRET = f"\0{os.urandom(16).hex()}:"


def token(guard: str) -> str:
    """The constant that stands for a guard until the code is compiled. Secret, so that source text
    cannot contain it."""
    return _SECRET + guard


def untoken(constant: str) -> str | None:
    """The guard that a constant stands for, if it stands for one."""
    return constant[len(_SECRET) :] if constant.startswith(_SECRET) else None


_sites = itertools.count()

HIDDEN = "<class "
"""How the variables begin that hold the classes of patterns; not identifiers, so code cannot spell
them."""

_STORE = ast.Store()


_Node = TypeVar("_Node", bound=ast.AST)


def guard_tree(tree: ast.AST, rewrites: list[Rewrite], *, keeps_value: bool = True) -> None:
    """Rewrite a checked tree in place, at the places that the checker found.

    With `keeps_value` the value of the last statement is kept as VALUE.
    """
    if rewrites and isinstance(tree, ast.Module) and _has_future_annotations(tree):
        inside = _inside_annotations(
            tree
        )  # compiled to text, not to code; whoever evaluates the text checks it then
        rewrites = [entry for entry in rewrites if id(entry.node) not in inside]
    for parent, name, node in reversed(rewrites):  # inner ones first
        new = _rewritten(parent, node)
        value = getattr(parent, name)
        if type(value) is list:
            at = next(index for index, child in enumerate(value) if child is node)
            value[at : at + 1] = new
        else:
            setattr(parent, name, new[0])
    if keeps_value and isinstance(tree, ast.Module):
        keep_value(tree.body)


def _rewritten(parent: ast.AST, node: ast.AST) -> list[Any]:
    if isinstance(node, ast.Import):
        return [*(_import(node, alias) for alias in node.names), _never(node)]
    if isinstance(node, ast.ImportFrom):
        return [_import_from(node), _never(node)]
    if isinstance(node, ast.Match):
        known: dict[str, str] = {}
        node.cases = [part for case in node.cases for part in (*_match_guards(case, known), case)]
        return [node]
    if isinstance(node, ast.AugAssign):
        target = node.target
        if isinstance(target, ast.Attribute) and names.reading(target.attr) == "guarded":
            name, operation = ast.Constant(target.attr), ast.Constant(_OPERATIONS[type(node.op)])
            return [
                _at(
                    ast.Expr(_call("augment", node, target.value, name, operation, node.value)),
                    node,
                )
            ]
        return [node]
    assert isinstance(node, ast.Attribute)
    if not isinstance(node.ctx, ast.Load):
        return [node]
    value = node.value
    if (
        node.attr == "format"
        and isinstance(parent, ast.Call)
        and parent.func is node
        and isinstance(value, ast.Constant)
        and _is_plain_format(value.value)
    ):
        return [node]
    return [_call("attribute", node, value, ast.Constant(node.attr))]


_OPERATIONS: dict[type, str] = {
    ast.Add: "iadd",
    ast.Sub: "isub",
    ast.Mult: "imul",
    ast.MatMult: "imatmul",
    ast.Div: "itruediv",
    ast.FloorDiv: "ifloordiv",
    ast.Mod: "imod",
    ast.Pow: "ipow",
    ast.LShift: "ilshift",
    ast.RShift: "irshift",
    ast.BitOr: "ior",
    ast.BitXor: "ixor",
    ast.BitAnd: "iand",
}


def _is_plain_format(text: object) -> bool:
    try:
        return type(text) is str and names.refused_attribute(text) is None
    except ValueError:
        return False


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
        test=ast.Constant(True), body=ast.Constant(token(guard)), orelse=ast.Constant(None)
    )


def _at(node: _Node, place: ast.AST) -> _Node:
    """Give new nodes the place of the code they stand for, so that tracebacks point at what was
    written."""
    where = place.lineno, place.col_offset, place.end_lineno, place.end_col_offset  # type: ignore[attr-defined]
    waiting: list[ast.AST] = [node]
    while waiting:
        part = waiting.pop()
        if part._attributes and not hasattr(
            part, "lineno"
        ):  # one that has a place has its parts in theirs
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


def _never(node: ast.Import | ast.ImportFrom) -> ast.stmt:
    """The import statement itself where it is never reached: the compiler leaves it out, and still
    knows the name for an imported one, for which it makes other (faster) code. compile.py makes
    sure that it was left out."""
    directive = isinstance(node, ast.ImportFrom) and (
        node.module == "__future__" or node.names[0].name == "*"
    )
    body = ast.Pass() if directive else node
    return _at(ast.If(test=_at(ast.Constant(False), node), body=[body], orelse=[]), node)


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
