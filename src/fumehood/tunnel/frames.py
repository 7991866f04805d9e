"""What travels through a tunnel: frames, each about one channel. No I/O.

data      bytes that were read from a channel's descriptor, and the descriptors that came with them
credit    so many more bytes may be sent by a channel: what was sent before has been taken
close     a channel's descriptor has come to its end; what was sent before is still delivered. Of a
          process: its exit status
signal    to the process that a channel stands for
ask       a question of the near end's, with a number in place of a channel
answer    to the question of that number
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from enum import IntEnum
from typing import NamedTuple

_HEADER = struct.Struct("<BBHII")  # kind, nothing, descriptors, channel, bytes
_DESCRIPTOR = struct.Struct("<BxxxI")  # sort, channel
MOST_BYTES = 1 << 20
MOST_DESCRIPTORS = 8


class Kind(IntEnum):
    DATA = 1
    CREDIT = 2
    CLOSE = 3
    SIGNAL = 4
    ASK = 5
    ANSWER = 6


class Sort(IntEnum):
    """What a descriptor is, as whoever has it sees it."""

    STREAM = 1
    PACKETS = 2
    SOURCE = 3
    """A pipe to read from."""
    SINK = 4
    """A pipe to write to."""
    PROCESS = 5
    """A pidfd."""
    NOTHING = 6
    """One that is not sent: of another sort, or one too many."""


_KINDS, _SORTS = {int(kind): kind for kind in Kind}, {int(sort): sort for sort in Sort}


class Frame(NamedTuple):
    kind: Kind
    channel: int
    data: bytes = b""
    descriptors: tuple[tuple[Sort, int], ...] = ()

    def packed(self) -> bytes:
        head = _HEADER.pack(self.kind, 0, len(self.descriptors), self.channel, len(self.data))
        if not self.descriptors:
            return head + self.data
        return b"".join(
            (head, *(_DESCRIPTOR.pack(*descriptor) for descriptor in self.descriptors), self.data)
        )


class BrokenTunnel(Exception):
    """The other end sent something that does not belong there."""


class FrameReader:
    """Bytes in, frames out. What is not a frame is a BrokenTunnel, and nothing is to be fed
    afterwards."""

    def __init__(self) -> None:
        self._held = b""

    def feed(self, data: bytes) -> Iterator[Frame]:
        held = self._held + data if self._held else data
        at, size = 0, len(held)
        try:
            while size - at >= _HEADER.size:
                kind, _nothing, count, channel, length = _HEADER.unpack_from(held, at)
                if count > MOST_DESCRIPTORS or length > MOST_BYTES:
                    raise BrokenTunnel(f"a frame with {length:,} bytes and {count} descriptors")
                middle = at + _HEADER.size + count * _DESCRIPTOR.size
                if size < middle + length:
                    break
                rows = _DESCRIPTOR.iter_unpack(held[at + _HEADER.size : middle]) if count else ()
                at = middle + length
                yield Frame(
                    _KINDS[kind],
                    channel,
                    held[middle:at],
                    tuple((_SORTS[sort], number) for sort, number in rows),
                )
        except KeyError as error:
            raise BrokenTunnel(f"a frame of no kind or sort that there is: {error}") from None
        finally:
            self._held = held[at:]
