"""Printed text, bounded: what a cell prints is kept by whoever runs it, inside or outside of a
sandbox."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any


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
