"""The event loop of guarded code, and of sessions with a clock of their own: tasks and timers, no
file descriptors. It runs in any thread, also inside of a host that has a loop of its own.

With a clock, timers are due by that, and so come in the same order each time. When there is nothing
to do, the first is waited for by the machine's clock, and the clock moves up to it. Otherwise each
callback counts as a step towards the timers, or a task that never rests would never meet its
timeout. Steps do not move the clock: their number may depend on when the host answers.
"""

from __future__ import annotations

import asyncio
import math
import sys
import threading
from asyncio import events
from collections.abc import Callable
from time import monotonic  # by name: what is waited is waited by the machine's clock
from typing import Any

from fumehood.language.determinism import STEP, Clock

_SLICE = 0.05
"""The longest sleep: an exception thrown into a thread arrives only between pieces."""

_BaseLoop: Any = asyncio.BaseEventLoop


class CellLoop(_BaseLoop):  # type: ignore[misc]
    """asyncio's own, in the place of whose selector it waits itself.

    `halted` gives the exception that must end the cell, if there is one: a task would keep it to
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
        self._selector = self
        self._clock = clock
        self._halted = halted
        self._wait = wait
        self._wake = threading.Event()
        self._first: events.TimerHandle | None = None
        self._due = math.inf
        self._steps = 0

    def __del__(self) -> None:
        """Nothing is open that would have to be closed."""

    def set_debug(self, enabled: bool) -> None:
        """Stays off: in debug mode futures hold the stack of the host."""

    def time(self) -> float:
        if self._clock is None:
            return monotonic()
        # How often the loop itself looks depends on the machine: that is no reading.
        is_own = sys._getframe(1).f_code in _OWN_LOOKS
        return (self._clock.elapsed if is_own else self._clock.read_elapsed()) / 1e9

    def select(self, timeout: float | None) -> tuple[()]:
        """Wait until there is something to do, at most until the first timer is due."""
        first = self._scheduled[0] if self._scheduled else None
        if first is not self._first:  # an answer of the host may have ended the last wait for it
            left = math.inf if first is None else first._when - self.time()
            self._first, self._due = first, monotonic() + left
        while True:
            halted = self._halted()
            if halted is not None:
                raise halted
            pause = min(self._due - monotonic(), _SLICE)
            is_busy = self._ready or self._stopping
            if is_busy or pause <= 0:
                break
            self._steps = 0
            if not self._wait(pause):
                self._wake.wait(pause)
                self._wake.clear()
        self._steps = self._steps + len(self._ready) * STEP if is_busy else 0
        if self._clock is not None and first is not None:
            left = math.ceil(first._when * 1e9) + 1 - self._clock.elapsed
            if left <= self._steps or not is_busy:
                self._clock.wait(left)
        return ()

    def _process_events(self, event_list: Any) -> None:
        """There are none: whatever comes from outside wakes the loop."""

    def _write_to_self(self) -> None:
        self._wake.set()

    def default_exception_handler(self, context: Any) -> None:
        error = context.get("exception")
        # What ends the cell is raised by the loop itself. A task may be left of a stopped cell.
        if self.is_running() and isinstance(error, (Exception, type(None))):
            message = context.get("message", "error in a task")
            print(message, *([] if error is None else [repr(error)]), file=sys.stderr)


_OWN_LOOKS = (_BaseLoop._run_once.__code__, CellLoop.select.__code__)
