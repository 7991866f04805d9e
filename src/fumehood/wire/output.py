"""Printed text: how standard error is marked in the pipe that it shares with standard output, and
how much of what a cell prints is kept.

One pipe keeps the order of what is written. The marks are bytes that no UTF-8 text contains. The
code in a sandbox can write marks too. Then text appears in the wrong stream, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal

StreamName = Literal["stdout", "stderr"]

_ESCAPE: Final = b"\xff"  # no byte of any UTF-8 text
_NAMES: Final[dict[bytes, StreamName]] = {b"1": "stdout", b"2": "stderr"}


def as_error(data: bytes) -> bytes:
    """A piece of standard error, as it goes through the pipe. Standard output follows it."""
    return b"\xff2" + data + b"\xff1"


class Apart:
    """Separates the streams that come out of the pipe. A read can cut a mark in two."""

    def __init__(self) -> None:
        self._stream: StreamName = "stdout"
        self._held = b""

    def feed(self, data: bytes) -> list[tuple[StreamName, bytes]]:
        """The pieces of `data`, in order, none of them empty. Neighbours of one stream are one
        piece: `print` writes its text and the end of the line separately."""
        first, *others = (self._held + data).split(_ESCAPE)
        self._held = b""
        if others and not others[-1]:
            self._held = _ESCAPE
            others.pop()
        pieces: list[tuple[StreamName, bytes]] = []
        self._add(pieces, first)
        for other in others:
            name = _NAMES.get(other[:1])
            self._stream = name or self._stream
            self._add(pieces, other[1:] if name else _ESCAPE + other)
        return pieces

    def _add(self, pieces: list[tuple[StreamName, bytes]], data: bytes) -> None:
        if data and pieces and pieces[-1][0] == self._stream:
            pieces[-1] = (self._stream, pieces[-1][1] + data)
        elif data:
            pieces.append((self._stream, data))

    def rest(self) -> list[tuple[StreamName, bytes]]:
        """What is left when nothing more comes."""
        held, self._held = self._held, b""
        return [(self._stream, held)] if held else []


class BoundedText:
    """Keeps the head and the tail of what is written, and counts what is cut in the middle. Cost is
    linear in the number of writes. `on_text` gets every text."""

    def __init__(self, limit: int, on_text: Callable[[str], Any] | None = None) -> None:
        self._on_text = on_text
        self._head: list[str] = []
        self._head_room = limit - limit // 2
        self._tail: list[str] = []
        self._tail_room = limit // 2
        self._tail_length = self._cut = 0

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        text = str.__str__(text)  # a subclass could run code of its own later
        if self._on_text is not None:
            self._on_text(text)
        head, tail = text[: self._head_room], text[self._head_room :]
        if head:
            self._head.append(head)
            self._head_room -= len(head)
        if tail:
            self._tail.append(tail)
            self._tail_length += len(tail)
            if self._tail_length >= 2 * self._tail_room:
                self._cut_tail()
        return len(text)

    def _cut_tail(self) -> None:
        text = "".join(self._tail)
        over = max(len(text) - self._tail_room, 0)
        self._tail = [text[over:]]
        self._tail_length -= over
        self._cut += over

    def getvalue(self) -> str:
        self._cut_tail()
        middle = f"\n... {self._cut:,} characters cut ...\n" if self._cut else ""
        return "".join(self._head) + middle + "".join(self._tail)
