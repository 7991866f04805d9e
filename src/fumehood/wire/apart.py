"""How standard error is told from standard output in the one pipe that both go through: marks that
no UTF-8 text contains.

One pipe keeps the order of what is written. The marks are the sandbox's own to write, in the wrong
places too if it likes: what comes of that is text under the wrong heading, and nothing else.
"""

from __future__ import annotations

from typing import Final, Literal

StreamName = Literal["stdout", "stderr"]

_ESCAPE: Final = b"\xff"  # no byte of any UTF-8 text
_NAMES: Final[dict[bytes, StreamName]] = {b"1": "stdout", b"2": "stderr"}


def as_error(data: bytes) -> bytes:
    """A piece of standard error, as it goes through the pipe. Whole: what follows it is standard
    output again."""
    return b"\xff2" + data + b"\xff1"


class Apart:
    """Takes what comes out of the pipe and says what of it is which. A mark may be cut in two by
    how it was read."""

    def __init__(self) -> None:
        self._stream: StreamName = "stdout"
        self._held = b""

    def feed(self, data: bytes) -> list[tuple[StreamName, bytes]]:
        """The pieces of `data`, in order, none of them empty."""
        if not self._held and _ESCAPE not in data:
            return [(self._stream, data)] if data else []
        first, *others = (self._held + data).split(_ESCAPE)
        self._held = b""
        if others and not others[-1]:
            self._held = _ESCAPE
            others.pop()
        pieces = [(self._stream, first)]
        for other in others:
            name = _NAMES.get(other[:1])
            if name is None:  # a byte that somebody printed
                pieces.append((self._stream, _ESCAPE + other))
            else:
                self._stream = name
                pieces.append((name, other[1:]))
        return _joined(pieces)

    def rest(self) -> list[tuple[StreamName, bytes]]:
        """What is left when nothing more comes."""
        held, self._held = self._held, b""
        return [(self._stream, held)] if held else []


def _joined(pieces: list[tuple[StreamName, bytes]]) -> list[tuple[StreamName, bytes]]:
    """Neighbours of one stream as one piece: `print` writes its text and the end of the line
    apart."""
    joined: list[tuple[StreamName, bytes]] = []
    for name, data in pieces:
        if data and joined and joined[-1][0] == name:
            joined[-1] = (name, joined[-1][1] + data)
        elif data:
            joined.append((name, data))
    return joined
