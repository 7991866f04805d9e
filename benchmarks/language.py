"""How fast does guarded code run? Each program of `benchmarks/programs` by plain `exec` and by
fumehood.

    python benchmarks/language.py                 all programs, with smolagents and pydantic-monty
                                                  where installed
    python benchmarks/language.py --only nbody --rounds 50 --no-peers
    python benchmarks/language.py --place jail    in the jail, which is how fumehood runs code
                                                  unless told otherwise

Inline, both run in this process, in turn (plain, fumehood, fumehood, plain, …), each time in a
fresh namespace or executor and after a full garbage collection. In the jail, both run in fresh
forks of a process that has the same modules imported, on the same core, and are measured from
inside: what is compared is the speed of code, and benchmarks/sandbox.py measures the way there and
back. Both of these processes are renewed every round, so that neither keeps a lucky layout of its
memory.

The time includes parsing, checking and compiling. The ratio compares the best runs, which are the
least disturbed by whatever else the machine does; beside it stands the median of the ratios of
neighbouring runs. Plain against itself shows how far this machine, now, can be trusted; where
others keep it busy, --clock cpu counts the time the process was given rather than the time that
passed.
The exit code is 1 if fumehood fails a program or gives another value, and with --check if a bar is
missed.
"""

from __future__ import annotations

import argparse
import gc
import os
import platform
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import geometric_mean, median
from typing import Any

import command
import peers
import plain
from side_by_side import Bar, Figure, Side, once

from fumehood import LocalPythonExecutor
from fumehood.default_imports import DEFAULT_IMPORTS
from fumehood.executors import supervisor
from fumehood.language.source import compile_cell
from fumehood.results import Execution

PROGRAMS = Path(__file__).parent / "programs"
GEOMETRIC_MEAN_BAR = 1.03
WORST_BAR = 1.10
COMPILING_BAR = 1.3
CLOCKS = {"wall": time.perf_counter, "cpu": time.process_time}

Run = Callable[[str], tuple[float, str]]
"""Runs a program once: its seconds and the repr of its value, or RuntimeError if it did not end
well.

repr, because equality would take 1 for True and 1.0, and because others send theirs as text.
"""


@dataclass
class Comparison:
    """One program: its runs on both sides, in seconds, and what the peers made of it."""

    path: Path
    source: str
    expected: str = ""
    failure: str = ""
    plain: list[float] = field(default_factory=list)
    fumehood: list[float] = field(default_factory=list)
    peers: dict[str, peers.PeerResult] = field(default_factory=dict)

    @property
    def ratio(self) -> float:
        return min(self.fumehood) / min(self.plain)

    @property
    def median_ratio(self) -> float:
        return median(
            guarded / plain for guarded, plain in zip(self.fumehood, self.plain, strict=True)
        )

    @property
    def noise(self) -> float:
        """Plain against itself, every other run: what the ratio would be if there were no
        difference, from 1 up."""
        halves = sorted(min(half) for half in (self.plain[::2], self.plain[1::2] or self.plain))
        return halves[1] / halves[0]


class Inline:
    """Both sides in this process."""

    def __init__(self, clock: str) -> None:
        self._clock = CLOCKS[clock]

    def new_round(self) -> None:
        """Nothing is kept from one run to the next."""

    def close(self) -> None:
        """Nothing is kept at all."""

    def plain(self, source: str) -> tuple[float, str]:
        seconds, value = plain.run(source, self._clock)
        return seconds, repr(value)

    def fumehood(self, source: str) -> tuple[float, str]:
        with LocalPythonExecutor(isolation="inline", timeout_seconds=60) as executor:
            gc.collect()
            started = self._clock()
            execution = executor.run(source)
            seconds = self._clock() - started
            return seconds, shown_value(execution)


class Jail:
    """Both sides in processes of their own, on one core: this process is there too, but waits."""

    def __init__(self, clock: str) -> None:
        self._clock = clock
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
        self._plain = plain.PlainZygote(DEFAULT_IMPORTS)

    def new_round(self) -> None:
        self.close()
        self._plain = plain.PlainZygote(DEFAULT_IMPORTS)

    def close(self) -> None:
        self._plain.close()
        supervisor.close_all()

    def plain(self, source: str) -> tuple[float, str]:
        return self._plain.run(source, self._clock)

    def fumehood(self, source: str) -> tuple[float, str]:
        with LocalPythonExecutor(timeout_seconds=60, on_fault="keep") as executor:
            shown_value(
                executor.run("1")
            )  # the first cell of a fresh process is not the one that counts
            time.sleep(
                0.01
                # the sandbox to come is made meanwhile, on the same core: not in the time of this one  # noqa: E501
            )
            execution = executor.run(source)
            shown = shown_value(execution)
            return (
                (
                    execution.usage.cpu_seconds
                    if self._clock == "cpu"
                    else execution.usage.wall_seconds
                ),
                shown,
            )


PLACES: dict[str, type[Inline] | type[Jail]] = {"inline": Inline, "jail": Jail}


def shown_value(execution: Execution) -> str:
    if execution.violations:
        raise RuntimeError("; ".join(map(str, execution.violations)))
    if execution.error or execution.fault:
        raise RuntimeError(execution.error.traceback if execution.error else execution.fault)
    return repr(execution.value)


def run_round(
    comparison: Comparison, place: Inline | Jail, plain_first: bool, *, count: bool
) -> None:
    """Runs both sides once and checks that the values agree; a failure is kept and ends the
    program's part."""
    sides: list[tuple[Run, list[float]]] = [
        (place.plain, comparison.plain),
        (place.fumehood, comparison.fumehood),
    ]
    for run, times in sides if plain_first else reversed(sides):
        try:
            seconds, shown = run(comparison.source)
        except RuntimeError as error:
            comparison.failure = str(error)
            return
        comparison.expected = comparison.expected or shown
        if shown != comparison.expected:
            comparison.failure = (
                f"one side gives {comparison.expected[:200]}, the other {shown[:200]}"
            )
            return
        if count:
            times.append(seconds)


def compare(
    comparisons: list[Comparison], place: Inline | Jail, rounds: int, max_seconds: float
) -> None:
    """Goes round all programs rather than finishing one first, so that a slow minute touches every
    program."""
    for comparison in comparisons:
        run_round(comparison, place, True, count=False)
    deadline = time.monotonic() + max_seconds
    for number in range(rounds):
        place.new_round()
        for comparison in comparisons:
            if not comparison.failure:
                run_round(comparison, place, number % 2 == 0, count=True)
        if time.monotonic() > deadline:
            return


def table(comparisons: list[Comparison], peer_names: list[str]) -> str:
    head = ["program", "plain ms", "fumehood ms", "ratio", "median ratio", *peer_names]
    rows = [head]
    for comparison in comparisons:
        if comparison.failure:
            rows.append([comparison.path.stem, "failed, see below", *[""] * (len(head) - 2)])
            continue
        times = [f"{min(side) * 1000:.1f}" for side in (comparison.plain, comparison.fumehood)]
        ratios = [f"{comparison.ratio:.3f}", f"{comparison.median_ratio:.3f}"]
        cells = [comparison.peers[name].cell for name in peer_names]
        rows.append([comparison.path.stem, *times, *ratios, *cells])
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    rows.insert(1, ["-" * width for width in widths])
    # The first column and the peers' columns hold words, the others numbers.
    aligned = ["<"] + [">"] * 4 + ["<"] * len(peer_names)
    lines = (
        "  ".join(f"{cell:{a}{w}}" for cell, a, w in zip(row, aligned, widths, strict=True))
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)


def figure(comparisons: list[Comparison], place: str) -> Figure:
    """All programs together, as the other benchmarks have their figures: each side is a ratio to
    plain `exec`."""
    mean, ratios = f"geometric mean, {place}", [comparison.ratio for comparison in comparisons]
    worst = max(comparisons, key=lambda comparison: comparison.ratio)
    slowest = f"worst, {worst.path.stem}"
    noise = [comparison.noise for comparison in comparisons]
    sides = [
        Side("plain exec", once([1.0])),
        Side(mean, once([geometric_mean(ratios)])),
        Side(slowest, once([worst.ratio])),
        Side("plain exec against itself, geometric mean", once([geometric_mean(noise)])),
        Side("plain exec against itself, worst", once([max(noise)])),
    ]
    title = f"{len(comparisons)} programs against plain exec, {place}"
    notes = [peer_note(name, comparisons) for name in comparisons[0].peers]
    return Figure(
        "programs",
        title,
        "ratio",
        sides,
        (Bar(mean, GEOMETRIC_MEAN_BAR), Bar(slowest, WORST_BAR)),
        notes,
    )


def compiling(rounds: int) -> Figure:
    """To compile a cell of 600 lines that ends in an expression, and CPython's `compile`."""
    lines: list[str] = []
    for path in sorted(PROGRAMS.glob("*.py")):
        lines += path.read_text(encoding="utf-8").rstrip().splitlines()
        if len(lines) >= 600:
            break
    source = "\n".join(lines) + "\nlen(globals())\n"
    sides: dict[str, list[float]] = {"compile": [], "a cell": []}
    for _ in range(max(rounds, 5)):
        gc.collect()
        for name, function in (
            ("compile", lambda: compile(source, "<cell 1>", "exec", dont_inherit=True)),
            ("a cell", lambda: compile_cell(source, "<cell 1>")),
        ):
            started = time.process_time()
            for _ in range(10):
                function()
            sides[name].append((time.process_time() - started) / 10)
    best = {name: min(times) for name, times in sides.items()}
    return Figure(
        "compiling",
        f"To compile {source.count(chr(10))} lines, CPU time, best of {len(sides['compile'])}",
        "ratio",
        [
            Side("CPython's compile", once([1.0])),
            Side("a cell", once([best["a cell"] / best["compile"]])),
        ],
        (Bar("a cell", COMPILING_BAR),),
        [],
    )


def peer_note(name: str, comparisons: list[Comparison]) -> str:
    """How many of the programs a peer has finished, and how much longer it took."""
    ratios = [
        seconds / min(each.plain)
        for each in comparisons
        if (seconds := each.peers[name].seconds) is not None
    ]
    spread = f", {min(ratios):.1f}x to {max(ratios):.1f}x" if ratios else ""
    return f"{name} finishes {len(ratios)} of {len(comparisons)}{spread}"


def by_program(comparisons: list[Comparison]) -> dict[str, dict[str, Any]]:
    programs: dict[str, dict[str, Any]] = {}
    for comparison in comparisons:
        name = comparison.path.stem
        if comparison.failure:
            programs[name] = {"failure": comparison.failure}
            continue
        programs[name] = {
            "plain_seconds": comparison.plain,
            "fumehood_seconds": comparison.fumehood,
            "ratio": comparison.ratio,
            "median_ratio": comparison.median_ratio,
            "noise": comparison.noise,
            "peers": {peer: vars(result) for peer, result in comparison.peers.items()},
        }
    return programs


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--quick",
        action="store_true",
        help="three rounds, and two seconds for a peer: whether it works, not how fast",
    )
    parser.add_argument("--rounds", type=int, help="counted runs of each program on each side (20)")
    parser.add_argument(
        "--only", metavar="NAME", action="append", help="this program only; may be repeated"
    )
    parser.add_argument(
        "--no-peers", action="store_true", help="leave out smolagents and pydantic-monty"
    )
    parser.add_argument("--peer-seconds", type=float, help="time cap of a peer on one program (20)")
    parser.add_argument(
        "--json", metavar="FILE", type=Path, help="also write every measured time to this file"
    )
    parser.add_argument(
        "--max-seconds", type=float, default=600, help="begin no round after this long (600)"
    )
    parser.add_argument("--clock", choices=CLOCKS, default="wall", help="what is measured (wall)")
    parser.add_argument(
        "--place",
        choices=PLACES,
        default="inline",
        help="where fumehood runs the programs (inline)",
    )
    parser.add_argument("--check", action="store_true", help="exit 1 when a bar is missed")
    arguments = parser.parse_args()
    arguments.rounds = (
        arguments.rounds if arguments.rounds is not None else 3 if arguments.quick else 20
    )
    arguments.peer_seconds = arguments.peer_seconds or (2.0 if arguments.quick else 20.0)
    known = sorted(path.stem for path in PROGRAMS.glob("*.py"))
    arguments.only = arguments.only or known
    if unknown := sorted(set(arguments.only) - set(known)):
        parser.error(f"no program called {', '.join(unknown)}; there are {', '.join(known)}")
    if arguments.rounds < 1:
        parser.error("--rounds must be at least 1")
    return arguments


def main() -> int:
    arguments = parse_arguments()
    paths = [PROGRAMS / f"{name}.py" for name in sorted(set(arguments.only))]
    comparisons = [Comparison(path, path.read_text(encoding="utf-8")) for path in paths]
    place = PLACES[arguments.place](arguments.clock)
    compare(comparisons, place, arguments.rounds, arguments.max_seconds)
    place.close()
    measured = [comparison for comparison in comparisons if not comparison.failure]
    peer_names = [] if arguments.no_peers else peers.installed()
    for comparison in measured:
        for name in peer_names:
            comparison.peers[name] = peers.measure(
                name,
                comparison.path,
                comparison.expected,
                min(comparison.plain),
                arguments.peer_seconds,
            )

    rounds = min((len(comparison.fumehood) for comparison in measured), default=0)
    machine = f"CPython {platform.python_version()}, {platform.machine()}"
    print(f"{machine}, best of {rounds} runs each, {arguments.clock} time, {arguments.place}\n")
    print(table(comparisons, peer_names), end="\n\n")
    for comparison in comparisons:
        if comparison.failure:
            print(f"{comparison.path.stem} failed: {comparison.failure}\n")
    figures = [figure(measured, arguments.place)] if measured else []
    figures.append(compiling(arguments.rounds))
    for whole in figures:
        print(whole.text())
    met = bool(figures) and all(verdict.passed for whole in figures for verdict in whole.verdicts())
    if arguments.json:
        command.write(
            arguments.json, machine, arguments.quick, figures, programs=by_program(comparisons)
        )
    return 1 if len(measured) < len(comparisons) or (arguments.check and not met) else 0


if __name__ == "__main__":
    sys.exit(main())
