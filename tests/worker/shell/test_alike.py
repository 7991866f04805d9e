"""The shell and its commands do what the machine's own do: run both on the same line, in directories that are equal, and compare."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from .cases import FILES, GROUPS
from .conftest import Bench

LINES = [pytest.param(line, id=f"{group}-{number}") for group, lines in GROUPS.items() for number, line in enumerate(lines)]

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="this machine has no bash to compare with")


def furnish(directory: Path) -> Path:
    for name, text in FILES.items():
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text(text)
    for number, name in enumerate(sorted(FILES)):
        os.utime(directory / name, (1_700_000_000 + number, 1_700_000_000 + number))
    return directory


def left_in(directory: Path) -> dict[str, str]:
    found = {}
    for path in sorted(directory.rglob("*")):
        name = path.relative_to(directory).as_posix()
        found[name] = f"link to {path.readlink()}" if path.is_symlink() else "" if path.is_dir() else path.read_text()
    return found


@pytest.mark.parametrize("line", LINES)
def test_a_line_does_what_it_does_in_the_machine_s_shell(line: str, bench: Bench, tmp_path: Path) -> None:
    theirs, ours = furnish(tmp_path / "theirs" / "lab"), furnish(tmp_path / "ours" / "lab")
    environment = {"HOME": str(theirs), "PATH": os.environ["PATH"], "LC_ALL": "C", "TZ": "UTC", "LANG": "C"}
    done = subprocess.run(["bash", "-c", line], cwd=theirs, env=environment, capture_output=True, stdin=subprocess.DEVNULL, timeout=60)
    if done.returncode == 127 and b"command not found" in done.stderr and b"nosuch" not in done.stderr:
        pytest.skip(f"this machine lacks a program: {done.stderr.decode().splitlines()[0]}")
    outcome = bench.run(line, ours)
    assert outcome.out.replace("bash", "sh") == done.stdout.decode("utf-8", "surrogateescape").replace("bash", "sh"), outcome.err
    assert outcome.code == done.returncode
    assert bool(outcome.err) == bool(done.stderr), (outcome.err, done.stderr)
    assert left_in(ours) == left_in(theirs)
