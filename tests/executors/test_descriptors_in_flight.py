"""The kernel counts descriptors that were sent and not yet received, for each user on the machine,
and refuses to send more than the sender may have open. What one sandbox leaves unreceived must not
prevent forks and rollback of another."""

from __future__ import annotations

import array
import os
import signal
import socket
from collections.abc import Iterator

import pytest

from fumehood import LocalPythonExecutor

from .conftest import MakeExecutor
from .ways_to_fail import let_it_be_killed

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user")

_SANDBOX_USER = 65534  # what root gives sandboxes


@pytest.fixture
def flood() -> Iterator[None]:
    """A process of the sandboxes' user that has sent 600 descriptors, none of them received."""
    said, says = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.setresuid(_SANDBOX_USER, _SANDBOX_USER, _SANDBOX_USER)
            pairs = [socket.socketpair() for _ in range(12)]
            for sender, _receiver in pairs:
                rights = array.array("i", [said] * 50)
                sender.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
            os.write(says, b"x")
            signal.pause()
        finally:
            os._exit(1)
    assert os.read(said, 1) == b"x"
    yield
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(said)
    os.close(says)


@pytest.mark.usefixtures("flood")
def test_unreceived_descriptors_do_not_prevent_forks_or_rollback(
    make_jailed: MakeExecutor,
) -> None:
    executor: LocalPythonExecutor = make_jailed(on_fault="rollback")
    executor("kept = 1")
    assert executor.fork()("kept").output == 1
    let_it_be_killed(executor)
    execution = executor.run("kept = 2\nbe_killed()\nwhile True: pass")
    assert (execution.fault, execution.rolled_back) == ("killed", True)
    assert executor("kept").output == 1
