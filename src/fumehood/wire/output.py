"""Printed text: how standard error is marked in the pipe that it shares with standard output, and
how much of what a cell prints is kept.

One pipe keeps the order of what is written. The marks are bytes that no UTF-8 text contains. The
code in a sandbox can write marks too. Then text appears in the wrong stream, and nothing else.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, Final, Literal

StreamName = Literal["stdout", "stderr"]

_ESCAPE: Final = b"\xff"  # no byte of any UTF-8 text
_NAMES: Final[dict[bytes, StreamName]] = {b"1": "stdout", b"2": "stderr"}


def as_error(data: bytes) -> bytes:
    """A piece of standard error, as it goes through the pipe. Whole: what follows it is standard
    output again."""
    return b"\xff2" + data + b"\xff1"


class Apart:
    """Takes what comes out of the pipe and says what of it is which. A mark may be cut in two by
    how it was read."""

    def __init__(self) -> None:
        self._stream: StreamName = "stdout"
        self._held = b""

    def feed(self, data: bytes) -> list[tuple[StreamName, bytes]]:
        """The pieces of `data`, in order, none of them empty."""
        if not self._held and _ESCAPE not in data:
            return [(self._stream, data)] if data else []
        first, *others = (self._held + data).split(_ESCAPE)
        self._held = b""
        if others and not others[-1]:
            self._held = _ESCAPE
            others.pop()
        pieces = [(self._stream, first)]
        for other in others:
            name = _NAMES.get(other[:1])
            if name is None:  # a byte that somebody printed
                pieces.append((self._stream, _ESCAPE + other))
            else:
                self._stream = name
                pieces.append((name, other[1:]))
        return _joined(pieces)

    def rest(self) -> list[tuple[StreamName, bytes]]:
        """What is left when nothing more comes."""
        held, self._held = self._held, b""
        return [(self._stream, held)] if held else []


def _joined(pieces: list[tuple[StreamName, bytes]]) -> list[tuple[StreamName, bytes]]:
    """Neighbours of one stream as one piece: `print` writes its text and the end of the line
    apart."""
    joined: list[tuple[StreamName, bytes]] = []
    for name, data in pieces:
        if data and joined and joined[-1][0] == name:
            joined[-1] = (name, joined[-1][1] + data)
        elif data:
            joined.append((name, data))
    return joined


class BoundedText:
    """Keeps the head and the tail of what is written; what falls out in the middle is counted. Cost
    is linear in the number of writes.

    `on_text` is handed everything, as it comes.
    """

    def __init__(self, limit: int, on_text: Callable[[str], Any] | None = None) -> None:
        self._on_text = on_text
        self._head_room = limit - limit // 2
        self._head: list[str] = []
        self._tail: deque[str] = deque()
        self._tail_room = limit // 2
        self._tail_length = 0
        self._cut = 0

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        size = len(text)
        if size and type(text) is not str:
            text = str.__str__(
                text
            )  # a subclass would run code of its own when the text is put together
        if self._on_text is not None:
            self._on_text(text)
        if self._head_room:
            if size <= self._head_room:
                self._head_room -= size
                self._head.append(text)
                return size
            self._head.append(text[: self._head_room])
            text = text[self._head_room :]
            self._head_room = 0
        if len(text) > self._tail_room:
            self._cut += len(text) - self._tail_room + self._tail_length
            self._tail.clear()
            self._tail.append(text[len(text) - self._tail_room :])
            self._tail_length = self._tail_room
            return size
        self._tail.append(text)
        self._tail_length += len(text)
        while self._tail_length > self._tail_room:
            first = self._tail.popleft()
            over = self._tail_length - self._tail_room
            if len(first) > over:
                self._tail.appendleft(first[over:])
                self._cut += over
                self._tail_length -= over
            else:
                self._cut += len(first)
                self._tail_length -= len(first)
        return size

    def getvalue(self) -> str:
        middle = f"\n... {self._cut:,} characters cut ...\n" if self._cut else ""
        return "".join(self._head) + middle + "".join(self._tail)
