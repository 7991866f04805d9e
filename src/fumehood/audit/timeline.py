"""What happened, in order: the lines of a log put together to cells, with what was asked of tools
meanwhile, and all the rest as it is.

A log that was cut, garbled or made up by somebody is read too: what cannot be read is an Unreadable
in its place, and the rest goes on.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from fumehood import events
from fumehood.audit.reading import Broken, Record, read
from fumehood.errors import AuditError
from fumehood.results import Execution, Finding


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A line that is no event: where it is, and why not."""

    why: str
    at: float = 0.0
    session: str = ""
    cell: int = 0
    run: str = ""


Told = tuple[Any, Record | None]
"""An event, one of the log's own entries or an Unreadable, and the line it comes from, if it comes
from one."""


@dataclass(slots=True)
class Call:
    """A tool that was called, and what came of it; None if nothing did before the cell ended."""

    asked: events.ToolCalled
    answer: events.ToolReturned | None = None


@dataclass(slots=True)
class Cell:
    """A cell from its beginning to its end. `code` is None if the log begins in the middle of it,
    `execution` if it has no end there."""

    session: str
    cell: int
    run: str
    at: float
    code: str | None = None
    calls: list[Call] = field(default_factory=list)
    findings: tuple[Finding, ...] = ()
    execution: Execution | None = None
    records: list[Record] = field(default_factory=list)

    @property
    def failed(self) -> bool:
        return self.execution is not None and (
            self.execution.error is not None or self.execution.fault is not None
        )

    @property
    def imports(self) -> tuple[str, ...]:
        return self.execution.imports if self.execution else ()

    @property
    def tools(self) -> tuple[str, ...]:
        """Every call's tool, whether the log has the calls themselves or not."""
        return tuple(call.asked.tool for call in self.calls) or (
            self.execution.tool_calls if self.execution else ()
        )


@dataclass(slots=True)
class Moment:
    """Anything that is no part of a cell."""

    event: Any
    records: list[Record] = field(default_factory=list)

    @property
    def session(self) -> str:
        return str(self.event.session)

    @property
    def run(self) -> str:
        return str(self.event.run)

    @property
    def at(self) -> float:
        return float(self.event.at)


Item = Cell | Moment


def read_events(path: str | os.PathLike[str]) -> Iterator[Told]:
    """The events of a log, all its files one after the other."""
    damaged: list[Broken] = []
    at = 0.0
    for record in read(path, damaged=damaged.append):
        for broken in damaged:
            yield Unreadable(str(broken), at), None
        damaged.clear()
        at = record.at
        try:
            yield record.decoded(), record
        except AuditError as error:
            yield Unreadable(str(error), record.at, record.session, record.cell, record.run), record
    for broken in damaged:
        yield Unreadable(str(broken), at), None


def timeline(told: Iterable[Told]) -> Iterator[Item]:
    """The events, those of a cell together when it is over. A cell of the same session that begins
    before it is over had no end."""
    running: dict[str, Cell] = {}
    for event, record in told:
        lines = [] if record is None else [record]
        kind = type(event)
        if kind is events.CellSubmitted:
            before = running.pop(event.session, None)
            if before is not None:
                yield before
            running[event.session] = Cell(
                event.session, event.cell, event.run, event.at, event.code, records=lines
            )
            continue
        if kind not in _IN_CELLS:
            yield Moment(event, lines)
            continue
        cell = running.get(event.session)
        if cell is None or cell.cell != event.cell:
            if kind is not events.CellFinished:
                continue  # of a cell that the log does not have
            cell = Cell(event.session, event.cell, event.run, event.at)
        cell.records += lines
        _add(cell, event)
        if kind is events.CellFinished:
            if running.get(event.session) is cell:
                del running[event.session]
            yield cell
    yield from running.values()


_IN_CELLS = frozenset(
    {
        events.Printed,
        events.Displayed,
        events.ToolCalled,
        events.ToolReturned,
        events.OutputFlagged,
        events.CellFinished,
    },
)


def _add(cell: Cell, event: Any) -> None:
    if isinstance(event, events.ToolCalled):
        cell.calls.append(Call(event))
    elif isinstance(event, events.ToolReturned):
        for call in reversed(cell.calls):
            if call.asked.call == event.call:
                call.answer = event
                return
    elif isinstance(event, events.OutputFlagged):
        cell.findings += event.findings
    elif isinstance(event, events.CellFinished):
        cell.execution = event.execution


_LOGS_OWN_FAILURES = frozenset({"LogRecovered", "LogGap"})


@dataclass(frozen=True, slots=True)
class Choice:
    """Which items are wanted: all that are said here must hold. Ids may be cut short, as git does
    it."""

    run: str = ""
    session: str = ""
    fault: str = ""
    """A kind of fault, or "any"."""
    module: str = ""
    """A module that was imported, or one inside it."""
    tool: str = ""
    errors: bool = False
    since: float | None = None
    until: float | None = None

    def takes(self, item: Item) -> bool:
        if not item.run.startswith(self.run) or not item.session.startswith(self.session):
            return False
        if (
            self.since is not None
            and item.at < self.since
            or self.until is not None
            and item.at > self.until
        ):
            return False
        if isinstance(item, Cell):
            return self._takes_cell(item)
        if self.fault or self.module or self.tool:
            return False  # only cells have such a thing
        return not self.errors or _is_error(item.event)

    def _takes_cell(self, cell: Cell) -> bool:
        fault = cell.execution.fault if cell.execution else None
        if self.fault and (fault is None or self.fault not in ("any", fault)):
            return False
        if self.module and not any(
            name == self.module or name.startswith(self.module + ".") for name in cell.imports
        ):
            return False
        if self.tool and self.tool not in cell.tools:
            return False
        return not self.errors or cell.failed or cell.execution is None


def _is_error(event: Any) -> bool:
    if isinstance(event, events.AgentRunFinished):
        return event.state != "success"
    if (
        isinstance(event, (Unreadable, events.SandboxDied))
        or type(event).__name__ in _LOGS_OWN_FAILURES
    ):
        return True
    return getattr(event, "error", None) is not None
