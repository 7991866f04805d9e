"""What the zygote can find out about processes of a sandbox that it did not start itself."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import time

from fumehood.jail.namespaces import Spaces

_DEATH_SECONDS = 2.0


def process_of(handles: list[int], spaces: Spaces | None) -> int:
    """The process that a pidfd stands for. OSError if it is none of the sandbox's: it came from there, and may be anything."""
    if spaces is None or len(handles) != 1:
        raise OSError("a sandbox without namespaces has no other processes")
    with open(f"/proc/self/fdinfo/{handles[0]}") as file:
        pid = next((int(line.split()[1]) for line in file if line.startswith("Pid:")), -1)
    if pid <= 0 or not _is_in(pid, os.fstat(spaces.pid).st_ino):
        raise OSError("that is no process of this sandbox")
    return pid


def session_of(runner: int, spaces: Spaces | None) -> list[int]:
    """Every process of a sandbox in a runner's session, found by looking at all there are. Used where no cgroup has a list; a process that
    has made a session of its own is not found, and lives until the sandbox ends."""
    if spaces is None:
        return []
    namespace = os.fstat(spaces.pid).st_ino
    found = [int(entry) for entry in os.listdir("/proc") if entry.isdigit() and _is_in(int(entry), namespace)]
    return [pid for pid in found if _session(pid) == runner]


def kill_and_see(processes: set[int]) -> None:
    """Kill processes and see them dead: one that is in the middle of a system call finishes that first. Bounded: a process may be stuck."""
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


def _session(pid: int) -> int:
    with contextlib.suppress(OSError, ValueError, IndexError), open(f"/proc/{pid}/stat") as file:
        return int(file.read().rpartition(")")[2].split()[3])
    return -1


def _is_in(pid: int, namespace: int) -> bool:
    with contextlib.suppress(OSError):
        return os.stat(f"/proc/{pid}/ns/pid").st_ino == namespace
    return False
