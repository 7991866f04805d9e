"""Rows of the value codec for pandas: Series, DataFrame, every kind of Index, and their scalars. Works with pandas 2.1 and later.

Everything with values in it is made of *columns*, and a column is one of:

    array | objects                       what numpy itself holds (arrays.py)
    nullable    dtype, array, mask        Int8 … UInt64, Float32, Float64, boolean
    strings     "string" | "str", list    text with None where it is missing; "str" is the kind whose missing value is nan
    category    codes, categories, ordered
    instants    array in UTC, zone        datetime64 with a time zone
    periods     ordinals, freq
    intervals   left, right, closed

What is none of these goes item by item if it is scalars, and else the whole table stays where it is.
pandas finds duplicates with hash tables whose hashes can be foreseen, so where building something makes pandas look for duplicates
(categories, levels) the values have to be sorted or few.
"""

from __future__ import annotations

import functools
import operator
import re
from importlib import import_module
from typing import Any, Final

from fumehood.wire.arrays import library
from fumehood.wire.codec import INT_MAX, INT_MIN, LATE, Decoding, Encoding, Node, Unsupported, arity, decodes, exactly, guarded, malformed
from fumehood.wire.records import Record
from fumehood.wire.standard import to_zone, zone

FEW: Final = 100
UNSORTED: Final = 20_000
"""Categories or levels of one value that need not be sorted, those of FEW aside: so many can be made to collide without doing harm."""
_FREQ: Final = re.compile(r"(-?\d{1,9})?[A-Za-z]{1,6}(-[A-Z]{3})?")
_CLOSED: Final = ("left", "right", "both", "neither")
_NULLABLE: Final = {
    **{f"{sign}Int{bits}": f"{'u' if sign else 'i'}{bits // 8}" for sign in ("", "U") for bits in (8, 16, 32, 64)},
    "Float32": "f4",
    "Float64": "f8",
    "boolean": "?",
}
_COLUMNS: Final = ("array", "objects", "nullable", "strings", "category", "instants", "periods", "intervals")

# -- columns, going out ------------------------------------------------------------------------------------------------------------------


def _column(walk: Encoding, values: Any) -> Node:
    """The node of a Series' or Index' values."""
    np = import_module("numpy")
    dtype = values.dtype
    if isinstance(dtype, np.dtype):
        return walk.value(_own(np, np.asarray(values.to_numpy())))
    encode = _COLUMN_ENCODERS.get(type(dtype).__name__)
    if encode is not None:
        made: Node = encode(walk, values, np)
        return made
    walk.enter(len(values))
    items = np.empty(len(values), object)
    items[:] = list(values)
    node = walk.value(items)
    walk.depth += 1
    if any(type(part) is list and part[0] not in _SCALARS for part in node[2:]):  # type: ignore[index]
        raise Unsupported("a column of an unknown kind")
    return node


_SCALARS: Final = frozenset(
    "int float complex text bytes decimal date time datetime timedelta uuid scalar timestamp duration period interval nat na ref".split()
)


def _own(np: Any, array: Any) -> Any:
    """A view that claims to be writable where pandas hands out a read-only one: the column on the other side is somebody's own."""
    if array.flags.writeable or array.dtype.hasobject:
        return array
    view = array.view()
    try:
        view.flags.writeable = True
    except ValueError:
        return array.copy()
    return view


def _nullable(walk: Encoding, values: Any, np: Any) -> Node:
    name = values.dtype.name
    mask = np.asarray(values.isna(), dtype=bool)
    data = values.to_numpy(dtype=np.dtype(_NULLABLE[name]), na_value=np.dtype(_NULLABLE[name]).type(0))
    return ["nullable", name, walk.value(_own(np, data)), walk.value(_own(np, mask))]


def _strings(walk: Encoding, values: Any, np: Any) -> Node:
    pd = import_module("pandas")
    missing = getattr(values.dtype, "na_value", pd.NA)
    texts = values.to_numpy(dtype=object, na_value=None).tolist()
    return ["strings", "string" if missing is pd.NA else "str", walk.value(texts)]


def _category(walk: Encoding, values: Any, np: Any) -> Node:
    array = values.array if hasattr(values, "array") else values
    categories = array.categories
    if not _quickly_unique(walk, categories):
        raise Unsupported("many unsorted categories")
    return ["category", walk.value(np.array(array.codes)), walk.value(categories), bool(array.ordered)]


def _instants(walk: Encoding, values: Any, np: Any) -> Node:
    pd = import_module("pandas")
    index = pd.DatetimeIndex(values)
    return ["instants", walk.value(np.array(index.tz_convert("UTC").tz_localize(None).to_numpy())), _zone(walk, index.tz)]


def _zone(walk: Encoding, tz: Any) -> Node:
    """pandas of some versions makes zones of pytz; they are known by their name alone."""
    if type(tz).__module__.partition(".")[0] == "pytz":
        name = getattr(tz, "zone", None)
        if type(name) is not str:
            raise Unsupported("a time zone without a name")
        return ["zone", name, None]
    return zone(walk, tz, None)


def _periods(walk: Encoding, values: Any, np: Any) -> Node:
    pd = import_module("pandas")
    return ["periods", walk.value(np.array(pd.PeriodIndex(values).asi8)), _freq(values.dtype.name[len("period[") : -1])]


def _freq(text: Any) -> str:
    if type(text) is not str or not _FREQ.fullmatch(text):
        raise Unsupported("a frequency of an unknown kind")
    return text


def _intervals(walk: Encoding, values: Any, np: Any) -> Node:
    array = values.array if hasattr(values, "array") else values
    return ["intervals", _column(walk, array.left), _column(walk, array.right), array.closed]


_COLUMN_ENCODERS: Final[dict[str, Any]] = {
    **dict.fromkeys([name + "Dtype" for name in _NULLABLE if name != "boolean"] + ["BooleanDtype"], _nullable),
    "StringDtype": _strings,
    "CategoricalDtype": _category,
    "DatetimeTZDtype": _instants,
    "PeriodDtype": _periods,
    "IntervalDtype": _intervals,
}


# -- columns, coming in ------------------------------------------------------------------------------------------------------------------


def _to_column(walk: Decoding, node: Any) -> Any:
    """One-dimensional values that a Series can be made of."""
    if type(node) is not list or not node or node[0] not in _COLUMNS and node[0] != "ref":
        malformed("a column that is none")
    values = walk.value(node)
    np = import_module("numpy")
    if type(values) is np.ndarray and values.ndim == 1 or type(values) in _column_types():
        return values
    return malformed("a column that is not one row of values")


@functools.cache
def _column_types() -> tuple[type, ...]:
    pd = import_module("pandas")
    arrays = pd.arrays
    kinds: tuple[type, ...] = (arrays.IntegerArray, arrays.FloatingArray, arrays.BooleanArray, pd.Categorical, arrays.DatetimeArray)
    return (*kinds, arrays.PeriodArray, arrays.IntervalArray, *_string_arrays(pd))


def _string_arrays(pd: Any) -> set[type]:
    return {type(pd.array([], dtype=dtype)) for dtype in _string_dtypes(pd).values()}


def _string_dtypes(pd: Any) -> dict[str, Any]:
    try:
        return {"string": pd.StringDtype(), "str": pd.StringDtype(na_value=float("nan"))}
    except TypeError:  # before pandas 2.3 there is one kind
        return {"string": pd.StringDtype(), "str": pd.StringDtype()}


def _numbers(walk: Decoding, node: Any, kind: str | None = None) -> Any:
    """A one-dimensional numpy array, of one dtype if that is given."""
    np = import_module("numpy")
    array = walk.value(node)
    if type(array) is not np.ndarray or array.ndim != 1 or kind is not None and array.dtype != np.dtype(kind):
        malformed("a column of other numbers than it says")
    return array


@decodes("nullable")
def _to_nullable(walk: Decoding, node: list[Any]) -> Any:
    name, data, mask = arity(node, 3)
    pd = import_module("pandas")
    values, missing = _numbers(walk, data, _NULLABLE[exactly(str, name)]), _numbers(walk, mask, "?")
    if len(values) != len(missing):
        malformed("a mask that does not fit")
    kind = pd.arrays.BooleanArray if name == "boolean" else pd.arrays.FloatingArray if "Float" in name else pd.arrays.IntegerArray
    return kind(values, missing)


@decodes("strings")
def _to_strings(walk: Decoding, node: list[Any]) -> Any:
    which, part = arity(node, 2)
    pd = import_module("pandas")
    dtype = _string_dtypes(pd)[exactly(str, which)]
    texts = walk.of(list, part)
    if set(map(type, texts)) - {str, type(None)}:
        malformed("a text column of something else")
    return pd.array(texts, dtype=dtype)


@decodes("category")
def _to_category(walk: Decoding, node: list[Any]) -> Any:
    codes, categories, ordered = arity(node, 3)
    pd = import_module("pandas")
    codes, categories = _numbers(walk, codes), _level(walk, categories)
    if codes.dtype.kind != "i":
        malformed("codes that are not whole numbers")
    return pd.Categorical.from_codes(codes, categories, ordered=exactly(bool, ordered))


def _level(walk: Decoding, node: Any) -> Any:
    """An index that pandas will look for duplicates in."""
    np, pd = import_module("numpy"), import_module("pandas")
    index = walk.value(node)
    if not isinstance(index, pd.Index) or isinstance(index, pd.MultiIndex):
        malformed("categories or levels that are no index")
    if len(index) > walk.limits.items and isinstance(index, pd.RangeIndex):
        malformed("an absurd number of categories or levels")
    if isinstance(index.dtype, np.dtype) and index.dtype == object:
        walk.keys(index.tolist())  # these are hashed as Python hashes them
    if not _quickly_unique(walk, index):
        malformed("many unsorted categories or levels")
    return index


def _quickly_unique(walk: Encoding | Decoding, index: Any) -> bool:
    """Whether pandas will find out in good time that an index has no duplicates: it then need not hash, or not much."""
    np = import_module("numpy")
    if len(index) <= FEW or type(index).__name__ == "RangeIndex" or isinstance(index.dtype, np.dtype) and index.dtype == object:
        return True
    if isinstance(index.dtype, np.dtype):
        values = index.to_numpy()
        is_sorted = bool((values[1:] > values[:-1]).all())
    else:
        values = index.tolist()
        try:
            is_sorted = all(map(operator.lt, values, values[1:]))
        except TypeError:
            is_sorted = False
    if is_sorted and index.is_monotonic_increasing:  # pandas remembers this, and that it implies uniqueness
        return True
    walk.unsorted += len(index)
    return walk.unsorted <= UNSORTED


@decodes("instants")
def _to_instants(walk: Decoding, node: list[Any]) -> Any:
    data, tz = arity(node, 2)
    pd = import_module("pandas")
    values, tz = _numbers(walk, data), to_zone(walk, tz)
    if values.dtype.kind != "M" or tz is None:
        malformed("instants without time or zone")
    return pd.DatetimeIndex(values).tz_localize("UTC").tz_convert(_own_zone(pd, tz)).array


def _own_zone(pd: Any, tz: Any) -> Any:
    """The zone as this pandas would make it of a name: before pandas 3 zones of equal name and different kind are different dtypes."""
    return getattr(tz, "key", tz) if int(pd.__version__.partition(".")[0]) < 3 else tz


@decodes("periods")
def _to_periods(walk: Decoding, node: list[Any]) -> Any:
    data, freq = arity(node, 2)
    pd = import_module("pandas")
    return pd.arrays.PeriodArray(_numbers(walk, data, "i8"), dtype=pd.PeriodDtype(_to_freq(walk, freq)))


def _to_freq(walk: Decoding, node: Any) -> str:
    text = walk.words(node, 40)
    if not _FREQ.fullmatch(text):
        malformed("a frequency that is none")
    return text


@decodes("intervals")
def _to_intervals(walk: Decoding, node: list[Any]) -> Any:
    left, right, closed = arity(node, 3)
    pd = import_module("pandas")
    left, right = _to_column(walk, left), _to_column(walk, right)
    if closed not in _CLOSED or len(left) != len(right):
        malformed("intervals whose ends do not fit")
    return pd.arrays.IntervalArray.from_arrays(left, right, closed=closed)


# -- indexes -----------------------------------------------------------------------------------------------------------------------------


def _index(walk: Encoding, value: Any) -> Node:
    seen = walk.seen(value)
    if seen is not None:
        return seen
    number = walk.reserve(value)
    walk.enter(1)
    kind = type(value).__name__
    node: Node
    if kind == "RangeIndex":
        node = ["rangeindex", *_within([int(value.start), int(value.stop), int(value.step)]), walk.key(value.name)]
    elif kind == "MultiIndex":
        np = import_module("numpy")
        if not all(_quickly_unique(walk, level) for level in value.levels):
            raise Unsupported("many unsorted levels")
        levels = [walk.value(level) for level in value.levels]
        codes = [walk.value(np.array(codes)) for codes in value.codes]
        node = ["multiindex", levels, codes, [walk.key(name) for name in value.names]]
    else:
        freq = getattr(value, "freq", None) if kind in ("DatetimeIndex", "TimedeltaIndex") else None
        text = getattr(freq, "freqstr", None)
        node = ["index", _column(walk, value), walk.key(value.name), text if text and _FREQ.fullmatch(text) else None]
    walk.depth += 1
    walk.fill(number)
    return node


def _within(numbers: list[int]) -> list[int]:
    """A range of larger numbers can be made, but not used: numpy cannot hold them."""
    if not INT_MIN <= min(numbers) <= max(numbers) <= INT_MAX:
        raise Unsupported("numbers beyond 64 bits")
    return numbers


def _pandas(walk: Decoding, what: str, parts: list[Any]) -> Any:
    """pandas, or what takes the place of the value where it is not installed."""
    pd = library("pandas", what)
    if type(pd) is Record:
        for part in parts:
            _pass_over(walk, part)
    return pd


def _pass_over(walk: Decoding, part: Any) -> None:
    """Decode what can be decoded without pandas: what is numbered inside still has to get its number."""
    if type(part) is list and part and part[0] in _COLUMNS[2:]:
        for inner in part[1:]:
            _pass_over(walk, inner)
    else:
        walk.value(part)


@decodes("rangeindex")
def _to_range_index(walk: Decoding, node: list[Any]) -> Any:
    *parts, name = arity(node, 4)
    number = walk.reserve()
    pd = _pandas(walk, "pandas.RangeIndex", [name])
    if type(pd) is Record:
        return walk.fill(number, pd)
    start, stop, step = _within([exactly(int, part) for part in parts])
    return walk.fill(number, pd.RangeIndex(start, stop, step, name=walk.key(name)))


@decodes("multiindex")
def _to_multi_index(walk: Decoding, node: list[Any]) -> Any:
    levels, codes, names = (exactly(list, part) for part in arity(node, 3))
    number = walk.reserve()
    pd = _pandas(walk, "pandas.MultiIndex", [*levels, *codes, *names])
    if type(pd) is Record:
        return walk.fill(number, pd)
    walk.spend(len(levels) + len(codes) + len(names))
    made = [_level(walk, level) for level in levels], [_numbers(walk, code) for code in codes]
    if len({len(code) for code in made[1]}) != 1 or any(code.dtype.kind != "i" for code in made[1]):
        malformed("codes that do not fit each other")
    return walk.fill(number, pd.MultiIndex(*made, names=[walk.key(name) for name in names], verify_integrity=True))


@decodes("index")
def _to_index(walk: Decoding, node: list[Any]) -> Any:
    column, name, freq = arity(node, 3)
    number = walk.reserve()
    pd = _pandas(walk, "pandas.Index", [column, name])
    if type(pd) is Record:
        return walk.fill(number, pd)
    values = _to_column(walk, column)
    index = pd.Index(values, dtype=values.dtype, name=walk.key(name))
    if freq is not None and isinstance(index, (pd.DatetimeIndex, pd.TimedeltaIndex)):
        freq = _to_freq(walk, freq)
        try:
            index.freq = freq
        except ValueError:
            index.freq = None  # another pandas may call it by another name; the values are what counts
    return walk.fill(number, index)


# -- tables ------------------------------------------------------------------------------------------------------------------------------


def _series(walk: Encoding, value: Any) -> Node:
    seen = walk.seen(value)
    if seen is not None:
        return seen
    number = walk.reserve(value)
    walk.enter(1)
    node: Node = ["series", walk.value(value.index), walk.key(value.name), _column(walk, value)]
    walk.depth += 1
    walk.fill(number)
    return node


@decodes("series")
def _to_series(walk: Decoding, node: list[Any]) -> Any:
    index, name, column = arity(node, 3)
    number = walk.reserve()
    pd = _pandas(walk, "pandas.Series", [index, name, column])
    if type(pd) is Record:
        return walk.fill(number, pd)
    index, name = _labels(walk, index), walk.key(name)
    return walk.fill(number, _made_series(pd, _to_column(walk, column), index, name))


def _labels(walk: Decoding, node: Any) -> Any:
    index = walk.value(node)
    if not isinstance(index, import_module("pandas").Index):
        malformed("labels that are no index")
    return index


def _made_series(pd: Any, values: Any, index: Any, name: Any = None) -> Any:
    if len(values) != len(index):
        malformed("a column that is longer or shorter than its index")
    return pd.Series(values, index=index, name=name, dtype=values.dtype, copy=False)


def _frame(walk: Encoding, value: Any) -> Node:
    seen = walk.seen(value)
    if seen is not None:
        return seen
    number = walk.reserve(value)
    walk.enter(value.shape[1])
    node: list[Any] = ["frame", walk.value(value.index), walk.value(value.columns)]
    for place in range(value.shape[1]):
        column = value.iloc[:, place]
        node.append(_column(walk, column))
    if not value.shape[1] and len(value) > walk.limits.items:
        raise Unsupported("a great many rows of nothing")
    walk.depth += 1
    walk.fill(number)
    return node


@decodes("frame")
def _to_frame(walk: Decoding, node: list[Any]) -> Any:
    if len(node) < 3:
        malformed("a table without labels")
    number = walk.reserve()
    pd = _pandas(walk, "pandas.DataFrame", node[1:])
    if type(pd) is Record:
        return walk.fill(number, pd)
    index, columns = _labels(walk, node[1]), _labels(walk, node[2])
    series = {place: _made_series(pd, _to_column(walk, part), index) for place, part in enumerate(node[3:])}
    if len(columns) != len(series) or not series and len(index) > walk.limits.items:
        malformed("a table of other columns than it names")
    frame = pd.DataFrame(series, index=index, copy=False)
    frame.columns = columns
    return walk.fill(number, frame)


# -- scalars -----------------------------------------------------------------------------------------------------------------------------


def _timestamp(walk: Encoding, value: Any) -> Node:
    ticks, unit = int(value.asm8.astype("i8")), value.unit
    if not _is_moment(ticks, unit):
        raise Unsupported("a time outside of the calendar")
    return ["timestamp", ticks, unit, _zone(walk, value.tz), value.fold]


_UNITS: Final = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


def _is_moment(ticks: int, unit: str) -> bool:
    """Whether it lies in the years 1 to 9999: pandas makes others, of which hardly any method works."""
    return -62_135_596_800 <= ticks // _UNITS[unit] <= 253_402_300_799 and ticks > INT_MIN


@decodes("timestamp", key=True)
def _to_timestamp(walk: Decoding, node: list[Any]) -> Any:
    ticks, unit, tz, fold = arity(node, 4)
    pd = _pandas(walk, "pandas.Timestamp", [tz])
    if type(pd) is Record:
        return pd
    if exactly(str, unit) not in _UNITS or fold not in (0, 1) or not _is_moment(exactly(int, ticks), unit):
        malformed("a time that is none")
    moment, tz = pd.Timestamp(import_module("numpy").datetime64(ticks, unit)), to_zone(walk, tz)
    return moment if tz is None else moment.tz_localize("UTC").tz_convert(_own_zone(pd, tz))


def _duration(walk: Encoding, value: Any) -> Node:
    return ["duration", int(value.asm8.astype("i8")), value.unit]


@decodes("duration", key=True)
def _to_duration(walk: Decoding, node: list[Any]) -> Any:
    ticks, unit = arity(node, 2)
    pd = library("pandas", "pandas.Timedelta")
    if type(pd) is Record:
        return pd
    if exactly(str, unit) not in _UNITS or not INT_MIN < exactly(int, ticks) <= INT_MAX:
        malformed("a duration that is none")
    return pd.Timedelta(import_module("numpy").timedelta64(ticks, unit))


def _period(walk: Encoding, value: Any) -> Node:
    return ["period", value.ordinal, _freq(value.freqstr)]


@decodes("period", key=True)
def _to_period(walk: Decoding, node: list[Any]) -> Any:
    ordinal, freq = arity(node, 2)
    pd = library("pandas", "pandas.Period")
    return pd if type(pd) is Record else pd.Period(ordinal=exactly(int, ordinal), freq=_to_freq(walk, freq))


def _interval(walk: Encoding, value: Any) -> Node:
    return ["interval", walk.key(value.left), walk.key(value.right), value.closed]


@decodes("interval", key=True)
def _to_interval(walk: Decoding, node: list[Any]) -> Any:
    left, right, closed = arity(node, 3)
    pd = _pandas(walk, "pandas.Interval", [left, right])
    if type(pd) is Record:
        return pd
    if closed not in _CLOSED:
        malformed("an interval that is none")
    return pd.Interval(walk.key(left), walk.key(right), closed)


@decodes("nat", key=True)
def _to_nat(walk: Decoding, node: list[Any]) -> Any:
    arity(node, 0)
    pd = library("pandas", "pandas.NaT")
    return pd if type(pd) is Record else pd.NaT


@decodes("na", key=True)
def _to_na(walk: Decoding, node: list[Any]) -> Any:
    arity(node, 0)
    pd = library("pandas", "pandas.NA")
    return pd if type(pd) is Record else pd.NA


def _rows(pd: Any) -> dict[type, Any]:
    indexes = dict.fromkeys([pd.Index, pd.RangeIndex, pd.MultiIndex, pd.CategoricalIndex, pd.IntervalIndex], _index)
    times = dict.fromkeys([pd.DatetimeIndex, pd.TimedeltaIndex, pd.PeriodIndex], _index)
    scalars = {pd.Timestamp: _timestamp, pd.Timedelta: _duration, pd.Period: _period, pd.Interval: _interval}
    names = {type(pd.NaT): lambda walk, value: ["nat"], type(pd.NA): lambda walk, value: ["na"]}
    rows = {**indexes, **times, **scalars, **names, pd.Series: _series, pd.DataFrame: _frame}
    return {kind: guarded(row) for kind, row in rows.items()}


LATE["pandas"] = _rows
