"""Handles on processes: who it is, how long it has worked, how it ended."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator

import pytest

from fumehood.tunnel import pidfds
from fumehood.tunnel.channels import Channel
from fumehood.tunnel.end import FarEnd
from fumehood.tunnel.frames import Sort

pytestmark = pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="this Python knows no pidfds")


@pytest.fixture
def own() -> Iterator[int]:
    pidfd = os.pidfd_open(os.getpid())
    yield pidfd
    os.close(pidfd)


def ended(*command: str) -> int:
    """A handle on a process that has ended and that nobody has waited for."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE)
    pidfd = os.pidfd_open(process.pid)
    os.waitid(os.P_PIDFD, pidfd, os.WEXITED | os.WNOWAIT)
    process.returncode = 0  # so that nobody does
    return pidfd


def reaped(pidfd: int) -> None:
    os.waitid(os.P_PIDFD, pidfd, os.WEXITED)
    os.close(pidfd)


@pytest.mark.parametrize(
    ("does", "status"), [("sys.exit(7)", 7), ("os.kill(os.getpid(), 9)", -9), ("pass", 0)]
)
def test_how_a_process_ended_is_told_while_nobody_has_waited_for_it(does: str, status: int) -> None:
    pidfd = ended(sys.executable, "-c", f"import os, sys; {does}")
    assert pidfds.exit_status(pidfd) == status
    reaped(pidfd)


def test_a_signal_reaches_the_process_and_for_a_dead_one_or_one_that_there_is_not_nothing_happens(
    own: int,
) -> None:
    with subprocess.Popen(["sleep", "600"]) as process:
        running = os.pidfd_open(process.pid)
        pidfds.send_signal(running, 1 << 40)  # which is none
        pidfds.send_signal(running, 0)  # which only asks
        assert process.poll() is None
        pidfds.send_signal(running, signal.SIGTERM)
        try:
            assert process.wait(60) == -signal.SIGTERM
        finally:
            process.kill()
            os.close(running)
    pidfd = ended("true")
    pidfds.send_signal(pidfd, signal.SIGTERM)
    reaped(pidfd)
    pidfds.send_signal(-1, signal.SIGTERM)


def test_clocks_are_read_for_processes_of_this_end_alone(own: int) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        end = FarEnd(ours.fileno(), ours.fileno(), lambda policy: -1)
        here = Channel(1, Sort.PROCESS, own, is_stand_in=False)
        assert end.processor_time(here) > 0.0
        assert end.processor_time(here) > 0.0 and len(end._clocks) == 1, "it is asked for once"
        assert end.processor_time(Channel(2, Sort.PROCESS, own, is_stand_in=True)) == 0.0
        assert end.processor_time(None) == 0.0
        end.abandon()
