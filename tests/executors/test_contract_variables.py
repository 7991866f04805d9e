"""What every executor promises of variables: those that are sent, those that are fetched, and the
mapping they are seen through."""

from __future__ import annotations

import collections
import datetime
import decimal
import enum
import fractions
import pathlib
import uuid
import zoneinfo
from dataclasses import dataclass

import pytest

from fumehood import LocalPythonExecutor, PolicyError

from .conftest import MakeExecutor

UTC = datetime.UTC

# One of each type that travels: what is sent, asked for, returned by a tool or given to one comes
# back equal and of the same type.
TRAVELLERS = [
    None,
    True,
    0,
    -1,
    2**62,
    -(2**64),
    10**400,
    1.5,
    float("-inf"),
    1 + 2j,
    "",
    "text",
    "ü\n\0\ud800",
    "long " * 5000,
    b"",
    b"bytes",
    b"\0" * 100_000,
    bytearray(b"array"),
    [],
    [1, "two", [3.0]],
    (),
    (1,),
    {1, 2},
    frozenset({"a"}),
    {},
    {"a": 1, 2: "b", (3, 4): None},
    collections.OrderedDict(z=1, a=2),
    collections.Counter("abca"),
    collections.deque([1, 2], maxlen=4),
    range(3, 30, 4),
    slice(None, 5),
    ...,
    datetime.date(2024, 2, 29),
    datetime.time(23, 59, 58, 999_999, tzinfo=UTC),
    datetime.datetime(2024, 5, 6, 7, 8, 9, 10),
    datetime.datetime(2024, 5, 6, tzinfo=datetime.timezone(datetime.timedelta(hours=-3), "here")),
    datetime.datetime(2024, 5, 6, tzinfo=zoneinfo.ZoneInfo("UTC")),
    datetime.timedelta(days=-1, microseconds=5),
    decimal.Decimal("1.10"),
    fractions.Fraction(1, 3),
    uuid.UUID(int=5),
    pathlib.PurePosixPath("a/b"),
    list(range(10_000)),
    [float(n) for n in range(10_000)],
]


def differing(sent: list[object], came_back: list[object]) -> list[tuple[object, object]]:
    """Pairs of values that are not equal or not of the same type."""
    return [
        (before, after)
        for before, after in zip(sent, came_back, strict=True)
        if before != after or type(before) is not type(after)
    ]


def test_values_that_were_sent_come_back_equal(executor: LocalPythonExecutor) -> None:
    names = [f"sent{number}" for number in range(len(TRAVELLERS))]
    executor.send_variables(dict(zip(names, TRAVELLERS, strict=True)))
    assert differing(TRAVELLERS, executor(f"[{', '.join(names)}]").output) == []
    assert differing(TRAVELLERS, [executor.state[name] for name in names]) == []
    types = executor(f"[type(value).__name__ for value in [{', '.join(names)}]]").output
    for value, name in zip(TRAVELLERS, types, strict=True):
        assert name in (type(value).__name__, "PosixPath")


def test_variables_sent_together_share_what_they_shared(executor: LocalPythonExecutor) -> None:
    shared = [1]
    executor.send_variables({"a": shared, "b": {"inner": shared}})
    assert executor("b['inner'] is a").output is True


def test_what_is_sent_replaces_what_was_there(executor: LocalPythonExecutor) -> None:
    executor("x = 1\ndef f(): return x")
    executor.send_variables({"x": 2})
    assert executor("f()").output == 2


@pytest.mark.parametrize("name", ["not an identifier", "__builtins__", "__name__", 3, "a.b", ""])
def test_names_that_code_cannot_use_are_refused(
    executor: LocalPythonExecutor, name: object
) -> None:
    with pytest.raises(PolicyError):
        executor.send_variables({name: 1})  # type: ignore[dict-item]
    assert executor("1").output == 1


def test_functions_of_the_host_s_program_can_be_sent(executor: LocalPythonExecutor) -> None:
    pytest.importorskip("cloudpickle")
    offset = 10
    executor.send_variables({"shift": lambda x: x + offset})
    assert executor("shift(1)").output == 11


def test_state_is_a_mapping(executor: LocalPythonExecutor) -> None:
    executor("a = 1\nb = [2]")
    state = executor.state
    assert state["a"] == 1
    assert {"a", "b"} <= set(state)
    assert "a" in state
    assert "missing" not in state
    assert 3 not in state
    assert state.get("missing", "default") == "default"
    assert len(state) >= 2
    with pytest.raises(KeyError, match="missing"):
        state["missing"]


def test_state_can_be_changed(executor: LocalPythonExecutor) -> None:
    executor("a = 1")
    executor.state["a"] = 5
    executor.state["new"] = {"k": 1}
    assert executor("a, new").output == (5, {"k": 1})
    del executor.state["a"]
    assert executor.run("a").error.type == "NameError"
    with pytest.raises(KeyError):
        del executor.state["a"]


def test_the_state_is_that_of_the_last_cell_and_not_the_machinery_s(
    executor: LocalPythonExecutor,
) -> None:
    executor("a = 1")
    executor("a = 2\nb = 3")
    names = set(executor.state)
    assert {"a", "b"} <= names
    assert not {name for name in names if not name.isidentifier()}
    assert executor.state["a"] == 2


def test_the_logs_are_in_the_state_under_their_name(executor: LocalPythonExecutor) -> None:
    executor("print('hello')")
    assert str(executor.state.get("_print_outputs", "")) == "hello\n"


def test_functions_that_code_defines_are_its_custom_tools(executor: LocalPythonExecutor) -> None:
    executor("x = 1\ndef f(): pass\nclass C: pass\ng = len\nh = lambda: 0")
    assert set(executor.custom_tools) == {"f", "h"}


def test_records_travel_with_their_names_and_parts(make_executor: MakeExecutor) -> None:
    executor = make_executor()
    made = executor(
        "import dataclasses, enum, collections\n"
        "@dataclasses.dataclass\nclass Point:\n    x: int\n    y: list\n"
        "class Colour(enum.Enum):\n    RED = 'r'\n"
        "Pair = collections.namedtuple('Pair', 'left right')\n"
        "Point(1, [2]), Colour.RED, Pair(3, 4)"
    ).output
    point, colour, pair = made
    assert (point.x, point.y) == (1, [2])
    assert "RED" in repr(colour)
    assert (pair[0], pair.right) == (3, 4)


def test_records_of_the_host_can_be_sent(executor: LocalPythonExecutor) -> None:
    @dataclass
    class Point:
        x: int

    class Colour(enum.Enum):
        RED = 1

    executor.send_variables({"point": Point(3), "colour": Colour.RED})
    assert executor("point.x, colour.name, colour.value").output == (3, "RED", 1)


def test_exceptions_travel_as_values(executor: LocalPythonExecutor) -> None:
    value = executor("ValueError('bad', 3)").output
    assert isinstance(value, ValueError)
    assert value.args == ("bad", 3)


@pytest.fixture
def numeric(make_executor: MakeExecutor) -> LocalPythonExecutor:
    pytest.importorskip("numpy")
    pytest.importorskip("pandas")
    return make_executor(["numpy", "pandas"])


def test_arrays_and_tables_travel_both_ways(numeric: LocalPythonExecutor) -> None:
    import numpy as np
    import pandas as pd

    array = np.arange(12, dtype="f4").reshape(3, 4)
    frame = pd.DataFrame({"a": [1, 2], "b": ["x", None], "c": pd.to_datetime(["2024-01-01", None])})
    numeric.send_variables({"array": array, "frame": frame})
    back, scalar, table = numeric("array * 2, array.sum(), frame").output
    assert back.dtype == np.float32
    assert (back == array * 2).all()
    assert scalar == array.sum()
    assert type(scalar) is np.float32
    pd.testing.assert_frame_equal(table, frame)


def test_large_arrays_travel(numeric: LocalPythonExecutor) -> None:
    import numpy as np

    array = np.arange(2_000_000, dtype="i8")
    numeric.send_variables({"array": array})
    assert (numeric("array[::-1]").output == array[::-1]).all()
