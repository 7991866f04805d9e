"""What reaches the running process: streams, sleeping, the recursion limit, event loops, generators
of random numbers, calendars.

Each is the session's own, so that the host's stays as it is.
"""

from __future__ import annotations

import calendar
import inspect
import sys
import time
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from fumehood.language import access
from fumehood.language.compile import private_module

if TYPE_CHECKING:
    from fumehood.language.run import Session

_SLICE = 0.05


def make_copy(session: Session, name: str) -> Any:
    """The library's copy functions, run with a setattr that obeys the name table: an object says
    itself what a copy of it has set."""
    if session.private_copy is None:
        session.private_copy = private_module("copy", {"setattr": access.guarded_setattr})
    return session.private_copy[name]


def make_redirect(session: Session, name: str) -> type:
    class redirect:
        """Sends what the cell prints to another stream while in the context."""

        def __init__(self, new_target: Any) -> None:
            self._target = new_target
            self._before: list[Any] = []

        def __enter__(self) -> Any:
            self._before.append(session.redirect(name, self._target))
            return self._target

        def __exit__(self, *exc: object) -> None:
            session.redirect(name, self._before.pop())

    redirect.__name__ = redirect.__qualname__ = name
    return redirect


# -- time, sys


def make_sleep(session: Session, name: str) -> Callable[[Any], None]:
    return sleep if session.surroundings.clock is None else time.sleep  # which is the clock's then


def sleep(seconds: Any, /) -> None:
    """time.sleep in short pieces: outside the main thread the time limit can only act between
    them."""
    if not isinstance(seconds, (int, float)) or not 0 <= seconds < 1e8:
        return time.sleep(seconds)  # raises what CPython raises
    end = time.monotonic() + seconds
    while True:
        left = end - time.monotonic()
        time.sleep(max(0, min(left, _SLICE)))
        if left <= _SLICE:
            return None


def make_set_recursion_limit(session: Session, name: str) -> Callable[[int], None]:
    most = session.policy.limits.recursion_depth

    def setrecursionlimit(limit: Any, /) -> None:
        if not isinstance(limit, int):
            raise TypeError(f"'{type(limit).__name__}' object cannot be interpreted as an integer")
        sys.setrecursionlimit(min(limit, most))

    return setrecursionlimit


def make_exc_info(session: Session, name: str) -> Callable[[], Any]:
    def exception() -> BaseException | None:
        error = sys.exc_info()[1]
        return error if session.is_running and error is not session.traces.ignored else None

    def exc_info() -> tuple[Any, Any, Any]:
        error = exception()
        return (
            (type(error), error, error.__traceback__) if error is not None else (None, None, None)
        )

    return exc_info if name == "exc_info" else exception


def implementation(session: Session, name: str) -> types.SimpleNamespace:
    return types.SimpleNamespace(**vars(sys.implementation))


# -- random, calendar, decimal


def make_random(session: Session, name: str) -> Any:
    return getattr(session.random, name)


def make_calendar(session: Session, name: str) -> Any:
    """The module's functions belong to one calendar object that everybody shares; these belong to
    the session's."""
    own = session.calendar

    def setfirstweekday(firstweekday: int) -> None:
        if not 0 <= firstweekday <= 6:
            raise calendar.IllegalWeekdayError(firstweekday)
        own.firstweekday = firstweekday

    return {
        "setfirstweekday": setfirstweekday,
        "firstweekday": own.getfirstweekday,
        "monthcalendar": own.monthdayscalendar,
        "week": own.formatweek,
        "weekheader": own.formatweekheader,
        "month": own.formatmonth,
        "calendar": own.formatyear,
        "prweek": own.prweek,
        "prmonth": own.prmonth,
        "prcal": own.pryear,
    }[name]


def make_decimal_context(session: Session, name: str) -> Any:
    import decimal

    return getattr(decimal, name).copy()


# -- asyncio


def make_asyncio(session: Session, name: str) -> Any:
    import asyncio

    def Runner(*, debug: Any = None, loop_factory: Any = None) -> Any:
        return asyncio.Runner(
            debug=debug, loop_factory=lambda: session.new_loop()
        )  # not the bound method: it has an owner

    def run(main: Any, *, debug: Any = None, loop_factory: Any = None) -> Any:
        if asyncio._get_running_loop() is not None:
            main.close() if inspect.iscoroutine(main) else None
            raise RuntimeError("asyncio.run() cannot be called from a running event loop")
        with Runner(debug=debug) as runner:
            return runner.run(main)

    def get_event_loop() -> Any:
        return asyncio._get_running_loop() or session.loop

    def new_event_loop() -> Any:
        return session.new_loop()

    def set_event_loop(loop: Any) -> None:
        session.loop = loop

    def get_running_loop() -> Any:
        loop = asyncio._get_running_loop()
        if loop is None:
            raise RuntimeError("no running event loop")
        return loop

    return {
        f.__name__: f
        for f in (Runner, run, get_event_loop, new_event_loop, set_event_loop, get_running_loop)
    }[name]
