"""Rows of the value codec for numpy and pictures: arrays and images as raw memory.

The data of an array is one buffer: a view of the array's memory on the way out, the received
bytearray itself on the way in. A dtype is a text of a fixed grammar. Numpy trusts its memory (a
bool that is neither 0 nor 1 makes it write out of bounds), so such bytes are refused here. A
compressed picture from a sandbox is never opened here: image decoders have had many holes.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from importlib import import_module
from math import prod
from typing import Any, Final

from fumehood.wire.records import Picture, Record
from fumehood.wire.values import (
    DECODERS,
    LATE,
    SHAPES,
    Buffer,
    Decoding,
    Encode,
    Encoding,
    Node,
    Row,
    Unsupported,
    guarded,
    is_utf8,
    malformed,
    short_texts,
)

MOST_EMPTY: Final = 5_000_000
"""Places of an array whose items have no bytes."""
_DTYPE: Final = re.compile(
    r"\|b1|\|[iu]1|[<>](?:[iu][248]|f(?:2|4|8|16)|c(?:8|16|32)|[mM]8(?:\[\d{0,9}"
    r"(?:Y|M|W|D|h|m|s|ms|us|ns|ps|fs|as)\])?|U\d{1,9})|\|[SV]\d{1,9}",
    re.ASCII,
)
"""The texts that numpy's `dtype.str` gives for the dtypes that travel."""


def _dtype(value: Any) -> str:
    text: str = value.dtype.str
    if value.dtype.names is not None or not _DTYPE.fullmatch(text):
        raise Unsupported("a dtype that is not plain memory")
    return text


def _to_dtype(text: str) -> Any:
    # In some numpys the size of <U999999999 overflows.
    if not _DTYPE.fullmatch(text) or text[1] in "USV" and int(text[2:]) >= 1 << 29:
        malformed("a dtype that is none of ours")
    return import_module("numpy").dtype(text)


def _shape(shape: Any, limit: int = MOST_EMPTY) -> tuple[int, ...]:
    is_shape = type(shape) is tuple and len(shape) <= 32
    if not is_shape or not all(type(n) is int and 0 <= n <= 1 << 62 for n in shape):
        malformed("a shape that is none")
    if not prod(shape) and prod(n for n in shape if n) > limit:
        malformed("too many places without items")
    return shape  # type: ignore[no-any-return]


def _trusted(array: Any) -> Any:
    """The array, unless numpy would take its bytes on trust."""
    np = import_module("numpy")
    kind = array.dtype.kind
    if kind == "b" and array.size and array.view(np.uint8).max() > 1:
        malformed("a bool that is neither true nor false")
    if kind == "U" and array.nbytes:
        letters = np.dtype("u4").newbyteorder(array.dtype.byteorder)
        if np.ascontiguousarray(array).reshape(-1).view(letters).max() > 0x10FFFF:
            malformed("a character beyond Unicode")
    return array


def _split(value: Any) -> Sequence[Any]:
    np = import_module("numpy")
    dtype, shape, order = _dtype(value), value.shape, "C"
    if not value.itemsize and value.size > MOST_EMPTY:
        raise Unsupported("too many items without bytes")
    _shape(shape)
    is_writable = bool(value.flags.writeable)
    if not value.flags.c_contiguous:
        if value.flags.f_contiguous:
            value, order = value.T, "F"
        else:
            value = np.ascontiguousarray(value)
    data = memoryview(value.reshape(-1).view(np.uint8)) if value.nbytes else b""
    return dtype, shape, order, is_writable, data


def _join(text: str, shape: Any, order: str, is_writable: bool, data: Buffer) -> Any:
    dtype, shape = _to_dtype(text), _shape(shape)
    if order not in ("C", "F") or prod(shape) * dtype.itemsize != len(data):
        malformed("an array whose shape and bytes disagree")
    if not dtype.itemsize and prod(shape) > MOST_EMPTY:
        malformed("too many items without bytes")
    if is_writable and memoryview(data).readonly:
        data = bytearray(data)
    array = import_module("numpy").ndarray(shape, dtype, buffer=data, order=order)
    array.flags.writeable = is_writable
    return _trusted(array)


def _split_fields(value: Any) -> Sequence[Any]:
    """An array with fields as one array for each. Memory between the fields does not travel."""
    fields = [value.dtype.fields[name] for name in value.dtype.names]
    if value.dtype.hasobject or any(len(field) > 2 for field in fields):
        raise Unsupported("fields of objects, or with titles")
    if not all(map(is_utf8, value.dtype.names)):
        raise Unsupported("names of fields that are not text")
    return value.shape, value.dtype.names, [value[name] for name in value.dtype.names]


def _join_fields(shape: Any, names: Any, arrays: list[Any]) -> Any:
    np = import_module("numpy")
    shape = _shape(shape)
    columns = []
    for name, array in zip(names, arrays, strict=True):
        is_array = type(name) is str and type(array) is np.ndarray and not array.dtype.hasobject
        if not is_array or array.shape[: len(shape)] != shape:
            malformed("a field that does not fit")
        columns.append((name, array.dtype, array.shape[len(shape) :]))
    if not columns:
        malformed("an array without fields")
    value = np.empty(shape, columns)
    for name, array in zip(names, arrays, strict=True):
        value[name] = array
    return value


def _split_masked(value: Any) -> Sequence[Any]:
    np = import_module("numpy")
    data, mask = np.asarray(value.data), np.ma.getmask(value)
    if data.dtype == object or data.dtype.names is not None:
        raise Unsupported("a masked array of objects or fields")
    mask = None if mask is np.ma.nomask else np.asarray(mask)
    return data, mask, np.asarray(value.fill_value)


def _join_masked(data: Any, mask: Any, fill: Any) -> Any:
    np = import_module("numpy")
    if not type(data) is type(fill) is np.ndarray or data.dtype == object or fill.ndim:
        malformed("a masked array of something else")
    if mask is None:
        mask = np.ma.nomask
    elif type(mask) is not np.ndarray or mask.dtype != bool or mask.shape != data.shape:
        malformed("a mask that does not fit")
    return np.ma.MaskedArray(data, mask=mask, fill_value=fill[()])


def _to_scalar(text: str, data: Buffer) -> Any:
    dtype = _to_dtype(text)
    if dtype.itemsize != len(data):
        malformed("a scalar whose type and bytes disagree")
    return _trusted(import_module("numpy").ndarray((), dtype, buffer=bytes(data)))[()]


_ARRAY: Final = Row("array", "numpy.", (str, tuple, str, bool, bytes), _split, _join, numbered=True)
_FIELDS: Final = Row(
    "fields", "numpy.", (tuple, tuple, list), _split_fields, _join_fields, numbered=True
)
_SCALAR: Final = Row(
    "scalar", "numpy.", (str, bytes), lambda v: (_dtype(v), v.tobytes()), _to_scalar
)
Row(
    "masked",
    "numpy.ma.MaskedArray",
    (Any, Any, Any),
    _split_masked,
    _join_masked,
    numbered=True,
)
# Not scalars like others: as an item of an array they would lose trailing zeros.
Row(
    "npstr",
    "numpy.str_",
    (str,),
    lambda v: [str.__str__(v)],
    lambda v: import_module("numpy").str_(v),
)
Row(
    "npbytes",
    "numpy.bytes_",
    (bytes,),
    lambda v: [bytes.__getitem__(v, slice(None))],
    lambda v: import_module("numpy").bytes_(bytes(v)),
)


def _array(walk: Encoding, value: Any) -> Node:
    if value.dtype.names is not None:
        return _FIELDS.encode(walk, value)
    return _objects(walk, value) if value.dtype == object else _ARRAY.encode(walk, value)


@guarded
def _objects(walk: Encoding, value: Any) -> Node:
    if (seen := walk.seen(value)) is not None:
        return seen
    walk.enter(value.size)
    items, refs = value.reshape(-1).tolist(), walk.refs
    nodes = items if short_texts(items) else map(walk.value, items)
    node = ["objects", list(value.shape), *nodes]
    walk.closes(refs)
    walk.depth += 1
    return node


def _to_objects(walk: Decoding, node: list[Any]) -> Any:
    _, shape, *parts = node
    shape = _shape(tuple(shape), walk.limits.items)
    if prod(shape) != len(parts):
        malformed("an array whose shape and items disagree")
    try:
        np = import_module("numpy")
    except ImportError:
        why = "numpy is not installed here"
        record = walk.note(Record("numpy.ndarray", "missing", ("reason",), (why,)))
        for part in parts:
            walk.value(part)
        return record
    array, refs = walk.note(np.empty(shape, object)), walk.refs
    flat = array.reshape(-1)
    for place, part in enumerate(parts):
        flat[place] = walk.value(part)
    walk.closes(refs)
    return array


DECODERS["objects"] = _to_objects


def _numpy_types(np: Any) -> dict[type, Encode]:
    scalars = _concrete(np.generic) - {np.str_, np.bytes_}
    return {np.ndarray: _array, **dict.fromkeys(scalars, _SCALAR.encode)}


def _concrete(kind: type) -> set[type]:
    """numpy's own scalar types that have instances, without numpy.record and other subclasses."""
    if kind.__module__ != "numpy" or kind.__name__ in ("record", "object_"):
        return set()
    children: list[type] = kind.__subclasses__()
    return {found for child in children for found in _concrete(child)} or {kind}


LATE["numpy"].append(_numpy_types)


# -- images and figures

_BITS_OF: Final = {
    1: "1",
    8: "L P",
    16: "LA PA La I;16",
    24: "RGB YCbCr LAB HSV",
    32: "RGBA RGBX RGBa CMYK I F",
}
BITS: Final = {mode: bits for bits, modes in _BITS_OF.items() for mode in modes.split()}
"""Modes of images and the bits of a pixel; rows of mode 1 are filled up to whole bytes."""


def _split_image(value: Any) -> Sequence[Any]:
    value.load()
    mode, (width, height) = value.mode, value.size
    if mode not in BITS or max(width, height) > 1 << 20:
        raise Unsupported("an image of an unusual mode or size")
    palette = None
    if mode in ("P", "PA") and value.palette is not None:
        colours = "RGBA" if "A" in value.palette.mode else "RGB"
        palette = colours, bytes(value.getpalette(colours))
    clear = value.info.get("transparency")
    clear = clear if type(clear) in (bytes, int) else None
    return mode, width, height, palette, clear, value.tobytes() if width and height else b""


def _join_image(mode: str, width: int, height: int, palette: Any, clear: Any, data: Buffer) -> Any:
    if not 0 <= min(width, height) <= max(width, height) <= 1 << 20:
        malformed("an image of an absurd size")
    if (width * BITS[mode] + 7) // 8 * height != len(data):
        malformed("an image whose size and bytes disagree")
    is_clear = type(clear) is bytes and len(clear) <= 256 or type(clear) is int and 0 <= clear < 256
    if clear is not None and not is_clear:
        malformed("transparency of an unknown kind")
    pil = import_module("PIL.Image")
    size = width, height
    image = pil.frombytes(mode, size, bytes(data)) if len(data) else pil.new(mode, size)
    if palette is not None:
        kind, colours = palette
        most = 256 * len(kind)
        if mode not in ("P", "PA") or kind not in ("RGB", "RGBA") or type(colours) is not bytes:
            malformed("a palette that is none")
        if len(colours) % len(kind) or len(colours) > most:
            malformed("a palette of a wrong size")
        image.putpalette(colours, kind)
    if clear is not None:
        image.info["transparency"] = clear
    return image


_IMAGE: Final = Row(
    "image",
    "PIL.Image.Image",
    (str, int, int, Any, Any, bytes),
    _split_image,
    _join_image,
    numbered=True,
)


def _figure(walk: Encoding, value: Any) -> Node:
    from io import BytesIO

    file = BytesIO()
    value.savefig(file, format="png", bbox_inches="tight")
    data = file.getvalue()
    width, height = (int.from_bytes(data[at : at + 4], "big") for at in (16, 20))
    return walk.value(Picture("image/png", data, width, height))


def _picture_shape(kind: type, mro: tuple[type, ...]) -> Encode | None:
    """Images that were opened from a file have a class for each format."""
    shapes = {("PIL.Image", "Image"): _IMAGE.encode, ("matplotlib.figure", "Figure"): _figure}
    for (module, name), encode in shapes.items():
        base = getattr(sys.modules.get(module), name, None)
        if base is not None and any(cls is base for cls in mro):
            return encode
    return None


SHAPES.append(_picture_shape)
