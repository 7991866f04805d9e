"""What a line looks like, and how it hangs on the one before. Bytes only: nothing here reads JSON,
so a chain is checked as fast as it is hashed.

    {"n":7,"previous":"<hash of line 6>","event":"CellSubmitted",…fields of the event…,"hash":"<hash
    of all before this>"}

A line's hash is over its number and the hash of the line before as well as over what it tells. So a
line that was changed does not fit its own hash, a changed hash does not fit the next line, and one
that is missing, moved or put in breaks the row of numbers and of hashes. With a key the hash is an
HMAC, and who has not got the key cannot make a line that fits. The last line has nobody after it:
it must be an end (entries.py), so that lines cut off are missed.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from typing import Any, Final, NamedTuple

from fumehood.errors import AuditError

NOTHING: Final = b"0" * 64
"""What stands for the hash of the line before the first."""
MAX_LINE_BYTES: Final = 64_000_000
"""A longer line is none of ours: twice what the largest event takes."""

_TAIL: Final = 75
"""Bytes of `,"hash":"…"}` at the end of a line."""
_HEAD: Final = re.compile(
    rb'\{"n":([1-9][0-9]{0,17}),"previous":"([0-9a-f]{64})","event":"([A-Za-z]{1,64})",(?=")'
)
_HEX: Final = re.compile(rb"[0-9a-f]{64}")
BEGINNING: Final = b'{"n":'


class Link(NamedTuple):
    """The parts of a line that hold the chain together."""

    number: int
    previous: bytes
    event: str
    hash: bytes
    body: memoryview
    """What the hash is over."""
    start: int
    """Where, in the line, the fields of the event begin."""


class Hasher:
    """Hashes bodies of lines: SHA-256, or with a key HMAC-SHA256."""

    def __init__(self, key: bytes | str | None = None) -> None:
        self.is_keyed = key is not None
        self._start: Any
        if key is None:
            self._start = hashlib.sha256()
        else:
            if not isinstance(key, (bytes, str)) or not key:
                given = "an empty one" if isinstance(key, (bytes, str)) else type(key).__name__
                raise AuditError(
                    "the key of an audit log must be bytes or text, such as"
                    f" secrets.token_bytes(32) gives, not {given}"
                )
            try:
                secret = key.encode() if isinstance(key, str) else key
            except UnicodeEncodeError:  # which would show it
                raise AuditError(
                    "the key of an audit log is a text with half a character in it; give the bytes"
                    " of the key"
                ) from None
            self._start = hmac.new(secret, digestmod="sha256")

    def __call__(self, body: bytes | memoryview) -> bytes:
        state = self._start.copy()
        state.update(body)
        digest: str = state.hexdigest()
        return digest.encode()


def make_line(
    hasher: Hasher, number: int, previous: bytes, event: str, fields: bytes
) -> tuple[bytes, bytes]:
    """A line with its newline, and its hash. `fields` is a JSON object."""
    number_text, name = str(number).encode(), event.encode()
    body = b"".join(
        (
            b'{"n":',
            number_text,
            b',"previous":"',
            previous,
            b'","event":"',
            name,
            b'",',
            fields[1:-1],
        )
    )
    digest = hasher(body)
    return b"".join((body, b',"hash":"', digest, b'"}\n')), digest


def link_of(line: bytes) -> Link | None:
    """The chain's parts of a line without its newline; None if it is no line of an audit log."""
    head = _HEAD.match(line)
    if (
        head is None
        or len(line) - _TAIL < head.end()
        or line[-_TAIL:-66] != b',"hash":"'
        or line[-2:] != b'"}'
    ):
        return None
    digest = line[-66:-2]
    if not _HEX.fullmatch(digest):
        return None
    return Link(
        int(head[1]), head[2], head[3].decode(), digest, memoryview(line)[:-_TAIL], head.end()
    )
