"""A stream for a tunnel where what leads to the remote end is no plain socket: two threads carry
its bytes."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any

_MOST_AT_ONCE = 1 << 20
_BUFFER = 4 << 20


class Pump:
    """`stream` is a socket for a tunnel. What is written to it is given to `send`: what comes while
    that is at work goes together with the next. What `pieces` yields is read from it. `on_end` is
    called once when either ends, with what was raised or None, and `on_last` when both have ended.
    The threads' names begin with `name`."""

    def __init__(
        self,
        name: str,
        send: Callable[[bytes], Any],
        pieces: Iterable[bytes],
        on_end: Callable[[Exception | None], Any] = lambda failure: None,
        on_last: Callable[[], Any] = lambda: None,
    ) -> None:
        self.stream, self._ours = socket.socketpair()
        for end in (self.stream, self._ours):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _BUFFER)
        self._send, self._pieces = send, pieces
        self._on_end, self._on_last = on_end, on_last
        self._lock = threading.Lock()
        self._pid = os.getpid()
        self._is_over = False
        self._running = 2
        self._threads = [
            threading.Thread(target=self._run, args=[carry], name=f"{name}-{way}", daemon=True)
            for carry, way in ((self._carry_in, "in"), (self._carry_out, "out"))
        ]
        try:
            for thread in self._threads:
                thread.start()
        except RuntimeError:
            self.close()
            self.stream.close()
            raise

    def _carry_in(self) -> None:
        while data := self._ours.recv(_MOST_AT_ONCE):
            self._send(data)

    def _carry_out(self) -> None:
        for data in self._pieces:
            self._ours.sendall(data)

    def _run(self, carry: Callable[[], None]) -> None:
        """One that ends also ends the other; the last of the two closes the socket."""
        failure: Exception | None = None
        try:
            carry()
        except Exception as error:
            failure = error
        with self._lock:
            is_first, self._is_over = not self._is_over, True
        if is_first:
            with contextlib.suppress(Exception):
                self._on_end(failure)
        self.close()
        with self._lock:
            self._running -= 1
            is_last = not self._running
        if is_last:
            self._ours.close()
            with contextlib.suppress(Exception):
                self._on_last()

    def close(self) -> None:
        """Nothing that is still to come is of interest, and `on_end` is not called any more. A fork
        of the process leaves it alone."""
        if self._pid != os.getpid():
            return
        with self._lock:
            self._is_over = True
        with contextlib.suppress(OSError):
            self._ours.shutdown(socket.SHUT_RDWR)

    def wait(self, seconds: float) -> None:
        """See both threads end."""
        until = time.monotonic() + seconds
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(max(0.0, until - time.monotonic()))
