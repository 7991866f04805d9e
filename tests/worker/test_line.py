"""The runner's end of the wire: whole messages, however the bytes come and whatever interrupts."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from fumehood.wire import messages
from fumehood.wire.frames import Bounds
from fumehood.wire.protocol import Conversation, parse_from_worker
from fumehood.worker.line import Line, TooLarge


@pytest.fixture
def ends() -> Iterator[tuple[Line, socket.socket]]:
    """A line, and the host's end of it."""
    ours, theirs = socket.socketpair()
    line = Line()
    line.attach(theirs.detach())
    yield line, ours
    ours.close()
    line._socket.close()


def as_bytes(message: messages.Message, *buffers: bytes) -> bytes:
    return b"".join(map(bytes, Conversation(Bounds(), parse_from_worker).send(message, buffers)))


def heard_by_host(end: socket.socket) -> list[Any]:
    conversation = Conversation(Bounds(), parse_from_worker)
    end.setblocking(False)
    with contextlib.suppress(BlockingIOError):
        while data := end.recv(1 << 16):
            conversation.reader.feed(data)
    heard = []
    while (received := conversation.next_message()) is not None:
        heard.append(received[0])
    return heard


def test_a_message_is_received_whole_however_it_is_cut(ends: tuple[Line, socket.socket]) -> None:
    line, host = ends
    data = as_bytes(messages.Run(id=1, code="x" * 50)) + as_bytes(
        messages.GetVariable(id=2, name="y")
    )
    for place in range(0, len(data), 7):
        host.sendall(data[:place])
        timer = threading.Timer(0.002, host.sendall, [data[place:]])
        timer.start()
        first, second = line.receive(), line.receive()
        timer.join()
        assert first is not None and second is not None
        assert (first[0].code, second[0].name) == ("x" * 50, "y")


def test_a_large_buffer_is_received(ends: tuple[Line, socket.socket]) -> None:
    line, host = ends
    content = os.urandom(3 << 20)
    sender = threading.Thread(
        target=host.sendall,
        args=[as_bytes(messages.WriteFile(id=1, path="a", content=["bytes", 0]), content)],
    )
    sender.start()
    received = line.receive()
    sender.join()
    assert received is not None
    assert received[1] == [content]


def test_nothing_comes_when_the_time_is_over(ends: tuple[Line, socket.socket]) -> None:
    assert ends[0].receive(0) is None
    assert ends[0].receive(0.01) is None


def test_messages_sent_from_many_threads_are_not_mixed(ends: tuple[Line, socket.socket]) -> None:
    line, host = ends
    threads = [
        threading.Thread(target=lambda n=n: line.send(messages.Done(id=n, value="x" * 500)))
        for n in range(40)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(message.id for message in heard_by_host(host)) == list(range(40))


def test_a_message_too_large_for_the_host_is_not_begun(ends: tuple[Line, socket.socket]) -> None:
    line, host = ends
    line.most = 1000
    for value, buffers in (("x" * 2000, []), (["bytes", 0], [b"x" * 2000])):
        with pytest.raises(TooLarge, match=r"too many to be sent: limits.frame_bytes is 1,000"):
            line.send(messages.Done(id=1, value=value), buffers)
    line.send(messages.Done(id=2))
    assert [message.id for message in heard_by_host(host)] == [2]


def test_sending_and_receiving_happen_inside_the_guard(ends: tuple[Line, socket.socket]) -> None:
    """In it a time limit throws nothing: a message half sent could not be told from the next."""
    line, host = ends
    entered: list[str] = []

    class Guard:
        is_idle = False

        def __enter__(self) -> None:
            entered.append("in")

        def __exit__(self, *exc: object) -> None:
            entered.append("out")

    line.guard = Guard()
    line.send(messages.Done(id=1))
    host.sendall(as_bytes(messages.GetVariable(id=2, name="y")))
    assert line.receive() is not None
    assert entered == ["in", "out"] * 2
    Guard.is_idle = True  # nothing is thrown then, so nobody is asked
    line.send(messages.Done(id=3))
    host.sendall(as_bytes(messages.GetVariable(id=4, name="z")))
    assert line.receive() is not None
    assert entered == ["in", "out"] * 2
    assert [message.id for message in heard_by_host(host)] == [1, 3]


def test_a_message_that_was_taken_in_when_a_time_limit_throws_is_there_the_next_time(
    ends: tuple[Line, socket.socket],
) -> None:
    line, host = ends

    class Guard:
        is_idle = False

        def __enter__(self) -> None:
            pass

        def __exit__(self, *exc: object) -> None:
            raise TimeoutError

    line.guard = Guard()
    host.sendall(as_bytes(messages.GetVariable(id=1, name="y")))
    with pytest.raises(TimeoutError):
        line.receive()
    assert not line.is_quiet(0)
    received = line.receive(0)
    assert received is not None
    assert received[0].name == "y"
    assert line.is_quiet(0)


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_process_whose_host_is_gone_ends() -> None:
    ours, theirs = socket.socketpair()
    child = os.fork()
    if child == 0:
        ours.close()
        line = Line()
        line.attach(theirs.fileno())
        line.receive()
        os._exit(9)
    ours.close()
    theirs.close()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
