"""Snapshots: a sandbox kept as it is. They are the key's, and live on when the sandbox ends."""

from __future__ import annotations

from fumehood.server import shapes
from fumehood.server.calls import Call
from fumehood.server.operations.sandboxes import info
from fumehood.server.sandboxes import Kept


def _info(kept: Kept) -> shapes.SnapshotInfo:
    return shapes.SnapshotInfo(
        id=kept.id, name=kept.name, sandbox=kept.sandbox_id, created=kept.created
    )


async def create(call: Call) -> shapes.SnapshotInfo:
    return _info(await call.server.sandboxes.snapshot(call.key, call.sandbox.id, call.body.name))


async def every(call: Call) -> shapes.SnapshotList:
    return shapes.SnapshotList(
        snapshots=[
            _info(kept) for kept in call.server.sandboxes.snapshots(call.key, call.query.sandbox)
        ]
    )


async def restore(call: Call) -> shapes.SandboxInfo:
    return info(await call.server.sandboxes.restore(call.key, call.sandbox.id, call.body.snapshot))


async def discard(call: Call) -> None:
    await call.server.sandboxes.discard(call.key, call.named("snapshot_id"))
