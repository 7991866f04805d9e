"""The texts that a session has run, by the file name of their code: for tracebacks, and for saving
functions by their source.

Texts with definitions are remembered longer than others: a function that lives is shown in
tracebacks, and saved, by its source.
"""

from __future__ import annotations

import re
from typing import Any

_PASSING_KEPT = 200
_DEFINING_KEPT = 5_000
_CHARACTERS_KEPT = 16_000_000
_UNSORTED_KEPT = 100
_DEFINES = re.compile(r"\b(?:def|class|lambda)\b")
_LINE_END = re.compile(r"\r\n|\r|\n")
"""What Python takes for the end of a line; `splitlines` knows more."""


class Sources:
    """A text is remembered at once. What is to be forgotten for it is seen to by `tidy`, when
    nobody waits for a cell, or after some."""

    def __init__(self, lines_by_file: dict[str, Any] | None = None) -> None:
        """`lines_by_file` is the cache of `linecache`, if libraries may see the texts, too."""
        self._lines_by_file = lines_by_file
        self._texts: dict[str, str] = {}
        self._unsorted: list[str] = []
        self._passing: dict[str, int] = {}
        self._defining: dict[str, int] = {}
        self._characters = 0
        self._last: tuple[str, list[str]] = "", []

    def remember(self, file: str, source: str) -> None:
        self._texts[file] = source
        if self._lines_by_file is not None:
            self._lines_by_file[file] = len(source), None, source.splitlines(True), file
        self._unsorted.append(file)
        if len(self._unsorted) > _UNSORTED_KEPT or len(source) > _CHARACTERS_KEPT // _UNSORTED_KEPT:
            self.tidy()

    def lines(self, file: str) -> list[str] | None:
        """The lines of a text; None if it is not known, or not any more."""
        source = self._texts.get(file)
        if source is None:
            return None
        if self._last[0] != file:  # a traceback asks for each of its frames
            self._last = file, _LINE_END.split(source.removesuffix("\n"))
        return self._last[1]

    def tidy(self) -> None:
        """Forget the oldest texts of which there are too many, or that are too long together."""
        unsorted, self._unsorted = self._unsorted, []
        for file in unsorted:
            source = self._texts[file]
            is_defining = _DEFINES.search(source) is not None
            queue, most = (
                (self._defining, _DEFINING_KEPT) if is_defining else (self._passing, _PASSING_KEPT)
            )
            queue[file] = len(source)
            self._characters += len(source)
            while len(queue) > most or self._characters > _CHARACTERS_KEPT and len(queue) > 1:
                oldest = next(iter(queue))
                self._characters -= queue.pop(oldest)
                del self._texts[oldest]
                if self._lines_by_file is not None:
                    self._lines_by_file.pop(oldest, None)
