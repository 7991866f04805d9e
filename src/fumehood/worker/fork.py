"""Starting processes by copying this one. The one file that calls fork.

A forked process shares nothing with its parent but what it was given; it must never return into its parent's code, whatever happens in it.
"""

from __future__ import annotations

import os
import signal
import sys
import traceback
import warnings
from collections.abc import Callable

# What a child does, it does to its end.
FAILED = 70


def start(main: Callable[[], None]) -> int:
    """Run a function in a new process, which ends when the function does; gives its process id to the parent."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # about threads: those of OpenBLAS, which stops them for the fork
        pid = os.fork()
    if pid:
        return pid
    status = FAILED
    for number in (signal.SIGTERM, signal.SIGHUP):  # what the guardian does about them is the guardian's
        signal.signal(number, signal.SIG_DFL)
    try:
        main()
        status = 0
    except SystemExit as asked:
        status = asked.code if isinstance(asked.code, int) else FAILED
    except BaseException:
        traceback.print_exc()
    finally:
        try:
            sys.stderr.flush()
        finally:
            os._exit(status)
