"""A client of a server's remote end without HTTP between them: sandboxes as E2BExecutor has them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from fumehood import Policy
from fumehood.errors import E2BSandboxGone
from fumehood.executors.remote import Tunnel
from fumehood.executors.session import Session
from fumehood.executors.supervisor import Zygotes
from fumehood.server.refusals import Busy
from fumehood.server.remote_ends import RemoteCommand, RemoteEnd
from fumehood.tunnel.frames import LineReader, as_lines
from fumehood.tunnel.pump import Pump


class Count:
    """How many sandboxes a key has, and how many it may."""

    def __init__(self, most: int = 100) -> None:
        self.now = 0
        self.most = most

    def take(self, policy: Policy | None = None) -> None:
        if self.now >= self.most:
            raise Busy(f"this key may have {self.most} sandboxes at once")
        self.now += 1

    def give(self) -> None:
        self.now -= 1


class Client:
    def __init__(self, command: RemoteCommand, count: Count) -> None:
        self.command = command
        self.count = count
        self.errors = b""
        self.tunnel = Tunnel(
            Pump("client", self.send, self.pieces()).stream,
            bytes,
            lambda: "the remote end is gone",
            gone=E2BSandboxGone,
        )
        self.zygotes = Zygotes(self.tunnel.launch)

    def send(self, data: bytes) -> None:
        self.command.send_stdin(as_lines(data))

    def pieces(self) -> Iterator[bytes]:
        reader = LineReader(waits=True)
        for stream, piece in self.command:
            if stream == "stdout":
                yield reader.feed(piece)
            else:
                self.errors += piece

    def worker(self, policy: Policy | None = None, **options: Any) -> Session:
        return Session(policy or Policy(), start=self.zygotes.start_sandbox, **options)


@contextlib.contextmanager
def client(ceiling: Policy, most: int = 100) -> Iterator[Client]:
    count = Count(most)
    made = Client(RemoteCommand(RemoteEnd(ceiling, count.take, count.give)), count)
    try:
        yield made
    finally:
        made.tunnel.close()
        made.command.kill()
