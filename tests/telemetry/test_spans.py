"""Spans, from events made by hand."""

from __future__ import annotations

import json
import threading

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
