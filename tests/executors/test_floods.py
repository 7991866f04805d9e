"""Peers that never stop sending put off no deadline and fill no memory."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from fumehood.docker import engine
from fumehood.errors import DockerUnavailable
from fumehood.executors import files
from fumehood.ray import ways
from fumehood.wire.protocol import Conversation


@contextmanager
def dripping(first: bytes) -> Iterator[socket.socket]:
    """A connection whose other end sends something, and then byte after byte without end."""
    ours, theirs = socket.socketpair()
    is_over = threading.Event()

    def drip() -> None:
        theirs.sendall(first)
        while not is_over.is_set():
            try:
                theirs.send(b" ")
            except OSError:
                return

    thread = threading.Thread(target=drip)
    with theirs:
        thread.start()
        try:
            with ours:
                yield ours
        finally:
            is_over.set()
            thread.join(60)


def test_a_greeting_in_drops_does_not_take_longer_than_its_time() -> None:
    with dripping(b"") as line:
        line.settimeout(0.5)
        with pytest.raises(TimeoutError):
            ways._exactly(line, 5_000_000)


def test_a_message_in_drops_does_not_take_longer_than_its_time() -> None:
    with dripping(struct.pack(">II", 30_000_000, 0)) as line:
        clerk = object.__new__(files.FileServer)
        clerk._line = line
        clerk._conversation = Conversation(files._BOUNDS, files.parse_from_worker)
        assert clerk._receive(0.5) is None


def test_an_engine_that_sends_too_much_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_MOST_BYTES", 10_000)
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer() -> None:
            about = b'{"ApiVersion": "1.41"}'
            for said in (about, b" " * 20_000):
                line, _ = listener.accept()
                with line:
                    line.recv(65536)
                    head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(said)}\r\n\r\n".encode()
                    line.sendall(head + said)

        thread = threading.Thread(target=answer)
        thread.start()
        port = listener.getsockname()[1]
        asked = engine.Engine(f"tcp://127.0.0.1:{port}")
        with pytest.raises(DockerUnavailable, match="more than 10,000 bytes"):
            asked.ask("GET", "/version")
        thread.join(60)
