"""Orphaned processes: finding them by their parents, ending them, and limiting the CPU time of what
goes on between cells."""

from __future__ import annotations

import contextlib
import errno
import os
import select
import signal
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

_SWEEPS = 16  # two do, but for processes that cannot be stopped at once
_DEATH_SECONDS = 2.0


def children_of(pid: int) -> set[int]:
    """The children of all threads of a process, dead ones too."""
    found: set[int] = set()
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return found
    for thread in threads:
        try:
            with open(f"/proc/{pid}/task/{thread}/children") as file:
                found.update(map(int, file.read().split()))
        except OSError:  # the thread is gone, or this kernel does not keep the list
            if os.path.exists(f"/proc/{pid}/task/{thread}"):
                others = (int(entry) for entry in os.listdir("/proc") if entry.isdigit())
                return {other for other in others if _numbers_of(other).get("parent") == pid}
    return found


def start_of(pid: int) -> int | None:
    """When a process was started, or None if it is gone. The kernel reuses process ids: only
    together with its start does an id always mean the same process."""
    return _numbers_of(pid).get("start")


def _numbers_of(pid: int) -> dict[str, int]:
    """What the kernel counts of a process. Empty if it is gone."""
    with contextlib.suppress(OSError, IndexError), open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
        ticks = int(fields[11]) + int(fields[12])
        return {"parent": int(fields[1]), "start": int(fields[19]), "cpu": ticks}
    return {}


def tree(roots: Iterable[int]) -> set[int]:
    """Processes and everything below them. Searched from the roots down, so that other processes
    cost nothing."""
    found: set[int] = set()
    generation = {*roots}
    while generation:
        found |= generation
        generation = {child for pid in generation for child in children_of(pid)} - found
    return found


def end_all(find: Callable[[], Iterable[int]], known: set[int]) -> None:
    """End what is found, again and again until nothing is, but for those that are known. They are
    stopped first, and then looked for again: one that was being started just then is in no
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
        _signal_all(new, signal.SIGSTOP)
    return found


def _signal_all(processes: set[int], number: int) -> None:
    for pid in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


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


# -- between cells

REST_SHARE = 0.1
"""The part of one processor that all processes of a sandbox may use together between cells…"""
_CREDIT = 0.1
"""…and CPU seconds that they may use at once, when they have used nothing for a while."""
_TICK = 0.05
_LONGEST_PAUSE = 4.0
"""Seconds between two looks at a sandbox: a tick while it computes, then more and more."""
_STOPPED_PAUSE = 0.5
_CLOCK_TICKS = os.sysconf("SC_CLK_TCK")
_PROCESSORS = os.cpu_count() or 1


@dataclass(slots=True)
class _Resting:
    """A sandbox for which the host waits for nothing."""

    roots: dict[int, int | None]
    """Its runners, and its init where there is one, each with its start."""
    spared: set[int]
    """Those of them that run no code: they are not stopped."""
    looked: float
    due: float
    pause: float = _TICK
    used: dict[tuple[int, int], float] = field(default_factory=dict)
    """CPU seconds of each process at the last look, by process id and time of start."""
    debt: float = -_CREDIT
    """CPU seconds that were used beyond the share; negative if there are some left."""
    stopped: set[int] = field(default_factory=set)

    def tree(self) -> set[int]:
        """The living roots and everything below them. The id of a dead root may be another's."""
        return tree(pid for pid, start in self.roots.items() if start_of(pid) == (start or -1))


class Throttle:
    """Limits the CPU time of what cells leave behind: processes, and threads of a runner.

    While the host waits for a sandbox its processes run freely, under the limits of the cell. Then
    the sandbox rests until the next call, and what goes on in it may use REST_SHARE of one
    processor. This works without cgroups: the zygote looks at the CPU time of the processes, stops
    them with SIGSTOP when they have used more, and continues them when that has been made up for.
    It looks 20 times a second at a sandbox that computes and once in four seconds at one that does
    not, so what begins to compute later has that long at first. What it uses then is made up for as
    well: over time the share holds.

    A process that starts and ends between two looks leaves no trace of its CPU time. So one that is
    new at a look is taken to have computed since the last, for a tick at most. Processes that are
    stopped and compute all the same are continued by each other; they are killed.
    """

    def __init__(self) -> None:
        self._resting: dict[int, _Resting] = {}

    def rest(self, sandbox: int, runners: set[int], init: int) -> None:
        """The host waits for nothing in a sandbox. `init` is 0 where there is none."""
        self.wake(sandbox)
        now = time.monotonic()
        spared = {init} - {0}
        roots = {pid: start_of(pid) for pid in runners | spared}
        resting = _Resting(roots, spared, looked=now, due=now + _TICK)
        resting.used = _cpu_seconds(resting.tree() - spared)
        self._resting[sandbox] = resting

    def wake(self, sandbox: int) -> None:
        """The host waits for something again."""
        if sandbox in self._resting:
            _signal_all(self._resting.pop(sandbox).stopped, signal.SIGCONT)

    def forget(self, sandbox: int) -> None:
        """The sandbox ends: nothing in it is continued."""
        self._resting.pop(sandbox, None)

    def wait_milliseconds(self) -> float | None:
        """How long until the next look; None for ever."""
        if not self._resting:
            return None
        next_look = min(resting.due for resting in self._resting.values())
        return max(0.0, next_look - time.monotonic()) * 1000

    def look(self) -> None:
        """Look at every sandbox whose time has come."""
        now = time.monotonic()
        for resting in self._resting.values():
            if resting.due <= now:
                _look_at(resting, now)


def _look_at(resting: _Resting, now: float) -> None:
    elapsed, resting.looked = now - resting.looked, now
    before, resting.used = resting.used, _cpu_seconds(resting.tree() - resting.spared)
    used = sum(
        seconds - before[process] if process in before else max(seconds, min(elapsed, _TICK))
        for process, seconds in resting.used.items()
    )
    used = min(used, elapsed * _PROCESSORS)
    resting.debt = max(resting.debt - REST_SHARE * elapsed, -_CREDIT) + used
    was_stopped = bool(resting.stopped)
    if not was_stopped:
        if resting.debt > 0:
            resting.stopped = stop_all(resting.tree, resting.spared)
            resting.used = _cpu_seconds(resting.stopped)
    elif used > _CREDIT:
        _end_computing(resting, before)
    elif resting.debt <= 0:
        stopped, resting.stopped = resting.stopped, set()
        _signal_all(stopped, signal.SIGCONT)
    if resting.stopped:
        resting.pause = min(max(resting.debt / REST_SHARE, _TICK), _STOPPED_PAUSE)
    else:
        computes = used or was_stopped  # what was continued goes on computing
        resting.pause = _TICK if computes else min(2 * resting.pause, _LONGEST_PAUSE)
    resting.due = now + resting.pause


def _end_computing(resting: _Resting, before: dict[tuple[int, int], float]) -> None:
    """End those that have computed since the last look, and whatever they start meanwhile. A
    runner may have taken a moment to be stopped."""
    guilty = {
        process[0]
        for process, seconds in resting.used.items()
        if process not in before
        or seconds - before[process] > (_TICK if process[0] in resting.roots else 0)
    }
    others = {pid for pid, _start in resting.used} - guilty
    end_all(resting.tree, others | resting.spared)


def _cpu_seconds(processes: set[int]) -> dict[tuple[int, int], float]:
    """What each process has used, by process id and time of start, without those that are gone."""
    seen = {pid: _numbers_of(pid) for pid in processes}
    return {(pid, of["start"]): of["cpu"] / _CLOCK_TICKS for pid, of in seen.items() if of}
