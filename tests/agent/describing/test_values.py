"""A value in a few words: bounded in length and in time, whatever the value is."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import decimal
import enum
import fractions
import math
import pathlib
import threading
import uuid
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from fumehood.agent.describing.values import Patience, Texts, value_text
from fumehood.wire.records import Record, RemoteError, RemoteObject


class Colour(enum.Enum):
    RED = 1


class Level(enum.IntEnum):
    LOW = 1


@dataclasses.dataclass
class Point:
    x: int
    y: Any
    hidden: str = dataclasses.field(default="secret", repr=False)


@dataclasses.dataclass(slots=True)
class Slotted:
    x: int


Pair = collections.namedtuple("Pair", "first second")


class Names(list):  # type: ignore[type-arg]
    pass


class Text(str):
    pass


class Whole(int):
    def __int__(self) -> int:
        raise AssertionError("called")


def bomb() -> list[Any]:
    """A small value with a repr of 2^100 characters."""
    made: list[Any] = []
    for _ in range(100):
        made = [made, made]
    return made


PLAIN = {
    "None": None,
    "True": True,
    "42": 42,
    "-0.0": -0.0,
    "nan": math.nan,
    "(1+2j)": 1 + 2j,
    "Ellipsis": ...,
    "'a\\n\"'": 'a\n"',
    "b'\\x00'": b"\0",
    "bytearray(b'a')": bytearray(b"a"),
    "[1, 'a', [2]]": [1, "a", [2]],
    "(1,)": (1,),
    "()": (),
    "{1}": {1},
    "set()": set(),
    "frozenset()": frozenset(),
    "{'a': {'b': 1}}": {"a": {"b": 1}},
    "{}": {},
    "range(0, 3)": range(3),
    "slice(1, None, 2)": slice(1, None, 2),
    "deque([1])": collections.deque([1]),
    "datetime.date(2024, 1, 2)": datetime.date(2024, 1, 2),
    "Decimal('1.50')": decimal.Decimal("1.50"),
    "Fraction(1, 3)": fractions.Fraction(1, 3),
    "UUID('00000000-0000-0000-0000-000000000001')": uuid.UUID(int=1),
    "PosixPath('a/b')": pathlib.PosixPath("a/b"),
    "<Colour.RED: 1>": Colour.RED,
    "<Level.LOW: 1>": Level.LOW,
    "Point(x=1, y=[2])": Point(1, [2]),
    "Slotted(x=3)": Slotted(3),
    "Pair(first=1, second=2)": Pair(1, 2),
    "Names([1, 2])": Names([1, 2]),
    "'text'": Text("text"),
    "7": Whole(7),
    "ValueError('no', 1)": ValueError("no", 1),
    "app.Failed('no')": RemoteError("app.Failed", "no"),
    "app.Point(x=1, y=2)": Record("app.Point", "dataclass", ("x", "y"), (1, 2)),
    "<app.Colour.RED: 1>": Record("app.Colour", "enum", ("name", "value"), ("RED", 1)),
    "<Thing at 0x1>": RemoteObject(1, "Thing", "<Thing at 0x1>"),
    "<class int>": int,
    "<module math>": math,
    "<function bomb>": bomb,
    "<function len>": len,
    "2.5": np.float64(2.5),
    "3": np.int8(3),
    "2024-01-02": np.datetime64("2024-01-02"),
    "<2x2 array of int64: 1, 2, 3, 4>": np.array([[1, 2], [3, 4]]),
    "<DataFrame of 2 rows, columns 'a', 'b'>": pd.DataFrame({"a": [1, 2], "b": [3, 4]}),
    "<Series of int64: 1, 2>": pd.Series([1, 2]),
    "<Index of int64: 0, 1>": pd.RangeIndex(2),
    "Timestamp('2024-01-02 00:00:00')": pd.Timestamp("2024-01-02"),
    "NaT": pd.NaT,
    "<NA>": pd.NA,
    "<image, RGB, 4x3>": Image.new("RGB", (4, 3)),
}


@pytest.mark.parametrize("text", PLAIN)
def test_a_short_value_is_shown_whole(text: str) -> None:
    assert value_text(PLAIN[text]) == text


# Made where they are used: pytest would spell them out.
LARGE: dict[str, Callable[[], Any]] = {
    "list": bomb,
    "dict": lambda: {"a": bomb()},
    "dataclass": lambda: Point(1, bomb()),
    "namedtuple": lambda: Pair(bomb(), bomb()),
    "error": lambda: ValueError(bomb()),
    "record": lambda: Record("T" * 10_000, "frozen", ("x" * 10_000,), (bomb(),)),
    "remote": lambda: RemoteObject(1, "x" * 10_000, "y" * 10_000),
    "str": lambda: "x" * 10**7,
    "bytes": lambda: b"x" * 10**7,
    "int": lambda: 10**100_000,
    "negative": lambda: -(10**4000),
    "fraction": lambda: fractions.Fraction(10**5000, 3),
    "counter": lambda: collections.Counter(range(10_000)),
    "array": lambda: np.zeros((1000, 1000)),
    "frame": lambda: pd.DataFrame(np.zeros((2, 1000))),
    "arrays": lambda: [np.zeros(1000)] * 1000,
    "columns": lambda: [pd.Series(range(1000))] * 1000,
}


@pytest.mark.parametrize("limit", [0, 1, 10, 100, 5_000])
@pytest.mark.parametrize("name", LARGE)
def test_no_value_takes_more_than_its_room(name: str, limit: int) -> None:
    assert len(value_text(LARGE[name](), limit)) <= max(limit, 1)


# -- code that a value brings along


class Loops:
    thread: threading.Thread | None = None

    def __repr__(self) -> str:
        self.thread = threading.current_thread()
        while True:
            pass


class Raises:
    def __init__(self, error: BaseException) -> None:
        self.error = error

    def __repr__(self) -> str:
        raise self.error


class Pretends:
    @property
    def __class__(self) -> Any:
        raise AssertionError("asked for its class")


class Refusing(type):
    def __getattribute__(cls, name: str) -> Any:
        raise AssertionError(f"asked for {name}")

    def __eq__(cls, other: object) -> bool:
        raise AssertionError("compared")

    __hash__ = type.__hash__


class Refuses(metaclass=Refusing):
    pass


def test_a_repr_that_never_returns_is_given_up() -> None:
    assert (
        Texts(100, Patience(0.05)).of(Loops())
        == f"<{Loops.__module__}.Loops object whose repr takes too long>"
    )


@pytest.mark.parametrize(
    "error", [ValueError("x"), SystemExit(3), KeyboardInterrupt(), RecursionError(), MemoryError()]
)
def test_a_repr_that_raises_is_told_of(error: BaseException) -> None:
    assert value_text(Raises(error)).endswith(
        f"Raises object whose repr raised {type(error).__name__}>"
    )


def test_nothing_else_of_an_object_is_called() -> None:
    for value, name in (
        (Pretends(), "Pretends"),
        (Refuses(), "Refuses"),
        (Refuses, "Refuses"),
        ([Refuses()], "Refuses"),
    ):
        assert name in value_text(value)
