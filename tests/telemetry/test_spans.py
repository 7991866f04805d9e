"""Spans, from events made by hand."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.semconv._incubating.attributes import gen_ai_attributes
from opentelemetry.semconv.attributes import error_attributes

from fumehood import events
from fumehood.results import ErrorInfo, Execution, Finding, Usage, Violation
from fumehood.telemetry.names import ATTRIBUTES, PROVIDERS, SPANS

from .conftest import Story, Telemetry

FAILED = ErrorInfo("ValueError", "the secret is 42", "ValueError: the secret is 42")


# -- names


def test_names_that_are_not_ours_are_the_conventions_names() -> None:
    theirs = {
        value
        for name, value in vars(gen_ai_attributes).items()
        if name.startswith("GEN_AI_") and isinstance(value, str)
    }
    theirs.add(error_attributes.ERROR_TYPE)
    assert {row.name for row in ATTRIBUTES if not row.name.startswith("fumehood.")} <= theirs


def test_operations_and_providers_are_the_conventions_words() -> None:
    newer = {
        "plan",
        "moonshot_ai",
        "",
    }  # the conventions have moved to a place of their own, and the package does not follow them
    assert {row.operation for row in SPANS.values()} - newer <= {
        value.value for value in gen_ai_attributes.GenAiOperationNameValues
    }
    assert {provider for _, provider in PROVIDERS} - newer <= {
        value.value for value in gen_ai_attributes.GenAiProviderNameValues
    }


# -- the tree


def test_what_happens_in_a_thread_that_knows_nothing_of_the_run_is_the_run_s(
    telemetry: Telemetry, story: Story
) -> None:
    telemetry.turn_on()
    with story.run():
        thread = threading.Thread(target=lambda: (story.cell(run="r"), story.cell_ends(run="r")))
        thread.start()
        thread.join()
        story.run_ends()
    assert telemetry.tree() == ["invoke_agent a", ["fumehood.cell"]]


def test_the_span_of_a_tool_is_current_where_it_runs_and_the_cell_s_is_never(
    telemetry: Telemetry, story: Story
) -> None:
    telemetry.turn_on()
    story.cell()
    assert not trace.get_current_span().get_span_context().is_valid
    with story.calls():
        with telemetry.tracer.start_as_current_span("inside"):
            pass
        story.returns()
    assert not trace.get_current_span().get_span_context().is_valid
    story.cell_ends()
    assert telemetry.tree() == ["fumehood.cell", ["execute_tool look", ["inside"]]]


def test_a_tool_that_returns_after_its_surrounding_is_left_has_the_whole_time(
    telemetry: Telemetry, story: Story
) -> None:
    """As one that is awaited does."""
    telemetry.turn_on()
    story.cell()
    with story.calls():
        pass
    assert telemetry.spans == []
    story.returns()
    span = telemetry.span("execute_tool look")
    assert span.end_time - span.start_time == 1_000_000_000
    story.cell_ends()


@pytest.mark.parametrize("ends", ["cell_ends", "session closed"])
def test_a_tool_that_is_left_behind_ends_with_its_cell(
    telemetry: Telemetry, story: Story, ends: str
) -> None:
    telemetry.turn_on()
    story.cell()
    story.cell(session="other")
    with story.calls(), story.calls(session="other"):
        if ends == "cell_ends":
            story.cell_ends(Execution(fault="timeout"))
        else:
            story.tell(events.SessionClosed, session="s")
        assert [span.attributes["fumehood.session.id"] for span in telemetry.spans] == ["s", "s"]
        assert telemetry.span("execute_tool look").attributes["error.type"] == "abandoned"
        story.returns()  # too late: there is nothing to end twice
    story.returns(session="other")
    story.cell_ends(session="other")
    assert len(telemetry.spans) == 4


def test_an_end_without_a_beginning_is_no_harm(telemetry: Telemetry, story: Story) -> None:
    telemetry.turn_on()
    story.run_ends()
    story.answers()
    story.cell_ends()
    story.returns()
    story.tell(events.SessionClosed, session="s")
    assert telemetry.spans == []


# -- attributes


def _everything(story: Story) -> None:
    with story.run(task="my task"):
        with story.asks(messages=({"role": "user", "content": "my question"},)):
            story.answers(text="my answer", input_tokens=3, output_tokens=4, finish_reason="length")
        with story.asks(call=2, purpose="plan"):
            story.answers(call=2, purpose="plan", error=FAILED)
        story.cell(run="r", code="my code")
        with story.calls(run="r", args=(1,), kwargs={"b": "my argument"}):
            story.returns(run="r", value={"my": "result"})
        with story.calls("other", call=2, run="r"):
            story.returns("other", call=2, run="r", error=FAILED)
        done = Execution(
            value="my value",
            logs="my output",
            error=FAILED,
            fault="memory",
            violations=(Violation(1, 0, "names", "x", "why"),),
            is_final_answer=True,
            imports=("math",),
            usage=Usage(1.5, 0.5, 1024),
            rolled_back=True,
            findings=(Finding("logs", "email", "redact"),),
        )
        story.cell_ends(done, run="r")
        metrics = {"token_usage": {"input_tokens": 3, "output_tokens": 4}, "steps_used": 2}
        story.run_ends(state="error", output="my output", error=FAILED, metrics=metrics)


def _kind(name: str) -> str:
    return next(kind for kind, row in SPANS.items() if name.split()[0] == row.name.split()[0])


def test_spans_have_the_attributes_of_the_table_and_every_row_is_used(
    telemetry: Telemetry, story: Story
) -> None:
    telemetry.turn_on(record_content=True)
    _everything(story)
    used = {(name, _kind(span.name)) for span in telemetry.spans for name in span.attributes}
    assert used == {(row.name, kind) for row in ATTRIBUTES for kind in row.spans}


def test_without_being_asked_nothing_that_anybody_said_is_recorded(
    telemetry: Telemetry, story: Story
) -> None:
    telemetry.turn_on()
    _everything(story)
    content = {row.name for row in ATTRIBUTES if row.is_content}
    assert content and telemetry.spans
    for span in telemetry.spans:
        assert not content & set(span.attributes)
        told = span.to_json()
        assert "my " not in told and "secret" not in told and '"my' not in told


def test_what_was_said_is_recorded_as_the_conventions_say_when_asked_for(
    telemetry: Telemetry, story: Story
) -> None:
    telemetry.turn_on(record_content=True)
    _everything(story)
    run = telemetry.span("invoke_agent a").attributes
    assert json.loads(run["gen_ai.input.messages"]) == [
        {"role": "user", "parts": [{"type": "text", "content": "my task"}]}
    ]
    answer = [
        {
            "role": "assistant",
            "parts": [{"type": "text", "content": "my output"}],
            "finish_reason": "stop",
        }
    ]
    assert json.loads(run["gen_ai.output.messages"]) == answer
    chat = next(span for span in telemetry.spans if span.name.startswith("chat")).attributes
    assert json.loads(chat["gen_ai.input.messages"]) == [
        {"role": "user", "parts": [{"type": "text", "content": "my question"}]}
    ]
    assert json.loads(chat["gen_ai.output.messages"])[0]["finish_reason"] == "length"
    tool = telemetry.span("execute_tool look").attributes
    assert json.loads(tool["gen_ai.tool.call.arguments"]) == {"*": [1], "b": "my argument"}
    assert json.loads(tool["gen_ai.tool.call.result"]) == {"my": "result"}
    cell = telemetry.span("fumehood.cell")
    assert (cell.attributes["fumehood.cell.code"], cell.attributes["fumehood.cell.output"]) == (
        "my code",
        "my output",
    )
    assert cell.status.description == "ValueError: the secret is 42"


def test_tokens_that_nobody_counted_are_not_said_to_be_none(
    telemetry: Telemetry, story: Story
) -> None:
    telemetry.turn_on()
    with story.run():
        with story.asks():
            story.answers()
        story.run_ends(metrics={"token_usage": {"input_tokens": 0, "output_tokens": 0}})
    assert sorted(_kind(span.name) for span in telemetry.spans) == ["chat", "run"]
    assert not any("tokens" in name for span in telemetry.spans for name in span.attributes)


@pytest.mark.parametrize("tool", ["x" * 10_000, "two\nlines\x1b[2J", "\ud800", "", None])
def test_a_name_that_code_made_up_becomes_a_name(
    telemetry: Telemetry, story: Story, tool: Any
) -> None:
    telemetry.turn_on()
    story.cell()
    with story.calls(tool):
        story.returns(tool)
    story.cell_ends()
    name = telemetry.spans[-1].name
    assert name.startswith("execute_tool") and len(name) < 200 and name.isprintable()
    name.encode()


def test_a_value_that_cannot_be_shown_costs_no_span(telemetry: Telemetry, story: Story) -> None:
    class Message:
        @property
        def content(self) -> str:
            raise RuntimeError("no")

    telemetry.turn_on(record_content=True)
    with story.run(), story.asks(messages=(Message(),)):
        story.answers()
    assert (
        telemetry.span("chat gpt-5").attributes["gen_ai.input.messages"]
        == "<cannot be shown: RuntimeError>"
    )
