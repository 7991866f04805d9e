"""The few rewrites that a checked tree needs before it is compiled; everything else stays the bytecode CPython would make.

    x.format, x.__dict__, …     a call that looks at x; names.py lists which attributes
    x.format += v               the same, giving x if its attribute is plain
    import, from … import       a call of the session's import, so that no import instruction is left whose
                                fallback reads sys.modules directly
    case C(a, b):               an extra case before it, never taken, that looks at C.__match_args__
    the last statement          its value is recorded

A guard is called through a constant. While compiling it is a string that no source can contain; `compile.py` puts the function in
its place afterwards, so that code has no name by which to read or replace it.
"""

from __future__ import annotations

import ast
import secrets
from typing import TypeVar

from fumehood.language import names

_SECRET = secrets.token_hex(16)


def token(guard: str) -> str:
    """The constant that stands for a guard until the code is compiled. Secret, so that source text cannot contain it."""
    return f"\0{_SECRET}:{guard}"


def untoken(constant: object) -> str | None:
    """The guard that a constant stands for, if it stands for one."""
    prefix = f"\0{_SECRET}:"
    return constant[len(prefix) :] if type(constant) is str and constant.startswith(prefix) else None


LOOP_VALUE = "<value>"  # not an identifier: code cannot spell it

_Node = TypeVar("_Node", bound=ast.AST)


def guard_tree(tree: ast.Module | ast.Expression, *, keeps_value: bool = True) -> None:
    """Rewrite a checked tree in place. With `keeps_value` the value of the last statement is handed to the guard "value"."""
    if keeps_value and isinstance(tree, ast.Module):
        _keep_value(tree.body)
    deferred = isinstance(tree, ast.Module) and _has_future_annotations(tree)
    stack: list[ast.AST] = [tree]
    while stack:
        node = stack.pop()
        for name in node._fields:
            value = getattr(node, name, None)
            if deferred and name in ("annotation", "returns"):
                continue  # compiled to text, not to code; whoever evaluates the text checks it then
            if isinstance(value, ast.AST):
                new = _guard_expression(value)
                if new is not value:
                    setattr(node, name, new)
                stack.append(new)
            elif isinstance(value, list):
                value[:] = [new for child in value for new in _guard_item(child)]
                stack.extend(child for child in value if isinstance(child, ast.AST))


def _guard_item(node: object) -> list[object]:
    """A member of a list of nodes: a statement may become several, a case may get one before it."""
    if isinstance(node, ast.Import):
        return [_import(node, alias) for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return [_import_from(node)]
    if isinstance(node, ast.match_case):
        return [*_match_guards(node), node]
    if isinstance(node, ast.AST):
        return [_guard_expression(node)]
    return [node]


def _guard_expression(node: ast.AST) -> ast.AST:
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Attribute) and names.reading(node.target.attr) == "guarded":
        target = node.target  # x.format += v reads and writes: x itself is looked at, once
        target.value = _call("owner", target, target.value, ast.Constant(target.attr))
        return node
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and names.reading(node.attr) == "guarded":
        return _call("attribute", node, node.value, ast.Constant(node.attr))
    return node


def _call(guard: str, place: ast.AST, *args: ast.expr) -> ast.Call:
    call = ast.Call(func=ast.Constant(token(guard)), args=list(args), keywords=[])
    return _at(call, place)


def _at(node: _Node, place: ast.AST) -> _Node:
    """Give new nodes the place of the code they stand for, so that tracebacks point at what was written."""
    for part in ast.walk(node) if not isinstance(node, ast.Call) else (node, node.func, *node.args):
        if not hasattr(part, "lineno"):
            ast.copy_location(part, place)
    return node


# -- imports ------------------------------------------------------------------------------------------------------------------------


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
    bound = ast.Tuple([ast.Name(alias.asname or alias.name, ast.Store()) for alias in node.names], ast.Store())
    return _at(ast.Assign(targets=[bound], value=_call("import_from", node, module, wanted)), node)


def _has_future_annotations(tree: ast.Module) -> bool:
    return any(
        isinstance(node, ast.ImportFrom) and node.module == "__future__" and any(a.name == "annotations" for a in node.names)
        for node in tree.body
    )


# -- class patterns -----------------------------------------------------------------------------------------------------------------


def _match_guards(case: ast.match_case) -> list[ast.match_case]:
    """A case `_ if look(C): pass` before one that has class patterns with positional arguments. The look is never true.

    The class of the outermost pattern is evaluated at this point anyway. Inner ones may not be reached at all, so they are
    given as functions; one that cannot be evaluated is refused, since a look that fails must not count as passed.
    """
    outer = case.pattern
    while isinstance(outer, ast.MatchAs) and outer.pattern is not None:
        outer = outer.pattern
    eager = outer.patterns[0] if isinstance(outer, ast.MatchOr) else outer
    arguments: list[ast.expr] = []
    for pattern in ast.walk(case.pattern):
        if isinstance(pattern, ast.MatchClass) and pattern.patterns:
            name = _copy_name(pattern.cls)
            if pattern is eager:
                arguments.append(_call("class_pattern", pattern, name))
            else:
                late = ast.Lambda(args=ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[]), body=name)
                arguments.append(_call("late_class_pattern", pattern, _at(late, pattern)))
    if not arguments:
        return []
    look = arguments[0] if len(arguments) == 1 else _at(ast.BoolOp(ast.Or(), arguments), case.pattern)
    return [ast.match_case(pattern=_at(ast.MatchAs(), case.pattern), guard=look, body=[_at(ast.Pass(), case.pattern)])]


def _copy_name(node: ast.expr) -> ast.expr:
    """A copy of a dotted name: one node may not stand in two places of a tree that is rewritten."""
    if isinstance(node, ast.Attribute):
        return ast.copy_location(ast.Attribute(_copy_name(node.value), node.attr, ast.Load()), node)
    assert isinstance(node, ast.Name)
    return ast.copy_location(ast.Name(node.id, ast.Load()), node)


# -- the value of a cell ------------------------------------------------------------------------------------------------------------


def _keep_value(body: list[ast.stmt]) -> None:
    """Record the value of the last statement of a block, looking into compound statements.

    In a loop the value is stored under a name that code cannot spell and fetched once at the end, because a call on each round
    would be felt; elsewhere a guard is called.
    """
    stack = [(body, False)]
    while stack:
        body, in_loop = stack.pop()
        if not body:
            continue
        last = body[-1]
        if isinstance(last, (ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign)):
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


def _keep_simple_value(body: list[ast.stmt], last: ast.Expr | ast.Assign | ast.AnnAssign | ast.AugAssign, in_loop: bool) -> None:
    if isinstance(last, ast.AugAssign):
        # The target is read again; inside a loop only a variable is, because that would be felt on each round.
        again = _read_again(last.target, last)
        if again is not None and (isinstance(again, ast.Name) or not in_loop):
            body.append(_at(_store(again) if in_loop else ast.Expr(_call("value", last, again)), last))
    elif last.value is None:
        return
    elif not in_loop or isinstance(last, ast.AnnAssign):
        last.value = _call("value", last.value, last.value)
    elif isinstance(last, ast.Expr):
        body[-1] = _at(_store(last.value), last)
    else:
        last.targets.append(_at(ast.Name(LOOP_VALUE, ast.Store()), last))


def _read_again(target: ast.expr, place: ast.AST) -> ast.expr | None:
    """A copy of a simple target, for reading; None for one whose parts could do something when evaluated again."""
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


def _store(value: ast.expr) -> ast.Assign:
    return ast.Assign(targets=[ast.Name(LOOP_VALUE, ast.Store())], value=value)
