"""A few seconds of the soak in each place: no answer is wrong, and nothing is left behind."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import fumehood

ROOT = Path(__file__).resolve().parents[2]
NEEDS = {"docker": ("engine", "base"), "e2b": ("needs_e2b",), "ray": ("needs_ray",)}


@pytest.fixture
def needs_ray() -> None:
    pytest.importorskip("ray")


@pytest.fixture
def needs_e2b() -> None:
    pytest.importorskip("e2b_code_interpreter")


@pytest.mark.long
@pytest.mark.parametrize(
    "place",
    [
        "--place=local",
        "--place=pool",
        "--place=docker",
        "--place=server",
        "--place=e2b",
        "--place=ray",
    ],
)
def test_a_short_soak_finds_nothing_wrong_and_leaves_nothing(
    place: str, request: pytest.FixtureRequest
) -> None:
    for name in NEEDS.get(place.partition("=")[2], ()):
        request.getfixturevalue(name)
    command = [
        sys.executable,
        "benchmarks/soak.py",
        place,
        "--minutes",
        "0.03",
        "--executors",
        "2",
        "--kill-every",
        "1",
    ]
    environment = {**os.environ, "PYTHONPATH": str(Path(fumehood.__file__).parents[1])}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "wrong: nothing" in done.stdout and "left behind: nothing" in done.stdout
