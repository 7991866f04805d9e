"""AuditLog: an observer that writes every event to a file before anything goes on.

What cannot be written is not lost without a word: the first failure is raised, which whoever tells
of events reports (observing.py), every event after that is tried again, and when writing works
again a line says how many are missing.
"""

from __future__ import annotations

import atexit
import contextlib
import logging
import math
import os
import threading
import time
import warnings
import weakref
from collections import deque
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, Literal, Self

from fumehood import asked
from fumehood.audit import entries, held
from fumehood.audit.appending import LogFile
from fumehood.audit.chain import Hasher
from fumehood.audit.encoding import EventEncoder
from fumehood.audit.files import child_name
from fumehood.audit.opening import End, Place
from fumehood.audit.values import MAX_VALUE_BYTES
from fumehood.errors import AuditError, ObserverFailed
from fumehood.events import KINDS, CellFinished, Event, SessionClosed
from fumehood.observing import report

ROTATE_BYTES: Final = 64_000_000
_LEAST_ROTATE_BYTES: Final = 4096
_LOOK_SECONDS: Final = 1.0
"""How often it is looked whether the file is still there."""

_UNCHANGING: Final = frozenset({type(None), bool, int, float, str, bytes})
"""Values that nobody can change before they are written."""

_log = logging.getLogger("fumehood.audit")
_logs: weakref.WeakSet[AuditLog] = weakref.WeakSet()


class AuditLog:
    """Writes events as JSON lines, each with the hash of the one before; `verify` finds what was
    changed. Give it to an executor or an agent as `audit=`, or to `observe`.

    `key` makes the hashes HMACs, which nobody can make who has not got it. A file that has reached
    `rotate_bytes` (None: never) is renamed to end in .000001, .000002, …; of those `keep_files` are
    kept (None: all). `fsync` says when lines are brought to the disk, which only matters when the
    machine stops: "never", "close", "line", or a number of seconds that may pass between two
    events. `skip` names events that are not written; what code prints is in CellFinished too. A
    value of more than `max_value_bytes` is described instead; of displays only size and hash are
    kept, or, with displays=True, all.

    One path, one log: a second one, of this or another process, is an AuditError. A log that was
    not closed is gone on with, and says so. A process that is forked goes on in a file of its own,
    named after the first with .child-, its process id and a random word.
    """

    is_prompt = True
    """It is told at once and not by way of a queue (observing.py)."""

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        key: bytes | str | None = None,
        rotate_bytes: int | None = ROTATE_BYTES,
        keep_files: int | None = None,
        fsync: Literal["never", "close", "line"] | float = "never",
        skip: Iterable[str] = ("Printed",),
        max_value_bytes: int = MAX_VALUE_BYTES,
        displays: bool = False,
    ) -> None:
        self._file: LogFile | None = None
        self._is_closed = True
        self._hasher = Hasher(key)
        given = os.fsdecode(path) if isinstance(path, bytes) else path
        self._path = Path(
            os.path.abspath(asked.path_of("an audit log", given, AuditError))  # noqa: PTH100
        )  # a working directory may change
        self._rotate_bytes = _whole("rotate_bytes", rotate_bytes, _LEAST_ROTATE_BYTES)
        self._keep_files = _whole("keep_files", keep_files, 0)
        asked.whole("max_value_bytes", max_value_bytes, 0, AuditError)
        self._encoder = EventEncoder(max_value_bytes, displays)
        self._encode = self._encoder.encode
        self._names = _names(skip)
        self._fsync = fsync
        self._fsync_seconds = _seconds(fsync)
        self._synced = time.monotonic()
        self._lock = threading.RLock()
        self._is_busy = self._is_to_close = False
        self._late: deque[tuple[str, bytes]] = deque()
        self._held: tuple[str, CellFinished] | None = None
        self.has_held = False
        """Whether a line is kept back for a moment: see held.py."""
        self._missing = 0
        self._why_missing = ""
        self._is_failing = False
        self._is_leaving = False
        self._parent = ("", "")
        self._after: tuple[Place, End] | None = None
        self._is_usual = False
        """Whether there is nothing to do but to write a line."""
        self._looked = self._look_at = 0.0
        self._number_looked = 0
        self._rotate_at: float = 0
        self._open()
        self._is_closed = False
        _logs.add(self)
        held.add(self)

    @property
    def path(self) -> Path:
        """The file that is being written."""
        return self._path

    @property
    def last_hash(self) -> str:
        """The hash of the last line. Kept elsewhere, it proves later that nothing up to that line
        was changed or cut off."""
        self.release()
        with self._lock:
            return "" if self._file is None else self._file.end.hash.decode()

    def __call__(self, event: Event) -> None:
        """Write an event. The first one that cannot be written raises; so does the first after that
        has worked again."""
        name = self._names.get(type(event))
        if name is None:
            if not isinstance(event, Event):
                raise TypeError(
                    f"an audit log is told events (fumehood.events), not {type(event).__name__}"
                )
            return
        if type(event) is CellFinished and self._hold(name, event):
            return
        try:
            fields = self._encode(event)
        except BaseException:  # an interruption
            self._is_usual = False
            self._missing += 1
            self._why_missing = "interrupted while it was encoded"
            raise
        with self._lock:
            if self._is_busy:  # a signal handler or a finalizer, in the middle of a line
                self._late.append((name, fields))
                return
            try:
                self._is_busy = True
                if self.has_held:
                    self._write_held()
                self._write(name, fields, event)
                while self._late:
                    self._write(*self._late.popleft(), event)
            finally:
                self._is_busy = False
                if self._is_to_close:
                    self.close()

    def _hold(self, name: str, event: CellFinished) -> bool:
        """Keep an event back for a moment, if there is nothing to be said against it: it must not
        change meanwhile."""
        if type(event.execution.value) not in _UNCHANGING or event.execution.displays:
            return False
        with self._lock:
            if not self._is_usual or self._is_busy or self.has_held or self._is_closed:
                return False
            self._held = name, event
            self.has_held = True
        if not held.is_awake:
            held.wake()
        return True

    def _write_held(self) -> None:
        """Write what was kept back, or count it as missing."""
        assert self._held is not None
        name, event = self._held
        missing, mark = self._missing, None if self._file is None else self._file.mark
        try:
            self.has_held = False
            self._write(name, self._encode(event), event)
        except BaseException:
            if self._missing == missing and (
                self._file is None or self._file.mark is mark
            ):  # an interruption before anything was done
                self._is_usual = False
                self._missing += 1
                self._why_missing = "interrupted before it was written"
            raise
        finally:
            self._held = None

    def release(self) -> None:
        """Write what is kept back (held.py). What goes wrong is reported; nothing is raised for
        it."""
        with self._lock:
            if not self.has_held or self._is_busy:
                return
            try:
                self._is_busy = True
                self._write_held()
            except (OSError, AuditError) as error:
                report(f"the observer AuditLog failed: {type(error).__name__}: {error}", error)
            finally:
                self._is_busy = False

    def _write(self, name: str, fields: bytes, event: Event) -> None:
        if self._is_closed:
            if (
                type(event) is not SessionClosed
            ):  # what is closed after its log has nothing to tell that matters
                self._failed(AuditError(f"{self._path} is closed: events are not written any more"))
            return
        file, mark = self._file, None
        try:
            if (
                file is None
                or not self._looked <= event.at < self._look_at
                or file.size >= self._rotate_at
            ):
                file = self._look(event.at)
            mark = file.mark
            if self._is_usual:
                file.write_line(name, fields)
            else:
                self._write_more(file, name, fields)
        except (OSError, AuditError) as error:
            self._failed(error)
        except BaseException:
            if file is None or mark is None or file.mark is mark:
                self._is_usual = False
                self._missing += 1
                self._why_missing = "interrupted before it was written"
            raise

    def _write_more(self, file: LogFile, name: str, fields: bytes) -> None:
        """An event with what has to stand before it, if some are missing, and after it, if the
        program is about to end; and what has to be done then."""
        lines = [(name, fields)]
        missing, why, mark = self._missing, self._why_missing, file.mark
        if missing:
            gap = entries.LogGap(at=time.time(), events=missing, reason=why)
            lines.insert(0, ("LogGap", self._encode(gap)))
        if self._is_leaving:
            lines.append(("LogClosed", self._encode(entries.LogClosed(at=time.time()))))
        try:
            self._missing = 0
            file.write(lines)
        except BaseException:
            if file.mark is mark:  # or else it is written, or will be
                self._missing = missing
            raise
        if self._is_failing:
            _log.warning(
                "%s can be written again; %d events are missing from it", self._path, missing
            )
        self._is_failing = False
        self._is_usual = self._fsync == "never" and not self._is_leaving
        if self._fsync != "never":
            self._sync_in_time(file)

    def _failed(self, error: Exception) -> None:
        """Count what is missing; raise if that is news."""
        self._is_usual = False
        self._missing += 1
        self._why_missing = text = f"{type(error).__name__}: {error}"
        if self._is_failing:
            return
        self._is_failing = True
        _log.error("%s cannot be written: %s", self._path, text)
        if isinstance(error, AuditError):
            raise error
        raise AuditError(
            f"{self._path} cannot be written: {text}; what happens meanwhile is counted"
        ) from error

    # -- the file

    def _open(self) -> LogFile:
        syncs = self._fsync != "never"
        try:
            file = LogFile(
                self._path,
                self._hasher,
                keep_files=self._keep_files,
                syncs=syncs,
                parent=self._parent,
                after=self._after,
            )
        except OSError as error:
            raise AuditError(f"{self._path} cannot be begun: {error.strerror or error}") from error
        self._file, self._parent, self._after = file, ("", ""), None
        self._rotate_at = math.inf if self._rotate_bytes is None else self._rotate_bytes
        self._number_looked = file.end.number
        if file.recovered:
            _log.warning("%s", file.recovered)
            with contextlib.suppress(
                Exception
            ):  # a filter may turn warnings into errors; the log is open all the same
                warnings.warn(file.recovered, ObserverFailed, stacklevel=3)
        return file

    def _look(self, now: float) -> LogFile:
        """The file, after a look at whether it is still where it was, and not full; a new one if
        not."""
        file = self._file
        if file is not None and not file.is_in_place:
            self._file = None
            lines = file.end.number - self._number_looked
            if not file.leave_moved():
                self._is_usual = False
                self._missing += lines
                self._why_missing = "the file was removed while it was written"
            _log.error(
                "%s was moved or removed while it was written; a new one is begun", self._path
            )
            self._after = file.place, file.end
            file = None
        if file is None:
            file = self._open()
        if file.size >= self._rotate_at:
            self._rotate(file)
        self._looked, self._look_at = now, now + _LOOK_SECONDS
        self._number_looked = file.end.number
        return file

    def _rotate(self, file: LogFile) -> None:
        assert self._rotate_bytes is not None
        try:
            file.next_file()
            self._rotate_at = self._rotate_bytes
        # nothing is lost: it goes on in the same file, and is tried again when that has grown
        except OSError as error:
            self._rotate_at = file.size + self._rotate_bytes // 8
            _log.error("%s is full and no other can be begun, so it grows: %s", self._path, error)

    def _sync_in_time(self, file: LogFile) -> None:
        now = time.monotonic()
        if (
            self._fsync == "line"
            or self._fsync_seconds is not None
            and now - self._synced >= self._fsync_seconds
        ):
            self._synced = now
            try:
                file.sync()
            except OSError as error:
                _log.error("%s cannot be brought to the disk: %s", self._path, error)

    # -- the end

    def flush(self) -> None:
        """Bring every line to the disk. To be in the file a line needs no flush, but for a fiftieth
        of a second."""
        self.release()
        with self._lock:
            if self._file is not None:
                self._file.sync()

    def close(self) -> None:
        """Write the end. Closing again does nothing; AuditError if the end cannot be written."""
        with self._lock:
            if self._is_closed:
                return
            if (
                self._is_busy
            ):  # from a signal handler in the middle of a line, which is written first
                self._is_to_close = True
                return
            self.release()
            self._is_closed = True
            _logs.discard(self)
            file, self._file = self._file, None
            if file is None:
                if self._missing:
                    raise AuditError(
                        f"{self._path} could not be written to the end; {self._missing:,} events"
                        f" are lost: {self._why_missing}"
                    )
                return
            try:
                if not self._is_leaving:  # or else the end is there
                    self._seal(file)
                self._missing, self._is_failing = 0, False
            except OSError as error:
                raise AuditError(
                    f"{self._path} has no end, which cannot be written: {error}"
                ) from error
            finally:
                file.abandon()

    def _seal(self, file: LogFile) -> None:
        end = entries.LogClosed(at=time.time())
        gap = (
            [entries.LogGap(at=time.time(), events=self._missing, reason=self._why_missing)]
            if self._missing
            else []
        )
        file.write(
            [
                *self._late,
                *((type(entry).__name__, self._encoder.encode(entry)) for entry in (*gap, end)),
            ]
        )
        self._late.clear()
        if self._fsync != "never":
            file.sync()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.close()

    def __repr__(self) -> str:
        return f"AuditLog({str(self._path)!r}{', closed' if self._is_closed else ''})"

    def _leave(self) -> None:
        """At the end of the program, when others that tell of events may still be about to end: an
        end now, and one after each of them."""
        with self._lock:
            if self._file is None or self._is_closed or self._is_leaving:
                return
            self.release()
            self._is_leaving, self._is_usual = True, False
            self._seal(self._file)
            self._missing = 0

    def _begin_anew(self) -> None:
        """In a process that was forked: the file is the other's, and locks may be held by threads
        that are not there."""
        self._lock = threading.RLock()
        self._is_busy = self._is_to_close = self._is_leaving = self._is_failing = self._is_usual = (
            False
        )
        self._late.clear()
        self._held, self.has_held = None, False
        self._missing = 0
        file, self._file = self._file, None
        self._after = None
        if file is not None:
            self._parent = (str(self._path), file.end.hash.decode())
            file.abandon()
        self._path = child_name(self._path)  # its file is begun with its first event


def _names(skip: Iterable[str]) -> dict[type[Event], str]:
    """The events that are written, and what they are called."""
    if isinstance(skip, bytes) or not isinstance(skip, Iterable):
        raise AuditError(
            f"skip must be a list of names of events, such as ['Printed'], not {asked.shown(skip)}"
        )
    skipped = [skip] if isinstance(skip, str) else list(skip)
    unknown = [
        asked.shown(name) for name in skipped if not isinstance(name, str) or name not in KINDS
    ]
    if unknown:
        raise AuditError(
            f"skip names no event: {', '.join(sorted(unknown)[:10])}; there are {', '.join(KINDS)}"
        )
    return {kind: name for name, kind in KINDS.items() if name not in skipped}


def _whole(name: str, value: int | None, least: int) -> int | None:
    return None if value is None else asked.whole(name, value, least, AuditError, unless=" or None")


def _seconds(fsync: Any) -> float | None:
    if isinstance(fsync, str) and fsync in ("never", "close", "line"):
        return None
    if not asked.is_number(fsync) or not 0 < fsync < asked.MOST_SECONDS:
        raise AuditError(
            "fsync must be 'never', 'close', 'line' or a number of seconds above 0, not"
            f" {asked.shown(fsync)}"
        )
    return float(fsync)


def _leave_all() -> None:
    for log in [*_logs]:
        with contextlib.suppress(Exception):
            log._leave()


def _begin_all_anew() -> None:
    for log in [*_logs]:
        log._begin_anew()


atexit.register(_leave_all)
os.register_at_fork(after_in_child=_begin_all_anew)
