"""Functions as places in source texts: which text, and which of the code objects that it compiles
to.

Only the top-level statements that functions stand in are kept of a cell; the rest of it becomes
empty lines, so that every line keeps its number and tracebacks stay right.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Mapping
from typing import Any, NamedTuple

from fumehood.language.compile import CELL_FILE_PREFIX, Refused
from fumehood.language.run import Session
from fumehood.worker.durable_reasons import Unsavable


class Place(NamedTuple):
    """One code object of a text. Not its qualified name: whether a comprehension is part of that
    differs between versions of Python."""

    file: str
    name: str
    line: int
    turn: int
    """Which of the code objects of that name that begin in that line."""


class KeptSources:
    """The source texts of what is being saved."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._cells: dict[str, _Cell] = {}

    def place(self, function: types.FunctionType) -> Place:
        """Where a function's code is written. Raises Unsavable if that is not known."""
        code = function.__code__
        file = code.co_filename
        cell = self._cells.get(file)
        if cell is None:
            lines = self._session.sources.lines(file)
            if lines is None:
                raise Unsavable(function, "its source is no longer known")
            try:
                text = "\n".join(lines)
                cell = self._cells[file] = _Cell(
                    text, by_place(self._session.compile_unrun(text, file, _Everything()))
                )
            except (SyntaxError, Refused):
                raise Unsavable(function, "its source is no longer known") from None
        turn = cell.keep(code)
        if turn is None:
            raise Unsavable(function, "its source is no longer known")
        return Place(file, code.co_name, code.co_firstlineno, turn)

    def texts(self) -> dict[str, str]:
        return {file: cell.kept_text() for file, cell in self._cells.items()}

    def imports(self) -> set[str]:
        """The modules that the kept statements import."""
        found: set[str] = set()
        for cell in self._cells.values():
            for statement in cell.kept():
                for node in ast.walk(statement):
                    if isinstance(node, ast.Import):
                        found |= {alias.name for alias in node.names}
                    elif (
                        isinstance(node, ast.ImportFrom)
                        and node.module
                        and node.module != "__future__"
                    ):
                        found.add(node.module)
        return found


class LoadedSources:
    """The source texts of what is being loaded. A text is compiled when a function of it is first
    wanted, and never run."""

    def __init__(self, session: Session, texts: Mapping[str, str]) -> None:
        self._session = session
        self._texts = texts
        self._codes: dict[str, dict[tuple[str, int], list[types.CodeType]]] = {}

    def code(self, place: Place) -> types.CodeType:
        codes = self._codes.get(place.file)
        if codes is None:
            text = self._texts[place.file]
            file = self._session.new_file(text)
            codes = self._codes[place.file] = by_place(
                self._session.compile_unrun(text, file, _Everything())
            )
        try:
            return codes[place.name, place.line][place.turn]
        except LookupError:
            raise ValueError(
                f"the source of {place.name!r} does not have it in line {place.line}"
            ) from None


class _Cell:
    """One text, and which of its statements are kept."""

    def __init__(self, text: str, codes: dict[tuple[str, int], list[types.CodeType]]) -> None:
        self._lines = text.split("\n")
        self._codes = codes
        self._statements = ast.parse(text).body
        self._kept: set[int] = set()

    def keep(self, code: types.CodeType) -> int | None:
        """Keep the statement that a code object comes from; gives its turn, or None if the text
        does not hold it."""
        same = self._codes.get((code.co_name, code.co_firstlineno), [])
        looks = None if len(same) == 1 else _looks(code)
        for turn, candidate in enumerate(same):
            if looks is None or _looks(candidate) == looks:
                line = code.co_firstlineno
                self._kept |= {
                    n for n, statement in enumerate(self._statements) if line in _lines(statement)
                }
                return turn
        return None

    def kept(self) -> list[ast.stmt]:
        """The statements that functions stand in, what shares a line with one of them, and what
        changes how all are read."""
        lines: set[int] = set()
        kept = {
            n
            for n, statement in enumerate(self._statements)
            if n in self._kept or _is_future(statement)
        }
        while True:
            for number in kept:
                lines |= {*_lines(self._statements[number])}
            more = {
                n
                for n, statement in enumerate(self._statements)
                if not lines.isdisjoint(_lines(statement))
            }
            if more == kept:
                return [self._statements[number] for number in sorted(kept)]
            kept = more

    def kept_text(self) -> str:
        lines = [""] * len(self._lines)
        for statement in self.kept():
            for line in _lines(statement):
                lines[line - 1] = self._lines[line - 1]
        return "\n".join(lines)


def by_place(code: types.CodeType) -> dict[tuple[str, int], list[types.CodeType]]:
    """Every code object below one, in the order of the source, by name and line."""
    found: dict[tuple[str, int], list[types.CodeType]] = {}
    waiting = [code]
    while waiting:
        for const in reversed(
            [const for const in waiting.pop().co_consts if isinstance(const, types.CodeType)]
        ):
            waiting.append(const)
        if waiting:
            found.setdefault((waiting[-1].co_name, waiting[-1].co_firstlineno), []).append(
                waiting[-1]
            )
    return found


def _looks(code: types.CodeType) -> tuple[Any, ...]:
    """By what code objects of one name and line can be told apart. Guards are among the constants,
    and new each time."""
    plain = tuple(_constant(const) for const in code.co_consts if type(const) in _CONSTANTS)
    inner = tuple(_looks(const) for const in code.co_consts if isinstance(const, types.CodeType))
    return (
        plain,
        inner,
        code.co_code,
        code.co_names,
        code.co_varnames,
        code.co_freevars,
        tuple(code.co_positions()),
    )


_CONSTANTS = (type(None), bool, int, float, complex, str, bytes, tuple, frozenset, type(...))


def _constant(const: Any) -> tuple[Any, ...]:
    """A constant in a form that equals another only if both are the same to code: 1, 1.0 and True
    are not, nor are 0.0 and -0.0."""
    kind = type(const)
    if kind in (tuple, frozenset):
        return kind, kind(map(_constant, const))
    return kind, repr(const) if kind in (float, complex) else const


def is_of_a_cell(function: types.FunctionType) -> bool:
    return function.__code__.co_filename.startswith(CELL_FILE_PREFIX)


class _Everything:
    """All names are known: the text has been accepted before, when there was a variable of that
    name. If there is none now, the name means the builtin that refuses to be called."""

    def __contains__(self, name: object) -> bool:
        return True


def _lines(statement: ast.stmt) -> range:
    """The lines of a statement, its decorators included."""
    decorators: list[Any] = getattr(statement, "decorator_list", [])
    first = min([statement.lineno, *(decorator.lineno for decorator in decorators)])
    return range(first, (statement.end_lineno or statement.lineno) + 1)


def _is_future(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
