"""The value codec and pandas: tables, indexes and their scalars come back as pandas' own tests
would have them equal."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest

from fumehood.errors import WorkerProtocolError
from fumehood.wire.tables import UNSORTED
from fumehood.wire.values import Decoder, Encoder, RemoteObject

np = pytest.importorskip("numpy")
pd = pytest.importorskip("pandas")
import pandas.testing as tm  # noqa: E402


def cross(value: Any) -> Any:
    node, buffers = Encoder(lambda value: (1, type(value).__name__, "")).encode(value)
    return Decoder().decode(
        json.loads(json.dumps(node, allow_nan=False)), [bytearray(buffer) for buffer in buffers]
    )


COLUMNS: dict[str, Any] = {
    "ints": np.arange(6),
    "small ints": np.arange(6, dtype="i1"),
    "floats": np.arange(6) * 1.5,
    "missing floats": [1.5, None, float("nan"), float("inf"), -0.0, 1],
    "bools": [True, False] * 3,
    "complex": np.arange(6) * 1j,
    "objects": pd.Series(["a", None, 1, [1], (2,), {}], dtype=object),
    "texts as objects": pd.Series(list("abcdef"), dtype=object),
    "texts": list("abcabc"),
    "missing texts": ["a", None, "", "é", "\U0001f600", "x" * 5000],
    "nullable texts": pd.array(["x", None] * 3, dtype="string"),
    "categories": pd.Categorical(list("abcabc")),
    "missing categories": pd.Categorical(["a", None] * 3),
    "ordered categories": pd.Categorical([3, 1, 2, 3, 1, 2], categories=[3, 1, 2], ordered=True),
    **{
        name: pd.array([1, None, 3] * 2, dtype=name)
        for name in ("Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64")
    },
    "Float32": pd.array([1.5, None] * 3, dtype="Float32"),
    "Float64": pd.array([1.5, None] * 3, dtype="Float64"),
    "boolean": pd.array([True, None] * 3, dtype="boolean"),
    "dates": pd.date_range("2020", periods=6),
    "missing dates": pd.to_datetime(["2020", None] * 3),
    "dates in seconds": pd.date_range("2020", periods=6).as_unit("s"),
    "dates in a zone": pd.date_range("2020-10-24", periods=6, freq="h", tz="Europe/Berlin"),
    "dates in UTC": pd.date_range("2020", periods=6, tz="UTC"),
    "dates at an offset": pd.date_range("2020", periods=6, tz=dt.timezone(dt.timedelta(hours=5))),
    "durations": pd.timedelta_range("1s", periods=6),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_a_column_comes_back_as_it_was(name: str) -> None:
    series = pd.Series(COLUMNS[name], name=("a", 1))
    back = cross(series)
    assert type(back) is pd.Series
    tm.assert_series_equal(back, series)
    index = (
        pd.Index(COLUMNS[name], name="n")
        if not isinstance(COLUMNS[name], pd.Series) or name != "objects"
        else pd.RangeIndex(6)
    )
    tm.assert_index_equal(cross(index), index, exact=True)
    tm.assert_series_equal(cross(series[:0]), series[:0])


def table() -> Any:
    return pd.DataFrame(COLUMNS)


TABLES: dict[str, Any] = {
    "all kinds of columns": table,
    "no rows": lambda: table().head(0),
    "no columns": lambda: table()[[]],
    "nothing": pd.DataFrame,
    "every other row": lambda: table()[::2],
    "turned": lambda: table()[["ints", "texts"]].T,
    "equal names": lambda: pd.DataFrame([[1, "b"]], columns=["a", "a"]),
    "one block": lambda: pd.DataFrame(np.arange(12.0).reshape(4, 3)),
    "dates as labels": lambda: table().set_index("dates"),
    "categories as labels": lambda: table().set_index("categories"),
    "several levels": lambda: table().set_index(["ints", "texts", "dates in a zone"]),
    "missing in levels": lambda: table().set_index(["missing categories", "ints"]),
    "grouped": lambda: table().groupby("texts").agg({"ints": ["sum", "mean"]}),
    "described": lambda: table()[["ints", "floats"]].describe(),
    "numbers as names": lambda: pd.DataFrame({1: [1], (2, "x"): [2], None: [3]}),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_comes_back_as_it_was(name: str) -> None:
    frame = TABLES[name]()
    back = cross(frame)
    assert type(back) is pd.DataFrame
    tm.assert_frame_equal(back, frame)


INDEXES: dict[str, Any] = {
    "a range": pd.RangeIndex(5, 50, 7, name=("a", 1)),
    "a range downwards": pd.RangeIndex(5, 0, -1),
    "an endless range": pd.RangeIndex(2**60),
    "dates with a frequency": pd.date_range("2020", periods=5, freq="2h"),
    "business days": pd.date_range("2020", periods=5, freq="B"),
    "durations with a frequency": pd.timedelta_range("1s", periods=5, freq="3s"),
    "levels": pd.MultiIndex.from_product([[1, 2], ["a", "b"]], names=["x", None]),
    "missing in levels": pd.MultiIndex.from_tuples([(1, "a"), (None, "b")]),
    "nothing": pd.Index([], dtype=object),
}


@pytest.mark.parametrize("name", INDEXES)
def test_an_index_comes_back_as_it_was(name: str) -> None:
    back = cross(INDEXES[name])
    tm.assert_index_equal(back, INDEXES[name], exact=True)
    assert getattr(back, "freq", None) == getattr(INDEXES[name], "freq", None)
    assert back.names == INDEXES[name].names


SCALARS: dict[str, Any] = {
    "a moment": pd.Timestamp("2020-01-01 12:00:00.123456789"),
    "a moment in seconds": pd.Timestamp("2020").as_unit("s"),
    "a moment in a zone": pd.Timestamp("2020-10-25 02:30+01:00").tz_convert("Europe/Berlin"),
    "a moment in UTC": pd.Timestamp("2020", tz="UTC"),
    "a moment at an offset": pd.Timestamp("2020-01-01T00:00+05:30"),
    "a duration": pd.Timedelta(-5, "s"),
    "no time": pd.NaT,
    "nothing": pd.NA,
}


@pytest.mark.parametrize("name", SCALARS)
def test_a_scalar_comes_back_as_it_was(name: str) -> None:
    back = cross({"k": SCALARS[name], SCALARS[name]: 1})
    assert type(back["k"]) is type(SCALARS[name]) and repr(back["k"]) == repr(SCALARS[name])
    assert repr(list(back)[1]) == repr(SCALARS[name])


def test_a_table_that_is_shared_stays_one_and_can_be_written_to() -> None:
    frame = table()
    first, second, column = cross([frame, (frame,), frame["ints"]])
    assert second[0] is first
    first.loc[0, "ints"] = 7
    first.iloc[:, 2] = 0.5
    column[0] = 8
    assert first["ints"].tolist()[0] == 7 and column[0] == 8 and frame["ints"].tolist()[0] == 0


def test_unknown_objects_in_a_column_are_named_one_by_one() -> None:
    back = cross(pd.DataFrame({"a": [print, 1]}))
    assert type(back.loc[0, "a"]) is RemoteObject and back.loc[1, "a"] == 1


@pytest.mark.parametrize(
    "column",
    [
        pd.arrays.SparseArray([0.5, 0, 0]),
        pd.period_range("2020", periods=3, freq="M"),
        pd.interval_range(0, 3),
        pd.cut(np.arange(3), 2),
    ],
    ids=["sparse", "periods", "intervals", "categories of intervals"],
)
def test_a_table_with_an_unusual_kind_of_column_stays_where_it_is(column: Any) -> None:
    assert type(cross(pd.DataFrame({"a": column}))) is RemoteObject
    assert type(cross(pd.Series(column))) is RemoteObject
    assert type(cross(pd.Index(column))) is RemoteObject
    frame = pd.DataFrame({"a": [1, 2, 3]}, index=pd.Index(column))
    shared = [1]
    first, second, third = cross([frame, shared, shared])
    assert type(first) is RemoteObject and second is third
    assert type(cross(column)) is RemoteObject


def test_a_subclass_of_a_table_stays_where_it_is() -> None:
    class Special(pd.DataFrame):
        pass

    assert type(cross(Special({"a": [1]}))) is RemoteObject


def test_a_table_that_contains_itself_is_named_inside() -> None:
    frame = pd.DataFrame({"a": [1, 2]}, dtype=object)
    frame.iat[0, 0] = frame
    first, second = cross([frame, frame])
    assert (
        type(first) is pd.DataFrame
        and type(first.iat[0, 0]) is RemoteObject
        and first.iat[1, 0] == 2
    )
    assert second is first or type(second) is RemoteObject


def test_many_categories_come_back_if_they_are_sorted() -> None:
    series = pd.Series(pd.Categorical(np.arange(UNSORTED + 100)))
    tm.assert_series_equal(cross(series), series)
    series = pd.Series(pd.Categorical([f"k{n:06}" for n in range(UNSORTED + 100)]))
    tm.assert_series_equal(cross(series), series)


# -- hostile

INTS = ["array", "<i8", ["tuple", 2], "C", True, "AAAAAAAAAAABAAAAAAAAAA=="]
BYTES = ["array", "|i1", ["tuple", 2], "C", True, "AAE="]
WIDE = ["array", "<i8", ["tuple", 1, 1], "C", True, "AAAAAAAAAAA="]
TRUTHS = ["array", "|b1", ["tuple", 2], "C", True, "AAE="]
DATES = ["array", "<M8[ns]", ["tuple", 2], "C", True, "AAAAAAAAAAABAAAAAAAAAA=="]
TWO = ["rangeindex", 0, 2, 1, None]

HOSTILE: dict[str, Any] = {
    "a column that is a list": ["series", TWO, None, ["list", 1, 2]],
    "a column of two dimensions": ["series", ["rangeindex", 0, 1, 1, None], None, WIDE],
    "a column longer than its index": ["series", ["rangeindex", 0, 1, 1, None], None, INTS],
    "an absurd index": ["series", ["rangeindex", 0, 10**15, 1, None], None, INTS],
    "an index that is a list": ["series", ["list", 1, 2], None, INTS],
    "a name that is a list": ["series", TWO, ["list"], INTS],
    "a table without columns and many rows": [
        "frame",
        ["rangeindex", 0, 10**15, 1, None],
        ["rangeindex", 0, 0, 1, None],
    ],
    "a table of fewer names": ["frame", TWO, ["rangeindex", 0, 1, 1, None], INTS, INTS],
    "a table of uneven columns": [
        "frame",
        TWO,
        TWO,
        INTS,
        ["array", "|i1", ["tuple", 1], "C", True, "AA=="],
    ],
    "a table without labels": ["frame"],
    "a range of floats": ["rangeindex", 0.5, 1, 1, None],
    "a range without steps": ["rangeindex", 0, 1, 0, None],
    "a range beyond numbers": ["rangeindex", 0, 2**70, 1, None],
    "an index in two dimensions": ["index", WIDE, None, None],
    "an index of an index": ["index", ["index", INTS, None, None], None, None],
    "a frequency that is a program": ["index", DATES, None, "__import__('os')"],
    "a mask that is shorter": [
        "nullable",
        "Int64",
        INTS,
        ["array", "|b1", ["tuple", 1], "C", True, "AA=="],
    ],
    "a mask of numbers": ["nullable", "Int64", INTS, BYTES],
    "another width": ["nullable", "Int32", INTS, TRUTHS],
    "an unknown nullable": ["nullable", "object", INTS, TRUTHS],
    "texts that are numbers": ["strings", "str", ["list", 1]],
    "texts that are one text": ["strings", "str", "abc"],
    "unknown texts": ["strings", "int64[pyarrow]", ["list"]],
    "codes beyond the categories": ["category", BYTES, ["rangeindex", 0, 1, 1, None], False],
    "codes that are bools": ["category", TRUTHS, TWO, False],
    "codes that are dates": ["category", DATES, TWO, False],
    "categories twice": [
        "category",
        BYTES,
        ["index", ["objects", [2], "a", "a"], None, None],
        False,
    ],
    "categories that are a list": ["category", BYTES, ["list", 1, 2], False],
    "absurdly many categories": ["category", BYTES, ["rangeindex", 0, 10**15, 1, None], False],
    "categories that cannot be hashed": [
        "category",
        BYTES,
        ["index", ["objects", [2], ["list"], ["list", 1]], None, None],
        False,
    ],
    "ordered perhaps": ["category", BYTES, TWO, 1],
    "instants of numbers": ["instants", INTS, ["timezone", ["timedelta", 0, 0, 0], None]],
    "instants nowhere": ["instants", DATES, None],
    "instants in a text": ["instants", DATES, "UTC"],
    "levels without codes": ["multiindex", ["list", TWO], ["list"], ["tuple", None]],
    "no levels": [
        "multiindex",
        [
            "list",
        ],
        ["list"],
        ["tuple"],
    ],
    "codes beyond the levels": [
        "multiindex",
        ["list", ["rangeindex", 0, 1, 1, None]],
        ["list", BYTES],
        ["tuple", None],
    ],
    "codes of uneven length": [
        "multiindex",
        ["list", TWO, TWO],
        ["list", BYTES, ["array", "|i1", ["tuple", 1], "C", True, "AA=="]],
        ["tuple", None, None],
    ],
    "levels in levels": [
        "multiindex",
        ["list", ["multiindex", [TWO], ["list", BYTES], ["tuple", None]]],
        [BYTES],
        [None],
    ],
    "levels that are no list": ["multiindex", "ab", "cd", "ef"],
    "a moment in no unit": ["timestamp", 1, "D", None],
    "a moment beyond time": ["timestamp", 2**62, "s", None],
    "a moment that is no time": ["timestamp", -(2**63), "ns", None],
    "a moment in a date": ["timestamp", 0, "ns", ["date", 1, 1, 1]],
    "a duration beyond time": ["duration", 2**63, "ns"],
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_table_is_a_protocol_error(what: str) -> None:
    with pytest.raises(WorkerProtocolError, match="not a value"):
        Decoder().decode(HOSTILE[what])


def colliding_for_pandas(count: int) -> Any:
    """Different numbers of one hash in pandas' table: it takes the low half of n>>33 ^ n ^
    n<<11."""
    high = np.arange(count, dtype="u8")
    mixed = (high ^ np.uint64(12345)) & np.uint64(2**32 - 1)
    low = (mixed ^ mixed << np.uint64(11) ^ mixed << np.uint64(22)) & np.uint64(2**32 - 1)
    return np.random.default_rng(0).permutation((high << np.uint64(33) | low).astype("i8"))


@pytest.mark.parametrize("kind", ["category", "multiindex"])
def test_numbers_that_collide_in_pandas_are_refused(kind: str) -> None:
    numbers = colliding_for_pandas(UNSORTED + 1)
    level = ["index", ["array", "<i8", ["tuple", len(numbers)], "C", True, 0], None, None]
    node = (
        ["category", BYTES, level, False]
        if kind == "category"
        else ["multiindex", ["list", level], ["list", BYTES], ["tuple", None]]
    )
    with pytest.raises(WorkerProtocolError, match="unsorted"):
        Decoder().decode(node, [bytearray(numbers)])


def test_the_unsorted_of_all_columns_count_together() -> None:
    numbers = colliding_for_pandas(UNSORTED // 2 + 1)[::-1]
    level = [
        ["index", ["array", "<i8", ["tuple", len(numbers)], "C", True, place], None, None]
        for place in range(2)
    ]
    with pytest.raises(WorkerProtocolError, match="unsorted"):
        Decoder().decode(
            ["multiindex", ["list", *level], ["list", BYTES, BYTES], ["tuple", None, None]],
            [bytearray(numbers)] * 2,
        )


def test_rows_of_nothing_are_bounded_when_they_are_sent() -> None:
    assert type(cross(pd.DataFrame(index=pd.RangeIndex(10**7)))) is RemoteObject
