"""Starting processes by copying this one. The one file that calls fork.

A forked process shares nothing with its parent but what it was given; it must never return into its parent's code, whatever happens in it.
"""

from __future__ import annotations

import os
import sys
import traceback
import warnings
from collections.abc import Callable

FAILED = 70
"""The exit code of a process that did not do what it was started for."""

# Threads are those of OpenBLAS, which stops them for the fork.
warnings.filterwarnings("ignore", message=".*multi-threaded, use of fork", category=DeprecationWarning)


def start(main: Callable[[], None]) -> int:
    """Run a function in a new process, which ends when the function does; gives its process id to the parent."""
    pid = os.fork()
    if pid:
        return pid
    status = FAILED
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
