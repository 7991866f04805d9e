"""The runner's end of the wire: whole messages in and out of a socket, undisturbed by signals that
arrive in the middle of one; and the calls of tools over it.

Calls are numbered, so that any number may wait at once, in threads and in tasks. One of the threads
that wait reads the wire, and hands the others theirs: answers to the caller, anything else to the
main loop. An event loop with nothing else to do reads it too.
"""

from __future__ import annotations

import _thread
import asyncio
import contextlib
import itertools
import os
import select
import socket
import struct
import threading
from collections import deque
from collections.abc import Callable, Sequence
from time import sleep  # by name: code's own moves its clock
from typing import Any

from fumehood.language.deadline import DrivenDeadline
from fumehood.wire import messages
from fumehood.wire.frames import Bounds, Buffer, count_items, encode_frame
from fumehood.wire.messages import PROTOCOL, Message, Ready
from fumehood.wire.protocol import Conversation, parse_from_host
from fumehood.wire.waiting import Waiting
from fumehood.worker.tools import revive_failure

_CHUNK = 1 << 16
_ATTACHED = socket.CMSG_SPACE(3 * 4)
# The host is trusted, and bounded by its own memory.
_FROM_HOST = Bounds(header=1 << 31, buffers=1 << 20, frame=1 << 40)


_HOST = Bounds()
_MANY = 1 << 16  # smaller messages cannot hold too much


class TooLarge(ValueError):
    """A message beyond what the host takes."""


class Line:
    """Messages may be sent from any thread; whoever receives must be the only one to."""

    _socket: socket.socket

    def __init__(self) -> None:
        self._conversation = Conversation(_FROM_HOST, parse_from_host)
        self._waiting = Waiting()
        self._taken: tuple[Any, list[Any]] | None = None
        self._descriptors: list[int] = []
        self.sending = threading.RLock()
        """Held while a message is sent, and by callers that must know what was sent before."""
        self.most = 1 << 62
        self.guard: DrivenDeadline | None = None
        """The deadline, whose exception must not come between a byte read and the byte kept."""
        self._is_clear = True
        """Whether no part of a message was read that was not given out."""

    def attach(self, descriptor: int) -> None:
        """The socket that carries it."""
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, descriptor)
        self._waiting.poll.register(descriptor, select.POLLIN)

    def fileno(self) -> int:
        return self._socket.fileno()

    def begin_anew(self) -> None:
        """In a copy of this process: nothing was said yet, and nobody else holds anything here."""
        self._conversation = Conversation(_FROM_HOST, parse_from_host)
        self._taken = None
        self._is_clear = True
        self.sending = threading.RLock()

    def greet(self, mark: int) -> None:
        """Say that a copy of this process is ready."""
        self.send(Ready(protocol=PROTOCOL, mark=mark))

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
        return self._taken is None and self._is_clear and not self._waiting.wait(milliseconds)

    def send(
        self, message: Message, buffers: Sequence[Buffer] = (), *, before: bytes = b""
    ) -> None:
        """Send a message; TooLarge, and nothing sent, if the host would not take it. `before` is
        what `packed` gave, and goes first."""
        first, *rest = self._conversation.send(message, buffers)
        self._send_frame([before + bytes(first) if before else first, *rest])

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
            if not self._waiting.wait(
                None if timeout is None else max(0, timeout * 1000), looks=looks
            ):
                return None
            if self.guard is None or self.guard.is_idle:
                self._take_in()
            else:
                with self.guard:
                    self._take_in()
        message, self._taken = self._taken, None
        return message

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


# -- calls of tools

Received = tuple[Any, list[Any]]

_MOMENTS = 20
_LOOK = (
    0.05  # the reader wakes the others; this is for a reader that died of an exception thrown at it
)


class _Waiting:
    """One call that waits for its answer."""

    __slots__ = ("answer", "future", "is_done", "loop")

    def __init__(self, loop: Any = None, future: Any = None) -> None:
        self.is_done = False
        self.answer: Received | None = None
        self.loop = loop
        self.future = future

    def finish(self, answer: Received | None) -> None:
        """Done, with an answer, or with none because the cell has ended."""
        self.answer = answer
        self.is_done = True
        if self.future is not None:
            self.loop.call_soon_threadsafe(_wake, self.future)


class Calls:
    def __init__(
        self,
        line: Line,
        encode: Callable[[tuple[Any, ...], dict[str, Any]], Any],
        decode: Callable[[Any, Any], Any],
        flush: Callable[[], None],
    ) -> None:
        self._line = line
        self._encode = encode
        self._decode = decode
        self._flush = flush
        self._numbers = itertools.count(1)
        self.waiting: dict[int, _Waiting] = {}
        self._inbox: deque[Received | None] = deque()
        self.reading = threading.Lock()
        self._reader: int | None = None
        self._changed = threading.Condition(threading.Lock())
        self.is_open = False
        """Whether a cell runs, which the runner sets."""
        self.pid = 0
        """The process that runs the cell. Code may fork others, whose calls get no answers."""
        self.cells = 0

    # -- the main loop

    def next_request(self) -> Received | None:
        """The next message that is not the answer to a call; None when the host is gone."""
        inbox = self._inbox
        while not inbox:
            if not self.reading.acquire(blocking=False):
                self._read_until(lambda: bool(inbox))
            elif inbox:  # from the thread that was reading until now
                self.reading.release()
            else:
                self._read_and_release(None)
        return inbox.popleft()

    @property
    def is_idle(self) -> bool:
        """Whether no message waits to be handled."""
        return not self._inbox

    def begin_anew(self) -> None:
        """In a copy of this process: those who waited are not here."""
        self.waiting.clear()
        self._inbox.clear()
        self.reading = threading.Lock()
        self._changed = threading.Condition(threading.Lock())
        self.is_open = False

    def end_cell(self) -> None:
        """The host no longer answers calls that still wait."""
        if self.reading.locked():
            self._stop_reading()
        if self.waiting:
            waiting = [*self.waiting.values()]
            self.waiting.clear()
            for one in waiting:
                one.finish(None)
            self._tell_others()

    def _stop_reading(self) -> None:
        """What stops a cell is an exception that may come at any moment: when its thread has just
        begun to read, too. Then nobody reads, and nobody else could. If it is another thread that
        has just begun, it will soon say so."""
        for _ in range(_MOMENTS):
            if not self.reading.locked() or self._reader not in (None, threading.get_ident()):
                return
            if not _thread._count():
                break
            sleep(0.001)
        self._reader = None
        self.reading.release()

    # -- what stubs call

    def call(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call a tool and wait for what it gives."""
        waiting = self._send(name, args, kwargs, _Waiting(), parallel=threading.active_count() > 1)
        self._read_until(lambda: waiting.is_done)
        if self.waiting:
            self._wake_loops()
        return self._result(waiting)

    def _wake_loops(self) -> None:
        """Let event loops read what was received together with another answer: the socket no
        longer shows it."""
        for loop in {one.loop for one in [*self.waiting.values()]} - {None}:
            with contextlib.suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(self._read_in_loop)

    async def acall(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call a tool and let other tasks go on meanwhile."""
        loop = asyncio.get_running_loop()
        future = loop.create_future()
        waiting = self._send(name, args, kwargs, _Waiting(loop, future), parallel=True)
        try:
            loop.add_reader(self._line.fileno(), self._read_in_loop)
            loop.call_soon(self._read_in_loop)  # the answer may have been read with another
        except NotImplementedError:
            pass  # a loop that calls wait_in_loop instead
        await future
        if not self.waiting:
            with contextlib.suppress(NotImplementedError):
                loop.remove_reader(self._line.fileno())
        return self._result(waiting)

    def _read_in_loop(self) -> None:
        """Called by an event loop when something has come."""
        while self.waiting and self.reading.acquire(blocking=False):
            if not self._read_and_release(0):
                return

    def wait_in_loop(self, seconds: float) -> bool:
        """Used by an event loop that has nothing to do: read, if a call waits. False if there is
        none to wait for."""
        if not self.waiting or not self.reading.acquire(blocking=False):
            return False
        self._read_and_release(seconds)
        return True

    def _send(
        self,
        name: str,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        waiting: _Waiting,
        *,
        parallel: bool,
    ) -> _Waiting:
        if os.getpid() != self.pid:
            raise RuntimeError("a forked process cannot call tools; only the cell's own can")
        self._flush()
        node, buffers = self._encode(args, kwargs)
        number = next(self._numbers)
        call = messages.CallTool(call=number, name=name, arguments=node, parallel=parallel)
        with self._line.sending:  # the end of the cell is sent before or after, not between
            if not self.is_open:
                raise RuntimeError("tools can be called only while a cell runs")
            self.waiting[number] = waiting
            self._line.send(call, buffers)
        return waiting

    def _result(self, waiting: _Waiting) -> Any:
        if waiting.answer is None:
            raise RuntimeError("the cell that called the tool has ended")
        message, buffers = waiting.answer
        if message.type == "tool_returned":
            return self._decode(message.value, buffers)
        raise revive_failure(
            message.error, self._decode(message.arguments, buffers), message.message
        )

    # -- reading

    def _read_until(self, is_enough: Callable[[], bool]) -> None:
        while not is_enough():
            if self.reading.acquire(blocking=False):
                if is_enough():
                    self.reading.release()
                    return
                self._read_and_release(None)
            else:
                with self._changed:
                    if not is_enough():
                        self._changed.wait(_LOOK)

    def _read_and_release(self, seconds: float | None) -> bool:
        """Read a message, if one comes in time, and give it to the one that waits for it."""
        try:
            self._reader = threading.get_ident()
            # Many sandboxes run one cell: after it the next message may take long.
            received = self._line.receive(seconds, looks=self.is_open or self.cells > 1)
            if received is None:
                return False
            if received[0].type in ("tool_returned", "tool_raised"):
                waiting = self.waiting.pop(received[0].call, None)
                if waiting is not None:
                    waiting.finish(received)
            else:
                self._inbox.append(received)
            return True
        finally:
            self._reader = None
            self.reading.release()
            # as active_count, without a step through Python, and with threads that threading does
            # not know
            if _thread._count():
                self._tell_others()

    def _tell_others(self) -> None:
        with self._changed:
            self._changed.notify_all()


def _wake(future: Any) -> None:
    if not future.done():
        future.set_result(None)
