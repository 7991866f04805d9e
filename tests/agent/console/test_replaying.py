"""A finished run, printed again."""

from __future__ import annotations

import io

from rich.console import Console

from fumehood.agent.console.replaying import replay
from fumehood.agent.steps import SystemPromptStep

from ..scenes import step, steps


def replayed(*again, **options) -> str:
    console = Console(file=io.StringIO(), width=100)
    replay(again, console, **options)
    return console.file.getvalue()


def test_with_details_what_the_model_was_told_is_shown_too():
    prompt, told = SystemPromptStep("You write Python."), step(observations="It printed 3.")
    assert "You write Python." not in replayed(prompt, told)
    assert "It printed 3." not in replayed(prompt, told)
    text = replayed(prompt, told, detailed=True)
    assert "system prompt (17 characters)\n  You write Python." in text
    assert "told to the model (13 characters)\n  It printed 3." in text


def test_a_stream_that_fails_raises_nothing():
    console = Console(file=io.StringIO())
    console.file.close()
    replay(steps(), console)
