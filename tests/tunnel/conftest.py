"""A tunnel with both ends in this process, each served by a thread."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from fumehood.tunnel.channels import Channel
from fumehood.tunnel.end import TunnelEnd
from fumehood.tunnel.frames import Frame, Sort


class Both:
    """`near` and `far` are the ends, `asked` and `answered` the frames that each was handed."""

    def __init__(self) -> None:
        self.streams = socket.socketpair()
        self.asked: list[Frame] = []
        self.answered: list[Frame] = []
        near, far = (stream.fileno() for stream in self.streams)
        self.near = TunnelEnd(near, near, is_remote_end=False, on_frame=self.answered.append)
        self.far = TunnelEnd(far, far, is_remote_end=True, on_frame=self.asked.append)
        self.threads = [
            threading.Thread(target=end.run, daemon=True) for end in (self.near, self.far)
        ]
        for thread in self.threads:
            thread.start()

    def at(self, end: TunnelEnd, task: Callable[[], Any]) -> Any:
        """Do something in the thread of an end."""
        results: list[Any] = []
        done = threading.Event()

        def do() -> None:
            try:
                results.append(task())
            except Exception as error:
                results.append(error)
            done.set()

        end.call(do)
        assert done.wait(60), "the end does not serve"
        if isinstance(results[0], Exception):
            raise results[0]
        return results[0]

    def bring(self, descriptor: int) -> int:
        """A descriptor of the remote end, here. It is the tunnel's from now on."""
        _channel, (sort, number) = self.at(self.far, lambda: self.far.adopt(descriptor))
        made: tuple[Channel, int] = self.at(
            self.near, lambda: self.near.stand_in(Sort(sort), number)
        )
        return made[1]

    def wire(self, kind: int = socket.SOCK_STREAM) -> tuple[socket.socket, socket.socket]:
        """A socket at the remote end, and what it talks to, here."""
        there, theirs = socket.socketpair(type=kind)
        return there, socket.socket(fileno=self.bring(theirs.detach()))

    def close(self) -> None:
        for stream in self.streams:
            stream.shutdown(socket.SHUT_RDWR)
        for thread in self.threads:
            thread.join(60)
            assert not thread.is_alive()
        for stream in self.streams:
            stream.close()


@pytest.fixture
def both() -> Iterator[Both]:
    tunnel = Both()
    yield tunnel
    tunnel.close()
