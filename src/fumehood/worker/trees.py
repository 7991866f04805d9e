"""Trees of files that belong to untrusted code, walked and copied.

Nothing about them is taken for granted. They are walked with one open directory, going up by "..",
so that neither depth nor the number of open files matters; no link is followed; what cannot be
opened is opened up for the moment, since all of it is ours. Fifos, sockets and devices are never
copied, nor are extended attributes.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from typing import NoReturn

# Not blocking: a file may become a pipe between two looks at it.
OURS = os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
DIRECTORY = os.O_RDONLY | os.O_DIRECTORY
READ = os.O_RDONLY | os.O_NOATIME
_FULL = (errno.ENOSPC, errno.EDQUOT)
# There is something else now, or nothing.
_GONE = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENXIO)
_NO_COPYING = (errno.EXDEV, errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP, errno.EPERM)
CHUNK = 1 << 18


# -- walking


class Gone(FileNotFoundError):
    """What was just seen in a tree is not there any more, or is something else."""


def look_at(name: str, directory: int) -> tuple[os.stat_result, str]:
    """Status and, of a link, target of what has a name in a directory."""
    try:
        status = os.stat(name, dir_fd=directory, follow_symlinks=False)
        is_link = stat.S_ISLNK(status.st_mode)
        return status, os.readlink(name, dir_fd=directory) if is_link else ""
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.EINVAL):  # the second: it is no link any more
            raise Gone(error.errno, os.strerror(error.errno), name) from None
        raise


def open_anyway(name: str, flags: int, directory: int | None = None) -> tuple[int, int | None]:
    """Open without following a link. If its mode had to be changed for that, the mode it had comes
    back as well."""
    flags |= OURS
    try:
        try:
            return os.open(name, flags, dir_fd=directory), None
        except PermissionError:
            handle = os.open(name, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=directory)
    except OSError as error:
        if error.errno in _GONE:
            raise Gone(error.errno, os.strerror(error.errno), name) from None
        raise
    try:
        return open_handle(handle, flags)
    finally:
        os.close(handle)


def open_handle(handle: int, flags: int) -> tuple[int, int | None]:
    """Another descriptor for the file of a descriptor, which may be without a name by now."""
    own, directory = (str(handle), KEPT[0]) if KEPT else (f"/proc/self/fd/{handle}", None)
    mode = stat.S_IMODE(os.fstat(handle).st_mode)
    flags = (flags | OURS) & ~os.O_NOFOLLOW  # the link in /proc is one
    try:
        return os.open(own, flags, dir_fd=directory), None
    except PermissionError:
        os.chmod(own, mode | stat.S_IRWXU, dir_fd=directory)
    try:
        return os.open(own, flags, dir_fd=directory), mode
    except OSError:
        os.chmod(own, mode, dir_fd=directory)
        raise


KEPT: list[int] = []
"""The directory of this process's descriptors, open, where it has no /proc that it is in."""


def close(descriptor: int, mode: int | None) -> None:
    """Close what `open_anyway` opened."""
    try:
        if mode is not None:
            os.fchmod(descriptor, mode)
    finally:
        os.close(descriptor)


class Spot:
    """Where one stands in a tree."""

    def __init__(self, root: str, beside: int | None = None) -> None:
        """`beside` is a directory, open, that `root` is told from."""
        self.names: list[str] = []
        self._above: list[tuple[os.stat_result, int | None]] = []
        self.directory, self._mode = open_anyway(root, DIRECTORY, beside)
        self.status = os.fstat(self.directory)

    def __enter__(self) -> Spot:
        return self

    def __exit__(self, *_: object) -> None:
        close(self.directory, self._mode)

    @property
    def mode(self) -> int:
        """The mode of the directory, whatever it was opened up to."""
        return stat.S_IMODE(self.status.st_mode) if self._mode is None else self._mode

    def down(self, name: str) -> bool:
        """Go into a directory; False if there is none of that name any more."""
        try:
            below, mode = open_anyway(name, DIRECTORY, self.directory)
        except Gone:
            return False
        os.close(self.directory)
        self._above.append((self.status, self._mode))
        self.names.append(name)
        self.directory, self._mode, self.status = below, mode, os.fstat(below)
        return True

    def up(self) -> None:
        above = os.open("..", DIRECTORY | os.O_CLOEXEC, dir_fd=self.directory)
        close(self.directory, self._mode)
        self.directory = above
        self.status, self._mode = self._above.pop()
        name = self.names.pop()
        if not os.path.samestat(self.status, os.fstat(above)):
            self._mode = None  # not the directory it belongs to
            raise OSError(
                errno.ESTALE, f"the directory {name!r} was moved while its tree was walked"
            )

    def leave_as(self, mode: int, modified: int) -> None:
        """What the directory is to be like in the end. Its mode is set on leaving: without it
        nobody could leave."""
        os.utime(self.directory, ns=(self.status.st_atime_ns, modified))
        self._mode = mode

    def stat(self, name: str) -> os.stat_result | None:
        try:
            return os.stat(name, dir_fd=self.directory, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def entries(self) -> list[os.DirEntry[str]]:
        with os.scandir(self.directory) as entries:
            return list(entries)


def walk(spot: Spot) -> Iterator[list[str] | None]:
    """Go through all directories from a spot on. In each comes a list, to be filled with what to go
    into; when all below is done, None."""
    pending: list[list[str]] = []
    arrived = True
    while True:
        if arrived:
            pending.append([])
            yield pending[-1]
        if pending[-1]:
            arrived = spot.down(pending[-1].pop())
            continue
        arrived = False
        yield None
        pending.pop()
        if not pending:
            return
        spot.up()


def remove(spot: Spot, name: str) -> None:
    """Remove whatever has that name, with all below it."""
    try:
        os.unlink(name, dir_fd=spot.directory)
    except FileNotFoundError:
        return
    except (IsADirectoryError, PermissionError):  # the second is what POSIX says of directories
        if spot.down(name):
            empty(spot)
            spot.up()
            os.rmdir(name, dir_fd=spot.directory)


def empty(spot: Spot) -> None:
    """Remove all that is in a directory."""
    depth = len(spot.names)
    for below in walk(spot):
        if below is None:
            if len(spot.names) > depth:
                os.rmdir(f"../{spot.names[-1]}", dir_fd=spot.directory)
            continue
        for entry in spot.entries():
            if entry.is_dir(follow_symlinks=False):
                below.append(entry.name)
            else:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(entry.name, dir_fd=spot.directory)


def remove_tree(root: str) -> None:
    """Remove a directory with all below it. One that is the root of a file system is emptied."""
    try:
        with Spot(root) as spot:
            empty(spot)
        os.rmdir(root)
    except FileNotFoundError:
        return
    except OSError as error:
        if error.errno != errno.EBUSY:
            raise


def open_below(root: str, names: list[str], flags: int) -> tuple[int, int | None]:
    """Open what is below a directory, step by step, so that no path is too long."""
    with Spot(root) as spot:
        for name in names[:-1]:
            if not spot.down(name):
                raise FileNotFoundError(errno.ENOENT, "a directory on the way is gone")
        opened = open_anyway(names[-1] if names else ".", flags, spot.directory)
        while spot.names:  # directories that were opened up are closed again on the way back
            spot.up()
        return opened


# -- content


def pour(source: int, target: int) -> None:
    """Give a file the content of another. It is overwritten and not cut first, for it may be
    mapped. Holes stay holes."""
    size = os.fstat(source).st_size
    at = 0
    while at < size:
        try:
            start = min(os.lseek(source, at, os.SEEK_DATA), size)
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
            start = size
        if start > at:
            os.ftruncate(target, at)  # what comes back beyond is zeros, and takes no memory
        at = min(os.lseek(source, start, os.SEEK_HOLE), size) if start < size else size
        _copy_range(source, target, start, at)
    os.ftruncate(target, size)


def _copy_range(source: int, target: int, start: int, end: int) -> None:
    while start < end:
        try:
            copied = os.copy_file_range(source, target, end - start, start, start)
        except OSError as error:
            if error.errno not in _NO_COPYING:
                raise
            copied = os.pwrite(target, os.pread(source, min(CHUNK, end - start), start), start)
        if not copied:  # it has become shorter meanwhile
            return
        start += copied


def give_up(error: OSError, what: str) -> NoReturn:
    """Raise an error again, in words if it is that there is no room."""
    if error.errno in _FULL:
        raise OSError(
            error.errno, f"{what} does not fit: {os.strerror(error.errno or 0)}"
        ) from error
    raise error
