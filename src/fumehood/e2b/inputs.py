"""A command's standard input, by one request that is kept open while there is more to send: nothing
waits for an answer before the next piece is on its way.

Such a request ends after a pause, and what comes later begins another, so that nobody on the way
finds one that does nothing, or never ends. Where it cannot be had at all, each piece is a request
of its own.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Iterator
from typing import Any

_PAUSE_SECONDS = 2.0
_LONGEST_SECONDS = 15.0
_LARGEST = 64 << 20
_WAITING = 4
"""Pieces that wait for the request; whoever sends one more waits too."""
_MOMENT = 2.0
_LOOK_SECONDS = 0.01
_REQUEST_SECONDS = 60.0


class Input:
    """`send` is for one thread."""

    def __init__(self, commands: Any, pid: int) -> None:
        self._commands = commands
        self._pid = pid
        self._is_streamed: bool | None = None
        self._stream: _Stream | None = None

    def send(self, data: bytes) -> None:
        """Raises what the package raises, for this piece or for one before."""
        if self._is_streamed is None:
            self._is_streamed = self._can_stream()
        if not self._is_streamed:
            self._commands.send_stdin(self._pid, data, request_timeout=_REQUEST_SECONDS)
            return
        while self._stream is None or not self._stream.put(data):
            if self._stream is not None:
                self._stream.settle()
            self._stream = _Stream(self._commands, self._pid)

    def close(self) -> None:
        """Send no more, and see the request end: the package sends it by a thread of its own, which
        must not meet the interpreter's end."""
        if self._stream is not None:
            self._stream.close()

    def _can_stream(self) -> bool:
        """Found out by a line that says nothing."""
        if not hasattr(self._commands, "stream_input"):
            return False
        try:
            self._commands.stream_input(self._pid, [b"\n"], timeout=_REQUEST_SECONDS)
        except Exception:
            return False  # a request of its own will say what is wrong, if anything is
        return True


class _Stream:
    """One request, and the thread that it is sent by."""

    def __init__(self, commands: Any, pid: int) -> None:
        self._pieces: queue.Queue[bytes] = queue.Queue(_WAITING)
        self._lock = threading.Lock()
        self._is_open = True
        self._failure: Exception | None = None
        self._done = threading.Event()
        threading.Thread(
            target=self._run, args=(commands, pid), name="fumehood-e2b-input", daemon=True
        ).start()

    def put(self, data: bytes) -> bool:
        """False if it takes no more."""
        while True:
            with self._lock:
                if not self._is_open:
                    return False
                if not self._pieces.full():
                    self._pieces.put_nowait(data)
                    return True
            if self._done.wait(_LOOK_SECONDS):
                return False

    def close(self) -> None:
        with self._lock:
            self._is_open = False
        with contextlib.suppress(queue.Full):  # then there is something else to wake it
            self._pieces.put_nowait(b"")
        self._done.wait(_MOMENT)

    def settle(self) -> None:
        """Wait until all that it took has arrived. Raises if it has not."""
        self._done.wait()
        if self._failure is not None:
            raise self._failure

    def _run(self, commands: Any, pid: int) -> None:
        try:
            commands.stream_input(pid, self._taken(), timeout=0)
        except Exception as error:
            self._failure = error
        finally:
            with self._lock:
                self._is_open = False
            self._done.set()

    def _taken(self) -> Iterator[bytes]:
        began, size = time.monotonic(), 0
        while True:
            try:
                piece = self._pieces.get(timeout=_PAUSE_SECONDS)
            except queue.Empty:
                piece = b""
            if piece:
                size += len(piece)
                yield piece
            if (
                not piece
                or not self._is_open
                or size > _LARGEST
                or time.monotonic() - began > _LONGEST_SECONDS
            ):
                with self._lock:
                    if self._pieces.empty() or not self._is_open:
                        self._is_open = False
                        return
