"""docs/audit.md: its examples run as they stand, one after the other, and the commands print what the page says they print."""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from fumehood import LocalPythonExecutor
from fumehood.errors import JailUnavailable

PAGE = (Path(__file__).parents[2] / "docs" / "audit.md").read_text()
EXAMPLES = [textwrap.dedent(code) for code in re.findall(r"^ *```python\n(.*?)^ *```", PAGE, flags=re.DOTALL | re.MULTILINE)]
COMMANDS = re.findall(r"^```\n\$ fumehood (.*?)\n(.*?)```", PAGE, flags=re.DOTALL | re.MULTILINE)

# What is another each time: ids and hashes, clock times and dates, measurements, the version of Python.
CHANGING = [
    (r"\b[0-9a-f]{64}\b", "HASH"),
    (r"\b[0-9a-f]{12}\b", "ID"),
    (r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", "DAY"),
    (r"\d\d:\d\d:\d\d\.\d{3}", "TIME"),
    (r"\b[\d.]+ (ms|s|MB)\b", "SOME"),
    (r"Python 3\.\d+\.\d+", "PYTHON"),
    (r"[─━]+$", "─"),
]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory in which the page's programs were run, in order."""
    try:
        LocalPythonExecutor().close()
    except JailUnavailable as error:
        pytest.skip(f"no jail on this machine: {error}")
    directory = tmp_path_factory.mktemp("page")
    for number, code in enumerate(EXAMPLES, start=1):
        done = subprocess.run([sys.executable, "-c", code], cwd=directory, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, ""), f"example {number}: {done.stderr}"
        (directory / f"printed-{number}").write_text(done.stdout)
    return directory


def settled(text: str) -> list[str]:
    for pattern, name in CHANGING:
        text = re.sub(pattern, name, text, flags=re.MULTILINE)
    return [line.rstrip() for line in text.strip().splitlines()]


@pytest.mark.long
def test_the_examples_run(place: Path) -> None:
    assert len(EXAMPLES) == 4
    assert (place / "printed-3").read_text() == "error [None, \"KeyError: 'cake'\"]\n"


@pytest.mark.long
@pytest.mark.parametrize(("command", "printed"), COMMANDS, ids=[command.split()[1] for command, _printed in COMMANDS])
def test_a_command_prints_what_the_page_says(place: Path, command: str, printed: str) -> None:
    session = next(re.finditer(r'"session":"([0-9a-f]{12})"', (place / "audit.jsonl").read_text()))[1]
    arguments = [session[:4] if argument == "5abc" else argument for argument in command.split()]
    done = subprocess.run([sys.executable, "-m", "fumehood.cli", *arguments], cwd=place, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert settled(done.stdout) == settled(printed)


def test_the_page_has_its_commands() -> None:
    assert [command.split()[1] for command, _printed in COMMANDS] == ["verify", "show", "stats", "replay"]
