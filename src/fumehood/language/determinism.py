"""What is the same each time that code runs: the clock and the random numbers.

The clock moves only by what code does. Each reading moves it by one step, a microsecond: the finest
that a datetime shows, so no two readings are alike, and a loop that waits for a time to come gets
there. Sleeping moves it by what was slept, and the event loop's timers by what they waited
(loop.py).

In a process of the code's own, `follow` replaces the machine's clock: in the `time` module, and in
the type `datetime` itself. A subclass in its place would not be the type that libraries make and
that values travel as. fumehood's own files keep the machine's clock: they take `monotonic` and
`sleep` by name when they are imported, which is before.

Random numbers: whatever would seed itself from the machine draws its seed from one source, which
begins with the policy's.

    random.*, numpy.random.*                     seeded
    random.Random(), random.seed()               draw a seed
    numpy.random.default_rng(), RandomState() …  draw a seed, when numpy asks `secrets` for one
    uuid.uuid4()                                 drawn

`os.urandom`, `secrets` and `random.SystemRandom` stay unpredictable.
"""

from __future__ import annotations

import gc
import operator
import os
import random
import sys
import time
import types
import warnings
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from typing import Any

STEP = 1_000
"""Nanoseconds by which a reading moves the clock."""
_SECOND = 1_000_000_000


class Clock:
    """Nanoseconds as whole numbers. Holds nothing else: code can reach it, through its event
    loop."""

    def __init__(self, instant: float) -> None:
        # A float of our time is exact to less than a microsecond, and no further.
        self.begin = round(instant * 1_000_000) * 1_000
        self._steps = 0
        self._waited = 0

    def wait(self, nanoseconds: int) -> None:
        """Have waited."""
        self._waited += max(0, nanoseconds)

    def elapsed(self) -> int:
        """Since the beginning. Not a reading."""
        return self._steps + self._waited

    def read_now(self) -> int:
        """Since 1970."""
        self._steps += STEP
        return self.begin + self._steps + self._waited

    def read_elapsed(self) -> int:
        """Since the beginning."""
        self._steps += STEP
        return self._steps + self._waited

    def read_work(self) -> int:
        """Since the beginning, without what was waited: in the place of processor time."""
        self._steps += STEP
        return self._steps


class Reading:
    """A function of the `time` module. Not a plain one, which as an attribute of a class would
    become a method: the module's do not."""

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
    """Have code in this process read this clock, in UTC. There is no way back: the process is the
    code's own."""
    os.environ["TZ"] = "UTC"
    time.tzset()
    ours = {name: Reading(name, read) for name, read in _time_functions(clock).items()}
    for name, reading in ours.items():
        setattr(time, name, reading)
    for module, own_name, name in _takers:
        setattr(module, own_name, ours[name])
    _change_datetime(clock)
    # What modules have kept of the machine's clock since they were imported.
    logging: Any = sys.modules.get("logging")
    if logging is not None:
        is_int = isinstance(logging._startTime, int)
        logging._startTime = clock.begin if is_int else clock.begin / _SECOND
    uuid: Any = sys.modules.get("uuid")
    if uuid is not None:  # libuuid reads the machine's clock, uuid's own Python time.time_ns
        uuid._generate_time_safe = None


def find_takers() -> None:
    """Look for modules that have taken a function of `time` by name (`from time import
    perf_counter`), so that `follow` can give them another. Done once, before there are runners:
    looking at everything makes a copied process copy its memory."""
    real = {id(getattr(time, name)): name for name in _time_functions(Clock(0))}
    _takers[:] = [
        (module, own_name, real[id(value)])
        for module in [*sys.modules.values()]
        if type(module) is types.ModuleType and _is_for_code(module.__name__)
        for own_name, value in [*vars(module).items()]
        if id(value) in real
    ]


_takers: list[tuple[types.ModuleType, str, str]] = []


def _time_functions(clock: Clock) -> dict[str, Callable[..., Any]]:
    """What of the `time` module reads a clock, or waits for one."""
    real_sleep, real_gettime = time.sleep, time.clock_gettime
    now, elapsed, work = clock.read_now, clock.read_elapsed, clock.read_work
    missing: Any = object()

    def sleep(seconds: Any, /) -> None:
        real_sleep(seconds)  # raises what CPython raises
        try:
            slept = float(seconds)
        except TypeError:
            slept = operator.index(seconds)
        clock.wait(round(slept * _SECOND))

    def clock_gettime_ns(clk_id: int, /) -> int:
        real_gettime(clk_id)
        if clk_id in _WALL_CLOCKS:
            return now()
        # Clocks of processes and threads other than one's own have negative numbers.
        return (
            work()
            if clk_id in (time.CLOCK_PROCESS_CPUTIME_ID, time.CLOCK_THREAD_CPUTIME_ID) or clk_id < 0
            else elapsed()
        )

    def at_no_time(function: Callable[..., Any]) -> Callable[..., Any]:
        """A function that takes seconds since 1970, and if there are none the clock's."""

        def given(seconds: Any = None, /) -> Any:
            return function(now() // _SECOND if seconds is None else seconds)

        return given

    gmtime, localtime, ctime = map(at_no_time, (time.gmtime, time.localtime, time.ctime))
    real_asctime, real_strftime = time.asctime, time.strftime

    def asctime(t: Any = missing, /) -> str:
        return real_asctime(localtime() if t is missing else t)

    def strftime(format: str, t: Any = missing, /) -> str:
        return real_strftime(format, localtime() if t is missing else t)

    return {
        "time": lambda: now() / _SECOND,
        "time_ns": now,
        "monotonic": lambda: elapsed() / _SECOND,
        "monotonic_ns": elapsed,
        "perf_counter": lambda: elapsed() / _SECOND,
        "perf_counter_ns": elapsed,
        "process_time": lambda: work() / _SECOND,
        "process_time_ns": work,
        "thread_time": lambda: work() / _SECOND,
        "thread_time_ns": work,
        "clock_gettime": lambda clk_id, /: clock_gettime_ns(clk_id) / _SECOND,
        "clock_gettime_ns": clock_gettime_ns,
        "gmtime": gmtime,
        "localtime": localtime,
        "ctime": ctime,
        "asctime": asctime,
        "strftime": strftime,
        "sleep": sleep,
    }


_WALL_CLOCKS = (
    0,  # CLOCK_REALTIME
    5,  # CLOCK_REALTIME_COARSE and
    8,  # CLOCK_REALTIME_ALARM, which Python has no names for
    11,  # CLOCK_TAI, without its leap seconds, as on most machines
)


def _change_datetime(clock: Clock) -> None:
    """Change the methods of `datetime` that read the clock by themselves. `date.today`, which
    datetime has too, asks time.time.

    The type is written in C. Its dictionary is behind a read-only proxy, which holds nothing else,
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


def _is_for_code(module: str) -> bool:
    """Whether what a module takes by name is to show code the time. In the standard library, but
    for one, it is for waiting."""
    top = module.partition(".")[0]
    return top == "timeit" or top not in sys.stdlib_module_names and top != "fumehood"


# -- random numbers

_source = random.Random(0)
_seed = 0
_is_fixed = False


def fix_random(seed: int) -> None:
    """Begin all random numbers of this process with a seed. Again with another, for a copy that is
    to draw others."""
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
    import uuid

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
    generators: Any = sys.modules.get("numpy.random.bit_generator")
    if generators is not None:
        generators.randbits = _source.getrandbits
    sys.modules["numpy.random"].seed(_seed)


class _WhenNumpyComes:
    """Finds numpy.random as the others do, and fixes it when it is loaded: it has drawn numbers for
    itself by then."""

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
