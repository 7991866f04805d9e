"""The line from the driver to the far end on a node: a stream of bytes, for a tunnel.

direct    a connection to the node, which the far end has as its own: nobody is in between
calls     calls of the node's actor carry the bytes, each with what has come together: where no
          connection can be made (a firewall, a driver
          that is outside and comes by Ray Client), and where Ray encrypts what it sends, which a
          direct line does not
"""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import time
from collections.abc import Callable
from typing import Any, Literal, NamedTuple, Protocol

from fumehood.ray import greeting, sdk
from fumehood.ray.host import GREETING_SECONDS, keep_alive

Way = Literal["direct", "calls"]
_START_SECONDS = 60.0
_POLL_SECONDS = 15.0
_MOST_AT_ONCE = 1 << 20
_BUFFER = 4 << 20


class Asked(Protocol):
    """A node's actor, as it is asked here: in bounded time, and with errors of ours."""

    address: str

    def call(self, method: str, *args: object, seconds: float) -> Any: ...


class Line(NamedTuple):
    """`stream` is a socket for a tunnel, `number` what the node's host knows the far end by.
    `close` ends what this line has here."""

    stream: socket.socket
    number: int
    way: Way
    close: Callable[[], None]


def usual() -> Way:
    """The way to try first."""
    is_encrypted = os.environ.get("RAY_USE_TLS", "0") not in ("0", "")
    return "calls" if is_encrypted or sdk.is_by_a_proxy() else "direct"


def direct(node: Asked, first: str) -> Line:
    """OSError or greeting.Refused if there is no direct line to be had."""
    secret = greeting.secret()
    number, port = node.call("listen", node.address, secret, first, seconds=_START_SECONDS)
    stream = socket.create_connection((node.address, port), GREETING_SECONDS)
    try:
        end = greeting.Driver(secret)
        stream.sendall(end.hello)
        stream.sendall(end.answer(_exactly(stream, 2 * greeting.SIZE)))
        stream.settimeout(None)
        keep_alive(stream)
    except BaseException:
        stream.close()
        raise
    return Line(stream, number, "direct", lambda: None)


def _exactly(stream: socket.socket, size: int) -> bytes:
    said = b""
    until = time.monotonic() + (stream.gettimeout() or _START_SECONDS)
    while len(said) < size:
        stream.settimeout(max(0.001, until - time.monotonic()))  # for all of it together
        more = stream.recv(size - len(said))
        if not more:
            raise ConnectionResetError("the line ended while the two ends greeted each other")
        said += more
    return said


def by_calls(node: Asked, first: str) -> Line:
    number: int = node.call("open", first, seconds=_START_SECONDS)
    pumps = _Pumps(node, number)
    return Line(pumps.stream, number, "calls", pumps.close)


class _Pumps:
    """`stream` is a socket for a tunnel, whose other end is pumped to and from a far end by two
    threads. What is written while a call is on its way goes together with the next."""

    def __init__(self, node: Asked, number: int) -> None:
        self.stream, self._ours = socket.socketpair()
        for end in (self.stream, self._ours):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _BUFFER)
        self._node, self._number = node, number
        self._lock = threading.Lock()
        self._pumps = 2
        for work, name in ((self._send, "fumehood-ray-in"), (self._receive, "fumehood-ray-out")):
            threading.Thread(target=work, name=name, daemon=True).start()

    def _send(self) -> None:
        with contextlib.suppress(Exception):  # the line is over; the tunnel asks why
            while data := self._ours.recv(_MOST_AT_ONCE):
                self._node.call("feed", self._number, data, seconds=_START_SECONDS)
        self._leave()

    def _receive(self) -> None:
        with contextlib.suppress(Exception):
            while (
                data := self._node.call("read", self._number, _POLL_SECONDS, seconds=_START_SECONDS)
            ) is not None:
                self._ours.sendall(data)
        self._leave()

    def _leave(self) -> None:
        """One that ends ends the other; the last of the two closes the door, there too."""
        self.close()
        with self._lock:
            self._pumps -= 1
            is_last = not self._pumps
        if is_last:
            self._ours.close()
            with contextlib.suppress(Exception):
                self._node.call("end", self._number, seconds=_POLL_SECONDS)

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._ours.shutdown(socket.SHUT_RDWR)
