"""Handles on processes: who it is, how long it has worked, how it ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from fumehood.tunnel import pidfds
from fumehood.tunnel.channels import Channel
from fumehood.tunnel.clocks import Clocks
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


def test_a_handle_names_its_process_and_what_is_none_is_an_error(own: int, tmp_path: Path) -> None:
    assert pidfds.pid_of(own) == os.getpid()
    with (tmp_path / "file").open("w") as file, pytest.raises(ValueError, match="not a handle"):
        pidfds.pid_of(file.fileno())


def test_its_clock_tells_the_processor_time_that_it_has_used(own: int) -> None:
    read = pidfds.processor_clock(own)
    before = time.process_time()
    assert before <= read() <= time.process_time()


def test_the_clock_of_what_is_no_process_or_has_ended_stands_at_nothing(tmp_path: Path) -> None:
    with (tmp_path / "file").open("w") as file:
        assert pidfds.processor_clock(file.fileno())() == 0.0
    pidfd = ended("true")
    read = pidfds.processor_clock(pidfd)
    reaped(pidfd)
    assert read() == 0.0


@pytest.mark.parametrize(
    ("does", "status"), [("sys.exit(7)", 7), ("os.kill(os.getpid(), 9)", -9), ("pass", 0)]
)
def test_how_a_process_ended_is_told_while_nobody_has_waited_for_it(does: str, status: int) -> None:
    pidfd = ended(sys.executable, "-c", f"import os, sys; {does}")
    assert pidfds.exit_status(pidfd) == status
    reaped(pidfd)


def test_what_is_no_process_counts_as_killed(tmp_path: Path) -> None:
    with (tmp_path / "file").open("w") as file:
        assert pidfds.exit_status(file.fileno()) == -signal.SIGKILL


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
    clocks = Clocks()
    here = Channel(1, Sort.PROCESS, own, is_stand_in=False, origin=None)
    assert clocks.read(here) > 0.0
    assert clocks.read(here) > 0.0 and len(clocks._clocks) == 1, "it is asked for once"
    assert clocks.read(Channel(2, Sort.PROCESS, own, is_stand_in=True, origin=None)) == 0.0
    assert clocks.read(None) == 0.0


def test_a_clock_is_forgotten_with_its_channel(own: int) -> None:
    clocks = Clocks()
    first, second = (
        Channel(number, Sort.PROCESS, own, is_stand_in=False, origin=None) for number in (1, 2)
    )
    clocks.read(first)
    first.fd = -1  # as when it is closed
    clocks.read(second)
    assert [*clocks._clocks] == [second]
