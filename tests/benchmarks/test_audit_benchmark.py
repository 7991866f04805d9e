"""The benchmark of the audit log runs and measures what it says. How fast anything is, is not
tested."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARK = Path(__file__).resolve().parents[2] / "benchmarks" / "audit.py"


@pytest.mark.long
def test_figures_of_the_audit_log_are_measured_and_written(tmp_path: Path) -> None:
    written = tmp_path / "figures.json"
    command = [sys.executable, str(BENCHMARK), "--quick", "--no-peers", "--json", str(written)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "JailUnavailable" in done.stderr:
        pytest.skip(f"no jail here: {done.stderr.strip().splitlines()[-1]}")
    assert done.returncode == 0, done.stderr
    figures = {figure["name"]: figure for figure in json.loads(written.read_text())["figures"]}
    assert [*figures] == ["keep", "rollback", "call", "lines", "verify"]
    for name in ("keep", "rollback", "call"):
        sides = figures[name]["sides"]
        assert [*sides] == ["without a log", "told to nobody", "with a log", "with a log and a key"]
        if name == "call":
            assert not figures[name]["bars"]
            continue
        (bar,) = figures[name]["bars"]
        assert " with a log: " in bar["line"]
        assert bar["passed"] == (
            sides["with a log"]["median"] <= 1.15 * sides["without a log"]["median"]
        )
