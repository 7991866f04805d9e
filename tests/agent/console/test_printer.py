"""StepPrinter: what is seen of a run while it happens."""

from __future__ import annotations

import io
import re

import pytest

from fumehood.agent.console import printer
from fumehood.agent.console.printer import StepPrinter
from fumehood.agent.events import (
    CodeParsed,
    OutputArrived,
    PlanningFinished,
    PlanningStarted,
    RunFinished,
    RunStarted,
    StepFinished,
    StepStarted,
    TextArrived,
)
from fumehood.agent.steps import PlanningStep, Timing
from fumehood.errors import AgentError, AgentExecutionError
from fumehood.models.messages import TokenUsage
from fumehood.results import ErrorInfo, Execution, Violation
from fumehood.wire.records import RemoteObject

from ..scenes import Terminal, answering, events, failed, png, result, seen, step, without_code


@pytest.fixture(autouse=True)
def eighty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    monkeypatch.setenv("TERM", "xterm-256color")
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)


def printed(*happened, stream=None, **options) -> str:
    stream = stream or io.StringIO()
    printer = StepPrinter(stream=stream, **options)
    for event in happened:
        printer(event)
    return stream.getvalue() if isinstance(stream, io.StringIO) else ""


def shown(*steps, **options) -> str:
    return printed(*events(*steps), **options)


def executed(**fields) -> str:
    return shown(step(execution=Execution(**fields)))


# -- what is said


def test_a_whole_run_reads_from_top_to_bottom():
    text = shown(step(), failed(), without_code(), answering())
    assert (
        text == "━━ adder · at most 5 steps ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━\n"
        "Add one and two.\n"
        "\n"
        "── step 1 of 5 ─────────────────────────────────────────────────────────\n"
        "I add them up.\n"
        "\n"
        "▎ total = 1 + 2\n"
        "\n"
        "  = 3\n"
        "  1.5 s · model 1.2 s · code 20 ms · 100 tokens in, 20 out\n"
        "\n"
        "── step 2 of 5 ─────────────────────────────────────────────────────────\n"
        "I divide.\n"
        "\n"
        "▎ total / 0\n"
        "\n"
        "  Traceback (most recent call last):\n"
        '    File "<cell 2>", line 1, in <module>\n'
        "      total / 0\n"
        "  ZeroDivisionError: division by zero\n"
        "  1.5 s · model 1.2 s · code 0 ms · 100 tokens in, 20 out\n"
        "\n"
        "── step 3 of 5 ─────────────────────────────────────────────────────────\n"
        "The answer is 3, I think.\n"
        "\n"
        "  There is no code in this.\n"
        "  Write some.\n"
        "  1.5 s · 100 tokens in, 20 out\n"
        "\n"
        "── step 4 of 5 ─────────────────────────────────────────────────────────\n"
        "I know it.\n"
        "\n"
        "▎ final_answer('three')\n"
        "\n"
        "  drawing\n"
        f"  ▸ image/png 4x2, {len(png(4, 2))} bytes: <Figure size 4x2>\n"
        "  1.5 s · model 1.2 s · code 0 ms · 100 tokens in, 20 out\n"
        "\n"
        "━━ answer ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━\n"
        "three\n"
        "4 steps · 6.5 s · 400 tokens in, 80 out · 2 errors\n"
    )


def test_a_plan_is_shown():
    plan = PlanningStep("1. Add.\n\n\n2. Answer.", Timing(0, 2), TokenUsage(10, 5))
    assert "plan" in printed(PlanningStarted(), PlanningFinished(plan))
    assert "1. Add.\n\n2. Answer.\n  2.0 s · 10 tokens in, 5 out\n" in printed(
        PlanningStarted(), PlanningFinished(plan)
    )


def test_refused_code_is_shown_with_every_reason():
    text = executed(
        fault="refused",
        violations=(Violation(1, 8, "import", "import os", "not authorized", "use math"),) * 30,
    )
    assert text.count("line 1: import os: not authorized (use math)\n") == 10
    assert "… and 20 more reasons\n  refused; nothing was run\n" in text


def test_refused_code_is_not_told_twice():
    violation = Violation(1, 8, "import", "import os", "not authorized")
    told = ErrorInfo(
        "Forbidden",
        "line 1: import os: not authorized",
        "Forbidden: line 1: import os: not authorized\nauthorized: abc, ast",
    )
    text = shown(
        step(
            execution=Execution(error=told, fault="refused", violations=(violation,)),
            error=AgentExecutionError(told.traceback),
        )
    )
    assert text.count("not authorized") == 1


def test_a_fault_is_said_in_words_and_so_is_that_it_was_undone():
    text = executed(fault="memory", rolled_back=True)
    assert (
        "the code was stopped: it ran out of memory\n  it was undone: variables and files are as"
        " they were before it\n" in text
    )


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ("max_steps", "the steps are used up"),
        ("timeout", "the time is used up"),
        ("interrupted", "interrupted"),
        ("error", "no answer"),
    ],
)
def test_every_way_to_end_is_said(state, said):
    text = printed(
        RunFinished(result(state=state, output=None, error=AgentError("the server is on fire")))
    )
    assert said in text
    assert ("the server is on fire" in text) == (state == "error")


# -- hostile text

EVIL = "\x1b]0;title\x07\x1b[31mred\x1b[0m\x9b2J\x08\r[bold]not markup[/bold] :smile: \ud800 \u202e"


def everything_evil(**options) -> str:
    execution = Execution(
        value=[EVIL],
        logs=f"{EVIL}\n",
        displays=(
            {EVIL: EVIL, "text/plain": EVIL},
            {"image/png": EVIL.encode("utf-8", "replace")},
            "no bundle at all",
        ),
        error=ErrorInfo(EVIL, EVIL, f"Traceback\n  {EVIL}\n{EVIL}"),
        violations=(),
        imports=(EVIL,),
        tool_calls=(EVIL,),
    )
    bad = step(
        thought=EVIL,
        code=f"x = '{EVIL}'",
        execution=execution,
        error=AgentExecutionError(EVIL),
        model_output=EVIL,
    )
    refused = step(
        2,
        execution=Execution(fault="refused", violations=(Violation(1, 1, EVIL, EVIL, EVIL, EVIL),)),
    )
    plan = PlanningStep(EVIL, Timing(0, 1))
    happened = [
        RunStarted(EVIL, EVIL, 3),
        PlanningFinished(plan),
        TextArrived(EVIL),
        *events(bad, refused, output=EVIL),
    ]
    happened += [RunFinished(result(state="error", output={EVIL: EVIL}, error=AgentError(EVIL)))]
    return printed(*happened, label=EVIL, depth=1, level=2, **options)


def test_nothing_that_a_terminal_would_obey_gets_through():
    text = everything_evil()
    assert not [c for c in text if (ord(c) < 32 and c != "\n") or 127 <= ord(c) < 160]
    text.encode()


def test_markup_and_emoji_are_words():
    text = everything_evil()
    assert "[bold]not markup[/bold] :smile:" in text


def test_what_reaches_a_real_terminal_is_only_colours(monkeypatch):
    terminal = Terminal()
    everything_evil(stream=terminal)
    seen(
        terminal.getvalue().replace("\u202e", "")
    )  # knows the sequences that are ours, and fails for any other
    assert "\x1b]" not in terminal.getvalue()


# -- bounds


def test_of_a_million_lines_the_first_and_the_last_are_shown():
    happened = [StepStarted(1), CodeParsed(1, "", "x")]
    happened += [
        OutputArrived("".join(f"line {number}\n" for number in range(start, start + 1000)))
        for start in range(0, 1_000_000, 1000)
    ]
    text = printed(*happened, StepFinished(step()))
    lines = text.splitlines()
    assert len(lines) < 100
    assert "  line 0" in lines
    assert "  line 999999" in lines
    assert "  … 999,940 lines left out …" in lines


@pytest.mark.parametrize(
    "fields",
    [
        {"thought": "word\n" * 100_000},
        {"thought": "x" * 5_000_000},
        {"code": "x = 1\n" * 100_000},
        {"code": "x" * 1_000_000},
        {"execution": Execution(value=["x" * 1000] * 100_000)},
        {"execution": Execution(value=1 << 10_000_000)},
        {"execution": Execution(value=RemoteObject(1, "T", "x" * 100_000))},
        {"execution": Execution(displays=({"text/html": "x"},) * 10_000)},
        {
            "execution": Execution(
                error=ErrorInfo("E", "m", "frame\n" * 100_000 + "E: " + "m" * 1_000_000)
            )
        },
        {
            "code": None,
            "model_output": "no code " * 500_000,
            "error": AgentExecutionError("line\n" * 100_000),
        },
    ],
    ids=lambda fields: next(iter(fields)),
)
def test_whatever_is_too_long_is_shown_in_part(fields):
    text = shown(step(**fields))
    assert 100 < len(text) < 200_000
    assert len(text.splitlines()) < 500


@pytest.mark.long
def test_a_value_that_never_says_what_it_is_does_not_stop_the_run():
    class Endless:
        def __repr__(self):
            while True:
                pass

    assert re.search(
        r"  = <.*Endless object whose repr takes too long>\n",
        shown(step(execution=Execution(value=Endless()))),
    )


# -- while it happens


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that is set by hand."""
    now = [1000.0]
    monkeypatch.setattr(printer.time, "monotonic", lambda: now[0])
    return now


def test_an_agent_and_its_member_share_a_terminal(clock):
    terminal = Terminal()
    lead, member = (
        StepPrinter(stream=terminal),
        StepPrinter(stream=terminal, label="researcher", depth=1),
    )
    lead(CodeParsed(1, "", "researcher('x')"))
    member(StepStarted(1))
    clock[0] += 2
    lead._screen.refresh()
    assert [line for line in seen(terminal.getvalue()) if line][-1] == "│ ⠋ thinking, 2.0 s"
    member(StepFinished(step()))
    lead._screen.refresh()
    assert [line for line in seen(terminal.getvalue()) if line][-1] == "⠋ running, 2.0 s"
    lead(StepFinished(step()))
    assert not [
        line for line in seen(terminal.getvalue()) if "running" in line or "thinking" in line
    ]


# -- whatever goes wrong


def test_an_event_that_cannot_be_shown_is_named_and_the_next_one_is_shown():
    broken = step()
    broken.code_action = 42  # type: ignore[assignment]
    text = printed(StepFinished(broken), RunFinished(result()))
    assert "(a StepFinished cannot be shown: " in text
    assert text.endswith("2 errors\n")
