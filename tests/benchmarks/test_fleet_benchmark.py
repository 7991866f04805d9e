"""The benchmark of fleets runs what needs no cluster, and says what it lacks. How fast anything is,
is not tested."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.mark.long
def test_the_benchmark_measures_what_a_node_spends(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    report = tmp_path / "report.json"
    command = [
        sys.executable,
        str(BENCHMARKS / "fleet.py"),
        "--quick",
        "--only",
        "node",
        "--only",
        "memory",
        "--json",
        str(report),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    node, memory = json.loads(report.read_text())["figures"]
    assert all(side["median"] > 0 for figure in (node, memory) for side in figure["sides"].values())


def test_a_model_is_written_of_all_figures_or_not_at_all(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    command = [
        sys.executable,
        str(BENCHMARKS / "fleet.py"),
        "--quick",
        "--only",
        "node",
        "--model",
        str(tmp_path / "model.json"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "--model needs every figure" in done.stderr
