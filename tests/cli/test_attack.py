"""`fumehood attack`: what it prints, how it ends, and that it can fail."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer

from fumehood.attack.configurations import Configuration
from fumehood.attack.corpus import read
from fumehood.attack.suite import Result
from fumehood.cli import attack
from fumehood.cli.attack import Place, Tally, as_text, configuration_of

HELD = [
    Result(read("exec/a_shell"), "refused", "import os"),
    Result(read("exec/spawned"), "contained", "held: no"),
]
OUT = Result(read("files/a_file_of_the_host"), "escaped", "it learned\x1b[2J CANARY-file-1")
ABSENT = Result(read("kernel/bpf"), "left out", "speaks of another machine")


# -- on this machine


@pytest.mark.usefixtures("jail")
def test_nothing_escapes_on_this_machine_and_the_report_says_so(fumehood):
    done = fumehood("attack", "--category", "exec", "--category", "agent", "--json")
    found = json.loads(done.stdout)
    assert done.returncode == 0
    assert found["escapes"] == [] and found["escaped"] == 0
    assert [row["name"] for row in found["categories"]] == ["exec", "agent"]
    assert found["tried"] == found["refused"] + found["contained"] > 15
    assert found["configuration"]["place"] == "local"
    assert done.stderr == ""


def test_inline_without_a_jail_the_rules_hold(fumehood):
    done = fumehood("attack", "--executor", "inline", "--category", "names")
    assert done.returncode == 0
    assert "this process, without a jail" in done.stdout
    assert "none of" in done.stdout.splitlines()[-1]


# -- what it is given


def test_a_policy_file_is_what_is_attacked(tmp_path: Path):
    path = tmp_path / "policy.toml"
    path.write_text('imports = ["numpy"]\nlanguage = "off"\n[limits]\ncell_seconds = 3\n')
    configuration = configuration_of(path, Place.local, False, None)
    assert configuration == Configuration("local", False, ("numpy", "*"), {"cell_seconds": 3})


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("imports = [", "is not TOML"),
        (
            'import = ["os"]',
            "has 'import', which means nothing; there are imports, language, limits",
        ),
        ("[limits]\nseconds = 1", "limits has 'seconds', which means nothing"),
        ("limits = 7", "limits must be a table"),
        ("[limits]\ncell_seconds = -1", "cell_seconds must be a positive number"),
        ('language = "on"', "language must be 'python' or 'guarded'"),
        ('imports = "numpy"', "imports must be a list of module names"),
        ('imports = ["nothing_of_the_kind"]', "nothing_of_the_kind"),
    ],
)
def test_a_mistake_in_a_policy_file_is_one_line(
    text: str, complaint: str, fumehood, tmp_path: Path
):
    path = tmp_path / "policy.toml"
    path.write_text(text)
    done = fumehood("attack", "--policy", path)
    assert done.returncode == 2
    assert complaint in done.stderr and len(done.stderr.splitlines()) == 1
    assert done.stdout == ""


@pytest.mark.parametrize(
    "arguments", [(Place.inline, True, None), (Place.local, False, "python:3.12")]
)
def test_what_does_not_go_together_is_refused(arguments: tuple[Place, bool, str | None]):
    with pytest.raises(typer.Exit):
        configuration_of(None, *arguments)


# -- what it shows


def test_the_table_counts_by_category_and_tells_each_escape():
    text = as_text(Tally([*HELD, OUT, ABSENT], 1.0), Configuration())
    lines = {line.split()[0]: line.split()[1:] for line in text.splitlines() if line}
    assert lines["exec"] == ["2", "1", "1", "0"]
    assert lines["files"] == ["1", "0", "0", "1"]
    assert lines["all"] == ["3", "1", "1", "1"]
    assert "ESCAPED  files/a_file_of_the_host" in text and "\x1b" not in text
    assert "not tried: 1, speaks of another machine" in text
    assert text.splitlines()[-1].startswith("1 of 3 programs ESCAPED")


def test_an_escape_ends_the_command_with_1(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(
        attack.suite, "run_all", lambda *given, **options: (each for each in [*HELD, OUT])
    )
    with pytest.raises(typer.Exit) as ended:
        attack.attack(category=["exec"])
    assert ended.value.exit_code == 1
