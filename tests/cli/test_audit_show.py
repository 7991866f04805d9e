"""`fumehood audit show`: the timeline, its filters, and text that must not reach a terminal as it
is."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from fumehood import LocalPythonExecutor
from fumehood.audit.log import AuditLog
from fumehood.events import CellFinished, CellSubmitted, Event
from fumehood.results import ErrorInfo, Execution

from ..every_event import every_event

NOON = datetime(2026, 11, 15, 12, 0, 0).timestamp()
ERROR = ErrorInfo("ValueError", "bad thing", "Traceback:\nValueError: bad thing")
HOSTILE = "\x1b]0;title\x07\x1b[2Jseen\x9b31m\r\0"


def cell(
    number: int,
    session: str = "5e55",
    run: str = "",
    at: float = NOON,
    code: str = "",
    **execution: Any,
) -> list[Event]:
    return [
        CellSubmitted(
            at=at, session=session, cell=number, run=run, code=code or f"code_{number}()"
        ),
        CellFinished(
            at=at + 0.5, session=session, cell=number, run=run, execution=Execution(**execution)
        ),
    ]


@pytest.fixture
def log(tmp_path: Path) -> Callable[..., Path]:
    def write(*events: Event, **options: Any) -> Path:
        with AuditLog(tmp_path / "audit.jsonl", **options) as made:
            for event in events:
                made(event)
        return tmp_path / "audit.jsonl"

    return write


def test_a_real_session_is_shown_from_its_beginning_to_its_end(fumehood, tmp_path, jail):
    with AuditLog(tmp_path / "audit.jsonl") as made, LocalPythonExecutor(audit=made) as executor:
        executor.send_tools({"search": lambda query, limit=3: [query] * limit})
        executor.run(
            "import math\nfound = search('cats', limit=2)\nprint(len(found))\nmath.sqrt(16)"
        )
        executor.run("1 / 0")
    done = fumehood("audit", "show", "audit.jsonl")
    assert (done.returncode, done.stderr) == (0, "")
    lines = [line.strip() for line in done.stdout.splitlines()]
    for shown in (
        "▎ import math",
        "▸ search('cats', limit=2) → ['cats', 'cats'] · 0 ms",
        "2",
        "= 4.0",
        "ZeroDivisionError: division by zero",
    ):
        assert any(line.startswith(shown.rsplit(" · ")[0]) for line in lines), shown
    assert any("imports math" in line for line in lines)
    assert [
        line.split(" ", 2)[1] for line in lines if line.startswith(("── cell", "━━ session"))
    ] == ["session", "cell", "cell"]


def test_every_kind_of_event_has_words_of_its_own(fumehood_here, log):
    events = every_event()
    done = fumehood_here("audit", "show", "-v", log(*events))
    assert done.returncode == 0
    for kind in {type(event).__name__ for event in events}:
        assert kind not in done.stdout, f"{kind} is shown by its name only"
    assert "1,200 tokens in, 34 out" in done.stdout


def test_control_characters_reach_no_terminal(fumehood_here, log):
    for options in ([], ["-v"], ["--errors"]):
        done = fumehood_here("audit", "show", *options, log(*every_event(HOSTILE)))
        assert done.returncode == 0
        assert "seen" in done.stdout
        assert not any(sign in done.stdout for sign in "\x1b\x07\x9b\0\r")


def test_code_that_looks_like_other_code_is_spelled_out(fumehood_here, log):
    assert (
        "\\u202e"
        in fumehood_here("audit", "show", log(*cell(1, code="x = 1 # \u202e evil"))).stdout
    )


def test_markup_is_not_interpreted(fumehood_here, log):
    assert (
        "[bold]loud[/bold]"
        in fumehood_here("audit", "show", log(*cell(1, logs="[bold]loud[/bold]\n"))).stdout
    )


@pytest.mark.parametrize(
    "extreme",
    [
        {"at": 1e300},
        {"at": -1e18},
        {"cell": 1 << 62},
        {"session": "s" * 10_000},
        {"code": "x" * 100_000},
        {"code": "\n" * 100_000},
        {"code": "a = 1\n" * 20_000},
    ],
)
def test_extreme_values_are_shown_within_bounds(fumehood_here, log, extreme):
    event = CellSubmitted(**{"at": NOON, "session": "s", "cell": 1, "code": "x"} | extreme)
    done = fumehood_here("audit", "show", log(event))
    assert done.returncode == 0
    assert len(done.stdout) < 20_000 and len(done.stdout.splitlines()) < 100


CHOICES = [
    (["--run", "aaaa"], [2]),
    (["--run", "aa"], [2]),
    (["--session", "other"], [3]),
    (["--fault"], [4, 5]),
    (["--fault", "memory"], [5]),
    (["--fault", "any"], [4, 5]),
    (["--import", "numpy"], [2]),
    (["--tool", "search"], [3]),
    (["--errors"], [4, 5]),
    (["--since", "2026-11-15T12:00:30"], [3, 4, 5]),
    (["--until", "2026-11-15T12:00:30"], [1, 2]),
    (["--since", "2026-11-15T12:00:30", "--fault", "timeout"], [4]),
    (["--tail", "2"], [4, 5]),
    (["--fault", "--tail", "1"], [5]),
]


@pytest.fixture
def five(log: Callable[..., Path]) -> Path:
    path = log(
        *cell(1),
        *cell(2, run="aaaabbbb", imports=("numpy.linalg",)),
        *cell(3, session="other5e55", tool_calls=("search",), at=NOON + 60),
        *cell(4, at=NOON + 60, fault="timeout", error=ERROR),
        *cell(5, at=NOON + 60, fault="memory", error=ERROR),
    )
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[1:-1]))  # without the log's own, which are of now
    return path


@pytest.mark.parametrize(
    ("options", "shown"), CHOICES, ids=[" ".join(options) for options, _shown in CHOICES]
)
def test_filters_choose_cells(fumehood_here, five, options, shown):
    done = fumehood_here("audit", "show", *options, five)
    assert done.returncode == 0
    assert [number for number in range(1, 6) if f"code_{number}()" in done.stdout] == shown
    lines = fumehood_here("audit", "show", *options, "--json", five).stdout.splitlines()
    assert [
        line["cell"] for line in map(json.loads, lines) if line["event"] == "CellFinished"
    ] == shown


@pytest.mark.parametrize("time", ["yesterday", "2026-99-99", "12", "", "9" * 30 + "d"])
def test_a_time_that_is_none_is_bad_usage(fumehood_here, five, time):
    done = fumehood_here("audit", "show", "--since", time, five)
    assert done.returncode == 2
    assert "must be a time such as" in " ".join(done.stderr.replace("│", "").split())


def test_damaged_lines_are_shown_in_their_place(fumehood_here, five):
    lines = five.read_bytes().splitlines()
    five.write_bytes(b"\n".join([*lines[:2], b"gar\x1bbage", *lines[2:], b'{"cut of']))
    done = fumehood_here("audit", "show", five)
    assert done.returncode == 0
    assert (
        done.stdout.index("code_1")
        < done.stdout.index("line 3: is no line of an audit log")
        < done.stdout.index("code_2")
    )
    assert "is incomplete" in done.stdout
