"""docs/commands.md, compared with what it is about."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fumehood.worker.shell import table
from fumehood.worker.shell.absent import ABSENT
from fumehood.worker.shell.words import DEEPEST, OPERATORS

PAGE = (Path(__file__).parents[3] / "docs" / "commands.md").read_text()


def test_the_page_lists_every_command_with_what_help_says_of_it() -> None:
    rows = re.findall(
        r"^\| `(\S+)` \| (.*) \|$", PAGE.partition("## The commands")[2], re.MULTILINE
    )
    assert [(name, text.replace("\\|", "|")) for name, text in rows] == [
        (row.name, row.summary) for row in table.ROWS
    ]


def test_commands_are_listed_once_and_in_order() -> None:
    names = [row.name for row in table.ROWS]
    assert names == sorted(set(names))


@pytest.mark.parametrize("name", ABSENT)
def test_what_is_said_not_to_be_there_is_not(name: str) -> None:
    assert table.find(name) is None
    assert len(ABSENT[name]) > 20


def test_the_page_names_what_the_parser_knows() -> None:
    assert all(f"`{sign}`" in PAGE or f"{{x{sign}y}}" in PAGE for sign in OPERATORS)
    assert f"at most {DEEPEST} deep" in PAGE
