"""The benchmarks run and measure what they say. Their speed is not tested."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import fumehood

ROOT = Path(__file__).resolve().parents[2]
# Script, options, and the figures it writes.
MEASURED = {
    "audit.py": ((), ["keep", "rollback", "call", "lines", "verify"]),
    "branching.py": (
        (),
        ["snapshot", "restore", "fork", "checkout", "rollback", "list", "forks"],
    ),
    "docker.py": ((), ["first", "second", "cell", "call", "branch", "value"]),
    "fleet.py": (("--only", "node", "--only", "memory"), ["node", "memory"]),
    "programs.py": ((), ["true", "git", "medium", "small", "python", "creation"]),
    "sandbox.py": (
        ("--only", "cell", "--only", "first", "--only", "short", "--only", "cpu"),
        ["cell", "first", "short", "cpu"],
    ),
    "server.py": (
        ("--only", "load", "--only", "latency", "--only", "alone"),
        ["load", "latency", "alone"],
    ),
}
PEERLESS = ("audit.py", "branching.py", "docker.py", "programs.py", "sandbox.py")
PACKAGES = {"branching.py": "pandas", "fleet.py": "ray", "sandbox.py": "pandas"}
PACKAGES |= {"server.py": "starlette", "e2b": "e2b_code_interpreter", "ray": "ray"}


def run(*command: str) -> str:
    """Run a script of the benchmarks; what it printed."""
    done = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(Path(fumehood.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=False,
    )
    if "JailUnavailable" in done.stderr:
        pytest.skip(f"no jail here: {done.stderr.strip().splitlines()[-1]}")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def need(name: str, request: pytest.FixtureRequest) -> None:
    if name in PACKAGES:
        pytest.importorskip(PACKAGES[name])
    if name.startswith("docker"):
        request.getfixturevalue("base")


@pytest.mark.long
@pytest.mark.parametrize("script", MEASURED)
def test_figures_are_measured_and_written(
    script: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    need(script, request)
    options, names = MEASURED[script]
    written = tmp_path / "figures.json"
    peers = ("--no-peers",) if script in PEERLESS else ()
    run(f"benchmarks/{script}", "--quick", *peers, *options, "--json", str(written))
    figures = json.loads(written.read_text())["figures"]
    assert sorted(figure["name"] for figure in figures) == sorted(names)
    assert all(figure["sides"] for figure in figures)


@pytest.mark.long
@pytest.mark.parametrize("place", ["local", "pool", "docker", "server", "e2b", "ray"])
def test_a_short_soak_finds_nothing_wrong_and_leaves_nothing(
    place: str, request: pytest.FixtureRequest
) -> None:
    need(place, request)
    options = ("--minutes", "0.03", "--executors", "2", "--kill-every", "1")
    printed = run("benchmarks/soak.py", f"--place={place}", *options)
    assert "wrong: nothing" in printed and "left behind: nothing" in printed


@pytest.mark.parametrize("mode", [(), ("--full",), ("--default",)], ids=" ".join)
def test_one_program_of_ten_behaves_as_in_cpython(mode: tuple[str, ...]) -> None:
    run("benchmarks/acceptance.py", "--every", "10", "--check", *mode)
