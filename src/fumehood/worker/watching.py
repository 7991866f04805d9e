"""Seeing what happens to files of a lab: by the kernel's word (inotify) where it gives it, else by
looking again and again.

    create    something is there now: it was made, or came by that name
    write     the content of a file has changed
    remove    something is gone
    rename    something has another name now, or is elsewhere; its new name, if that can be seen
              from here, is told by `create`
    chmod     permissions have changed
    lost      more happened than could be told: look for yourself

What happens together may be told as less: a file that is made, written and closed to others in one
go is there when it is first looked at. What code does to directories while they are looked into may
be told as `lost`. No link is followed, and all of it is bounded.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

from fumehood.jail import kernel
from fumehood.worker.lab import Lab, Row, parts_of, shown

Happening = tuple[str, str]
"""A path, relative to the lab, and what has happened to it."""

_MODIFY, _ATTRIB, _MOVED_FROM, _MOVED_TO, _CREATE, _DELETE = 0x2, 0x4, 0x40, 0x80, 0x100, 0x200
_DELETE_SELF, _MOVE_SELF, _OVERFLOW, _IGNORED, _IS_DIRECTORY = (
    0x400,
    0x800,
    0x4000,
    0x8000,
    0x40000000,
)
_ONLY_DIRECTORIES, _NO_LINKS = 0x01000000, 0x02000000
_ALL = (
    _MODIFY
    | _ATTRIB
    | _MOVED_FROM
    | _MOVED_TO
    | _CREATE
    | _DELETE
    | _DELETE_SELF
    | _MOVE_SELF
    | _ONLY_DIRECTORIES
    | _NO_LINKS
)
_HEAD = struct.Struct("=iIII")
_READ = 1 << 16
_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC

MOST_DIRECTORIES = 1024
MOST_NAMES = 10_000
_DEEP = 64


@dataclass(slots=True)
class _Watched:
    path: str
    modes: dict[str, int] = field(default_factory=dict)
    """Names that are there, and their permissions: what the kernel calls a change of attributes is
    mostly one of times."""


class Watcher:
    """By the kernel's word. OSError if it gives none. `descriptor` can be read when something has
    happened."""

    def __init__(self, lab: Lab, path: str, *, recursive: bool) -> None:
        self._lab, self._recursive = lab, recursive
        self._path = shown(parts_of(path))
        self._watched: dict[int, _Watched] = {}
        self._names = 0
        self.descriptor = kernel.inotify()
        try:
            with lab.directory(self._path) as directory:
                self._root = self._add(directory, self._path)
                for _ in self._look_into(self._root, directory, _DEEP):
                    pass
        except OSError:
            os.close(self.descriptor)
            raise

    def happened(self) -> list[Happening]:
        """What has happened, as far as is known; the same thing many times in a row is told
        once."""
        try:
            data = os.read(self.descriptor, _READ)
        except BlockingIOError:
            return []
        told: list[Happening] = []
        at = 0
        while at < len(data):
            number, mask, _cookie, length = _HEAD.unpack_from(data, at)
            at += _HEAD.size
            name = os.fsdecode(data[at : at + length].rstrip(b"\0"))
            at += length
            for happening in self._means(number, mask, name):
                if not told or told[-1] != happening:
                    told.append(happening)
        return told

    def _means(self, number: int, mask: int, name: str) -> Iterator[Happening]:
        if mask & _OVERFLOW:
            yield self._path, "lost"
            return
        watched = self._watched.get(number)
        if watched is None:
            return
        if not name:
            if mask & (_DELETE_SELF | _MOVE_SELF) and number == self._root:
                yield watched.path, "remove" if mask & _DELETE_SELF else "rename"
            if mask & _IGNORED:
                self._forget(number)
            return
        path = f"{watched.path}/{name}" if watched.path else name
        if mask & (_CREATE | _MOVED_TO):
            yield from self._appeared(watched, name, path, is_directory=bool(mask & _IS_DIRECTORY))
        if mask & _MODIFY and (
            name in watched.modes or self._mode_of(watched, name) is not None
        ):  # else it has no name, or none any more
            yield path, "write"
        if mask & _ATTRIB:
            before, now = watched.modes.get(name), self._mode_of(watched, name)
            if now is not None and now != before:
                yield path, "chmod"
        if mask & (_DELETE | _MOVED_FROM):
            self._names -= watched.modes.pop(name, None) is not None
            if mask & _IS_DIRECTORY:
                self._leave(path)
            yield path, "remove" if mask & _DELETE else "rename"

    def _appeared(
        self, watched: _Watched, name: str, path: str, *, is_directory: bool
    ) -> Iterator[Happening]:
        if name in watched.modes:
            self._mode_of(watched, name)
            return  # it was seen when its directory was looked into, and told of then
        self._mode_of(watched, name)
        yield path, "create"
        if is_directory and self._recursive:
            try:
                with self._lab.directory(path) as directory:
                    yield from self._look_into(self._add(directory, path), directory, _DEEP)
            except OSError as error:
                if error.errno in (errno.ENOSPC, errno.EMFILE, errno.ENOMEM):
                    yield path, "lost"

    def _add(self, directory: int, path: str) -> int:
        if len(self._watched) >= MOST_DIRECTORIES:
            raise OSError(
                errno.ENOSPC,
                f"more than {MOST_DIRECTORIES:,} directories are too many to be watched",
            )
        os.fchdir(directory)  # the kernel takes a name, and this one nobody can swap
        number = kernel.inotify_add(self.descriptor, ".", _ALL)
        self._watched[number] = _Watched(path)
        return number

    def _look_into(self, number: int, directory: int, depth: int) -> Iterator[Happening]:
        """Know what is in a directory that has come to be watched, and watch what is below it, if
        that is wanted."""
        watched = self._watched[number]
        below: list[str] = []
        with os.scandir(directory) as entries:
            for entry in entries:
                path = f"{watched.path}/{entry.name}" if watched.path else entry.name
                if self._names >= MOST_NAMES:
                    yield path, "lost"
                    break
                with contextlib.suppress(OSError):
                    watched.modes[entry.name] = stat.S_IMODE(
                        entry.stat(follow_symlinks=False).st_mode
                    )
                    self._names += 1
                    yield path, "create"
                    if entry.is_dir(follow_symlinks=False):
                        below.append(entry.name)
        for name in below if self._recursive and depth else ():
            with contextlib.suppress(FileNotFoundError, NotADirectoryError):
                inner = os.open(name, _DIRECTORY, dir_fd=directory)
                try:
                    path = f"{watched.path}/{name}" if watched.path else name
                    yield from self._look_into(self._add(inner, path), inner, depth - 1)
                finally:
                    os.close(inner)

    def _mode_of(self, watched: _Watched, name: str) -> int | None:
        """The permissions of something now, which are then known."""
        row = None
        with contextlib.suppress(OSError, ValueError):
            row = self._lab.look(f"{watched.path}/{name}" if watched.path else name)
        if row is None:
            return None
        if name not in watched.modes:
            if self._names >= MOST_NAMES:
                return None
            self._names += 1
        watched.modes[name] = row[3]
        return row[3]

    def _leave(self, path: str) -> None:
        """A directory is elsewhere now, or nowhere, with all below it."""
        for number, watched in [*self._watched.items()]:
            if watched.path == path or watched.path.startswith(path + "/"):
                with contextlib.suppress(OSError):
                    kernel.inotify_remove(self.descriptor, number)
                self._forget(number)

    def _forget(self, number: int) -> None:
        watched = self._watched.pop(number, None)
        if watched is not None:
            self._names -= len(watched.modes)


class Looker:
    """By looking, a few times a second, where the kernel does not tell. What is made and gone
    between two looks is not seen, and something renamed is something gone and something new."""

    descriptor = -1
    """There is nothing to wait for: ask a few times a second."""

    def __init__(self, lab: Lab, path: str, *, recursive: bool) -> None:
        self._lab, self._path = lab, shown(parts_of(path))
        self._depth = _DEEP if recursive else 1
        self._seen: dict[str, Row] = self._look()

    def _look(self) -> dict[str, Row]:
        return {row[0]: row for row in self._lab.entries(self._path, self._depth, MOST_NAMES)}

    def happened(self) -> list[Happening]:
        before = self._seen
        try:
            now = self._seen = self._look()
        except ValueError:
            self._seen = {}
            return [(self._path, "lost")]
        except OSError:
            self._seen = {}
            return [(self._path, "remove")] if before else []
        told = [(path, "remove") for path in before if path not in now]
        for path, row in now.items():
            old = before.get(path)
            if old is None or old[1] != row[1]:
                told.append((path, "create"))
                continue
            if row[1] == "file" and (row[2], row[4]) != (old[2], old[4]):
                told.append((path, "write"))
            if row[3] != old[3]:
                told.append((path, "chmod"))
        return told


def watch(lab: Lab, path: str, *, recursive: bool) -> Watcher | Looker:
    """Whoever can. OSError if there is no such directory."""
    try:
        return Watcher(lab, path, recursive=recursive)
    except OSError as error:
        if error.errno not in (errno.ENOSYS, errno.EPERM, errno.EMFILE, errno.ENOSPC):
            raise
        return Looker(lab, path, recursive=recursive)
