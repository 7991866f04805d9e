"""What a pool can tell of an executor without running anything in it: whether it lives, and whether
it is still the one that it was.

An executor of another place says the first itself, by a method `is_alive()`, which is called at
every checkout and so has to be quick.
"""

from __future__ import annotations

import select
from typing import Any

from fumehood.executors.base import PythonExecutor
from fumehood.executors.jailed import JailedWorker


def is_alive(executor: PythonExecutor) -> bool:
    """False if it is closed or its process is gone. One that cannot tell is believed to live."""
    ask = getattr(executor, "is_alive", None)
    if ask is not None:
        try:
            return bool(ask())
        except Exception:
            return False  # whoever cannot be asked cannot be used
    worker = getattr(executor, "_worker", None)
    if not isinstance(worker, JailedWorker):
        return not getattr(worker, "_closed", False)
    connection = worker._connection
    if worker._closed or connection is None:
        return False
    poll = select.poll()
    try:
        # A handle on the process; it can be read when that is dead.
        poll.register(connection._runner, select.POLLIN)
        return not poll.poll(0)
    except (OSError, ValueError):
        return False  # closed by somebody at this moment


def is_busy(executor: PythonExecutor) -> bool:
    """Whether a cell is running in it, as far as can be seen from here."""
    return getattr(getattr(executor, "_worker", None), "_cell", None) is not None


def marks(executor: PythonExecutor) -> tuple[Any, ...]:
    """What tells an executor from what it was before: the line to its process, the tools that it
    was sent, and what it may import."""
    connection = getattr(getattr(executor, "_worker", None), "_connection", None)
    return connection, getattr(executor, "static_tools", None), getattr(executor, "policy", None)


def is_marked(executor: PythonExecutor, before: tuple[Any, ...]) -> bool:
    """Whether its marks are those of before. By identity: what is equal may have been replaced."""
    return all(now is then for now, then in zip(marks(executor), before, strict=True))
