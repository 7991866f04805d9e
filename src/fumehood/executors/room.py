"""What this process, or the machine, can run out of while sandboxes are made, and what to do about
it.

It passes: whoever closes something, or asks again later, may get what there was no room for. So it
is an error of its own type.
"""

from __future__ import annotations

import errno

from fumehood.errors import NoRoom

HERE = (
    "this process has too many open files to hold one more sandbox; close some, or raise its limit"
    " (ulimit -n)"
)

# What a zygote may lack, by what the kernel says to it. It has raised its own limits as far as it
# may.
_THERE = {
    errno.EAGAIN: (
        "no process more can be started: close executors, or raise the limit (ulimit -u, or"
        " pids.max of the control group)"
    ),
    errno.EMFILE: (
        "the worker's zygote has too many open files: close executors, or raise the limit (ulimit"
        " -Hn)"
    ),
    errno.ENFILE: (
        "this machine has too many open files: close executors, or raise its limit (sysctl"
        " fs.file-max)"
    ),
}


def here(error: OSError | RuntimeError) -> NoRoom:
    """This process has too much open or, where it is no OSError, too many threads."""
    if isinstance(error, OSError):
        return NoRoom(
            f"{error.strerror} in this process: close executors, or raise its limit (ulimit -n)"
        )
    return NoRoom(f"{error} in this process: close executors, or raise its limit (ulimit -u)")


def to_start(error: OSError) -> NoRoom | None:
    """A process could not be started by this one; None if that is for another reason."""
    return here(error) if error.errno == errno.EMFILE else there(error.errno)


def there(number: object) -> NoRoom | None:
    """What a zygote lacks; None if its error is of another kind."""
    words = _THERE.get(number) if type(number) is int else None
    return NoRoom(words) if words else None
