"""Words of the pages that name something: commands with their options, extras, benchmarks, fields.
Each of them is there."""

from __future__ import annotations

import dataclasses
import re
import shlex
import tomllib
from typing import Any

import pytest

from fumehood import Limits

from .blocks import DOCS, README, blocks, pages

pytest.importorskip("typer")

import typer

from fumehood.cli.app import app

ROOT = DOCS.parent
TEXTS = {page: (DOCS / page).read_text(encoding="utf-8") for page in [README, *pages()]}


def commands(page: str) -> list[str]:
    """Command lines of ours: in the text, and alone in a line of a picture or of a console. A file
    of saved variables begins like one."""
    found = re.findall(r"`(fumehood(?: [^`]*)?)`", TEXTS[page].replace("\n", " "))
    for block in blocks(page):
        lines = (
            block.text.splitlines()
            if block.kind == "picture"
            else [line for line, _said in block.commands]
            if block.kind == "console"
            else []
        )
        found += [
            line.strip().removeprefix("$ ")
            for line in lines
            if re.match(r"(\$ )?fumehood (?!state 2 )[a-z]", line.strip())
        ]
    return found


ROWS = sorted({(page, command) for page in TEXTS for command in commands(page) if " " in command})


@pytest.mark.parametrize(("page", "command"), ROWS)
def test_a_command_that_a_page_names_is_there_with_its_options(page: str, command: str) -> None:
    # In a list of commands what one does stands after some spaces; and dots or capitals stand for
    # what is one's own.
    words = shlex.split(
        re.split(r"\s{2,}|[|<>;]", command.partition(" #")[0])[0].replace("…", "x").replace("'", "")
    )[1:]
    here: Any = typer.main.get_command(app)
    while words and hasattr(here, "commands"):
        assert words[0] in here.commands, f"docs/{page}: there is no `fumehood {words[0]}`"
        here = here.commands[words.pop(0)]
    known = {option for parameter in here.params for option in parameter.opts}
    assert [
        word for word in words if word.startswith("--") and word.partition("=")[0] not in known
    ] == [], f"docs/{page}: {command}"


def test_the_readme_has_at_most_1000_words() -> None:
    assert len(TEXTS[README].split()) <= 1000


def test_every_extra_that_a_page_names_is_one() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    named = {
        extra
        for text in TEXTS.values()
        for group in re.findall(r"fumehood\[([\w,]+)\]", text)
        for extra in group.split(",")
    }
    assert named <= extras.keys()
    listed = set(
        re.findall(
            r"`(\w+)`",
            "".join(
                re.findall(
                    r"^\| ((?:`\w+`(?:, )?)+) \|",
                    TEXTS["index.md"].partition("## Installing")[2],
                    re.M,
                )
            ),
        )
    )
    assert listed == extras.keys() - {"demo", "bench", "dev", "docs"}


def test_every_benchmark_is_on_its_page_with_options_that_it_has() -> None:
    rows = re.findall(r"^\| `(\w+\.py)` \|.*\| ([^|]*)\|$", TEXTS["performance.md"], re.MULTILINE)
    programs = {
        path.name
        for path in (ROOT / "benchmarks").glob("*.py")
        if 'if __name__ == "__main__"' in path.read_text()
    }
    assert {name for name, _options in rows} >= programs - {"peers.py", "plain.py"}
    shared = (ROOT / "benchmarks" / "command.py").read_text()
    for name, options in rows:
        source = (ROOT / "benchmarks" / name).read_text()
        source += shared if "command" in source else ""
        assert [
            option for option in re.findall(r"`(--[\w-]+)`", options) if f'"{option}"' not in source
        ] == [], name


def test_every_limit_is_in_the_table_with_its_default() -> None:
    rows = re.findall(
        r"^\| (`[^|]*`) \| ([^|]+) \|",
        TEXTS["how-to/limits.md"].partition("## All of them")[2],
        re.MULTILINE,
    )
    named = {
        name: said
        for names, values in rows
        for name, said in zip(re.findall(r"`(\w+)`", names), values.split(", "), strict=True)
    }
    units = {"MB": 1 << 20, "GB": 1 << 30}
    for field in dataclasses.fields(Limits):
        number, _, unit = named.pop(field.name).strip().partition(" ")
        assert str(field.default) == number or field.default == float(
            number.replace(",", "")
        ) * units.get(unit, 1), field.name
    assert named == {}
