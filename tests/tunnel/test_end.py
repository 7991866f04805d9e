"""A tunnel: descriptors of one end work at the other, whatever is sent, and whoever sends too much
is stopped."""

from __future__ import annotations

import hashlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from fumehood.tunnel.channels import WINDOW
from fumehood.tunnel.end import FarEnd, TunnelEnd
from fumehood.tunnel.frames import BrokenTunnel, Frame, FrameReader, Kind, Sort

from ..executors.hosts import wait_until
from .conftest import Both

SLEEPER = [sys.executable, "-c", "import time; time.sleep(60)"]


def becomes_readable(descriptor: int, seconds: float = 10) -> bool:
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(seconds * 1000))


def is_nothing(descriptor: int) -> bool:
    return Path(f"/proc/self/fd/{descriptor}").readlink() == Path(os.devnull)


# -- bytes


def test_bytes_pass_both_ways_through_a_socket(both: Both) -> None:
    there, here = both.wire()
    with there, here:
        there.sendall(b"to you")
        assert here.recv(100) == b"to you"
        here.sendall(b"and back")
        assert there.recv(100) == b"and back"


def test_large_amounts_arrive_whole_in_both_directions_at_once(both: Both) -> None:
    there, here = both.wire()
    sent = [os.urandom(20 << 20), os.urandom(20 << 20)]
    received = [b"", b""]

    def receive(end: socket.socket, which: int) -> None:
        parts, size = [], 0
        while size < len(sent[which]):
            parts.append(end.recv(1 << 16))
            size += len(parts[-1])
        received[which] = b"".join(parts)

    with there, here:
        threads = [
            threading.Thread(target=receive, args=(here, 0)),
            threading.Thread(target=receive, args=(there, 1)),
            threading.Thread(target=there.sendall, args=(sent[0],)),
            threading.Thread(target=here.sendall, args=(sent[1],)),
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
    assert [hashlib.sha256(data).digest() for data in received] == [
        hashlib.sha256(data).digest() for data in sent
    ]


def test_packets_stay_packets(both: Both) -> None:
    there, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    here = socket.socket(fileno=both.bring(theirs.detach()))
    with there, here:
        for packet in (b"one", b"two", b"x" * 100_000):
            there.send(packet)
        assert [here.recv(1 << 20) for _ in range(3)] == [b"one", b"two", b"x" * 100_000]


def test_one_channel_that_nobody_reads_does_not_hold_up_another(both: Both) -> None:
    stuck, _unread = both.wire()
    stuck.settimeout(0.2)
    with pytest.raises(TimeoutError):  # the window is full, and so are the sockets
        stuck.sendall(bytes(100 << 20))
    there, here = both.wire()
    there.sendall(b"still")
    assert here.recv(100) == b"still"
    for end in (stuck, _unread, there, here):
        end.close()


# -- descriptors


@pytest.mark.parametrize(
    ("sender", "kind"),
    [
        ("supervisor", socket.SOCK_SEQPACKET),
        ("host", socket.SOCK_SEQPACKET),
        ("host", socket.SOCK_STREAM),
    ],
)
def test_descriptors_arrive_as_descriptors(both: Both, sender: str, kind: int) -> None:
    there, here = both.wire(kind)
    sends, receives = (here, there) if sender == "host" else (there, here)
    inner, theirs = socket.socketpair()
    with there, here, inner:
        socket.send_fds(sends, [b"take"], [theirs.fileno()])
        theirs.close()
        data, (got,), _flags, _address = socket.recv_fds(receives, 100, 4)
        assert data == b"take"
        with socket.socket(fileno=got) as outer:
            outer.sendall(b"through two")
            assert inner.recv(100) == b"through two"


def test_descriptors_that_code_sends_by_its_wire_do_not_pass(both: Both) -> None:
    there, here = both.wire()
    with there, here:
        for _ in range(200):
            reading, writing = os.pipe()
            socket.send_fds(there, [b"x"], [writing])
            os.close(writing)
            data, descriptors, _flags, _address = socket.recv_fds(here, 1, 4)
            assert (data, descriptors) == (b"x", [])
            assert os.read(reading, 1) == b""
            os.close(reading)


def test_descriptors_by_a_wire_end_the_tunnel_at_the_host() -> None:
    both = Both()
    there, here = both.wire()
    raw = both.streams[1].dup()
    raw.sendall(Frame(Kind.DATA, 1, b"x", ((Sort.STREAM, 3),)).packed())
    assert here.recv(1) == b""
    both.threads[0].join(60)
    assert "brings none" in str(both.near.failure)
    raw.close()
    both.close()
    here.close()
    there.close()


@pytest.mark.parametrize("what", ["file", "datagrams", "events", "internet"])
def test_a_descriptor_of_a_sort_that_does_not_pass_arrives_as_nothing(
    both: Both, what: str
) -> None:
    there, here = both.wire(socket.SOCK_SEQPACKET)
    descriptor = {
        "file": lambda: os.open(os.devnull, os.O_RDWR),
        "datagrams": lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).detach(),
        "events": lambda: os.eventfd(0),
        "internet": lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM).detach(),
    }[what]()
    with there, here:
        socket.send_fds(there, [b"x"], [descriptor])
        os.close(descriptor)
        data, (got,), _flags, _address = socket.recv_fds(here, 100, 4)
        assert (data, is_nothing(got)) == (b"x", True)
        os.close(got)


# -- what was printed before


def test_what_was_printed_before_a_message_is_there_when_the_message_is(both: Both) -> None:
    control, here = both.wire(socket.SOCK_SEQPACKET)
    wire, their_wire = socket.socketpair()
    reading, writing = os.pipe()
    socket.send_fds(control, [b"a runner"], [their_wire.fileno(), reading])
    their_wire.close()
    os.close(reading)
    _data, (near_wire, near_output), _flags, _address = socket.recv_fds(here, 100, 4)
    with control, here, wire, socket.socket(fileno=near_wire) as messages:
        for number in range(200):
            text = b"%d" % number * 50
            os.write(writing, text)
            wire.send(b"done")
            assert messages.recv(4) == b"done"
            while both.near.is_on_its_way(near_output):
                time.sleep(0.001)
            assert os.read(near_output, 1 << 16) == text
        os.close(writing)
        os.close(near_output)


def test_a_message_waits_for_more_output_than_may_be_on_the_way(both: Both) -> None:
    control, here = both.wire(socket.SOCK_SEQPACKET)
    wire, their_wire = socket.socketpair()
    reading, writing = os.pipe()
    socket.send_fds(control, [b"a runner"], [their_wire.fileno(), reading])
    their_wire.close()
    os.close(reading)
    _data, (near_wire, near_output), _flags, _address = socket.recv_fds(here, 100, 4)
    size = 2 * WINDOW

    def print_much() -> None:
        left = size
        while left:
            left -= os.write(writing, b"y" * min(left, 1 << 16))
        wire.send(b"done")

    printing = threading.Thread(target=print_much)
    printing.start()
    with control, here, wire, socket.socket(fileno=near_wire) as messages:
        found = 0
        while not becomes_readable(messages.fileno(), 0):
            if becomes_readable(near_output, 0.01):
                found += len(os.read(near_output, 1 << 16))
        while both.near.is_on_its_way(near_output) or becomes_readable(near_output, 0):
            if becomes_readable(
                near_output, 0.01
            ):  # the last may have been delivered while that was asked
                found += len(os.read(near_output, 1 << 16))
        assert found == size
        printing.join(60)
        os.close(writing)
        os.close(near_output)


# -- processes


def test_a_process_is_a_handle_that_can_be_waited_for_and_signalled(both: Both) -> None:
    with subprocess.Popen(SLEEPER) as sleeper:
        here = both.bring(os.pidfd_open(sleeper.pid))
        channel = both.near.channel_of(here)
        assert channel is not None and not becomes_readable(here, 0.05)
        both.near.call(
            lambda: both.near.send(
                Frame(Kind.SIGNAL, channel.number, int(signal.SIGTERM).to_bytes(4, "little"))
            )
        )
        assert becomes_readable(here)
        assert both.near.channel_of(here) is None
        assert sleeper.wait(60) == -signal.SIGTERM
        assert both.near.exit_status(here) in (
            -signal.SIGTERM,
            -signal.SIGKILL,
        )  # kernels before 6.15 do not tell
        os.close(here)


# -- ends and lies


def test_everything_ends_with_the_stream() -> None:
    both = Both()
    there, here = both.wire()
    both.close()
    assert (there.recv(1), here.recv(1)) == (b"", b"")
    assert not both.near.is_open
    both.near.call(
        lambda: both.near.send(Frame(Kind.ASK, 1))
    )  # nobody is there to do it, and nobody waits
    there.close()
    here.close()


def _open_now() -> int:
    return len([*Path("/proc/self/fd").iterdir()])


def test_no_descriptor_is_left_behind() -> None:
    Both().close()
    before = _open_now()
    for _ in range(5):
        both = Both()
        there, here = both.wire(socket.SOCK_SEQPACKET)
        reading, writing = os.pipe()
        socket.send_fds(there, [b"x"], [reading, writing])
        there.close()
        both.close()
        for descriptor in (reading, writing, here.detach()):
            os.close(descriptor)
    wait_until(lambda: _open_now() <= before, "all are closed")


@pytest.mark.parametrize(
    "lie",
    [
        b"\xff" * 100,
        Frame(Kind.DATA, 1, b"", ((Sort.STREAM, 2),)).packed(),
        Frame(Kind.DATA, 1, b"", ((Sort.STREAM, 1), (Sort.STREAM, 1))).packed(),
        b"".join(
            Frame(Kind.DATA, 1, b"", ((Sort.STREAM, number),)).packed()
            for number in range(1, 20_000, 2)
        ),
    ],
    ids=["noise", "a number of this end's", "a number twice", "without end"],
)
def test_a_lie_ends_the_tunnel_and_says_so(lie: bytes) -> None:
    both = Both()
    _there, here = both.wire(socket.SOCK_SEQPACKET)
    raw = both.streams[1].dup()
    raw.sendall(lie)
    assert here.recv(1) == b""
    both.threads[0].join(60)
    assert both.near.failure is not None
    raw.close()
    both.close()
    here.close()
    _there.close()


def test_who_sends_more_than_may_be_on_the_way_ends_the_tunnel() -> None:
    both = Both()
    _there, here = both.wire()
    raw = both.streams[1].dup()
    flood = memoryview(Frame(Kind.DATA, 1, b"x" * (1 << 20)).packed() * 10)
    while flood and both.near.failure is None:
        try:
            flood = flood[raw.send(flood, socket.MSG_DONTWAIT) :]
        except BlockingIOError:
            time.sleep(0.001)
    both.threads[0].join(60)
    assert "more than it may" in str(both.near.failure)
    raw.close()
    both.close()
    here.close()
    _there.close()


def test_frames_about_channels_that_there_are_not_are_ignored(both: Both) -> None:
    raw = both.streams[1].dup()
    for kind in (Kind.DATA, Kind.CREDIT, Kind.CLOSE, Kind.SIGNAL):
        raw.sendall(Frame(kind, 4711, b"\1\0\0\0").packed())
    there, here = both.wire()
    there.sendall(b"fine")
    assert here.recv(10) == b"fine"
    for end in (raw, there, here):
        end.close()


def test_a_frame_that_breaks_the_tunnel_leaves_no_descriptor_behind() -> None:
    """One of those it brings is right and another is not: somebody was to be given the first, and
    is not any more."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        before = _open_now()
        end = TunnelEnd(
            ours.fileno(), ours.fileno(), is_remote_end=False, on_frame=lambda frame: None
        )
        channel, given = end.stand_in(Sort.PACKETS, 1)
        os.close(given)
        brought = ((Sort.STREAM, 3), (Sort.SOURCE, 5), (Sort.NOTHING, 0), (Sort.STREAM, 3))
        theirs.sendall(Frame(Kind.DATA, channel.number, b"x", brought).packed())
        end.run()
        assert isinstance(end.failure, BrokenTunnel)
        wait_until(lambda: _open_now() <= before, "all are closed")


def test_a_supervisor_without_a_channel_leaves_no_descriptor_behind() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        before = _open_now()

        def start(policy: dict[str, Any]) -> int:
            return socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET).detach()

        end = FarEnd(ours.fileno(), ours.fileno(), start, most_channels=0)
        theirs.sendall(Frame(Kind.ASK, 1, b'{"do": "start", "policy": {}}').packed())
        theirs.shutdown(socket.SHUT_WR)
        end.run()
        wait_until(lambda: _open_now() <= before, "all are closed")
        (answer,) = FrameReader().feed(theirs.recv(1000))
        assert "too many" in json.loads(answer.data)["failed"]
