"""What runs took, counted from logs: steps, tokens, time, errors, imports and code, for each run,
for cells outside of any, and in all."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from fumehood import events
from fumehood.audit.timeline import Cell, Item, Unreadable

MEASURES = {
    "steps": "iterations before completion",
    "tokens": "input and output, over all steps",
    "seconds": "wall time of a run",
    "errors": "steps that failed",
    "cells": "pieces of code that ran",
}
"""What a run is measured by, and what that is."""


@dataclass(slots=True)
class Counts:
    """One run, or the cells outside of any."""

    run: str = ""
    agent: str = ""
    model: str = ""
    task: str = ""
    state: str = "unfinished"
    """How the run ended; `unfinished` if the log does not say."""
    lead: str = ""
    """The run that it worked for."""
    started: float = 0.0
    seconds: float = 0.0
    steps: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    errors: int = 0
    """Steps that went wrong; outside of runs, cells that did."""
    cells: int = 0
    cell_seconds: float = 0.0
    faults: Counter[str] = field(default_factory=Counter)
    imports: Counter[str] = field(default_factory=Counter)
    """How many cells have imported a module."""
    tools: Counter[str] = field(default_factory=Counter)
    findings: Counter[str] = field(default_factory=Counter)
    """What validators have found in what came out, by its kind."""

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens

    def as_json(self) -> dict[str, Any]:
        return {
            "run": self.run,
            "agent": self.agent,
            "model": self.model,
            "task": self.task,
            "state": self.state,
            "lead": self.lead,
            "started": self.started,
            "steps_used": self.steps,
            "total_tokens": self.tokens,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "execution_time": self.seconds,
            "error_count": self.errors,
            **self._counted(),
        }

    def _counted(self) -> dict[str, Any]:
        return {
            "imports_used": dict(sorted(self.imports.items())),
            "code_cells": self.cells,
            "cell_seconds": self.cell_seconds,
            "faults": dict(self.faults),
            "tool_calls": dict(self.tools),
            "findings": dict(self.findings),
        }

    def cells_as_json(self) -> dict[str, Any]:
        """What is to be said of cells that no run has asked for."""
        return {"error_count": self.errors, **self._counted()}

    def count_cell(self, cell: Cell) -> None:
        self.cells += 1
        self.tools.update(cell.tools)
        self.imports.update(set(cell.imports))
        execution = cell.execution
        if execution is None:
            return
        self.cell_seconds += execution.usage.wall_seconds
        if execution.fault is not None:
            self.faults[execution.fault] += 1
        for finding in execution.findings or cell.findings:
            self.findings[finding.kind] += finding.count

    def add(self, other: Counts) -> None:
        self.seconds += other.seconds
        self.steps += other.steps
        self.input_tokens += other.input_tokens
        self.output_tokens += other.output_tokens
        self.errors += other.errors
        self.cells += other.cells
        self.cell_seconds += other.cell_seconds
        for mine, more in (
            (self.faults, other.faults),
            (self.imports, other.imports),
            (self.tools, other.tools),
            (self.findings, other.findings),
        ):
            mine.update(more)


@dataclass(frozen=True, slots=True)
class Spread:
    """How a measure is spread over runs."""

    total: float
    median: float
    p95: float
    most: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        if not values:
            return cls(0, 0, 0, 0)
        ordered = sorted(values)
        rank = -(-95 * len(ordered) // 100)  # the smallest that at least 95 of 100 do not exceed
        return cls(sum(ordered), statistics.median(ordered), ordered[rank - 1], ordered[-1])


@dataclass(slots=True)
class Stats:
    """Logs, counted."""

    runs: list[Counts] = field(default_factory=list)
    outside: Counts = field(default_factory=Counts)
    """Cells that no agent's run has asked for."""
    sessions: int = 0
    unreadable: int = 0
    """Lines that are no events."""

    @property
    def total(self) -> Counts:
        total = Counts(state="")
        for counts in (*self.runs, self.outside):
            total.add(counts)
        return total

    @property
    def states(self) -> Counter[str]:
        """How many runs ended how."""
        return Counter(run.state for run in self.runs)

    def spread(self, measure: str) -> Spread:
        """How one of MEASURES is spread over the runs."""
        return Spread.of([getattr(run, measure) for run in self.runs])

    def as_json(self) -> dict[str, Any]:
        total = self.total
        return {
            "runs": [run.as_json() for run in self.runs],
            "states": dict(self.states),
            "spread": {
                measure: {
                    "total": spread.total,
                    "median": spread.median,
                    "p95": spread.p95,
                    "max": spread.most,
                }
                for measure in MEASURES
                for spread in [self.spread(measure)]
            },
            "outside_runs": self.outside.cells_as_json(),
            "total": {
                "runs": len(self.runs),
                "sessions": self.sessions,
                "steps_used": total.steps,
                "total_tokens": total.tokens,
                "execution_time": total.seconds,
                "error_count": total.errors,
                **total.cells_as_json(),
            },
            "unreadable_lines": self.unreadable,
        }


def count(items: Iterable[Item]) -> Stats:
    """Count what logs tell; `items` is a timeline, or several one after the other."""
    stats = Stats(outside=Counts(state=""))
    runs: dict[str, Counts] = {}
    last: dict[str, float] = {}
    for item in items:
        run = None
        if item.run:
            run = runs.get(item.run)
            if run is None:
                run = runs[item.run] = Counts(run=item.run, started=item.at)
            last[item.run] = max(last.get(item.run, 0.0), item.at)
        if isinstance(item, Cell):
            counts = stats.outside if run is None else run
            counts.count_cell(item)
            if run is None:
                counts.errors += item.failed
        elif isinstance(item.event, Unreadable):
            stats.unreadable += 1
        elif isinstance(item.event, events.SessionOpened):
            stats.sessions += 1
        elif run is not None:
            _count_event(run, item.event)
    for run in runs.values():
        if run.state == "unfinished":
            run.seconds = max(last[run.run] - run.started, 0.0)
    stats.runs = sorted(runs.values(), key=lambda run: run.started)
    return stats


def _count_event(run: Counts, event: Any) -> None:
    if isinstance(event, events.AgentRunStarted):
        run.agent, run.model, run.task, run.lead, run.started = (
            event.agent,
            event.model,
            event.task,
            event.lead,
            event.at,
        )
    elif isinstance(event, events.ModelAnswered):
        run.input_tokens += event.input_tokens
        run.output_tokens += event.output_tokens
    elif isinstance(event, events.AgentStepFinished):
        run.steps += 1
        run.errors += event.error is not None
    elif isinstance(event, events.AgentRunFinished):
        run.agent = run.agent or event.agent
        run.state, run.seconds = event.state, event.seconds
