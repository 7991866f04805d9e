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

_ROOM_SECONDS = 5.0


class Cleaners:
    """Processes that remove what sandboxes have left, or take packages: children of the zygote's
    that are no sandbox's."""

    def __init__(self) -> None:
        self.processes: set[int] = set()

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
            self.processes.add(fork.start(clear))
        except OSError:
            return False
        return True

    def make_room(
        self, labs: str, reap: Callable[[], None], is_waiting: Callable[[], bool]
    ) -> None:
        """Where labs are nearly full, see that those of sandboxes that are over are gone before
        there is another. `is_waiting` says whether some of those are not even being removed.
        Bounded: a process may be slow to die."""
        room = os.statvfs(labs)
        until = time.monotonic() + _ROOM_SECONDS
        while room.f_bavail * 4 < room.f_blocks or room.f_favail * 4 < room.f_files:
            is_done = not self.processes and not is_waiting()
            if is_done or time.monotonic() > until:
                break
            time.sleep(0.001)
            reap()
            room = os.statvfs(labs)
