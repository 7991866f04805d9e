"""The line from the driver to the remote end on a node: a stream of bytes, for a tunnel.

direct    a connection to the node, which the remote end has as its own: nobody is in between
calls     calls of the node's actor carry the bytes, each with what has come together: where no
          connection can be made (a firewall, a driver outside the cluster with Ray Client), and
          where Ray encrypts what it sends, which a direct line does not

The two ends of a direct line prove to each other that they know a secret, which went by Ray's own
way. Neither sends the secret, and no proof can be used a second time:

driver → node    a random number
node → driver    another, and an HMAC of both that only the node can make
driver → node    an HMAC of both that only the driver can make
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import socket
import time
from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple, Protocol

from fumehood.ray import sdk
from fumehood.tunnel.pump import Pump

Way = Literal["direct", "calls"]
GREETING_SECONDS = 10.0
"""So long a port is open for the driver."""
SIZE = 32
"""Bytes of a secret, of a number and of a proof."""
_START_SECONDS = 60.0
_POLL_SECONDS = 15.0


class Asked(Protocol):
    """A node's actor, as it is asked here: in bounded time, and with errors of ours."""

    address: str

    def call(self, method: str, *args: object, seconds: float) -> Any: ...


class Line(NamedTuple):
    """`stream` is a socket for a tunnel, `number` what the node's host knows the remote end by.
    `close` ends what this line has here."""

    stream: socket.socket
    number: int
    way: Way
    close: Callable[[], None]


def usual() -> Way:
    """The way to try first."""
    is_encrypted = os.environ.get("RAY_USE_TLS", "0") not in ("0", "")
    return "calls" if is_encrypted or sdk.is_by_a_proxy() else "direct"


class Refused(Exception):
    """The other end does not know the secret."""


def proof(secret: bytes, who: bytes, driver: bytes, node: bytes) -> bytes:
    """Proves that `who` knows the secret. `driver` and `node` are the numbers that they sent."""
    return hmac.new(secret, b"fumehood line 1 " + who + driver + node, hashlib.sha256).digest()


def direct(node: Asked, first: str) -> Line:
    """OSError or Refused if no direct line can be had."""
    secret = secrets.token_bytes(SIZE)
    number, port = node.call("listen", node.address, secret, first, seconds=_START_SECONDS)
    stream = socket.create_connection((node.address, port), GREETING_SECONDS)
    try:
        greet(stream, secret)
        stream.settimeout(None)
        keep_alive(stream)
    except BaseException:
        stream.close()
        raise
    return Line(stream, number, "direct", lambda: None)


def greet(stream: socket.socket, secret: bytes) -> None:
    """The driver's part. Refused if the other end is not the node."""
    own = secrets.token_bytes(SIZE)
    stream.sendall(own)
    said = _exactly(stream, 2 * SIZE)
    node = said[:SIZE]
    if not hmac.compare_digest(said[SIZE:], proof(secret, b"node", own, node)):
        raise Refused("the other end is not the node")
    stream.sendall(proof(secret, b"driver", own, node))


def keep_alive(line: socket.socket) -> None:
    """Let a line break soon if the other machine loses power or network. The machine must answer,
    not the process: one that a debugger stops must not lose its line."""
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in (
        (socket.TCP_KEEPIDLE, 5),
        (socket.TCP_KEEPINTVL, 3),
        (socket.TCP_KEEPCNT, 3),
    ):
        line.setsockopt(socket.IPPROTO_TCP, option, value)


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

    def send(data: bytes) -> None:
        node.call("feed", number, data, seconds=_START_SECONDS)

    def pieces() -> Iterator[bytes]:
        while (
            data := node.call("read", number, _POLL_SECONDS, seconds=_START_SECONDS)
        ) is not None:
            yield data

    def end() -> None:
        node.call("end", number, seconds=_POLL_SECONDS)

    pump = Pump("fumehood-ray", send, pieces(), on_last=end)
    return Line(pump.stream, number, "calls", pump.close)
