"""Which path is answered by whom. Paths of the control API are the server's; those of a sandbox
count only in a request that names one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match, Route

from fumehood.server.e2b import (
    connect,
    control,
    doors,
    filesystem,
    notebook,
    processes,
    shapes,
    transfer,
)
from fumehood.server.e2b.answers import Handler, speaking
from fumehood.server.e2b.streams import Receive, Scope, Send

if TYPE_CHECKING:
    from fumehood.server.server import Server

_OF_SERVER: Final[tuple[tuple[str, str, Handler], ...]] = (
    ("POST", "/sandboxes", control.create),
    ("POST", "/v2/sandboxes", control.create),
    ("GET", "/sandboxes", control.list_sandboxes),
    ("GET", "/v2/sandboxes", control.list_sandboxes),
    ("GET", "/sandboxes/{sandbox_id}", control.info),
    ("DELETE", "/sandboxes/{sandbox_id}", control.end),
    ("POST", "/sandboxes/{sandbox_id}/timeout", control.set_timeout),
    ("POST", "/sandboxes/{sandbox_id}/refreshes", control.refresh),
    ("POST", "/sandboxes/{sandbox_id}/connect", control.connect),
    ("POST", "/v2/sandboxes/{sandbox_id}/connect", control.connect),
    ("POST", "/sandboxes/{sandbox_id}/pause", control.pause),
    ("POST", "/sandboxes/{sandbox_id}/resume", control.resume),
    ("POST", "/sandboxes/{sandbox_id}/fork", control.fork),
    ("POST", "/sandboxes/{sandbox_id}/snapshots", control.take_snapshot),
    ("GET", "/sandboxes/{sandbox_id}/metrics", control.metrics),
    ("PUT", "/sandboxes/{sandbox_id}/network", control.set_network),
    ("GET", "/snapshots", control.list_snapshots),
    ("GET", "/templates", control.list_templates),
    ("DELETE", "/templates/{template_id:path}", control.delete_template),
)


async def health(server: Server, request: Request) -> Response:
    """Whether a sandbox runs."""
    doors.sandbox_of(server, request, notebook=True)
    return Response(status_code=204)


_OF_SANDBOX: Final[tuple[tuple[str, str, Handler], ...]] = (
    ("GET", "/health", health),
    ("POST", "/execute", speaking(notebook.execute)),
    ("POST", "/contexts", speaking(notebook.create_context)),
    ("GET", "/contexts", speaking(notebook.list_contexts)),
    ("DELETE", "/contexts/{context_id}", speaking(notebook.remove_context)),
    ("POST", "/contexts/{context_id}/restart", speaking(notebook.restart_context)),
    ("GET", "/files", transfer.read),
    ("POST", "/files", transfer.write),
    *(
        ("POST", f"/filesystem.Filesystem/{name}", connect.plain(*call))
        for name, call in filesystem.CALLS.items()
    ),
    (
        "POST",
        "/filesystem.Filesystem/WatchDir",
        connect.streamed(shapes.Watch, filesystem.watch_dir, {"keepalive": {}}),
    ),
    *(
        ("POST", f"/process.Process/{name}", connect.plain(*call))
        for name, call in processes.CALLS.items()
    ),
    (
        "POST",
        "/process.Process/Start",
        connect.streamed(shapes.Start, processes.start, processes.KEEPALIVE),
    ),
    (
        "POST",
        "/process.Process/Connect",
        connect.streamed(shapes.OfProcess, processes.connect_to, processes.KEEPALIVE),
    ),
    ("POST", "/process.Process/StreamInput", connect.client_stream(processes.stream_input)),
)


class _Sandboxes(BaseRoute):
    """All paths of a sandbox, there in requests that name one and in links that were signed for
    one: `/health` of others is the server's. One route, so that a request for anything else is
    asked one question."""

    def __init__(self, server: Server) -> None:
        self._plain: dict[str, list[Route]] = {}
        self._others: list[Route] = []
        for method, path, handler in _OF_SANDBOX:
            route = Route(path, _endpoint(server, handler), methods=[method])
            (self._others if "{" in path else self._plain.setdefault(path, [])).append(route)

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        if scope["type"] != "http" or not (doors.names_sandbox(scope) or _is_link(scope)):
            return Match.NONE, {}
        found: tuple[Match, Scope] = Match.NONE, {}
        for route in self._plain.get(scope["path"], self._others):
            match, child = route.matches(scope)
            if match is not Match.NONE:
                found = match, {**child, "route": route}
            if match is Match.FULL:
                break
        return found

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        await scope["route"].handle(scope, receive, send)


def _is_link(scope: Scope) -> bool:
    return scope["path"] == "/files" and b"signature=" in scope["query_string"]


def first_routes(server: Server) -> list[BaseRoute]:
    """To be looked at before the server's own: a sandbox has a `/health` too."""
    return [_Sandboxes(server)]


def routes(server: Server) -> list[BaseRoute]:
    return [
        Route(path, _endpoint(server, handler), methods=[method])
        for method, path, handler in _OF_SERVER
    ]


def _endpoint(server: Server, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        return await handler(server, request)

    return endpoint
