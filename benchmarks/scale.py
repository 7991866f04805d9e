"""What a cluster of many nodes would do: a simulation whose inputs are figures that
benchmarks/fleet.py has measured.

    python benchmarks/scale.py                          the table of docs/scale.md, and how far the
                                                        model is from what was measured
    python benchmarks/scale.py --nodes 50 --cores 64 --cells 0.2     one size of one's own
    python benchmarks/scale.py --model FILE             other figures than benchmarks/fleet.json
    python benchmarks/scale.py --write docs/scale.md    the same, into the page

Events are simulated one by one. The schedule is the fleet's own, not a model of it. What is
modelled: processors, which are shared fairly by whatever needs them; the driver, which does one
thing at a time; the process that holds a node's sandboxes, which does so too for its part of an
item; and the way between them. Cells take between half and one and a half times what is said, by
chance, the same each time. The network is taken to be as fast as loopback was, and nodes to be
alike.

For one and two nodes the same model is asked what was measured: everything on one machine, whose
processors all of it shares. How much of them there was to be had meanwhile is told by the local
pool that was measured in turn with them: its cells a second, each with what it takes of a
processor.
"""

from __future__ import annotations

import argparse
import heapq
import itertools
import json
import random
import sys
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fumehood.fleet.schedule import Item, Order, Schedule

HERE = Path(__file__).resolve().parent
NODES = (10, 100, 1000)
CELLS = (0.005, 0.1, 1.0, 10.0)
CORES = 16


class Clock:
    """Simulated time, and what happens when."""

    def __init__(self) -> None:
        self.now = 0.0
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._order = itertools.count()

    def after(self, seconds: float, action: Callable[[], None]) -> None:
        heapq.heappush(self._events, (self.now + seconds, next(self._order), action))

    def run(self, is_over: Callable[[], bool]) -> None:
        while self._events and not is_over():
            self.now, _, action = heapq.heappop(self._events)
            action()


class Machine:
    """Processors that are shared fairly. Everybody advances at the same rate, so the first to
    finish is the one with the least left: a clock that goes at that rate tells when."""

    def __init__(self, clock: Clock, cores: float) -> None:
        self._clock, self._cores = clock, cores
        self._progress = 0.0
        self._seen = 0.0
        self._jobs: list[tuple[float, int, Callable[[], None]]] = []
        self._order = itertools.count()
        self._turn = 0
        self.busy = 0.0
        """Processor time that was used."""

    def work(self, seconds: float, then: Callable[[], None]) -> None:
        self._advance()
        heapq.heappush(self._jobs, (self._progress + seconds, next(self._order), then))
        self._look_ahead()

    def _rate(self) -> float:
        return min(1.0, self._cores / len(self._jobs)) if self._jobs else 0.0

    def _advance(self) -> None:
        passed = self._clock.now - self._seen
        self._progress += passed * self._rate()
        self.busy += passed * self._rate() * len(self._jobs)
        self._seen = self._clock.now

    def _look_ahead(self) -> None:
        self._turn += 1
        if self._jobs:
            turn = self._turn
            self._clock.after(
                max(self._jobs[0][0] - self._progress, 0) / self._rate(), lambda: self._finish(turn)
            )

    def _finish(self, turn: int) -> None:
        if turn != self._turn:
            return  # somebody came or went meanwhile
        self._advance()
        _, _, then = heapq.heappop(self._jobs)
        self._look_ahead()
        then()


class Lane:
    """One thing at a time, in order, on some machine."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._waiting: deque[tuple[float, Callable[[], None]]] = deque()
        self._is_busy = False

    def work(self, seconds: float, then: Callable[[], None]) -> None:
        self._waiting.append((seconds, then))
        if not self._is_busy:
            self._next()

    def _next(self) -> None:
        self._is_busy = bool(self._waiting)
        if self._waiting:
            seconds, then = self._waiting.popleft()
            self._machine.work(seconds, lambda: self._done(then))

    def _done(self, then: Callable[[], None]) -> None:
        then()
        self._next()


@dataclass(frozen=True)
class Costs:
    """Seconds, as they were measured."""

    driver_item: float
    exchange_driver: float
    exchange_node: float
    exchange_wall: float
    host_item: float
    item_overhead: float

    @classmethod
    def of(cls, model: dict[str, Any]) -> Costs:
        return cls(**{name: model[name] for name in cls.__dataclass_fields__})


class Node:
    """What fleet/workshop.py does, with time in place of work: slots, a queue, and answers that
    wait a moment for more."""

    def __init__(
        self, name: str, slots: int, machine: Machine, clock: Clock, costs: Costs, cell: float
    ) -> None:
        self.name, self._slots = name, slots
        self._machine, self._clock, self._costs, self._cell = machine, clock, costs, cell
        self._chance = random.Random(name)
        self._host = Lane(machine)
        self._waiting: deque[int] = deque()
        self._running = 0
        self._done: list[tuple[int, float]] = []
        self._asking: Callable[[list[tuple[int, float]]], None] | None = None
        self._linger, self._low = 0.0, 1
        self._is_lingering = False

    def exchange(
        self,
        numbers: list[int],
        linger: float,
        low: int,
        answer: Callable[[list[tuple[int, float]]], None],
    ) -> None:
        self._machine.work(self._costs.exchange_node, lambda: None)
        if self._asking is not None:
            self._answer()  # relieved
        self._waiting.extend(numbers)
        self._asking, self._linger, self._low = answer, linger, low
        self._begin()
        self._look()

    def _begin(self) -> None:
        while self._waiting and self._running < self._slots:
            self._running += 1
            self._run(self._waiting.popleft(), self._clock.now)

    def _run(self, number: int, began: float) -> None:
        rest = max(
            self._costs.item_overhead - self._costs.host_item, 0
        ) + self._cell * self._chance.uniform(0.5, 1.5)
        self._host.work(
            self._costs.host_item,
            lambda: self._machine.work(rest, lambda: self._end(number, began)),
        )

    def _end(self, number: int, began: float) -> None:
        self._running -= 1
        self._done.append((number, self._clock.now - began))
        self._begin()
        self._look()

    def _look(self) -> None:
        if self._asking is None or not self._done:
            return
        if len(self._waiting) < self._low:
            self._answer()
        elif not self._is_lingering:
            self._is_lingering = True
            asked = self._asking
            self._clock.after(
                self._linger, lambda: self._answer() if self._asking is asked else None
            )

    def _answer(self) -> None:
        answer, self._asking, self._is_lingering = self._asking, None, False
        done, self._done = self._done, []
        assert answer is not None
        answer(done)


@dataclass(frozen=True)
class Prediction:
    rate: float
    """Items a second."""
    driver: float
    """The part of the time that the driver is at work."""
    cells: float
    """The part of all processors' time that goes to the cells themselves."""


def simulate(
    costs: Costs,
    *,
    nodes: int,
    cores: int,
    cell: float,
    shared: float | None = None,
    items: int | None = None,
) -> Prediction:
    """What nodes of so many processors do with cells of so many seconds. `shared` says that all of
    it, the driver included, is on one machine with so many processors."""
    clock = Clock()
    one = Machine(clock, shared) if shared else None
    driver_machine = one or Machine(clock, 1)
    driver = Lane(driver_machine)
    schedule: Schedule[int] = Schedule()
    order: Order[int] = Order(in_order=False)
    workers = {
        str(n): Node(str(n), cores, one or Machine(clock, cores), clock, costs, cell)
        for n in range(nodes)
    }
    for name in workers:
        schedule.joined(name, cores)
    wanted = items or min(max(4000, 4 * nodes * cores), 80_000)
    indices = itertools.count()
    taken = done = 0
    spent = 0.0
    half: tuple[int, float, float] | None = None

    def hand_out() -> None:
        nonlocal taken
        while taken - done < schedule.reserve and len(schedule.waiting) < 2 * cores * nodes:
            schedule.submit(Item(order, next(indices), b""))
            taken += 1
        for name, handed in schedule.assign().items():
            ask(name, [item.number for item in handed])

    def ask(name: str, numbers: list[int]) -> None:
        schedule.asked(name)
        books = schedule.nodes[name]
        linger, low = books.pace.linger, books.low

        def sent() -> None:
            nonlocal spent
            spent += costs.exchange_driver
            clock.after(
                costs.exchange_wall / 2,
                lambda: workers[name].exchange(
                    numbers, linger, low, lambda found: answer(name, found)
                ),
            )

        driver.work(costs.exchange_driver, sent)

    def answer(name: str, found: list[tuple[int, float]]) -> None:
        seconds = costs.driver_item * len(found)
        clock.after(
            costs.exchange_wall / 2, lambda: driver.work(seconds, lambda: take_in(name, found))
        )

    def take_in(name: str, found: list[tuple[int, float]]) -> None:
        nonlocal done, half, spent
        spent += costs.driver_item * len(found)
        schedule.answered(name)
        for number, seconds in found:
            if schedule.finished(name, number, seconds) is not None:
                done += 1
        if half is None and done >= wanted // 2:
            half = done, clock.now, spent
        hand_out()
        if schedule.is_unheard(name):
            ask(name, [])

    hand_out()
    clock.run(lambda: done >= wanted)
    assert half is not None
    seconds = clock.now - half[1]
    rate = (done - half[0]) / seconds
    return Prediction(
        rate, min((spent - half[2]) / seconds, 1.0), rate * cell / (shared or nodes * cores)
    )


def deviations(model: dict[str, Any]) -> list[str]:
    """The model, asked what was measured, beside that."""
    costs = Costs.of(model)
    lines = []
    for text, rates in model["rates"].items():
        cell = float(text)
        had = rates["pool"] * (costs.item_overhead + cell)
        lines.append(
            f"cells of {cell * 1000:g} ms: {had:.2f} of {model['cores']} processors were to be had"
        )
        for nodes in (1, 2):
            slots = model["cores"] if nodes == 1 else max(model["cores"] // 2, 1)
            predicted = simulate(
                costs, nodes=nodes, cores=slots, cell=cell, shared=had, items=2000
            ).rate
            what = f"  {nodes} node{'s' if nodes > 1 else ''} on one machine"
            measured = rates[str(nodes)]
            lines.append(
                f"{what}: predicted {predicted:.1f}/s, measured {measured:.1f}/s,"
                f" {predicted / measured - 1:+.0%}"
            )
    return lines


def limit(prediction: Prediction, costs: Costs, cell: float, cores: int) -> str:
    if prediction.driver > 0.9:
        return "the driver"
    if cores / (costs.item_overhead + cell) > 0.9 / costs.host_item:
        return "the nodes' hosts"
    return "processors"


def table(costs: Costs, nodes: tuple[int, ...], cells: tuple[float, ...], cores: int) -> list[str]:
    lines = [
        "| cells of | nodes | cells a second | of all processors at cells | driver | limited by |",
        "|---|---|---|---|---|---|",
    ]
    for cell in cells:
        for number in nodes:
            made = simulate(costs, nodes=number, cores=cores, cell=cell)
            parts = (
                f"{cell:g} s",
                f"{number:,}",
                f"{made.rate:,.0f}",
                f"{made.cells:.0%}",
                f"{made.driver:.0%}",
                limit(made, costs, cell, cores),
            )
            lines.append(f"| {' | '.join(parts)} |")
    return lines


def measured(model: dict[str, Any]) -> list[str]:
    """The figures that the model is made of."""
    cores = model["cores"]
    rows = [
        (
            (
                f"cells of {float(cell) * 1000:g} ms, each in a fresh sandbox, a second and"
                f" processor: {what}"
            ),
            f"{rates[key] / cores:.0f}",
        )
        for cell, rates in model["rates"].items()
        for key, what in (
            ("pool", "local pool"),
            ("1", "fleet of one node"),
            ("2", "fleet of two nodes"),
        )
    ]
    rows += [
        (
            "an item beside its cells, on its node: processor time",
            f"{model['item_overhead'] * 1e3:.1f} ms",
        ),
        (
            "of that, in the one process that holds the node's sandboxes",
            f"{model['host_item'] * 1e3:.1f} ms",
        ),
        ("an item, in the driver", f"{model['driver_item'] * 1e6:.0f} µs"),
        ("an exchange with a node, in the driver", f"{model['exchange_driver'] * 1e6:.0f} µs"),
        ("an exchange, in the node's actor", f"{model['exchange_node'] * 1e6:.0f} µs"),
        ("an exchange, until it is answered", f"{model['exchange_wall'] * 1e3:.1f} ms"),
        (
            "private memory of a sandbox after a small cell",
            f"{model['sandbox_bytes'] / 1e6:.1f} MB",
        ),
    ]
    return [
        f"On {model['machine']}:",
        "",
        "| measured | |",
        "|---|---|",
        *(f"| {what} | {value} |" for what, value in rows),
    ]


def page(model: dict[str, Any], text: str) -> str:
    """docs/scale.md with what this model says in place of what another said."""
    sections = {
        "measured": measured(model),
        "deviations": ["```", *deviations(model), "```"],
        "predicted": table(Costs.of(model), NODES, CELLS, CORES),
    }
    for name, lines in sections.items():
        before, begin, rest = text.partition(f"<!-- {name} -->\n")
        _old, end, after = rest.partition("<!-- end -->\n")
        if not begin or not end:
            raise SystemExit(f"the page has no place for what is {name}")
        text = before + begin + "\n".join(lines) + "\n" + end + after
    return text


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--model",
        metavar="FILE",
        type=Path,
        default=HERE / "fleet.json",
        help="what benchmarks/fleet.py has measured",
    )
    parser.add_argument("--nodes", type=int, nargs="*", default=NODES, metavar="N")
    parser.add_argument("--cells", type=float, nargs="*", default=CELLS, metavar="SECONDS")
    parser.add_argument(
        "--cores", type=int, default=CORES, help=f"of each node; {CORES} if not given"
    )
    parser.add_argument(
        "--no-deviations",
        dest="deviations",
        action="store_false",
        help="leave out the comparison with what was measured",
    )
    parser.add_argument(
        "--write",
        metavar="FILE",
        type=Path,
        help="put what is measured and predicted into the page docs/scale.md",
    )
    options = parser.parse_args()
    model = json.loads(options.model.read_text(encoding="utf-8"))
    if options.write:
        options.write.write_text(
            page(model, options.write.read_text(encoding="utf-8")), encoding="utf-8"
        )
        return 0
    if options.deviations:
        print(f"measured on: {model['machine']}", *deviations(model), sep="\n", end="\n\n")
    print(f"nodes of {options.cores} processors, a driver of its own:", end="\n\n")
    print(
        *table(Costs.of(model), tuple(options.nodes), tuple(options.cells), options.cores), sep="\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
