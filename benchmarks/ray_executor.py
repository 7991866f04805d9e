"""What RayExecutor costs beyond a jail on this machine: until the first result, for one more
executor, and for each trip.

    python benchmarks/ray_executor.py                         everything; about two minutes
    python benchmarks/ray_executor.py --quick --only cell     one figure, soon and roughly
    python benchmarks/ray_executor.py --check --json FILE     exit code 1 if a bar is missed, and
                                                              every sample in a file

The cluster is one of a single node on this machine, started here; --address names another. What a
node far away adds is its distance: a cell takes one way there and one way back. How to read the
tables: benchmarks/sandbox.py.
"""

from __future__ import annotations

import argparse
import itertools
import os
import sys
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import command
from far_trips import until_answered, values
from round_trips import LOOP, add, must, shared_by
from side_by_side import Bar, Figure, Measure, interleave, timed

from fumehood import FumehoodError, Limits, LocalPythonExecutor, Policy, RayExecutor
from fumehood.ray.cluster import Cluster

CELL_BAR = 1.5e-3
CALL_BAR = 1.5e-3
MORE_BAR = 50e-3
POLICY = Policy(limits=Limits(cell_seconds=300))
JAIL = "a jail on this machine"
DIRECT, CALLS, TRIP = (
    "a node, by a direct line",
    "a node, by calls of its actor",
    "a call of an actor that does nothing",
)
NEEDED = {"ray": "the cluster"}


class Clusters:
    """The same cluster, reached by each way."""

    def __init__(self, address: str | None) -> None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        self.direct, self.calls = Cluster(address or "local", way="direct"), Cluster(way="calls")

    def executor(self, cluster: Cluster, **options: Any) -> RayExecutor:
        return RayExecutor(policy=POLICY, cluster=cluster, **options)


def first_result(clusters: Clusters, quick: bool) -> Figure:
    """From the constructor to the value of a cell; ending it is not measured."""
    with clusters.executor(clusters.direct) as before:
        must(before.run("1"))
        more = "one more executor on a node"
        sides = {
            more: until_answered(lambda: clusters.executor(clusters.direct)),
            JAIL: until_answered(lambda: LocalPythonExecutor(policy=POLICY)),
        }
        measured = interleave(sides, batches=2 if quick else 15, size=2)
    return Figure(
        "first",
        "From nothing to a result, where the node has an actor",
        "seconds",
        measured,
        (Bar(more, MORE_BAR),),
    )


def cells(clusters: Clusters, quick: bool) -> Figure:
    """A trivial cell, without a base to go back to: what that costs is in branching.py."""
    numbers = itertools.count()
    with ExitStack() as stack:
        one = stack.enter_context(clusters.executor(clusters.direct, on_fault="keep"))
        other = stack.enter_context(clusters.executor(clusters.calls, on_fault="keep"))
        local = stack.enter_context(LocalPythonExecutor(policy=POLICY, on_fault="keep"))
        node = one.node
        assert node is not None
        sides: dict[str, Measure] = {
            name: timed(lambda executor=executor: must(executor.run(f"x = {next(numbers)} + 1")))
            for name, executor in ((DIRECT, one), (CALLS, other), (JAIL, local))
        }
        sides[TRIP] = timed(lambda: node.call("about", seconds=60))
        measured = interleave(sides, batches=2 if quick else 20, size=20 if quick else 50)
    return Figure(
        "cell",
        "A trivial cell, round trip",
        "seconds",
        measured,
        (Bar(DIRECT, CELL_BAR), Bar(DIRECT, CALLS)),
    )


def calls(clusters: Clusters, quick: bool) -> Figure:
    """A loop of calls of a tool that adds two numbers; the time of the cell, divided by the
    calls."""
    count = 20 if quick else 100
    code = LOOP.format(calls=count)
    with ExitStack() as stack:
        there = stack.enter_context(clusters.executor(clusters.direct, on_fault="keep"))
        other = stack.enter_context(clusters.executor(clusters.calls, on_fault="keep"))
        local = stack.enter_context(LocalPythonExecutor(policy=POLICY, on_fault="keep"))
        sides: dict[str, Measure] = {}
        for name, executor in ((DIRECT, there), (CALLS, other), (JAIL, local)):
            executor.send_tools({"add": add})
            sides[name] = shared_by(
                count, timed(lambda executor=executor: must(executor.run(code)))
            )
        measured = interleave(sides, batches=2 if quick else 20, size=3)
    return Figure(
        "call", "A call of a driver's tool from code", "seconds", measured, (Bar(DIRECT, CALL_BAR),)
    )


def value_trips(clusters: Clusters, quick: bool) -> Figure:
    with clusters.executor(clusters.direct, on_fault="keep") as there:
        return values(there, quick)


FIGURES: dict[str, Callable[[argparse.Namespace], Figure]] = {
    "first": lambda options: first_result(options.clusters, options.quick),
    "cell": lambda options: cells(options.clusters, options.quick),
    "call": lambda options: calls(options.clusters, options.quick),
    "value": lambda options: value_trips(options.clusters, options.quick),
}


def main() -> int:
    parser = command.parser(__doc__ or "", FIGURES)
    parser.add_argument("--address", help="of a cluster that is there")
    options = command.parsed(parser, FIGURES, NEEDED)
    options.peers = False
    try:
        options.clusters = Clusters(options.address)
        return command.run(FIGURES, options)
    except FumehoodError as error:
        parser.error(str(error))


if __name__ == "__main__":
    sys.exit(main())
