"""What going back and branching cost, whatever the size of the variables, beside pydantic-monty
where it is installed.

    python benchmarks/branching.py                          everything; a minute or two, and some 3
                                                            GB of memory
    python benchmarks/branching.py --quick --only fork      one figure, soon and roughly
    python benchmarks/branching.py --check --json FILE      exit code 1 if a bar is missed, and
                                                            every sample in a file

Snapshots are discarded and forks closed between the samples, which is not measured. How to read the
tables: benchmarks/sandbox.py.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import command
import processes
from fresh import available_bytes
from round_trips import CELL_BAR, MONTY, monty_session, must
from side_by_side import Bar, Figure, Measure, Side, interleave, once, shown, timed

from fumehood import ExecutorPool, Limits, LocalPythonExecutor, Policy, SandboxFailed
from fumehood.executors import supervisor

POLICY = Policy(
    imports=("numpy",), limits=Limits(cell_seconds=300, memory_bytes=3 << 30, branches=128)
)
# bytes in a numpy array: the bar. A list is shown beside them: of many small objects more has to be
# copied later, but not more now.
SIZES = {0: 3e-3, 100_000_000: 4e-3, 1_000_000_000: 5e-3}
LIST_BYTES = 100_000_000
INT_BYTES = 40  # an int of its own, and its place in the list
FORKS, FORKS_BAR = 100, 1e9
CHECKOUT_BAR = 0.3e-3
ROLLBACK_BAR = 2e-3
MILLION = "numbers = list(range(1_000_000))\nNone"


# -- snapshot, restore, fork


def executor(**options: Any) -> LocalPythonExecutor:
    return LocalPythonExecutor(policy=POLICY, **options)


@contextmanager
def filled(quick: bool) -> Iterator[tuple[dict[str, LocalPythonExecutor], tuple[Bar, ...]]]:
    """Executors with little and much in them, by name, and the bars that they must reach."""
    with ExitStack() as stack:
        filled: dict[str, LocalPythonExecutor] = {}
        bars = []
        for size, bar in SIZES.items():
            size //= 10 if quick else 1
            name = f"with {shown(size, 'bytes')} in an array" if size else "with nothing"
            filled[name] = stack.enter_context(executor())
            # Ones and not zeros: a page that was never written to is no page.
            must(filled[name].run(f"import numpy\narray = numpy.ones({size // 8})\nNone"))
            bars.append(Bar(name, bar))
        count = LIST_BYTES // INT_BYTES // (10 if quick else 1)
        name = f"with {shown(count * INT_BYTES, 'bytes')} in a list of ints"
        filled[name] = stack.enter_context(executor())
        must(filled[name].run(f"numbers = list(range(1_000_000, {1_000_000 + count}))\nNone"))
        yield filled, tuple(bars)


def snapshots(quick: bool) -> Figure:
    def measured(one: LocalPythonExecutor) -> Measure:
        return cleaned(one.snapshot, lambda snapshot: snapshot.discard())

    return each_size("snapshot", "A snapshot", measured, quick)


def restores(quick: bool) -> Figure:
    """Back to a snapshot after a cell has changed something. The next cell, which must find the
    change gone, is not measured."""

    def measured(one: LocalPythonExecutor) -> Measure:
        snapshot = one.snapshot()

        def measure() -> float:
            must(one.run("changed = True"))
            started = time.perf_counter()
            one.restore(snapshot)
            seconds = time.perf_counter() - started
            if one.run("'changed' in globals()").value is not False:
                raise RuntimeError("the executor has not gone back")
            return seconds

        return measure

    return each_size("restore", "Going back to a snapshot", measured, quick)


def forks(quick: bool) -> Figure:
    def measured(one: LocalPythonExecutor) -> Measure:
        return cleaned(one.fork, lambda fork: fork.close())

    return each_size("fork", "A fork, ready for a cell", measured, quick)


def each_size(
    name: str, title: str, measured: Callable[[LocalPythonExecutor], Measure], quick: bool
) -> Figure:
    with filled(quick) as (executors, bars):
        sides = {size: measured(one) for size, one in executors.items()}
        return Figure(
            name, title, "seconds", interleave(sides, batches=2 if quick else 20, size=5), bars
        )


def cleaned(action: Callable[[], Any], clean: Callable[[Any], object]) -> Measure:
    """A measure of an action alone, whose result is cleaned up at once."""

    def measure() -> float:
        started = time.perf_counter()
        result = action()
        seconds = time.perf_counter() - started
        clean(result)
        return seconds

    return measure


# -- many forks at once


def many_forks(quick: bool) -> Figure:
    """Forks of one large state, all alive at once, each after a cell of its own."""
    count, size = (10, 100_000_000) if quick else (FORKS, 1_000_000_000)
    whole, private = "less available on the machine", "private memory of all new processes"
    supervisor.close_all()
    with ExitStack() as stack:
        one = stack.enter_context(executor())
        must(one.run(f"import numpy\narray = numpy.ones({size // 8})\nNone"))
        known = {process.pid for process in processes.descendants()}
        available, tables = available_bytes(), page_tables()
        made: list[LocalPythonExecutor] = []
        notes = []
        started = time.perf_counter()
        try:
            for _ in range(count):
                made.append(one.fork())
                stack.callback(made[-1].close)
        except SandboxFailed as error:
            notes.append(f"no more after {len(made)}: {error}")
        seconds = time.perf_counter() - started
        for number, fork in enumerate(made):
            if fork.run(f"mine = {number}\nint(array[-1]) + mine").value != number + 1:
                raise RuntimeError("a fork has not answered rightly")
        less, more = max(0, available - available_bytes()), max(0, page_tables() - tables)
        found = [
            process
            for process in processes.descendants()
            if process.pid not in known and process.is_alive
        ]
        taken = {whole: less, private: sum(process.private_bytes() for process in found)}
        notes += [
            (
                f"made in {seconds:.2f} s, {len(found)} new processes; of what is less available,"
                f" {shown(more, 'bytes')} are page tables"
            ),
            "what is available is the whole machine's: anything else that runs here is in it",
        ]
    # Fewer than asked for have missed the bar, however little they take.
    sides = [Side(name, once([size])) for name, size in taken.items()] if len(made) == count else []
    title = f"{count} forks of {shown(size, 'bytes')} of variables"
    return Figure(
        "forks", title, "bytes", sides, (Bar(whole, FORKS_BAR), Bar(private, FORKS_BAR)), notes
    )


def page_tables() -> int:
    lines = (processes.PROC / "meminfo").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("PageTables:"))


# -- a pool


def checkouts(quick: bool) -> Figure:
    """A checkout from a pool that has one ready. Who takes them faster than they are made waits for
    a fresh sandbox, as without a pool."""
    warm, again, fresh = "from a warm pool", "from a warm pool that reuses", "without a pool"
    with ExitStack() as stack:
        pools = {
            name: stack.enter_context(
                ExecutorPool(4, max_size=8, policy=POLICY, reuse=name is again)
            )
            for name in (warm, again)
        }

        def measured(pool: ExecutorPool) -> Measure:
            measure = cleaned(
                pool.checkout, lambda lease: (must(lease.executor.run("1")), lease.close())
            )

            def measure_warm() -> float:
                while pool.stats().ready < pool.size:
                    time.sleep(1e-3)
                return measure()

            return measure_warm

        sides = {name: measured(pool) for name, pool in pools.items()}
        sides[fresh] = cleaned(executor, lambda one: one.close())
        figures = interleave(sides, batches=2 if quick else 20, size=5)
    return Figure(
        "checkout",
        "An executor, ready for a cell",
        "seconds",
        figures,
        (Bar(warm, CHECKOUT_BAR), Bar(again, CHECKOUT_BAR)),
    )


# -- cells as transactions


def transactions(quick: bool) -> Figure:
    """A trivial cell, the same text each time. With on_fault="rollback" a copy is made for each
    cell: in the pause before it if there is one, or else while the cell waits. "keep" makes none:
    it is measured twice, and must be as quick as cells were before there were any.
    """
    keep, twin, rollback = (
        "on_fault='keep'",
        "on_fault='keep', once more",
        "on_fault='rollback', cells without a pause",
    )
    paused, more, none = (
        "on_fault='rollback', after a pause",
        "what 'rollback' adds, without a pause",
        "what 'keep' adds to itself",
    )
    with ExitStack() as stack:
        executors = {name: stack.enter_context(executor(on_fault="keep")) for name in (keep, twin)}
        executors |= {
            name: stack.enter_context(executor(on_fault="rollback")) for name in (rollback, paused)
        }
        sides = {
            name: timed(lambda one=one: must(one.run("x = 1 + 1")))
            for name, one in executors.items()
        }  # type: ignore[misc]
        at_once = sides[paused]

        def after_a_pause() -> float:
            time.sleep(0.02)
            return at_once()

        sides[paused] = after_a_pause
        sizes = {keep: 100, twin: 100, rollback: 50, paused: 10}
        measured = interleave(
            sides,
            batches=2 if quick else 20,
            sizes={name: size // (5 if quick else 1) for name, size in sizes.items()},
        )
    by_name = {side.name: side for side in measured}
    measured += [
        Side(more, differences(by_name[rollback], by_name[keep])),
        Side(none, differences(by_name[twin], by_name[keep])),
    ]
    bars = (Bar(more, ROLLBACK_BAR), Bar(keep, CELL_BAR), Bar(twin, CELL_BAR))
    return Figure("rollback", "A trivial cell as a transaction", "seconds", measured, bars)


def differences(side: Side, other: Side) -> list[list[float]]:
    """By how much the median of each batch is above that of the other side's batch of the same
    time; nothing, where it is below."""
    return [
        [max(0.0, median(mine) - median(theirs))]
        for mine, theirs in zip(side.batches, other.batches, strict=True)
    ]


# -- a list of a million ints


def lists(quick: bool, peers: bool) -> Figure:
    """Keeping a list of a million ints and getting it back: live, in a file, and as Monty does it,
    in bytes."""
    snapshot, restore, save, load = (
        f"fumehood, {name}" for name in ("snapshot", "restore", "save", "load")
    )
    dump, load_session = f"{MONTY}, dump", f"{MONTY}, load_session"
    with ExitStack() as stack:
        one = stack.enter_context(executor())
        must(one.run(MILLION))
        kept = one.snapshot()
        saved = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "million"
        one.save(saved)
        sides: dict[str, Measure] = {
            snapshot: cleaned(one.snapshot, lambda made: made.discard()),
            restore: timed(lambda: one.restore(kept)),
            save: timed(lambda: one.save(saved)),
            load: cleaned(lambda: LocalPythonExecutor.load(saved, POLICY), checked_and_closed),
        }
        if peers:
            session = stack.enter_context(monty_session())
            session.feed_run(MILLION)
            dumped = session.dump()
            sides |= {dump: timed(session.dump), load_session: lambda: monty_load(dumped)}
        measured = interleave(sides, batches=2 if quick else 10, size=1 if quick else 3)
        notes = [
            f"the file has {shown(saved.stat().st_size, 'bytes')}"
            + (f", Monty's dump {shown(len(dumped), 'bytes')}" if peers else "")
        ]
    bars = (Bar(snapshot, dump), Bar(restore, load_session))
    return Figure(
        "list", "A list of a million ints, kept and got back", "seconds", measured, bars, notes
    )


def checked_and_closed(loaded: Any) -> None:
    with loaded:
        if loaded.run("len(numbers), numbers[-1]").value != (1_000_000, 999_999):
            raise RuntimeError("what was loaded is not what was saved")


def monty_load(dumped: bytes) -> float:
    """A session can be loaded into a fresh one only; that this takes one is not measured."""
    with monty_session() as session:
        started = time.perf_counter()
        session.load_session(dumped)
        seconds = time.perf_counter() - started
        if session.feed_run("len(numbers)") != 1_000_000:
            raise RuntimeError("what was loaded is not what was dumped")
        return seconds


# -- the whole

FIGURES: dict[str, Callable[[argparse.Namespace], Figure]] = {
    "snapshot": lambda options: snapshots(options.quick),
    "restore": lambda options: restores(options.quick),
    "fork": lambda options: forks(options.quick),
    "checkout": lambda options: checkouts(options.quick),
    "rollback": lambda options: transactions(options.quick),
    "list": lambda options: lists(options.quick, options.peers),
    "forks": lambda options: many_forks(options.quick),
}


NEEDED = {"numpy": "the large variables are arrays"}


def main() -> int:
    return command.run(
        FIGURES, command.parsed(command.parser(__doc__ or "", FIGURES), FIGURES, NEEDED)
    )


if __name__ == "__main__":
    sys.exit(main())
