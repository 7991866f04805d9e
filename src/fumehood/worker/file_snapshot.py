"""An image of a sandbox's directory, which a faulty cell is undone with."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat
import struct
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from time import clock_gettime_ns  # by name: code may have another clock

from fumehood.worker import trees

_SECOND = 1_000_000_000
_FEW_FOLDERS = 8
# CLOCK_REALTIME_COARSE, which Python has no name for: what file systems take their stamps from
_COARSE_CLOCK = 5


@dataclass(slots=True, eq=False)
class _File:
    """A regular file as it was. Its content is in the image under `number`; all names of the file
    share one of these."""

    number: int
    inode: int = 0
    mode: int = 0
    modified: int = 0
    names: int = 0
    stamp: tuple[int, ...] = ()
    is_doubtful: bool = True

    def note(self, status: os.stat_result) -> None:
        self.inode, self.mode, self.modified = (
            status.st_ino,
            stat.S_IMODE(status.st_mode),
            status.st_mtime_ns,
        )
        self.stamp = _stamp(status)


def _stamp(status: os.stat_result) -> tuple[int, ...]:
    # The second is the one that no program can set.
    return status.st_ino, status.st_ctime_ns, status.st_size, status.st_mtime_ns, status.st_atime_ns


@dataclass(slots=True, eq=False)
class _Folder:
    inode: int
    mode: int
    modified: int
    names: dict[str, _Node]


@dataclass(slots=True, eq=False)
class _Link:
    target: str
    modified: int


@dataclass(slots=True, eq=False)
class _Other:
    """A fifo or socket: left alone while it is the same, and not made again."""

    inode: int


_Node = _File | _Folder | _Link | _Other


@dataclass(slots=True, eq=False)
class _Held:
    """A descriptor of this process, or its working directory, that is on something in the image."""

    descriptor: int
    node: _File | _Folder
    inode: int
    flags: int
    position: int


class Image:
    """An image of a live directory: contents in a directory of its own, everything else in this
    object.

    A process refreshes the image and forks; its copy can put back what was there at that moment,
    any number of times. The contents are one set of files: once a process has refreshed the image,
    older copies of this object are worthless.

    A changed file is found by its inode, size and stamps. The stamp of change cannot be set by a
    program, but may be too coarse: where the file system counts no finer than its clock ticks, what
    was stored in the tick of its last change is stored again next time. Writing to mapped memory
    leaves no stamp if the page was read before. So a file counts as changed while it is mapped
    shared and writable by this process, and if its time of access has moved, as mapping it does:
    that time is set to a second before the last change, for then the kernel moves it. A file that
    was only read is therefore stored again, too.

    What is not seen: writing through a mapping that another process holds since before the last
    refresh; through one of a file that was opened with O_NOATIME; and, on a file system mounted
    "noatime", through one that was made, read first, and gone between two refreshes.
    """

    def __init__(self, live: str, place: str) -> None:
        """`place` is an empty or missing directory, best on a tmpfs."""
        self._live, self._place = os.path.realpath(live), os.path.realpath(place)
        self._has_no_trap = bool(os.statvfs(live).f_flag & os.ST_NOATIME)
        self._forget()

    def _forget(self) -> None:
        self._root: _Folder | None = None
        self._files: dict[int, _File] = {}  # by inode
        self._held: list[_Held] = []
        self._mapped: set[int] = set()
        self._folders: list[str] = []
        self._emptiness: tuple[int, ...] | None = None
        self._has_fine_stamps: bool | None = None
        self._has_stored = False
        self._next = 0

    def discard(self) -> None:
        """Forget everything, and remove the image's directory."""
        self._forget()
        with contextlib.suppress(FileNotFoundError):
            with trees.Spot(self._place) as spot:
                trees.empty(spot)
            os.rmdir(self._place)

    # -- taking it

    def refresh(self) -> None:
        """Make the image equal to the live directory. If that fails there is no image any more, and
        OSError is raised."""
        if self._emptiness is not None and self._emptiness == self._measure():
            return
        try:
            self._refresh()
        except OSError as error:
            self.discard()
            trees.give_up(error, "an image of the sandbox's files")

    def _measure(self) -> tuple[int, ...] | None:
        """Values that change when anything happens to the folders, which hold only each other: no
        program can set a time of change. The first one changes with files that have no name. None
        if a folder cannot be reached."""
        try:
            system = os.statvfs(self._live)
            measured = [system.f_files - system.f_ffree]
            for folder in self._folders:
                status = os.stat(folder)
                measured += status.st_ctime_ns, status.st_mode, status.st_mtime_ns
        except OSError:
            return None
        return tuple(measured)

    def _measure_emptiness(self, root: _Folder) -> tuple[int, ...] | None:
        """None if there is anything but a few folders, or if a change that follows now would leave
        no trace: stamps may be as coarse as the clock."""
        now = clock_gettime_ns(_COARSE_CLOCK)
        self._folders = []
        pending: list[tuple[str, _Node]] = [(self._live, root)]
        while pending:
            path, node = pending.pop()
            if not isinstance(node, _Folder) or len(self._folders) == _FEW_FOLDERS:
                return None
            self._folders.append(path)
            pending += ((f"{path}/{name}", below) for name, below in node.names.items())
            try:
                if {*os.listdir(path)} != node.names.keys():
                    return None
            except OSError:
                return None
        measured = self._measure()
        return measured if measured and max(measured[1::3]) < now else None

    def _refresh(self) -> None:
        os.makedirs(self._place, 0o700, exist_ok=True)
        before, self._files = self._files, {}
        self._has_stored = False
        self._emptiness = None
        if self._has_no_trap:
            self._mapped |= mapped()
        folders: dict[int, _Folder] = {}
        trail: list[_Folder] = []
        with trees.Spot(self._live) as spot:
            device = spot.status.st_dev
            for below in trees.walk(spot):
                if below is None:
                    self._root = trail.pop()
                    continue
                folder = folders[spot.status.st_ino] = _Folder(
                    spot.status.st_ino, spot.mode, spot.status.st_mtime_ns, {}
                )
                if trail:
                    trail[-1].names[spot.names[-1]] = folder
                trail.append(folder)
                for entry in spot.entries():
                    if entry.is_dir(follow_symlinks=False):
                        below.append(entry.name)
                        continue
                    with contextlib.suppress(trees.Gone):
                        folder.names[entry.name] = self._look_at(spot, entry, before)
        self._held = []
        for descriptor, status in all_open():
            if status.st_dev != device:
                continue
            held = self._files.get(status.st_ino) or folders.get(status.st_ino)
            if (
                held is None
                and stat.S_ISREG(status.st_mode)
                and not status.st_nlink
                and is_below(path_of(descriptor), self._live)
            ):
                held = self._take(
                    status, before, partial(trees.open_handle, descriptor, trees.READ)
                )
            if held is not None:
                self._held.append(
                    _Held(descriptor, held, held.inode, *flags_and_position(descriptor))
                )
        # If not, nothing can have been mapped; and asking takes a while.
        if self._has_stored or self._mapped or self._has_no_trap:
            self._mapped = mapped()
        for inode, file in before.items():
            if self._files.get(inode) is not file:
                os.unlink(f"{self._place}/{file.number}")
        if not self._files and self._root is not None:
            self._emptiness = self._measure_emptiness(self._root)

    def _look_at(
        self, spot: trees.Spot, entry: os.DirEntry[str], before: dict[int, _File]
    ) -> _Node:
        status, leads_to = spot.look_at(entry)
        if stat.S_ISREG(status.st_mode):
            return self._take(
                status, before, partial(trees.open_anyway, entry.name, trees.READ, spot.directory)
            )
        if leads_to:
            return _Link(leads_to, status.st_mtime_ns)
        return _Other(status.st_ino)

    def _take(
        self,
        status: os.stat_result,
        before: dict[int, _File],
        open_it: Callable[[], tuple[int, int | None]],
    ) -> _File:
        """The image's file for a live one, with its content."""
        file = self._files.get(status.st_ino)
        if file is not None:
            return file
        file = before.get(status.st_ino)
        if file is None or not self._is_unchanged(file, status):
            source, mode = open_it()
            self._has_stored = True
            try:
                status = os.fstat(source)
                if not stat.S_ISREG(status.st_mode):
                    raise trees.Gone(errno.ENOENT, "a file has become something else")
                file = self._files.get(status.st_ino) or before.get(status.st_ino)
                if file is None:
                    file, self._next = _File(self._next), self._next + 1
                target = os.open(
                    f"{self._place}/{file.number}", os.O_WRONLY | os.O_CREAT | trees.OURS, 0o600
                )
                try:
                    trees.pour(source, target)
                finally:
                    os.close(target)
                if mode is not None:
                    os.fchmod(source, mode)
                    mode = None
                is_same = _stamp(os.fstat(source))[2:4] == _stamp(status)[2:4]
                self._note(file, source, status.st_mtime_ns)
                # the host, or another executor, was writing it: what was stored may be half of that
                file.is_doubtful |= not is_same
                file.names = status.st_nlink
            finally:
                trees.close(source, mode)
        self._files[file.inode] = file
        return file

    def _note(self, file: _File, descriptor: int, modified: int) -> None:
        """Record what a live file is like whose content is that in the image, and set the trap that
        tells of mappings."""
        status = os.fstat(descriptor)
        trap = (modified - _SECOND, modified)
        if (status.st_atime_ns, status.st_mtime_ns) != trap:
            os.utime(descriptor, ns=trap)
            status = os.fstat(descriptor)
        file.note(status)
        if self._has_fine_stamps is None:
            self._has_fine_stamps = _has_fine_stamps(self._live)
        file.is_doubtful = not self._has_fine_stamps and file.stamp[1] >= clock_gettime_ns(
            _COARSE_CLOCK
        )

    def _is_unchanged(self, file: _File, status: os.stat_result) -> bool:
        return (
            file.stamp == _stamp(status) and not file.is_doubtful and file.inode not in self._mapped
        )

    # -- putting it back

    def put_back(self) -> None:
        """Make the live directory equal to the image, and descriptors that were open on its files
        be where they were.

        A file that is still there is rewritten, so that descriptors and mappings of it go on; one
        that is not is made anew, and the descriptors that were on it are replaced. A descriptor
        that is on something else by now is left alone. If it fails OSError is raised; the directory
        is then partly restored, and the image as it was.
        """
        if self._root is None:
            raise OSError(errno.ENOENT, "there is no image to put back")
        self._emptiness = None
        held = [
            one
            for one in self._held
            if (status := status_of(one.descriptor)) is not None and status.st_ino == one.inode
        ]
        try:
            self._mapped |= mapped()
            present = self._clear(self._root)
            found = self._restore(self._root, present, {one.node for one in held})
            replacing = Replacing(
                {
                    one.descriptor: one.inode
                    for one in held
                    if one.node in found and one.node.inode != one.inode
                }
            )
            for one in held:
                self._put_back_descriptor(one, found.get(one.node), replacing)
        except OSError as error:
            trees.give_up(error, "what the sandbox's files were")
        self._files = {file.inode: file for file in self._files.values()}

    def _clear(self, root: _Folder) -> dict[_File, str]:
        """Remove what is not in the image, and cut what has grown, before anything needs the room.
        Gives a name of files with several."""
        present: dict[_File, str] = {}
        trail: list[_Folder] = []
        with trees.Spot(self._live) as spot:
            for below in trees.walk(spot):
                if below is None:
                    trail.pop()
                    continue
                folder = _folder_at(root, trail, spot)
                for entry in spot.entries():
                    node = folder.names.get(entry.name)
                    if not _is_still(node, entry, spot):
                        trees.remove(spot, entry.name)
                    elif isinstance(node, _Folder):
                        below.append(entry.name)
                    elif isinstance(node, _File):
                        if node.names > 1:
                            present[node] = "/".join([*spot.names, entry.name])
                        if entry.stat(follow_symlinks=False).st_size > node.stamp[2]:
                            grown, mode = trees.open_anyway(entry.name, os.O_WRONLY, spot.directory)
                            os.ftruncate(grown, node.stamp[2])
                            trees.close(grown, mode)
        return present

    def _restore(
        self, root: _Folder, present: dict[_File, str], wanted: set[_File | _Folder]
    ) -> dict[_File | _Folder, list[str]]:
        """Make what is missing and rewrite what has changed. Gives the paths of what is wanted."""
        found: dict[_File | _Folder, list[str]] = {}
        done: set[_File] = set()
        trail: list[_Folder] = []
        with trees.Spot(self._live) as spot:
            for below in trees.walk(spot):
                if below is None:
                    folder = trail.pop()
                    spot.leave_as(folder.mode, folder.modified)
                    continue
                folder = _folder_at(root, trail, spot)
                folder.inode = spot.status.st_ino
                if folder in wanted:
                    found[folder] = list(spot.names)
                for name, node in folder.names.items():
                    status = spot.stat(name)
                    if isinstance(node, _File):
                        self._restore_file(spot, name, status, node, present, done)
                        if node in wanted:
                            found[node] = [*spot.names, name]
                    elif isinstance(node, _Folder):
                        below.append(name)
                        if status is None:
                            os.mkdir(name, 0o700, dir_fd=spot.directory)
                    elif isinstance(node, _Link):
                        if status is None:
                            os.symlink(node.target, name, dir_fd=spot.directory)
                        os.utime(
                            name,
                            ns=(node.modified, node.modified),
                            dir_fd=spot.directory,
                            follow_symlinks=False,
                        )
        return found

    def _restore_file(
        self,
        spot: trees.Spot,
        name: str,
        status: os.stat_result | None,
        file: _File,
        present: dict[_File, str],
        done: set[_File],
    ) -> None:
        if status is None and trees.link_to(spot, name, self._live, present.get(file)):
            status = spot.stat(name)
            if file in done and status is not None:
                file.note(status)
        if status is not None and (file in done or self._is_unchanged(file, status)):
            return
        if status is None:
            target = os.open(
                name,
                os.O_WRONLY | os.O_CREAT | os.O_EXCL | trees.OURS,
                0o600,
                dir_fd=spot.directory,
            )
            if file.names > 1:
                present[file] = "/".join([*spot.names, name])
        else:
            target, _ = trees.open_anyway(name, os.O_WRONLY, spot.directory)
        self._fill(target, file)
        done.add(file)

    def _fill(self, target: int, file: _File) -> None:
        """Give a file the content, mode and time that it had, and close it."""
        try:
            source = os.open(f"{self._place}/{file.number}", os.O_RDONLY | trees.OURS)
            try:
                trees.pour(source, target)
            finally:
                os.close(source)
            os.fchmod(target, file.mode)
            self._note(file, target, file.modified)
        finally:
            os.close(target)

    def _put_back_descriptor(
        self, held: _Held, names: list[str] | None, replacing: Replacing
    ) -> None:
        status = status_of(held.descriptor)
        if names is not None and held.inode != held.node.inode:
            replacing.replace(
                held.descriptor,
                held.flags,
                held.position,
                partial(trees.open_below, self._live, names),
            )
            held.inode = held.node.inode
            return
        if (
            isinstance(held.node, _File)
            and names is None
            and status is not None
            and not self._is_unchanged(held.node, status)
        ):
            target, _ = trees.open_handle(held.descriptor, os.O_WRONLY)  # it has no name
            self._fill(target, held.node)
        set_flags_and_position(held.descriptor, held.flags, held.position)


def _folder_at(root: _Folder, trail: list[_Folder], spot: trees.Spot) -> _Folder:
    """The image's folder for the directory just arrived at."""
    folder = trail[-1].names[spot.names[-1]] if trail else root
    assert isinstance(folder, _Folder)
    trail.append(folder)
    return folder


def _is_still(node: _Node | None, entry: os.DirEntry[str], spot: trees.Spot) -> bool:
    """Whether what is there may stay, as far as names and kinds go."""
    if isinstance(node, _Folder):
        return entry.is_dir(follow_symlinks=False)
    if isinstance(node, _Link):
        return entry.is_symlink() and os.readlink(entry.name, dir_fd=spot.directory) == node.target
    if isinstance(node, _File):
        return entry.is_file(follow_symlinks=False) and entry.inode() == node.inode
    return node is not None and entry.inode() == node.inode


def _has_fine_stamps(directory: str) -> bool:
    """Whether two changes always have two stamps here. Within a tick of the clock they have only
    where the kernel counts finer."""
    try:
        file = os.open(directory, os.O_TMPFILE | os.O_RDWR | os.O_CLOEXEC, 0o600)
    except OSError:
        return False
    try:
        stamps = set()
        for size in range(4):
            os.ftruncate(file, size)
            stamps.add(os.fstat(file).st_ctime_ns)
    finally:
        os.close(file)
    return len(stamps) == 4


# -- descriptors


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
