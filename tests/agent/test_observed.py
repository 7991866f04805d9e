"""What an agent tells of its runs: the model's calls, the steps, and all that its code does."""

from __future__ import annotations

from typing import Any

import pytest

from fumehood import (
    AgentGenerationError,
    ChatMessage,
    Model,
    ReplayModel,
    events,
)

from ..seen import Seen
from .conftest import MakeAgent, turn


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
