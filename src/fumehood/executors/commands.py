"""Command lines in a sandbox, seen from the host: started, fed, listened to, ended.

Each has a process of its own beside the one that runs cells (worker/shell/), and here a thread that
takes what it prints. All that comes from it is bytes in three pipes and one number at the end;
whatever those are, they are bounded and nothing more than that.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import select
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from fumehood.errors import (
    InterpreterError,
    JailUnavailable,
    PolicyError,
    SandboxFailed,
    WorkerProtocolError,
)
from fumehood.executors import room, zygotes
from fumehood.executors.connection import Connection, RunnerGone
from fumehood.executors.given import check_environment
from fumehood.policy import Limits, in_words
from fumehood.wire import messages

Source = Literal["stdout", "stderr"]
OnOutput = Callable[[Source, bytes], Any]

TIMED_OUT, KILLED = 124, 137
_HOME = "/home/user"
_CHUNK = 1 << 16
_START_SECONDS = 60.0
_LAST_SECONDS = 2.0
"""So long is waited for the end of what was printed when the process that printed it is dead: it
was all on its way then."""
_MANY_RUNS, _MOMENT = 10_000, 0.005
_NOBODY_READS = "the command is over, and nobody reads what is sent to it"


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be run. PolicyError if it is nothing that could be."""

    line: str
    cwd: str = _HOME
    environment: Mapping[str, str] = field(default_factory=dict)
    stdin: bool = False
    timeout_seconds: float | None = 60.0

    def __post_init__(self) -> None:
        if not isinstance(self.line, str):
            raise PolicyError(f"a command is a line of text, not {type(self.line).__name__}")
        if not isinstance(self.cwd, str) or "\0" in self.cwd:
            raise PolicyError(f"cwd must be a path, not {self.cwd!r}")
        seconds = self.timeout_seconds
        is_number = isinstance(seconds, (int, float)) and not isinstance(seconds, bool)
        if seconds is not None and not (is_number and 0 < seconds < 1e9):
            raise PolicyError(f"timeout_seconds must be a positive number or None, not {seconds!r}")
        for name, value in check_environment(self.environment).items():
            if value is None:
                raise PolicyError(
                    f"{name!r} in a command's environment must be a text, not None; leave it out"
                )


@dataclass(frozen=True, slots=True)
class CommandResult:
    """What came of a command line: all that it has printed, and how it ended."""

    stdout: bytes
    stderr: bytes
    exit_code: int
    """As in any shell: 0 for success, 124 when the time was over, 137 when it was killed, 2 for a
    line that is none, 127 for no such command."""
    error: str | None = None
    """Why it did not come to its own end; None if it did."""


class _Printed:
    """What was printed, in order, as runs of bytes from the same source: however small the pieces
    were in which it came, it takes little more room than it has bytes."""

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
        """What comes behind a place, and the place behind that; None if there is nothing yet."""
        if run < len(self._runs) and offset == len(self._runs[run][1]):
            run, offset = run + 1, 0
        if run >= len(self._runs):
            return None
        source, data = self._runs[run]
        return source, bytes(data[offset:]), run, len(data)


class Command:
    """A command that was started. Iterating gives what it prints, as it comes: ("stdout" or
    "stderr", bytes)."""

    def __init__(
        self,
        runner: zygotes.Runner,
        preparations: Sequence[Callable[..., messages.Message]],
        order: Order,
        limits: Limits,
        on_output: OnOutput | None,
        on_end: Callable[[CommandResult], None],
        clean: Callable[[bytes], bytes] | None = None,
    ) -> None:
        """`runner` was made for it, and ends with it. `preparations` are what it is told before;
        `on_end` is called in the thread. With `clean`, nothing of what it prints is shown before
        that has made of it what may be: all of it, at the end."""
        self.line = order.line
        self.pid: int = runner.branch
        """A number that no other process of the sandbox has had."""
        self._runner, self._limits = runner, limits
        self._seconds = order.timeout_seconds
        self._on_output, self._on_end = on_output, on_end
        self._callback_error: BaseException | None = None
        self._clean = clean
        self._printed = _Printed()
        self._shown = self._printed if clean is None else _Printed()
        self._size = 0
        self._result: CommandResult | None = None
        self._changed = threading.Condition()
        self._sending = threading.Lock()
        self._is_killed = False
        self._input: int | None = None
        self._sources: dict[int, Source] = {}
        self._thread = threading.Thread(target=self._serve, name="fumehood-command", daemon=True)
        try:
            self._wake = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        except OSError as error:
            runner.end()
            raise room.here(error) from None
        try:
            processes = runner.sandbox.zygote.processes
            self._connection = Connection(
                runner.wire,
                runner.output,
                runner.handle,
                limits.frame_bytes,
                lambda data: False,
                processes=processes,
            )
            self._start(order, preparations)
            self._until = None if self._seconds is None else time.monotonic() + self._seconds
            self._thread.start()
        except BaseException as error:
            self._close(runner)
            os.close(self._wake)
            if isinstance(error, RunnerGone):
                raise SandboxFailed(
                    "the sandbox died before the command could be started"
                ) from None
            if isinstance(error, (OSError, RuntimeError)) and not isinstance(
                error, InterpreterError
            ):
                raise room.here(error) from None
            raise

    def _start(self, order: Order, preparations: Sequence[Callable[..., messages.Message]]) -> None:
        numbers = itertools.count(1)
        self._expect("ready")
        for prepare in preparations:
            self._connection.send(prepare(id=next(numbers)), reads=True)
            self._expect("done")
        theirs: list[int] = []
        try:
            given, self._input = os.pipe()
            theirs.append(given)
            for source in ("stdout", "stderr"):
                reads, writes = os.pipe()
                theirs.append(writes)
                self._sources[reads] = source
                os.set_blocking(reads, False)
            os.set_blocking(self._input, False)
            command = messages.Command(
                id=next(numbers),
                line=order.line,
                cwd=order.cwd,
                environment=dict(order.environment),
            )
            self._connection.send_with(command, theirs)
        finally:
            for descriptor in theirs:
                os.close(descriptor)
        if not order.stdin:
            self.close_input()

    def _expect(self, kind: str) -> None:
        received = self._connection.next_message(_START_SECONDS)
        if received is None:
            raise SandboxFailed(
                f"the command did not start within {_START_SECONDS:g} seconds; is the machine too"
                " busy? Try again"
            )
        message = received[0]
        if message.type == "broken":
            raise JailUnavailable(
                f"the sandbox could not be closed off, so nothing was run: {message.message}"
            )
        if message.type != kind:
            raise SandboxFailed(
                f"the command could not be started: {getattr(message, 'message', message.type)}"
            )

    # -- for whoever started it

    @property
    def is_running(self) -> bool:
        """Whether it has not ended."""
        return self._result is None

    def wait(self, timeout: float | None = None) -> CommandResult:
        """How it ended, when it has. TimeoutError if it has not after `timeout` seconds; it goes on
        then."""
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

    def see_ended(self) -> None:
        """Wait until it is over, unless it is its own thread that waits: whoever listens may be the
        one who ends it."""
        if threading.current_thread() is not self._thread:
            with self._changed:
                self._changed.wait_for(lambda: self._result is not None)

    def __iter__(self) -> Iterator[tuple[Source, bytes]]:
        run = offset = 0
        while True:
            with self._changed:
                while (found := self._shown.next_after(run, offset)) is None:
                    if self._result is not None:
                        return
                    self._changed.wait()
            source, data, run, offset = found
            yield source, data

    def send(self, data: str | bytes) -> None:
        """Write to its standard input, and wait until all is written. SandboxFailed if nobody will
        read it."""
        left = memoryview(data.encode() if isinstance(data, str) else bytes(data))
        with self._sending:
            while left:
                if self._input is None:
                    raise SandboxFailed(
                        "the command has no input: start it with stdin=True, and send before"
                        " close_input()"
                    )
                try:
                    left = left[os.write(self._input, left) :]
                except BlockingIOError:
                    self._wait_for_room(self._input)
                except BrokenPipeError:
                    raise SandboxFailed(_NOBODY_READS) from None

    def _wait_for_room(self, descriptor: int) -> None:
        poll = select.poll()
        poll.register(descriptor, select.POLLOUT)
        while not poll.poll(100):
            if self._result is not None:
                raise SandboxFailed(_NOBODY_READS)

    def close_input(self) -> None:
        """Have it see the end of its input. Closing twice is harmless."""
        with self._sending:
            if self._input is not None:
                os.close(self._input)
                self._input = None

    def kill(self) -> bool:
        """End it, with everything that it has started. False if it was over already."""
        with self._changed:
            if self._result is not None:
                return False
            self._is_killed = True
            os.eventfd_write(self._wake, 1)
        return True

    def __repr__(self) -> str:
        state = "running" if self._result is None else f"ended with {self._result.exit_code}"
        return f"<command {self.pid}, {state}: {self.line[:60]!r}>"

    # -- the thread

    def _serve(self) -> None:
        exit_code: int = KILLED
        error: str | None = "it was given up"
        try:
            exit_code, error = self._listen()
        except RunnerGone:
            exit_code, error = KILLED, self._why_dead()
        except WorkerProtocolError as broken:
            exit_code, error = KILLED, str(broken)
        finally:
            self._connection.close()
            self._close(self._runner)
            self._show_held()
            result = CommandResult(
                self._shown.all_of("stdout"), self._shown.all_of("stderr"), exit_code, error
            )
            with contextlib.suppress(Exception):
                self._on_end(result)
            with self._changed:
                self._result = result
                os.close(self._wake)
                self._changed.notify_all()

    def _listen(self) -> tuple[int, str | None]:
        """Take what it prints until it is over; gives its exit code, and why it was ended if it
        was."""
        poll = select.poll()
        wire = self._runner.wire.fileno()
        for descriptor in (*self._sources, wire, self._runner.handle, self._wake):
            poll.register(descriptor, select.POLLIN)
        while True:
            left = None if self._until is None else max(0.0, self._until - time.monotonic())
            ready = [
                descriptor
                for descriptor, _event in poll.poll(None if left is None else left * 1000)
            ]
            if self._is_killed:
                return KILLED, "it was killed"
            if self._until is not None and time.monotonic() >= self._until:
                return (
                    TIMED_OUT,
                    f"it ran longer than {in_words(self._seconds or 0)} and was stopped",
                )
            for descriptor in ready:
                if descriptor in self._sources and not self._read(descriptor):
                    poll.unregister(descriptor)
            if self._size > self._limits.output_bytes:
                return (
                    KILLED,
                    f"it printed more than {self._limits.output_bytes:,} bytes and was stopped",
                )
            if wire in ready or self._runner.handle in ready:
                received = self._connection.next_message(0)
                if received is not None:
                    return self._outcome(received[0])

    def _outcome(self, message: Any) -> tuple[int, str | None]:
        if message.type == "failed":
            return KILLED, f"it could not be run: {message.message}"
        if (
            message.type != "done"
            or type(message.value) is not int
            or not 0 <= message.value <= 255
        ):
            raise WorkerProtocolError("the sandbox gave something else than an exit code")
        return message.value, None

    def _why_dead(self) -> str:
        with contextlib.suppress(SandboxFailed):
            self._runner.signal(signal.SIGKILL)
            self._runner.wait()
            status, out_of_memory = self._runner.sandbox.zygote.status(self._runner)
            if out_of_memory:
                return "it was killed: the sandbox's memory was used up"
            return (
                f"its process died of signal {-status}"
                if status < 0
                else f"its process ended with {status}"
            )
        return self._runner.sandbox.zygote.why_over() or "its sandbox is gone"

    def _read(self, descriptor: int) -> bool:
        """Take a piece of what was printed; False if there will be no more."""
        try:
            data = os.read(descriptor, _CHUNK)
        except BlockingIOError:
            return True
        if not data:
            return False
        room = self._limits.output_bytes - self._size
        self._size += len(data)
        data = data[: max(0, room)]
        if not data:
            return True
        if self._clean is None:
            self._show(self._sources[descriptor], data)
        else:
            self._printed.add(self._sources[descriptor], data)
        if len(self._printed) > _MANY_RUNS:
            time.sleep(_MOMENT)  # so that what comes in crumbs comes together
        return True

    def _show_held(self) -> None:
        """Show what could not be shown before it was all there."""
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
                self._is_killed = True

    def _close(self, runner: zygotes.Runner) -> None:
        """End the process with everything that it has started, take the last of what was printed,
        and give back what is held here."""
        runner.end()
        self._drain()
        for descriptor in self._sources:
            os.close(descriptor)
        self._sources.clear()
        self.close_input()

    def _drain(self) -> None:
        poll = select.poll()
        open_ones = set(self._sources)
        for descriptor in open_ones:
            poll.register(descriptor, select.POLLIN)
        until = time.monotonic() + _LAST_SECONDS
        while (
            open_ones
            and self._size <= self._limits.output_bytes
            and (left := until - time.monotonic()) > 0
        ):
            for descriptor, _event in poll.poll(left * 1000):
                if not self._read(descriptor):
                    poll.unregister(descriptor)
                    open_ones.discard(descriptor)


class Commands:
    """The commands of one worker that may still run."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: list[Command] = []

    def add(self, command: Command) -> None:
        with self._lock:
            self._running = [other for other in self._running if other.is_running]
            self._running.append(command)

    def any_runs(self) -> bool:
        return any(command.is_running for command in self._running)

    def end_all(self) -> None:
        """End those that run, and see them ended."""
        with self._lock:
            running, self._running = self._running, []
        for command in running:
            command.kill()
        for command in running:
            command.see_ended()
