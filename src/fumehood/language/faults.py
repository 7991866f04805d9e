"""Which limit an exception tells of. A table: what the kernel or Python raises when a limit is
reached, and the fault that it means."""

from __future__ import annotations

import errno
from typing import Final

from fumehood.results import Fault

_BY_ERRNO: Final[dict[int, Fault]] = {
    errno.ENOMEM: "memory",
    # what fork gives; a pipe that would block is not left uncaught by anybody
    errno.EAGAIN: "processes",
    errno.EMFILE: "files",
    errno.ENFILE: "files",
    errno.ENOSPC: "disk",
    errno.EFBIG: "disk",
    errno.EDQUOT: "disk",
}


def fault_of(error: BaseException) -> Fault | None:
    """The fault that an uncaught exception of code means, or None for an ordinary one."""
    if isinstance(error, MemoryError):
        return "memory"
    if type(error) is RuntimeError and error.args == ("can't start new thread",):
        return "processes"
    if isinstance(error, OSError):
        number = OSError.__dict__["errno"].__get__(error)  # not what a subclass says
        return _BY_ERRNO.get(number) if type(number) is int else None
    return None
