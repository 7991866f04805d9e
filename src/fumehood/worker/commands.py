"""The command server: a process of a sandbox that starts programs for the host.

It is a runner that was asked for a command, and from then on serves nothing else:

    command n e       starts a program with the descriptors that came along, in a process group of
                      its own; answers n with its process id, and e with [exit code, signal, process
                      id] when it has ended
    signal c          sends a signal to the process group of command c
    resize c          sets the size of the terminal of command c
    set_environment   sets variables of the programs that are started from now on

A program with a terminal leads a session, and has the slave of a pseudo-terminal for its standard
streams. A copy of this process relays between its master and the descriptors of the host.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import signal
import struct
import termios
from dataclasses import dataclass
from typing import Any

from fumehood.jail.enter import WIRE
from fumehood.jail.filesystem import HOME
from fumehood.wire import messages
from fumehood.worker import fork
from fumehood.worker.line import Line

_CHUNK = 1 << 16
_HELD_MILLISECONDS = 20
"""How long the process id of a program that may end soon is held, to be sent with its end."""
_LOOKS = 400
"""How often it looks for the next command before it sleeps: some 200 us."""
_RELAY_SECONDS = 1.0
"""How long the rest of what is in a terminal may take after its program has ended."""


@dataclass(slots=True)
class _Running:
    number: int
    """Of the command."""
    pid: int
    end: int
    """The id of the message that tells its end."""
    master: int
    relay: int


class CommandServer:
    def __init__(self, line: Line) -> None:
        self._line = line
        self._environment = dict(os.environ)
        self._held: dict[int, bytes] = {}
        """Packed answers with process ids of programs that may end soon, by command."""
        self._running: dict[int, _Running] = {}
        """By pidfd."""
        self._has_groups = os.getsid(0) == os.getpid()  # in a container there is one for all
        self._poll = select.poll()
        self._poll.register(line.fileno(), select.POLLIN)
        self._signals = [*signal.valid_signals()]
        """Reset to their default in programs: some are ignored here. For a signal that is not in
        this list posix_spawn makes two system calls instead of one."""

    def serve(self, first: messages.Command) -> None:
        """Serve until the host closes its end, which ends this process."""
        self._handle(first)
        while True:
            while (received := self._line.receive(0, looks=False)) is not None:
                self._handle(received[0])
            looks = 0 if self._running else _LOOKS
            while looks and not (events := self._poll.poll(0)):
                looks -= 1
            if not looks:
                events = self._poll.poll(_HELD_MILLISECONDS if self._held else None)
            for descriptor, _event in events:
                if descriptor in self._running:
                    self._see_end(descriptor)
            if self._held and not events:
                self._send(b"")

    def _handle(self, message: Any) -> None:
        try:
            match message:
                case messages.Command():
                    value: Any = self._start(message)
                case messages.SetEnvironment():
                    set_environment(message.variables)
                    self._environment, value = dict(os.environ), None
                case messages.SignalCommand():
                    value = self._signal(message.command, message.number)
                case messages.ResizeTerminal():
                    value = self._resize(message.command, message.columns, message.rows)
                case _:
                    raise OSError(f"a command server does not take {message.type!r}")
        except (OSError, ValueError) as error:
            kind = type(error).__name__
            failed = messages.Failed(id=message.id, error=kind, message=_reason(error))
            self._send(self._line.packed(failed))
        else:
            done = self._line.packed(messages.Done(id=message.id, value=value))
            if isinstance(message, messages.Command) and message.held:
                self._held[message.id] = done
            else:
                self._send(done)

    def _send(self, packed: bytes) -> None:
        """Send what was held, and then this."""
        packed = b"".join([*self._held.values(), packed])
        self._held.clear()
        self._line.send_packed(packed)

    def _start(self, message: messages.Command) -> int:
        streams = self._line.take_descriptors(3 if message.stdin else 2)
        master = slave = -1
        relay = 0
        try:
            os.chdir(message.cwd if message.cwd.startswith("/") else f"{HOME}/{message.cwd}")
            environment = {**self._environment, "PWD": message.cwd, **message.environment}
            program = _found(message.arguments[0], environment.get("PATH", os.defpath))
            if message.terminal:
                environment = {"TERM": "xterm-256color", **message.environment} | {
                    name: text for name, text in environment.items() if name != "TERM"
                }
                master, slave = os.openpty()
                _set_size(master, *message.terminal)
                path = os.ttyname(slave)
                # Opened first by the leader of a session, it is that session's terminal.
                actions: list[Any] = [(os.POSIX_SPAWN_OPEN, 0, path, os.O_RDWR, 0)]
                actions += [(os.POSIX_SPAWN_DUP2, 0, 1), (os.POSIX_SPAWN_DUP2, 0, 2)]
            else:
                # Without input, programs have that of this process, which is empty.
                places = enumerate(streams, 0 if message.stdin else 1)
                actions = [(os.POSIX_SPAWN_DUP2, each, at) for at, each in places]
            # A session can cost 50 us: the scheduler may make a group of tasks for each.
            group: dict[str, Any] = {"setsid": True} if message.terminal else {"setpgroup": 0}
            pid = os.posix_spawn(
                program,
                message.arguments,
                environment,
                file_actions=actions,
                setsigmask=(),
                setsigdef=self._signals,
                **(group if self._has_groups else {}),
            )
            pidfd = os.pidfd_open(pid)
            if message.terminal:
                relay = fork.start(lambda: _relay(master, *streams))
        finally:
            for descriptor in (*streams, slave, *(() if relay else (master,))):
                if descriptor >= 0:
                    os.close(descriptor)
        self._running[pidfd] = _Running(message.id, pid, message.end, master, relay)
        self._poll.register(pidfd, select.POLLIN)
        return pid

    def _see_end(self, pidfd: int) -> None:
        """The host waits for the message, so the rest is done after it."""
        running = self._running.pop(pidfd)
        try:
            _pid, status = os.waitpid(running.pid, 0)
        except ChildProcessError:
            status = signal.SIGKILL
        if running.relay:
            _see_relay_end(running.relay)
        self._held.pop(running.number, None)
        code = os.waitstatus_to_exitcode(status)
        value = [code, 0, running.pid] if code >= 0 else [128 - code, -code, running.pid]
        self._send(self._line.packed(messages.Done(id=running.end, value=value)))
        self._poll.unregister(pidfd)
        for descriptor in (pidfd, running.master):
            if descriptor >= 0:
                os.close(descriptor)

    def _of(self, number: int) -> _Running | None:
        return next((each for each in self._running.values() if each.number == number), None)

    def _signal(self, number: int, which: int) -> bool:
        running = self._of(number)
        if running is None:
            return False
        try:
            os.killpg(running.pid, which)
        except PermissionError:  # in a container there is one group
            os.kill(running.pid, which)
        return True

    def _resize(self, number: int, columns: int, rows: int) -> bool:
        running = self._of(number)
        if running is None or running.master < 0:
            return False
        _set_size(running.master, columns, rows)
        return True


def set_environment(variables: dict[str, str | None]) -> None:
    for name, value in variables.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.strerror}: {os.fsdecode(error.filename)}"
    return str(error)


def _found(name: str, path: str) -> str:
    if name == "/bin/bash" and not os.path.exists(name):
        return "/bin/sh"  # a small image may have no other shell
    if "/" in name:
        return name
    for directory in path.split(os.pathsep):
        candidate = f"{directory or '.'}/{name}"
        if os.access(candidate, os.X_OK) and not os.path.isdir(candidate):
            return candidate
    raise FileNotFoundError(2, "no such program", name)


def _set_size(terminal: int, columns: int, rows: int) -> None:
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def _relay(master: int, source: int, sink: int, unused: int) -> None:
    """Copy what comes from the host to a terminal, and what the terminal shows to the host, until
    no process has the terminal open."""
    for descriptor in (WIRE, unused):
        os.close(descriptor)
    poll = select.poll()
    poll.register(master, select.POLLIN)
    poll.register(source, select.POLLIN)
    with contextlib.suppress(OSError):  # EIO: the terminal has no user any more
        while True:
            for descriptor, _event in poll.poll():
                data = os.read(descriptor, _CHUNK)
                if not data and descriptor == source:
                    poll.unregister(source)
                    continue
                target = sink if descriptor == master else master
                while data:
                    data = data[os.write(target, data) :]


def _see_relay_end(relay: int) -> None:
    """Wait for a relay to pass on the rest. A program in the background may keep the terminal."""
    with contextlib.suppress(OSError):
        pidfd = os.pidfd_open(relay)
        try:
            poll = select.poll()
            poll.register(pidfd, select.POLLIN)
            if not poll.poll(_RELAY_SECONDS * 1000):
                os.kill(relay, signal.SIGKILL)
            os.waitpid(relay, 0)
        finally:
            os.close(pidfd)
