"""Lines that a log writes about itself. They are events like the others, so that there is one way
to write and to read a line."""

from __future__ import annotations

from typing import Final

from fumehood.events import KINDS, Event

FORMAT: Final = 1
"""The version of the lines' format."""


class LogOpened(Event, frozen=True, kw_only=True):
    """Somebody begins to write: the first line of every file, and of every sitting on one."""

    format: int
    fumehood: str
    python: str
    pid: int
    host: str
    keyed: bool
    log: str
    """A random name of the chain, the same in all of its files."""
    file: int
    """Which of the chain's files this is, from 1."""
    first_kept: int
    """Which of its files is the oldest that was not removed for want of room."""
    parent: str = ""
    """The log of the process that this one was forked from."""
    parent_hash: str = ""


class LogClosed(Event, frozen=True, kw_only=True):
    """The end of a sitting. A file without an end is still being written, or was not ended by who
    wrote it."""


class LogRotated(Event, frozen=True, kw_only=True):
    """The end of a full file, whose name is from now on `name`; the chain goes on in another."""

    name: str


class LogRecovered(Event, frozen=True, kw_only=True):
    """The sitting before had no end. `lost` is what there was of an incomplete last line, which was
    taken away."""

    lost_bytes: int
    lost: str
    reason: str


class LogGap(Event, frozen=True, kw_only=True):
    """So many events happened here and could not be written."""

    events: int
    reason: str


ENTRIES: Final[dict[str, type[Event]]] = {
    kind.__name__: kind for kind in (LogOpened, LogClosed, LogRotated, LogRecovered, LogGap)
}
ALL_KINDS: Final[dict[str, type[Event]]] = {**KINDS, **ENTRIES}
"""Everything a line can be, by its name."""

ENDS: Final = frozenset({"LogClosed", "LogRotated", "LogRecovered"})
"""What a sitting can end with."""
