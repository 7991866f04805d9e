"""The host's hold on its zygotes: one per set of preloaded modules and mounts, started when first
needed, gone with this process.

Safe from any thread. A process forked from this one has none of its parent's: it starts its own
when it needs one.
"""

from __future__ import annotations

import atexit
import contextlib
import errno
import itertools
import json
import math
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import weakref
from collections import OrderedDict, deque
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Protocol

from fumehood.errors import InstallFailed, JailUnavailable, NoRoom, SandboxFailed
from fumehood.executors.installing import Holdings
from fumehood.jail.report import Mechanism
from fumehood.policy import Limits, Mount, Policy, python_of
from fumehood.tunnel import launch, pidfds

TOO_MANY_FILES = (
    "this process has too many open files to hold one more sandbox; close some, or raise its limit"
    " (ulimit -n)"
)

# What a zygote may lack, by what the kernel says to it. It has raised its own limits as far as it
# may.
_THERE = {
    errno.EAGAIN: (
        "no process more can be started: close executors, or raise the limit (ulimit -u, or"
        " pids.max of the control group)"
    ),
    errno.EMFILE: (
        "the worker's zygote has too many open files: close executors, or raise the limit (ulimit"
        " -Hn)"
    ),
    errno.ENFILE: (
        "this machine has too many open files: close executors, or raise its limit (sysctl"
        " fs.file-max)"
    ),
}


def exhausted_here(error: OSError | RuntimeError) -> NoRoom:
    """This process has too much open or, where it is no OSError, too many threads."""
    if isinstance(error, OSError):
        return NoRoom(
            f"{error.strerror} in this process: close executors, or raise its limit (ulimit -n)"
        )
    return NoRoom(f"{error} in this process: close executors, or raise its limit (ulimit -u)")


def exhausted_to_start(error: OSError) -> NoRoom | None:
    """A process could not be started by this one; None if that is for another reason."""
    return exhausted_here(error) if error.errno == errno.EMFILE else exhausted_there(error.errno)


def exhausted_there(number: object) -> NoRoom | None:
    """What a zygote lacks; None if its error is of another kind."""
    words = _THERE.get(number) if type(number) is int else None
    return NoRoom(words) if words else None


_TIDY_SECONDS = 5.0
"""How long a supervisor may take to end what it has started."""


class Processes(Protocol):
    """What can be done with handles: descriptors that can be polled, and become readable when the
    process they stand for is dead."""

    @property
    def is_remote(self) -> bool:
        """Whether asking takes so long that it is done only where it matters."""

    def send_signal(self, handle: int, number: int) -> None: ...

    def processor_clock(self, handle: int) -> Callable[[], float]: ...

    def exit_status(self, handle: int) -> int: ...

    def is_stopped(self, handle: int) -> bool:
        """Whether a signal has stopped the process. False where that cannot be found out."""

    def is_on_its_way(self, output: int) -> bool:
        """Whether more was printed into an output than has arrived in it."""


class Supervisor(Protocol):
    @property
    def control(self) -> socket.socket:
        """Where it takes requests, one packet each."""

    @property
    def processes(self) -> Processes: ...

    @property
    def python(self) -> tuple[int, ...]:
        """The version of the interpreter there."""

    @property
    def is_over(self) -> bool: ...

    def why_over(self) -> str:
        """In one line, why it is over; empty if there is nothing to say but that it is."""

    @property
    def gone(self) -> type[SandboxFailed]:
        """What is raised when it is over for a reason of the place it was in."""

    def around(self) -> tuple[Mechanism, ...]:
        """What isolates the place it is in from everything else."""

    def give_up(self) -> None:
        """It does not answer: let it and all that is there count as gone."""

    def wait(self, seconds: float) -> None:
        """See it end; its end of the control socket is closed."""

    def abandon(self) -> None:
        """After a fork: it is the parent's."""


class LocalProcesses:
    """Processes of this machine."""

    is_remote = False

    def is_on_its_way(self, output: int) -> bool:
        return False

    send_signal = staticmethod(pidfds.send_signal)
    processor_clock = staticmethod(pidfds.processor_clock)
    exit_status = staticmethod(pidfds.exit_status)
    is_stopped = staticmethod(pidfds.is_stopped)


class LocalSupervisor:
    """On this machine, a child of this process."""

    processes = LocalProcesses()
    gone: type[SandboxFailed] = SandboxFailed
    python: tuple[int, ...] = sys.version_info[:3]

    def __init__(
        self, policy: Policy, path: Sequence[str], environments: Sequence[str] = ()
    ) -> None:
        if not sys.executable:
            raise JailUnavailable(
                "this program embeds Python, so there is no interpreter to start (sys.executable is"
                " empty)"
            )
        self.control: socket.socket
        root = policy.programs if isinstance(policy.programs, str) else None
        try:
            if root is not None:
                self.python = python_of(root)[1]
            self.control, self._process = launch.start_supervisor(
                policy.as_fields(), path, environments, root=root
            )
        except OSError as error:
            raise exhausted_to_start(error) or JailUnavailable(
                f"the worker could not be started: {error}"
            ) from None

    @property
    def is_over(self) -> bool:
        return self._process.poll() is not None

    def why_over(self) -> str:
        return ""

    def around(self) -> tuple[Mechanism, ...]:
        return ()

    def give_up(self) -> None:
        """Somebody has stopped it, or its zygote. It is let go on to end in good order, or else is
        killed, and the zygote with it."""
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGTERM)
            self._process.send_signal(signal.SIGCONT)
        try:
            self._process.wait(_TIDY_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_TIDY_SECONDS)

    def wait(self, seconds: float) -> None:
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.give_up()

    def abandon(self) -> None:
        self._process.returncode = 0  # not this process's child; nothing to wait for


_MOST_IDLE = 8
_DEATH_SECONDS = 10
_ANSWER_SECONDS = 60
"""So long a zygote may take to answer; one that takes longer is stopped, paused or cut off, and is
given up…"""
_READY_SECONDS = 600
"""…and so long to be ready: on a slow disk there is much to import."""
_MOMENT = 1000
"""Waiting is counted in such moments, in milliseconds. In one in which this process was itself
stopped no more than one is counted."""
_REST_SECONDS = 0.05
_GONE = "the worker's zygote is gone"
_SILENT = (
    "the worker's zygote did not answer, as one that somebody has stopped, and was ended with all"
    " its sandboxes"
)


@dataclass(slots=True)
class Sandbox:
    """A sandbox as the kernel knows it: namespaces, held by an init. Executors that were forked
    from one another share one."""

    zygote: Zygote
    number: int
    init: int | None
    """A handle; None where there are no namespaces."""
    pid: int
    users: int = 1
    is_wide: bool = False
    """Whether it was given room for copies."""
    is_awake: bool = False
    """Whether its processes may use the processors freely (`Rests`)."""
    is_resting: bool = False
    """Whether its zygote was asked to limit their CPU time."""
    killed: int = 0
    """How often the kernel has killed in there for want of memory, as far as is known."""
    left: list[int] = field(default_factory=list)
    """Labs whose owners are gone, for whoever lives on to remove."""
    places: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    """Numbers for copies of /home/user, and for runners beside others."""
    shared: dict[int, int] = field(default_factory=dict)
    """Labs that have more than one user, or had: how many."""
    joined: int = 0
    """How often somebody came to share one."""
    lock: threading.RLock = field(default_factory=threading.RLock)
    waking: threading.Lock = field(default_factory=threading.Lock)
    """Held while it begins or ends to rest."""
    joining: threading.Lock = field(default_factory=threading.Lock)
    """Held while somebody is: each must see how many there are."""

    def __del__(self) -> None:
        """Its last runner was dropped, and its zygote gets no more requests."""
        if self.init is not None and self.pid == os.getpid():
            init, self.init = self.init, None
            self.zygote.processes.send_signal(init, signal.SIGKILL)
            os.close(init)

    def used_by(self, more: int) -> int:
        """Count users; gives how many there are then."""
        with self.lock:
            self.users += more
            return self.users

    def share(self, place: int) -> None:
        """One more lives in a lab."""
        with self.lock:
            self.shared[place] = self.shared.get(place, 1) + 1
            self.joined += 1

    def is_shared(self, place: int) -> bool:
        return self.shared.get(place, 1) > 1

    def leave_lab(self, runner: Runner) -> None:
        """A runner is gone for good; what only it had is for whoever lives on to remove."""
        with self.lock:
            others = self.shared.pop(runner.place, 1) - 1
            if others:
                self.shared[runner.place] = others
            else:
                self.left.append(runner.place)
            if runner.branch != runner.place:
                self.left.append(runner.branch)


@dataclass(slots=True)
class Runner:
    """A process that runs cells, as the host holds it: its wire, its output, and a handle on it
    that cannot come to mean another."""

    sandbox: Sandbox
    wire: socket.socket
    output: int
    handle: int
    """As the place where it runs has it (tunnel/pidfds.py): a pidfd on this machine."""
    place: int = 0
    """Which of the sandbox's labs is its own."""
    branch: int = 0
    """By which number the zygote knows it, within the sandbox."""
    is_fork: bool = False
    """Whether an executor of its own uses it."""
    is_branch: bool = False
    """Whether it was made by another runner: then nobody is told how it ends but by the kernel."""
    is_beside: bool = False
    """Whether it was started in a lab that is another's too."""
    is_service: bool = False
    """Whether it is a command server: part of its sandbox, and no user of it."""
    _clock: Callable[[], float] | None = None

    def processor_time(self) -> float:
        """Seconds of processor time that the runner has used."""
        if self._clock is None:
            self._clock = self.sandbox.zygote.processes.processor_clock(self.handle)
        return self._clock()

    def signal(self, number: int) -> None:
        zygote = self.sandbox.zygote
        if zygote.has_pidfds:
            zygote.processes.send_signal(self.handle, number)
        else:
            zygote.send_signal(self, number)

    def kill(self) -> None:
        """Kill it, and every process of its sandbox if no other executor uses that. From any
        thread."""
        with self.sandbox.lock:  # the descriptor is not closed, and used for another, meanwhile
            init = self.sandbox.init
            if init is not None and self.sandbox.users == 1 and not self.is_service:
                self.sandbox.zygote.processes.send_signal(init, signal.SIGKILL)
            elif self.handle >= 0:
                self.signal(signal.SIGKILL)

    def wait(self) -> None:
        """See it dead."""
        poll = select.poll()
        poll.register(self.handle, select.POLLIN)
        if not poll.poll(_DEATH_SECONDS * 1000):
            self.sandbox.zygote.give_up()

    def end(self) -> None:
        """Kill it with all that belongs to it alone, and release what it holds. If the sandbox ends
        with it, this does not wait for its death: the zygote cleans up afterwards."""
        self.kill()
        if self.is_service or self.sandbox.users > 1:
            self.wait()
        if self.is_service:
            self.sandbox.zygote.leave(self)
        else:
            self.sandbox.zygote.end(self)

    def drop(self) -> None:
        """Kill it and leave the rest for later: this may run in the middle of anything, so it waits
        for no lock."""
        self.kill()
        self.close()
        self.sandbox.zygote.dropped.append(self)

    def discard(self) -> None:
        """End a copy that is no executor's and no snapshot's yet."""
        self.signal(signal.SIGKILL)
        self.sandbox.zygote.leave(self)

    def __del__(self) -> None:
        """An exception came between its start and its first use."""
        if self.handle >= 0 and self.sandbox.pid == os.getpid():
            if self.sandbox.zygote.has_pidfds:
                self.signal(signal.SIGKILL)
            self.close()

    def close(self) -> None:
        """Give back its descriptors. Each is forgotten before it is closed: who is interrupted in
        between and closes again would close what somebody else has been given meanwhile under the
        same number."""
        self.wire.close()
        output, self.output = self.output, -1
        with self.sandbox.lock:
            handle, self.handle = self.handle, -1
            for descriptor in (output, handle):
                if descriptor >= 0:
                    os.close(descriptor)


class Zygote:
    """One zygote, and with it the processes around it."""

    def __init__(self, policy: Policy, supervisor: Supervisor) -> None:
        self._lock = threading.Lock()
        self._supervisor = supervisor
        self._control = supervisor.control
        self.processes = supervisor.processes
        self.python = supervisor.python
        self.policy = policy
        """What its sandboxes are ready for without being told."""
        self.sandboxes = 0
        self.closed = False
        self._is_owed = False
        """Whether a request was sent whose answer was not received, as after an exception."""
        self.dropped: deque[Runner] = deque()
        self.holdings = Holdings()
        """Packages for its sandboxes."""
        # For what is sent: perhaps nobody reads it. By the kernel, as what is sent at once
        # (send_signal) must not wait for that.
        self._control.setsockopt(
            socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("@ll", _ANSWER_SECONDS, 0)
        )
        try:
            reply, _descriptors = self._receive(
                _ANSWER_SECONDS if self.processes.is_remote else _READY_SECONDS
            )
        except SandboxFailed:
            self.close()
            raise
        self.has_pidfds: bool = reply.get("pidfds", True)
        """Whether a runner's handle can be used to signal it. If not, the zygote does it, whose
        child every runner is."""
        self._mechanisms = tuple(Mechanism(*row) for row in reply["ready"])

    @property
    def mechanisms(self) -> tuple[Mechanism, ...]:
        """What isolates its sandboxes, and what is around them all."""
        return *self._supervisor.around(), *self._mechanisms

    def start(self, limits: Limits) -> Runner:
        """The first runner of a new sandbox."""
        usual = limits == self.policy.limits
        reply, descriptors = self._ask(
            {"do": "start"} if usual else {"do": "start", "limits": asdict(limits)}, brings=(3, 4)
        )
        init = descriptors.pop() if len(descriptors) == 4 else None
        sandbox = Sandbox(self, reply.get("sandbox", 0), init, os.getpid())
        runner = _runner_of(sandbox, descriptors)
        self.sandboxes += 1
        return runner

    def restart(self, dead: Runner) -> Runner:
        """A new runner in the sandbox of one that is dead, of which nothing is left."""
        if dead.place or dead.is_fork:
            runner = self._beside(dead.sandbox, dead.place, dead.branch)
            runner.is_beside = dead.is_beside
        else:
            request = {"do": "runner", "sandbox": dead.sandbox.number}
            runner = _runner_of(dead.sandbox, self._ask(request, brings=(3,))[1])
        dead.close()
        return runner

    def start_beside(self, sandbox: Sandbox, place: int) -> Runner:
        """One more runner, in a lab that is another's too."""
        runner = self._beside(sandbox, place, next(sandbox.places))
        sandbox.used_by(1)
        sandbox.share(place)
        return runner

    def start_service(self, sandbox: Sandbox, place: int) -> Runner:
        """A command server, in a lab of the sandbox."""
        runner = self._beside(sandbox, place, next(sandbox.places))
        runner.is_service = True
        return runner

    def _beside(self, sandbox: Sandbox, place: int, number: int) -> Runner:
        request = {"do": "beside", "sandbox": sandbox.number, "place": place, "branch": number}
        runner = _runner_of(sandbox, self._ask(request, brings=(3,))[1])
        runner.place, runner.branch = place, number
        runner.is_fork = runner.is_beside = True
        return runner

    def widen(self, sandbox: Sandbox) -> None:
        """Give a sandbox the memory that a copy of its runner may need."""
        if not sandbox.is_wide:
            sandbox.is_wide = True
            self._tell({"do": "widen", "sandbox": sandbox.number})

    def rest(self, sandbox: Sandbox) -> None:
        """Limit the CPU time of what goes on in a sandbox while this process waits for nothing in
        there."""
        sandbox.is_resting = True
        self._tell({"do": "rest", "sandbox": sandbox.number})

    def wake(self, sandbox: Sandbox) -> None:
        """Undo it."""
        if sandbox.is_resting:
            sandbox.is_resting = False
            self._tell({"do": "wake", "sandbox": sandbox.number})

    def adopt(self, maker: Runner, branch: int, pid: int, *, is_fork: bool) -> int:
        """Make the zygote know a runner that another has made, by the process id that the sandbox
        gave it. Gives a handle on it. JailUnavailable if it is no process of that sandbox."""
        request = {"do": "adopt", "sandbox": maker.sandbox.number, "maker": maker.branch}
        request |= {"branch": branch, "fork": is_fork, "pid": pid}
        return self._ask(request, brings=(1,))[1][0]

    def replace(self, dead: Runner, pid: int) -> int:
        """Make the zygote know that a checkpoint takes the place of a dead runner, and end all that
        the dead one started. Gives a handle on the checkpoint. JailUnavailable if there is no such
        process."""
        request = {"do": "replace", "sandbox": dead.sandbox.number, "branch": dead.branch}
        return self._ask({**request, "pid": pid}, brings=(1,))[1][0]

    def status(self, runner: Runner) -> tuple[int, int]:
        """How a dead runner ended: its exit code or minus its signal, and how often the kernel has
        killed for memory since the last."""
        reply, _descriptors = self._ask(
            {"do": "status", "sandbox": runner.sandbox.number, "branch": runner.branch}
        )
        sandbox = runner.sandbox
        killed, sandbox.killed = reply["out_of_memory"] - sandbox.killed, reply["out_of_memory"]
        return (
            self.processes.exit_status(runner.handle) if runner.is_branch else reply["status"]
        ), killed

    def send_signal(self, runner: Runner, number: int) -> None:
        """Have the zygote send one. It says when it has, as one that comes late would be the next
        cell's; but nobody waits for that when a runner is killed, which may be in the middle of
        anything, and after which there is nothing to come late for."""
        request = {"do": "signal", "sandbox": runner.sandbox.number, "number": int(number)}
        if number != signal.SIGKILL:
            # If it is gone, so is the runner.
            with contextlib.suppress(SandboxFailed, JailUnavailable):
                self._ask({**request, "answer": True})
            return
        with contextlib.suppress(OSError):
            self._control.send(
                json.dumps(request).encode(), socket.MSG_DONTWAIT | socket.MSG_NOSIGNAL
            )

    def take_packages(self) -> socket.socket:
        """A line to somebody at its side who takes packages (worker/packages.py). InstallFailed if
        it has no place for any."""
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                reply, _descriptors = self._ask({"do": "packages"}, [theirs.fileno()])
            if "refused" in reply:
                raise InstallFailed(reply["refused"])
            return ours
        except BaseException:
            ours.close()
            raise

    def open_files(self, sandbox: Sandbox, place: int) -> socket.socket:
        """A line to somebody at its side who has the files of a lab in hand (worker/server.py).
        SandboxFailed if there is none."""
        try:
            ours, theirs = socket.socketpair()
        except OSError as error:
            raise exhausted_here(error) from None
        try:
            with theirs:
                reply, _descriptors = self._ask(
                    {"do": "files", "sandbox": sandbox.number, "place": place}, [theirs.fileno()]
                )
            if "refused" in reply:
                raise SandboxFailed(reply["refused"])
            return ours
        except BaseException as error:
            ours.close()
            if isinstance(error, JailUnavailable):
                raise SandboxFailed(
                    f"the files of the sandbox cannot be reached: {error}"
                ) from None
            raise

    def end(self, runner: Runner) -> None:
        """Give back what a runner holds here, and its sandbox if nobody else uses it. It is dead,
        or dies of this."""
        sandbox = runner.sandbox
        users = sandbox.used_by(-1)
        sandbox.leave_lab(runner)
        self._tell(_leave(runner) if users else {"do": "end", "sandbox": sandbox.number})
        runner.close()
        if not users:
            self.sandboxes -= 1
            with sandbox.lock:
                init, sandbox.init = sandbox.init, None
                if init is not None:
                    os.close(init)

    def leave(self, runner: Runner, *, is_replaced: bool = False) -> None:
        """A runner is dead that was one of several in its sandbox; what it started goes too. If a
        snapshot takes its place, all programs of the sandbox have ended when this returns."""
        if not runner.is_service:
            runner.sandbox.leave_lab(runner)
        if is_replaced:
            self._ask({**_leave(runner), "answer": True})
        else:
            self._tell(_leave(runner))
        runner.close()

    def close(self) -> None:
        """End the zygote and every sandbox it started."""
        with self._lock:
            self._be_closed()
        self._end_dropped()
        self._supervisor.wait(_DEATH_SECONDS)

    def _be_closed(self) -> None:
        self.closed = True
        self._control.close()

    def _end_dropped(self) -> None:
        while self.dropped:
            with contextlib.suppress(IndexError):  # another thread was faster
                self.end(self.dropped.popleft())

    def give_up(self) -> None:
        """Something was to happen there at once and has not: where it is far away, nothing may ever
        again. Here others live on."""
        if self.processes.is_remote:
            self._supervisor.give_up()

    @property
    def is_over(self) -> bool:
        return self.closed or self._supervisor.is_over

    def why_over(self) -> str:
        """In one line, why it is over, with what was around it; empty if there is nothing to say
        but that it is."""
        return self._supervisor.why_over()

    def over(self) -> SandboxFailed | None:
        """The same as an error; None if there is nothing to say."""
        why = self.why_over()
        return self._supervisor.gone(why) if why else None

    def abandon(self) -> None:
        """After a fork: let go of the parent's zygote without ending it."""
        self.closed = True
        self._control.close()
        self._supervisor.abandon()

    def pass_on(
        self, request: dict[str, Any], handles: Sequence[int] = (), *, answers: bool
    ) -> tuple[dict[str, Any], list[int]]:
        """Somebody else's request, word by word: whoever passes it on has seen to it that it is
        one, and theirs to make. Gives the answer, if there is to be one, and descriptors that came
        with it."""
        if answers:
            return self._ask(request, handles, brings=range(5))
        self._tell(request, handles)
        return {}, []

    def _tell(self, request: dict[str, Any], handles: Sequence[int] = ()) -> None:
        """Say something that is not answered. If it cannot be said there is nobody to whom it would
        matter."""
        with self._lock, contextlib.suppress(SandboxFailed, OSError):
            if not self.closed:
                self._send(json.dumps(request).encode(), handles)

    def _send(self, packet: bytes, handles: Sequence[int]) -> None:
        try:
            (
                socket.send_fds(self._control, [packet], handles)
                if handles
                else self._control.send(packet)
            )
        except BlockingIOError:
            raise self._given_up() from None

    def _given_up(self) -> SandboxFailed:
        """It does not answer, or does not even read."""
        self._supervisor.give_up()
        self._be_closed()
        return SandboxFailed(self.why_over() or _SILENT)

    def _ask(
        self, request: dict[str, Any], handles: Sequence[int] = (), *, brings: Container[int] = (0,)
    ) -> tuple[dict[str, Any], list[int]]:
        """The answer to a request, and the descriptors that it brings: so many as is said."""
        self._end_dropped()
        packet = json.dumps(request).encode()
        with self._lock:
            # Without its supervisor it is dying, and what it would still start would die with it.
            if self._supervisor.is_over:
                self._be_closed()
            if not self.closed and self._is_owed:
                with contextlib.suppress(JailUnavailable, NoRoom):
                    self._end_unwanted(*self._receive(_ANSWER_SECONDS, range(5)))
            if self.closed:
                raise SandboxFailed(self.why_over() or _GONE)
            try:
                self._is_owed = True
                self._send(packet, handles)
            except (BrokenPipeError, ConnectionResetError):
                self._be_closed()
                raise SandboxFailed(self.why_over() or _GONE) from None
            except OSError as error:
                self._is_owed = False
                raise SandboxFailed(
                    f"the worker's zygote cannot be asked: {error.strerror}"
                ) from None
            return self._receive(_ANSWER_SECONDS, brings)

    def _receive(
        self, seconds: float, brings: Container[int] = (0,)
    ) -> tuple[dict[str, Any], list[int]]:
        if not self._answers_within(seconds):
            raise self._given_up()
        try:
            packet, descriptors, flags, _address = socket.recv_fds(self._control, 1 << 16, 4)
        except ConnectionResetError:
            packet, descriptors, flags = b"", [], 0
        self._is_owed = False
        if not packet:
            self._be_closed()
            raise SandboxFailed(
                self._supervisor.why_over()
                or "the worker's zygote ended unexpectedly; set FUMEHOOD_DEBUG=1 to see why"
            )
        reply = _parsed(packet)
        is_failure = reply is None or "failed" in reply
        if reply is not None and flags & socket.MSG_CTRUNC:
            self._end_unwanted(reply, descriptors)
            raise NoRoom(TOO_MANY_FILES)
        if is_failure or len(descriptors) not in brings:
            for descriptor in descriptors:
                os.close(descriptor)
        if reply is None or not is_failure and len(descriptors) not in brings:
            self._be_closed()
            raise SandboxFailed("the worker's zygote gave an answer that is none, and was ended")
        if is_failure:
            raise _failure(reply)
        return reply, descriptors

    def _end_unwanted(self, reply: dict[str, Any], descriptors: list[int]) -> None:
        """End what an answer brings if the caller was interrupted or has no descriptors left."""
        for descriptor in descriptors:
            os.close(descriptor)
        do = "leave" if "branch" in reply else "end"  # others live in that sandbox
        if "sandbox" in reply:
            with contextlib.suppress(OSError):
                self._send(json.dumps({**reply, "do": do, "fork": True}).encode(), ())

    def _answers_within(self, seconds: float) -> bool:
        poll = select.poll()
        poll.register(self._control, select.POLLIN)
        return any(
            poll.poll(min(seconds - passed, 1) * _MOMENT) for passed in range(math.ceil(seconds))
        )


def _runner_of(sandbox: Sandbox, descriptors: list[int]) -> Runner:
    """A runner, by the descriptors of an answer."""
    wire, output, handle = descriptors
    try:
        return Runner(sandbox, socket.socket(fileno=wire), output, handle)
    except OSError as error:
        for descriptor in descriptors:
            os.close(descriptor)
        raise SandboxFailed(f"the worker's zygote gave no runner: {error}") from None


def _parsed(packet: bytes) -> dict[str, Any] | None:
    """An answer; None if it is none. What is remote may send anything."""
    try:
        reply = json.loads(packet)
    except (ValueError, RecursionError):
        return None
    return reply if isinstance(reply, dict) else None


def _failure(reply: dict[str, Any]) -> SandboxFailed:
    """What an answer says of something that could not be done. A server says itself that it has no
    room, and what to do."""
    if reply.get("full") is True:
        return NoRoom(reply["failed"])
    return exhausted_there(reply.get("errno")) or JailUnavailable(reply["failed"])


class User(Protocol):
    """Something that uses a sandbox, one call at a time."""

    @property
    def sandbox(self) -> Sandbox | None: ...

    def hold(self) -> bool:
        """Keep calls from beginning, if none is in progress; gives whether."""

    def let_go(self) -> None: ...


class Rests:
    """Which sandboxes of this process are in use. One for which no call has been in progress for a
    moment rests: what cells have left behind in it gets little CPU time (worker/orphans.py) until
    the next call.

    A thread looks at those that are awake, and ends when none is. So a call costs nothing but a
    look at `is_awake`, unless it is the first after a rest. A call looks after it has begun, and
    the thread clears `is_awake` before it looks for calls: one of the two notices the other.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users: weakref.WeakSet[User] = weakref.WeakSet()
        self._awake: dict[int, Sandbox] = {}
        self._is_watching = False

    def add(self, user: User) -> None:
        with self._lock:
            self._users.add(user)

    def wake(self, sandbox: Sandbox) -> None:
        """A call has begun."""
        with sandbox.waking:
            sandbox.zygote.wake(sandbox)
            # What is around a remote sandbox limits its CPU time, if anything does.
            if not sandbox.zygote.processes.is_remote and not self._watches(sandbox):
                return  # the next call tries again
            sandbox.is_awake = True

    def _watches(self, sandbox: Sandbox) -> bool:
        with self._lock:
            if not self._is_watching:
                try:
                    threading.Thread(target=self._watch, name="fumehood-rests", daemon=True).start()
                except RuntimeError:  # no thread can be started
                    return False
                self._is_watching = True
            self._awake[id(sandbox)] = sandbox
        return True

    def _watch(self) -> None:
        while True:
            time.sleep(_REST_SECONDS)
            users: dict[int, list[User]] = {}
            with self._lock:
                if not self._awake:
                    self._is_watching = False
                    return
                awake = [*self._awake.values()]
                for sandbox in awake:
                    sandbox.is_awake = False
                for user in self._users:
                    if (used := user.sandbox) is not None:
                        users.setdefault(id(used), []).append(user)
            for sandbox in awake:
                self._see(sandbox, users.get(id(sandbox), []))

    def _see(self, sandbox: Sandbox, users: list[User]) -> None:
        """Let a sandbox rest unless a call is in progress or has begun meanwhile."""
        with sandbox.waking:
            held: list[User] = []
            try:
                if not sandbox.is_awake:
                    held += itertools.takewhile(lambda user: user.hold(), users)
                    sandbox.is_awake = len(held) < len(users)
                if not sandbox.is_awake:
                    with self._lock:
                        del self._awake[id(sandbox)]
                    sandbox.zygote.rest(sandbox)
            finally:
                for user in held:
                    user.let_go()


RESTS = Rests()


def _forget_rests() -> None:
    """In a fork of this process, which has no thread of its parent's and no use for its
    sandboxes."""
    global RESTS
    RESTS = Rests()


os.register_at_fork(after_in_child=_forget_rests)


def _leave(runner: Runner) -> dict[str, Any]:
    return {
        "do": "leave",
        "sandbox": runner.sandbox.number,
        "branch": runner.branch,
        "fork": runner.is_fork,
    }


@dataclass(frozen=True, slots=True)
class Key:
    """What all sandboxes of one zygote have in common: the modules it has imported, the root it has
    built, where it imports from."""

    imports: frozenset[str]
    files: bool
    programs: bool | tuple[str, ...] | str
    mounts: tuple[Mount, ...]
    lab: tuple[int, int]
    path: tuple[str, ...]
    environments: tuple[str, ...]
    """Directories of packages that its sandboxes see, and that it imports nothing from."""


def usual(policy: Policy) -> Policy:
    """What a zygote for a policy makes its sandboxes ready for. What a seed and a clock do to a
    process cannot be undone, so each sandbox is told of its own."""
    return replace(policy, seed=None, clock=None)


class Zygotes:
    """The zygotes of one place: `launch` starts a supervisor there for a policy, to import from the
    paths that `path` gives; on this machine also with environments."""

    def __init__(
        self, launch: Callable[..., Supervisor], path: Callable[[], Iterable[str]] = tuple
    ) -> None:
        self._launch, self._path = launch, path
        self._by_key: OrderedDict[Key, Zygote] = OrderedDict()
        self._over: list[Zygote] = []
        """Closed ones with sandboxes that executors still hold, and may drop later."""
        self._lock = threading.Lock()

    def start_sandbox(self, policy: Policy, environments: tuple[str, ...] = ()) -> Runner:
        """The runner of a fresh sandbox for a policy, from a zygote that is running already or is
        started now. It sees these directories of packages."""
        for last in (False, True):
            zygote = self.zygote_for(policy, environments)
            try:
                return zygote.start(policy.limits)
            except SandboxFailed:
                if last or not zygote.closed:
                    raise
        raise AssertionError

    def zygote_for(self, policy: Policy, environments: tuple[str, ...] = ()) -> Zygote:
        """One that makes sandboxes for a policy: it is running already, or is started now."""
        limits = policy.limits
        path, lab = tuple(dict.fromkeys(self._path())), (limits.lab_bytes, limits.lab_files)
        key = Key(
            frozenset(policy.imports),
            policy.files,
            policy.programs,
            policy.mounts,
            lab,
            path,
            environments,
        )
        with self._lock:
            self._sweep()
            zygote = self._by_key.get(key)
            if zygote is not None and zygote.closed:
                zygote.close()  # it died: its process is waited for
                self._over.append(zygote)
                zygote = None
            if zygote is None:
                first = usual(policy)
                more = {"environments": environments} if environments else {}
                zygote = self._by_key[key] = Zygote(first, self._launch(first, key.path, **more))
            self._by_key.move_to_end(key)
            idle = [(k, z) for k, z in self._by_key.items() if z.sandboxes == 0 and z is not zygote]
            for k, z in idle[: max(0, len(self._by_key) - _MOST_IDLE)]:
                del self._by_key[k]
                z.close()
            return zygote

    @property
    def sandboxes(self) -> int:
        """How many there are of theirs."""
        return sum(zygote.sandboxes for zygote in [*self._by_key.values()] if not zygote.closed)

    def close(self) -> None:
        """End them all. New ones are started when they are needed."""
        with self._lock:
            while self._by_key:
                _key, zygote = self._by_key.popitem()
                zygote.close()
                self._over.append(zygote)
            self._sweep()

    def _sweep(self) -> None:
        """Give back what was dropped of those that are over."""
        for zygote in self._over:
            zygote._end_dropped()
        self._over = [zygote for zygote in self._over if zygote.sandboxes > 0]

    def forget(self) -> None:
        """After a fork: they are the parent's."""
        self._lock = threading.Lock()
        for zygote in self._by_key.values():
            zygote.abandon()
        self._by_key.clear()
        self._over.clear()


LOCAL = Zygotes(LocalSupervisor, lambda: (path for path in sys.path if os.path.isabs(path)))
"""Those on this machine."""


def start_sandbox(policy: Policy) -> Runner:
    """A fresh sandbox on this machine."""
    return LOCAL.start_sandbox(policy)


def close_all() -> None:
    """End every zygote of this process on this machine."""
    LOCAL.close()


os.register_at_fork(after_in_child=LOCAL.forget)
atexit.register(close_all)
