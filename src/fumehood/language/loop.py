"""The event loop of guarded code, and of sessions with a clock of their own: tasks and timers, no
file descriptors. It runs in any thread, also inside of a host that has a loop of its own.

With a clock, timers are due by that, and so come in the same order each time. When there is nothing
to do, the first is waited for by the machine's clock, and the clock moves up to it. While there is
something to do, each callback counts as a step towards the timers, or a task that never rests would
never meet its timeout. These steps do not move the clock: how many there are before a timer may
depend on when the host answers.
"""

from __future__ import annotations

import asyncio
import heapq
import math
import sys
import threading
from asyncio import events
from collections.abc import Callable
from time import monotonic  # by name: what is waited is waited by the machine's clock
from typing import Any

from fumehood.language.determinism import STEP, Clock
from fumehood.language.guarded.rules import LOOP_METHODS

_SLICE = 0.05
"""The longest sleep: an exception thrown into a thread arrives only between pieces."""

_BaseLoop: Any = asyncio.BaseEventLoop


class CellLoop(_BaseLoop):  # type: ignore[misc]
    """`halted` gives the exception that must end the cell, if there is one: a task would keep it to
    itself otherwise. `wait` is asked to pass the time when there is nothing to do; it is False if
    it has no better way than sleeping."""

    _debug = False

    def __init__(
        self,
        halted: Callable[[], BaseException | None] = lambda: None,
        wait: Callable[[float], bool] = lambda seconds: False,
        clock: Clock | None = None,
    ) -> None:
        super().__init__()
        self._timer_cancelled_count = 0
        self._clock = clock
        self._halted = halted
        self._wait = wait
        self._wake = threading.Event()
        self._first: events.TimerHandle | None = None
        self._due = math.inf
        self._steps = 0.0

    def __del__(self) -> None:
        """Nothing is open that would have to be closed."""

    def set_debug(self, enabled: bool) -> None:
        """Stays off: in debug mode futures hold the stack of the host."""

    def time(self) -> float:
        return monotonic() if self._clock is None else self._clock.read_elapsed() / 1e9

    def _now(self) -> float:
        """The time, without a reading: how often the loop looks depends on the machine."""
        return monotonic() if self._clock is None else self._clock.elapsed() / 1e9

    def _run_once(self) -> None:
        timers, ready = self._scheduled, self._ready
        if 2 * self._timer_cancelled_count > max(200, len(timers)):
            timers[:] = [timer for timer in timers if not timer._cancelled]
            heapq.heapify(timers)
            self._timer_cancelled_count = 0
        while timers and timers[0]._cancelled:
            heapq.heappop(timers)._scheduled = False
        self._rest(timers[0] if timers else None)
        now = self._now() + (self._steps if self._clock else 0)
        while timers and timers[0]._when <= now:
            timer = heapq.heappop(timers)
            timer._scheduled = False
            self._move_to(timer)
            ready.append(timer)
        self._steps += len(ready) * STEP / 1e9
        for _ in range(len(ready)):
            handle = ready.popleft()
            if not handle._cancelled:
                handle._run()

    def _rest(self, first: Any) -> None:
        """Wait until there is something to do, at most until the first timer is due."""
        if first is not self._first:  # an answer of the host may have ended the last wait for it
            left = math.inf if first is None else first._when - self._now()
            self._first, self._due = first, monotonic() + left
        while True:
            halted = self._halted()
            if halted is not None:
                raise halted
            pause = min(self._due - monotonic(), _SLICE)
            if self._ready or self._stopping:
                return None
            self._steps = 0.0
            if pause <= 0:
                return self._move_to(first)
            if not self._wait(pause):
                self._wake.wait(pause)
                self._wake.clear()

    def _move_to(self, timer: Any) -> None:
        """Have the clock show at least what a timer was set for."""
        if self._clock is not None:
            self._clock.wait(math.ceil(timer._when * 1e9) + 1 - self._clock.elapsed())

    def _write_to_self(self) -> None:
        self._wake.set()

    def default_exception_handler(self, context: Any) -> None:
        error = context.get("exception")
        # What ends the cell is raised by the loop itself. A task may be left of a stopped cell.
        if self.is_running() and isinstance(error, (Exception, type(None))):
            message = context.get("message", "error in a task")
            print(message, *([] if error is None else [repr(error)]), file=sys.stderr)


class GuardedLoop(CellLoop):
    """Without the methods that reach the machine: the abstract ones raise NotImplementedError."""


for _name in LOOP_METHODS.split():
    setattr(GuardedLoop, _name, getattr(asyncio.AbstractEventLoop, _name))
