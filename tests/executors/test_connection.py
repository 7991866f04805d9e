"""The host's end of a runner's wire: it waits for nobody for ever."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import time
from collections.abc import Iterator

import pytest

from fumehood.errors import WorkerProtocolError
from fumehood.executors import connection
from fumehood.executors.connection import Connection, RunnerGone
from fumehood.wire import messages
from fumehood.wire.frames import Bounds
from fumehood.wire.protocol import Conversation, parse_from_host


@contextlib.contextmanager
def a_runner_that_does_not_read() -> Iterator[tuple[Connection, socket.socket]]:
    ours, theirs = socket.socketpair()
    output, their_output = os.pipe()
    handle = os.pidfd_open(os.getpid())
    made = Connection(ours, output, handle, 1 << 20)
    with ours, theirs:
        with contextlib.suppress(BlockingIOError):
            while True:
                ours.send(bytes(1 << 16), socket.MSG_DONTWAIT)
        yield made, theirs
    made.close()
    for descriptor in (output, their_output, handle):
        os.close(descriptor)


def test_a_message_with_a_descriptor_waits_for_no_runner_that_does_not_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connection, "_SEND_SECONDS", 0.1)
    with (
        a_runner_that_does_not_read() as (made, _theirs),
        pytest.raises(WorkerProtocolError, match="does not read"),
    ):
        made.send_with(messages.KeepCheckpoint(), [0])


def test_what_comes_while_a_message_is_sent_is_heard_in_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A runner that says something before it reads is not waited for in vain, and nothing that it
    says is lost."""
    monkeypatch.setattr(connection, "_SEND_SECONDS", 60.0)
    with a_runner_that_does_not_read() as (made, theirs):
        worker = Conversation(Bounds(), parse_from_host)
        theirs.settimeout(0.05)
        is_sent = threading.Event()
        said = [
            messages.Ready(protocol=messages.PROTOCOL),
            *(messages.CallTool(call=n, name="f", arguments=n) for n in range(1, 4)),
        ]

        def speak_and_then_read() -> None:
            for message in said:
                theirs.sendall(b"".join(map(bytes, worker.send(message))))
                time.sleep(0.05)
            while not is_sent.is_set():
                with contextlib.suppress(TimeoutError):
                    theirs.recv(1 << 16)

        runner = threading.Thread(target=speak_and_then_read)
        runner.start()
        try:
            made.send(messages.Run(id=1, code="#" * 100_000), reads=True)
        finally:
            is_sent.set()
            runner.join()
        heard = [made.next_message(60.0) for _ in said]
    assert [each and each[0].type for each in heard] == ["ready", *["call_tool"] * 3]
    assert [each and each[0].call for each in heard[1:]] == [1, 2, 3]


def test_a_message_with_a_descriptor_to_one_that_is_gone_is_told() -> None:
    with a_runner_that_does_not_read() as (made, theirs):
        theirs.close()
        with pytest.raises(RunnerGone):
            made.send_with(messages.KeepCheckpoint(), [0])
