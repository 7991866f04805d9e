"""Values of every kind that crosses between host and sandbox, at their edges, nested, shared and in
cycles."""

from __future__ import annotations

import array
import dataclasses
import datetime as dt
import decimal
import fractions
import math
import pathlib
import uuid
import zoneinfo
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from random import Random
from typing import Any

try:
    import numpy as np
    import pandas as pd
except ImportError:  # a Python that has none of its own yet
    np = pd = None  # type: ignore[assignment]

from fumehood.wire.values import Picture

from ..wire.crossing import Colour, Knot, OwnError, Pair, Permission, Point, Spot


@dataclasses.dataclass(slots=True)
class Narrow:
    """One field, as `_instance` fills it."""

    x: Any


_EDGES = (
    0,
    1,
    -1,
    2**31,
    2**53,
    2**62,
    2**63 - 1,
    2**63,
    -(2**63),
    -(2**63) - 1,
    2**64,
    2**4095,
    -(2**4096),
    10**300,
)
_FLOATS = (0.0, -0.0, 1.5, math.inf, -math.inf, math.nan, 5e-324, 1.7976931348623157e308, 0.1)
_TEXTS = (
    "",
    "a",
    "é",
    "\ud800",
    "\0",
    "\u2028",
    "list",
    '["ref",0]',
    "x" * 2047,
    "x" * 2049,
    "é" * 2048,
    "\U0001f600",
    "\x1b[2J",
)
_ZONES = ("UTC", "Europe/Paris", "Asia/Kathmandu", "America/St_Johns")
_SIZES = (0, 1, 95, 96, 97, 300)


def _moment(random: Random) -> Any:
    day = dt.date(
        random.choice((1, 1970, 2024, 9999)), random.randint(1, 12), random.randint(1, 28)
    )
    time = dt.time(
        random.randrange(24),
        random.randrange(60),
        random.randrange(60),
        random.choice((0, 1, 999_999)),
        fold=random.randrange(2),
    )
    zone = random.choice(
        (
            None,
            dt.UTC,
            dt.timezone(dt.timedelta(minutes=random.randint(-1439, 1439)), "Z\ud800"),
            zoneinfo.ZoneInfo(random.choice(_ZONES)),
        )
    )
    when = dt.datetime.combine(day.replace(year=min(max(day.year, 2), 9998)), time, zone)
    return random.choice(
        (
            day,
            time,
            time.replace(tzinfo=zone),
            when,
            dt.timedelta(random.randint(-(10**9) + 1, 10**9 - 1), 5, 7),
        )
    )


def _exact(random: Random) -> Any:
    return random.choice(
        (
            decimal.Decimal(
                random.choice(("0", "-0", "1E+30", "NaN", "-sNaN12", "Infinity", "3.14"))
            ),
            fractions.Fraction(random.randint(-99, 99), random.randint(1, 99)),
            uuid.UUID(int=random.getrandbits(128)),
            pathlib.Path("a/b"),
            pathlib.PurePosixPath("/a"),
            pathlib.PureWindowsPath("C:/x"),
            range(random.randint(-5, 5), random.choice((0, 10, 2**70)), random.choice((1, -2, 3))),
            Colour.RED,
            Permission.READ | Permission.WRITE,
        )
    )


SCALARS: tuple[Callable[[Random], Any], ...] = (
    lambda random: random.choice((None, True, False, ..., NotImplemented)),
    lambda random: random.choice(_EDGES) + random.randint(-1, 1),
    lambda random: random.choice(_FLOATS),
    lambda random: complex(random.choice(_FLOATS), random.choice(_FLOATS)),
    lambda random: random.choice(_TEXTS),
    lambda random: random.randbytes(random.choice(_SIZES)),
    _moment,
    _exact,
)


def key(random: Random, depth: int = 1) -> Any:
    """Something that can be hashed, and equals itself."""
    while True:
        if depth > 0 and random.random() < 0.3:
            parts = [key(random, depth - 1) for _ in range(random.randrange(3))]
            made = random.choice((tuple(parts), frozenset(parts), Spot(*parts[:1] or [1])))
        else:
            made = random.choice(SCALARS)(random)
        try:
            hash(made)
        except (TypeError, ValueError):  # a signalling NaN has no hash
            continue
        if made == made:
            return made


def _array(random: Random) -> Any:
    dtypes = (
        "<f8",
        ">f8",
        "<i2",
        "u1",
        "?",
        "<c16",
        "<U3",
        "S2",
        "<M8[ns]",
        "<m8[s]",
        "<f4",
        "<f2",
        "O",
        "V3",
        "<M8[D]",
    )
    kind = random.choice(dtypes)
    shape = random.choice(((), (0,), (3,), (2, 3), (2, 0, 4), (40,)))
    if kind == "O":
        made = np.empty(shape, object)
        made.flat = [random.choice(SCALARS[:4])(random) for _ in range(made.size)] or [None]
        return made
    made = np.frombuffer(random.randbytes(max(1, math.prod(shape)) * np.dtype(kind).itemsize), kind)
    if kind == "?":
        made = np.array([random.random() < 0.5 for _ in range(math.prod(shape))], "?")
    if kind == "<U3":
        made = np.array([random.choice(("", "a", "éx")) for _ in range(math.prod(shape))], kind)
    made = made[: math.prod(shape)].reshape(shape) if kind != "<U3" else made.reshape(shape)
    made = made.copy(order=random.choice("CF"))
    if random.random() < 0.2:
        made = made[..., ::-1] if made.ndim else made
    if random.random() < 0.2:
        made.setflags(write=False)
    return made


def _numpy(random: Random) -> Any:
    return random.choice(
        (
            _array,
            lambda random: np.float32(1.5),
            lambda random: np.int8(-3),
            lambda random: np.bool_(True),
            lambda random: np.datetime64("2020-01-01", "ns"),
            lambda random: np.timedelta64(3, "s"),
            lambda random: np.str_("é"),
            lambda random: np.bytes_(b"x"),
            lambda random: np.ma.array([1, 2, 3], mask=[0, 1, 0], fill_value=9),
            lambda random: np.zeros((2,), [("a", "?"), ("b", "U2", (2,))]),
        )
    )(random)


def _column(random: Random, length: int) -> Any:
    return random.choice(
        (
            lambda: np.arange(length) * 1.5,
            lambda: [random.choice((None, "x", "é")) for _ in range(length)],
            lambda: pd.array(
                [random.choice((1, None)) for _ in range(length)],
                dtype=random.choice(("Int64", "boolean", "Float32")),
            ),
            lambda: pd.array([random.choice(("x", None)) for _ in range(length)], dtype="string"),
            lambda: pd.Categorical(
                [random.choice("uvw") for _ in range(length)], ordered=random.random() < 0.5
            ),
            lambda: pd.date_range(
                "2020", periods=length, tz=random.choice((None, "UTC", "Europe/Paris"))
            ),
            lambda: pd.timedelta_range("1h", periods=length),
            lambda: pd.period_range("2020", periods=length, freq=random.choice("DM")),
            lambda: pd.interval_range(0, length),
            lambda: [random.choice(SCALARS[:3])(random) for _ in range(length)],
        )
    )()


def _pandas(random: Random) -> Any:
    length = random.choice((0, 1, 4))
    return random.choice(
        (
            lambda: pd.Series(
                _column(random, length), name=random.choice((None, "n", 1, ("a", 2)))
            ),
            lambda: pd.DataFrame(
                {name: _column(random, length) for name in "abc"[: random.randrange(4)]}
            ),
            lambda: pd.DataFrame({"a": _column(random, 2), "b": [1, 2]}).set_index("b"),
            lambda: pd.Index(_column(random, length), name="i"),
            lambda: pd.RangeIndex(random.randint(0, 5), name="r"),
            lambda: pd.MultiIndex.from_product([["a", "b"], [1, 2]], names=["x", None]),
            lambda: pd.Timestamp("2020-01-01 00:00:00.000000001", tz=random.choice((None, "UTC"))),
            lambda: pd.Timedelta(5, "ns"),
            lambda: pd.Period("2020-02", "M"),
            lambda: pd.Interval(0, 1, closed="left"),
            lambda: pd.NaT,
            lambda: pd.NA,
        )
    )()


def _picture(random: Random) -> Any:
    return Picture("image/png", b"\x89PNG" + random.randbytes(100), 3, 4)


LIBRARIES: tuple[Callable[[Random], Any], ...] = (
    (_picture,) if np is None else (_picture, _numpy, _numpy, _pandas)
)


def made_value(random: Random, depth: int = 3, made: list[Any] | None = None) -> Any:
    """A value. Containers that were begun may come again in it: shared, or inside themselves."""
    made = [] if made is None else made
    roll = random.random()
    if made and roll < 0.1:
        return random.choice(made)
    if depth <= 0 or roll < 0.3:
        return random.choice(SCALARS)(random)
    if roll < 0.45:
        return random.choice(LIBRARIES)(random)
    return random.choice(CONTAINERS)(random, depth - 1, made)


def _parts(random: Random, depth: int, made: list[Any], most: int = 4) -> list[Any]:
    return [made_value(random, depth, made) for _ in range(random.randrange(most + 1))]


def _list(random: Random, depth: int, made: list[Any]) -> Any:
    new: list[Any] = []
    made.append(new)
    new += _parts(random, depth, made)
    return new


def _dict(random: Random, depth: int, made: list[Any]) -> Any:
    new: dict[Any, Any] = random.choice((dict, dict, OrderedDict))()
    made.append(new)
    new.update((key(random), part) for part in _parts(random, depth, made))
    return new


def _instance(random: Random, depth: int, made: list[Any]) -> Any:
    kind = random.choice((Point, Knot, Narrow))
    new: Any = kind(None)
    made.append(new)
    setattr(new, dataclasses.fields(kind)[0].name, made_value(random, depth, made))
    return new


def _error(random: Random, depth: int, made: list[Any]) -> Any:
    kind = random.choice((ValueError, KeyError, OSError, UnicodeError, OwnError, StopIteration))
    error = kind(*_parts(random, depth - 1, [], 2))
    return ExceptionGroup("g", [error]) if random.random() < 0.2 else error


CONTAINERS: tuple[Callable[[Random, int, list[Any]], Any], ...] = (
    _list,
    _list,
    lambda random, depth, made: tuple(_parts(random, depth, made)),
    _dict,
    _dict,
    lambda random, depth, made: {key(random) for _ in range(random.randrange(4))},
    lambda random, depth, made: frozenset(key(random) for _ in range(random.randrange(4))),
    lambda random, depth, made: deque(_parts(random, depth, made), random.choice((None, 5))),
    lambda random, depth, made: Counter(
        {key(random): random.randint(-2, 9) for _ in range(random.randrange(3))}
    ),
    lambda random, depth, made: bytearray(random.randbytes(random.choice(_SIZES))),
    lambda random, depth, made: [random.choice(_EDGES[:8]) for _ in range(random.choice((20, 40)))],
    lambda random, depth, made: tuple(
        random.choice(_FLOATS) for _ in range(random.choice((20, 40)))
    ),
    lambda random, depth, made: array.array(random.choice("bhilqd"), range(random.randrange(40))),
    lambda random, depth, made: slice(*(made_value(random, 0, made) for _ in range(3))),
    lambda random, depth, made: Pair(*(made_value(random, depth, made) for _ in range(2))),
    _instance,
    _error,
)
