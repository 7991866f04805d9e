"""`--with`, and `fumehood packages`."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from fumehood.packages import environments, installers

from ..executors.wheels import make_wheel


@pytest.fixture(autouse=True)
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Packages, and the only place where they are looked for; and a cache."""
    directory = tmp_path / "shelf"
    directory.mkdir()
    make_wheel(directory, "plain", {"plain.py": "def double(x):\n    return 2 * x\n"})
    (tmp_path / "uv.toml").write_text(f'no-index = true\nfind-links = ["{directory}"]\n')
    for name, value in {
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(directory),
        "PIP_CONFIG_FILE": os.devnull,
        "UV_CONFIG_FILE": str(tmp_path / "uv.toml"),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "FUMEHOOD_INSTALLER": "uv" if installers.find_uv() else "pip",
    }.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(environments, "_held", {})
    return directory


def test_run_and_repl_have_packages(fumehood_here, program):
    code = "import plain\nplain.double(21)\n"
    done = fumehood_here("run", program(code), "--with", "plain")
    assert (done.returncode, done.stdout, done.stderr) == (0, "42\n", "")
    assert fumehood_here("repl", "--with", "plain", stdin=code).stdout == "42\n"


def test_an_agent_has_packages(fumehood_here, tmp_path):
    answer = "I double it.\n```python\nimport plain\nfinal_answer(plain.double(21))\n```"
    (tmp_path / "turns.json").write_text(json.dumps({"fumehood recording": 1, "turns": [answer]}))
    done = fumehood_here(
        "agent", "double 21", "--replay", tmp_path / "turns.json", "--with", "plain", "--quiet"
    )
    assert (done.returncode, done.stdout) == (0, "42\n"), done.stderr


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (
            ["--with", "nothing-of-that-name"],
            "there is no package 'nothing-of-that-name' in the index",
        ),
        (["--with", "-e ."], "options, addresses, directories and source are not taken"),
        (["--with", "plain @ https://example.org/plain.whl"], "asks for an address"),
        (["--with", "plain", "--inline"], "isolation='inline' has none"),
    ],
)
def test_what_cannot_be_had_is_one_line(fumehood_here, program, options, told):
    done = fumehood_here("run", program("1"), *options)
    assert done.returncode == 2 and done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert told in line


def test_what_is_fetched_is_listed_and_removed(fumehood_here):
    fetched = fumehood_here("packages", "fetch", "plain")
    assert fetched.stdout == "plain 1.0\n" and "code may import plain" in fetched.stderr
    shown = fumehood_here("packages", "ls")
    assert "plain 1.0" in shown.stdout and "today" in shown.stdout and "in use" in shown.stdout
    (kept,) = json.loads(fumehood_here("packages", "ls", "--json").stdout)["environments"]
    assert kept["packages"] == {"plain": "1.0"} and kept["is_sound"] and kept["in_use"]
    assert (
        json.loads(fumehood_here("packages", "prune", "--all", "--yes", "--json").stdout)["removed"]
        == []
    )  # it is in use here
    environments._held.clear()
    asked = fumehood_here("packages", "prune", "--all")
    assert asked.returncode == 2 and "say --yes" in asked.stderr
    assert fumehood_here("packages", "prune").stdout.startswith("removed 0 of them")
    assert fumehood_here("packages", "prune", "--all", "--yes").stdout.startswith(
        "removed 1 of them"
    )
    assert "nothing is kept in " in fumehood_here("packages", "ls").stderr
