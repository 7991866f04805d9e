"""The zygote's clerks: which of its children have the files of which sandbox in hand (clerk.py)."""

from __future__ import annotations

import contextlib
import os
import signal
import socket

from fumehood.worker import clerk, fork

MOST = 256
"""Clerks of one sandbox: one for each executor whose files are looked at, and one for each watch.
Whoever watches is held to fewer."""


class Clerks:
    def __init__(self) -> None:
        self._sandboxes: dict[int, int] = {}

    @property
    def processes(self) -> set[int]:
        return {*self._sandboxes}

    def start(self, number: int, desk: clerk.Desk, host: int) -> None:
        """One more for a sandbox, which has this end of a line to the host."""
        if sum(number == other for other in self._sandboxes.values()) >= MOST:
            raise OSError(
                f"the files of this sandbox are looked at by {MOST} already: close some watches"
            )

        def be_clerk() -> None:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            clerk.serve(socket.socket(fileno=host), desk)

        self._sandboxes[fork.start(be_clerk)] = number

    def end(self, number: int) -> None:
        """A sandbox is over: nobody is to keep its files."""
        for pid, other in self._sandboxes.items():
            if other == number:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)

    def are_with(self, number: int) -> bool:
        """Whether a sandbox still has one: a killed clerk may write a file before it ends."""
        return number in self._sandboxes.values()

    def forget(self, pid: int) -> None:
        """It is dead."""
        self._sandboxes.pop(pid, None)
