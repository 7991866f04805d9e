"""Sandboxes in a container: for each a keeper, its runners, and a directory with their labs.

A household is what namespaces are elsewhere. Its processes are known by who is above them
(jail/spawn.py), and none can leave the keeper's process group:

    the keeper's children     runners that it started, copies that those made of themselves, bases
                              that have taken over; and what dead
                              ones have left, which nobody knows and which is therefore ended
    below a living runner     what its code has started, which is nobody else's to touch, and its
                              base
    the process group         all of them
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from fumehood.jail import enter, kernel, namespaces, spawn
from fumehood.jail.filesystem import LAB_DESCRIPTOR, LAB_IN_SETUP, lab_of
from fumehood.jail.kernel import Script
from fumehood.policy import Limits
from fumehood.worker import fork, memory, orphans
from fumehood.worker.checkpoint import UNKNOWN_YET
from fumehood.worker.preload import preload
from fumehood.worker.runner import Runner, break_off
from fumehood.worker.start import PAUSE_MILLISECONDS, READY, UNEXPECTED, Plan, Start, serve_as

_UNHEARD_SECONDS = 10.0
"""So long the host may take to hear of a copy that was made, or to call upon a base. Code can give
itself their names, and wins as much."""
_DEATH_SECONDS = 2.0
_LOOKS = 32  # two do, but for those that are replaced as fast as they die
_OWN = LAB_IN_SETUP + 1


@dataclass(slots=True)
class Household:
    keeper: int
    """A process id, of a child of the zygote: neither it nor the group's number is anybody else's
    before that has waited for it."""
    handle: int
    """A pidfd of it, which is handed on."""
    line: socket.socket
    labs: str
    is_over: bool = False
    _unknown: dict[int, float] = field(default_factory=dict)
    """Children of the keeper whom nobody knows, and since when."""

    def is_well(self, pid: int) -> bool:
        """Whether keeper and runner are alive."""
        try:
            return not self.is_over and spawn.ending_of(pid, self.line, lets_go=False) is None
        except spawn.Gone:
            return False

    def wait_for(self, pid: int) -> int:
        """See a runner dead that is dying, and tell how it ended."""
        with contextlib.suppress(OSError):  # there is none of that number any more
            handle = os.pidfd_open(pid)
            poll = select.poll()
            poll.register(handle, select.POLLIN)
            poll.poll(_DEATH_SECONDS * 1000)
            os.close(handle)
        try:
            ending = spawn.ending_of(pid, self.line, lets_go=False)
        except spawn.Gone:  # the keeper, and everybody with it
            ending = None
        return -signal.SIGKILL if ending is None else ending

    # Two ways to stop a crowd. All at once: then nobody starts another while they are looked for,
    # and who looks has the processor. But whoever is about to start a process when it is stopped,
    # and goes on before it has, starts one that the kernel leaves standing; so this is for when
    # nobody does anything who is to go on. Else one by one.

    def halt(self, living: set[int], *, all_wait: bool) -> None:
        """Stop what dead runners have left, until it is swept: a crowd would not even let a base
        take over. `living` are runners, whoever made them, that somebody has a use for; `all_wait`
        says that none of them does anything now."""
        with contextlib.suppress(spawn.Gone):  # the keeper is, and with it everybody
            if self.is_over or all(self._is_unknown_yet(pid) for pid in self._strangers(living)):
                return
            if not all_wait:
                orphans.stop_all(lambda: self._left_by_the_dead(living), living)
                return
            stopped: set[int] = set()
            self._stop_all()
            try:
                stopped = self._left_by_the_dead(living)
            finally:
                for pid in self._members() - stopped:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGCONT)

    def sweep(self, living: set[int], *, all_wait: bool) -> None:
        """End what dead runners have left; the rest is as of `halt`."""
        with contextlib.suppress(spawn.Gone):
            if self.is_over or not self._strangers(living):
                return
            if all_wait:
                self._stop_all()
            try:
                orphans.end_all(lambda: self._left_by_the_dead(living), living)
            finally:
                if all_wait:
                    os.killpg(self.keeper, signal.SIGCONT)
            self._strangers(living)

    def clear(self) -> None:
        """End everybody but the keeper, and let go of them."""
        self._stop_all()
        orphans.end_all(self._members, set())
        self._strangers(set())

    def end(self) -> None:
        """End everything at once, the keeper too. Who has lost a parent by that becomes a child of
        the zygote. Once is enough."""
        if not self.is_over:
            self.is_over = True
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.keeper, signal.SIGKILL)
            self.line.close()

    def _stop_all(self) -> None:
        """Stop everybody but the keeper, which runs nobody's code and is asked things meanwhile."""
        os.killpg(self.keeper, signal.SIGSTOP)
        os.kill(self.keeper, signal.SIGCONT)

    def _members(self) -> set[int]:
        """Who is in here and lives, but for the keeper."""
        return {
            pid
            for pid, seen in orphans.all_processes().items()
            if seen.group == self.keeper and not seen.is_dead
        } - {self.keeper}

    def _left_by_the_dead(self, living: set[int]) -> set[int]:
        """Children of the keeper whom nobody knows, and all below them, but for those whom nobody
        has had the time to know."""
        table = orphans.all_processes()
        unknown = [
            pid for pid, seen in table.items() if seen.parent == self.keeper and pid not in living
        ]
        nobody_s = [pid for pid in unknown if not self._is_unknown_yet(pid)]
        self._unknown = {pid: since for pid, since in self._unknown.items() if pid in unknown}
        return {pid for pid in orphans.all_below(nobody_s, table) if not table[pid].is_dead}

    def _is_unknown_yet(self, pid: int) -> bool:
        """Whether a process calls itself a copy or a base, and has not been there for long."""
        seen, now = orphans.process(pid), time.monotonic()
        return (
            now - self._unknown.setdefault(pid, now) < _UNHEARD_SECONDS
            and seen is not None
            and seen.name in UNKNOWN_YET
        )

    def _strangers(self, living: set[int]) -> set[int]:
        """Children of the keeper whom nobody knows. The dead are let go of; who was theirs is then
        the keeper's, and looked for again."""
        strangers: set[int] = set()
        for _ in range(_LOOKS):
            strangers = orphans.children_of(self.keeper) - living
            if not {pid for pid in strangers if self._lets_go_of(pid)}:
                break
        return strangers

    def _lets_go_of(self, pid: int) -> bool:
        """Whether a child of the keeper was dead, and its number may be another's from now on."""
        return spawn.ending_of(pid, self.line, lets_go=True) is not None


class Households:
    """Makes households, and runners in them."""

    def __init__(self, plan: Plan, make_jail: Callable[[], enter.Jail], usual: Limits) -> None:
        self._plan, self._make_jail, self._usual = plan, make_jail, usual
        self.template = 0
        """Its process id."""
        self._make()

    def open(self) -> Household:
        """A new one, with nobody in it but its keeper."""
        labs = f"{self._plan.labs}/{os.urandom(8).hex()}"
        os.mkdir(labs, 0o700)
        line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            try:
                keeper = spawn.copy(self._line, spawn.INIT, (theirs.fileno(),))
            except spawn.Gone:
                self._line.close()
                self._make()
                keeper = spawn.copy(self._line, spawn.INIT, (theirs.fileno(),))
            return Household(keeper, os.pidfd_open(keeper), line, labs)
        except OSError:
            line.close()
            os.rmdir(labs)
            raise
        finally:
            theirs.close()

    def start(self, household: Household, wanted: Start, wire: int, output: int) -> int:
        """A new runner in one of the household's labs; gives its process id."""
        lab = lab_of(wanted.place, household.labs)
        with contextlib.suppress(FileExistsError):
            os.mkdir(lab, 0o700)  # the runner makes what is in it
        packet = (
            spawn.USUAL if wanted.is_usual(self._usual) else json.dumps(wanted.as_fields()).encode()
        )
        flags = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
        directories = [os.open(household.labs, flags)]
        try:
            directories.append(os.open(lab, flags))
            return spawn.copy(household.line, packet, (wire, output, *reversed(directories)))
        finally:
            for directory in directories:
                os.close(directory)

    # -- the template

    def _make(self) -> None:
        self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        zygote = os.getpid()
        # Twice, as in Template._make.
        first = fork.start(lambda: self._import_and_leave(theirs, zygote))
        theirs.close()
        os.waitpid(first, 0)
        said = self._line.recv(1 << 16)
        if not said.startswith(READY):
            raise OSError(said.decode() or UNEXPECTED)
        self.template = int(said.removeprefix(READY))

    def _import_and_leave(self, theirs: socket.socket, zygote: int) -> None:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        spawn.settle(theirs, (), "/")
        runner = preload(self._plan)
        fork.start(lambda: self._be_template(runner, zygote))

    def _be_template(self, runner: Runner, zygote: int) -> None:
        kernel.set_process_name("fumehood-template")
        while os.getppid() != zygote:  # copies become children of the zygote only when this has
            time.sleep(0.0005)
        try:
            jail = self._make_jail()

            def script(wanted: Limits) -> Script:
                made = Script(spawn.SOCKET + 1)
                wire, output, lab, own = range(spawn.SOCKET + 1, spawn.SOCKET + 5)
                for sent, place in (
                    (wire, enter.WIRE),
                    (output, 1),
                    (output, 2),
                    (lab, LAB_IN_SETUP),
                    (own, _OWN),
                ):
                    made.move(sent, place)
                made.close_from(_OWN + 1)
                enter.runner_script(made, jail, wanted, "container", own=_OWN)
                made.must_be(jail.uid, jail.gid)
                # What Python touches first it touches when there is something to do, or a pause:
                # many sandboxes are soon over.
                made.write("say that it is ready", enter.WIRE, runner.greeting)
                made.wait_for(enter.WIRE, PAUSE_MILLISECONDS)
                made.prepared()
                return made

            keeper = Script(spawn.SOCKET + 1)
            enter.init_script(keeper)
            usual = script(self._usual)
            runner.attach(enter.WIRE)
            memory.make_huge()
            kernel.forbid_inspection()  # for itself, and for keepers, who have the same memory
        except OSError as error:
            os.write(spawn.SOCKET, str(error).encode())
            return
        ready = READY + str(os.getpid()).encode()
        packet, failed = spawn.serve_template(
            ready, usual, first_sent=spawn.SOCKET + 1, init=keeper
        )
        # From here on this is a runner.
        fork.end_with(lambda: _become_runner(runner, packet, failed, script, jail))


def _become_runner(
    runner: Runner,
    packet: bytes,
    failed: OSError | None,
    script: Callable[[Limits], Script],
    jail: enter.Jail,
) -> None:
    try:
        wanted = None
        if failed is not None:
            raise failed
        if packet != spawn.USUAL:
            wanted = Start.from_fields(json.loads(packet))
            script(wanted.limits).run()
        namespaces.must_be(jail.uid, jail.gid)
        runner.live_in(os.path.dirname(os.readlink(f"/proc/self/fd/{LAB_DESCRIPTOR}")))
        if wanted is not None:
            runner.live_at(wanted.place, wanted.number)
    except OSError as error:
        break_off(enter.WIRE, str(error))
        return
    serve_as(runner, has_greeted=True)
