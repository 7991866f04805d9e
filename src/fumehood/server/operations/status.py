"""How the server is, for those who watch it, and how a key stands."""

from __future__ import annotations

import os
import tempfile
from dataclasses import asdict

from fumehood.server import shapes
from fumehood.server.calls import Call
from fumehood.server.refusals import Closing

_LEAST_DISK = 32 << 20
"""With less than this, uploads and installations would fail."""


async def health(call: Call) -> shapes.Health:
    """It answers, so it lives."""
    return shapes.Health(status="ok")


async def ready(call: Call) -> shapes.Health:
    state = call.server.state
    if state != "ready":
        raise Closing(f"the server is {state}", retry_after=1)
    disk = os.statvfs(tempfile.gettempdir())
    if disk.f_bavail * disk.f_frsize < _LEAST_DISK:
        raise Closing("the disk is full", retry_after=60)
    return shapes.Health(status="ready")


async def key(call: Call) -> shapes.KeyInfo:
    key, sandboxes = call.key, call.server.sandboxes
    desk = sandboxes.desk(key)
    return shapes.KeyInfo(
        name=key.name,
        sandboxes=len(sandboxes.list(key)),
        snapshots=len(sandboxes.snapshots(key)),
        running=desk.running,
        waiting=desk.waiting,
        quotas=asdict(key.quotas),
        templates=["base", *key.templates],
        may_install=key.may_install,
    )
