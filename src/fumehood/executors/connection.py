"""The host's end of one runner: its wire, its output and its life, read together by whoever waits for it."""

from __future__ import annotations

import contextlib
import os
import select
import socket
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from fumehood.wire.conversation import HostConversation
from fumehood.wire.frames import Bounds, Buffer
from fumehood.wire.messages import Message
from fumehood.wire.strict import parse_from_worker

_CHUNK = 1 << 16
_PIPE = 1 << 20  # the most that a pipe holds


class RunnerGone(Exception):
    """The process at the other end is dead, or has closed the wire."""


class Connection:
    """Messages may be sent from any thread; one thread at a time waits in `next_message`. `wake` makes it return early."""

    def __init__(
        self,
        wire: socket.socket,
        output: int,
        runner: int,
        frame_bytes: int,
        on_output: Callable[[bytes], None],
        is_too_much: Callable[[], bool],
    ) -> None:
        self._wire = wire
        self._output: int | None = output
        self._runner = runner
        self._on_output = on_output
        self._is_too_much = is_too_much
        self._conversation = HostConversation(Bounds(header=min(frame_bytes, 64 << 20), frame=frame_bytes), parse_from_worker)
        self._sending = threading.Lock()
        self.is_whole = True
        """False while bytes are being moved: an exception that comes in just then leaves half a message behind."""
        self._wake = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        os.set_blocking(output, False)
        self._poll = select.poll()
        for descriptor in (wire.fileno(), output, runner, self._wake):
            self._poll.register(descriptor, select.POLLIN)

    @property
    def is_running(self) -> bool:
        """Whether a cell was begun whose end has not come."""
        return self._conversation.running is not None

    def close(self) -> None:
        os.close(self._wake)

    def wake(self) -> None:
        os.eventfd_write(self._wake, 1)

    def send(self, message: Message, buffers: Sequence[Buffer] = ()) -> None:
        with self._sending:
            pieces = self._conversation.send(message, buffers)
            self.is_whole = False
            try:
                for piece in pieces:
                    self._wire.sendall(piece)
            except OSError:
                raise RunnerGone from None
            self.is_whole = True

    def next_message(self, timeout: float | None) -> tuple[Any, list[bytearray]] | None:
        """The next message; None when the time is over, too much was printed, or somebody called `wake`.

        Output that comes meanwhile is handed on. However much comes, this does not take longer than `timeout`.
        """
        message = self._conversation.next_message()
        if message is not None:
            return message
        until = None if timeout is None else time.monotonic() + timeout
        while True:
            ready = self._poll.poll(None if until is None else max(until - time.monotonic(), 0) * 1000)
            if not ready:
                return None
            found = {descriptor for descriptor, _event in ready}
            if self._output in found:
                self._read_output()
                if self._is_too_much() or until is not None and time.monotonic() > until:
                    return None
            if self._wire.fileno() in found:
                self._read_wire()
            elif self._runner in found:
                raise RunnerGone
            message = self._conversation.next_message()
            if message is not None:
                return message
            if self._wake in found:
                with contextlib.suppress(BlockingIOError):
                    os.eventfd_read(self._wake)
                return None

    def drain_output(self) -> None:
        """Hand on what was written before the message that was just read: it is all in the pipe already, and so it is bounded."""
        for _ in range(_PIPE // _CHUNK + 1):
            if not self._read_output():
                break

    def _read_wire(self) -> None:
        reader = self._conversation.reader
        self.is_whole = False
        try:
            room = reader.room()
            if room is not None:
                count = self._wire.recv_into(room)
                reader.filled(count)
            else:
                data = self._wire.recv(_CHUNK)
                count = len(data)
                reader.feed(data)
        except OSError:
            raise RunnerGone from None
        self.is_whole = True
        if not count:
            raise RunnerGone

    def _read_output(self) -> bool:
        """Read a piece of output; False if there is none now."""
        if self._output is None:
            return False
        try:
            data = os.read(self._output, _CHUNK)
        except BlockingIOError:
            return False
        if data:
            self._on_output(data)
            return len(data) == _CHUNK
        self._poll.unregister(self._output)  # nobody is left who could write
        self._output = None
        return False
