"""Figures measured side by side: each side in turn, batch by batch, so that a slow second of the
machine touches all of them.

A side is a function that measures once and gives a number. What is compared are medians; beside
each stands the side against itself, its even batches compared with its odd ones: what a ratio would
be here and now if there were no difference at all.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from statistics import median
from typing import Any

Measure = Callable[[], float]

# unit: (from this size on, what it is divided by, how it is written), the largest first
UNITS: dict[str, tuple[tuple[float, float, str], ...]] = {
    "seconds": ((1, 1, "s"), (1e-3, 1e-3, "ms"), (0, 1e-6, "µs")),
    "bytes": ((1e9, 1e9, "GB"), (1e6, 1e6, "MB"), (0, 1e3, "kB")),
    "bytes per second": ((1e9, 1e9, "GB/s"), (0, 1e6, "MB/s")),
    "per second": ((0, 1, "/s"),),
    "count": ((0, 1, ""),),
    "ratio": ((0, 1, "x"),),
    "share": ((0, 1e-2, "%"),),
    "share found": ((0, 1e-2, "%"),),
}
MORE_IS_BETTER = frozenset({"per second", "bytes per second", "count", "share found"})


def shown(value: float, unit: str) -> str:
    divisor, name = next((divisor, name) for least, divisor, name in UNITS[unit] if value >= least)
    scaled = value / divisor
    digits = (
        3
        if unit == "ratio" and scaled < 10
        else 0
        if scaled >= 100 or unit == "count"
        else 1
        if scaled >= 10
        else 2
    )
    return f"{scaled:,.{digits}f} {name}".rstrip()


@dataclass
class Side:
    """One of those compared. Its samples come in batches, which were measured at different
    times."""

    name: str
    batches: list[list[float]] = field(default_factory=list)

    @property
    def samples(self) -> list[float]:
        return [sample for batch in self.batches for sample in batch]

    @property
    def median(self) -> float:
        return median(self.samples)

    @property
    def itself(self) -> float | None:
        """This side against itself, from 1 up; None if it was measured once only."""
        halves = [
            [sample for batch in half for sample in batch]
            for half in (self.batches[::2], self.batches[1::2])
        ]
        if not all(halves):
            return None
        low, high = sorted(median(half) for half in halves)
        return high / low if low else None


@dataclass(frozen=True)
class Bar:
    """What one side must reach: a number, or another side of the same figure."""

    side: str
    limit: float | str


@dataclass(frozen=True)
class Verdict:
    """What became of a bar. `against` is the side that set it, or empty; `value` is None if there
    was nothing to judge."""

    passed: bool
    line: str
    side: str
    value: float | None
    limit: float
    against: str

    def __iter__(self) -> Iterator[Any]:
        yield self.passed
        yield self.line


@dataclass
class Figure:
    """One table of the output. The first side is the one that the others are compared with."""

    name: str
    title: str
    unit: str
    sides: list[Side]
    bars: tuple[Bar, ...] = ()
    notes: list[str] = field(default_factory=list)

    def verdicts(self) -> list[Verdict]:
        """Each bar that can be judged, with a line about it. A bar set by a side that is not here
        cannot, and a side that must reach a bar and is not here has missed it.
        """
        measured = {side.name: side.median for side in self.sides if side.batches}
        lines = []
        for bar in self.bars:
            limit = measured.get(bar.limit) if isinstance(bar.limit, str) else bar.limit
            if limit is None:
                continue
            more = self.unit in MORE_IS_BETTER
            value = measured.get(bar.side)
            passed = value is not None and (value >= limit if more else value <= limit)
            text = f"{'at least' if more else 'at most'} {shown(limit, self.unit)}"
            if isinstance(bar.limit, str):
                text += f", as {bar.limit}"
            reached = "not measured" if value is None else shown(value, self.unit)
            line = f"{'PASS  ' if passed else 'MISSED'} {bar.side}: {reached}, bar {text}"
            lines.append(
                Verdict(
                    passed,
                    line,
                    bar.side,
                    value,
                    limit,
                    bar.limit if isinstance(bar.limit, str) else "",
                )
            )
        return lines

    def text(self) -> str:
        reference = self.sides[0].median if self.sides and self.sides[0].batches else None
        rows = [["", "median", "best", "99 %", "ratio", "itself", "samples"]]
        for side in self.sides:
            samples = sorted(side.samples, reverse=self.unit in MORE_IS_BETTER)
            if not samples:
                continue
            spread = [
                shown(value, self.unit)
                for value in (side.median, samples[0], samples[int(len(samples) * 0.99)])
            ]
            ratio = f"{side.median / reference:.2f}x" if reference else ""
            itself = f"{side.itself:.2f}" if side.itself is not None else ""
            rows.append([side.name, *spread, ratio, itself, str(len(samples))])
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        lines = [self.title]
        for row in rows:
            cells = [
                f"{row[0]:<{widths[0]}}",
                *(f"{cell:>{width}}" for cell, width in zip(row[1:], widths[1:], strict=True)),
            ]
            lines.append("  " + "  ".join(cells).rstrip())
        return "\n".join(
            [
                *lines,
                *(f"  {note}" for note in self.notes),
                *(f"  {line}" for _passed, line in self.verdicts()),
            ]
        )

    def as_json(self) -> dict[str, Any]:
        sides = {
            side.name: {"median": side.median, "itself": side.itself, "samples": side.samples}
            for side in self.sides
            if side.batches
        }
        verdicts = [asdict(verdict) for verdict in self.verdicts()]
        return {
            "name": self.name,
            "title": self.title,
            "unit": self.unit,
            "sides": sides,
            "notes": self.notes,
            "bars": verdicts,
        }


def interleave(
    sides: Mapping[str, Measure],
    *,
    batches: int,
    size: int = 1,
    sizes: Mapping[str, int] | None = None,
) -> list[Side]:
    """Measures every side `batches` times, in batches of `size` (or of its own size, for a side
    that takes long).

    The first batch of each is not counted: it warms up. The order turns with every batch, so that
    nobody always comes after the same one.
    """
    measured = [Side(name) for name in sides]
    for number in range(batches + 1):
        turn = number % len(measured)
        for side in (*measured[turn:], *measured[:turn]):
            measure = sides[side.name]
            gc.collect()
            batch = [measure() for _ in range((sizes or {}).get(side.name, size))]
            if number:
                side.batches.append(batch)
    return measured


def timed(action: Callable[[], object]) -> Measure:
    """A measure of how long an action takes."""

    def measure() -> float:
        started = time.perf_counter()
        action()
        return time.perf_counter() - started

    return measure


def once(values: Sequence[float]) -> list[list[float]]:
    """Values that were all measured at one time, as the batches of a side."""
    return [list(values)] if values else []
