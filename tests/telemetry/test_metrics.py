"""Metrics, from events made by hand."""

from __future__ import annotations

import math
from typing import Any

import pytest
from opentelemetry.semconv._incubating.metrics import gen_ai_metrics

from fumehood import events
from fumehood.results import ErrorInfo, Execution, Usage
from fumehood.telemetry.names import METRICS

from .conftest import Story, Telemetry

CHAT = {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "openai",
    "gen_ai.request.model": "gpt-5",
}
FAILED = ErrorInfo("TimeoutError", "late", "")


def _opened(story: Story, session: str, place: str = "jail") -> None:
    fields: dict[str, Any] = {
        "policy": {},
        "report": "",
        "options": {},
        "python": "3",
        "fumehood": "0",
    }
    story.tell(events.SessionOpened, session=session, place=place, **fields)


def test_the_conventions_metrics_have_the_conventions_names() -> None:
    theirs = {value for name, value in vars(gen_ai_metrics).items() if name.startswith("GEN_AI_")}
    # the conventions have moved to a place of their own, and the package does not follow them
    newer = {
        "gen_ai.invoke_agent.duration",
        "gen_ai.invoke_agent.inference_calls",
        "gen_ai.invoke_agent.tool_calls",
        "gen_ai.execute_tool.duration",
    }
    assert {name for name in METRICS if name.startswith("gen_ai.")} <= theirs | newer


def test_models_are_counted_with_their_time_tokens_and_errors(
    telemetry: Telemetry, story: Story
) -> None:
    telemetry.turn_on()
    story.answers(input_tokens=3, output_tokens=4)
    story.answers(error=FAILED)
    duration = telemetry.points("gen_ai.client.operation.duration")
    assert duration == [(CHAT, (1, 0.5)), ({**CHAT, "error.type": "TimeoutError"}, (1, 0.5))]
    tokens = telemetry.points("gen_ai.client.token.usage")
    assert tokens == [
        ({**CHAT, "gen_ai.token.type": "input"}, (1, 3)),
        ({**CHAT, "gen_ai.token.type": "output"}, (1, 4)),
    ]


@pytest.mark.parametrize("claim", [-1.0, 1e300, math.nan, math.inf, 2**80])
def test_what_sandboxes_and_servers_claim_breaks_no_sum(
    telemetry: Telemetry, story: Story, claim: Any
) -> None:
    telemetry.turn_on()
    story.cell()
    story.cell_ends(Execution(usage=Usage(claim, claim, claim)))
    with story.asks():
        story.answers(input_tokens=claim, output_tokens=claim)
    assert telemetry.points("fumehood.cell.duration") == [({}, (1, 1.0))]
    assert all(
        0 <= total <= 2**53 for _, (_, total) in telemetry.points("gen_ai.client.token.usage")
    )
    numbers = [
        value
        for span in telemetry.spans
        for value in span.attributes.values()
        if type(value) in (int, float)
    ]
    assert len(numbers) >= 5 and all(0 <= value <= 2**53 for value in numbers)


def test_a_sandbox_is_live_from_its_opening_to_its_end_however_often_that_is_told(
    telemetry: Telemetry, story: Story
) -> None:
    telemetry.turn_on()

    def live() -> int:
        return next(
            (
                value
                for by, value in telemetry.points("fumehood.sandboxes.live")
                if by == {"fumehood.place": "here"}
            ),
            0,
        )

    for session in ("s1", "s2", "s2"):
        _opened(story, session, "here")
    assert live() == 2
    for session in ("s1", "s1", "never opened"):
        story.tell(events.SessionClosed, session=session)
    assert live() == 1
    assert telemetry.on is not None
    telemetry.on.close()
    assert live() == 0


def test_code_cannot_make_time_series_as_it_likes(telemetry: Telemetry, story: Story) -> None:
    telemetry.turn_on()
    for number in range(3_000):
        story.cell(cell=number)
        story.returns(f"tool{number}", call=number)
        story.cell_ends(
            Execution(error=ErrorInfo(f"Made{number}" if number else "KeyError", "", "")),
            cell=number,
        )
    assert [by for by, _ in telemetry.points("fumehood.cell.duration")] == [
        {"error.type": "KeyError"},
        {"error.type": "_OTHER"},
    ]
    assert len(telemetry.points("gen_ai.execute_tool.duration")) == 201
