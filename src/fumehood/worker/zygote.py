"""The zygote makes sandboxes, each with a runner that is a copy of a process that has imported
everything. It runs no untrusted code.

It is the first process of the outer namespaces: when it ends, the kernel ends everything in them.
Without namespaces each runner ends with it. One sandbox is always ready in advance. The zygote
takes requests from the host, one packet each, with descriptors in the answers:

    start         → {"sandbox": n} + wire, output, pidfds of runner and init
                  a new sandbox
    runner n      → {"sandbox": n} + wire, output, pidfd of runner
                  a new runner in a sandbox whose runner is dead
    beside n p b  → {"sandbox": n, "branch": b} + the same
                  one more runner, called b, in lab p; or in place of a dead b
    status n      → {"status": s, "out_of_memory": k}
                  how a dead runner ended
    widen n       there will be copies, which need memory
    adopt n m b p → {} + pidfd
                  runner m of sandbox n has made another, called b, whose process id there is p
    replace n b p → {} + pidfd
                  process p of sandbox n is b now; what the dead b left is ended
    leave n b     that runner has ended, and the sandbox has not
    end n         the sandbox has ended
    rest n        the host waits for nothing in there: CPU time is limited (orphans.py)
    wake n        the host waits for something again
    packages      → {}, takes a socket: a process serves it that takes packages (packages.py)
    files n p     → {}, takes a socket: a process serves the files of lab p (file_server.py)
    signal n k    → {} if asked: sends a signal to the runner

Without pidfds, which it reports when it is ready, a socket that ends with the runner takes the
place of the runner's pidfd, and the zygote, whose child the runner is, sends signals.
"""

from __future__ import annotations

import contextlib
import gc
import itertools
import json
import os
import select
import signal
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from fumehood.jail import enter, kernel, limits, spawn
from fumehood.jail.filesystem import LAB_DESCRIPTOR, LABS, PACKAGES
from fumehood.jail.landlock import Rules
from fumehood.jail.namespaces import Home, Spaces, here, separate_process_ids
from fumehood.jail.report import mechanisms, why
from fumehood.policy import Limits
from fumehood.tunnel import pidfds
from fumehood.tunnel.channels import name_socket
from fumehood.worker import file_server, fork, orphans, packages
from fumehood.worker.file_server import Service
from fumehood.worker.start import BareCopies, Plan, Start, Template, lone_labs
from fumehood.worker.trees import remove_tree

_WIRE_BYTES = 4 << 20
_SPACE_SECONDS = 30.0
"""How long a new sandbox waits for the files of ended ones to be removed. The host waits twice as
long for the zygote's answer."""
_MOST_FILE_SERVERS = 256
"""Of one sandbox: one for each executor that uses its files, and one for each watch, of which the
host allows fewer."""
_QUESTIONS = ("start", "packages", "files", "runner", "beside", "status", "adopt", "replace")


def serve(control: socket.socket, plan: Plan) -> None:
    """Build the root, import, say what isolates, and serve until the host closes its end."""
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)  # the supervisor's handlers are not for its children
    kernel.die_with_parent(signal.SIGKILL)
    kernel.set_process_name("fumehood-zygote")
    try:
        zygote = Zygote(control, plan)
    except OSError as error:
        control.send(json.dumps(_failure(error)).encode())
        return
    zygote.serve()


def _failure(error: OSError) -> dict[str, Any]:
    """An answer. The number tells the host whether the failure may pass."""
    return {"failed": str(error), "errno": error.errno}


class Zygote:
    def __init__(self, control: socket.socket, plan: Plan) -> None:
        self._control = control
        self._sandboxes: dict[int, Sandbox] = {}
        self._by_child: dict[int, Sandbox] = {}
        """Runners that are children of this process."""
        self._helpers: dict[int, int] = {}
        """Other children, which serve or remove files or take packages, with the number of their
        sandbox, or 0."""
        self._awaited: set[int] = set()
        """Helpers that began to remove files when little space was free."""
        self._spare: Sandbox | None = None
        self._numbers = itertools.count(1)
        self._limits = Limits(**plan.policy["limits"])
        self._throttle = orphans.Throttle()
        abi, abi_why = _landlock()
        if abi:
            rules = Rules.of(abi, programs=bool(plan.jail.programs))
            plan = replace(plan, jail=replace(plan.jail, landlock=rules))
        self._jail = jail = plan.jail
        kernel_name = kernel.container_kernel() if plan.labs else ""
        if plan.namespaces_why and not abi and not kernel_name:
            advice = "Use DockerExecutor, or isolation='inline' for code you trust"
            if plan.labs:
                advice = "Let the engine's machine allow user namespaces (docs/docker.md)"
            raise OSError(
                f"neither namespaces ({plan.namespaces_why}) nor Landlock ({abi_why}) can be had"
                f" here. {advice}"
            )
        self._home: Home | None = None
        self._labs = plan.labs
        self._has_pidfds = plan.pidfds
        self._kills = limits.open_container_kills() if jail.is_contained else -1
        if plan.labs:
            kernel.forbid_inspection()  # by sandboxes, whose user is the same
        elif not plan.namespaces_why:
            separate_process_ids()
            enter.prepare_place(jail)
            self._home = Home()
        limits.raise_open_files()  # three for each sandbox
        self._cgroups = jail.cgroups
        self._packages = "" if plan.namespaces_why else PACKAGES

        self._copies: Template | BareCopies
        if self._home is not None:
            self._copies = Template(plan, self._limits, self._home)
        else:
            self._copies = BareCopies(plan)
        self._report = mechanisms(
            namespaces_why=plan.namespaces_why,
            landlock_abi=abi,
            landlock_why=abi_why,
            cgroups_version=jail.cgroups.version if jail.cgroups else 0,
            cgroups_why=plan.cgroups_why,
            uid=jail.uid,
            is_contained=jail.is_contained,
            kernel_name=kernel_name,
        )

    def serve(self) -> None:
        """Answer requests until the host closes its end."""
        gc.collect()
        gc.freeze()  # no later collection looks at what stays
        wakeup, woken = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        poll = select.poll()
        poll.register(self._control, select.POLLIN)
        poll.register(wakeup, select.POLLIN)
        rows = [[m.name, m.in_force, m.detail, m.stops] for m in self._report]
        self._control.send(
            json.dumps(
                {"ready": rows} if self._has_pidfds else {"ready": rows, "pidfds": False}
            ).encode()
        )
        while True:
            self._refill()
            ready = poll.poll(self._throttle.wait_milliseconds())
            self._throttle.look()
            for descriptor, _event in ready:
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
        """Handle a request. A question about a sandbox that has ended is answered too, or the host
        would wait for ever. Nothing else is answered: it would be taken for the next answer."""
        sandbox = self._sandboxes.get(request.get("sandbox", 0))
        is_question = request["do"] in _QUESTIONS or request.get("answer", False)
        try:
            match request["do"]:
                case "start":
                    self._start(
                        Limits(**request["limits"]) if "limits" in request else self._limits
                    )
                case "packages":
                    self._take_packages(handles)
                case _ if sandbox is None:
                    if is_question:
                        self._reply({"failed": "that sandbox has ended"})
                case "end":
                    self._end(sandbox)
                case "rest":
                    runners = {pid for pid in sandbox.known if sandbox.owns(pid)}
                    self._throttle.rest(sandbox.number, runners, sandbox.init_pid())
                case "wake":
                    self._throttle.wake(sandbox.number)
                case "widen":
                    self._widen(sandbox)
                case "adopt":
                    self._adopt(sandbox, request)
                case "leave":
                    self._leave(sandbox, request["branch"], request["fork"], sweeps=is_question)
                    if is_question:
                        self._reply({})
                case "replace":
                    self._replace(sandbox, request)
                case "runner":
                    self._restart(sandbox)
                case "beside":
                    self._start_beside(sandbox, request["place"], request["branch"])
                case "files":
                    self._serve_files(sandbox, request["place"], handles)
                case "status":
                    self._report_status(sandbox, request["branch"])
                case "signal":
                    if sandbox.runner in sandbox.children:  # not reaped, so its number is its own
                        os.kill(sandbox.runner, request["number"])
                    if is_question:
                        self._reply({})
        except OSError as error:
            if is_question:
                self._reply(_failure(error))

    def _reply(self, body: dict[str, Any], descriptors: Sequence[int] = ()) -> None:
        socket.send_fds(self._control, [json.dumps(body).encode()], [*descriptors])

    # -- requests

    def _start(self, wanted: Limits) -> None:
        if self._labs:
            self._wait_for_space()
        sandbox: Sandbox | None = None
        if wanted is self._limits:
            sandbox, self._spare = self._spare, None
        if sandbox is not None and not sandbox.is_alive():  # killed from outside
            self._discard(sandbox)
            sandbox = None
        if sandbox is None:
            sandbox = self._make(wanted)
        self._hand_out(sandbox, [] if sandbox.init is None else [sandbox.init])

    def _restart(self, sandbox: Sandbox) -> None:
        self._wait_for(sandbox, 0)
        self._sweep(sandbox, sandbox.runners.pop(0, 0))
        sandbox.ends = self._start_runner(sandbox, 0, 0)
        self._hand_out(sandbox, [])

    def _start_beside(self, sandbox: Sandbox, place: int, number: int) -> None:
        """One more runner for a sandbox, with its own variables; or one in place of a dead one. It
        counts as a fork does."""
        if sandbox.init is None:
            raise OSError(
                "this sandbox has one process only: report() says what the machine or the container"
                " lacks"
            )
        dead = sandbox.runners.get(number)
        if dead is None:
            sandbox.forks += 1
            sandbox.is_branched = True
            self._widen(sandbox)
        else:
            self._wait_for(sandbox, number)
            self._sweep(sandbox, dead)
        try:
            ends = self._start_runner(sandbox, place, number)
        except OSError as error:
            if dead is None:
                sandbox.forks -= 1
            # without a number: the limit may be the sandbox's own, and that does not pass
            raise OSError(str(error)) from None
        self._reply({"sandbox": sandbox.number, "branch": number}, ends)
        for descriptor in ends:
            os.close(descriptor)

    def _hand_out(self, sandbox: Sandbox, more: list[int]) -> None:
        self._reply({"sandbox": sandbox.number}, [*sandbox.ends, *more])
        for descriptor in sandbox.ends:
            os.close(descriptor)
        sandbox.ends = ()

    def _refill(self) -> None:
        """Make a sandbox in advance, with the limits that most will have. If that fails, the next
        request for one reports why."""
        if self._spare is None:
            with contextlib.suppress(OSError):
                self._spare = self._make(self._limits)

    def _make(self, wanted: Limits) -> Sandbox:
        sandbox = Sandbox(next(self._numbers), wanted)
        self._sandboxes[sandbox.number] = sandbox
        try:
            if self._cgroups is not None:
                self._cgroups.add(str(sandbox.number), wanted)
            sandbox.ends = self._start_runner(sandbox, 0, 0)
        except OSError:
            self._discard(sandbox)
            raise
        return sandbox

    def _discard(self, sandbox: Sandbox) -> None:
        """End a sandbox that the host never had."""
        for descriptor in sandbox.ends:
            os.close(descriptor)
        sandbox.ends = ()
        self._end(sandbox)

    def _report_status(self, sandbox: Sandbox, number: int) -> None:
        killed = 0
        self._wait_for(sandbox, number)
        # A copy that a runner made is not a child of this process: the first's status stands.
        status = sandbox.statuses.get(number, sandbox.statuses.get(0))
        if self._cgroups is not None:
            killed = self._cgroups.killed(str(sandbox.number))
        elif self._kills >= 0:
            killed = sandbox.killed = limits.container_kills(self._kills) - sandbox.killed_elsewhere
        self._reply({"status": status, "out_of_memory": killed})

    def _adopt(self, sandbox: Sandbox, request: dict[str, Any]) -> None:
        """Know a runner that another made. A fork has as much memory as any other."""
        maker = sandbox.runners.get(request["maker"], sandbox.runner)
        pid, handle = _process_in(sandbox, request["pid"], maker)
        sandbox.take(request["branch"], pid)
        sandbox.forks += request["fork"]
        if request["fork"] or not sandbox.is_branched:
            sandbox.is_branched = True
            self._widen(sandbox)
        self._reply({}, [handle])
        os.close(handle)

    def _replace(self, sandbox: Sandbox, request: dict[str, Any]) -> None:
        """A checkpoint takes the place of a dead runner: end what that one left, and let the
        checkpoint go on if code has stopped it."""
        number = request["branch"]
        dead = sandbox.runners.get(number, 0)
        pid, handle = _process_in(sandbox, request["pid"])
        sandbox.take(number, pid)
        self._sweep(sandbox, dead, pid)
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(handle, signal.SIGCONT)
        self._begin_counting(sandbox)
        self._reply({}, [handle])
        os.close(handle)

    def _leave(self, sandbox: Sandbox, number: int, was_fork: bool, *, sweeps: bool) -> None:
        """End a runner and what it has started. `sweeps` says that a snapshot takes its place."""
        runner = sandbox.runners.pop(number, 0)
        if was_fork:
            sandbox.forks -= 1
            self._widen(sandbox)
        if runner:
            if sandbox.owns(runner):
                orphans.kill_and_see([runner])
            if sweeps:
                self._sweep(sandbox, runner)
            else:
                self._end_owned(sandbox, sandbox.known)

    def _widen(self, sandbox: Sandbox) -> None:
        """Limit the group's memory to what a sandbox with a checkpoint and its forks may have."""
        if self._cgroups is not None:
            with contextlib.suppress(OSError):  # more than that may be in use
                self._cgroups.limit(
                    str(sandbox.number),
                    sandbox.limits,
                    copies=1 + sandbox.forks,
                    branched=sandbox.is_branched,
                )

    def _sweep(self, sandbox: Sandbox, runner: int, successor: int = 0) -> None:
        """End what a dead runner has left, before `successor` takes its place."""
        cgroups, known = self._cgroups, sandbox.known
        if cgroups is not None and not sandbox.forks:
            orphans.end_all(lambda: cgroups.members(str(sandbox.number)), known)
        elif not sandbox.forks:
            kept = known | {sandbox.init_pid()}
            orphans.end_all(lambda: _processes_of(sandbox.spaces), kept)
        else:
            self._end_owned(sandbox, known - {runner}, successor)

    def _end_owned(self, sandbox: Sandbox, runners: set[int], successor: int = 0) -> None:
        """End what none of these runners has started, nor `successor`, which has just begun."""
        owners = {
            _owner_of(runner) if sandbox.owns(runner) else None for runner in runners - {successor}
        }
        own = {_owner_of(successor), None}

        def is_left(owner: _Owner) -> bool:
            # If another runner is dead, its checkpoint may wait to take its place.
            return owner in own if None in owners else owner not in owners

        def left() -> set[int]:
            known = sandbox.known
            others = {*_processes_of(sandbox.spaces)} - known - {sandbox.init_pid()}
            found = {pid for pid in others if is_left(_owner_of(pid))}
            return found - orphans.tree(known) if found else found

        orphans.end_all(left, sandbox.known)

    def _begin_counting(self, sandbox: Sandbox) -> None:
        """Processes that the kernel has killed in the container until now do not explain the next
        death of a runner."""
        if self._kills >= 0:
            sandbox.killed_elsewhere = limits.container_kills(self._kills) - sandbox.killed

    def _end(self, sandbox: Sandbox) -> None:
        self._throttle.forget(sandbox.number)
        servers = [pid for pid, number in self._helpers.items() if number == sandbox.number]
        for pid in (*servers, *(sandbox.children if sandbox.init is None else ())):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if sandbox.init is not None:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(sandbox.init, signal.SIGKILL)
            os.close(sandbox.init)
        if sandbox.spaces is not None:
            sandbox.spaces.close()
        sandbox.init, sandbox.spaces, sandbox.ended = None, None, True
        self._reap()

    def _take_packages(self, handles: list[int]) -> None:
        if not self._packages:
            self._reply(
                {
                    "refused": (
                        "nothing can be installed while code runs: without namespaces there is no"
                        " place for it; have it installed before the sandbox is made"
                    )
                }
            )
            return
        self._start_helper(lambda: packages.serve(socket.socket(fileno=handles[0]), self._packages))
        self._reply({})

    def _serve_files(self, sandbox: Sandbox, place: int, handles: list[int]) -> None:
        if not self._jail.files:
            self._reply({"refused": "this sandbox has no files: its policy needs files=True"})
            return
        labs = sandbox.labs(self._labs)
        if not labs:
            self._reply(
                {
                    "refused": (
                        "without namespaces a sandbox has no files of its own: report() says what"
                        " the machine lacks"
                    )
                }
            )
            return
        if len(handles) != 1:
            raise OSError("the request has no descriptor for the connection")
        if sum(sandbox.number == other for other in self._helpers.values()) >= _MOST_FILE_SERVERS:
            raise OSError(
                f"this sandbox has {_MOST_FILE_SERVERS} file servers already: close some watches"
            )
        jail, most = self._jail, sandbox.limits.file_bytes
        service = Service(labs, place, sandbox.spaces, jail.uid, jail.gid, jail.landlock, most)
        self._start_helper(
            lambda: file_server.serve(socket.socket(fileno=handles[0]), service), sandbox.number
        )
        self._reply({})

    # -- processes

    def _start_helper(self, main: Callable[[], None], sandbox: int = 0) -> int:
        def run() -> None:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            self._control.close()
            main()

        pid = fork.start(run)
        self._helpers[pid] = sandbox
        return pid

    def _start_runner(self, sandbox: Sandbox, place: int, number: int) -> tuple[int, ...]:
        """Start a runner in one of a sandbox's labs; gives the host's ends."""
        wire, their_wire = socket.socketpair()
        name_socket(their_wire)
        output, their_output = os.pipe()
        # Fewer changes of processes for large values; the kernel gives what it allows.
        for end in (wire, their_wire):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _WIRE_BYTES)
        theirs: tuple[int, ...] = (their_wire.detach(), their_output)
        ours: tuple[int, ...] = (wire.detach(), output)

        try:
            wanted = Start(sandbox.limits, place, number, is_first=sandbox.is_new)
            if self._home is not None and sandbox.spaces is None:
                with self._home.away():
                    sandbox.init = spawn.start_init()
                    sandbox.spaces = here()
            if self._cgroups is not None:
                theirs = (*theirs, self._cgroups.door(str(sandbox.number)))
            pid = self._copies.start(sandbox.number, wanted, sandbox.spaces, theirs)
            sandbox.children[pid] = number
            self._by_child[pid] = sandbox
            sandbox.runners[number] = pid
            sandbox.is_new = False
            sandbox.statuses.pop(number, None)
            ours = (*ours, self._handle_on(sandbox, pid))
        except OSError:
            for descriptor in ours:
                os.close(descriptor)
            raise
        finally:
            for descriptor in theirs:
                os.close(descriptor)
        self._begin_counting(sandbox)
        return ours

    def _handle_on(self, sandbox: Sandbox, pid: int) -> int:
        if self._has_pidfds:
            return os.pidfd_open(pid)
        sandbox.watch, theirs = socket.socketpair()
        return theirs.detach()

    def _wait_for(self, sandbox: Sandbox, number: int) -> None:
        """Wait for a runner that is dead or dying."""
        for pid in [pid for pid, other in sandbox.children.items() if other == number]:
            self._note(pid, orphans.status_of(pid))

    def _reap(self) -> None:
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                break
            if not pid:
                break
            self._note(pid, status)
            self._helpers.pop(pid, None)
            self._awaited.discard(pid)
        for sandbox in [
            sandbox
            for sandbox in self._sandboxes.values()
            if sandbox.ended and not sandbox.children
        ]:
            if self._is_gone(sandbox):
                del self._sandboxes[sandbox.number]

    def _note(self, pid: int, status: int) -> None:
        sandbox = self._by_child.pop(pid, None)
        if sandbox is not None:
            sandbox.note(pid, status)

    def _is_gone(self, sandbox: Sandbox) -> bool:
        """Whether nothing is left of a sandbox that has ended."""
        if self._labs:
            if sandbox.number in self._helpers.values():
                return False  # a killed file server may write a file before it ends
            return self._remove_files(sandbox.labs(self._labs))
        return self._cgroups is None or self._cgroups.remove(str(sandbox.number))

    # -- in a container without namespaces

    def _remove_files(self, labs: str) -> bool:
        """Remove the files of a sandbox. There may be many, so a helper does it, if there are any.
        False if none can be started."""
        with contextlib.suppress(OSError):
            for entry in os.listdir(labs):
                os.rmdir(f"{labs}/{entry}")
            os.rmdir(labs)
            return True
        try:
            is_short = _is_short(self._labs)
            helper = self._start_helper(lambda: remove_tree(labs))
        except OSError:
            return False
        if is_short:
            self._awaited.add(helper)
        return True

    def _wait_for_space(self) -> None:
        """If little space is free, or was when removing began, wait until all files of ended
        sandboxes are removed: a new sandbox could fill the space faster than it is freed. Bounded:
        a process may be slow to end."""
        until = time.monotonic() + _SPACE_SECONDS
        while self._awaited or (
            any(sandbox.ended for sandbox in self._sandboxes.values()) and _is_short(self._labs)
        ):
            if time.monotonic() > until:
                break
            time.sleep(0.001)
            self._reap()


def _is_short(labs: str) -> bool:
    """Whether less than a quarter of the space is free."""
    space = os.statvfs(labs)
    return space.f_bavail * 4 < space.f_blocks or space.f_favail * 4 < space.f_files


def _landlock() -> tuple[int, str]:
    try:
        return kernel.landlock_abi(), ""
    except OSError as error:
        return 0, f"not in this kernel or switched off ({why(error)})"


# -- sandboxes


@dataclass(slots=True)
class Sandbox:
    number: int
    limits: Limits
    init: int | None = None
    """A pidfd; None where there are no namespaces."""
    spaces: Spaces | None = None
    is_new: bool = True
    """Whether no runner was started yet."""
    ended: bool = False
    runners: dict[int, int] = field(default_factory=dict)
    """Process ids of the runners in use, by number. The first is 0, or what has taken its place."""
    children: dict[int, int] = field(default_factory=dict)
    """Numbers of the runners that are children of the zygote, by process id."""
    starts: dict[int, int | None] = field(default_factory=dict)
    """When the other runners were started, by process id."""
    statuses: dict[int, int] = field(default_factory=dict)
    """How those ended, by number."""
    forks: int = 0
    is_branched: bool = False
    """Whether it has or had snapshots or forks."""
    ends: tuple[int, ...] = ()
    """The host's ends of the wire and the output, and a pidfd of the runner, until the host has
    them."""
    killed: int = 0
    """How often the kernel has killed in the container for lack of memory when a runner of this
    sandbox was found dead."""
    killed_elsewhere: int = 0
    """How often it did at other times."""
    watch: socket.socket | None = None
    """Where there are no pidfds: the other end of what the host has in place of one."""

    @property
    def known(self) -> set[int]:
        """The runners in use."""
        return {*self.runners.values()}

    @property
    def runner(self) -> int:
        return self.runners.get(0, 0)

    def take(self, number: int, pid: int) -> None:
        """A process that is no child of the zygote is a runner from now on."""
        self.runners[number], self.starts[pid] = pid, orphans.start_of(pid)
        self.starts = {each: self.starts[each] for each in self.known & self.starts.keys()}

    def owns(self, pid: int) -> bool:
        """Whether the id of a runner still means that runner. The kernel reuses it as soon as the
        runner is dead and reaped; of a child that is not before the zygote knows."""
        return pid in self.children or self.starts.get(pid, -1) == orphans.start_of(pid)

    def is_alive(self) -> bool:
        return 0 not in self.statuses

    def init_pid(self) -> int:
        """0 where there is no init, or the kernel does not report its process id."""
        with contextlib.suppress(OSError, ValueError):
            return 0 if self.init is None else pidfds.pid_of(self.init)
        return 0

    def labs(self, of_container: str) -> str:
        """Where its labs are in its mount namespace; empty if it has none."""
        if self.spaces is not None:
            return LABS
        return lone_labs(of_container, self.number) if of_container else ""

    def note(self, pid: int, status: int) -> None:
        """A child of the zygote has ended."""
        self.statuses[self.children.pop(pid)] = os.waitstatus_to_exitcode(status)
        if self.watch is not None:
            with contextlib.suppress(OSError):  # the host has closed it
                self.watch.shutdown(socket.SHUT_RDWR)  # a process started meanwhile may have it
            self.watch.close()
            self.watch = None


# -- branches


def _process_in(sandbox: Sandbox, number: int, parent: int = 0) -> tuple[int, int]:
    """The process that a sandbox calls by `number`: its process id here, and a pidfd of it. The
    number came from the sandbox: OSError if it is none of the sandbox's processes. `parent` is
    where to look first."""
    if sandbox.spaces is None:
        raise OSError("a sandbox without namespaces has no other processes")
    for pid in _candidates(parent):
        with contextlib.suppress(OSError):
            handle = os.pidfd_open(pid)
            # Checked after it is held: from now on the pid cannot come to mean another process
            # without the handle being dead.
            if (
                _is_called(sandbox.spaces, pid, number)
                and not select.select([handle], [], [], 0)[0]
            ):
                return pid, handle
            os.close(handle)
    raise OSError("that is no process of this sandbox")


def _candidates(parent: int) -> Iterator[int]:
    if parent:
        yield from orphans.children_of(parent)
    yield from (int(entry) for entry in os.listdir("/proc") if entry.isdigit())


def _is_called(spaces: Spaces, pid: int, number: int) -> bool:
    with open(f"/proc/{pid}/status") as file:
        numbers = next((line.split()[1:] for line in file if line.startswith("NSpid:")), [])
    return numbers[-1:] == [str(number)] and _is_in(pid, os.fstat(spaces.pid).st_ino)


def _processes_of(spaces: Spaces | None) -> list[int]:
    """Every process of a sandbox, found by looking at all there are: for where no cgroup has a
    list."""
    if spaces is None:
        return []
    namespace = os.fstat(spaces.pid).st_ino
    return [
        int(entry)
        for entry in os.listdir("/proc")
        if entry.isdigit() and _is_in(int(entry), namespace)
    ]


_Owner = tuple[int, ...] | None


def _owner_of(pid: int) -> _Owner:
    """What a runner and the processes that it has started have in common, even orphans: their files
    and their user namespace. Forks differ in the one, other runners in the other. None for a
    process that is gone, or has hidden its files."""
    with contextlib.suppress(OSError):
        seen = [os.stat(f"/proc/{pid}/{name}") for name in (f"fd/{LAB_DESCRIPTOR}", "ns/user")]
        return tuple(number for each in seen for number in (each.st_dev, each.st_ino))
    return None


def _is_in(pid: int, namespace: int) -> bool:
    with contextlib.suppress(OSError):
        return os.stat(f"/proc/{pid}/ns/pid").st_ino == namespace
    return False
