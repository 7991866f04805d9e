"""The stream of an attached container, taken apart. Without a terminal the engine puts a head of 8
bytes before each piece: which of the container's streams it comes from, three zeros, and how many
bytes follow. No I/O."""

from __future__ import annotations

from fumehood.errors import ContainerFailed

_HEAD = 8
_STDOUT = 1
_OTHERS = (0, 2, 3)
"""What the container did not write to its standard output: errors, and what the engine itself has
to say (3)."""
_KEPT = 4096


class Demultiplexer:
    """Bytes of the stream in, the container's standard output out; the end of everything else is
    kept for error texts."""

    def __init__(self) -> None:
        self._head = b""
        self._left = 0
        self._is_output = False
        self._errors = b""

    @property
    def errors(self) -> str:
        """The last that the container wrote to its standard error. It was written by whoever runs
        in there."""
        return self._errors.decode(errors="replace")

    def feed(self, data: bytes) -> bytes:
        """What of it is standard output; nothing is held back but an incomplete head.
        ContainerFailed if it is no such stream."""
        size = len(data)
        if (
            not self._left
            and not self._head
            and size > _HEAD
            and data[:4] == b"\1\0\0\0"
            and int.from_bytes(data[4:8], "big") == size - _HEAD
        ):
            return data[_HEAD:]  # one whole piece: nearly always
        out: list[bytes] = []
        at = 0
        while at < size:
            if not self._left:
                missing = _HEAD - len(self._head)
                self._head += data[at : at + missing]
                at += missing
                if len(self._head) < _HEAD:
                    break
                self._take_head()
                continue
            piece = data[at : at + self._left]
            at += len(piece)
            self._left -= len(piece)
            if self._is_output:
                out.append(piece)
            else:
                self._errors = (self._errors + piece)[-_KEPT:]
        return b"".join(out)

    def _take_head(self) -> None:
        head, self._head = self._head, b""
        if head[0] != _STDOUT and head[0] not in _OTHERS or head[1:4] != b"\0\0\0":
            raise ContainerFailed(
                f"the Docker engine sent {head!r} where a piece of output should begin; is the"
                " container's tty on?"
            )
        self._is_output = head[0] == _STDOUT
        self._left = int.from_bytes(head[4:], "big")
