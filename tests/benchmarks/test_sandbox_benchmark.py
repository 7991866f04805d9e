"""The benchmarks of the sandbox run, judge their bars rightly, and look at the right processes. How
fast anything is, is not tested."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def side_by_side(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    yield from imported("side_by_side", monkeypatch)


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    yield from imported("processes", monkeypatch)


def imported(name: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """A module of the benchmarks, which import each other by bare name; forgotten afterwards."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    yield importlib.import_module(name)
    del sys.modules[name]


def figure(
    side_by_side: ModuleType, unit: str, values: dict[str, float], *bars: tuple[str, float | str]
) -> list[bool]:
    """Whether each bar was reached by sides that were measured once."""
    sides = [side_by_side.Side(name, [[value]]) for name, value in values.items()]
    made = side_by_side.Figure(
        "name", "title", unit, sides, tuple(side_by_side.Bar(*bar) for bar in bars)
    )
    return [passed for passed, _line in made.verdicts()]


def test_less_time_reaches_a_bar_and_more_misses_it(side_by_side: ModuleType) -> None:
    assert figure(side_by_side, "seconds", {"ours": 2.0}, ("ours", 3.0), ("ours", 1.0)) == [
        True,
        False,
    ]


def test_a_higher_rate_reaches_a_bar_and_a_lower_one_misses_it(side_by_side: ModuleType) -> None:
    assert figure(side_by_side, "per second", {"ours": 2.0}, ("ours", 1.0), ("ours", 3.0)) == [
        True,
        False,
    ]


def test_another_side_can_be_the_bar(side_by_side: ModuleType) -> None:
    assert figure(
        side_by_side,
        "seconds",
        {"ours": 2.0, "slow": 3.0, "quick": 1.0},
        ("ours", "slow"),
        ("ours", "quick"),
    ) == [True, False]


def test_a_bar_set_by_a_side_that_is_not_installed_is_not_judged(side_by_side: ModuleType) -> None:
    assert figure(side_by_side, "seconds", {"ours": 2.0}, ("ours", "absent")) == []


def test_a_side_that_was_not_measured_has_missed_its_bar(side_by_side: ModuleType) -> None:
    assert figure(side_by_side, "seconds", {"other": 1.0}, ("ours", 3.0)) == [False]


def test_sides_take_turns_and_the_first_batch_is_not_counted(side_by_side: ModuleType) -> None:
    order: list[str] = []

    def measure(name: str) -> float:
        order.append(name)
        return float(len(order))

    sides = side_by_side.interleave(
        {"a": lambda: measure("a"), "b": lambda: measure("b")}, batches=2, size=2
    )
    assert order == ["a", "a", "b", "b", "b", "b", "a", "a", "a", "a", "b", "b"]
    assert {side.name: side.batches for side in sides} == {
        "a": [[7.0, 8.0], [9.0, 10.0]],
        "b": [[5.0, 6.0], [11.0, 12.0]],
    }


def test_a_side_is_compared_with_itself_by_its_even_and_odd_batches(
    side_by_side: ModuleType,
) -> None:
    assert side_by_side.Side("a", [[1.0], [2.0], [1.0], [2.0]]).itself == 2.0
    assert side_by_side.Side("a", [[1.0]]).itself is None


def test_a_child_is_found_below_this_process_and_has_memory_of_its_own(
    processes: ModuleType,
) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        found = {process.pid: process for process in processes.descendants()}
        assert child.pid in found
        assert found[child.pid].parent == os.getpid()
        assert found[child.pid].private_bytes() > 0
        assert child.stdin is not None
        child.stdin.write(b"\n")


@pytest.mark.long
def test_figures_are_measured_and_written(tmp_path: Path) -> None:
    pytest.importorskip("numpy")
    pytest.importorskip("pandas")
    written = tmp_path / "figures.json"
    command = [
        sys.executable,
        str(BENCHMARKS / "sandbox.py"),
        "--quick",
        "--no-peers",
        "--only",
        "cell",
        "--only",
        "first",
        "--json",
        str(written),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "JailUnavailable" in done.stderr:
        pytest.skip(f"no jail here: {done.stderr.strip().splitlines()[-1]}")
    assert done.returncode == 0, done.stderr
    measured, first = json.loads(written.read_text())["figures"]
    assert measured["name"] == "cell"
    assert len(measured["sides"]["fumehood, jail"]["samples"]) == 100
    assert first["name"] == "first"
    assert [*first["sides"]] == ["python -c pass", "fumehood, created, first result, closed"]
    assert [len(side["samples"]) for side in first["sides"].values()] == [10, 10]
    assert [bar["line"].split(":")[0].split(maxsplit=1)[1] for bar in measured["bars"]] == [
        "fumehood, jail",
        "fumehood, jail, same text",
    ]
