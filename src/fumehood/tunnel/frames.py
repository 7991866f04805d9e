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

import binascii
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


# -- as lines of text, for the standard streams of a command in a cloud sandbox
#
# A line is a piece of the stream as base64, independent of where frames begin. Other lines, such as
# those of a login shell, may come before the one with which the remote end begins.

BEGINNING = b"fumehood tunnel 1"
_PIECE = 384 << 10
_MOST_LINE = 1 << 20
_MOST_BEFORE = 1 << 16
_KEPT = 2048


def as_lines(data: bytes | memoryview) -> bytes:
    """Bytes as whole lines."""
    if len(data) <= _PIECE:
        return binascii.b2a_base64(data)
    whole = memoryview(data)
    return b"".join(
        binascii.b2a_base64(whole[at : at + _PIECE]) for at in range(0, len(whole), _PIECE)
    )


class LineReader:
    """Text in, the tunnel's bytes out. With `waits`, nothing counts before the line that says that
    lines begin. What is no such line is a BrokenTunnel, and nothing is to be fed afterwards."""

    def __init__(self, *, waits: bool = False) -> None:
        self._held: list[bytes] = []
        self._held_size = 0
        self._waits = waits
        self._before = b""
        self._before_size = 0

    @property
    def before(self) -> str:
        """The last of what came before the tunnel's own lines, for error texts."""
        return (self._before + b"".join(self._held) if self._waits else self._before).decode(
            errors="replace"
        )[-_KEPT:]

    def feed(self, data: bytes) -> bytes:
        *lines, rest = data.split(b"\n")
        if lines and self._held:
            lines[0] = b"".join((*self._held, lines[0]))
            self._held, self._held_size = [], 0
        out = [self._piece(line) for line in lines]
        if rest:
            self._held.append(rest)
            self._held_size += len(rest)
            if self._held_size > (_MOST_BEFORE if self._waits else _MOST_LINE):
                raise BrokenTunnel("a line that has no end")
        return out[0] if len(out) == 1 else b"".join(out)

    def _piece(self, line: bytes) -> bytes:
        if self._waits:
            self._waits = line.strip() != BEGINNING
            if self._waits:
                self._before = (self._before + line + b"\n")[-_KEPT:]
                self._before_size += len(line)
                if self._before_size > _MOST_BEFORE:
                    raise BrokenTunnel("nothing but other text came")
            return b""
        if len(line) > _MOST_LINE:
            raise BrokenTunnel("a line that is too long")
        try:
            return binascii.a2b_base64(line.removesuffix(b"\r"), strict_mode=True)
        except binascii.Error:
            raise BrokenTunnel(f"a line that is no piece of the tunnel: {line[:80]!r}") from None
