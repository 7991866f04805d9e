"""The one line that a log may keep back for a moment.

Whoever waits for a cell would wait for the line that tells of its end, too: as long as for everything else that the log does together. So
that line, if nothing in it can change meanwhile, is kept until the next event, whose line is written while a sandbox is at work, or for a
fiftieth of a second. A host that is killed just then loses the last line, as it may.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
import weakref
from typing import Protocol

SECONDS = 0.02
_ROUNDS = 50
"""So many times nothing is found before the thread that looks goes to sleep."""


class Holder(Protocol):
    """A log, as far as this is concerned."""

    has_held: bool

    def release(self) -> None:
        """Write what is kept back. Reports what goes wrong, and raises nothing."""


_logs: weakref.WeakSet[Holder] = weakref.WeakSet()
_wanted = threading.Event()
_thread: threading.Thread | None = None
is_awake = False
"""Whether somebody will look within a moment."""


def add(log: Holder) -> None:
    """Look after a log from now on."""
    _logs.add(log)


def wake() -> None:
    """There is a line to look for, and nobody is awake."""
    global _thread, is_awake
    is_awake = True
    if _thread is None:
        _thread = threading.Thread(target=_look, name="fumehood-audit", daemon=True)
        with contextlib.suppress(RuntimeError):  # the interpreter is ending; logs are closed then
            _thread.start()
    _wanted.set()


def release_all() -> None:
    """Have every log of this process in its file, for somebody who is about to read one."""
    for log in [*_logs]:
        if log.has_held:
            log.release()


def _look() -> None:
    global is_awake
    while True:
        _wanted.wait()
        _wanted.clear()
        is_awake = True
        idle = 0
        while idle < _ROUNDS:
            time.sleep(SECONDS)
            idle = idle + 1 if not any(log.has_held for log in [*_logs]) else 0
            release_all()
        is_awake = False
        if any(log.has_held for log in [*_logs]):  # kept back just before it could be seen that nobody is awake
            _wanted.set()


def _begin_anew() -> None:
    global _thread, _wanted, is_awake
    _thread, _wanted, is_awake = None, threading.Event(), False


os.register_at_fork(after_in_child=_begin_anew)
