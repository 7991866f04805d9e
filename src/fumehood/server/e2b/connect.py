"""How calls travel: the Connect protocol over HTTP/1.1, with JSON bodies, as the SDK sends them.

A plain call is one JSON body each way. In a stream each message has a byte of flags and four of
length before it, and the last says how it ended. What is wrong with a plain call is a status and a
body with a code; what is wrong with a stream is in its last message.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING, Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from fumehood.server import refusals
from fumehood.server.calls import read_body
from fumehood.server.e2b import doors, shapes
from fumehood.server.e2b.streams import AT_ONCE_SECONDS, Pipe, Streaming
from fumehood.server.refusals import Invalid, Refusal, TooLarge, WrongMedia
from fumehood.server.sandbox import Sandbox

if TYPE_CHECKING:
    from fumehood.server.server import Server

_LAST: Final = 0x02
_MOST: Final = 4 << 20
"""Bytes of one message of a client's."""
STREAM: Final = "application/connect+json"
_LONGEST_SECONDS: Final = 31_536_000.0

# Statuses of refusals, as Connect calls them.
_CODES: Final[dict[int, str]] = {
    400: "invalid_argument",
    401: "unauthenticated",
    403: "permission_denied",
    404: "not_found",
    408: "deadline_exceeded",
    409: "failed_precondition",
    410: "not_found",
    413: "resource_exhausted",
    415: "invalid_argument",
    429: "resource_exhausted",
    501: "unimplemented",
    502: "unavailable",
    503: "unavailable",
    504: "deadline_exceeded",
    507: "resource_exhausted",
}
_STATUSES: Final[dict[str, int]] = {
    "already_exists": 409,
    "deadline_exceeded": 504,
    "failed_precondition": 400,
    "internal": 500,
    "invalid_argument": 400,
    "not_found": 404,
    "permission_denied": 403,
    "resource_exhausted": 429,
    "unauthenticated": 401,
    "unavailable": 503,
    "unimplemented": 501,
}


class CallFailed(Exception):
    """A call that is answered with a code of Connect's."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message.splitlines()[0][:1000] if message else code

    def body(self) -> dict[str, str]:
        return {
            "code": self.code,
            "message": self.message.encode("utf-8", "backslashreplace").decode(),
        }


def failure(error: BaseException) -> CallFailed | None:
    """What an error means to whoever called; None for one that nobody expected."""
    if isinstance(error, CallFailed):
        return error
    if isinstance(error, (ValueError, IsADirectoryError, NotADirectoryError, PermissionError)):
        return CallFailed("invalid_argument", str(error))
    if isinstance(error, FileExistsError):
        return CallFailed("already_exists", str(error))
    refusal = error if isinstance(error, Refusal) else refusals.of(error)
    return (
        None
        if refusal is None
        else CallFailed(_CODES.get(refusal.status, "internal"), refusal.message)
    )


def seconds_of(request: Request) -> float | None:
    """How long the client will wait; None if it does not say."""
    text = request.headers.get("connect-timeout-ms", "")
    if not text:
        return None
    if not text.isascii() or not text.isdigit() or len(text) > 10:
        raise Invalid("Connect-Timeout-Ms is a number of milliseconds")
    return min(int(text) / 1000, _LONGEST_SECONDS)


# -- plain calls

Plain = Callable[[Sandbox, Any], Awaitable[Any]]


def plain(kind: type[Any], function: Plain) -> Callable[[Server, Request], Awaitable[Response]]:
    """The endpoint of a call that is answered once."""

    async def call(server: Server, request: Request) -> Response:
        sandbox = doors.sandbox_of(server, request)
        _must_be(request, "application/json")
        try:
            wanted = shapes.read(kind, await read_body(request, _MOST))
            answer = await function(sandbox, wanted)
        except Exception as error:
            failed = failure(error)
            if failed is None:
                raise
            headers = error.headers() if isinstance(error, Refusal) else {}
            return Response(
                msgspec.json.encode(failed.body()),
                _STATUSES.get(failed.code, 500),
                headers,
                "application/json",
            )
        return Response(msgspec.json.encode(answer), media_type="application/json")

    return call


def _must_be(request: Request, media_type: str) -> None:
    given = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if given != media_type:
        raise WrongMedia(f"this call takes {media_type}, not {given[:100] or 'nothing'}")


# -- streams


def envelope(message: Any, flags: int = 0) -> bytes:
    data = msgspec.json.encode(message)
    return bytes([flags]) + len(data).to_bytes(4, "big") + data


def last(failed: CallFailed | None = None) -> bytes:
    return envelope({} if failed is None else {"error": failed.body()}, _LAST)


class Envelopes:
    """Messages of a client's stream, out of the bytes that come."""

    def __init__(self) -> None:
        self._held = bytearray()

    def feed(self, data: bytes) -> list[bytes]:
        """Whole messages. TooLarge for one that is longer than any may be, Invalid for one that is
        packed."""
        self._held += data
        messages = []
        while len(self._held) >= 5:
            if self._held[0] & ~_LAST:
                raise Invalid("a message of the stream is compressed, or is none")
            length = int.from_bytes(self._held[1:5], "big")
            if length > _MOST:
                raise TooLarge(f"a message may have {_MOST:,} bytes")
            if len(self._held) < 5 + length:
                break
            if not self._held[0] & _LAST:
                messages.append(bytes(self._held[5 : 5 + length]))
            del self._held[: 5 + length]
        return messages

    def end(self) -> None:
        if self._held:
            raise Invalid("the stream ended in the middle of a message")


async def messages_of(request: Request) -> AsyncIterator[bytes]:
    """Messages as they come."""
    envelopes = Envelopes()
    async for piece in request.stream():
        for message in envelopes.feed(piece):
            yield message
    envelopes.end()


async def only_message(request: Request) -> bytes:
    found = [message async for message in messages_of(request)]
    if len(found) != 1:
        raise Invalid("this call takes one message")
    return found[0]


Opened = tuple[Pipe, Callable[[], Any]]
"""What a stream is read from, and what is called when its client leaves."""


def streamed(
    kind: type[Any],
    open_stream: Callable[[Server, Sandbox, Any, float | None], Awaitable[Opened]],
    keepalive: Any,
) -> Callable[[Server, Request], Awaitable[Response]]:
    """The endpoint of a call that is answered many times. `keepalive` is the message that says
    nothing."""

    async def call(server: Server, request: Request) -> Response:
        sandbox = doors.sandbox_of(server, request)
        _must_be(request, STREAM)
        try:
            seconds = seconds_of(request)
            pipe, leave = await open_stream(
                server, sandbox, shapes.read(kind, await only_message(request)), seconds
            )
        except Exception as error:
            failed = failure(error)
            if failed is None:
                raise
            return Response(last(failed), media_type=STREAM)
        return Streaming(_lines(pipe, seconds, keepalive), STREAM, leave, pipe=pipe)

    return call


async def _lines(pipe: Pipe, seconds: float | None, keepalive: Any) -> AsyncIterator[bytes]:
    """All that comes through the pipe, until its end or the client's deadline. The pipe brings the
    last message itself."""
    sign = envelope(keepalive)
    try:
        async with asyncio.timeout(seconds):
            yield await pipe.take(AT_ONCE_SECONDS) or b""
            while (piece := await pipe.take()) is not None:
                yield piece or sign
    except TimeoutError:
        yield last(CallFailed("deadline_exceeded", f"not over within {seconds:g} s"))


def client_stream(
    function: Callable[[Sandbox, AsyncIterator[bytes]], Awaitable[Any]],
) -> Callable[[Server, Request], Awaitable[Response]]:
    """The endpoint of a call that has many messages and one answer."""

    async def call(server: Server, request: Request) -> Response:
        sandbox = doors.sandbox_of(server, request)
        _must_be(request, STREAM)
        try:
            answer = await function(sandbox, messages_of(request))
        except Exception as error:
            failed = failure(error)
            if failed is None:
                raise
            return Response(last(failed), media_type=STREAM)
        return Response(envelope(answer) + last(), media_type=STREAM)

    return call
