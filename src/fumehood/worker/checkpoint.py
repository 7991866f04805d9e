"""Copies that a runner makes of itself: checkpoints, snapshots, forks.

All are made by fork, so they cost what the kernel needs to copy page tables, and share memory until
one of them writes to it. They live in the namespaces of their sandbox. Each is a process with a
wire of its own:

    checkpoint  the runner as it was before the cell; waits on its socket until it takes over
    snapshot    a runner like any other, which runs no cells
    fork        the same, with an executor of its own

A checkpoint's socket is held by the checkpoint and the host only. The first bytes the host reads
from it are its process id and mark, written by the runner before the cell ran. So code that runs in
the cell cannot answer for the checkpoint.

Files are not shared: a copy that lives on has a copy of the lab in another place. A checkpoint
keeps a copy of the changed files and restores it. Without files (Policy.files) there is no lab. The
runner copies them itself, inside the sandbox, so whatever code does to its files can only spoil its
own copies. One function makes one tree of files equal to another:

    copy_tree              workspace → workspace of a fork or snapshot
    FileSnapshot.take      workspace → copy, before a cell
    FileSnapshot.restore   copy → workspace, after a failed cell
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import signal
import socket
import stat
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import clock_gettime_ns  # by name: code may have another clock

from fumehood.jail import kernel
from fumehood.jail.enter import WIRE
from fumehood.jail.filesystem import HOME, LAB_DESCRIPTOR, LABS, PARTS, lab_of, make_lab
from fumehood.wire.messages import CHECKPOINT_HEAD, PROTOCOL, Ready
from fumehood.worker import trees
from fumehood.worker.line import Line
from fumehood.worker.memory import written_ranges

_ANY_ID = 9_999_999_999
"""Stands for a process id in an answer: it has ten digits, and no process has it."""

_LEARNS_AFTER = 3
"""Cells: the first ones fill caches that the later ones only read."""


class Branches:
    """A runner's copies. `forget_threads` is called in each, where only the thread that made it
    lives."""

    def __init__(self, line: Line, forget_threads: Callable[[], None]) -> None:
        self._line = line
        self._forget_threads = forget_threads
        self.standby: socket.socket | None = None
        """The socket for the next checkpoint. With it a checkpoint must be made before the next
        cell, but not while this process `is_new`: files may still have to be restored."""
        self._checkpoint = 0
        self._dying: list[int] = []
        self._copies = kernel.Copies()
        self._place = 0
        self._number = 0
        self.has_files = True
        """Whether there is a lab (Policy.files)."""
        self.is_new = False
        """Whether the host has not spoken to this process yet."""
        self._files: FileSnapshot | None = None
        self.shares_files = False
        """Whether other runners use the same files, so that they are not rolled back."""
        self._cells = 0
        self.mark = 0
        """The last message that has changed anything."""

    def live_at(self, place: int, number: int) -> None:
        """The lab that is this runner's, alone or with others, and a number that is unique in the
        sandbox."""
        self._place, self._number, self.shares_files = place, number, place != number

    # -- checkpoints

    def keep_checkpoint(self, standby: int) -> None:
        """Make the next checkpoint with this socket."""
        self._forget_standby()
        self.standby = socket.socket(fileno=standby)

    def make_checkpoint(self, *, in_pause: bool = False) -> bool:
        """Make a checkpoint of the current state. True in the checkpoint itself, when it has taken
        over. `in_pause` says that the host does not wait for it."""
        self.end_checkpoint()
        try:
            if self.shares_files or not self.has_files:
                self._forget_files()
            elif self._files is None:
                self._files = FileSnapshot(lab_of(self._place), f"{LABS}/base-{self._number}")
            if self._files is not None:
                self._files.take()
        except OSError:  # no space for a copy: variables are restored, and files are not
            self._files = None
        standby = self.standby
        assert standby is not None
        waits_at_once = self._copies.can_copy
        try:
            if waits_at_once:
                pid, next_standby = self._copies.fork_and_wait(standby.fileno(), touches=in_pause)
            else:
                pid, next_standby = self._fork(), None
        except OSError:
            self._forget_standby()  # so the host sees that there is no checkpoint
            return False
        if pid:
            self._checkpoint = pid
            with contextlib.suppress(OSError):  # the host has closed its end
                standby.send(CHECKPOINT_HEAD.pack(pid, self.mark), socket.MSG_NOSIGNAL)
            self._forget_standby()
            return False
        if not waits_at_once:
            said, descriptors, _flags, _address = socket.recv_fds(standby, 1, 1)
            next_standby = descriptors[0] if said and descriptors else None
        if next_standby is None:
            os._exit(0)  # the host has closed its end
        self._take_over(standby, next_standby)
        return True

    def _forget_files(self) -> None:
        files, self._files = self._files, None
        if files is not None:
            files.discard()

    def _forget_standby(self) -> None:
        if self.standby is not None:
            self.standby.close()
            self.standby = None

    def end_checkpoint(self) -> None:
        """Kill the checkpoint: the state it holds is not the one before the next cell."""
        if self._checkpoint:
            self._learn()
            checkpoint, self._checkpoint = self._checkpoint, 0
            self._dying.append(checkpoint)
            try:
                os.kill(checkpoint, signal.SIGKILL)
            except ProcessLookupError:  # killed and waited for by code
                self._dying.remove(checkpoint)
        elif self._dying:
            self._reap()

    def _learn(self) -> None:
        """See, once, what an ordinary cell writes to, while there is a copy of the state before
        it."""
        self._cells += 1
        if self._cells == _LEARNS_AFTER:
            with contextlib.suppress(OSError):
                self._copies.touch(written_ranges())

    def _reap(self) -> None:
        """Reap copies that have ended, without waiting for any."""
        for pid in [*self._dying]:
            try:
                is_dead = os.waitpid(pid, os.WNOHANG)[0]
            except ChildProcessError:  # code has waited for it
                is_dead = pid
            if is_dead:
                self._dying.remove(pid)

    def _take_over(self, standby: socket.socket, next_standby: int) -> None:
        """Be the runner, whose processes are dead. Files stay as they are until `take_up`."""
        self._forget_threads()  # and requests that the original had not handled yet
        os.dup2(standby.fileno(), WIRE, inheritable=False)
        standby.close()
        self.standby = socket.socket(fileno=next_standby)
        self._checkpoint, self._dying = 0, []
        self.is_new = True
        self._line.send(Ready(protocol=PROTOCOL, mark=self.mark))

    def take_up(self, *, with_files: bool) -> None:
        """Be used from here on. `with_files` restores the files to those of this checkpoint."""
        if with_files and self._files is not None:
            self._files.restore()

    # -- snapshots and forks

    def branch(self, wire: int, output: int, place: int, answer: Callable[[int], bytes]) -> int:
        """Make a copy that has these for its wire and its output, and a copy of the lab in another
        place. Sends the answer that names the copy's process id; gives that id, and 0 in the copy.
        OSError, and no copy, if its files could not be copied."""
        self._reap()
        old, new = lab_of(self._place), lab_of(place)
        if not self.has_files:
            pid = self._fork(answer)
        elif _is_unused(old):
            pid = self._branch_without_files(old, new, answer)
        else:
            pid = self._branch_with_files(old, new)
            if pid:
                self._line.send_packed(answer(pid))
        if pid:
            self._dying.append(pid)  # some day
        else:
            os.dup2(wire, WIRE, inheritable=False)
            os.dup2(output, 1)
            os.dup2(output, 2)
            self._forget_standby()
            self._checkpoint, self._dying, self._files = 0, [], None
            self._place = self._number = place
            self.shares_files = False
            self.is_new = True
        return pid

    def _branch_without_files(self, old: str, new: str, answer: Callable[[int], bytes]) -> int:
        """Most labs hold nothing to copy, and the host gets its answer at once. So the copy must
        not need the old lab: that may be gone when the copy first runs."""
        make_lab(new)
        lab = os.open(new, os.O_PATH | os.O_DIRECTORY)
        is_at_home = os.path.samestat(os.stat("."), os.stat(f"{old}/{PARTS[HOME]}"))
        try:
            pid = self._fork(answer)
            if not pid:
                os.dup2(lab, LAB_DESCRIPTOR)
                if is_at_home:
                    os.fchdir(lab)
                    os.chdir(PARTS[HOME])
        finally:
            os.close(lab)
        return pid

    def _branch_with_files(self, old: str, new: str) -> int:
        """This runner goes on when the copy has moved: the copy reads the old lab to find its open
        files."""
        paths = copy_tree(old, new)
        reader, writer = os.pipe()
        with open(reader, "rb", 0) as moved, open(writer, "wb", 0) as has_moved:
            pid = self._fork()
            if pid:
                has_moved.close()
                if not moved.read(1):
                    self._dying.append(pid)
                    raise OSError("its files could not be opened again")
                return pid
            try:
                move_descriptors(old, new, paths)  # that of the lab, too
                has_moved.write(b"\0")
            except OSError:
                os._exit(1)
        return 0

    def _fork(self, answer: Callable[[int], bytes] | None = None) -> int:
        """`answer` is sent when there is a copy."""
        alone = threading.active_count() == 1
        if answer is not None and self._copies.can_copy:
            packed = answer(_ANY_ID)
            place = packed.index(b"%d" % _ANY_ID)
            pid, unsent = self._copies.fork_and_reply(WIRE, packed, place)
        else:
            pid = kernel.fork()
            unsent = answer(pid) if pid and answer is not None else b""
        if unsent:
            self._line.send_packed(unsent)
        if not pid:
            os.setsid()  # signals that code sends to its group are not for copies of it
            if not alone:  # else nobody held anything, and making it anew would only cost
                self._forget_threads()
        return pid

    def drop_labs(self, places: list[int]) -> None:
        for place in places:
            for directory in (lab_of(place), f"{LABS}/base-{place}"):
                with contextlib.suppress(OSError):
                    trees.remove_tree(directory)


def _is_unused(lab: str) -> bool:
    """Whether a lab is empty and nothing of it is open, not even what was removed."""
    if sorted(os.listdir(lab)) != sorted(PARTS.values()):
        return False
    if any(os.listdir(f"{lab}/{part}") for part in PARTS.values()):
        return False
    home = os.stat(f"{lab}/{PARTS[HOME]}").st_ino
    expected = {(LAB_DESCRIPTOR, os.stat(lab).st_ino), (_WORKING_DIRECTORY, home)}
    return {(one.descriptor, one.inode) for one in _open_files(lab, {})} <= expected


# -- files

_SECOND = 1_000_000_000
# CLOCK_REALTIME_COARSE, which Python has no name for: file systems take their times from it.
_COARSE_CLOCK = 5
_KEPT_FLAGS = (
    os.O_ACCMODE | os.O_APPEND | os.O_NONBLOCK | os.O_DSYNC | os.O_SYNC | os.O_NOATIME | os.O_PATH
)
_WORKING_DIRECTORY = -1  # stands among descriptors

Paths = dict[int, list[str]]
"""The names on the way to each file and directory, by inode."""


def copy_tree(source: str, target: str) -> Paths:
    """Make `target`, which is empty or missing, a copy of `source`: files, directories, symbolic
    and hard links, modes, times of change. Gives the paths in `source`. Raises OSError, and leaves
    nothing, if there is no space."""
    made = not os.path.lexists(target)
    if made:
        os.mkdir(target, 0o700)
    try:
        return _Copying(source, target).run()
    except OSError as error:
        with trees.Spot(os.path.realpath(target)) as spot:
            trees.empty(spot)
        if made:
            os.rmdir(target)
        trees.give_up(error, "a copy of the sandbox's files")


class _Copying:
    """Makes the tree `target` equal to the tree `source`."""

    def __init__(
        self,
        source: str,
        target: str,
        snapshot: FileSnapshot | None = None,
        *,
        restores: bool = False,
    ) -> None:
        """`snapshot` knows which files of the workspace need not be copied. The workspace is the
        target if this `restores` it, and else the source."""
        self._source, self._target = os.path.realpath(source), os.path.realpath(target)
        self._snapshot, self._restores = snapshot, restores
        self._fills = True
        """Whether anything is copied yet."""
        self._links: dict[int, tuple[str, int]] = {}
        """Of files with several names that are done: path and inode in the target."""
        self._paths: Paths = {}
        self.others: set[tuple[str, int]] = set()
        """Pipes and sockets in the source, which are not copied: path and inode."""

    def make_room(self) -> None:
        """Only remove what is not in the source, and cut what is longer there."""
        self._fills = False
        self.run()
        self._fills = True

    def run(self) -> Paths:
        """Do all of it. Gives the paths in the source."""
        with trees.Spot(self._source) as old, trees.Spot(self._target) as new:
            for below in trees.walk(old):
                if below is None:
                    if self._fills:
                        new.leave_as(old.mode, old.status.st_mtime_ns)
                    if new.names:
                        new.up()
                    continue
                if old.names and self._fills:
                    with contextlib.suppress(FileExistsError):
                        os.mkdir(old.names[-1], 0o700, dir_fd=new.directory)
                if old.names and not new.down(old.names[-1]):
                    raise OSError(errno.ESTALE, "the copy is changed by another process")
                self._paths[old.status.st_ino] = [*old.names]
                self._directory(old, new, below)
        return self._paths

    def _directory(self, old: trees.Spot, new: trees.Spot, below: list[str]) -> None:
        above = "".join(f"{name}/" for name in old.names)
        entries = {entry.name: entry for entry in old.entries()}
        present: set[str] = set()
        for there in new.entries():
            entry = entries.get(there.name)
            if entry is not None and _kind(entry) == _kind(there):
                present.add(there.name)
            elif self._snapshot is None or not self._snapshot.leaves(above + there.name, there):
                trees.remove(new, there.name)
        for name, entry in entries.items():
            kind = _kind(entry)
            if kind == stat.S_IFDIR:
                if name in present or self._fills:
                    below.append(name)
            elif kind == stat.S_IFREG:
                with contextlib.suppress(trees.Gone):
                    self._file(old, new, entry, above + name, name in present)
            elif kind == stat.S_IFLNK and self._fills:
                with contextlib.suppress(trees.Gone):
                    _copy_link(old, new, entry, name in present)
            elif not kind:
                self.others.add((above + name, entry.inode()))

    def _file(
        self,
        old: trees.Spot,
        new: trees.Spot,
        entry: os.DirEntry[str],
        path: str,
        is_present: bool,
    ) -> None:
        name, (status, _) = entry.name, trees.look_at(entry.name, old.directory)
        self._paths[status.st_ino] = [*old.names, name]
        if status.st_nlink > 1 and status.st_ino in self._links:  # another name of a file
            first, inode = self._links[status.st_ino]
            there = new.stat(name)
            if there is not None and there.st_ino == inode:
                return
            trees.remove(new, name)
            try:
                target = f"{self._target}/{first}"
                os.link(target, name, dst_dir_fd=new.directory, follow_symlinks=False)
                return
            except OSError as error:
                if error.errno != errno.ENAMETOOLONG:
                    raise
            is_present = False  # then it is another file
        live = new.stat(name) if self._restores and is_present else status
        snapshot = self._snapshot
        is_same = snapshot is not None and live is not None and snapshot.is_unchanged(path, live)
        if not is_present or not is_same:
            there = new.stat(name)
            if not self._fills:
                if there is not None and there.st_size > status.st_size:
                    longer, mode = trees.open_anyway(name, os.O_WRONLY, new.directory)
                    os.ftruncate(longer, status.st_size)
                    trees.close(longer, mode)
                return
            if there is not None and there.st_nlink > 1:  # another name must not change with it
                trees.remove(new, name)
                there = None
            self._copy(old, new, name, path, there is None)
        if status.st_nlink > 1 and self._fills and (there := new.stat(name)) is not None:
            self._links[status.st_ino] = path, there.st_ino

    def _copy(self, old: trees.Spot, new: trees.Spot, name: str, path: str, is_new: bool) -> None:
        source, mode = trees.open_anyway(name, trees.READ, old.directory)
        try:
            status = os.fstat(source)
            if not stat.S_ISREG(status.st_mode):
                raise trees.Gone(errno.ENOENT, "a file has become something else")
            if is_new:
                flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | trees.OURS
                target = os.open(name, flags, 0o600, dir_fd=new.directory)
            else:
                target, _ = trees.open_anyway(name, os.O_WRONLY, new.directory)
            try:
                trees.pour(source, target)
                wanted = stat.S_IMODE(status.st_mode) if mode is None else mode
                os.fchmod(target, wanted)
                os.utime(target, ns=(status.st_atime_ns, status.st_mtime_ns))
                if mode is not None:
                    os.fchmod(source, mode)
                    mode = None
                is_whole = os.fstat(source).st_mtime_ns == status.st_mtime_ns
                if self._snapshot is not None and is_whole:  # else it is being written
                    self._snapshot.note(path, target if self._restores else source)
            finally:
                os.close(target)
        finally:
            trees.close(source, mode)


def _kind(entry: os.DirEntry[str]) -> int:
    """Directory, regular file, symbolic link, or 0."""
    if entry.is_file(follow_symlinks=False):
        return stat.S_IFREG
    if entry.is_dir(follow_symlinks=False):
        return stat.S_IFDIR
    return stat.S_IFLNK if entry.is_symlink() else 0


def _copy_link(old: trees.Spot, new: trees.Spot, entry: os.DirEntry[str], is_present: bool) -> None:
    status, leads_to = trees.look_at(entry.name, old.directory)
    if not is_present or os.readlink(entry.name, dir_fd=new.directory) != leads_to:
        trees.remove(new, entry.name)
        os.symlink(leads_to, entry.name, dir_fd=new.directory)
    times = (status.st_mtime_ns, status.st_mtime_ns)
    os.utime(entry.name, ns=times, dir_fd=new.directory, follow_symlinks=False)


@dataclass(slots=True, eq=False)
class _Open:
    """A descriptor of this process, or its working directory, that is in the workspace."""

    descriptor: int
    inode: int
    is_file: bool
    names: list[str] | None
    """The names on the way to it; None if it has none."""
    flags: int
    position: int

    def put(self, opened: int, mode: int | None) -> None:
        """Have the descriptor be on what `trees` has opened."""
        status, before = os.fstat(opened), _status(self.descriptor)
        if before is None or not os.path.samestat(status, before):
            if self.descriptor == _WORKING_DIRECTORY:
                os.fchdir(opened)
            else:
                os.dup2(opened, self.descriptor, os.get_inheritable(self.descriptor))
            self.inode = status.st_ino
        trees.close(opened, mode)
        self.go_back()

    def go_back(self) -> None:
        """To the flags and the position that it had."""
        if not self.flags & os.O_PATH:
            fcntl.fcntl(self.descriptor, fcntl.F_SETFL, self.flags)
            os.lseek(self.descriptor, self.position, os.SEEK_SET)


class FileSnapshot:
    """The files of a workspace as they were before a cell.

    A process takes the snapshot and forks; its copy can restore what was there at that moment, any
    number of times. The copied files exist once: when a process has taken another snapshot, older
    copies of this object are worthless.

    A file that has not changed is not copied again. It is recognized by its inode, size and times;
    no program can set the time of change. Two cases need more:

    - Stamps may be as coarse as the clock. A file that was changed within the tick in which it was
      copied is copied again next time.
    - Writing to mapped memory changes no time. So a file counts as changed while this process has
      it mapped, shared and writable, and if its access time has moved, as mapping it does: that
      time is set to a second before the last change, because then the kernel moves it. A file that
      was only read is copied again, too.

    Not recognized are changes through a mapping that another process has held since before the last
    copy, through a mapping of a file that was opened with O_NOATIME, and, on a file system that is
    mounted "noatime", through a mapping that has come and gone.

    Files are rewritten in place, so that open descriptors and mappings of them stay valid. Overlay
    mounts are no alternative: each cell would need a new mount, which the runner may not make, and
    open files would stay on the old one.
    """

    def __init__(self, live: str, place: str) -> None:
        """`place` is an empty or missing directory, best in memory."""
        self._live, self._place = os.path.realpath(live), os.path.realpath(place)
        self._forget()

    def _forget(self) -> None:
        self._is_taken = False
        self._stamps: dict[str, tuple[int, ...]] = {}
        """Of files whose content is that of the copy, by path. The path of a file without a name is
        a number after a zero byte."""
        self._open: list[_Open] = []
        self._mapped: set[int] = set()
        self._others: set[tuple[str, int]] = set()

    def discard(self) -> None:
        """Forget everything, and remove the copy."""
        self._forget()
        trees.remove_tree(self._place)

    def take(self) -> None:
        """Make the copy equal to the workspace. If that fails there is no copy any more, and
        OSError is raised."""
        try:
            for part in ("", "/files", "/nameless"):
                with contextlib.suppress(FileExistsError):
                    os.mkdir(self._place + part, 0o700)
            if self._stamps:
                self._mapped |= _mapped()
            self._others = set()  # all that is in the copy alone is removed
            copying = _Copying(self._live, f"{self._place}/files", self)
            paths = copying.run()
            self._others = copying.others
            self._open = [one for one in _open_files(self._live, paths) if self._has_copied(one)]
            kept = {*paths, *(one.inode for one in self._open)}
            self._stamps = {path: at for path, at in self._stamps.items() if at[0] in kept}
            for name in os.listdir(f"{self._place}/nameless"):
                if int(name) not in kept:
                    os.unlink(f"{self._place}/nameless/{name}")
            self._mapped = _mapped() if self._stamps else set()
            self._is_taken = True
        except OSError as error:
            self.discard()
            trees.give_up(error, "a copy of the sandbox's files")

    def restore(self) -> None:
        """Make the workspace equal to the copy, and put the descriptors that were open on its files
        where they were.

        A file that still exists is rewritten. One that does not is made again, and descriptors that
        were on it are replaced. A descriptor that is on something else by now is left alone. If
        this fails OSError is raised; the workspace is then partly restored, and the copy intact.
        """
        if not self._is_taken:
            raise OSError(errno.ENOENT, "there is no copy of the files to restore")
        open_before = [
            one
            for one in self._open
            if (status := _status(one.descriptor)) is not None and status.st_ino == one.inode
        ]
        self._mapped |= _mapped()
        copying = _Copying(f"{self._place}/files", self._live, self, restores=True)
        try:
            copying.make_room()
            copying.run()
            for one in open_before:
                self._reopen(one)
        except OSError as error:
            trees.give_up(error, "what the sandbox's files were")

    def leaves(self, path: str, entry: os.DirEntry[str]) -> bool:
        """Whether something is left where it is, though there is no copy of it."""
        return (path, entry.inode()) in self._others

    def is_unchanged(self, path: str, status: os.stat_result) -> bool:
        """Whether a live file has the content of the copy."""
        return self._stamps.get(path) == _stamp(status) and status.st_ino not in self._mapped

    def note(self, path: str, live: int) -> None:
        """Remember a live file whose content is that of the copy, and set the trap that tells of
        mappings."""
        status = os.fstat(live)
        trap = (status.st_mtime_ns - _SECOND, status.st_mtime_ns)
        if status.st_atime_ns != trap[0]:
            os.utime(live, ns=trap)
            status = os.fstat(live)
        self._stamps[path] = _stamp(status)
        if status.st_ctime_ns >= clock_gettime_ns(_COARSE_CLOCK):
            del self._stamps[path]  # a change that follows now may leave no trace

    def _nameless(self, one: _Open) -> tuple[str, str]:
        """What stands for the path of a file without a name, and where its copy is."""
        return f"\0{one.inode}", f"{self._place}/nameless/{one.inode}"

    def _has_copied(self, one: _Open) -> bool:
        """Copy an open file that has no name. False for what cannot be restored."""
        if one.names is None and not one.is_file:
            return False
        key, copy = self._nameless(one)
        if one.names is None and not self.is_unchanged(key, os.fstat(one.descriptor)):
            source, mode = trees.open_handle(one.descriptor, trees.READ)
            try:
                target = os.open(copy, os.O_WRONLY | os.O_CREAT | trees.OURS, 0o600)
                trees.pour(source, target)
                os.close(target)
                self.note(key, source)
            finally:
                trees.close(source, mode)
        return True

    def _reopen(self, one: _Open) -> None:
        if one.names is not None:
            opened, mode = trees.open_below(self._live, one.names, one.flags & _KEPT_FLAGS)
            one.put(opened, mode)
            return
        key, copy = self._nameless(one)
        if not self.is_unchanged(key, os.fstat(one.descriptor)):
            target, mode = trees.open_handle(one.descriptor, os.O_WRONLY)
            source = os.open(copy, os.O_RDONLY | trees.OURS)
            trees.pour(source, target)
            os.close(source)
            trees.close(target, mode)
            self._stamps.pop(key, None)
        one.go_back()


def move_descriptors(old: str, new: str, paths: Paths) -> None:
    """In a process that was forked: replace each descriptor on a file below `old` by one on the
    same file below `new`, which is a copy of `old`; `paths` is what `copy_tree` gave.

    Number, flags and position stay. A file without a name is copied to another one without a name.
    The working directory moves, too. Mapped memory cannot be moved: it stays with the file below
    `old`. Locks stay there as well.
    """
    new = os.path.realpath(new)
    nameless: dict[int, int] = {}
    for one in [*_open_files(old, paths)]:
        if one.names is not None:
            opened, mode = trees.open_below(new, one.names, one.flags & _KEPT_FLAGS)
        elif one.is_file:
            if one.inode not in nameless:
                source, mode = trees.open_handle(one.descriptor, trees.READ)
                made = os.open(new, os.O_TMPFILE | os.O_RDWR | os.O_CLOEXEC, 0o600)
                trees.pour(source, made)
                trees.close(source, mode)
                os.fchmod(made, stat.S_IMODE(os.fstat(one.descriptor).st_mode))
                nameless[one.inode] = made
            opened, mode = trees.open_handle(nameless[one.inode], one.flags & _KEPT_FLAGS)
        else:  # a directory that was removed
            opened, mode = trees.open_below(new, [], os.O_RDONLY | os.O_DIRECTORY)
        one.put(opened, mode)
    for made in nameless.values():
        os.close(made)


def _stamp(status: os.stat_result) -> tuple[int, ...]:
    return status.st_ino, status.st_ctime_ns, status.st_size, status.st_mtime_ns, status.st_atime_ns


def _mapped() -> set[int]:
    """The inodes of files that this process has mapped, shared and writable."""
    with open("/proc/self/maps", "rb") as maps:
        return {
            int(line.split(None, 5)[4])
            for line in maps
            if b"s " in line and line.split(None, 2)[1][1::2] == b"ws"
        }


def _open_files(root: str, paths: Paths) -> Iterator[_Open]:
    """This process's descriptors on files and directories below a directory, and its working
    directory if it is there."""
    root = os.path.realpath(root)
    device = os.stat(root).st_dev
    for descriptor in (_WORKING_DIRECTORY, *map(int, os.listdir("/proc/self/fd"))):
        status = _status(descriptor)
        if (
            status is None
            or status.st_dev != device
            or not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode))
        ):
            continue
        name = "cwd" if descriptor == _WORKING_DIRECTORY else f"fd/{descriptor}"
        try:
            path = os.readlink(f"/proc/self/{name}")
        except OSError:  # the path is too long to be told
            path = root
        if path == root or path.startswith(root + "/"):
            is_file, names = stat.S_ISREG(status.st_mode), paths.get(status.st_ino)
            how = _flags_and_position(descriptor)
            yield _Open(descriptor, status.st_ino, is_file, names, *how)


def _status(descriptor: int) -> os.stat_result | None:
    try:
        return os.stat(".") if descriptor == _WORKING_DIRECTORY else os.fstat(descriptor)
    except OSError:
        return None


def _flags_and_position(descriptor: int) -> tuple[int, int]:
    if descriptor == _WORKING_DIRECTORY:
        return os.O_PATH, 0
    flags = fcntl.fcntl(descriptor, fcntl.F_GETFL)
    try:
        return flags, os.lseek(descriptor, 0, os.SEEK_CUR)
    except OSError:  # one that only names a file
        return flags, 0
