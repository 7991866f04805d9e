"""What the audit log costs: a trivial cell with it and without, in one run, side by side; and how
fast a log is written and verified.

    python benchmarks/audit.py                          everything; a minute
    python benchmarks/audit.py --quick --only keep      one figure, soon and roughly
    python benchmarks/audit.py --check --json FILE      exit code 1 if a bar is missed, and every
                                                        sample in a file

Lines are in the file when a cell's `run` returns, and not yet on the disk (fsync="never"). The bar:
a trivial cell takes at most 15 % longer. On a machine that has other things to do, a hundred
microseconds of anything vary more than that.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Literal

import command
from round_trips import add, must
from side_by_side import Bar, Figure, Measure, interleave, timed

from fumehood import LocalPythonExecutor
from fumehood.audit import AuditLog, verify
from fumehood.events import CellFinished, CellSubmitted, Event
from fumehood.observing import Observer
from fumehood.results import Execution, Usage

WITHOUT, TOLD, WITH, KEYED = "without a log", "told to nobody", "with a log", "with a log and a key"
LONGER = 1.15
KEY = b"a key of thirty-two bytes, or so"


class Nobody:
    """An observer that does nothing: what is left is the cost of telling."""

    is_prompt = True

    def __call__(self, event: Event) -> None:
        pass


def cells(
    name: str,
    title: str,
    on_fault: Literal["keep", "rollback"],
    code: str,
    *,
    batches: int,
    size: int,
    judged: bool = True,
) -> Figure:
    """A cell of its own text each time, in executors with an observer and without."""
    numbers = itertools.count()
    with ExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory()))

        def side(audit: Observer | None) -> Measure:
            executor = stack.enter_context(LocalPythonExecutor(on_fault=on_fault, audit=audit))
            executor.send_tools({"add": add})
            return timed(lambda: must(executor.run(code.format(next(numbers)))))

        sides = {
            WITHOUT: side(None),
            TOLD: side(Nobody()),
            WITH: side(stack.enter_context(AuditLog(directory / "plain.jsonl"))),
            KEYED: side(stack.enter_context(AuditLog(directory / "keyed.jsonl", key=KEY))),
        }
        measured = interleave(sides, batches=batches, size=size)
    bars = (Bar(WITH, LONGER * measured[0].median),) if judged else ()
    return Figure(
        name,
        title,
        "seconds",
        measured,
        bars,
        [] if judged else ["shown, not judged: the bar is for a trivial cell"],
    )


def kept(quick: bool) -> Figure:
    title = "A trivial cell, nothing to go back to (on_fault='keep')"
    return cells(
        "keep", title, "keep", "x = {} + 1", batches=4 if quick else 60, size=25 if quick else 100
    )


def undoable(quick: bool) -> Figure:
    title = "A trivial cell that can be undone (on_fault='rollback')"
    return cells(
        "rollback",
        title,
        "rollback",
        "x = {} + 1",
        batches=4 if quick else 40,
        size=5 if quick else 20,
    )


def calling(quick: bool) -> Figure:
    title = "A cell that calls a tool (on_fault='keep'): four lines"
    return cells(
        "call",
        title,
        "keep",
        "x = add({}, 1)",
        batches=4 if quick else 60,
        size=25 if quick else 100,
        judged=False,
    )


# -- the log by itself


def lines(quick: bool) -> Figure:
    """Lines of trivial cells, as fast as they can be written."""
    count = 500 if quick else 5000
    execution = Execution(value=2, usage=Usage(0.0001, 0.0001, 20_000_000))
    events = [
        CellSubmitted(at=time.time(), session="0123456789ab", cell=1, code="x = 1 + 1"),
        CellFinished(at=time.time(), session="0123456789ab", cell=1, execution=execution),
    ]
    with ExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory()))

        def side(name: str, **options: Any) -> Measure:
            log = stack.enter_context(AuditLog(directory / name, **options))

            def measure() -> float:
                started = time.perf_counter()
                for _ in range(count // 2):
                    for event in events:
                        log(event)
                return count / (time.perf_counter() - started)

            return measure

        sides = {
            "without a key": side("plain", keep_files=0),
            "with a key": side("keyed", key=KEY, keep_files=0),
        }
        measured = interleave(sides, batches=2 if quick else 20, size=2)
    return Figure("lines", "Lines that are written", "per second", measured)


def verifying(quick: bool) -> Figure:
    """A log of small lines, and one of large ones."""
    with ExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory()))

        def side(name: str, count: int, size: int) -> Measure:
            path = directory / name
            with AuditLog(path, rotate_bytes=None) as log:
                for number in range(count):
                    log(
                        CellSubmitted(
                            at=time.time(), session="0123456789ab", cell=number, code="x" * size
                        )
                    )
            total = path.stat().st_size

            def measure() -> float:
                started = time.perf_counter()
                if not verify(path).ok:
                    raise RuntimeError("a sound log does not verify")
                return total / (time.perf_counter() - started)

            return measure

        few = 10 if quick else 1
        sides = {
            "lines of 300 bytes": side("small", 50_000 // few, 10),
            "lines of 100 kB": side("large", 500 // few, 100_000),
        }
        measured = interleave(sides, batches=2 if quick else 10)
    return Figure("verify", "A log that is verified", "bytes per second", measured)


# -- the whole

FIGURES: dict[str, Callable[[argparse.Namespace], Figure]] = {
    "keep": lambda options: kept(options.quick),
    "rollback": lambda options: undoable(options.quick),
    "call": lambda options: calling(options.quick),
    "lines": lambda options: lines(options.quick),
    "verify": lambda options: verifying(options.quick),
}


def main() -> int:
    return command.run(FIGURES, command.parsed(command.parser(__doc__ or "", FIGURES), FIGURES, {}))


if __name__ == "__main__":
    sys.exit(main())
