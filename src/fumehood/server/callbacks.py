"""Tools by callback: a client declares them, code in its sandbox calls them, and the client answers.

A call is open from the moment code makes it until it is answered, its time is over, or its cell is. It is told to whoever reads the run
that makes it, else to everybody who listens to the sandbox; and it is in the list of open calls in any case. An answer is taken once, for
a call that is open; any other is refused, and says why.

Nothing here holds a thread while a client thinks: a declared tool is asynchronous, and its calls wait on an event loop.
"""

from __future__ import annotations

import asyncio
import builtins
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Final

import msgspec

from fumehood.server.events_stream import Events, Run
from fumehood.server.live_shapes import Declared, Failure, Over, ToolCall
from fumehood.server.refusals import Conflict, Gone, Invalid, NotFound
from fumehood.server.typed import as_json, size_of
from fumehood.tools.tool import Tool

MOST_OPEN: Final = 64
"""Calls of one sandbox that may be open at once."""
MOST_TOOLS: Final = 200
MOST_ARGUMENTS: Final = 1 << 20
"""Bytes of a call's arguments, as JSON."""
REMEMBERED: Final = 256
"""Calls that are over and still known: an answer to one is told apart from an answer to nothing."""

EXCEPTIONS: Final = {
    name: kind
    for name, kind in vars(builtins).items()
    if isinstance(kind, type) and issubclass(kind, Exception) and not issubclass(kind, (StopIteration, StopAsyncIteration))
}
"""Exceptions that a client may name. Those that end loops mean something else to whoever waits for a call."""


class _Open:
    """A call that waits for its answer, on a loop."""

    __slots__ = ("answer", "began", "loop", "told")

    def __init__(self, told: ToolCall) -> None:
        self.told = told
        self.loop = asyncio.get_running_loop()
        self.answer: asyncio.Future[Any] = self.loop.create_future()
        self.began = time.monotonic()


class Callbacks:
    """The calls of one sandbox's tools, from all its contexts. From any thread."""

    def __init__(self, on_end: Callable[[str], None] = lambda outcome: None) -> None:
        """`on_end` is told how each call ends: answered, raised, timeout, refused, dropped."""
        self._on_end = on_end
        self._lock = threading.Lock()
        self._open: dict[str, _Open] = {}
        self._over: OrderedDict[str, str] = OrderedDict()
        self._listeners: list[Events] = []
        self._readers: dict[str, tuple[Events, Run]] = {}
        self.tools: dict[str, dict[str, Tool]] = {}
        """What was declared, by context and name."""

    # -- who is told ----------------------------------------------------------------------------------------------------------------

    def listen(self, events: Events) -> None:
        """Tell this reader of calls that nobody else is told of; of those too that are open already."""
        with self._lock:
            self._listeners.append(events)
            for call in self._open.values():
                events.offer(call.told, 0)

    def leave(self, events: Events) -> None:
        with self._lock:
            if events in self._listeners:
                self._listeners.remove(events)

    def reads(self, context: str, events: Events, run: Run) -> None:
        """From now on this context's cell is the one of that run."""
        with self._lock:
            self._readers[context] = events, run

    def is_over(self, context: str) -> None:
        """That run is over."""
        with self._lock:
            self._readers.pop(context, None)

    def _tell(self, context: str, told: ToolCall, size: int) -> None:
        reader = self._readers.get(context)
        if reader is not None and not reader[0].is_closed:
            events, run = reader
            if not events.offer(msgspec.structs.replace(told, run=run.name), size):
                raise RuntimeError("the client does not read what it is told, so it was not told of this call")
            return
        for listener in self._listeners:
            listener.offer(told, size)

    # -- calls ----------------------------------------------------------------------------------------------------------------------

    def declare(self, context: str, tool: Declared) -> Tool:
        """The tool that code in a context can call, once the executor is sent it. ToolError if there cannot be such a one."""
        known = self.tools.setdefault(context, {})
        if tool.name not in known and len(known) >= MOST_TOOLS:
            raise Invalid(f"a sandbox has at most {MOST_TOOLS} tools")

        async def forward(**arguments: Any) -> Any:
            return await self._call(context, tool, arguments)

        inputs = {name: msgspec.to_builtins(row) for name, row in tool.inputs.items()}
        made = Tool(forward, name=tool.name, description=tool.description, inputs=inputs, output_type=tool.output_type)
        made.adopted = tool
        return made

    async def _call(self, context: str, tool: Declared, arguments: dict[str, Any]) -> Any:
        outcome = "dropped"
        call = ""
        try:
            outcome = "refused"
            given = {name: as_json(value, MOST_ARGUMENTS) for name, value in arguments.items()}
            size = size_of(given)
            if size > MOST_ARGUMENTS:
                raise ValueError(f"arguments of {size:,} bytes are too many to be sent to {tool.name}; {MOST_ARGUMENTS:,} are the most")
            call = secrets.token_hex(12)
            told = ToolCall(call=call, tool=tool.name, arguments=given, timeout_seconds=tool.timeout_seconds)
            waiting = self._begin(context, told, size)
            outcome = "dropped"
            async with asyncio.timeout(tool.timeout_seconds):
                value = await waiting.answer
            outcome = "answered"
            return value
        except TimeoutError:
            if outcome == "dropped" and not waiting.answer.done():
                outcome = "timeout"
                raise TimeoutError(f"{tool.name} was not answered within {tool.timeout_seconds:g} seconds") from None
            outcome = "raised"
            raise
        except Exception:
            outcome = "refused" if outcome == "refused" else "raised"
            raise
        finally:
            self._end(call, outcome)

    def _begin(self, context: str, told: ToolCall, size: int) -> _Open:
        waiting = _Open(told)
        with self._lock:
            if len(self._open) >= MOST_OPEN:
                raise RuntimeError(f"{MOST_OPEN} calls wait for their answers already; a sandbox may have no more at once")
            self._tell(context, told, size)
            self._open[told.call] = waiting
        return waiting

    def _end(self, call: str, outcome: str) -> None:
        with self._lock:
            if self._open.pop(call, None) is not None or call:
                self._over[call] = outcome
                while len(self._over) > REMEMBERED:
                    self._over.popitem(last=False)
        self._on_end(outcome)

    # -- answers --------------------------------------------------------------------------------------------------------------------

    def open_calls(self) -> list[ToolCall]:
        with self._lock:
            return [waiting.told for waiting in self._open.values()]

    def answer(self, call: str, value: Any, error: Failure | None) -> None:
        """The client's answer: a value as it is to be sent to the sandbox, or an error. NotFound, Conflict or Gone if nobody waits for
        it."""
        with self._lock:
            waiting = self._open.pop(call, None)
            over = self._over.get(call)
            if waiting is not None:
                self._over[call] = "answered"
        if waiting is None:
            if over in ("answered", "raised"):
                raise Conflict("this call was answered already, and an answer is taken once")
            if over is not None:
                raise Gone("this call is over: its time was up, or its cell has ended")
            raise NotFound("no such call is open")
        waiting.loop.call_soon_threadsafe(_settle, waiting.answer, value, error)


def _settle(waiting: asyncio.Future[Any], value: Any, error: Failure | None) -> None:
    if waiting.done():
        return
    if error is None:
        waiting.set_result(value)
    else:
        waiting.set_exception(as_exception(error))


def as_exception(error: Failure) -> Exception:
    """What code is to see raised."""
    kind = EXCEPTIONS.get(error.type)
    if kind is None:
        name = error.type if error.type.isidentifier() and len(error.type) <= 100 else "ToolError"
        kind = type(name, (Exception,), {})
    try:
        return kind(error.message)
    except Exception:  # UnicodeDecodeError and others want more than a text
        return RuntimeError(f"{error.type}: {error.message}")
