"""A log's file while it is written: locked, appended to, made whole again after a crash, followed by another when it is full.

Every line, or the few that belong together, is one `write` to a file opened for appending. What is known of the file's end, number, hash
and size, changes in one step after that, so that an exception in the middle (KeyboardInterrupt) leaves a pending write that the next call
can see the fate of. A write that fails half-way is taken back.

A new file exists, locked and with its first line, before it gets its name; so there is no moment at which somebody else could take the
name, and a crash at any point leaves files that the next start knows how to go on from.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import platform
import stat
import time
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

import fumehood
from fumehood.audit import entries
from fumehood.audit.chain import BEGINNING, MAX_LINE_BYTES, NOTHING, Hasher, Link, link_of, make_line
from fumehood.audit.files import full_files, full_name, next_name, number_of
from fumehood.errors import AuditError
from fumehood.events import Event

_FLAGS: Final = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOCTTY | os.O_NONBLOCK
_FIRST_LINE: Final = 65_536
_CHUNK: Final = 1 << 20
_LOST_SHOWN: Final = 4000
"""Bytes of an incomplete line that are kept."""

_json = msgspec.json.Encoder()


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


class LogFile:
    """One open log. Not safe for threads: the log that has it is. Raises AuditError when it cannot be opened and OSError when it cannot be
    written, after which nothing of what was to be written is in it."""

    def __init__(
        self, path: Path, hasher: Hasher, *, keep_files: int | None = None, syncs: bool = False, parent: tuple[str, str] = ("", "")
    ) -> None:
        self.path = path
        self.recovered = ""
        """What was found wrong with the end of the file, if anything was."""
        self._hasher = hasher
        self._keep_files = keep_files
        self._syncs = syncs
        self._parent = parent
        self._pending: tuple[bytes, End] | None = None
        self._is_torn = False
        self._fd = _take(path)
        try:
            self._begin()
        except BaseException:
            os.close(self._fd)
            raise

    # -- beginning ------------------------------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        size = os.fstat(self._fd).st_size
        if size == 0:
            self._begin_anew()
            return
        first = os.pread(self._fd, _FIRST_LINE, 0)
        if b"\n" not in first and size < _FIRST_LINE and first.startswith(BEGINNING[: len(first)]):
            os.ftruncate(self._fd, 0)  # killed while the very first line was written
            self._begin_anew(self._loss(first, size, "its first line is incomplete"))
            return
        self.place = self._known_place(first)
        end_of_lines = _last_newline(self._fd, size) + 1
        link = self._last_line(end_of_lines)
        self.end = End(link.number, link.hash, end_of_lines)
        if size > end_of_lines:
            lost = os.pread(self._fd, _LOST_SHOWN, end_of_lines)
            os.ftruncate(self._fd, end_of_lines)
            loss = self._loss(lost, size - end_of_lines, "its last line is incomplete")
        elif link.event not in entries.ENDS - {"LogRecovered"}:
            loss = self._loss(b"", 0, "it has no end")
        elif link.event == "LogRotated":
            self.next_file(sealed=True)
            return
        else:
            loss = None
        self.append(*([] if loss is None else [loss]), self._opening(self.place))

    def _begin_anew(self, loss: Event | None = None) -> None:
        """An empty file: a chain's first, or the next after full files whose successor is not there."""
        self.end = End(0, NOTHING, 0)
        self.place = Place(os.urandom(8).hex(), 1, 1)
        full = full_files(self.path)
        if full:
            place, end = self._end_of(full[-1])
            self.place = place._replace(file=place.file + 1)
            self.end = end._replace(size=0)
        self.append(self._opening(self.place), *([] if loss is None else [loss]))
        self._sync_directory()

    def _end_of(self, path: Path) -> tuple[Place, End]:
        """Where a full file's chain is at."""
        other = object.__new__(LogFile)
        other.path, other._hasher = path, self._hasher
        try:
            other._fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        except OSError as error:
            raise AuditError(f"{path} cannot be read: {error.strerror}; the log cannot go on from it") from None
        try:
            size = os.fstat(other._fd).st_size
            link = other._last_line(_last_newline(other._fd, size) + 1)
            return other._known_place(os.pread(other._fd, _FIRST_LINE, 0)), End(link.number, link.hash, size)
        finally:
            os.close(other._fd)

    def _known_place(self, first: bytes) -> Place:
        line, newline, _rest = first.partition(b"\n")
        link = link_of(line) if newline else None
        if link is None or link.event != "LogOpened":
            raise AuditError(f"{self.path} is no audit log, and is left as it is: give another path")
        try:
            opened = msgspec.json.decode(line, type=_Opened)
        except msgspec.DecodeError:
            raise AuditError(f"{self.path} begins with a damaged line: keep it, and give another path") from None
        if opened.format != entries.FORMAT:
            raise AuditError(f"{self.path} was written by another version of fumehood (format {opened.format}): give another path")
        if opened.keyed != self._hasher.is_keyed:
            was, is_ = ("with a key", "without one") if opened.keyed else ("without a key", "with one")
            raise AuditError(f"{self.path} was written {was} and cannot be gone on with {is_}: give the same, or another path")
        return Place(opened.log, opened.file, opened.first_kept)

    def _last_line(self, end: int) -> Link:
        start = _last_newline(self._fd, end - 1) + 1 if end else 0
        line = _read(self._fd, start, max(0, end - 1 - start)) if end - start <= MAX_LINE_BYTES else b""
        link = link_of(line)
        if link is None or self._hasher(link.body) != link.hash:
            what = "the file was changed, or the key is another one" if self._hasher.is_keyed else "the file was changed"
            raise AuditError(f"{self.path}: its last line does not fit its hash: {what}; keep it, and give another path")
        return link

    def _loss(self, lost: bytes, size: int, what: str) -> entries.LogRecovered:
        text = lost[:_LOST_SHOWN].decode("utf-8", "backslashreplace")
        reason = f"{what}: the host was killed, or lines were cut off"
        self.recovered = f"{self.path}: {reason}; {size:,} bytes of an incomplete line were lost" if size else f"{self.path}: {reason}"
        return entries.LogRecovered(at=time.time(), lost_bytes=size, lost=text, reason=reason)

    def _opening(self, place: Place) -> entries.LogOpened:
        return entries.LogOpened(
            at=time.time(),
            format=entries.FORMAT,
            fumehood=fumehood.__version__,
            python=platform.python_version(),
            pid=os.getpid(),
            host=os.uname().nodename,
            keyed=self._hasher.is_keyed,
            log=place.log,
            file=place.file,
            first_kept=place.first_kept,
            parent=self._parent[0],
            parent_hash=self._parent[1],
        )

    # -- going on -------------------------------------------------------------------------------------------------------------------

    def append(self, *own: Event) -> None:
        """Write lines of the log's own, in one go."""
        self.write([(type(entry).__name__, _json.encode(entry)) for entry in own])

    def write(self, given: list[tuple[str, bytes]]) -> None:
        """Write a line for each event's name and fields, all or none."""
        if self._pending is not None or self._is_torn:
            self._settle()
        number, previous, size = self.end
        lines = []
        for name, fields in given:
            number += 1
            line, previous = make_line(self._hasher, number, previous, name, fields)
            lines.append(line)
        data = lines[0] if len(lines) == 1 else b"".join(lines)
        end = End(number, previous, size + len(data))
        self._pending = data, end
        try:
            written = os.write(self._fd, data)
            while written < len(data):  # a disk that is nearly full takes a part, and then says why not the rest
                written += os.write(self._fd, memoryview(data)[written:])
        except OSError:
            self._take_back()
            raise
        self.end = end
        self._pending = None

    @property
    def is_pending(self) -> bool:
        """Whether a write was interrupted that the next one will bring to its end."""
        return self._pending is not None

    def _take_back(self) -> None:
        self._pending = None
        try:
            if os.fstat(self._fd).st_size > self.end.size:
                os.ftruncate(self._fd, self.end.size)
            self._is_torn = False
        except OSError:
            self._is_torn = True

    def _settle(self) -> None:
        """Find out what became of a write that was interrupted, and bring it to its end."""
        if self._pending is None:
            os.ftruncate(self._fd, self.end.size)
            self._is_torn = False
            return
        data, end = self._pending
        if self.end is not end:
            there = os.fstat(self._fd).st_size - self.end.size
            if there != len(data):
                if there:
                    os.ftruncate(self._fd, self.end.size)
                try:
                    if os.write(self._fd, data) != len(data):
                        raise OSError("a part of a line could not be written")
                except OSError:
                    self._take_back()
                    raise
            self.end = end
        self._pending = None

    def next_file(self, *, sealed: bool = False) -> None:
        """Go on in a new file; this one gets a name with a number. `sealed` if its last line says so already. If OSError is raised it goes
        on in this one."""
        self._keep_settled()
        number = max(
            self.place.file, 1 + max((number_of(other) or 0 for other in full_files(self.path) if not self._is_same(other)), default=0)
        )
        full = full_name(self.path, number)
        first_kept = self.place.first_kept if self._keep_files is None else max(self.place.first_kept, number + 1 - self._keep_files)
        place = Place(self.place.log, number + 1, first_kept)
        rotated = entries.LogRotated(at=time.time(), name=full.name)
        old_end = self.end
        if sealed:
            sealing, sealed_end = b"", old_end
        else:
            sealing, digest = make_line(self._hasher, old_end.number + 1, old_end.hash, "LogRotated", _json.encode(rotated))
            sealed_end = End(old_end.number + 1, digest, old_end.size + len(sealing))
        new_name = next_name(self.path)
        new_fd, new_end = self._make_next(new_name, place, sealed_end)
        try:
            if sealing:
                self.append(rotated)
            if not (full.exists() and self._is_same(full)):
                _rename_or_link(self.path, full)
            os.rename(new_name, self.path)  # noqa: PTH104
        except BaseException:
            os.close(new_fd)
            with contextlib.suppress(OSError):
                os.unlink(new_name)  # noqa: PTH108
            if self.end is not old_end:  # the end of this file is written: a new sitting begins
                self.append(self._opening(self.place))
            raise
        if self._syncs:
            os.fsync(self._fd)
            os.fsync(new_fd)
        os.close(self._fd)
        self._fd, self.end, self.place = new_fd, new_end, place
        self._sync_directory()
        for other in full_files(self.path):
            if (number_of(other) or 0) < first_kept:
                with contextlib.suppress(OSError):
                    other.unlink()

    def _keep_settled(self) -> None:
        if self._pending is not None or self._is_torn:
            self._settle()

    def _make_next(self, name: Path, place: Place, end: End) -> tuple[int, End]:
        """A locked file that goes on from `end`, with its first line."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)  # noqa: PTH108  # of a process that was killed just here
        fd = os.open(name, _FLAGS | os.O_EXCL, 0o600)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            line, digest = make_line(self._hasher, end.number + 1, end.hash, "LogOpened", _json.encode(self._opening(place)))
            if os.write(fd, line) != len(line):
                raise OSError("the first line of the next file could not be written")
        except BaseException:
            os.close(fd)
            with contextlib.suppress(OSError):
                os.unlink(name)  # noqa: PTH108
            raise
        return fd, End(end.number + 1, digest, len(line))

    # -- whether it is still there --------------------------------------------------------------------------------------------------

    @property
    def is_in_place(self) -> bool:
        """Whether the file still has its name: somebody may have moved or removed it."""
        return self._is_same(self.path)

    def _is_same(self, path: Path) -> bool:
        try:
            there, ours = os.stat(path), os.fstat(self._fd)  # noqa: PTH116
        except OSError:
            return False
        return (there.st_dev, there.st_ino) == (ours.st_dev, ours.st_ino)

    def leave_moved(self) -> bool:
        """End a file that has lost its name. Whether what was written to it is still somewhere."""
        is_kept = os.fstat(self._fd).st_nlink > 0
        if is_kept:
            with contextlib.suppress(OSError):
                self.append(entries.LogRotated(at=time.time(), name=""))
        self.abandon()
        return is_kept

    # -- ending ---------------------------------------------------------------------------------------------------------------------

    def sync(self) -> None:
        os.fsync(self._fd)

    def abandon(self) -> None:
        """Close the file without a word: in a process that was forked it is the other's."""
        fd, self._fd = self._fd, -1
        if fd >= 0:
            os.close(fd)

    def _sync_directory(self) -> None:
        if self._syncs:
            fd = os.open(self.path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            try:
                os.fsync(fd)
            finally:
                os.close(fd)


class _Opened(msgspec.Struct):
    """What has to be known of a file's first line."""

    format: int
    keyed: bool
    log: str
    file: int
    first_kept: int


def _take(path: Path) -> int:
    """The file, open and locked."""
    while True:
        try:
            fd = os.open(path, _FLAGS, 0o600)
        except FileNotFoundError:
            raise AuditError(f"{path} cannot be written: the directory {path.parent} does not exist; make it first") from None
        except OSError as error:
            raise AuditError(f"{path} cannot be written: {error.strerror}") from error
        try:
            if not stat.S_ISREG(os.fstat(fd).st_mode):
                raise AuditError(f"{path} is no file: an audit log is written to a file of its own")
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            there, ours = os.stat(path), os.fstat(fd)  # noqa: PTH116
            if (there.st_dev, there.st_ino) == (ours.st_dev, ours.st_ino):
                return fd
        except BlockingIOError:
            os.close(fd)
            raise AuditError(
                f"{path} is being written by another process, or by another AuditLog of this one: give each its own path"
            ) from None
        except FileNotFoundError:
            pass
        except BaseException:
            os.close(fd)
            raise
        os.close(fd)  # it was full, and another has its name now


def _rename_or_link(path: Path, full: Path) -> None:
    """Give a file its second name. With a link there is no moment without the first; not every file system has them."""
    try:
        os.link(path, full)
    except FileExistsError:
        raise
    except OSError:
        if full.exists():
            raise
        os.rename(path, full)  # noqa: PTH104


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
    parts: list[Any] = []
    while size > 0:
        part = os.pread(fd, size, start)
        if not part:
            break
        parts.append(part)
        start += len(part)
        size -= len(part)
    return b"".join(parts)
