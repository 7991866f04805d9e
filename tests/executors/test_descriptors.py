"""No descriptor of the host is left open by what fails halfway."""

from __future__ import annotations

import contextlib
import errno
import gc
import json
import os
import re
import socket
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from fumehood import LocalPythonExecutor, Policy, SandboxFailed
from fumehood.executors import session, snapshots, supervisor
from fumehood.executors.connection import Connection, RunnerGone
from fumehood.executors.remote import Tunnel
from fumehood.executors.supervisor import Zygote
from fumehood.jail.report import Mechanism

from .conftest import MakeExecutor
from .hosts import wait_until
from .ways_to_fail import let_it_be_killed


def opened() -> Counter[str]:
    """What this process has open, by its kind."""
    gc.collect()
    found: Counter[str] = Counter()
    for name in names_of_descriptors():
        found[re.sub(r":\[\d+\]", "", name)] += 1
    return found


def names_of_descriptors() -> Iterator[str]:
    for number in os.listdir("/proc/self/fd"):  # noqa: PTH208
        with contextlib.suppress(FileNotFoundError):  # the listing itself
            yield os.readlink(f"/proc/self/fd/{number}")  # noqa: PTH115


def test_a_restore_that_fails_ends_the_copy(
    make_jailed: MakeExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The zygote, or the place where it is, may end after the copy was made."""
    executor = make_jailed()
    executor("x = 1")
    snapshot = executor.snapshot()

    def leave(zygote: Zygote, runner: Any, *, is_replaced: bool = False) -> None:
        if is_replaced:
            raise SandboxFailed("the node is gone")
        usual(zygote, runner)

    usual = Zygote.leave
    before = opened()
    with monkeypatch.context() as patched:
        patched.setattr(Zygote, "leave", leave)
        with pytest.raises(SandboxFailed, match="the node is gone"):
            executor.restore(snapshot)
        wait_until(lambda: not opened() - before, "all of the copy is closed")
    executor.restore(snapshot)
    assert executor("x").output == 1


def test_a_snapshot_that_cannot_be_connected_ends_the_copy(
    make_jailed: MakeExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    executor = make_jailed()
    executor("x = 1")
    executor.snapshot().discard()
    before = opened()
    with monkeypatch.context() as patched:
        patched.setattr(session, "Connection", refused)
        with pytest.raises(OSError, match="Too many open files"):
            executor.snapshot()
    wait_until(lambda: not opened() - before, "all of the copy is closed")
    assert executor("x").output == 1


def refused(*_args: Any) -> Any:
    raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))


def test_a_checkpoint_that_gets_no_socket_is_closed(
    make_jailed: MakeExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    executor = make_jailed(on_fault="rollback")
    let_it_be_killed(executor)
    executor("x = 1")
    executor("x = 2")
    before = opened()
    with monkeypatch.context() as patched:
        patched.setattr(snapshots.socket, "socketpair", refused)
        assert executor.run("be_killed()\nwhile True: pass").fault == "killed"
    wait_until(lambda: not opened() - before, "all of the checkpoint is closed")


def test_a_sandbox_that_is_dropped_after_its_zygote_ended_is_closed() -> None:
    zygotes = supervisor.Zygotes(supervisor.LocalSupervisor, supervisor.LOCAL._path)
    before = opened()
    runner = zygotes.start_sandbox(Policy())
    zygotes.close()
    runner.drop()
    del runner, zygotes
    wait_until(lambda: not opened() - before, "all of it is closed")


def test_a_runner_that_an_exception_loses_is_closed() -> None:
    zygotes = supervisor.Zygotes(supervisor.LocalSupervisor, supervisor.LOCAL._path)
    zygotes.start_sandbox(Policy()).end()
    before = opened()
    assert zygotes.start_sandbox(Policy()).handle > 0
    wait_until(lambda: not opened() - before, "all of it is closed")
    zygotes.close()


def test_the_answer_to_an_interrupted_request_is_not_the_next_one_s(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    zygotes = supervisor.Zygotes(supervisor.LocalSupervisor, supervisor.LOCAL._path)
    first = zygotes.start_sandbox(Policy())
    zygote = first.sandbox.zygote
    before = opened()

    def interrupted(_zygote: Zygote, _seconds: float) -> bool:
        raise KeyboardInterrupt

    for _ in range(3):
        with monkeypatch.context() as patched:
            patched.setattr(Zygote, "_answers_within", interrupted)
            with pytest.raises(KeyboardInterrupt):
                zygote.start(Policy().limits)
    first.signal(9)
    first.wait()
    assert zygote.status(first) == (-9, 0)
    wait_until(lambda: not opened() - before, "all of it is closed")
    first.end()
    zygotes.close()


class Liar:
    """A supervisor of another place, which says whatever it likes."""

    gone = SandboxFailed
    python = (3, 12, 0)
    is_over = False
    processes = supervisor.LocalProcesses()

    def __init__(self) -> None:
        self.control, self.theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.theirs.send(json.dumps({"ready": []}).encode())

    def why_over(self) -> str:
        return ""

    def around(self) -> tuple[Mechanism, ...]:
        return ()

    def give_up(self) -> None: ...

    def wait(self, seconds: float) -> None: ...

    def abandon(self) -> None: ...


@pytest.mark.parametrize(
    "packet", [b"{", b"[]", b'{"sandbox": 1}', b"[" * 60_000, b'{"failed": 1}']
)
@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_an_answer_that_is_none_leaves_nothing_open(packet: bytes, number: int) -> None:
    liar = Liar()
    zygote = Zygote(Policy(), liar)
    ends = os.pipe()
    pipe = os.readlink(f"/proc/self/fd/{ends[0]}")  # noqa: PTH115
    socket.send_fds(liar.theirs, [packet], [*ends, *ends][:number])
    for end in ends:
        os.close(end)
    with pytest.raises(SandboxFailed):
        zygote.start(Policy().limits)
    assert pipe not in names_of_descriptors()
    zygote.close()
    liar.theirs.close()


def test_a_command_server_that_dies_before_it_is_used_leaves_nothing_open(
    make_jailed: MakeExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    executor: LocalPythonExecutor = make_jailed(policy=Policy(programs=True))
    executor.set_environment({"A": "b"})
    executor("1")
    executor("1")
    before = opened()

    def gone(_connection: Connection, _message: Any, *_args: Any, **_options: Any) -> None:
        raise RunnerGone

    with monkeypatch.context() as patched:
        patched.setattr(Connection, "send", gone)
        with pytest.raises(SandboxFailed, match="died before the command was started"):
            executor.commands.run("true")
    wait_until(lambda: not opened() - before, "all of the command server is closed")
    assert executor.commands.run("echo $A").stdout == "b\n"


def test_a_tunnel_without_a_thread_leaves_nothing_open(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = socket.socketpair()
    before = opened()

    def refuse(_thread: Any) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patched:
        patched.setattr("threading.Thread.start", refuse)
        with pytest.raises(SandboxFailed, match="can't start new thread"):
            Tunnel(ours, bytes, str)
    wait_until(lambda: not opened() - before, "all of it is closed")
    ours.close()
    theirs.close()


def test_a_fork_of_the_host_holds_nothing_of_a_tunnel() -> None:
    ours, theirs = socket.socketpair()
    tunnel = Tunnel(ours, bytes, str)
    before = opened()
    child = os.fork()
    if not child:
        tunnel.abandon()
        closed = before - opened()
        os._exit(0 if closed["pipe"] >= 2 and closed["socket"] >= 2 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert tunnel.is_open
    tunnel.close()
    theirs.close()


def test_a_fork_after_the_end_of_a_tunnel_closes_nothing_of_others() -> None:
    ours, theirs = socket.socketpair()
    tunnel = Tunnel(ours, bytes, str)
    tunnel.close()
    theirs.close()
    others = [os.dup(0) for _ in range(20)]  # the numbers that the tunnel had are among these
    tunnel.abandon()
    assert {*map(str, others)} <= {*os.listdir("/proc/self/fd")}  # noqa: PTH208
    for other in others:
        os.close(other)
