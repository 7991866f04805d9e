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
keeps a copy of the changed files and restores it. Without files (Policy.files) there is no lab.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import threading
from collections.abc import Callable

from fumehood.jail import kernel
from fumehood.jail.enter import WIRE
from fumehood.jail.filesystem import HOME, LAB_DESCRIPTOR, LABS, PARTS, lab_of, make_lab
from fumehood.wire.messages import CHECKPOINT_HEAD, PROTOCOL, Ready
from fumehood.worker.file_snapshot import (
    WORKING_DIRECTORY,
    FileSnapshot,
    copy_tree,
    move_descriptors,
    open_files,
)
from fumehood.worker.line import Line
from fumehood.worker.memory import written_ranges
from fumehood.worker.trees import remove_tree

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
        os.close(wire)
        os.close(output)
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
                    remove_tree(directory)


def _is_unused(lab: str) -> bool:
    """Whether a lab is empty and nothing of it is open, not even what was removed."""
    if sorted(os.listdir(lab)) != sorted(PARTS.values()):
        return False
    if any(os.listdir(f"{lab}/{part}") for part in PARTS.values()):
        return False
    home = os.stat(f"{lab}/{PARTS[HOME]}").st_ino
    expected = {(LAB_DESCRIPTOR, os.stat(lab).st_ino), (WORKING_DIRECTORY, home)}
    return {(one.descriptor, one.inode) for one in open_files(lab, {})} <= expected
