"""What the container around a worker has: room for labs, a number of processes, and a count of what
the kernel has ended in it.

Nothing in here can be changed from inside; it is read. Where a container does not tell, nothing is
known, and nothing fails.
"""

from __future__ import annotations

import contextlib
import os

from fumehood.jail import kernel
from fumehood.jail.filesystem import HOME, LAB, LABS, PACKAGES, PARTS

# As a container sees its own group, under either version of cgroups.
_PROCESSES = ("/sys/fs/cgroup/pids/pids.max", "/sys/fs/cgroup/pids.max")
_SHARES = ("/sys/fs/cgroup/cpu/cpu.shares", "/sys/fs/cgroup/cpu.weight")
_KILLS = ("/sys/fs/cgroup/memory/memory.oom_control", "/sys/fs/cgroup/memory.events")

RESERVED_PROCESSES = 12
"""What code may not have of the container's processes, so that a keeper and a runner can be started
beside a bomb."""


def make_labs() -> str:
    """A directory for all labs of one zygote, under a name that nobody guesses. OSError if the
    container was not made for it."""
    if not os.path.islink(HOME) or os.readlink(HOME) != f"{LAB}/{PARTS[HOME]}":
        raise OSError(
            f"{HOME} of this container is not a sandbox's: its image was not built by this version"
            " of fumehood; build one with `fumehood docker build`"
        )
    if not os.access(LABS, os.W_OK | os.X_OK):
        raise OSError(
            f"nothing can be written to {LABS} in this container: it needs a tmpfs there that"
            " belongs to its user"
        )
    labs = f"{LABS}/{os.urandom(8).hex()}"
    os.mkdir(labs, 0o700)
    return labs


def make_packages() -> str:
    """A directory for the packages of one zygote; empty if the container has no place for any."""
    packages = f"{PACKAGES}/{os.urandom(8).hex()}"
    try:
        os.mkdir(packages, 0o755)
    except OSError:
        return ""
    return packages


def most_processes() -> int | None:
    """How many processes and threads all sandboxes of the container may have together. None if
    nobody has set a limit that can be read."""
    for path in _PROCESSES:
        with contextlib.suppress(OSError, ValueError), open(path) as file:
            return max(1, int(file.read()) - RESERVED_PROCESSES)
    return None


def has_processors() -> bool:
    """Whether the scheduler sees the container as a whole, so that what its processes give up is
    left to others in it, and not outside."""
    return any(map(os.path.exists, _SHARES))


def kernel_name() -> str:
    """Of a container whose kernel is not the machine's, what that calls itself; empty if it is, or
    nothing is known."""
    with contextlib.suppress(OSError):
        return "gVisor" if b"gVisor" in kernel.messages() else ""
    return ""


def killed() -> int:
    """How many processes of the container the kernel has ended for want of memory."""
    for path in _KILLS:
        with contextlib.suppress(OSError, ValueError), open(path) as file:
            for line in file:
                key, _, value = line.partition(" ")
                if key == "oom_kill":
                    return int(value)
    return 0
