"""The text of a cell as code that CPython runs.

The value of a cell is that of its last statement. A syntax tree would show that statement, but to
make one and compile it takes two to three times as long as to compile the text. So the text is
split before its last statement, and each part is compiled by itself. The split is right if both
parts compile: the first then ends outside of every string, bracket and block. If one does not,
the tree of the whole text is used.

Text that is not Python gets a second chance: it is dedented, and lines that begin with `%` or `!`
are translated (language/magics.py).
"""

from __future__ import annotations
import __future__

import ast
import re
import textwrap
import threading
import types
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from fumehood.language import magics

FILE_PREFIX = "<cell "
"""The file name of every cell begins so. It marks frames of the code itself."""
VALUE = "<value>"
"""The variable that holds the value of a compound statement. Code cannot spell it."""

_AWAIT = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
_FUTURES = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
_COROUTINE = 0x80
_Made = TypeVar("_Made")

# Lines at which the last statement cannot begin: blank, indented, comments, closing brackets, and
# the later clauses of compound statements.
_CONTINUES = re.compile(r"[\s#)\]}]|(?:else|elif|except|finally)\b")
_WITHOUT_VALUE = re.compile(
    r"@|(?:import|from|def|class|async\s+def|pass|del|global|assert|raise)\b"
)
_UNSURE = re.compile(r"'''|\"\"\"|;")
"""With these, a line may be inside of a string, or have another statement behind it."""
_COMPOUND = re.compile(r"(?:if|for|while|with|try|async)\b")
_ASSIGNMENT = re.compile(r"([^\W\d]\w*)[ \t]*=(?!=)[^;\n]*\s*$")


@dataclass(slots=True)
class Cell:
    """A compiled cell: code to execute, and then code that gives the value."""

    file: str
    first: types.CodeType | None
    last: types.CodeType | None
    variable: str | None = None
    """The variable that has the value after `last` ran; None if `last` is an expression."""
    has_imports: bool = True
    first_awaits: bool = field(init=False)
    last_awaits: bool = field(init=False)
    """Whether running it gives a coroutine, because it awaits at its top level."""

    def __post_init__(self) -> None:
        self.first_awaits = self.first is not None and bool(self.first.co_flags & _COROUTINE)
        self.last_awaits = self.last is not None and bool(self.last.co_flags & _COROUTINE)

    @property
    def codes(self) -> list[types.CodeType]:
        return [code for code in (self.first, self.last) if code is not None]


# Catching the compiler's warnings swaps the filters of the process, which must not happen in two
# threads at once.
_warnings_lock = threading.Lock()
_every_warning: Any = [("always", None, Warning, None, 0)]


def compile_cell(source: str, file: str) -> Cell:
    """Compile a cell. Raises SyntaxError. Each warning of the compiler is issued once."""
    cell, caught = catching_warnings(source, lambda: _compile(source, file))
    for warning in caught:
        warnings.warn_explicit(warning.message, warning.category, file, warning.lineno)
    return cell


def catching_warnings(
    source: str, compile_: Callable[[], _Made]
) -> tuple[_Made, list[warnings.WarningMessage]]:
    """What a function gives that compiles a source, and the compiler's warnings, each once. Raises
    SyntaxError for all that the compiler cannot take."""
    if "\0" in source:
        raise SyntaxError("source code cannot contain null bytes")
    caught: list[warnings.WarningMessage] = []
    with _warnings_lock:
        # As warnings.catch_warnings does it, at a tenth of the time.
        before = warnings.filters, warnings._showwarnmsg  # type: ignore[attr-defined]
        warnings.filters, warnings._showwarnmsg = _every_warning, caught.append  # type: ignore[attr-defined]
        try:
            made = compile_()
        except (RecursionError, MemoryError):
            raise SyntaxError("the source is nested too deeply for Python's parser") from None
        except UnicodeEncodeError as error:
            raise SyntaxError(f"the source cannot be encoded as UTF-8: {error.reason}") from None
        finally:
            warnings.filters, warnings._showwarnmsg = before  # type: ignore[attr-defined]
    return made, [*{(w.lineno, str(w.message)): w for w in caught}.values()]


def _compile(source: str, file: str) -> Cell:
    try:
        return _compile_python(source, file)
    except SyntaxError:
        changed = magics.translate(textwrap.dedent(source))
        if changed == source:
            raise
    return _compile_python(changed, file)


def _compile_python(source: str, file: str) -> Cell:
    start = _last_statement(source)
    tail = source[start:]
    if not tail or _WITHOUT_VALUE.match(tail) and not _UNSURE.search(tail):
        return Cell(file, compile(source, file, "exec", _AWAIT, True), None)
    try:
        return _compile_split(source, start, file)
    except SyntaxError:
        return _compile_tree(source, file)


def _last_statement(source: str) -> int:
    """Where the last statement begins, unless that line is inside of a string or bracket."""
    end = len(source.rstrip())
    while True:
        start = source.rfind("\n", 0, end) + 1
        if start == end or _CONTINUES.match(source, start) or source[start - 2 : start] == "\\\n":
            if start == 0:
                return 0
            end = start - 1
        else:
            return start


def _compile_split(source: str, start: int, file: str) -> Cell:
    first, flags = None, _AWAIT
    head = source[:start]
    if head and not head.isspace():
        first = compile(head, file, "exec", _AWAIT, True)
        flags |= first.co_flags & _FUTURES
    tail = "\n" * head.count("\n") + source[start:]
    assignment = _ASSIGNMENT.match(source, start)
    if assignment is not None:
        return Cell(file, first, compile(tail, file, "exec", flags, True), assignment[1])
    if not _COMPOUND.match(source, start):
        try:
            return Cell(file, first, compile(tail, file, "eval", flags, True))
        except SyntaxError:
            pass
    tree = compile(tail, file, "exec", flags | ast.PyCF_ONLY_AST, True)
    return _compiled(tree, file, flags, first)


def _compile_tree(source: str, file: str) -> Cell:
    tree = compile(source, file, "exec", _AWAIT | ast.PyCF_ONLY_AST, True)
    return _compiled(tree, file, _AWAIT, None)


def _compiled(tree: ast.Module, file: str, flags: int, first: types.CodeType | None) -> Cell:
    keep_value(tree.body)
    return Cell(file, first, compile(tree, file, "exec", flags, True), VALUE)


def keep_value(body: list[ast.stmt]) -> None:
    """Have the last statement of a block leave its value in the variable VALUE: an expression or
    an assignment, also as the last of a compound statement."""
    blocks = [body]
    while blocks:
        body = blocks.pop()
        last = body[-1] if body else None
        if isinstance(last, (ast.Expr, ast.AnnAssign)):
            value: ast.expr | None = last.value
            if value is not None:
                last.value = _stored(value)
        elif isinstance(last, ast.Assign):
            last.targets.append(ast.copy_location(ast.Name(VALUE, ast.Store()), last))
        elif isinstance(last, ast.AugAssign) and (again := _read_again(last.target)) is not None:
            body.append(ast.copy_location(ast.Expr(_stored(again)), last))
        elif isinstance(last, (ast.For, ast.AsyncFor, ast.While, ast.If)):
            blocks += [last.body, last.orelse]
        elif isinstance(last, (ast.With, ast.AsyncWith)):
            blocks.append(last.body)
        elif isinstance(last, (ast.Try, ast.TryStar)):
            blocks += [last.orelse or last.body, *(handler.body for handler in last.handlers)]
        elif isinstance(last, ast.Match):
            blocks += [case.body for case in last.cases]


def _read_again(target: ast.expr) -> ast.expr | None:
    """A simple target, for reading; None if its parts could do something when evaluated again."""
    if isinstance(target, ast.Constant):
        return target
    if isinstance(target, ast.Name):
        return ast.copy_location(ast.Name(target.id, ast.Load()), target)
    if isinstance(target, ast.Attribute) and (value := _read_again(target.value)) is not None:
        return ast.copy_location(ast.Attribute(value, target.attr, ast.Load()), target)
    if isinstance(target, ast.Subscript):
        value, index = _read_again(target.value), _read_again(target.slice)
        if value is not None and index is not None:
            return ast.copy_location(ast.Subscript(value, index, ast.Load()), target)
    return None


def _stored(value: ast.expr) -> ast.expr:
    name = ast.copy_location(ast.Name(VALUE, ast.Store()), value)
    return ast.copy_location(ast.NamedExpr(name, value), value)
