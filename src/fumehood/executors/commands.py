"""Programs in a sandbox, seen from the host: started, fed, listened to, ended.

A sandbox in which a command was run has a command server (worker/commands.py): one more process of
the sandbox that starts programs and reports how they end. On the host one thread per command server
takes what the programs print. All that comes from a sandbox is bytes in pipes and a few numbers,
and all of it is bounded.
"""

from __future__ import annotations

import asyncio
import codecs
import contextlib
import itertools
import os
import secrets
import select
import shlex
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from fumehood.errors import JailUnavailable, PolicyError, SandboxFailed, WorkerProtocolError
from fumehood.executors import supervisor
from fumehood.executors.connection import Connection, RunnerGone
from fumehood.executors.options import check_environment
from fumehood.policy import Limits, in_words
from fumehood.wire import messages

if TYPE_CHECKING:
    from fumehood.executors.session import Session

Source = Literal["stdout", "stderr"]
OnOutput = Callable[[Source, bytes], Any]
OnText = Callable[[str], Any]

TIMED_OUT, NOT_EXECUTABLE, NOT_FOUND, KILLED = 124, 126, 127, 137
HOME = "/home/user"
_CHUNK = 1 << 16
_START_SECONDS = 60.0
_FAR_SECONDS = 1.0
"""How long output may be on its way from another machine after a program has ended."""
_MANY_RUNS, _MOMENT = 10_000, 0.005
_NO_START = "no command could be started"
_NO_READER = "the command has ended and reads no more input"


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be run. PolicyError if it cannot be."""

    command: str | Sequence[str]
    """A line for bash, or the arguments of a program."""
    cwd: str = HOME
    environment: Mapping[str, str] = field(default_factory=dict)
    stdin: bool = False
    timeout_seconds: float | None = 60.0
    terminal: tuple[int, int] | None = None
    """Columns and rows."""

    def __post_init__(self) -> None:
        if not isinstance(self.command, str) and not (
            isinstance(self.command, (list, tuple))
            and self.command
            and all(isinstance(word, str) for word in self.command)
        ):
            raise PolicyError(
                "a command is a line such as 'ls -l', or a list of arguments such as ['ls', '-l'],"
                f" not {self.command!r}"
            )
        if any("\0" in text for text in (self.cwd, *self.arguments)):
            raise PolicyError("a command and its cwd must not contain NUL")
        seconds = self.timeout_seconds
        is_number = isinstance(seconds, (int, float)) and not isinstance(seconds, bool)
        if seconds is not None and not (is_number and 0 < seconds < 1e9):
            raise PolicyError(f"timeout must be a positive number or None, not {seconds!r}")
        for name, value in check_environment(self.environment).items():
            if value is None:
                raise PolicyError(f"{name!r} in a command's environment must be a string, not None")

    @property
    def arguments(self) -> list[str]:
        """The program and its arguments. A line without shell syntax is still run by bash, as other
        lines are."""
        if isinstance(self.command, str):
            return ["/bin/bash", "-c", self.command]
        return [*self.command]

    @property
    def line(self) -> str:
        return self.command if isinstance(self.command, str) else shlex.join(self.command)


@dataclass(frozen=True, slots=True)
class CommandResult:
    """What a command printed, and how it ended."""

    stdout_bytes: bytes
    stderr_bytes: bytes
    exit_code: int
    """As in a shell: 124 after the timeout, 126 for a file that cannot be executed, 127 for no such
    program, 128 plus the number of the signal that ended it."""
    error: str | None = None
    """Why it did not end by itself, or could not be started; None otherwise."""

    @property
    def stdout(self) -> str:
        """Its standard output as text; bytes that are not UTF-8 are replaced."""
        return self.stdout_bytes.decode(errors="replace")

    @property
    def stderr(self) -> str:
        """The same of its standard error."""
        return self.stderr_bytes.decode(errors="replace")


class _Printed:
    """Output in order, as runs of bytes from the same source: many small pieces take little more
    memory than their bytes."""

    def __init__(self) -> None:
        self._runs: list[tuple[Source, bytearray]] = []

    def __len__(self) -> int:
        return len(self._runs)

    def add(self, source: Source, data: bytes) -> None:
        if (
            self._runs
            and self._runs[-1][0] == source
            and len(self._runs[-1][1]) + len(data) <= _CHUNK
        ):
            self._runs[-1][1].extend(data)
        else:
            self._runs.append((source, bytearray(data)))

    def all_of(self, wanted: Source) -> bytes:
        return b"".join(run for source, run in self._runs if source == wanted)

    def next_after(self, run: int, offset: int) -> tuple[Source, bytes, int, int] | None:
        """What comes after a position, and the position after that; None if there is nothing
        yet."""
        if run < len(self._runs) and offset == len(self._runs[run][1]):
            run, offset = run + 1, 0
        if run >= len(self._runs):
            return None
        source, data = self._runs[run]
        return source, bytes(data[offset:]), run, len(data)


class Command:
    """A command that was started. Iterating gives its output as it comes: ("stdout" or "stderr",
    bytes)."""

    def __init__(
        self,
        server: _Server,
        order: Order,
        on_output: OnOutput | None,
        on_end: Callable[[Command, CommandResult], None],
        clean: Callable[[bytes], bytes] | None,
    ) -> None:
        """The server's reader calls `on_end`. With `clean`, output is shown at the end,
        after `clean` has changed it."""
        self.line, self.cwd = order.line, order.cwd
        self.environment = dict(order.environment)
        self.pid = 0
        """The process id in the sandbox."""
        self._number = 0
        self._server = server
        self._seconds = order.timeout_seconds
        self._until = None if self._seconds is None else time.monotonic() + self._seconds
        self._on_output, self._on_end, self._clean = on_output, on_end, clean
        self._callback_error: BaseException | None = None
        self._printed = _Printed()
        self._shown = self._printed if clean is None else _Printed()
        self._size = 0
        self._why: tuple[int, str] | None = None
        """Why it was ended, and the exit code for that."""
        self._answer_by: float | None = None
        """When the command server must have started or killed it."""
        self._status: int | None = None
        self._result: CommandResult | None = None
        self._changed = threading.Condition()
        self._sending = threading.Lock()
        self._input: int | None = None
        self._sources: dict[int, Source] = {}

    # -- for its users

    @property
    def is_running(self) -> bool:
        """Whether it has not ended yet."""
        return self._result is None

    def wait(self, timeout: float | None = None) -> CommandResult:
        """Wait for its end. TimeoutError if it has not ended after `timeout` seconds; it goes on
        then."""
        self._server.must_not_be_its_reader()
        if timeout is None:
            self._server.read_until_end_of(self)
        with self._changed:
            if not self._changed.wait_for(lambda: self._result is not None, timeout):
                raise TimeoutError(
                    f"the command has not ended within {in_words(timeout or 0)}; wait() again, or"
                    " end it with kill()"
                )
        assert self._result is not None
        if self._callback_error is not None:
            raise self._callback_error
        return self._result

    async def await_end(self) -> CommandResult:
        """`wait()` for asyncio."""
        return await asyncio.to_thread(self.wait)

    def __iter__(self) -> Iterator[tuple[Source, bytes]]:
        run = offset = 0
        while (found := self._next_after(self._shown, run, offset)) is not None:
            source, data, run, offset = found
            yield source, data

    def _next_after(
        self, output: _Printed, run: int, offset: int, until: float | None = None
    ) -> tuple[Source, bytes, int, int] | None:
        """Wait for more output; None if there will be none, or not in time."""
        with self._changed:
            while (found := output.next_after(run, offset)) is None:
                left = None if until is None else until - time.monotonic()
                if self._result is not None or left is not None and left <= 0:
                    return None
                self._changed.wait(left)
            return found

    def send_stdin(self, data: str | bytes) -> None:
        """Write to its standard input, and wait until all is written. SandboxFailed if it reads no
        more."""
        left = memoryview(data.encode() if isinstance(data, str) else bytes(data))
        with self._sending:
            while left:
                if self._input is None:
                    raise SandboxFailed(
                        "the command has no input: start it with stdin=True, and send before"
                        " close_stdin()"
                    )
                try:
                    left = left[os.write(self._input, left) :]
                except BlockingIOError:
                    self._wait_for_room(self._input)
                except BrokenPipeError:
                    raise SandboxFailed(_NO_READER) from None

    def _wait_for_room(self, descriptor: int) -> None:
        poll = select.poll()
        poll.register(descriptor, select.POLLOUT)
        while not poll.poll(100):
            if self._result is not None:
                raise SandboxFailed(_NO_READER)

    def close_stdin(self) -> None:
        """End its input. Closing twice is harmless."""
        with self._sending:
            if self._input is not None:
                os.close(self._input)
                self._input = None

    def signal(self, number: int) -> bool:
        """Send a signal to its process group. False if it has ended."""
        if number not in signal.valid_signals():
            raise PolicyError(f"{number!r} is no signal; use one of the module signal")
        return self._result is None and bool(
            self._server.ask(messages.SignalCommand(command=self._number, number=int(number)))
        )

    def kill(self) -> bool:
        """Kill its process group. False if it has ended. Processes that have left the group live
        until the sandbox is closed or rolled back."""
        with self._changed:
            if self._result is not None:
                return False
            self._why = self._why or (KILLED, "it was killed")
        self._server.send_kill(self)
        return True

    def resize(self, columns: int, rows: int) -> bool:
        """Set the size of its terminal. False if it has none, or has ended."""
        message = messages.ResizeTerminal(command=self._number, columns=columns, rows=rows)
        return self._result is None and bool(self._server.ask(message))

    def __repr__(self) -> str:
        state = f"ended with {self._result.exit_code}" if self._result else "running"
        return f"<command {self.pid}, {state}: {self.line[:60]!r}>"

    # -- for the server's reader

    def open(self, order: Order, theirs: list[int]) -> None:
        """Make its pipes; adds the ends of the sandbox."""
        if order.stdin:
            given, self._input = os.pipe2(os.O_CLOEXEC)
            theirs.append(given)
            os.set_blocking(self._input, False)
        for source in ("stdout", "stderr"):
            reads, writes = os.pipe2(os.O_CLOEXEC)
            theirs.append(writes)
            self._sources[reads] = source
            os.set_blocking(reads, False)

    def read(self, descriptor: int) -> bool:
        """Take a piece of output; False if there is none now."""
        try:
            data = os.read(descriptor, _CHUNK)
        except BlockingIOError:
            return False
        if not data:
            self._server.forget(descriptor)
            del self._sources[descriptor]
            os.close(descriptor)
            return False
        room = self._server.limits.output_bytes - self._size
        self._size += len(data)
        if self._size > self._server.limits.output_bytes and self._why is None:
            most = self._server.limits.output_bytes
            self._why = (KILLED, f"it printed more than {most:,} bytes and was stopped")
            self._server.send_kill(self)
        if not (data := data[: max(0, room)]):
            return True
        if self._clean is None:
            self._show(self._sources[descriptor], data)
        else:
            with self._changed:
                self._printed.add(self._sources[descriptor], data)
                self._changed.notify_all()
        if len(self._printed) > _MANY_RUNS:
            time.sleep(_MOMENT)  # so that many small pieces come together
        return True

    def time_left(self, now: float) -> float | None:
        """Seconds until something has to be done; kills a command whose time is over.
        WorkerProtocolError if that is not done: code can stop the command server."""
        if self._status is not None:
            return None
        if self._until is not None and now >= self._until:
            self._until = None
            seconds = in_words(self._seconds or 0)
            self._why = self._why or (TIMED_OUT, f"it ran longer than {seconds} and was stopped")
            self._server.send_kill(self)
        if self._answer_by is not None and now >= self._answer_by:
            raise WorkerProtocolError("its command server did not answer, and was ended")
        return min((at - now for at in (self._until, self._answer_by) if at), default=None)

    def end(self, status: int, error: str | None = None) -> None:
        """It has ended: take the rest of its output, and let its users know."""
        if self._result is not None:
            return
        self._status = status
        until = time.monotonic() + (_FAR_SECONDS if self._server.is_remote else 0)
        while self._sources:
            has_read = [self.read(each) for each in [*self._sources]]
            if not any(has_read) and not (self._server.is_remote and self._more_comes(until)):
                break
        self._show_held()
        self.close_stdin()
        for descriptor in [*self._sources]:
            self._server.forget(descriptor)
            os.close(descriptor)
        self._sources.clear()
        code, why = self._why or (status, error)
        result = CommandResult(
            self._shown.all_of("stdout"), self._shown.all_of("stderr"), code, why
        )
        with contextlib.suppress(Exception):
            self._on_end(self, result)
        with self._changed:
            self._result = result
            self._changed.notify_all()

    def _more_comes(self, until: float) -> bool:
        poll = select.poll()
        for descriptor in self._sources:
            poll.register(descriptor, select.POLLIN)
        return bool(poll.poll(max(0.0, until - time.monotonic()) * 1000))

    def _show_held(self) -> None:
        """Show what `clean` had to see whole."""
        if self._clean is None:
            return
        for source in ("stdout", "stderr"):
            data = self._printed.all_of(source)
            try:
                data = self._clean(data) if data else b""
            except BaseException as error:
                self._callback_error = error
                continue
            if data:
                self._show(source, data)

    def _show(self, source: Source, data: bytes) -> None:
        with self._changed:
            self._shown.add(source, data)
            self._changed.notify_all()
        if self._on_output is not None and self._callback_error is None:
            try:
                self._on_output(source, data)
            except BaseException as error:
                self._callback_error = error
                self._why = self._why or (KILLED, "its output could not be handled")
                self._server.send_kill(self)


def await_answer(connection: Connection, kind: str, failure: str) -> None:
    """Wait for a process to be ready, or prepared. `failure` says what has failed if it is not."""
    received = connection.next_message(_START_SECONDS)
    if received is None:
        raise SandboxFailed(
            f"{failure} within {_START_SECONDS:g} seconds; is the machine too busy? Try again"
        )
    message = received[0]
    if message.type == "broken":
        raise JailUnavailable(
            f"the sandbox could not be closed off, so nothing was run: {message.message}"
        )
    if message.type != kind:
        raise SandboxFailed(f"{failure}: {getattr(message, 'message', message.type)}")


class _Server:
    """The host's end of a command server.

    One thread at a time reads: what programs print, and how they end. A caller that waits for a
    command does it itself, which saves it from being woken by another thread. While none does, and
    there is something to read, the server's own thread reads.
    """

    def __init__(self, runner: supervisor.Runner, limits: Limits) -> None:
        self.limits = limits
        self.is_over = False
        self._runner = runner
        self._numbers = itertools.count(1)
        self._commands: dict[int, Command] = {}
        self._streams: dict[int, Command] = {}
        self._own = (runner.wire.fileno(), runner.handle)
        self._answers: dict[int, Callable[[Any], None]] = {}
        self._lock = threading.Lock()
        self._reading = threading.Lock()
        self._reader = 0
        """The thread that has `_reading`."""
        self._is_torn = False
        """Whether the reader is in the middle of something that an exception must not interrupt."""
        self._failure: Exception | None = None
        processes = runner.sandbox.zygote.processes
        self.is_remote = processes.is_remote
        self._wake = -1
        try:
            self._epoll = select.epoll()
            self._wake = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
            self._connection = Connection(
                runner.wire,
                runner.output,
                runner.handle,
                limits.frame_bytes,
                processes=processes,
            )
            for descriptor in (runner.wire.fileno(), runner.handle, self._wake):
                self._epoll.register(descriptor, select.EPOLLIN)
            await_answer(self._connection, "ready", _NO_START)
        except BaseException as error:
            runner.end()
            if self._wake >= 0:
                os.close(self._wake)
            if isinstance(error, OSError):
                raise supervisor.exhausted_here(error) from None
            if isinstance(error, RunnerGone):
                raise SandboxFailed("the sandbox died before the command was started") from None
            raise
        self._thread = threading.Thread(target=self._serve, name="fumehood-commands", daemon=True)

    def prepare(self, preparations: Sequence[messages.Request]) -> None:
        """Send what a runner is told before it is used, and start the thread."""
        try:
            for message in preparations:
                message.id = next(self._numbers)
                self._connection.send(message, reads=True)
                await_answer(self._connection, "done", _NO_START)
            self._thread.start()
        except BaseException as error:
            self._end_all("")
            if isinstance(error, RunnerGone):
                raise SandboxFailed("the sandbox died before the command was started") from None
            raise

    # -- from any thread

    def start(self, command: Command, order: Order, *, waits: bool) -> Command:
        """Start a program. `waits` says that the caller calls `wait()` next."""
        theirs: list[int] = []
        try:
            command.open(order, theirs)
            with self._lock:
                if self.is_over:
                    raise RunnerGone
                number, end = next(self._numbers), next(self._numbers)
                command._number = number
                command._answer_by = time.monotonic() + self.limits.answer_seconds
                self._commands[number] = command
                self._answers[number] = lambda message: self._started(command, end, message)
                self._answers[end] = lambda message: self._ended(command, message)
            for descriptor in command._sources:
                self._streams[descriptor] = command
                self._epoll.register(descriptor, select.EPOLLIN)
            self._connection.send_with(
                messages.Command(
                    id=number,
                    end=end,
                    arguments=order.arguments,
                    cwd=order.cwd,
                    environment=dict(order.environment),
                    terminal=None if order.terminal is None else [*order.terminal],
                    stdin=order.stdin,
                    held=waits,
                ),
                theirs,
            )
            if not waits or self._reading.locked():
                self._wake_reader()
        except RunnerGone:
            command.end(KILLED, "the sandbox died")
        except OSError as error:
            command.end(KILLED, str(error))
            raise supervisor.exhausted_here(error) from None
        finally:
            for descriptor in theirs:
                os.close(descriptor)
        return command

    def _wake_reader(self) -> None:
        """There is something to read, or an earlier deadline."""
        with self._lock, contextlib.suppress(OSError):
            if self._wake >= 0:
                os.eventfd_write(self._wake, 1)

    def read_until_end_of(self, command: Command) -> None:
        """Read in this thread until a command has ended, unless another thread reads."""
        if command._result is not None or not self._reading.acquire(blocking=False):
            return
        try:
            self._reader = threading.get_ident()
            self._listen(lambda: command._result is not None)
        except (RunnerGone, WorkerProtocolError) as error:
            self._failure = error
        finally:
            if self._is_torn and self._failure is None:
                self._failure = SandboxFailed("an exception interrupted the reading of its output")
            self._reader = 0
            self._reading.release()
            if self._commands or self._answers or self._failure or self.is_over:
                self._wake_reader()

    def ask(self, message: messages.Request) -> Any:
        """Ask the command server something; gives the answer, or None if there is none."""
        self.must_not_be_its_reader()
        answer: Future[Any] = Future()
        if self._send(message, answer.set_result):
            with contextlib.suppress(TimeoutError):
                return getattr(answer.result(self.limits.answer_seconds), "value", None)
        return None

    def _send(self, message: messages.Request, take: Callable[[Any], None]) -> bool:
        """Send a message; `take` gets the answer. False if there will be none."""
        with self._lock:
            if self.is_over:
                return False
            message.id = next(self._numbers)
            self._answers[message.id] = take
        with contextlib.suppress(RunnerGone):
            self._connection.send(message)
            self._wake_reader()
            return True
        return False

    def send_kill(self, command: Command) -> None:
        command._answer_by = time.monotonic() + self.limits.answer_seconds
        kill = messages.SignalCommand(command=command._number, number=int(signal.SIGKILL))
        self._send(kill, lambda message: None)

    def forget(self, descriptor: int) -> None:
        self._streams.pop(descriptor, None)
        with contextlib.suppress(OSError):
            self._epoll.unregister(descriptor)

    def must_not_be_its_reader(self) -> None:
        if threading.get_ident() == self._reader:
            raise SandboxFailed("a callback of a command cannot wait for commands of its sandbox")

    @property
    def running(self) -> list[Command]:
        with self._lock:
            return [command for command in self._commands.values() if command.is_running]

    def close(self) -> None:
        """End the command server with all of its programs."""
        with self._lock:
            self.is_over = True
        with contextlib.suppress(OSError, ValueError):  # the thread has ended
            self._runner.kill()
        self._wake_reader()
        if threading.get_ident() != self._reader:
            self._thread.join()

    # -- the thread

    def _serve(self) -> None:
        error = "its sandbox is gone"
        idle = select.poll()
        for descriptor in (self._runner.handle, self._wake):
            idle.register(descriptor, select.POLLIN)
        try:
            while not self.is_over:
                idle.poll()
                with self._reading:
                    self._reader = threading.get_ident()
                    self._listen(self._is_idle)
                    self._reader = 0
        except RunnerGone:
            error = self._why_dead()
        except (WorkerProtocolError, SandboxFailed) as broken:
            error = str(broken)
        finally:
            with self._lock:
                self.is_over = True
            with self._reading:
                self._reader = threading.get_ident()
                self._end_all(error)

    def _end_all(self, error: str) -> None:
        with self._lock:
            commands, self._commands = self._commands, {}
            answers, self._answers = self._answers, {}
        for command in commands.values():
            command.end(KILLED, error)
        for take in answers.values():
            with contextlib.suppress(Exception):
                take(None)
        self._connection.close()
        self._runner.end()
        self._epoll.close()
        with self._lock:
            wake, self._wake = self._wake, -1
        os.close(wake)

    def _is_idle(self) -> bool:
        with self._lock:
            return not self._commands and not self._answers

    def _listen(self, has_ended: Callable[[], bool]) -> None:
        """Read until `has_ended`, at least what is there already."""
        while not self.is_over:
            if self._failure is not None:
                raise self._failure
            now = time.monotonic()
            left = [
                seconds
                for command in [*self._commands.values()]
                if (seconds := command.time_left(now)) is not None
            ]
            events = self._epoll.poll(0 if has_ended() else min(left, default=None))
            self._is_torn = True
            for descriptor, _event in events:
                if descriptor == self._wake:
                    os.eventfd_read(self._wake)
                elif descriptor in self._streams:
                    self._streams[descriptor].read(descriptor)
                elif descriptor in self._own:
                    while (received := self._connection.next_message(0)) is not None:
                        self._take(received[0])
            self._is_torn = False
            if has_ended():
                break

    def _take(self, message: Any) -> None:
        with self._lock:
            take = self._answers.pop(getattr(message, "id", 0), None)
        if take is None:
            raise WorkerProtocolError(f"the sandbox sent {message.type!r}, which answers nothing")
        take(message)

    def _started(self, command: Command, end: int, message: Any) -> None:
        if message.type == "failed":
            self._forget(command, end)
            code = NOT_EXECUTABLE if message.error == "PermissionError" else NOT_FOUND
            command.end(code, f"it could not be started: {message.message}")
            return
        with command._changed:
            if command._why is None:
                command._answer_by = None
            command.pid = _process_id(message.value)
            command._changed.notify_all()

    def _ended(self, command: Command, message: Any) -> None:
        value = getattr(message, "value", None)
        if not (isinstance(value, list) and [*map(type, value)] == [int] * 3):
            raise WorkerProtocolError("the sandbox gave something else than an exit code")
        self._forget(command, command._number)
        command.pid = _process_id(value[2])
        command.end(value[0] & 255)

    def _forget(self, command: Command, other: int) -> None:
        """A command has ended: the other one of its two answers does not come any more."""
        with self._lock:
            del self._commands[command._number]
            self._answers.pop(other, None)
            self._connection.forget(other)

    def _why_dead(self) -> str:
        if self.is_over:
            return "its sandbox was closed"
        with contextlib.suppress(SandboxFailed):
            self._runner.signal(signal.SIGKILL)
            self._runner.wait()
            status, out_of_memory = self._runner.sandbox.zygote.status(self._runner)
            if out_of_memory:
                return "it was killed: the sandbox's memory was used up"
            if status < 0:
                return f"its command server died of signal {-status}"
        return self._runner.sandbox.zygote.why_over() or "its sandbox is gone"


def _process_id(value: Any) -> int:
    if type(value) is not int or not 0 < value < 1 << 22:
        raise WorkerProtocolError("the sandbox gave something else than a process id")
    return value


class CommandHost:
    """The command server of one worker, started when it is first needed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._server: _Server | None = None

    def server(self, open_server: Callable[[], _Server]) -> _Server:
        with self._lock:
            if self._server is None or self._server.is_over:
                self._server = open_server()
            return self._server

    @property
    def running(self) -> list[Command]:
        server = self._server
        return [] if server is None or server.is_over else server.running

    def set_environment(self, variables: Mapping[str, str | None]) -> None:
        """Set variables of the programs that are started from now on."""
        server = self._server
        if server is not None:
            server.ask(messages.SetEnvironment(variables={**variables}))

    def end_all(self) -> list[str]:
        """End the command server with all of its programs; returns the lines of those that ran."""
        with self._lock:
            server, self._server = self._server, None
        if server is None:
            return []
        lines = [command.line for command in server.running]
        server.close()
        return lines


class Commands:
    """Programs in the sandbox of an executor (`executor.commands`). Needs programs=True.

    A command is a line for bash, or a list of arguments. It runs with the files, limits and
    namespaces of the sandbox, also while a cell runs.
    """

    def __init__(self, worker: Session) -> None:
        self._session = worker

    def run(
        self,
        command: str | Sequence[str],
        *,
        cwd: str = HOME,
        env: Mapping[str, str] | None = None,
        stdin: str | bytes | None = None,
        timeout: float | None = 60.0,
        on_stdout: OnText | None = None,
        on_stderr: OnText | None = None,
    ) -> CommandResult:
        """Run a command to its end."""
        order = Order(command, cwd, env or {}, stdin is not None, timeout)
        listener = _texts(on_stdout, on_stderr)
        started = self._session.command(order, listener, waits=stdin is None)
        _feed(started, stdin)
        return started.wait()

    async def arun(
        self,
        command: str | Sequence[str],
        *,
        stdin: str | bytes | None = None,
        timeout: float | None = 60.0,
        **options: Any,
    ) -> CommandResult:
        """`run()` for asyncio. Cancelling kills the command."""
        options |= {"stdin": stdin is not None, "timeout": timeout}
        starting = asyncio.ensure_future(self.astart(command, **options))
        try:
            started = await asyncio.shield(starting)
            await asyncio.to_thread(_feed, started, stdin)
            return await started.await_end()
        except asyncio.CancelledError:
            (await starting).kill()
            raise

    def start(
        self,
        command: str | Sequence[str],
        *,
        cwd: str = HOME,
        env: Mapping[str, str] | None = None,
        stdin: bool = False,
        timeout: float | None = None,
        on_stdout: OnText | None = None,
        on_stderr: OnText | None = None,
        on_output: OnOutput | None = None,
    ) -> Command:
        """Start a command in the background. `on_output` gets ("stdout" or "stderr", bytes), the
        others get text; all are called in a thread of the sandbox."""
        order = Order(command, cwd, env or {}, stdin, timeout)
        return self._begun(order, on_output or _texts(on_stdout, on_stderr))

    async def astart(self, command: str | Sequence[str], **options: Any) -> Command:
        """`start()` for asyncio."""
        return await asyncio.to_thread(self.start, command, **options)

    def pty(
        self,
        columns: int = 80,
        rows: int = 24,
        *,
        command: str | Sequence[str] = ("/bin/bash", "-i"),
        cwd: str = HOME,
        env: Mapping[str, str] | None = None,
        timeout: float | None = None,
        on_output: OnOutput | None = None,
    ) -> Command:
        """Start a command with a terminal: both its streams come as "stdout", and `resize` sets the
        size."""
        for name, value in (("columns", columns), ("rows", rows)):
            if type(value) is not int or not 0 < value < 1 << 16:
                raise PolicyError(f"{name} must be a whole number below 65536, not {value!r}")
        order = Order(command, cwd, env or {}, True, timeout, (columns, rows))
        return self._begun(order, on_output)

    def shell(self, *, cwd: str = HOME, env: Mapping[str, str] | None = None) -> Shell:
        """Start a bash that keeps its directory, variables and functions between commands."""
        return Shell(self.start(["/bin/bash"], cwd=cwd, env=env, stdin=True))

    def list(self) -> list[Command]:
        """The commands that run now."""
        return self._session.commands.running

    def kill(self, pid: int) -> bool:
        """Kill a command by its process id. False if there is none."""
        return any(each.pid == pid and each.kill() for each in self.list())

    def _begun(self, order: Order, on_output: OnOutput | None) -> Command:
        """Start a command and wait for its process id."""
        command = self._session.command(order, on_output)
        with command._changed:
            command._changed.wait_for(lambda: command.pid or not command.is_running)
        return command


class Shell:
    """A bash that keeps its state between commands, one command at a time."""

    def __init__(self, command: Command) -> None:
        self._command = command
        self._at = 0, 0
        self._lock = threading.Lock()

    def run(self, line: str, timeout: float | None = 60.0) -> CommandResult:
        """Run a line. Its standard input is empty. A line that takes too long ends the shell."""
        Order(line, timeout_seconds=timeout)
        mark = f"--{secrets.token_hex(8)}--"
        script = self._script(line, mark)
        until = None if timeout is None else time.monotonic() + timeout
        printed = {"stdout": bytearray(), "stderr": bytearray()}
        with self._lock:
            if not self._command.is_running:
                raise SandboxFailed("the shell has ended; start another with commands.shell()")
            self._command.send_stdin(script)
            while not (_line_with(printed["stdout"], mark) and _line_with(printed["stderr"], mark)):
                found = self._command._next_after(self._command._printed, *self._at, until)
                if found is None:
                    return self._broken_off(printed, timeout)
                source, data, *self._at = found  # type: ignore[assignment]
                printed[source] += data
        out, _, status = bytes(printed["stdout"]).rpartition(mark.encode())
        err = bytes(printed["stderr"]).rpartition(mark.encode())[0]
        digits = status.strip()[:3]
        return self._result(out, err, int(digits) & 255 if digits.isdigit() else KILLED)

    def _result(self, out: bytes, err: bytes, code: int, why: str | None = None) -> CommandResult:
        """What a line gave. Validators see the output of each line; that of the whole shell is held
        back until its end."""
        clean = self._command._clean
        if clean is not None:
            out, err = (clean(data) if data else b"" for data in (out, err))
        return CommandResult(out, err, code, why)

    def _script(self, line: str, mark: str) -> str:
        """What is written to its input: the line, then a mark and the status on both streams."""
        return (
            f"eval {shlex.quote(line)} </dev/null\n"
            f"{{ __status=$?; printf '%s%s\\n' {mark} $__status; printf '%s\\n' {mark} >&2;"
            " (exit $__status); } 2>&2\n"
        )

    @property
    def is_running(self) -> bool:
        """Whether it takes more commands."""
        return self._command.is_running

    def _broken_off(self, printed: dict[str, bytearray], timeout: float | None) -> CommandResult:
        out, err = bytes(printed["stdout"]), bytes(printed["stderr"])
        if not self._command.is_running:
            return self._result(out, err, self._command.wait().exit_code, "the shell has ended")
        self.close()
        seconds = in_words(timeout or 0)
        return self._result(out, err, TIMED_OUT, f"it ran longer than {seconds}; the shell ended")

    def close(self) -> None:
        """End the shell and what it has started."""
        self._command.kill()

    def __enter__(self) -> Shell:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def _feed(command: Command, stdin: str | bytes | None) -> None:
    """Give a command all of its input."""
    if stdin is not None:
        with contextlib.suppress(SandboxFailed):  # it need not read its input
            command.send_stdin(stdin)
        command.close_stdin()


def _line_with(data: bytearray, mark: str) -> bool:
    found = data.rfind(mark.encode())
    return found >= 0 and data.find(b"\n", found) >= 0


def _texts(on_stdout: OnText | None, on_stderr: OnText | None) -> OnOutput | None:
    """One function for both streams. Characters are never split."""
    if on_stdout is None and on_stderr is None:
        return None
    handlers = {"stdout": on_stdout, "stderr": on_stderr}
    decoders = {source: codecs.getincrementaldecoder("utf-8")("replace") for source in handlers}

    def take(source: Source, data: bytes) -> None:
        handler = handlers[source]
        if handler is not None and (text := decoders[source].decode(data)):
            handler(text)

    return take
