"""Lines to a remote end: direct and by calls, strangers at the door, and how they end."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fumehood import Policy
from fumehood.executors.remote import Tunnel, remote_fields
from fumehood.executors.supervisor import Zygotes, usual
from fumehood.ray import host, ways
from fumehood.ray.ways import Line
from fumehood.tunnel.frames import Frame, FrameReader, Kind

from ..executors.hosts import host as started
from ..executors.hosts import living
from ..faults.groups import frozen
from ..rays import until
from .hosting import Hosted, hosted

FIRST = json.dumps(remote_fields(usual(Policy())))


@pytest.fixture
def node() -> Iterator[Hosted]:
    with hosted() as made:
        yield made


@pytest.fixture(params=["direct", "by_calls"])
def open_line(request: pytest.FixtureRequest) -> Callable[[Hosted, str], Line]:
    found: Callable[[Hosted, str], Line] = getattr(ways, request.param)
    return found


def _remote_end(node: Hosted, line: Line) -> host.RemoteProcess:
    until(lambda: line.number in node.host._remotes, "the remote end is started")
    return node.host._remotes[line.number]


def test_a_sandbox_is_started_at_the_remote_end_and_all_ends_with_the_line(
    node: Hosted, open_line: Callable[[Hosted, str], Line]
) -> None:
    line = open_line(node, FIRST)
    tunnel = Tunnel(line.stream, bytes, lambda: "it is gone")
    runner = Zygotes(tunnel.launch).start_sandbox(Policy())
    far = _remote_end(node, line)
    assert Path(f"/proc/{far.process.pid}/comm").read_text() == "fumehood-remote\n"
    tunnel.close()
    line.close()
    until(lambda: far.process.poll() is not None, "the remote end ends")
    runner.close()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can freeze a process")
def test_a_remote_end_that_cannot_be_killed_keeps_nobody_else_waiting(
    node: Hosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host, "_END_SECONDS", 0.2)
    line = ways.by_calls(node, FIRST)
    far = _remote_end(node, line)
    with frozen(far.process.pid):
        node.call("end", line.number, seconds=60)
        assert far.process.poll() is None
        assert node.call("about", seconds=60)["pid"] == os.getpid()
    until(lambda: far.process.poll() is not None, "it dies when the kernel lets it")


def test_a_remote_end_that_dies_ends_the_line(
    node: Hosted, open_line: Callable[[Hosted, str], Line]
) -> None:
    line = open_line(node, FIRST)
    tunnel = Tunnel(line.stream, bytes, lambda: "it is gone")
    assert tunnel.ask({"do": "time", "channel": 0})["seconds"] == 0
    os.kill(_remote_end(node, line).process.pid, signal.SIGKILL)
    until(lambda: not tunnel.is_open, "the line ends")
    assert node.call("how_ended", line.number, seconds=30) == -signal.SIGKILL
    tunnel.close()
    line.close()


def test_strangers_at_the_port_get_nothing_and_keep_nobody_out(node: Hosted) -> None:
    secret = os.urandom(ways.SIZE)
    number, port = node.call("listen", node.address, secret, FIRST, seconds=30)
    with contextlib.ExitStack() as strangers:
        silent = strangers.enter_context(socket.create_connection((node.address, port)))
        own = bytes(ways.SIZE)
        for guess in (
            lambda said: bytes(ways.SIZE),
            lambda said: said[: ways.SIZE],
            lambda said: said[ways.SIZE :],  # the node's own proof
            lambda said: ways.proof(os.urandom(ways.SIZE), b"driver", own, said[: ways.SIZE]),
            lambda said: ways.proof(secret, b"driver", own, bytes(ways.SIZE)),  # an old proof
        ):
            guessing = strangers.enter_context(socket.create_connection((node.address, port)))
            guessing.settimeout(30)
            guessing.sendall(own)
            said = guessing.recv(2 * ways.SIZE, socket.MSG_WAITALL)
            assert secret not in said
            guessing.sendall(guess(said))
            assert guessing.recv(1) == b"", "it is refused"
        with socket.create_connection((node.address, port)) as stream:
            ways.greet(stream, secret)
            until(lambda: number in node.host._remotes, "the driver is let in")
            with pytest.raises(ConnectionRefusedError):
                socket.create_connection((node.address, port))
        silent.settimeout(30)
        with contextlib.suppress(ConnectionResetError):
            assert silent.recv(1) == b"", "nobody waits for it"


def test_a_driver_refuses_a_node_that_does_not_know_the_secret(node: Hosted) -> None:
    _number, port = node.call("listen", node.address, os.urandom(ways.SIZE), FIRST, seconds=30)
    with (
        socket.create_connection((node.address, port), 30) as stream,
        pytest.raises(ways.Refused),
    ):
        ways.greet(stream, os.urandom(ways.SIZE))


def test_a_port_that_nobody_comes_to_is_closed(
    node: Hosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host, "GREETING_SECONDS", 0.05)
    _number, port = node.call("listen", node.address, os.urandom(ways.SIZE), FIRST, seconds=30)

    def is_closed() -> bool:
        try:
            socket.create_connection((node.address, port)).close()
        except ConnectionRefusedError:
            return True
        return False

    until(is_closed, "the port is closed")
    assert not node.host._remotes


def test_a_remote_end_whose_driver_asks_no_more_is_ended_when_somebody_comes(
    node: Hosted, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By calls there is no connection that breaks."""
    number = node.call("open", FIRST, seconds=30)
    forgotten = node.host._remotes[number].process
    monkeypatch.setattr(host, "_SILENCE_SECONDS", -1.0)
    node.call("open", FIRST, seconds=30)
    assert forgotten.poll() is not None


def test_bytes_in_a_call_that_was_given_up_are_not_lost(node: Hosted) -> None:
    """A read that finds nothing in time takes nothing with it."""
    number = node.call("open", FIRST, seconds=30)
    assert node.call("read", number, 0.01, seconds=30) == b""
    node.call(
        "feed", number, Frame(Kind.ASK, 7, b'{"do": "time", "channel": 0}').packed(), seconds=30
    )
    said = b""
    while not said:
        said = node.call("read", number, 10.0, seconds=30)
    (frame,) = FrameReader().feed(said)
    assert (frame.kind, frame.channel) == (Kind.ANSWER, 7)


def test_a_remote_end_dies_with_the_process_that_started_it() -> None:
    """However that ends: nobody is left to tell it."""
    program = f"""
        import socket, signal
        from fumehood.ray.host import RemoteProcess
        ours, theirs = socket.socketpair()
        say(RemoteProcess(theirs, {FIRST!r}, ours).process.pid)
        signal.pause()
        """
    with started(program) as starter:
        pid = starter.answer()
        until(
            lambda: Path(f"/proc/{pid}/comm").read_text() == "fumehood-remote\n",
            "the remote end is up",
        )
        starter.kill()
        until(lambda: not living({pid}), "it ends")
