"""Spans, from events made by hand."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest
from opentelemetry import baggage, context, trace
from opentelemetry.semconv._incubating.attributes import gen_ai_attributes
from opentelemetry.semconv.attributes import error_attributes
from opentelemetry.trace import SpanKind, StatusCode

from fumehood import events
from fumehood.results import ErrorInfo, Execution, Finding, Usage, Violation
from fumehood.telemetry.names import ATTRIBUTES, PROVIDERS, SPANS, provider_of

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


@pytest.mark.parametrize(
    ("model", "provider"),
    [
        ("gpt-5", "openai"),
        ("openai/gpt-5", "openai"),
        ("azure/gpt-5", "azure.ai.openai"),
        ("claude-x", "anthropic"),
        ("bedrock/claude-x", "aws.bedrock"),
        ("deepseek-ai/deepseek-x", "unknown"),  # somebody serves it, and not its maker
        ("o3", "openai"),
        ("replay", "unknown"),
        ("", "unknown"),
    ],
)
def test_a_model_s_name_says_whose_it_is_if_it_does(model: str, provider: str) -> None:
    assert provider_of(model) == provider


# -- the tree


def test_tools_are_below_their_cell_and_cells_and_models_below_their_run(
    telemetry: Telemetry, story: Story
) -> None:
    telemetry.turn_on()
    with story.run():
        with story.asks():
            story.answers()
        story.cell(run="r")
        with story.calls(run="r"):
            story.returns(run="r")
        story.cell_ends(run="r")
        story.run_ends()
    assert telemetry.tree() == [
        "invoke_agent a",
        ["chat gpt-5", "fumehood.cell", ["execute_tool look"]],
    ]


def test_a_plan_is_around_the_question_for_it(telemetry: Telemetry, story: Story) -> None:
    telemetry.turn_on()
    with story.run():
        with story.asks(purpose="plan"):
            story.answers(purpose="plan", error=FAILED)
        story.run_ends()
    assert telemetry.tree() == ["invoke_agent a", ["plan a", ["chat gpt-5"]]]
    assert telemetry.span("plan a").attributes["error.type"] == "ValueError"


def test_a_cell_without_an_agent_is_below_whatever_is_current(
    telemetry: Telemetry, story: Story
) -> None:
    telemetry.turn_on()
    with telemetry.tracer.start_as_current_span("request"):
        story.cell()
        story.cell_ends()
    story.cell(cell=2)
    story.cell_ends(cell=2)
    assert sorted(telemetry.tree(), key=str) == [["fumehood.cell"], "fumehood.cell", "request"]


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


def test_a_member_whose_thread_knows_nothing_is_below_its_lead(
    telemetry: Telemetry, story: Story
) -> None:
    telemetry.turn_on()

    def work() -> None:
        with story.run("r2", "member", lead="r"):
            story.run_ends("r2", "member")

    with story.run():
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        story.run_ends()
    assert telemetry.tree() == ["invoke_agent a", ["invoke_agent member"]]


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


def test_baggage_reaches_tools(telemetry: Telemetry, story: Story) -> None:
    telemetry.turn_on()
    token = context.attach(baggage.set_baggage("tenant", "7"))
    try:
        story.cell()
        with story.calls():
            assert baggage.get_baggage("tenant") == "7"
            story.returns()
        story.cell_ends()
    finally:
        context.detach(token)


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


def test_a_model_that_nobody_waits_for_ends_with_the_run(
    telemetry: Telemetry, story: Story
) -> None:
    telemetry.turn_on()
    with story.run(), story.asks(purpose="plan"):
        story.run_ends(state="interrupted", error=ErrorInfo("AgentInterrupted", "", ""))
        story.answers(purpose="plan")
    assert telemetry.tree() == ["invoke_agent a", ["plan a", ["chat gpt-5"]]]
    assert telemetry.span("chat gpt-5").attributes["error.type"] == "abandoned"


def test_spans_that_are_open_end_when_telemetry_is_turned_off(
    telemetry: Telemetry, story: Story
) -> None:
    on = telemetry.turn_on()
    with story.run():
        story.cell(run="r")
        on.close()
    assert telemetry.tree() == ["invoke_agent a", ["fumehood.cell"]]
    story.cell_ends(run="r")
    story.run_ends()
    assert len(telemetry.spans) == 2


def test_an_end_without_a_beginning_is_no_harm(telemetry: Telemetry, story: Story) -> None:
    telemetry.turn_on()
    story.run_ends()
    story.answers()
    story.cell_ends()
    story.returns()
    story.tell(events.SessionClosed, session="s")
    assert telemetry.spans == []


def test_the_same_calls_of_two_sessions_and_runs_do_not_mix(
    telemetry: Telemetry, story: Story
) -> None:
    telemetry.turn_on()
    both = threading.Barrier(2, timeout=30)

    def work(run: str) -> None:
        mine = Story()
        with mine.run(run, run):
            for step in range(20):
                both.wait()
                with mine.asks(run, step, model=run):
                    both.wait()
                    mine.answers(run, step, model=run)
                mine.cell(run, step, run)
                with mine.calls(f"tool-{run}", run, step, step, run=run):
                    both.wait()
                    mine.returns(f"tool-{run}", run, step, step, run=run)
                mine.cell_ends(None, run, step, run)
            mine.run_ends(run, run)

    threads = [threading.Thread(target=work, args=(run,)) for run in ("one", "two")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    ids = {span.context.span_id: span for span in telemetry.spans}
    assert len(ids) == 2 * (1 + 20 * 3)
    for span in ids.values():
        top = span
        while top.parent is not None:
            top = ids[top.parent.span_id]
        assert top.attributes["fumehood.run.id"] == span.attributes["fumehood.run.id"]


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


def test_what_failed_has_a_status_and_the_type_of_its_error(
    telemetry: Telemetry, story: Story
) -> None:
    telemetry.turn_on()
    _everything(story)
    found = {
        span.name: (span.status.status_code, span.attributes.get("error.type"))
        for span in telemetry.spans
        if span.name != "chat gpt-5"
    }
    assert found == {
        "invoke_agent a": (StatusCode.ERROR, "ValueError"),
        "plan a": (StatusCode.ERROR, "ValueError"),
        "fumehood.cell": (StatusCode.ERROR, "memory"),
        "execute_tool look": (StatusCode.UNSET, None),
        "execute_tool other": (StatusCode.ERROR, "ValueError"),
    }
    assert telemetry.span("fumehood.cell").attributes["fumehood.cell.fault"] == "memory"


def test_only_a_model_is_elsewhere(telemetry: Telemetry, story: Story) -> None:
    telemetry.turn_on()
    _everything(story)
    assert {_kind(span.name) for span in telemetry.spans if span.kind is SpanKind.CLIENT} == {
        "chat"
    }
    assert {span.kind for span in telemetry.spans} == {SpanKind.CLIENT, SpanKind.INTERNAL}


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
