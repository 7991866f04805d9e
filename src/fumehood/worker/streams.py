"""Standard output and error of a runner: one pipe to the host, written as lines end, in order with
what C code and children write.

For a cell of a notebook what goes to standard error is marked on its way (wire/apart.py); for
others it is text like the rest.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from typing import Any

from fumehood.wire.apart import as_error

_PROMPT_LINES = 1_000
"""Lines of a cell that are written one by one. A cell that prints more is writing a flood, which
goes in larger pieces."""


class Stream(io.TextIOWrapper):
    """Text to the host. Nothing that can be printed fails to be: what UTF-8 cannot hold is
    escaped."""

    def __init__(self) -> None:
        raw = io.FileIO(1, "w", closefd=False)
        super().__init__(
            io.BufferedWriter(raw, 1 << 15),
            encoding="utf-8",
            errors="backslashreplace",
            line_buffering=True,
        )
        self._lines = 0
        self.last = ""
        """The text that was written last: before input is read, it is the prompt."""
        self.marks_errors = False
        self.standard_error = StandardError(self)
        # Or a child would write what is in the buffer a second time.
        os.register_at_fork(before=self.flush)

    def take_standard_streams(self) -> None:
        """From here on sys.stdout is this stream, and sys.stderr the one that marks."""
        sys.stdout = sys.__stdout__ = self  # type: ignore[misc]
        sys.stderr = sys.__stderr__ = self.standard_error  # type: ignore[misc, assignment]

    def write(self, text: str, /) -> int:
        if self._lines <= _PROMPT_LINES:
            self._lines += 1
            if self._lines > _PROMPT_LINES:
                self.reconfigure(line_buffering=False)
        self.last = text
        return super().write(text)

    def write_error(self, text: str) -> int:
        """Write to standard error: marked, if whoever reads asked for that."""
        if not self.marks_errors:
            return self.write(text)
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self.flush()
        # In one piece: other threads write too.
        self.buffer.write(as_error(text.encode("utf-8", "backslashreplace")))
        self._lines += 1
        if self._lines <= _PROMPT_LINES:
            self.buffer.flush()
        return len(text)

    def end_cell(self) -> None:
        """Everything written so far is on its way; the next cell's lines are prompt again."""
        self.flush()
        if self._lines > _PROMPT_LINES:
            self.reconfigure(line_buffering=True)
        self._lines = 0

    def getvalue(self) -> str:
        return ""  # the host has it


class StandardError(io.TextIOBase):
    """sys.stderr: the same stream, by another door."""

    name = "<stderr>"
    mode = "w"
    encoding = "utf-8"
    errors = "backslashreplace"
    newlines = None
    line_buffering = True

    def __init__(self, stream: Stream) -> None:
        self._stream = stream

    @property
    def buffer(self) -> Any:
        return self._stream.buffer

    def write(self, text: str, /) -> int:
        return self._stream.write_error(text)

    def flush(self) -> None:
        self._stream.flush()

    def fileno(self) -> int:
        return 2

    def isatty(self) -> bool:
        return False

    def writable(self) -> bool:
        return True

    def reconfigure(self, **options: Any) -> None:
        """Libraries ask for UTF-8 or for lines that go out at once; it has both."""


class HostInput(io.TextIOBase):
    """sys.stdin of a cell whose input the host is asked for, line by line."""

    name = "<stdin>"
    mode = "r"
    encoding = "utf-8"
    errors = "backslashreplace"

    def __init__(self, stream: Stream, ask: Callable[[str], str | None]) -> None:
        self._stream = stream
        self._ask = ask
        self._rest = ""

    def readable(self) -> bool:
        return True

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        if not self._rest:
            last = self._stream.last
            line = self._ask("" if last.endswith("\n") else last)
            self._stream.last = "\n"
            self._rest = "" if line is None else line.removesuffix("\n") + "\n"
        end = self._rest.find("\n") + 1 or len(self._rest)
        if size is not None and 0 <= size < end:
            end = size
        line, self._rest = self._rest[:end], self._rest[end:]
        return line

    def read(self, size: int | None = -1, /) -> str:
        if size is not None and size >= 0:
            return self.readline(size)
        return "".join(iter(self.readline, ""))
