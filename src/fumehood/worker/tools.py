"""Calls of the host's tools from code: numbered, so that any number may wait at once, in threads
and in tasks.

Whoever waits for something reads the wire, one thread at a time, and hands the others theirs:
answers to whoever called, anything else to the main loop. An event loop with nothing else to do
reads it too.
"""

from __future__ import annotations

import _thread
import ast
import asyncio
import builtins
import contextlib
import itertools
import keyword
import os
import threading
from asyncio import events, tasks
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from inspect import isawaitable
from time import sleep  # by name: code's own moves its clock
from types import FunctionType
from typing import Any

from fumehood.wire import messages
from fumehood.worker.line import Line

Received = tuple[Any, list[Any]]

_MOMENTS = 20
_LOOK = (
    0.05  # the reader wakes the others; this is for a reader that died of an exception thrown at it
)


class _Waiting:
    """One call on its way."""

    __slots__ = ("answer", "future", "is_done", "loop")

    def __init__(self, loop: Any = None, future: Any = None) -> None:
        self.is_done = False
        self.answer: Received | None = None
        self.loop = loop
        self.future = future

    def finish(self, answer: Received | None) -> None:
        """Done, with an answer, or with none because the cell is over."""
        self.answer = answer
        self.is_done = True
        if self.future is not None:
            self.loop.call_soon_threadsafe(_wake, self.future)


class Calls:
    def __init__(
        self,
        line: Line,
        encode: Callable[[tuple[Any, ...], dict[str, Any]], Any],
        decode: Callable[[Any, Any], Any],
        flush: Callable[[], None],
    ) -> None:
        self._line = line
        self._encode = encode
        self._decode = decode
        self._flush = flush
        self._numbers = itertools.count(1)
        self._waiting: dict[int, _Waiting] = {}
        self._inbox: deque[Received | None] = deque()
        self._reading = threading.Lock()
        self._reader: int | None = None
        self._changed = threading.Condition(threading.Lock())
        self._is_open = False
        self._pid = 0
        """The process that runs the cell. Code may fork others, whose calls get no answers."""
        self._cells = 0

    # -- the main loop

    def next_request(self) -> Received | None:
        """The next message that is not the answer to a call; None when the host is gone."""
        inbox = self._inbox
        while not inbox:
            if not self._reading.acquire(blocking=False):
                self._read_until(lambda: bool(inbox))
            elif inbox:  # by whoever was reading until now
                self._reading.release()
            else:
                self._read_and_release(None)
        return inbox.popleft()

    @property
    def is_idle(self) -> bool:
        """Whether no message waits to be handled."""
        return not self._inbox

    def begin_anew(self) -> None:
        """In a copy of this process: those who waited are not here."""
        self._waiting.clear()
        self._inbox.clear()
        self._reading = threading.Lock()
        self._changed = threading.Condition(threading.Lock())
        self._is_open = False

    def begin_cell(self) -> None:
        self._is_open = True
        self._cells += 1
        self._pid = os.getpid()

    def end_cell(self) -> None:
        """Calls that still wait are for nobody: the host no longer answers them."""
        self._is_open = False
        if self._reading.locked():
            self._stop_reading()
        if self._waiting:
            waiting = [*self._waiting.values()]
            self._waiting.clear()
            for one in waiting:
                one.finish(None)
            self._tell_others()

    def _stop_reading(self) -> None:
        """What stops a cell is an exception that may come at any moment: when its thread has just
        begun to read, too. Then nobody reads, and nobody else could. If it is another thread that
        has just begun, it will soon say so."""
        for _ in range(_MOMENTS):
            if not self._reading.locked() or self._reader not in (None, threading.get_ident()):
                return
            if not _thread._count():
                break
            sleep(0.001)
        self._reader = None
        self._reading.release()

    # -- what stubs call

    def call(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call a tool and wait for what it gives."""
        waiting = self._send(name, args, kwargs, _Waiting(), parallel=threading.active_count() > 1)
        self._read_until(lambda: waiting.is_done)
        if self._waiting:
            self._wake_loops()
        return self._result(waiting)

    def _wake_loops(self) -> None:
        """Let event loops read what was received together with another answer: the socket no
        longer shows it."""
        for loop in {one.loop for one in [*self._waiting.values()]} - {None}:
            with contextlib.suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(self._read_in_loop)

    async def acall(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call a tool and let other tasks go on meanwhile."""
        loop = asyncio.get_running_loop()
        future = loop.create_future()
        waiting = self._send(name, args, kwargs, _Waiting(loop, future), parallel=True)
        try:
            loop.add_reader(self._line.fileno(), self._read_in_loop)
            loop.call_soon(self._read_in_loop)  # the answer may have been read with another
        except NotImplementedError:
            pass  # a loop that calls wait_in_loop instead
        await future
        if not self._waiting:
            with contextlib.suppress(NotImplementedError):
                loop.remove_reader(self._line.fileno())
        return self._result(waiting)

    def _read_in_loop(self) -> None:
        """Called by an event loop when something has come."""
        while self._waiting and self._reading.acquire(blocking=False):
            if not self._read_and_release(0):
                return

    def wait_in_loop(self, seconds: float) -> bool:
        """Used by an event loop that has nothing to do: read, if a call waits. False if there is
        none to wait for."""
        if not self._waiting or not self._reading.acquire(blocking=False):
            return False
        self._read_and_release(seconds)
        return True

    def _send(
        self,
        name: str,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        waiting: _Waiting,
        *,
        parallel: bool,
    ) -> _Waiting:
        if os.getpid() != self._pid:
            raise RuntimeError("a forked process cannot call tools; only the cell's own can")
        self._flush()
        node, buffers = self._encode(args, kwargs)
        number = next(self._numbers)
        call = messages.CallTool(call=number, name=name, arguments=node, parallel=parallel)
        with self._line.sending:  # the end of the cell is sent before or after, not between
            if not self._is_open:
                raise RuntimeError("tools can be called only while a cell runs")
            self._waiting[number] = waiting
            self._line.send(call, buffers)
        return waiting

    def _result(self, waiting: _Waiting) -> Any:
        if waiting.answer is None:
            raise RuntimeError("the cell that called the tool is over")
        message, buffers = waiting.answer
        if message.type == "tool_returned":
            return self._decode(message.value, buffers)
        raise revive_failure(
            message.error, self._decode(message.arguments, buffers), message.message
        )

    # -- reading

    def _read_until(self, is_enough: Callable[[], bool]) -> None:
        while not is_enough():
            if self._reading.acquire(blocking=False):
                if is_enough():
                    self._reading.release()
                    return
                self._read_and_release(None)
            else:
                with self._changed:
                    if not is_enough():
                        self._changed.wait(_LOOK)

    def _read_and_release(self, seconds: float | None) -> bool:
        """Read a message, if one comes in time, and give it to the one that waits for it."""
        try:
            self._reader = threading.get_ident()
            # Many sandboxes run one cell: after it the next message may take long.
            received = self._line.receive(seconds, looks=self._is_open or self._cells > 1)
            if received is None:
                return False
            if received[0].type in ("tool_returned", "tool_raised"):
                waiting = self._waiting.pop(received[0].call, None)
                if waiting is not None:
                    waiting.finish(received)
            else:
                self._inbox.append(received)
            return True
        finally:
            self._reader = None
            self._reading.release()
            # as active_count, without a step through Python, and with threads that threading does
            # not know
            if _thread._count():
                self._tell_others()

    def _tell_others(self) -> None:
        with self._changed:
            self._changed.notify_all()


def _wake(future: Any) -> None:
    if not future.done():
        future.set_result(None)


# -- stubs


Call = Callable[[str, tuple[Any, ...], dict[str, Any]], Any]
AsyncCall = Callable[[str, tuple[Any, ...], dict[str, Any]], Awaitable[Any]]

ASYNC_NOTE = (
    "Asynchronous: `await {name}(...)` where code is awaited; elsewhere {name}(...) waits and gives"
    " the value."
)
"""Added to the documentation of a tool that is an `async def` on the host."""


class ToolError(RuntimeError):
    """A tool failed with an exception that this Python does not have. `type_name` is what it was
    called on the host."""

    def __init__(self, *args: Any, type_name: str = "") -> None:
        super().__init__(*args)
        self.type_name = type_name


# Code meets it as an error of its tools, not of a module that it cannot import.
ToolError.__module__ = "tools"

# Exceptions that end programs or tasks (SystemExit, KeyboardInterrupt, …) are not in it: a tool
# must not end the cell with one.
_EXCEPTIONS: dict[str, type[Exception]] = {
    name: kind
    for name, kind in vars(builtins).items()
    if isinstance(kind, type) and issubclass(kind, Exception)
}


def make_stub(spec: Mapping[str, Any], call: Call, acall: AsyncCall) -> Callable[..., Any]:
    """The function that code gets for a tool. `call(name, args, kwargs)` waits for the result,
    `acall` gives an awaitable of it.

    `stub(...)` gives the result, and `await stub.aio(...)` does without blocking other tasks. A
    tool that is an `async def` on the host may be awaited as such: called inside a running task,
    `stub(...)` is the coroutine. Exceptions are those of `call`, without its frames and its
    context.
    """
    name = str(spec["name"])

    async def aio(*args: Any, **kwargs: Any) -> Any:
        try:
            return await acall(name, args, kwargs)
        except Exception as error:
            failure = _bare(error)
        raise failure

    def stub(*args: Any, **kwargs: Any) -> Any:
        try:
            return call(name, args, kwargs)
        except Exception as error:
            failure = _bare(error)
        raise failure

    if spec.get("is_async"):
        stub = _awaitable_in_tasks(stub, aio)
    doc = str(spec.get("doc") or "")
    if spec.get("is_async"):
        doc = f"{doc}\n\n{ASYNC_NOTE.format(name=name)}".strip()
    parameters = [p for p in spec.get("parameters", ()) if p.get("annotation")]
    functions: list[tuple[Any, str]] = [(stub, name), (aio, f"{name}.aio")]
    for function, called in functions:
        function.__name__, function.__qualname__, function.__module__ = (
            called.rpartition(".")[2],
            called,
            "tools",
        )
        function.__doc__ = doc or None
        function.__annotations__ = {p["name"]: p["annotation"] for p in parameters}
        if spec.get("returns"):
            function.__annotations__["return"] = spec["returns"]
        shown = _shown(spec, called)
        if shown is not None:
            function.__wrapped__ = shown
    stub.aio = aio  # type: ignore[attr-defined]
    return stub


def callers(function: Callable[..., Any], new_loop: Callable[[], Any]) -> tuple[Call, AsyncCall]:
    """How a stub calls a function that runs here and not on the host. One that is asynchronous, and
    is not awaited, gets a loop."""

    def call(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        result = function(*args, **kwargs)
        if not isawaitable(result):
            return result
        loop = new_loop()
        try:
            return loop.run_until_complete(result)
        finally:
            loop.close()

    async def acall(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        result = function(*args, **kwargs)
        return await result if isawaitable(result) else result

    return call, acall


def _awaitable_in_tasks(
    stub: Callable[..., Any], aio: Callable[..., Coroutine[Any, Any, Any]]
) -> Callable[..., Any]:
    def either(*args: Any, **kwargs: Any) -> Any:
        loop = events._get_running_loop()
        if loop is not None and tasks.current_task(loop) is not None:
            return aio(*args, **kwargs)
        return stub(*args, **kwargs)

    return either


def _bare(error: Exception) -> Exception:
    """The exception without what the machinery left on it."""
    error.__cause__ = error.__context__ = None
    return error.with_traceback(None)


# -- exceptions


def revive_failure(type_name: str, args: list[Any] | tuple[Any, ...], message: str) -> Exception:
    """The exception that a tool raised, from what the host tells of it: Python's own type with the
    same arguments, else a ToolError."""
    kind = _EXCEPTIONS.get(type_name)
    if kind is not None:
        try:
            made = kind(*args)
        except Exception:
            # UnicodeDecodeError and others want arguments of certain types, which did not travel
            pass
        else:
            return made
    return ToolError(f"{type_name}: {message}" if message else type_name, type_name=type_name)


# -- signatures


class _Text:
    """Shows itself as a piece of source: inspect prints the repr of what stands for an annotation
    or a default."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


def _template() -> None:
    raise TypeError("this only shows the signature of a tool; call the tool itself")


_VARARGS, _VARKEYWORDS = 0x04, 0x08  # flags of a code object, as inspect names them


def _shown(spec: Mapping[str, Any], called: str) -> Callable[..., Any] | None:
    """A function with the parameters of a spec, for `inspect` to read; None when they are not
    parameters that Python could have."""
    by_kind: dict[str, list[Mapping[str, Any]]] = {}
    for parameter in spec.get("parameters", ()):
        by_kind.setdefault(parameter["kind"], []).append(parameter)
    positional = by_kind.get("positional_only", []) + by_kind.get("positional_or_keyword", [])
    keyword_only = by_kind.get("keyword_only", [])
    stars, double_stars = by_kind.get("var_positional", []), by_kind.get("var_keyword", [])
    everything = [*positional, *keyword_only, *stars, *double_stars]
    names = tuple(str(p["name"]) for p in everything)
    bad_name = any(not n.isidentifier() or keyword.iskeyword(n) for n in names) or len(
        set(names)
    ) < len(names)
    defaults = [_value(p["default"]) for p in positional if p.get("default") is not None]
    misplaced = any(p.get("default") is None for p in positional[len(positional) - len(defaults) :])
    if bad_name or misplaced or len(stars) > 1 or len(double_stars) > 1:
        return None
    code = _template.__code__
    code = code.replace(
        co_argcount=len(positional),
        co_posonlyargcount=len(by_kind.get("positional_only", [])),
        co_kwonlyargcount=len(keyword_only),
        co_nlocals=len(names),
        co_varnames=names,
        co_flags=code.co_flags | _VARARGS * bool(stars) | _VARKEYWORDS * bool(double_stars),
        co_name=called.rpartition(".")[2],
        co_qualname=called,
    )
    shown = FunctionType(code, {"__name__": "tools"}, called.rpartition(".")[2], tuple(defaults))
    shown.__kwdefaults__ = {
        p["name"]: _value(p["default"]) for p in keyword_only if p.get("default") is not None
    }
    shown.__annotations__ = {
        p["name"]: _Text(p["annotation"]) for p in everything if p.get("annotation")
    }
    if spec.get("returns"):
        shown.__annotations__["return"] = _Text(spec["returns"])
    return shown


def _value(text: str) -> Any:
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return _Text(text)
    return value if value is not Ellipsis and repr(value) == text else _Text(text)
