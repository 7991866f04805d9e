"""Files of a sandbox, seen from the host, at any time, also while a cell runs."""

from __future__ import annotations

import contextlib
import itertools
import os
import pathlib
import select
import socket
import stat
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Self, cast, get_args

from fumehood.errors import SandboxFailed, WorkerProtocolError
from fumehood.events import DirectoryMade, FileRemoved, FileRenamed, FileWritten
from fumehood.executors import supervisor
from fumehood.executors.cell import refusal
from fumehood.policy import Limits
from fumehood.wire import messages
from fumehood.wire.frames import Bounds, Buffer
from fumehood.wire.protocol import Conversation, parse_from_worker
from fumehood.wire.values import Decoder, Encoder

if TYPE_CHECKING:
    from fumehood.executors.session import Session

PIECE = 1 << 20
"""So much of a file travels at once."""
MOST_WATCHES = 16
"""Each is a process."""
_BOUNDS = Bounds(header=32 << 20, buffers=2, frame=(32 << 20) + 2 * PIECE)
_CHUNK = 1 << 16
_ANSWER_SECONDS = 60.0


class Gone(Exception):
    """The file server has ended."""


class FileServer:
    """One file server, of one directory. For any thread."""

    def __init__(self, runner: supervisor.Runner) -> None:
        self._sandbox, self._place = runner.sandbox, runner.place
        self._line = self._sandbox.zygote.open_files(self._sandbox, self._place)
        self._line.settimeout(_ANSWER_SECONDS)
        self._conversation = Conversation(_BOUNDS, parse_from_worker)
        self._decode = Decoder().decode
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()
        self.is_over = False

    def is_for(self, runner: supervisor.Runner) -> bool:
        """Whether it serves the files of that runner, and lives."""
        if self.is_over or self._sandbox is not runner.sandbox or self._place != runner.place:
            return False
        if not self._lock.acquire(blocking=False):
            return True  # another thread waits for an answer
        try:
            return not self._is_readable(0)  # between questions only its end is
        except (OSError, ValueError):
            return False
        finally:
            self._lock.release()

    def _is_readable(self, seconds: float) -> bool:
        poll = select.poll()  # not select, which takes no descriptor beyond the thousandth
        poll.register(self._line, select.POLLIN)
        return bool(poll.poll(max(0.0, seconds) * 1000))

    def close(self) -> None:
        """End it. A thread that waits for an answer gets Gone."""
        self.is_over = True
        with contextlib.suppress(OSError):
            self._line.shutdown(socket.SHUT_RDWR)
        if self._lock.acquire(blocking=False):
            self._line.close()
            self._lock.release()

    def ask(self, message: messages.Request, buffers: Sequence[Buffer] = ()) -> Any:
        """Its answer, or its error raised. Gone if it does not answer."""
        with self._lock:
            if self.is_over:
                raise Gone
            number = message.id = next(self._numbers)
            try:
                for piece in self._conversation.send(message, buffers):
                    self._line.sendall(piece)
                answer, parts = self._receive(_ANSWER_SECONDS) or (None, [])
                if answer is None or answer.type not in ("done", "failed") or answer.id != number:
                    raise WorkerProtocolError(
                        "the sandbox's file server did not answer what was asked"
                    )
                value = None if answer.type == "failed" else self._decode(answer.value, parts)
            except BaseException as error:  # the next answer could be the rest of this one
                self.is_over = True
                self._line.close()
                if isinstance(error, OSError):
                    raise Gone from None
                raise
        if answer.type == "failed":
            raise refusal(answer.error, answer.message)
        return value

    def listen(self, seconds: float) -> tuple[Any, list[Any]] | None:
        """What it sends unasked; None if that is nothing for so long. Gone if it ends."""
        with self._lock:
            if self.is_over:
                raise Gone
            try:
                received = self._receive(seconds)
                if not self.is_over:
                    return received
            except OSError:
                pass
            self._line.close()
            raise Gone

    def _receive(self, seconds: float) -> tuple[Any, list[Any]] | None:
        """The next message; None if none arrives in that time. OSError if it has ended."""
        until = time.monotonic() + seconds
        is_late = False
        while (received := self._conversation.next_message()) is None:
            if is_late or not self._is_readable(until - time.monotonic()):
                return None
            is_late = time.monotonic() > until  # also when pieces keep coming
            reader = self._conversation.reader
            room = reader.room()
            if room is not None:
                count = self._line.recv_into(room)
                reader.filled(count)
            else:
                data = self._line.recv(_CHUNK)
                count = len(data)
                reader.feed(data)
            if not count:
                raise ConnectionResetError
        if received[0].type == "broken":
            raise SandboxFailed(received[0].message)
        return received


class FileAccess:
    """A session's access to files: the file server of its runner's directory. `reach` returns that
    runner. `raise_if_lost` raises a better error if the place of a runner is gone."""

    def __init__(
        self,
        reach: Callable[[], supervisor.Runner],
        raise_if_lost: Callable[[supervisor.Runner], None],
    ) -> None:
        self._reach = reach
        self._raise_if_lost = raise_if_lost
        self._server: FileServer | None = None
        self._opening = threading.Lock()
        self._others: weakref.WeakSet[FileServer] = weakref.WeakSet()
        self.has_changes = False
        """Whether the host has changed files since the last cell began."""

    def ask(
        self,
        message: messages.Request,
        buffers: Sequence[Buffer] = (),
        *,
        changes: bool = False,
    ) -> Any:
        """Ask; returns the answer or raises its error. `changes`: this changes files."""
        self.has_changes |= changes
        runner = self._reach()
        try:
            return self._present(runner).ask(message, buffers)
        except Gone:
            self._raise_if_lost(runner)
            raise SandboxFailed(
                "the sandbox ended while its files were being looked at, and it is not known what"
                " came of that"
            ) from None
        except SandboxFailed:
            self._raise_if_lost(runner)
            raise
        finally:
            self.has_changes |= changes  # also for a cell that began meanwhile

    def _present(self, runner: supervisor.Runner) -> FileServer:
        with self._opening:
            if self._server is None or not self._server.is_for(runner):
                self.close()
                self._server = FileServer(runner)
            return self._server

    def another(self) -> FileServer:
        """One more, for a watch."""
        runner = self._reach()
        with self._opening:
            if sum(not server.is_over for server in self._others) >= MOST_WATCHES:
                raise SandboxFailed(
                    f"{MOST_WATCHES} directories of this executor are watched already; close some"
                    " of the watches"
                )
            server = FileServer(runner)
            self._others.add(server)
            return server

    def close(self) -> None:
        server, self._server = self._server, None
        if server is not None:
            server.close()


ChangeKind = Literal["create", "write", "remove", "rename", "chmod", "lost"]

_KINDS = frozenset(get_args(ChangeKind))
_MOST = 10_000
_FOR_EVER = 3600.0


@dataclass(frozen=True, slots=True)
class FileEvent:
    """A change of a path, as Entry.path. A renamed file has `rename` with the old name and `create`
    with the new one. `lost`: events below this path were lost."""

    path: str
    kind: ChangeKind


class Watch:
    """Events of a directory until `close`. Iterating waits for the next one and ends when it is
    closed; SandboxFailed if the sandbox ends before. For one thread; any thread may close it.

    The kernel keeps a number of events that nothing reads; if there are more, one event says
    `lost`.
    """

    def __init__(self, server: FileServer, path: str, *, recursive: bool) -> None:
        self._server = server
        self._decode = Decoder().decode
        try:
            server.ask(messages.WatchFiles(path=path, recursive=recursive))
        except BaseException as error:
            server.close()
            if isinstance(error, Gone):
                raise SandboxFailed("the sandbox ended before its files could be watched") from None
            raise

    def wait(self, timeout: float) -> list[FileEvent]:
        """The events since the last time, or the next ones; none if there are none within `timeout`
        seconds."""
        if self._server.is_over:
            return []
        try:
            received = self._server.listen(timeout)
        except Gone:
            if self._server.is_over:  # by `close`
                return []
            self._server.close()
            raise SandboxFailed("the sandbox whose files were watched has ended") from None
        return [] if received is None else self._events(*received)

    def _events(self, message: Any, buffers: list[Any]) -> list[FileEvent]:
        rows = self._decode(message.happened, buffers) if message.type == "files_changed" else None
        try:
            if type(rows) is list and len(rows) <= _MOST:
                return [_event(row) for row in rows]
            raise WorkerProtocolError("the sandbox sent something else than events of files")
        except WorkerProtocolError:
            self._server.close()
            raise

    def __iter__(self) -> Iterator[FileEvent]:
        while not self._server.is_over:
            yield from self.wait(_FOR_EVER)

    def close(self) -> None:
        """End it. Closing twice is harmless."""
        self._server.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _event(row: Any) -> FileEvent:
    path, kind = _typed(row, (str, str), "an event of a file")
    if kind not in _KINDS:
        raise WorkerProtocolError("the sandbox sent an event of an unknown kind")
    return FileEvent(path, kind)


Path = str | os.PathLike[str]
EntryKind = Literal["file", "directory", "link", "other"]

_MOST_FILES = 100_000
_MOST_ENTRIES = 10_000
_ROW = (str, str, int, int, float, str)
_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_encode = Encoder().encode


@dataclass(frozen=True, slots=True)
class Entry:
    """A file, directory or link of the sandbox at one moment. Names that are not UTF-8 have
    surrogates, as in Python."""

    path: str
    """Relative to /home/user, and empty for /home/user itself; or absolute and below /tmp."""
    name: str
    kind: EntryKind
    size: int
    mode: int
    """Permissions, as of `chmod`."""
    modified: float
    """When it was last changed, in seconds since the epoch. Code can set it to anything."""
    target: str
    """Where a link leads, which can be any text; empty for all else."""


class Files:
    """Files of /home/user and /tmp. Paths are relative to /home/user, or begin with /home/user or
    /tmp; others are a ValueError. No link is followed. OSErrors are those of the file."""

    def __init__(self, session: Session, limits: Limits) -> None:
        self._session = session
        self._ask, self._emit = session.files.ask, session.events.emit
        self._most, self._room = limits.file_bytes, limits.lab_bytes

    # -- content

    def write(
        self,
        path: Path,
        content: bytes | bytearray | memoryview | str | Iterable[bytes],
        *,
        at: int = 0,
    ) -> None:
        """Write a file, and the directories it is in. Text is written as UTF-8. A file that exists
        is replaced, or overwritten from byte `at` on. An iterable is written piece by piece; if it
        raises, the pieces before stay."""
        name = _name(path)
        if type(at) is not int or at < 0:
            raise ValueError(f"at is the number of a byte, 0 or more, not {at!r:.60}")
        if isinstance(content, str):
            content = content.encode()
        if isinstance(content, (bytes, bytearray, memoryview)):
            self._write(name, bytes(content), at)
            return
        if not isinstance(content, Iterable):
            raise TypeError(
                "a file is written from bytes, a text, or an iterable of bytes, not"
                f" {type(content).__name__}"
            )
        start = at
        for piece in content:
            if not isinstance(piece, (bytes, bytearray, memoryview)):
                raise TypeError(
                    f"a file is written from pieces of bytes, not {type(piece).__name__}"
                )
            if piece:
                self._write(name, bytes(piece), at)
                at += len(piece)
        if at == start:
            self._write(name, b"", at)

    def _write(self, path: str, content: bytes, at: int) -> None:
        view = memoryview(content)
        for begin in range(0, max(len(view), 1), PIECE):
            node, buffers = _encode(bytes(view[begin : begin + PIECE]))
            self._change(messages.WriteFile(path=path, content=node, at=at + begin), buffers)
        self._emit(FileWritten, path=path, content=content, at_byte=at)

    def read(self, path: Path, most: int | None = None) -> bytes:
        """The content of a regular file, if it is not longer than `most` bytes."""
        if most is not None and type(most) is not int:
            raise ValueError(f"most is a number of bytes or None, not {most!r:.60}")
        return b"".join(self._pieces(_name(path), PIECE, self._most if most is None else most))

    def pieces(self, path: Path, size: int = 1 << 20) -> Iterator[bytes]:
        """The content of a regular file, `size` bytes at a time, without bytes that are appended
        meanwhile; OSError if another file replaces it."""
        if type(size) is not int or size < 1:
            raise ValueError(f"the size of a piece is a number of bytes, not {size!r}")
        return self._pieces(_name(path), min(size, PIECE), None)

    def _pieces(self, path: str, size: int, most: int | None) -> Iterator[bytes]:
        at, end, which = 0, 1, None
        while at < end:
            length = size if which is None else min(size, end - at)
            answer = self._ask(messages.ReadFile(path=path, most=length, at=at))
            content, now, file = _typed(answer, (bytes, int, int), "a piece of a file")
            if len(content) > length or now < 0:
                raise WorkerProtocolError("the sandbox gave more of a file than was asked for")
            if which is None:
                end, which = now, file
                if most is not None and end > most:
                    raise ValueError(
                        f"{path!r} is longer than {most:,} bytes: pieces() reads it in parts"
                    )
            elif file != which:
                raise OSError(f"{path!r} was replaced by another file while it was being read")
            if not content:
                return  # it has become shorter
            content = content[: end - at]
            at += len(content)
            yield content

    # -- names

    def list(self) -> dict[str, int]:
        """Path and size in bytes of every regular file below /home/user."""
        found = self._ask(messages.ListFiles(most=_MOST_FILES))
        if type(found) is not list or len(found) > _MOST_FILES:
            raise WorkerProtocolError("the sandbox gave something else than a list of files")
        return dict(_typed(row, (str, int), "a list of files") for row in found)

    def entries(self, path: Path = "", depth: int = 1) -> list[Entry]:  # type: ignore[valid-type]  # the method above has the name
        """What is in a directory, and `depth` - 1 directories below it, in order of the paths.
        ValueError for more than 10,000 entries."""
        if type(depth) is not int:
            raise ValueError(f"depth is a number of directories, such as 2, not {depth!r:.60}")
        message = messages.ListEntries(path=_name(path), depth=depth, most=_MOST_ENTRIES)
        found = self._ask(message)
        if type(found) is not list or len(found) > _MOST_ENTRIES:
            raise WorkerProtocolError("the sandbox gave something else than what is in a directory")
        return [_entry(row) for row in found]

    def look(self, path: Path) -> Entry | None:
        """What is there; None if nothing is, or only by way of a link."""
        found = self._ask(messages.LookAt(path=_name(path)))
        return None if found is None else _entry(found)

    def save(self, directory: Path) -> list[str]:  # type: ignore[valid-type]
        """Copy every regular file of /home/user into a directory of this machine, which is made if
        necessary; returns their paths. No link is followed on either side. Files that exist there
        with another content stay; after the others are copied, FileExistsError names them.
        ValueError for more than Limits.lab_bytes: files with holes can seem to be any size."""
        found = self.list()
        room, most = self._room, self._room
        pathlib.Path(directory).mkdir(parents=True, exist_ok=True)
        root = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        differing: list[str] = []
        try:
            for path in found:
                try:
                    for piece in _saved(root, path, self.pieces(path)):
                        room -= piece
                        if room < 0:
                            raise ValueError(
                                f"the files of the sandbox hold more than {most:,} bytes"
                            )
                except FileExistsError:
                    differing.append(path)
        finally:
            os.close(root)
        if differing:
            raise FileExistsError(
                f"{len(differing):,} of {len(found):,} files exist in {os.fspath(directory)} with"
                f" another content and were not copied: {differing[0]!r:.200}"
            )
        return [*found]

    def make_directory(self, path: Path) -> bool:
        """Make a directory, and those it is in. False if it exists."""
        made = self._change(messages.MakeDirectory(path=_name(path)))
        if type(made) is not bool:
            raise WorkerProtocolError("the sandbox does not say whether a directory was made")
        if made:
            self._emit(DirectoryMade, path=os.fspath(path))
        return made

    def rename(self, old: Path, new: Path) -> Entry:
        """Rename a file or directory. The new directory is made if necessary; a file with the new
        name is replaced."""
        entry = _entry(self._change(messages.RenameFile(path=_name(old), to=_name(new))))
        self._emit(FileRenamed, path=os.fspath(old), to=os.fspath(new))
        return entry

    def remove(self, path: Path) -> None:
        """Remove a file or a link, or a directory with all in it."""
        self._change(messages.RemoveFile(path=_name(path)))
        self._emit(FileRemoved, path=os.fspath(path))

    def watch(self, path: Path = "", recursive: bool = False) -> Watch:
        """Events of a directory from now on, and of those below it if `recursive`. Close it, best
        by `with executor.files.watch() as watch: ...`. Watch again after `restore()`."""
        return Watch(self._session.files.another(), _name(path), recursive=recursive)

    def _change(self, message: messages.Request, buffers: Sequence[Buffer] = ()) -> Any:
        return self._ask(message, buffers, changes=True)


def _name(path: Path) -> str:
    name = os.fspath(path) if isinstance(path, (str, os.PathLike)) else path
    if not isinstance(name, str):
        raise TypeError(f"a path is a text or a Path, not {type(path).__name__}")
    return name


def _saved(root: int, path: str, content: Iterable[bytes]) -> Iterator[int]:
    """Copy a file below an open directory, one step at a time and without following a link; yields
    the size of each piece before it is written. FileExistsError if there is something else."""
    *above, name = path.split("/")
    if not name or any(part in ("", ".", "..") or "\0" in part for part in (*above, name)):
        raise WorkerProtocolError("the sandbox told of a file that there cannot be")
    directory = os.dup(root)
    try:
        for part in above:
            with contextlib.suppress(FileExistsError):
                os.mkdir(part, 0o755, dir_fd=directory)
            try:
                inner = os.open(part, _DIRECTORY, dir_fd=directory)
            except NotADirectoryError:
                raise FileExistsError(path) from None
            os.close(directory)
            directory = inner
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
            descriptor = os.open(name, flags, 0o644, dir_fd=directory)
        except FileExistsError:
            yield from _compared(directory, name, content)
            return
        try:
            with os.fdopen(descriptor, "wb") as file:
                for piece in content:
                    yield len(piece)
                    file.write(piece)
        except BaseException:
            os.unlink(name, dir_fd=directory)  # half of it is of no use
            raise
    finally:
        os.close(directory)


def _compared(directory: int, name: str, content: Iterable[bytes]) -> Iterator[int]:
    """Yield the sizes of pieces as long as a file has the same. FileExistsError if it has not."""
    status = os.stat(name, dir_fd=directory, follow_symlinks=False)
    if not stat.S_ISREG(status.st_mode):
        raise FileExistsError(name)
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    with os.fdopen(os.open(name, flags, dir_fd=directory), "rb") as file:
        for piece in content:
            yield len(piece)
            if file.read(len(piece)) != piece:
                raise FileExistsError(name)
        if file.read(1):
            raise FileExistsError(name)


def _entry(row: Any) -> Entry:
    path, kind, size, mode, modified, target = _typed(row, _ROW, "what is in a directory")
    if kind not in get_args(EntryKind) or size < 0:
        raise WorkerProtocolError("the sandbox told of a file that there cannot be")
    return Entry(
        path, path.rpartition("/")[2] or "user", cast(EntryKind, kind), size, mode, modified, target
    )


def _typed(row: Any, types: tuple[type, ...], what: str) -> Any:
    """A tuple of exactly these types."""
    if (
        type(row) is not tuple
        or len(row) != len(types)
        or any(type(part) is not kind for part, kind in zip(row, types, strict=True))
    ):
        raise WorkerProtocolError(f"the sandbox gave something else than {what}")
    return row
