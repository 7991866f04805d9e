"""Removing the files of sandboxes that are over, in a container: by processes of their own, as
there may be many files."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable

from fumehood.worker import fork
from fumehood.worker.trees import remove_tree

_ROOM_SECONDS = 30.0
"""How long a new sandbox waits for the files of ended ones to be removed. The host waits twice as
long for the zygote's answer."""


class Cleaners:
    """Children of the zygote that belong to no sandbox: they remove the files of ended sandboxes,
    or take packages."""

    def __init__(self) -> None:
        self.processes: set[int] = set()
        self._awaited: set[int] = set()
        """Those that began to remove files when room was short."""

    def clear(self, labs: str) -> bool:
        """Remove the files of a sandbox. There may be many, so another process does it, if there
        are any. False if none can be started."""
        with contextlib.suppress(OSError):
            for entry in os.listdir(labs):
                os.rmdir(f"{labs}/{entry}")
            os.rmdir(labs)
            return True

        def clear() -> None:
            signal.set_wakeup_fd(-1)
            remove_tree(labs)

        try:
            was_short = _is_short(os.path.dirname(labs))
            remover = fork.start(clear)
        except OSError:
            return False
        self.processes.add(remover)
        if was_short:
            self._awaited.add(remover)
        return True

    def forget(self, pid: int) -> None:
        """A child has ended."""
        self.processes.discard(pid)
        self._awaited.discard(pid)

    def make_room(
        self, labs: str, reap: Callable[[], None], is_waiting: Callable[[], bool]
    ) -> None:
        """Where room is short, or was when removing began, wait until the files of ended sandboxes
        are removed, all of them: a new sandbox may need all the room at once, and would otherwise
        fill it faster than it is freed. `is_waiting` says whether the removal of some has not
        begun. Bounded: a process may be slow to end."""
        until = time.monotonic() + _ROOM_SECONDS
        while self._awaited or is_waiting() and _is_short(labs):
            if time.monotonic() > until:
                break
            time.sleep(0.001)
            reap()


def _is_short(labs: str) -> bool:
    """Whether less than a quarter of the room is free."""
    room = os.statvfs(labs)
    return room.f_bavail * 4 < room.f_blocks or room.f_favail * 4 < room.f_files
