"""Pidfds: handles on processes of this machine, which cannot come to mean another."""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import struct
import time
from collections.abc import Callable

# struct pidfd_info: mask, cgroup id, ids of the process and its users, exit code.
_PIDFD_INFO = struct.Struct("=QQ" + "I" * 12)
_PIDFD_GET_INFO = 0xC000FF0B | _PIDFD_INFO.size << 16
_INFO_EXIT = 1 << 3


def pid_of(pidfd: int) -> int:
    """The process that a pidfd stands for. ValueError if it is none, or stands for none that this
    process can see."""
    with open(f"/proc/self/fdinfo/{pidfd}") as file:
        pid = next((int(line.split()[1]) for line in file if line.startswith("Pid:")), -1)
    if pid <= 0:
        raise ValueError("not a handle on a process")
    return pid


def send_signal(pidfd: int, number: int) -> None:
    """A process that is dead takes none, and of a signal that there is not nobody hears."""
    with contextlib.suppress(OSError, OverflowError):
        signal.pidfd_send_signal(pidfd, number)


def processor_clock(pidfd: int) -> Callable[[], float]:
    """What tells the seconds of processor time that a process has used, by the kernel's clock for
    it; 0 once it is dead."""
    try:
        clock = (~pid_of(pidfd) << 3) | 2  # as clock_getcpuclockid makes it
    except (OSError, ValueError):
        return lambda: 0.0

    def read() -> float:
        try:
            return time.clock_gettime(clock)
        except OSError:
            return 0.0

    return read


def is_stopped(pidfd: int) -> bool:
    """Whether a signal has stopped a process, and no other has let it go on."""
    try:
        with open(f"/proc/{pid_of(pidfd)}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] == "T"
    except (OSError, ValueError, IndexError):
        return False


def exit_status(pidfd: int) -> int:
    """How a process ended that is no child of anybody here: its exit code, or minus its signal.
    Kernels before 6.15 do not tell; then it counts as killed."""
    info = bytearray(_PIDFD_INFO.pack(_INFO_EXIT, *[0] * 13))
    try:
        fcntl.ioctl(pidfd, _PIDFD_GET_INFO, info)
    except OSError:
        return -signal.SIGKILL
    mask, *_rest, status = _PIDFD_INFO.unpack(info)
    if mask & _INFO_EXIT:
        return os.waitstatus_to_exitcode(status & 0xFFFF)
    try:  # not yet waited for by the runner that made it
        with open(f"/proc/{pid_of(pidfd)}/stat") as file:
            return os.waitstatus_to_exitcode(int(file.read().split()[-1]) & 0xFFFF)
    except (OSError, ValueError):
        return -signal.SIGKILL
