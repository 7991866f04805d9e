"""What has come of a soak, as a table: printed at its end, and written to a page if asked."""

from __future__ import annotations

import os
import platform
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

HEADING = "## Soak"
_BY_OTHERS = ", by an ordinary user"
_COLUMNS = (
    "place",
    "minutes",
    "executors",
    "ordeals",
    "killed from outside",
    "wrong answers",
    "left behind",
    "memory, once warm",
)


@dataclass(frozen=True)
class Soaked:
    """One place."""

    place: str
    minutes: float
    executors: int
    ordeals: int
    killed: str
    wrong: int
    left: int
    memory: str

    def cells(self) -> tuple[str, ...]:
        numbers = f"{self.minutes:.2g}", str(self.executors), f"{self.ordeals:,}"
        return (self.place, *numbers, self.killed, str(self.wrong), str(self.left), self.memory)


def table(rows: Sequence[Soaked]) -> str:
    head, *lines = (
        f"| {' | '.join(cells)} |\n" for cells in (_COLUMNS, *(row.cells() for row in rows))
    )
    return f"{head}|{'---|' * len(_COLUMNS)}\n{''.join(lines)}"


def write(page: Path, rows: Sequence[Soaked], *, is_root: bool) -> None:
    """Have a page's section be what this run has come to. Other sections, that of a run by another
    user among them, stay as they are."""
    heading = HEADING if is_root else HEADING + _BY_OTHERS
    before, after = page.read_text(), ""
    if (start := before.find(f"\n{heading}\n")) >= 0:
        end = before.find("\n## ", start + 1)
        before, after = before[:start], before[end:] if end >= 0 else ""
    page.write_text(f"{before.rstrip()}\n\n{heading}\n\n{_about(rows)}\n\n{table(rows)}{after}")


def _about(rows: Sequence[Soaked]) -> str:
    given = sys.argv[1:]
    if "--write" in given:  # where that was is nobody's business
        del given[given.index("--write") : given.index("--write") + 2]
    command = shlex.join(["python", "benchmarks/soak.py", *given])
    machine = (
        f"CPython {platform.python_version()}, Linux {platform.release()}, {os.cpu_count()} cores"
    )
    minutes = sum(row.minutes for row in rows)
    ordeals = sum(row.ordeals for row in rows)
    return (
        "Cells, tools, files, forks, timeouts, crashes and kills on many executors at once,"
        f" {minutes:g} minutes: {ordeals:,} ordeals,\neach of which has one right outcome."
        " Afterwards no process, descriptor, mount, file, control group or container may be"
        f" left.\nWritten by `{command}` on {datetime.now(UTC):%Y-%m-%d} ({machine})."
    )
