"""What benchmarks have measured is collected, judged, drawn and summed up rightly. How fast
anything is, is not tested."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
MODULES = ("everything", "chart", "results", "side_by_side", "command")


@pytest.fixture
def modules(script: Callable[[str], ModuleType]) -> dict[str, ModuleType]:
    return {name: script(name) for name in MODULES}


def report(
    modules: dict[str, ModuleType], tmp_path: Path, *, ours: float = 50e-6, theirs: float = 200e-6
) -> dict[str, Any]:
    """What sandbox.py would write, of one figure with small samples, as results has it."""
    make = modules["side_by_side"]
    sides = [
        make.Side("fumehood, jail", [[ours], [ours * 1.1]]),
        make.Side("pydantic-monty", [[theirs]]),
    ]
    figure = make.Figure(
        "call",
        "A call",
        "seconds",
        sides,
        (make.Bar("fumehood, jail", 80e-6), make.Bar("fumehood, jail", "pydantic-monty")),
    )
    written = tmp_path / "figures.json"
    modules["command"].write(written, "a machine", True, [figure])
    return {
        "sandbox": {
            "command": "python benchmarks/sandbox.py",
            "seconds": 1.23,
            "report": json.loads(written.read_text()),
        }
    }


def collected(
    modules: dict[str, ModuleType], measured: dict[str, Any], before: Path
) -> dict[str, Any]:
    found: dict[str, Any] = modules["results"].collected(
        measured, quick=True, order=["startup", "sandbox", "docker"], before=before
    )
    return found


def test_a_figure_is_kept_with_its_reference_ratio_bars_and_machine(
    modules: dict[str, ModuleType], tmp_path: Path
) -> None:
    results = collected(modules, report(modules, tmp_path), tmp_path / "none.json")
    (figure,) = results["benchmarks"]["sandbox"]["figures"]
    assert (figure["reference"], figure["unit"]) == ("fumehood, jail", "seconds")
    assert figure["sides"]["pydantic-monty"] == {
        "median": 0.0002,
        "ratio": 3.81,
        "itself": None,
        "samples": 1,
    }
    own, other = figure["bars"]
    assert (own["limit"], own["against"], own["met"]) == (80e-6, "", True)
    assert (other["limit"], other["against"], other["met"]) == (200e-6, "pydantic-monty", True)
    assert results["bars"] == {"met": 2, "missed": []}
    assert (
        results["versions"]["python"] == sys.version.split()[0] and results["machine"]["cores"] >= 1
    )


def test_a_missed_bar_is_named_with_its_benchmark_and_its_figure(
    modules: dict[str, ModuleType], tmp_path: Path
) -> None:
    results = collected(modules, report(modules, tmp_path, ours=100e-6), tmp_path / "none.json")
    assert results["bars"]["missed"] == [
        "sandbox: A call: fumehood, jail: 105 µs, bar at most 80.0 µs"
    ]


def test_what_was_not_measured_now_is_as_it_was_and_in_its_order(
    modules: dict[str, ModuleType], tmp_path: Path
) -> None:
    before = tmp_path / "results.json"
    modules["results"].write(
        collected(modules, report(modules, tmp_path, ours=100e-6), tmp_path / "none.json"), before
    )
    startup = {"startup": {"command": "…", "seconds": 0.0, "reason": "failed: boom"}}
    results = collected(modules, startup, before)
    assert [*results["benchmarks"]] == ["startup", "sandbox"]
    assert len(results["bars"]["missed"]) == 1


def test_a_missed_bar_or_a_failure_is_what_check_is_about_and_a_lack_is_not(
    modules: dict[str, ModuleType], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, missed = report(modules, tmp_path), report(modules, tmp_path, ours=100e-6)
    lacking = {
        **good,
        "docker": {
            "command": "…",
            "seconds": 0.0,
            "reason": "the command `docker` must be installed",
        },
    }
    failed = {**good, "docker": {"command": "…", "seconds": 0.0, "reason": "failed: boom"}}
    summary = modules["everything"].summary
    nothing = tmp_path / "none.json"
    assert [
        summary(collected(modules, measured, nothing))
        for measured in (good, missed, lacking, failed)
    ] == [False, True, False, True]
    printed = capsys.readouterr().out
    assert "MISSED sandbox: A call: fumehood, jail: 105 µs" in printed
    assert "not measured: docker: the command `docker` must be installed" in printed


def test_the_chart_shows_the_sides_and_is_the_same_each_time(
    modules: dict[str, ModuleType], tmp_path: Path
) -> None:
    pytest.importorskip("matplotlib")
    source = tmp_path / "results.json"
    modules["results"].write(
        collected(modules, report(modules, tmp_path), tmp_path / "none.json"), source
    )
    (row,) = modules["chart"].rows(modules["results"].read(source))
    assert (row.what, row.others, row.ratio) == (
        "a host's tool, called from code",
        {"Monty": 0.0002},
        "3.8x",
    )
    pictures = []
    for name in ("first.svg", "second.svg"):
        command = [sys.executable, str(BENCHMARKS / "chart.py"), str(source), str(tmp_path / name)]
        subprocess.run(command, check=True, capture_output=True)
        pictures.append((tmp_path / name).read_bytes())
    assert pictures[0] == pictures[1] and pictures[0].startswith(b"<?xml")


def test_every_script_is_run_or_is_said_to_be_something_else(
    modules: dict[str, ModuleType],
) -> None:
    everything = modules["everything"]
    programs = {
        path.name
        for path in BENCHMARKS.glob("*.py")
        if 'if __name__ == "__main__":' in path.read_text()
    }
    assert programs <= {benchmark.script for benchmark in everything.BENCHMARKS} | {
        *everything.NOT_RUN
    }


def test_a_benchmark_that_lacks_something_gives_its_reason(
    modules: dict[str, ModuleType], monkeypatch: pytest.MonkeyPatch
) -> None:
    everything = modules["everything"]
    told = everything.measure(
        everything.Benchmark("docker", "docker.py", "containers", ("--only", "nothing")), True
    )
    assert "report" not in told and told["reason"].startswith("argument --only: invalid choice")
