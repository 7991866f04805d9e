"""What a sandbox costs, beside pydantic-monty, bubblewrap and docker where they are installed: one run, side by side, medians.

    python benchmarks/sandbox.py                        everything; some minutes
    python benchmarks/sandbox.py --quick --only cell    one figure, soon and roughly
    python benchmarks/sandbox.py --check --json FILE    exit code 1 if a bar is missed, and every sample in a file

Sides take turns, batch by batch. "ratio" is a median against that of the first side; "itself" is a side's even batches against its odd
ones, and so what a ratio is worth on this machine now. The speed of code itself is measured by benchmarks/language.py --place jail.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import json
import os
import platform
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import arrays
import fresh
import round_trips
from side_by_side import Figure

from fumehood.executors import zygotes

# The figures in the order they are measured. Many sandboxes at once come last: they leave the machine's caches in no state to go on.
FIGURES: dict[str, Callable[[argparse.Namespace], Figure]] = {
    "cell": lambda options: round_trips.cells(options.quick, options.peers),
    "call": lambda options: round_trips.calls(options.quick, options.peers),
    "gather": lambda options: round_trips.gathered_calls(options.quick, options.peers),
    "fresh": lambda options: fresh.starts(options.quick, options.peers, options.docker_image),
    "rate": lambda options: fresh.rates(options.quick),
    "memory": lambda options: fresh.memory(options.quick, options.peers),
    "array": lambda options: arrays.throughput(options.quick),
    "alive": lambda options: fresh.alive(options.quick),
}
PEER = "pydantic_monty"
NEEDED = ("numpy", "pandas")


def parse_arguments(arguments: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few samples and small sizes: whether it works, not how fast")
    parser.add_argument("--only", metavar="NAME", action="append", choices=FIGURES, help=f"one of {', '.join(FIGURES)}; may be repeated")
    parser.add_argument("--no-peers", dest="peers", action="store_false", help="leave out pydantic-monty")
    parser.add_argument("--docker-image", metavar="IMAGE", help="compare with `docker run` of this image, which must be here already")
    parser.add_argument("--json", metavar="FILE", type=Path, help="also write every sample to this file")
    parser.add_argument("--check", action="store_true", help="exit 1 when a bar is missed")
    options = parser.parse_args(arguments)
    if missing := [name for name in NEEDED if importlib.util.find_spec(name) is None]:
        parser.error(f"{' and '.join(missing)} must be installed: a sandbox without them is not the one that is claimed")
    options.peers = options.peers and importlib.util.find_spec(PEER) is not None
    options.only = [name for name in FIGURES if name in (options.only or FIGURES)]
    return options


def machine(options: argparse.Namespace) -> str:
    load = os.getloadavg()[0]
    peer = f"pydantic-monty {importlib.metadata.version('pydantic-monty')}" if options.peers else "without pydantic-monty"
    python = f"CPython {platform.python_version()}, Linux {platform.release()}, {os.cpu_count()} cores"
    return f"{python}, load {load:.1f}, {peer}{', QUICK: not for quoting' if options.quick else ''}"


def main() -> int:
    options = parse_arguments()
    headline = machine(options)
    print(headline, end="\n\n", flush=True)
    figures: list[Figure] = []
    started = time.monotonic()
    for name in options.only:
        figure = FIGURES[name](options)
        figures.append(figure)
        print(figure.text(), end="\n\n", flush=True)
    zygotes.close_all()
    verdicts = [verdict for figure in figures for verdict in figure.verdicts()]
    missed = sum(not passed for passed, _line in verdicts)
    print(f"{len(verdicts) - missed} of {len(verdicts)} bars reached, {time.monotonic() - started:.0f} s")
    if options.json:
        report: dict[str, Any] = {"machine": headline, "quick": options.quick, "figures": [figure.as_json() for figure in figures]}
        options.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return 1 if options.check and missed else 0


if __name__ == "__main__":
    sys.exit(main())
