"""The one line that a log may keep back for a moment.

Whoever waits for a cell would wait for the line that tells of its end, too: as long as for
everything else that the log does together. So that line, if nothing in it can change meanwhile, is
kept until the next event, whose line is written while a sandbox is at work, or for a fiftieth of a
second. A host that is killed just then loses the last line, as it may.
"""

from __future__ import annotations

import _thread
import contextlib
import os
import time
import weakref
from typing import Protocol

SECONDS = 0.02
_ROUNDS = 500
"""So many times nothing is found before the thread that looks ends. The next is started by somebody
who waits for it."""


class Holder(Protocol):
    """A log, as far as this is concerned."""

    has_held: bool

    def release(self) -> None:
        """Write what is kept back. Reports what goes wrong, and raises nothing."""


_logs: weakref.WeakSet[Holder] = weakref.WeakSet()
is_awake = False
"""Whether somebody will look within a moment."""


def add(log: Holder) -> None:
    """Look after a log from now on."""
    _logs.add(log)


def wake() -> None:
    """There is a line to look for, and nobody is awake. No lock is taken: whoever calls may be
    interrupted anywhere."""
    with contextlib.suppress(RuntimeError):  # the interpreter is ending; logs are closed then
        _thread.start_new_thread(_look, ())


def release_all() -> None:
    """Have every log of this process in its file, for somebody who is about to read one."""
    for log in [*_logs]:
        if log.has_held:
            log.release()


def _look() -> None:
    """Should two be at it, that is one too many, and does no harm."""
    global is_awake
    idle = 0
    while idle < _ROUNDS:
        is_awake = True
        time.sleep(SECONDS)
        idle = 0 if _is_any_held() else idle + 1
        release_all()
        if idle == _ROUNDS:
            is_awake = False
            idle = (
                0 if _is_any_held() else idle
            )  # kept back just before it could be seen that nobody is awake


def _is_any_held() -> bool:
    return any(log.has_held for log in [*_logs])


def _begin_anew() -> None:
    global is_awake
    is_awake = False


os.register_at_fork(after_in_child=_begin_anew)
