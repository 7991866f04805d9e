"""When sandboxes end without being closed: their time is over, nobody uses them, or they were paused and forgotten."""

from __future__ import annotations

import asyncio
import time

from fumehood.server.sandboxes import Sandbox, Sandboxes

_LOOK_SECONDS = 0.25


class Lifetimes:
    def __init__(self, sandboxes: Sandboxes) -> None:
        self._sandboxes = sandboxes

    async def watch(self) -> None:
        """End what is to end, as long as the server runs."""
        ending: set[asyncio.Task[bool]] = set()
        while True:
            for sandbox, why in self.due():
                if why == "expired" and sandbox.pauses:
                    if not sandbox.calls:  # else when what runs is over
                        sandbox.pause()
                    continue
                task = asyncio.create_task(self._sandboxes.close(sandbox.key, sandbox.id, why))
                ending.add(task)  # or nobody would hold it
                task.add_done_callback(ending.discard)
            await asyncio.sleep(_LOOK_SECONDS)

    def due(self, now: float | None = None) -> list[tuple[Sandbox, str]]:
        """Those that are to end, and why. `now` is a monotonic clock's."""
        moment = time.monotonic() if now is None else now
        found = []
        for sandbox in self._sandboxes:
            why = why_over(sandbox, moment)
            if why:
                found.append((sandbox, why))
        return found


def why_over(sandbox: Sandbox, now: float) -> str:
    """Why a sandbox is to end at this moment; nothing if it is not."""
    quotas = sandbox.key.quotas
    if sandbox.paused is not None:
        return "forgotten" if now - sandbox.paused >= quotas.paused_seconds else ""
    if now >= sandbox.ends:
        return "expired"
    if quotas.idle_seconds is not None and not sandbox.calls and now - sandbox.used >= quotas.idle_seconds:
        return "idle"
    return ""
