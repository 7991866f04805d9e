"""A stream that two threads carry: bytes pass both ways, and either end ends the other, once."""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Iterator

import pytest

from fumehood.tunnel.pump import Pump

from ..executors.hosts import wait_until


class Far:
    """What a stream leads to: what is sent to it comes back."""

    def __init__(self) -> None:
        self.waiting: queue.Queue[bytes | None] = queue.Queue()
        self.ends: list[Exception | None] = []
        self.has_ended = threading.Event()
        self.pump = Pump(
            "fumehood-test", self.waiting.put, self.pieces(), self.ends.append, self.has_ended.set
        )

    def pieces(self) -> Iterator[bytes]:
        while (data := self.waiting.get()) is not None:
            if data == b"break":
                raise OSError("the line broke")
            yield data


@pytest.fixture
def far() -> Iterator[Far]:
    made = Far()
    yield made
    made.waiting.put(None)
    made.pump.close()
    made.pump.stream.close()
    assert made.has_ended.wait(60)


def test_bytes_come_back_in_order(far: Far) -> None:
    sent = os.urandom(5_000_000)
    sending = threading.Thread(target=far.pump.stream.sendall, args=[sent])
    sending.start()
    received = b""
    while len(received) < len(sent):
        received += far.pump.stream.recv(1 << 20)
    sending.join(60)
    assert received == sent and not far.ends


@pytest.mark.parametrize(
    ("last", "told"), [(b"break", "the line broke"), (None, "None")], ids=["broken", "over"]
)
def test_the_far_side_s_end_ends_the_stream(far: Far, last: bytes | None, told: str) -> None:
    far.waiting.put(last)
    assert far.pump.stream.recv(1) == b""
    far.pump.wait(60)
    assert [str(end) for end in far.ends] == [told]
    assert far.has_ended.is_set()


def test_what_cannot_be_sent_ends_the_stream() -> None:
    def refuse(_data: bytes) -> None:
        raise ConnectionResetError("the far side is gone")

    far = Far()
    far.pump._send = refuse
    far.pump.stream.sendall(b"x")
    assert far.pump.stream.recv(1) == b""
    wait_until(lambda: [str(end) for end in far.ends] == ["the far side is gone"], "it is told")
    far.waiting.put(None)
    assert far.has_ended.wait(60)
    far.pump.stream.close()


def test_who_closes_the_stream_is_not_told_of_its_end() -> None:
    far = Far()
    far.pump.close()
    far.waiting.put(None)
    assert far.has_ended.wait(60)
    assert not far.ends
    far.pump.stream.close()


def test_a_fork_leaves_the_stream_open(far: Far) -> None:
    child = os.fork()
    if not child:
        far.pump.close()
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    far.pump.stream.sendall(b"still there")
    assert far.pump.stream.recv(100) == b"still there"
