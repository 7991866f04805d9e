"""Starting runners by copying a process that has imported everything: in namespaces a template, without them the zygote itself."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import time
from collections.abc import Callable
from dataclasses import asdict

from fumehood.jail import enter, kernel, namespaces, template
from fumehood.jail.filesystem import LAB_DESCRIPTOR
from fumehood.jail.namespaces import INSIDE, Home, Spaces
from fumehood.jail.script import Script
from fumehood.policy import Limits
from fumehood.worker import fork, memory
from fumehood.worker.plan import Plan
from fumehood.worker.preload import preload
from fumehood.worker.runner import Runner, break_off

_READY = b"ready"
_GROUP = LAB_DESCRIPTOR + 1
_PAUSE_MILLISECONDS = 5


class Template:
    """Runners for sandboxes with namespaces: copies of a process that does nothing but be copied."""

    def __init__(self, plan: Plan, make_jail: Callable[[], enter.Jail], usual: Limits, home: Home) -> None:
        self._plan, self._make_jail, self._usual, self._home = plan, make_jail, usual, home
        self._make()

    def _make(self) -> None:
        self._template, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        # What libraries want done around a fork, such as ending their threads, is done once, here, and the second process is the template.
        first = fork.start(lambda: self._import_and_leave(theirs))
        theirs.close()
        os.waitpid(first, 0)
        said = self._template.recv(1 << 16)
        if said != _READY:
            raise OSError(said.decode() or "the process that imports modules ended unexpectedly; set FUMEHOOD_DEBUG=1 to see why")

    def start(self, number: int, wanted: Limits, spaces: Spaces | None, descriptors: tuple[int, ...], *, is_first: bool) -> int:
        """A new runner for a sandbox, the first or one more; gives its process id. `descriptors` are its wire, output and cgroup."""
        assert spaces is not None
        usual = is_first and wanted is self._usual
        packet = template.USUAL if usual else json.dumps([is_first, asdict(wanted)]).encode()
        try:
            return template.copy(self._template, packet, (spaces.pid, spaces.mount, *descriptors))
        except template.Gone:
            self._template.close()
            self._make()
            return template.copy(self._template, packet, (spaces.pid, spaces.mount, *descriptors))

    def _import_and_leave(self, theirs: socket.socket) -> None:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        first_sent = template.settle(theirs, self._home.descriptors)
        runner = preload(self._plan)
        fork.start(lambda: self._be_template(first_sent, runner))

    def _be_template(self, first_sent: int, runner: Runner) -> None:
        kernel.set_process_name("fumehood-template")
        while os.getppid() != 1:  # copies become children of the zygote only when this has
            time.sleep(0.0005)
        try:
            jail = self._make_jail()
            program = enter.filter_program(bare=False)
            is_grouped = jail.cgroups is not None
            greeting = runner.greeting

            def script(wanted: Limits, *, is_first: bool) -> Script:
                made = Script(first_sent)
                _, _, wire, output, group = range(first_sent, first_sent + 5)
                made.move(wire, enter.WIRE)
                for standard in (1, 2):
                    made.move(output, standard)
                if is_grouped:
                    made.move(group, _GROUP)
                made.close_from(_GROUP + is_grouped)
                enter.jail_script(made, jail, wanted, program, group=_GROUP if is_grouped else None, is_first=is_first)
                made.must_be(INSIDE, INSIDE)
                # What Python touches first it touches when there is something to do, or a pause: many sandboxes are soon over.
                made.write("say that it is ready", enter.WIRE, greeting)
                made.wait_for(enter.WIRE, _PAUSE_MILLISECONDS)
                made.prepared()
                return made

            usual = script(self._usual, is_first=True)
            runner.attach(enter.WIRE)
            memory.make_huge()
        except OSError as error:
            os.write(template.SOCKET, str(error).encode())
            return
        packet, outcome = template.wait(first_sent, _READY, usual)
        # From here on this is a copy.
        fork.end_with(lambda: _become_runner(runner, packet, outcome, usual, script))


def _become_runner(runner: Runner, packet: bytes, outcome: int, usual: Script, script: Callable[..., Script]) -> None:
    try:
        if packet == template.USUAL:
            usual.has_run(outcome)
        else:
            is_first, fields = json.loads(packet)
            script(Limits(**fields), is_first=is_first).run()
        namespaces.must_be(INSIDE, INSIDE)
    except OSError as error:
        break_off(enter.WIRE, str(error))
        return
    _serve(runner, has_greeted=True)


class BareCopies:
    """Runners where there are no namespaces: copies of the zygote."""

    def __init__(self, plan: Plan, make_jail: Callable[[], enter.Jail]) -> None:
        self._runner = preload(plan)
        self._jail = make_jail()

    def start(self, number: int, wanted: Limits, spaces: Spaces | None, descriptors: tuple[int, ...], *, is_first: bool) -> int:
        return fork.start(lambda: self._become_runner(number, wanted, *descriptors))

    def _become_runner(self, number: int, wanted: Limits, wire: int, output: int, group: int | None = None) -> None:
        signal.set_wakeup_fd(-1)
        try:
            first_free = _arrange(wire, output, group)
            script = Script(first_free)
            program = enter.filter_program(bare=True)
            uid, gid = enter.bare_script(script, self._jail, wanted, number, program, group=None if group is None else _GROUP)
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


def _arrange(wire: int, output: int, group: int | None) -> int:
    """Put a runner's descriptors where they belong, and close all others; gives the first free number."""
    wanted = [wire, output] if group is None else [wire, output, group]
    high = [os.dup(descriptor) for descriptor in wanted]
    while min(high) <= _GROUP:
        high = [os.dup(descriptor) for descriptor in high]
    null = os.open("/dev/null", os.O_RDONLY)
    os.dup2(null, LAB_DESCRIPTOR)  # there is no lab without namespaces, and nothing else belongs there
    os.dup2(high[0], enter.WIRE)
    os.dup2(high[1], 1)
    os.dup2(high[1], 2)
    if group is not None:
        os.dup2(high[2], _GROUP)
    first_free = _GROUP + (group is not None)
    os.closerange(first_free, 1 << 20)
    return first_free
