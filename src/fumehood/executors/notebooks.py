"""A cell run as a notebook runs it: standard output and standard error apart, displays as they
come, and the value shown and not sent.

For those who serve notebooks to others: a value that stays in the sandbox costs nothing but its
picture, and needs no library here to be understood.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable
from typing import Any, Protocol

from fumehood.executors.cell import Printed
from fumehood.policy import Limits
from fumehood.results import Execution
from fumehood.wire.output import Apart, StreamName

_UTF8 = codecs.getincrementaldecoder("utf-8")

Bundle = dict[str, str | bytes]


class Watcher(Protocol):
    """Who is told of a cell while it runs, in the thread that runs it."""

    def printed(self, stream: StreamName, text: str) -> Any: ...

    def displayed(self, bundle: Bundle, is_value: bool) -> Any:
        """A rich result. `is_value` says that it is the value of the cell's last expression; there
        is at most one of those."""


class PrintedApart(Printed):
    """What a cell prints, each stream by itself as it comes, and together as it is kept."""

    def __init__(
        self, limits: Limits, on_text: Callable[[str], Any] | None, watcher: Watcher | None
    ) -> None:
        super().__init__(limits, on_text)
        self._watcher = watcher
        self._apart = Apart()
        self._decoders: dict[StreamName, codecs.IncrementalDecoder] = {
            "stdout": _UTF8("replace"),
            "stderr": _UTF8("replace"),
        }

    def feed(self, data: bytes) -> bool:
        is_too_much = False
        for stream, piece in self._apart.feed(data):
            is_too_much = self._take(stream, piece)
        return is_too_much or self.is_too_much

    def text(self) -> str:
        for stream, piece in self._apart.rest():
            self._take(stream, piece)
        for stream, decoder in self._decoders.items():
            self._tell(stream, decoder.decode(b"", final=True))
        return super().text()

    def _take(self, stream: StreamName, piece: bytes) -> bool:
        self._tell(stream, self._decoders[stream].decode(piece[: max(0, self.room)]))
        return super().feed(piece)

    def _tell(self, stream: StreamName, text: str) -> None:
        watcher = self._watcher
        if text and watcher is not None:
            self.hand_on(text, lambda text: watcher.printed(stream, text))


def tell_afterwards(watcher: Watcher, execution: Execution, value_at: int | None) -> None:
    """Tell of a cell that nothing could be told of before validators had seen all of it."""
    if execution.logs:
        watcher.printed("stdout", execution.logs)
    for place, bundle in enumerate(execution.displays):
        watcher.displayed(bundle, place == value_at)
