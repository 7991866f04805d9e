"""Who stands between a client and a zygote that is everybody's: what the client asks, the zygote is
asked only if it may."""

from __future__ import annotations

import json
import os
import select
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fumehood import Limits, Policy
from fumehood.executors import supervisor
from fumehood.server import brokers
from fumehood.server.brokers import Broker

from .asking import until
from .remote_clients import Count

CEILING = Policy(limits=Limits(memory_bytes=128 << 20))


class Line:
    """A client, word by word."""

    def __init__(self, most: int = 100) -> None:
        self.count = Count(most)
        self.zygote = supervisor.LOCAL.zygote_for(CEILING)
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._socket.settimeout(60)
        self.broker = Broker(
            theirs, self.zygote, CEILING, CEILING, self.count.take, self.count.give
        )
        assert "ready" in self.receive()[0]

    def tell(self, request: Any, handles: list[int] | None = None) -> None:
        packet = request if isinstance(request, bytes) else json.dumps(request).encode()
        socket.send_fds(self._socket, [packet], handles or [])

    def receive(self) -> tuple[dict[str, Any], list[int]]:
        packet, descriptors, _flags, _address = socket.recv_fds(self._socket, 1 << 16, 4)
        return json.loads(packet), descriptors

    def ask(self, request: Any, handles: list[int] | None = None) -> dict[str, Any]:
        self.tell(request, handles)
        reply, descriptors = self.receive()
        for descriptor in descriptors:
            os.close(descriptor)
        return reply

    def start(self, **more: Any) -> tuple[int, list[int]]:
        self.tell({"do": "start", **more})
        reply, descriptors = self.receive()
        return reply["sandbox"], descriptors

    def is_well(self) -> bool:
        """Whether a sandbox can still be had."""
        number, descriptors = self.start()
        for descriptor in descriptors:
            os.close(descriptor)
        self.tell({"do": "end", "sandbox": number})
        return True

    def settled(self) -> int:
        """How many there are, once all that was told has been heard."""
        self.ask({"do": "status", "sandbox": 0, "branch": 0})
        return self.count.now

    def close(self) -> None:
        self._socket.close()
        self.broker.close()


@pytest.fixture
def line() -> Iterator[Line]:
    made = Line()
    yield made
    made.close()


def is_dead(handle: int, seconds: float = 30) -> bool:
    poll = select.poll()
    poll.register(handle, select.POLLIN)
    return bool(poll.poll(seconds * 1000))


def test_sandboxes_of_others_are_not_there():
    mine, other = Line(), Line()
    _number, descriptors = other.start()
    for do in ("runner", "status", "replace", "files", "beside"):
        assert mine.ask({"do": do, "sandbox": 1, "branch": 0, "place": 0}) == {
            "failed": "that sandbox is over"
        }
    for do in ("end", "widen", "leave", "signal"):
        mine.tell({"do": do, "sandbox": 1, "branch": 0, "fork": False, "number": 9})
    assert mine.is_well()
    assert not is_dead(descriptors[2], 0)
    mine.close()
    other.close()


def test_another_runner_takes_the_place_of_a_dead_one(line):
    _number, descriptors = line.start()
    line.tell({"do": "signal", "sandbox": 1, "number": 9})
    assert is_dead(descriptors[2])
    assert line.ask({"do": "status", "sandbox": 1, "branch": 0})["status"] == -9
    assert line.ask({"do": "runner", "sandbox": 1}) == {"sandbox": 1}


def test_a_runner_beside_counts_as_one_more(line):
    line.start()
    assert line.ask({"do": "beside", "sandbox": 1, "place": 0, "branch": 5}) == {"sandbox": 1}
    assert line.count.now == 2
    line.tell({"do": "leave", "sandbox": 1, "branch": 5, "fork": True})
    assert line.is_well() and line.settled() == 1


def test_a_fork_that_was_none_gives_nothing_back(line):
    """The memory of a sandbox grows and shrinks with its forks."""
    line.start()
    for _ in range(5):
        line.tell({"do": "leave", "sandbox": 1, "branch": 7, "fork": True})
    assert line.is_well() and line.settled() == 1


def test_a_handle_on_somebody_else_is_no_copy(line):
    line.start()
    own = os.pidfd_open(os.getpid())
    reply = line.ask(
        {"do": "adopt", "sandbox": 1, "branch": 3, "fork": True, "answer": True}, [own]
    )
    os.close(own)
    assert "failed" in reply and line.count.now == 1


def test_quotas_are_kept_and_told():
    own = Line(most=1)
    own.start()
    assert own.ask({"do": "start"}) == {"failed": "this key may have 1 sandboxes at once"}
    assert "failed" in own.ask({"do": "beside", "sandbox": 1, "place": 0, "branch": 5})
    own.close()


WRONG = [
    b"",
    b"{",
    b"[]",
    b"null",
    b"[" * 60_000,
    {"do": None},
    {"do": ["start"]},
    {"do": "format"},
    {"do": "_end_all"},
    {"do": "start", "limits": 5},
    {"do": "start", "limits": {"memory_bytes": "much"}},
    {"do": "start", "limits": {"no such": 1}},
    {"do": "status", "sandbox": True, "branch": 0},
    {"do": "status", "sandbox": 1, "branch": -1},
    {"do": "status", "sandbox": 1, "branch": 1 << 40},
    {"do": "status", "sandbox": [1], "branch": 0},
    {"do": "replace", "sandbox": 1, "branch": 0},
    {"do": "replace", "sandbox": 1, "branch": 4},
    {"do": "files", "sandbox": 1, "place": "../.."},
    {"do": "files", "sandbox": 1, "place": 0},
    {"do": "beside", "sandbox": 1, "place": "/", "branch": 1},
    {"do": "signal", "sandbox": 1, "number": 0, "answer": True},
    {"do": "signal", "sandbox": 1, "number": 65, "answer": True},
    {"do": "adopt", "sandbox": 1, "branch": 1, "fork": True, "answer": True},
]


@pytest.mark.parametrize(
    "request_", [wrong for wrong in WRONG if wrong != b""], ids=lambda wrong: str(wrong)[:40]
)
def test_what_is_no_request_is_refused_and_the_zygote_never_hears_of_it(line, request_):
    line.start()
    reply = line.ask(request_)
    assert set(reply) == {"failed"} and "\n" not in reply["failed"]
    assert line.is_well()


@settings(max_examples=60)
@given(
    st.lists(
        st.dictionaries(
            st.sampled_from(["do", "sandbox", "branch", "fork", "number", "limits", "place"]),
            st.sampled_from([*brokers._REQUESTS, 0, 1, 2, True, None, [], {}, "x", -1, 1 << 33]),
        ),
        max_size=6,
    )
)
def test_whatever_is_asked_the_zygote_lives(monkeypatch_module, requests):
    own = Line()
    own.start()
    for request in requests:
        own.tell(request)
    own.close()
    until(lambda: own.count.now == 0, "no sandbox is counted")
    other = Line()
    assert other.is_well()
    other.close()


@pytest.fixture(scope="module")
def monkeypatch_module() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(brokers, "_DYING_SECONDS", 0.01)
        yield
