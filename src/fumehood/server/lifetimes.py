"""When sandboxes end without being closed: their time is over, nobody uses them, or they were
paused and forgotten. Snapshots too."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from typing import Any

from fumehood.server.sandboxes import Sandbox, Sandboxes

_LOOK_SECONDS = 0.25
_BUSY_SECONDS = 60.0
"""So long what runs in a sandbox that is to be paused may go on. Then it ends: by being used all
the time none lives for ever."""


class Lifetimes:
    """One server's."""

    def __init__(self, sandboxes: Sandboxes) -> None:
        self._sandboxes = sandboxes

    async def watch(self) -> None:
        """End what is to end, as long as the server runs."""
        ending: set[asyncio.Task[Any]] = set()
        while True:
            now = time.monotonic()
            over: list[Coroutine[Any, Any, Any]] = []
            for sandbox, why in self.due(now):
                if why == "paused":
                    sandbox.pause()
                else:
                    over.append(self._sandboxes.close(sandbox.key, sandbox.id, why))
            over += [
                self._sandboxes.discard(kept.key, kept.id)
                for kept in self._sandboxes.old_snapshots(now)
            ]
            for end in over:
                task = asyncio.create_task(end)
                ending.add(task)  # or nobody would hold it
                task.add_done_callback(ending.discard)
            await asyncio.sleep(_LOOK_SECONDS)

    def due(self, now: float) -> list[tuple[Sandbox, str]]:
        """Those that are to end at this moment of the monotonic clock, and why."""
        return [(sandbox, why) for sandbox in self._sandboxes if (why := why_over(sandbox, now))]


def why_over(sandbox: Sandbox, now: float) -> str:
    """Why a sandbox is to end at this moment; nothing if it is not. "paused" if it is to be paused
    and not ended."""
    quotas = sandbox.key.quotas
    if sandbox.paused is not None:
        return "forgotten" if now - sandbox.paused >= quotas.paused_seconds else ""
    if now >= sandbox.ends:
        if not sandbox.pauses or now >= sandbox.ends + _BUSY_SECONDS:
            return "expired"
        return "" if sandbox.calls else "paused"
    if (
        quotas.idle_seconds is not None
        and not sandbox.calls
        and now - sandbox.used >= quotas.idle_seconds
    ):
        return "idle"
    return ""
