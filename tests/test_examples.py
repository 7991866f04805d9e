"""The examples run as they stand, and show what they say they show."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from fumehood import JailUnavailable, LocalPythonExecutor

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


@pytest.fixture(scope="module")
def jail() -> None:
    try:
        LocalPythonExecutor().close()
    except JailUnavailable as error:
        pytest.skip(f"no jail on this machine: {error}")


def shown_by(name: str, cwd: Path | None = None) -> str:
    done = subprocess.run([sys.executable, str(EXAMPLES / name)], capture_output=True, encoding="utf-8", check=False, cwd=cwd)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.long
@pytest.mark.usefixtures("jail")
def test_a_wider_search_finds_what_the_greedy_one_has_thrown_away() -> None:
    greedy, wide = (part.splitlines()[-1].split() for part in shown_by("tree_search.py").split("\n\n")[1:])
    assert sorted(map(float, wide)) == [3.5, 7.2, 8.99, 12.5, 45.0, 60.0, 1299.0]
    assert sorted(map(float, greedy)) == [3.5, 7.2, 8.99, 12.5, 45.0, 60.0]


@pytest.mark.long
@pytest.mark.usefixtures("jail")
def test_the_demo_shows_an_agent_at_work(tmp_path: Path) -> None:
    shown = shown_by("demo.py", tmp_path)
    assert "this module is not authorized" in shown and "'sale' is not defined" in shown, "two mistakes, and their repair"
    assert "791000" in shown and "Dec" in shown
    assert "statistics" in shown and "steps used" in shown
    assert (tmp_path / "sales-chart.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.long
@pytest.mark.usefixtures("jail")
def test_four_cells_show_what_becomes_of_them() -> None:
    shown = shown_by("cells.py")
    assert "final answer: " in shown
    assert "this module is not authorized" in shown
    assert "KeyError: 'Dez'" in shown
    assert "TimeLimit: " in shown


@pytest.mark.long
@pytest.mark.usefixtures("jail")
def test_programs_are_scored_and_none_of_them_says_its_own_score() -> None:
    scores = {line[6:]: float(line[:4]) for line in shown_by("fleet_scoring.py").splitlines()}
    assert scores == {
        "right": 1.0,
        "from a library": 1.0,
        "unsorted": 0.5,
        "never ends": 0.0,
        "does not compile": 0.0,
        "cheats": 0.0,
        "looks around": 0.0,
    }
