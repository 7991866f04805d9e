"""A log's lines become cells and moments, whatever somebody has done to the file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from fumehood.audit.log import AuditLog
from fumehood.audit.timeline import Cell, Choice, Item, Moment, Unreadable, read_events, timeline
from fumehood.events import (
    AgentRunFinished,
    AgentStepFinished,
    CellFinished,
    CellSubmitted,
    Event,
    ModelAnswered,
    Printed,
    SandboxDied,
    ToolCalled,
    ToolReturned,
    ToolsSent,
)
from fumehood.results import ErrorInfo, Execution

ERROR = ErrorInfo("ValueError", "bad", "ValueError: bad")


def submitted(cell: int, session: str = "a", **more: Any) -> CellSubmitted:
    return CellSubmitted(
        **{"at": float(cell), "session": session, "cell": cell, "code": f"cell {cell} of {session}"}
        | more
    )


def finished(cell: int, session: str = "a", run: str = "", **execution: Any) -> CellFinished:
    return CellFinished(
        at=cell + 0.5, session=session, cell=cell, run=run, execution=Execution(**execution)
    )


def called(call: int, tool: str, cell: int = 1, session: str = "a") -> ToolCalled:
    return ToolCalled(
        at=1.1, session=session, cell=cell, call=call, tool=tool, args=(call,), kwargs={}
    )


def returned(call: int, tool: str, value: Any, cell: int = 1, session: str = "a") -> ToolReturned:
    return ToolReturned(
        at=1.2,
        session=session,
        cell=cell,
        call=call,
        tool=tool,
        value=value,
        error=None,
        seconds=0.1,
    )


def items(*events: Event) -> list[Item]:
    return [*timeline((event, None) for event in events)]


def cells(found: Iterable[Item]) -> list[tuple[str, int]]:
    return [(item.session, item.cell) for item in found if isinstance(item, Cell)]


def test_everything_of_a_cell_comes_together_when_it_is_over() -> None:
    (cell,) = items(
        submitted(1),
        called(1, "search"),
        Printed(at=1, session="a", cell=1, text="x"),
        finished(1, value=42, logs="x"),
    )
    assert isinstance(cell, Cell)
    assert (cell.code, cell.execution.value, cell.tools) == ("cell 1 of a", 42, ("search",))  # type: ignore[union-attr]


def test_calls_in_parallel_find_their_answers() -> None:
    (cell,) = items(
        submitted(1),
        called(1, "f"),
        called(2, "g"),
        returned(2, "g", "two"),
        returned(1, "f", "one"),
        finished(1),
    )
    assert isinstance(cell, Cell)
    assert [(call.asked.tool, call.answer and call.answer.value) for call in cell.calls] == [
        ("f", "one"),
        ("g", "two"),
    ]


def test_a_cell_without_end_is_there_without_an_outcome() -> None:
    found = items(submitted(1), submitted(2), finished(2), submitted(3))
    assert cells(found) == [("a", 1), ("a", 2), ("a", 3)]
    assert [item.execution is None for item in found if isinstance(item, Cell)] == [
        True,
        False,
        True,
    ]


@pytest.mark.parametrize(
    "garbage", [b"garbage", b"\xff\x00\xfe", b"{}", b"[" * 5000, b'{"n":2,"previous":"x"}']
)
def test_a_line_that_is_none_stands_in_its_place_and_the_rest_goes_on(
    path: Path, garbage: bytes
) -> None:
    with AuditLog(path) as log:
        log(submitted(1))
        log(finished(1))
    lines = path.read_bytes().splitlines()
    path.write_bytes(b"\n".join([*lines[:3], garbage, *lines[3:], b""]))
    found = [*timeline(read_events(path))]
    assert cells(found) == [("a", 1)]
    (unreadable,) = [
        item.event
        for item in found
        if isinstance(item, Moment) and isinstance(item.event, Unreadable)
    ]
    assert "line 4" in unreadable.why


GOOD = Cell(
    "aa11",
    1,
    "r1",
    100.0,
    "x",
    execution=Execution(imports=("numpy.linalg",), tool_calls=("search",)),
)
BAD = Cell("bb22", 1, "", 200.0, "x", execution=Execution(error=ERROR, fault="timeout"))
ENDLESS = Cell("bb22", 2, "", 300.0, "x")


@pytest.mark.parametrize(
    ("choice", "taken"),
    [
        ({}, "GBE"),
        ({"run": "r1"}, "G"),
        ({"run": "r"}, "G"),
        ({"session": "bb"}, "BE"),
        ({"fault": "any"}, "B"),
        ({"fault": "timeout"}, "B"),
        ({"fault": "memory"}, ""),
        ({"module": "numpy"}, "G"),
        ({"module": "nump"}, ""),
        ({"module": "numpy.linalg"}, "G"),
        ({"tool": "search"}, "G"),
        ({"tool": "sear"}, ""),
        ({"errors": True}, "BE"),
        ({"since": 150.0}, "BE"),
        ({"until": 250.0}, "GB"),
        ({"since": 150.0, "until": 250.0}, "B"),
        ({"session": "aa", "errors": True}, ""),
    ],
)
def test_a_choice_takes_the_cells_that_it_names(choice: dict[str, Any], taken: str) -> None:
    assert (
        "".join(
            name
            for name, cell in (("G", GOOD), ("B", BAD), ("E", ENDLESS))
            if Choice(**choice).takes(cell)
        )
        == taken
    )


@pytest.mark.parametrize(
    ("event", "is_error"),
    [
        (ToolsSent(at=0, names=()), False),
        (SandboxDied(at=0, kept=True), True),
        (Unreadable("x"), True),
        (AgentStepFinished(at=0, step=1, observation="", error=ERROR, is_final_answer=False), True),
        (AgentStepFinished(at=0, step=1, observation="", error=None, is_final_answer=False), False),
        (
            AgentRunFinished(
                at=0, agent="", state="max_steps", output=None, error=None, metrics={}, seconds=0
            ),
            True,
        ),
        (
            AgentRunFinished(
                at=0, agent="", state="success", output=None, error=None, metrics={}, seconds=0
            ),
            False,
        ),
        (
            ModelAnswered(
                at=0,
                call=1,
                model="",
                purpose="",
                text="",
                input_tokens=0,
                output_tokens=0,
                finish_reason="",
                error=ERROR,
                seconds=0,
            ),
            True,
        ),
    ],
)
def test_errors_are_chosen_among_what_is_no_cell(event: Any, is_error: bool) -> None:
    assert Choice(errors=True).takes(Moment(event)) is is_error
