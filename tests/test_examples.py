"""The examples run as they stand, and show what they say they show."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from fumehood import JailUnavailable, LocalPythonExecutor

from .notebooks import executed, shown

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


@pytest.fixture(scope="module")
def jail() -> None:
    try:
        LocalPythonExecutor().close()
    except JailUnavailable as error:
        pytest.skip(f"no jail on this machine: {error}")


def shown_by(name: str, cwd: Path | None = None) -> str:
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name)],
        capture_output=True,
        encoding="utf-8",
        check=False,
        cwd=cwd,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.long
@pytest.mark.usefixtures("jail")
def test_a_wider_search_finds_what_the_greedy_one_has_thrown_away() -> None:
    greedy, wide = (
        part.splitlines()[-1].split() for part in shown_by("tree_search.py").split("\n\n")[1:]
    )
    assert sorted(map(float, wide)) == [3.5, 7.2, 8.99, 12.5, 45.0, 60.0, 1299.0]
    assert sorted(map(float, greedy)) == [3.5, 7.2, 8.99, 12.5, 45.0, 60.0]


@pytest.mark.long
@pytest.mark.usefixtures("jail")
def test_the_demo_shows_an_agent_at_work(tmp_path: Path) -> None:
    shown = shown_by("demo.py", tmp_path)
    assert "this module is not authorized" in shown and "'sale' is not defined" in shown, (
        "two mistakes, and their repair"
    )
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


@pytest.mark.long
@pytest.mark.usefixtures("jail")
def test_an_analysis_finds_the_broken_station_and_a_table_comes_back(tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    pytest.importorskip("matplotlib")
    printed = shown_by("data_analysis.py", tmp_path)
    assert (
        "days without any change: {'harbour': 0, 'hill': 0, 'airport': 17, 'forest': 0}" in printed
    )
    assert "airport is broken since 26 March" in printed
    assert printed.splitlines()[-1].split() == ["2026-04-12", "11.7", "8.2", "9.1"]
    assert (tmp_path / "stations.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.long
@pytest.mark.usefixtures("jail")
def test_letters_are_counted_and_who_wrote_them_stays_in_the_jail() -> None:
    pytest.importorskip("detect_secrets")
    printed = shown_by("text_processing.py")
    assert "{'from': '[e-mail]', 'order': 4712, 'amount': 120.0, 'mood': 'angry'}" in printed
    assert "value: {'moods': {'angry': 3, 'glad': 1}, 'asked back': 68.9}" in printed
    assert "example.com" not in printed and "4111" not in printed
    assert "e-mail in logs; payment card in logs" in printed


@pytest.mark.long
@pytest.mark.usefixtures("jail")
def test_an_algorithm_is_drawn_step_by_step_by_the_host() -> None:
    printed = shown_by("algorithm_tracing.py")
    assert "   3 swap    2  [1] [5]  7   6   3 \n" in printed
    assert re.findall(r"sorted after (.+)", printed) == ["8 swaps", "2 swaps, 4 pivots"]


@pytest.mark.long
@pytest.mark.usefixtures("jail")
def test_an_agent_recovers_from_each_way_to_fail() -> None:
    printed = shown_by("error_recovery.py")
    kinds = [line.split("→ ")[1].split(":")[0] for line in printed.splitlines() if "→" in line]
    assert kinds == [
        "refused",
        "raised",
        "timeout, and undone",
        "27 needs 111; 6171 needs most, 261",
        "fine",
    ]
    assert printed.splitlines()[-1] == "{'number': 6171, 'steps': 261} after 3 errors"


@pytest.mark.long
@pytest.mark.usefixtures("jail")
def test_tools_run_beside_each_other_as_often_as_the_code_asks() -> None:
    """How many at once depends on how busy the machine is; that some do, and never more than were
    asked for, does not."""
    printed = shown_by("parallel_tools.py")
    one, all_, three = (int(most) for most in re.findall(r"8 calls, at most (\d) at once", printed))
    assert one == 1 and 1 < all_ <= 8 and 1 < three <= 3
    assert printed.splitlines()[-1] == "warmest of 8: Perth"


@pytest.mark.long
@pytest.mark.usefixtures("jail")
def test_a_service_of_ones_own_answers_the_sdk_and_plain_requests() -> None:
    pytest.importorskip("e2b_code_interpreter")
    pytest.importorskip("starlette", reason="the server's packages are not installed")
    assert shown_by("self_hosted.py").splitlines() == [
        "-- by E2B's SDK",
        "25 primes below 100 and the largest is 97",
        "files: ['primes.txt']",
        "wc says: 5 primes.txt",
        "an error: IndexError list index out of range",
        "",
        "-- by the native API",
        "a cell: 55",
        "refused: line 1: import socket: this module is not authorized",
        "refused: line 2: import ctypes: this module is not authorized",
        "what this key has: 1",
    ]


@pytest.mark.long
@pytest.mark.usefixtures("jail")
def test_the_notebook_shows_what_it_was_stored_with() -> None:
    nbformat = pytest.importorskip("nbformat")
    for module in ("nbclient", "ipykernel", "pandas", "matplotlib"):
        pytest.importorskip(module)
    stored = shown(nbformat.read(EXAMPLES / "notebook.ipynb", as_version=4))
    assert shown(executed(EXAMPLES / "notebook.ipynb")) == stored
    kinds = {kind for cell in stored for output in cell for kind in output}
    assert kinds == {"stdout", "text/plain", "text/html", "image/png"}


def test_the_page_lists_every_example() -> None:
    listed = set(
        re.findall(r"^\| \[([\w.]+)\]\(\1\)", (EXAMPLES / "README.md").read_text(), re.MULTILINE)
    )
    assert listed == {path.name for path in EXAMPLES.iterdir() if path.suffix in (".py", ".ipynb")}
