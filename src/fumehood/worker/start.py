"""Starting runners by copying a process that has imported everything: in namespaces a template,
without them the zygote itself.

In a container container_sandboxes.py does this, unless its kernel has no pidfds: there the zygote
is copied, too.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from fumehood.jail import enter, kernel, namespaces, spawn
from fumehood.jail.filesystem import LAB_IN_SETUP, Bind, lab_of
from fumehood.jail.kernel import Script
from fumehood.jail.limits import Cgroups
from fumehood.jail.namespaces import INSIDE, Home, Spaces
from fumehood.policy import Limits
from fumehood.worker import fork, memory
from fumehood.worker.preload import preload
from fumehood.worker.runner import Runner, break_off

READY = b"ready"
_GROUP = LAB_IN_SETUP + 1
PAUSE_MILLISECONDS = 5
UNEXPECTED = "the process that imports modules ended unexpectedly; set FUMEHOOD_DEBUG=1 to see why"


class Template:
    """Runners for sandboxes with namespaces: copies of a process that does nothing but be
    copied."""

    def __init__(
        self, plan: Plan, make_jail: Callable[[], enter.Jail], usual: Limits, home: Home
    ) -> None:
        self._plan, self._make_jail, self._usual, self._home = plan, make_jail, usual, home
        self._make()

    def _make(self) -> None:
        self._template, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        # What libraries want done around a fork, such as ending their threads, is done once, here,
        # and the second process is the template.
        first = fork.start(lambda: self._import_and_leave(theirs))
        theirs.close()
        os.waitpid(first, 0)
        said = self._template.recv(1 << 16)
        if not said.startswith(READY):
            raise OSError(said.decode() or UNEXPECTED)
        self._pid = int(said.removeprefix(READY))

    def start(
        self, number: int, wanted: Start, spaces: Spaces | None, descriptors: tuple[int, ...]
    ) -> int:
        """A new runner for a sandbox, the first or one more; gives its process id. `descriptors`
        are its wire, output and cgroup."""
        assert spaces is not None
        packet = (
            spawn.USUAL if wanted.is_usual(self._usual) else json.dumps(wanted.as_fields()).encode()
        )
        try:
            return spawn.copy(self._template, packet, (spaces.pid, spaces.mount, *descriptors))
        except spawn.Gone as gone:
            if gone.is_silent:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(self._pid, signal.SIGKILL)
            self._template.close()
            self._make()
            return spawn.copy(self._template, packet, (spaces.pid, spaces.mount, *descriptors))

    def _import_and_leave(self, theirs: socket.socket) -> None:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        first_sent = spawn.settle(theirs, self._home.descriptors, lab_of(0))
        runner = preload(self._plan)
        fork.start(lambda: self._be_template(first_sent, runner))

    def _be_template(self, first_sent: int, runner: Runner) -> None:
        kernel.set_process_name("fumehood-template")
        while os.getppid() != 1:  # copies become children of the zygote only when this has
            time.sleep(0.0005)
        try:
            jail = self._make_jail()
            is_grouped = jail.cgroups is not None
            greeting = runner.greeting

            def script(wanted: Start) -> Script:
                made = Script(first_sent)
                _, _, wire, output, group = range(first_sent, first_sent + 5)
                made.move(wire, enter.WIRE)
                for standard in (1, 2):
                    made.move(output, standard)
                if is_grouped:
                    made.move(group, _GROUP)
                made.close_from(_GROUP + is_grouped)
                group_place = _GROUP if is_grouped else None
                enter.runner_script(
                    made,
                    jail,
                    wanted.limits,
                    "namespaces",
                    group=group_place,
                    is_first=wanted.is_first,
                    place=wanted.place,
                )
                made.must_be(INSIDE, INSIDE)
                # What Python touches first it touches when there is something to do, or a pause:
                # many sandboxes are soon over.
                made.write("say that it is ready", enter.WIRE, greeting)
                made.wait_for(enter.WIRE, PAUSE_MILLISECONDS)
                made.prepared()
                return made

            usual = script(Start(self._usual))
            runner.attach(enter.WIRE)
            memory.make_huge()
        except OSError as error:
            os.write(spawn.SOCKET, str(error).encode())
            return
        ready = READY + str(os.getpid()).encode()
        packet, failed = spawn.serve_template(ready, usual, first_sent=first_sent)
        # From here on this is a copy.
        fork.end_with(lambda: _become_runner(runner, packet, failed, script))


def _become_runner(
    runner: Runner, packet: bytes, failed: OSError | None, script: Callable[..., Script]
) -> None:
    try:
        if failed is not None:
            raise failed
        if packet != spawn.USUAL:
            wanted = Start.from_fields(json.loads(packet))
            script(wanted).run()
            runner.live_at(wanted.place, wanted.number)
        namespaces.must_be(INSIDE, INSIDE)
    except OSError as error:
        break_off(enter.WIRE, str(error))
        return
    serve_as(runner, has_greeted=True)


def lone_labs(labs: str, number: int) -> str:
    """In a container without pidfds: the directory that a sandbox has of its own, in that of all
    labs."""
    return f"{labs}/{number}"


class BareCopies:
    """Runners where there are no namespaces: copies of the zygote. In a container they have a
    lab."""

    def __init__(self, plan: Plan, make_jail: Callable[[], enter.Jail]) -> None:
        self._runner = preload(plan)
        self._jail = make_jail()
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
                "alone" if self._labs else "bare",
                group=None if group is None else _GROUP,
                number=number,
            )
            script.run()
            namespaces.must_be(uid, gid)
            self._runner.attach(enter.WIRE)
        except OSError as error:
            break_off(enter.WIRE, str(error))
            return
        serve_as(self._runner, has_greeted=False)


def serve_as(runner: Runner, *, has_greeted: bool) -> None:
    with contextlib.suppress(Exception):
        runner.serve(has_greeted=has_greeted)
    raise SystemExit(fork.FAILED)  # without a word: what a runner prints is the cell's output


def _arrange(wire: int, output: int, group: int | None, lab: str) -> int:
    """Put a runner's descriptors where they belong, and close all others; gives the first free
    number."""
    wanted = [wire, output] if group is None else [wire, output, group]
    high = [os.dup(descriptor) for descriptor in wanted]
    while min(high) <= _GROUP:
        high = [os.dup(descriptor) for descriptor in high]
    os.dup2(os.open(lab, os.O_PATH | os.O_CLOEXEC), LAB_IN_SETUP)
    os.dup2(high[0], enter.WIRE)
    os.dup2(high[1], 1)
    os.dup2(high[1], 2)
    if group is not None:
        os.dup2(high[2], _GROUP)
    first_free = _GROUP + (group is not None)
    os.closerange(first_free, 1 << 20)
    return first_free


# -- plan


@dataclass(frozen=True, slots=True)
class Plan:
    uid: int
    gid: int
    binds: tuple[Bind, ...]
    policy: dict[str, Any]
    """The policy that most sandboxes of the zygote will have: that of the first."""
    cgroups: Cgroups | None
    cgroups_why: str
    """Why there are no cgroups; empty where there are."""
    namespaces_why: str
    """Why there are no namespaces; empty where there are."""
    labs: str = ""
    """Where sandboxes in a container have their labs; empty if this is none that was made for them,
    or it has namespaces for us."""
    sandboxes: int | None = None
    """How many sandboxes such a container is to have at a time, if the host has said."""

    pidfds: bool = True
    """Whether there are handles on processes. Where a container's kernel has none, a sandbox is one
    process, which can start no other."""
    packages: str = ""
    """Where packages are put that the host installs later; empty where there is no place that code
    could not write to."""

    @property
    def imports(self) -> tuple[str, ...]:
        return tuple(self.policy["imports"])

    @property
    def files(self) -> bool:
        """Whether code has directories to write to: the same for every sandbox of the zygote."""
        return bool(self.policy["files"])

    @property
    def programs(self) -> bool | tuple[str, ...]:
        """Whether code may execute programs, or which."""
        wanted = self.policy["programs"]
        return tuple(wanted) if isinstance(wanted, list) else bool(wanted)


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

    def is_usual(self, limits: Limits) -> bool:
        return self.limits is limits and self.is_first and not self.number

    def as_fields(self) -> dict[str, Any]:
        return {**asdict(self), "limits": asdict(self.limits)}

    @classmethod
    def from_fields(cls, fields: dict[str, Any]) -> Start:
        return cls(**{**fields, "limits": Limits(**fields["limits"])})
