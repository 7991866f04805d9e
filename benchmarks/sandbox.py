"""What a sandbox costs, beside pydantic-monty, bubblewrap and docker where they are installed: one
run, side by side, medians.

    python benchmarks/sandbox.py                        everything; some minutes
    python benchmarks/sandbox.py --quick --only cell    one figure, soon and roughly
    python benchmarks/sandbox.py --check --json FILE    exit code 1 if a bar is missed, and every
                                                        sample in a file

Sides take turns, batch by batch. "ratio" is a median against that of the first side; "itself" is a
side's even batches against its odd ones, and so what a ratio is worth on this machine now. The
speed of code itself is measured by benchmarks/language.py --place jail.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

import arrays
import command
import fresh
import round_trips
from side_by_side import Figure

# The figures in the order they are measured. Many sandboxes at once come last: they leave the
# machine's caches in no state to go on.
FIGURES: dict[str, Callable[[argparse.Namespace], Figure]] = {
    "cell": lambda options: round_trips.cells(options.quick, options.peers),
    "call": lambda options: round_trips.calls(options.quick, options.peers),
    "gather": lambda options: round_trips.gathered_calls(options.quick, options.peers),
    "first": lambda options: fresh.first_results(options.quick),
    "short": lambda options: fresh.short_programs(options.quick),
    "cpu": lambda options: fresh.cpu_time(options.quick),
    "fresh": lambda options: fresh.starts(options.quick, options.peers, options.docker_image),
    "rate": lambda options: fresh.rates(options.quick),
    "memory": lambda options: fresh.memory(options.quick, options.peers),
    "array": lambda options: arrays.throughput(options.quick),
    "alive": lambda options: fresh.alive(options.quick),
}
LIBRARIES = "a sandbox without it is not the one that is claimed"
NEEDED = {"numpy": LIBRARIES, "pandas": LIBRARIES}


def main() -> int:
    parser = command.parser(__doc__ or "", FIGURES)
    parser.add_argument(
        "--docker-image",
        metavar="IMAGE",
        help="compare with `docker run` of this image, which must be here already",
    )
    return command.run(FIGURES, command.parsed(parser, FIGURES, NEEDED))


if __name__ == "__main__":
    sys.exit(main())
