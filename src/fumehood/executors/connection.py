"""The host's connection to one runner: its messages, its output and the end of its process, read
together by one thread.

Nothing here waits without end for a sandbox: it may stop reading, stop writing, send half a
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
from fumehood.executors.supervisor import LocalProcesses, Processes
from fumehood.wire.frames import Bounds, Buffer
from fumehood.wire.messages import Message
from fumehood.wire.protocol import HostConversation, parse_from_worker

_CHUNK = 1 << 16
_AT_ONCE = int(socket.MSG_DONTWAIT | socket.MSG_NOSIGNAL)
_MOST_OUTPUT = 8 << 20  # more than a pipe and a tunnel hold
_OUTPUT_SECONDS = 10.0
_WAIT_MILLISECONDS = 1000
_SEND_SECONDS = 10.0
_SEND_BYTES_PER_SECOND = 1 << 20
"""A sandbox must begin to read within _SEND_SECONDS, and read at least this fast; in a remote
place, a sixteenth of that."""
_UNREAD = 1 << 20
"""How much of what a sandbox sends is read while something is being sent to it."""


_POLLS = 2500
_SPINS = 3
"""Spins in vain in a row before it sleeps."""
_SLEEPS = 50
"""How often it sleeps then before it spins again."""


def new_conversation(frame_bytes: int, *, ready: bool = False) -> HostConversation:
    """`ready`: it is with a copy of a runner that was ready already."""
    bounds = Bounds(header=min(frame_bytes, 64 << 20), frame=frame_bytes)
    return HostConversation(bounds, parse_from_worker, ready=ready)


class RunnerGone(Exception):
    """The process at the other end is dead, or has closed the connection."""


class Connection:
    """Any thread may send messages. One thread at a time, the reader, waits in `next_message`;
    `wake` makes it return early."""

    busy = 0
    """How many cells run in this process. With more than one, no reader spins."""
    _too_much = False

    def __init__(
        self,
        wire: socket.socket,
        output: int,
        handle: int,
        frame_bytes: int,
        conversation: HostConversation | None = None,
        processes: Processes | None = None,
    ) -> None:
        """`handle` is on the runner's process. `conversation` is one that has begun already.
        `processes` are those of the place where the runner is; without, this machine's."""
        self._processes = processes or LocalProcesses()
        self.is_remote = self._processes.is_remote
        self._wire = wire
        self._output: int | None = output
        self.handle = handle
        self.on_output: Callable[[bytes], bool] = lambda data: False
        """Receives what is printed. Once it returns True, that is too much, and `next_message`
        returns for the reader to act."""
        self._conversation = conversation or new_conversation(frame_bytes)
        self._sending = threading.Lock()
        self._in_send = self._in_receive = False
        self._taken: tuple[Any, list[Any]] | None = None
        self._has_more = not self._conversation.reader.is_empty
        """Whether bytes of another message have arrived."""
        self._wake = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        self._close = weakref.finalize(self, os.close, self._wake)
        os.set_blocking(output, False)
        self._poll = select.poll()
        for descriptor in (wire.fileno(), output, handle, self._wake):
            self._poll.register(descriptor, select.POLLIN)
        # The first answer takes a new process longer than a spin: it touches its memory first.
        self._spins = 0 if len(os.sched_getaffinity(0)) > 1 else -1
        self._sleeps = _SLEEPS - 1
        self._has_output = select.poll()
        self._has_output.register(output, select.POLLIN)

    @property
    def is_whole(self) -> bool:
        """Whether no message is half sent or half received, as after an exception at that
        moment."""
        return not (self._in_send or self._in_receive or self._conversation.reader.is_stuck)

    @property
    def is_running(self) -> bool:
        """Whether a cell was begun whose end was not received."""
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
        """Send a message. `reads`: the caller is the reader, and also reads what arrives, because
        the sandbox may wait for that before it reads. WorkerProtocolError if it does not read."""
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
                    # Not by socket.send_fds, which ignores its flags.
                    count = self._wire.sendmsg(
                        [piece],
                        [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", handles))],
                        _AT_ONCE,
                    )
                    break
                except BlockingIOError:
                    self._wait_to_send(until, reads=False)
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
                    least = _SEND_BYTES_PER_SECOND >> (4 if self.is_remote else 0)
                    until = time.monotonic() + _SEND_SECONDS + len(piece) / least
                self._wait_to_send(until, reads)
            except OSError:
                raise RunnerGone from None

    def _wait_to_send(self, until: float, reads: bool) -> None:
        poll = select.poll()
        takes = reads and self._conversation.reader.unread < _UNREAD
        poll.register(self._wire, select.POLLOUT | (select.POLLIN if takes else 0))
        poll.register(self.handle, select.POLLIN)
        left = until - time.monotonic()
        ready = dict(poll.poll(left * 1000)) if left > 0 else {}
        if not ready:
            raise WorkerProtocolError("the sandbox does not read what it is sent")
        if self.handle in ready:
            raise RunnerGone
        if ready.get(self._wire.fileno(), 0) & select.POLLIN:
            self._read_wire()

    # -- receiving

    def next_message(
        self, timeout: float | None, *, spins: bool = False
    ) -> tuple[Any, list[Any]] | None:
        """The next message; None when the time is used up, too much was printed, or `wake` was
        called. Output is passed on as it arrives; before the end of a cell is returned, all of its
        output is. However much arrives, this takes no longer than `timeout`."""
        if self._taken is None and self._has_more:
            self._taken = self._conversation.next_message()
            self._has_more = not self._conversation.reader.is_empty
        if self._taken is not None:
            return self._take()
        until = None if timeout is None else time.monotonic() + timeout
        wire = self._wire.fileno()
        left: float | None = None if timeout is None else max(timeout, 0) * 1000
        while True:
            ready = self._spin() if spins and Connection.busy == 1 and not self.is_remote else None
            if not ready:
                ready = self._poll.poll(left)
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
                    return self._take()
            elif self.handle in found:
                raise RunnerGone
            if self._wake in found:
                with contextlib.suppress(BlockingIOError):
                    os.eventfd_read(self._wake)
                return None
            if until is not None:  # each time: a sandbox may send without pause, and no message
                left = (until - time.monotonic()) * 1000
                if left <= 0:
                    return None

    def _spin(self) -> list[tuple[int, int]]:
        """Poll again and again for less than a millisecond: most answers arrive sooner than the
        kernel wakes a sleeping thread. After a few spins in vain, sleep at once for a while."""
        if self._spins > 0:
            poll = self._poll.poll
            for _ in range(_POLLS):
                ready = poll(0)
                if ready:
                    self._spins = _SPINS
                    return ready
            self._spins -= 1
            self._sleeps = 0
        elif self._spins == 0:
            self._sleeps += 1
            if self._sleeps >= _SLEEPS:
                self._spins = 1
        return []

    def _take(self) -> tuple[Any, list[Any]]:
        received, self._taken = self._taken, None
        assert received is not None
        if received[0].type == "finished":
            self.drain_output()
        return received

    def drain_output(self) -> None:
        """Pass on what was written before the message that was just read: it is in the pipe
        already, or on its way there, and so it is bounded."""
        if self._has_output.poll(0) or self.is_remote:
            self._empty_pipe(lambda: self._read_output())

    def drop_output(self) -> None:
        """Discard what is in the pipe: it was written by processes that are dead."""

        def drop() -> bool:
            return self._output is not None and bool(os.read(self._output, _CHUNK))

        self._empty_pipe(drop)

    def _empty_pipe(self, read: Callable[[], bool]) -> None:
        until = time.monotonic() + _OUTPUT_SECONDS
        for _ in range(_MOST_OUTPUT // _CHUNK + 1):
            if self._output is None or time.monotonic() > until:
                break
            is_more = self._processes.is_on_its_way(self._output)
            if (
                not self._has_output.poll(_WAIT_MILLISECONDS if is_more else 0)
                or not read()
                and not is_more
            ):
                break

    def _read_wire(self) -> None:
        """Read what has arrived. A message that this completes is kept for the reader, which may be
        interrupted before it has it."""
        reader = self._conversation.reader
        room = reader.room() if self._has_more else None
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
        self._has_more = not reader.is_empty
        self._in_receive = False

    def _read_output(self) -> bool:
        """Read a piece of output; False if there is none now."""
        if self._output is None:
            return False
        try:
            data = os.read(self._output, _CHUNK)
        except BlockingIOError:
            return False
        if data:
            self._too_much = self.on_output(data)
            return len(data) == _CHUNK
        self._poll.unregister(self._output)  # no process is left that could write
        self._output = None
        return False
