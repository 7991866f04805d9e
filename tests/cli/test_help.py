"""What --help says of every command, and what a shell completes."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from fumehood.cli.app import app


def commands(group: Any, name: str = "fumehood") -> Iterator[tuple[str, Any]]:
    for word, command in group.commands.items():
        yield from (
            commands(command, f"{name} {word}")
            if hasattr(command, "commands")
            else [(f"{name} {word}", command)]
        )


COMMANDS = dict(commands(typer.main.get_command(app)))


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_says_what_it_does_how_it_ends_and_what_each_option_is_for(name: str) -> None:
    command = COMMANDS[name]
    assert "Exit code: 0 " in command.help
    for parameter in command.params:
        told = getattr(parameter, "help", "")
        assert told and told.strip().endswith((".", ".)", "…")), (
            f"{name} {parameter.name}: {told!r}"
        )
        assert "[" not in told, (
            f"{name} {parameter.name}: what is in brackets is taken for a colour"
        )


@pytest.mark.parametrize("name", COMMANDS)
def test_the_example_of_a_command_is_one(name: str) -> None:
    (example,) = re.findall(r"Example: (fumehood .*)", COMMANDS[name].help)
    assert example.startswith(f"{name} ") or example == name
    words = shlex.split(example.removeprefix(name))
    known = {
        option
        for parameter in COMMANDS[name].params
        for option in (*parameter.opts, *parameter.secondary_opts)
    }
    assert {word for word in words if word.startswith("-") and word != "-"} <= known


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("fumehood re", "repl"),
        ("fumehood packages pr", "prune"),
        ("fumehood run --wi", "--with"),
        ("fumehood agent --executor do", "docker"),
        ("fumehood agent --model rep", "replay:"),
        ("fumehood agent --tool web", "web_search"),
        ("fumehood attack --executor inl", "inline"),
        ("fumehood attack --category bom", "bombs"),
        ("fumehood run --import nump", "numpy"),
        ("fumehood rules buil", "builtins"),
    ],
)
def test_a_shell_completes_commands_options_and_their_values(line: str, found: str) -> None:
    variables = {
        "_FUMEHOOD_COMPLETE": "complete_bash",
        "COMP_WORDS": line,
        "COMP_CWORD": str(line.count(" ")),
    }
    assert found in CliRunner().invoke(app, [], env=variables, prog_name="fumehood").stdout.split()


def test_completion_is_installed_where_the_shell_looks(fumehood: Any, tmp_path: Any) -> None:
    # Which shell it is run from is found out by its parents, of which tests may have none.
    done = fumehood(
        "--install-completion",
        "bash",
        environment={"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"},
    )
    assert done.returncode == 0, done.stderr
    assert (
        "complete -o default -F _fumehood_completion fumehood"
        in (tmp_path / ".bash_completions" / "fumehood.sh").read_text()
    )
