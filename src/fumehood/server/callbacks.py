"""Tools by callback: a client declares them, code in its sandbox calls them, and the client
answers.

A call is open from the moment code makes it until it is answered, its time is over, or its cell is.
It is told to whoever reads the run that makes it, else to everybody who listens to the sandbox; and
it is in the list of open calls in any case. An answer is taken once, for a call that is open; any
other is refused, and says why.

Nothing here holds a thread while a client thinks: a declared tool is asynchronous, and its calls
wait on an event loop.
"""

from __future__ import annotations

import asyncio
import builtins
import contextlib
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import UNSET, UnsetType

from fumehood.asked import shown
from fumehood.audit.values import encode_value, is_plain
from fumehood.server.events_stream import Events, Run
from fumehood.server.live_shapes import Declared, Failure, Over, ToolCall
from fumehood.server.outcomes import value_of
from fumehood.server.refusals import Busy, Conflict, Gone, Invalid, NotFound
from fumehood.tools.tool import Tool

if TYPE_CHECKING:
    from fumehood.executors.local import LocalPythonExecutor
    from fumehood.server.sandbox import Sandbox
    from fumehood.server.server import Server

MOST_OPEN: Final = 64
"""Calls of one sandbox that may be open at once."""
MOST_TOOLS: Final = 100
"""Tools of one context."""
MOST_LISTENERS: Final = 8
"""WebSockets to one sandbox."""
MOST_ARGUMENTS: Final = 1 << 20
"""Bytes of a call's arguments, as JSON."""
_AT_ONCE: Final = 10_000
"""Bytes of arguments that are encoded there and then."""
REMEMBERED: Final = 256
"""Calls that are over and still known: an answer to one is told apart from an answer to nothing."""

EXCEPTIONS: Final = {
    name: kind
    for name, kind in vars(builtins).items()
    if isinstance(kind, type)
    and issubclass(kind, Exception)
    and not issubclass(kind, (StopIteration, StopAsyncIteration))
}
"""Exceptions that a client may name. Those that end loops mean something else to whoever waits for
a call."""


class _Open:
    """A call that waits for its answer, on a loop."""

    __slots__ = ("answer", "loop", "told")

    def __init__(self, told: ToolCall) -> None:
        self.told = told
        self.loop = asyncio.get_running_loop()
        self.answer: asyncio.Future[Any] = self.loop.create_future()

    def settle(self, value: Any, error: Failure | None) -> None:
        """From any thread."""
        with contextlib.suppress(RuntimeError):  # its loop is closed
            self.loop.call_soon_threadsafe(_settle, self.answer, value, error)


class Callbacks:
    """The calls of one sandbox's tools, from all its contexts. From any thread."""

    def __init__(self, on_end: Callable[[str], None], conversions: asyncio.Semaphore) -> None:
        """`on_end` is called with how each call ends: answered, raised, timeout, refused, dropped.
        `conversions` bounds how many answers of the key are converted at once."""
        self._on_end = on_end
        self._conversions = conversions
        self._lock = threading.Lock()
        self._open: dict[str, _Open] = {}
        self._over: OrderedDict[str, str] = OrderedDict()
        self._listeners: list[Events] = []
        self._readers: dict[str, tuple[Events, Run]] = {}
        self._is_closed = False
        self.tools: dict[str, dict[str, Declared]] = {}
        """What was declared, by context and name."""

    # -- who is told

    def listen(self, events: Events) -> None:
        """Tell this reader of calls that nobody else is told of; of those too that are open
        already. Busy if too many listen."""
        with self._lock:
            if len(self._listeners) >= MOST_LISTENERS:
                raise Busy(f"{MOST_LISTENERS} connections to this sandbox are the most")
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

    def close(self) -> None:
        """The sandbox has ended: whoever listens is told, and nothing waits any more."""
        with self._lock:
            self._is_closed = True
            listeners, self._listeners = self._listeners, []
            waiting = [*self._open.values()]
        for listener in listeners:
            listener.tell(Over())
        for call in waiting:
            call.settle(None, Failure(message="the sandbox has ended"))

    def _tell(self, context: str, told: ToolCall, size: int) -> None:
        reader = self._readers.get(context)
        if reader is not None and not reader[0].is_closed:
            events, run = reader
            if not events.offer(msgspec.structs.replace(told, run=run.name), size):
                raise RuntimeError(
                    "the client does not read what it is told, so it was not told of this call"
                )
            return
        for listener in self._listeners:
            listener.offer(told, size)

    # -- tools

    def declare(
        self, context: str, executor: LocalPythonExecutor, declared: Iterable[Declared]
    ) -> None:
        """Let code in a context call these tools. In a thread, when it is the executor's turn.
        ToolError for one that cannot be."""
        known = self.tools.get(context, {})
        wanted = {**known, **{tool.name: tool for tool in declared}}
        if len(wanted) > MOST_TOOLS:
            raise Invalid(f"a context has at most {MOST_TOOLS} tools")
        executor.send_tools(
            {
                tool.name: self._tool(context, tool)
                for tool in wanted.values()
                if known.get(tool.name) is not tool
            }
        )
        self.tools[context] = wanted

    def _tool(self, context: str, declared: Declared) -> Tool:
        async def forward(**arguments: Any) -> Any:
            return await self._call(context, declared, arguments)

        inputs = {
            name: {"type": row.type, "description": row.description, "nullable": row.nullable}
            for name, row in declared.inputs.items()
        }
        return Tool(
            forward,
            name=declared.name,
            description=declared.description,
            inputs=inputs,
            output_type=declared.output_type,
        )

    async def forked(self, fork: Sandbox) -> None:
        """Let a fork have the same tools. Its calls are its own."""
        own = fork.extras["callbacks"] = Callbacks(self._on_end, self._conversions)
        tools = self.tools.get("")
        if tools:
            await fork.do(own.declare, "", fork.executor, [*tools.values()])

    # -- calls

    async def _call(self, context: str, tool: Declared, arguments: dict[str, Any]) -> Any:
        outcome, call = "refused", secrets.token_hex(12)
        waiting: _Open | None = None
        try:
            waiting = self._begin(context, tool, call, *await _typed(tool.name, arguments))
            outcome = "dropped"
            await asyncio.wait([waiting.answer], timeout=tool.timeout_seconds)
            if not waiting.answer.done() and self._withdraw(call):
                outcome = "timeout"
                raise TimeoutError(
                    f"{tool.name} was not answered within {tool.timeout_seconds:g} seconds"
                )
            value = await waiting.answer  # which is there, or was taken this moment
            outcome = "answered"
            return value
        except Exception:
            outcome = "raised" if outcome == "dropped" else outcome
            raise
        finally:
            if waiting is not None:
                waiting.answer.cancel()  # nobody looks at it any more
            self._end(call, outcome)

    def _begin(
        self, context: str, tool: Declared, call: str, arguments: dict[str, Any], size: int
    ) -> _Open:
        told = ToolCall(
            call=call, tool=tool.name, arguments=arguments, timeout_seconds=tool.timeout_seconds
        )
        waiting = _Open(told)
        with self._lock:
            if self._is_closed:
                raise RuntimeError("the sandbox has ended")
            if len(self._open) >= MOST_OPEN:
                raise RuntimeError(
                    f"{MOST_OPEN} calls wait for their answers already, and no more may at once"
                )
            self._tell(context, told, size)
            self._open[call] = waiting
        return waiting

    def _withdraw(self, call: str) -> bool:
        """Whether nobody has answered."""
        with self._lock:
            return self._open.pop(call, None) is not None

    def _end(self, call: str, outcome: str) -> None:
        with self._lock:
            self._open.pop(call, None)
            self._over[call] = outcome
            while len(self._over) > REMEMBERED:
                self._over.popitem(last=False)
        self._on_end(outcome)

    # -- answers

    def open_calls(self) -> list[ToolCall]:
        with self._lock:
            return [waiting.told for waiting in self._open.values()]

    async def take(self, call: str, value: Any, error: Failure | UnsetType) -> None:
        """An answer as it comes: typed JSON, or an error."""
        if (value is UNSET) == (error is UNSET):
            raise Invalid("an answer has a `value` or an `error`, and not both")
        if isinstance(error, Failure):
            self.answer(call, None, error)
        elif isinstance(value, dict) and "$wire" in value:
            async with self._conversions:  # which takes time that the loop has not
                value = await asyncio.to_thread(value_of, value)
            self.answer(call, value, None)
        else:
            self.answer(call, value, None)

    def answer(self, call: str, value: Any, error: Failure | None) -> None:
        """The client's answer: a value as it is to be sent to the sandbox, or an error. NotFound,
        Conflict or Gone if nobody waits for it."""
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
            raise NotFound(f"no call {shown(call)} is open in this sandbox")
        waiting.settle(value, error)


async def _typed(tool: str, arguments: dict[str, Any]) -> tuple[dict[str, Any], int]:
    """Arguments as typed JSON, and about how many bytes they are. ValueError for more than a client
    is sent."""
    if all(is_plain(value, _AT_ONCE) for value in arguments.values()):
        given = {name: encode_value(value, MOST_ARGUMENTS) for name, value in arguments.items()}
    else:  # which takes time that the loop has not
        given = await asyncio.to_thread(
            lambda: {name: encode_value(value, MOST_ARGUMENTS) for name, value in arguments.items()}
        )
    size = len(msgspec.json.encode(given))
    cut = [name for name, value in given.items() if isinstance(value, dict) and "$cut" in value]
    if cut or size > MOST_ARGUMENTS:
        what = f"the argument {cut[0]!r}" if cut else "the arguments"
        raise ValueError(
            f"{what} cannot be sent to {tool}: {MOST_ARGUMENTS:,} bytes are the most, of values"
            " that can be sent at all"
        )
    return given, size


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


def callbacks_of(server: Server, sandbox: Sandbox) -> Callbacks:
    """The one that a sandbox has; made when it is first asked for, on the event loop."""
    found: Callbacks | None = sandbox.extras.get("callbacks")
    if found is None:
        found = sandbox.extras["callbacks"] = Callbacks(
            server.metrics.tool_call, sandbox.key.conversions
        )
    for context in [
        context for context in found.tools if context and context not in sandbox.contexts
    ]:
        del found.tools[context]  # it was closed
    return found
