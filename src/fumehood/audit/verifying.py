"""Whether a log is as it was written: every line fits its hash and follows the one before, and
there is an end.

What it cannot see: a log that somebody has written anew from the first line to the last, if it has
no key; and the lines of whole sittings cut off at the end, if a log was opened and closed several
times. Against both, keep `last_hash` elsewhere and `expect` it.
"""

from __future__ import annotations

import fcntl
import hmac
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from fumehood.asked import path_of
from fumehood.audit.chain import MAX_LINE_BYTES, NOTHING, Hasher, Link, link_of
from fumehood.audit.entries import ENDS, ENTRIES
from fumehood.audit.files import full_name, number_of
from fumehood.audit.held import release_all
from fumehood.audit.reading import Broken, Record, lines_of, open_files, record_of
from fumehood.errors import AuditError

_NO_END = "has no end: the host is still writing, was killed, or lines were cut off"

_NO_NEXT = (
    "has no end: it goes on in another file, which the host was killed before it could begin, or"
    " which was taken away"
)

_MOST_KEPT = 100
"""Lines about losses and gaps that are told of."""


@dataclass(frozen=True, slots=True)
class Verification:
    """What is known of a log's integrity."""

    files: tuple[Path, ...]
    lines: int
    keyed: bool
    sealed: bool
    """Whether the last line is an end."""
    is_open: bool
    """Whether somebody has it open for writing now."""
    first_number: int
    last_number: int
    last_hash: str
    broken: Broken | None = None
    """The first line that is not as it should be. The counts are of what comes before it."""
    recovered: tuple[Record, ...] = ()
    """Lines that say that the sitting before them had no end; the first hundred."""
    missing: int = 0
    """Events that could not be written, as the log itself says."""
    removed: int = 0
    """Older files that were removed to make room, as the log itself says, or that were not looked
    at."""
    notes: tuple[str, ...] = ()

    @property
    def intact(self) -> bool:
        """Whether no line that is there is broken. Lines may be missing at the end: see
        `sealed`."""
        return self.broken is None

    @property
    def ok(self) -> bool:
        return self.broken is None and (self.sealed or self.is_open)

    def __str__(self) -> str:
        if self.broken is not None:
            return str(self.broken)
        files = f" in {len(self.files)} files" if len(self.files) > 1 else ""
        head = (
            f"{self.files[-1]}: {'ok, ' if self.ok else ''}{self.lines:,}"
            f" lines{files}{', keyed' if self.keyed else ''}"
        )
        return "\n".join([head, *self.notes])


def verify(
    path: str | os.PathLike[str], key: bytes | str | None = None, *, expect: str | None = None
) -> Verification:
    """Check every line of a log, of all its files; of a full file, of that alone. AuditError if
    there is nothing to check.

    `expect` is the hash of a line, kept elsewhere (`AuditLog.last_hash`, `Verification.last_hash`):
    that line must be there."""
    release_all()
    path = path_of("an audit log", path, AuditError)
    check = _Check(
        path,
        Hasher(key),
        is_open=_is_open(path),
        expected=None if expect is None else expect.encode(),
    )
    check.run()
    return check.verification()


class _Stop(Exception):
    """The first broken line was found."""


@dataclass
class _Check:
    path: Path
    hasher: Hasher
    is_open: bool
    expected: bytes | None = None
    files: list[Path] = field(default_factory=list)
    lines: int = 0
    first: int = 0
    number: int = 0
    hash: bytes = NOTHING
    event: str = ""
    is_torn: bool = False
    broken: Broken | None = None
    recovered: list[Record] = field(default_factory=list)
    missing: int = 0
    gaps: list[Record] = field(default_factory=list)
    lines_here: int = 0
    is_moved: bool = False
    """Whether the last file to end had lost its name by then."""
    first_file: int = 0
    opened: dict[str, Any] = field(default_factory=dict)
    log: str = ""

    def run(self) -> None:
        try:
            for file, stream in open_files(self.path):
                with stream:
                    if self.is_torn:
                        self._stop(
                            self.files[-1],
                            self.lines_here + 1,
                            "is incomplete, though another file follows",
                        )
                    self.files.append(file)
                    self.lines_here = 0
                    for line, raw in lines_of(stream):
                        if raw is not None and raw[-1:] != b"\n":
                            self.is_torn = True
                            break
                        self._line(file, line, raw)
                        self.lines_here = line
                    if not self.lines_here:
                        if file == self.files[0]:
                            raise AuditError(f"{file} is no audit log: it has not one whole line")
                        self._stop(file, 1, "is not there, though files come before this one")
            self._whole_set()
        except _Stop:
            pass

    def _stop(self, file: Path, line: int, why: str) -> None:
        self.broken = Broken(file, line, why)
        raise _Stop

    def _line(self, file: Path, line: int, raw: bytes | None) -> None:
        if raw is None:
            self._stop(file, line, f"is longer than {MAX_LINE_BYTES:,} bytes")
            return
        link = link_of(raw[:-1])
        if link is None:
            if not self.lines and not raw.startswith(b'{"n":'):
                raise AuditError(
                    f"{file} is no audit log: its first line is not one that AuditLog writes"
                )
            self._stop(file, line, "is no line of an audit log: it was changed")
            return
        if line == 1:
            self._first_line(file, raw, link)
        if self.lines and link.number != self.number + 1:
            how = (
                "lines are missing before it"
                if link.number > self.number + 1
                else "it is here twice, or in the wrong place"
            )
            self._stop(
                file, line, f"has the number {link.number} and comes after {self.number}: {how}"
            )
        if self.lines and link.previous != self.hash:
            self._stop(
                file,
                line,
                "does not follow the line before: one of them was changed, put in, or taken from"
                " elsewhere",
            )
        if not hmac.compare_digest(self.hasher(link.body), link.hash):
            also = ", or the key is another one" if self.hasher.is_keyed else ""
            self._stop(file, line, f"does not fit its hash: it was changed{also}")
        self._order(file, line, link)
        if link.event in ENTRIES:
            self._own_line(file, line, raw, link)
        if not self.lines:
            self.first = link.number
        self.lines += 1
        self.number, self.hash, self.event = link.number, link.hash, link.event
        if link.hash == self.expected:
            self.expected = None

    def _first_line(self, file: Path, raw: bytes, link: Link) -> None:
        """What must hold before the hashes of a file can be judged."""
        if link.event != "LogOpened":
            self._stop(file, 1, "is not the beginning of a log: lines are missing before it")
        try:
            keyed = msgspec.json.decode(raw).get("keyed")
        except (ValueError, AttributeError):
            self._stop(file, 1, "is no line of an audit log: it was changed")
            return
        if keyed is not True and self.hasher.is_keyed:
            self._stop(
                file,
                1,
                "was written without a key, though there should be one: somebody else wrote this"
                " file",
            )
        if keyed is True and not self.hasher.is_keyed:
            self._stop(file, 1, "was written with a key: give it")
        if link.number == 1 and link.previous != NOTHING:
            self._stop(file, 1, "is not the beginning of a log: it was changed")

    def _order(self, file: Path, line: int, link: Link) -> None:
        """A sitting begins after the end of another."""
        if link.event == "LogOpened" and self.event and self.event not in ENDS:
            self._stop(
                file, line, "begins where nothing has ended: lines were taken away before it"
            )
        if self.event == "LogRotated" and link.event != "LogOpened":
            self._stop(file, line, "comes after the end of a file")

    def _own_line(self, file: Path, line: int, raw: bytes, link: Link) -> None:
        record = record_of(file, line, raw)
        if isinstance(record, Broken):
            self._stop(file, line, record.why)
            return
        try:
            record.decoded()
        except AuditError as error:
            self._stop(file, line, str(error).partition(": ")[2])
        fields = record.fields
        if link.event == "LogRecovered":
            self.recovered.append(record)
            del self.recovered[_MOST_KEPT:]
        elif link.event == "LogGap":
            self.missing += fields["events"]
            self.gaps.append(record)
            del self.gaps[_MOST_KEPT:]
        elif link.event == "LogRotated":
            self.is_moved = not fields["name"]
        elif link.event == "LogOpened":
            self.opened = fields
            self.first_file = self.first_file or fields["file"]
            self.log = self.log or fields["log"]
            if fields["log"] != self.log:
                self._stop(file, line, "belongs to another log")

    def _whole_set(self) -> None:
        """Whether anything is missing that the lines alone do not tell of."""
        if self.expected is not None:
            why = (
                "is the last, and none before it has the hash that was expected: lines were cut"
                " off, or the log was written anew"
            )
            self._stop(self.files[-1], max(1, self.lines_here), why)
        if self._is_alone:
            return
        first_kept = self.opened.get("first_kept", 1)
        if self.first_file > first_kept:
            missing = full_name(self.path, first_kept).name
            self._stop(self.files[0], 1, f"is not the beginning: {missing} is missing")

    @property
    def _is_alone(self) -> bool:
        """Whether it is a full file that was asked about, and not the log that it belongs to."""
        return (
            len(self.files) == 1 and self.first_file > 0 and number_of(self.path) == self.first_file
        )

    def verification(self) -> Verification:
        is_followed = self.event == "LogRotated" and not self._is_alone and not self.is_moved
        sealed = (
            self.event in ("LogClosed", "LogRotated")
            and not is_followed
            and not self.is_torn
            and self.broken is None
        )
        notes = []
        if self.broken is None:
            if not sealed:
                notes.append(
                    "is being written now" if self.is_open else _NO_NEXT if is_followed else _NO_END
                )
            if self.is_torn and not self.is_open:
                notes.append("its last line is incomplete")
            notes += [
                f"line {record.number}: {record.fields['reason']}; it was gone on with"
                for record in self.recovered
            ]
            notes += [
                f"line {gap.number}: {gap.fields['events']:,} events are missing:"
                f" {gap.fields['reason']}"
                for gap in self.gaps
            ]
        removed = max(0, self.first_file - 1)
        if removed and self.broken is None:
            why = "were not looked at" if self._is_alone else "are not kept"
            notes.append(f"begins with line {self.first:,}: {removed:,} older files {why}")
        return Verification(
            files=tuple(self.files),
            lines=self.lines,
            keyed=self.hasher.is_keyed,
            sealed=sealed,
            is_open=self.is_open,
            first_number=self.first,
            last_number=self.number,
            last_hash=self.hash.decode(),
            broken=self.broken,
            recovered=tuple(self.recovered),
            missing=self.missing,
            removed=removed,
            notes=tuple(notes),
        )


def _is_open(path: Path) -> bool:
    """Whether somebody holds the lock that a log is written under."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
    except OSError:
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(fd)
    return False
