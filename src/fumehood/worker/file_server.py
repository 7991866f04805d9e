"""The clerk: a process that has the files of one lab in hand for the host, whatever the sandbox's
code does meanwhile. It runs no code of anybody's, and is none of the sandbox's processes: nobody in
there sees it.

Before it looks at the first file it has given up all else: its root is the lab where it may choose
one, Landlock leaves it the lab alone, it is the user that code is, and it has no capabilities. It
takes messages from the host and answers each, until the host closes the line.
"""

from __future__ import annotations

import contextlib
import errno
import os
import resource
import select
import socket
import stat
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from fumehood.jail import filesystem, kernel, landlock
from fumehood.jail.filesystem import HOME, PARTS, TEMPORARY
from fumehood.jail.kernel import Script, lowest_free
from fumehood.jail.namespaces import Spaces
from fumehood.wire import messages
from fumehood.wire.values import Decoder, Encoder
from fumehood.worker import trees
from fumehood.worker.line import Line

NAME = "fumehood-clerk"
_PAUSE_MILLISECONDS = 250


@dataclass(frozen=True, slots=True)
class Desk:
    """What a clerk is to work on."""

    labs: str
    """Where the sandbox's labs are, as whoever is in its mount namespace calls it."""
    place: int
    spaces: Spaces | None
    uid: int
    gid: int
    rules: landlock.Rules | None
    file_bytes: int


def serve(host: socket.socket, desk: Desk) -> None:
    """Be a clerk."""
    kernel.set_process_name(NAME)
    line = Line()
    try:
        lab = Lab(_close_off(host, desk))
        line.attach(host.detach())
        _Clerk(line, lab).serve()
    except OSError as error:
        line.attach(host.detach())
        line.send(
            messages.Broken(
                message=f"the files of the sandbox cannot be reached: {error.strerror or error}"
            )
        )


def _close_off(host: socket.socket, desk: Desk) -> int:
    """Give up everything but the lab and the line; gives the lab's descriptor."""
    trees.KEPT[:] = [
        os.open("/proc/self/fd", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    ]  # its own, which is in no other namespace
    if desk.spaces is not None:
        kernel.setns(desk.spaces.mount, kernel.CLONE_NEWNS)
    lab = os.open(filesystem.lab_of(desk.place, desk.labs), trees.DIRECTORY | os.O_NOFOLLOW)
    os.fchdir(lab)
    if desk.spaces is not None:
        os.chroot(".")
    root = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    _keep_only({0, 1, 2, host.fileno(), root, *trees.KEPT})
    script = Script(lowest_free())
    script.become(desk.uid, desk.gid)
    for kind, most in (
        (resource.RLIMIT_FSIZE, desk.file_bytes),
        (resource.RLIMIT_NPROC, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        script.limit(kind, most)
    script.gain_no_privileges()
    if desk.rules is not None:
        desk.rules.restrict(script, readable=(), writable=(), devices=(), own=(root,))
    script.drop_capabilities()
    script.run()
    kernel.die_with_parent(9)  # the kernel forgets it when the user changes, so not before
    return root


def _keep_only(kept: set[int]) -> None:
    """Close all other descriptors: among them are those of other sandboxes, and the line by which
    the zygote is told what to do."""
    first = 0
    for descriptor in sorted(kept):
        if first < descriptor:  # else Python closes other things than none
            os.closerange(first, descriptor)
        first = descriptor + 1
    os.closerange(first, os.sysconf("SC_OPEN_MAX"))


class _Clerk:
    def __init__(self, line: Line, lab: Lab) -> None:
        self._line, self._lab = line, lab
        self._encoder, self._decoder = Encoder(), Decoder()
        self._handlers: dict[str, Callable[[Any, list[Any]], Any]] = {
            "write_file": lambda m, buffers: lab.write(
                m.path, self._decoder.decode(m.content, buffers), m.at
            ),
            "read_file": lambda m, _: lab.read(m.path, m.most, m.at),
            "list_files": lambda m, _: lab.listing(m.most),
            "look_at": lambda m, _: lab.look(m.path),
            "list_entries": lambda m, _: lab.entries(m.path, m.depth, m.most),
            "make_directory": lambda m, _: lab.make_directory(m.path),
            "rename_file": lambda m, _: lab.rename(m.path, m.to),
            "remove_file": lambda m, _: lab.remove(m.path),
        }

    def serve(self) -> None:
        while (received := self._line.receive(looks=False)) is not None:
            message, buffers = received
            try:
                if message.type == "watch_files":
                    self._watch(message)
                    return
                value, encoded = self._encoder.encode(
                    self._handlers[message.type](message, buffers)
                )
                self._line.send(messages.Done(id=message.id, value=value), encoded)
            except (OSError, ValueError) as error:
                self._line.send(
                    messages.Failed(id=message.id, error=type(error).__name__, message=_told(error))
                )

    def _watch(self, message: messages.WatchFiles) -> None:
        """Tell what happens until the host has heard enough. If it does not listen, what is not
        told yet waits in the kernel, which forgets it when there is too much, and says so."""
        watcher = watch(self._lab, message.path, recursive=message.recursive)
        self._line.send(messages.Done(id=message.id))
        poll = select.poll()
        for descriptor in (self._line.fileno(), watcher.descriptor):
            if descriptor >= 0:
                poll.register(descriptor, select.POLLIN)
        while True:
            ready = dict(poll.poll(_PAUSE_MILLISECONDS if watcher.descriptor < 0 else None))
            if self._line.fileno() in ready:
                return
            told = watcher.happened()
            if told:
                node, buffers = self._encoder.encode(told)
                with contextlib.suppress(ConnectionError):  # seen next
                    self._line.send(messages.FilesChanged(happened=node), buffers)


def _told(error: OSError | ValueError) -> str:
    """As Python says it, but for the number."""
    if isinstance(error, OSError) and error.strerror and error.filename is not None:
        return f"{error.strerror}: {os.fsdecode(error.filename)!r}"
    return str(error)


# -- lab


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


# -- watching


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
