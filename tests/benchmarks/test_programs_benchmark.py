"""The benchmark of programs runs and measures what it says. How fast anything is, is not tested."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARK = Path(__file__).resolve().parents[2] / "benchmarks" / "programs.py"


@pytest.mark.long
def test_figures_of_programs_are_measured_and_written(tmp_path: Path) -> None:
    written = tmp_path / "figures.json"
    command = [sys.executable, str(BENCHMARK), "--quick", "--no-peers", "--json", str(written)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "JailUnavailable" in done.stderr:
        pytest.skip(f"no jail here: {done.stderr.strip().splitlines()[-1]}")
    assert done.returncode == 0, done.stderr
    figures = {figure["name"]: figure for figure in json.loads(written.read_text())["figures"]}
    assert [*figures] == ["true", "git", "python", "creation"]
    for name in ("true", "git", "python"):
        assert [*figures[name]["sides"]] == ["subprocess.run", "commands.run"]
        assert [bar["side"] for bar in figures[name]["bars"]] == ["commands.run"]
    assert [*figures["creation"]["sides"]] == ["without programs", "with programs"]
