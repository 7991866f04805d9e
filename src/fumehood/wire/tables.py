"""Rows of the value codec for pandas: Series, DataFrame, every kind of Index, and their scalars.
Works with pandas 2.1 and later.

Everything with values in it is made of columns (columns.py).
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

from fumehood.wire.arrays import library
from fumehood.wire.codec import (
    INT_MAX,
    INT_MIN,
    LATE,
    Decoding,
    Encoding,
    Node,
    Unsupported,
    arity,
    decodes,
    exactly,
    guarded,
    malformed,
)
from fumehood.wire.columns import (
    CLOSED,
    COLUMNS,
    FREQ,
    column_of,
    freq_of,
    own_zone,
    quickly_unique,
    to_column,
    to_freq,
    to_level,
    to_numbers,
    zone_of,
)
from fumehood.wire.records import Record
from fumehood.wire.standard import to_zone

# -- indexes


def _index(walk: Encoding, value: Any) -> Node:
    seen = walk.seen(value)
    if seen is not None:
        return seen
    number = walk.reserve(value)
    walk.enter(1)
    kind = type(value).__name__
    node: Node
    if kind == "RangeIndex":
        node = [
            "rangeindex",
            *_within([int(value.start), int(value.stop), int(value.step)]),
            walk.key(value.name),
        ]
    elif kind == "MultiIndex":
        np = import_module("numpy")
        if not all(quickly_unique(walk, level) for level in value.levels):
            raise Unsupported("many unsorted levels")
        levels = [walk.value(level) for level in value.levels]
        codes = [walk.value(np.array(codes)) for codes in value.codes]
        node = ["multiindex", levels, codes, [walk.key(name) for name in value.names]]
    else:
        freq = getattr(value, "freq", None) if kind in ("DatetimeIndex", "TimedeltaIndex") else None
        text = getattr(freq, "freqstr", None)
        node = [
            "index",
            column_of(walk, value),
            walk.key(value.name),
            text if text and FREQ.fullmatch(text) else None,
        ]
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
    """Decode what can be decoded without pandas: what is numbered inside still has to get its
    number."""
    if type(part) is list and part and part[0] in COLUMNS[2:]:
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
    made = [to_level(walk, level) for level in levels], [to_numbers(walk, code) for code in codes]
    if len({len(code) for code in made[1]}) != 1 or any(code.dtype.kind != "i" for code in made[1]):
        malformed("codes that do not fit each other")
    return walk.fill(
        number,
        pd.MultiIndex(*made, names=[walk.key(name) for name in names], verify_integrity=True),
    )


@decodes("index")
def _to_index(walk: Decoding, node: list[Any]) -> Any:
    column, name, freq = arity(node, 3)
    number = walk.reserve()
    pd = _pandas(walk, "pandas.Index", [column, name])
    if type(pd) is Record:
        return walk.fill(number, pd)
    values = to_column(walk, column)
    index = pd.Index(values, dtype=values.dtype, name=walk.key(name))
    if freq is not None and isinstance(index, (pd.DatetimeIndex, pd.TimedeltaIndex)):
        freq = to_freq(walk, freq)
        try:
            index.freq = freq
        except ValueError:
            index.freq = (
                None  # another pandas may call it by another name; the values are what counts
            )
    return walk.fill(number, index)


# -- tables


def _series(walk: Encoding, value: Any) -> Node:
    seen = walk.seen(value)
    if seen is not None:
        return seen
    number = walk.reserve(value)
    walk.enter(1)
    node: Node = ["series", walk.value(value.index), walk.key(value.name), column_of(walk, value)]
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
    return walk.fill(number, _made_series(pd, to_column(walk, column), index, name))


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
        node.append(column_of(walk, column))
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
    series = {
        place: _made_series(pd, to_column(walk, part), index) for place, part in enumerate(node[3:])
    }
    if len(columns) != len(series) or not series and len(index) > walk.limits.items:
        malformed("a table of other columns than it names")
    frame = pd.DataFrame(series, index=index, copy=False)
    frame.columns = columns
    return walk.fill(number, frame)


# -- scalars


def _timestamp(walk: Encoding, value: Any) -> Node:
    ticks, unit = int(value.asm8.astype("i8")), value.unit
    if not _is_moment(ticks, unit):
        raise Unsupported("a time outside of the calendar")
    return ["timestamp", ticks, unit, zone_of(walk, value.tz), value.fold]


_UNITS: Final = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


def _is_moment(ticks: int, unit: str) -> bool:
    """Whether it lies in the years 1 to 9999: pandas makes others, of which hardly any method
    works."""
    return -62_135_596_800 <= ticks // _UNITS[unit] <= 253_402_300_799 and ticks > INT_MIN


@decodes("timestamp", key=True)
def _to_timestamp(walk: Decoding, node: list[Any]) -> Any:
    ticks, unit, tz, fold = arity(node, 4)
    pd = _pandas(walk, "pandas.Timestamp", [tz])
    if type(pd) is Record:
        return pd
    if (
        exactly(str, unit) not in _UNITS
        or fold not in (0, 1)
        or not _is_moment(exactly(int, ticks), unit)
    ):
        malformed("a time that is none")
    moment, tz = pd.Timestamp(import_module("numpy").datetime64(ticks, unit)), to_zone(walk, tz)
    return moment if tz is None else moment.tz_localize("UTC").tz_convert(own_zone(pd, tz))


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
    return ["period", value.ordinal, freq_of(value.freqstr)]


@decodes("period", key=True)
def _to_period(walk: Decoding, node: list[Any]) -> Any:
    ordinal, freq = arity(node, 2)
    pd = library("pandas", "pandas.Period")
    return (
        pd
        if type(pd) is Record
        else pd.Period(ordinal=exactly(int, ordinal), freq=to_freq(walk, freq))
    )


def _interval(walk: Encoding, value: Any) -> Node:
    return ["interval", walk.key(value.left), walk.key(value.right), value.closed]


@decodes("interval", key=True)
def _to_interval(walk: Decoding, node: list[Any]) -> Any:
    left, right, closed = arity(node, 3)
    pd = _pandas(walk, "pandas.Interval", [left, right])
    if type(pd) is Record:
        return pd
    if closed not in CLOSED:
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
    indexes = dict.fromkeys(
        [pd.Index, pd.RangeIndex, pd.MultiIndex, pd.CategoricalIndex, pd.IntervalIndex], _index
    )
    times = dict.fromkeys([pd.DatetimeIndex, pd.TimedeltaIndex, pd.PeriodIndex], _index)
    scalars = {
        pd.Timestamp: _timestamp,
        pd.Timedelta: _duration,
        pd.Period: _period,
        pd.Interval: _interval,
    }
    names = {type(pd.NaT): lambda walk, value: ["nat"], type(pd.NA): lambda walk, value: ["na"]}
    rows = {**indexes, **times, **scalars, **names, pd.Series: _series, pd.DataFrame: _frame}
    return {kind: guarded(row) for kind, row in rows.items()}


LATE["pandas"] = _rows
