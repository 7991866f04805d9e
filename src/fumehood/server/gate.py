"""The gate: what every request passes before anybody does anything for it, and every answer on its
way out.

    who        a key, as `Authorization: Bearer KEY` or `X-API-Key: KEY`; who has none may still
               reach what needs none
    how often  a bucket for each key, and one for each address that comes with keys that are none
    how much   bodies are counted as they come, and are not waited for without end
    out        an id, headers that keep browsers from making more of an answer than it is, a line in
               the access log

It is plain ASGI: a request costs two function calls and a dictionary more than none.
"""

from __future__ import annotations

import asyncio
import sys
import time
import traceback
from collections import OrderedDict
from collections.abc import Awaitable, Callable, MutableMapping
from itertools import count
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.routing import Match

from fumehood.server import refusals
from fumehood.server.access_log import AccessLog, Line
from fumehood.server.keys import Bucket, Key
from fumehood.server.refusals import (
    Busy,
    Closing,
    Failed,
    Forbidden,
    Invalid,
    NotAllowed,
    NotFound,
    Refusal,
    TooLarge,
    TooSlow,
    WrongMethod,
)
from fumehood.server.routing import ByFirstPart
from fumehood.server.settings import is_loopback

if TYPE_CHECKING:
    from fumehood.server.server import Server

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

_STRANGERS: Final = 10_000
"""Addresses with refused keys that are remembered."""
_REFUSED_A_SECOND: Final = 1.0
_REFUSED_AT_ONCE: Final = 30
_LEAST_BYTES_A_SECOND: Final = 1024
"""A body that comes more slowly than this, in the long run, is not waited for."""
_LONGEST_PATH: Final = 200

# Whatever an answer holds came out of a sandbox: a browser that gets to see it is to run, frame,
# guess and keep nothing.
_HEADERS: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'; sandbox"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)
_CLOSE: Final = (b"connection", b"close")


class Gone(Exception):
    """The client left before the answer."""


class Gate:
    """The ASGI application that the others are behind."""

    def __init__(self, server: Server, router: ByFirstPart, log: AccessLog) -> None:
        self._server = server
        self._router = router
        self._log = log
        self._settings = server.settings
        self._strangers: OrderedDict[str, Bucket] = OrderedDict()
        self._ids = count(1)
        self._start = token_hex(6)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._router(scope, receive, send)
            return
        scope["app"] = self._server  # by which Starlette knows that somebody renders what it raises
        passage = _Passage(
            self._settings.upload_bytes, self._settings.body_seconds, scope, receive, send
        )
        passage.id = f"{self._start}{next(self._ids):08x}"
        refusal: Refusal | None = None
        try:
            self._enter(scope, passage)
            await self._router(scope, passage.receive, passage.send)
        except Exception as error:
            refusal = self._refusal(error, scope, passage)
            if refusal is not None:
                await passage.refuse(refusal)
        except asyncio.CancelledError:
            passage.status = passage.status or 499
            raise
        finally:
            self._tell(scope, passage, refusal)

    # -- coming in

    def _enter(self, scope: Scope, passage: _Passage) -> None:
        server = self._server
        found: dict[bytes, bytes] = {}
        for name, value in scope["headers"]:
            if name in _READ:
                if name in found:
                    raise Invalid(f"there are two {name.decode()} headers, and one is too many")
                found[name] = value
        length = found.get(b"content-length")
        if length is not None and length.isdigit() and int(length) > self._settings.upload_bytes:
            raise TooLarge(
                f"a body may have {self._settings.upload_bytes:,} bytes, and this says that it has"
                f" {int(length):,}"
            )
        given = _given_key(found)
        key = server.keys.find(given)
        if server.keys.anybody is not None:
            _must_be_local(found)
        elif key is None and given is not None:
            raise NotAllowed("that key is not known here")
        if server.state == "closing" and scope["path"] != "/health":
            raise Closing("the server is ending")
        if key is not None:
            server.admit_key(scope, key)

    def _stranger(self, scope: Scope) -> Refusal | None:
        """Count a request that was refused for its key. Busy for an address that does little
        else."""
        address = scope["client"][0] if scope.get("client") else ""
        bucket = self._strangers.pop(address, None) or Bucket(_REFUSED_A_SECOND, _REFUSED_AT_ONCE)
        self._strangers[address] = bucket
        if len(self._strangers) > _STRANGERS:
            self._strangers.popitem(last=False)
        wait = bucket.take()
        return (
            Busy(
                "too many requests from this address came without a key that is known",
                retry_after=wait,
            )
            if wait
            else None
        )

    # -- going out

    def _refusal(self, error: Exception, scope: Scope, passage: _Passage) -> Refusal | None:
        if isinstance(error, (Gone, ClientDisconnect)):
            passage.status = passage.status or 499
            return None
        if isinstance(error, HTTPException):
            error = self._of_starlette(error, scope)
        refusal = error if isinstance(error, Refusal) else refusals.of(error)
        if refusal is None:
            print(f"fumehood: request {passage.id} failed", file=sys.stderr)
            traceback.print_exception(error)
            refusal = Failed(
                f"something went wrong here; the operator finds more under request {passage.id}"
            )
        if isinstance(refusal, NotAllowed):
            refusal = self._stranger(scope) or refusal
        return refusal

    def _of_starlette(self, error: HTTPException, scope: Scope) -> Refusal:
        if error.status_code == 404:
            return NotFound("there is nothing under this path")
        if error.status_code == 405:
            allowed = {
                m
                for route in self._router.alike(scope["path"])
                if route.matches(scope)[0] is not Match.NONE
                for m in getattr(route, "methods", ())
            }
            return WrongMethod(
                f"this path takes {', '.join(sorted(allowed))}", tuple(sorted(allowed))
            )
        return Invalid(
            error.detail.splitlines()[0][:500] if error.detail else "that cannot be understood"
        )

    def _tell(self, scope: Scope, passage: _Passage, refusal: Refusal | None) -> None:
        seconds = time.perf_counter() - passage.began
        route = getattr(scope.get("route"), "path", "")
        key: Key | None = scope.get("fumehood.key")
        method = scope.get("method", "WEBSOCKET")
        status = passage.status or 500
        self._server.metrics.request(method, route, status, seconds, passage.received, passage.sent)
        if refusal is not None:
            self._server.metrics.refused(refusal.code)
        now = time.time()
        self._log.write(
            Line(
                time=(
                    f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(now))}.{int(now % 1 * 1000):03d}Z"  # noqa: E501
                ),
                request=passage.id,
                client=scope["client"][0] if scope.get("client") else "",
                key=key.name if key is not None else "",
                method=method,
                route=route,
                status=status,
                received=passage.received,
                sent=passage.sent,
                seconds=round(seconds, 6),
                sandbox=scope.get("fumehood.sandbox", ""),
                path="" if route else _as_sent(scope),
                refused=refusal.code if refusal is not None else "",
            )
        )


_READ: Final = frozenset({b"authorization", b"x-api-key", b"host", b"origin", b"content-length"})


def _given_key(found: dict[bytes, bytes]) -> str | None:
    """The key that a request shows. Another scheme than Bearer is somebody else's business."""
    given = found.get(b"x-api-key")
    if given is None:
        scheme, _, rest = found.get(b"authorization", b"").partition(b" ")
        given = rest.strip() if scheme.lower() == b"bearer" else None
    return None if given is None else given.decode("latin-1")


def _must_be_local(found: dict[bytes, bytes]) -> None:
    """Without keys, a page in a browser on this machine could ask for anything: it shows by the
    name it uses, or by where it is from."""
    if b"origin" in found:
        raise Forbidden(
            "a page of a browser may ask nothing of a server without keys; start it with one"
        )
    try:
        name = urlsplit(f"//{found.get(b'host', b'localhost').decode('latin-1')}").hostname or ""
    except ValueError:
        name = "?"
    if not is_loopback(name):
        raise Forbidden("a server without keys answers to localhost only; start it with a key")


def _as_sent(scope: Scope) -> str:
    """The path as it came, in ASCII: some who read logs take other characters for the end of a
    line."""
    sent: bytes = scope.get("raw_path") or scope["path"].encode("utf-8", "surrogatepass")
    return sent[:_LONGEST_PATH].decode("ascii", "backslashreplace")


class _Passage:
    """One request on its way through: what came in and what went out."""

    __slots__ = (
        "_body_seconds",
        "_is_complete",
        "_most",
        "_receive",
        "_scope",
        "_send",
        "began",
        "id",
        "received",
        "sent",
        "status",
    )

    def __init__(
        self, most: int, body_seconds: float, scope: Scope, receive: Receive, send: Send
    ) -> None:
        self.began = time.perf_counter()
        self.id = ""
        self.status = 0
        self.received = self.sent = 0
        self._most = most
        self._body_seconds = body_seconds
        self._is_complete = scope["type"] != "http"
        self._scope = scope
        self._receive = receive
        self._send = send

    async def receive(self) -> Message:
        if self._is_complete:
            return await self._receive()
        patience = min(
            self._body_seconds,
            self.began
            + self._body_seconds
            + self.received / _LEAST_BYTES_A_SECOND
            - time.perf_counter(),
        )
        try:
            async with asyncio.timeout(patience):
                message = await self._receive()
        except TimeoutError:
            raise TooSlow("the body of the request comes too slowly") from None
        if message["type"] == "http.disconnect":
            raise Gone
        self.received += len(message.get("body", b""))
        if self.received > self._most:
            raise TooLarge(f"a body may have {self._most:,} bytes")
        self._is_complete = not message.get("more_body", False)
        return message

    async def send(self, message: Message) -> None:
        kind = message["type"]
        if kind == "http.response.body":
            self.sent += len(message.get("body", b""))
        elif kind == "http.response.start":
            self.status = message["status"]
            headers = list(message.get("headers", ()))
            there = {name.lower() for name, _ in headers}
            headers.append((b"x-request-id", self.id.encode()))
            headers += [row for row in _HEADERS if row[0] not in there]
            message["headers"] = headers
        elif kind == "websocket.accept":
            self.status = 101
        await self._send(message)

    async def refuse(self, refusal: Refusal) -> None:
        if self._scope["type"] == "websocket":
            await self._refuse_websocket(refusal)
            return
        if self.status:  # an answer has begun: cut off, it cannot be taken for a whole one
            raise _CutOff(refusal.message) from None
        body = refusal.body()
        headers = [(name.encode(), value.encode()) for name, value in refusal.headers().items()]
        headers += [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
        ]
        if refusal.status in (408, 413):
            headers.append(_CLOSE)
        await self.send(
            {"type": "http.response.start", "status": refusal.status, "headers": headers}
        )
        await self.send({"type": "http.response.body", "body": body})

    async def _refuse_websocket(self, refusal: Refusal) -> None:
        if not self.status and "websocket.http.response" in self._scope.get("extensions", {}):
            self.status = refusal.status
            body = refusal.body()
            await self._send(
                {
                    "type": "websocket.http.response.start",
                    "status": refusal.status,
                    "headers": [(b"content-type", b"application/json")],
                }
            )
            await self._send({"type": "websocket.http.response.body", "body": body})
            return
        self.status = self.status or refusal.status
        reason = refusal.message.encode()[:120].decode(
            "utf-8", "ignore"
        )  # as long as the protocol lets it be
        await self._send(
            {"type": "websocket.close", "code": 4000 + refusal.status, "reason": reason}
        )


class _CutOff(Exception):
    """An answer that had begun cannot be finished."""
