"""Lines as records, one after the other, whoever wrote the file. Whether anything was changed is
another question: see verifying.py."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import IO, Any, Final

import msgspec

from fumehood.asked import path_of
from fumehood.audit.chain import MAX_LINE_BYTES, link_of
from fumehood.audit.encoding import decode_event
from fumehood.audit.files import files_of, full_files, number_of
from fumehood.audit.held import release_all
from fumehood.errors import AuditError
from fumehood.events import Event

__all__ = ["Broken", "Record", "files_of", "read"]

_CHUNK: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Broken:
    """A line that is not as it should be."""

    file: Path
    line: int
    """In that file, from 1."""
    why: str

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}: {self.why}"


@dataclass(frozen=True, slots=True)
class Record:
    """A line, taken apart. `fields` are those of its event as they stand there: untrusted, of any
    type."""

    file: Path
    line: int
    number: int
    event: str
    at: float
    session: str
    cell: int
    run: str
    fields: dict[str, Any]
    previous: str
    hash: str
    raw: bytes

    def decoded(self) -> Event:
        """The event, typed again and its values decoded. AuditError if the line holds none."""
        where = {"at": self.at, "session": self.session, "cell": self.cell, "run": self.run}
        try:
            return decode_event(self.event, {**self.fields, **where})
        except AuditError as error:
            raise AuditError(f"{self.file}, line {self.line}: {error}") from None


def read(
    path: str | os.PathLike[str], *, damaged: Callable[[Broken], object] | None = None
) -> Iterator[Record]:
    """The lines of all files of a log, the oldest first. One that cannot be read is an AuditError,
    or is told to `damaged` and left out.

    An incomplete last line is told to `damaged` too, and is no error without: somebody may be just
    writing it.
    """
    release_all()
    for file, stream in open_files(path_of("an audit log", path, AuditError)):
        with stream:
            for line, raw in lines_of(stream):
                found = (
                    _incomplete(file, line)
                    if raw is not None and raw[-1:] != b"\n"
                    else record_of(file, line, raw)
                )
                if isinstance(found, Record):
                    yield found
                elif damaged is not None:
                    damaged(found)
                elif raw is None or raw[-1:] == b"\n":
                    raise AuditError(str(found))


def _incomplete(file: Path, line: int) -> Broken:
    return Broken(file, line, "is incomplete")


class _Fields(msgspec.Struct):
    """What every line has."""

    at: float
    session: str
    cell: int
    run: str


def record_of(file: Path, line: int, raw: bytes | None) -> Record | Broken:
    """A line with its newline, taken apart, or why it cannot be. None stands for one that was too
    long."""
    if raw is None:
        return Broken(file, line, f"is longer than {MAX_LINE_BYTES:,} bytes")
    raw = raw[:-1]
    link = link_of(raw)
    if link is None:
        return Broken(file, line, "is no line of an audit log")
    try:
        where = msgspec.json.decode(raw, type=_Fields)
        fields = msgspec.json.decode(raw)
    except (ValueError, RecursionError) as error:
        return Broken(file, line, f"is no line of an audit log: {error}")
    if not isfinite(where.at):
        return Broken(file, line, "is no line of an audit log: it has no time")
    for name in ("n", "previous", "event", "at", "session", "cell", "run", "hash"):
        del fields[name]
    number, previous, digest = link.number, link.previous.decode(), link.hash.decode()
    return Record(
        file,
        line,
        number,
        link.event,
        where.at,
        where.session,
        where.cell,
        where.run,
        fields,
        previous,
        digest,
        raw,
    )


# -- files


def open_files(path: Path) -> Iterator[tuple[Path, IO[bytes]]]:
    """The files of a log, in order and open: whoever takes one closes it. AuditError if there is
    none, or one cannot be read.

    The newest is opened first: should it become full and get another name meanwhile, it is still
    the newest here.
    """
    if number_of(path) is not None and not full_files(path):
        yield path, _opened(path)
        return
    newest = None
    try:
        newest = _opened(path)
    except AuditError:
        if path.exists() or not full_files(path):
            raise
    try:
        for full in full_files(path):
            stream = _opened(full)
            if newest is not None and os.path.sameopenfile(stream.fileno(), newest.fileno()):
                stream.close()
                break
            yield full, stream
        if newest is not None:
            handed, newest = newest, None
            yield path, handed
    finally:
        if newest is not None:
            newest.close()


def _opened(path: Path) -> IO[bytes]:
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
    except OSError as error:
        raise AuditError(f"{path} cannot be read: {error.strerror}") from None
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise AuditError(
            f"{path} cannot be read: it is no file; a log is one, with its older files beside it"
        )
    return os.fdopen(fd, "rb", buffering=_CHUNK)


def lines_of(stream: IO[bytes]) -> Iterator[tuple[int, bytes | None]]:
    """Lines with their numbers, each with its newline if it has one; None for one that is too long
    to be held."""
    number = 0
    while line := stream.readline(MAX_LINE_BYTES + 1):
        number += 1
        if len(line) <= MAX_LINE_BYTES:
            yield number, line
            continue
        while line and line[-1:] != b"\n":
            line = stream.readline(_CHUNK)
        yield number, None
