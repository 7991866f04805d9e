"""A tunnel's bytes as lines of text, for a way that carries nothing else: the standard streams of a
command in a cloud sandbox. No I/O.

A line is a piece of the stream as base64, independent of where frames begin. Other lines, such as
those of a login shell, may come before the first: the remote end marks the beginning with a line of
its own.
"""

from __future__ import annotations

import binascii

from fumehood.tunnel.frames import BrokenTunnel

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
    def has_begun(self) -> bool:
        return not self._waits

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
