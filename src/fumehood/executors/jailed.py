"""Running cells in a jailed process: the host's side of a sandbox, whatever happens in it.

A sandbox is started when it is first needed and replaced when it has died; the executor stays usable. Everything that comes out of it is
checked: an answer that breaks the protocol ends the sandbox and is reported as that.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import select
import signal
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, replace
from typing import Any

from fumehood.errors import JailUnavailable, SandboxFailed, WorkerProtocolError
from fumehood.executors import deaths, zygotes
from fumehood.executors.calls import IN_TOOLS_OF, Calls, Tool, failure
from fumehood.executors.cell import Clock, Printed
from fumehood.executors.connection import Connection, RunnerGone
from fumehood.executors.objects import Held, host_pickle
from fumehood.jail.report import Mechanism, as_text
from fumehood.policy import Policy
from fumehood.results import ErrorInfo, Execution, Usage, Violation
from fumehood.tools.describe import describe
from fumehood.wire import messages
from fumehood.wire.values import Decoder, Encoder

_START_SECONDS = 60.0
_ANSWER_SECONDS = 60.0


class JailedWorker:
    """One sandbox, one cell at a time; from many threads in turn."""

    def __init__(self, policy: Policy, on_output: Callable[[str], Any] | None = None) -> None:
        self._policy = policy
        self.on_output = on_output
        self._turn = threading.Lock()
        self._pid = os.getpid()
        self._numbers = itertools.count(1)
        self._tools: dict[str, Tool] = {}
        self._mathematics = False
        self._sandbox: zygotes.Sandbox | None = None
        self._connection: Connection | None = None
        self._held = Held()
        self._encoder = Encoder(pickle=host_pickle, owner=self._held)
        self._decoder = Decoder(self._held.make)
        self._printed = Printed(policy.limits, None)
        self._interrupted = False
        self._running = False
        self._closed = False
        self.last_logs: str | None = None
        self._end = weakref.finalize(self, _end_later, self._held)
        self.ensure_started()

    # -- life -----------------------------------------------------------------------------------------------------------------------

    def ensure_started(self) -> None:
        """Have a live runner: the first, or one more after the last has died."""
        if self._connection is not None:
            return None
        if self._sandbox is None:
            self._sandbox = zygotes.start_sandbox(self._policy)
            self._held.sandbox = self._sandbox
        else:
            try:
                self._sandbox.zygote.restart(self._sandbox)
            except SandboxFailed:
                self._give_up_sandbox()
                return self.ensure_started()
        sandbox = self._sandbox
        self._connection = Connection(
            sandbox.wire,
            sandbox.output,
            sandbox.runner,
            self._policy.limits.frame_bytes,
            lambda data: self._printed.feed(data),
            lambda: self._printed.is_too_much,
        )
        try:
            self._connection.send(messages.Open(protocol=messages.PROTOCOL, policy=policy_fields(self._policy)))
            received = self._connection.next_message(_START_SECONDS)
            if received is None:
                raise SandboxFailed(f"the sandbox did not start within {_START_SECONDS:g} seconds")
            if received[0].type == "broken":
                raise JailUnavailable(f"the sandbox could not be closed off, so nothing was run: {received[0].message}")
            if self._tools or self._mathematics:
                self._send_tools([*self._tools.values()])
        except RunnerGone:
            self._give_up_sandbox()
            raise SandboxFailed("the sandbox died while it was being started") from None
        except BaseException:
            self._give_up_sandbox()
            raise

    def close(self) -> None:
        """End the sandbox. A cell that runs in another thread is ended with it."""
        self._closed = True
        self._interrupted = True
        if self._pid != os.getpid():
            return
        sandbox = self._sandbox
        if sandbox is not None and self._running:
            self._kill(sandbox)
        with self._turn:
            self._give_up_sandbox()

    def _give_up_sandbox(self) -> None:
        """End the sandbox with everything in it; the next use starts a new one."""
        self._give_up_runner()
        sandbox, self._sandbox, self._held.sandbox = self._sandbox, None, None
        if sandbox is not None:
            end_sandbox(sandbox)

    def _give_up_runner(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()
        self._held.forget()

    def _kill(self, sandbox: zygotes.Sandbox) -> None:
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(sandbox.runner, signal.SIGKILL)

    @contextlib.contextmanager
    def _my_turn(self) -> Iterator[None]:
        if self._pid != os.getpid():
            raise SandboxFailed("this executor belongs to the process that made it, and this is a fork of that; make a new one here")
        if self in IN_TOOLS_OF.get():
            raise SandboxFailed("this executor is running a cell already; a tool that runs code needs an executor of its own")
        with self._turn:
            if self._closed:
                raise SandboxFailed("this executor is closed; make a new one")
            self.ensure_started()
            yield

    # -- a cell ---------------------------------------------------------------------------------------------------------------------

    def run(self, code: str, loop: asyncio.AbstractEventLoop | None = None) -> Execution:
        """Run one cell. `loop` is where asynchronous tools run; without one they run on a loop in the background."""
        if not isinstance(code, str):
            raise TypeError(f"code must be a string, not {type(code).__name__}")
        with self._my_turn():
            limits = self._policy.limits
            self._printed = Printed(limits, self.on_output)
            cell = _Cell(Clock(limits), Calls(loop))
            self._running, self._interrupted = True, False
            try:
                execution = self._finish(cell, self._run(cell, code))
                self.last_logs = execution.logs
                if self._printed.callback_error is not None:
                    raise self._printed.callback_error
                return execution
            finally:
                self._running = False
                cell.calls.stop()

    def _run(self, cell: _Cell, code: str) -> Execution:
        connection = self._connection
        assert connection is not None and self._sandbox is not None
        try:
            connection.send(messages.Run(id=next(self._numbers), code=code, released=self._held.released()))
            try:
                return self._follow(connection, cell)
            except (RunnerGone, WorkerProtocolError):
                raise
            except BaseException:
                # Ctrl-C, most likely: the cell is stopped, and only then is the caller told.
                self._interrupted = True
                if connection.is_whole:
                    self._follow(connection, cell)
                raise
        except RunnerGone:
            connection.drain_output()
            status, out_of_memory = self._status()
            self._give_up_runner()
            return deaths.execution(status, out_of_memory, cell.stopped_for, self._policy.limits)
        except WorkerProtocolError as error:
            self._give_up_sandbox()
            info = ErrorInfo("WorkerProtocolError", str(error), f"WorkerProtocolError: {error}")
            return Execution(error=info, fault="crash")
        except BaseException:
            if not connection.is_whole or connection.is_running:
                self._give_up_sandbox()  # what comes next could not be told from the rest of this
            raise

    def _follow(self, connection: Connection, cell: _Cell) -> Execution:
        """Serve a cell until it is over."""
        while True:
            received = connection.next_message(cell.patience())
            if received is None or self._interrupted or self._printed.is_too_much:
                self._hold_to_limits(cell)
                if received is None:
                    continue
            message, buffers = received
            if message.type == "finished":
                connection.drain_output()
                return self._execution(message, buffers)
            if message.type == "call_tool":
                self._call(connection, cell, message, buffers)
            elif message.type == "display":
                cell.displays.append(self._bundle(message, buffers))
                if len(cell.displays) > self._policy.limits.displays + 1:  # and the value's own
                    raise WorkerProtocolError("the sandbox sent more displays than a cell may have")

    def _hold_to_limits(self, cell: _Cell) -> None:
        """The time is over, somebody asked to stop, or too much was printed: an exception first, and after a grace the end."""
        assert self._sandbox is not None
        now = time.monotonic()
        if cell.stopped_for is None:
            reason = (
                "output" if self._printed.is_too_much else "interrupt" if self._interrupted else "timeout" if cell.clock.is_over else None
            )
            if reason is None:
                return
            cell.stopped_for = reason
            cell.ends_at = now + self._policy.limits.grace_seconds
            cell.calls.stop()
            number = {"timeout": signal.SIGALRM, "interrupt": signal.SIGINT, "output": signal.SIGKILL}[reason]
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._sandbox.runner, number)
        elif now >= cell.ends_at:
            self._kill(self._sandbox)
            cell.ends_at = now + 60

    def _finish(self, cell: _Cell, execution: Execution) -> Execution:
        usage = execution.usage
        if not usage.wall_seconds:
            usage = replace(usage, wall_seconds=time.monotonic() - cell.began)
        return replace(execution, logs=self._printed.text(), displays=tuple(cell.displays), tool_calls=tuple(cell.called), usage=usage)

    def _execution(self, message: Any, buffers: list[bytearray]) -> Execution:
        try:
            error = None if message.error is None else ErrorInfo(*_typed(message.error, str, str, str, (int, type(None))))
            violations = tuple(Violation(*_typed(row, int, int, str, str, str, str)) for row in message.violations)
        except (TypeError, ValueError) as wrong:
            raise WorkerProtocolError(f"the sandbox described an error wrongly: {wrong}") from None
        if message.fault not in deaths.FAULTS:
            raise WorkerProtocolError("the sandbox told of a fault that there is not")
        return Execution(
            value=self._decoder.decode(message.value, buffers),
            error=error,
            fault=message.fault,
            violations=violations,
            is_final_answer=message.is_final_answer,
            imports=tuple(message.imports),
            usage=Usage(message.wall, message.cpu, message.peak_memory),
        )

    def _bundle(self, message: Any, buffers: list[bytearray]) -> dict[str, str | bytes]:
        bundle = self._decoder.decode(message.bundle, buffers)
        if type(bundle) is not dict or not all(type(k) is str and type(v) in (str, bytes) for k, v in bundle.items()):
            raise WorkerProtocolError("the sandbox sent a display that is not one")
        return bundle

    def _status(self) -> tuple[int, int]:
        """How the runner ended. It is dead, or as good as: it has closed the wire."""
        assert self._sandbox is not None
        self._kill(self._sandbox)
        try:
            return self._sandbox.zygote.status(self._sandbox)
        except SandboxFailed:
            self._give_up_sandbox()
            return -signal.SIGKILL, 0

    # -- tools ----------------------------------------------------------------------------------------------------------------------

    def _call(self, connection: Connection, cell: _Cell, message: Any, buffers: list[bytearray]) -> None:
        arguments = self._decoder.decode(message.arguments, buffers)
        tool = self._tools.get(message.name)
        number = message.call
        cell.called.append(message.name)
        cell.clock.call_began()

        def answer(result: Any, error: BaseException | None) -> None:
            reply, extra = self._reply(number, result, error)
            cell.clock.call_ended()
            with contextlib.suppress(RunnerGone):
                connection.send(reply, extra)

        if tool is None:
            answer(None, NameError(f"there is no tool {message.name!r}"))
        elif cell.stopped_for is None:
            cell.calls.start(tool, arguments, answer)

    def _reply(self, number: int, result: Any, error: BaseException | None) -> tuple[messages.Message, list[Any]]:
        if error is None:
            try:
                node, buffers = self._encoder.encode(result)
                return messages.ToolReturned(call=number, value=node), buffers
            except Exception as cannot:
                error = TypeError(f"what the tool returned cannot be sent: {cannot}")
        kind, args, text = failure(error)
        node, buffers = self._encoder.encode(args)
        return messages.ToolRaised(call=number, error=kind, arguments=node, message=text), buffers

    def add_tools(self, tools: Mapping[str, Any], *, mathematics: bool = False) -> None:
        made = {name: Tool(name, function, self) for name, function in tools.items()}
        with self._my_turn():
            self._tools.update(made)
            self._mathematics = self._mathematics or mathematics
            self._send_tools([*made.values()])

    def _send_tools(self, tools: list[Tool]) -> None:
        specs = [describe(tool.name, tool.function).as_dict() for tool in tools]
        self._ask(messages.AddTools(id=next(self._numbers), tools=specs, mathematics=self._mathematics))

    # -- variables and files --------------------------------------------------------------------------------------------------------

    def ask(self, make: Callable[[int], tuple[messages.Message, list[Any]]]) -> Any:
        """Ask the worker something between cells; gives its answer or raises its error."""
        with self._my_turn():
            message, buffers = make(next(self._numbers))
            return self._ask(message, buffers)

    def encode(self, value: Any) -> tuple[Any, list[Any]]:
        try:
            return self._encoder.encode(value)
        except ValueError as error:
            raise TypeError(f"cannot be sent into the sandbox: {error}") from None

    def _ask(self, message: messages.Message, buffers: list[Any] | None = None) -> Any:
        connection = self._connection
        assert connection is not None
        until = time.monotonic() + _ANSWER_SECONDS
        try:
            connection.send(message, buffers or [])
            while True:
                received = connection.next_message(until - time.monotonic())
                if received is not None and getattr(received[0], "id", None) == message.id:  # type: ignore[attr-defined]
                    break  # any other answers a question whose asker was interrupted
                if time.monotonic() > until or self._closed:
                    raise WorkerProtocolError("the sandbox does not answer")
            answer, parts = received
            value = None if answer.type == "failed" else self._decoder.decode(answer.value, parts)
        except RunnerGone:
            self._status()
            self._give_up_runner()
            raise SandboxFailed("the sandbox died; its variables are lost") from None
        except BaseException as error:
            if isinstance(error, WorkerProtocolError) or not connection.is_whole:
                self._give_up_sandbox()
            raise
        if answer.type == "failed":
            raise deaths.refusal(answer.error, answer.message)
        return value

    # -- from any thread ------------------------------------------------------------------------------------------------------------

    def interrupt(self) -> bool:
        """Stop the running cell. False if none is running."""
        connection = self._connection
        if not self._running or connection is None:
            return False
        self._interrupted = True
        with contextlib.suppress(OSError):
            connection.wake()
        return True

    def mechanisms(self) -> tuple[Mechanism, ...]:
        with self._my_turn():
            assert self._sandbox is not None
            return self._sandbox.zygote.mechanisms

    def report(self) -> str:
        return as_text(self.mechanisms())


class _Cell:
    __slots__ = ("began", "called", "calls", "clock", "displays", "ends_at", "stopped_for")

    def __init__(self, clock: Clock, calls: Calls) -> None:
        self.clock = clock
        self.calls = calls
        self.began = time.monotonic()
        self.displays: list[dict[str, str | bytes]] = []
        self.called: list[str] = []
        self.stopped_for: str | None = None
        self.ends_at = 0.0

    def patience(self) -> float | None:
        """How long to wait before looking at the limits again."""
        return self.clock.left() if self.stopped_for is None else self.ends_at - time.monotonic()


def end_sandbox(sandbox: zygotes.Sandbox) -> None:
    """Kill everything in a sandbox, see it dead, and give back what it holds."""
    victim = sandbox.runner if sandbox.keeper is None else sandbox.keeper
    with contextlib.suppress(ProcessLookupError):
        signal.pidfd_send_signal(victim, signal.SIGKILL)
    poll = select.poll()
    poll.register(sandbox.runner, select.POLLIN)
    poll.poll(10_000)
    sandbox.zygote.end(sandbox)


def _end_later(held: Held) -> None:
    """An executor was dropped without being closed."""
    if held.sandbox is not None and held.pid == os.getpid():
        end_sandbox(held.sandbox)


def policy_fields(policy: Policy) -> dict[str, Any]:
    """A policy as it travels."""
    return {
        "imports": list(policy.imports),
        "limits": asdict(policy.limits),
        "defaults": list(policy.defaults),
        "files": policy.files,
        "mounts": [asdict(mount) for mount in policy.mounts],
        "language": policy.language,
    }


def _typed(values: list[Any], *types: Any) -> list[Any]:
    for value, kind in zip(values, types, strict=True):
        if not isinstance(value, kind):
            raise TypeError(f"{type(value).__name__} where another type belongs")
    return values
