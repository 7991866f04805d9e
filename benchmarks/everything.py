"""All benchmarks, one after the other: what `make bench` runs.

    python benchmarks/everything.py                     all of them, half an hour; writes
                                                        results.json and chart.svg beside this file
    python benchmarks/everything.py --quick             whether they work, some three minutes on a
                                                        quiet machine; writes quick-results.json
    python benchmarks/everything.py --only sandbox      some of them; the others keep what
                                                        results.json says of them
    python benchmarks/everything.py --check             exit code 1 if a bar is missed or a
                                                        benchmark has failed

Each runs in a process of its own, as it would alone, and prints as it goes. Those that compare with
others do so where the others are installed (the extra `bench`; docker, runsc and bwrap where they
are); one that cannot run here is left out, and its reason written down.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import results

HERE = Path(__file__).resolve().parent
CANNOT = 2
"""The exit code of a benchmark that lacks something here, and says what."""


@dataclass(frozen=True)
class Benchmark:
    """One row: a script, what it is given, what more with --quick, and what it is about."""

    name: str
    script: str
    about: str
    arguments: tuple[str, ...] = ()
    quickly: tuple[str, ...] = ()

    @property
    def command(self) -> str:
        return " ".join(["python", f"benchmarks/{self.script}", *self.arguments])


BENCHMARKS = (
    Benchmark("startup", "startup.py", "what an import costs"),
    Benchmark(
        "language",
        "language.py",
        "the speed of guarded code",
        quickly=("--max-seconds", "20", "--peer-seconds", "0.5"),
    ),
    Benchmark(
        "language in the jail",
        "language.py",
        "the same in the jail",
        # By the time that the cell's process was given: the sandbox to come is made meanwhile, on
        # the same core.
        ("--place", "jail", "--no-peers", "--clock", "cpu"),
        ("--only", "nbody", "--only", "matching", "--only", "strings"),
    ),
    Benchmark("sandbox", "sandbox.py", "trips, starts, memory, arrays"),
    Benchmark("programs", "programs.py", "programs in a sandbox"),
    Benchmark("branching", "branching.py", "snapshots, forks, pools"),
    Benchmark("agent", "agent.py", "an agent's own time"),
    Benchmark("audit", "audit.py", "what a log costs"),
    Benchmark(
        "validation",
        "validation.py",
        "what validators find, and cost",
        quickly=("--each", "10", "--planted", "2"),
    ),
    Benchmark("docker", "docker.py", "code in containers"),
    Benchmark(
        "server",
        "server.py",
        "cells a second of a server",
        quickly=("--only", "load", "--only", "alone"),
    ),
    Benchmark("e2b_executor", "e2b_executor.py", "code at a service"),
    Benchmark("ray_executor", "ray_executor.py", "code on a cluster"),
    Benchmark("fleet", "fleet.py", "cells on several machines"),
)

# Scripts that are no benchmarks of speed, with what they are instead.
NOT_RUN = {
    "acceptance.py": "compares what programs print with CPython",
    "soak.py": "looks for leaks, for as long as it is told to",
    "scale.py": "predicts, and measures nothing",
    "peers.py": "runs one program in another project's executor, for language.py",
    "plain.py": "plain CPython, for language.py",
    "chart.py": "draws what was measured",
    "everything.py": "runs the others",
}


def measure(benchmark: Benchmark, quick: bool) -> dict[str, Any]:
    """Run it, let it print, and give what results.collected takes."""
    print(f"\n==== {benchmark.name}: {benchmark.about}\n", flush=True)
    began = time.monotonic()
    told: dict[str, Any] = {"command": benchmark.command}
    if not (HERE / benchmark.script).exists():
        return {**told, "seconds": 0.0, "reason": f"{benchmark.script} is not here"}
    with tempfile.TemporaryDirectory() as directory:
        written = Path(directory) / "figures.json"
        command = [
            sys.executable,
            str(HERE / benchmark.script),
            *benchmark.arguments,
            "--json",
            str(written),
        ]
        command += ["--quick", *benchmark.quickly] if quick else []
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
        sys.stderr.write(done.stderr)
        told["seconds"] = time.monotonic() - began
        if written.exists():
            told["report"] = json.loads(written.read_text(encoding="utf-8"))
        if done.returncode:
            said = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
            told["reason"] = (
                said.partition("error: ")[2] or said
                if done.returncode == CANNOT
                else f"failed: {said}"
            )
    return told


def main() -> int:
    names = [benchmark.name for benchmark in BENCHMARKS]
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--quick",
        action="store_true",
        help="few samples and small sizes: whether it works, not how fast",
    )
    parser.add_argument(
        "--only",
        metavar="NAME",
        action="append",
        choices=names,
        help=f"one of {', '.join(names)}; may be repeated",
    )
    parser.add_argument(
        "--check", action="store_true", help="exit 1 when a bar is missed or a benchmark has failed"
    )
    parser.add_argument(
        "--json",
        metavar="FILE",
        type=Path,
        help="where the figures go (benchmarks/results.json; quick-results.json)",
    )
    parser.add_argument(
        "--chart",
        metavar="FILE",
        type=Path,
        help="where the chart goes (benchmarks/chart.svg; quick-chart.svg)",
    )
    options = parser.parse_args()
    # Figures that are not for quoting do not take the place of those that are.
    beside = "quick-" if options.quick else ""
    options.json = options.json or HERE / f"{beside}results.json"
    options.chart = options.chart or HERE / f"{beside}chart.svg"
    chosen = [benchmark for benchmark in BENCHMARKS if benchmark.name in (options.only or names)]
    began = time.monotonic()
    measured = {benchmark.name: measure(benchmark, options.quick) for benchmark in chosen}
    report = results.collected(measured, quick=options.quick, order=names, before=options.json)
    results.write(report, options.json)
    print(f"\n==== {time.monotonic() - began:.0f} s; the figures are in {options.json}", flush=True)
    draw(options.json, options.chart)
    is_short = summary(report)
    return 1 if options.check and is_short else 0


def draw(figures: Path, picture: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(HERE / "chart.py"), str(figures), str(picture)],
        capture_output=True,
        text=True,
        check=False,
    )
    print(
        done.stdout.strip()
        or f"no chart: {(done.stderr.strip().splitlines() or ['it was not drawn'])[-1]}"
    )


def summary(report: dict[str, Any]) -> bool:
    """Print what was missed and what could not run; whether a bar was missed or a benchmark has
    failed."""
    failed = False
    for name, one in report["benchmarks"].items():
        if reason := one.get("reason"):
            failed = failed or reason.startswith("failed: ")
            print(f"not measured: {name}: {reason}")
    bars = report["bars"]
    print(f"{bars['met']} of {bars['met'] + len(bars['missed'])} bars met")
    for line in bars["missed"]:
        print(f"MISSED {line}")
    return failed or bool(bars["missed"])


if __name__ == "__main__":
    sys.exit(main())
