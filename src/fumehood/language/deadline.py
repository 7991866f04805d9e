"""Stopping a cell that runs in the caller's own thread, at its time limit or when asked.

In the main thread a signal is raised: it interrupts sleeps and locks, and reaches even C code that
looks for signals (regular expressions, big integers). Into any other thread another thread throws
an exception, which arrives between two bytecodes. What neither stops is a C call that never looks.

Code may catch what is thrown, so the exception arms a trace as it is made: the next line that runs
in the cell's frames raises it again, also inside of the `except` block that caught it. And it is
thrown again every few milliseconds until the cell is gone.
"""

from __future__ import annotations

import ctypes
import signal
import sys
import threading
import types
from _thread import start_new_thread
from collections.abc import Callable
from math import inf
from time import monotonic  # by name: code may have another clock
from typing import Any

from fumehood.errors import CellStopped
from fumehood.wire.messages import INTERRUPT_SIGNAL, TIMEOUT_SIGNAL

_AGAIN = 0.02
_MIN_TIMER = 0.0005
_ROOM = 50


class _Stop(CellStopped):
    """What is thrown into another thread. Making one, in that thread, arms the trace."""

    def __new__(cls, *args: Any) -> _Stop:
        _arm_trace()
        return super().__new__(cls, *args)


def _arm_trace() -> None:
    """From now on every line of the cell raises. A trace that raises is taken off by Python, so a
    profile puts it back whenever a function is left: a `finally` block cannot outrun it."""
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None:
        if _is_cell(frame):
            frame.f_trace = _trace
        frame = frame.f_back
    sys.settrace(_trace)
    sys.setprofile(_profile)


def _trace(frame: types.FrameType, event: str, arg: Any) -> Any:
    if event == "line" and _is_cell(frame):
        _raised[0] += 1
        raise CellStopped()
    return _trace


_raised = [0]  # how often the trace has raised, in any thread


def _profile(frame: types.FrameType, event: str, arg: Any) -> None:
    if sys.gettrace() is None:
        caller = frame.f_back if event == "return" else frame
        if caller is not None and _is_cell(caller):
            caller.f_trace = _trace
        sys.settrace(_trace)


def _is_cell(frame: types.FrameType) -> bool:
    return frame.f_code.co_filename.startswith("<cell ")


_MACHINERY = {
    function.__code__ for function in (_arm_trace, _trace, _profile, _is_cell, _Stop.__new__)
}


class Deadline:
    """Runs a function with a time limit. One at a time per object; `stop` may be called from any
    thread while it runs.

    Afterwards `reason` says why the function was stopped: None (it was not), "timeout",
    "interrupt", or "signal" for one that was meant for the host.
    """

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds
        self._lock = threading.RLock()
        self._thread = 0
        self.is_idle = True
        """Whether no function runs, so that nothing is thrown."""
        self._is_main = False
        self._over = threading.Event()
        self._has_watch = True
        """Whether the thread that watches the time has begun. Until then Python 3.11 takes it for
        the thread that started it, and would throw into it."""
        self._forwarded: int | None = None
        self._due = inf
        self._borrowed: tuple[Any, float, float] | None = None
        """The handler of SIGALRM, when its timer is due, and the timer's interval."""
        self.reason: str | None = None

    def stop(self, reason: str = "interrupt") -> bool:
        """Ask for the running function to be stopped. False if none is running."""
        with self._lock:
            if self.is_idle:
                return False
            self.reason = self.reason or reason
            # While the lock is held, the function's end waits, and with it our handler of SIGALRM.
            if self._is_main:
                signal.pthread_kill(self._thread, signal.SIGALRM)  # the handler throws
            else:
                start_new_thread(self._throw_until, (self._over,))
        return True

    def forward(self) -> None:
        """Let the host have the signal that stopped the cell, as if it had arrived just now:
        Ctrl-C, an alarm of its own, or the end of a cell around this one."""
        signum, self._forwarded = self._forwarded, None
        if signum is not None:
            signal.raise_signal(signum)

    def run(self, function: Callable[[], None]) -> None:
        """Call the function, which handles its exceptions. `reason` says whether it was stopped."""
        self._thread = threading.get_ident()
        self._is_main = threading.current_thread() is threading.main_thread()
        self.reason = None
        over = self._over = threading.Event()
        previous = sys.gettrace(), sys.getprofile(), sys.getrecursionlimit()
        takes_interrupt = False
        if self._is_main:
            self._due = inf if self._seconds is None else monotonic() + self._seconds
            takes_interrupt = signal.getsignal(signal.SIGINT) is signal.default_int_handler
            if takes_interrupt:
                signal.signal(signal.SIGINT, self._on_signal)
            self._borrow_timer(self._seconds or 0.0)
        elif self._seconds is not None:
            self._has_watch = False
            start_new_thread(self._watch, (over,))
        self.is_idle = False
        try:
            function()
        except CellStopped:
            pass
        finally:
            self.is_idle = True
            # What was thrown before may arrive late, one by a thread that throws just now and
            # one before that; neither may go further than here.
            try:
                self._quiet()
            except CellStopped:
                try:
                    self._quiet()
                except CellStopped:
                    self._quiet()
            over.set()
            self._return_timer()
            if takes_interrupt:
                signal.signal(signal.SIGINT, signal.default_int_handler)
        if self.reason is not None:
            sys.setprofile(previous[1])
            sys.settrace(previous[0])
            sys.setrecursionlimit(previous[2])

    def _quiet(self) -> None:
        """After this returns nothing is thrown any more. What was thrown and has not arrived yet
        is raised by this. The trace goes first: an exception that it raises in the body of a `with`
        statement may pass the statement's end by, and leave the lock locked. (After
        PyThreadState_SetAsyncExc(NULL), CPython 3.11 does not stop checking for exceptions.)"""
        if self.reason is not None:
            sys.setprofile(None)
            sys.settrace(None)
        with self._lock:  # a thread that throws holds it, and looks at `is_idle` first
            pass
        for _ in range(10):  # it arrives in the loop's jumps
            pass

    def _watch(self, over: threading.Event) -> None:
        self._has_watch |= over is self._over
        if not over.wait(self._seconds):
            with self._lock:
                if over is self._over:  # another function may run by now
                    self.stop("timeout")

    def _throw_until(self, over: threading.Event) -> None:
        """Throw, and again whenever nothing has moved: the trace itself may have been hit."""
        times, seen = 0, -1
        while True:
            with self._lock:
                if over.is_set():  # another function may run by now
                    return
                is_due = not self.is_idle and self._has_watch
                if is_due and (times == 0 or _raised[0] == seen):
                    if times < 200:  # room for making the exception, each time anew
                        sys.setrecursionlimit(sys.getrecursionlimit() + _ROOM)
                    _throw_into(self._thread, _Stop)
                    times += 1
                seen = _raised[0]
            over.wait(_AGAIN)

    def _on_signal(self, signum: int, frame: Any) -> None:
        now = monotonic()
        if signum == signal.SIGINT or self.reason is None and now >= self._host_due:
            self._forwarded, self.reason = signum, self.reason or "signal"
        elif self.reason is None and now >= self._due:
            self.reason = "timeout"
        if self.reason is None:  # earlier than due
            self._borrow_timer(self._due - now if self._due < inf else 0.0)
        elif not self.is_idle and (frame is None or frame.f_code not in _MACHINERY):
            self._borrow_timer(_AGAIN)
            self._throw()

    def _throw(self) -> None:
        if sys.getprofile() is not _profile:
            # Room for the calls below, where code has used up all of its stack.
            sys.setrecursionlimit(sys.getrecursionlimit() + _ROOM)
            _arm_trace()
        raise CellStopped()

    @property
    def _host_due(self) -> float:
        return self._borrowed[1] if self._borrowed is not None else inf

    def _borrow_timer(self, seconds: float) -> None:
        """Have SIGALRM call `_on_signal` after so long (0: never), or at the host's time."""
        if self._borrowed is None:
            left, interval = signal.setitimer(signal.ITIMER_REAL, 0)
            handler = signal.signal(signal.SIGALRM, self._on_signal) or signal.SIG_DFL
            self._borrowed = handler, monotonic() + left if left else inf, interval
        wait = min(seconds or inf, self._host_due - monotonic())
        if wait < inf:
            signal.setitimer(signal.ITIMER_REAL, max(wait, _MIN_TIMER), _AGAIN)

    def _return_timer(self) -> None:
        if self._borrowed is None:
            return
        (handler, due, interval), self._borrowed = self._borrowed, None
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_IGN)  # drops one that is blocked and pending
        signal.signal(signal.SIGALRM, handler)
        if self._forwarded == signal.SIGALRM:
            signal.setitimer(signal.ITIMER_REAL, interval, interval)
        elif due < inf:
            signal.setitimer(signal.ITIMER_REAL, max(due - monotonic(), _MIN_TIMER), interval)


class DrivenDeadline(Deadline):
    """In a process of the code's own. The host keeps the time: it sends TIMEOUT_SIGNAL at the time
    limit and INTERRUPT_SIGNAL to interrupt.

    SIGINT, SIGALRM and its timer belong to the code. SIGALRM and the timer are borrowed while a
    cell is being stopped and for the time limit of a single `run`: the process may have no room for
    another thread. A signal that comes after the cell's code but before its end counts for the rest
    of it (`pending`). Main thread only.
    """

    _host_due = inf  # an alarm of code comes when it has its timer back

    def __init__(self) -> None:
        super().__init__(None)
        self.pending: str | None = None
        self._held = 0
        self._missed: str | None = None

    def install(self) -> None:
        """Take the host's signals, for as long as the process lives."""
        signal.signal(TIMEOUT_SIGNAL, self._on_signal)
        signal.signal(INTERRUPT_SIGNAL, self._on_signal)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        self._thread = threading.get_ident()

    def run(self, function: Callable[[], None], seconds: float | None = None) -> None:
        self.reason = None
        limit = sys.getrecursionlimit()
        try:
            try:
                self.is_idle = False
                if self.pending is not None:
                    self._stop_now(self.pending)
                if seconds is not None:
                    self._borrow_timer(seconds)
                function()
            finally:
                self.is_idle = True
        except CellStopped:
            pass
        if self.reason is not None or seconds is not None:
            self._return_timer()
            self._quiet()
            sys.setrecursionlimit(limit)

    def stop(self, reason: str = "interrupt") -> bool:
        """Stop the running function, as the host does."""
        if self.is_idle:
            return False
        signal.pthread_kill(
            self._thread, TIMEOUT_SIGNAL if reason == "timeout" else INTERRUPT_SIGNAL
        )
        return True

    def __enter__(self) -> None:
        """In this context nothing is thrown into the cell's own thread, but at its end."""
        if threading.get_ident() == self._thread:
            self._held += 1

    def __exit__(self, *exc: object) -> None:
        if threading.get_ident() == self._thread:
            self._held -= 1
            if not self._held and self._missed is not None:
                why, self._missed = self._missed, None
                if not self.is_idle:
                    self._stop_now(why)

    def _on_signal(self, signum: int, frame: Any) -> None:
        why = "interrupt" if signum == INTERRUPT_SIGNAL else "timeout"
        if self.is_idle:
            if signum != signal.SIGALRM:
                self.pending = self.pending or why
        elif self._held:
            self._missed = self._missed or why
        elif frame is None or frame.f_code not in _MACHINERY:
            self._stop_now(why)

    def _stop_now(self, why: str) -> None:
        self.reason = self.reason or why
        self._borrow_timer(_AGAIN)
        self._throw()


def _throw_into(thread: int, exception: type[BaseException]) -> None:
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(exception))
