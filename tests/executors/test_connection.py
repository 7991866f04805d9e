"""The host's end of a runner's wire: it waits for nobody for ever."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Iterator

import pytest

from fumehood.errors import WorkerProtocolError
from fumehood.executors import connection
from fumehood.executors.connection import Connection, RunnerGone
from fumehood.wire import messages


@contextlib.contextmanager
def a_runner_that_does_not_read() -> Iterator[tuple[Connection, socket.socket]]:
    ours, theirs = socket.socketpair()
    output, their_output = os.pipe()
    handle = os.pidfd_open(os.getpid())
    made = Connection(ours, output, handle, 1 << 20, lambda data: False)
    with ours, theirs:
        with contextlib.suppress(BlockingIOError):
            while True:
                ours.send(bytes(1 << 16), socket.MSG_DONTWAIT)
        yield made, theirs
    made.close()
    for descriptor in (output, their_output, handle):
        os.close(descriptor)


def test_a_message_with_a_descriptor_waits_for_no_runner_that_does_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "_SEND_SECONDS", 0.1)
    with a_runner_that_does_not_read() as (made, _theirs), pytest.raises(WorkerProtocolError, match="has not read"):
        made.send_with(messages.KeepBase(), [0])


def test_a_message_with_a_descriptor_to_one_that_is_gone_is_told() -> None:
    with a_runner_that_does_not_read() as (made, theirs):
        theirs.close()
        with pytest.raises(RunnerGone):
            made.send_with(messages.KeepBase(), [0])
