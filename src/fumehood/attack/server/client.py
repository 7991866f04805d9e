"""A client that keeps to no rule: it writes bytes, and keeps all that comes back. These are the
words of programs that attack a server."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import os
import re
import select
import socket
import time
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

_STATUS = re.compile(rb"HTTP/1\.[01] (\d{3}) ")
# More than any honest answer here, and little enough to be held.
_MOST_HEARD = 64 << 20
_PIECE = 1 << 16
_MEGABYTE = 1 << 20
_UNREAD_SECONDS = 2.0
"""A server that reads nothing for so long has stopped reading, which is a way of saying no."""


@dataclass
class Answer:
    """One answer to one request. Status 0 if none came."""

    status: int
    head: bytes
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def is_good(self) -> bool:
        return 200 <= self.status < 300


class Line:
    """A connection."""

    def __init__(self, client: Client, connected: socket.socket) -> None:
        self._client = client
        self._socket = connected
        self._early = b""

    def send(self, *pieces: bytes) -> bool:
        """Whether all of it was taken; not if the other end hung up before it had heard all, or
        stopped reading."""
        try:
            for piece in pieces:
                self._socket.sendall(piece)
        except (BrokenPipeError, ConnectionResetError, TimeoutError):
            return False
        return True

    def flood(self, piece: bytes, times: int) -> bool:
        """Whether this was taken so many times, without a word and without anybody stopping to
        read."""
        for _ in range(times):
            left = memoryview(piece)
            while left:
                readable, writable, _ = select.select(
                    [self._socket], [self._socket], [], _UNREAD_SECONDS
                )
                if readable or not writable:
                    return False
                try:
                    left = left[self._socket.send(left, socket.MSG_DONTWAIT) :]
                except BlockingIOError:
                    continue
                except (BrokenPipeError, ConnectionResetError):
                    return False
        return True

    def next(self, seconds: float | None = None) -> bytes:
        """What comes next; nothing if the other end has hung up, or nothing comes in time."""
        if self._early:
            piece, self._early = self._early, b""
            return piece
        self._socket.settimeout(self._client.patience if seconds is None else seconds)
        try:
            piece = self._socket.recv(_PIECE)
        except (TimeoutError, ConnectionResetError):
            piece = b""
        finally:
            self._socket.settimeout(self._client.patience)
        self._client.hear(piece)
        return piece

    def until(self, text: bytes) -> bytes:
        """All that comes, until this has come or nothing more does."""
        heard = b""
        while text not in heard and len(heard) < _MOST_HEARD and (piece := self.next()):
            heard += piece
        return heard

    def head(self) -> bytes:
        """All up to an empty line; what came with it is there still."""
        head, _, self._early = self.until(b"\r\n\r\n").partition(b"\r\n\r\n")
        return head

    def rest(self) -> tuple[bytes, bool]:
        """All that still comes, and whether the other end hung up."""
        heard = bytearray(self._early)
        self._early = b""
        end = time.monotonic() + self._client.patience
        while len(heard) < _MOST_HEARD and (left := end - time.monotonic()) > 0:
            self._socket.settimeout(left)
            try:
                piece = self._socket.recv(_PIECE)
            except ConnectionResetError:
                piece = b""
            except TimeoutError:
                break
            if not piece:
                self._client.hear(bytes(heard))
                return bytes(heard), True
            heard += piece
        self._client.hear(bytes(heard))
        return bytes(heard), False

    def hangs_up(self) -> bool:
        """Whether the other end does, if it is waited for."""
        return self.rest()[1]

    def close(self) -> None:
        self._socket.close()


@dataclass
class Client:
    """Connections to one server on loopback. `patience` is how long anything is waited for."""

    port: int
    patience: float
    heard: list[bytes] = field(default_factory=list)
    statuses: list[int] = field(default_factory=list)

    def hear(self, piece: bytes) -> None:
        if piece:
            self.heard.append(piece)
            self.statuses += map(int, _STATUS.findall(piece))

    @contextlib.contextmanager
    def line(self, *, small_window: bool = False) -> Iterator[Line]:
        """A connection. With a small window the other end soon finds nobody reading."""
        connected = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            if small_window:
                connected.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connected.settimeout(self.patience)
            connected.connect(("127.0.0.1", self.port))
            yield Line(self, connected)
        finally:
            connected.close()

    def raw(self, *pieces: bytes) -> bytes:
        """All that comes back to these bytes until the other end hangs up."""
        with self.line() as line:
            line.send(*pieces)
            return line.rest()[0]

    def request(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        key: str | None = None,
        headers: dict[str, str] | None = None,
    ) -> Answer:
        """A proper request, whose head has what it is given and nothing else of ours but a length.
        A body that is no bytes goes as JSON."""
        data = (
            body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        )
        lines = {"Host": "localhost", "Connection": "close", "Content-Length": str(len(data))}
        if body is not None and not isinstance(body, bytes):
            lines["Content-Type"] = "application/json"
        if key is not None:
            lines["X-API-Key"] = key
        lines.update(headers or {})
        head = (
            f"{method} {path} HTTP/1.1\r\n"
            + "".join(f"{name}: {value}\r\n" for name, value in lines.items())
            + "\r\n"
        )
        return answer_in(self.raw(head.encode("utf-8", "surrogateescape") + data))

    @contextlib.contextmanager
    def websocket(self, path: str, key: str | None = None, *more: str) -> Iterator[Line]:
        """A connection after its upgrade. OSError if there is none."""
        nonce = base64.b64encode(os.urandom(16)).decode()
        lines = [
            f"GET {path} HTTP/1.1",
            "Host: localhost",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
        ]
        lines += [
            f"Sec-WebSocket-Key: {nonce}",
            *([f"X-API-Key: {key}"] if key else []),
            *more,
            "",
            "",
        ]
        with self.line() as line:
            line.send("\r\n".join(lines).encode())
            answered = line.head()
            if b" 101 " not in answered[:20]:
                raise OSError(f"no upgrade: {answered[:100]!r}")
            yield line


def answer_in(data: bytes) -> Answer:
    """The first answer in some bytes."""
    found = _STATUS.match(data)
    head, _, body = data.partition(b"\r\n\r\n")
    if b"transfer-encoding: chunked" in head.lower():
        body = _joined(body)
    return Answer(int(found[1]) if found else 0, head, body)


def answers_in(data: bytes) -> int:
    """How many answers there are in some bytes."""
    return len(_STATUS.findall(data))


def _joined(body: bytes) -> bytes:
    joined = b""
    while body:
        size, _, body = body.partition(b"\r\n")
        number = int(size or b"0", 16)
        if not number:
            break
        joined, body = joined + body[:number], body[number + 2 :]
    return joined


# -- frames of a WebSocket

TEXT, BINARY, CLOSE, PING, PONG, CONTINUATION = 1, 2, 8, 9, 10, 0


def frame(
    payload: bytes,
    kind: int = TEXT,
    *,
    masked: bool = True,
    last: bool = True,
    flags: int = 0,
    length: int | None = None,
) -> bytes:
    """A frame; `length` is what it says of itself where that is not so."""
    number = len(payload) if length is None else length
    first = bytes([(0x80 if last else 0) | flags | kind])
    mask = 0x80 if masked else 0
    if number < 126:
        size = bytes([mask | number])
    elif number < 65536:
        size = bytes([mask | 126]) + number.to_bytes(2, "big")
    else:
        size = bytes([mask | 127]) + number.to_bytes(8, "big")
    # A mask of zeros is a mask, and leaves the payload as it is.
    return first + size + (bytes(4) if masked else b"") + payload


def envelope(payload: bytes, flags: int = 0, length: int | None = None) -> bytes:
    """A message of a stream as Connect has them; `length` is what it says of itself where that is
    not so."""
    return (
        bytes([flags]) + (len(payload) if length is None else length).to_bytes(4, "big") + payload
    )


def packed_zeros(size: int) -> bytes:
    """Gzip of so many zeros, a whole number of megabytes. The sum at its end is wrong: who gets
    that far has unpacked them all."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 16 + zlib.MAX_WBITS)
    head = packer.compress(bytes(_MEGABYTE)) + packer.flush(zlib.Z_FULL_FLUSH)
    again = packer.compress(bytes(_MEGABYTE)) + packer.flush(zlib.Z_FULL_FLUSH)
    return head + again * (size // _MEGABYTE - 1) + packer.flush()


def signature(
    path: str, operation: str, user: str, token: str, expiration: int | None = None
) -> str:
    """What makes a link good, as E2B's SDK makes it."""
    text = ":".join(
        [path, operation, user, token, *([str(expiration)] if expiration is not None else [])]
    )
    return "v1_" + base64.b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
