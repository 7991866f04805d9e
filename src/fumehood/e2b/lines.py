"""Pumps between a tunnel and the standard streams of a command that is far away: bytes on one side,
lines of text on the other."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator
from typing import Protocol

from fumehood.tunnel.text import LineReader, as_lines

_MOST_AT_ONCE = 1 << 20
_BUFFER = 4 << 20


class Command(Protocol):
    """A command that runs somewhere."""

    def send(self, data: bytes) -> None:
        """Write to its standard input, in order; returns when it may be called again. Raises if
        that is not possible any more."""

    def pieces(self) -> Iterator[bytes]:
        """What it writes to its standard output, as it comes, until it ends. Raises if the line to
        it breaks."""


class Lines:
    """`stream` is a socket for a tunnel, whose other end is pumped to and from a command by two
    threads. What is written while a piece is on its way goes together with the next. `on_end` is
    called once, with what broke the line, or None if the command has ended."""

    def __init__(self, command: Command, on_end: Callable[[Exception | None], None]) -> None:
        self.stream, self._ours = socket.socketpair()
        for end in (self.stream, self._ours):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _BUFFER)
        self.reader = LineReader(waits=True)
        self._pumps = 2
        self._command = command
        self._on_end = on_end
        self._ending = threading.Lock()
        self._is_over = False
        works = (self._send, "fumehood-e2b-in"), (self._receive, "fumehood-e2b-out")
        self._threads = [
            threading.Thread(target=work, name=name, daemon=True) for work, name in works
        ]
        for thread in self._threads:
            thread.start()

    def _send(self) -> None:
        try:
            while data := self._ours.recv(_MOST_AT_ONCE):
                self._command.send(as_lines(data))
        except Exception as error:
            self._end(error)
        self._leave()

    def _receive(self) -> None:
        failure: Exception | None = None
        try:
            for piece in self._command.pieces():
                data = self.reader.feed(piece)
                if data:
                    self._ours.sendall(data)
        except Exception as error:
            failure = error
        self._end(failure)
        self._leave()

    def _leave(self) -> None:
        """The last of the two closes the door."""
        with self._ending:
            self._pumps -= 1
            if not self._pumps:
                self._ours.close()

    def _end(self, failure: Exception | None) -> None:
        """The first that ends it says why."""
        with self._ending:
            if self._is_over:
                return
            self._is_over = True
        self._on_end(failure)
        with contextlib.suppress(OSError):
            self._ours.shutdown(socket.SHUT_RDWR)

    def wait(self, seconds: float) -> None:
        """See both pumps end, where the command has."""
        until = time.monotonic() + seconds
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(max(0.0, until - time.monotonic()))

    def close(self) -> None:
        """Whatever is done with the stream: nothing of it is of interest any more."""
        with self._ending:
            self._is_over = True
        with contextlib.suppress(OSError):
            self._ours.shutdown(socket.SHUT_RDWR)
