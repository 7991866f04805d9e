"""Exceptions as a model can use them: the real type and message, the code's own frames with source
and carets, and what was probably meant. And the texts of the cells.

Source lines come from the session's cells, never from a file that a frame happens to name.
"""

from __future__ import annotations

import contextlib
import difflib
import re
import types
from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from typing import Any, NamedTuple

from fumehood.language.source import FILE_PREFIX
from fumehood.results import ErrorInfo
from fumehood.wire.show import safe_str, type_name

_CHAIN_LIMIT = 5
MOST_CHARACTERS = 4_000
# Read past whatever an exception class says of itself.
_traceback_of = BaseException.__dict__["__traceback__"].__get__
_cause_of = BaseException.__dict__["__cause__"].__get__
_context_of = BaseException.__dict__["__context__"].__get__
_hides_context = BaseException.__dict__["__suppress_context__"].__get__
_GROUP_LIMIT = 10
_WIDEST = 300
"""Characters of a line that are shown."""
_CAUSE = "The above exception was the direct cause of the following exception:"
_CONTEXT = "During handling of the above exception, another exception occurred:"

_TEXTS_KEPT = 5_000
_CHARACTERS_KEPT = 16_000_000
_LINE_END = re.compile(r"\r\n|\r|\n")
"""What Python takes for the end of a line; `splitlines` knows more."""


class Sources:
    """The texts of cells. The oldest are dropped when there are too many."""

    def __init__(self) -> None:
        self.lines_by_file: dict[str, Any] = {}
        """`linecache.cache`, if libraries may see the texts, too."""
        self._texts: dict[str, str] = {}
        self._characters = 0

    def remember(self, file: str, source: str) -> None:
        self._characters += len(source) - len(self._texts.pop(file, ""))
        self._texts[file] = source
        self.lines_by_file[file] = len(source), None, source.splitlines(True), file
        while len(self._texts) > _TEXTS_KEPT or self._characters > _CHARACTERS_KEPT:
            oldest = next(iter(self._texts))
            if oldest == file:
                return
            self._characters -= len(self._texts.pop(oldest))
            self.lines_by_file.pop(oldest, None)

    def line(self, file: str | None, number: int) -> str | None:
        lines = self.lines(file) or []
        return lines[number - 1] if 1 <= number <= len(lines) else None

    def lines(self, file: str | None) -> list[str] | None:
        """The lines of a text; None if it is not known, or not any more."""
        source = self._texts.get(file or "")
        return None if source is None else _LINE_END.split(source.removesuffix("\n"))


class _Place(NamedTuple):
    file: str
    line: int
    name: str
    column: int | None
    end_column: int | None


class Traces:
    """Renders exceptions of one session; `sources` has the lines of its cells."""

    def __init__(self, sources: Sources, max_frames: int) -> None:
        self._sources = sources
        self.ignored: BaseException | None = None
        """An exception that stands for "none": never shown as the context of another."""
        self._max_frames = max_frames
        self.most_characters = MOST_CHARACTERS
        """The longest message of an exception; in a traceback it is shorter."""

    def info(self, error: BaseException, cell: str | None = None) -> ErrorInfo:
        """All of it. `line` is the innermost line of `cell` that the exception went through."""
        places = self._places(_traceback_of(error))
        line = None
        for place in places:
            line = place.line if cell in (None, place.file) else line
        if isinstance(error, SyntaxError) and _is_own_file(error.filename):
            line = error.lineno
        message = safe_str(error, self.most_characters)
        return ErrorInfo(type_name(error), message, "\n".join(self.lines(error)), line)

    def lines(self, error: BaseException) -> list[str]:
        """The whole traceback, causes first."""
        parts = [self._one(error)]
        seen = {id(error)}
        while len(parts) < _CHAIN_LIMIT:
            before, link = _cause_of(error), _CAUSE
            if before is None and not _hides_context(error):
                before, link = _context_of(error), _CONTEXT
            if not isinstance(before, Exception) or before is self.ignored or id(before) in seen:
                break
            parts.append([*self._one(before), "", link, ""])
            error = before
            seen.add(id(error))
        return [line for part in reversed(parts) for line in part]

    def exception_only(self, error: BaseException) -> list[str]:
        name, message, lines = type_name(error), safe_str(error), []
        if isinstance(error, SyntaxError):
            message, lines = str(error.msg), self._syntax_lines(error)
        lines.append(f"{name}: {message}" if message else name)
        if meant := suggestion(error):
            lines[-1] += f". Did you mean: {meant!r}?"
        notes = getattr(error, "__notes__", None)
        for note in notes if isinstance(notes, list) else ():
            lines += str.splitlines(note) if isinstance(note, str) else []
        return lines

    def frames(self, tb: types.TracebackType | None) -> list[str]:
        """The code's own frames, outermost first, without repetitions and the middle of many."""
        runs: list[tuple[_Place | None, int]]
        runs = [(place, sum(1 for _ in group)) for place, group in groupby(self._places(tb))]
        half, hidden = self._max_frames // 2, len(runs) - self._max_frames
        if hidden > 0:
            runs[half : half + hidden] = [(None, hidden)]
        lines: list[str] = []
        for place, times in runs:
            if place is None:
                lines.append(f"  ... {times:,} more frames ...")
                continue
            lines.append(f"  {place.file.strip('<>')}, line {place.line}, in {place.name}")
            lines += self._source_lines(place)
            if times > 1:
                lines.append(f"  [repeated {times - 1:,} more times]")
        return lines

    def _one(self, error: BaseException, depth: int = 0) -> list[str]:
        lines = self.frames(_traceback_of(error))
        if lines:
            lines.insert(0, "Traceback (most recent call last):")
        lines += self.exception_only(error)
        if isinstance(error, BaseExceptionGroup) and depth < 3:
            for number, inner in enumerate(error.exceptions[:_GROUP_LIMIT], 1):
                lines.append(f"  +-- {number} of {len(error.exceptions)}")
                lines += [f"  | {line}" for line in self._one(inner, depth + 1)]
        return lines

    # -- places

    def _places(self, tb: types.TracebackType | None) -> Iterator[_Place]:
        """The frames of the code itself: a library's or fumehood's own are passed over."""
        while tb is not None:
            code = tb.tb_frame.f_code
            if _is_own_file(code.co_filename):
                positions = islice(code.co_positions(), tb.tb_lasti // 2, None)
                line, last_line, column, end = next(positions, (None,) * 4)
                if line is None or line != last_line:
                    column = end = None
                line = line or tb.tb_lineno or 0
                yield _Place(code.co_filename, line, code.co_name, column, end)
            tb = tb.tb_next

    def _source_lines(self, place: _Place) -> list[str]:
        text = self._sources.line(place.file, place.line)
        if text is None:
            return []
        stripped = text.strip()
        lines = [f"    {stripped[:_WIDEST]}"]
        if place.column is not None and place.end_column is not None and len(text) <= _WIDEST:
            indent, data = len(text) - len(text.lstrip()), text.encode()  # positions count bytes
            start = len(data[: place.column].decode(errors="replace")) - indent
            end = len(data[: place.end_column].decode(errors="replace")) - indent
            end = min(end, len(stripped))
            if 0 <= start < end and (start, end) != (0, len(stripped)):
                lines.append("    " + " " * start + "^" * (end - start))
        return lines

    def _syntax_lines(self, error: SyntaxError) -> list[str]:
        file, number = error.filename, error.lineno
        if not _is_own_file(file) or number is None:
            return []
        text = self._sources.line(file, number) or error.text or ""
        lines = [f"  {str(file).strip('<>')}, line {number}"]
        if text.strip():
            lines.append(f"    {text.strip()[:_WIDEST]}")
            at = (error.offset or 0) - 1 - (len(text) - len(text.lstrip()))
            if 0 <= at <= _WIDEST:
                lines.append("    " + " " * at + "^")
        return lines


def _is_own_file(name: object) -> bool:
    return isinstance(name, str) and name.startswith(FILE_PREFIX)


def last_traceback(error: BaseException) -> types.TracebackType | None:
    """Where an exception was raised."""
    tb: types.TracebackType | None = _traceback_of(error)
    while tb is not None and tb.tb_next is not None:
        tb = tb.tb_next
    return tb


# -- what was probably meant


def suggestion(error: BaseException) -> str | None:
    """The name that was probably meant. Runs none of the code's own methods."""
    try:
        wrong = getattr(error, "name", None)
        if not isinstance(wrong, str) or len(wrong) > 100:
            return None
        candidates: Iterable[Any] = ()
        if isinstance(error, NameError):
            tb = last_traceback(error)
            if tb is not None:
                frame = tb.tb_frame
                candidates = [*frame.f_locals, *frame.f_globals, *frame.f_builtins]
        elif isinstance(error, AttributeError):
            candidates = _attributes_of(error.obj)
        choices = {c for c in candidates if type(c) is str and c != wrong}
        if not wrong.startswith("_"):
            choices = {c for c in choices if not c.startswith("_")}
        close = difflib.get_close_matches(wrong, sorted(choices)[:2000], n=1, cutoff=0.7)
        return close[0] if close else None
    except Exception:
        return None  # a guess at a spelling must never be what fails


def _attributes_of(obj: object) -> Iterator[str]:
    if isinstance(obj, types.ModuleType):
        yield from getattr(obj, "__all__", ())
    for base in type.__dict__["__mro__"].__get__(type(obj)):
        yield from type.__dict__["__dict__"].__get__(base)
    with contextlib.suppress(AttributeError):
        own = object.__getattribute__(obj, "__dict__")
        yield from own if type(own) is dict else ()
