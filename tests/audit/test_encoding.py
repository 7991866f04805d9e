"""Events and values as JSON, and back."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Callable
from typing import Any

import pytest

from fumehood import events
from fumehood.audit.encoding import (
    Cut,
    EventEncoder,
    decode_event,
    decode_value,
    encode_value,
)
from fumehood.errors import AuditError
from fumehood.events import CellFinished, CellSubmitted
from fumehood.results import ErrorInfo
from fumehood.wire.records import RemoteObject

from ..every_event import every_event

NOW = 1_700_000_000.25

NOT_PLAIN = [
    (1, 2),
    2**63,
    -(2**64),
    math.inf,
    1j,
    b"",
    b"x" * 1000,
    {1: 2},
    {"$wire": 1},
    {"$cut": {}},
    {"a": (1,)},
    [{2}],
    "\ud800",
    ["a", "\udfff"],
    {"\ud800": 1},
]


def through_json(value: Any) -> Any:
    return json.loads(json.dumps(value, allow_nan=False))


@pytest.mark.parametrize("value", NOT_PLAIN, ids=ascii)
def test_a_value_that_json_would_change_comes_back_the_same(value: Any) -> None:
    encoded = encode_value(value)
    assert next(iter(encoded)) == "$wire"
    assert decode_value(through_json(encoded)) == value


def test_arrays_and_tables_come_back() -> None:
    numpy = pytest.importorskip("numpy")
    pandas = pytest.importorskip("pandas")
    array = numpy.arange(1000.0)
    assert numpy.array_equal(decode_value(through_json(encode_value(array))), array)
    frame = pandas.DataFrame({"a": [1, 2], "b": ["x", None]})
    assert decode_value(through_json(encode_value(frame))).equals(frame)


def test_a_value_that_is_too_large_is_described_with_its_hash() -> None:
    encoded = encode_value(b"x" * 2000, 1000)
    cut = decode_value(through_json(encoded))
    assert isinstance(cut, Cut)
    assert (
        cut.type == "bytes"
        and cut.bytes is not None
        and cut.bytes >= 2000
        and len(cut.text) <= 2000
    )
    assert (
        cut.sha256
        == decode_value(encode_value(b"x" * 2000, 1000)).sha256
        != decode_value(encode_value(b"y" * 2000, 1000)).sha256
    )


def test_an_object_of_a_sandbox_is_named_wherever_it_is() -> None:
    remote = RemoteObject(7, "Thing", "<a thing>", object())
    back = decode_value(through_json(encode_value([remote, {"k": (remote,)}])))
    assert isinstance(back[0], RemoteObject)
    assert (back[0].id, back[0].type_name, back[0].text) == (7, "Thing", "<a thing>")
    assert back[1]["k"][0] is back[0]


@pytest.mark.parametrize(
    "logged",
    [
        {"$wire": ["nonsense"]},
        {"$wire": ["bytes", 0]},
        {"$wire": ["bytes", 0], "buffers": "x"},
        {"$wire": ["bytes", 0], "buffers": [1]},
        {"$wire": ["bytes", 0], "buffers": ["*"]},
        {"$wire": ["pickle", "gA=="]},
        {"$wire": 1, "more": 2},
        {"$cut": 1},
        {"$cut": {"type": 1}},
        {"$wire": {"a": 1}},
    ],
    ids=repr,
)
def test_nonsense_in_the_place_of_a_value_is_one_clear_error(logged: Any) -> None:
    with pytest.raises(AuditError):
        decode_value(logged)


def test_every_kind_of_event_comes_back() -> None:
    tried = every_event("é\\n")
    unlogged = {events.Displayed, events.Printed}
    assert {type(event) for event in tried} | unlogged == {*events.KINDS.values()}
    for event in tried:
        decoded = decode_event(
            type(event).__name__, json.loads(EventEncoder(displays=True).encode(event))
        )
        if isinstance(event, CellFinished) and isinstance(decoded, CellFinished):
            ours, theirs = (dataclasses.asdict(each.execution) for each in (event, decoded))
            assert {**ours, "displays": 0} == {**theirs, "displays": 0}
        else:
            assert decoded == event


def test_a_lone_surrogate_anywhere_is_written_out(finished: Callable[..., CellFinished]) -> None:
    event = finished(
        "\ud800",
        logs="a\udfff",
        error=ErrorInfo("E", "\ud800", "", 1),
        displays=({"text/plain": "\ud800"},),
    )
    logged = json.loads(EventEncoder(displays=True).encode(event))["execution"]
    assert logged["logs"] == "a\\udfff" and logged["error"]["message"] == "\\ud800"
    assert decode_value(logged["value"]) == "\ud800"


def test_an_event_that_is_too_large_as_a_whole_is_shortened() -> None:
    variables = {f"x{number}": "v" * 900_000 for number in range(50)}
    line = EventEncoder().encode(events.VariablesSent(at=NOW, session="s", variables=variables))
    assert len(line) < 1_000_000
    decoded = decode_event("VariablesSent", json.loads(line))
    assert isinstance(decoded, events.VariablesSent)
    assert decoded.variables.keys() == variables.keys() and isinstance(decoded.variables["x1"], Cut)


def test_fields_of_wrong_types_are_one_clear_error(finished: Callable[..., CellFinished]) -> None:
    for event in [*every_event(), finished(displays=({"a": "b"},))]:
        logged = json.loads(EventEncoder().encode(event))
        for name in logged.keys() - {"value", "output"}:
            refused = 0
            for wrong in (None, -1.5, "x", [1], {"x": [None]}, {"$wire": 1}):
                try:
                    decoded = decode_event(type(event).__name__, {**logged, name: wrong})
                except AuditError:  # and nothing else
                    refused += 1
                else:
                    as_it_was = type(getattr(decoded, name)) is type(getattr(event, name))
                    assert as_it_was or json.loads(EventEncoder().encode(decoded))[name] == wrong, (
                        f"{name}: {wrong} is of a wrong type"
                    )
            assert refused, f"{type(event).__name__}.{name} takes whatever it is given"


@pytest.mark.parametrize("end", ["\u2028", "\u2029", "\x85", "\x7f", "\x9b", "\x1e", "\r"])
def test_what_ends_a_line_for_some_reader_or_is_obeyed_by_a_terminal_is_escaped(end: str) -> None:
    submitted = CellSubmitted(at=NOW, session="s", cell=1, run="", code=f"é{end}x")
    data = EventEncoder().encode(submitted)
    text = data.decode()
    assert len(text.splitlines()) == 1 and end not in text
    assert "é" in text
    assert json.loads(text)["code"] == f"é{end}x"


@pytest.mark.parametrize("kept", [False, True])
def test_an_execution_of_a_log_can_be_shown(
    finished: Callable[..., CellFinished], kept: bool
) -> None:
    """Whether the log kept the content of its displays or only their sizes."""
    event = finished(
        5, displays=({"text/plain": "a table", "image/png": b"\x89PNG"}, {"text/plain": "text"})
    )
    logged = json.loads(EventEncoder(displays=kept).encode(event))
    read = decode_event("CellFinished", logged)
    assert isinstance(read, CellFinished)
    assert "<image/png, 4 bytes>" in repr(read.execution)
    shown = "text" if kept else "<4 bytes>"
    assert str(read.execution) == f"<image/png, 4 bytes>\n{shown}\n5"
    assert shown in read.execution._repr_mimebundle_()["text/plain"]
