"""Events and values as JSON, and back."""

from __future__ import annotations

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
from fumehood.events import CellFinished, CellSubmitted, Event
from fumehood.results import ErrorInfo, Execution, Finding, Usage, Violation
from fumehood.wire.records import RemoteObject

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


EVERY_EVENT: list[Event] = [
    events.SessionOpened(
        at=NOW,
        session="s",
        place="local",
        policy={"imports": ["a"]},
        report="r",
        options={},
        python="3",
        fumehood="0",
    ),
    events.SessionClosed(at=NOW, session="s"),
    events.ToolsSent(at=NOW, session="s", names=("a", "b")),
    events.VariablesSent(at=NOW, session="s", variables={"x": (1, 2), "y": "plain"}),
    events.VariablesSent(at=NOW, session="s", variables={"y": "plain"}),
    events.VariableDeleted(at=NOW, session="s", name="x"),
    events.FileWritten(at=NOW, session="s", path="a.txt", content=b"\0\xff" * 100),
    events.FileWritten(at=NOW, session="s", path="a.txt", content=b"more", at_byte=1 << 20),
    events.FileRemoved(at=NOW, session="s", path="a.txt"),
    events.CommandStarted(
        at=NOW,
        session="s",
        number=3,
        line="ls | wc -l",
        cwd="/home/user",
        environment={"A": "b"},
        stdin=True,
    ),
    events.CommandEnded(
        at=NOW,
        session="s",
        number=3,
        exit_code=124,
        error="it was killed",
        stdout_bytes=5,
        stderr_bytes=0,
    ),
    events.FileRenamed(at=NOW, session="s", cell=1, path="a.txt", to="b/c.txt"),
    events.DirectoryMade(at=NOW, session="s", path="d"),
    events.EnvironmentSet(at=NOW, session="s", variables={"A": "b", "é": ""}),
    events.PackagesInstalled(at=NOW, session="s", packages=("a 1.0", "b 2"), modules=("a",)),
    events.SnapshotTaken(at=NOW, session="s", snapshot=1, label="l"),
    events.SnapshotRestored(at=NOW, session="s", snapshot=1, label="l", of="t"),
    events.Forked(at=NOW, session="s", children=("u",)),
    events.OpenedBeside(at=NOW, session="s", child="v"),
    events.StateSaved(at=NOW, session="s", path="state"),
    events.StateLoaded(at=NOW, session="s", path="state"),
    events.SandboxDied(at=NOW, session="s", kept=True),
    events.CellSubmitted(at=NOW, session="s", cell=1, run="r", code="x = 'é'"),
    events.Printed(at=NOW, session="s", text="t"),
    events.ToolCalled(at=NOW, session="s", call=1, tool="t", args=(1, "a"), kwargs={"k": [1]}),
    events.ToolCalled(
        at=NOW, session="s", call=1, tool="t", args=((1,), 1j), kwargs={"$k": {1: 2}}
    ),
    events.ToolReturned(at=NOW, session="s", call=1, tool="t", value={1}, error=None, seconds=0.5),
    events.ToolReturned(
        at=NOW,
        session="s",
        call=1,
        tool="t",
        value=None,
        error=ErrorInfo("E", "m", "t", 3),
        seconds=0.5,
    ),
    events.OutputFlagged(
        at=NOW, session="s", findings=(Finding("logs", "email", "redact", 2, "v"),)
    ),
    events.CellFinished(
        at=NOW,
        session="s",
        cell=1,
        execution=Execution(
            value=(1, 2),
            logs="printed",
            error=ErrorInfo("E", "m", "t", None),
            fault="timeout",
            violations=(Violation(1, 2, "rule", "name", "reason", "hint"),),
            is_final_answer=True,
            imports=("math",),
            tool_calls=("t", "t"),
            usage=Usage(1.0, 0.5, 10),
            rolled_back=True,
            findings=(Finding("value", "card", "report"),),
        ),
    ),
    events.CellFinished(at=NOW, session="s", cell=1, execution=Execution(value=1)),
    events.AgentRunStarted(at=NOW, run="r", agent="a", model="m", task="t", max_steps=3),
    events.ModelAnswered(
        at=NOW,
        run="r",
        call=1,
        model="m",
        purpose="step",
        text="t",
        input_tokens=1,
        output_tokens=2,
        finish_reason="stop",
        error=None,
        seconds=1.0,
    ),
    events.AgentStepFinished(
        at=NOW, run="r", step=1, observation="o", error=None, is_final_answer=False
    ),
    events.AgentRunFinished(
        at=NOW,
        run="r",
        agent="a",
        state="success",
        output=[1, (2,)],
        error=None,
        metrics={"steps_used": 1},
        seconds=2.0,
    ),
]


def test_every_kind_of_event_is_tried() -> None:
    tried = {type(event) for event in EVERY_EVENT} | {
        events.Displayed,
        events.ModelCalled,
    }  # which do not come back the same
    assert tried == set(events.KINDS.values())


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
    for event in [*EVERY_EVENT, finished(displays=({"a": "b"},))]:
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
