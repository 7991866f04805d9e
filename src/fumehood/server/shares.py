"""What all keys use of this process: descriptors, threads and processes, and how much of each one
key may take.

Half of the total is divided equally among the keys and kept for them. The other half goes to
whichever key asks first. So a key alone can use more than half, and no key can take what is kept
for another. Everything here belongs to the event loop.
"""

from __future__ import annotations

import resource
from collections import Counter
from collections.abc import Hashable
from pathlib import Path
from typing import Final

from fumehood.server.refusals import Busy
from fumehood.server.settings import Settings

SANDBOX: Final = 8
"""Descriptors of one sandbox or context in this process: its connection, its output, its files,
handles on its processes, and what a fork or a rollback needs for a moment."""
SNAPSHOT: Final = 5
"""Descriptors of one snapshot."""
UPLOAD: Final = 1
"""Descriptors of one upload, besides its connection."""
COMMAND: Final = 4
"""Descriptors of one command that runs: its input, its output, a handle on its process."""
PROCESSES: Final = 3
"""Processes of one sandbox besides those that its code may start: init, runner, checkpoint."""

_ENDLESS: Final = 1 << 20
_RETRY_SECONDS: Final = 10.0


class Share:
    """A number of things of one kind, divided among the keys."""

    def __init__(self, what: str, total: int, keys: int, hint: str) -> None:
        self.what = what
        self.total = total
        self.kept = max(1, total // (2 * keys))
        """What every key can always have."""
        self._keys = keys
        self._hint = hint
        self._used: Counter[Hashable] = Counter()

    def used(self, holder: Hashable) -> int:
        return self._used[holder]

    def allows(self, holder: Hashable, number: int = 1) -> bool:
        wanted = self._used[holder] + number
        if wanted <= self.kept:
            return True
        beyond = sum(
            max(used - self.kept, 0) for other, used in self._used.items() if other != holder
        )
        return wanted + beyond + (self._keys - 1) * self.kept <= self.total

    def take(self, holder: Hashable, number: int = 1) -> None:
        """Busy if the key may not have so many more."""
        if not self.allows(holder, number):
            raise Busy(
                f"{self.what} quota: this key uses {self._used[holder]:,} of the server's"
                f" {self.total:,} {self.what} and may not take {number:,} more; {self._hint}",
                retry_after=_RETRY_SECONDS,
            )
        self._used[holder] += number

    def give_back(self, holder: Hashable, number: int = 1) -> None:
        self._used[holder] -= number
        if self._used[holder] <= 0:
            del self._used[holder]


class Held:
    """What one sandbox, snapshot or upload of a key uses, until it is released."""

    __slots__ = ("_holder", "_parts")

    def __init__(self, holder: Hashable, *parts: tuple[Share, int]) -> None:
        """Busy if the key may not have one of these; then it has none of them."""
        self._holder = holder
        self._parts: list[tuple[Share, int]] = []
        try:
            for share, number in parts:
                share.take(holder, number)
                self._parts.append((share, number))
        except Busy:
            self.release()
            raise

    def release(self) -> None:
        """Give everything back. Nothing happens the second time."""
        parts, self._parts = self._parts, []
        for share, number in parts:
            share.give_back(self._holder, number)


class Shares:
    """The shares of one server."""

    def __init__(self, settings: Settings) -> None:
        keys = max(1, len(settings.keys))
        descriptors = descriptor_limit()
        self.reserved = min(max(descriptors // 8, 32), max(descriptors // 2, 1))
        """Descriptors that are no key's: the server's own, and connections that have not shown a
        key."""
        self.descriptors = Share(
            "descriptors",
            descriptors - self.reserved,
            keys,
            "close sandboxes, snapshots or connections",
        )
        self.processes = Share(
            "processes",
            process_limit() * 7 // 8,
            keys,
            "close sandboxes or snapshots, or make sandboxes with a lower limit of processes",
        )
        self.spool = Share(
            "bytes of uploads", settings.spool_bytes, keys, "wait until other uploads have arrived"
        )
        self.threads = Share("threads", settings.threads, keys, "wait for running calls to end")

    def sandbox(self, key: Hashable, processes: int) -> Held:
        """A sandbox whose code may start so many processes."""
        return Held(key, (self.descriptors, SANDBOX), (self.processes, processes + PROCESSES))

    def snapshot(self, key: Hashable) -> Held:
        return Held(key, (self.descriptors, SNAPSHOT), (self.processes, 1))

    def upload(self, key: Hashable) -> Held:
        return Held(key, (self.descriptors, UPLOAD))

    def command(self, key: Hashable) -> Held:
        return Held(key, (self.descriptors, COMMAND))


def raise_descriptor_limit() -> int:
    """Have as many descriptors as the kernel lets this process have; the number."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return descriptor_limit()


def descriptor_limit() -> int:
    return _number(resource.getrlimit(resource.RLIMIT_NOFILE)[0])


def process_limit() -> int:
    """Processes that there can be: by this user's limit, by the kernel's, by this container's."""
    limits = [_number(resource.getrlimit(resource.RLIMIT_NPROC)[0])]
    for path in (
        "/proc/sys/kernel/pid_max",
        "/proc/sys/kernel/threads-max",
        "/sys/fs/cgroup/pids.max",
        "/sys/fs/cgroup/pids/pids.max",
    ):
        try:
            limits.append(int(Path(path).read_text()))
        except (OSError, ValueError):  # not there, or "max"
            continue
    return min(limits)


def _number(limit: int) -> int:
    return _ENDLESS if limit == resource.RLIM_INFINITY else min(limit, _ENDLESS)
