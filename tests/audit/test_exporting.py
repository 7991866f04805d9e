"""A log exported: the specification's entries, as JSON, as lines and as a table."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from fumehood import CodeAgent, ReplayModel
from fumehood.audit.exporting import COLUMNS, entries_of, export_events, export_logs, text_of
from fumehood.audit.log import AuditLog
from fumehood.audit.timeline import timeline
from fumehood.audit.values import Cut
from fumehood.errors import AuditError
from fumehood.events import CellFinished, CellSubmitted, Event, SessionClosed
from fumehood.results import ErrorInfo, Execution
from fumehood.wire.records import RemoteObject

TURNS = [
    "Look.\n```python\nfound = ask('cats')\nprint(found)\n```",
    "```python\n1/0\n```",
    "no code",
    "```python\nfinal_answer(len(found))\n```",
]


@pytest.fixture
def agent_log(path: Path) -> Path:
    """The log of a real run, in this process as that is quickest."""

    def ask(what: str) -> list[str]:
        return [what]

    with AuditLog(path) as log:
        agent = CodeAgent(
            tools=[],
            model=ReplayModel(TURNS),
            executor_type="inline",
            audit=log,
            executor_kwargs={},
        )
        agent.python_executor.send_tools({"ask": ask})
        agent.run("How many?")
        agent.close()
    return path


def cell(number: int, session: str, code: str = "x", **execution: Any) -> list[Event]:
    return [
        CellSubmitted(at=float(number), session=session, cell=number, code=code),
        CellFinished(
            at=number + 0.5, session=session, cell=number, execution=Execution(**execution)
        ),
    ]


def entries(*told: Event) -> list[dict[str, Any]]:
    return [*entries_of(timeline((event, None) for event in told))]


def test_a_run_has_the_specification_s_shape(agent_log: Path, tmp_path: Path) -> None:
    target = tmp_path / "agent_logs.json"
    assert export_logs(agent_log, target) == 1
    (entry,) = json.loads(target.read_text())
    assert {
        "prompt",
        "start_time",
        "steps",
        "result",
        "status",
        "error",
        "duration_seconds",
        "tokens",
    } <= entry.keys()
    assert (entry["prompt"], entry["status"], entry["result"], entry["error"]) == (
        "How many?",
        "success",
        "1",
        None,
    )
    assert (
        entry["tokens"]["total"]
        == entry["tokens"]["input"] + entry["tokens"]["output"]
        == sum(s["tokens"]["total"] for s in entry["steps"])
    )


def test_every_step_has_its_code_logs_error_and_tool_calls(agent_log: Path, tmp_path: Path) -> None:
    export_logs(agent_log, tmp_path / "out.json")
    looked, failed, empty, answered = json.loads((tmp_path / "out.json").read_text())[0]["steps"]
    assert [step["step"] for step in (looked, failed, empty, answered)] == [1, 2, 3, 4]
    assert (looked["code"], looked["logs"], looked["model_output"]) == (
        "found = ask('cats')\nprint(found)",
        "['cats']\n",
        TURNS[0],
    )
    assert [(call["tool"], call["args"], call["value"]) for call in looked["tool_calls"]] == [
        ("ask", ["cats"], "['cats']")
    ]
    assert failed["error"] == "ZeroDivisionError: division by zero"
    assert empty["code"] is None and empty["error"].startswith("AgentParsingError")
    assert (answered["is_final_answer"], answered["value"]) == (True, "1")


def test_cells_outside_of_runs_are_an_entry_for_each_session() -> None:
    error = ErrorInfo("ValueError", "bad", "")
    first, second = entries(
        *cell(1, "a", value=1),
        *cell(1, "b", error=error),
        *cell(2, "a"),
        SessionClosed(at=9, session="a"),
    )
    assert (
        first["session"],
        first["prompt"],
        first["status"],
        [step["step"] for step in first["steps"]],
    ) == ("a", None, "success", [1, 2])
    assert (second["session"], second["status"], second["steps"][0]["error"]) == (
        "b",
        "error",
        "ValueError: bad",
    )


def test_the_name_of_the_file_says_the_format(agent_log: Path, tmp_path: Path) -> None:
    export_logs(agent_log, tmp_path / "out.jsonl")
    assert [
        json.loads(line)["prompt"] for line in (tmp_path / "out.jsonl").read_text().splitlines()
    ] == ["How many?"]
    export_logs(agent_log, tmp_path / "out.csv")
    with (tmp_path / "out.csv").open(newline="") as stream:
        rows = [*csv.DictReader(stream)]
    assert [row["step"] for row in rows] == ["1", "2", "3", "4"]
    assert set(rows[0]) == set(COLUMNS)
    assert rows[0]["tool_calls"] == "ask"


def test_text_that_a_spreadsheet_would_take_for_a_formula_is_marked_as_text(tmp_path: Path) -> None:
    export_events(cell(1, "a", code="=cmd()", logs="+1\n", value="@x"), tmp_path / "out.csv")
    with (tmp_path / "out.csv").open(newline="") as stream:
        (row,) = csv.DictReader(stream)
    assert (row["code"], row["logs"], row["value"]) == ("'=cmd()", "'+1\n", "'@x")


@pytest.mark.parametrize("name", ["out.json", "out.jsonl", "out.csv"])
def test_hostile_text_stays_within_its_field(tmp_path: Path, name: str) -> None:
    hostile = 'a"b,c\nd\x00\x1b[2J\ud800'
    assert export_events(cell(1, "a", code=hostile, logs=hostile), tmp_path / name) == 1
    text = (tmp_path / name).read_text()
    if name != "out.csv":
        found = json.loads(text)
        assert (found[0] if isinstance(found, list) else found)["steps"][0]["code"] == hostile


def test_a_file_that_cannot_be_written_leaves_nothing_behind(
    agent_log: Path, tmp_path: Path
) -> None:
    target = tmp_path / "there"
    target.mkdir()
    with pytest.raises(AuditError, match=f"^{target} cannot be written: Is a directory$"):
        export_logs(agent_log, target)
    with pytest.raises(AuditError, match=f"the directory {tmp_path / 'none'} there, and yours"):
        export_logs(agent_log, tmp_path / "none" / "out.json")
    assert [entry.name for entry in tmp_path.iterdir() if entry.name.startswith(".there")] == []


def test_what_is_no_log_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(AuditError, match="a log is a path or an AuditLog, not 3"):
        export_logs(3, tmp_path / "out.json")
    with pytest.raises(AuditError):
        export_logs(tmp_path / "none.jsonl", tmp_path / "out.json")
    with pytest.raises(AuditError, match="format must be json, jsonl or csv, not 'xml'"):
        export_events([], tmp_path / "out.json", format="xml")  # type: ignore[arg-type]
    assert not (tmp_path / "out.json").exists()


class Hostile:
    def __repr__(self) -> str:
        raise RuntimeError("no")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("plain", "plain"),
        ({"a": [1]}, "{'a': [1]}"),
        (Cut("str", "'xx…", 9, None), "'xx…"),
        (RemoteObject(1, "Thing", "<a thing>"), "<a thing>"),
        (Hostile(), "<Hostile object whose repr raised RuntimeError>"),
        ("x" * 100_001, "x" * 100_000 + "… (1 more characters)"),
    ],
)
def test_values_are_text_within_bounds(value: Any, text: str) -> None:
    assert text_of(value) == text
