"""Rows of the value codec for pictures: PIL images as their pixels, matplotlib figures as the PNG
they draw.

A compressed picture from a sandbox is never opened here: decoders of picture formats have a long
history of being the hole. Pixels are only bytes, and there have to be as many of them as width and
height say.
"""

from __future__ import annotations

import sys
from typing import Any, Final

from fumehood.wire.arrays import library
from fumehood.wire.codec import (
    LATE,
    SHAPES,
    Decoding,
    Encoding,
    Node,
    Unsupported,
    arity,
    decodes,
    encodes,
    exactly,
    guarded,
    malformed,
)
from fumehood.wire.records import MIMES, Picture, Record

MAX_SIDE: Final = 1 << 20

_BITS_OF: Final = {
    1: "1",
    8: "L P",
    16: "LA PA La I;16",
    24: "RGB YCbCr LAB HSV",
    32: "RGBA RGBX RGBa CMYK I F",
}
BITS: Final = {mode: bits for bits, modes in _BITS_OF.items() for mode in modes.split()}
"""Modes of images, and the bits of a pixel in each; rows of mode 1 are filled up to whole bytes."""


@encodes(Picture)
def _picture(walk: Encoding, value: Picture) -> Node:
    if value.mime not in MIMES or type(value.data) is not bytes:
        return walk.fallback(value)
    return ["picture", value.mime, value.width, value.height, walk.blob(value.data)]


@decodes("picture", key=True)
def _to_picture(walk: Decoding, node: list[Any]) -> Picture:
    mime, width, height, part = arity(node, 4)
    if mime not in MIMES:
        malformed("a picture of an unknown format")
    _check_size(width, height)
    return Picture(mime, bytes(walk.blob(part)), width, height)


def _check_size(width: Any, height: Any) -> None:
    if (
        type(width) is not int
        or type(height) is not int
        or not 0 <= min(width, height) <= max(width, height) <= MAX_SIDE
    ):
        malformed("a picture of an absurd size")


# -- matplotlib


def _figure_shape(kind: type, mro: tuple[type, ...]) -> Any:
    module = sys.modules.get("matplotlib.figure")
    if module is None or not any(base is module.Figure for base in mro):
        return None
    return _figure


def _figure(walk: Encoding, value: Any) -> Node:
    from io import BytesIO

    file = BytesIO()
    value.savefig(file, format="png", bbox_inches="tight")
    data = file.getvalue()
    return _picture(
        walk,
        Picture(
            "image/png",
            data,
            int.from_bytes(data[16:20], "big"),
            int.from_bytes(data[20:24], "big"),
        ),
    )


SHAPES.append(_figure_shape)

# -- PIL


def _image_shape(kind: type, mro: tuple[type, ...]) -> Any:
    module = sys.modules.get("PIL.Image")  # images opened from a file are of a class per format
    if module is None or not any(base is module.Image for base in mro):
        return None
    return guarded(_image)


def _image(walk: Encoding, value: Any) -> Node:
    seen = walk.seen(value)
    if seen is not None:
        return seen
    value.load()
    mode, (width, height) = value.mode, value.size
    if mode not in BITS or max(width, height) > MAX_SIDE:
        raise Unsupported("an image of an unusual mode or size")
    walk.note(value)
    palette: Node = None
    if mode in ("P", "PA") and value.palette is not None:
        rgba = "A" in value.palette.mode
        colours = value.getpalette("RGBA" if rgba else "RGB")
        palette = ["RGBA" if rgba else "RGB", walk.blob(bytes(colours))]
    clear = value.info.get("transparency")
    if type(clear) is bytes:
        clear = ["bytes", walk.blob(clear)]
    elif type(clear) is not int:
        clear = None
    return [
        "image",
        mode,
        width,
        height,
        palette,
        clear,
        walk.blob(value.tobytes() if width and height else b""),
    ]


@decodes("image")
def _to_image(walk: Decoding, node: list[Any]) -> Any:
    mode, width, height, palette, clear, part = arity(node, 6)
    number = walk.reserve()
    _check_size(width, height)
    data, bits = walk.blob(part), BITS[exactly(str, mode)]
    if (width * bits + 7) // 8 * height != len(data):
        malformed("an image whose size and bytes disagree")
    colours = _colours(walk, palette)
    if type(clear) is list:
        tag, clear = clear
        clear = bytes(walk.blob(clear))
        if tag != "bytes" or len(clear) > 256:
            malformed("transparency of an unknown kind")
    elif clear is not None and (type(clear) is not int or not 0 <= clear <= 255):
        malformed("transparency of an unknown kind")
    pil = library(
        "PIL.Image", "PIL.Image.Image", mode=mode, width=width, height=height, data=bytes(data)
    )
    if type(pil) is Record:
        return walk.fill(number, pil)
    made = (
        pil.frombytes(mode, (width, height), bytes(data))
        if len(data)
        else pil.new(mode, (width, height))
    )
    if colours is not None:
        if mode not in ("P", "PA"):
            malformed("a palette for an image without one")
        made.putpalette(colours[1], colours[0])
    if clear is not None:
        made.info["transparency"] = clear
    return walk.fill(number, made)


def _colours(walk: Decoding, node: Any) -> tuple[str, bytes] | None:
    if node is None:
        return None
    mode, part = exactly(list, node)
    data = bytes(walk.blob(part))
    if mode not in ("RGB", "RGBA") or len(data) % len(mode) or len(data) > 256 * len(mode):
        malformed("a palette that is none")
    return mode, data


SHAPES.append(_image_shape)
LATE["PIL.Image"] = lambda module: {module.Image: guarded(_image)}
