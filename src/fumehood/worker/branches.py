"""What the zygote can find out about processes of a sandbox that it did not start itself."""

from __future__ import annotations

import contextlib
import os
import select
from collections.abc import Iterator

from fumehood.jail.namespaces import Spaces
from fumehood.worker import strays
from fumehood.worker.sandboxes import Sandbox


def process_in(sandbox: Sandbox, number: int, parent: int = 0) -> tuple[int, int]:
    """The process that a sandbox calls by `number`: its process id here, and a pidfd of it. The
    number came from the sandbox: OSError if it is none of the sandbox's processes. `parent` is
    where to look first."""
    if sandbox.spaces is None and sandbox.household is None:
        raise OSError("a sandbox without namespaces has no other processes")
    for pid in _candidates(sandbox, number, parent):
        with contextlib.suppress(OSError):
            handle = os.pidfd_open(pid)
            # Checked after it is held: from now on the pid cannot come to mean another process
            # without the handle being dead.
            if _is_called(sandbox, pid, number) and not select.select([handle], [], [], 0)[0]:
                return pid, handle
            os.close(handle)
    raise OSError("that is no process of this sandbox")


def _candidates(sandbox: Sandbox, number: int, parent: int) -> Iterator[int]:
    if sandbox.household is not None:  # no pid namespace: one number for all
        yield number
        return
    if parent:
        yield from strays.children_of(parent)
    yield from (int(entry) for entry in os.listdir("/proc") if entry.isdigit())


def _is_called(sandbox: Sandbox, pid: int, number: int) -> bool:
    if sandbox.household is not None:
        return strays.is_below(pid, sandbox.household.keeper)
    assert sandbox.spaces is not None
    with open(f"/proc/{pid}/status") as file:
        numbers = next((line.split()[1:] for line in file if line.startswith("NSpid:")), [])
    return numbers[-1:] == [str(number)] and _is_in(pid, os.fstat(sandbox.spaces.pid).st_ino)


def processes_of(spaces: Spaces | None) -> list[int]:
    """Every process of a sandbox, found by looking at all there are: for where no cgroup has a
    list."""
    if spaces is None:
        return []
    namespace = os.fstat(spaces.pid).st_ino
    return [
        int(entry)
        for entry in os.listdir("/proc")
        if entry.isdigit() and _is_in(int(entry), namespace)
    ]


def session_of(runner: int, spaces: Spaces | None) -> list[int]:
    """Every process of a sandbox in a runner's session. A process that has made a session of its
    own is not found, and lives until the sandbox ends or all its runners are replaced."""
    return [pid for pid in processes_of(spaces) if _session(pid) == runner]


def _session(pid: int) -> int:
    with contextlib.suppress(OSError, ValueError, IndexError), open(f"/proc/{pid}/stat") as file:
        return int(file.read().rpartition(")")[2].split()[3])
    return -1


def _is_in(pid: int, namespace: int) -> bool:
    with contextlib.suppress(OSError):
        return os.stat(f"/proc/{pid}/ns/pid").st_ino == namespace
    return False
