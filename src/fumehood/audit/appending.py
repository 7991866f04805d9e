"""A log's file while it is written: appended to, made whole again after a crash, followed by
another when it is full.

Every line, or the few that belong together, is one `write` to a file opened for appending. What is
known of the file's end, number, hash and size, changes in one step after that, so that an exception
in the middle (KeyboardInterrupt, the end of an inline cell's time) leaves a pending write that the
next call can see the fate of. A write that fails half-way is taken back. What takes several steps,
the change to another file, is done in a thread of its own, where no such exception arrives.

A new file exists, locked and with its first line, before it gets its name; so there is no moment at
which somebody else could take the name, and a crash at any point leaves files that the next start
knows how to go on from.
"""

from __future__ import annotations

import _thread
import contextlib
import fcntl
import os
import platform
import time
from pathlib import Path

import msgspec

import fumehood
from fumehood.audit import entries
from fumehood.audit.chain import NOTHING, Hasher, make_line
from fumehood.audit.files import full_files, full_name, next_name, number_of
from fumehood.audit.opening import FLAGS, End, Place, end_of, find_end, is_same, take
from fumehood.events import Event

_json = msgspec.json.Encoder()
_State = tuple[int, bytes, int, bool]
_LOOK_SECONDS = 0.0005


class LogFile:
    """One open log. Not safe for threads: the log that has it is. Raises AuditError when it cannot
    be opened and OSError when it cannot be written, after which nothing of what was to be written
    is in it."""

    _fd = -1

    def __init__(
        self,
        path: Path,
        hasher: Hasher,
        *,
        keep_files: int | None = None,
        syncs: bool = False,
        parent: tuple[str, str] = ("", ""),
        after: tuple[Place, End] | None = None,
    ) -> None:
        """`parent` is the log, and its last hash, of the process that this one was forked from;
        `after` where the chain is at if the file that it was in has lost its name."""
        self.path = path
        self.recovered = ""
        """What was found wrong with the end of the file, if anything was."""
        self.place = Place(os.urandom(8).hex(), 1, 1)
        self._end: _State = (0, NOTHING, 0, False)
        """What `end` says, and whether the last line ends the file though no other could be begun.
        A plain tuple, made for every line, takes a fraction of the time."""
        self._hasher = hasher
        self._keep_files = keep_files
        self._syncs = syncs
        self._parent = parent
        self._pending: tuple[bytes, _State] | None = None
        self._is_torn = False
        self._turning: _Turning | None = None
        """The change to another file, while it goes on."""
        self._fd = take(path)
        try:
            self._begin(after)
        except BaseException:
            self.abandon()
            raise

    # -- beginning

    def _begin(self, after: tuple[Place, End] | None) -> None:
        found = find_end(self._fd, self.path, self._hasher)
        if found is None or not found.event:
            loss = None
            if found is not None:
                os.ftruncate(self._fd, 0)
                loss = self._loss("its first line is incomplete", found.lost, found.lost_bytes)
            self._begin_anew(after, loss)
            return
        self.place, self._end = found.place, (*found.end, False)
        if found.lost_bytes:
            os.ftruncate(self._fd, found.end.size)
            self.append(
                self._loss("its last line is incomplete", found.lost, found.lost_bytes),
                self._opening(self.place),
            )
        elif found.event == "LogRotated":
            self._turn(sealed=True)
            self.append(self._loss("the file after it was not begun"))
        elif found.event == "LogClosed":
            self.append(self._opening(self.place))
        else:
            self.append(self._loss("it has no end"), self._opening(self.place))

    def _begin_anew(self, after: tuple[Place, End] | None, loss: Event | None) -> None:
        """An empty file: a chain's first, or the next after one that has lost its name, or after
        full ones whose successor is missing."""
        full = full_files(self.path)
        if after is not None:
            place, end = after
            self.place, self._end = (
                Place(place.log, place.file + 1, place.file + 1),
                (end.number, end.hash, 0, False),
            )
        elif full:
            found = end_of(full[-1], self._hasher)
            self.place, self._end = (
                found.place._replace(file=found.place.file + 1),
                (found.end.number, found.end.hash, 0, False),
            )
            loss = loss or self._loss(f"the file after {full[-1].name} is missing")
        self.append(self._opening(self.place), *([] if loss is None else [loss]))
        self._sync_directory()

    def _loss(self, what: str, lost: bytes = b"", lost_bytes: int = 0) -> entries.LogRecovered:
        reason = f"{what}: the host was killed, or lines were cut off or taken away"
        self.recovered = f"{self.path}: {reason}" + (
            f"; {lost_bytes:,} bytes of an incomplete line were lost" if lost_bytes else ""
        )
        text = lost.decode("utf-8", "backslashreplace")
        return entries.LogRecovered(at=time.time(), lost_bytes=lost_bytes, lost=text, reason=reason)

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

    # -- going on

    @property
    def end(self) -> End:
        return End(*self._end[:3])

    @property
    def size(self) -> int:
        return self._end[2]

    @property
    def mark(self) -> object:
        """Something that is another thing after each write, and the same until then."""
        return self._pending or self._end

    def append(self, *own: Event) -> None:
        """Write lines of the log's own, in one go."""
        self.write([_named(entry) for entry in own])

    def write(self, given: list[tuple[str, bytes]]) -> None:
        """Write a line for each event's name and fields, all or none."""
        self._settle()
        number, previous, size, is_ended = self._end
        if is_ended:  # a new sitting on this one, then
            given = [_named(self._opening(self.place)), *given]
        data = b""
        for name, fields in given:
            number += 1
            line, previous = make_line(self._hasher, number, previous, name, fields)
            data += line
        self._put(data, (number, previous, size + len(data), False))

    def write_line(self, name: str, fields: bytes) -> None:
        """The same for one event, which is what nearly always happens: a cell waits for it."""
        number, previous, size, is_ended = self._end
        if is_ended or self._pending is not None or self._is_torn or self._turning is not None:
            self.write([(name, fields)])
            return
        data, digest = make_line(self._hasher, number + 1, previous, name, fields)
        self._put(data, (number + 1, digest, size + len(data), False))

    def _put(self, data: bytes, end: _State) -> None:
        self._pending = data, end
        try:
            written = os.write(self._fd, data)
            while written < len(
                data
            ):  # a disk that is nearly full takes a part, and then says why not the rest
                written += os.write(self._fd, memoryview(data)[written:])
        except OSError:
            self._take_back()
            raise
        self._end = end
        self._pending = None

    def _take_back(self) -> None:
        self._is_torn = True
        self._pending = None
        with contextlib.suppress(OSError):  # or else before the next line
            if os.fstat(self._fd).st_size > self.size:
                os.ftruncate(self._fd, self.size)
            self._is_torn = False

    def _settle(self) -> None:
        """Find out what became of what was interrupted, and bring it to its end."""
        self._wait_for_turn()
        if self._pending is None:
            if self._is_torn:
                os.ftruncate(self._fd, self.size)
                self._is_torn = False
            return
        data, end = self._pending
        if self._end is not end:
            there = os.fstat(self._fd).st_size - self.size
            if there != len(data):
                try:
                    if there:
                        os.ftruncate(self._fd, self.size)
                    if os.write(self._fd, data) != len(data):
                        raise OSError("a part of a line could not be written")
                except OSError:
                    self._take_back()
                    raise
            self._end = end
        self._pending = None

    # -- the next file

    def next_file(self) -> None:
        """Go on in a new file; this one gets a name with a number. If OSError is raised it goes on
        in this one."""
        self._settle()
        turning = self._turning = _Turning()
        try:
            _thread.start_new_thread(self._turn_apart, (turning,))
        except RuntimeError as error:  # the interpreter is about to end
            self._turning = None
            raise OSError(str(error)) from None
        turning.wait()
        self._turning = None
        if turning.error is not None:
            raise turning.error

    def _wait_for_turn(self) -> None:
        """After an interruption: see a change to its end that has begun, and have no other
        begin."""
        turning = self._turning
        if turning is not None:
            if turning.decide("given up") == "begun":
                turning.wait()
            self._turning = None

    def _turn_apart(self, turning: _Turning) -> None:
        if (
            turning.decide("begun") == "given up"
        ):  # by somebody who was interrupted before this could begin
            return
        try:
            self._turn()
        except BaseException as error:
            turning.error = error
        finally:
            turning.is_over = True

    def _turn(self, *, sealed: bool = False) -> None:
        """The change itself; `sealed` if the last line of this file says so already."""
        others = [
            number_of(other) or 0 for other in full_files(self.path) if not is_same(self._fd, other)
        ]
        number = max(self.place.file, 1 + max(others, default=0))
        full = full_name(self.path, number)
        first_kept = (
            self.place.first_kept
            if self._keep_files is None
            else max(self.place.first_kept, number + 1 - self._keep_files)
        )
        place = Place(self.place.log, number + 1, first_kept)
        last, digest, size, _is_ended = self._end
        line = b""
        # the new file follows a line that is not written yet: should it not be possible, this one
        # has no end
        if not sealed:
            rotated = entries.LogRotated(at=time.time(), name=full.name)
            line, digest = make_line(self._hasher, last + 1, digest, *_named(rotated))
            last += 1
        name = next_name(self.path)
        fd, end = self._make_next(name, place, last, digest)
        try:
            if line:
                self._put(line, (last, digest, size + len(line), True))
            if not is_same(self._fd, full):
                _give_name(self.path, full)
            os.rename(name, self.path)  # noqa: PTH104
        except BaseException:
            os.close(fd)
            with contextlib.suppress(OSError):
                os.unlink(name)  # noqa: PTH108
            raise
        self._go_on_in(fd, end, place)
        for other in full_files(self.path):
            if (number_of(other) or 0) < first_kept:
                with contextlib.suppress(OSError):
                    other.unlink()

    def _go_on_in(self, fd: int, end: _State, place: Place) -> None:
        old, self._fd, self._end, self.place = self._fd, fd, end, place
        with contextlib.suppress(OSError):
            if self._syncs:
                os.fsync(old)
                os.fsync(fd)
        os.close(old)
        self._sync_directory()

    def _make_next(
        self, name: Path, place: Place, number: int, previous: bytes
    ) -> tuple[int, _State]:
        """A locked file that goes on after that line, with its first line."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)  # of a process that was killed just here  # noqa: PTH108
        fd = os.open(name, FLAGS | os.O_EXCL, 0o600)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            line, digest = make_line(
                self._hasher, number + 1, previous, *_named(self._opening(place))
            )
            if os.write(fd, line) != len(line):
                raise OSError("the first line of the next file could not be written")
        except BaseException:
            os.close(fd)
            with contextlib.suppress(OSError):
                os.unlink(name)  # noqa: PTH108
            raise
        return fd, (number + 1, digest, len(line), False)

    # -- the end

    @property
    def is_in_place(self) -> bool:
        """Whether the file still has its name: somebody may have moved or removed it."""
        self._wait_for_turn()
        return is_same(self._fd, self.path)

    def leave_moved(self) -> bool:
        """End a file that has lost its name. Gives whether what was written to it is still
        somewhere."""
        is_kept = os.fstat(self._fd).st_nlink > 0
        if is_kept:
            with contextlib.suppress(OSError):
                self.append(entries.LogRotated(at=time.time(), name=""))
        self.abandon()
        return is_kept

    def sync(self) -> None:
        os.fsync(self._fd)

    def abandon(self) -> None:
        """Close the file without a word: in a process that was forked it is the other's."""
        fd, self._fd = self._fd, -1
        if fd >= 0:
            os.close(fd)

    def __del__(self) -> None:
        with contextlib.suppress(OSError):
            self.abandon()

    def _sync_directory(self) -> None:
        if self._syncs:
            with contextlib.suppress(OSError):
                fd = os.open(self.path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
                try:
                    os.fsync(fd)
                finally:
                    os.close(fd)


class _Turning:
    """A change of files that goes on in another thread, where no exception from elsewhere gets in.
    Who waits for it may be interrupted at any point, so nothing is used that an interruption could
    leave locked."""

    def __init__(self) -> None:
        self._fate: dict[None, str] = {}
        self.is_over = False
        self.error: BaseException | None = None

    def decide(self, fate: str) -> str:
        """What becomes of it, which the first to ask decides: the thread, by beginning, or whoever
        gives it up before that."""
        return self._fate.setdefault(None, fate)

    def wait(self) -> None:
        while not self.is_over:
            time.sleep(_LOOK_SECONDS)


def _named(entry: Event) -> tuple[str, bytes]:
    return type(entry).__name__, _json.encode(entry)


def _give_name(path: Path, full: Path) -> None:
    """Give a file a second name. With a link there is no moment without the first; not every file
    system has them."""
    try:
        os.link(path, full)
    except FileExistsError:
        raise
    except OSError:
        os.rename(path, full)  # noqa: PTH104
