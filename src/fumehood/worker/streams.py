"""Standard output and error of a runner: one pipe to the host, written as lines end, in order with what C code and children write."""

from __future__ import annotations

import io
import os
import sys

_PROMPT_LINES = 1_000
"""Lines of a cell that are written one by one. A cell that prints more is writing a flood, which goes in larger pieces."""


class Stream(io.TextIOWrapper):
    """Text to the host. Nothing that can be printed fails to be: what UTF-8 cannot hold is escaped."""

    def __init__(self) -> None:
        raw = io.FileIO(1, "w", closefd=False)
        super().__init__(io.BufferedWriter(raw, 1 << 15), encoding="utf-8", errors="backslashreplace", line_buffering=True)
        self._lines = 0
        os.register_at_fork(before=self.flush)  # or a child would write what is in the buffer a second time

    def take_standard_streams(self) -> None:
        """From here on sys.stdout and sys.stderr are this stream."""
        for name in ("stdout", "stderr", "__stdout__", "__stderr__"):
            setattr(sys, name, self)

    def write(self, text: str, /) -> int:
        if self._lines <= _PROMPT_LINES:
            self._lines += 1
            if self._lines > _PROMPT_LINES:
                self.reconfigure(line_buffering=False)
        return super().write(text)

    def end_cell(self) -> None:
        """Everything written so far is on its way; the next cell's lines are prompt again."""
        self.flush()
        if self._lines > _PROMPT_LINES:
            self.reconfigure(line_buffering=True)
        self._lines = 0

    def getvalue(self) -> str:
        return ""  # the host has it
