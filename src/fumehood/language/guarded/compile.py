"""Source text to runnable code: parse → check → guard → compile. The only file of this package that
calls compile, exec or eval."""

from __future__ import annotations
import __future__

import ast
import opcode
import threading
import types
import warnings
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from fumehood.errors import ForbiddenCall, ForbiddenName
from fumehood.language.guarded import names
from fumehood.language.guarded.check import Findings, check_tree
from fumehood.language.guarded.guard import HIDDEN, guard_tree, untoken
from fumehood.policy import Policy
from fumehood.results import Violation

CELL_FILE_PREFIX = "<cell "
"""How the file name of all guarded code begins: it marks a frame as the code's own. No library
makes such a name."""

_IMPORT_NAME = opcode.opmap["IMPORT_NAME"]

_FUTURES = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)

# Catching the compiler's warnings swaps the process's warning filters, which must not happen in two
# threads at once.
_WARNINGS_LOCK = threading.Lock()
_EVERY_WARNING: Any = [("always", None, Warning, None, 0)]


class Refused(Exception):
    """The checker said no; `violations` says to what."""

    def __init__(self, violations: list[Violation]) -> None:
        super().__init__("\n".join(map(str, violations)))
        self.violations = violations


@dataclass(slots=True)
class Compiled:
    """Code that passed the checker, its guards in place."""

    code: types.CodeType
    findings: Findings
    warnings: tuple[str, ...] = ()

    @property
    def is_coroutine(self) -> bool:
        return bool(self.code.co_flags & 0x80)  # CO_COROUTINE: the cell awaits at its top level


def compile_cell(
    source: str,
    filename: str,
    policy: Policy,
    guards: Mapping[str, Callable[..., Any]],
    *,
    known: Container[str] = (),
    mode: Literal["exec", "eval"] = "exec",
    keeps_value: bool = True,
    top_level_await: bool = True,
) -> Compiled:
    """Compile a cell. Raises SyntaxError for what is not Python and Refused, with all violations,
    for what breaks the rules."""
    if len(source) > policy.limits.source_characters:
        raise SyntaxError(
            f"the source has {len(source):,} characters; the limit is"
            f" {policy.limits.source_characters:,}"
        )
    if "\0" in source:
        raise SyntaxError("source code cannot contain null bytes")
    caught: list[warnings.WarningMessage] = []
    with _WARNINGS_LOCK:
        # As warnings.catch_warnings does it, which takes as long as to check a short cell; and no
        # call stands between the two, where a time limit could raise.
        before = warnings.filters, warnings._showwarnmsg  # type: ignore[attr-defined]
        warnings.filters, warnings._showwarnmsg = _EVERY_WARNING, caught.append  # type: ignore[attr-defined]
        try:
            compiled = _compile(
                source, filename, policy, guards, known, mode, keeps_value, top_level_await
            )
        except (RecursionError, MemoryError):
            raise SyntaxError("the source is nested too deeply for Python's parser") from None
        except UnicodeEncodeError as error:
            raise SyntaxError(f"the source cannot be encoded as UTF-8: {error.reason}") from None
        finally:
            warnings.filters, warnings._showwarnmsg = before  # type: ignore[attr-defined]
    if caught:
        compiled.warnings = tuple(
            f"line {w.lineno}: SyntaxWarning: {w.message}"
            for w in caught
            if issubclass(w.category, SyntaxWarning)
        )
    return compiled


def _compile(
    source: str,
    filename: str,
    policy: Policy,
    guards: Mapping[str, Callable[..., Any]],
    known: Container[str],
    mode: str,
    keeps_value: bool,
    top_level_await: bool,
) -> Compiled:
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT if top_level_await else 0
    tree = compile(source, filename, mode, ast.PyCF_ONLY_AST | flags, dont_inherit=True)
    findings = check_tree(tree, policy, known)
    if findings.violations:
        raise Refused(findings.violations)
    futures = _future_flags(tree, findings.future_imports) if findings.future_imports else 0
    guard_tree(tree, findings.rewrites, keeps_value=keeps_value)
    findings.rewrites.clear()  # they would keep the tree alive as long as the code
    code = compile(tree, filename, mode, flags | futures, dont_inherit=True)
    return Compiled(_put_guards(code, guards), findings)


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
    if compiled.findings.needs_scope:
        local = Scope(namespace if local is None else local)
    return (
        eval(compiled.code, namespace) if local is None else eval(compiled.code, namespace, local)
    )


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


def _future_flags(tree: ast.AST, imports: list[ast.ImportFrom]) -> int:
    """`from __future__` is rewritten like any import, so its meaning for the compiler is passed as
    flags."""
    flags, leading = 0, set()
    for node in tree.body if isinstance(tree, ast.Module) else ():
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            leading.add(node)
        elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            break
    for node in imports:
        if node not in leading:
            place = ("<cell>", node.lineno, node.col_offset + 1, None)
            raise SyntaxError(
                "from __future__ imports must occur at the beginning of the file", place
            )
        for alias in node.names:
            feature = getattr(__future__, alias.name, None)
            if not isinstance(feature, __future__._Feature):
                raise SyntaxError(
                    f"future feature {alias.name} is not defined",
                    ("<cell>", node.lineno, node.col_offset + 1, None),
                )
            flags |= feature.compiler_flag
    return int(flags & _FUTURES)


def _put_guards(code: types.CodeType, guards: Mapping[str, Callable[..., Any]]) -> types.CodeType:
    """Replace each constant that stands for a guard by the guard itself, in nested code too."""
    if _IMPORT_NAME in code.co_code[::2]:
        raise SyntaxError(
            "an import instruction was left in the code"
        )  # its fallback would read sys.modules past every view
    consts: list[Any] = []
    changed = False
    for const in code.co_consts:
        new, kind = const, type(const)
        if kind is str:
            if (name := untoken(const)) is not None:
                new = guards[name]
        elif kind is types.CodeType:
            new = _put_guards(const, guards)
        changed = changed or new is not const
        consts.append(new)
    return code.replace(co_consts=tuple(consts)) if changed else code
