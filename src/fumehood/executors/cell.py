"""A cell while it runs, as the host sees it: its clock, what it has printed and shown, and how it is stopped."""

from __future__ import annotations

import codecs
import time
from collections.abc import Callable
from typing import Any

from fumehood.policy import Limits
from fumehood.wire.text import BoundedText

# While tools run the clock stands still, and the thread that waits looks at it again this often.
_LOOK = 0.1


class Clock:
    """The time a cell has used, by the host's clock. It stands still while tools run, unless that time counts."""

    def __init__(self, limits: Limits) -> None:
        self._left = limits.cell_seconds
        self._counts_tools = limits.tool_time_counts
        self._since = time.monotonic()
        self._calls = 0

    def call_began(self) -> None:
        self._tick()
        self._calls += 1

    def call_ended(self) -> None:
        self._tick()
        self._calls -= 1

    def left(self) -> float | None:
        """Seconds until somebody should look again; zero or less when the time is over."""
        if self._left is None:
            return None
        self._tick()
        return min(self._left, _LOOK) if self._calls and self._left > 0 else self._left

    @property
    def is_over(self) -> bool:
        left = self.left()
        return left is not None and left <= 0

    def _tick(self) -> None:
        now = time.monotonic()
        if self._left is not None and (self._counts_tools or not self._calls):
            self._left -= now - self._since
        self._since = now


class Printed:
    """What a cell prints: kept within bounds, handed on as it comes, and counted."""

    def __init__(self, limits: Limits, on_text: Callable[[str], Any] | None) -> None:
        self._kept = BoundedText(limits.output_characters)
        self._room = limits.output_bytes
        self._on_text = on_text
        self.callback_error: Exception | None = None
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.is_too_much = False

    def feed(self, data: bytes) -> None:
        """Take bytes; those beyond the limit are dropped and noted."""
        if len(data) > self._room:
            self.is_too_much = True
            data = data[: self._room]
        self._room -= len(data)
        text = self._decoder.decode(data)
        if text:
            self._kept.write(text)
            if self._on_text is not None and self.callback_error is None:
                try:
                    self._on_text(text)
                except Exception as error:
                    self.callback_error = error  # the caller's own, raised when the cell is over

    def text(self) -> str:
        self._kept.write(self._decoder.decode(b"", final=True))
        return self._kept.getvalue()
