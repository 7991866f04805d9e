"""The text of a cell as code that CPython runs.

The value of a cell is that of its last statement. To compile a syntax tree, which would show that
statement, takes two to three times as long as to compile the text. So the text is split before its
last statement, and each part is compiled by itself. If both compile, the first ends outside of
every string, bracket and block, and the split is right. If not, the tree of the whole is used.
"""

from __future__ import annotations
import __future__

import ast
import copy
import dis
import inspect
import re
import textwrap
import threading
import types
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from fumehood.language import magics

FILE_PREFIX = "<cell "
"""The file name of every cell begins so. It marks frames of the code itself."""
VALUE = "<value>"
"""The variable in which a statement leaves the value of a cell. Code cannot spell it."""

_AWAIT = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
_FUTURES = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
_IMPORT_NAME, _LOAD_CONST = dis.opmap["IMPORT_NAME"], dis.opmap["LOAD_CONST"]
_Made = TypeVar("_Made")

# Lines at which the last statement cannot begin: blank, indented, comments, closing brackets, and
# the later clauses of compound statements.
_CONTINUES = re.compile(r"[\s#)\]}]|(?:else|elif|except|finally)\b")
_WITHOUT_VALUE = re.compile(
    r"@|(?:import|from|def|class|async\s+def|pass|del|global|assert|raise)\b"
)
_UNSURE = re.compile(r"'''|\"\"\"|;")
"""With these, a line may be inside of a string, or have another statement behind it."""
_ASSIGNMENT = re.compile(r"([^\W\d]\w*)[ \t]*=(?!=)[^;\n]*\s*$")


class ImportStatement(NamedTuple):
    """`import module`, or `from module import names`."""

    line: int
    column: int
    module: str
    names: tuple[str, ...]
    is_tried: bool
    """Whether it is inside of a `try` statement."""


@dataclass(slots=True)
class Cell:
    """A compiled cell: code to execute, one part after the other. The value of the cell is what
    the last part gives, if it is an expression, or leaves in a variable."""

    file: str
    codes: list[types.CodeType]
    variable: str = VALUE
    imports: list[ImportStatement] = field(default_factory=list)
    awaits: bool = False
    """Whether a part gives a coroutine, because it awaits at its top level."""


# Catching the compiler's warnings swaps the filters of the process, which must not happen in two
# threads at once.
_warnings_lock = threading.Lock()
_every_warning: Any = [("always", None, Warning, None, 0)]


def compile_cell(source: str, file: str) -> Cell:
    """Compile a cell. Raises SyntaxError. Each warning of the compiler is issued once."""
    cell, caught = catching_warnings(
        source, lambda: as_python(source, lambda text: _compile_python(text, file))
    )
    for warning in caught:
        warnings.warn_explicit(warning.message, warning.category, file, warning.lineno)
    for code in cell.codes:
        cell.imports += _import_statements(code)
        cell.awaits = cell.awaits or bool(code.co_flags & inspect.CO_COROUTINE)
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


def as_python(source: str, compile_: Callable[[str], _Made]) -> _Made:
    """What a function makes of a cell: of its text or, if that is not Python, of the text dedented
    and with its magic lines translated."""
    try:
        return compile_(source)
    except SyntaxError:
        changed = magics.translate(textwrap.dedent(source))
        if changed == source:
            raise
    return compile_(changed)


def _compile_python(source: str, file: str) -> Cell:
    start = _last_statement(source)
    tail = source[start:]
    if not tail or _WITHOUT_VALUE.match(tail) and not _UNSURE.search(tail):
        return Cell(file, [compile(source, file, "exec", _AWAIT, True)])
    try:
        return _compile_split(source, start, file)
    except SyntaxError:
        return _compile_split(source, 0, file)


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
    """Compile the head as text, and the tail as text or as a tree that keeps its value."""
    head, flags, codes = source[:start], _AWAIT, []
    if head and not head.isspace():
        codes.append(compile(head, file, "exec", _AWAIT, True))
        flags |= codes[0].co_flags & _FUTURES
    tail = "\n" * head.count("\n") + source[start:]
    assignment = _ASSIGNMENT.match(source, start)
    if assignment is not None:
        return Cell(file, [*codes, compile(tail, file, "exec", flags, True)], assignment[1])
    try:
        return Cell(file, [*codes, compile(tail, file, "eval", flags, True)])
    except SyntaxError:
        pass
    tree = compile(tail, file, "exec", flags | ast.PyCF_ONLY_AST, True)
    keep_value(tree.body)
    return Cell(file, [*codes, compile(tree, file, "exec", flags, True)])


def keep_value(body: list[ast.stmt]) -> None:
    """Have the last statement of a block, also a nested one, leave its value in VALUE."""
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
        elif isinstance(last, ast.AugAssign):
            # Read again what was stored, unless its parts could do something when evaluated again.
            if all(isinstance(part, _SIMPLE) for part in ast.walk(last.target)):
                again = copy.deepcopy(last.target)
                again.ctx = ast.Load()
                body.append(ast.copy_location(ast.Expr(_stored(again)), last))
        elif isinstance(last, (ast.For, ast.AsyncFor, ast.While, ast.If)):
            blocks += [last.body, last.orelse]
        elif isinstance(last, (ast.With, ast.AsyncWith)):
            blocks.append(last.body)
        elif isinstance(last, (ast.Try, ast.TryStar)):
            blocks += [last.orelse or last.body, *(handler.body for handler in last.handlers)]
        elif isinstance(last, ast.Match):
            blocks += [case.body for case in last.cases]


_SIMPLE = (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.expr_context)


def _stored(value: ast.expr) -> ast.expr:
    name = ast.copy_location(ast.Name(VALUE, ast.Store()), value)
    return ast.copy_location(ast.NamedExpr(name, value), value)


def _import_statements(code: types.CodeType) -> Iterator[ImportStatement]:
    """The absolute imports of a code object and of those inside of it."""
    pending = [code]
    while pending:
        code = pending.pop()
        pending += [const for const in code.co_consts if isinstance(const, types.CodeType)]
        opcodes = code.co_code[::2]
        if _IMPORT_NAME not in opcodes:
            continue
        # `dis.get_instructions` tells the same, and takes a sixth of the time of compiling.
        positions = [*code.co_positions()]
        tries = dis._parse_exception_table(code)  # type: ignore[attr-defined]
        argument, names = 0, None
        for at, (opcode, byte) in enumerate(zip(opcodes, code.co_code[1::2], strict=True)):
            argument = argument << 8 | byte
            if opcode == dis.EXTENDED_ARG:
                continue
            if opcode == _IMPORT_NAME and (module := code.co_names[argument]):
                line, _, column, _ = positions[at]
                is_tried = any(entry.start <= 2 * at < entry.end for entry in tries)
                yield ImportStatement(line or 1, (column or 0) + 1, module, names or (), is_tried)
            names = code.co_consts[argument] if opcode == _LOAD_CONST else None
            argument = 0
