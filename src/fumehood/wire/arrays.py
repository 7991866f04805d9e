"""Rows of the value codec for numpy: arrays, scalars, masked arrays.

The data of an array is one raw buffer: a view of the array's own memory going out, the received
bytearray itself coming in. A dtype is described by a text of a fixed grammar or by a list of
fields, never by a string that numpy gets to interpret freely: no objects, no sizes that the buffer
does not bear out. Numpy trusts its memory (a bool that is neither 0 nor 1 makes it write out of
bounds, a character beyond Unicode makes it fail anywhere), so such bytes are refused here.
"""

from __future__ import annotations

import re
from importlib import import_module
from math import prod
from typing import Any, Final

from fumehood.wire.codec import (
    LATE,
    PLAIN,
    Decoding,
    Encoding,
    Node,
    Unsupported,
    arity,
    decodes,
    exactly,
    guarded,
    is_utf8,
    malformed,
)
from fumehood.wire.plain import short_texts
from fumehood.wire.records import Record

MAX_DIMENSIONS: Final = 32
MAX_FIELDS: Final = 1000
MAX_ITEM: Final = (1 << 31) - 1

_SIMPLE: Final = re.compile(
    r"\|b1|\|[iu]1|[<>](?:[iu][248]|f(?:2|4|8|16)|c(?:8|16|32)|[mM]8(?:\[\d{0,9}(?:Y|M|W|D|h|m|s|ms|us|ns|ps|fs|as)\])?|U\d{1,9})|\|[SV]\d{1,9}",
    re.ASCII,
)
"""What a dtype without fields may be called: exactly what numpy's own `dtype.str` says of those we
carry."""


def library(name: str, what: str, **about: Any) -> Any:
    """A module of a fixed list that decoding needs, or the Record that takes the place of what it
    would have made."""
    assert name in ("numpy", "numpy.ma", "pandas", "PIL.Image")
    try:
        return import_module(name)
    except ImportError:
        return Record(
            what, "missing", ("reason", *about), (f"{name} is not installed here", *about.values())
        )


# -- dtypes


def _dtype_node(dtype: Any, level: int = 0) -> Node:
    """A text, or `[item size, [name, dtype, offset, shape], …]`."""
    if dtype.hasobject or dtype.itemsize > MAX_ITEM or level > 8:
        raise Unsupported("a dtype that is not plain memory")
    if dtype.names is None:
        text = dtype.str
        if dtype.subdtype is not None or not _SIMPLE.fullmatch(text):
            raise Unsupported("a dtype of an unknown kind")
        return str(text)
    node: list[Any] = [dtype.itemsize]
    if len(dtype.names) > MAX_FIELDS:
        raise Unsupported("too many fields")
    for name in dtype.names:
        field, offset, *title = dtype.fields[name]
        if title or type(name) is not str or not is_utf8(name):
            raise Unsupported("a field with a title")
        base, shape = field.subdtype or (field, ())
        node.append([name, _dtype_node(base, level + 1), offset, list(shape)])
    return node


def _to_dtype(np: Any, walk: Decoding, node: Any, level: int = 0) -> Any:
    if type(node) is str:
        if not _SIMPLE.fullmatch(node):
            malformed("a dtype that is none of ours")
        # Reckoned here: in some numpys the size of <U999999999 overflows and is negative.
        if node[1] in "USV" and int(node[2:]) * (4 if node[1] == "U" else 1) > MAX_ITEM:
            malformed("an item of an absurd size")
        return np.dtype(node)
    if type(node) is not list or not node or level > 8 or len(node) > MAX_FIELDS + 1:
        malformed("a dtype that is neither text nor fields")
    size, *fields = node
    walk.spend(5 * len(fields))
    if type(size) is not int or not 0 <= size <= MAX_ITEM:
        malformed("an item of an absurd size")
    names, formats, offsets = [], [], []
    for field in fields:
        name, inner, offset, shape = exactly(list, field)
        base = _to_dtype(np, walk, inner, level + 1)
        shape = _shape(shape)
        if type(offset) is not int or not 0 <= offset <= size - base.itemsize * prod(shape):
            malformed("a field that lies outside its item")
        names.append(exactly(str, name))
        formats.append((base, shape) if shape else base)
        offsets.append(offset)
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": size})


def _shape(node: Any) -> tuple[int, ...]:
    if (
        type(node) is not list
        or len(node) > MAX_DIMENSIONS
        or not all(type(n) is int and 0 <= n <= 1 << 62 for n in node)
    ):
        malformed("a shape that is none")
    return tuple(node)


def _trusted(np: Any, array: Any) -> None:
    """Refuse bytes that numpy would take on trust."""
    dtype = array.dtype
    if dtype.names is not None:
        for name in dtype.names:
            _trusted(np, array[name])
    elif dtype.kind == "b" and array.size:
        if array.view(np.uint8).max() > 1:
            malformed("a bool that is neither true nor false")
    elif dtype.kind == "U" and array.size and dtype.itemsize:
        letters = (
            np.ascontiguousarray(array)
            .reshape(-1)
            .view(np.dtype("u4").newbyteorder(dtype.byteorder))
        )
        if letters.max() > 0x10FFFF:
            malformed("a character beyond Unicode")


# -- arrays


def _memory(np: Any, array: Any) -> tuple[bytes | memoryview, str]:
    """The array's memory, uncopied where it lies in one piece, and its order."""
    if array.dtype.names is not None and _has_gaps(array.dtype):
        array = _without_gaps(np, array)
    if not array.nbytes:
        return b"", "C"
    order = "C"
    if not array.flags.c_contiguous:
        if array.flags.f_contiguous:
            array, order = array.T, "F"
        else:
            array = np.ascontiguousarray(array)
    return memoryview(array.reshape(-1).view(np.uint8)), order


def _has_gaps(dtype: Any) -> bool:
    inside = [dtype.fields[name][0] for name in dtype.names]
    return sum(field.itemsize for field in inside) != dtype.itemsize or any(
        f.base.names is not None and _has_gaps(f.base) for f in inside
    )


def _without_gaps(np: Any, array: Any) -> Any:
    # Between the fields lies whatever was in memory before: the host's, when the host sends.
    clean = np.zeros(array.shape, array.dtype)
    for name in array.dtype.names:
        part = array[name]
        clean[name] = _without_gaps(np, part) if part.dtype.names is not None else part
    return clean


def _array(np: Any, walk: Encoding, value: Any) -> Node:
    seen = walk.seen(value)
    if seen is not None:
        return seen
    walk.note(value)
    if value.dtype == object:
        walk.enter(value.size)
        items, refs = value.reshape(-1).tolist(), walk.refs
        node = [
            "objects",
            list(value.shape),
            *(items if short_texts(items) else [walk.value(item) for item in items]),
        ]
        walk.closes(refs)
        walk.depth += 1
        return node
    dtype = _dtype_node(value.dtype)
    if (
        not value.nbytes
        and value.size * value.itemsize == 0
        and prod(n for n in value.shape if n) > walk.limits.items
    ):
        raise Unsupported("a great many items of no size")
    data, order = _memory(np, value)
    return ["array", dtype, list(value.shape), order, bool(value.flags.writeable), walk.blob(data)]


@decodes("array")
def _to_array(walk: Decoding, node: list[Any]) -> Any:
    dtype, shape, order, writable, part = arity(node, 5)
    number = walk.reserve()
    shape, data = _shape(shape), walk.blob(part)
    np = library("numpy", "numpy.ndarray", shape=shape)
    if type(np) is Record:
        return walk.fill(number, np)
    dtype = _to_dtype(np, walk, dtype)
    if (
        order not in ("C", "F")
        or type(writable) is not bool
        or prod(shape) * dtype.itemsize != len(data)
    ):
        malformed("an array whose shape and bytes disagree")
    if not len(data) and prod(n for n in shape if n) > walk.limits.items:
        malformed("a great many items of no size")
    if writable and memoryview(data).readonly:
        data = bytearray(data)
    array = np.ndarray(shape, dtype, buffer=data, order=order)
    _trusted(np, array)
    if not writable:
        array.flags.writeable = False
    return walk.fill(number, array)


@decodes("objects")
def _to_objects(walk: Decoding, node: list[Any]) -> Any:
    if len(node) < 2:
        malformed("an array without a shape")
    shape = _shape(node[1])
    if prod(shape) != len(node) - 2 or prod(n for n in shape if n) > walk.limits.items:
        malformed("an array whose shape and items disagree")
    np = library("numpy", "numpy.ndarray", shape=shape)
    if type(np) is Record:
        walk.note(np)
        for part in node[2:]:
            walk.value(part)
        return np
    array = walk.note(np.empty(shape, object))
    flat = array.reshape(-1)
    if set(map(type, node[2:])) <= PLAIN:
        flat[:] = node[2:]
        return array
    refs = walk.refs
    for place, part in enumerate(node[2:]):
        flat[place] = walk.value(part)
    walk.closes(refs)
    return array


# -- scalars and masked arrays


def _scalar(np: Any, walk: Encoding, value: Any) -> Node:
    if value.dtype.names is not None:
        return [
            "scalar",
            _dtype_node(value.dtype),
            walk.blob(bytes(_memory(np, np.array(value))[0])),
        ]
    return ["scalar", _dtype_node(value.dtype), walk.blob(value.tobytes())]


@decodes("scalar", key=True)
def _to_scalar(walk: Decoding, node: list[Any]) -> Any:
    dtype, part = arity(node, 2)
    data = bytes(walk.blob(part))
    np = library("numpy", "numpy.generic")
    if type(np) is Record:
        return np
    dtype = _to_dtype(np, walk, dtype)
    if dtype.itemsize != len(data):
        malformed("a scalar whose type and bytes disagree")
    array = np.ndarray((), dtype, buffer=data)
    _trusted(np, array)
    return array[()]


def _text_scalar(walk: Encoding, value: Any) -> Node:
    return [
        "npstr",
        walk.words(str.__str__(value)),
    ]  # its own row: as an array item it would lose trailing zero characters


@decodes("npstr", key=True)
def _to_text_scalar(walk: Decoding, node: list[Any]) -> Any:
    (part,) = arity(node, 1)
    text = walk.words(part)
    np = library("numpy", "numpy.str_", value=text)
    return np if type(np) is Record else np.str_(text)


def _bytes_scalar(walk: Encoding, value: Any) -> Node:
    return ["npbytes", walk.blob(bytes.__getitem__(value, slice(None)))]


@decodes("npbytes", key=True)
def _to_bytes_scalar(walk: Decoding, node: list[Any]) -> Any:
    (part,) = arity(node, 1)
    data = bytes(walk.blob(part))
    np = library("numpy", "numpy.bytes_", value=data)
    return np if type(np) is Record else np.bytes_(data)


def _masked(np: Any, walk: Encoding, value: Any) -> Node:
    seen = walk.seen(value)
    if seen is not None:
        return seen
    number = walk.reserve(value)
    ma = np.ma
    data, mask = np.asarray(value.data), ma.getmask(value)
    if data.dtype == object or data.dtype.names is not None:
        raise Unsupported("a masked array of objects or fields")
    walk.enter(2)
    node: Node = [
        "masked",
        walk.value(data),
        None if mask is ma.nomask else walk.value(np.asarray(mask)),
        walk.value(value.fill_value),
    ]
    walk.depth += 1
    walk.fill(number)
    return node


@decodes("masked")
def _to_masked(walk: Decoding, node: list[Any]) -> Any:
    data, mask, fill = arity(node, 3)
    number = walk.reserve()
    data, mask, fill = walk.value(data), walk.value(mask), walk.value(fill)
    ma = library("numpy.ma", "numpy.ma.MaskedArray")
    if type(ma) is Record:
        return walk.fill(number, ma)
    np = import_module("numpy")
    if (
        type(data) is not np.ndarray
        or data.dtype == object
        or not isinstance(fill, np.generic)
        and type(fill) is not np.ndarray
    ):
        malformed("a masked array of something else")
    if mask is not None and (
        type(mask) is not np.ndarray or mask.dtype != bool or mask.shape != data.shape
    ):
        malformed("a mask that does not fit")
    return walk.fill(
        number, ma.MaskedArray(data, mask=ma.nomask if mask is None else mask, fill_value=fill)
    )


def _rows(np: Any) -> dict[type, Any]:
    special = {np.str_: _text_scalar, np.bytes_: _bytes_scalar}
    rows: dict[type, Any] = {
        kind: guarded(lambda walk, value: _scalar(np, walk, value))
        for kind in _concrete(np.generic)
    }
    rows |= {kind: guarded(row) for kind, row in special.items()}
    rows[np.ndarray] = guarded(lambda walk, value: _array(np, walk, value))
    rows[np.ma.MaskedArray] = guarded(lambda walk, value: _masked(np, walk, value))
    return rows


def _concrete(kind: type) -> set[type]:
    """numpy's own scalar types that have instances; not numpy.record nor anyone's subclass."""
    if kind.__module__ != "numpy" or kind.__name__ in ("record", "object_"):
        return set()
    children: list[type] = kind.__subclasses__()
    return {found for child in children for found in _concrete(child)} or {kind}


LATE["numpy"] = _rows
