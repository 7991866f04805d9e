"""Exceptions that a signal handler throws into whatever happens to run."""

from __future__ import annotations

import signal


def comes_from_a_signal(error: BaseException) -> bool:
    """Whether a signal handler raised it, for whoever has set the handler: it says nothing about
    what happened to go on at that moment."""
    handlers = {
        getattr(signal.getsignal(number), "__code__", None) for number in signal.valid_signals()
    } - {None}
    traceback = error.__traceback__
    while traceback is not None:
        if traceback.tb_frame.f_code in handlers:
            return True
        traceback = traceback.tb_next
    return False
