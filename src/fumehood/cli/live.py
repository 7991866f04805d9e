"""Output shown while a program still runs, piece by piece, with what a terminal would obey taken
out."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TextIO

from fumehood.cli.terminal import printable

# The beginning of an escape sequence at the end of a piece, whose rest comes with the next. Holding
# it back is for looks: without, the rest would be shown as words.
_UNFINISHED = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b\x9c]*\x1b?|[ -/]*)\Z")
_LONGEST_HELD = 200


class Live:
    """Called with each piece of text, which it writes to the stream (not looked up as sys.stdout
    each time: while a cell runs in this process, that is the cell's). `stop` is called when nobody
    reads what is written: the program then has no reason to go on."""

    def __init__(self, stream: TextIO, stop: Callable[[], object] = lambda: None) -> None:
        self._stream = stream
        self._stop = stop
        self._held = ""
        self._in_line = False
        self._broken: OSError | None = None

    def __call__(self, text: str) -> None:
        text = self._held + text
        begun = _UNFINISHED.search(text, max(len(text) - _LONGEST_HELD, 0))
        cut = begun.start() if begun else len(text)
        self._held = text[cut:]
        self._show(text[:cut])

    def end(self) -> None:
        """End the last line, so that what follows does not run into it. Raises what writing raised,
        if it did."""
        held, self._held = self._held, ""
        self._show(held)
        if self._in_line:
            self._show("\n")
        broken, self._broken = self._broken, None
        if broken is not None:
            raise broken

    def _show(self, text: str) -> None:
        shown = printable(text)
        if not shown or self._broken is not None:
            return
        self._in_line = not shown.endswith("\n")
        try:
            self._stream.write(shown)
            self._stream.flush()
        except OSError as error:
            # Not raised here, where inside a cell of this very process the code could catch it.
            self._broken = error
            self._stop()
