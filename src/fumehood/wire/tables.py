"""Rows of the value codec for pandas: Series, DataFrame, indexes, columns and scalars. Works with
pandas 2.1 and later.

The values of a table are columns: numpy arrays, or pandas' arrays of nullable numbers, texts,
categories and instants in a time zone. A table with a column of another kind (periods, intervals,
sparse, extension types) is sent as a RemoteObject. `attrs` do not travel.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from importlib import import_module
from typing import Any, Final

from fumehood.wire.values import (
    INT_MAX,
    INT_MIN,
    Decoding,
    Encoding,
    Row,
    malformed,
    to_zone,
    zone,
)

UNSORTED: Final = 20_000
"""Unsorted numbers in the categories and levels of one value. pandas finds duplicates with hash
tables whose hashes can be foreseen, so more of them could be made to collide at a high cost."""
MOST_ROWS: Final = 5_000_000
"""Rows of a table without columns, and entries of a level that is a range."""
_FREQ: Final = re.compile(r"(-?\d{1,9})?[A-Za-z]{1,6}(-[A-Z]{3})?")
_UNITS: Final = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
_NULLABLE: Final = {
    **{f"Int{bits}": f"i{bits // 8}" for bits in (8, 16, 32, 64)},
    **{f"UInt{bits}": f"u{bits // 8}" for bits in (8, 16, 32, 64)},
    "Float32": "f4",
    "Float64": "f8",
    "boolean": "?",
}


def _np() -> Any:
    return import_module("numpy")


def _pd() -> Any:
    return import_module("pandas")


# -- columns. Each is a row of a class that `_column` gives, and `_is_column` accepts.

_COLUMNS: Final = (
    "IntegerArray FloatingArray BooleanArray StringArray ArrowStringArray Categorical DatetimeArray"
).split()


def _column(values: Any) -> Any:
    """The values of a Series or an Index as a part."""
    np = _np()
    if not isinstance(values.dtype, np.dtype):
        if not _is_column(values.array):
            malformed("a column of an unknown kind")
        return values.array
    array = np.asarray(values.to_numpy())
    if array.flags.writeable or array.dtype.hasobject:
        return array
    # pandas gives read-only views. The column on the other side is a separate one.
    view = array.view()
    try:
        view.flags.writeable = True
    except ValueError:
        return array.copy()
    return view


def _is_column(values: Any) -> bool:
    kind = type(values)
    return _is_array(values) or any(
        kind is getattr(_pd().arrays, name, None) or kind is getattr(_pd(), name, None)
        for name in _COLUMNS
    )


def _is_array(values: Any, dtype: str | None = None) -> bool:
    is_array = type(values) is _np().ndarray and values.ndim == 1
    return is_array and (dtype is None or values.dtype == _np().dtype(dtype))


def _split_nullable(array: Any) -> Iterable[Any]:
    name = array.dtype.name
    dtype = _np().dtype(_NULLABLE[name])
    return name, array.to_numpy(dtype=dtype, na_value=dtype.type(0)), array.isna()


def _join_nullable(name: str, data: Any, mask: Any) -> Any:
    if not _is_array(data, _NULLABLE[name]) or not _is_array(mask, "?") or len(data) != len(mask):
        malformed("nullable numbers of another type or length")
    arrays = _pd().arrays
    if name == "boolean":
        return arrays.BooleanArray(data, mask)
    return (arrays.FloatingArray if "Float" in name else arrays.IntegerArray)(data, mask)


def _split_strings(array: Any) -> Iterable[Any]:
    missing = getattr(array.dtype, "na_value", _pd().NA)
    texts = array.to_numpy(dtype=object, na_value=None).tolist()
    return "string" if missing is _pd().NA else "str", texts


def _join_strings(name: str, texts: list[Any]) -> Any:
    if set(map(type, texts)) - {str, type(None)}:
        malformed("a text column of something else")
    return _pd().array(texts, dtype=name)


def _check_level(walk: Encoding | Decoding, index: Any) -> Any:
    """Refuse categories or levels in which pandas would search long for duplicates."""
    np, pd = _np(), _pd()
    if not isinstance(index, pd.Index) or isinstance(index, pd.MultiIndex):
        malformed("categories or levels that are no index")
    if isinstance(index, pd.RangeIndex):
        if len(index) > MOST_ROWS:
            malformed("too many categories or levels")
        return index
    values = index.to_numpy()
    is_hashed = values.dtype == object and isinstance(index.dtype, (np.dtype, pd.StringDtype))
    if values.dtype == object and isinstance(walk, Decoding):
        walk.keys(values.tolist())  # pandas hashes these as Python does
    if len(values) > 100 and not is_hashed:
        is_sorted = bool((values[1:] > values[:-1]).all()) and index.is_monotonic_increasing
        walk.unsorted += 0 if is_sorted else len(values)
        if walk.unsorted > UNSORTED:
            malformed("many unsorted categories or levels")
    return index


def _split_category(walk: Encoding, value: Any) -> Iterable[Any]:
    return _np().array(value.codes), _check_level(walk, value.categories), bool(value.ordered)


def _join_category(walk: Decoding, codes: Any, categories: Any, ordered: bool) -> Any:
    if not _is_array(codes) or codes.dtype.kind != "i":
        malformed("codes that are not whole numbers")
    categories = _check_level(walk, categories)
    return _pd().Categorical.from_codes(codes, categories, ordered=ordered)


def _zone(tz: Any) -> Any:
    """Some versions of pandas make zones of pytz, which are known by their name alone."""
    return (tz.zone, None) if type(tz).__module__.startswith("pytz") else zone(tz)


def _to_zone(part: Any) -> Any:
    """The zone as this pandas makes it of a name: before pandas 3, zones of equal name and
    different type are different dtypes."""
    tz = to_zone(part)
    if tz is None:
        malformed("instants without a zone")
    return getattr(tz, "key", tz) if int(_pd().__version__.partition(".")[0]) < 3 else tz


def _split_instants(array: Any) -> Iterable[Any]:
    index = _pd().DatetimeIndex(array)
    return _np().array(index.tz_convert("UTC").tz_localize(None).to_numpy()), _zone(index.tz)


def _join_instants(data: Any, tz: Any) -> Any:
    if not _is_array(data) or data.dtype.kind != "M":
        malformed("instants of something else")
    return _pd().DatetimeIndex(data).tz_localize("UTC").tz_convert(_to_zone(tz)).array


_NUMBERS: Final = "pandas.arrays.IntegerArray FloatingArray BooleanArray"
_TEXTS: Final = "pandas.arrays.StringArray ArrowStringArray"
Row("nullable", _NUMBERS, (str, Any, Any), _split_nullable, _join_nullable)
Row("strings", _TEXTS, (re.compile("string|str"), list), _split_strings, _join_strings)
Row(
    "category",
    "pandas.Categorical",
    (Any, Any, bool),
    _split_category,
    _join_category,
    whole=True,
    walks=True,
)
Row("instants", "pandas.arrays.DatetimeArray", (Any, Any), _split_instants, _join_instants)


# -- indexes and tables


def _split_index(index: Any) -> Iterable[Any]:
    is_time = type(index).__name__ in ("DatetimeIndex", "TimedeltaIndex")
    freq = getattr(index.freq, "freqstr", None) if is_time else None
    return _column(index), index.name, freq if freq and _FREQ.fullmatch(freq) else None


def _join_index(column: Any, name: Any, freq: Any) -> Any:
    pd = _pd()
    if not _is_column(column):
        malformed("an index of something else")
    index = pd.Index(column, dtype=column.dtype, name=name)
    if freq is not None and isinstance(index, (pd.DatetimeIndex, pd.TimedeltaIndex)):
        if type(freq) is not str or not _FREQ.fullmatch(freq):
            malformed("a frequency that is none")
        try:
            index.freq = freq
        except ValueError:
            index.freq = None  # another pandas has another name for it
    return index


def _range(*numbers: int) -> Iterable[int]:
    """pandas makes ranges of larger numbers, but numpy cannot hold these."""
    if not INT_MIN <= min(numbers) <= max(numbers) <= INT_MAX:
        malformed("numbers beyond 64 bits")
    return numbers


def _split_levels(walk: Encoding, value: Any) -> Iterable[Any]:
    levels = [_check_level(walk, level) for level in value.levels]
    return levels, [_np().array(code) for code in value.codes], tuple(value.names)


def _join_levels(walk: Decoding, levels: list[Any], codes: list[Any], names: Any) -> Any:
    for code in codes:
        if not _is_array(code) or code.dtype.kind != "i" or len(code) != len(codes[0]):
            malformed("codes that do not fit each other")
    levels = [_check_level(walk, level) for level in levels]
    return _pd().MultiIndex(levels, codes, names=names, verify_integrity=True)


def _series(index: Any, name: Any, column: Any) -> Any:
    pd = _pd()
    if not isinstance(index, pd.Index) or not _is_column(column) or len(index) != len(column):
        malformed("a column that does not fit its index")
    return pd.Series(column, index=index, name=name, dtype=column.dtype, copy=False)


def _split_frame(frame: Any) -> Iterable[Any]:
    if not frame.shape[1] and len(frame) > MOST_ROWS:
        malformed("too many rows without columns")
    columns = [_column(frame.iloc[:, place]) for place in range(frame.shape[1])]
    return frame.index, frame.columns, columns


def _join_frame(index: Any, names: Any, columns: list[Any]) -> Any:
    pd = _pd()
    series = {place: _series(index, None, column) for place, column in enumerate(columns)}
    if not isinstance(index, pd.Index) or not isinstance(names, pd.Index):
        malformed("a table without labels")
    if len(names) != len(series) or not series and len(index) > MOST_ROWS:
        malformed("a table of other columns than it names")
    frame = pd.DataFrame(series, index=index, copy=False)
    frame.columns = names
    return frame


_INDEXES: Final = "pandas.Index CategoricalIndex DatetimeIndex TimedeltaIndex"
Row("index", _INDEXES, (Any, Hashable, Any), _split_index, _join_index, numbered=True, whole=True)
Row(
    "rangeindex",
    "pandas.RangeIndex",
    (int, int, int, Hashable),
    lambda v: (*_range(int(v.start), int(v.stop), int(v.step)), v.name),
    lambda *v: _pd().RangeIndex(*_range(*v[:3]), name=v[3]),
    numbered=True,
)
Row(
    "multiindex",
    "pandas.MultiIndex",
    (list, list, Hashable),
    _split_levels,
    _join_levels,
    numbered=True,
    whole=True,
    walks=True,
)
Row(
    "series",
    "pandas.Series",
    (Any, Hashable, Any),
    lambda v: (v.index, v.name, _column(v)),
    _series,
    numbered=True,
    whole=True,
)
_FRAME: Final = (Any, Any, list)
Row("frame", "pandas.DataFrame", _FRAME, _split_frame, _join_frame, numbered=True, whole=True)


# -- scalars


def _moment(ticks: int, unit: str) -> tuple[int, str]:
    """pandas makes times outside of the years 1 to 9999, but hardly any method works on them."""
    if not -62_135_596_800 <= ticks // _UNITS[unit] <= 253_402_300_799 or ticks <= INT_MIN:
        malformed("a time outside of the calendar")
    return ticks, unit


def _join_timestamp(ticks: int, unit: str, tz: Any) -> Any:
    moment = _pd().Timestamp(_np().datetime64(*_moment(ticks, unit)))
    return moment if tz is None else moment.tz_localize("UTC").tz_convert(_to_zone(tz))


def _join_duration(ticks: int, unit: str) -> Any:
    if unit not in _UNITS or not INT_MIN < ticks <= INT_MAX:
        malformed("a duration that is none")
    return _pd().Timedelta(_np().timedelta64(ticks, unit))


Row(
    "timestamp",
    "pandas.Timestamp",
    (int, str, Any),
    lambda v: (*_moment(int(v.asm8.astype("i8")), v.unit), _zone(v.tz)),
    _join_timestamp,
)
Row(
    "duration",
    "pandas.Timedelta",
    (int, str),
    lambda v: (int(v.asm8.astype("i8")), v.unit),
    _join_duration,
)
Row("nat", "pandas.api.typing.NaTType", (), lambda v: (), lambda: _pd().NaT)
Row("na", "pandas.api.typing.NAType", (), lambda v: (), lambda: _pd().NA)
