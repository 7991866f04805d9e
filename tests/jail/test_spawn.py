"""Init, template and copies, by _spawn.c and by Python. In a container: copies are made where they
belong, orphans become children of their init, and it reports who has ended."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import signal
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fumehood.jail import enter, kernel, spawn
from fumehood.jail.kernel import Script
from fumehood.worker import orphans

from .forking import in_a_fork


@pytest.fixture(params=["C", "python"], autouse=True)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "python":
        monkeypatch.setattr(kernel, "_spawn", None)
        monkeypatch.setattr(kernel, "why_no_spawn", "a test")
    elif kernel.why_no_spawn:
        pytest.skip(f"no C library: {kernel.why_no_spawn}")


def _be_template(theirs: socket.socket) -> None:
    first_sent = spawn.settle(theirs, (), "/")
    init, usual = Script(first_sent), Script(first_sent)
    enter.init_script(init)
    usual.write("greet", first_sent, b"usual")
    packet, failed = spawn.serve_template(b"ready", usual, first_sent=first_sent, init=init)
    assert failed is None
    os.closerange(3, 100)  # its init's socket among them
    asked = {} if packet == spawn.USUAL else json.loads(packet)
    for _ in range(asked.get("orphans", 0)):
        if not os.fork():
            if os.fork():
                os._exit(0)
            asked = {}  # an orphan stays, and starts no others
            break
    if "exit" in asked:
        os._exit(asked["exit"])
    while True:
        signal.pause()


def _as_zygote(body: Callable[[socket.socket], Any]) -> Any:
    """What a function gives that is called with the line to a template, in a process of its own
    that ends with all it has started."""

    def zygote() -> Any:
        kernel.adopt_orphans()
        line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        if not os.fork():
            try:
                _be_template(theirs)
            finally:
                os._exit(1)
        theirs.close()
        assert line.recv(100) == b"ready"
        try:
            return body(line)
        finally:
            orphans.end_own_children()

    return in_a_fork(zygote)


def _init(line: socket.socket) -> tuple[int, socket.socket]:
    own, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        return spawn.copy(line, spawn.INIT, (theirs.fileno(),)), own


def _until(condition: Callable[[], Any]) -> Any:
    deadline = time.monotonic() + 60
    while not (found := condition()):
        assert time.monotonic() < deadline
        time.sleep(0.001)
    return found


def test_an_init_is_a_child_of_the_zygote_and_a_runner_is_one_of_its_init() -> None:
    def body(line: socket.socket) -> list[bool]:
        init, own = _init(line)
        runner = spawn.copy(own, b"{}", ())
        parents = [orphans.process(pid).parent for pid in (init, runner)]  # type: ignore[union-attr]
        return [parents[0] == os.getpid(), parents[1] == init]

    assert _as_zygote(body) == [True, True]


def test_the_usual_runner_has_run_its_script_with_what_it_was_sent() -> None:
    def body(line: socket.socket) -> str:
        _pid, own = _init(line)
        reader, writer = os.pipe()
        spawn.copy(own, spawn.USUAL, (writer,))
        os.close(writer)
        return os.read(reader, 100).decode()

    assert _as_zygote(body) == "usual"


def test_nothing_that_was_sent_stays_open_in_the_init() -> None:
    def body(line: socket.socket) -> list[int]:
        init, own = _init(line)
        reader, writer = os.pipe()
        found = []
        for _ in range(3):
            runner = spawn.copy(own, b'{"exit": 0}', (writer, reader))
            _until(lambda runner=runner: spawn.ending_of(runner, own, lets_go=True) is not None)
            found.append(len([*Path(f"/proc/{init}/fd").iterdir()]))
        return found

    first, *others = _as_zygote(body)
    assert others == [first, first]
    assert first == 6  # the standard three, two for its socket, and a directory


def test_an_init_tells_how_its_children_ended_and_of_nobody_else() -> None:
    def body(line: socket.socket) -> list[Any]:
        _pid, own = _init(line)
        exits, sleeps = spawn.copy(own, b'{"exit": 7}', ()), spawn.copy(own, b"{}", ())
        found: list[Any] = [_until(lambda: spawn.ending_of(exits, own, lets_go=False))]
        found.append(spawn.ending_of(exits, own, lets_go=True))
        found.append(spawn.ending_of(exits, own, lets_go=True))  # let go of, and so nobody's
        found.append(spawn.ending_of(sleeps, own, lets_go=False))
        os.kill(sleeps, signal.SIGTERM)
        found.append(_until(lambda: spawn.ending_of(sleeps, own, lets_go=False)))
        found.append(spawn.ending_of(os.getppid(), own, lets_go=True))
        return found

    assert _as_zygote(body) == [7, 7, None, None, -signal.SIGTERM, None]


def test_what_a_dead_runner_leaves_becomes_its_init_s() -> None:
    def body(line: socket.socket) -> list[int]:
        init, own = _init(line)
        other, _line = _init(line)
        runner = spawn.copy(own, b'{"orphans": 3, "exit": 1}', ())
        _until(lambda: spawn.ending_of(runner, own, lets_go=True) is not None)
        _until(
            lambda: (
                sum(
                    seen.parent == init and not seen.is_dead
                    for seen in orphans.all_processes().values()
                )
                == 3
            )
        )
        return [len(orphans.children_of(other))]

    assert _as_zygote(body) == [0]


def test_a_killed_init_leaves_everybody_to_the_zygote() -> None:
    def body(line: socket.socket) -> bool:
        init, own = _init(line)
        runner = spawn.copy(own, b"{}", ())
        os.kill(init, signal.SIGKILL)
        os.waitpid(init, 0)
        with contextlib.suppress(spawn.Gone):
            spawn.copy(own, b"{}", ())
            return False
        return runner in orphans.children_of(os.getpid())

    assert _as_zygote(body) is True


def test_one_that_stands_still_is_taken_for_gone() -> None:
    def body(line: socket.socket) -> str:
        init, own = _init(line)
        os.kill(init, signal.SIGSTOP)
        # of this copy alone, and not before the init is there: a busy machine takes longer for
        # that
        spawn.ANSWER_SECONDS = 0.05
        try:
            spawn.copy(own, b"{}", ())
        except spawn.Gone as gone:
            return str(gone)
        return ""

    assert "does not answer" in _as_zygote(body)


def test_more_than_fits_a_packet_is_an_error_and_no_copy() -> None:
    def body(line: socket.socket) -> list[Any]:
        init, own = _init(line)
        try:
            spawn.copy(own, b"{" + b" " * 5000, ())
        except OSError as error:
            return [str(error), len(orphans.children_of(init))]
        return []

    assert _as_zygote(body) == ["[Errno 7] too much to tell a runner at once", 0]


def test_an_error_of_clone_is_passed_on() -> None:
    zygote, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with zygote, other:
        other.send(spawn._REPLY.pack(-errno.EAGAIN, *[0] * 10))
        with pytest.raises(OSError, match="clone: ") as caught:
            spawn.copy(zygote, b"packet", ())
    assert caught.value.errno == errno.EAGAIN and not isinstance(caught.value, spawn.Gone)


def test_an_init_reaps_and_everything_in_its_namespace_ends_with_it() -> None:
    """It has the process id 1 in there, and holds no descriptor."""
    if os.geteuid() != 0:
        pytest.skip("only root can make a pid namespace without a user namespace")

    def body() -> list[Any]:
        kernel.unshare(kernel.CLONE_NEWPID)
        handle = spawn.start_init()
        lines = Path(f"/proc/self/fdinfo/{handle}").read_text(encoding="ascii").splitlines()
        init = next(int(line.split()[1]) for line in lines if line.startswith("Pid:"))
        child = os.fork()
        if not child:
            if os.fork():
                while True:
                    signal.pause()
            if not os.fork():  # an orphan
                os._exit(0)
            os._exit(0)
        status = Path(f"/proc/{init}/status").read_text(encoding="ascii").splitlines()
        number = next(line.split()[-1] for line in status if line.startswith("NSpid:"))
        _until(lambda: not [*Path(f"/proc/{init}/fd").iterdir()])
        _until(lambda: not Path(f"/proc/{init}/task/{init}/children").read_text(encoding="ascii"))
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
