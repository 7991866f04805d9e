"""Frames: how messages become bytes and bytes messages again. No I/O here; bounds are enforced
before anything is allocated.

    4 bytes   length of the header
    4 bytes   number of buffers
    8 bytes   length of each buffer
    header    JSON, UTF-8
    buffers   raw bytes

All numbers are unsigned and big-endian. A reader that meets a number beyond its bounds raises at
once and stays broken.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from fumehood.errors import WorkerProtocolError

_PREFIX: Final = struct.Struct(">II")

Buffer = bytes | bytearray | memoryview
Received = bytearray | memoryview
"""A buffer as it is received: writable, and not shared."""
_LARGE: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a reader takes. `frame` bounds header and buffers together."""

    header: int = 64 << 20
    items: int = 2_000_000
    """Brackets and commas of a header. Each may become an object of some fifty bytes, so this
    bounds the memory that reading it takes."""
    buffers: int = 65_536
    frame: int = 1 << 30


def encode_frame(header: bytes, buffers: Sequence[Buffer]) -> list[Buffer]:
    """The pieces of one frame, in order; nothing large is copied."""
    if not buffers:
        return [_PREFIX.pack(len(header), 0) + header]
    views = [memoryview(buffer).cast("B") for buffer in buffers]
    lengths = struct.pack(f">{len(views)}Q", *map(len, views))
    return [_PREFIX.pack(len(header), len(views)) + lengths + header, *views]


def _room(length: int) -> Received:
    """Memory for a buffer. A large one takes memory only as it is filled: a length is easily
    claimed."""
    if length < _LARGE:
        return bytearray(length)
    try:
        return memoryview(mmap.mmap(-1, length, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))
    except OSError:
        raise MemoryError(
            f"this process has no memory for the {length:,} bytes that it is sent"
        ) from None


def count_items(header: bytes) -> int:
    """How many things a JSON header can hold, at most."""
    return header.count(b",") + header.count(b"[") + header.count(b"{")


class FrameReader:
    """Takes bytes as they arrive and gives whole frames: `(header, buffers)`.

    A large buffer is received straight into its place: `room()` is where the next bytes should go
    and `filled(n)` says how many came.
    """

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self._most = min(bounds.header, bounds.frame)
        self._small = bytearray()
        self._header: bytes | None = None
        self._lengths: tuple[int, ...] = ()
        self._buffers: list[Received] = []
        self._filling: Received | None = None
        self._filled = 0
        self._broken = False
        self.is_stuck = False
        """Whether there was no memory for a frame, so that the stream cannot be read further."""

    @property
    def unread(self) -> int:
        """Bytes taken in that are not part of a message given out yet."""
        return len(self._small) + self._filled if self._filling is not None else len(self._small)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was taken in that could be a message, or part of one."""
        return not self._small and self._header is None

    def room(self) -> memoryview | None:
        """Where to receive into, if a buffer is being filled; None when bytes go to `feed`."""
        return memoryview(self._filling)[self._filled :] if self._filling is not None else None

    def filled(self, count: int) -> None:
        self._filled += count
        if self._filling is not None and self._filled == len(self._filling):
            self._buffers.append(self._filling)
            self._filling = None

    def feed(self, data: bytes) -> None:
        """Take bytes that came while no buffer was being filled."""
        self._small += data

    def take(self, data: bytes) -> tuple[bytes, list[Received]] | None:
        """As `feed` and `next_frame`. Most frames are a header alone, which comes whole and by
        itself, and take a short way: with fewer bytes than the bound of items, it has no more."""
        if len(data) >= 8 and self._header is None and not self._small and not self._broken:
            header, count = _PREFIX.unpack_from(data)
            if not count and len(data) == 8 + header <= 8 + min(self._most, self._bounds.items):
                return data[8:], []
        self.feed(data)
        return self.next_frame()

    def next_frame(self) -> tuple[bytes, list[Received]] | None:
        """The next whole frame, or None until more bytes have come. WorkerProtocolError if the
        bounds are broken."""
        if self._broken:
            raise WorkerProtocolError("the stream is broken")
        try:
            if self._header is None and not self._take_header():
                return None
            while len(self._buffers) < len(self._lengths):
                if self._filling is not None:
                    return None
                length = self._lengths[len(self._buffers)]
                have = min(length, len(self._small))
                if have == length:
                    self._buffers.append(self._small[:length])
                    del self._small[:length]
                else:
                    self._filling, self._filled = _room(length), have
                    self._filling[:have] = self._small
                    self._small.clear()
        except MemoryError:
            self.is_stuck = True
            raise
        header, buffers = self._header, self._buffers
        assert header is not None
        self._header, self._lengths, self._buffers = None, (), []
        return header, buffers

    def _take_header(self) -> bool:
        small, bounds = self._small, self._bounds
        if len(small) < 8:
            return False
        header, count = _PREFIX.unpack_from(small)
        self._check("a header of {:,} bytes", header, self._most)
        self._check("{:,} buffers in one frame", count, bounds.buffers)
        start = 8 + 8 * count
        if len(small) < start:
            return False
        lengths = struct.unpack_from(f">{count}Q", small, 8)
        self._check("a frame of {:,} bytes", header + sum(lengths), bounds.frame)
        if len(small) < start + header:
            return False
        self._header = bytes(memoryview(small)[start : start + header])
        self._check("a header of {:,} items", count_items(self._header), bounds.items)
        self._lengths = lengths
        del small[: start + header]
        return True

    def _check(self, what: str, number: int, most: int) -> None:
        if number > most:
            self._broken = True
            self._small.clear()
            raise WorkerProtocolError(
                f"the sandbox sent {what.format(number)}; at most {most:,} are taken"
            )
