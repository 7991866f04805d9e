"""What is the same each time that code runs: the clock and the random numbers.

The clock moves only by what code does: by one microsecond with each reading, the finest that a
datetime shows, and by what was slept or waited for timers of the event loop.

In a process of the code's own, `follow` replaces the machine's clock: in the `time` module, and in
the type `datetime` itself, because a subclass would not be the type that libraries make. fumehood's
own files keep the machine's clock: they took `monotonic` and `sleep` by name before.

Whatever would seed its random numbers from the machine (`random`, numpy, `uuid.uuid4`) draws its
seed from one source, which begins with the policy's. `os.urandom`, `secrets` and
`random.SystemRandom` stay unpredictable.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import math
import operator
import os
import random
import sys
import threading
import time
import types
import uuid
import warnings
from asyncio import events
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from time import monotonic  # by name: what is waited is waited by the machine's clock
from typing import Any

STEP = 1_000
"""Nanoseconds by which a reading moves the clock."""
_SECOND = 1_000_000_000


class Clock:
    """Nanoseconds as whole numbers, and nothing else: code can reach it, through its loop."""

    def __init__(self, instant: float) -> None:
        # A float of our time is exact to less than a microsecond, and no further.
        self.begin = round(instant * 1_000_000) * 1_000
        self.elapsed = 0
        self._waited = 0

    def wait(self, nanoseconds: int) -> None:
        self._waited += max(0, nanoseconds)
        self.elapsed += max(0, nanoseconds)

    def read_elapsed(self) -> int:
        """Since the beginning."""
        self.elapsed += STEP
        return self.elapsed

    def read_now(self) -> int:
        """Since 1970."""
        return self.begin + self.read_elapsed()

    def read_work(self) -> int:
        """Since the beginning, without what was waited: in the place of processor time."""
        return self.read_elapsed() - self._waited


class Reading:
    """A function of the `time` module. Unlike a plain one it is no method in a class."""

    def __init__(self, name: str, read: Callable[..., Any]) -> None:
        self.__module__, self.__name__, self.__qualname__ = "time", name, name
        self.__doc__ = getattr(time, name).__doc__
        self._read = read
        if isinstance(read, types.FunctionType):
            read.__qualname__ = name  # as it is called in errors

    def __call__(self, *args: Any) -> Any:
        return self._read(*args)

    def __repr__(self) -> str:
        return f"<built-in function {self.__name__}>"

    def __reduce__(self) -> str:
        return self.__name__  # copied and pickled as what it is called


def follow(clock: Clock) -> None:
    """Have code in this process read this clock, in UTC. There is no way back."""
    os.environ["TZ"] = "UTC"
    time.tzset()
    ours = {name: Reading(name, read) for name, read in _time_functions(clock).items()}
    for name, reading in ours.items():
        setattr(time, name, reading)
    for module, own_name, name in _takers:
        setattr(module, own_name, ours[name])
    _change_datetime(clock)
    # What modules have kept of the machine's clock since they were imported.
    is_int = isinstance(vars(logging)["_startTime"], int)
    vars(logging)["_startTime"] = clock.begin if is_int else clock.begin / _SECOND
    # libuuid reads the machine's clock, uuid's own Python time.time_ns.
    vars(uuid)["_generate_time_safe"] = None


def find_takers() -> None:
    """Look for modules that have taken a function of `time` by name (`from time import
    perf_counter`), so that `follow` can give them another. Done once, before there are runners:
    looking at everything makes a copied process copy its memory."""
    real = {id(getattr(time, name)): name for name in _time_functions(Clock(0))}
    # In the standard library they are for waiting, but for those of `timeit`.
    others = (sys.stdlib_module_names - {"timeit"}) | {"fumehood"}
    _takers[:] = [
        (module, own_name, real[id(value)])
        for module in [*sys.modules.values()]
        if type(module) is types.ModuleType and module.__name__.partition(".")[0] not in others
        for own_name, value in [*vars(module).items()]
        if id(value) in real
    ]


_takers: list[tuple[types.ModuleType, str, str]] = []


def _time_functions(clock: Clock) -> dict[str, Callable[..., Any]]:
    """What of the `time` module reads a clock, or waits for one."""
    real_sleep, real_gettime, real_localtime = time.sleep, time.clock_gettime, time.localtime

    def sleep(seconds: Any, /) -> None:
        real_sleep(seconds)  # raises what CPython raises
        is_index = not hasattr(type(seconds), "__float__")
        clock.wait(round(float(operator.index(seconds) if is_index else seconds) * _SECOND))

    def clock_gettime_ns(clk_id: int, /) -> int:
        real_gettime(clk_id)
        if clk_id in _WALL_CLOCKS:
            return clock.read_now()
        # Clocks of processes and threads other than one's own have negative numbers.
        is_work = clk_id in (time.CLOCK_PROCESS_CPUTIME_ID, time.CLOCK_THREAD_CPUTIME_ID)
        return clock.read_work() if is_work or clk_id < 0 else clock.read_elapsed()

    def in_seconds(read: Callable[..., int]) -> Callable[..., float]:
        return lambda *args: read(*args) / _SECOND

    def now() -> int:
        return clock.read_now() // _SECOND

    def local() -> time.struct_time:
        return real_localtime(now())

    def shows(name: str, at: int, default: Callable[[], Any]) -> Callable[..., Any]:
        """A function whose argument `at` is a time, and the clock's if it is missing."""
        function, takes_none = getattr(time, name), default is now

        def given(*args: Any) -> Any:
            if len(args) == at or takes_none and args[0] is None:
                args = (*args[:at], default())
            return function(*args)

        return given

    nanoseconds: dict[str, Callable[..., int]] = {
        "time": clock.read_now,
        "monotonic": clock.read_elapsed,
        "perf_counter": clock.read_elapsed,
        "process_time": clock.read_work,
        "thread_time": clock.read_work,
        "clock_gettime": clock_gettime_ns,
    }
    return {
        **{f"{name}_ns": read for name, read in nanoseconds.items()},
        **{name: in_seconds(read) for name, read in nanoseconds.items()},
        **{name: shows(name, 0, now) for name in ("gmtime", "localtime", "ctime")},
        "asctime": shows("asctime", 0, local),
        "strftime": shows("strftime", 1, local),
        "sleep": sleep,
    }


_WALL_CLOCKS = (0, 5, 8, 11)
"""CLOCK_REALTIME, _COARSE, _ALARM and CLOCK_TAI: Python does not have all of these names."""


def _change_datetime(clock: Clock) -> None:
    """Change the methods of `datetime` that read the clock by themselves; `today` asks time.time.
    The type is written in C: its dictionary is behind a read-only proxy, which holds nothing else,
    and what the interpreter remembers of lookups has to be forgotten."""
    from_timestamp, replace = vars(datetime)["fromtimestamp"], datetime.replace

    def now(cls: type[datetime], tz: Any = None) -> datetime:
        seconds, rest = divmod(clock.read_now(), _SECOND)
        made: datetime = from_timestamp.__get__(None, cls)(seconds, tz)
        return replace(made, microsecond=rest // 1_000)

    def utcnow(cls: type[datetime]) -> datetime:
        if sys.version_info >= (3, 12):
            warnings.warn(
                "datetime.utcnow() is deprecated; use datetime.now(datetime.UTC)",
                DeprecationWarning,
                stacklevel=2,
            )
        return replace(now(cls, UTC), tzinfo=None)

    (own,) = gc.get_referents(vars(datetime))
    for method in (now, utcnow):
        name = method.__name__
        method.__module__, method.__qualname__ = "datetime", f"datetime.{name}"
        _replaced.append(own[name])
        own[name] = classmethod(method)
    forget = getattr(sys, "_clear_internal_caches", None) or sys._clear_type_cache
    forget()


_replaced: list[Any] = []
"""Methods that must stay alive: specialized bytecode may still point to them."""


# -- the event loop

_SLICE = 0.05
"""The longest sleep: an exception thrown into a thread arrives only between pieces."""

_BaseLoop: Any = asyncio.BaseEventLoop


class CellLoop(_BaseLoop):  # type: ignore[misc]
    """The event loop of guarded code, and of sessions with a clock: tasks and timers, no files. It
    is asyncio's own, in the place of whose selector it waits itself, and runs in any thread.

    With a clock, timers are due by that, and so come in the same order each time. When there is
    nothing to do, the first is waited for by the machine's clock, and the clock moves up to it.
    Otherwise each callback counts as a step towards the timers, or a task that never rests would
    never meet its timeout. Steps move no clock: how many there are may depend on the host.

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


# -- random numbers

_source = random.Random(0)
_seed = 0
_is_fixed = False


def fix_random(seed: int) -> None:
    """Begin all random numbers of this process with a seed; again with another in a copy."""
    global _seed, _is_fixed
    _seed = seed
    _source.seed(f"fumehood {seed}")  # not the numbers that code itself gets for this seed
    if not _is_fixed:
        _is_fixed = True
        _draw_seeds()
        if "numpy.random" not in sys.modules:
            sys.meta_path.insert(0, _WhenNumpyComes())
    random.seed(seed)
    if "numpy.random" in sys.modules:
        _fix_numpy()


def _draw_seeds() -> None:
    """Have `random` and `uuid` draw from the source what they would ask the machine for."""
    original = random.Random.seed

    def seed(self: random.Random, a: Any = None, version: int = 2) -> None:
        original(self, _source.getrandbits(128) if a is None else a, version)

    def uuid4() -> uuid.UUID:
        """Generate a random UUID."""
        return uuid.UUID(int=_source.getrandbits(128), version=4)

    seed.__module__, seed.__qualname__ = "random", "Random.seed"
    random.Random.seed = seed  # type: ignore[method-assign]
    random.seed = random._inst.seed
    uuid4.__module__, uuid4.__qualname__ = "uuid", "uuid4"
    uuid.uuid4 = uuid4


def _fix_numpy() -> None:
    vars(sys.modules["numpy.random.bit_generator"])["randbits"] = _source.getrandbits
    sys.modules["numpy.random"].seed(_seed)


class _WhenNumpyComes:
    """Finds numpy.random as others do, and fixes it when it is loaded and has drawn numbers."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name != "numpy.random":
            return None
        sys.meta_path.remove(self)
        spec = find_spec(name)
        if spec is not None and spec.loader is not None:
            load = spec.loader.exec_module

            def load_and_fix(module: Any) -> None:
                load(module)
                _fix_numpy()

            spec.loader.exec_module = load_and_fix  # type: ignore[method-assign]
        return spec
