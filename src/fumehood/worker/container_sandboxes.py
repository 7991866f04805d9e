"""Sandboxes in a container: for each an init, its runners, and a directory with their labs.

These take the place of namespaces. The processes of a sandbox are known by their parents
(jail/spawn.py), and none can leave the process group of the init:

    children of the init      runners that the zygote started, copies that those made of themselves,
                              checkpoints that have taken over; and what dead runners have left,
                              which is ended
    below a living runner     what its code has started, and its checkpoint
    the process group         all of them
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import time
from dataclasses import dataclass, field

from fumehood.jail import spawn
from fumehood.jail.filesystem import lab_of
from fumehood.worker import orphans
from fumehood.worker.checkpoint import UNKNOWN_YET
from fumehood.worker.start import Start, Template

_UNHEARD_SECONDS = 10.0
"""How long the host may take to hear of a copy that was made, or to use a checkpoint. Code can give
itself their names, and gains that time."""
_DEATH_SECONDS = 2.0
_LOOKS = 32  # two do, but for those that are replaced as fast as they die


@dataclass(slots=True)
class ContainerSandbox:
    init: int
    """A process id, of a child of the zygote: neither it nor the group's number is reused before
    the zygote has waited for it."""
    handle: int
    """A pidfd of it."""
    line: socket.socket
    labs: str
    template: Template
    has_ended: bool = False
    _unknown: dict[int, float] = field(default_factory=dict)
    """Unknown children of the init, and since when."""

    @classmethod
    def open(cls, template: Template, all_labs: str) -> ContainerSandbox:
        """A new one, with no process but its init."""
        labs = f"{all_labs}/{os.urandom(8).hex()}"
        os.mkdir(labs, 0o700)
        line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            init = template.start_init(theirs.fileno())
            return cls(init, os.pidfd_open(init), line, labs, template)
        except OSError:
            line.close()
            os.rmdir(labs)
            raise
        finally:
            theirs.close()

    def start(self, wanted: Start, wire: int, output: int) -> int:
        """A new runner in one of the sandbox's labs; gives its process id."""
        lab = lab_of(wanted.place, self.labs)
        with contextlib.suppress(FileExistsError):
            os.mkdir(lab, 0o700)  # the runner makes what is in it
        flags = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
        directories = [os.open(lab, flags)]
        try:
            directories.append(os.open(self.labs, flags))
            packet = self.template.packet(wanted)
            return spawn.copy(self.line, packet, (wire, output, *directories))
        finally:
            for directory in directories:
                os.close(directory)

    def is_well(self, pid: int) -> bool:
        """Whether init and runner are alive."""
        try:
            return not self.has_ended and spawn.ending_of(pid, self.line, lets_go=False) is None
        except spawn.Gone:
            return False

    def wait_for(self, pid: int) -> int:
        """Wait for a dying runner; gives how it ended."""
        with contextlib.suppress(OSError):  # there is none of that number any more
            handle = os.pidfd_open(pid)
            poll = select.poll()
            poll.register(handle, select.POLLIN)
            poll.poll(_DEATH_SECONDS * 1000)
            os.close(handle)
        try:
            ending = spawn.ending_of(pid, self.line, lets_go=False)
        except spawn.Gone:  # the init, and everything with it
            ending = None
        return -signal.SIGKILL if ending is None else ending

    def sweep(self, living: set[int], *, all_wait: bool) -> None:
        """End what dead runners have left. `living` are the runners in use; `all_wait` says that
        none of them does anything now. Then all processes are stopped at once, so that none starts
        another while they are searched for. Else they are stopped one by one: a process that is
        stopped while it starts another, and continues, leaves that one stopped."""
        with contextlib.suppress(spawn.Gone):
            if self.has_ended or not self._strangers(living):
                return
            if all_wait:
                self._stop_all()
            try:
                orphans.end_all(lambda: self._left_by_the_dead(living), living)
            finally:
                if all_wait:
                    os.killpg(self.init, signal.SIGCONT)
            self._strangers(living)

    def clear(self) -> None:
        """End everything but the init, and reap it."""
        self._stop_all()
        orphans.end_all(self._members, set())
        self._strangers(set())

    def end(self) -> None:
        """End everything at once, with the init. Orphans become children of the zygote."""
        if not self.has_ended:
            self.has_ended = True
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.init, signal.SIGKILL)
            self.line.close()

    def _stop_all(self) -> None:
        """Stop everything but the init, which runs no code of the sandbox and answers meanwhile."""
        os.killpg(self.init, signal.SIGSTOP)
        os.kill(self.init, signal.SIGCONT)

    def _members(self) -> set[int]:
        """The living processes, without the init."""
        return {
            pid
            for pid, seen in orphans.all_processes().items()
            if seen.group == self.init and not seen.is_dead
        } - {self.init}

    def _left_by_the_dead(self, living: set[int]) -> set[int]:
        """Unknown children of the init, and all below them, but not those that are too new to be
        known."""
        # From one table: the kernel's lists of children can lack some while others of them end.
        table = orphans.all_processes()
        unknown = {pid for pid, seen in table.items() if seen.parent == self.init} - living
        self._unknown = {pid: since for pid, since in self._unknown.items() if pid in unknown}
        generation = {pid for pid in unknown if not self._is_unknown_yet(pid)}
        left: set[int] = set()
        while generation:
            left |= generation
            generation = {pid for pid, seen in table.items() if seen.parent in generation} - left
        return {pid for pid in left if not table[pid].is_dead}

    def _is_unknown_yet(self, pid: int) -> bool:
        """Whether a process is named as a copy or a checkpoint, and is new."""
        seen, now = orphans.process(pid), time.monotonic()
        return (
            now - self._unknown.setdefault(pid, now) < _UNHEARD_SECONDS
            and seen is not None
            and seen.name in UNKNOWN_YET
        )

    def _strangers(self, living: set[int]) -> set[int]:
        """Unknown children of the init. The dead are reaped; their children are then the init's,
        and are looked for again."""
        strangers: set[int] = set()
        for _ in range(_LOOKS):
            strangers = orphans.children_of(self.init) - living
            if not {pid for pid in strangers if self._reaps(pid)}:
                break
        return strangers

    def _reaps(self, pid: int) -> bool:
        """Whether a child of the init was dead, and is reaped."""
        return spawn.ending_of(pid, self.line, lets_go=True) is not None
