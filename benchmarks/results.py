"""The files that benchmarks write with `--json`, collected into one: benchmarks/results.json.

    date, quick, machine, versions    when, how thoroughly, on what, and of what
    benchmarks                        by name: the command that repeats it, its seconds, and its
                                      figures, or why there are none
      figures                         name, title, unit, reference (the first side), and sides:
                                      median, ratio to the reference, the side
                                      against itself (what a ratio is worth here and now), the
                                      number of samples
      bars                            side, value, limit, who set it, and whether it was met
    bars                              how many were met, and the lines of those that were missed

Samples stay where they were: this file is for reading, for the chart and for the README.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

PACKAGES = (
    "fumehood",
    "smolagents",
    "pydantic-monty",
    "e2b-code-interpreter",
    "ray",
    "numpy",
    "pandas",
    "rich",
    "msgspec",
)
# Programs that others run code with, and what they say of their version.
PROGRAMS = {
    "docker": ("docker", "--version"),
    "runsc": ("runsc", "--version"),
    "bubblewrap": ("bwrap", "--version"),
}


def collected(
    measured: Mapping[str, Mapping[str, Any]], *, quick: bool, order: Sequence[str], before: Path
) -> dict[str, Any]:
    """All of it, in this order. `measured` has, by name, `command` and `seconds`, and either
    `report` (what a benchmark wrote) or `reason`. Those that were not measured now are as the file
    has them that was there before.
    """
    benchmarks: dict[str, Any] = dict(read(before)["benchmarks"]) if before.exists() else {}
    for name, one in measured.items():
        benchmarks[name] = {"command": one["command"], "seconds": round(one["seconds"], 1)}
        if "report" in one:
            benchmarks[name]["figures"] = [compact(figure) for figure in one["report"]["figures"]]
        if one.get("reason"):
            benchmarks[name]["reason"] = one["reason"]
    benchmarks = {name: benchmarks[name] for name in order if name in benchmarks}
    bars = [
        (bar["met"], f"{name}: {figure['title']}: {bar['line']}")
        for name, one in benchmarks.items()
        for figure in one.get("figures", ())
        for bar in figure["bars"]
    ]
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "quick": quick,
        "machine": machine(),
        "versions": versions(),
        "bars": {
            "met": sum(met for met, _line in bars),
            "missed": [line for met, line in bars if not met],
        },
        "benchmarks": benchmarks,
    }


def compact(figure: Mapping[str, Any]) -> dict[str, Any]:
    """A figure without its samples."""
    sides = figure["sides"]
    reference = next(iter(sides), None)
    base = sides[reference]["median"] if reference else None
    return {
        "name": figure["name"],
        "title": figure["title"],
        "unit": figure["unit"],
        "reference": reference,
        "sides": {
            name: {
                "median": rounded(side["median"]),
                "ratio": rounded(side["median"] / base) if base else None,
                "itself": rounded(side["itself"]),
                "samples": len(side["samples"]),
            }
            for name, side in sides.items()
        },
        "bars": [
            {
                "side": bar["side"],
                "value": rounded(bar["value"]),
                "limit": rounded(bar["limit"]),
                "against": bar["against"],
                "met": bar["passed"],
                "line": bar["line"].split(maxsplit=1)[1],
            }
            for bar in figure["bars"]
        ],
        "notes": figure["notes"],
    }


def rounded(value: float | None) -> float | None:
    """Four digits that count: more is noise, and a diff nobody reads."""
    return None if value is None else float(f"{value:.4g}")


def machine() -> dict[str, Any]:
    cpu = re.search(r"^model name\s*:\s*(.+)$", _text("/proc/cpuinfo"), re.MULTILINE)
    memory = re.search(r"^MemTotal:\s*(\d+)", _text("/proc/meminfo"), re.MULTILINE)
    return {
        "processor": cpu[1] if cpu else platform.machine(),
        "cores": len(os.sched_getaffinity(0)),
        "memory_gb": round(int(memory[1]) / 1e6, 1) if memory else None,
        "kernel": platform.release(),
        "load": round(os.getloadavg()[0], 1),
    }


def versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    for name, command in PROGRAMS.items():
        if shutil.which(command[0]):
            told = subprocess.run(command, capture_output=True, text=True, check=False).stdout
            if number := re.search(r"\d+(\.\d+)+", told):
                found[name] = number[0]
    return found


def write(results: Mapping[str, Any], path: Path) -> None:
    path.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def read(path: Path) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return read


def _text(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError:
        return ""
