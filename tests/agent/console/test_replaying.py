"""A finished run, printed again."""

from __future__ import annotations

import io

from rich.console import Console

from fumehood.agent.console.replaying import replay
from fumehood.agent.steps import FinalAnswerStep, SystemPromptStep, TaskStep
from fumehood.models.messages import Image

from ..scenes import answering, failed, step, steps


def replayed(*again, **options) -> str:
    console = Console(file=io.StringIO(), width=100)
    replay(again, console, **options)
    return console.file.getvalue()


def test_a_run_is_shown_again_as_it_was():
    text = replayed(TaskStep("Add one and two.", (Image(b""),)), *steps(), FinalAnswerStep("three"))
    parts = [
        "task",
        "Add one and two.",
        "with 1 picture",
        "plan",
        "1. Add.",
        "step 1",
        "▎ total = 1 + 2",
        "  = 3",
        "step 2",
    ]
    parts += [
        "ZeroDivisionError: division by zero",
        "step 3",
        "There is no code",
        "step 4",
        "  drawing",
        "image/png",
    ]
    parts += ["━━ answer", "\nthree\n"]
    places = [text.find(part) for part in parts]
    assert -1 not in places
    assert places == sorted(places)
    assert "\n\n\n" not in text


def test_with_details_what_the_model_was_told_is_shown_too():
    prompt, told = SystemPromptStep("You write Python."), step(observations="It printed 3.")
    assert "You write Python." not in replayed(prompt, told)
    assert "It printed 3." not in replayed(prompt, told)
    text = replayed(prompt, told, detailed=True)
    assert "system prompt (17 characters)\n  You write Python." in text
    assert "told to the model (13 characters)\n  It printed 3." in text


def test_several_runs_in_a_row_are_told_apart():
    text = replayed(
        TaskStep("One."),
        step(),
        FinalAnswerStep(1),
        TaskStep("Two."),
        failed(1),
        answering(2),
        FinalAnswerStep(2),
    )
    assert text.count("━━ task ") == 2
    assert text.count("── step 1 ") == 2


def test_of_nothing_there_is_nothing_to_show():
    assert replayed() == ""


def test_it_prints_to_standard_output_by_itself(capsys):
    replay([step()])
    assert "▎ total = 1 + 2" in capsys.readouterr().out


def test_steps_whose_values_were_given_up_are_shown():
    given_up = step(action_output="list, given up to save memory")
    assert "given up to save memory" in replayed(given_up)


def test_a_stream_that_fails_raises_nothing():
    console = Console(file=io.StringIO())
    console.file.close()
    replay(steps(), console)
