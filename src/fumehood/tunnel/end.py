"""One end of a tunnel: pumps between descriptors here and a stream of bytes to the other end.

A descriptor that is given to one end has a counterpart of the same sort at the other end. The
tunnel carries bytes and the end of the stream between the two, and does not interpret them. The
counterpart of a process is a pipe that ends with it. Descriptors that are sent over a socket
(SCM_RIGHTS) pass too: from the host over every socket, to the host only over packet sockets, which
the supervisor has. The kernel closes descriptors that code in a sandbox sends over its wire.

A container may be taken over by its code. So each end bounds what it holds, and the tunnel ends if
the other end exceeds a bound.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from fumehood.errors import PolicyError
from fumehood.tunnel import pidfds
from fumehood.tunnel.channels import CHUNK, GRANT, WINDOW, Channel, close_all, sort_of, stand_in
from fumehood.tunnel.frames import MOST_BYTES, BrokenTunnel, Frame, FrameReader, Kind, Sort

_MOST_AT_ONCE = 1 << 18
_MOST_GOING = 8 << 20
"""Bytes that wait for the stream; beyond it nothing more is read from descriptors here."""
_MOST_CHANNELS = 4096


class TunnelEnd:
    """`is_remote_end` is true at one end only, so that the ends number channels independently.
    `on_frame` receives questions and answers. `decode` decodes what is read from the stream.
    `encode` encodes what is written to it; then everything sent at once is written together. At
    most `most_channels` are open at the same time. `run` serves until the stream ends, and calls
    `on_pause` about every `pause` seconds. Call everything else in that thread, or through `call`
    from any other."""

    def __init__(
        self,
        reads: int,
        writes: int,
        *,
        is_remote_end: bool,
        on_frame: Callable[[Frame], None],
        decode: Callable[[bytes], bytes] = bytes,
        encode: Callable[[bytes], bytes] | None = None,
        most_channels: int = _MOST_CHANNELS,
        pause: float | None = None,
        on_pause: Callable[[], None] = lambda: None,
    ) -> None:
        self._reads = reads
        with contextlib.ExitStack() as opened:  # closes them all if one cannot be opened
            self._writes = os.dup(writes)  # another number: each is watched for one thing
            opened.callback(os.close, self._writes)
            self._woken, self._wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
            opened.callback(os.close, self._woken)
            opened.callback(os.close, self._wake)
            self._poll = select.epoll()
            opened.pop_all()
        os.set_blocking(reads, False)
        os.set_blocking(self._writes, False)
        self._on_frame = on_frame
        self._decode = decode
        self._encode = encode
        self._gathered: list[bytes] = []
        """What is sent in this go, where that is written together."""
        self._most_channels = most_channels
        self._pause, self._on_pause = pause, on_pause
        self._reader = FrameReader()
        self._channels: dict[int, Channel] = {}
        self._by_fd: dict[int, Channel] = {}
        self._dropped: set[int] = set()
        """Descriptors that were closed since events were last asked for: an event may still be
        about the one that had the number."""
        self._given: dict[tuple[int, int], Channel] = {}
        """Device and inode of descriptors that were given away for those of the other end, and the
        channels they stand for."""
        self._statuses: dict[tuple[int, int], int] = {}
        """The same, of processes that are dead, and how they ended."""
        self._pipes: dict[tuple[int, int], Channel] = {}
        self._is_remote_end = is_remote_end
        self._next = 1 if is_remote_end else 2
        self._going: deque[memoryview] = deque()
        self._going_bytes = 0
        self._tasks: deque[Callable[[], None]] = deque()
        self._poll.register(reads, select.EPOLLIN)
        self._poll.register(self._woken, select.EPOLLIN)
        self._poll.register(self._writes, 0)
        self._closing = (
            threading.RLock()
        )  # garbage that is collected while it is held may be somebody who calls
        self._is_closed = False
        self.heard = time.monotonic()
        """When something last came by the stream."""
        self.is_open = True
        self.failure: BrokenTunnel | OSError | None = None
        """What ended `run`: the other end broke the protocol, or this process lacks something."""

    # -- from any thread

    def call(self, task: Callable[[], None]) -> None:
        """Have something done in the thread that serves, if it still does."""
        self._tasks.append(task)
        with self._closing:
            if not self._is_closed:
                with contextlib.suppress(BlockingIOError):  # full, and so it will wake
                    os.write(self._wake, b"\0")
                return
        with contextlib.suppress(IndexError):
            self._tasks.popleft()()

    def channel_of(self, fd: int) -> Channel | None:
        """Which channel a descriptor stands for that was given away here."""
        return self._given.get(_identity(fd))

    def exit_status(self, fd: int) -> int | None:
        """How the process ended that a descriptor stood for, if it has."""
        return self._statuses.get(_identity(fd))

    def is_on_its_way(self, fd: int) -> bool:
        """Whether there is more for a pipe, of which somebody here has the end that is read, than
        it can hold now."""
        pipe = self._pipes.get(_identity(fd))
        return pipe is not None and pipe.has_waiting

    # -- serving

    def run(self) -> None:
        try:
            due = time.monotonic() + (self._pause or 0)
            while self.is_open:
                ready = self._poll.poll(self._pause)
                if self._pause is not None and time.monotonic() >= due:
                    self._on_pause()
                    due = time.monotonic() + self._pause
                self._dropped.clear()
                for fd, event in ready:
                    if fd not in self._dropped:
                        self._serve(fd, event)
                if self._gathered:
                    self._send_gathered()
        except (BrokenTunnel, OSError) as error:
            self.failure = error
        finally:
            self._close()

    def _serve(self, fd: int, event: int) -> None:
        if fd == self._reads:
            self._read_stream()
        elif (channel := self._by_fd.get(fd)) is not None:
            self._serve_channel(channel, event)
        elif fd == self._woken:
            with contextlib.suppress(BlockingIOError):
                os.read(self._woken, 4096)
            while self._tasks:
                self._tasks.popleft()()
        elif fd == self._writes:
            self._write_stream()

    def _close(self) -> None:
        self.is_open = False
        while self._channels:  # what waited behind one may make another
            self._drop(next(iter(self._channels.values())))
        with self._closing:
            self._is_closed = True
            self._poll.close()
            for fd in (self._writes, self._woken, self._wake):
                os.close(fd)
        while self._tasks:  # somebody may wait for one
            with contextlib.suppress(IndexError):
                self._tasks.popleft()()

    def abandon(self) -> None:
        """Close its descriptors without a word to the other end: after a fork, as the parent's
        thread serves it, or if no thread could be started."""
        was_closed, self._is_closed, self.is_open = self._is_closed, True, False
        if was_closed:  # the numbers are others' now
            return
        self._poll.close()
        held = [channel.fd for channel in self._channels.values() if channel.fd >= 0]
        for fd in (*held, self._writes, self._woken, self._wake):
            with contextlib.suppress(OSError):
                os.close(fd)
        self._channels.clear()

    # -- the stream

    def send(self, frame: Frame) -> None:
        if not self.is_open:
            return
        if self._encode is None:
            self._write(frame.packed())
        else:
            self._gathered.append(frame.packed())

    def _send_gathered(self) -> None:
        assert self._encode is not None
        gathered, self._gathered = self._gathered, []
        self._write(self._encode(gathered[0] if len(gathered) == 1 else b"".join(gathered)))

    def _write(self, packed: bytes) -> None:
        if not self._going:  # mostly it goes at once
            try:
                count = os.write(self._writes, packed)
            except BlockingIOError:
                count = 0
            except OSError:
                self.is_open = False
                return
            if count == len(packed):
                return
            packed = packed[count:]
            self._poll.modify(self._writes, select.EPOLLOUT)
        self._going.append(memoryview(packed))
        was_full = self._going_bytes > _MOST_GOING
        self._going_bytes += len(packed)
        self._look_if_full(was_full)

    def _read_stream(self) -> None:
        try:
            data = os.read(self._reads, _MOST_AT_ONCE)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self.is_open = False
        self.heard = time.monotonic()
        for frame in self._reader.feed(self._decode(data)):
            self._take(frame)

    def _write_stream(self) -> None:
        was_full = self._going_bytes > _MOST_GOING
        while self._going:
            try:
                count = os.write(self._writes, self._going[0])
            except BlockingIOError:
                return
            except OSError:
                self.is_open = False
                return
            self._going_bytes -= count
            if count == len(self._going[0]):
                self._going.popleft()
            else:
                self._going[0] = self._going[0][count:]
            self._look_if_full(was_full)
        self._poll.modify(self._writes, 0)

    def _look_if_full(self, was_full: bool) -> None:
        if was_full != (self._going_bytes > _MOST_GOING):
            for channel in self._channels.values():
                self._watch(channel)

    def _take(self, frame: Frame) -> None:
        channel = self._channels.get(frame.channel)
        match frame.kind:
            case Kind.DATA:
                self._take_data(channel, frame)
            case Kind.CREDIT if channel is not None:
                channel.credit = min(
                    channel.credit + int.from_bytes(frame.data[:8], "little"), WINDOW
                )
                if channel.is_pipe:
                    self._go_on_behind(channel)
                self._watch(channel)
            case Kind.CLOSE if channel is not None:
                if channel.sort is Sort.PROCESS and channel.given is not None:
                    self._statuses[channel.given] = int.from_bytes(
                        frame.data[:4], "little", signed=True
                    )
                    if (
                        len(self._statuses) > _MOST_CHANNELS
                    ):  # whoever had the oldest has asked by now, or never will
                        self._statuses.pop(next(iter(self._statuses)))
                channel.is_ending = True
                self._deliver(channel)
            case Kind.SIGNAL if (
                channel is not None and channel.sort is Sort.PROCESS and not channel.is_stand_in
            ):
                pidfds.send_signal(channel.fd, int.from_bytes(frame.data[:4], "little"))
            case Kind.ASK | Kind.ANSWER:
                self._on_frame(frame)

    def _take_data(self, channel: Channel | None, frame: Frame) -> None:
        received: list[tuple[Channel | None, int]] = []
        may_bring = self._is_remote_end or channel is None or channel.sort is Sort.PACKETS
        if frame.descriptors and not may_bring:
            raise BrokenTunnel("descriptors by a channel that brings none")
        try:
            for sort, number in frame.descriptors:
                received.append(self._received(sort, number))
        except (BrokenTunnel, OSError):
            close_all([fd for _made, fd in received])  # they are nobody's yet
            raise
        _pair([made for made, _fd in received if made is not None], channel)
        descriptors = [fd for _made, fd in received]
        if channel is None:  # it was over here before the other end knew
            close_all(descriptors)
            return
        channel.put(frame.data, descriptors)
        if channel.unpaid > WINDOW + MOST_BYTES:
            raise BrokenTunnel("the other end sent more than it may")
        self._deliver(channel)

    # -- channels

    def adopt(self, fd: int) -> tuple[Channel, tuple[Sort, int]]:
        """A descriptor of this end, which is the tunnel's from now on: its channel, and how the
        other end is told of it. ValueError if it is not taken, and is the caller's to close."""
        if len(self._channels) >= self._most_channels:
            raise ValueError("too many descriptors")
        channel = Channel(self._next, sort_of(fd), fd, is_stand_in=False)
        self._next += 2
        self._add(channel)
        return channel, (channel.sort, channel.number)

    def stand_in(self, sort: Sort, number: int) -> tuple[Channel, int]:
        """A channel for a descriptor of the other end, and a descriptor for somebody here in its
        place."""
        if (
            number in self._channels
            or number % 2 == self._next % 2
            or len(self._channels) >= self._most_channels
        ):
            raise BrokenTunnel(f"the other end has channel {number} twice, or too many")
        channel, given = stand_in(sort, number)
        channel.given = _identity(given)
        self._statuses.pop(channel.given, None)  # the inode is another's now
        self._given[channel.given] = channel
        self._add(channel)
        return channel, given

    def channel(self, number: int) -> Channel | None:
        return self._channels.get(number)

    def _read(self, channel: Channel) -> tuple[bytes, list[int]] | None:
        return channel.read(brings=channel.sort is Sort.PACKETS or not self._is_remote_end)

    def _received(self, sort: Sort, number: int) -> tuple[Channel | None, int]:
        if sort is Sort.NOTHING:
            return None, os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
        return self.stand_in(sort, number)

    def _add(self, channel: Channel) -> None:
        self._channels[channel.number] = channel
        self._by_fd[channel.fd] = channel
        if channel.is_pipe:
            self._pipes[_identity(channel.fd)] = channel
        self._watch(channel)

    def _watch(self, channel: Channel) -> None:
        """Be woken for what can be done. One that is not read from is still watched, for its end;
        one that is, but not now, is not: its end comes after what has not been read yet."""
        if channel.fd < 0:
            return
        can_read = (
            channel.reads
            and channel.credit > 0
            and channel.read_ahead is None
            and self._going_bytes <= _MOST_GOING
        )
        mask = (select.EPOLLIN if can_read else 0) | (select.EPOLLOUT if channel.has_waiting else 0)
        wanted = None if channel.reads and not mask else mask
        if wanted == channel.mask:
            return
        if channel.mask is None:
            self._poll.register(channel.fd, mask)
        elif wanted is None:
            self._poll.unregister(channel.fd)
        else:
            self._poll.modify(channel.fd, mask)
        channel.mask = wanted

    def _serve_channel(self, channel: Channel, event: int) -> None:
        if event & select.EPOLLOUT:
            self._deliver(channel)
        if channel.fd < 0 or not event & ~select.EPOLLOUT:
            return
        if not channel.reads:
            self._end(channel)  # whoever had the other half of the pipe has closed it
        elif (
            channel.read_ahead is None
            and channel.credit > 0
            and (found := self._read(channel)) is not None
        ):
            self._pass_on(channel, found)

    def _pass_on(self, channel: Channel, found: tuple[bytes, list[int]]) -> None:
        """Send what was read, behind all that was in the pipe before it."""
        before: Iterable[Channel] = ()
        if channel.sort is Sort.PROCESS:  # whichever was its own
            before = [other for other in self._channels.values() if other.is_pipe and other.reads]
        elif channel.follows is not None:
            before = (channel.follows,)
        for pipe in before:
            if not self._empty(pipe) and channel.sort is not Sort.PROCESS:
                channel.read_ahead = found
                self._watch(channel)
                return
        data, descriptors = found
        if not data and not descriptors:
            self._end(channel)
            return
        channel.credit -= len(data)
        self.send(
            Frame(
                Kind.DATA,
                channel.number,
                data,
                self._adopted(descriptors, channel) if descriptors else (),
            )
        )
        self._watch(channel)

    def _empty(self, pipe: Channel) -> bool:
        """Send all that is in a pipe; False if there is more than may be sent now."""
        while pipe.fd >= 0 and pipe.reads:
            if pipe.credit <= 0:
                return False
            found = self._read(pipe)
            if found is None:
                return True
            self._pass_on(pipe, found)
            if len(found[0]) < CHUNK and pipe.credit > 0:
                return True
        return True

    def _go_on_behind(self, pipe: Channel) -> None:
        """What had to wait for a pipe need not any more."""
        for channel in [*self._channels.values()]:
            if channel.follows is pipe and channel.read_ahead is not None:
                found, channel.read_ahead = channel.read_ahead, None
                self._pass_on(channel, found)

    def _adopted(self, descriptors: list[int], origin: Channel) -> tuple[tuple[Sort, int], ...]:
        adopted: list[tuple[Sort, int]] = []
        made: list[Channel] = []
        for fd in descriptors:
            try:
                channel, told = self.adopt(fd)
                made.append(channel)
            except (ValueError, OSError):
                os.close(fd)
                told = Sort.NOTHING, 0
            adopted.append(told)
        _pair(made, origin)
        return tuple(adopted)

    def _deliver(self, channel: Channel) -> None:
        try:
            delivered = channel.deliver()
        except OSError:
            self._end(channel)
            return
        channel.owed += delivered
        if channel.owed >= GRANT:
            self.send(Frame(Kind.CREDIT, channel.number, channel.owed.to_bytes(8, "little")))
            channel.owed = 0
        if channel.is_ending and not channel.has_waiting:
            self._drop(channel)
        else:
            self._watch(channel)

    def _end(self, channel: Channel) -> None:
        status = b""
        if channel.sort is Sort.PROCESS and not channel.is_stand_in:
            status = pidfds.exit_status(channel.fd).to_bytes(4, "little", signed=True)
        self._drop(channel)
        self.send(Frame(Kind.CLOSE, channel.number, status))

    def _drop(self, channel: Channel) -> None:
        if channel.mask is not None:
            self._poll.unregister(channel.fd)
            channel.mask = None
        self._dropped.add(channel.fd)
        if channel.is_pipe:
            self._pipes.pop(_identity(channel.fd), None)
        self._by_fd.pop(channel.fd, None)
        self._channels.pop(channel.number, None)
        if channel.given is not None:
            self._given.pop(channel.given, None)
        channel.close()
        if channel.is_pipe:
            self._go_on_behind(channel)


def _identity(fd: int) -> tuple[int, int]:
    status = os.fstat(fd)
    return status.st_dev, status.st_ino


def _pair(made: list[Channel], origin: Channel | None) -> None:
    """A wire and an output that travel together belong together, and so does whatever comes along.
    A wire that comes alone is for another process with the same output: a base."""
    pipe = next((channel for channel in made if channel.is_pipe), origin and origin.follows)
    for channel in made:
        if not channel.is_pipe:
            channel.follows = pipe


class FarEnd(TunnelEnd):
    """The end at which the host asks for supervisors, and for the processor time of processes.
    `start` gives the control socket of a supervisor for a policy. If it raises one of `failures`
    the host is told so. The rest is as with TunnelEnd."""

    def __init__(
        self,
        reads: int,
        writes: int,
        start: Callable[[dict[str, Any]], int],
        *,
        failures: tuple[type[Exception], ...] = (OSError,),
        **options: Any,
    ) -> None:
        super().__init__(reads, writes, is_remote_end=True, on_frame=self._answer, **options)
        self._start, self._failures = start, failures
        self._clocks: dict[Channel, Callable[[], float]] = {}
        """One for each process that was asked about, for as long as its channel is open."""

    def _answer(self, frame: Frame) -> None:
        if frame.kind is not Kind.ASK or not frame.channel:
            return  # a sign of life
        try:
            question = json.loads(frame.data)
            if question["do"] == "start":
                answer = self._supervised(self._start(question["policy"]))
            else:
                channel = self.channel(int(question["channel"]))
                answer = {"seconds": self.processor_time(channel)}
        except PolicyError as error:
            answer = {"refused": str(error)}
        except self._failures as error:
            answer = {"failed": str(error)}
        except (LookupError, TypeError, ValueError, AttributeError, RecursionError):
            raise BrokenTunnel("a question that is none") from None
        self.send(Frame(Kind.ANSWER, frame.channel, json.dumps(answer).encode()))

    def _supervised(self, control: int) -> dict[str, Any]:
        try:
            _channel, told = self.adopt(control)
        except (ValueError, OSError):
            os.close(control)
            return {"failed": "too many sandboxes are open; close some"}
        return {"control": told, "python": list(sys.version_info[:3])}

    def processor_time(self, channel: Channel | None) -> float:
        """Seconds that a process has used; 0 for what is no process of this end."""
        if channel is None or channel.sort is not Sort.PROCESS or channel.is_stand_in:
            return 0.0
        if channel not in self._clocks:
            self._clocks = {known: clock for known, clock in self._clocks.items() if known.fd >= 0}
            self._clocks[channel] = pidfds.processor_clock(channel.fd)
        return self._clocks[channel]()
