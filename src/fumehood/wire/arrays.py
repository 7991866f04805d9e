"""Rows of the value codec for numpy and pictures: arrays and images as raw memory.

The data of an array is one buffer: a view of the array's memory on the way out, the received
bytearray itself on the way in. A dtype is a text of a fixed grammar. Numpy trusts its memory (a
bool that is neither 0 nor 1 makes it write out of bounds), so such bytes are refused here. A
compressed picture from a sandbox is never opened here: image decoders have had many holes.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from importlib import import_module
from io import BytesIO
from math import prod
from typing import Any, Final

from fumehood.wire.values import (
    PICTURE,
    RAW,
    SHAPES,
    Buffer,
    Encode,
    Encoding,
    Node,
    Row,
    inherits,
    is_utf8,
    malformed,
    to_picture,
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
        malformed("a dtype that is not plain memory")
    return text


def _to_dtype(text: str) -> Any:
    if text[1] in "USV" and int(text[2:]) >= 1 << 29:  # in some numpys the size overflows
        malformed("a dtype of absurd size")
    return import_module("numpy").dtype(text)


def _shape(shape: Any, itemsize: int = 1) -> tuple[int, ...]:
    is_shape = type(shape) is tuple and len(shape) <= 32
    if not is_shape or not all(type(n) is int and 0 <= n <= 1 << 62 for n in shape):
        malformed("a shape that is none")
    if not itemsize * prod(shape) and prod(n for n in shape if n) > MOST_EMPTY:
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


def _split(value: Any) -> Iterable[Any]:
    np = import_module("numpy")
    dtype, shape, order = _dtype(value), _shape(value.shape, value.itemsize), "C"
    is_writable = bool(value.flags.writeable)
    if not value.flags.c_contiguous:
        if value.flags.f_contiguous:
            value, order = value.T, "F"
        else:
            value = np.ascontiguousarray(value)
    data = memoryview(value.reshape(-1).view(np.uint8)) if value.nbytes else b""
    return dtype, shape, order, is_writable, data


def _join(text: str, shape: Any, order: str, is_writable: bool, data: Buffer) -> Any:
    dtype = _to_dtype(text)
    shape = _shape(shape, dtype.itemsize)
    if prod(shape) * dtype.itemsize != len(data):
        malformed("an array whose shape and bytes disagree")
    if is_writable and memoryview(data).readonly:
        data = bytearray(data)
    array = import_module("numpy").ndarray(shape, dtype, buffer=data, order=order)
    array.flags.writeable = is_writable
    return _trusted(array)


def _split_fields(value: Any) -> Iterable[Any]:
    """An array with fields as one array for each. Memory between the fields does not travel."""
    fields = [value.dtype.fields[name] for name in value.dtype.names]
    if value.dtype.hasobject or any(len(field) > 2 for field in fields):
        malformed("fields of objects, or with titles")
    if not all(map(is_utf8, value.dtype.names)):
        malformed("names of fields that are not text")
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


def _join_objects(shape: Any, *items: Any) -> Any:
    shape = _shape(tuple(shape))
    if prod(shape) != len(items):
        malformed("an array whose shape and items disagree")
    array = import_module("numpy").empty(len(items), object)
    for place, item in enumerate(items):
        array[place] = item
    return array.reshape(shape)


def _to_scalar(text: str, data: Buffer) -> Any:
    dtype = _to_dtype(text)
    if dtype.itemsize != len(data):
        malformed("a scalar whose type and bytes disagree")
    return _trusted(import_module("numpy").ndarray((), dtype, buffer=bytes(data)))[()]


_PARTS: Final = (_DTYPE, tuple, re.compile("[CF]"), bool, bytes)
_ARRAY: Final = Row("array", "numpy.", _PARTS, _split, _join, numbered=True)
_COLUMNS: Final = (tuple, tuple, list)
_FIELDS: Final = Row(
    "fields", "numpy.", _COLUMNS, _split_fields, _join_fields, numbered=True, whole=True
)
_OBJECTS: Final = Row(
    "objects",
    "numpy.",
    (RAW, ...),
    lambda v: (list(v.shape), *v.reshape(-1).tolist()),
    _join_objects,
)
_SCALAR: Final = Row(
    "scalar", "numpy.", (_DTYPE, bytes), lambda v: (_dtype(v), v.tobytes()), _to_scalar
)
# Not scalars like others: as an item of an array they would lose trailing zeros.
Row("npstr", "numpy.str_", (str,), lambda v: [str.__str__(v)])
Row("npbytes", "numpy.bytes_", (bytes,), lambda v: [bytes.__getitem__(v, slice(None))])


def _array(walk: Encoding, value: Any) -> Node:
    row = _FIELDS if value.dtype.names is not None else _ARRAY
    return (_OBJECTS if value.dtype == object else row).encode(walk, value)


def _numpy_shape(kind: type, mro: tuple[type, ...]) -> Encode | None:
    np: Any = sys.modules.get("numpy")
    if kind is getattr(np, "ndarray", None):
        return _array
    is_scalar = np is not None and inherits(mro, np.generic) and kind is not np.record
    return _SCALAR.encode if is_scalar and getattr(np, kind.__name__, None) is kind else None


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


def _split_image(value: Any) -> Iterable[Any]:
    value.load()
    mode, (width, height) = value.mode, value.size
    if mode not in BITS or max(width, height) > 1 << 20:
        malformed("an image of an unusual mode or size")
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
        if mode not in ("P", "PA") or kind not in ("RGB", "RGBA") or type(colours) is not bytes:
            malformed("a palette that is none")
        if len(colours) % len(kind) or len(colours) > 256 * len(kind):
            malformed("a palette of a wrong size")
        image.putpalette(colours, kind)
    if clear is not None:
        image.info["transparency"] = clear
    return image


def _split_figure(value: Any) -> Iterable[Any]:
    file = BytesIO()
    value.savefig(file, format="png", bbox_inches="tight")
    data = file.getvalue()
    width, height = (int.from_bytes(data[at : at + 4], "big") for at in (16, 20))
    return "image/png", width, height, data


_PIXELS: Final = (str, int, int, Any, Any, bytes)
_IMAGE: Final = Row("image", "PIL.Image.", _PIXELS, _split_image, _join_image, numbered=True)
_FIGURE: Final = Row("picture", "matplotlib.figure.", PICTURE, _split_figure, to_picture)


def _picture_shape(kind: type, mro: tuple[type, ...]) -> Encode | None:
    """Images that were opened from a file have a class for each format."""
    for row, name in ((_IMAGE, "Image"), (_FIGURE, "Figure")):
        if inherits(mro, getattr(sys.modules.get(row.module), name, mro)):
            return row.encode
    return None


SHAPES.extend((_numpy_shape, _picture_shape))
