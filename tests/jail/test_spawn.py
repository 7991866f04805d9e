"""Init, template and copies, by _spawn.c and by Python."""

from __future__ import annotations

import errno
import os
import signal
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fumehood.jail import kernel, namespaces, spawn
from fumehood.jail.kernel import Script

from .forking import in_a_fork

needs_root = pytest.mark.skipif(
    os.geteuid() != 0, reason="only root can make a pid namespace without a user namespace"
)


@pytest.fixture(params=["C", "python"], autouse=True)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "python":
        monkeypatch.setattr(kernel, "_spawn", None)
        monkeypatch.setattr(kernel, "why_no_spawn", "a test")
    elif kernel.why_no_spawn:
        pytest.skip(f"no C library: {kernel.why_no_spawn}")


def _until(condition: Callable[[], Any]) -> Any:
    deadline = time.monotonic() + 60
    while not (found := condition()):
        assert time.monotonic() < deadline
        time.sleep(0.001)
    return found


def _be_template(theirs: socket.socket, home: namespaces.Home) -> None:
    first_sent = spawn.settle(theirs, home.descriptors, "/")
    usual = Script(first_sent)
    usual.write("greet", first_sent + 2, b"usual")
    packet, failed = spawn.serve_template(b"ready", usual, first_sent=first_sent)
    if packet != spawn.USUAL:
        os.write(first_sent + 2, b"told: " + packet)
    os._exit(0 if failed is None else 1)


@needs_root
def test_a_template_makes_runners_in_the_namespaces_that_it_is_sent_and_keeps_nothing_open() -> (
    None
):
    def zygote() -> list[Any]:
        home = namespaces.Home()
        with home.away():
            init = spawn.start_init()
            spaces = namespaces.here()
        line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        template = os.fork()
        if not template:
            _be_template(theirs, home)
        theirs.close()
        assert line.recv(100) == b"ready"
        found: list[Any] = []
        for packet in (spawn.USUAL, b"{}", spawn.USUAL):
            reader, writer = os.pipe()
            pid = spawn.copy(line, packet, (spaces.pid, spaces.mount, writer))
            os.close(writer)
            found.append(os.read(reader, 100).decode())
            os.close(reader)
            found.append(os.waitpid(pid, 0)[1])  # a child of this process
            found.append(len([*Path(f"/proc/{template}/fd").iterdir()]))
        signal.pidfd_send_signal(init, signal.SIGKILL)
        line.close()
        return [*found, os.waitstatus_to_exitcode(os.waitpid(template, 0)[1])]

    def body() -> list[Any]:
        kernel.unshare(kernel.CLONE_NEWPID | kernel.CLONE_NEWNS | kernel.CLONE_NEWIPC)
        kernel.mount("none", "/", "", kernel.MS_REC | kernel.MS_PRIVATE)

        def first() -> list[Any]:
            kernel.mount("proc", "/proc", "proc", 0)
            return zygote()

        return in_a_fork(first)

    one, status, count, two, other_status, *rest = in_a_fork(body)
    assert (one, status, two, other_status) == ("usual", 0, "told: {}", 0)
    assert rest == [count, "usual", 0, count, 70]


def test_a_template_that_is_stopped_is_taken_for_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spawn, "ANSWER_SECONDS", 0.05)
    zygote, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with zygote, other, pytest.raises(spawn.Gone, match="does not answer") as caught:
        spawn.copy(zygote, b"{}", ())
    assert caught.value.is_silent


def test_a_template_that_has_ended_is_gone() -> None:
    zygote, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    other.close()
    with zygote, pytest.raises(spawn.Gone, match="is gone") as caught:
        spawn.copy(zygote, b"{}", ())
    assert not caught.value.is_silent


def test_more_than_fits_a_packet_is_an_error_and_is_not_sent() -> None:
    zygote, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    other.setblocking(False)
    with zygote, other:
        with pytest.raises(OSError, match="too much to tell a runner at once"):
            spawn.copy(zygote, b"{" + b" " * 5000, ())
        with pytest.raises(BlockingIOError):
            other.recv(1)


def test_an_error_of_clone_is_passed_on() -> None:
    zygote, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with zygote, other:
        other.send(spawn._REPLY.pack(-errno.EAGAIN))
        with pytest.raises(OSError, match="clone: ") as caught:
            spawn.copy(zygote, b"packet", ())
    assert caught.value.errno == errno.EAGAIN and not isinstance(caught.value, spawn.Gone)


@needs_root
def test_an_init_reaps_and_everything_in_its_namespace_ends_with_it() -> None:
    """It has the process id 1 in there, and holds no descriptor."""

    def body() -> list[Any]:
        kernel.unshare(kernel.CLONE_NEWPID)
        handle = spawn.start_init()
        try:
            lines = Path(f"/proc/self/fdinfo/{handle}").read_text(encoding="ascii").splitlines()
            init = Path("/proc", next(line.split()[1] for line in lines if line.startswith("Pid:")))
            status = (init / "status").read_text(encoding="ascii").splitlines()
            number = next(line.split()[-1] for line in status if line.startswith("NSpid:"))
            # Before that it may not reap yet.
            _until(lambda: not [*(init / "fd").iterdir()])
            child = os.fork()
            if not child:
                if os.fork():
                    while True:
                        signal.pause()
                if not os.fork():  # an orphan
                    os._exit(0)
                os._exit(0)
            children = init / "task" / init.name / "children"
            _until(lambda: not children.read_text(encoding="ascii"))
        finally:  # else a failure would leave processes that the test waits for
            signal.pidfd_send_signal(handle, signal.SIGKILL)
        return [number, os.WTERMSIG(os.waitpid(child, 0)[1])]

    assert in_a_fork(body) == ["1", signal.SIGKILL]


def test_a_checkpoint_waits_and_returns_with_the_descriptor_it_was_sent() -> None:
    if kernel.why_no_spawn:
        pytest.skip("without the C library, worker/branching.py waits in Python")

    def body() -> list[Any]:
        ours, theirs = socket.socketpair()
        reader, writer = os.pipe()
        copies = kernel.Copies()
        copies.touch([(0, 4096)] * 2000)  # more than fit, and none that can be touched
        pid, received = copies.fork_and_wait(theirs.fileno(), touches=True)
        if not pid:
            os.write(received or 1, b"%d" % os.getpid())
            os._exit(0)
        socket.send_fds(ours, [b"g"], [writer])
        said = os.read(reader, 100)
        _pid, status = os.waitpid(pid, 0)
        again, received = copies.fork_and_wait(theirs.fileno())
        if not again:
            os._exit(3 if received is None else 4)
        ours.close()  # the copy has it, too
        os.kill(again, signal.SIGKILL)
        return [said == b"%d" % pid, status, os.waitpid(again, 0)[1]]

    assert in_a_fork(body) == [True, 0, signal.SIGKILL]
