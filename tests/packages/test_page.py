"""docs/packages.md: its programs run as they stand, and the commands too, where a registry can be
reached."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "packages.md").read_text()
PROGRAMS = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
COMMANDS = re.findall(r"^\$ fumehood (.*)$", PAGE, flags=re.MULTILINE)

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with a cache of its own, in which what the page names is fetched. Skips where
    that cannot be had."""
    directory = tmp_path_factory.mktemp("page")
    (directory / "sizes.py").write_text("import humanize\nhumanize.naturalsize(10**9)\n")
    done = run(directory, sys.executable, "-m", "fumehood.cli", "packages", "fetch", "humanize")
    if done.returncode:
        pytest.skip(f"no registry can be reached from here: {done.stderr}")
    return directory


def run(directory: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "XDG_CACHE_HOME": str(directory / "cache")}
    return subprocess.run(
        command,
        cwd=directory,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def test_the_programs_of_the_page_run_and_print_what_it_says(place: Path) -> None:
    assert len(PROGRAMS) == 2
    outputs = []
    for program in PROGRAMS:
        done = run(place, sys.executable, "-c", program)
        assert done.returncode == 0, done.stderr
        outputs.append(done.stdout)
    said = re.findall(r"```\n(1\.0 .*?)```", PAGE, flags=re.DOTALL)
    assert said == [outputs[0]]


def test_the_commands_of_the_page_run(place: Path) -> None:
    assert len(COMMANDS) == 4
    for command in COMMANDS:
        done = run(place, sys.executable, "-m", "fumehood.cli", *shlex.split(command))
        assert done.returncode == 0, (command, done.stderr)
