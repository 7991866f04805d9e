"""Processes that nobody started who is still there to end them: finding them by who is above whom,
and ending them.

Where there is no pid namespace and no cgroup this is how a sandbox's processes are known. What such
a process cannot do, in a container, is to leave its process group, so whoever finds one of a group
can end all of it at once, however fast they start each other.
"""

from __future__ import annotations

import contextlib
import errno
import os
import select
import signal
import time
from collections.abc import Callable, Iterable
from typing import NamedTuple

_SWEEPS = 16  # two do, but for processes that cannot be stopped at once
_DEATH_SECONDS = 2.0


class Process(NamedTuple):
    name: str
    parent: int
    group: int
    is_dead: bool
    """Whether it only waits for its parent to hear of its end."""


def process(pid: int) -> Process | None:
    """None if there is none of that number, or not any more."""
    with contextlib.suppress(OSError, ValueError, IndexError), open(f"/proc/{pid}/stat") as file:
        name, _, rest = file.read().rpartition(")")
        state, parent, group, *_rest = rest.split()
        return Process(name.partition("(")[2], int(parent), int(group), state in "ZX")
    return None


def all_processes() -> dict[int, Process]:
    """Those that this process can see, by number."""
    found = ((int(entry), process(int(entry))) for entry in os.listdir("/proc") if entry.isdigit())
    return {pid: seen for pid, seen in found if seen is not None}


def children_of(pid: int) -> set[int]:
    """The children of a process of one thread, dead ones too."""
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            return set(map(int, file.read().split()))
    except OSError:  # not every kernel keeps the list
        return {child for child, seen in all_processes().items() if seen.parent == pid}


def is_below(pid: int, ancestor: int) -> bool:
    """Whether a process was started by another, or by one that was. False for the other itself."""
    seen = process(pid)
    while seen is not None and seen.parent > 1:
        if seen.parent == ancestor:
            return True
        seen = process(seen.parent)
    return False


def all_below(roots: Iterable[int], table: dict[int, Process]) -> set[int]:
    """Processes and everything that they have started."""
    found: set[int] = set()
    generation = set(roots)
    while generation:
        found |= generation
        generation = {pid for pid, seen in table.items() if seen.parent in generation} - found
    return found


def end_all(find: Callable[[], Iterable[int]], known: set[int]) -> None:
    """End what is found, again and again until nothing is, but for those that are known. They are
    stopped first, and then looked for again: one that was being started just then is in nobody's
    list before its parent's call has returned."""
    known = known.copy()
    for _ in range(_SWEEPS):
        found = stop_all(find, known)
        if not found:
            break
        known |= found
        kill_and_see(found)


def stop_all(find: Callable[[], Iterable[int]], known: set[int]) -> set[int]:
    """Stop what is found until there is no more: what is stopped starts no others. Gives who that
    was, without those that are known."""
    found: set[int] = set()
    while new := {*find()} - known - found:
        found |= new
        for pid in new:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGSTOP)
    return found


def kill_and_see(processes: Iterable[int]) -> None:
    """Kill processes and see them dead: one that is in the middle of a system call finishes that
    first. Bounded: a process may be stuck."""
    poll = select.poll()
    handles = []
    for pid in processes:
        with contextlib.suppress(OSError):
            handle = os.pidfd_open(pid)
            handles.append(handle)
            poll.register(handle, select.POLLIN)
            signal.pidfd_send_signal(handle, signal.SIGKILL)
    until = time.monotonic() + _DEATH_SECONDS
    alive = len(handles)
    while alive and (ready := poll.poll(max(0.0, until - time.monotonic()) * 1000)):
        for handle, _event in ready:
            poll.unregister(handle)
        alive -= len(ready)
    for handle in handles:
        os.close(handle)


def status_of(child: int) -> int:
    """How a child ended that is dead, or as good as. OSError if it does not end: it may be stuck in
    the kernel."""
    until = time.monotonic() + _DEATH_SECONDS
    while not (found := os.waitpid(child, os.WNOHANG))[0]:
        if time.monotonic() > until:
            raise OSError(errno.ETIME, "a process that was killed does not end")
        time.sleep(0.001)
    return found[1]


def end_group_of(pid: int) -> None:
    """End a process that is nobody's any more, and everything in its process group: dead or not, it
    keeps the group's number from being another's. In the caller's own group it is ended alone."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        group = os.getpgid(pid)
        if group == os.getpgrp():
            os.kill(pid, signal.SIGKILL)
        else:
            os.killpg(group, signal.SIGKILL)


def end_own_children() -> None:
    """End every child of this process, and those who become its children by that, and wait for all.
    Bounded, as a process may be stuck."""
    until = time.monotonic() + _DEATH_SECONDS
    while (children := children_of(os.getpid())) and time.monotonic() < until:
        for pid in children:
            end_group_of(pid)
        for pid in children:
            with contextlib.suppress(ChildProcessError):
                if not os.waitpid(pid, os.WNOHANG)[0]:
                    time.sleep(0.001)
