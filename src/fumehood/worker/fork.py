"""Starting processes by copying this one. The one file that calls fork.

A forked process shares nothing with its parent but what it was given; it must never return into its
parent's code, whatever happens in it.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable
from typing import NoReturn

from fumehood.jail import kernel

FAILED = 70
"""The exit code of a process that did not do what it was started for."""


def start(main: Callable[[], None]) -> int:
    """Run a function in a new process, which ends when the function does; gives its process id to
    the parent."""
    pid = kernel.fork()
    if not pid:
        end_with(main)
    return pid


def end_with(main: Callable[[], None]) -> NoReturn:
    """Run a function, and end this process with it."""
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
