"""What a log holds for a replay, seen as a whole before anything is run: its sessions, what each
begins with, and what it goes back to."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from fumehood import events
from fumehood.asked import shown
from fumehood.audit.reading import Record, read
from fumehood.errors import AuditError


def read_lines(
    path: str | os.PathLike[str], force: bool, note: Callable[[str], None]
) -> Iterator[tuple[Record, Any]]:
    """Lines and their events. What cannot be read is an AuditError, or, if forced, noted."""
    for record in read(
        path, damaged=(lambda broken: note(f"not read: {broken}")) if force else None
    ):
        try:
            yield record, record.decoded()
        except AuditError as error:
            if not force:
                raise
            note(f"not read: {error}")


@dataclass(slots=True)
class Plot:
    """One session of a log, seen as a whole before anything is run."""

    opened: events.SessionOpened
    loaded: str = ""
    installed: tuple[str, ...] = ()
    redacts: bool = False
    """Whether validators may have changed what the log has of arguments and results."""
    needs: set[str] = field(default_factory=set)
    """Sessions that it goes on from, or goes back to."""


@dataclass(slots=True)
class Script:
    """A log's sessions."""

    sessions: dict[str, Plot] = field(default_factory=dict)
    unopened: dict[str, str] = field(default_factory=dict)
    """Sessions whose beginning the log does not have, with the first line that they are in."""
    forked: set[str] = field(default_factory=set)
    """Sessions that the log saw being forked."""
    restores: Counter[tuple[str, int]] = field(default_factory=Counter)
    """How often each snapshot is gone back to."""

    @classmethod
    def of(cls, path: str | os.PathLike[str], force: bool) -> Script:
        script = cls()
        for record, event in read_lines(path, force, lambda text: None):
            if not record.session:
                continue
            plot = script.sessions.get(record.session)
            if isinstance(event, events.SessionOpened):
                if (
                    plot is None
                ):  # a log that is told twice of the same session has it from its first mention
                    script.sessions[record.session] = Plot(
                        event,
                        needs={event.parent} - {""},
                        redacts=event.options.get("redacts") is True,
                    )
                continue
            if plot is None:
                script.unopened.setdefault(record.session, place(record))
            elif isinstance(event, events.SnapshotRestored):
                script.restores[event.of, event.snapshot] += 1
                plot.needs.add(event.of)
            elif isinstance(event, events.Forked):
                script.forked.update(event.children)
            elif isinstance(event, events.OpenedBeside):
                script.forked.add(event.child)
            elif isinstance(event, events.StateLoaded):
                plot.loaded = event.path
            elif isinstance(event, events.PackagesInstalled):
                plot.installed += event.packages
            elif isinstance(event, events.OutputFlagged):
                plot.redacts |= any(finding.action != "report" for finding in event.findings)
        return script

    def chosen(self, wanted: str) -> set[str]:
        """The sessions to run: all, or one and those that it needs."""
        if not wanted:
            if not self.sessions:
                raise AuditError(
                    "the log has no session that could be replayed: no executor was opened while it"
                    " was written"
                )
            return {*self.sessions, *self.unopened}
        if not isinstance(wanted, str):
            raise AuditError(
                "a session is named by its id, a text, or the beginning of it, not by"
                f" {shown(wanted)}"
            )
        found = [name for name in {**self.sessions, **self.unopened} if name.startswith(wanted)]
        if len(found) != 1:
            which = ", ".join((found or list(self.sessions))[:10]) or "none"
            if found:
                raise AuditError(
                    f"several sessions of the log begin with {shown(wanted)}: {which}; give more of"
                    " the one that is meant"
                )
            raise AuditError(f"no session of the log begins with {shown(wanted)}; it has {which}")
        chosen: set[str] = set()
        while found:
            name = found.pop()
            chosen.add(name)
            if name in self.sessions:
                found += self.sessions[name].needs - chosen
        return chosen

    def require(self, chosen: set[str]) -> None:
        """AuditError for a session that began with something that the log does not have."""
        for name in sorted(chosen):
            plot = self.sessions.get(name)
            why = ""
            if plot is None:
                why = f"began before the log ({self.unopened.get(name, 'it is not in it')})"
            elif plot.opened.parent and name not in self.forked:
                why = f"was forked from {plot.opened.parent}, which the log does not show"
            elif plot.opened.cells and not plot.opened.parent:
                why = f"had run {plot.opened.cells:,} cells before the log began"
            elif plot.loaded:
                why = f"began with variables from {plot.loaded}, which are not in the log"
            elif plot.installed:  # a log must not decide what this machine fetches
                why = (
                    "had packages installed that are not in the log:"
                    f" {', '.join(plot.installed[:10])}"
                )
            if why:
                raise AuditError(
                    f"session {name} cannot be replayed: it {why}; choose another, or force"
                )


def place(record: Record) -> str:
    """Where a line is."""
    return f"{record.file.name}, line {record.line}"
