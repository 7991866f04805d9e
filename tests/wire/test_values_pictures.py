"""The value codec and pictures: images cross as pixels, figures as the PNG they draw."""

from __future__ import annotations

import io
import json
import pickle
from typing import Any

import pytest

from fumehood.errors import WorkerProtocolError
from fumehood.wire.arrays import BITS
from fumehood.wire.records import Picture
from fumehood.wire.values import Decoder, Encoder


def cross(value: Any) -> Any:
    node, buffers = Encoder(lambda value: (1, type(value).__name__, "")).encode(value)
    return Decoder().decode(
        json.loads(json.dumps(node, allow_nan=False)), [bytearray(buffer) for buffer in buffers]
    )


@pytest.mark.parametrize("mode", BITS)
def test_an_image_of_any_mode_comes_back_as_it_was(mode: str) -> None:
    pil = pytest.importorskip("PIL.Image")
    image = (
        pil.frombytes(mode, (13, 7), bytes(range(256)) * 2)
        if mode != "1"
        else pil.new("1", (13, 7), 1)
    )
    back = cross(image)
    assert type(back) is pil.Image and (back.mode, back.size, back.tobytes()) == (
        image.mode,
        image.size,
        image.tobytes(),
    )


def test_palette_and_transparency_come_along() -> None:
    pil = pytest.importorskip("PIL.Image")
    image = pil.new("RGB", (20, 20), "red").quantize(4)
    image.info["transparency"] = 3
    back = cross(image)
    assert back.mode == "P" and back.info["transparency"] == 3
    assert back.convert("RGB").tobytes() == image.convert("RGB").tobytes()


def test_an_image_opened_from_a_file_and_one_of_no_size_come_back() -> None:
    pil = pytest.importorskip("PIL.Image")
    file = io.BytesIO()
    pil.new("RGB", (5, 4), "blue").save(file, "PNG")
    opened = pil.open(file)
    first, second = cross([opened, opened])
    assert type(first) is pil.Image and first is second and first.getpixel((0, 0)) == (0, 0, 255)
    assert cross(pil.new("L", (0, 5))).size == (0, 5)


def test_a_figure_arrives_as_the_picture_it_draws() -> None:
    figures = pytest.importorskip("matplotlib.figure")
    figure = figures.Figure(figsize=(1, 1))
    figure.subplots().plot([1, 2])
    back = cross({"figure": figure})["figure"]
    assert (
        type(back) is Picture
        and back.mime == "image/png"
        and back.data.startswith(b"\x89PNG")
        and back.width > 10 < back.height
    )
    assert cross(back) == back


def test_a_picture_is_a_constant_that_shows_itself() -> None:
    picture = Picture("image/png", b"data", 3, 4)
    assert repr(picture) == "<Picture image/png 3x4, 4 bytes>"
    assert (
        picture._repr_mimebundle_() == {"image/png": b"data"}
        and pickle.loads(pickle.dumps(picture)) == picture
    )
    (html,) = Picture("image/svg+xml", b"<svg/>")._repr_mimebundle_().values()
    assert html.startswith('<iframe sandbox="" ') and "<svg" not in html  # escaped
    assert hash(picture) == hash(Picture("image/png", b"data")) and picture != Picture(
        "image/gif", b"data"
    )
    with pytest.raises(AttributeError):
        picture.mime = "x"


@pytest.mark.parametrize(
    "node",
    [
        ["image", "RGB", 1, 1, ["tuple", "RGB", ["bytes", "AAAA"]], None, "AAAA"],
        ["image", "P", 1, 1, ["tuple", "BGR", ["bytes", "AAAA"]], None, "AA=="],
        ["image", "P", 1, 1, ["tuple", "RGB", ["bytes", "AAA="]], None, "AA=="],
        ["image", "P", 1, 1, None, "x", "AA=="],
        ["image", "P", 1, 1, None, 256, "AA=="],
        ["image", "P", 1, 1, None, ["list", "AA=="], "AA=="],
        ["image", "L", 2**40, 0, None, None, ""],
        ["image", "L", True, 1, None, None, "AA=="],
        ["picture", "image/png", -1, 0, ""],
        ["picture", ["image/png"], 0, 0, ""],
    ],
)
def test_a_hostile_image_is_a_protocol_error(node: Any) -> None:
    pytest.importorskip("PIL.Image")
    with pytest.raises(WorkerProtocolError, match="not a value"):
        Decoder().decode(node)
