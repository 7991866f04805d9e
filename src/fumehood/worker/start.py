"""Starts runners by copying a process that has imported everything: a template, or the zygote
itself where there are no namespaces.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

from fumehood.jail import enter, kernel, limits, namespaces, spawn
from fumehood.jail.filesystem import LAB_IN_SETUP, lab_of
from fumehood.jail.kernel import Script
from fumehood.jail.namespaces import INSIDE, Home, Spaces
from fumehood.policy import Limits
from fumehood.worker import fork, memory
from fumehood.worker.preload import preload
from fumehood.worker.runner import Runner, break_off

_READY = b"ready"
_EXTRA = LAB_IN_SETUP + 1
"""Where a runner has, while it enters the jail, the descriptor of its cgroup."""
_PAUSE_MILLISECONDS = 5


class Template:
    """A process that does nothing but be copied. `home` holds the namespaces that it lives in."""

    def __init__(self, plan: Plan, usual: Limits, home: Home) -> None:
        self._plan, self._usual, self._home = plan, usual, home
        self.pid = 0
        self._make()

    def _make(self) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        zygote = os.getpid()
        # What libraries want done around a fork, such as ending their threads, is done once, here,
        # and the second process is the template.
        first = fork.start(lambda: self._import_and_leave(theirs, zygote))
        theirs.close()
        os.waitpid(first, 0)
        answer = self._socket.recv(1 << 16)
        if not answer.startswith(_READY):
            raise OSError(
                answer.decode()
                or "the process that imports modules ended unexpectedly; set FUMEHOOD_DEBUG=1 to"
                " see why"
            )
        self.pid = int(answer.removeprefix(_READY))

    def start(
        self, number: int, wanted: Start, spaces: Spaces | None, descriptors: tuple[int, ...]
    ) -> int:
        """A new runner in the namespaces of a sandbox, the first or one more; gives its process id.
        `descriptors` are its wire, output and cgroup."""
        assert spaces is not None
        is_usual = wanted.limits is self._usual and wanted.is_first and not wanted.number
        packet = spawn.USUAL if is_usual else json.dumps(asdict(wanted)).encode()
        return self._copy(packet, (spaces.pid, spaces.mount, *descriptors))

    def _copy(self, packet: bytes, descriptors: tuple[int, ...]) -> int:
        try:
            return spawn.copy(self._socket, packet, descriptors)
        except spawn.Gone as gone:
            if gone.is_silent:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(self.pid, signal.SIGKILL)
            self._socket.close()
            self._make()
            return spawn.copy(self._socket, packet, descriptors)

    # -- in the template

    def _import_and_leave(self, theirs: socket.socket, zygote: int) -> None:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        first_sent = spawn.settle(theirs, self._home.descriptors, lab_of(0))
        runner = preload(self._plan)
        memory.merge_mappings()  # and this process stays closed to inspection
        fork.start(lambda: self._serve(first_sent, runner, zygote))

    def _serve(self, first_sent: int, runner: Runner, zygote: int) -> None:
        kernel.set_process_name("fumehood-template")
        while os.getppid() != zygote:  # copies become children of the zygote only when this has
            time.sleep(0.0005)
        try:
            script = self._scripts(first_sent, self._plan.jail_now(), runner.greeting)
            usual = script(Start(self._usual))
            runner.attach(enter.WIRE)
            memory.make_huge()  # and this process stays closed to inspection: inits have its memory
        except OSError as error:
            os.write(spawn.SOCKET, str(error).encode())
            return
        ready = _READY + str(os.getpid()).encode()
        packet, failed = spawn.serve_template(ready, usual, first_sent=first_sent)
        # From here on this is a copy.
        fork.end_with(lambda: self._become_runner(runner, packet, failed, script))

    def _scripts(
        self, first_sent: int, jail: enter.Jail, greeting: bytes
    ) -> Callable[[Start], Script]:
        """What makes the script by which a copy enters the jail."""
        group = None if jail.cgroups is None else _EXTRA
        wire = first_sent + 2  # the first two descriptors are namespaces
        places = [(wire, enter.WIRE), (wire + 1, 1), (wire + 1, 2)]
        if group is not None:
            places.append((wire + 2, group))

        def script(wanted: Start) -> Script:
            made = Script(first_sent)
            for sent, place in places:
                made.move(sent, place)
            made.close_from(1 + max(LAB_IN_SETUP, *(place for _sent, place in places)))
            enter.runner_script(
                made,
                jail,
                wanted.limits,
                "namespaces",
                group=group,
                is_first=wanted.is_first,
                place=wanted.place,
            )
            # What Python touches first it touches when there is something to do, or a pause: many
            # sandboxes soon end.
            made.write("say that it is ready", enter.WIRE, greeting)
            made.wait_for(enter.WIRE, _PAUSE_MILLISECONDS)
            made.prepared()
            return made

        return script

    def _become_runner(
        self,
        runner: Runner,
        packet: bytes,
        failed: OSError | None,
        script: Callable[[Start], Script],
    ) -> None:
        try:
            if failed is not None:
                raise failed
            wanted = None
            if packet != spawn.USUAL:
                fields = json.loads(packet)
                wanted = Start(**{**fields, "limits": Limits(**fields["limits"])})
                script(wanted).run()
            namespaces.must_be(INSIDE, INSIDE)
            if wanted is not None:
                runner.live_at(wanted.place, wanted.number)
        except OSError as error:
            break_off(enter.WIRE, str(error))
            return
        _serve(runner, has_greeted=True)


def lone_labs(labs: str, number: int) -> str:
    """In a container: the directory that a sandbox has of its own, in that of all labs."""
    return f"{labs}/{number}"


class BareCopies:
    """Runners where there are no namespaces: copies of the zygote. In a container they have a
    lab."""

    def __init__(self, plan: Plan) -> None:
        self._runner = preload(plan)
        self._jail = plan.jail_now()
        self._labs = plan.labs

    def start(
        self, number: int, wanted: Start, spaces: Spaces | None, descriptors: tuple[int, ...]
    ) -> int:
        if self._labs:
            os.makedirs(lab_of(0, lone_labs(self._labs, number)), 0o700, exist_ok=True)
        return fork.start(lambda: self._become_runner(number, wanted.limits, *descriptors))

    def _become_runner(
        self, number: int, wanted: Limits, wire: int, output: int, group: int | None = None
    ) -> None:
        signal.set_wakeup_fd(-1)
        try:
            # Without namespaces there is no lab, and nothing else belongs there.
            lab = lab_of(0, lone_labs(self._labs, number)) if self._labs else os.devnull
            first_free = _arrange(wire, output, group, lab)
            script = Script(first_free)
            uid, gid = enter.runner_script(
                script,
                self._jail,
                wanted,
                "bare",
                group=None if group is None else _EXTRA,
                number=number,
                has_workspace=bool(self._labs),
            )
            script.run()
            namespaces.must_be(uid, gid)
            self._runner.attach(enter.WIRE)
        except OSError as error:
            break_off(enter.WIRE, str(error))
            return
        _serve(self._runner, has_greeted=False)


def _serve(runner: Runner, *, has_greeted: bool) -> None:
    with contextlib.suppress(Exception):
        runner.serve(has_greeted=has_greeted)
    raise SystemExit(fork.FAILED)  # without a word: what a runner prints is the cell's output


def _arrange(wire: int, output: int, group: int | None, lab: str) -> int:
    """Put a runner's descriptors where they belong, and close all others; gives the first free
    number."""
    wanted = [wire, output] if group is None else [wire, output, group]
    high = [os.dup(descriptor) for descriptor in wanted]
    while min(high) <= _EXTRA:
        high = [os.dup(descriptor) for descriptor in high]
    os.dup2(os.open(lab, os.O_PATH | os.O_CLOEXEC), LAB_IN_SETUP)
    os.dup2(high[0], enter.WIRE)
    os.dup2(high[1], 1)
    os.dup2(high[1], 2)
    if group is not None:
        os.dup2(high[2], _EXTRA)
    first_free = _EXTRA + (group is not None)
    os.closerange(first_free, 1 << 20)
    return first_free


# -- plan


@dataclass(frozen=True, slots=True)
class Plan:
    jail: enter.Jail
    policy: dict[str, Any]
    """The policy that most sandboxes of the zygote will have: that of the first."""
    cgroups_why: str
    """Why there are no cgroups; empty where there are."""
    namespaces_why: str
    """Why there are no namespaces; empty where there are."""
    labs: str = ""
    """Where sandboxes in such a container have their labs if it has no namespaces for them."""
    pidfds: bool = True
    """Whether there are handles on processes. A container's kernel may have none; then there are no
    namespaces either."""

    @property
    def imports(self) -> tuple[str, ...]:
        return tuple(self.policy["imports"])

    def jail_now(self) -> enter.Jail:
        """Call it when everything is imported."""
        return replace(self.jail, in_use=limits.memory_in_use())


@dataclass(frozen=True, slots=True)
class Start:
    """What a runner is started with, as it is told."""

    limits: Limits
    place: int = 0
    """Which of its sandbox's labs it lives in."""
    number: int = 0
    """What it is called there, as no other is: the first is 0, and each that is beside others has
    its own."""
    is_first: bool = True
    """Whether there was none before it, so that labs are to be made."""
