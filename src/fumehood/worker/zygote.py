"""The zygote: makes sandboxes, and has a runner for each copied from a process that has imported everything. It runs no untrusted code.

It is the first process of the outer namespaces: when it ends, the kernel ends everything in them. One sandbox is always ready before it is
asked for. It takes requests from the host, one packet each, with descriptors in the answers:

    start      → {"sandbox": n} + wire, output, pidfds of runner and keeper    a new sandbox
    runner n   → {"sandbox": n} + wire, output, pidfd of runner                a new runner in a sandbox whose runner is dead
    status n   → {"status": s, "out_of_memory": k}                             how a dead runner ended
    widen n                                                                    there will be copies, which need memory
    adopt n b                   takes a pidfd                                  a runner of sandbox n has made another, called b
    replace n b → {}            takes a pidfd                                  this one is b now; what the dead one left is ended
    leave n b                                                                  that one is over, and the sandbox is not
    end n                                                                      the sandbox is over
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import select
import signal
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from fumehood.jail import enter, kernel, limits
from fumehood.jail.keeper import Keepers
from fumehood.jail.landlock import Rules
from fumehood.jail.namespaces import Home, Spaces, here
from fumehood.jail.report import mechanisms, why
from fumehood.policy import Limits
from fumehood.worker import branches
from fumehood.worker.copies import BareCopies, Template
from fumehood.worker.plan import Plan
from fumehood.worker.signals import be_ordinary

_WIRE_BYTES = 4 << 20
_SWEEPS = 16  # two do, but for processes that cannot be stopped at once


@dataclass(slots=True)
class _Sandbox:
    number: int
    limits: Limits
    keeper: int | None = None
    """A pidfd; None where there are no namespaces."""
    spaces: Spaces | None = None
    runner: int = 0
    status: int | None = None
    ended: bool = False
    branches: dict[int, int] = field(default_factory=dict)
    """Processes that other runners made, by number; under 0 who has taken the place of the first."""
    forks: int = 0
    is_wide: bool = False
    """Whether it has room for copies of its runners."""
    ends: tuple[int, ...] = ()
    """The host's ends of the wire and the output, and a pidfd of the runner, until the host has them."""


def serve(control: socket.socket, plan: Plan) -> None:
    """Build the root, import, say what isolates, and serve until the host closes its end."""
    be_ordinary()
    kernel.die_with_parent(signal.SIGKILL)
    kernel.set_process_name("fumehood-zygote")
    try:
        zygote = Zygote(control, plan)
    except OSError as error:
        control.send(json.dumps({"failed": str(error)}).encode())
        return
    zygote.serve()


class Zygote:
    def __init__(self, control: socket.socket, plan: Plan) -> None:
        self._control = control
        self._sandboxes: dict[int, _Sandbox] = {}
        self._by_runner: dict[int, _Sandbox] = {}
        self._spare: _Sandbox | None = None
        self._numbers = itertools.count(1)
        self._limits = Limits(**plan.policy["limits"])
        abi, abi_why = _landlock()
        if plan.namespaces_why and not abi:
            raise OSError(
                f"neither namespaces ({plan.namespaces_why}) nor Landlock ({abi_why}) can be had here. Use DockerExecutor,"
                " or isolation='inline' for code you trust"
            )
        self._home: Home | None = None
        if not plan.namespaces_why:
            enter.prepare_place(plan.binds)
            self._home, self._keepers = Home(), Keepers()
        limits.raise_open_files()  # three for each sandbox
        self._cgroups = plan.cgroups

        def make_jail() -> enter.Jail:
            """Once everything is imported: what is in use then is not the sandbox's."""
            rules = Rules.of(abi) if abi else None
            return enter.Jail(plan.uid, plan.gid, plan.binds, rules, limits.memory_in_use(), plan.cgroups)

        self._copies: Template | BareCopies
        self._copies = Template(plan, make_jail, self._limits, self._home) if self._home is not None else BareCopies(plan, make_jail)
        self._report = mechanisms(
            namespaces_why=plan.namespaces_why,
            landlock_abi=abi,
            landlock_why=abi_why,
            cgroups_version=plan.cgroups.version if plan.cgroups else 0,
            cgroups_why=plan.cgroups_why,
            uid=plan.uid,
        )

    def serve(self) -> None:
        """Answer requests until the host closes its end."""
        wakeup, woken = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        poll = select.poll()
        poll.register(self._control, select.POLLIN)
        poll.register(wakeup, select.POLLIN)
        rows = [[m.name, m.in_force, m.detail, m.stops] for m in self._report]
        self._control.send(json.dumps({"ready": rows}).encode())
        while True:
            self._refill()
            for descriptor, _event in poll.poll():
                if descriptor == wakeup:
                    os.read(wakeup, 4096)
                    self._reap()
                    continue
                packet, handles, _flags, _address = socket.recv_fds(self._control, 1 << 16, 1)
                if not packet:
                    return
                try:
                    self._answer(json.loads(packet), handles)
                finally:
                    for handle in handles:
                        os.close(handle)

    def _answer(self, request: dict[str, Any], handles: list[int]) -> None:
        """Do what the host asks. What it asks about a sandbox that is over is answered too, or it would wait for ever."""
        sandbox = self._sandboxes.get(request.get("sandbox", 0))
        try:
            match request["do"]:
                case "start":
                    self._start(Limits(**request["limits"]) if "limits" in request else self._limits)
                case "end":
                    if sandbox is not None:
                        self._end(sandbox)
                case "widen":
                    if sandbox is not None:
                        self._widen(sandbox)
                case "adopt":
                    if sandbox is not None:
                        self._adopt(sandbox, handles, request["branch"], request["fork"])
                case "leave":
                    if sandbox is not None:
                        self._leave(sandbox, request["branch"], request["fork"])
                case _ if sandbox is None:
                    self._reply({"failed": "that sandbox is over"})
                case "replace":
                    self._replace(sandbox, handles, request["branch"])
                case "runner":
                    self._restart(sandbox)
                case "status":
                    self._tell(sandbox, request["branch"])
        except OSError as error:
            self._reply({"failed": str(error)})

    def _reply(self, body: dict[str, Any], descriptors: Sequence[int] = ()) -> None:
        socket.send_fds(self._control, [json.dumps(body).encode()], [*descriptors])

    # -- requests -------------------------------------------------------------------------------------------------------------------

    def _start(self, wanted: Limits) -> None:
        if wanted is self._limits and self._spare is not None:
            sandbox, self._spare = self._spare, None
            if sandbox.status is not None:  # somebody killed it
                self._discard(sandbox)
                sandbox = self._make(wanted)
        else:
            sandbox = self._make(wanted)
        self._hand_out(sandbox, [] if sandbox.keeper is None else [sandbox.keeper])

    def _restart(self, sandbox: _Sandbox) -> None:
        self._wait_for(sandbox)
        self._sweep(sandbox, sandbox.branches.pop(0, sandbox.runner))
        self._fork_runner(sandbox)
        self._hand_out(sandbox, [])

    def _hand_out(self, sandbox: _Sandbox, more: list[int]) -> None:
        self._reply({"sandbox": sandbox.number}, [*sandbox.ends, *more])
        for descriptor in sandbox.ends:
            os.close(descriptor)
        sandbox.ends = ()

    def _refill(self) -> None:
        """Have a sandbox ready with the limits that most will have. If one cannot be made, whoever asks for one is told why."""
        if self._spare is None:
            with contextlib.suppress(OSError):
                self._spare = self._make(self._limits)

    def _make(self, wanted: Limits) -> _Sandbox:
        sandbox = _Sandbox(next(self._numbers), wanted)
        self._sandboxes[sandbox.number] = sandbox
        try:
            if self._cgroups is not None:
                self._cgroups.add(str(sandbox.number), wanted)
            self._fork_runner(sandbox)
        except OSError:
            self._discard(sandbox)
            raise
        return sandbox

    def _discard(self, sandbox: _Sandbox) -> None:
        """End a sandbox that the host never had."""
        for descriptor in sandbox.ends:
            os.close(descriptor)
        sandbox.ends = ()
        if not sandbox.runner:
            sandbox.status = 0
        self._end(sandbox)

    def _tell(self, sandbox: _Sandbox, number: int) -> None:
        if number not in sandbox.branches:
            self._wait_for(sandbox)
        killed = self._cgroups.killed(str(sandbox.number)) if self._cgroups is not None else 0
        self._reply({"status": sandbox.status, "out_of_memory": killed})

    def _adopt(self, sandbox: _Sandbox, handles: list[int], number: int, is_fork: bool) -> None:
        """Know a runner that another made, if it is one. A fork has as much memory as any other."""
        with contextlib.suppress(OSError):  # nobody waits for an answer; a process that is none of the sandbox's is not known, that is all
            sandbox.branches[number] = branches.process_of(handles, sandbox.spaces)
        sandbox.forks += is_fork
        if is_fork or not sandbox.is_wide:
            self._widen(sandbox)

    def _replace(self, sandbox: _Sandbox, handles: list[int], number: int) -> None:
        dead = sandbox.branches.get(number, sandbox.runner)
        sandbox.branches[number] = branches.process_of(handles, sandbox.spaces)
        self._sweep(sandbox, dead)
        self._reply({})

    def _leave(self, sandbox: _Sandbox, number: int, was_fork: bool) -> None:
        runner = sandbox.branches.pop(number, sandbox.runner if number == 0 else 0)
        if number == 0:
            sandbox.branches[0] = 0  # the first runner is over: nobody is to take its place for granted
        if was_fork:
            sandbox.forks -= 1
            self._widen(sandbox)
        if runner:
            self._end_all(sandbox, lambda: branches.session_of(runner, sandbox.spaces))

    def _widen(self, sandbox: _Sandbox) -> None:
        sandbox.is_wide = True
        if self._cgroups is not None:
            with contextlib.suppress(OSError):  # what is in use now may be more
                self._cgroups.limit(str(sandbox.number), sandbox.limits, 1 + sandbox.forks)

    def _sweep(self, sandbox: _Sandbox, runner: int) -> None:
        """End what a dead runner has left, before another takes its place: what is of its session, or all that nobody knows where there are
        no forks, which could have more."""
        cgroups = self._cgroups
        if cgroups is not None and not sandbox.forks:
            self._end_all(sandbox, lambda: cgroups.members(str(sandbox.number)))
        else:
            self._end_all(sandbox, lambda: branches.session_of(runner, sandbox.spaces))

    def _end_all(self, sandbox: _Sandbox, find: Callable[[], list[int]]) -> None:
        """Stop them first, until there are no more: what is stopped starts no others. Then look again: one that was being started just
        then is in nobody's list before its parent's call has returned."""
        known = {*sandbox.branches.values()} if 0 in sandbox.branches else {*sandbox.branches.values(), sandbox.runner}
        for _ in range(_SWEEPS):
            found: set[int] = set()
            while new := {*find()} - known:
                known |= new
                found |= new
                for pid in new:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGSTOP)
            if not found:
                break
            branches.kill_and_see(found)

    def _end(self, sandbox: _Sandbox) -> None:
        victim = sandbox.keeper
        if victim is not None:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(victim, signal.SIGKILL)
            os.close(victim)
        elif sandbox.status is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(sandbox.runner, signal.SIGKILL)
        if sandbox.spaces is not None:
            sandbox.spaces.close()
        sandbox.keeper, sandbox.spaces, sandbox.ended = None, None, True
        self._reap()

    # -- processes ------------------------------------------------------------------------------------------------------------------

    def _fork_runner(self, sandbox: _Sandbox) -> None:
        """Start a runner for a sandbox; the host's ends are kept with the sandbox."""
        wire, their_wire = socket.socketpair()
        output, their_output = os.pipe()
        for end in (wire, their_wire):  # fewer changes of processes for large values; the kernel gives what it allows
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _WIRE_BYTES)
        theirs: tuple[int, ...] = (their_wire.detach(), their_output)
        ours = (wire.detach(), output)

        try:
            if self._home is not None and sandbox.spaces is None:
                with self._home.away():
                    sandbox.keeper = self._keepers.start()
                    sandbox.spaces = here()
            if self._cgroups is not None:
                theirs = (*theirs, self._cgroups.door(str(sandbox.number)))
            pid = self._copies.start(sandbox.number, sandbox.limits, sandbox.spaces, theirs, is_first=sandbox.runner == 0)
            sandbox.ends = (*ours, os.pidfd_open(pid))
        except OSError:
            for descriptor in ours:
                os.close(descriptor)
            raise
        finally:
            for descriptor in theirs:
                os.close(descriptor)
        sandbox.runner, sandbox.status = pid, None
        self._by_runner[pid] = sandbox

    def _wait_for(self, sandbox: _Sandbox) -> None:
        if sandbox.status is None:
            _pid, status = os.waitpid(sandbox.runner, 0)
            self._note(sandbox.runner, status)

    def _reap(self) -> None:
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                break
            if not pid:
                break
            self._note(pid, status)
        for sandbox in [sandbox for sandbox in self._sandboxes.values() if sandbox.ended and sandbox.status is not None]:
            if self._cgroups is None or self._cgroups.remove(str(sandbox.number)):
                del self._sandboxes[sandbox.number]

    def _note(self, pid: int, status: int) -> None:
        sandbox = self._by_runner.pop(pid, None)
        if sandbox is not None:
            sandbox.status = os.waitstatus_to_exitcode(status)


def _landlock() -> tuple[int, str]:
    try:
        return kernel.landlock_abi(), ""
    except OSError as error:
        return 0, f"not in this kernel or switched off ({why(error)})"
