"""How much a sandbox may use, told to the kernel: resource limits of each process, and a cgroup
around them where one can be made."""

from __future__ import annotations

import contextlib
import mmap
import os
import re
import resource
import time
from dataclasses import dataclass

from fumehood.jail.filesystem import LAB_COPIES
from fumehood.jail.kernel import Script
from fumehood.policy import Limits

_UNLIMITED = resource.RLIM_INFINITY

# What no sandbox needs any of.
# fmt: off
_NONE_OF = (
    (resource.RLIMIT_CORE,     "a core file is a copy of the memory on the host's disk"),
    (resource.RLIMIT_MEMLOCK,  "locked memory cannot be taken back under pressure"),
    (resource.RLIMIT_MSGQUEUE, "message queues hold kernel memory"),
    (resource.RLIMIT_NICE,     "nothing in here is more important than the host"),
    (resource.RLIMIT_RTPRIO,   "a real-time process can hold a core for ever"),
)
# fmt: on

# What a kernel need not let anybody set. gVisor does not.
# fmt: off
_DISPENSABLE = (
    (resource.RLIMIT_MSGQUEUE,   "the system-call filter refuses message queues"),
    (resource.RLIMIT_NICE,       "the system-call filter refuses to be more important"),
    (resource.RLIMIT_RTPRIO,     "the system-call filter refuses real-time scheduling"),
    (resource.RLIMIT_SIGPENDING, "the system-call filter refuses signals to others; its own are few"),  # noqa: E501
)
# fmt: on

_STACK = 8 << 20
INHERITED = 32 << 20
"""A part of every group's limit. A runner uses free memory inside what it inherits from its zygote
and copies pages of it; RLIMIT_DATA does not count these. Without this part the kernel would kill
the runner before RLIMIT_DATA is reached, and a cell that could get a MemoryError and keep its
variables would lose them."""
RESERVED = 512 << 20
# Java reserves a quarter of the machine's memory, and 1 GB for classes.
RESERVED_BY_PROGRAMS = max(4 << 30, os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2)
_LITTLE_RESERVED = 128 << 20
"""Where the kernel counts nothing but mappings."""
_PENDING_SIGNALS = 256
_TRIED = 16 << 20


Plan = tuple[tuple[int, int], ...]
"""Resource limits: which, and how much. Worked out before a process is started, so that all it has
to do is to take them."""


def plan(
    limits: Limits,
    *,
    in_use: Memory,
    tasks_in_use: int,
    most_tasks: int = _UNLIMITED,
    reserved: int = RESERVED,
    absent: frozenset[int] = frozenset(),
) -> Plan:
    """The limits of a process that is a copy of this one, and of all that it starts.

    `in_use` is what it has already, inherited from the zygote; `tasks_in_use` what the kernel
    counts for its user, or what others may come to have, but no more than `most_tasks` together.
    `reserved` is what may be mapped without being memory in use; `absent` are limits that this
    kernel has not.
    """
    tasks = tasks_in_use + limits.processes + 2 * limits.branches  # each may have a base
    wanted = (
        (resource.RLIMIT_DATA, in_use.data + limits.memory_bytes),
        # RLIMIT_DATA forgets memory that was written and then made read-only. This counts every
        # mapping, and so leaves room for those that take no memory: stacks of threads, pools that
        # libraries reserve.
        (resource.RLIMIT_AS, in_use.mapped + limits.memory_bytes + reserved),
        (resource.RLIMIT_NPROC, tasks if most_tasks == _UNLIMITED else min(tasks, most_tasks)),
        (resource.RLIMIT_NOFILE, limits.open_files),
        (resource.RLIMIT_FSIZE, limits.file_bytes),
        (resource.RLIMIT_SIGPENDING, _PENDING_SIGNALS),
        (resource.RLIMIT_STACK, _STACK),
        (resource.RLIMIT_CPU, _UNLIMITED if limits.cpu_seconds is None else limits.cpu_seconds),
    )
    rows = (
        *((kind, 0) for kind, _reason in _NONE_OF),
        *((kind, _at_most(kind, value)) for kind, value in wanted),
    )
    return tuple(row for row in rows if row[0] not in absent) if absent else rows


def absent() -> frozenset[int]:
    """Limits that this kernel does not let anybody set, not even to what they are. One that cannot
    be done without is never among them."""
    found = set()
    for kind, _reason in _DISPENSABLE:
        try:
            resource.setrlimit(kind, resource.getrlimit(kind))
        except (ValueError, OSError):
            found.add(kind)
    return frozenset(found)


def reserved(in_use: Memory) -> int:
    """How much may be mapped beyond what may be used: little where RLIMIT_DATA does not hold, as
    with gVisor, whatever it is set to."""
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (in_use.data + _TRIED // 2, hard))
    try:
        mmap.mmap(-1, _TRIED, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS).close()
        return _LITTLE_RESERVED
    except OSError:
        return RESERVED
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _at_most(kind: int, value: int) -> int:
    """The value, or a hard limit that is lower already."""
    _soft, hard = resource.getrlimit(kind)
    return hard if hard != _UNLIMITED and (value == _UNLIMITED or hard < value) else value


def apply(script: Script, planned: Plan) -> None:
    for kind, value in planned:
        script.limit(kind, value)


def raise_open_files() -> None:
    """Have as many open files as this process is allowed."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


@dataclass(frozen=True, slots=True)
class Memory:
    """What a process has, in bytes: its private writable memory, as RLIMIT_DATA counts it, and all
    that it has mapped."""

    data: int
    mapped: int


def memory_in_use() -> Memory:
    with open("/proc/self/statm") as file:
        columns = file.read().split()
    page = resource.getpagesize()
    data = int(columns[5]) * page
    return Memory(data or _data_in_use(), int(columns[0]) * page)


def _data_in_use() -> int:
    """As another file tells it: gVisor leaves the column empty."""
    with open("/proc/self/status") as file:
        return next((int(line.split()[1]) << 10 for line in file if line.startswith("VmData:")), 0)


def tasks_of_user(uid: int) -> int:
    """How many processes and threads a user has, as RLIMIT_NPROC counts them where no user
    namespace gives a count of its own."""
    count = 0
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with contextlib.suppress(OSError):
                if os.stat(f"/proc/{entry}").st_uid == uid:
                    count += len(os.listdir(f"/proc/{entry}/task"))
    return count


# -- containers: what the engine has set can be read, but not changed

# As a container sees its own group, under either version of cgroups.
_PROCESSES = ("/sys/fs/cgroup/pids/pids.max", "/sys/fs/cgroup/pids.max")
_SHARES = ("/sys/fs/cgroup/cpu/cpu.shares", "/sys/fs/cgroup/cpu.weight")
_KILLS = ("/sys/fs/cgroup/memory/memory.oom_control", "/sys/fs/cgroup/memory.events")

RESERVED_PROCESSES = 12
"""Processes of the container that code may not have, so that an init and a runner can be started
while a fork bomb runs."""


def processes_of_container() -> int | None:
    """How many processes and threads all sandboxes of the container may have together. None if no
    limit can be read."""
    for path in _PROCESSES:
        with contextlib.suppress(OSError, ValueError), open(path) as file:
            return max(1, int(file.read()) - RESERVED_PROCESSES)
    return None


def is_scheduled_as_a_whole() -> bool:
    """Whether the scheduler sees the container as a whole, so that what its processes give up is
    left to others in it."""
    return any(map(os.path.exists, _SHARES))


def killed_in_container() -> int:
    """How many processes of the container the kernel has killed because memory ran out."""
    for path in _KILLS:
        with contextlib.suppress(OSError), open(path) as file:
            return _oom_kills(file.read())
    return 0


def _oom_kills(text: str) -> int:
    found = re.search(r"^oom_kill (\d+)$", text, re.MULTILINE)
    return int(found[1]) if found else 0


# -- cgroups


def group_bytes(limits: Limits, *, copies: int = 0, branched: bool = False) -> int:
    """The memory that all processes of a sandbox may have together, with the files in its tmpfs.

    `copies` counts the checkpoint and the forks, each of which may hold other variables than its
    origin: a page is charged once for as long as they share it, and once for each that changes it.
    A checkpoint also holds an image of the lab. `branched` says that there were snapshots or forks,
    whose copies of the lab share a tmpfs of LAB_COPIES times its size.

        no checkpoint       INHERITED + memory_bytes + lab_bytes
        a checkpoint        INHERITED + 2 (memory_bytes + lab_bytes)
        branched, n forks   INHERITED + (2 + n) memory_bytes + (1 + LAB_COPIES) lab_bytes

    docs/security/jail.md has the same table.
    """
    labs = 1 + (LAB_COPIES if branched else bool(copies))
    return INHERITED + (1 + copies) * limits.memory_bytes + labs * limits.lab_bytes


@dataclass(frozen=True, slots=True)
class Cgroups:
    """A directory of the cgroup file system in which one group per sandbox is made. Held as a
    descriptor: it outlives a change of root."""

    version: int
    parent: int
    name: str
    directory: int

    def add(self, sandbox: str, limits: Limits) -> None:
        """Make a group with the sandbox's limits. Swap is not used for it where the kernel offers
        to say so."""
        os.mkdir(sandbox, 0o755, dir_fd=self.directory)
        self.limit(sandbox, limits)

    def limit(
        self, sandbox: str, limits: Limits, *, copies: int = 0, branched: bool = False
    ) -> None:
        """Set the limits of a group, or change them. See `group_bytes`."""
        total = str(group_bytes(limits, copies=copies, branched=branched))
        if self.version == 1:
            if copies:  # memory with swap must never be limited below memory
                with contextlib.suppress(OSError):
                    self._write(sandbox, "memory.memsw.limit_in_bytes", total)
            self._write(sandbox, "memory.limit_in_bytes", total)
            try:
                self._write(sandbox, "memory.memsw.limit_in_bytes", total)
            except OSError:  # absent where the kernel does not count swap
                with contextlib.suppress(OSError):
                    self._write(sandbox, "memory.swappiness", "0")
        else:
            self._write(sandbox, "memory.max", total)
            with contextlib.suppress(OSError):
                self._write(sandbox, "memory.swap.max", "0")

    def door(self, sandbox: str) -> int:
        """A descriptor by which a process enters the group, writing to it who: 0 is itself."""
        return os.open(f"{sandbox}/cgroup.procs", os.O_WRONLY | os.O_CLOEXEC, dir_fd=self.directory)

    def members(self, sandbox: str) -> list[int]:
        """The processes of a group, as this process numbers them."""
        with contextlib.suppress(OSError):
            return [
                int(line) for line in self._read(sandbox, "cgroup.procs").split() if line != "0"
            ]
        return []

    def killed(self, sandbox: str) -> int:
        """How many processes the kernel has killed because memory ran out."""
        name = "memory.oom_control" if self.version == 1 else "memory.events"
        with contextlib.suppress(OSError):
            return _oom_kills(self._read(sandbox, name))
        return 0

    def remove(self, sandbox: str) -> bool:
        """False while a process is still in it."""
        try:
            os.rmdir(sandbox, dir_fd=self.directory)
        except FileNotFoundError:
            return True
        except OSError:
            return False
        return True

    def _write(self, sandbox: str, name: str, text: str) -> None:
        descriptor = os.open(f"{sandbox}/{name}", os.O_WRONLY | os.O_CLOEXEC, dir_fd=self.directory)
        try:
            os.write(descriptor, text.encode())
        finally:
            os.close(descriptor)

    def _read(self, sandbox: str, name: str) -> str:
        descriptor = os.open(f"{sandbox}/{name}", os.O_RDONLY | os.O_CLOEXEC, dir_fd=self.directory)
        try:
            return os.read(descriptor, 65536).decode()
        finally:
            os.close(descriptor)


def open_cgroups(name: str) -> Cgroups:
    """A group of our own below the one this process is in, to hold the sandboxes' groups. OSError
    where that is not ours to make."""
    version, path = _memory_hierarchy()
    own = f"{path}/{name}"
    os.mkdir(own, 0o755)
    try:
        if version == 2:
            for parent in (path, own):
                with open(f"{parent}/cgroup.subtree_control", "w") as file:
                    file.write("+memory")
        flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
        return Cgroups(version, os.open(path, flags), name, os.open(own, flags))
    except OSError:
        os.rmdir(own)
        raise


def sweep_cgroups(prefix: str) -> None:
    """Remove what a process left behind that was killed before it could."""
    _version, path = _memory_hierarchy()
    for entry in os.listdir(path):
        owner = entry.removeprefix(prefix)
        if entry.startswith(prefix) and owner.isdigit() and not os.path.exists(f"/proc/{owner}"):
            with contextlib.suppress(OSError):
                for group in os.listdir(f"{path}/{entry}"):
                    with contextlib.suppress(NotADirectoryError):
                        os.rmdir(f"{path}/{entry}/{group}")
                os.rmdir(f"{path}/{entry}")


def close_cgroups(cgroups: Cgroups) -> None:
    """Remove the group and those in it. Processes that are dying still hold theirs for a moment."""
    for _ in range(100):
        for entry in os.listdir(cgroups.directory):
            with contextlib.suppress(OSError):
                os.rmdir(entry, dir_fd=cgroups.directory)
        with contextlib.suppress(OSError):
            os.rmdir(cgroups.name, dir_fd=cgroups.parent)
            return
        time.sleep(0.02)


def _memory_hierarchy() -> tuple[int, str]:
    """The version and the path of the cgroup in which this process's memory is counted."""
    groups = {}
    with open("/proc/self/cgroup") as file:
        for line in file:
            _number, controllers, path = line.rstrip("\n").split(":", 2)
            for controller in controllers.split(","):
                groups[controller] = path
    if "memory" in groups:
        return 1, _mounted("cgroup", "memory") + groups["memory"].rstrip("/")
    if "" in groups:
        return 2, _mounted("cgroup2", "") + groups[""].rstrip("/")
    raise FileNotFoundError(2, "this process's memory is counted in no cgroup")


def _mounted(kind: str, option: str) -> str:
    # Runners are copies of this process, and freed memory keeps its content: nothing of the host's
    # other mounts may stay.
    table, end = bytearray(1 << 20), 0
    with open("/proc/self/mounts", "rb", buffering=0) as file, memoryview(table) as rest:
        while read := file.readinto(rest[end:]):
            end += read
    lines = re.findall(rb"^\S+ (\S+) %b (\S+)" % kind.encode(), table, re.MULTILINE)
    table[:] = bytes(len(table))
    for target, options in lines:
        if not option or option.encode() in options.split(b","):
            return os.fsdecode(target)
    raise FileNotFoundError(2, f"no {kind} file system with {option or 'memory'} is mounted")
