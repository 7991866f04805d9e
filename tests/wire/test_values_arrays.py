"""The value codec and numpy: arrays cross as raw memory, and only as memory that numpy can be
trusted with."""

from __future__ import annotations

import io
import json
import pickle
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fumehood.errors import WorkerProtocolError
from fumehood.wire.arrays import BITS
from fumehood.wire.records import Picture
from fumehood.wire.values import Decoder, Encoder, RemoteObject, ValueLimits

np = pytest.importorskip("numpy")
from hypothesis.extra import numpy as hnp  # noqa: E402


def cross(value: Any) -> Any:
    node, buffers = Encoder(lambda value: (1, type(value).__name__, "")).encode(value)
    return Decoder().decode(
        json.loads(json.dumps(node, allow_nan=False)), [bytearray(buffer) for buffer in buffers]
    )


NESTED = np.dtype([("a", "i2"), ("b", ">f8", (2, 3)), ("c", [("x", "?"), ("y", "U3")])])
ALIGNED = np.dtype([("a", "i1"), ("b", "f8")], align=True)
ARRAYS: dict[str, Any] = {
    **{
        f"dtype {code}": np.array([0, 1, 1], code)
        for code in "? i1 u1 i2 u2 i4 u4 i8 u8 f2 f4 f8 c8 c16".split()
    },
    "long double": np.array([1, 2], np.longdouble),
    "big-endian": np.arange(3, dtype=">i4"),
    "text": np.array(["a", "bcd", ""]),
    "big-endian text": np.array(["é", "\U0001f600"], ">U2"),
    "bytes": np.array([b"a", b"bcd"]),
    "void": np.array([b"abcd"], "V4"),
    "dates": np.array(["2020-01-01", "NaT"], "M8[D]"),
    "durations": np.array([1, 2], "m8[25s]"),
    "generic duration": np.array([1, 2], "m8"),
    "fields": np.zeros(3, NESTED),
    "no dimensions": np.array(5),
    "nothing": np.empty((0, 3)),
    "no text": np.array([], "U"),
    "no fields": np.zeros(0, NESTED),
    "columns first": np.arange(6.0).reshape(2, 3).T,
    "every other": np.arange(20)[::2],
    "backwards": np.arange(5)[::-1],
    "a corner": np.arange(100).reshape(10, 10)[2:4, 3:5],
    "broadcast": np.broadcast_to(np.arange(3), (4, 3)),
    "many dimensions": np.zeros((1,) * 32),
    "objects": np.array([1, "a", None, [1], {2: 3}], object),
    "one object": np.array(None, object),
    "no objects": np.zeros((2, 0, 3), object),
    "objects in rows": np.array([[1, "a"], [None, 2.5]], object),
}


@pytest.mark.parametrize("name", ARRAYS)
def test_an_array_comes_back_as_it_was(name: str) -> None:
    array = ARRAYS[name]
    back = cross(array)
    assert type(back) is np.ndarray
    assert (back.dtype, back.shape) == (array.dtype, array.shape)
    assert repr(back.tolist()) == repr(array.tolist())
    assert (
        back.flags.f_contiguous >= array.flags.f_contiguous
        and back.flags.c_contiguous >= array.flags.c_contiguous
    )
    assert back.flags.writeable == array.flags.writeable


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    hnp.arrays(
        hnp.scalar_dtypes(),
        hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3),
    ),
    st.booleans(),
)
def test_any_array_comes_back_as_it_was(array: Any, turned: bool) -> None:
    array = array.T if turned else array
    back = cross(array)
    assert (back.dtype, back.shape) == (array.dtype, array.shape)
    assert back.tobytes() == array.tobytes()


def test_an_array_is_sent_without_a_copy_and_received_without_one() -> None:
    array = np.arange(1000.0)
    _, buffers = Encoder().encode(array)
    array[0] = 7
    assert np.frombuffer(buffers[0])[0] == 7
    node, _ = Encoder().encode(array)
    received = bytearray(buffers[0])
    back = Decoder().decode(node, [received])
    back[1] = 9
    assert np.frombuffer(received)[1] == 9


def test_an_array_in_constant_bytes_is_still_writable() -> None:
    node, buffers = Encoder().encode(np.arange(1000))
    back = Decoder().decode(node, [bytes(buffers[0])])
    back[0] = 5
    assert back[0] == 5


def test_a_read_only_array_stays_one() -> None:
    array = np.arange(3)
    array.flags.writeable = False
    assert not cross(array).flags.writeable


def test_arrays_that_are_one_stay_one() -> None:
    array = np.arange(3)
    first, second, third = cross([array, {"k": array}, array.copy()])
    assert first is second["k"] is not third


SCALARS: dict[str, Any] = {
    **{
        code: np.dtype(code).type(1) for code in "? i1 u1 i2 u2 i4 u4 i8 u8 f2 f4 f8 c8 c16".split()
    },
    "long double": np.longdouble("1.1"),
    "text": np.str_("é\0"),
    "long text": np.str_("x" * 5000),
    "bytes": np.bytes_(b"x\0"),
    "date": np.datetime64("2020-01-01T00:00", "m"),
    "no date": np.datetime64("NaT"),
    "duration": np.timedelta64(5, "D"),
    "void": np.void(b"abc"),
    "not a number": np.float64("nan"),
    "largest": np.uint64(2**64 - 1),
}


@pytest.mark.parametrize("name", SCALARS)
def test_a_scalar_comes_back_as_it_was(name: str) -> None:
    back = cross(SCALARS[name])
    assert type(back) is type(SCALARS[name]) and back.dtype == SCALARS[name].dtype
    assert repr(back.tolist()) == repr(SCALARS[name].tolist())


def test_a_scalar_can_be_a_key() -> None:
    assert cross({np.int64(3): 1, (np.float32(2), "a"): 2}) == {3: 1, (2.0, "a"): 2}


def test_what_is_not_plain_memory_stays_where_it_is() -> None:
    odd = [
        np.rec.array([(1,)], [("a", int)]),
        np.array([(1, None)], [("a", "i4"), ("b", object)]),
        np.ma.masked,
        np.ma.MaskedArray([1, 2], mask=[True, False]),
        np.array([(1,)], [(("title", "a"), "i4")]),
        np.array([(1, 2.5)], ALIGNED)[0],
    ]
    assert [type(value) for value in cross(odd)] == [RemoteObject] * 6


def test_what_lies_between_the_fields_is_not_sent() -> None:
    dirty = np.frombuffer(bytearray(b"\xaa" * 64), np.uint8).view(ALIGNED)
    dirty["a"] = dirty["b"] = 1
    node, buffers = Encoder().encode(np.concatenate([dirty] * 40))
    assert b"\xaa" not in b"".join(map(bytes, buffers))
    back = Decoder().decode(node, [bytearray(buffer) for buffer in buffers])
    assert back.tolist() == [(1, 1.0)] * 160 and back.dtype.itemsize == 9


# -- hostile


def array(
    dtype: Any = "<i8",
    shape: Any = (1,),
    order: Any = "C",
    writable: Any = True,
    data: Any = bytes(8),
) -> tuple[Any, list[Any]]:
    shape = ["tuple", *shape] if type(shape) is tuple else shape
    return ["array", dtype, shape, order, writable, 0], [bytearray(data)]


ONE = ["array", "|i1", ["tuple", 1], "C", True, "AA=="]


def fields(names: list[Any], *arrays: Any) -> tuple[Any, list[Any]]:
    return ["fields", ["tuple", 1], ["tuple", *names], ["list", *arrays]], []


HOSTILE: dict[str, tuple[Any, list[Any]]] = {
    "objects": array("|O"),
    "objects by another name": array("object"),
    "a dtype numpy would parse": array("i8,i8", data=bytes(16)),
    "a dtype without byte order": array("i8"),
    "a dtype with a shape": array("(2,)<i4"),
    "a dtype in other digits": array("<i٨"),
    "a dtype with an end of line": array("<i8\n"),
    "an absurd item": array("<U999999999", (0,), data=b""),
    "an unknown unit": array("<M8[x]"),
    "more items than bytes": array(shape=(2,)),
    "fewer items than bytes": array(shape=(0,)),
    "a product that overflows": array("|i1", (2**32, 2**32), data=b""),
    "a product that overflows to the right length": array("|i1", (2**61, 8, 1), data=bytes(8)),
    "a negative dimension": array(shape=(-1,)),
    "two negative dimensions": array(shape=(-1, -1)),
    "a true dimension": array(shape=(True,)),
    "a text as a shape": array(shape="8"),
    "too many dimensions": array(shape=(1,) * 33),
    "an unknown order": array(order="K"),
    "an order that is none": array(order=None),
    "writable perhaps": array(writable=1),
    "many items of no size": array("|V0", (10**9,), data=b""),
    "many rows of nothing": array(shape=(10**9, 0), data=b""),
    "a bool that is two": array("|b1", data=b"\2"),
    "a letter beyond Unicode": array("<U1", data=b"\xff\xff\xff\xff"),
    "a letter beyond Unicode, turned": array(">U1", data=b"\x00\x11\x00\x00"),
    "a field of another length": fields(["a"], ["array", "|i1", ["tuple", 2], "C", True, "AAA="]),
    "a field of objects": fields(["a"], ["objects", [1], 5]),
    "a field that is a list": fields(["a"], ["list", 1]),
    "fields of one name": fields(["a", "a"], ONE, ONE),
    "a field without a name": fields([None], ONE),
    "more fields than names": fields(["a"], ONE, ONE),
    "no fields": fields([]),
    "more objects than places": (["objects", [1], 1, 2], []),
    "fewer objects than places": (["objects", [3], 1, 2], []),
    "no objects in many places": (["objects", [0, 10**9]], []),
    "a scalar of two": (["scalar", "<i8", 0], [bytearray(16)]),
    "a scalar that is an object": (["scalar", "|O", 0], [bytearray(8)]),
    "a scalar bool that is two": (["scalar", "|b1", "Ag=="], []),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_array_is_a_protocol_error(what: str) -> None:
    with pytest.raises(WorkerProtocolError, match="not a value"):
        Decoder().decode(*HOSTILE[what])


def test_elements_of_an_object_array_count_as_items() -> None:
    with pytest.raises(ValueError, match="more than 100 items"):
        Encoder(limits=ValueLimits(items=100)).encode(np.zeros(200, object))
    with pytest.raises(WorkerProtocolError, match="too many items"):
        Decoder(limits=ValueLimits(items=100)).decode(["objects", [200], *[None] * 200])


# -- pictures: images cross as pixels, figures as the PNG they draw


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
