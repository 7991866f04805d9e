"""Pictures in and out: what is shown to a model, from what people and code have."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable
from typing import Any

from fumehood.asked import path_of, shown
from fumehood.errors import PolicyError
from fumehood.models.messages import Image
from fumehood.results import Execution
from fumehood.wire.show import one_line

# What models take, by the bytes that files of each kind begin with.
_KINDS = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
)

MOST_SHOWN = 8
"""How many pictures of one step are shown to the model."""


def as_images(things: Iterable[Any] | None) -> tuple[Image, ...]:
    """Pictures as messages hold them, from Image objects, bytes of a file, paths, or anything with
    `save` as Pillow's images have."""
    if things is None:
        return ()
    if isinstance(things, (str, bytes, os.PathLike)) or not isinstance(things, Iterable):
        raise PolicyError(
            f"images must be a list of pictures, not {shown(things)}; for one, write [picture]"
        )
    return tuple(_as_image(thing, f"images[{place}]") for place, thing in enumerate(things))


def _as_image(thing: Any, which: str) -> Image:
    if isinstance(thing, Image):
        return thing
    if isinstance(thing, (str, os.PathLike)):
        try:
            return _as_image(path_of(which, thing).read_bytes(), shown(str(thing)))
        except OSError as error:
            raise PolicyError(f"cannot read the picture {str(thing)!r}: {error.strerror}") from None
    if isinstance(thing, (bytes, bytearray, memoryview)):
        data = bytes(thing)
        return Image(data, _kind_of(data, which))
    if hasattr(thing, "save"):
        stream = io.BytesIO()
        try:
            thing.save(stream, format="PNG")
        except Exception as error:
            raise PolicyError(
                f"{which}, of {type(thing).__name__}, cannot be made a PNG:"
                f" {one_line(str(error), 300)}"
            ) from None
        return Image(stream.getvalue())
    raise PolicyError(
        f"{which} must be a picture: bytes, a path, or an image of Pillow, not {shown(thing)}"
    )


def _kind_of(data: bytes, which: str) -> str:
    for beginning, mime in _KINDS:
        if data.startswith(beginning):
            return mime
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    begins = f"begins with {data[:8]!r}" if data else "is empty"
    raise PolicyError(
        f"a picture must be png, jpeg, gif or webp, and {which} is none of them: it {begins}"
    )


def pictures_of(execution: Execution) -> tuple[Image, ...]:
    """The pictures that a cell has shown, as a model can be shown them."""
    found = []
    for bundle in execution.displays:
        for mime in ("image/png", "image/jpeg"):
            data = bundle.get(mime)
            if isinstance(data, bytes):
                found.append(Image(data, mime))
                break
    return tuple(found[:MOST_SHOWN])
