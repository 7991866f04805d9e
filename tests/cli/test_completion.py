"""A shell that asks what a line may go on with is told."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = [sys.executable, "-c", "from fumehood.cli.app import app; app(prog_name='fumehood')"]


def completed(line: str) -> list[str]:
    """What bash would offer for the last word of a line."""
    asked = {
        "_FUMEHOOD_COMPLETE": "complete_bash",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(line.split(" ")) - 1),
    }
    done = subprocess.run(
        PROGRAM, capture_output=True, text=True, check=True, env={**os.environ, **asked}
    )
    return done.stdout.split()


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("fumehood do", ["doctor", "docker"]),
        ("fumehood audit ver", ["verify"]),
        ("fumehood run --save", ["--save-displays", "--save-files"]),
    ],
)
def test_commands_and_options_are_completed(line: str, offered: list[str]) -> None:
    assert sorted(completed(line)) == sorted(offered)
