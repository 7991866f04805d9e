"""The host's hold on its zygotes: one per set of preloaded modules and mounts, started when first needed, gone with this process.

Safe from any thread. A process forked from this one has none of its parent's: it starts its own when it needs one.
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import itertools
import json
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from fumehood.errors import JailUnavailable, SandboxFailed
from fumehood.jail.report import Mechanism
from fumehood.policy import Limits, Mount, Policy

_MOST_IDLE = 8
_DEATH_SECONDS = 10
_BOOT = """import sys
sys.path[:0] = [sys.argv[2]]
from fumehood.worker import memory
memory.gather()
from fumehood.worker.guardian import main
main()
"""
_PACKAGES = str(Path(__file__).resolve().parents[2])


@dataclass(slots=True)
class Sandbox:
    """A sandbox as the kernel knows it: namespaces, held by a keeper. Executors that were forked from one another share one."""

    zygote: Zygote
    number: int
    keeper: int | None
    """A pidfd; None where there are no namespaces."""
    pid: int
    users: int = 1
    is_wide: bool = False
    """Whether it was given room for copies."""
    killed: int = 0
    """How often the kernel has killed in there for want of memory, as far as is known."""
    left: list[int] = field(default_factory=list)
    """Labs whose owners are gone, for whoever lives on to remove."""
    places: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    """Numbers for copies of /lab."""


@dataclass(slots=True)
class Runner:
    """A process that runs cells, as the host holds it: its wire, its output, and a handle on it that cannot come to mean another."""

    sandbox: Sandbox
    wire: socket.socket
    output: int
    handle: int
    """A pidfd."""
    place: int = 0
    """Which of the sandbox's labs is its own."""
    branch: int = 0
    """By which number the zygote knows it, within the sandbox."""
    is_fork: bool = False
    """Whether an executor of its own uses it."""
    is_branch: bool = False
    """Whether it was made by another runner: then nobody is told how it ends but by the kernel."""
    _clock: int | None = None

    def processor_time(self) -> float:
        """Seconds of processor time that the runner has used, by the kernel's clock for its process."""
        if self._clock is None:
            self._clock = (~pid_of(self.handle) << 3) | 2  # as clock_getcpuclockid makes it
        try:
            return time.clock_gettime(self._clock)
        except OSError:
            return 0.0  # it is dead

    def signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError, OSError):
            signal.pidfd_send_signal(self.handle, number)

    def kill(self) -> None:
        """Kill it, and every process of its sandbox if nobody else uses that."""
        keeper = self.sandbox.keeper
        if keeper is not None and self.sandbox.users == 1:
            with contextlib.suppress(ProcessLookupError, OSError):
                signal.pidfd_send_signal(keeper, signal.SIGKILL)
        else:
            self.signal(signal.SIGKILL)

    def wait(self) -> None:
        """See it dead."""
        poll = select.poll()
        poll.register(self.handle, select.POLLIN)
        poll.poll(_DEATH_SECONDS * 1000)

    def end(self) -> None:
        """Kill it with all that belongs to it alone, see it dead, and give back what it holds."""
        self.kill()
        self.wait()
        self.sandbox.zygote.end(self)

    def drop(self) -> None:
        """Kill it and leave the rest for later: this may run in the middle of anything, so it waits for no lock."""
        self.kill()
        self.close()
        self.sandbox.zygote.dropped.append(self)

    def close(self) -> None:
        """Give back its descriptors."""
        self.wire.close()
        for descriptor in (self.output, self.handle):
            if descriptor >= 0:
                os.close(descriptor)
        self.output = self.handle = -1


def pid_of(pidfd: int) -> int:
    """The process that a pidfd stands for. ValueError if it is none, or stands for none that this process can see."""
    with open(f"/proc/self/fdinfo/{pidfd}") as file:
        pid = next((int(line.split()[1]) for line in file if line.startswith("Pid:")), -1)
    if pid <= 0:
        raise ValueError("not a handle on a process")
    return pid


class Zygote:
    """One zygote, and with it the processes around it."""

    def __init__(self, policy: Policy, path: Sequence[str]) -> None:
        self._lock = threading.Lock()
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.policy = policy
        """What its sandboxes are ready for without being told."""
        self.sandboxes = 0
        self.closed = False
        self.dropped: deque[Runner] = deque()
        if not sys.executable:
            raise JailUnavailable("this program embeds Python, so there is no interpreter to start (sys.executable is empty)")
        # Not one of the standard three, which the child gets anew: a host may have closed its own.
        number = fcntl.fcntl(theirs, fcntl.F_DUPFD_CLOEXEC, 3)
        theirs.close()
        with open(number, "rb", buffering=0):
            try:
                self._process = subprocess.Popen(
                    # All that -I does, but for heeding no PYTHON… variable: there is one, and it is ours.
                    [sys.executable, "-s", "-P", "-c", _BOOT, str(number), _PACKAGES],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=None if os.environ.get("FUMEHOOD_DEBUG") else subprocess.DEVNULL,
                    pass_fds=[number],
                    env=_environment(),
                    cwd="/",
                    start_new_session=True,  # Ctrl-C in the host's terminal is the host's
                )
            except OSError as error:
                self._control.close()
                raise JailUnavailable(f"the worker could not be started: {error}") from None
        try:
            setup = {"host": os.getpid(), "path": [*path, _PACKAGES], "policy": policy.as_fields()}
            self._control.send(json.dumps(setup).encode())
        except OSError as error:
            self._be_closed()
            raise JailUnavailable(f"the worker could not be started: {error}") from None
        try:
            reply, _descriptors = self._receive()
        except SandboxFailed:
            self.close()
            raise
        self.mechanisms = tuple(Mechanism(*row) for row in reply["ready"])

    def start(self, limits: Limits) -> Runner:
        """The first runner of a new sandbox."""
        usual = limits == self.policy.limits
        reply, (wire, output, runner, *keeper) = self._ask({"do": "start"} if usual else {"do": "start", "limits": asdict(limits)})
        self.sandboxes += 1
        sandbox = Sandbox(self, reply["sandbox"], keeper[0] if keeper else None, os.getpid())
        return Runner(sandbox, socket.socket(fileno=wire), output, runner)

    def restart(self, dead: Runner) -> Runner:
        """A new runner in the sandbox of one that is dead, of which nothing is left."""
        _reply, (wire, output, handle) = self._ask({"do": "runner", "sandbox": dead.sandbox.number})
        dead.close()
        return Runner(dead.sandbox, socket.socket(fileno=wire), output, handle)

    def widen(self, sandbox: Sandbox) -> None:
        """Give a sandbox the memory that a copy of its runner may need."""
        if not sandbox.is_wide:
            sandbox.is_wide = True
            with self._lock:
                if not self.closed:
                    with contextlib.suppress(OSError):
                        self._control.send(json.dumps({"do": "widen", "sandbox": sandbox.number}).encode())

    def adopt(self, runner: Runner) -> None:
        """Make the zygote know a runner that another has made. Nobody waits for it: what comes later is done later."""
        request = {"do": "adopt", "sandbox": runner.sandbox.number, "branch": runner.branch, "fork": runner.is_fork}
        with self._lock:
            if not self.closed:
                with contextlib.suppress(OSError):
                    socket.send_fds(self._control, [json.dumps(request).encode()], [runner.handle])

    def replace(self, dead: Runner, runner: Runner) -> None:
        """Make the zygote know that a runner has taken the place of one that is dead, and see that all which that one started is too."""
        runner.branch, runner.is_fork = dead.branch, dead.is_fork
        self._ask({"do": "replace", "sandbox": runner.sandbox.number, "branch": runner.branch}, [runner.handle])

    def status(self, runner: Runner) -> tuple[int, int]:
        """How a dead runner ended: its exit code or minus its signal, and how often the kernel has killed for memory since the last."""
        reply, _descriptors = self._ask({"do": "status", "sandbox": runner.sandbox.number, "branch": runner.branch})
        sandbox = runner.sandbox
        killed, sandbox.killed = reply["out_of_memory"] - sandbox.killed, reply["out_of_memory"]
        return exit_status(runner.handle) if runner.is_branch else reply["status"], killed

    def end(self, runner: Runner) -> None:
        """Give back what a runner holds here, and its sandbox if nobody else uses it. It is dead, or dies of this."""
        sandbox = runner.sandbox
        sandbox.users -= 1
        sandbox.left.append(runner.place)
        request = {"do": "end", "sandbox": sandbox.number} if not sandbox.users else _leave(runner)
        with self._lock:
            if not self.closed:
                with contextlib.suppress(OSError):
                    self._control.send(json.dumps(request).encode())
        runner.close()
        if not sandbox.users:
            self.sandboxes -= 1
            if sandbox.keeper is not None:
                os.close(sandbox.keeper)
                sandbox.keeper = None

    def leave(self, runner: Runner) -> None:
        """A runner is dead that was one of several in its sandbox; what it started goes too."""
        runner.sandbox.left.append(runner.place)
        with self._lock:
            if not self.closed:
                with contextlib.suppress(OSError):
                    self._control.send(json.dumps(_leave(runner)).encode())
        runner.close()

    def close(self) -> None:
        """End the zygote and every sandbox it started."""
        with self._lock:
            self._be_closed()
        self._end_dropped()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_DEATH_SECONDS)

    def _be_closed(self) -> None:
        self.closed = True
        self._control.close()

    def _end_dropped(self) -> None:
        while self.dropped:
            with contextlib.suppress(IndexError):  # another thread was faster
                self.end(self.dropped.popleft())

    def abandon(self) -> None:
        """After a fork: let go of the parent's zygote without ending it."""
        self.closed = True
        self._control.close()
        self._process.returncode = 0  # not this process's child; nothing to wait for

    def _ask(self, request: dict[str, Any], handles: Sequence[int] = ()) -> tuple[dict[str, Any], list[int]]:
        self._end_dropped()
        packet = json.dumps(request).encode()
        with self._lock:
            if self._process.poll() is not None:  # without its guardian it is dying, and what it would still start would die with it
                self._be_closed()
            if self.closed:
                raise SandboxFailed("the worker's zygote is gone")
            try:
                socket.send_fds(self._control, [packet], handles) if handles else self._control.send(packet)
            except (BrokenPipeError, ConnectionResetError):
                self._be_closed()
                raise SandboxFailed("the worker's zygote is gone") from None
            except OSError as error:
                raise SandboxFailed(f"the worker's zygote cannot be asked: {error.strerror}") from None
            return self._receive()

    def _receive(self) -> tuple[dict[str, Any], list[int]]:
        try:
            packet, descriptors, flags, _address = socket.recv_fds(self._control, 1 << 16, 4)
        except ConnectionResetError:
            packet, descriptors, flags = b"", [], 0
        if flags & socket.MSG_CTRUNC:
            for descriptor in descriptors:
                os.close(descriptor)
            self._control.send(json.dumps({"do": "end", "sandbox": json.loads(packet)["sandbox"]}).encode())
            raise SandboxFailed("this process has too many open files to hold one more sandbox; close some, or raise its limit (ulimit -n)")
        if not packet:
            self._be_closed()
            raise SandboxFailed("the worker's zygote ended unexpectedly; set FUMEHOOD_DEBUG=1 to see why")
        reply = json.loads(packet)
        if "failed" in reply:
            for descriptor in descriptors:
                os.close(descriptor)
            raise JailUnavailable(reply["failed"])
        return reply, descriptors


def _leave(runner: Runner) -> dict[str, Any]:
    return {"do": "leave", "sandbox": runner.sandbox.number, "branch": runner.branch, "fork": runner.is_fork}


# struct pidfd_info: mask, cgroup id, ids of the process and its users, exit code.
_PIDFD_INFO = struct.Struct("=QQ" + "I" * 12)
_PIDFD_GET_INFO = 0xC000FF0B | _PIDFD_INFO.size << 16
_INFO_EXIT = 1 << 3


def exit_status(pidfd: int) -> int:
    """How a process ended that is no child of anybody here: its exit code, or minus its signal. Kernels before 6.15 do not tell; then it
    counts as killed."""
    info = bytearray(_PIDFD_INFO.pack(_INFO_EXIT, *[0] * 13))
    try:
        fcntl.ioctl(pidfd, _PIDFD_GET_INFO, info)
    except OSError:
        return -signal.SIGKILL
    mask, *_rest, status = _PIDFD_INFO.unpack(info)
    if mask & _INFO_EXIT:
        return os.waitstatus_to_exitcode(status & 0xFFFF)
    try:  # not yet waited for by the runner that made it
        with open(f"/proc/{pid_of(pidfd)}/stat") as file:
            return os.waitstatus_to_exitcode(int(file.read().split()[-1]) & 0xFFFF)
    except (OSError, ValueError):
        return -signal.SIGKILL


@dataclass(frozen=True, slots=True)
class Key:
    """What all sandboxes of one zygote have in common: the modules it has imported, the root it has built, where it imports from."""

    imports: frozenset[str]
    mounts: tuple[Mount, ...]
    lab: tuple[int, int]
    path: tuple[str, ...]


def _key(policy: Policy) -> Key:
    path = tuple(dict.fromkeys(path for path in sys.path if os.path.isabs(path)))
    return Key(frozenset(policy.imports), policy.mounts, (policy.limits.lab_bytes, policy.limits.lab_files), path)


_zygotes: OrderedDict[Key, Zygote] = OrderedDict()
_lock = threading.Lock()


def start_sandbox(policy: Policy) -> Runner:
    """The runner of a fresh sandbox for a policy, from a zygote that is running already or is started now."""
    for last in (False, True):
        zygote = _zygote(policy)
        try:
            return zygote.start(policy.limits)
        except SandboxFailed:
            if last or not zygote.closed:
                raise
    raise AssertionError


def _zygote(policy: Policy) -> Zygote:
    key = _key(policy)
    with _lock:
        zygote = _zygotes.get(key)
        if zygote is not None and zygote.closed:
            zygote.close()  # it died: its process is waited for
            zygote = None
        if zygote is None:
            # What a seed and a clock do to a process cannot be undone, so each sandbox is told of its own.
            zygote = _zygotes[key] = Zygote(replace(policy, seed=None, clock=None), key.path)
        _zygotes.move_to_end(key)
        idle = [(k, z) for k, z in _zygotes.items() if z.sandboxes == 0 and z is not zygote]
        for k, z in idle[: max(0, len(_zygotes) - _MOST_IDLE)]:
            del _zygotes[k]
            z.close()
        return zygote


def close_all() -> None:
    """End every zygote of this process. New ones are started when they are needed."""
    with _lock:
        while _zygotes:
            _key, zygote = _zygotes.popitem()
            zygote.close()


def _forget() -> None:
    global _lock
    _lock = threading.Lock()
    for zygote in _zygotes.values():
        zygote.abandon()
    _zygotes.clear()


def _environment() -> dict[str, str]:
    """Nothing of the host's environment but where the loader finds the interpreter's libraries."""
    threads = str(min(4, os.cpu_count() or 1))
    kept = {name: os.environ[name] for name in ("LD_LIBRARY_PATH", "FUMEHOOD_DEBUG") if name in os.environ}
    fixed = {
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        # Sets of strings come in the same order each time. Whoever makes keys that collide slows down a sandbox, which has its limits.
        "PYTHONHASHSEED": "0",
        "HOME": "/lab",
        "TMPDIR": "/lab",
        # More threads than this would run into the limit of processes, which these libraries do not expect.
        "OPENBLAS_NUM_THREADS": threads,
        "MALLOC_ARENA_MAX": "2",  # each reserves 64 MB, which counts against the limit of mapped memory
        "OMP_NUM_THREADS": threads,
        "MKL_NUM_THREADS": threads,
        "NUMEXPR_NUM_THREADS": threads,
    }
    return kept | fixed


os.register_at_fork(after_in_child=_forget)
atexit.register(close_all)
