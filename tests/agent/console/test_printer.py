"""StepPrinter: what is seen of a run while it happens."""

from __future__ import annotations

import io
import re
import sys
import threading

import pytest
from rich.console import Console

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
    SummaryStarted,
    TextArrived,
)
from fumehood.agent.steps import PlanningStep, Timing
from fumehood.errors import AgentError, AgentExecutionError, AgentTimeout
from fumehood.models.messages import Image, TokenUsage
from fumehood.results import ErrorInfo, Execution, Violation
from fumehood.wire.remote import RemoteObject

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


def test_level_0_is_silent():
    assert shown(step(), level=0) == ""
    assert printed(TextArrived("x"), level=False) == ""


def test_level_2_has_details_too():
    text = shown(answering(), level=2)
    assert "cpu 0 ms · imports math · told to the model: 0 characters" in text
    assert "memory 32.0 MB" in shown(step(), level=2)


def test_a_plan_is_shown():
    plan = PlanningStep("1. Add.\n\n\n2. Answer.", Timing(0, 2), TokenUsage(10, 5))
    assert "plan" in printed(PlanningStarted(), PlanningFinished(plan))
    assert "1. Add.\n\n2. Answer.\n  2.0 s · 10 tokens in, 5 out\n" in printed(
        PlanningStarted(), PlanningFinished(plan)
    )


def test_pictures_that_come_with_a_task_are_counted():
    assert "with 2 pictures\n" in printed(RunStarted("a", "Look.", 3, (Image(b""), Image(b""))))


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


def test_an_answer_that_was_not_accepted_is_shown_as_the_error_it_is():
    wrong = step(
        execution=Execution(value=3, is_final_answer=True),
        error=AgentExecutionError("the answer was not accepted: too small"),
    )
    assert "  the answer was not accepted: too small\n" in shown(wrong)
    assert "= 3" not in shown(wrong)


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


def test_a_summary_is_announced_and_shown():
    text = printed(SummaryStarted(), RunFinished(result(state="max_steps", output="I found this.")))
    assert "asked for a summary" in text
    assert "I found this.\n" in text


def test_the_answer_can_be_left_to_somebody_else():
    text = printed(RunFinished(result()), shows_answer=False)
    assert "three" not in text
    assert "━━ answer · 4 steps · 6.5 s" in text


def test_an_answer_of_none_is_an_answer():
    assert "\nNone\n" in printed(RunFinished(result(output=None)))


def test_what_was_printed_is_shown_even_if_it_did_not_come_as_it_happened():
    late = step(execution=Execution(logs="one\ntwo\n"))
    text = printed(StepStarted(1), StepFinished(late))
    assert "  one\n  two\n" in text


def test_what_came_as_it_happened_is_not_shown_again():
    assert shown(answering()).count("drawing") == 1


def test_output_without_a_last_newline_is_shown_whole():
    text = printed(
        CodeParsed(1, "", "x"), OutputArrived("no new"), OutputArrived("line"), StepFinished(step())
    )
    assert "  no newline\n  = 3\n" in text


def test_members_of_a_team_are_set_apart_and_named():
    text = shown(step(), label="researcher", depth=1)
    assert all(line.startswith("│") for line in text.splitlines())
    assert "│ ── step 1 of 5 · researcher ──" in text
    assert "│ │ ── step 1" in shown(step(), label="researcher", depth=2)


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


def test_code_shows_what_python_reads():
    assert "▎ x = 'a\\u202eb'\n" in shown(step(code="x = 'a\u202eb'"))


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437", "utf-8"])
def test_a_stream_of_any_encoding_can_be_written_to(encoding):
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding, write_through=True)
    everything_evil(stream=stream)
    assert b"not markup" in raw.getvalue()
    assert b"answer" in raw.getvalue()
    if encoding == "ascii":
        assert b"-- step 1 of 5, " in raw.getvalue()
        assert b"| x = " in raw.getvalue()


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


def test_the_same_bound_holds_for_output_that_did_not_come_as_it_happened():
    text = printed(StepFinished(step(execution=Execution(logs="line\n" * 100_000))))
    assert len(text.splitlines()) < 100
    assert "lines left out" in text


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


def test_values_whose_repr_fails_are_shown_all_the_same():
    class Bad:
        def __repr__(self):
            raise SystemExit("no")

    text = shown(step(execution=Execution(value=Bad())))
    assert re.search(r"  = <.*Bad object whose repr raised SystemExit>\n", text)


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


@pytest.mark.long
def test_tables_are_shown_in_rows():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"month": ["Jan", "Feb"], "sales": [1.5, 2.5]})
    assert "  = pandas.DataFrame, 2 rows x 2 columns\n" in shown(
        step(execution=Execution(value=table))
    )
    assert "    1  Feb    2.5\n" in shown(step(execution=Execution(value=table)))


# -- while it happens


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that is set by hand."""
    now = [1000.0]
    monkeypatch.setattr(printer.time, "monotonic", lambda: now[0])
    return now


@pytest.fixture
def watched():
    """A printer on a terminal, and what the terminal shows when asked."""
    terminal = Terminal()
    printer = StepPrinter(stream=terminal)

    def look() -> list[str]:
        printer._screen.refresh()
        return [line for line in seen(terminal.getvalue()) if line]

    yield printer, look
    printer._screen.stop()


def test_what_the_model_writes_is_shown_as_it_comes_and_then_as_it_should_look(watched):
    printer, look = watched
    printer(StepStarted(1))
    printer(TextArrived("I think\n```python\nx ="))
    assert look()[-3:] == ["I think", "```python", "x ="]
    printer(TextArrived(" 1\n```"))
    assert look()[-2:] == ["x = 1", "```"]
    printer(CodeParsed(1, "I think", "x = 1"))
    assert look()[1:] == ["I think", "▎ x = 1"]


def test_of_a_long_text_the_end_is_shown_while_it_comes(watched):
    printer, look = watched
    printer(StepStarted(1))
    for number in range(1000):
        printer(TextArrived(f"line {number}\n"))
    lines = look()
    assert lines[-1] == "line 999"
    assert len(lines) < 20


def test_a_plan_and_a_summary_are_streamed_too(watched):
    printer, look = watched
    printer(PlanningStarted())
    printer(TextArrived("1. Add"))
    assert look()[-1] == "1. Add"
    printer(PlanningFinished(PlanningStep("1. Add.", Timing(0, 1))))
    assert look()[-2:] == ["1. Add.", "  1.0 s"]
    printer(SummaryStarted())
    printer(TextArrived("In short"))
    assert look()[-1] == "In short"


def test_a_cell_that_says_nothing_for_a_while_has_a_line_that_says_how_long(watched, clock):
    printer, look = watched
    printer(CodeParsed(1, "", "x"))
    assert look() == ["▎ x"]
    clock[0] += 2.5
    assert look()[1:] == ["⠴ running, 2.5 s"]
    printer(OutputArrived("here\n"))
    assert look() == ["▎ x", "  here"]
    clock[0] += 1.5
    assert look()[2:] == ["⠋ running, 4.0 s"]
    printer(StepFinished(step()))
    assert not [line for line in look() if "running" in line]


def test_waiting_for_the_model_has_such_a_line_too(watched, clock):
    printer, look = watched
    printer(StepStarted(1))
    clock[0] += 61
    assert look()[-1].endswith("thinking, 1 min 01 s")


def test_the_line_shows_what_is_not_a_line_yet_and_how_many_lines_wait(watched, clock):
    printer, look = watched
    printer(CodeParsed(1, "", "x"))
    printer(OutputArrived("a\n" * 100 + "50%\r60%"))
    clock[0] += 1
    assert look()[-1] == "⠋ running, 1.0 s · 60 more lines · 60%"


def test_elsewhere_there_is_no_such_line(clock):
    stream = io.StringIO()
    printer = StepPrinter(stream=stream)
    printer(CodeParsed(1, "", "x"))
    clock[0] += 100
    printer._screen.refresh()
    printer(TextArrived("streamed"))
    printer(OutputArrived("half a line"))
    assert stream.getvalue() == "▎ x\n"


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


def test_a_stream_that_is_closed_in_the_middle_does_not_end_the_run():
    stream = io.StringIO()
    printer = StepPrinter(stream=stream)
    happened = list(events(step(), answering()))
    printer(happened[0])
    stream.close()
    for event in happened[1:]:
        printer(event)


def test_an_event_that_cannot_be_shown_is_named_and_the_next_one_is_shown():
    broken = step()
    broken.code_action = 42  # type: ignore[assignment]
    text = printed(StepFinished(broken), RunFinished(result()))
    assert "(a StepFinished cannot be shown: " in text
    assert text.endswith("2 errors\n")


def test_events_out_of_order_are_shown_as_far_as_they_make_sense():
    text = printed(
        StepFinished(step()),
        OutputArrived("x\n"),
        CodeParsed(1, "", "y"),
        RunFinished(result()),
        TextArrived("z"),
    )
    assert "▎ total = 1 + 2" in text
    assert "  x\n" in text


def test_events_may_come_from_any_thread():
    stream = io.StringIO()
    printer = StepPrinter(stream=stream)
    printer(CodeParsed(1, "", "x"))
    threads = [
        threading.Thread(target=lambda: [printer(OutputArrived("abc\n")) for _ in range(10)])
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    printer(StepFinished(step()))
    assert stream.getvalue().count("  abc\n") == 40


def test_it_writes_to_standard_output_by_itself(capsys):
    printer = StepPrinter()
    printer(RunStarted("a", "Task.", 1))
    assert "Task.\n" in capsys.readouterr().out


def test_a_program_without_standard_output_is_silent(monkeypatch, capfd):
    from fumehood.agent.console import screen as screens

    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "__stdout__", None)
    monkeypatch.setattr(screens, "_latest", None)
    printer = StepPrinter()
    for event in events(step()):
        printer(event)
    assert capfd.readouterr() == ("", "")


def test_a_console_of_ones_own_is_used_as_it_is():
    recording = Console(record=True, width=40, file=io.StringIO())
    printer = StepPrinter(console=recording)
    for event in events(step(thought="word " * 30), answering()):
        printer(event)
    text = recording.export_text()
    assert max(map(len, text.splitlines())) <= 40
    assert "▎ total = 1 + 2" in text


def test_a_step_that_ran_out_of_time_with_the_run_says_so_once():
    late = step(
        execution=None,
        error=AgentTimeout("the run took longer than its 5 seconds"),
        action_output=None,
    )
    text = printed(*events(late, state="timeout", output=None, error=late.error))
    assert text.count("longer than its 5 seconds") == 1
