"""The benchmark of branching runs and measures what it says. How fast anything is, is not
tested."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARK = Path(__file__).resolve().parents[2] / "benchmarks" / "branching.py"


@pytest.mark.long
def test_figures_of_branching_are_measured_and_written(tmp_path: Path) -> None:
    pytest.importorskip("numpy")
    pytest.importorskip("pandas")
    written = tmp_path / "figures.json"
    names = ["snapshot", "restore", "fork", "checkout", "rollback", "list", "forks"]
    command = [sys.executable, str(BENCHMARK), "--quick", "--no-peers", "--json", str(written)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "JailUnavailable" in done.stderr:
        pytest.skip(f"no jail here: {done.stderr.strip().splitlines()[-1]}")
    assert done.returncode == 0, done.stderr
    figures = {figure["name"]: figure for figure in json.loads(written.read_text())["figures"]}
    assert [*figures] == names
    for name in names:
        assert figures[name]["sides"], done.stdout
    assert len(figures["fork"]["sides"]["with nothing"]["samples"]) == 10
    judged = [bar["line"].split(":")[0].split(maxsplit=1)[1] for bar in figures["snapshot"]["bars"]]
    assert judged == ["with nothing", "with 10.0 MB in an array", "with 100 MB in an array"]
