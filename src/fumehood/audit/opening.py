"""Opening a log's file: taking it for oneself, and finding where its chain is at. Nothing here
writes to it."""

from __future__ import annotations

import fcntl
import os
import stat
import time
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from fumehood.audit.chain import BEGINNING, MAX_LINE_BYTES, NOTHING, Hasher, Link, link_of
from fumehood.audit.entries import FORMAT
from fumehood.errors import AuditError

FLAGS: Final = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOCTTY | os.O_NONBLOCK
_FIRST_LINE: Final = 65_536
_CHUNK: Final = 1 << 20
_LOST_SHOWN: Final = 4000
"""Bytes of an incomplete line that are kept."""
_ATTEMPTS: Final = 5
_ATTEMPT_SECONDS: Final = 0.02
"""Whoever verifies a log holds its lock for a moment, to see whether it is open."""


class End(NamedTuple):
    """Where a chain is at."""

    number: int
    hash: bytes
    size: int
    """Of the file."""


class Place(NamedTuple):
    """What a chain is called, and which of its files this is."""

    log: str
    file: int
    first_kept: int


class Found(NamedTuple):
    """What there is in a file. `event` is that of the last complete line, "" if there is none;
    `lost` what comes after it, or begins so."""

    place: Place
    end: End
    event: str
    lost: bytes
    lost_bytes: int


def take(path: Path) -> int:
    """The file, open and locked, made if need be."""
    attempts = 0
    while True:
        try:
            fd = os.open(path, FLAGS, 0o600)
        except FileNotFoundError:
            raise AuditError(
                f"{path} cannot be written: the directory {path.parent} does not exist; make it"
                " first"
            ) from None
        except OSError as error:
            raise AuditError(f"{path} cannot be written: {error.strerror}") from error
        try:
            if not stat.S_ISREG(os.fstat(fd).st_mode):
                raise AuditError(f"{path} is no file: an audit log is written to a file of its own")
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if is_same(fd, path):
                return fd
        except BlockingIOError:
            attempts += 1
            if attempts >= _ATTEMPTS:
                os.close(fd)
                whose = "another process, or by another AuditLog of this one"
                raise AuditError(
                    f"{path} is being written by {whose}: give each its own path"
                ) from None
            time.sleep(_ATTEMPT_SECONDS)
        except OSError as error:
            os.close(fd)
            raise AuditError(f"{path} cannot be locked: {error.strerror}") from error
        except BaseException:
            os.close(fd)
            raise
        os.close(fd)  # it is held, or it was full and another has its name now: once more


def is_same(fd: int, path: Path) -> bool:
    """Whether a file that is open has this name."""
    try:
        there, ours = os.stat(path), os.fstat(fd)  # noqa: PTH116
    except OSError:
        return False
    return (there.st_dev, there.st_ino) == (ours.st_dev, ours.st_ino)


def find_end(fd: int, path: Path, hasher: Hasher) -> Found | None:
    """What there is in a file; None if it is empty. AuditError if it is no log, or not one that can
    be gone on with."""
    size = os.fstat(fd).st_size
    if size == 0:
        return None
    first = os.pread(fd, _FIRST_LINE, 0)
    if b"\n" not in first and size < _FIRST_LINE and first.startswith(BEGINNING[: len(first)]):
        return Found(
            Place("", 0, 0), End(0, NOTHING, 0), "", first[:_LOST_SHOWN], size
        )  # killed while the first line was written
    place = _place(path, first, hasher)
    end = _last_newline(fd, size) + 1
    link = _last_line(fd, path, end, hasher)
    return Found(
        place,
        End(link.number, link.hash, end),
        link.event,
        os.pread(fd, _LOST_SHOWN, end),
        size - end,
    )


def end_of(path: Path, hasher: Hasher) -> Found:
    """The same of a full file, which nobody writes any more."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError as error:
        raise AuditError(
            f"{path} cannot be read: {error.strerror}; the log cannot go on from it"
        ) from None
    try:
        found = find_end(fd, path, hasher)
    finally:
        os.close(fd)
    if found is None or not found.event:
        raise AuditError(f"{path} is no audit log, though named like one: move it away")
    return found


class _Opened(msgspec.Struct):
    """What has to be known of a file's first line."""

    format: int
    keyed: bool
    log: str
    file: int
    first_kept: int


def _place(path: Path, first: bytes, hasher: Hasher) -> Place:
    line, newline, _rest = first.partition(b"\n")
    link = link_of(line) if newline else None
    if link is None or link.event != "LogOpened":
        raise AuditError(f"{path} is no audit log, and is left as it is: give another path")
    try:
        opened = msgspec.json.decode(line, type=_Opened)
    except (ValueError, RecursionError):
        raise AuditError(
            f"{path} begins with a damaged line: keep it, and give another path"
        ) from None
    if opened.format != FORMAT:
        raise AuditError(
            f"{path} was written by another version of fumehood (format {opened.format}): give"
            " another path"
        )
    if opened.keyed != hasher.is_keyed:
        was, give = (
            ("with a key", "give that key") if opened.keyed else ("without a key", "give none")
        )
        raise AuditError(
            f"{path} was written {was}, and can only go on so: {give}, or another path"
        )
    return Place(opened.log, opened.file, opened.first_kept)


def _last_line(fd: int, path: Path, end: int, hasher: Hasher) -> Link:
    start = _last_newline(fd, end - 1) + 1
    line = _read(fd, start, end - 1 - start) if end - start <= MAX_LINE_BYTES else b""
    link = link_of(line)
    if link is None or hasher(link.body) != link.hash:
        what = (
            "the file was changed, or the key is another one"
            if hasher.is_keyed
            else "the file was changed"
        )
        raise AuditError(
            f"{path}: its last line does not fit its hash: {what}; keep it, and give another path"
        )
    return link


def _last_newline(fd: int, before: int) -> int:
    """Where the last newline before a position is; -1 if there is none."""
    while before > 0:
        start = max(0, before - _CHUNK)
        found = _read(fd, start, before - start).rfind(b"\n")
        if found >= 0:
            return start + found
        before = start
    return -1


def _read(fd: int, start: int, size: int) -> bytes:
    parts = []
    while size > 0 and (part := os.pread(fd, size, start)):
        parts.append(part)
        start += len(part)
        size -= len(part)
    return b"".join(parts)
