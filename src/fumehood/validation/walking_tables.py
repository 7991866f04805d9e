"""A walk through arrays and tables of numpy and pandas. Loaded when there is one to walk through.

Columns of text go text by text under the column's name. Columns of numbers are looked at as a whole
first: only numbers that are large enough to stand for something are taken out. What was changed in
a column of numbers makes it a column of objects.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from fumehood.validation.walking import _KEY, LEAST_NUMBER, MOST_NUMBER, Walk, as_text, is_crowd

Handler = Callable[[Walk, Any, str], Any]


def handler(kind: type) -> Handler | None:
    """How to walk through a type of these libraries; None for one that is not known."""
    np, pd = sys.modules.get("numpy"), sys.modules.get("pandas")
    if np is not None:
        if kind is np.ndarray:
            return _array
        if kind is np.ma.MaskedArray:
            return _masked
        if issubclass(kind, np.str_):
            return _text_scalar
        if issubclass(kind, np.bytes_):
            return _bytes_scalar
        if issubclass(kind, np.void):
            return _void
        if issubclass(kind, np.generic):
            return _scalar
    if pd is not None and hasattr(pd, "DataFrame"):
        if issubclass(kind, pd.DataFrame):
            return _frame
        if issubclass(kind, pd.Series):
            return _series
        if issubclass(kind, pd.MultiIndex):
            return _multi_index
        if issubclass(kind, pd.Index):
            return _index
    return None


# -- numpy


def _array(walk: Walk, value: Any, name: str) -> Any:
    np = sys.modules["numpy"]
    dtype = value.dtype
    if dtype.names is not None:
        return _fields(walk, value)
    if dtype.kind in "iuf":
        return _numbers(walk, value, name)
    if dtype.kind == "S":
        return _byte_strings(walk, value, name)
    if dtype.kind not in "OUT":
        return value
    new = walk.note(
        value, np.empty(value.shape, object) if walk.builds and dtype.kind == "O" else value
    )
    flat = value.reshape(-1).tolist()
    items = [walk.value(item, name) for item in flat]
    if not walk.builds or dtype.kind != "O" and items == flat:
        return walk.note(value, value) if dtype.kind != "O" else new
    if dtype.kind == "O":
        target = new.reshape(-1)
        for place, item in enumerate(items):
            target[place] = item
        return new
    return walk.note(
        value, np.array(items, dtype if dtype.kind == "T" else np.str_).reshape(value.shape)
    )


def _numbers(walk: Walk, value: Any, name: str) -> Any:
    """An array of numbers, or one of objects if some of them had to go."""
    np = sys.modules["numpy"]
    if value.dtype.itemsize < 4:
        return value
    flat = value.reshape(-1)
    with np.errstate(all="ignore"):
        size = np.abs(flat.astype(np.float64, copy=False))
        large = np.flatnonzero(
            (size >= LEAST_NUMBER) & (size < MOST_NUMBER) & (np.trunc(size) == size)
        )
    if is_crowd(flat[large], name):
        return walk.note(value, value)
    changed = {}
    for place in large.tolist():
        item = flat[place].item()
        new = walk.number(item, name)
        if new is not item:
            changed[place] = new
    if not changed:
        return walk.note(value, value)
    items = flat.astype(object)
    for place, new in changed.items():
        items[place] = new
    return walk.note(value, items.reshape(value.shape))


def _byte_strings(walk: Walk, value: Any, name: str) -> Any:
    np = sys.modules["numpy"]
    flat = value.reshape(-1).tolist()
    items = [_bytes_item(walk, item, name) for item in flat]
    return walk.note(
        value, value if items == flat else np.array(items, np.bytes_).reshape(value.shape)
    )


def _bytes_item(walk: Walk, data: bytes, name: str) -> bytes:
    decoded = as_text(data)
    found = walk.text(decoded[0], name) if decoded else None
    return data if found is None or decoded is None else found.encode(decoded[1], "replace")


def _fields(walk: Walk, value: Any) -> Any:
    """An array of records: each field is an array."""
    np = sys.modules["numpy"]
    parts = {field: value[field] for field in value.dtype.names}
    made = {field: walk.value(np.asarray(part), field[:_KEY]) for field, part in parts.items()}
    if not walk.builds or all(
        made[field] is parts[field] or np.array_equal(made[field], parts[field]) for field in parts
    ):
        return walk.note(value, value)
    new = np.empty(
        value.shape, [(field, part.dtype, part.shape[value.ndim :]) for field, part in made.items()]
    )
    for field, part in made.items():
        new[field] = part
    return walk.note(value, new)


def _masked(walk: Walk, value: Any, name: str) -> Any:
    np = sys.modules["numpy"]
    data = np.asarray(value.data)
    made = walk.value(data, name)
    return walk.note(
        value,
        (
            value
            if made is data or not walk.builds
            else np.ma.MaskedArray(made, mask=np.ma.getmask(value))
        ),
    )


def _text_scalar(walk: Walk, value: Any, name: str) -> Any:
    found = walk.text(str.__str__(value), name)
    return walk.note(value, value if found is None else sys.modules["numpy"].str_(found))


def _bytes_scalar(walk: Walk, value: Any, name: str) -> Any:
    data = bytes(value)
    made = _bytes_item(walk, data, name)
    return walk.note(value, value if made is data else sys.modules["numpy"].bytes_(made))


def _void(walk: Walk, value: Any, name: str) -> Any:
    np = sys.modules["numpy"]
    if value.dtype.names is None:
        return value
    whole = np.array(value)
    made = _fields(walk, whole)
    return value if made is whole else made[()]


def _scalar(walk: Walk, value: Any, name: str) -> Any:
    if value.dtype.kind not in "iuf":
        return value
    item = value.item()
    new = walk.number(item, name) if isinstance(item, (int, float)) else item
    return value if new is item or not walk.builds else new


# -- pandas


def _is_text(dtype: Any) -> bool:
    return str(dtype) in ("object", "str", "category") or str(dtype).startswith("string")


def _column(walk: Walk, column: Any, name: str) -> Any:
    """A Series or Index as it is, or a list of what takes the place of its items."""
    dtype = column.dtype
    if str(dtype) == "category":
        kinds = column.categories if hasattr(column, "categories") else column.cat.categories
        made = _column(walk, kinds, name)
        if not isinstance(made, list):
            return column
        there = dict(zip(kinds.tolist(), made, strict=True))
        return [
            there.get(item, item) if isinstance(item, (str, int, float)) else item
            for item in column.tolist()
        ]
    if _is_text(dtype):
        before = column.tolist()
        after = [walk.value(item, name) for item in before]
        is_same = not walk.builds or all(
            new is old or type(new) is type(old) and type(new) is str and new == old
            for new, old in zip(after, before, strict=True)
        )
        return column if is_same else after
    if getattr(dtype, "kind", "-") in "iuf":
        np = sys.modules["numpy"]
        numbers = (
            column.to_numpy(dtype=np.float64, na_value=np.nan)
            if not isinstance(dtype, np.dtype)
            else column.to_numpy()
        )
        made = _numbers(walk, numbers, name)
        if made is numbers or not walk.builds:
            return column
        fresh, old = made.tolist(), column.tolist()
        return [new if type(new) is str else before for new, before in zip(fresh, old, strict=True)]
    return column


def _label(name: Any, outer: str) -> str:
    return name[:_KEY] if isinstance(name, str) else outer


def _is_missing(item: Any) -> bool:
    return (
        item is None or item is sys.modules["pandas"].NA or isinstance(item, float) and item != item
    )


def _dtype_for(column: Any, items: list[Any]) -> Any:
    kept = str(column.dtype) == "str" or str(column.dtype).startswith("string")
    return (
        column.dtype
        if kept and all(isinstance(item, str) or _is_missing(item) for item in items)
        else object
    )


def _series(walk: Walk, value: Any, name: str) -> Any:
    pd = sys.modules["pandas"]
    index = walk.value(value.index, "")
    title = walk.value(value.name, "") if isinstance(value.name, str) else value.name
    # A Series that is a row of a table has the names of its columns as its index.
    by_row = (
        _is_text(value.dtype)
        and _is_text(value.index.dtype)
        and value.name is not None
        and not isinstance(value.name, str)
    )
    if by_row or _is_text(value.dtype) and value.name is None and _is_text(value.index.dtype):
        before = value.tolist()
        made: Any = [
            walk.value(item, _label(label, name))
            for item, label in zip(before, value.index.tolist(), strict=True)
        ]
        if all(new is old for new, old in zip(made, before, strict=True)):
            made = value
    else:
        made = _column(walk, value, _label(value.name, name))
    if not walk.builds or made is value and index is value.index and title is value.name:
        return walk.note(value, value)
    items = value.array if made is value else made
    dtype = None if made is value else _dtype_for(value, made)
    return walk.note(value, pd.Series(items, index=index, name=title, dtype=dtype))


def _index(walk: Walk, value: Any, name: str) -> Any:
    pd = sys.modules["pandas"]
    made = _column(walk, value, _label(value.name, name))
    title = walk.value(value.name, "") if isinstance(value.name, str) else value.name
    if not walk.builds or made is value and title is value.name:
        return walk.note(value, value)
    if made is value:
        return walk.note(value, value.rename(title))
    return walk.note(value, pd.Index(made, dtype=_dtype_for(value, made), name=title))


def _multi_index(walk: Walk, value: Any, name: str) -> Any:
    pd = sys.modules["pandas"]
    rows = value.tolist()
    names = [_label(title, name) for title in value.names]
    made = [
        tuple([walk.value(item, title) for item, title in zip(row, names, strict=True)])
        for row in rows
    ]
    titles = [walk.value(title, "") if isinstance(title, str) else title for title in value.names]
    is_same = all(
        new is old
        for row, first in zip(made, rows, strict=True)
        for new, old in zip(row, first, strict=True)
    )
    if not walk.builds or is_same and titles == list(value.names):
        return walk.note(value, value)
    return walk.note(value, pd.MultiIndex.from_tuples(made, names=titles))


def _frame(walk: Walk, value: Any, name: str) -> Any:
    pd = sys.modules["pandas"]
    columns, index = walk.value(value.columns, ""), walk.value(value.index, "")
    made: dict[int, Any] = {}
    for place in range(value.shape[1]):
        column = value.iloc[:, place]
        label = value.columns[place]
        items = _column(
            walk,
            column,
            _label(
                (
                    label
                    if isinstance(label, str)
                    else label[-1]
                    if isinstance(label, tuple) and label
                    else label
                ),
                name,
            ),
        )
        if items is not column:
            made[place] = items
    if not walk.builds or not made and columns is value.columns and index is value.index:
        return walk.note(value, value)
    parts = []
    for place in range(value.shape[1]):
        column = value.iloc[:, place]
        if place in made:
            column = pd.Series(
                made[place], index=value.index, dtype=_dtype_for(column, made[place])
            )
        parts.append(column.reset_index(drop=True))
    new = pd.concat(parts, axis=1) if parts else value.copy()
    new.columns, new.index = columns, index
    return walk.note(value, new)
