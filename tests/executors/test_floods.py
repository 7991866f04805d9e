"""A sandbox that never stops sending does not put off the end of its time."""

from __future__ import annotations

import socket
import threading

import pytest

from fumehood import LocalPythonExecutor, Policy
from fumehood.policy import Limits

pytest.importorskip("fumehood.executors.local")

# Signals do not reach the thread that calls, and what is raised in it is caught: only the host's
# clock can end this cell.
_CALLS_WITHOUT_END = """
import signal
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
while True:
    try:
        echo()
    except BaseException:
        pass
"""

_SHOWS_WITHOUT_END = """
import signal
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
while True:
    try:
        display(1)
    except BaseException:
        pass
"""


@pytest.mark.parametrize("code", [_CALLS_WITHOUT_END, _SHOWS_WITHOUT_END])
def test_messages_without_end_do_not_put_off_the_time_limit(code: str) -> None:
    policy = Policy(
        language="off", imports=["signal"], limits=Limits(cell_seconds=1, grace_seconds=1)
    )
    with LocalPythonExecutor(policy=policy, on_fault="keep") as executor:
        executor.send_tools({"echo": lambda: None})
        execution = executor.run(code)
        assert execution.fault in ("timeout", "displays", "killed")
        assert executor.run("6 * 7").value == 42


def test_a_greeting_in_drops_does_not_take_longer_than_its_time() -> None:
    ways = pytest.importorskip("fumehood.ray.ways")
    ours, theirs = socket.socketpair()
    is_over = threading.Event()

    def drip() -> None:
        while not is_over.wait(0.05):
            try:
                theirs.send(b"x")
            except OSError:
                return

    dripping = threading.Thread(target=drip)
    with ours, theirs:
        ours.settimeout(1)
        dripping.start()
        try:
            with pytest.raises(TimeoutError):
                ways._exactly(ours, 1_000_000)
        finally:
            is_over.set()
            dripping.join(60)
