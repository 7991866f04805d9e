"""Processes that this one has started, their memory and their descriptors, as /proc tells them.
Needs the same user, or root."""

from __future__ import annotations

import contextlib
import os
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
PRIVATE = ("Private_Clean:", "Private_Dirty:")


@dataclass(frozen=True)
class Process:
    pid: int
    parent: int
    name: str
    state: str

    @property
    def is_alive(self) -> bool:
        return self.state not in "ZX"

    def private_bytes(self) -> int:
        """Memory that would come free if just this process ended; 0 if it has ended."""
        with contextlib.suppress(OSError):
            lines = (PROC / str(self.pid) / "smaps_rollup").read_text().splitlines()
            return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith(PRIVATE))
        return 0

    def resident_bytes(self) -> int:
        with contextlib.suppress(OSError):
            return int((PROC / str(self.pid) / "statm").read_text().split()[1]) * os.sysconf(
                "SC_PAGE_SIZE"
            )
        return 0


def all_processes() -> Iterator[Process]:
    for entry in PROC.iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                # The name stands in brackets and may hold any character, brackets and spaces
                # included.
                before, _, after = (entry / "stat").read_text(errors="replace").rpartition(")")
                state, parent = after.split()[:2]
                yield Process(int(entry.name), int(parent), before.partition("(")[2], state)


def descendants(ancestor: int | None = None) -> list[Process]:
    """Every process below this one, parents before children."""
    children: defaultdict[int, list[Process]] = defaultdict(list)
    for process in all_processes():
        children[process.parent].append(process)
    found: list[Process] = []
    waiting = [os.getpid() if ancestor is None else ancestor]
    while waiting:
        below = children[waiting.pop()]
        found += below
        waiting += [process.pid for process in below]
    return found


@dataclass(frozen=True)
class Worker:
    """One zygote and what is around it, told apart by name and by parent. An init shares the
    zygote's memory and has none of its own, and its name. One runner more than there are sandboxes
    is the spare one.
    """

    supervisor: Process
    zygote: Process
    runners: list[Process]
    inits: list[Process]


def workers() -> list[Worker]:
    """The zygotes that this process has running."""
    below = [process for process in descendants() if process.is_alive]
    # The kernel keeps fifteen characters of a name.
    supervisors = [
        process
        for process in below
        if process.parent == os.getpid() and process.name == "fumehood-superv"
    ]
    found = []
    for supervisor in supervisors:
        zygote = next((process for process in below if process.parent == supervisor.pid), None)
        if zygote is None:
            continue
        children = [process for process in below if process.parent == zygote.pid]
        runners = [process for process in children if process.name == "fumehood-runner"]
        inits = [
            process for process in children if process.name == zygote.name
        ]  # not the template, of which there is one
        found.append(Worker(supervisor, zygote, runners, inits))
    return found


def open_descriptors() -> dict[int, str]:
    """The descriptors of this process, and what each is."""
    found = {}
    for entry in (PROC / "self" / "fd").iterdir():
        with contextlib.suppress(OSError):
            found[int(entry.name)] = str(entry.readlink())
    return found


def thread_count() -> int:
    return sum(1 for _ in (PROC / "self" / "task").iterdir())
