"""The zygote: has imported everything before anybody asks, and starts runners by copying itself. It runs no untrusted code.

It takes requests from the host, one packet each:

    start     + wire, output → {"sandbox": n} + pidfds of keeper and runner    a new sandbox
    runner n  + wire, output → {"sandbox": n} + pidfd of runner                a new runner in a sandbox whose runner is dead
    status n                 → {"status": s, "out_of_memory": k}               how a dead runner ended
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
from collections import deque
from dataclasses import dataclass
from typing import Any

from fumehood import language, wire, worker
from fumehood.jail import enter, kernel, limits
from fumehood.jail.filesystem import LAB
from fumehood.jail.namespaces import Children
from fumehood.jail.report import mechanisms, why
from fumehood.policy import DEFAULT_IMPORTS, Limits
from fumehood.worker import fork
from fumehood.worker.display import prepare_matplotlib
from fumehood.worker.plan import Plan
from fumehood.worker.rehearsal import rehearse
from fumehood.worker.runner import Runner, break_off
from fumehood.worker.signals import be_ordinary

_ENVIRONMENT = {"HOME": LAB, "TMPDIR": LAB, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "PATH": "/nonexistent"}
_SPARE_KEEPERS = 2
_HOST_ONLY = ("fumehood.wire.strict", "fumehood.worker.__main__")
_WIRE = 3  # where a runner finds the wire


@dataclass(slots=True)
class _Sandbox:
    number: int
    limits: Limits
    keeper: int | None
    """A pidfd; None where there are no namespaces."""
    runner: int = 0
    status: int | None = None
    ended: bool = False


def serve(control: socket.socket, plan: Plan, keepers: socket.socket | None) -> None:
    """Import, say what isolates, and serve until the host closes its end."""
    be_ordinary()
    kernel.die_with_parent(signal.SIGKILL)
    kernel.set_process_name("fumehood-zygote")
    try:
        zygote = Zygote(control, plan, keepers)
    except OSError as error:
        control.send(json.dumps({"failed": str(error)}).encode())
        return
    zygote.serve()


class Zygote:
    def __init__(self, control: socket.socket, plan: Plan, keepers: socket.socket | None) -> None:
        self._control = control
        self._plan = plan
        self._keepers = keepers
        self._spares: deque[int] = deque()
        self._sandboxes: dict[int, _Sandbox] = {}
        self._by_runner: dict[int, _Sandbox] = {}
        self._numbers = itertools.count(1)
        if keepers is not None:
            for _ in range(_SPARE_KEEPERS):
                keepers.send(b"k")
        abi, abi_why = _landlock()
        if keepers is None and not abi:
            raise OSError(
                f"neither namespaces ({plan.namespaces_why}) nor Landlock ({abi_why}) can be had here. Use DockerExecutor,"
                " or isolation='inline' for code you trust"
            )
        _import_all(plan.imports)
        self._children = Children() if keepers is not None else None
        self._program = enter.filter_program(bare=False) if keepers is not None else b""
        os.environ.clear()
        os.environ.update(_ENVIRONMENT)
        rehearse(plan.imports)
        self._runner = Runner(plan.policy)
        gc.collect()
        gc.freeze()  # so that no later collection touches what all runners share
        self._jail = enter.Jail(plan.uid, plan.gid, plan.binds, abi, limits.memory_in_use(), plan.cgroups)
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
            for descriptor, _event in poll.poll():
                if descriptor == wakeup:
                    os.read(wakeup, 4096)
                    self._reap()
                    continue
                packet, descriptors, _flags, _address = socket.recv_fds(self._control, 1 << 16, 2)
                if not packet:
                    return
                self._answer(json.loads(packet), descriptors)

    def _answer(self, request: dict[str, Any], descriptors: list[int]) -> None:
        try:
            match request["do"]:
                case "start":
                    self._start(Limits(**request["limits"]), descriptors)
                case "runner":
                    self._restart(self._sandboxes[request["sandbox"]], descriptors)
                case "status":
                    self._tell(self._sandboxes[request["sandbox"]])
                case "end":
                    self._end(self._sandboxes[request["sandbox"]])
        except OSError as error:
            self._reply({"failed": str(error)})
        finally:
            for descriptor in descriptors:
                os.close(descriptor)

    def _reply(self, body: dict[str, Any], descriptors: list[int] | None = None) -> None:
        socket.send_fds(self._control, [json.dumps(body).encode()], descriptors or [])

    # -- requests -------------------------------------------------------------------------------------------------------------------

    def _start(self, wanted: Limits, descriptors: list[int]) -> None:
        sandbox = _Sandbox(next(self._numbers), wanted, self._take_keeper())
        if self._jail.cgroups is not None:
            self._jail.cgroups.add(str(sandbox.number), wanted)
        self._sandboxes[sandbox.number] = sandbox
        pidfd = self._fork_runner(sandbox, descriptors)
        self._reply({"sandbox": sandbox.number}, [pidfd] if sandbox.keeper is None else [pidfd, sandbox.keeper])
        os.close(pidfd)
        if self._keepers is not None:
            self._keepers.send(b"k")  # a spare for the next, made while this one is being used

    def _restart(self, sandbox: _Sandbox, descriptors: list[int]) -> None:
        self._wait_for(sandbox)
        pidfd = self._fork_runner(sandbox, descriptors)
        self._reply({"sandbox": sandbox.number}, [pidfd])
        os.close(pidfd)

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
        sandbox.keeper, sandbox.ended = None, True
        self._reap()

    # -- processes ------------------------------------------------------------------------------------------------------------------

    def _take_keeper(self) -> int | None:
        if self._keepers is None:
            return None
        text, descriptors, _flags, _address = socket.recv_fds(self._keepers, 4096, 1)
        if not descriptors:
            self._keepers.send(b"k")
            raise OSError(f"a sandbox could not be made: {text.decode()[1:]}")
        return descriptors[0]

    def _fork_runner(self, sandbox: _Sandbox, descriptors: list[int]) -> int:
        """Start a runner for a sandbox; gives a pidfd of it."""

        def run() -> None:
            self._become_runner(sandbox, descriptors)

        keeper = sandbox.keeper
        if self._children is not None and keeper is not None:
            self._children.in_namespace_of(keeper)
            try:
                pid = fork.start(run)
            finally:
                self._children.here()
        else:
            pid = fork.start(run)
        sandbox.runner, sandbox.status = pid, None
        self._by_runner[pid] = sandbox
        return os.pidfd_open(pid)

    def _become_runner(self, sandbox: _Sandbox, descriptors: list[int]) -> None:
        signal.set_wakeup_fd(-1)
        first = sandbox.runner == 0
        kept = [*descriptors, *([] if sandbox.keeper is None else [sandbox.keeper])]
        if self._jail.cgroups is not None:
            kept.append(self._jail.cgroups.directory)
        wire, output = descriptors
        _close_all_but(kept)
        try:
            if sandbox.keeper is not None:
                enter.enter_as_runner(self._jail, sandbox.limits, sandbox.keeper, str(sandbox.number))
                program = self._program
                if not first:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(-1, signal.SIGKILL)  # what the dead runner started and left
            else:
                enter.enter_bare(self._jail, sandbox.limits, sandbox.number)
                kernel.die_with_parent(signal.SIGKILL)  # the kernel forgets it when the user changes, so not before
                program = enter.filter_program(bare=True)
            _arrange(wire, output)
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
