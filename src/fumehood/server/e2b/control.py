"""E2B's control API: sandboxes are made, listed, connected to, paused, forked, kept and ended.
Every request brings the key."""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, Literal
from urllib.parse import parse_qsl, unquote

from starlette.requests import Request
from starlette.responses import Response

from fumehood.asked import shown
from fumehood.server.calls import read_body
from fumehood.server.e2b import shapes
from fumehood.server.e2b.answers import answer, page
from fumehood.server.e2b.doors import traffic_token
from fumehood.server.e2b.state import state_of
from fumehood.server.keys import Key
from fumehood.server.refusals import Closing, Conflict, Invalid, NotFound, Refusal
from fumehood.server.sandbox import Sandbox
from fumehood.server.sandboxes import Kept

if TYPE_CHECKING:
    from fumehood.server.server import Server

_BODY: Final = 1 << 20
_MEGABYTE: Final = 1 << 20

# Fields of a request for what there is not here, each with what to say.
_NOT_HERE: Final[dict[str, str]] = {
    "mcp": "mcp: sandboxes of this server reach no network, and run no gateway",
    "iam": "iam: sandboxes of this server have no identity that others know",
    "volume_mounts": "volumeMounts: there are no volumes here",
}
_NO_NETWORK: Final = "sandboxes of this server reach no network at all"


async def _read(kind: type[Any], request: Request) -> Any:
    return shapes.read(kind, await read_body(request, _BODY))


def _sandbox(server: Server, request: Request) -> tuple[Key, Sandbox]:
    key = server.key_of(request)
    sandbox = server.sandboxes.get(key, request.path_params["sandbox_id"])
    request.scope["fumehood.sandbox"] = sandbox.id
    return key, sandbox


# -- making


async def create(server: Server, request: Request) -> Response:
    key = server.key_of(request)
    wanted: shapes.NewSandbox = await _read(shapes.NewSandbox, request)
    for name, why in _NOT_HERE.items():
        if getattr(wanted, name):
            raise Invalid(why)
    _must_not_reach_out(wanted.network)
    if wanted.auto_pause_memory is False:
        raise Invalid(
            "autoPauseMemory: a sandbox that is paused here keeps its memory, and has no disk to"
            " start from"
        )
    template, kept = wanted.template_id, _kept(server, key, wanted.template_id)
    sandbox = await server.sandboxes.create(
        key,
        template=kept.template if kept is not None else template,
        timeout_seconds=wanted.timeout,
        metadata=wanted.metadata,
        environment=wanted.env_vars,
        snapshot=None if kept is None else kept.id,
    )
    sandbox.pauses = bool(wanted.auto_pause)
    state = state_of(sandbox)
    state.resumes = sandbox.pauses and wanted.auto_resume is not None and wanted.auto_resume.enabled
    state.timeout = wanted.timeout
    request.scope["fumehood.sandbox"] = sandbox.id
    return answer(_shape(sandbox), 201)


def _must_not_reach_out(network: dict[str, Any] | None) -> None:
    """Rules that only forbid are kept without doing anything. Others ask for what cannot be had."""
    for name in ("allowOut", "rules", "egressProxy"):
        if network and network.get(name):
            raise Invalid(f"network.{name}: {_NO_NETWORK}")


def _kept(server: Server, key: Key, name: str) -> Kept | None:
    """The snapshot that a template's name means, if it means one: by its id, or the newest by its
    name."""
    plain = name.partition(":")[0]
    for kept in reversed(server.sandboxes.snapshots(key)):
        if plain and plain in (kept.id, kept.name):
            return kept
    return None


def _shape(sandbox: Sandbox) -> shapes.SandboxShape:
    return shapes.SandboxShape(
        template_id=_template(sandbox),
        sandbox_id=sandbox.id,
        envd_access_token=sandbox.token,
        traffic_access_token=traffic_token(sandbox),
    )


def _template(sandbox: Sandbox) -> str:
    return sandbox.template or "base"


# -- looking


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")


def _listed(sandbox: Sandbox) -> dict[str, Any]:
    limits = sandbox.executor.policy.limits
    state: Literal["running", "paused"] = "paused" if sandbox.is_paused else "running"
    return {
        "template_id": _template(sandbox),
        "sandbox_id": sandbox.id,
        "alias": _template(sandbox),
        "started_at": _moment(sandbox.created),
        "end_at": _moment(sandbox.expires),
        "cpu_count": os.cpu_count() or 1,
        "memory_mb": limits.memory_bytes // _MEGABYTE,
        "disk_size_mb": limits.lab_bytes // _MEGABYTE,
        "state": state,
        "metadata": sandbox.metadata,
    }


async def list_sandboxes(server: Server, request: Request) -> Response:
    key = server.key_of(request)
    query = request.query_params
    order = query.get("order", "desc")
    if order not in ("asc", "desc"):
        raise Invalid(f"order must be asc or desc, not {shown(order)}")
    states = {state for text in query.getlist("state") for state in text.split(",") if state}
    if not states <= {"running", "paused"}:
        raise Invalid(f"state must be running, paused, or both, not {shown(sorted(states))}")
    metadata = {
        unquote(name): unquote(value)
        for name, value in parse_qsl(query.get("metadata", ""), keep_blank_values=True)
    }
    after = _instant(query.get("startedAfter"))
    template = query.get("template")
    rows = []
    for sandbox in server.sandboxes.list(key):
        if states and ("paused" if sandbox.is_paused else "running") not in states:
            continue
        if (
            after is not None
            and sandbox.created < after
            or template not in (None, _template(sandbox))
        ):
            continue
        if metadata.items() <= sandbox.metadata.items():
            # Its place in the list, as a text that sorts the same way.
            moment = int(sandbox.created * 1_000_000)
            rows.append(
                (f"{moment if order == 'asc' else 10**18 - moment:020d}{sandbox.id}", sandbox)
            )
    rows.sort(key=lambda row: row[0])
    wanted, headers = page(request, rows)
    return answer([shapes.ListedShape(**_listed(sandbox)) for sandbox in wanted], headers=headers)


def _instant(text: str | None) -> float | None:
    if text is None:
        return None
    try:
        return datetime.fromisoformat(text.replace("Z", "+00:00").replace(" ", "+")).timestamp()
    except (ValueError, OverflowError, OSError):
        raise Invalid(
            f"startedAfter must be an instant such as 2026-01-01T00:00:00Z, not {shown(text)}"
        ) from None


async def info(server: Server, request: Request) -> Response:
    _, sandbox = _sandbox(server, request)
    lifecycle = shapes.Lifecycle("pause" if sandbox.pauses else "kill", state_of(sandbox).resumes)
    return answer(
        shapes.DetailShape(**_listed(sandbox), envd_access_token=sandbox.token, lifecycle=lifecycle)
    )


async def metrics(server: Server, request: Request) -> Response:
    """One row, of now: nobody counts while nobody asks."""
    _, sandbox = _sandbox(server, request)
    limits = sandbox.executor.policy.limits
    used = (
        0 if sandbox.is_paused else sum((await sandbox.aside(sandbox.executor.files.list)).values())
    )
    cpu, memory = state_of(sandbox).measure()
    now = time.time()
    row = shapes.MetricShape(
        timestamp=_moment(now),
        timestamp_unix=int(now),
        cpu_count=os.cpu_count() or 1,
        cpu_used_pct=round(cpu, 2),
        mem_used=memory,
        mem_total=limits.memory_bytes,
        disk_used=used,
        disk_total=limits.lab_bytes,
    )
    return answer([row])


# -- time


async def end(server: Server, request: Request) -> Response:
    key, sandbox = _sandbox(server, request)
    await server.sandboxes.close(key, sandbox.id)
    return Response(status_code=204)


async def set_timeout(server: Server, request: Request) -> Response:
    _, sandbox = _sandbox(server, request)
    wanted: shapes.SetTimeout = await _read(shapes.SetTimeout, request)
    sandbox.set_timeout(wanted.timeout)
    return Response(status_code=204)


async def refresh(server: Server, request: Request) -> Response:
    """What older SDKs send while they use a sandbox: let it live at least so long."""
    _, sandbox = _sandbox(server, request)
    wanted: shapes.Refresh = await _read(shapes.Refresh, request)
    _extend(sandbox, wanted.duration)
    return Response(status_code=204)


def _extend(sandbox: Sandbox, seconds: float) -> None:
    if sandbox.expires - time.time() < seconds:
        sandbox.set_timeout(seconds)


async def connect(server: Server, request: Request) -> Response:
    _, sandbox = _sandbox(server, request)
    wanted: shapes.Connect = await _read(shapes.Connect, request)
    was_paused = sandbox.is_paused
    if was_paused:
        _resume(sandbox, wanted)
    elif wanted.timeout is not None:
        _extend(sandbox, wanted.timeout)
    sandbox.touch()
    return answer(_shape(sandbox), 201 if was_paused else 200)


async def resume(server: Server, request: Request) -> Response:
    _, sandbox = _sandbox(server, request)
    wanted: shapes.Connect = await _read(shapes.Connect, request)
    if not sandbox.is_paused:
        raise Conflict("this sandbox is running")
    _resume(sandbox, wanted)
    return answer(_shape(sandbox), 201)


def _resume(sandbox: Sandbox, wanted: shapes.Connect) -> None:
    if wanted.memory is False:
        raise Invalid(
            "on_resume: a sandbox that was paused here has its memory, and no disk to reboot from"
        )
    left = sandbox.expires - time.time()
    sandbox.resume(
        wanted.timeout
        if wanted.timeout is not None
        else None
        if left > 1
        else sandbox.key.quotas.timeout_seconds
    )


async def pause(server: Server, request: Request) -> Response:
    _, sandbox = _sandbox(server, request)
    wanted: shapes.Pause = await _read(shapes.Pause, request)
    if wanted.memory is False:
        raise Invalid("mode: a pause here keeps memory and files; there is none of files alone")
    if (
        sandbox.calls and not sandbox.is_paused
    ):  # the SDK takes a Conflict for "paused already", and this for "again, soon"
        raise Closing(
            "something runs in this sandbox; it can be paused when that is over", retry_after=1
        )
    sandbox.pause()
    return Response(status_code=204)


# -- branches


async def fork(server: Server, request: Request) -> Response:
    key, sandbox = _sandbox(server, request)
    wanted: shapes.Fork = await _read(shapes.Fork, request)
    try:
        forks = await server.sandboxes.fork(key, sandbox.id, wanted.count)
    except Refusal as refusal:
        if wanted.count == 1 or isinstance(refusal, NotFound):
            raise
        return answer(
            [shapes.ForkShape(error=shapes.Fault(refusal.status, refusal.message))] * wanted.count,
            201,
        )
    for made in forks:
        if wanted.timeout is not None:
            made.set_timeout(wanted.timeout)
        made.pauses, state_of(made).resumes = sandbox.pauses, state_of(sandbox).resumes
        state_of(made).metadata = dict(state_of(sandbox).metadata)
    return answer([shapes.ForkShape(sandbox=_shape(made)) for made in forks], 201)


def _snapshot(kept: Kept) -> shapes.SnapshotShape:
    return shapes.SnapshotShape(kept.id, [kept.name] if kept.name else [])


async def take_snapshot(server: Server, request: Request) -> Response:
    key, sandbox = _sandbox(server, request)
    wanted: shapes.TakeSnapshot = await _read(shapes.TakeSnapshot, request)
    if wanted.memory is False:
        raise Invalid("mode: a snapshot here keeps memory and files; there is none of files alone")
    return answer(_snapshot(await server.sandboxes.snapshot(key, sandbox.id, wanted.name)), 201)


async def list_snapshots(server: Server, request: Request) -> Response:
    key = server.key_of(request)
    name = request.query_params.get("name", "").partition(":")[0]
    found = [
        kept
        for kept in server.sandboxes.snapshots(key, request.query_params.get("sandboxID"))
        if not name or name in (kept.id, kept.name)
    ]
    rows = sorted((f"{int(kept.created * 1_000_000):020d}{kept.id}", kept) for kept in found)
    wanted, headers = page(request, rows)
    return answer([_snapshot(kept) for kept in wanted], headers=headers)


async def delete_template(server: Server, request: Request) -> Response:
    """Of templates, a client can delete snapshots."""
    key = server.key_of(request)
    kept = _kept(server, key, request.path_params["template_id"])
    if kept is None:
        raise NotFound("there is no such snapshot, or not any more; templates are the operator's")
    await server.sandboxes.discard(key, kept.id)
    return Response(status_code=204)


async def list_templates(server: Server, request: Request) -> Response:
    key = server.key_of(request)
    return answer(
        [
            shapes.TemplateShape(template_id=name, names=[name], aliases=[name])
            for name in ("base", *key.templates)
        ]
    )


async def set_network(server: Server, request: Request) -> Response:
    """Forbidding is granted, as nothing was allowed."""
    _sandbox(server, request)
    wanted: dict[str, Any] = await _read(dict[str, Any], request)
    _must_not_reach_out(wanted)
    if wanted.get("allow_internet_access"):
        raise Invalid(f"allow_internet_access: {_NO_NETWORK}")
    return Response(status_code=204)
