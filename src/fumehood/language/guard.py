"""The few rewrites that a checked tree needs before it is compiled; everything else stays the
bytecode CPython would make.

    x.format, x.__dict__, …     a call that looks at x; names.py lists which attributes
    x.format += v               the same, giving x if its attribute is plain
    import, from … import       a call of the session's import, so that no import instruction is
                                left whose
                                fallback reads sys.modules directly
    case C(a, b):               an extra case before it, never taken, that looks at C.__match_args__
                                once per class
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

from fumehood.language import names
from fumehood.language.check import Rewrite
from fumehood.language.formats import is_plain_format

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


SITE = "site:"
"""How the name of a guard begins that is an object of its own at each place in the code."""

_sites = itertools.count()

HIDDEN = "<class "
"""How the variables begin that hold the classes of patterns; not identifiers, so code cannot spell
them."""

_STORE = ast.Store()

VALUE = "<value>"  # not an identifier: code cannot spell it

_Node = TypeVar("_Node", bound=ast.AST)


def guard_tree(tree: ast.AST, rewrites: list[Rewrite], *, keeps_value: bool = True) -> None:
    """Rewrite a checked tree in place, at the places that the checker found.

    With `keeps_value` the value of the last statement is kept, as VALUE or by the guard "value".
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
        _keep_value(tree.body)


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
        target = node.target  # x.format += v reads and writes: x itself is looked at, once
        if isinstance(target, ast.Attribute) and names.reading(target.attr) == "guarded":
            target.value = _call(
                "owner", target, target.value, _at(ast.Constant(target.attr), target)
            )
        return [node]
    assert isinstance(node, ast.Attribute)
    if not isinstance(node.ctx, ast.Load):
        return [node]
    if node.attr == "format" and isinstance(parent, ast.Call) and parent.func is node:
        return [_format_call(node)]
    return [_call("attribute", node, node.value, ast.Constant(node.attr))]


def _inside_annotations(tree: ast.Module) -> set[int]:
    found: set[int] = set()
    for node in ast.walk(tree):
        for name in ("annotation", "returns"):
            annotation = getattr(node, name, None)
            if isinstance(annotation, ast.AST):
                found.update(id(inner) for inner in ast.walk(annotation))
    return found


def _format_call(method: ast.Attribute) -> ast.expr:
    """`x.format(…)`: plain if x is a literal whose fields may be read; else x is looked at and its
    plain method called."""
    value = method.value
    if (
        isinstance(value, ast.Constant)
        and type(value.value) is str
        and is_plain_format(value.value)
    ):
        return method
    method.value = _call("format_owner", value, value)
    return method


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


class PatternSite:
    """One class pattern in compiled code, and the class that was last looked at there. Code
    compares with `cls` before it asks again.

    That is enough because what was found cannot change: names.py lets code set neither
    `__match_args__` nor the hooks that could answer for it, nor an object's `__class__`.
    """

    __slots__ = ("cls",)

    def __init__(self) -> None:
        self.cls: Any = None


def _match_guards(case: ast.match_case, known: dict[str, str]) -> list[ast.match_case]:
    """A case `_ if site.cls is not (t := C) and look(site, t): pass` before one that has class
    patterns with positional arguments, in which `t` then stands for `C`.

    It is never taken. The comparison is all that a class costs which was looked at before. `C` is
    evaluated once for all cases of a match (`known` has the variables so far): a second time it
    could be another class. The names of classes further inside a pattern are evaluated here too, a
    moment before the pattern would.
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
            number = next(_sites)
            site, name = token(f"{SITE}{number}"), f"{HIDDEN}{number}>"
            kept = ast.NamedExpr(ast.Name(name, ast.Store()), pattern.cls)
            new = ast.Compare(
                ast.Attribute(ast.Constant(site), "cls", ast.Load()), [ast.IsNot()], [kept]
            )
            look = ast.Call(
                _function("class_pattern"), [ast.Constant(site), ast.Name(name, ast.Load())], []
            )
            looks.append(_at(ast.BoolOp(ast.And(), [new, look]), pattern))
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


# -- the value of a cell


def _keep_value(body: list[ast.stmt]) -> None:
    """Record the value of the last statement of a block, looking into compound statements.

    It is stored under a name that code cannot spell and fetched once at the end. In a loop a call
    on each round would be felt.
    """
    stack = [(body, False)]
    while stack:
        body, in_loop = stack.pop()
        if not body:
            continue
        last = body[-1]
        if type(last) in _SIMPLE:
            _keep_simple_value(body, last, in_loop)
        elif isinstance(last, (ast.For, ast.AsyncFor, ast.While)):
            stack += [(last.body, True), (last.orelse, in_loop)]
        elif isinstance(last, ast.If):
            stack += [(last.body, in_loop), (last.orelse, in_loop)]
        elif isinstance(last, (ast.With, ast.AsyncWith)):
            stack.append((last.body, in_loop))
        elif isinstance(last, (ast.Try, ast.TryStar)):
            stack.append((last.orelse or last.body, in_loop))
            stack += [(handler.body, in_loop) for handler in last.handlers]
        elif isinstance(last, ast.Match):
            stack += [(case.body, in_loop) for case in last.cases]


_SIMPLE = frozenset({ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign})


def _keep_simple_value(body: list[ast.stmt], last: Any, in_loop: bool) -> None:
    if type(last) is ast.Assign:
        last.targets.append(_value(last))
    elif type(last) is ast.AugAssign:
        # The target is read again; inside a loop only a variable is, because that would be felt on
        # each round.
        again = _read_again(last.target, last)
        if again is not None and (isinstance(again, ast.Name) or not in_loop):
            body.append(_store(again, last))
    elif last.value is None:
        return
    elif type(last) is ast.AnnAssign:
        last.value = _call("value", last.value, last.value)  # it has one target only
    else:
        body[-1] = _store(last.value, last)


def _read_again(target: ast.expr, place: ast.AST) -> ast.expr | None:
    """A copy of a simple target, for reading; None for one whose parts could do something when
    evaluated again."""
    if isinstance(target, ast.Name):
        return _at(ast.Name(target.id, ast.Load()), place)
    if isinstance(target, ast.Constant):
        return _at(ast.Constant(target.value), place)
    if isinstance(target, ast.Attribute):
        value = _read_again(target.value, place)
        return value and _at(ast.Attribute(value, target.attr, ast.Load()), place)
    if isinstance(target, ast.Subscript):
        value, index = _read_again(target.value, place), _read_again(target.slice, place)
        return value and index and _at(ast.Subscript(value, index, ast.Load()), place)
    return None


def _store(value: ast.expr, place: ast.stmt) -> ast.Assign:
    stored = ast.Assign([_value(value)], value)
    return _at(stored, place)


def _value(place: ast.expr | ast.stmt) -> ast.Name:
    """The variable that holds the value. Made for every cell, so by the shortest way."""
    name = ast.Name(VALUE, _STORE)
    name.lineno, name.col_offset, name.end_lineno, name.end_col_offset = (
        place.lineno,
        place.col_offset,
        place.end_lineno,
        place.end_col_offset,
    )
    return name
