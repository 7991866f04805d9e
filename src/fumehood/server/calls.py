"""A call: one request of one operation, read and checked before its handler sees it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from starlette.requests import Request

from fumehood.server.refusals import Invalid, TooLarge, WrongMedia
from fumehood.server.sandboxes import Context, Sandbox
from fumehood.wire.show import one_line

if TYPE_CHECKING:
    from fumehood.server.keys import Key
    from fumehood.server.server import Server

T = TypeVar("T")


@dataclass(slots=True)
class Call:
    """The key is known, the sandbox is the key's, body and query have their shapes."""

    server: Server
    request: Request
    key: Key
    body: Any = None
    query: Any = None
    its_sandbox: Sandbox | None = None

    @property
    def sandbox(self) -> Sandbox:
        """The sandbox that the path names."""
        assert self.its_sandbox is not None
        return self.its_sandbox

    def place(self, context_id: str | None) -> Sandbox | Context:
        """Where to do something: a context of the sandbox, or the sandbox itself."""
        return self.sandbox if context_id is None else self.sandbox.context(context_id)

    async def do(self, function: Callable[..., T], *args: Any) -> T:
        return await self.sandbox.do(function, *args)

    def named(self, name: str) -> str:
        """A part of the path."""
        part: str = self.request.path_params[name]
        return part


async def read_body(request: Request, most: int) -> bytes:
    """The whole body, no longer than this."""
    length = request.headers.get("content-length", "")
    if length.isdigit() and int(length) > most:
        raise TooLarge(
            f"a body may have {most:,} bytes here, and this says that it has {int(length):,}"
        )
    pieces: list[bytes] = []
    size = 0
    while True:
        message = await request.receive()
        piece = message.get("body", b"")
        size += len(piece)
        if size > most:
            raise TooLarge(f"a body may have {most:,} bytes here")
        pieces.append(piece)
        if not message.get("more_body", False):
            return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def of_json(decoder: msgspec.json.Decoder[Any], request: Request, data: bytes) -> Any:
    """A body as its shape. One with only optional fields may be left out."""
    kind = request.headers.get("content-type", "")
    if data and kind and kind.partition(";")[0].strip().lower() != "application/json":
        raise WrongMedia(f"the body must be application/json here, not {one_line(kind, 100)}")
    try:
        return decoder.decode(data or b"{}")
    except (
        msgspec.ValidationError,
        msgspec.DecodeError,
        RecursionError,
        UnicodeDecodeError,
    ) as error:
        raise Invalid(f"the body is not what belongs here: {error}") from None


def of_query(shape: type[Any], request: Request) -> Any:
    try:
        return msgspec.convert(dict(request.query_params), shape, strict=False)
    except msgspec.ValidationError as error:
        raise Invalid(f"the query is not what belongs here: {error}") from None
