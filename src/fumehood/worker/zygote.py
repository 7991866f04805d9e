"""The zygote: has imported everything before anybody asks, and starts runners by copying itself. It runs no untrusted code.

It is the first process of the outer namespaces: when it ends, the kernel ends everything in them. One sandbox is always ready before it is
asked for. It takes requests from the host, one packet each, with descriptors in the answers:

    start      → {"sandbox": n} + wire, output, pidfds of runner and keeper    a new sandbox
    runner n   → {"sandbox": n} + wire, output, pidfd of runner                a new runner in a sandbox whose runner is dead
    status n   → {"status": s, "out_of_memory": k}                             how a dead runner ended
    end n                                                                      the sandbox is over
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import itertools
import json
import os
import pkgutil
import select
import signal
import socket
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fumehood import language, wire, worker
from fumehood.jail import enter, kernel, limits
from fumehood.jail.filesystem import LAB
from fumehood.jail.keeper import Keepers
from fumehood.jail.landlock import Rules
from fumehood.jail.namespaces import Home, Spaces, here
from fumehood.jail.report import mechanisms, why
from fumehood.policy import DEFAULT_IMPORTS, Limits
from fumehood.worker import fork
from fumehood.worker.display import prepare_matplotlib
from fumehood.worker.plan import Plan
from fumehood.worker.rehearsal import rehearse
from fumehood.worker.runner import Runner, break_off
from fumehood.worker.signals import be_ordinary

_ENVIRONMENT = {"HOME": LAB, "TMPDIR": LAB, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "PATH": "/nonexistent"}
_WIRE_BYTES = 4 << 20
_HOST_ONLY = ("fumehood.wire.strict",)
_WIRE = 3  # where a runner finds the wire


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
            self._program = enter.filter_program(bare=False)
        _import_all(plan.imports)
        os.environ.clear()
        os.environ.update(_ENVIRONMENT)
        rehearse(plan.imports)
        self._runner = Runner(plan.policy)
        gc.collect()
        gc.freeze()  # so that no later collection touches what all runners share
        rules = Rules.of(abi) if abi else None
        kernel.remember_capabilities()
        limits.raise_open_files()  # three for each sandbox
        self._jail = enter.Jail(plan.uid, plan.gid, plan.binds, rules, limits.memory_in_use(), plan.cgroups)
        self._planned = limits.plan(self._limits, in_use=self._jail.in_use, tasks_in_use=0)
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
                packet = self._control.recv(1 << 16)
                if not packet:
                    return
                self._answer(json.loads(packet))

    def _answer(self, request: dict[str, Any]) -> None:
        """Do what the host asks. What it asks about a sandbox that is over is answered too, or it would wait for ever."""
        sandbox = self._sandboxes.get(request.get("sandbox", 0))
        try:
            match request["do"]:
                case "start":
                    self._start(Limits(**request["limits"]) if "limits" in request else self._limits)
                case "end":
                    if sandbox is not None:
                        self._end(sandbox)
                case _ if sandbox is None:
                    self._reply({"failed": "that sandbox is over"})
                case "runner":
                    self._restart(sandbox)
                case "status":
                    self._tell(sandbox)
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
            if self._jail.cgroups is not None:
                self._jail.cgroups.add(str(sandbox.number), wanted)
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

    def _tell(self, sandbox: _Sandbox) -> None:
        self._wait_for(sandbox)
        killed = self._jail.cgroups.killed(str(sandbox.number)) if self._jail.cgroups is not None else 0
        self._reply({"status": sandbox.status, "out_of_memory": killed})

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
        theirs = (their_wire.detach(), their_output)
        ours = (wire.detach(), output)

        usual = sandbox.limits is self._limits
        planned = self._planned if usual else limits.plan(sandbox.limits, in_use=self._jail.in_use, tasks_in_use=0)

        def run() -> None:
            self._become_runner(sandbox, planned, *theirs)

        try:
            if self._home is None:
                pid = fork.start(run)
            else:
                with self._home.away(sandbox.spaces):
                    if sandbox.spaces is None:
                        sandbox.keeper = self._keepers.start()
                        sandbox.spaces = here()
                    pid = fork.start(run)
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

    def _become_runner(self, sandbox: _Sandbox, planned: limits.Plan, wire: int, output: int) -> None:
        signal.set_wakeup_fd(-1)
        is_first = sandbox.runner == 0
        _close_all_but([wire, output, *([] if self._jail.cgroups is None else [self._jail.cgroups.directory])])
        try:
            if sandbox.keeper is not None:
                enter.enter_jail(self._jail, sandbox.limits, planned, str(sandbox.number), is_first=is_first)
                program = self._program
                if not is_first:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(-1, signal.SIGKILL)  # what the dead runner started and left
            else:
                enter.enter_bare(self._jail, sandbox.limits, sandbox.number)
                kernel.die_with_parent(signal.SIGKILL)  # the kernel forgets it when the user changes, so not before
                program = enter.filter_program(bare=True)
            _arrange(wire, output)
            kernel.set_process_name("fumehood-runner")
            enter.close_the_door(program)
        except OSError as error:
            break_off(wire, str(error))
            return
        with contextlib.suppress(Exception):
            self._runner.serve(_WIRE)
        raise SystemExit(fork.FAILED)  # without a word: what a runner prints is the cell's output

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
            if self._jail.cgroups is None or self._jail.cgroups.remove(str(sandbox.number)):
                del self._sandboxes[sandbox.number]

    def _note(self, pid: int, status: int) -> None:
        sandbox = self._by_runner.pop(pid, None)
        if sandbox is not None:
            sandbox.status = os.waitstatus_to_exitcode(status)


def _close_all_but(kept: list[int]) -> None:
    """The zygote's descriptors are not the runner's, and would count against its limit."""
    below = 3
    for descriptor in sorted(kept):
        os.closerange(below, descriptor)
        below = descriptor + 1
    os.closerange(below, 1 << 20)


def _arrange(wire: int, output: int) -> None:
    """Standard input is empty, both outputs go to the host, the wire is the fourth; there are no other descriptors."""
    null = os.open("/dev/null", os.O_RDONLY)
    high = [os.dup(wire), os.dup(output)]
    while min(high) <= _WIRE:
        high = [os.dup(descriptor) for descriptor in high]
    os.dup2(null, 0)
    os.dup2(high[1], 1)
    os.dup2(high[1], 2)
    os.dup2(high[0], _WIRE)
    os.closerange(_WIRE + 1, 1 << 20)


def _landlock() -> tuple[int, str]:
    try:
        return kernel.landlock_abi(), ""
    except OSError as error:
        return 0, f"not in this kernel or switched off ({why(error)})"


def _import_all(imports: tuple[str, ...]) -> None:
    """What code may import is imported now, once, and so is all of ours that runs inside. A module of the policy's that fails to import
    fails again, with its reason, in the cell that imports it.
    """
    for package in (language, wire, worker):
        for part in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            if part.name not in _HOST_ONLY:
                importlib.import_module(part.name)
    if any(name.partition(".")[0] == "matplotlib" for name in imports):
        prepare_matplotlib()
    for name in (*DEFAULT_IMPORTS, *imports):
        if name != "*":
            before = set(sys.modules)
            try:
                importlib.import_module(name)
            except Exception:
                for half_made in set(sys.modules) - before:
                    del sys.modules[half_made]
