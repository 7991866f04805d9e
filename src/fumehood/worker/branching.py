"""Copies that a runner makes of itself: a base to go back to when a cell goes wrong, snapshots,
forks.

All are made by fork, so they cost what the kernel takes to copy page tables, and share memory until
one of them writes to it. They live in the namespaces or the household of their sandbox, each a
process of its own with a wire of its own:

    base        as the runner was before the cell; waits on a socket of its own until it is told to
    take over, or is killed snapshot    a runner like any other, whom nobody asks to run anything
    fork        the same, with an executor of its own

Files are not shared: whoever is to live on has a copy of /lab in another place. A base keeps an
image of /lab and puts it back.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import threading
from collections.abc import Callable

from fumehood.jail import kernel
from fumehood.jail.copying import Copier
from fumehood.jail.enter import RUNNER_NAME, WIRE
from fumehood.jail.filesystem import LAB_DESCRIPTOR, LABS, lab_of
from fumehood.wire.messages import Message, Run
from fumehood.worker.descriptors import move_descriptors
from fumehood.worker.line import Line
from fumehood.worker.past import Image
from fumehood.worker.touched import written_ranges
from fumehood.worker.trees import copy_tree, remove_tree

_NEW_COPY, _BASE = "fumehood-copy", "fumehood-base"
UNKNOWN_YET = (_NEW_COPY, _BASE)
"""Names of processes, in a container, until the host has said a word to them: whoever ends what
nobody knows leaves those alone."""

_LEARNS_AFTER = 3
"""Cells: the first ones fill caches that the later ones only look at."""


class Branches:
    """A runner's copies. `forget_threads` is called in each, where no thread lives but the one that
    made it."""

    def __init__(self, line: Line, forget_threads: Callable[[], None]) -> None:
        self._line = line
        self._forget_threads = forget_threads
        self._standby: socket.socket | None = None
        self._base = 0
        self._dying: list[int] = []
        self._copier = Copier()
        self._place = 0
        self._number = 0
        self._labs = LABS
        self._is_contained = False
        self._is_new = False
        self._image: Image | None = None
        self._shares_files = False
        self.is_stale = False
        """Whether something has changed since the base was made."""
        self._has_base = False
        self._cells = 0
        self.mark = 0
        """The last message that has changed anything."""

    def live_in(self, labs: str) -> None:
        """In a container: where the labs of this sandbox are. Its copies are not below it there but
        beside it, below its keeper."""
        self._labs, self._is_contained = labs, True

    def live_at(self, place: int, number: int) -> None:
        """The lab that is this runner's, alone or with others, and a number that is nobody else's
        in the sandbox."""
        self._place, self._number, self._shares_files = place, number, place != number

    @property
    def needs_base(self) -> bool:
        """Whether there is no base that a cell could be undone with."""
        return self._standby is not None and (self.is_stale or not self._has_base)

    @property
    def wants_base(self) -> bool:
        """Whether one would be needed for the next cell, and there will be a next: what has never
        changed may never be used."""
        return self._standby is not None and self.is_stale

    # -- a base

    def keep_base(self, standby: int) -> None:
        """From here on have a base, which is reached by this socket."""
        self._standby = socket.socket(fileno=standby)
        self.is_stale = self._has_base = False

    def renew_base(self, *, in_pause: bool = False) -> bool:
        """Make a base of what is now. True in the base itself, when it has taken over. `in_pause`
        says that nobody waits for it."""
        self.end_base()
        self.is_stale = False
        self._has_base = True
        try:
            if self._shares_files:
                self._forget_files()
            elif self._image is None:
                self._image = Image(self._lab_of(self._place), f"{self._labs}/base-{self._number}")
            if self._image is not None:
                self._image.refresh()
        except OSError:  # no room for an image: variables go back, and files stay
            self._image = None
        standby = self._standby
        assert standby is not None
        waits_at_once = self._copier.can_copy
        self._call(_BASE)
        try:
            if waits_at_once:
                pid, next_standby = self._copier.fork_and_wait(standby.fileno(), touches=in_pause)
            else:
                pid, next_standby = self._fork(), None
        except OSError:
            self._call(RUNNER_NAME)
            return (
                False  # no process may be started: the host sees that there is nobody to go back to
            )
        if pid:
            self._call(RUNNER_NAME)
            self._base = pid
            return False
        if not waits_at_once:
            said, descriptors, _flags, _address = socket.recv_fds(standby, 1, 1)
            next_standby = descriptors[0] if said and descriptors else None
        if next_standby is None:
            os._exit(0)  # the host has no use for anybody here
        self._take_over(standby, next_standby)
        return True

    def know_files(self, message: Run) -> None:
        """What the host says of files before a cell. A base that knows another state of them, or
        has files that it should not, is none."""
        if message.has_new_files:
            self.is_stale, self.mark = True, message.id
        if message.shares_files != self._shares_files:
            self.is_stale, self._shares_files = True, message.shares_files

    def _forget_files(self) -> None:
        image, self._image = self._image, None
        if image is not None:
            image.discard()

    def end_base(self) -> None:
        """Be without a base until there is another."""
        if self._base:
            self._learn()
            base, self._base = self._base, 0
            self._has_base = False
            self._dying.append(base)
            try:
                os.kill(base, signal.SIGKILL)
            except ProcessLookupError:  # somebody has, and has waited for it
                self._dying.remove(base)
        elif self._dying:
            self._reap()

    def _learn(self) -> None:
        """See, once, what an ordinary cell writes to, while there is a copy of what was before
        it."""
        self._cells += 1
        if self._cells == _LEARNS_AFTER:
            with contextlib.suppress(OSError):
                self._copier.touch(written_ranges())

    def _reap(self) -> None:
        """Let go of copies that have ended. Nobody waits for them: a process takes its time to
        end."""
        for pid in [*self._dying]:
            try:
                is_dead = os.waitpid(pid, os.WNOHANG)[0]
            except ChildProcessError:  # code has waited for it
                is_dead = pid
            if is_dead:
                self._dying.remove(pid)

    def _take_over(self, standby: socket.socket, next_standby: int) -> None:
        """Be the runner. Files are not touched before the host says that the original is no
        more."""
        self._forget_threads()  # and what the original was told and had not done yet
        os.dup2(standby.fileno(), WIRE)
        standby.close()
        self._standby = socket.socket(fileno=next_standby)
        self._base, self._dying = 0, []
        self.is_stale = False
        self._is_new = True
        if self._is_contained:
            kernel.adopt_orphans()
        self._line.greet(self.mark)

    def take_up(self, *, with_files: bool) -> None:
        """Be used from here on. `with_files` has the files be those that this base was made
        with."""
        self.is_stale = True
        if with_files and self._image is not None:
            self._image.put_back()

    # -- snapshots and forks

    def branch(self, wire: int, output: int, place: int, answer: Message) -> bool:
        """Make a copy that has these for its wire and its output, and a copy of /lab in another
        place, and answer with a handle on it. True in the copy. OSError, and no copy, if its files
        could not be copied."""
        self._reap()
        old, new = self._lab_of(self._place), self._lab_of(place)
        branch = self._branch_without_files if _is_unused(old) else self._branch_with_files
        pid = -1
        self._call(_NEW_COPY)
        try:
            pid = branch(old, new, answer)
        finally:
            if pid:
                self._call(RUNNER_NAME)
        if pid:
            self._dying.append(pid)  # some day
        else:
            os.dup2(wire, WIRE)
            os.dup2(output, 1)
            os.dup2(output, 2)
            if self._standby is not None:
                self._standby.close()
                self._standby = None
            self._base, self._dying, self._image = 0, [], None
            self.is_stale = self._has_base = False
            self._place = self._number = place
            self._shares_files = False
            self._is_new = True
        os.close(wire)
        os.close(output)
        return not pid

    def _branch_without_files(self, old: str, new: str, answer: Message) -> int:
        """Of most labs there is nothing to copy, and the host is told at once. So the copy must
        need nothing of the old lab: by the time it first runs, that may be gone."""
        os.mkdir(new, 0o700)
        lab = os.open(new, os.O_PATH | os.O_DIRECTORY)
        is_at_home = os.path.samestat(os.stat("."), os.stat(old))
        try:
            if self._copier.can_copy:
                pid = self._copier.fork_and_tell(
                    WIRE, self._line.packed(answer), beside=self._is_contained
                )
                if not pid:
                    self._stand_alone()
            else:
                pid = self._fork(beside=self._is_contained)
                if pid:
                    self._tell(pid, answer)
            if not pid:
                os.dup2(lab, LAB_DESCRIPTOR)
                if is_at_home:
                    os.fchdir(lab)
        finally:
            os.close(lab)
        return pid

    def _branch_with_files(self, old: str, new: str, answer: Message) -> int:
        """The host is told, and this runner goes on, when the copy has moved: it looks at what is
        in the old lab to find its open files."""
        copy_tree(old, new)
        moved, has_moved = os.pipe()
        try:
            pid = self._fork(beside=self._is_contained)
            if not pid:
                try:
                    move_descriptors(old, new)
                    lab = os.open(new, os.O_PATH | os.O_DIRECTORY)
                    os.dup2(lab, LAB_DESCRIPTOR)
                    os.close(lab)
                    os.write(has_moved, b"\0")
                except OSError:
                    os._exit(1)
                return 0
            os.close(has_moved)
            has_moved = -1
            if not os.read(moved, 1):
                self._dying.append(pid)
                raise OSError("its files could not be opened again")
        finally:
            os.close(moved)
            if has_moved >= 0:
                os.close(has_moved)
        self._tell(pid, answer)
        return pid

    def _tell(self, pid: int, answer: Message) -> None:
        handle = os.pidfd_open(pid)
        self._line.send_with(answer, handle)
        os.close(handle)

    def _fork(self, *, beside: bool = False) -> int:
        """`beside` has the copy be a child of this process's parent. With threads it is this one's,
        as of any fork."""
        alone = threading.active_count() == 1
        pid = self._copier.fork_beside() if beside and self._copier.is_alone else kernel.fork()
        if not pid:
            self._stand_alone()
            if not alone:  # else nobody held anything, and making it anew would only cost
                self._forget_threads()
        return pid

    def _stand_alone(self) -> None:
        """In a copy: signals that code sends to its group are not for copies of it. In a container
        it can send none, and nobody leaves the group, by which all are ended; there what the copy
        starts is to stay below it."""
        if self._is_contained:
            kernel.adopt_orphans()
        else:
            os.setsid()

    def _lab_of(self, place: int) -> str:
        return lab_of(place, self._labs)

    def be_known(self) -> None:
        """The host speaks to this process, and so has made it known."""
        if self._is_new:
            self._is_new = False
            self._call(RUNNER_NAME)

    def _call(self, name: str) -> None:
        """In a container: what processes are called that this one makes now, and itself
        meanwhile."""
        if self._is_contained:
            kernel.set_process_name(name)

    def drop_labs(self, places: list[int]) -> None:
        for place in places:
            for directory in (self._lab_of(place), f"{self._labs}/base-{place}"):
                with contextlib.suppress(OSError):
                    remove_tree(directory)


def _is_unused(lab: str) -> bool:
    """Whether a lab is empty and nothing of it is open, not even what was removed."""
    if os.listdir(lab):
        return False
    itself, here = os.stat(lab), os.stat(".")
    device = itself.st_dev
    if here.st_dev == device and here.st_ino != itself.st_ino:
        return False  # in a directory that is gone
    for name in os.listdir("/proc/self/fd"):
        descriptor = int(name)
        try:
            if descriptor != LAB_DESCRIPTOR and os.fstat(descriptor).st_dev == device:
                return False
        except OSError:  # the one that the list was read by
            continue
    return True
