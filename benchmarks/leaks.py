"""What a process has, before and after: descriptors, threads, children, memory, and what it left on
the machine."""

from __future__ import annotations

import atexit
import os
import re
import shutil
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import processes

# Threads that fumehood keeps to use again: those that run tools, and the loop of asynchronous ones.
THREADS_KEPT = 64 + 1
GROWTH = {"host": 48e6, "server": 48e6, "zygote": 16e6}
"""How many bytes more a process may come to have once it is warm: what malloc keeps to use again is
no leak, and is less than that."""
_OF_OTHERS = ("/docker", "/containerd", "/netns", "/overlay2", "/pytest-of-")
"""Where engines mount what is in containers, anybody's (of ours the engine is asked), and tests
that run beside this their small disks."""
_RAYS_LOG = re.compile(r"/.*/logs/python-core-driver-.*")
"""Each connection to a cluster has one by another name, and none is closed."""
WARM_UP = 0.25
"""The part of its life after which a process should have grown as large as it gets…"""
IMPORT_SECONDS = 5.0
"""…and at least the time that a zygote takes to import, on a busy machine."""


@dataclass(frozen=True)
class Holdings:
    """What this process has now that it could leak."""

    temporary: Path
    descriptors: Counter[str]
    threads: int
    mounts: frozenset[str]
    files: frozenset[str]

    @classmethod
    def now(cls, temporary: Path) -> Holdings:
        # The numbers of pipes and sockets say nothing; the kinds of anonymous ones do.
        descriptors = Counter(
            kind
            if kind.startswith("anon_inode")
            else _RAYS_LOG.sub("Ray's log", kind).split(":")[0]
            for kind in processes.open_descriptors().values()
        )
        mounts = {line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines()}
        mounts = {mount for mount in mounts if not any(part in mount for part in _OF_OTHERS)}
        shared = (
            path
            for path in Path("/dev/shm").glob("*")
            if path.name.startswith(("fumehood", "pym-"))
        )
        files = frozenset(str(path) for path in (*temporary.rglob("*"), *shared))
        return cls(temporary, descriptors, processes.thread_count(), frozenset(mounts), files)


def use_own_temporary_directory() -> Path:
    """A directory for this process's temporary files, because others write into the usual one."""
    path = tempfile.mkdtemp(prefix="soak-")
    os.environ["TMPDIR"] = tempfile.tempdir = path
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return Path(path)


def leaks_since(before: Holdings, supervisors: set[int], seconds: float = 15.0) -> list[str]:
    """What is still there that was not there before, everything having been closed. Processes get a
    while to end, and threads to close what they had."""

    def is_settled() -> bool:
        return (
            not processes.descendants()
            and not Holdings.now(before.temporary).descriptors - before.descriptors
        )

    wait_until(is_settled, seconds)
    now = Holdings.now(before.temporary)
    found = [
        f"process {process.pid} {process.name} ({process.state})"
        for process in processes.descendants()
    ]
    found += [
        f"{count} descriptors: {kind}"
        for kind, count in (now.descriptors - before.descriptors).items()
    ]
    if now.threads > before.threads + THREADS_KEPT:
        found.append(f"{now.threads - before.threads} threads; {THREADS_KEPT} may be kept")
    found += [f"mount {mount}" for mount in now.mounts - before.mounts]
    found += [f"file {path}" for path in now.files - before.files]
    found += [f"cgroup {path}" for path in left_cgroups(supervisors)]
    return found


def wait_until(condition: Callable[[], bool], seconds: float) -> bool:
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


def left_cgroups(supervisors: set[int]) -> list[str]:
    """Groups named after supervisors that were ours, wherever they are. One that was killed leaves
    its group to the next to sweep."""
    names = {f"fumehood-{supervisor}" for supervisor in supervisors}
    found = []
    for directory, below, _files in os.walk("/sys/fs/cgroup"):
        ours = names.intersection(below)
        found += [f"{directory}/{name}" for name in ours]
        below[:] = [name for name in below if name not in ours]
    return found


class Growth:
    """The resident memory of this process, of its zygotes and of whoever else lasts, over time."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._samples: dict[tuple[str, int], list[tuple[float, int]]] = {}
        self.supervisors: set[int] = set()

    def sample(self, others: Iterable[tuple[str, processes.Process]] = ()) -> None:
        """`others` are processes that are not right below this one, each with what it is: a name in
        GROWTH."""
        now = time.monotonic() - self._began
        found = processes.workers()
        own = processes.Process(os.getpid(), 0, "host", "R")
        for name, process in [
            ("host", own),
            *(("zygote", worker.zygote) for worker in found),
            *others,
        ]:
            if size := process.resident_bytes():
                self._samples.setdefault((name, process.pid), []).append((now, size))
        self.supervisors.update(worker.supervisor.pid for worker in found)

    def leaks(self) -> list[str]:
        return [
            f"memory of the {name} {pid}: {first / 1e6:.0f} MB, later {last / 1e6:.0f} MB"
            for (name, pid), (first, last) in self._floors().items()
            if last - first > GROWTH[name]
        ]

    def text(self) -> str:
        grown: defaultdict[str, list[float]] = defaultdict(list)
        for (name, _pid), (first, last) in self._floors().items():
            grown[name].append((last - first) / 1e6)
        told = [f"{name} {grown[name][0]:+.1f} MB" for name in ("host", "server") if grown[name]]
        if zygotes := grown["zygote"]:
            told.append(f"of {len(zygotes)} zygotes at most {max(zygotes):+.1f} MB")
        return f"{', '.join(told)}, once warm"

    def _floors(self) -> dict[tuple[str, int], tuple[int, int]]:
        """The least that each had, soon after it was warm and near its end: what a cell has just
        now is not kept, and what is kept for ever is there in the least, too."""
        found = {}
        for key, samples in self._samples.items():
            first, last = samples[0][0], samples[-1][0]
            begin = first + max(IMPORT_SECONDS, WARM_UP * (last - first))
            if warm := [size for when, size in samples if when >= begin]:
                part = max(1, len(warm) // 4)
                found[key] = min(warm[:part]), min(warm[-part:])
        return found
