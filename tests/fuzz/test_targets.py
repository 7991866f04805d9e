"""Every target, for a few seconds and with the same cases each time. At length: `make fuzz`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .__main__ import main
from .targets import TARGETS

ROOT = Path(__file__).parents[2]


def test_nothing_is_found() -> None:
    """In its own process: it watches everything that the interpreter does."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz", "--seed", "steady", "--quick"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}", "PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        check=False,
        timeout=500,
    )
    assert done.returncode == 0, f"{done.stdout[-6000:]}\n{done.stderr[-2000:]}"
    assert done.stdout.count("; 0 findings") == len(TARGETS)


def test_a_target_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["nothing"])
    assert "there is no target 'nothing'" in capsys.readouterr().err
