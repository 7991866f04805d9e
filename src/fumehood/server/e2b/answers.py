"""Answers of E2B's control API and of notebooks: JSON, and pages of a list."""

from __future__ import annotations

import base64
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from fumehood.asked import shown
from fumehood.server.refusals import Invalid, NotAllowed, Refusal

if TYPE_CHECKING:
    from fumehood.server.server import Server

T = TypeVar("T")
Handler = Callable[["Server", Request], Awaitable[Response]]

_MOST: Final = 100


def answer(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    return Response(msgspec.json.encode(body), status, headers, "application/json")


def spoken(refusal: Refusal) -> Response:
    """A refusal of a notebook's: the SDK shows the whole body, so that is the one line and nothing
    else."""
    return Response(refusal.message, refusal.status, refusal.headers(), "text/plain")


def speaking(handler: Handler) -> Handler:
    """A handler whose refusals are one line. Those of strangers are the gate's, who counts them."""

    async def call(server: Server, request: Request) -> Response:
        try:
            return await handler(server, request)
        except NotAllowed:
            raise
        except Refusal as refusal:
            return spoken(refusal)

    return call


def page(request: Request, rows: Sequence[tuple[str, T]]) -> tuple[list[T], dict[str, str]]:
    """The part of a list that a request asks for, and the header that says where the next begins.
    Each row comes with a name, unique and in the order of the list: what is added or gone between
    two pages moves nothing from one to the other."""
    limit = request.query_params.get("limit", str(_MOST))
    if not limit.isascii() or not limit.isdigit() or not 0 < int(limit[:9]) <= _MOST:
        raise Invalid(f"limit must be a whole number from 1 to {_MOST}, not {shown(limit)}")
    token, begin = request.query_params.get("nextToken", ""), 0
    if token:
        last = _unpacked(token)
        begin = next((place for place, (name, _) in enumerate(rows) if name > last), len(rows))
    wanted = rows[begin : begin + int(limit)]
    has_more = begin + len(wanted) < len(rows)
    return [row for _, row in wanted], {
        "x-next-token": _packed(wanted[-1][0])
    } if has_more and wanted else {}


def _packed(name: str) -> str:
    return base64.urlsafe_b64encode(name.encode()).decode().rstrip("=")


def _unpacked(token: str) -> str:
    try:
        return base64.urlsafe_b64decode(token[:500] + "=" * (-len(token[:500]) % 4)).decode()
    except ValueError:
        raise Invalid("nextToken is not one that this server gave") from None
