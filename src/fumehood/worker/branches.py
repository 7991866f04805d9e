"""What the zygote can find out about processes of a sandbox that it did not start itself."""

from __future__ import annotations

import contextlib
import os

from fumehood.jail.namespaces import Spaces
from fumehood.worker.households import Household


def process_of(
    handles: list[int], spaces: Spaces | None, household: Household | None = None
) -> int:
    """The process that a pidfd stands for. OSError if it is none of the sandbox's: it came from
    there, and may be anything."""
    if (spaces is None and household is None) or len(handles) != 1:
        raise OSError("a sandbox without namespaces has no other processes")
    pid = pid_of(handles[0])
    if household is not None:
        household.take_in(pid)
        pid = pid_of(
            handles[0]
        )  # it was that process all the time: its number is not another's before it is dead
    if pid <= 0 or spaces is not None and not _is_in(pid, os.fstat(spaces.pid).st_ino):
        raise OSError("that is no process of this sandbox")
    return pid


def pid_of(handle: int) -> int:
    """The process that a pidfd stands for, as this process numbers it."""
    try:
        with open(f"/proc/self/fdinfo/{handle}") as file:
            return next((int(line.split()[1]) for line in file if line.startswith("Pid:")), -1)
    except PermissionError:  # to a process that is closed to inspection, such as this one
        raise OSError(
            "this kernel does not say which process a handle stands for; Linux 5.14 does"
        ) from None


def session_of(runner: int, spaces: Spaces | None) -> list[int]:
    """Every process of a sandbox in a runner's session, found by looking at all there are. Used
    where no cgroup has a list; a process that has made a session of its own is not found, and lives
    until the sandbox ends."""
    if spaces is None:
        return []
    namespace = os.fstat(spaces.pid).st_ino
    found = [
        int(entry)
        for entry in os.listdir("/proc")
        if entry.isdigit() and _is_in(int(entry), namespace)
    ]
    return [pid for pid in found if _session(pid) == runner]


def _session(pid: int) -> int:
    with contextlib.suppress(OSError, ValueError, IndexError), open(f"/proc/{pid}/stat") as file:
        return int(file.read().rpartition(")")[2].split()[3])
    return -1


def _is_in(pid: int, namespace: int) -> bool:
    with contextlib.suppress(OSError):
        return os.stat(f"/proc/{pid}/ns/pid").st_ino == namespace
    return False
