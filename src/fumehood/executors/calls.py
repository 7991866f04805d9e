"""Running the host's tools for code: each call in a thread of its own, or on an event loop if the
tool is asynchronous.

Not in the thread that waits for the cell: a tool that hangs must not keep the cell from being
stopped. A thread cannot be ended from outside, so a tool that hangs is left behind when its cell is
stopped, and what it returns one day is dropped. An asynchronous tool is cancelled.
"""

from __future__ import annotations

import asyncio
import contextvars
import functools
import inspect
import os
import threading
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any

from fumehood.errors import NoRoom
from fumehood.executors.trail import ToolCall, Trail
from fumehood.tools.arguments import checked
from fumehood.tools.describe import is_async
from fumehood.tools.shipping import packed, runs_in_sandbox

Answer = Callable[[Any, BaseException | None], None]
Outcome = tuple[Any, BaseException | None, bool]
"""A result, an error, and whether it is all over: an awaitable gives its answer itself, later."""

IN_TOOLS_OF: contextvars.ContextVar[frozenset[object]] = contextvars.ContextVar(
    "IN_TOOLS_OF", default=frozenset()
)
"""Whose tools are running here: they must not wait for the one they run for, which waits for
them."""

_MOST_THREADS = 64


class Tool:
    """One of the host's functions, made ready to be called."""

    def __init__(self, name: str, function: Any, owner: object) -> None:
        self.name = name
        self.function = function
        self.owner = owner
        self.is_async = is_async(function)
        self.check = checked(function, name)
        self.packed = packed(function) if runs_in_sandbox(function) else None
        """What is sent of it, if it is to run in the sandbox."""

    @classmethod
    def missing(cls, name: str) -> Tool:
        """Stands for a tool that code has a stub of, or made one up for, and that does not
        exist."""

        def missing(*args: Any, **kwargs: Any) -> None:
            raise NameError(f"there is no tool {name!r}")

        return cls("missing", missing, None)


class Calls:
    """The calls of one cell. After `stop` no call is begun and no answer is given."""

    def __init__(self, loop: asyncio.AbstractEventLoop | None, trail: Trail) -> None:
        self._context = contextvars.copy_context()
        self._trail = trail
        self._loop = loop
        self._tasks: set[Any] = set()
        self._awaited: deque[Callable[[], None]] = deque()
        self._is_giving = False
        self._stopped = False
        self._lock = threading.Lock()

    def start(self, tool: Tool, arguments: Any, answer: Answer) -> None:
        """Call a tool, soon and elsewhere; `answer` is called once with its result or its
        exception, unless the cell is stopped first."""
        if tool.is_async:
            self.run(
                tool,
                arguments,
                answer,
                # nothing of it happens here: its loop is told, which is less than to tell a thread to  # noqa: E501
                # do so
            )
        else:
            THREADS.run(functools.partial(self.run, tool, arguments, answer))

    def stop(self) -> None:
        with self._lock:
            self._stopped = True
            tasks = [*self._tasks]
        for task in tasks:
            task.cancel()

    def run(self, tool: Tool, arguments: Any, answer: Answer) -> None:
        """Call a tool here and now. What `answer` raises is raised."""
        if self._stopped:
            return
        try:
            args, kwargs = _arguments(arguments)
        except TypeError as refusal:
            (self._give_soon if tool.is_async else self._give)(answer, None, refusal)
            return
        context = self._context.copy()
        context.run(IN_TOOLS_OF.set, IN_TOOLS_OF.get() | {tool.owner})
        result, error, is_over = context.run(
            self._begin_async if tool.is_async else self._run, tool, args, kwargs, answer
        )
        if is_over:
            self._give(answer, result, error)

    def _run(self, tool: Tool, args: Any, kwargs: Any, answer: Answer) -> Outcome:
        with self._trail.calling(tool.name, args, kwargs) as call:
            try:
                args, kwargs = tool.check(args, kwargs)
                result = tool.function(*args, **kwargs)
                if inspect.isawaitable(result):
                    self._await(_wait(result, call), answer)
                    return None, None, False
            except BaseException as error:
                if call is not None:
                    call.done(None, error)
                return None, error, True
            if call is not None:
                call.done(result)
        return result, None, True

    def _begin_async(self, tool: Tool, args: Any, kwargs: Any, answer: Answer) -> Outcome:
        """What surrounds the run of such a tool is entered where it is awaited: in its task."""

        async def wait() -> Any:
            with self._trail.calling(tool.name, args, kwargs) as call:
                given, named = tool.check(args, kwargs)
                return await _wait(tool.function(*given, **named), call)

        self._await(wait(), answer)
        return None, None, False

    def _give(self, answer: Answer, result: Any, error: BaseException | None) -> None:
        if not self._stopped:
            answer(result, error)

    def _give_soon(self, answer: Answer, result: Any, error: BaseException | None) -> None:
        """From the event loop, or whoever reads what the sandbox sends: neither must wait for a
        sandbox that does not read. One thread for the cell gives one answer after the other."""
        with self._lock:
            self._awaited.append(functools.partial(self._give, answer, result, error))
            if self._is_giving:
                return
            self._is_giving = True
        try:
            THREADS.run(self._give_awaited)
        except (
            NoRoom
        ):  # no thread can be had: better that the loop waits than that the sandbox does
            self._give_awaited()

    def _give_awaited(self) -> None:
        while True:
            with self._lock:
                if not self._awaited:
                    self._is_giving = False
                    return
                give = self._awaited.popleft()
            give()

    def _await(self, awaitable: Coroutine[Any, Any, Any], answer: Answer) -> None:
        try:
            task = asyncio.run_coroutine_threadsafe(awaitable, self._loop or _background_loop())
        except (
            RuntimeError,
            OSError,
        ) as error:  # no thread or no descriptor for a loop, or a loop that is closed
            awaitable.close()
            self._give_soon(answer, None, error)
            return
        with self._lock:
            self._tasks.add(task)

        def done(finished: Any) -> None:
            with self._lock:
                self._tasks.discard(finished)
            if finished.cancelled():
                self._give_soon(answer, None, RuntimeError("the tool was cancelled"))
            else:
                error = finished.exception()
                self._give_soon(answer, None if error else finished.result(), error)

        task.add_done_callback(done)
        if self._stopped:
            task.cancel()


async def _wait(awaitable: Any, call: ToolCall | None) -> Any:
    return await (awaitable if call is None else call.told(awaitable))


def _arguments(value: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Arguments as they came from the sandbox: exactly a tuple and a dictionary with names,
    whatever it says."""
    if type(value) is tuple and len(value) == 2:
        args, kwargs = value
        if (
            type(args) is tuple
            and type(kwargs) is dict
            and all(type(name) is str for name in kwargs)
        ):
            return args, kwargs
    raise TypeError("a tool is called with positional and named arguments")


class _Threads:
    """Threads that wait to be used again. Handing work to one that waits costs a fraction of
    starting one.

    They are daemons: a tool that hangs must not keep the program from ending.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: deque[_Thread] = deque()
        self._queue: deque[Callable[[], None]] = deque()
        self._count = 0

    def run(self, work: Callable[[], None]) -> None:
        """Have it done, at once or when one is free. NoRoom if none is and none can be had."""
        with self._lock:
            if self._idle:
                thread = self._idle.pop()
            elif self._count < _MOST_THREADS:
                try:
                    thread = _Thread(self)
                except RuntimeError as error:
                    raise NoRoom(
                        f"no thread to run a tool in: {error}; close executors, or raise the limit"
                        " (ulimit -u)"
                    ) from None
                self._count += 1
            else:
                self._queue.append(work)
                return
        thread.hand(work)

    def next_work(self, thread: _Thread) -> Callable[[], None] | None:
        """More work for a thread that is done with its own; without any it waits."""
        with self._lock:
            if self._queue:
                return self._queue.popleft()
            self._idle.append(thread)
            return None


class _Thread:
    def __init__(self, threads: _Threads) -> None:
        self._threads = threads
        self._work: Callable[[], None] | None = None
        self._handed = threading.Lock()
        self._handed.acquire()
        threading.Thread(target=self._serve, name="fumehood-tool", daemon=True).start()

    def hand(self, work: Callable[[], None]) -> None:
        self._work = work
        self._handed.release()

    def _serve(self) -> None:
        while True:
            self._handed.acquire()
            work = self._work
            while work is not None:
                work()
                self._work = work = None
                work = self._threads.next_work(self)


THREADS = _Threads()


@functools.cache
def _background_loop() -> asyncio.AbstractEventLoop:
    """The loop on which asynchronous tools run when the caller has none."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="fumehood-loop", daemon=True).start()
    return loop


def _forget() -> None:
    """After a fork there are no threads left."""
    THREADS.__init__()  # type: ignore[misc]  # others hold a reference to it
    _background_loop.cache_clear()


os.register_at_fork(after_in_child=_forget)
