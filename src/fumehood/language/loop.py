"""The sandbox's own event loop: tasks, timers and nothing else. No sockets, no subprocesses, no
threads, no file descriptors.

It is built on the abstract loop and not on asyncio's base loop: every method that would reach the
machine is the abstract one, which raises NotImplementedError, so there is nothing behind it to
reach. It also runs in any thread and inside a host that has a loop of its own.
"""

from __future__ import annotations

import asyncio
import heapq
import math
import sys
import threading
import weakref
from asyncio import events
from collections import deque
from collections.abc import Callable
from time import monotonic  # by name: what is waited is waited by the machine's clock
from typing import Any

from fumehood.language.clock import STEP, Clock

_SLICE = 0.05
"""The longest sleep in one piece: an exception thrown into a thread other than the main one arrives
only between pieces."""


class CellLoop(asyncio.AbstractEventLoop):
    """`halted` gives the exception that must end the cell, if there is one: a task would keep it to
    itself otherwise.

    `wait` is asked to pass the time when there is nothing to do; it is False if it has no better
    way than sleeping.

    With a `clock`, timers are due by that, and so come in the same order each time. When there is
    nothing to do, the first is waited for by the machine's clock, and the clock moves up to it.
    While there is something to do, each callback counts as a step towards the timers that are
    there, or one that never rests would never meet its timeout. These steps do not move the clock:
    how many there are before a timer may depend on when the host answers.
    """

    def __init__(
        self,
        halted: Callable[[], BaseException | None] = lambda: None,
        wait: Callable[[float], bool] = lambda seconds: False,
        clock: Clock | None = None,
    ) -> None:
        self._ready: deque[events.Handle] = deque()
        self._timers: list[tuple[float, int, events.TimerHandle, float]] = []
        self._count = 0
        self._running = False
        self._stopping = False
        self._closed = False
        self._halted = halted
        self._wait = wait
        self._clock = clock
        self._steps = 0.0
        self._wake = threading.Event()
        self._generators: weakref.WeakSet[Any] = weakref.WeakSet()
        self._exception_handler: Callable[..., Any] | None = None

    # -- scheduling

    def time(self) -> float:
        return monotonic() if self._clock is None else self._clock.read_elapsed() / 1e9

    def _now(self) -> float:
        """The time, for the loop itself: how often it looks depends on the machine, and must not
        move the clock."""
        return monotonic() if self._clock is None else self._clock.elapsed() / 1e9

    def call_soon(self, callback: Any, *args: Any, context: Any = None) -> events.Handle:  # type: ignore[override]
        self._check_open()
        handle = events.Handle(callback, args, self, context)
        self._ready.append(handle)
        return handle

    def call_soon_threadsafe(self, callback: Any, *args: Any, context: Any = None) -> events.Handle:  # type: ignore[override]
        handle = self.call_soon(callback, *args, context=context)
        self._wake.set()
        return handle

    def call_later(  # type: ignore[override]
        self, delay: float, callback: Any, *args: Any, context: Any = None
    ) -> events.TimerHandle:
        if delay is None:
            raise TypeError("delay must not be None")
        return self.call_at(self._now() + delay, callback, *args, context=context)

    def call_at(  # type: ignore[override]
        self, when: float, callback: Any, *args: Any, context: Any = None
    ) -> events.TimerHandle:
        if when is None:
            raise TypeError("when cannot be None")
        self._check_open()
        timer = events.TimerHandle(when, callback, args, self, context)
        self._count += 1
        by_machine = when if self._clock is None else monotonic() + when - self._now()
        heapq.heappush(self._timers, (when + self._steps, self._count, timer, by_machine))
        return timer

    def _timer_handle_cancelled(self, handle: events.TimerHandle) -> None:
        if len(self._timers) > 100:
            self._timers = [entry for entry in self._timers if not entry[2].cancelled()]
            heapq.heapify(self._timers)

    def create_future(self) -> asyncio.Future[Any]:
        return asyncio.Future(loop=self)

    def create_task(
        self, coro: Any, *, name: Any = None, context: Any = None, **kwargs: Any
    ) -> asyncio.Task[Any]:
        self._check_open()
        return asyncio.Task(coro, loop=self, name=name, context=context, **kwargs)

    # -- running

    def run_until_complete(self, future: Any) -> Any:
        self._check_open()
        self._check_idle()
        is_new = not asyncio.isfuture(future)
        task = asyncio.ensure_future(future, loop=self)
        task.add_done_callback(self._stop_when_done)
        try:
            self.run_forever()
        except BaseException:
            if is_new and task.done() and not task.cancelled():
                task.exception()  # the caller has the error; asyncio need not complain
            raise
        finally:
            task.remove_done_callback(self._stop_when_done)
        if not task.done():
            raise RuntimeError("Event loop stopped before Future completed.")
        return task.result()

    def _stop_when_done(self, task: asyncio.Future[Any]) -> None:
        self._stopping = True

    def run_forever(self) -> None:
        self._check_open()
        self._check_idle()
        hooks = sys.get_asyncgen_hooks()
        self._running = True
        events._set_running_loop(self)
        sys.set_asyncgen_hooks(firstiter=self._generators.add, finalizer=self._finalize_generator)
        try:
            while True:
                self._run_once()
                if self._stopping:
                    break
        finally:
            self._stopping = self._running = False
            events._set_running_loop(None)
            sys.set_asyncgen_hooks(*hooks)

    def _run_once(self) -> None:
        timers, ready = self._timers, self._ready
        while timers and timers[0][2].cancelled():
            heapq.heappop(timers)
        waited_for = -math.inf
        if not ready and not self._stopping:
            pause = timers[0][3] - monotonic() if timers else _SLICE
            if pause <= 0:
                waited_for = timers[0][0]
            elif pause > 0 and not self._wait(min(pause, _SLICE)):  # it may be no number
                self._wake.wait(min(pause, _SLICE))
                self._wake.clear()
        now = max(waited_for, self._now() + self._steps)
        while timers and timers[0][0] <= now:
            handle = heapq.heappop(timers)[2]
            if not handle.cancelled():
                self._move_to(handle)
                ready.append(handle)
        if self._clock is not None:
            self._steps += len(ready) * STEP / 1e9
        for _ in range(len(ready)):
            handle_now = ready.popleft()
            if not handle_now.cancelled():
                handle_now._run()
        halted = self._halted()
        if halted is not None:
            raise halted

    def _move_to(self, timer: events.TimerHandle) -> None:
        """Have the clock show at least what a timer was set for."""
        if self._clock is not None:
            self._clock.wait(math.ceil(timer.when() * 1e9) + 1 - self._clock.elapsed())

    def stop(self) -> None:
        self._stopping = True

    def is_running(self) -> bool:
        return self._running

    def is_closed(self) -> bool:
        return self._closed

    def close(self) -> None:
        if self._running:
            raise RuntimeError("Cannot close a running event loop")
        self._closed = True
        self._ready.clear()
        self._timers.clear()

    def _check_open(self) -> None:
        if self._closed:
            raise RuntimeError("Event loop is closed")

    def _check_idle(self) -> None:
        if self._running:
            raise RuntimeError("This event loop is already running")
        if events._get_running_loop() is not None:
            raise RuntimeError("Cannot run the event loop while another loop is running")

    # -- the rest of what asyncio asks of a loop

    def _finalize_generator(self, generator: Any) -> None:
        self._generators.discard(generator)
        if not self._closed:
            self.call_soon(self.create_task, generator.aclose())

    async def shutdown_asyncgens(self) -> None:
        left = list(self._generators)
        self._generators.clear()
        await asyncio.gather(*(generator.aclose() for generator in left), return_exceptions=True)

    async def shutdown_default_executor(self, timeout: Any = None) -> None:
        return None  # there is none

    def get_debug(self) -> bool:
        return False

    def set_debug(self, enabled: bool) -> None:
        """Stays off: in debug mode futures hold the stack of the host."""

    def get_task_factory(self) -> None:
        return None

    def set_exception_handler(self, handler: Any) -> None:
        self._exception_handler = handler

    def get_exception_handler(self) -> Any:
        return self._exception_handler

    def default_exception_handler(self, context: Any) -> None:
        if not self._running:
            return  # a task left over from a stopped cell
        error = context.get("exception")
        print(
            context.get("message", "error in a task"),
            *([repr(error)] if error is not None else []),
            file=sys.stderr,
        )

    def call_exception_handler(self, context: Any) -> None:
        error = context.get("exception")
        if isinstance(error, BaseException) and not isinstance(error, Exception):
            return  # what ends the cell is raised by the loop itself
        (
            self._exception_handler
            or (lambda loop, context: self.default_exception_handler(context))
        )(self, context)
