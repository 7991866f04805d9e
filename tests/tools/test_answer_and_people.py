"""FinalAnswerTool and UserInputTool."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
from typing import Any

import pytest

from fumehood import LocalPythonExecutor
from fumehood.errors import ToolError
from fumehood.tools.people import UserInputTool

# -- asking


def _asked(keys: bytes, question: str) -> tuple[str, str]:
    """What a program prints that asks a question on a terminal where somebody types these keys, and
    all that the terminal shows."""
    ours, theirs = pty.openpty()
    code = (
        "from fumehood.tools.people import UserInputTool\nimport"
        f" sys\nprint(ascii(UserInputTool()({question!r})), file=sys.stderr)"
    )
    program = subprocess.Popen(
        [sys.executable, "-c", code], stdin=theirs, stdout=theirs, stderr=subprocess.PIPE
    )
    os.close(theirs)
    shown = b""
    while not shown.endswith(b"> "):
        shown += os.read(ours, 1000)
    os.write(ours, keys)
    _, errors = program.communicate(timeout=30)
    os.close(ours)
    return errors.decode().strip().splitlines()[-1], shown.decode()


def test_a_question_is_asked_on_the_terminal_and_the_line_comes_back() -> None:
    answer, shown = _asked("größer als 3 \n".encode(), "How many\x1b[2J cats?\x07")
    assert answer == ascii("größer als 3 ")
    assert "How many[2J cats?\r\n> " in shown
    assert "\x1b" not in shown and "\x07" not in shown


@pytest.mark.parametrize("stdin", [io.StringIO("typed\n"), None])
def test_where_there_is_no_terminal_nobody_is_asked(
    monkeypatch: pytest.MonkeyPatch, stdin: Any
) -> None:
    monkeypatch.setattr(sys, "stdin", stdin)
    with pytest.raises(
        ToolError,
        match="the user cannot be asked: standard input is not a terminal; go on without asking",
    ):
        UserInputTool()("Well?")


def test_the_refusal_reaches_the_code_as_an_error_it_can_catch(
    executor: LocalPythonExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    executor.send_tools({"user_input": UserInputTool()})
    assert (
        "not a terminal"
        in executor(
            "try:\n    user_input('x')\nexcept RuntimeError as error:\n    r = str(error)\nr"
        ).output
    )


def test_there_is_another_way_to_ask() -> None:
    seen: list[str] = []
    tool = UserInputTool(ask=lambda question: seen.append(question) or "blue")
    assert tool("Which colour?  ") == "blue"
    assert tool("x" * 10_000) == "blue"
    assert seen[0] == "Which colour?"
    assert len(seen[1]) < 5000
