"""The value codec and what stays behind with its class: enum members, dataclasses, namedtuples and
exceptions arrive by name."""

from __future__ import annotations

import copy
import pickle
from collections import OrderedDict
from typing import Any

import pytest

from fumehood.wire.values import EXCEPTIONS, Encoder, Record, RemoteError, RemoteObject

from .crossing import Colour, Knot, Narrow, OwnError, Pair, Permission, Point, Spot, cross

# -- records and errors


def test_a_dataclass_arrives_as_a_record_of_its_fields() -> None:
    back = cross(Point(1, [2]))
    assert type(back) is Record
    assert (back.x, back.y, back["y"], back._asdict()) == (1, [2], [2], {"x": 1, "y": [2]})
    assert (
        back == cross(Point(1, [2]))
        and back != cross(Point(1, [3]))
        and back != cross(Spot(1, [2]))
    )
    assert repr(back).endswith("Point(x=1, y=[2])")
    with pytest.raises(TypeError):
        hash(back)
    with pytest.raises(AttributeError):
        back.x = 2
    with pytest.raises(AttributeError):
        _ = back.z
    with pytest.raises(KeyError):
        back["z"]
    assert cross(Narrow(1, 2))._asdict() == {"x": 1, "y": 2}


def test_a_frozen_dataclass_can_be_a_key_and_one_without_equality_is_only_itself() -> None:
    assert cross({Spot(1, (2,)): 3})[cross(Spot(1, (2,)))] == 3
    first, second = cross([Knot(), Knot()])
    assert first != second and first == first and len({first, second}) == 2


def test_a_namedtuple_arrives_as_a_record_that_is_still_a_tuple() -> None:
    back = cross(Pair(1, "b"))
    assert (back.left, back[1], back["left"], len(back), list(back), back[:1]) == (
        1,
        "b",
        1,
        2,
        [1, "b"],
        (1,),
    )
    assert (
        back == (1, "b")
        and back == (1, "b")
        and back == cross(Pair(1, "b"))
        and back < (2, "a")
        and back >= (1, "a")
        and "b" in back
    )
    assert hash(back) == hash((1, "b"))
    left, right = back
    assert (left, right) == (1, "b")


def test_an_enum_member_arrives_as_a_record_of_name_and_value() -> None:
    back = cross(Colour.RED)
    assert (back.name, back.value) == ("RED", 1) and back._type_name.endswith("Colour")
    assert cross({Colour.RED: 1, Colour.ODD: 2})[cross(Colour.ODD)] == 2
    assert cross(Permission.READ | Permission.WRITE).value == 6


@pytest.mark.parametrize(
    "value",
    [Point(1, [Spot(2)]), Pair(1, Colour.RED), Permission.READ, {Spot(1): Knot()}],
    ids=repr,
)
def test_a_record_crosses_again_as_the_same_record(value: Any) -> None:
    once = cross(value)
    assert repr(cross(once)) == repr(once)


def test_fields_cannot_pose_as_the_protocols_of_libraries() -> None:
    record = Record(
        "T", "dataclass", ("__array_interface__", "_repr_html_", "__class__", "x"), (1, 2, 3, 4)
    )
    assert not hasattr(record, "__array_interface__") and not hasattr(record, "_repr_html_")
    assert record.__class__ is Record and record["__class__"] == 3 and record.x == 4


def test_a_record_can_be_copied_and_pickled() -> None:
    for record in (cross(Point(1, 2)), cross(Pair(1, 2))):
        assert pickle.loads(pickle.dumps(record)) == record == copy.deepcopy(record)


def test_the_repr_of_a_record_is_short_whatever_it_holds() -> None:
    bomb: Any = []
    for _ in range(100):
        bomb = [bomb, bomb]
    for inside in (
        bomb,
        "x" * 10**6,
        10**10_000,
        list(range(10**5)),
        dict.fromkeys(range(999), bomb),
        OrderedDict(a=bomb),
    ):
        assert (
            len(repr(Record("T" * 10_000, "dataclass", ("a", "b" * 10_000), (inside, inside))))
            < 3000
        )
        assert (
            len(str(RemoteError("T" * 10_000, inside, inside)))
            < 5000
            > len(repr(RemoteError("T", inside)))
        )
    assert "\x1b" not in repr(Record("\x1b[2J", "dataclass", ("\x1b",), ("\x1b",)))


@pytest.mark.parametrize("name", sorted(EXCEPTIONS))
def test_a_built_in_exception_arrives_as_itself(name: str) -> None:
    args: tuple[Any, ...] = ("m", 1)
    if "Unicode" in name and name not in ("UnicodeError", "UnicodeWarning"):
        args = ("ascii", "é", 0, 1, "why")
        args = (
            args[1:]
            if name == "UnicodeTranslateError"
            else ("ascii", b"e", 0, 1, "why")
            if "Decode" in name
            else args
        )
    elif name.endswith("Group"):
        args = ("m", [ValueError(1), OwnError(2)])
    elif name in ("SyntaxError", "IndentationError", "TabError", "_IncompleteInputError"):
        args = ("m",)
    error = EXCEPTIONS[name](*args)
    back = cross(error)
    assert type(back) is type(error)
    if not name.endswith("Group"):
        assert back.args == error.args and str(back) == str(error)


def test_the_parts_of_an_exception_group_come_along() -> None:
    back = cross(ExceptionGroup("both", [ValueError(1), OwnError(2)]))
    assert [type(error) for error in back.exceptions] == [
        ValueError,
        RemoteError,
    ] and back.message == "both"


def test_the_file_of_an_os_error_comes_along() -> None:
    back = cross(FileNotFoundError(2, "No such file", "a.txt"))
    assert type(back) is FileNotFoundError and (back.errno, back.filename, back.args) == (
        2,
        "a.txt",
        (2, "No such file"),
    )
    assert (
        str(cross(OSError(18, "Cross-device", "a", None, "b")))
        == "[Errno 18] Cross-device: 'a' -> 'b'"
    )


def test_an_exception_of_the_code_s_own_arrives_by_name() -> None:
    back = cross(OwnError("why", 2))
    assert (
        type(back) is RemoteError
        and back.args == ("why", 2)
        and back.type_name.endswith("OwnError")
    )
    assert type(cross(back)) is RemoteError and cross(back).type_name == back.type_name
    assert str(cross(OwnError("why"))).endswith("OwnError: why")


def test_neither_traceback_nor_chain_travels() -> None:
    try:
        try:
            1 / 0
        except ZeroDivisionError as error:
            raise ValueError("x") from error
    except ValueError as error:
        back = cross(error)
    assert back.__traceback__ is back.__cause__ is back.__context__ is None


def test_a_syntax_error_names_no_file_that_a_printer_could_open() -> None:
    back = cross(SyntaxError("bad", ("/etc/passwd", 1, 1, "text")))
    assert type(back) is SyntaxError and back.filename is None and back.msg == "bad"


def test_an_exception_whose_text_would_be_endless_is_not_made() -> None:
    bomb: Any = ["x"]
    for _ in range(100):
        bomb = [bomb, bomb]
    back = cross(ValueError(bomb))
    assert type(back) is RemoteError and len(str(back)) < 5000


def test_an_exception_that_contains_itself_is_sent_by_name() -> None:
    error = ValueError()
    error.args = ((error,),)
    back = cross(error, Encoder(lambda value: (1, "ValueError", "…")))
    assert type(back) is ValueError and type(back.args[0][0]) is RemoteObject
