"""The file server: a process that serves the files of one sandbox to the host, whatever code does
meanwhile. It runs no untrusted code, and code in the sandbox cannot see it.

Before it opens the first file it gives up everything else: its root is the workspace if it may
choose one, Landlock leaves it the workspace alone, it has the user of the code, and no
capabilities. It takes messages from the host and answers each, until the host closes the line.

Code may change anything at any moment. So a path is opened one step at a time, each step held by
its descriptor, and no link is followed. Paths are relative to HOME, or absolute and below HOME or
TEMPORARY.
"""

from __future__ import annotations

import contextlib
import errno
import os
import resource
import select
import socket
import stat
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from fumehood.jail import filesystem, kernel, landlock
from fumehood.jail.filesystem import HOME, PARTS, TEMPORARY
from fumehood.jail.kernel import Script, lowest_free
from fumehood.jail.namespaces import Spaces
from fumehood.wire import messages
from fumehood.wire.values import Decoder, Encoder
from fumehood.worker import trees
from fumehood.worker.line import Line

NAME = "fumehood-files"


@dataclass(frozen=True, slots=True)
class Service:
    """What a file server serves, and as which user."""

    labs: str
    """The directory of the sandbox's workspaces, as it is called in its mount namespace."""
    place: int
    spaces: Spaces | None
    uid: int
    gid: int
    rules: landlock.Rules | None
    file_bytes: int


def serve(host: socket.socket, service: Service) -> None:
    """Be a file server."""
    kernel.set_process_name(NAME)
    line = Line()
    try:
        workspace = Workspace(_close_off(host, service))
        line.attach(host.detach())
        _serve(line, workspace)
    except OSError as error:
        line.attach(host.detach())
        text = f"the files of the sandbox cannot be reached: {error.strerror or error}"
        line.send(messages.Broken(message=text))


def _close_off(host: socket.socket, service: Service) -> int:
    """Give up everything but the workspace and the connection; gives the workspace's descriptor."""
    trees.KEPT[:] = [
        os.open("/proc/self/fd", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    ]  # its own, which is in no other namespace
    if service.spaces is not None:
        kernel.setns(service.spaces.mount, kernel.CLONE_NEWNS)
    path = filesystem.lab_of(service.place, service.labs)
    os.fchdir(os.open(path, trees.DIRECTORY | os.O_NOFOLLOW))
    if service.spaces is not None:
        os.chroot(".")
    root = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    _close_all_but({0, 1, 2, host.fileno(), root, *trees.KEPT})
    script = Script(lowest_free())
    script.become(service.uid, service.gid)
    for kind, most in (
        (resource.RLIMIT_FSIZE, service.file_bytes),
        (resource.RLIMIT_NPROC, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        script.limit(kind, most)
    script.gain_no_privileges()
    if service.rules is not None:
        service.rules.restrict(script, own=(root,))
    script.drop_capabilities()
    script.run()
    kernel.die_with_parent(9)  # the kernel forgets it when the user changes, so not before
    return root


def _close_all_but(kept: set[int]) -> None:
    """Among the others are descriptors of other sandboxes, and the control socket of the zygote."""
    first = 0
    for descriptor in sorted(kept):
        if first < descriptor:  # else Python closes other things than none
            os.closerange(first, descriptor)
        first = descriptor + 1
    os.closerange(first, os.sysconf("SC_OPEN_MAX"))


def _serve(line: Line, workspace: Workspace) -> None:
    encoder, decoder = Encoder(), Decoder()
    handlers: dict[str, Callable[[Any, list[Any]], Any]] = {
        "write_file": lambda m, buffers: workspace.write(
            m.path, decoder.decode(m.content, buffers), m.at
        ),
        "read_file": lambda m, _: workspace.read(m.path, m.most, m.at),
        "list_files": lambda m, _: workspace.listing(m.most),
        "look_at": lambda m, _: workspace.look(m.path),
        "list_entries": lambda m, _: workspace.entries(m.path, m.depth, m.most),
        "make_directory": lambda m, _: workspace.make_directory(m.path),
        "rename_file": lambda m, _: workspace.rename(m.path, m.to),
        "remove_file": lambda m, _: workspace.remove(m.path),
    }
    while (received := line.receive(looks=False)) is not None:
        message, buffers = received
        try:
            if message.type == "watch_files":
                watch = Watch(workspace, message.path, recursive=message.recursive)
                line.send(messages.Done(id=message.id))
                _serve_watch(line, watch, encoder)
                return
            value, encoded = encoder.encode(handlers[message.type](message, buffers))
            line.send(messages.Done(id=message.id, value=value), encoded)
        except (OSError, ValueError) as error:
            text = str(error)
            if isinstance(error, OSError) and error.strerror and error.filename is not None:
                text = f"{error.strerror}: {os.fsdecode(error.filename)!r}"
            line.send(messages.Failed(id=message.id, error=type(error).__name__, message=text))


def _serve_watch(line: Line, watch: Watch, encoder: Encoder) -> None:
    """Report changes until the host says anything or closes the connection."""
    poll = select.poll()
    for descriptor in (line.fileno(), watch.descriptor):
        if descriptor >= 0:
            poll.register(descriptor, select.POLLIN)
    while line.fileno() not in dict(poll.poll(watch.pause_milliseconds)):
        changes = watch.changes()
        if changes:
            node, buffers = encoder.encode(changes)
            with contextlib.suppress(ConnectionError):  # seen next
                line.send(messages.FilesChanged(happened=node), buffers)


# -- files

Row = tuple[str, str, int, int, float, str]
"""What the host learns of a file: path, kind, size, mode, time of change, target of a link."""

_KINDS = {stat.S_IFREG: "file", stat.S_IFDIR: "directory", stat.S_IFLNK: "link"}
_DIRECTORY = trees.DIRECTORY | trees.OURS
_NOT_THERE = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)
_IN_THE_WAY = (errno.EISDIR, errno.ENOTDIR, errno.EEXIST, errno.ENOTEMPTY)
_LONGEST = 4096
_DEEPEST = 64
_ANY_DEPTH = 1 << 30


class Workspace:
    """The files below `root`, which is a descriptor of the caller."""

    def __init__(self, root: int) -> None:
        self._root = root

    def write(self, path: str, content: bytes, at: int = 0) -> None:
        """Write a file, and make the directories that it is in. An existing file is replaced, or
        overwritten from `at` on."""
        with self._parent(path, make=True) as (directory, name):
            flags = trees.OURS | os.O_WRONLY | (0 if at else os.O_CREAT)
            descriptor = os.open(name, flags, 0o644, dir_fd=directory)
            with open(descriptor, "wb", buffering=0) as file:
                _must_be_regular(descriptor, path)
                os.ftruncate(descriptor, at)  # O_TRUNC would act before the check
                file.seek(at)
                left = memoryview(content)
                while left:
                    left = left[file.write(left) :]

    def read(self, path: str, most: int, at: int = 0) -> tuple[bytes, int, int]:
        """Up to `most` bytes of a file, its size, and its inode, which tells it from another file
        of the same name."""
        with self._parent(path) as (directory, name):
            descriptor = os.open(name, trees.OURS | os.O_RDONLY, dir_fd=directory)
            try:
                _must_be_regular(descriptor, path)
                status = os.fstat(descriptor)
                data = os.pread(descriptor, min(most, max(0, status.st_size - at)), at)
                return data, status.st_size, status.st_ino
            finally:
                os.close(descriptor)

    def look(self, path: str) -> Row | None:
        """What a path names; None if nothing, or only by way of a link."""
        parts = _parts_of(path)
        try:
            with self._directory(parts[:-1]) as directory:
                return _row(_shown(parts), *trees.look_at(parts[-1], directory))
        except OSError as error:
            if error.errno in _NOT_THERE or isinstance(error, trees.Gone):
                return None
            raise

    def entries(self, path: str, depth: int, most: int) -> list[Row]:
        """What is in a directory, and so many directories down, sorted by path. ValueError if there
        are more than `most`."""
        if not 1 <= depth <= _DEEPEST:
            raise ValueError(f"depth is a number from 1 to {_DEEPEST}, not {depth}")
        found: list[Row] = []
        for name, status, target in self.walk(path, depth):
            if len(found) == most:
                raise ValueError(
                    f"there are more than {most:,} entries below {path or HOME!r}: list fewer of"
                    " its directories at once"
                )
            found.append(_row(name, status, target))
        return sorted(found)

    def listing(self, most: int) -> list[tuple[str, int]]:
        """Path and size of every regular file below HOME, sorted by path."""
        found: list[tuple[str, int]] = []
        for name, status, _target in self.walk("", _ANY_DEPTH):
            if stat.S_ISREG(status.st_mode):
                found.append((name, status.st_size))
                if len(found) > most:
                    raise ValueError(
                        f"there are more than {most:,} files below {HOME}: entries() lists one"
                        " directory"
                    )
        return sorted(found)

    def walk(
        self, path: str, depth: int, on_enter: Callable[[int], None] = lambda directory: None
    ) -> Iterator[tuple[str, os.stat_result, str]]:
        """Path, status and target of a link, of everything below a directory. `on_enter` is called
        with each directory before it is listed."""
        parts = _parts_of(path)
        with self._directory(parts) as directory, trees.Spot(".", directory) as spot:
            for below in trees.walk(spot):
                if below is None:
                    continue
                on_enter(spot.directory)
                for entry in spot.entries():
                    try:
                        status, target = trees.look_at(entry.name, spot.directory)
                    except trees.Gone:
                        continue
                    yield _shown([*parts, *spot.names, entry.name]), status, target
                    if stat.S_ISDIR(status.st_mode) and len(spot.names) + 1 < depth:
                        below.append(entry.name)

    def make_directory(self, path: str) -> bool:
        """Make a directory, and those that it is in. False if it exists."""
        if len(_parts_of(path)) == 1:
            return False
        with self._parent(path, make=True) as (directory, name):
            try:
                os.mkdir(name, 0o755, dir_fd=directory)
                return True
            except FileExistsError:
                os.close(os.open(name, _DIRECTORY, dir_fd=directory))
                return False

    def rename(self, old: str, new: str) -> Row:
        """Rename something, and make the directories of its new path. What has that path is
        replaced."""
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
                    text = f"{old!r} cannot replace what has the new name: {error.strerror}"
                    raise OSError(error.errno, text, new) from None
                return _row(_shown(_parts_of(new)), *trees.look_at(new_name, new_directory))

    def remove(self, path: str) -> None:
        """Remove a file, a link, or a directory with all in it."""
        with self._parent(path) as (directory, name):
            os.stat(name, dir_fd=directory, follow_symlinks=False)
            with trees.Spot(".", directory) as spot:
                trees.remove(spot, name)

    @contextlib.contextmanager
    def _parent(self, path: str, *, make: bool = False) -> Iterator[tuple[int, str]]:
        """The directory that a path is in, and the last part of the path."""
        parts = _parts_of(path)
        if len(parts) == 1:
            raise ValueError(f"{path!r} is not a path below {HOME} or {TEMPORARY}")
        with self._directory(parts[:-1], make=make) as directory:
            try:
                yield directory, parts[-1]
            except OSError as error:
                if error.filename == parts[-1]:  # the kernel saw one step only
                    error.filename = _shown(parts)
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
                    error.filename = _shown(parts[:step]) or HOME
                    raise
                os.close(directory)
                directory = inner
            yield directory
        finally:
            os.close(directory)


def _parts_of(path: str) -> list[str]:
    """The steps from the workspace to what a path names; the first is the part of the workspace.
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


def _shown(parts: list[str]) -> str:
    """A path for the host: relative to HOME, or absolute."""
    part, *below = parts
    return "/".join(below if part == PARTS[HOME] else [TEMPORARY, *below])


def _row(path: str, status: os.stat_result, target: str) -> Row:
    kind = _KINDS.get(stat.S_IFMT(status.st_mode), "other")
    return path, kind, status.st_size, stat.S_IMODE(status.st_mode), status.st_mtime, target


def _must_be_regular(descriptor: int, path: str) -> None:
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        kind = _KINDS.get(stat.S_IFMT(mode), "device")
        raise ValueError(f"{path!r} is not a regular file but a {kind}")


# -- watching

_ALL_EVENTS = 0xFC6
"""Of inotify: content, permissions, names, and the watched directory itself."""
_ONLY_DIRECTORIES = 0x01000000
_READ = 1 << 16
MOST_DIRECTORIES = 1024
MOST_NAMES = 10_000
_POLL_MILLISECONDS = 250.0
_LEAST_PAUSE = 0.01
_PAUSE_FACTOR = 4
"""Pause this much longer than the last look took, so that code that changes files all the time
cannot make the file server busy all the time."""

Change = tuple[str, str]
"""A path, and what has happened to it: create, write, remove, rename (the old name; `create` tells
the new one), chmod, or lost, if there are more files than can be watched."""


class Watch:
    """Finds what has changed in a directory by comparing it with what was there before.

    The kernel says when to look (inotify). If it does not, `descriptor` is -1, and the caller looks
    a few times a second. Changes between two looks are reported as one. OSError if there is no such
    directory.
    """

    def __init__(self, workspace: Workspace, path: str, *, recursive: bool) -> None:
        self._workspace, self._path = workspace, _shown(_parts_of(path))
        self._depth = _DEEPEST if recursive else 1
        self._directories = 0
        self._looked = self._took = 0.0
        try:
            self.descriptor = kernel.inotify()
        except OSError:
            self.descriptor = -1
        self._seen: dict[str, os.stat_result] = {}
        self._seen = self._look()

    @property
    def pause_milliseconds(self) -> float | None:
        """How long to wait for `descriptor` before the next look."""
        return _POLL_MILLISECONDS if self.descriptor < 0 else None

    def changes(self) -> list[Change]:
        """What has changed since the last call."""
        pause = max(_LEAST_PAUSE, _PAUSE_FACTOR * self._took) - (time.monotonic() - self._looked)
        if pause > 0 and self.descriptor >= 0:
            time.sleep(pause)
        with contextlib.suppress(OSError):
            while os.read(self.descriptor, _READ):  # which event it was does not matter
                pass
        before = self._seen
        try:
            now = self._seen = self._look()
        except ValueError:
            self._seen = {}
            return [(self._path, "lost")]
        except OSError:
            self._seen = {}
            return [(self._path, "remove")] if before else []
        return [*_differences(before, now)]

    def _look(self) -> dict[str, os.stat_result]:
        """Everything in the directory. ValueError if it is too much."""
        began = time.monotonic()
        found: dict[str, os.stat_result] = {}
        self._directories = 0
        for path, status, _target in self._workspace.walk(self._path, self._depth, self._enter):
            found[path] = status
            if len(found) > MOST_NAMES:
                raise ValueError("there are too many files")
        self._looked = time.monotonic()
        self._took = self._looked - began
        return found

    def _enter(self, directory: int) -> None:
        """Ask the kernel to report changes in a directory, as it does already if it was asked."""
        self._directories += 1
        if self.descriptor < 0:
            return
        if self._directories > MOST_DIRECTORIES:
            raise ValueError("there are too many directories")
        os.fchdir(directory)  # inotify takes a name, and code cannot replace this one
        with contextlib.suppress(OSError):  # there are no more watches: others tell of changes
            kernel.inotify_add(self.descriptor, ".", _ALL_EVENTS | _ONLY_DIRECTORIES)


def _differences(
    before: dict[str, os.stat_result], now: dict[str, os.stat_result]
) -> Iterator[Change]:
    moved = {status.st_ino for path, status in now.items() if path not in before}
    for path, status in before.items():
        if path not in now:
            yield path, "rename" if status.st_ino in moved else "remove"
    for path, status in now.items():
        old = before.get(path)
        if old is None or stat.S_IFMT(old.st_mode) != stat.S_IFMT(status.st_mode):
            yield path, "create"
            old = None
        is_written = (
            status.st_size > 0
            if old is None
            else (status.st_size, status.st_mtime_ns, status.st_ino)
            != (old.st_size, old.st_mtime_ns, old.st_ino)
        )
        if stat.S_ISREG(status.st_mode) and is_written:
            yield path, "write"
        if old is not None and old.st_mode != status.st_mode:
            yield path, "chmod"
