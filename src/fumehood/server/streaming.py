"""A cell that runs while somebody reads: what it tells as it goes, and what becomes of it when the
reader is gone."""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from fumehood import events as happened
from fumehood.server import outcomes
from fumehood.server.callbacks import callbacks_of
from fumehood.server.events_stream import HEARTBEAT, Events, Run, as_frame
from fumehood.server.live_shapes import Began, End, Error, Fault, Refused, Result, Told
from fumehood.server.operations.running import executing
from fumehood.server.refusals import Conflict, Failed, Refusal
from fumehood.server.refusals import of as refusal_of

if TYPE_CHECKING:
    from fumehood.server.sandbox import Context, Sandbox
    from fumehood.server.server import Server

_AGAIN: Final = 0.05
"""How often a cell that nobody waits for is told to stop: the first time may be before it began."""
_RUNNING: Final[set[asyncio.Task[None]]] = set()
"""Runs that go on without their readers: nobody else holds them."""


class StreamedRun:
    """One run and its reader. To be made on the event loop, where the Refusal is raised for a
    context that is not there."""

    def __init__(
        self, server: Server, sandbox: Sandbox, body: Any, events: Events, name: str
    ) -> None:
        """`body` says what to run, in which context, for how long, and whether it goes on without
        its reader."""
        self.events = events
        self.run = Run(name)
        self.goes_on: bool = body.keep_running
        self._server = server
        self._code = body.code
        self._place: Sandbox | Context = (
            sandbox if body.context is None else sandbox.context(body.context)
        )
        self._execute = executing(self._place.executor, body.timeout_seconds)
        self._context = body.context or ""
        self._callbacks = callbacks_of(server, sandbox)
        self._task: asyncio.Task[None] | None = None
        self._is_stopped = False
        self.refusal: Refusal | None = None
        """Why it was not run, if it was not."""

    def start(self) -> asyncio.Task[None]:
        """Run the cell when it is its turn. Whatever happens is told as events."""
        task = self._task = asyncio.create_task(self._tell())
        _RUNNING.add(task)
        task.add_done_callback(_RUNNING.discard)
        return task

    async def stop(self) -> None:
        """Stop the cell, or let it never begin, and wait until it is over."""
        self._is_stopped = True
        task = self._task
        while task is not None and not task.done():
            # Only this run can be at it: the next call of the executor waits until this is done.
            if self.run.has_begun:
                self._place.executor.interrupt()
            else:
                task.cancel()
            await asyncio.wait([task], timeout=_AGAIN)

    async def _tell(self) -> None:
        name = self.run.name
        try:
            await self._place.do(self._work)
            self._place.cells += 1
        except Exception as error:
            refusal = error if isinstance(error, Refusal) else refusal_of(error)
            self.refusal = refusal or Failed("the server failed at this")
            self.events.tell(as_refused(self.refusal, run=name))
            if refusal is None:
                raise
        finally:
            if self.run.cut:
                self._server.metrics.cut(self.run.cut)
            self.events.tell(End(run=name))

    def _work(self) -> None:
        """In a thread, when it is this run's turn."""
        self.run.has_begun = True
        # asked after saying so: whoever stops it does the reverse, and so one of the two sees the
        # other
        if self._is_stopped:
            raise Conflict("nobody waits for this run any more")
        self.events.tell(Began(run=self.run.name))
        self._callbacks.reads(self._context, self.events, self.run)
        try:
            with self._place.executor.observe(_Ear(self.events, self.run)):
                execution = self._execute(self._code)
        finally:
            self._callbacks.is_over(self._context)
        self._server.metrics.cell(outcomes.outcome(execution), execution.usage.wall_seconds)
        kind = Fault if execution.fault else Error if execution.error else Result
        # Here and not on the event loop: a large value takes time. Displays were told as they came.
        told = kind(run=self.run.name, outcome=outcomes.ran(replace(execution, displays=())))
        self.events.tell(told, len(execution.logs))


class _Ear:
    """Hears what a cell prints and shows, at the moment it does: the cell waits for a reader that
    is slow."""

    is_prompt = True

    def __init__(self, events: Events, run: Run) -> None:
        self._events, self._run = events, run

    def __call__(self, event: happened.Event) -> None:
        if isinstance(event, happened.Printed):
            self._events.output(self._run, event.text)
        elif isinstance(event, happened.Displayed):
            self._events.display(self._run, event.bundle)


class EventStream(Response):
    """The answer to a run whose client wants to be told as it goes."""

    def __init__(self, server: Server, run: StreamedRun, first: list[Told]) -> None:
        super().__init__(media_type="text/event-stream")
        self._server, self._run, self._first = server, run, first

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = [
            (b"content-type", b"text/event-stream; charset=utf-8"),
            (b"x-accel-buffering", b"no"),
        ]
        self._server.metrics.stream_opened()
        writing = asyncio.create_task(self._write(send, headers))
        leaving = asyncio.create_task(_gone(receive))
        try:
            await asyncio.wait([writing, leaving], return_when=asyncio.FIRST_COMPLETED)
            if writing.done():
                writing.result()
        finally:
            self._run.events.close()
            for task in (writing, leaving):
                task.cancel()
            await asyncio.gather(writing, leaving, return_exceptions=True)
            self._server.metrics.stream_closed()
            if not self._run.goes_on:
                await self._run.stop()

    async def _write(self, send: Send, headers: list[tuple[bytes, bytes]]) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        batch = self._first
        while not self._run.events.is_closed:
            await send(
                {
                    "type": "http.response.body",
                    "body": b"".join(map(as_frame, batch)) or HEARTBEAT,
                    "more_body": True,
                }
            )
            if any(isinstance(told, End) for told in batch):
                break
            batch = await self._run.events.next(self._server.settings.heartbeat_seconds)
        await send({"type": "http.response.body", "body": b""})


async def stream(server: Server, sandbox: Sandbox, body: Any) -> Response:
    """Run a cell and answer with its events. What is refused before it begins is refused as any
    other request, if that is soon."""
    run = StreamedRun(server, sandbox, body, Events(), secrets.token_hex(8))
    run.start()
    first = await run.events.next(server.settings.heartbeat_seconds)
    if run.refusal is not None and not run.run.has_begun:
        raise run.refusal
    return EventStream(server, run, first)


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def as_refused(refusal: Refusal, *, run: str = "", request: str = "") -> Refused:
    """A refusal as an event."""
    return Refused(
        run=run,
        request=request,
        status=refusal.status,
        error=refusal.code,
        message=refusal.message,
        retry_after=refusal.retry_after,
    )
