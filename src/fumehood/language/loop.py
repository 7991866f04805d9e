"""The event loop of guarded code, and of sessions with a clock of their own: tasks and timers, no
file descriptors. It runs in any thread, also inside of a host that has a loop of its own.

With a clock, timers are due by that, and so come in the same order each time. When there is nothing
to do, the first is waited for by the machine's clock, and the clock moves up to it. While there is
something to do, each callback counts as a step towards the timers that are there, or one that never
rests would never meet its timeout. These steps do not move the clock: how many there are before a
timer may depend on when the host answers.
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

from fumehood.language.clock import STEP, Clock

_SLICE = 0.05
"""The longest sleep in one piece: an exception thrown into a thread other than the main one arrives
only between pieces."""


_BaseLoop: Any = asyncio.BaseEventLoop


class _Timer(events.TimerHandle):
    """Due by the steps of the loop, too; `set_for` is the time without them."""

    __slots__ = ("set_for",)
    set_for: float
    _when: float
    _scheduled: bool


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
        self._clock = clock
        self._looks = self._looks_last = False
        self._steps = 0.0
        self._first: events.TimerHandle | None = None
        self._waited = 0.0
        super().__init__()
        self._halted = halted
        self._wait = wait
        self._wake = threading.Event()
        self._selector = self  # the base class asks it for what has happened

    def __del__(self) -> None:
        """Nothing is open that would have to be closed."""

    def set_debug(self, enabled: bool) -> None:
        """Stays off: in debug mode futures hold the stack of the host."""

    def time(self) -> float:
        if self._clock is None:
            return monotonic()
        if not self._looks:
            return self._clock.read_elapsed() / 1e9
        # How often the loop itself looks depends on the machine, and must not move the clock.
        if self._looks_last:
            self._looks = self._looks_last = False
        return self._clock.elapsed() / 1e9 + self._steps

    def call_later(
        self, delay: float, callback: Any, *args: Any, context: Any = None
    ) -> events.TimerHandle:
        if delay is None:
            raise TypeError("delay must not be None")
        now = monotonic() if self._clock is None else self._clock.elapsed() / 1e9
        return self.call_at(now + delay, callback, *args, context=context)

    def call_at(
        self, when: float, callback: Any, *args: Any, context: Any = None
    ) -> events.TimerHandle:
        if when is None:
            raise TypeError("when cannot be None")
        self._check_closed()
        timer = _Timer(when + self._steps, callback, args, self, context)
        timer.set_for, timer._scheduled = when, True
        heapq.heappush(self._scheduled, timer)
        return timer

    def _run_once(self) -> None:
        self._looks = True
        try:
            super()._run_once()
        finally:
            self._looks = self._looks_last = False

    def select(self, timeout: float | None) -> list[Any]:
        """Wait until there is something to do, or so long."""
        clock, first = self._clock, self._scheduled[0] if self._scheduled else None
        timeout = left = math.inf if timeout is None else timeout
        if clock is not None and first is not None:
            if first is not self._first:
                self._first, self._waited = first, 0.0
            left -= self._waited  # an answer of the host may have ended the last wait
        begin = monotonic()
        while True:
            halted = self._halted()
            if halted is not None:
                raise halted
            pause = min(begin + left - monotonic(), _SLICE)
            if self._ready or pause <= 0:
                break
            if not self._wait(pause):
                self._wake.wait(pause)
                self._wake.clear()
        self._waited += monotonic() - begin
        if clock is not None and first is not None and timeout and not self._ready:
            self._move_to(clock, first)
        return []

    def _process_events(self, found: list[Any]) -> None:
        clock, timers = self._clock, self._scheduled
        if clock is None:
            return
        for timer in timers:
            if timer._when <= clock.elapsed() / 1e9 + self._steps:
                self._move_to(clock, timer)
        self._steps += len(self._ready) * STEP / 1e9
        self._looks_last = True

    def _move_to(self, clock: Clock, timer: _Timer) -> None:
        """Have the clock show at least what a timer was set for."""
        clock.wait(math.ceil(timer.set_for * 1e9) + 1 - clock.elapsed())

    def _write_to_self(self) -> None:
        self._wake.set()

    def default_exception_handler(self, context: Any) -> None:
        error = context.get("exception")
        # What ends the cell is raised by the loop itself. A task may be left of a stopped cell.
        if self.is_running() and (error is None or isinstance(error, Exception)):
            message = context.get("message", "error in a task")
            print(message, *([] if error is None else [repr(error)]), file=sys.stderr)
