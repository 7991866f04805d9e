"""What runs took is counted from their events, finished or not."""

from __future__ import annotations

from typing import Any

from fumehood.audit.stats import MEASURES, Stats, count
from fumehood.audit.timeline import timeline
from fumehood.events import (
    AgentRunFinished,
    AgentRunStarted,
    AgentStepFinished,
    CellFinished,
    CellSubmitted,
    ModelAnswered,
)
from fumehood.results import ErrorInfo, Execution, Usage

ERROR = ErrorInfo("ValueError", "bad", "ValueError: bad")


def cell(number: int, run: str = "", session: str = "s", **execution: Any) -> list[Any]:
    made = Execution(**{"usage": Usage(0.5, 0.1, None)} | execution)
    return [
        CellSubmitted(at=number, session=session, cell=number, run=run, code="x"),
        CellFinished(at=number + 0.5, session=session, cell=number, run=run, execution=made),
    ]


def asked(run: str, received: int, written: int, at: float = 1) -> ModelAnswered:
    return ModelAnswered(
        at=at, run=run, call=1, model="m", purpose="step", text="", input_tokens=received, output_tokens=written, finish_reason="stop",
        error=None, seconds=0.1,
    )  # fmt: skip


def step(run: str, error: ErrorInfo | None = None) -> AgentStepFinished:
    return AgentStepFinished(
        at=2, run=run, step=1, observation="", error=error, is_final_answer=False
    )


def started(run: str, at: float = 1) -> AgentRunStarted:
    return AgentRunStarted(at=at, run=run, agent="a", model="m", task=f"task of {run}", max_steps=9)


def ended(run: str, state: str = "success", seconds: float = 3.0) -> AgentRunFinished:
    return AgentRunFinished(
        at=9, run=run, agent="a", state=state, output=1, error=None, metrics={}, seconds=seconds
    )


def counted(*told: Any) -> Stats:
    return count(timeline((event, None) for event in told))


def test_a_run_is_counted_by_its_events() -> None:
    events = [
        started("r"),
        asked("r", 100, 10),
        *cell(1, "r", imports=("math",), tool_calls=("f", "f")),
        step("r"),
    ]
    events += [
        asked("r", 200, 20),
        *cell(2, "r", imports=("math", "re"), error=ERROR, fault="timeout"),
        step("r", ERROR),
        ended("r"),
    ]
    (run,) = counted(*events).runs
    assert (run.steps, run.tokens, run.errors, run.cells, run.seconds, run.cell_seconds) == (
        2,
        330,
        1,
        2,
        3.0,
        1.0,
    )
    assert (run.state, run.task, run.agent) == ("success", "task of r", "a")
    assert (dict(run.imports), dict(run.tools), dict(run.faults)) == (
        {"math": 2, "re": 1},
        {"f": 2},
        {"timeout": 1},
    )


def test_a_run_without_an_end_is_unfinished_and_lasts_until_it_was_heard_of_last() -> None:
    (run,) = counted(started("r", at=10), asked("r", 1, 1, at=14)).runs
    assert (run.state, run.seconds) == ("unfinished", 4.0)


def test_json_has_the_specification_s_metrics_of_each_run_and_in_all() -> None:
    stats = counted(
        started("r"), asked("r", 5, 6), *cell(1, "r", imports=("math",)), step("r"), ended("r")
    ).as_json()
    names = {
        "steps_used",
        "total_tokens",
        "execution_time",
        "error_count",
        "imports_used",
        "code_cells",
    }
    assert names <= stats["runs"][0].keys() and names <= stats["total"].keys()
    assert stats["runs"][0]["total_tokens"] == stats["total"]["total_tokens"] == 11
    assert set(stats["spread"]) == set(MEASURES)
