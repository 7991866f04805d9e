"""Columns of the value codec: what pandas has its values in, whatever they are in (tables.py).
Works with pandas 2.1 and later.

A column is one of:

    array | objects                       what numpy itself holds (arrays.py)
    nullable    dtype, array, mask        Int8 … UInt64, Float32, Float64, boolean
    strings     "string" | "str", list    text with None where it is missing; "str" is the kind
                                          whose missing value is nan
    category    codes, categories, ordered
    instants    array in UTC, zone        datetime64 with a time zone
    periods     ordinals, freq
    intervals   left, right, closed

What is none of these goes item by item if it is scalars, and else the whole table stays where it
is.
pandas finds duplicates with hash tables whose hashes can be foreseen, so where building something
makes pandas look for duplicates (categories, levels) the values have to be sorted or few.
"""

from __future__ import annotations

import functools
import operator
import re
from importlib import import_module
from typing import Any, Final

from fumehood.wire.codec import (
    Decoding,
    Encoding,
    Node,
    Unsupported,
    arity,
    decodes,
    exactly,
    malformed,
)
from fumehood.wire.standard import to_zone, zone

FEW: Final = 100
UNSORTED: Final = 20_000
"""Categories or levels of one value that need not be sorted, those of FEW aside: so many can be
made to collide without doing harm."""
FREQ: Final = re.compile(r"(-?\d{1,9})?[A-Za-z]{1,6}(-[A-Z]{3})?")
CLOSED: Final = ("left", "right", "both", "neither")
_NULLABLE: Final = {
    **{
        f"{sign}Int{bits}": f"{'u' if sign else 'i'}{bits // 8}"
        for sign in ("", "U")
        for bits in (8, 16, 32, 64)
    },
    "Float32": "f4",
    "Float64": "f8",
    "boolean": "?",
}
COLUMNS: Final = (
    "array",
    "objects",
    "nullable",
    "strings",
    "category",
    "instants",
    "periods",
    "intervals",
)

# -- going out


def column_of(walk: Encoding, values: Any) -> Node:
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
    "int float complex text bytes decimal date time datetime timedelta uuid scalar timestamp"
    " duration period interval nat na ref".split()
)


def _own(np: Any, array: Any) -> Any:
    """A view that claims to be writable where pandas hands out a read-only one: the column on the
    other side is somebody's own."""
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
    data = values.to_numpy(
        dtype=np.dtype(_NULLABLE[name]), na_value=np.dtype(_NULLABLE[name]).type(0)
    )
    return ["nullable", name, walk.value(_own(np, data)), walk.value(_own(np, mask))]


def _strings(walk: Encoding, values: Any, np: Any) -> Node:
    pd = import_module("pandas")
    missing = getattr(values.dtype, "na_value", pd.NA)
    texts = values.to_numpy(dtype=object, na_value=None).tolist()
    return ["strings", "string" if missing is pd.NA else "str", walk.value(texts)]


def _category(walk: Encoding, values: Any, np: Any) -> Node:
    array = values.array if hasattr(values, "array") else values
    categories = array.categories
    if not quickly_unique(walk, categories):
        raise Unsupported("many unsorted categories")
    return [
        "category",
        walk.value(np.array(array.codes)),
        walk.value(categories),
        bool(array.ordered),
    ]


def _instants(walk: Encoding, values: Any, np: Any) -> Node:
    pd = import_module("pandas")
    index = pd.DatetimeIndex(values)
    return [
        "instants",
        walk.value(np.array(index.tz_convert("UTC").tz_localize(None).to_numpy())),
        zone_of(walk, index.tz),
    ]


def zone_of(walk: Encoding, tz: Any) -> Node:
    """pandas of some versions makes zones of pytz; they are known by their name alone."""
    if type(tz).__module__.partition(".")[0] == "pytz":
        name = getattr(tz, "zone", None)
        if type(name) is not str:
            raise Unsupported("a time zone without a name")
        return ["zone", name, None]
    return zone(walk, tz, None)


def _periods(walk: Encoding, values: Any, np: Any) -> Node:
    pd = import_module("pandas")
    return [
        "periods",
        walk.value(np.array(pd.PeriodIndex(values).asi8)),
        freq_of(values.dtype.name[len("period[") : -1]),
    ]


def freq_of(text: Any) -> str:
    if type(text) is not str or not FREQ.fullmatch(text):
        raise Unsupported("a frequency of an unknown kind")
    return text


def _intervals(walk: Encoding, values: Any, np: Any) -> Node:
    array = values.array if hasattr(values, "array") else values
    return ["intervals", column_of(walk, array.left), column_of(walk, array.right), array.closed]


_COLUMN_ENCODERS: Final[dict[str, Any]] = {
    **dict.fromkeys(
        [name + "Dtype" for name in _NULLABLE if name != "boolean"] + ["BooleanDtype"], _nullable
    ),
    "StringDtype": _strings,
    "CategoricalDtype": _category,
    "DatetimeTZDtype": _instants,
    "PeriodDtype": _periods,
    "IntervalDtype": _intervals,
}


# -- coming in


def to_column(walk: Decoding, node: Any) -> Any:
    """One-dimensional values that a Series can be made of."""
    if type(node) is not list or not node or node[0] not in COLUMNS and node[0] != "ref":
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
    kinds: tuple[type, ...] = (
        arrays.IntegerArray,
        arrays.FloatingArray,
        arrays.BooleanArray,
        pd.Categorical,
        arrays.DatetimeArray,
    )
    return (*kinds, arrays.PeriodArray, arrays.IntervalArray, *_string_arrays(pd))


def _string_arrays(pd: Any) -> set[type]:
    return {type(pd.array([], dtype=dtype)) for dtype in _string_dtypes(pd).values()}


def _string_dtypes(pd: Any) -> dict[str, Any]:
    try:
        return {"string": pd.StringDtype(), "str": pd.StringDtype(na_value=float("nan"))}
    except TypeError:  # before pandas 2.3 there is one kind
        return {"string": pd.StringDtype(), "str": pd.StringDtype()}


def to_numbers(walk: Decoding, node: Any, kind: str | None = None) -> Any:
    """A one-dimensional numpy array, of one dtype if that is given."""
    np = import_module("numpy")
    array = walk.value(node)
    if (
        type(array) is not np.ndarray
        or array.ndim != 1
        or kind is not None
        and array.dtype != np.dtype(kind)
    ):
        malformed("a column of other numbers than it says")
    return array


@decodes("nullable")
def _to_nullable(walk: Decoding, node: list[Any]) -> Any:
    name, data, mask = arity(node, 3)
    pd = import_module("pandas")
    values, missing = (
        to_numbers(walk, data, _NULLABLE[exactly(str, name)]),
        to_numbers(walk, mask, "?"),
    )
    if len(values) != len(missing):
        malformed("a mask that does not fit")
    kind = (
        pd.arrays.BooleanArray
        if name == "boolean"
        else pd.arrays.FloatingArray
        if "Float" in name
        else pd.arrays.IntegerArray
    )
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
    codes, categories = to_numbers(walk, codes), to_level(walk, categories)
    if codes.dtype.kind != "i":
        malformed("codes that are not whole numbers")
    return pd.Categorical.from_codes(codes, categories, ordered=exactly(bool, ordered))


def to_level(walk: Decoding, node: Any) -> Any:
    """An index that pandas will look for duplicates in."""
    np, pd = import_module("numpy"), import_module("pandas")
    index = walk.value(node)
    if not isinstance(index, pd.Index) or isinstance(index, pd.MultiIndex):
        malformed("categories or levels that are no index")
    if len(index) > walk.limits.items and isinstance(index, pd.RangeIndex):
        malformed("an absurd number of categories or levels")
    if isinstance(index.dtype, np.dtype) and index.dtype == object:
        walk.keys(index.tolist())  # these are hashed as Python hashes them
    if not quickly_unique(walk, index):
        malformed("many unsorted categories or levels")
    return index


def quickly_unique(walk: Encoding | Decoding, index: Any) -> bool:
    """Whether pandas will find out in good time that an index has no duplicates: it then need not
    hash, or not much."""
    np = import_module("numpy")
    if (
        len(index) <= FEW
        or type(index).__name__ == "RangeIndex"
        or isinstance(index.dtype, np.dtype)
        and index.dtype == object
    ):
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
    if (
        is_sorted and index.is_monotonic_increasing
    ):  # pandas remembers this, and that it implies uniqueness
        return True
    walk.unsorted += len(index)
    return walk.unsorted <= UNSORTED


@decodes("instants")
def _to_instants(walk: Decoding, node: list[Any]) -> Any:
    data, tz = arity(node, 2)
    pd = import_module("pandas")
    values, tz = to_numbers(walk, data), to_zone(walk, tz)
    if values.dtype.kind != "M" or tz is None:
        malformed("instants without time or zone")
    return pd.DatetimeIndex(values).tz_localize("UTC").tz_convert(own_zone(pd, tz)).array


def own_zone(pd: Any, tz: Any) -> Any:
    """The zone as this pandas would make it of a name: before pandas 3 zones of equal name and
    different kind are different dtypes."""
    return getattr(tz, "key", tz) if int(pd.__version__.partition(".")[0]) < 3 else tz


@decodes("periods")
def _to_periods(walk: Decoding, node: list[Any]) -> Any:
    data, freq = arity(node, 2)
    pd = import_module("pandas")
    return pd.arrays.PeriodArray(
        to_numbers(walk, data, "i8"), dtype=pd.PeriodDtype(to_freq(walk, freq))
    )


def to_freq(walk: Decoding, node: Any) -> str:
    text = walk.words(node, 40)
    if not FREQ.fullmatch(text):
        malformed("a frequency that is none")
    return text


@decodes("intervals")
def _to_intervals(walk: Decoding, node: list[Any]) -> Any:
    left, right, closed = arity(node, 3)
    pd = import_module("pandas")
    left, right = to_column(walk, left), to_column(walk, right)
    if closed not in CLOSED or len(left) != len(right):
        malformed("intervals whose ends do not fit")
    return pd.arrays.IntervalArray.from_arrays(left, right, closed=closed)
