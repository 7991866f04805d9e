"""A cell that runs while somebody reads: what it tells as it goes, and what becomes of it when the reader is gone."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any, Final

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from fumehood import events as happened
from fumehood.results import Execution
from fumehood.server.callbacks import Callbacks, callbacks_of
from fumehood.server.events_stream import HEARTBEAT, Events, Run, as_frame
from fumehood.server.live_shapes import Began, End, Error, Fault, Refused, Result, Told
from fumehood.server.refusals import Failed, Refusal

if TYPE_CHECKING:
    from fumehood.executors.local import LocalPythonExecutor
    from fumehood.server.sandboxes import Sandbox
    from fumehood.server.server import Server

HEARTBEAT_SECONDS: Final = 15.0
"""So long a stream is silent at most: less than what proxies take for dead."""
_AGAIN: Final = 0.05
"""How often a cell that nobody waits for is told to stop: the first time may be before it began."""


class StreamedRun:
    """One run and its reader. To be made on the event loop; `start` once."""

    def __init__(self, server: Server, sandbox: Sandbox, body: Any, events: Events, name: str) -> None:
        """`body` says what to run, and in which context."""
        self.events = events
        self.run = Run(name)
        self._server = server
        self._sandbox = sandbox
        self._body = body
        self._context = context_of(sandbox, body.context)
        self._task: asyncio.Task[None] | None = None
        self._is_stopped = False

    def start(self) -> asyncio.Task[None]:
        """Run the cell when it is its turn. Whatever happens is told as events; the task raises nothing."""
        self._task = asyncio.create_task(self._tell())
        return self._task

    async def stop(self) -> None:
        """Stop the cell, or let it never begin, and wait until it is over."""
        self._is_stopped = True
        task = self._task
        while task is not None and not task.done():
            # Only this run can be at it: the next call of the executor waits until this is done.
            self._context.executor.interrupt()
            await asyncio.wait([task], timeout=_AGAIN)

    async def _tell(self) -> None:
        try:
            try:
                execution = await run_cell(self._server, self._sandbox, self._context, self._body, self._work)
            finally:
                if self.run.cut:
                    self._server.metrics.cut(self.run.cut)
        except Refusal as refusal:
            self.events.tell(as_refused(refusal, run=self.run.name))
        except Exception:
            self.events.tell(as_refused(Failed("the server failed at this; its log says why"), run=self.run.name))
            raise
        else:
            self.events.tell(self._outcome(execution), len(execution.logs))
        finally:
            self.events.tell(End(run=self.run.name))
