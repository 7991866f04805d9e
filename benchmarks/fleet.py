"""What a fleet costs: cells a second on one and two simulated nodes, beside a local pool and beside
one plain Ray task for each cell.

    python benchmarks/fleet.py                              everything; some minutes
    python benchmarks/fleet.py --only short --check         exit code 1 if a bar is missed
    python benchmarks/fleet.py --model benchmarks/fleet.json    also writes the figures that
                                                                benchmarks/scale.py predicts from

Both nodes are on this machine (ray.cluster_utils.Cluster), and so are the driver and all of Ray:
they share its processors with the cells, which those of a pool do not have to. Every side runs as
many cells at once as the machine has processors. Each cell has a fresh sandbox, in a pool as in a
fleet; a Ray task has none, and runs in a process that ran others before. A wrong value ends the
benchmark. How to read the tables: benchmarks/sandbox.py.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
os.environ["PYTHONPATH"] = os.pathsep.join(
    filter(None, sys.path)
)  # for the nodes: what is importable here is there

import command
import processes
from side_by_side import Bar, Figure, Measure, Side, interleave, once, shown

from fumehood import ExecutorPool, Fleet, LocalPythonExecutor
from fumehood.fleet.engine import Engine
from fumehood.fleet.links import Link
from fumehood.fleet.ray_links import RayLink
from fumehood.fleet.runs import Run
from fumehood.ray.cluster import Node

SLOTS = os.cpu_count() or 1
SHORT, LONG = 0.005, 0.05
FACTOR = 0.7
CELL = "count = 0\nfor _ in range({loops}):\n    count += 1\ncount"
POOL, ONE, TWO, TASKS = (
    "local pool",
    "Fleet, 1 node",
    "Fleet, 2 nodes",
    "one Ray task for each cell, exec alone",
)
BAR = f"{FACTOR:.0%} of the local pool"
FIRST = {"first": 0.001}
"""A resource that the first of the two nodes has."""
NEEDED = {"ray": "a fleet is on a Ray cluster: pip install 'fumehood[ray]'"}


class Ground:
    """A cluster of two nodes and the fleets on it, made when first needed."""

    def __init__(self) -> None:
        self.stack = ExitStack()
        self._made: dict[str, Any] = {}

    def has(self, name: str, make: Callable[[], Any]) -> Any:
        if name not in self._made:
            self._made[name] = make()
        return self._made[name]

    @property
    def address(self) -> str:
        return str(self.has("cluster", self._cluster).address)

    def _cluster(self) -> Any:
        import ray
        from ray.cluster_utils import Cluster

        half = max(SLOTS // 2, 1)
        small = {"object_store_memory": 80 << 20, "include_dashboard": False, "num_cpus": half}
        made = Cluster(initialize_head=True, head_node_args={**small, "resources": {"first": 1}})
        self.stack.callback(made.shutdown)
        made.add_node(**small)
        self.stack.callback(ray.shutdown)
        ray.init(address=made.address, log_to_driver=False, logging_level="ERROR")
        return made

    def fleet(self, nodes: int) -> Fleet:
        def make() -> Fleet:
            per_node, resources = (SLOTS, FIRST) if nodes == 1 else (max(SLOTS // 2, 1), None)
            made = self.stack.enter_context(
                Fleet(self.address, per_node=per_node, resources=resources)
            )
            until = time.monotonic() + 120
            while len(made.metrics().nodes) < nodes:
                if time.monotonic() > until:
                    raise RuntimeError("a node of the cluster does not come")
                time.sleep(0.05)
            return made

        made: Fleet = self.has(f"fleet of {nodes}", make)
        return made

    @property
    def pool(self) -> ExecutorPool:
        def make() -> ExecutorPool:
            pool = ExecutorPool(
                SLOTS,
                max_size=3 * SLOTS + 2,
                make=lambda policy: LocalPythonExecutor(policy=policy, on_fault="keep"),
            )
            return self.stack.enter_context(pool)

        made: ExecutorPool = self.has("pool", make)
        return made


GROUND = Ground()
MODEL: dict[str, Any] = {"cores": SLOTS, "rates": {}}


# -- cells a second


def cell(seconds: float) -> tuple[str, int]:
    """A cell that computes for so long on this machine, when nothing else does, and its value."""
    best = 1e9
    for _ in range(7):
        started = time.process_time()  # not the clock's: the machine may be busy
        exec(CELL.format(loops=200_000), {})
        best = min(best, time.process_time() - started)
    loops = max(int(200_000 * seconds / best), 1)
    return CELL.format(loops=loops), loops


def in_pool(code: str, value: int, number: int) -> float:
    pool = GROUND.pool

    def one(_: int) -> None:
        with pool.checkout() as executor:
            must(executor.run(code).value, value)

    started = time.perf_counter()
    with ThreadPoolExecutor(SLOTS) as threads:
        list(threads.map(one, range(number)))
    return number / (time.perf_counter() - started)


def in_fleet(nodes: int, code: str, value: int, number: int) -> float:
    fleet = GROUND.fleet(nodes)
    started = time.perf_counter()
    for result in fleet.run_all(code, range(number), in_order=False, progress=False):
        must(result.value, value)
    return number / (time.perf_counter() - started)


def in_tasks(code: str, value: int, number: int) -> float:
    import ray

    assert GROUND.address

    def plain(text: str) -> object:
        names: dict[str, Any] = {}
        exec(text, names)
        return names["count"]

    task = GROUND.has("task", lambda: ray.remote(num_cpus=1)(plain))
    started = time.perf_counter()
    for found in ray.get([task.remote(code) for _ in range(number)]):
        must(found, value)
    return number / (time.perf_counter() - started)


def must(found: object, value: object) -> None:
    if found != value:
        raise RuntimeError(f"a cell gave {found!r}, which is wrong")


def rates(name: str, seconds: float, options: argparse.Namespace) -> Figure:
    code, value = cell(seconds)
    number = 20 if options.quick else max(int(0.4 * SLOTS / (seconds + 0.005)), 20)
    sides: dict[str, Measure] = {
        POOL: partial(in_pool, code, value, number),
        ONE: partial(in_fleet, 1, code, value, number),
        TWO: partial(in_fleet, 2, code, value, number),
        TASKS: partial(in_tasks, code, value, number),
    }
    for measure in sides.values():
        measure()  # clusters and pools are made
    measured = interleave(sides, batches=2 if options.quick else 7)
    by_name = {side.name: side for side in measured}
    MODEL["rates"][str(seconds)] = {
        key: by_name[name].median for key, name in (("pool", POOL), ("1", ONE), ("2", TWO))
    }
    measured.append(
        Side(BAR, [[FACTOR * sample for sample in batch] for batch in by_name[POOL].batches])
    )
    title = f"Cells of {shown(seconds, 'seconds')}, each in a fresh sandbox, {SLOTS} at once"
    notes = [
        "best of each:"
        f" {', '.join(f'{side.name} {best(side) / best(by_name[POOL]):.2f}x' for side in measured[1:4])}"  # noqa: E501
    ]
    return Figure(name, title, "per second", measured, (Bar(ONE, BAR), Bar(TWO, BAR)), notes)


def best(side: Side) -> float:
    """What the machine can do when nobody else uses it: noise only takes away."""
    return max(side.samples)


# -- what the driver and a node spend on an item


class Idle(RayLink):
    """A node whose actor runs nothing (nothing.py)."""

    part = "nothing:Nothing"

    async def close(self) -> None:
        pass


class Nowhere:
    """One such node."""

    is_starting = False

    def __init__(self, node: Node) -> None:
        link = Idle(node, "", 64)
        link._host = node.host
        self._links = [link]

    async def links(self) -> Sequence[Link]:
        return self._links

    def lost(self, link: Link) -> None:
        raise RuntimeError("the node was lost")

    async def close(self) -> None:
        pass


def driver(options: argparse.Namespace) -> Figure:
    """Processor time of this process for one item; for one exchange with a node; and that of the
    actor there."""
    number = 500 if options.quick else 5000
    fleet = GROUND.fleet(1)
    link: Any = next(iter(fleet._engine._links.values()))
    engine = Engine(Nowhere(link.node))

    def items() -> float:
        run = Run(engine, "input + 1", range(number), None)
        before = time.process_time()
        must(sum(1 for _ in run.results()), number)
        return (time.process_time() - before) / number

    import ray

    actor = ray.get(link._host.about.remote())["pid"]
    calls = 20 if options.quick else 200

    def exchanges(clock: Callable[[], float]) -> Measure:
        async def ask() -> None:
            for _ in range(calls):
                await link.exchange([], 0.0, 1, 1)

        def measure() -> float:
            before = clock()
            asyncio.run(ask())
            return (clock() - before) / calls

        return measure

    item, there, wall, here = (
        "an item, driver",
        "an exchange, actor",
        "an exchange, until it is answered",
        "an exchange, driver",
    )
    sides: dict[str, Measure] = {
        item: items,
        here: exchanges(time.process_time),
        there: exchanges(lambda: spent_by(actor)),
        wall: exchanges(time.perf_counter),
    }
    measured = interleave(sides, batches=2 if options.quick else 7)
    engine.stop()
    least = {side.name: min(side.samples) for side in measured}
    MODEL.update(
        driver_item=least[item],
        exchange_driver=least[here],
        exchange_node=least[there],
        exchange_wall=least[wall],
    )
    notes = [
        f"so a driver hands out and takes in at most {1 / least[item]:,.0f} items a second, or"
        f" hears of nodes {1 / least[here]:,.0f} times"
    ]
    return Figure(
        "driver", "What is spent beside the cells, processor time", "seconds", measured, (), notes
    )


def spent_by(pid: int, *, with_children: bool = False) -> float:
    """Processor time of a process, in seconds, and of those of its children that are dead."""
    fields = (processes.PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11 : 15 if with_children else 13])) / os.sysconf("SC_CLK_TCK")


def spent_by_sandboxes() -> float:
    """Processor time of all zygotes of this process and of what they have started."""
    spent = 0.0
    for worker in processes.workers():
        for process in (worker.supervisor, *processes.descendants(worker.supervisor.pid)):
            with contextlib.suppress(OSError):  # it has just ended, and its parent has its time
                spent += spent_by(process.pid, with_children=True)
    return spent


def node(options: argparse.Namespace) -> Figure:
    """What an item costs the process that holds a node's sandboxes, and all of it together, beside
    the cell itself."""
    number = 20 if options.quick else 100

    def item(clock: Callable[[], float]) -> Measure:
        def measure() -> float:
            before = clock()
            in_pool("count = 1\ncount", 1, number)
            return (clock() - before) / number

        return measure

    sides = {
        "the host's process": item(time.process_time),
        "that and all processes of sandboxes": item(
            lambda: time.process_time() + spent_by_sandboxes()
        ),
    }
    measured = interleave(sides, batches=2 if options.quick else 7)
    MODEL.update(host_item=min(measured[0].samples), item_overhead=min(measured[1].samples))
    notes = [
        f"so one node runs at most {1 / MODEL['host_item']:,.0f} items a second, however many"
        " processors it has"
    ]
    return Figure(
        "node",
        "An item with a cell that does nothing, in a fresh sandbox: processor time",
        "seconds",
        measured,
        (),
        notes,
    )


def memory(options: argparse.Namespace) -> Figure:
    with ExitStack() as stack:
        sandboxes = [
            stack.enter_context(LocalPythonExecutor(on_fault="keep"))
            for _ in range(4 if options.quick else 20)
        ]
        for sandbox in sandboxes:
            must(sandbox.run("x = 1\nx").value, 1)
        found = [
            runner.private_bytes() for worker in processes.workers() for runner in worker.runners
        ]
    side = Side("after a cell", once(found))
    MODEL["sandbox_bytes"] = side.median
    return Figure("memory", "Private memory of one sandbox", "bytes", [side])


FIGURES = {
    "short": partial(rates, "short", SHORT),
    "long": partial(rates, "long", LONG),
    "driver": driver,
    "node": node,
    "memory": memory,
}


def main() -> int:
    parser = command.parser(__doc__ or "", FIGURES)
    parser.add_argument(
        "--model",
        metavar="FILE",
        type=Path,
        help="write what benchmarks/scale.py predicts from; needs every figure",
    )
    options = command.parsed(parser, FIGURES, NEEDED)
    if options.model and len(options.only) < len(FIGURES):
        parser.error("--model needs every figure: leave out --only")
    with GROUND.stack:
        code = command.run(FIGURES, options)
        if options.model:
            options.model.write_text(
                json.dumps({"machine": command.machine(options), **MODEL}, indent=1) + "\n",
                encoding="utf-8",
            )
    return code


if __name__ == "__main__":
    sys.exit(main())
