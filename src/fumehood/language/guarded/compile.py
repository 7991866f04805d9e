"""Source text to runnable code: parse → check → guard → compile. The only file of this package that
calls compile, exec or eval."""

from __future__ import annotations

import ast
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from fumehood.errors import ForbiddenCall, ForbiddenName
from fumehood.language.guarded import names
from fumehood.language.guarded.check import Findings, check_tree
from fumehood.language.guarded.guard import HIDDEN, guard_tree, put_guards
from fumehood.language.source import VALUE, Cell, catching_warnings
from fumehood.policy import Policy


@dataclass(slots=True)
class Compiled(Cell):
    """A checked cell, its guards in place; without code if it breaks the rules."""

    findings: Findings = field(default_factory=Findings)
    warnings: tuple[str, ...] = ()


def compile_cell(
    source: str,
    file: str,
    policy: Policy,
    guards: Mapping[str, Callable[..., Any]],
    *,
    known: Container[str] = (),
    mode: Literal["exec", "eval"] = "exec",
    is_cell: bool = True,
) -> Compiled:
    """Compile a cell, or text for eval and exec. Raises SyntaxError for what is not Python."""
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT if is_cell else 0

    def compile_() -> Compiled:
        tree = compile(source, file, mode, ast.PyCF_ONLY_AST | flags, dont_inherit=True)
        findings = check_tree(tree, policy, known)
        if findings.violations:
            return Compiled(file, None, None, findings=findings)
        guard_tree(tree, findings.rewrites, keeps_value=is_cell)
        findings.rewrites.clear()  # they would keep the tree alive as long as the code
        code = put_guards(compile(tree, file, mode, flags, dont_inherit=True), guards)
        return Compiled(file, None, code, VALUE, findings=findings)

    compiled, caught = catching_warnings(source, compile_)
    compiled.warnings = tuple(
        f"line {warning.lineno}: SyntaxWarning: {warning.message}"
        for warning in caught
        if issubclass(warning.category, SyntaxWarning)
    )
    return compiled


def run_code(compiled: Compiled, namespace: dict[str, Any], local: Any = None) -> Any:
    """Run compiled code. Gives the value of an expression, or the coroutine of a cell that awaits
    at its top level.

    `eval` adds the real builtins to a namespace in which it finds none. Code may own the namespace,
    and a key of its own making may equal "__builtins__" the first time it is asked and not the
    second: so keys must be plain strings, and the value a dictionary.
    """
    if {*map(type, dict.keys(namespace))} != {str} or type(
        dict.get(namespace, "__builtins__")
    ) is not dict:
        raise ForbiddenCall(
            "code runs only among variables whose names are plain strings, with builtins in a plain"
            " dictionary"
        )
    assert compiled.last is not None
    if compiled.findings.needs_scope:
        local = Scope(namespace if local is None else local)
    return eval(compiled.last, namespace, local)


class Scope:
    """The variables of a cell with class patterns outside of functions: the code's own, and beside
    them, out of its reach, the guard's.

    Slower than a dictionary, so it is used for such cells only; functions have the guard's
    variables among their own.
    """

    __slots__ = ("_hidden", "variables")

    def __init__(self, variables: Any) -> None:
        self.variables = variables
        self._hidden: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        return self._hidden[name] if name.startswith(HIDDEN) else self.variables[name]

    def __setitem__(self, name: str, value: Any) -> None:
        if name.startswith(HIDDEN):
            self._hidden[name] = value
        else:
            self.variables[name] = value

    def __delitem__(self, name: str) -> None:
        del self.variables[name]

    def keys(self) -> Any:
        return self.variables.keys()


def private_module(name: str, replaced: Mapping[str, Any]) -> dict[str, Any]:
    """The variables of a fresh copy of a pure-Python module whose builtins are replaced in part.

    Used where a library function is right in all but one builtin that it calls: the same code runs
    at the same speed.
    """
    import builtins
    import importlib.util

    spec = importlib.util.find_spec(name)
    assert spec is not None and spec.loader is not None, name
    code = spec.loader.get_code(name)  # type: ignore[attr-defined]
    namespace: dict[str, Any] = {"__name__": name, "__builtins__": {**vars(builtins), **replaced}}
    exec(code, namespace)
    return namespace


def run_generated(text: str, variables: dict[str, Any], local: dict[str, Any]) -> None:
    """Run the text of methods that dataclasses generates. They read their own parameters and no
    other variables; anything else came in by the name of a field."""
    nodes = list(ast.walk(ast.parse(text)))
    parameters = {node.arg for node in nodes if isinstance(node, ast.arg)}
    parameters |= {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    for node in nodes:
        refused = None
        if isinstance(node, ast.Name) and node.id not in parameters | _GLOBAL_NAMES:
            refused = node.id
        elif isinstance(node, ast.Attribute) and node.attr not in _ATTRIBUTES:
            refused = node.attr if names.reading(node.attr) == "refused" else None
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            refused = "import"
        if refused is not None:
            raise ForbiddenName(f"{refused!r} cannot be part of the name of a dataclass field")
    exec(text, variables, local)


_GLOBAL_NAMES = frozenset({"NotImplemented", "hash", "super", "type"})
_ATTRIBUTES = frozenset({"__setattr__", "__delattr__"})
