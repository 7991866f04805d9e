"""The benchmark of containers runs and measures what it says. How fast anything is, is not
tested."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fumehood.docker.engine import Engine

BENCHMARK = Path(__file__).resolve().parents[2] / "benchmarks" / "docker.py"


@pytest.mark.long
def test_figures_of_containers_are_measured_and_written(engine: Engine, tmp_path: Path) -> None:
    if shutil.which("docker") is None:
        pytest.skip("the command docker is not installed")
    written = tmp_path / "figures.json"
    command = [sys.executable, str(BENCHMARK), "--quick", "--no-peers", "--json", str(written)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    figures = {figure["name"]: figure for figure in json.loads(written.read_text())["figures"]}
    assert [*figures] == ["first", "second", "cell", "call", "branch", "value"]
    for figure in figures.values():
        assert figure["sides"], done.stdout
    assert [bar["line"].split(":")[0].split(maxsplit=1)[1] for bar in figures["first"]["bars"]] == [
        "DockerExecutor, first result"
    ]
    assert len(figures["cell"]["bars"]) == 2 and len(figures["call"]["bars"]) == 1


def test_what_is_missing_is_one_line(tmp_path: Path) -> None:
    pytest.importorskip("docker")
    command = [sys.executable, str(BENCHMARK), "--quick", "--no-peers", "--base", "python"]
    environment = {**os.environ, "DOCKER_HOST": f"unix://{tmp_path}/none.sock"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert "docker" in done.stderr.lower().splitlines()[-1]
