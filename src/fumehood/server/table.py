"""The native API: every operation, one row each. Routes and the OpenAPI document are both made from
these rows.

A handler is a coroutine function that takes a Call and gives a body (a Struct or encoded JSON,
answered with the first of the statuses), None (no body), or a Response. What is wrong it raises, as
a Refusal.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from fumehood.server import shapes
from fumehood.server.calls import Call, of_json, of_query, read_body
from fumehood.server.keys import Key
from fumehood.server.operations import contexts, files, running, sandboxes, snapshots, status

if TYPE_CHECKING:
    from fumehood.server.server import Server


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
    """The first is that of success; the others are refusals, besides those that any request may
    get."""
    needs_key: bool = True


EVERYWHERE = (400, 401, 403, 404, 405, 408, 409, 413, 415, 429, 431, 500, 503)
"""Refusals that any request may get."""

_ONE = "/v1/sandboxes/{sandbox_id}"

OPERATIONS: tuple[Operation, ...] = (
    Operation(
        "POST",
        f"{_ONE}/run",
        running.run,
        "Run a cell",
        shapes.Run,
        answer=shapes.Ran,
        statuses=(200, 406),
    ),
    Operation(
        "POST",
        f"{_ONE}/interrupt",
        running.interrupt,
        "Stop the cell that runs",
        query=shapes.InContext,
        answer=shapes.Interrupted,
    ),
    Operation(
        "GET",
        f"{_ONE}/variables",
        running.names,
        "The names of the variables",
        query=shapes.InContext,
        answer=shapes.Names,
    ),
    Operation(
        "PUT", f"{_ONE}/variables", running.put, "Set variables", shapes.Variables, statuses=(204,)
    ),
    Operation(
        "GET",
        f"{_ONE}/variables/{{name}}",
        running.get,
        "A variable",
        query=shapes.InContext,
        answer=shapes.Value,
    ),
    Operation(
        "DELETE",
        f"{_ONE}/variables/{{name}}",
        running.delete,
        "Remove a variable",
        query=shapes.InContext,
        statuses=(204,),
    ),
    Operation(
        "POST",
        f"{_ONE}/commands",
        running.command,
        "Run a command line",
        shapes.CommandLine,
        answer=shapes.CommandDone,
    ),
    Operation(
        "POST",
        f"{_ONE}/install",
        running.install,
        "Install packages",
        shapes.Install,
        answer=shapes.InstalledShape,
    ),
    Operation(
        "POST",
        "/v1/sandboxes",
        sandboxes.create,
        "Make a sandbox",
        shapes.Create,
        answer=shapes.SandboxInfo,
        statuses=(201, 410),
    ),
    Operation(
        "GET", "/v1/sandboxes", sandboxes.every, "The key's sandboxes", answer=shapes.SandboxList
    ),
    Operation("GET", _ONE, sandboxes.one, "A sandbox", answer=shapes.SandboxInfo),
    Operation("DELETE", _ONE, sandboxes.close, "End a sandbox", statuses=(204,)),
    Operation(
        "PUT",
        f"{_ONE}/timeout",
        sandboxes.timeout,
        "Say when a sandbox ends",
        shapes.Timeout,
        answer=shapes.SandboxInfo,
    ),
    Operation(
        "POST", f"{_ONE}/pause", sandboxes.pause, "Let its clock stand", answer=shapes.SandboxInfo
    ),
    Operation(
        "POST",
        f"{_ONE}/resume",
        sandboxes.resume,
        "Let it go on",
        shapes.Resume,
        answer=shapes.SandboxInfo,
    ),
    Operation(
        "POST",
        f"{_ONE}/fork",
        sandboxes.fork,
        "Sandboxes that begin here",
        shapes.Fork,
        answer=shapes.SandboxList,
        statuses=(201,),
    ),
    Operation(
        "POST",
        f"{_ONE}/contexts",
        contexts.create,
        "More variables",
        shapes.CreateContext,
        answer=shapes.ContextInfo,
        statuses=(201,),
    ),
    Operation(
        "GET",
        f"{_ONE}/contexts",
        contexts.every,
        "The sandbox's contexts",
        answer=shapes.ContextList,
    ),
    Operation(
        "DELETE",
        f"{_ONE}/contexts/{{context_id}}",
        contexts.close,
        "End a context",
        statuses=(204,),
    ),
    Operation(
        "GET",
        f"{_ONE}/files",
        files.entries,
        "What is in a directory",
        query=shapes.Listing,
        answer=shapes.FileList,
    ),
    Operation(
        "GET",
        f"{_ONE}/files/content",
        files.read,
        "A file's content",
        query=shapes.AtPath,
        answer=bytes,
    ),
    Operation(
        "PUT",
        f"{_ONE}/files/content",
        files.write,
        "Write a file",
        bytes,
        shapes.AtPath,
        statuses=(204, 507),
    ),
    Operation(
        "GET",
        f"{_ONE}/files/entry",
        files.look,
        "What is at a path",
        query=shapes.AtPath,
        answer=shapes.FileInfo,
    ),
    Operation(
        "DELETE",
        f"{_ONE}/files",
        files.remove,
        "Remove a file, or a directory with all in it",
        query=shapes.AtPath,
        statuses=(204,),
    ),
    Operation(
        "POST",
        f"{_ONE}/files/directory",
        files.directory,
        "Make a directory",
        shapes.Directory,
        answer=shapes.Made,
    ),
    Operation(
        "POST",
        f"{_ONE}/files/rename",
        files.rename,
        "Rename",
        shapes.Rename,
        answer=shapes.FileInfo,
    ),
    Operation(
        "POST",
        f"{_ONE}/snapshots",
        snapshots.create,
        "Keep a sandbox",
        shapes.CreateSnapshot,
        answer=shapes.SnapshotInfo,
        statuses=(201,),
    ),
    Operation(
        "POST",
        f"{_ONE}/restore",
        snapshots.restore,
        "Go back",
        shapes.Restore,
        answer=shapes.SandboxInfo,
        statuses=(200, 410),
    ),
    Operation(
        "GET",
        "/v1/snapshots",
        snapshots.every,
        "The key's snapshots",
        query=shapes.OfSandbox,
        answer=shapes.SnapshotList,
    ),
    Operation(
        "DELETE",
        "/v1/snapshots/{snapshot_id}",
        snapshots.discard,
        "Give a snapshot up",
        statuses=(204,),
    ),
    Operation(
        "GET", "/v1/key", status.key, "What the key may have, and has", answer=shapes.KeyInfo
    ),
    Operation(
        "GET",
        "/health",
        status.health,
        "Whether the server lives",
        answer=shapes.Health,
        needs_key=False,
    ),
    Operation(
        "GET",
        "/ready",
        status.ready,
        "Whether it takes requests",
        answer=shapes.Health,
        needs_key=False,
    ),
)


def routes(server: Server, operations: Iterable[Operation] = OPERATIONS) -> list[BaseRoute]:
    """Starlette's routes for rows of a table."""
    return [Route(row.path, _endpoint(server, row), methods=[row.method]) for row in operations]


def _endpoint(server: Server, row: Operation) -> Callable[[Request], Awaitable[Response]]:
    decoder = None if row.body is None or row.body is bytes else msgspec.json.Decoder(row.body)
    has_sandbox = "{sandbox_id}" in row.path
    most = server.settings.body_bytes

    async def endpoint(request: Request) -> Response:
        key: Key = server.key_of(request) if row.needs_key else request.scope.get("fumehood.key")  # type: ignore[assignment]
        call = Call(server, request, key)
        if has_sandbox:
            call.its_sandbox = server.sandboxes.get(key, request.path_params["sandbox_id"])
            request.scope["fumehood.sandbox"] = call.its_sandbox.id
            call.its_sandbox.touch()
        if row.query is not None:
            call.query = of_query(row.query, request)
        if decoder is not None:
            call.body = of_json(decoder, request, await read_body(request, most))
        answer = await row.handler(call)
        if isinstance(answer, Response):
            return answer
        if answer is None:
            return Response(status_code=row.statuses[0])
        content = answer if isinstance(answer, bytes) else msgspec.json.encode(answer)
        return Response(content, status_code=row.statuses[0], media_type="application/json")

    return endpoint
