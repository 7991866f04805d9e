"""The host's end of one runner: its wire, its output and its life, read together by whoever waits
for it.

Nothing here waits without end for a sandbox: it may stop reading, stop writing, write half a
message, or print without pause.
"""

from __future__ import annotations

import array
import contextlib
import os
import select
import socket
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from fumehood.errors import WorkerProtocolError
from fumehood.executors.guardians import Pidfds, Processes
from fumehood.wire.frames import Bounds, Buffer
from fumehood.wire.messages import Message
from fumehood.wire.protocol import HostConversation, parse_from_worker
from fumehood.wire.waiting import Waiting

_CHUNK = 1 << 16
_AT_ONCE = int(socket.MSG_DONTWAIT | socket.MSG_NOSIGNAL)
_MOST_OUTPUT = 8 << 20  # more than a pipe and a tunnel hold
_OUTPUT_SECONDS = 10.0
_MOMENT = 1000
_SEND_SECONDS = 10.0
_SEND_BYTES_PER_SECOND = 1 << 20
"""A sandbox must begin to read within _SEND_SECONDS, and read at least this fast; over a network, a
sixteenth of that."""
_UNREAD = 1 << 20
"""How much of what a sandbox sends is taken in while something is being sent to it."""


def new_conversation(frame_bytes: int, *, ready: bool = False) -> HostConversation:
    """`ready` says that it is with a copy of a runner, which was ready already."""
    return HostConversation(
        Bounds(header=min(frame_bytes, 64 << 20), frame=frame_bytes), parse_from_worker, ready=ready
    )


class RunnerGone(Exception):
    """The process at the other end is dead, or has closed the wire."""


class Connection:
    """Messages may be sent from any thread; one thread at a time, the reader, waits in
    `next_message`. `wake` makes it return early.

    `on_output` is handed what is printed; once it says that this is too much, `next_message`
    returns for the reader to act.
    """

    busy = 0
    """How many cells run in this process; whoever begins one counts it. With more than one, nobody
    keeps a core busy by waiting."""

    def __init__(
        self,
        wire: socket.socket,
        output: int,
        runner: int,
        frame_bytes: int,
        on_output: Callable[[bytes], bool],
        conversation: HostConversation | None = None,
        processes: Processes | None = None,
    ) -> None:
        """`conversation` is one that has begun already. `processes` are those of the place where
        the runner is; without, this machine's."""
        self._processes = processes or Pidfds()
        self._wire = wire
        self._output: int | None = output
        self._runner = runner
        self._on_output = on_output
        self._conversation = conversation or new_conversation(frame_bytes)
        self._sending = threading.Lock()
        self._in_send = self._in_receive = False
        self._taken: tuple[Any, list[Any]] | None = None
        self._wake = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        self._close = weakref.finalize(self, os.close, self._wake)
        os.set_blocking(output, False)
        self._waiting = Waiting()
        for descriptor in (wire.fileno(), output, runner, self._wake):
            self._waiting.poll.register(descriptor, select.POLLIN)
        self._has_output = select.poll()
        self._has_output.register(output, select.POLLIN)

    @property
    def is_far(self) -> bool:
        return self._processes.is_far

    @property
    def is_whole(self) -> bool:
        """Whether no message is half sent or half taken in: an exception that comes just then
        leaves the rest of it behind."""
        return not (self._in_send or self._in_receive or self._conversation.reader.is_stuck)

    @property
    def is_running(self) -> bool:
        """Whether a cell was begun whose end has not come."""
        return self._conversation.running is not None

    def forget(self, *numbers: int) -> None:
        """Expect no answers to these any more."""
        self._conversation.forget(*numbers)

    def close(self) -> None:
        self._close()

    def wake(self) -> None:
        os.eventfd_write(self._wake, 1)

    # -- sending

    def send(
        self, message: Message, buffers: Sequence[Buffer] = (), *, reads: bool = False
    ) -> None:
        """Send a message. `reads` says that the caller is the reader: then it also takes in what
        comes, as the sandbox may be waiting for that before it reads. WorkerProtocolError if it
        does not read at all."""
        with self._sending:
            pieces = self._conversation.send(message, buffers)
            self._in_send = True
            for piece in pieces:
                self._push(piece, reads)
            self._in_send = False

    def send_with(self, message: Message, handles: Sequence[int]) -> None:
        """Send a message without buffers, with descriptors of this process."""
        with self._sending:
            (piece,) = self._conversation.send(message)
            until = time.monotonic() + _SEND_SECONDS
            while True:
                try:
                    # Not by socket.send_fds, which takes flags and forgets them.
                    count = self._wire.sendmsg(
                        [piece],
                        [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", handles))],
                        _AT_ONCE,
                    )
                    break
                except BlockingIOError:
                    self._wait_for_room(until, reads=False)
                except OSError:
                    raise RunnerGone from None
            self._push(memoryview(piece)[count:], reads=False)

    def _push(self, piece: Buffer, reads: bool) -> None:
        until = 0.0
        while piece:
            try:
                count = self._wire.send(piece, _AT_ONCE)
                if count == len(piece):
                    return
                piece = memoryview(piece)[count:]
            except BlockingIOError:
                if not until:
                    least = _SEND_BYTES_PER_SECOND >> (4 if self.is_far else 0)
                    until = time.monotonic() + _SEND_SECONDS + len(piece) / least
                self._wait_for_room(until, reads)
            except OSError:
                raise RunnerGone from None

    def _wait_for_room(self, until: float, reads: bool) -> None:
        poll = select.poll()
        takes = reads and self._conversation.reader.unread < _UNREAD
        poll.register(self._wire, select.POLLOUT | (select.POLLIN if takes else 0))
        poll.register(self._runner, select.POLLIN)
        left = until - time.monotonic()
        ready = dict(poll.poll(left * 1000)) if left > 0 else {}
        if not ready:
            raise WorkerProtocolError("the sandbox does not read what it is sent")
        if self._runner in ready:
            raise RunnerGone
        if ready.get(self._wire.fileno(), 0) & select.POLLIN:
            self._read_wire()

    # -- receiving

    def next_message(
        self, timeout: float | None, *, looks: bool = False
    ) -> tuple[Any, list[Any]] | None:
        """The next message; None when the time is over, too much was printed, or somebody called
        `wake`.

        Output that comes meanwhile is handed on. However much comes, this does not take longer than
        `timeout`.
        """
        if self._taken is None and not self._conversation.reader.is_empty:
            self._taken = self._conversation.next_message()
        if self._taken is not None:
            message, self._taken = self._taken, None
            return message
        until = None if timeout is None else time.monotonic() + timeout
        wire = self._wire.fileno()
        left: float | None = None if timeout is None else max(timeout, 0) * 1000
        while True:
            ready = self._waiting.wait(
                left, looks=looks and Connection.busy == 1 and not self._processes.is_far
            )
            if not ready:
                return None
            found = [descriptor for descriptor, _event in ready]
            if self._output in found:
                self._read_output()
                if self._too_much:
                    return None
            if wire in found:
                self._read_wire()
                if self._taken is not None:
                    message, self._taken = self._taken, None
                    return message
            elif self._runner in found:
                raise RunnerGone
            if self._wake in found:
                with contextlib.suppress(BlockingIOError):
                    os.eventfd_read(self._wake)
                return None
            if until is not None:  # each time: a sandbox may send without pause, and no message
                left = (until - time.monotonic()) * 1000
                if left <= 0:
                    return None

    def drain_output(self) -> None:
        """Hand on what was written before the message that was just read: it is all in the pipe
        already, or on its way there, and so it is bounded."""
        until = time.monotonic() + _OUTPUT_SECONDS
        for _ in range(_MOST_OUTPUT // _CHUNK + 1):
            if time.monotonic() > until:
                break
            is_more = self._output is not None and self._processes.is_on_its_way(self._output)
            if (
                not self._has_output.poll(_MOMENT if is_more else 0)
                or not self._read_output()
                and not is_more
            ):
                break

    def drop_output(self) -> None:
        """Forget what is in the pipe: it was written by processes that are dead."""
        until = time.monotonic() + _OUTPUT_SECONDS
        for _ in range(_MOST_OUTPUT // _CHUNK + 1):
            if time.monotonic() > until:
                break
            is_more = self._output is not None and self._processes.is_on_its_way(self._output)
            if (
                self._output is None
                or not self._has_output.poll(_MOMENT if is_more else 0)
                or not os.read(self._output, _CHUNK)
            ):
                break

    def _read_wire(self) -> None:
        """Take in what has come. A message that it completes is kept for the reader, who may be
        interrupted before it has it."""
        reader = self._conversation.reader
        room = reader.room()
        self._in_receive = True
        try:
            data = self._wire.recv(_CHUNK, socket.MSG_DONTWAIT) if room is None else b""
            count = (
                len(data) if room is None else self._wire.recv_into(room, 0, socket.MSG_DONTWAIT)
            )
        except BlockingIOError:
            self._in_receive = False
            return
        except OSError:
            raise RunnerGone from None
        if not count:
            raise RunnerGone
        if room is not None:
            reader.filled(count)
            if self._taken is None:
                self._taken = self._conversation.next_message()
        elif self._taken is None:
            self._taken = self._conversation.take(data)
        else:
            reader.feed(data)
        self._in_receive = False

    _too_much = False

    def _read_output(self) -> bool:
        """Read a piece of output; False if there is none now."""
        if self._output is None:
            return False
        try:
            data = os.read(self._output, _CHUNK)
        except BlockingIOError:
            return False
        if data:
            self._too_much = self._on_output(data)
            return len(data) == _CHUNK
        self._waiting.poll.unregister(self._output)  # nobody is left who could write
        self._output = None
        return False
