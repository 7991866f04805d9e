"""Ctrl-C while a cell runs in the jail: the first stops the cell and keeps its variables, the
second ends the sandbox at once."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from types import FrameType

from fumehood.executors.local import LocalPythonExecutor


@contextlib.contextmanager
def stopping(executor: LocalPythonExecutor, came: list[int]) -> Iterator[None]:
    """Within this, SIGINT goes to the cell and is noted in `came`. The second one is a
    KeyboardInterrupt, and so is one without a cell.

    Main thread only. Not for cells in this process: there the library takes the signal itself.
    """

    def on_interrupt(number: int, frame: FrameType | None) -> None:
        came.append(number)
        if len(came) > 1 or not executor.interrupt():
            signal.default_int_handler(number, frame)

    before = signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
