"""The runner's end of the wire: whole messages in and out of a socket, undisturbed by signals that
arrive in the middle of one."""

from __future__ import annotations

import os
import select
import socket
import struct
import threading
from collections.abc import Sequence
from typing import Any, Final, Protocol

from fumehood.wire.frames import Bounds, Buffer, count_items, encode_frame
from fumehood.wire.messages import Message
from fumehood.wire.protocol import Conversation, parse_from_host

_CHUNK = 1 << 16
_ATTACHED = socket.CMSG_SPACE(3 * 4)
# The host is trusted, and bounded by its own memory.
_FROM_HOST = Bounds(header=1 << 31, buffers=1 << 20, frame=1 << 40)


_HOST = Bounds()
_MANY = 1 << 16  # smaller messages cannot hold too much


class TooLarge(ValueError):
    """A message beyond what the host takes."""


class Guard(Protocol):
    """Keeps an exception that a signal throws out of a few lines. While it is idle, none comes."""

    is_idle: bool

    def __enter__(self) -> None: ...

    def __exit__(self, *exc: object) -> None: ...


_POLLS: Final = 2500  # in a row: less than a millisecond, which is more than a short cell takes
_FAILURES: Final = 3  # polls in vain before the next waits block at once
_BLOCKS: Final = 50  # waits that block at once before polling is tried again


class Line:
    """Messages may be sent from any thread; whoever receives must be the only one to."""

    _socket: socket.socket

    def __init__(self) -> None:
        self._conversation = Conversation(_FROM_HOST, parse_from_host)
        self._poll = select.poll()
        self._credit = _FAILURES if len(os.sched_getaffinity(0)) > 1 else -1
        self._sleeps = 0
        self._taken: tuple[Any, list[Any]] | None = None
        self._descriptors: list[int] = []
        self.sending = threading.RLock()
        """Held while a message is sent, and by callers that must know what was sent before."""
        self.most = 1 << 62
        self.guard: Guard | None = None
        """The deadline, whose exception must not come between a byte read and the byte kept."""
        self._is_clear = True
        """Whether no part of a message was read that was not given out."""

    def attach(self, descriptor: int) -> None:
        """The socket that carries it."""
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, descriptor)
        self._poll.register(descriptor, select.POLLIN)

    def fileno(self) -> int:
        return self._socket.fileno()

    def begin_anew(self) -> None:
        """In a copy of this process: nothing was said yet, and nobody else holds anything here."""
        self._conversation = Conversation(_FROM_HOST, parse_from_host)
        self._taken = None
        self._is_clear = True
        self.sending = threading.RLock()

    def take_descriptors(self, count: int) -> list[int]:
        """Descriptors that came with the message just received. OSError if they did not all
        come."""
        descriptors, self._descriptors = self._descriptors, []
        if len(descriptors) != count:
            for descriptor in descriptors:
                os.close(descriptor)
            raise OSError("too many files are open in the sandbox")
        return descriptors

    def packed(self, message: Message) -> bytes:
        """A short message as it travels."""
        return b"".join(map(bytes, self._conversation.send(message)))

    def is_quiet(self, milliseconds: float) -> bool:
        """Whether nothing comes for so long."""
        return self._taken is None and self._is_clear and not self._wait(milliseconds)

    def send(self, message: Message, buffers: Sequence[Buffer] = ()) -> None:
        """Send a message; TooLarge, and nothing sent, if the host would not take it."""
        self._send_frame(self._conversation.send(message, buffers))

    def send_packed(self, packed: bytes) -> None:
        """Send what `packed` gave."""
        self._send_frame([packed])

    def send_header(self, header: bytes) -> None:
        """Send a message that is a header alone, and was made already. TooLarge as above."""
        self._send_frame(encode_frame(header, ()))

    def _send_frame(self, pieces: list[Buffer]) -> None:
        size = len(pieces[0]) if len(pieces) == 1 else sum(len(piece) for piece in pieces)
        if size > self.most:
            raise TooLarge(
                f"{size:,} bytes are too many to be sent: limits.frame_bytes is {self.most:,}"
            )
        if size > _MANY and count_items(bytes(pieces[0])) > _HOST.items:
            raise TooLarge(f"it holds too many things to be sent: at most some {_HOST.items:,}")
        with self.sending:
            if self.guard is None or self.guard.is_idle:  # nothing is thrown
                for piece in pieces:
                    self._socket.sendall(piece)
            else:
                with self.guard:
                    for piece in pieces:
                        self._socket.sendall(piece)

    def receive(
        self, timeout: float | None = None, *, looks: bool = True
    ) -> tuple[Any, list[Any]] | None:
        """The next message, or None when the host is gone or the time is over. A signal's exception
        comes between messages' pieces."""
        if self._taken is None and not self._is_clear:
            self._taken = self._conversation.next_message()
            self._is_clear = self._conversation.reader.is_empty
        while self._taken is None:
            milliseconds = None if timeout is None else max(0, timeout * 1000)
            if not self._wait(milliseconds, looks=looks):
                return None
            if self.guard is None or self.guard.is_idle:
                self._take_in()
            else:
                with self.guard:
                    self._take_in()
        message, self._taken = self._taken, None
        return message

    def _wait(self, milliseconds: float | None, *, looks: bool = True) -> bool:
        """Whether something comes within that time. `looks` says that an answer may come soon: then
        this polls for a moment before it blocks. Most answers come so soon that to sleep and wake
        up, on a core that sleeps too, takes longer. Polling keeps a core busy that the other end
        may need, so it stops while it fails."""
        if looks and self._credit >= 0:
            if self._credit > 0:
                for _ in range(_POLLS):
                    if self._poll.poll(0):
                        self._credit = min(self._credit + 1, _FAILURES)
                        return True
                self._credit -= 1
            else:
                self._sleeps += 1
                if self._sleeps >= _BLOCKS:
                    self._sleeps, self._credit = 0, 1
        return bool(self._poll.poll(milliseconds))

    def _take_in(self) -> None:
        """Take what has come. A message that it completes is kept, as bytes are: the guard may
        raise before anybody has it."""
        reader = self._conversation.reader
        room = None if self._is_clear else reader.room()
        if room is not None:
            count = self._socket.recv_into(room)
            reader.filled(count)
            self._taken = self._conversation.next_message()
        else:
            data, attached, _flags, _address = self._socket.recvmsg(
                _CHUNK, _ATTACHED, socket.MSG_CMSG_CLOEXEC
            )
            count = len(data)
            for _level, _kind, packed in attached:
                self._descriptors += struct.unpack(f"={len(packed) // 4}i", packed)
            self._taken = self._conversation.take(data)
        self._is_clear = reader.is_empty
        if not count:
            os._exit(0)  # the host is gone
