"""How much a sandbox may use: resource limits of each process, and a cgroup around them where one
can be made."""

from __future__ import annotations

import contextlib
import mmap
import os
import re
import resource
import time
from dataclasses import dataclass

from fumehood.jail.filesystem import LAB_COPIES
from fumehood.policy import Limits

_UNLIMITED = resource.RLIM_INFINITY

# fmt: off
# What no sandbox needs any of.
_NONE_OF = (
    (resource.RLIMIT_CORE,     "a core file is a copy of the memory on the host's disk"),
    (resource.RLIMIT_MEMLOCK,  "locked memory cannot be reclaimed"),
    (resource.RLIMIT_MSGQUEUE, "message queues hold kernel memory"),
    (resource.RLIMIT_NICE,     "no process in here has priority over the host"),
    (resource.RLIMIT_RTPRIO,   "a real-time process can hold a core for ever"),
)

# What a kernel need not let a process set. gVisor does not.
_DISPENSABLE = (
    (resource.RLIMIT_MSGQUEUE,   "the system-call filter refuses message queues"),
    (resource.RLIMIT_NICE,       "the system-call filter refuses a higher priority"),
    (resource.RLIMIT_RTPRIO,     "the system-call filter refuses real-time scheduling"),
    (resource.RLIMIT_SIGPENDING, "the filter refuses signals to others; its own are few"),
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
"""Where the kernel counts only mappings."""
_PENDING_SIGNALS = 256
_TRIED = 16 << 20


@dataclass(frozen=True, slots=True)
class Memory:
    """What a process has, in bytes: its private writable memory, as RLIMIT_DATA counts it, and all
    that it has mapped."""

    data: int
    mapped: int


def plan(
    limits: Limits,
    *,
    in_use: Memory,
    tasks_in_use: int,
    reserved: int = RESERVED,
) -> dict[int, int]:
    """The resource limits of a process that is a copy of this one, and of all that it starts.

    `in_use` is what it has already, inherited from the zygote; `tasks_in_use` what the kernel
    counts for its user. `reserved` may be mapped without being memory in use.
    """
    tasks = tasks_in_use + limits.processes + 2 * limits.branches  # each may have a checkpoint
    wanted = {
        **{kind: 0 for kind, _reason in _NONE_OF},
        resource.RLIMIT_DATA: in_use.data + limits.memory_bytes,
        # RLIMIT_DATA forgets memory that was written and then made read-only. This counts every
        # mapping, and so leaves room for those that take no memory: stacks of threads, pools that
        # libraries reserve.
        resource.RLIMIT_AS: in_use.mapped + limits.memory_bytes + reserved,
        resource.RLIMIT_NPROC: tasks,
        resource.RLIMIT_NOFILE: limits.open_files,
        resource.RLIMIT_FSIZE: limits.file_bytes,
        resource.RLIMIT_SIGPENDING: _PENDING_SIGNALS,
        resource.RLIMIT_STACK: _STACK,
        resource.RLIMIT_CPU: _UNLIMITED if limits.cpu_seconds is None else limits.cpu_seconds,
    }
    for kind, value in wanted.items():  # a hard limit that is lower already stays
        _soft, hard = resource.getrlimit(kind)
        if hard != _UNLIMITED and (value == _UNLIMITED or hard < value):
            wanted[kind] = hard
    return wanted


def absent() -> set[int]:
    """Limits that this kernel does not let a process set, not even to what they are. Only
    dispensable ones are tried."""
    found = set()
    for kind, _reason in _DISPENSABLE:
        try:
            resource.setrlimit(kind, resource.getrlimit(kind))
        except (ValueError, OSError):
            found.add(kind)
    return found


def reserved(in_use: Memory) -> int:
    """How much may be mapped beyond what may be used: little where RLIMIT_DATA has no effect, as
    with gVisor."""
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (in_use.data + _TRIED // 2, hard))
    try:
        mmap.mmap(-1, _TRIED, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS).close()
        return _LITTLE_RESERVED
    except OSError:
        return RESERVED
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def raise_open_files() -> None:
    """Allow this process as many open files as it may have."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def memory_in_use() -> Memory:
    with open("/proc/self/status") as file:  # gVisor leaves a column of statm empty
        sizes = dict(re.findall(r"^(VmSize|VmData):\s+(\d+) kB$", file.read(), re.MULTILINE))
    return Memory(int(sizes["VmData"]) << 10, int(sizes["VmSize"]) << 10)


def tasks_of_user(uid: int) -> int:
    """How many processes and threads a user has, as RLIMIT_NPROC counts them without a user
    namespace."""
    count = 0
    for entry in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            if os.stat(f"/proc/{entry}").st_uid == uid:
                count += len(os.listdir(f"/proc/{entry}/task"))
    return count


# -- a container's own cgroup: it can be read, but not changed

# As a container sees it, under either version of cgroups.
_KILLS = ("/sys/fs/cgroup/memory/memory.oom_control", "/sys/fs/cgroup/memory.events")


def open_container_kills() -> int:
    """A descriptor for `container_kills`, which outlives a change of root; -1 where there is
    none."""
    for path in _KILLS:
        with contextlib.suppress(OSError):
            return os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    return -1


def container_kills(descriptor: int) -> int:
    """How many processes of the container the kernel has killed because memory ran out."""
    with contextlib.suppress(OSError):
        return _oom_kills(os.pread(descriptor, 65536, 0).decode())
    return 0


def _oom_kills(text: str) -> int:
    found = re.search(r"^oom_kill (\d+)$", text, re.MULTILINE)
    return int(found[1]) if found else 0


# -- cgroups


def group_bytes(limits: Limits, *, copies: int = 0, branched: bool = False) -> int:
    """The memory that all processes of a sandbox may have together, with the files in its tmpfs.

    `copies` counts the checkpoint and the forks, each of which may hold other variables than its
    origin: a page is charged once for as long as they share it, and once for each that changes it.
    A checkpoint also holds an image of the workspace. `branched` says that there were snapshots or
    forks, whose copies of the workspace share a tmpfs of LAB_COPIES times its size.

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
        """Make a group with the sandbox's limits."""
        os.mkdir(sandbox, 0o755, dir_fd=self.directory)
        self.limit(sandbox, limits)

    def limit(
        self, sandbox: str, limits: Limits, *, copies: int = 0, branched: bool = False
    ) -> None:
        """Set the limits of a group, or change them. See `group_bytes`. Swap is not used where the
        kernel offers that."""
        total = str(group_bytes(limits, copies=copies, branched=branched))
        if self.version == 2:
            self._write(sandbox, "memory.max", total)
            self._try_write(sandbox, "memory.swap.max", "0")
            return
        if copies:  # memory with swap must never be limited below memory
            self._try_write(sandbox, "memory.memsw.limit_in_bytes", total)
        self._write(sandbox, "memory.limit_in_bytes", total)
        if not self._try_write(sandbox, "memory.memsw.limit_in_bytes", total):
            self._try_write(sandbox, "memory.swappiness", "0")

    def door(self, sandbox: str) -> int:
        """A descriptor by which a process enters the group: it writes a process id, or 0 for
        itself."""
        return self._open(sandbox, "cgroup.procs", os.O_WRONLY)

    def members(self, sandbox: str) -> list[int]:
        """The processes of a group, as this process numbers them."""
        return [int(line) for line in self._read(sandbox, "cgroup.procs").split() if line != "0"]

    def killed(self, sandbox: str) -> int:
        """How many processes the kernel has killed because memory ran out."""
        name = "memory.oom_control" if self.version == 1 else "memory.events"
        return _oom_kills(self._read(sandbox, name))

    def remove(self, sandbox: str) -> bool:
        """False while a process is still in it."""
        try:
            os.rmdir(sandbox, dir_fd=self.directory)
        except FileNotFoundError:
            return True
        except OSError:
            return False
        return True

    def _open(self, sandbox: str, name: str, flags: int) -> int:
        return os.open(f"{sandbox}/{name}", flags | os.O_CLOEXEC, dir_fd=self.directory)

    def _write(self, sandbox: str, name: str, text: str) -> None:
        with open(self._open(sandbox, name, os.O_WRONLY), "wb", buffering=0) as file:
            file.write(text.encode())

    def _try_write(self, sandbox: str, name: str, text: str) -> bool:
        """False where the kernel does not count swap."""
        with contextlib.suppress(OSError):
            self._write(sandbox, name, text)
            return True
        return False

    def _read(self, sandbox: str, name: str) -> str:
        """Empty if the group is gone."""
        with (
            contextlib.suppress(OSError),
            open(self._open(sandbox, name, os.O_RDONLY), "rb", buffering=0) as file,
        ):
            return file.read(65536).decode()
        return ""


def open_cgroups(name: str) -> Cgroups:
    """A group of our own below the one this process is in, to hold the sandboxes' groups. OSError
    where we may not make one."""
    version, path = _memory_hierarchy()
    own = f"{path}/{name}"
    os.mkdir(own, 0o755)
    try:
        for parent in (path, own) if version == 2 else ():
            with open(f"{parent}/cgroup.subtree_control", "w") as file:
                file.write("+memory")
        flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
        return Cgroups(version, os.open(path, flags), name, os.open(own, flags))
    except OSError:
        os.rmdir(own)
        raise


def sweep_cgroups(prefix: str) -> None:
    """Remove the groups of processes that were killed before they could."""
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
    for _ in range(1500):  # half a minute, on a busy machine
        for entry in os.listdir(cgroups.directory):
            with contextlib.suppress(OSError):
                os.rmdir(entry, dir_fd=cgroups.directory)
        with contextlib.suppress(OSError):
            os.rmdir(cgroups.name, dir_fd=cgroups.parent)
            return
        time.sleep(0.02)


def _memory_hierarchy() -> tuple[int, str]:
    """The version and the path of the cgroup in which this process's memory is counted."""
    with open("/proc/self/cgroup") as file:
        rows = [line.rstrip("\n").split(":", 2)[1:] for line in file]
    groups = {name: path.rstrip("/") for names, path in rows for name in names.split(",")}
    if "memory" in groups:
        return 1, _mounted("cgroup", "memory") + groups["memory"]
    if "" in groups:
        return 2, _mounted("cgroup2", "") + groups[""]
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
