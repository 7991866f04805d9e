"""This process's descriptors on files of a tree: which they are, and moving them to a copy of the
tree."""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
import struct
from collections.abc import Callable
from functools import partial

from fumehood.worker import trees

WORKING_DIRECTORY = -1  # stands among descriptors
_KEPT_FLAGS = (
    os.O_ACCMODE | os.O_APPEND | os.O_NONBLOCK | os.O_DSYNC | os.O_SYNC | os.O_NOATIME | os.O_PATH
)


def mapped() -> set[int]:
    """The inodes of files that this process has mapped, shared and writable."""
    with open("/proc/self/maps", "rb") as maps:
        return {
            int(line.split(None, 5)[4])
            for line in maps
            if b"s " in line and line.split(None, 2)[1][1::2] == b"ws"
        }


def status_of(descriptor: int) -> os.stat_result | None:
    try:
        return os.stat(".") if descriptor == WORKING_DIRECTORY else os.fstat(descriptor)
    except OSError:
        return None


def all_open() -> list[tuple[int, os.stat_result]]:
    """This process's descriptors on files and directories, and its working directory."""
    numbers = [WORKING_DIRECTORY, *map(int, os.listdir("/proc/self/fd"))]
    found = [(number, status) for number in numbers if (status := status_of(number)) is not None]
    return [
        (number, status)
        for number, status in found
        if stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)
    ]


def path_of(descriptor: int) -> str | None:
    """Where a descriptor's file is, or was; None if no path is long enough."""
    try:
        return os.readlink(
            "/proc/self/cwd" if descriptor == WORKING_DIRECTORY else f"/proc/self/fd/{descriptor}"
        )
    except OSError:
        return None


def is_below(path: str | None, root: str) -> bool:
    return path is None or path == root or path.startswith(root + "/")


def flags_and_position(descriptor: int) -> tuple[int, int]:
    if descriptor == WORKING_DIRECTORY:
        return os.O_RDONLY, 0
    flags = fcntl.fcntl(descriptor, fcntl.F_GETFL)
    try:
        return flags, os.lseek(descriptor, 0, os.SEEK_CUR)
    except OSError:  # one that only names a file
        return flags, 0


def set_flags_and_position(descriptor: int, flags: int, position: int) -> None:
    if descriptor != WORKING_DIRECTORY and not flags & os.O_PATH:
        fcntl.fcntl(descriptor, fcntl.F_SETFL, flags)
        os.lseek(descriptor, position, os.SEEK_SET)


def _is_twin(first: int, second: int) -> bool:
    """Whether two descriptors on one file are copies of each other, with one position. A lock that
    belongs to both does not bar either."""
    where = (1 << 62) + os.getpid()  # where no file reaches, and no other process asks
    kind = (
        fcntl.F_WRLCK
        if fcntl.fcntl(first, fcntl.F_GETFL) & os.O_ACCMODE == os.O_WRONLY
        else fcntl.F_RDLCK
    )

    def lock(kind: int) -> bytes:
        return struct.pack("hhqqi0q", kind, os.SEEK_SET, where, 1, 0)

    try:
        fcntl.fcntl(first, fcntl.F_OFD_SETLK, lock(kind))
        try:
            answer: bytes = fcntl.fcntl(second, fcntl.F_OFD_GETLK, lock(fcntl.F_WRLCK))
        finally:
            fcntl.fcntl(first, fcntl.F_OFD_SETLK, lock(fcntl.F_UNLCK))
    except OSError:
        return False
    return bool(struct.unpack("hhqqi0q", answer)[0] == fcntl.F_UNLCK)


class Replacing:
    """Puts other files in the place of those that descriptors are on. Descriptors that were copies
    of each other still are, afterwards."""

    def __init__(self, inodes: dict[int, int]) -> None:
        """`inodes`: which file each of the descriptors is on."""
        by_inode: dict[int, list[int]] = {}
        self._first: dict[int, int] = {}
        for descriptor, inode in inodes.items():
            firsts = by_inode.setdefault(inode, [])
            for first in firsts if descriptor != WORKING_DIRECTORY else ():
                if first != WORKING_DIRECTORY and _is_twin(first, descriptor):
                    self._first[descriptor] = first
                    break
            else:
                firsts.append(descriptor)

    def replace(
        self,
        descriptor: int,
        flags: int,
        position: int,
        open_it: Callable[[int], tuple[int, int | None]],
    ) -> None:
        if descriptor == WORKING_DIRECTORY:
            opened = open_it(os.O_PATH)
            os.fchdir(opened[0])
            trees.close(*opened)
            return
        inheritable = os.get_inheritable(descriptor)
        if descriptor in self._first:
            os.dup2(self._first[descriptor], descriptor, inheritable)
            return
        opened = open_it(flags & _KEPT_FLAGS)
        try:
            os.dup2(opened[0], descriptor, inheritable)
        finally:
            trees.close(*opened)
        set_flags_and_position(descriptor, flags, position)


def move_descriptors(old: str, new: str) -> None:
    """In a process that was forked: put the same path below `new`, a copy of `old`, in the place of
    each descriptor that is below `old`.

    Number, flags and position stay, and descriptors that were copies of each other still are. What
    has no name gets a private copy without a name. The working directory moves, too. Nobody may
    change `old` meanwhile. Mapped memory cannot be moved: it stays with the file below `old` and,
    if shared, is written there. Locks stay there as well.
    """
    old, new = os.path.realpath(old), os.path.realpath(new)
    device = os.stat(old).st_dev
    moving: dict[int, os.stat_result] = {}
    for descriptor, status in all_open():
        if status.st_dev == device and is_below(path_of(descriptor), old):
            moving[descriptor] = status
    if not moving:
        return
    names: dict[int, list[str]] = {}  # by inode
    for descriptor, status in moving.items():
        _, _, below = (path_of(descriptor) or "").partition(old)
        parts = below.split("/")[1:]
        if status.st_nlink and _is_at(old, parts, status):
            names[status.st_ino] = parts
    sought = {status.st_ino for status in moving.values() if status.st_nlink} - set(names)
    if sought:
        names |= _search(old, sought)
    replacing = Replacing({descriptor: status.st_ino for descriptor, status in moving.items()})
    nameless: dict[int, tuple[int, int | None]] = {}
    try:
        for descriptor, status in moving.items():
            how = flags_and_position(descriptor)
            if status.st_ino in names:
                with contextlib.suppress(FileNotFoundError):
                    replacing.replace(
                        descriptor, *how, partial(trees.open_below, new, names[status.st_ino])
                    )
                    continue
            if status.st_ino not in nameless:
                nameless[status.st_ino] = _copy_nameless(descriptor, status, new)
            replacing.replace(
                descriptor, *how, partial(trees.open_handle, nameless[status.st_ino][0])
            )
    finally:
        for opened in nameless.values():
            trees.close(*opened)


def _is_at(root: str, names: list[str], status: os.stat_result) -> bool:
    try:
        there, mode = trees.open_below(root, names, os.O_PATH)
    except OSError:
        return False
    try:
        return os.path.samestat(os.fstat(there), status)
    finally:
        trees.close(there, mode)


def _search(root: str, inodes: set[int]) -> dict[int, list[str]]:
    """Where inodes are found below a directory: for what was opened by a name that it has lost, or
    whose path is too long to be told."""
    found: dict[int, list[str]] = {}
    with trees.Spot(root) as spot:
        for below in trees.walk(spot):
            if below is None:
                continue
            if spot.status.st_ino in inodes:
                found[spot.status.st_ino] = list(spot.names)
            for entry in spot.entries():
                if entry.is_dir(follow_symlinks=False):
                    below.append(entry.name)
                elif entry.inode() in inodes:
                    found[entry.inode()] = [*spot.names, entry.name]
    return found


def _copy_nameless(descriptor: int, status: os.stat_result, root: str) -> tuple[int, int | None]:
    """A copy without a name of what a descriptor is on: of a file with its content, of a directory
    that was removed an empty one."""
    if stat.S_ISDIR(status.st_mode):
        name = f"{root}/.{os.getpid()}.{status.st_ino}"
        os.mkdir(name, 0o700)
        try:
            return trees.open_anyway(name, trees.DIRECTORY)
        finally:
            os.rmdir(name)
    made = os.open(root, os.O_TMPFILE | os.O_RDWR | os.O_CLOEXEC, 0o600)
    source, mode = trees.open_handle(descriptor, trees.READ)
    try:
        trees.pour(source, made)
        os.utime(made, ns=(status.st_atime_ns, status.st_mtime_ns))
    finally:
        trees.close(source, mode)
    return made, stat.S_IMODE(status.st_mode)
