"""One descriptor at one end of a tunnel, and what is on its way to it."""

from __future__ import annotations

import array
import fcntl
import os
import socket
import stat
from collections import deque

from fumehood.tunnel.frames import MOST_BYTES, MOST_DESCRIPTORS, Sort

WINDOW = 4 << 20
"""Bytes of one channel that may be on the way: sent, and not yet taken by whoever they are for. So
no channel holds up another."""
GRANT = WINDOW // 4
"""Credit is given back in pieces of at least this size: a frame for every few bytes would cost more
than they do."""
CHUNK = 1 << 16
_SOCKETS = (Sort.STREAM, Sort.PACKETS)
_PIPES = (Sort.SOURCE, Sort.SINK)
_NOW = int(socket.MSG_DONTWAIT | socket.MSG_NOSIGNAL)
_ROOM = socket.CMSG_SPACE(MOST_DESCRIPTORS * array.array("i").itemsize)


class Channel:
    """`is_stand_in` says that the real descriptor is at the other end."""

    def __init__(self, number: int, sort: Sort, fd: int, *, is_stand_in: bool) -> None:
        self.number = number
        self.sort = sort
        self.fd = fd
        self.is_stand_in = is_stand_in
        self.is_pipe = sort in _PIPES
        self.reads = sort in _SOCKETS or (sort is Sort.SINK) is is_stand_in
        """Whether something can come from the descriptor. Of a pipe, one end has the part that is
        read."""
        self.follows: Channel | None = None
        """A pipe whose bytes must not be overtaken by what comes by this channel: a sandbox prints
        something and then says that it did."""
        self.credit = WINDOW
        self.owed = 0
        """Bytes that were delivered and for which the other end was not given credit yet."""
        self.unpaid = 0
        """Bytes that have come and were not delivered yet."""
        self.mask: int | None = None
        """What it is watched for; None if it is not."""
        self.is_ending = False
        """Whether the other end is over, and this one is when all is delivered."""
        self.given: tuple[int, int] | None = None
        """Of a stand-in: device and inode of the descriptor that was given away for it."""
        self.read_ahead: tuple[bytes, list[int]] | None = None
        """What was read and must wait for the pipe that it follows."""
        self._socket = socket.socket(fileno=fd) if sort in _SOCKETS else None
        self._waiting: deque[tuple[memoryview, list[int]]] = deque()
        if sort is not Sort.PROCESS:
            os.set_blocking(fd, False)

    @property
    def has_waiting(self) -> bool:
        return bool(self._waiting)

    def read(self, *, brings: bool) -> tuple[bytes, list[int]] | None:
        """What has come, and if wanted descriptors with it, which the kernel closes otherwise.
        Nothing at all if it is over; None if there is nothing now."""
        if self.sort is Sort.PROCESS:
            return b"", []  # it can be read: the process is dead
        try:
            if self._socket is None:
                return os.read(self.fd, min(CHUNK, self.credit)), []
            most = MOST_BYTES if self.sort is Sort.PACKETS else min(CHUNK, self.credit)
            if not brings:
                return self._socket.recv(most, _NOW), []
            data, ancillary, _flags, _address = self._socket.recvmsg(most, _ROOM, _NOW)
        except BlockingIOError:
            return None
        except OSError:
            return b"", []
        return data, [fd for row in ancillary for fd in _descriptors(row)] if ancillary else []

    def put(self, data: bytes, descriptors: list[int]) -> None:
        """Have something delivered, with descriptors, which are the channel's from now on."""
        self._waiting.append((memoryview(data), descriptors))
        self.unpaid += len(data)

    def deliver(self) -> int:
        """Write what can be written now; gives how many bytes were. OSError if nobody will ever
        take them."""
        delivered = 0
        while self._waiting:
            data, descriptors = self._waiting[0]
            try:
                if self._socket is None:
                    count = os.write(self.fd, data)
                elif descriptors:
                    count = socket.send_fds(self._socket, [data], descriptors, _NOW)
                else:
                    count = self._socket.send(data, _NOW)
            except BlockingIOError:
                break
            close_all(descriptors)
            delivered += count
            if count == len(data):
                self._waiting.popleft()
            else:
                self._waiting[0] = data[count:], []
        self.unpaid -= delivered
        return delivered

    def close(self) -> None:
        for _data, descriptors in self._waiting:
            close_all(descriptors)
        self._waiting.clear()
        if self.read_ahead is not None:
            close_all(self.read_ahead[1])
            self.read_ahead = None
        if self._socket is not None:
            self._socket.detach()
        fd, self.fd = self.fd, -1  # first, for a fork that another thread makes meanwhile
        if fd >= 0:
            os.close(fd)


def _descriptors(row: tuple[int, int, bytes]) -> list[int]:
    level, kind, data = row
    if level != socket.SOL_SOCKET or kind != socket.SCM_RIGHTS:
        return []
    numbers = array.array("i")
    numbers.frombytes(data[: len(data) - len(data) % numbers.itemsize])
    return list(numbers)


def close_all(descriptors: list[int]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)


def sort_of(fd: int) -> Sort:
    """What a descriptor is. ValueError if it is nothing that goes through a tunnel."""
    mode = os.fstat(fd).st_mode
    if stat.S_ISSOCK(mode):
        with socket.socket(fileno=os.dup(fd)) as probe:
            if probe.family == socket.AF_UNIX and probe.type in (
                socket.SOCK_SEQPACKET,
                socket.SOCK_STREAM,
            ):
                return Sort.PACKETS if probe.type == socket.SOCK_SEQPACKET else Sort.STREAM
    elif stat.S_ISFIFO(mode):
        access = fcntl.fcntl(fd, fcntl.F_GETFL) & os.O_ACCMODE
        if access != os.O_RDWR:
            return Sort.SINK if access == os.O_WRONLY else Sort.SOURCE
    else:
        with open(f"/proc/self/fdinfo/{fd}") as file:
            if any(line.startswith("Pid:") for line in file):
                return Sort.PROCESS
    raise ValueError("a descriptor of a sort that does not go through a tunnel")


def stand_in(sort: Sort, number: int) -> tuple[Channel, int]:
    """A channel in the place of a descriptor of the other end, and the descriptor that somebody
    here is given for it."""
    if sort in _SOCKETS:
        kind = socket.SOCK_SEQPACKET if sort is Sort.PACKETS else socket.SOCK_STREAM
        ours, theirs = socket.socketpair(socket.AF_UNIX, kind)
        name_socket(theirs)
        return Channel(number, sort, ours.detach(), is_stand_in=True), theirs.detach()
    reading, writing = os.pipe()
    mine, given = (reading, writing) if sort is Sort.SINK else (writing, reading)
    return Channel(number, sort, mine, is_stand_in=True), given


def name_socket(wire: socket.socket) -> None:
    """Give a socket that code gets a name. It can have only one: code with programs could otherwise
    choose one, in the network namespace of the process that made the socket."""
    wire.bind(f"\0{os.urandom(16).hex()}")
