"""What a process has, before and after: descriptors, threads, children, memory, and what it left on the machine."""

from __future__ import annotations

import atexit
import os
import re
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import processes

# Threads that fumehood keeps to use again: those that run tools, and the loop of asynchronous ones.
THREADS_KEPT = 64 + 1
HOST_GROWTH = 48e6
ZYGOTE_GROWTH = 16e6
_OF_CONTAINERS = ("/docker", "/containerd", "/netns", "/overlay2")
"""Where engines mount what is in containers, anybody's. Of ours the engine is asked."""
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
            kind if kind.startswith("anon_inode") else _RAYS_LOG.sub("Ray's log", kind).split(":")[0]
            for kind in processes.open_descriptors().values()
        )
        mounts = {line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines()}
        mounts = {mount for mount in mounts if not any(part in mount for part in _OF_CONTAINERS)}
        shared = (path for path in Path("/dev/shm").glob("*") if path.name.startswith(("fumehood", "pym-", "sem.")))
        files = frozenset(str(path) for path in (*temporary.rglob("*"), *shared))
        return cls(temporary, descriptors, processes.thread_count(), frozenset(mounts), files)


def use_own_temporary_directory() -> Path:
    """A directory for this process's temporary files, because others write into the usual one."""
    path = tempfile.mkdtemp(prefix="soak-")
    os.environ["TMPDIR"] = tempfile.tempdir = path
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return Path(path)


def leaks_since(before: Holdings, guardians: set[int], seconds: float = 15.0) -> list[str]:
    """What is still there that was not there before, everything having been closed. Processes get a while to end, and threads to close what
    they had."""

    def is_settled() -> bool:
        return not processes.descendants() and not Holdings.now(before.temporary).descriptors - before.descriptors

    wait_until(is_settled, seconds)
    now = Holdings.now(before.temporary)
    found = [f"process {process.pid} {process.name} ({process.state})" for process in processes.descendants()]
    found += [f"{count} descriptors: {kind}" for kind, count in (now.descriptors - before.descriptors).items()]
    if now.threads > before.threads + THREADS_KEPT:
        found.append(f"{now.threads - before.threads} threads; {THREADS_KEPT} may be kept")
    found += [f"mount {mount}" for mount in now.mounts - before.mounts]
    found += [f"file {path}" for path in now.files - before.files]
    found += [f"cgroup {path}" for path in left_cgroups(guardians)]
    return found


def wait_until(condition: Callable[[], bool], seconds: float) -> bool:
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


def left_cgroups(guardians: set[int]) -> list[str]:
    """Groups named after guardians that were ours, wherever they are. One that was killed leaves its group to the next to sweep."""
    names = {f"fumehood-{guardian}" for guardian in guardians}
    found = []
    for directory, below, _files in os.walk("/sys/fs/cgroup"):
        ours = names.intersection(below)
        found += [f"{directory}/{name}" for name in ours]
        below[:] = [name for name in below if name not in ours]
    return found


class Growth:
    """The resident memory of this process and of its zygotes over time."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._samples: dict[tuple[str, int], list[tuple[float, int]]] = {}
        self.guardians: set[int] = set()

    def sample(self) -> None:
        now = time.monotonic() - self._began
        found = processes.workers()
        own = processes.Process(os.getpid(), 0, "host", "R")
        for name, process in [("host", own), *(("zygote", worker.zygote) for worker in found)]:
            if size := process.resident_bytes():
                self._samples.setdefault((name, process.pid), []).append((now, size))
        self.guardians.update(worker.guardian.pid for worker in found)

    def leaks(self) -> list[str]:
        found = []
        for (name, pid), samples in self._samples.items():
            warm = self._warm(samples)
            if warm and warm[-1] - warm[0] > (HOST_GROWTH if name == "host" else ZYGOTE_GROWTH):
                found.append(f"memory of the {name} {pid}: {warm[0] / 1e6:.0f} MB, later {warm[-1] / 1e6:.0f} MB")
        return found

    def text(self) -> str:
        grown = {key: warm[-1] - warm[0] for key, samples in self._samples.items() if (warm := self._warm(samples))}
        zygotes = [size for (name, _pid), size in grown.items() if name == "zygote"]
        host = next((size for (name, _pid), size in grown.items() if name == "host"), 0)
        most = f", of {len(zygotes)} zygotes at most {max(zygotes) / 1e6:+.1f} MB" if zygotes else ""
        return f"host {host / 1e6:+.1f} MB{most}, once warm"

    def _warm(self, samples: list[tuple[float, int]]) -> list[int]:
        first, last = samples[0][0], samples[-1][0]
        begin = first + max(IMPORT_SECONDS, WARM_UP * (last - first))
        return [size for when, size in samples if when >= begin]
