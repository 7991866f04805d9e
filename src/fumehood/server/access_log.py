"""The access log: a line of JSON for each request, written by a thread of its own, so that a slow
disk or a pipe nobody reads holds up nothing. What cannot be written in time is left out and
counted.

Names and paths in it come from clients: they are JSON texts, in which no line can end. A key is
told by its name, a path by its template, and query strings, which may hold signatures, not at all.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from queue import SimpleQueue

import msgspec

_FLUSH_SECONDS = 0.1
_MOST_LINES = 20_000
"""Lines that wait to be written; more are left out."""


class Line(msgspec.Struct, omit_defaults=True):
    """One request."""

    time: str
    request: str
    """The request's id, which its answer has too."""
    client: str
    key: str
    """The key's name."""
    method: str
    route: str
    """The path's template; empty if there is none for it."""
    status: int
    received: int
    sent: int
    seconds: float
    sandbox: str = ""
    path: str = ""
    """What was asked for, where there is no template."""
    refused: str = ""
    """Why, as the code of the refusal."""
    left_out: int = 0
    """So many lines before this one could not be written."""


class AccessLog:
    """Takes lines from the event loop. `target` is a file, "-" for stderr, or None for nowhere."""

    def __init__(self, target: str | None) -> None:
        self._target = target
        self._encoder = msgspec.json.Encoder()
        self._lines: list[bytes] = []
        self._waiting = 0
        self._left_out = 0
        self._timer: asyncio.TimerHandle | None = None
        self._batches: SimpleQueue[list[bytes] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None

    def write(self, line: Line) -> None:
        if self._target is None:
            return
        if self._waiting >= _MOST_LINES:
            self._left_out += 1
            return
        if self._left_out:
            line.left_out, self._left_out = self._left_out, 0
        self._waiting += 1
        self._lines.append(self._encoder.encode(line))
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(_FLUSH_SECONDS, self._flush)

    def _flush(self) -> None:
        self._timer = None
        if not self._lines:
            return
        if self._thread is None:
            self._thread = threading.Thread(
                target=self._work, name="fumehood-access-log", daemon=True
            )
            self._thread.start()
        self._batches.put(self._lines)
        self._lines = []

    def _work(self) -> None:
        while (batch := self._batches.get()) is not None:
            try:
                self._put(b"\n".join(batch) + b"\n")
            except OSError as error:
                self._left_out += len(batch)
                print(
                    f"fumehood: the access log cannot be written: {error.strerror}", file=sys.stderr
                )
            self._waiting -= len(batch)

    def _put(self, data: bytes) -> None:
        if self._target == "-":
            sys.stderr.buffer.write(data)
            sys.stderr.buffer.flush()
            return
        assert self._target is not None
        # Opened each time: whoever rotates logs need not tell us.
        handle = os.open(self._target, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            while data:
                data = data[os.write(handle, data) :]
        finally:
            os.close(handle)

    def close(self, seconds: float = 2.0) -> None:
        """Write what there is, if that takes no longer than this."""
        self._flush()
        if self._thread is not None:
            self._batches.put(None)
            self._thread.join(seconds)
            self._thread = None
