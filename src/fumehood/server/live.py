"""The native API's live half: runs that tell as they go, tools that the client answers, metrics,
and the API's own description."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import Response
from starlette.routing import BaseRoute, WebSocketRoute
from starlette.websockets import WebSocket

from fumehood.server import docs_page, openapi, streaming, table, websocket
from fumehood.server.callbacks import callbacks_of
from fumehood.server.calls import Call
from fumehood.server.events_stream import Events
from fumehood.server.live_shapes import CallList, Declare, Reply, ToolList, Waiting
from fumehood.server.metrics import CONTENT_TYPE
from fumehood.server.shapes import InContext
from fumehood.server.table import Operation

if TYPE_CHECKING:
    from fumehood.server.server import Server


async def stream(call: Call) -> Response:
    """Run a cell, and answer with its events."""
    return await streaming.stream(call.server, call.sandbox, call.body)


# -- tools


async def declare(call: Call) -> ToolList:
    """Code can call these tools from now on; each call is a `tool_call` event, or is found under
    `calls`, and waits for an answer."""
    body: Declare = call.body
    place = call.place(body.context)
    callbacks = callbacks_of(call.server, call.sandbox)
    await place.do(callbacks.declare, body.context or "", place.executor, body.tools)
    return _tools(call, body.context)


async def tools(call: Call) -> ToolList:
    call.place(call.query.context)
    return _tools(call, call.query.context)


def _tools(call: Call, context: str | None) -> ToolList:
    return ToolList(
        tools=[*callbacks_of(call.server, call.sandbox).tools.get(context or "", {}).values()]
    )


async def calls(call: Call) -> CallList:
    """For a client that reads no events: `wait_seconds` is how long the answer may wait for a call,
    if there is none yet."""
    callbacks = callbacks_of(call.server, call.sandbox)
    if call.query.wait_seconds and not callbacks.open_calls():
        events = Events()
        callbacks.listen(events)
        try:
            await events.next(call.query.wait_seconds)
        finally:
            callbacks.leave(events)
    return CallList(calls=callbacks.open_calls())


async def answer(call: Call) -> None:
    """An answer is taken once, for a call that is open. A value is typed JSON; an error is raised
    where code made the call."""
    body: Reply = call.body
    await callbacks_of(call.server, call.sandbox).take(
        call.named("call_id"), body.value, body.error
    )


# -- the server


async def metrics(call: Call) -> Response:
    """In Prometheus's text format."""
    return Response(call.server.metrics.text(), headers={"content-type": CONTENT_TYPE})


async def description(call: Call) -> Response:
    return Response(
        openapi.encoded(OPERATIONS, call.server.keys.anybody is None), media_type="application/json"
    )


async def page(call: Call) -> Response:
    text = docs_page.made(OPERATIONS, call.server.keys.anybody is None)
    return Response(
        text, media_type="text/html", headers={"content-security-policy": docs_page.POLICY}
    )


_ONE = "/v1/sandboxes/{sandbox_id}"

OWN: tuple[Operation, ...] = (
    Operation("POST", f"{_ONE}/tools", declare, "Declare tools", Declare, answer=ToolList),
    Operation(
        "GET",
        f"{_ONE}/tools",
        tools,
        "The tools that were declared",
        query=InContext,
        answer=ToolList,
    ),
    Operation(
        "GET",
        f"{_ONE}/calls",
        calls,
        "Calls of tools that wait for answers",
        query=Waiting,
        answer=CallList,
    ),
    Operation(
        "POST", f"{_ONE}/calls/{{call_id}}", answer, "Answer a call", Reply, statuses=(204, 410)
    ),
    Operation("GET", "/metrics", metrics, "What the server counts", answer=bytes),
    Operation(
        "GET", "/openapi.json", description, "This description", answer=bytes, needs_key=False
    ),
    Operation("GET", "/docs", page, "This description, to read", answer=bytes, needs_key=False),
)

OPERATIONS = (*table.OPERATIONS, *OWN)
"""All of the native API."""


def routes(server: Server) -> list[BaseRoute]:
    """What is served here. The stream of a run is answered by way of the plain half, which serves
    its path."""

    async def live(connection: WebSocket) -> None:
        await websocket.live(server, connection)

    return [*table.routes(server, OWN), WebSocketRoute(f"{_ONE}/live", live)]
