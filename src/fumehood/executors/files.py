"""Files of a sandbox, seen from the host. They can be reached at any time, while a cell runs too:
it is not code that serves them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, cast, get_args

from fumehood.errors import WorkerProtocolError
from fumehood.events import DirectoryMade, Event, FileRemoved, FileRenamed, FileWritten
from fumehood.executors.clerks import PIECE
from fumehood.executors.jailed import JailedWorker
from fumehood.executors.watches import Watch
from fumehood.wire import messages
from fumehood.wire.values import Encoder

Path = str | os.PathLike[str]
EntryKind = Literal["file", "directory", "link", "other"]

_MOST_FILES = 100_000
_MOST_ENTRIES = 10_000
_ROW = (str, str, int, int, float, str)
_encode = Encoder().encode


@dataclass(frozen=True, slots=True)
class Entry:
    """Something in /lab, as it was when it was looked at. Names that are not UTF-8 are told as
    Python does, with surrogates."""

    path: str
    """Relative to /lab; empty for /lab itself."""
    name: str
    kind: EntryKind
    size: int
    mode: int
    """Permissions, as of `chmod`."""
    modified: float
    """When it was last changed, in seconds since the epoch. Code can set it to anything."""
    target: str
    """Where a link leads; empty for all else. Code can write anything into a link, and nobody here
    follows one."""


class Files:
    """Files of /lab. Paths are relative to it, or begin with /lab, /home/user or /tmp, which are
    names for the same place. No link is followed, and nothing outside of /lab can be named.

    ValueError for a path that is none of these; FileNotFoundError and the other kinds of OSError as
    for any file.
    """

    def __init__(self, worker: JailedWorker, most_bytes: int) -> None:
        self._worker = worker
        self._ask = worker.filing.ask
        self._most = most_bytes

    # -- content

    def write(
        self,
        path: Path,
        content: bytes | bytearray | memoryview | str | Iterable[bytes],
        *,
        at: int = 0,
    ) -> None:
        """Write a file, and the directories it is in. Text is written as UTF-8. A file that is
        there is replaced, or, with `at`, from that byte on written over. An iterable is written
        piece by piece; if it raises, what came before is there."""
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
            self._change(
                partial(messages.WriteFile, path=path, content=node, at=at + begin), buffers
            )
        self._tell(FileWritten, path=path, content=content, at_byte=at)

    def read(self, path: Path, most: int | None = None) -> bytes:
        """The content of a regular file, if it is not longer than `most` bytes."""
        if most is not None and type(most) is not int:
            raise ValueError(f"most is a number of bytes or None, not {most!r:.60}")
        return b"".join(self._pieces(_name(path), PIECE, self._most if most is None else most))

    def pieces(self, path: Path, size: int = 1 << 20) -> Iterator[bytes]:
        """The content of a regular file, `size` bytes at a time. What is added to it after the
        first piece is left out; SandboxFailed if another file has taken its place meanwhile."""
        if type(size) is not int or size < 1:
            raise ValueError(f"the size of a piece is a number of bytes, not {size!r}")
        return self._pieces(_name(path), min(size, PIECE), None)

    def _pieces(self, path: str, size: int, most: int | None) -> Iterator[bytes]:
        at, end, which = 0, 1, None
        while at < end:
            length = size if which is None else min(size, end - at)
            answer = self._ask(partial(messages.ReadFile, path=path, most=length, at=at))
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
        """Path and size in bytes of every regular file."""
        found = self._ask(partial(messages.ListFiles, most=_MOST_FILES))
        if type(found) is not list or len(found) > _MOST_FILES:
            raise WorkerProtocolError("the sandbox gave something else than a list of files")
        return dict(_typed(row, (str, int), "a list of files") for row in found)

    def entries(self, path: Path = "", depth: int = 1) -> list[Entry]:  # type: ignore[valid-type]  # the method above has the name
        """What is in a directory, in order of the paths; with `depth`, also what is so many
        directories down. ValueError if that is more than 10,000."""
        if type(depth) is not int:
            raise ValueError(f"depth is a number of directories, such as 2, not {depth!r:.60}")
        found = self._ask(
            partial(messages.ListEntries, path=_name(path), depth=depth, most=_MOST_ENTRIES)
        )
        if type(found) is not list or len(found) > _MOST_ENTRIES:
            raise WorkerProtocolError("the sandbox gave something else than what is in a directory")
        return [_entry(row) for row in found]

    def look(self, path: Path) -> Entry | None:
        """What is there; None if nothing is, or only by way of a link."""
        found = self._ask(partial(messages.LookAt, path=_name(path)))
        return None if found is None else _entry(found)

    def make_directory(self, path: Path) -> bool:
        """Make a directory, and those it is in. False if it was there already."""
        made = self._change(partial(messages.MakeDirectory, path=_name(path)))
        if type(made) is not bool:
            raise WorkerProtocolError("the sandbox does not say whether a directory was made")
        if made:
            self._tell(DirectoryMade, path=os.fspath(path))
        return made

    def rename(self, old: Path, new: Path) -> Entry:
        """Give a file or directory another name, in a directory that is made if it is not there. A
        file that had the name is replaced."""
        entry = _entry(self._change(partial(messages.RenameFile, path=_name(old), to=_name(new))))
        self._tell(FileRenamed, path=os.fspath(old), to=os.fspath(new))
        return entry

    def remove(self, path: Path) -> None:
        """Remove a file or a link, or a directory with all in it."""
        self._change(partial(messages.RemoveFile, path=_name(path)))
        self._tell(FileRemoved, path=os.fspath(path))

    def watch(self, path: Path = "", recursive: bool = False) -> Watch:
        """Be told what happens in a directory from now on, whoever does it, and in those below it
        if `recursive`. To be closed, best as a context manager: `with executor.files.watch() as
        watch: ...`. After `restore()` the files are others: watch again."""
        return Watch(self._worker.filing.another(), _name(path), recursive=recursive)

    def _change(self, make: Any, buffers: Any = ()) -> Any:
        return self._ask(make, buffers, changes=True)

    def _tell(self, kind: type[Event], **fields: Any) -> None:
        self._worker.trail.tell(kind, **fields)


def _name(path: Path) -> str:
    name = os.fspath(path) if isinstance(path, (str, os.PathLike)) else path
    if not isinstance(name, str):
        raise TypeError(f"a path of /lab is a text or a Path, not {type(path).__name__}")
    return name


def _entry(row: Any) -> Entry:
    path, kind, size, mode, modified, target = _typed(row, _ROW, "what is in a directory")
    if kind not in get_args(EntryKind) or size < 0:
        raise WorkerProtocolError("the sandbox told of a file that there cannot be")
    return Entry(
        path, path.rpartition("/")[2] or "lab", cast(EntryKind, kind), size, mode, modified, target
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
