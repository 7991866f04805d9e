"""A WebSocket to one sandbox: the client sends messages, and is told events; both are JSON texts
(live_shapes.py).

    → authenticate          first, from whoever could not send a header
    ← ready
    → run                   ← began, output, display, tool_call, cut, result | error | fault |
                            refused, end
    → answer, interrupt, variables, tools, ping      ← done | refused
    ← over                  the sandbox has ended, and so has this

Messages are bounded in size by the server and in number here: a client may have so many under way,
and what it is told waits in bounded room. One that sends and does not read is hung up on.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from fumehood.server.callbacks import callbacks_of
from fumehood.server.events_stream import Events, as_message
from fumehood.server.live_shapes import (
    Answered,
    Authenticate,
    Done,
    Interrupt,
    Messages,
    Over,
    Ping,
    Ready,
    Start,
    Told,
    Tools,
    Variables,
)
from fumehood.server.operations.running import put_variables
from fumehood.server.outcomes import typed
from fumehood.server.refusals import Busy, Conflict, Failed, Invalid, NotAllowed, NotFound, Refusal
from fumehood.server.refusals import of as refusal_of
from fumehood.server.streaming import StreamedRun, as_refused

if TYPE_CHECKING:
    from fumehood.server.keys import Key
    from fumehood.server.sandbox import Sandbox
    from fumehood.server.server import Server

MOST_UNDER_WAY: Final = 32
"""Messages of one connection that are not done yet."""
FIRST_SECONDS: Final = 10.0
"""So long a client may take to say who it is."""

_LOOK_SECONDS: Final = 60.0
"""How often a silent connection is looked at. The protocol's own pings are the server's."""

_first: Final = msgspec.json.Decoder(Authenticate)
_next: Final = msgspec.json.Decoder(Messages)


class _HungUp(Exception):
    """The connection is to be closed, with this code and these words."""

    def __init__(self, code: int, words: str) -> None:
        super().__init__(words)
        self.code, self.words = code, words


async def live(server: Server, websocket: WebSocket) -> None:
    """Serve one connection to its end. A Refusal, which the gate tells the client, if it is not to
    be served."""
    key: Key | None = websocket.scope.get("fumehood.key")
    sandbox_id = websocket.path_params["sandbox_id"]
    try:
        if key is not None:
            sandbox = server.sandboxes.get(key, sandbox_id)
            await websocket.accept()
        else:
            await websocket.accept()
            sandbox = server.sandboxes.get(await _who(server, websocket), sandbox_id)
        websocket.scope["fumehood.sandbox"] = sandbox.id
        conversation = Conversation(server, sandbox, websocket)
        server.metrics.stream_opened()
        try:
            await conversation.serve()
        finally:
            server.metrics.stream_closed()
    except _HungUp as why:
        await _close(websocket, why.code, why.words)
    except WebSocketDisconnect:
        pass


async def _who(server: Server, websocket: WebSocket) -> Key:
    """Whose connection this is, by its first message."""
    try:
        async with asyncio.timeout(FIRST_SECONDS):
            text = await _receive(websocket)
        key = server.keys.find(_first.decode(text).key)
    except (TimeoutError, msgspec.DecodeError):
        raise NotAllowed(
            'the first message must be {"type": "authenticate", "key": …}, or the key come in a'
            " header"
        ) from None
    if key is None:
        raise NotAllowed("that key is not known here")
    server.admit(websocket, key)
    return key


class Conversation:
    """One connection. All of it on the event loop."""

    def __init__(self, server: Server, sandbox: Sandbox, websocket: WebSocket) -> None:
        self._server = server
        self._sandbox = sandbox
        self._websocket = websocket
        self._events = Events()
        self._callbacks = callbacks_of(server, sandbox)
        self._under_way: set[asyncio.Task[None]] = set()
        self._runs: dict[str, StreamedRun] = {}

    async def serve(self) -> None:
        self._callbacks.listen(self._events)
        self._events.tell(Ready(sandbox=self._sandbox.id))
        both = [asyncio.create_task(self._read()), asyncio.create_task(self._write())]
        try:
            done, _pending = await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            self._callbacks.leave(self._events)
            self._events.close()
            for task in both:
                task.cancel()
            await asyncio.gather(*both, return_exceptions=True)
            await self._leave()

    async def _leave(self) -> None:
        """The client is gone: cells that were to end with it do."""
        await asyncio.gather(
            *(run.stop() for run in self._runs.values() if not run.goes_on), return_exceptions=True
        )

    async def _write(self) -> None:
        while not self._events.is_closed:
            for told in await self._events.next(_LOOK_SECONDS):
                await self._websocket.send_text(as_message(told))
                if isinstance(told, Over):
                    raise _HungUp(1000, "the sandbox has ended")

    async def _read(self) -> None:
        while True:
            text = await _receive(self._websocket)
            try:
                message = _next.decode(text)
            except msgspec.DecodeError as error:
                self._answer(as_refused(Invalid(str(error)[:500])))
                continue
            self._sandbox.touch()
            if isinstance(message, Ping):
                self._answer(Done(request=message.request))
            elif len(self._under_way) >= MOST_UNDER_WAY:
                self._answer(
                    as_refused(
                        Busy(f"{MOST_UNDER_WAY} messages are under way already"),
                        request=_name(message),
                    )
                )
            else:
                self._begin(message)

    def _begin(self, message: Any) -> None:
        wait = self._sandbox.key.bucket.take()
        if wait:
            rate = self._sandbox.key.quotas.requests_per_second
            self._answer(
                as_refused(
                    Busy(f"this key may send {rate:g} requests a second", retry_after=wait),
                    request=_name(message),
                )
            )
            return
        work = self._run(message) if isinstance(message, Start) else self._do(message)
        task = asyncio.create_task(work)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    def _answer(self, told: Told) -> None:
        if not self._events.offer(told, 1000):
            raise _HungUp(1008, "what was told was not read")

    # -- messages

    async def _run(self, message: Start) -> None:
        if message.run in self._runs:
            self._events.tell(
                as_refused(Conflict(f"a run {message.run!r} is under way already"), run=message.run)
            )
            return
        try:
            run = StreamedRun(self._server, self._sandbox, message, self._events, message.run)
        except Refusal as refusal:
            self._events.tell(as_refused(refusal, run=message.run))
            return
        self._runs[message.run] = run
        try:
            await run.start()
        finally:
            del self._runs[message.run]

    async def _do(self, message: Any) -> None:
        try:
            told = await self._done(message)
        except Exception as error:
            refusal = error if isinstance(error, Refusal) else refusal_of(error)
            self._events.tell(
                as_refused(refusal or Failed("the server failed at this"), request=_name(message))
            )
            if refusal is None:
                raise
        else:
            self._events.tell(told)

    async def _done(self, message: Answered | Interrupt | Tools | Variables) -> Told:
        if isinstance(message, Answered):
            await self._callbacks.take(message.call, message.value, message.error)
            return Done(request=message.request)
        place = self._sandbox if message.context is None else self._sandbox.context(message.context)
        if isinstance(message, Interrupt):
            place.executor.interrupt()
            return Done(request=message.request)
        if isinstance(message, Tools):
            await place.do(
                self._callbacks.declare, message.context or "", place.executor, message.tools
            )
            return Done(request=message.request)
        if message.set:
            await put_variables(place, message.set)
        values = await place.do(_values, place.executor.state, message.get) if message.get else {}
        return Done(request=message.request, values=values)


def _values(state: Mapping[str, Any], names: list[str]) -> dict[str, Any]:
    """Variables as typed JSON, in a thread."""
    try:
        return {name: typed(state[name]) for name in names}
    except KeyError as missing:
        raise NotFound(f"there is no variable {missing}") from None


def _name(message: Any) -> str:
    return str(message.run if isinstance(message, Start) else message.request)


async def _receive(websocket: WebSocket) -> str:
    message = await websocket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1005))
    text = message.get("text")
    if text is None:
        raise _HungUp(1003, "messages are texts")
    return str(text)


async def _close(websocket: WebSocket, code: int, words: str) -> None:
    with contextlib.suppress(RuntimeError, OSError, WebSocketDisconnect):  # it is closed already
        await websocket.close(code, words.encode()[:120].decode("utf-8", "ignore"))
