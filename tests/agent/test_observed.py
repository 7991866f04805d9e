"""What an agent tells of its runs: the model's calls, the steps, and all that its code does."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from typing import Any

import pytest

from fumehood import (
    AgentGenerationError,
    ChatMessage,
    CodeAgent,
    Model,
    PolicyError,
    ReplayModel,
    events,
)
from fumehood.events import Event
from fumehood.observing import RUN, observe, surround

from ..seen import Seen
from .conftest import MakeAgent, turn


def test_a_run_is_told_with_everything_that_belongs_to_it(make_agent: MakeAgent) -> None:
    seen = Seen()
    agent = make_agent("x = 6", "1 / 0", "final_answer(x * 7)", audit=seen)
    assert agent.run("Multiply.") == 42
    round_ = ["ModelCalled", "ModelAnswered", "CellSubmitted", "CellFinished", "AgentStepFinished"]
    assert seen.kinds() == ["SessionOpened", "AgentRunStarted", *round_ * 3, "AgentRunFinished"]
    run = seen[1].run
    assert run and all(event.run == run for event in seen[1:])
    assert (seen[1].task, seen[1].max_steps, seen[1].agent, seen[1].lead) == (
        "Multiply.",
        20,
        "agent",
        "",
    )
    answered = seen.of(events.ModelAnswered)
    assert [event.call for event in answered] == [1, 2, 3] and all(
        event.purpose == "step" and not event.error for event in answered
    )
    assert "x = 6" in answered[0].text
    assert [len(event.messages) for event in seen.of(events.ModelCalled)] == [2, 4, 6]
    steps = seen.of(events.AgentStepFinished)
    assert [
        (event.step, event.error and event.error.type, event.is_final_answer) for event in steps
    ] == [
        (1, None, False),
        (2, "AgentExecutionError", False),
        (3, None, True),
    ]
    last = seen[-1]
    assert (last.state, last.output, last.error) == ("success", 42, None)
    assert (
        last.metrics["steps_used"],
        last.metrics["error_count"],
        len(last.metrics["code_cells"]),
    ) == (3, 1, 3)
    assert last.metrics["total_tokens"] == sum(
        event.input_tokens + event.output_tokens for event in answered
    )


def test_plans_and_summaries_are_calls_of_the_model_too(make_agent: MakeAgent) -> None:
    agent = make_agent(
        "<plan>", "x = 1", "<summary>", audit=(seen := Seen()), planning_interval=1, max_steps=1
    )
    agent.run("Go.")
    assert [event.purpose for event in seen.of(events.ModelAnswered)] == ["plan", "step", "summary"]
    assert seen[-1].state == "max_steps" and seen[-1].error.type == "AgentMaxStepsError"


def test_a_model_that_fails_is_told(make_agent: MakeAgent) -> None:
    agent = make_agent("x = 1", audit=(seen := Seen()))
    with pytest.raises(AgentGenerationError):
        agent.run("Go.")
    assert seen.of(events.ModelAnswered)[-1].error.type == "ModelError"
    assert seen[-1].state == "error" and seen[-1].error.type == "AgentGenerationError"


def test_a_member_s_run_names_its_lead_s_and_is_told_to_the_same_observers(
    make_agent: MakeAgent,
) -> None:
    member = make_agent("final_answer(20)", name="helper", description="Knows a number.")
    lead = make_agent(
        "final_answer(helper('Which number?') + 1)",
        managed_agents=[member],
        audit=(seen := Seen()),
        name="lead",
    )
    assert lead.run("Go.") == 21
    first, second = seen.of(events.AgentRunStarted)
    assert (first.agent, second.agent, second.lead) == ("lead", "helper", first.run)
    cells = seen.of(events.CellSubmitted)
    assert [cell.run for cell in cells] == [first.run, second.run] and cells[0].session != cells[
        1
    ].session
    assert [event.run for event in seen.of(events.AgentRunFinished)] == [second.run, first.run]


def test_an_agent_with_an_event_loop_tells_the_same(make_agent: MakeAgent) -> None:
    agent = make_agent("x = 1", "final_answer(x)", audit=(seen := Seen()))
    assert asyncio.run(agent.arun("Go.")) == 1
    assert (
        all(event.run == seen[1].run for event in seen[1:])
        and seen.kinds().count("CellFinished") == 2
    )


def test_who_observes_the_process_sees_agents_too(make_agent: MakeAgent) -> None:
    with observe(seen := Seen()):
        make_agent("final_answer(1)").run("Go.")
    assert seen.kinds().count("AgentRunFinished") == 1


def test_two_runs_of_one_agent_are_two_runs(make_agent: MakeAgent) -> None:
    agent = make_agent("final_answer(1)", "final_answer(2)")
    with agent.observe(seen := Seen()):
        agent.run("One."), agent.run("Two.")
    agent.python_executor.run("3")
    assert len({event.run for event in seen.of(events.AgentRunStarted)}) == 2 and RUN.get() == ""


def test_what_surrounds_a_model_s_call_and_a_run_is_there_where_they_go_on(
    make_agent: MakeAgent,
) -> None:
    current: list[str] = []

    @contextmanager
    def around(event: Event) -> Any:
        current.append(type(event).__name__)
        yield
        current.pop()

    found = []

    def model(messages: Any) -> str:
        found.append([*current])
        return turn("final_answer(1)")

    undo = surround(around)
    try:
        make_agent(model=model).run("Go.")
    finally:
        undo()
    assert found == [["AgentRunStarted", "ModelCalled"]] and current == []


def test_what_the_model_is_shown_was_checked_first(make_agent: MakeAgent) -> None:
    from fumehood.validation import Pattern

    heard: list[Any] = []

    class Listening(ReplayModel):
        def generate(self, messages: Any, **options: Any) -> ChatMessage:
            heard[:] = messages
            return super().generate(messages, **options)

    model: Model = Listening([turn("print('xy' + 'zzy')"), turn("final_answer('xy' + 'zzy!')")])
    agent = make_agent(
        model=model,
        validators=[Pattern("code word", "xyzzy", action="redact")],
        audit=(seen := Seen()),
    )
    answer = agent.run("Go.")
    assert "xyzzy" not in answer + repr(heard) + repr(seen) and answer.endswith("!")


def test_validators_are_for_an_executor_that_is_made(make_agent: MakeAgent) -> None:
    other = make_agent("1")
    with pytest.raises(PolicyError, match="validators is for an executor that the agent makes"):
        CodeAgent(
            [],
            ReplayModel(["x"]),
            executor=other.python_executor,
            validators=[lambda text, where: None],
        )
