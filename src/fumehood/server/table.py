"""The native API: every operation, one row each. Routes and the OpenAPI document are both made from these rows.

A handler is a coroutine function that takes a Call and gives a body (a Struct, answered as JSON with the first of the statuses) or a
Response. What is wrong it raises, as a Refusal.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

if TYPE_CHECKING:
    from fumehood.server.keys import Key
    from fumehood.server.sandboxes import Sandbox
    from fumehood.server.server import Server


@dataclass(slots=True)
class Call:
    """One request of one operation, checked: the key is known, the sandbox is the key's, the body has its shape."""

    server: Server
    request: Request
    key: Key
    sandbox: Sandbox | None = None
    body: Any = None
    query: Any = None


@dataclass(frozen=True, slots=True)
class Operation:
    method: str
    path: str
    handler: Callable[[Call], Awaitable[Any]]
    summary: str
    body: type[Any] | None = None
    """The shape of the request's body; bytes for a raw one, which the handler reads."""
    query: type[Any] | None = None
    """The shape of the query string."""
    answer: type[Any] | None = None
    """The shape of the answer; bytes for a raw one."""
    statuses: tuple[int, ...] = (200,)
    """The first is that of success; the others are refusals, besides those that any request may get."""
    tag: str = "sandboxes"
    needs_key: bool = True


EVERYWHERE = (400, 401, 404, 405, 408, 413, 429, 431, 500, 503)
"""Refusals that any request may get."""

OPERATIONS: tuple[Operation, ...] = ()


def routes(server: Server, operations: tuple[Operation, ...] | None = None) -> list[BaseRoute]:
    """Starlette's routes for rows of a table. The live half makes its own from its own rows the same way."""
    return [Route(row.path, _endpoint(server, row), methods=[row.method]) for row in (OPERATIONS if operations is None else operations)]


def _endpoint(server: Server, row: Operation) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        call = Call(server, request, server.key_of(request))
        sandbox_id = request.path_params.get("sandbox_id")
        if sandbox_id is not None:
            call.sandbox = server.sandboxes.get(call.key, sandbox_id)
        answer = await row.handler(call)
        if isinstance(answer, Response):
            return answer
        return Response(msgspec.json.encode(answer), status_code=row.statuses[0], media_type="application/json")

    return endpoint
