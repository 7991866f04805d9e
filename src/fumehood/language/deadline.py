"""Stopping a cell that runs in the caller's own thread, at its time limit or when asked.

In the main thread the kernel's timer raises a signal: it interrupts sleeps and locks, and reaches
even C code that looks for signals while it holds the interpreter lock (regular expressions, big
integers). In any other thread a watchdog throws an exception, which arrives between two bytecodes
and no sooner. What neither stops is one long C call that never looks.

Code may catch what is thrown, so the exception arms a trace as it is made: the next line that runs
in the cell's frames raises it again, from inside the `except` block that caught it. And it is
thrown again every few milliseconds until the cell is gone.

The one file of this package that uses ctypes: there is no other way to throw an exception into a
thread.
"""

from __future__ import annotations

import contextlib
import ctypes
import signal
import sys
import threading
import types
from collections.abc import Callable
from time import monotonic  # by name: code may have another clock
from typing import Any

from fumehood.errors import CellStopped
from fumehood.wire.messages import INTERRUPT_SIGNAL, TIMEOUT_SIGNAL

_AGAIN = 0.005
_THROWN_AGAIN = 0.02
_MIN_TIMER = 0.0005
_ROOM = 50


class _Stop(CellStopped):
    """What is thrown into another thread. Making one, which happens in that thread, arms the
    trace."""

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
    "interrupt", "sigint" or "alarm".
    """

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._thread = 0
        self.is_idle = True
        """Whether no function runs, so that nothing is thrown."""
        self._uses_signal = False
        self._has_ended = False
        self._over = threading.Event()
        self._forwarded: int | None = None
        self._due: float | None = None
        self._borrowed: tuple[Any, float, float, float] | None = None
        self.reason: str | None = None

    @property
    def stopped(self) -> bool:
        return self.reason is not None

    def stop(self, reason: str = "interrupt") -> bool:
        """Ask for the running function to be stopped. False if none is running."""
        with self._lock:
            if self.is_idle:
                return False
            if self.reason is None:
                self.reason = reason
            if self._uses_signal:
                signal.pthread_kill(self._thread, signal.SIGALRM)  # the handler throws
                return True
        threading.Thread(
            target=self._throw_until, args=(self._over,), name="fumehood-stop", daemon=True
        ).start()
        return True

    def forward(self) -> None:
        """Let the host have the signal that stopped the cell, as if it had arrived just now:
        Ctrl-C, or an alarm of its own."""
        signum, self._forwarded = self._forwarded, None
        if signum is not None:
            signal.raise_signal(signum)

    def run(self, function: Callable[[], None]) -> None:
        """Call the function. Whatever it raises, a stop included, is the function's to handle; see
        `reason` for whether it was stopped."""
        self._thread = threading.get_ident()
        self._uses_signal = (
            threading.current_thread() is threading.main_thread()
            and signal.getsignal(signal.SIGALRM) is not None
        )
        self.reason = None
        self._has_ended = False
        previous = sys.gettrace(), sys.getprofile(), sys.getrecursionlimit()
        arm = self._signal if self._uses_signal else self._watchdog
        with arm():
            self.is_idle = False
            try:
                function()
            except CellStopped:
                pass
            finally:
                self.is_idle = self._has_ended = True
                # What was thrown before may arrive late, one by a thread that throws just now and
                # one before that; neither may go further than here.
                try:
                    self._quiet()
                except CellStopped:
                    try:
                        self._quiet()
                    except CellStopped:
                        self._quiet()
        if self.stopped:
            sys.setprofile(previous[1])
            sys.settrace(previous[0])
            sys.setrecursionlimit(previous[2])

    def _quiet(self) -> None:
        """After this returns nothing is thrown any more. What was thrown and has not arrived yet
        is raised by this. The trace goes first: an exception that it raises in the body of a `with`
        statement may pass the statement's end by, and leave the lock locked.

        (Taking it back with PyThreadState_SetAsyncExc(NULL) leaves CPython 3.11 checking for it for
        ever.)
        """
        if self.reason is not None:
            sys.setprofile(None)
            sys.settrace(None)
        with self._lock:  # a thread that throws holds it, and looks at `is_idle` first
            pass
        for _ in range(10):  # it arrives in the loop's jumps
            pass

    def _throw_until(self, over: threading.Event) -> None:
        """Throw, and throw again whenever nothing has moved since: what is thrown into the trace
        while it works would take it off."""
        times, seen = 0, -1
        while not over.is_set():
            with self._lock:
                if over.is_set():  # another function may run by now
                    return
                if not self.is_idle and (times == 0 or _raised[0] == seen):
                    if times < 200:  # room for making the exception, each time anew
                        sys.setrecursionlimit(sys.getrecursionlimit() + _ROOM)
                    _throw_into(self._thread, _Stop)
                    times += 1
                seen = _raised[0]
            over.wait(_THROWN_AGAIN)

    # -- main thread: the kernel's timer

    @contextlib.contextmanager
    def _signal(self) -> Any:
        """Borrow SIGALRM and its timer, and SIGINT if it does what it does by default. An alarm
        that the host had set is kept: if it comes due meanwhile, the cell is stopped and the host's
        handler is called after it."""
        self._due = None if self._seconds is None else monotonic() + self._seconds
        host_interrupt = signal.getsignal(signal.SIGINT)
        borrows_interrupt = host_interrupt is signal.default_int_handler
        try:
            self._borrow_timer(None)
            if borrows_interrupt:
                signal.signal(signal.SIGINT, self._on_interrupt)
            self._wait_for_alarm()
            yield
        finally:
            self._return_timer()
            if borrows_interrupt:
                signal.signal(signal.SIGINT, host_interrupt)
            self._forwarded = {"alarm": signal.SIGALRM, "sigint": signal.SIGINT}.get(
                self.reason or ""
            )

    def _wait_for_alarm(self) -> None:
        """Set the timer to what is due first: the time limit, or an alarm of the host's."""
        waits = [when - monotonic() for when in (self._due, self._host_due) if when is not None]
        if waits:
            self._borrow_timer(min(waits))

    @property
    def _host_due(self) -> float | None:
        _, left, _, since = self._borrowed or (None, 0, 0, 0)
        return since + left if left else None

    def _on_signal(self, signum: int, frame: Any) -> None:
        if self.is_idle or frame is not None and frame.f_code in _MACHINERY:
            return  # raising in the trace itself would take it off
        why = self.reason
        if why is None and self._host_due is not None and monotonic() >= self._host_due:
            why = "alarm"
        elif why is None and self._due is not None and monotonic() >= self._due:
            why = "timeout"
        if why is None:
            self._wait_for_alarm()
        else:
            self._throw(why)

    def _on_interrupt(self, signum: int, frame: Any) -> None:
        if self.is_idle:
            signal.default_int_handler(signum, frame)
        self._throw("sigint")

    def _throw(self, why: str) -> None:
        self.reason = self.reason or why
        if sys.getprofile() is not _profile:
            # Room for the calls below, where code has used up all of its stack.
            sys.setrecursionlimit(sys.getrecursionlimit() + _ROOM)
            _arm_trace()
        self._borrow_timer(_AGAIN)
        raise CellStopped()

    def _borrow_timer(self, seconds: float | None) -> None:
        """Have SIGALRM call `_on_signal`, after so long and then again and again. An alarm that was
        set already comes when it is due."""
        if self._borrowed is None:
            left, interval = signal.setitimer(signal.ITIMER_REAL, 0)
            handler = signal.signal(signal.SIGALRM, self._on_signal)
            self._borrowed = handler or signal.SIG_DFL, left, interval, monotonic()
        if seconds is not None:
            signal.setitimer(signal.ITIMER_REAL, max(seconds, _MIN_TIMER), _AGAIN)

    def _return_timer(self) -> None:
        if self._borrowed is None:
            return
        handler, left, interval, since = self._borrowed
        self._borrowed = None
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_IGN)  # drops one that is blocked and pending
        signal.signal(signal.SIGALRM, handler)
        if left:
            left = max(left - (monotonic() - since), _MIN_TIMER)
            # The alarm that stopped the cell is forwarded.
            signal.setitimer(
                signal.ITIMER_REAL, interval if self.reason == "alarm" else left, interval
            )

    # -- any other thread: a watchdog

    @contextlib.contextmanager
    def _watchdog(self) -> Any:
        over = self._over = threading.Event()

        def watch() -> None:
            if over.wait(self._seconds):
                return
            with self._lock:
                if self._has_ended or over.is_set():  # another function may run by now
                    return
                self.reason = self.reason or "timeout"
            self._throw_until(over)

        if self._seconds is not None:
            threading.Thread(target=watch, name="fumehood-deadline", daemon=True).start()
        try:
            yield
        finally:
            over.set()


class DrivenDeadline(Deadline):
    """In a process of the code's own. The host keeps the time: it sends TIMEOUT_SIGNAL at the time
    limit and INTERRUPT_SIGNAL to interrupt.

    SIGINT, SIGALRM and its timer belong to the code. SIGALRM and the timer are borrowed while a
    cell is being stopped and for the time limit of a single `run`.

    A signal that comes after the cell's code but before its end counts for the rest of it: see
    `pending`. Main thread only.
    """

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
                    self._throw(self.pending)
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
        """In this context nothing is thrown: what would have been is thrown at its end. Only the
        cell's own thread is ever thrown at."""
        if threading.get_ident() == self._thread:
            self._held += 1

    def __exit__(self, *exc: object) -> None:
        if threading.get_ident() != self._thread:
            return
        self._held -= 1
        if not self._held and self._missed is not None:
            why, self._missed = self._missed, None
            if not self.is_idle:
                self._throw(why)

    def _on_signal(self, signum: int, frame: Any) -> None:
        why = "interrupt" if signum == INTERRUPT_SIGNAL else "timeout"
        if self.is_idle:
            if signum != signal.SIGALRM:
                self.pending = self.pending or why
        elif self._held:
            self._missed = self._missed or why
        elif frame is None or frame.f_code not in _MACHINERY:
            self._throw(why)


def _throw_into(thread: int, exception: type[BaseException]) -> None:
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(exception))
