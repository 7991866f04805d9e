"""Files of a lab, on behalf of the host: no link is followed, so that nothing in there can point
anywhere else.

Code may change anything at any moment. So a path is opened one step at a time, each step held by
its descriptor, and what a name was a moment ago decides nothing. Paths are relative to HOME, or
absolute and below HOME or TEMPORARY.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator

from fumehood.jail.filesystem import HOME, PARTS, TEMPORARY
from fumehood.worker import trees

Row = tuple[str, str, int, int, float, str]
"""What the host is told of something: path, kind, size, mode, when it was last changed, where it
leads if it is a link."""

_KINDS = {stat.S_IFREG: "file", stat.S_IFDIR: "directory", stat.S_IFLNK: "link"}
_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# Not blocking: opening a named pipe would wait for somebody at its other end.
_FILE = os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
_NOT_THERE = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)
_IN_THE_WAY = (errno.EISDIR, errno.ENOTDIR, errno.EEXIST, errno.ENOTEMPTY)
_LONGEST = 4096
_DEEPEST = 64


class Lab:
    """`root` is the directory, open. It stays the caller's."""

    def __init__(self, root: int) -> None:
        self._root = root

    def write(self, path: str, content: bytes, at: int = 0) -> None:
        """Write a file, making the directories it is in. One that is there is replaced, or from
        `at` on written over."""
        with self._parent(path, make=True) as (directory, name):
            flags = _FILE | os.O_WRONLY | (0 if at else os.O_CREAT)
            descriptor = os.open(name, flags, 0o644, dir_fd=directory)
            with open(descriptor, "wb", buffering=0) as file:
                _must_be_regular(descriptor, path)
                os.ftruncate(descriptor, at)  # a flag would cut before it is known what this is
                file.seek(at)
                left = memoryview(content)
                while left:
                    left = left[file.write(left) :]

    def read(self, path: str, most: int, at: int = 0) -> tuple[bytes, int, int]:
        """Up to `most` bytes of a file, how long it is, and a number that another file of the same
        name does not have."""
        with self._parent(path) as (directory, name):
            descriptor = os.open(name, _FILE | os.O_RDONLY, dir_fd=directory)
            try:
                _must_be_regular(descriptor, path)
                status = os.fstat(descriptor)
                return (
                    os.pread(descriptor, min(most, max(0, status.st_size - at)), at),
                    status.st_size,
                    status.st_ino,
                )
            finally:
                os.close(descriptor)

    def look(self, path: str) -> Row | None:
        """What is there; None if nothing is, or only by way of a link."""
        parts = parts_of(path)
        try:
            if len(parts) == 1:
                return _look(shown(parts), parts[0], self._root)
            with self._parent(path) as (directory, name):
                return _look(shown(parts), name, directory)
        except OSError as error:
            if error.errno in _NOT_THERE:
                return None
            raise

    def entries(self, path: str, depth: int, most: int) -> list[Row]:
        """What is in a directory, and so many directories down, in order of the paths. ValueError
        if there are more than `most`."""
        if not 1 <= depth <= _DEEPEST:
            raise ValueError(f"depth is a number from 1 to {_DEEPEST}, not {depth}")
        parts = parts_of(path)
        found: list[Row] = []
        with self._directory(parts) as directory:
            self._add(found, directory, shown(parts), depth, most)
        return sorted(found)

    def _add(self, found: list[Row], directory: int, above: str, depth: int, most: int) -> None:
        below: list[str] = []
        with os.scandir(directory) as entries:
            for entry in entries:
                row = _look(f"{above}/{entry.name}" if above else entry.name, entry.name, directory)
                if row is None:
                    continue
                if len(found) == most:
                    raise ValueError(
                        f"there are more than {most:,} entries below {above or HOME!r}: list fewer"
                        " of its directories at once"
                    )
                found.append(row)
                if depth > 1 and row[1] == "directory":
                    below.append(entry.name)
        for name in below:
            with contextlib.suppress(OSError):  # it is something else now, or may not be read
                inner = os.open(name, _DIRECTORY, dir_fd=directory)
                try:
                    self._add(found, inner, f"{above}/{name}" if above else name, depth - 1, most)
                finally:
                    os.close(inner)

    def make_directory(self, path: str) -> bool:
        """Make a directory, and those it is in. False if it was there."""
        if len(parts_of(path)) == 1:
            return False
        with self._parent(path, make=True) as (directory, name):
            try:
                os.mkdir(name, 0o755, dir_fd=directory)
                return True
            except FileExistsError:
                os.close(os.open(name, _DIRECTORY, dir_fd=directory))
                return False

    def rename(self, old: str, new: str) -> Row:
        """Give something another name, in a directory that is made if it is not there. What had
        that name is replaced."""
        with self._parent(old) as (old_directory, old_name):
            # Before anything is made for it.
            os.stat(old_name, dir_fd=old_directory, follow_symlinks=False)
            with self._parent(new, make=True) as (new_directory, new_name):
                try:
                    os.rename(
                        old_name, new_name, src_dir_fd=old_directory, dst_dir_fd=new_directory
                    )
                except OSError as error:
                    if error.errno not in _IN_THE_WAY:
                        raise
                    raise OSError(
                        error.errno,
                        f"{old!r} cannot have the name of what is there: {error.strerror}",
                        new,
                    ) from None
                row = _look(shown(parts_of(new)), new_name, new_directory)
                if row is None:
                    raise FileNotFoundError(
                        errno.ENOENT, "it was taken away as soon as it was renamed", new
                    )
                return row

    def remove(self, path: str) -> None:
        """Remove a file, a link, or a directory with all in it."""
        with self._parent(path) as (directory, name):
            os.stat(name, dir_fd=directory, follow_symlinks=False)
            with trees.Spot(".", directory) as spot:
                trees.remove(spot, name)

    def listing(self, most: int) -> list[tuple[str, int]]:
        """Path and size of every regular file below HOME, in order of their paths."""
        found: list[tuple[str, int]] = []
        with trees.Spot(PARTS[HOME], self._root) as spot:
            for below in trees.walk(spot):
                if below is None:
                    continue
                for entry in spot.entries():
                    if entry.is_dir(follow_symlinks=False):
                        below.append(entry.name)
                    elif entry.is_file(follow_symlinks=False):
                        with contextlib.suppress(FileNotFoundError):
                            found.append(
                                (
                                    "/".join([*spot.names, entry.name]),
                                    entry.stat(follow_symlinks=False).st_size,
                                )
                            )
                    if len(found) > most:
                        raise ValueError(
                            f"there are more than {most:,} files below {HOME}: entries() lists one"
                            " directory"
                        )
        return sorted(found)

    def directory(self, path: str) -> contextlib.AbstractContextManager[int]:
        """A directory, open."""
        return self._directory(parts_of(path))

    @contextlib.contextmanager
    def _parent(self, path: str, *, make: bool = False) -> Iterator[tuple[int, str]]:
        """The directory that a path is in, and the last part of the path."""
        parts = parts_of(path)
        if len(parts) == 1:
            raise ValueError(f"{path!r} is not a path below {HOME} or {TEMPORARY}")
        with self._directory(parts[:-1], make=make) as directory:
            try:
                yield directory, parts[-1]
            except OSError as error:
                if error.filename == parts[-1]:  # the kernel was told one step only
                    error.filename = shown(parts)
                raise

    @contextlib.contextmanager
    def _directory(self, parts: list[str], *, make: bool = False) -> Iterator[int]:
        """A directory, opened one step at a time without following links."""
        directory = os.open(".", _DIRECTORY, dir_fd=self._root)
        try:
            for step, part in enumerate(parts, 1):
                try:
                    if make:
                        with contextlib.suppress(FileExistsError):
                            os.mkdir(part, 0o755, dir_fd=directory)
                    inner = os.open(part, _DIRECTORY, dir_fd=directory)
                except OSError as error:
                    error.filename = shown(parts[:step]) or HOME
                    raise
                os.close(directory)
                directory = inner
            yield directory
        finally:
            os.close(directory)


def parts_of(path: str) -> list[str]:
    """The steps from the lab to what a path names, of which the first is the part of the lab.
    ValueError for a path that is elsewhere."""
    try:
        length = len(os.fsencode(path))
    except UnicodeEncodeError:
        raise ValueError(f"{path[:100]!r} is no path: it has half a character in it") from None
    if length > _LONGEST:
        raise ValueError(
            f"a path of {len(path):,} characters is too long: the kernel takes {_LONGEST:,} bytes"
        )
    if "\0" in path:
        raise ValueError(f"{path!r} is no path: it has a zero byte in it")
    part, below = PARTS[HOME], path
    for name in (HOME, TEMPORARY):
        if path == name or path.startswith(name + "/"):
            part, below = PARTS[name], path[len(name) :].lstrip("/")
            break
    relative = os.path.normpath(below or ".")
    if relative.startswith(("/", "../")) or relative == "..":
        raise ValueError(f"{path!r} is not a path below {HOME} or {TEMPORARY}")
    return [part] if relative == "." else [part, *relative.split("/")]


def shown(parts: list[str]) -> str:
    """A path as the host is told it: relative to HOME, or absolute."""
    part, *below = parts
    return "/".join(below if part == PARTS[HOME] else [TEMPORARY, *below])


def _look(path: str, name: str, directory: int) -> Row | None:
    """What a name stands for in a directory; None if it is gone."""
    try:
        status = os.stat(name, dir_fd=directory, follow_symlinks=False)
        target = os.readlink(name, dir_fd=directory) if stat.S_ISLNK(status.st_mode) else ""
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.EINVAL):  # the second: it is no link any more
            return None
        raise
    return _row(path, status, target)


def _row(path: str, status: os.stat_result, target: str = "") -> Row:
    kind = _KINDS.get(stat.S_IFMT(status.st_mode), "other")
    return path, kind, status.st_size, stat.S_IMODE(status.st_mode), status.st_mtime, target


def _must_be_regular(descriptor: int, path: str) -> None:
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        kind = _KINDS.get(stat.S_IFMT(os.fstat(descriptor).st_mode), "device")
        raise ValueError(f"{path!r} is not a regular file but a {kind}")
