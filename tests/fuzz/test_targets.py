"""Every target, for a few seconds and with the same cases each time. At length: `make fuzz`."""

from __future__ import annotations

import itertools
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from .__main__ import main
from .targets import TARGETS

ROOT = Path(__file__).parents[2]
SEED = "steady"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The command, in a process of its own: it forks, and listens to all that the interpreter
    does."""
    given = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}", "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-m", "tests.fuzz", *arguments]
    done = subprocess.run(
        command, cwd=ROOT, env=given, capture_output=True, text=True, check=False, timeout=500
    )
    # It is that process which knows, not this one: this has imported what other tests need, and has
    # their threads.
    if left_out := re.search(r"programs cannot be confined here: .*", done.stdout):
        pytest.skip(left_out[0])
    return done


# Those that share most of what they need share a process.
GROUPS = {
    "programs": ("escapes", "walks", "alike", "texts"),
    "data": (
        "streams",
        "messages",
        "tunnels",
        "values",
        "hostile-values",
        "state-files",
        "audit-lines",
    ),
}


def test_every_target_is_tried() -> None:
    assert {*itertools.chain(*GROUPS.values())} == {*TARGETS}


@pytest.mark.long
@pytest.mark.parametrize("group", ["programs", "data"])
def test_nothing_is_found(group: str) -> None:
    done = run(*GROUPS[group], "--seed", SEED, "--quick")
    assert done.returncode == 0, f"{done.stdout[-6000:]}\n{done.stderr[-2000:]}"
    assert done.stdout.count("; 0 findings") == len(GROUPS[group])


@pytest.mark.long
def test_a_rule_that_is_taken_away_is_noticed() -> None:
    """Some of them; `python -m tests.fuzz --controls` tries all."""
    done = run("--seed", "b", "--controls", "getattr", "eval", "format", "__getattribute__")
    assert done.returncode == 0, f"{done.stdout[-6000:]}\n{done.stderr[-2000:]}"
    assert done.stdout.count("found after") == 4


def test_a_target_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["nothing"])
    assert "there is no target 'nothing'" in capsys.readouterr().err


_LARGE = """
import mmap
held = mmap.mmap(-1, 2 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
from tests.fuzz.language.running import is_here
print(is_here())
"""


def test_programs_can_be_confined_in_a_copy_of_a_process_that_holds_much() -> None:
    """As one does that has imported large libraries: what it has is no part of what programs may
    take."""
    given = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}"}
    done = subprocess.run(
        [sys.executable, "-c", _LARGE],
        cwd=ROOT,
        env=given,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    if "Errno" in done.stdout or "JailUnavailable" in done.stdout:
        pytest.skip(done.stdout)
    assert done.stdout == "None\n"
