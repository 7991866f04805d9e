"""Signals of the processes around a sandbox."""

from __future__ import annotations

import signal
import sys

_ENDS = (signal.SIGTERM, signal.SIGHUP)


def end_tidily() -> None:
    """The guardian cleans up before it ends. The thread that has started it may be deaf to signals,
    as those of some libraries are; of that nothing is left here, for else no cell could be
    interrupted."""
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    for number in _ENDS:
        signal.signal(number, lambda *_: sys.exit(0))


def be_ordinary() -> None:
    """What the guardian does about a signal is the guardian's; its children end of it. An interrupt
    is nobody's but a cell's."""
    for number in (*_ENDS, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
