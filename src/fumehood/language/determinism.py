"""What is the same each time that code runs: the clock and the random numbers.

The clock moves only by what code does: by one microsecond with each reading, the finest that a
datetime shows, and by what was slept or waited for timers (loop.py).

In a process of the code's own, `follow` replaces the machine's clock: in the `time` module, and in
the type `datetime` itself, because a subclass would not be the type that libraries make. fumehood's
own files keep the machine's clock: they took `monotonic` and `sleep` by name before.

Whatever would seed its random numbers from the machine (`random`, numpy, `uuid.uuid4`) draws its
seed from one source, which begins with the policy's. `os.urandom`, `secrets` and
`random.SystemRandom` stay unpredictable.
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
