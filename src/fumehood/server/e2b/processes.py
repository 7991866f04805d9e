"""Commands: each is read by a thread of its own, as it may last as long as the sandbox, and heard
by whoever is connected to it."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import shlex
import threading
from collections.abc import AsyncIterator, Callable
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, Protocol

from fumehood.server.e2b import connect, paths, shapes
from fumehood.server.e2b.connect import CallFailed, Opened
from fumehood.server.e2b.state import MOST_PROCESSES, state_of
from fumehood.server.e2b.streams import Pipe, Unread
from fumehood.server.refusals import Busy
from fumehood.server.sandbox import Sandbox
from fumehood.server.shares import Held

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fumehood.server.server import Server

_SHELLS: Final = frozenset({"sh", "bash", "/bin/sh", "/bin/bash", "/usr/bin/bash", "/usr/bin/sh"})
_SIGNALS: Final = {"SIGNAL_SIGKILL": 9, "SIGNAL_SIGTERM": 15, 9: 9, 15: 15}
_AT_ONCE: Final = 4
"""Commands that run at once in all sandboxes of a key, for each of the calls that it may make at
once."""
KEEPALIVE: Final[dict[str, Any]] = {"event": {"keepalive": {}}}


class Command(Protocol):
    """A command that runs: one of the sandbox's, or a remote end in the place of one."""

    pid: int

    def __iter__(self) -> Iterator[tuple[Any, bytes]]: ...

    def wait(self) -> Any: ...

    def send_stdin(self, data: bytes) -> Any: ...

    def close_stdin(self) -> Any: ...

    def kill(self) -> Any: ...

    def signal(self, number: int) -> Any: ...

    def resize(self, columns: int, rows: int) -> Any: ...


def _data(stream: str, piece: bytes) -> bytes:
    return connect.envelope({"event": {"data": {stream: base64.b64encode(piece).decode()}}})


def _text(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()


class Process:
    """A command that runs. While it does, its sandbox is in use."""

    def __init__(
        self,
        sandbox: Sandbox,
        command: Command,
        wanted: shapes.Start,
        loop: asyncio.AbstractEventLoop,
        held: Held,
    ) -> None:
        self._sandbox = sandbox
        self._held = held
        self._loop = loop
        self.command = command
        self.pid = command.pid
        self.wanted = wanted
        self._lock = threading.Lock()
        self._listeners: list[Pipe] = []
        self._end: bytes | None = None

    def start(self) -> None:
        self._sandbox.calls += 1
        state_of(self._sandbox).processes[self.pid] = self
        threading.Thread(target=self._run, name="fumehood-e2b-command", daemon=True).start()

    def _is_over(self) -> None:
        self._held.release()
        self._sandbox.calls -= 1
        self._sandbox.touch()
        state_of(self._sandbox).processes.pop(self.pid, None)

    def listen(self) -> Opened:
        """Hear of it from now on. Who leaves leaves it running."""
        pipe = Pipe(self._loop)
        pipe.put(connect.envelope({"event": {"start": {"pid": self.pid}}}))
        with self._lock:
            if self._end is None:
                self._listeners.append(pipe)
            else:
                pipe.put(self._end)
                pipe.end()

        def leave() -> None:
            pipe.leave()
            with self._lock, contextlib.suppress(ValueError):
                self._listeners.remove(pipe)

        return pipe, leave

    def close(self) -> None:
        """The sandbox is over."""
        self.command.kill()

    # -- in a thread of its own

    def _run(self) -> None:
        failed: CallFailed | None = None
        end: dict[str, Any] = {}
        try:
            terminal = self.wanted.pty is not None
            for stream, piece in self.command:
                self._tell(_data("pty" if terminal else stream, piece))
            end = _shape_of_end(self.command.wait())
        except Exception as error:
            failed = connect.failure(error) or CallFailed("internal", "the command was lost")
        said = (
            b"" if failed is not None else connect.envelope({"event": {"end": end}})
        ) + connect.last(failed)
        with self._lock:
            self._end = said
            listeners, self._listeners = self._listeners, []
        with contextlib.suppress(RuntimeError):  # the loop is closed: the server has ended
            self._loop.call_soon_threadsafe(self._is_over)
        for pipe in listeners:
            with contextlib.suppress(Unread):
                pipe.put(said)
            pipe.end()

    def _tell(self, message: bytes) -> None:
        with self._lock:
            listeners = [*self._listeners]
        for pipe in listeners:
            try:
                pipe.put(message)
            except Unread:
                with self._lock, contextlib.suppress(ValueError):
                    self._listeners.remove(pipe)


def _shape_of_end(result: Any) -> dict[str, Any]:
    end = {
        "exitCode": result.exit_code,
        "exited": True,
        "status": f"exit status {result.exit_code}",
    }
    if result.error:
        end["error"] = _text(str(result.error))
    return end


# -- starting


def line_of(config: shapes.Config) -> str:
    """The line that a shell is to run: the SDK asks for a shell with the line as an argument."""
    if (
        config.cmd in _SHELLS
        and len(config.args) >= 2
        and config.args[-2].startswith("-")
        and config.args[-2].endswith("c")
    ):
        return config.args[-1]
    return shlex.join([config.cmd, *config.args])


def _may_start(server: Server, sandbox: Sandbox) -> None:
    if len(state_of(sandbox).processes) >= MOST_PROCESSES:
        raise Busy(
            f"{MOST_PROCESSES} commands run in this sandbox already; end some", retry_after=5
        )
    most = _AT_ONCE * sandbox.key.quotas.cells
    if sum(len(state_of(other).processes) for other in server.sandboxes.list(sandbox.key)) >= most:
        raise Busy(f"{most} commands of this key run already; end some", retry_after=5)


async def start(
    server: Server, sandbox: Sandbox, wanted: shapes.Start, seconds: float | None
) -> Opened:
    if not wanted.process.cmd.strip():
        raise CallFailed("invalid_argument", "there is no command to run")
    arguments = [wanted.process.cmd, *wanted.process.args]
    cwd = paths.directory(wanted.process.cwd) if isinstance(wanted.process.cwd, str) else paths.HOME
    _may_start(server, sandbox)
    environment = {**sandbox.environment, **wanted.process.envs}

    def begin() -> Command:
        remote_end = _remote_end(server, sandbox, line_of(wanted.process))
        if remote_end is not None:
            return remote_end
        commands = sandbox.executor.commands
        if wanted.pty is not None:
            columns, rows = wanted.pty.size.cols, wanted.pty.size.rows
            return commands.pty(
                columns, rows, command=arguments, cwd=cwd, env=environment, timeout=seconds
            )
        return commands.start(
            arguments, cwd=cwd, env=environment, stdin=wanted.stdin, timeout=seconds
        )

    held = server.shares.command(sandbox.key)
    try:
        command = await sandbox.aside(begin)
    except BaseException:
        held.release()
        raise
    process = Process(sandbox, command, wanted, asyncio.get_running_loop(), held)
    heard = process.listen()
    process.start()
    if sandbox.is_over:  # it ended meanwhile, and nobody else will end this
        process.close()
    return heard


def _remote_end(server: Server, sandbox: Sandbox, line: str) -> Command | None:
    """What runs in place of a command that starts our own remote end."""
    if find_spec("fumehood.server.remote_ends") is None:
        return None
    made: Command | None = import_module("fumehood.server.remote_ends").command(
        server, sandbox, line
    )
    return made


# -- those that run


def _find(sandbox: Sandbox, selector: shapes.Selector) -> Process:
    processes = state_of(sandbox).processes
    found = processes.get(selector.pid) if selector.pid is not None else None
    if selector.tag is not None:
        found = next(
            (process for process in processes.values() if process.wanted.tag == selector.tag), None
        )
    if found is None:
        raise CallFailed(
            "not_found", f"there is no process {selector.tag or selector.pid}, or not any more"
        )
    return found


async def connect_to(
    server: Server, sandbox: Sandbox, wanted: shapes.OfProcess, seconds: float | None
) -> Opened:
    return _find(sandbox, wanted.process).listen()


async def list_processes(sandbox: Sandbox, wanted: Any) -> dict[str, Any]:
    rows = []
    for process in state_of(sandbox).processes.values():
        row: dict[str, Any] = {"config": process.wanted.process, "pid": process.pid}
        if process.wanted.tag is not None:
            row["tag"] = process.wanted.tag
        rows.append(row)
    return {"processes": rows}


async def send_signal(sandbox: Sandbox, wanted: shapes.SendSignal) -> dict[str, Any]:
    if wanted.signal not in _SIGNALS:
        raise CallFailed("invalid_argument", "a command can be sent SIGTERM or SIGKILL")
    number = _SIGNALS[wanted.signal]
    await sandbox.aside(_find(sandbox, wanted.process).command.signal, number)
    return {}


async def send_input(sandbox: Sandbox, wanted: shapes.SendInput) -> dict[str, Any]:
    await _send(sandbox, _find(sandbox, wanted.process), wanted.input)
    return {}


async def _send(sandbox: Sandbox, process: Process, given: shapes.Input) -> None:
    data = given.stdin if process.wanted.pty is None else given.pty
    if data is None:
        raise CallFailed(
            "invalid_argument", "a terminal takes input of the field pty, other commands of stdin"
        )
    if process.wanted.pty is None and not process.wanted.stdin:
        raise CallFailed(
            "invalid_argument", "this command was started without stdin=True, and reads nothing"
        )
    await sandbox.aside(process.command.send_stdin, data)


async def close_input(sandbox: Sandbox, wanted: shapes.OfProcess) -> dict[str, Any]:
    await sandbox.aside(_find(sandbox, wanted.process).command.close_stdin)
    return {}


async def stream_input(sandbox: Sandbox, messages: AsyncIterator[bytes]) -> dict[str, Any]:
    process: Process | None = None
    async for message in messages:
        wanted = shapes.read(shapes.StreamInput, message)
        if wanted.start is not None:
            process = _find(sandbox, wanted.start.process)
        elif wanted.data is not None:
            if process is None:
                raise CallFailed(
                    "invalid_argument", "the first message of the stream names a process"
                )
            await _send(sandbox, process, wanted.data.input)
    return {}


async def update(sandbox: Sandbox, wanted: shapes.Update) -> dict[str, Any]:
    if wanted.pty is not None:
        size = wanted.pty.size
        command = _find(sandbox, wanted.process).command
        if not await sandbox.aside(command.resize, size.cols, size.rows):
            raise CallFailed("invalid_argument", "this command has no terminal")
    return {}


CALLS: Final[dict[str, tuple[type[Any], Callable[[Sandbox, Any], Any]]]] = {
    "List": (dict, list_processes),
    "SendSignal": (shapes.SendSignal, send_signal),
    "SendInput": (shapes.SendInput, send_input),
    "CloseStdin": (shapes.OfProcess, close_input),
    "Update": (shapes.Update, update),
}
