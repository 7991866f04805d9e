"""Running cells in a jailed process: the host's side of a sandbox, whatever happens in it.

A sandbox is started when it is first needed and replaced when it has died; the executor stays usable. Everything that comes out of it is
checked: an answer that breaks the protocol ends the sandbox and is reported as that.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import signal
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from fumehood.errors import JailUnavailable, SandboxFailed, WorkerProtocolError
from fumehood.executors import outcomes, zygotes
from fumehood.executors.calls import IN_TOOLS_OF, Calls, Tool
from fumehood.executors.cell import Cell, Printed
from fumehood.executors.connection import Connection, RunnerGone
from fumehood.executors.objects import Held, host_pickle
from fumehood.jail.report import Mechanism, as_text
from fumehood.policy import Policy
from fumehood.results import Execution
from fumehood.tools.describe import describe
from fumehood.tools.failures import describe_failure
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
        self._values = Values(self._held)
        self._hold = _Hold()
        self._printed = Printed(policy.limits, None)
        self._cell: Cell | None = None
        self._closed = False
        self.last_logs: str | None = None
        self._drop = weakref.finalize(self, _drop_later, self._hold)
        self._ensure_started()

    # -- life -----------------------------------------------------------------------------------------------------------------------

    def _ensure_started(self) -> None:
        """Have a live runner: the first, or one more after the last has died. One that dies while it starts, because somebody killed it or
        its zygote, is tried once more."""
        if self._connection is None:
            try:
                self._start()
            except RunnerGone:
                self._start(is_last=True)

    def _start(self, *, is_last: bool = False) -> None:
        if self._sandbox is not None:
            try:
                self._sandbox.zygote.restart(self._sandbox)
            except SandboxFailed:
                self._give_up_sandbox()
        if self._sandbox is None:
            self._sandbox = self._hold.sandbox = zygotes.start_sandbox(self._policy)
        sandbox = self._sandbox
        frame_bytes = self._policy.limits.frame_bytes
        self._connection = Connection(sandbox.wire, sandbox.output, sandbox.runner, frame_bytes, lambda data: self._printed.feed(data))
        try:
            received = self._connection.next_message(_START_SECONDS)
            if received is None:
                raise SandboxFailed(f"the sandbox did not start within {_START_SECONDS:g} seconds")
            if received[0].type == "broken":
                raise JailUnavailable(f"the sandbox could not be closed off, so nothing was run: {received[0].message}")
            if sandbox.zygote.policy != self._policy:
                self._ask(messages.Open(id=next(self._numbers), policy=self._policy.as_fields()))
            if self._tools or self._mathematics:
                self._send_tools([*self._tools.values()])
        except RunnerGone:
            self._give_up_sandbox()
            if is_last:
                raise SandboxFailed("the sandbox died while it was being started, twice") from None
            raise
        except BaseException:
            self._give_up_sandbox()
            raise

    def close(self) -> None:
        """End the sandbox. A cell that runs in another thread is ended with it."""
        self._closed = True
        if self._pid != os.getpid():
            return
        cell = self._cell
        if cell is not None:
            cell.interrupt()
            self._signal(signal.SIGKILL)
        with self._turn:
            self._give_up_sandbox()

    def _give_up_sandbox(self) -> None:
        """End the sandbox with everything in it; the next use starts a new one."""
        self._give_up_runner()
        sandbox, self._sandbox, self._hold.sandbox = self._sandbox, None, None
        if sandbox is not None:
            sandbox.end()

    def _give_up_runner(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()
        self._held = Held()  # objects of the runner that is gone mean nothing to the next
        self._values = Values(self._held)

    def _signal(self, number: int) -> None:
        sandbox = self._sandbox
        if sandbox is not None:
            with contextlib.suppress(ProcessLookupError, OSError):
                signal.pidfd_send_signal(sandbox.runner, number)

    def _processor_time(self) -> float:
        """What the runner has used of the processor, in seconds."""
        sandbox = self._sandbox
        return 0.0 if sandbox is None else sandbox.processor_time()

    @contextlib.contextmanager
    def _my_turn(self) -> Iterator[None]:
        self._may_wait()
        with self._turn:
            self._connected()
            yield

    def _may_wait(self) -> None:
        """Whether the caller can be given a turn at all."""
        if self._pid != os.getpid():
            raise SandboxFailed("this executor belongs to the process that made it, and this is a fork of that; make a new one here")
        if self in IN_TOOLS_OF.get():
            raise SandboxFailed("this executor is running a cell already; a tool that runs code needs an executor of its own")

    def _connected(self) -> Connection:
        if self._closed:
            raise SandboxFailed("this executor is closed; make a new one")
        self._ensure_started()
        assert self._connection is not None
        return self._connection

    # -- a cell ---------------------------------------------------------------------------------------------------------------------

    def run(self, code: str, loop: asyncio.AbstractEventLoop | None = None) -> Execution:
        """Run one cell. `loop` is where asynchronous tools run; without one they run on a loop in the background."""
        if not isinstance(code, str):
            raise TypeError(f"code must be a string, not {type(code).__name__}")
        self._may_wait()
        with self._turn:
            connection = self._connected()
            limits = self._policy.limits
            printed = self._printed = Printed(limits, self.on_output)
            calls = Calls(loop)
            cell = self._cell = Cell(connection, limits, printed, calls, self._tools, self._values, self._signal, self._processor_time)
            Connection.busy += 1
            try:
                execution = self._run(connection, cell, code)
            finally:
                Connection.busy -= 1
                self._cell = None
                calls.stop()
            self.last_logs = execution.logs
            if printed.callback_error is not None:
                raise printed.callback_error
            return execution

    def _run(self, connection: Connection, cell: Cell, code: str) -> Execution:
        try:
            ended = cell.serve(messages.Run(id=next(self._numbers), code=code, released=self._held.released()))
            return outcomes.of_finished(*ended, self._values.decode, cell, self._printed)
        except RunnerGone:
            connection.drain_output()
            status, out_of_memory = self._status()
            self._give_up_runner()
            return outcomes.of_death(status, out_of_memory, cell, self._printed, self._policy.limits)
        except WorkerProtocolError as error:
            self._give_up_sandbox()
            return outcomes.of_violation(error, cell, self._printed)
        except BaseException:
            if not connection.is_whole or connection.is_running:
                self._give_up_sandbox()  # what comes next could not be told from the rest of this
            raise

    def _status(self) -> tuple[int, int]:
        """How the runner ended. It is dead, or as good as: it has closed the wire."""
        assert self._sandbox is not None
        self._signal(signal.SIGKILL)
        try:
            return self._sandbox.zygote.status(self._sandbox)
        except SandboxFailed:
            self._give_up_sandbox()
            return -signal.SIGKILL, 0

    # -- tools ----------------------------------------------------------------------------------------------------------------------

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
            return self._values.encode(value)
        except ValueError as error:
            raise TypeError(f"cannot be sent into the sandbox: {error}") from None

    def _ask(self, message: messages.Message, buffers: list[Any] | None = None) -> Any:
        connection = self._connection
        assert connection is not None
        until = time.monotonic() + _ANSWER_SECONDS
        try:
            connection.send(message, buffers or [], reads=True)
            while True:
                received = connection.next_message(until - time.monotonic())
                if received is not None and getattr(received[0], "id", None) == message.id:  # type: ignore[attr-defined]
                    break  # any other answers a question whose asker was interrupted
                if time.monotonic() > until or self._closed:
                    raise WorkerProtocolError("the sandbox does not answer")
            answer, parts = received
            value = None if answer.type == "failed" else self._values.decode(answer.value, parts)
        except RunnerGone:
            self._status()
            self._give_up_runner()
            raise SandboxFailed("the sandbox died; its variables are lost") from None
        except BaseException as error:
            if isinstance(error, WorkerProtocolError) or not connection.is_whole:
                self._give_up_sandbox()
            raise
        if answer.type == "failed":
            raise outcomes.refusal(answer.error, answer.message)
        return value

    # -- from any thread ------------------------------------------------------------------------------------------------------------

    def interrupt(self) -> bool:
        """Stop the running cell. False if none is running."""
        cell = self._cell
        if cell is None:
            return False
        cell.interrupt()
        return True

    def mechanisms(self) -> tuple[Mechanism, ...]:
        with self._my_turn():
            assert self._sandbox is not None
            return self._sandbox.zygote.mechanisms

    def report(self) -> str:
        return as_text(self.mechanisms())


class Values:
    """Values in and out of one sandbox. What comes out is believed to be nothing but what the codec makes of it."""

    def __init__(self, held: Held) -> None:
        self.encode = Encoder(pickle=host_pickle, owner=held).encode
        decoder = Decoder(held.make)
        self.decode = decoder.decode
        self._decode_call = decoder.decode_call

    def arguments(self, message: Any, buffers: list[Any]) -> Any:
        return self._decode_call(message.arguments, buffers)

    def bundle(self, message: Any, buffers: list[Any]) -> dict[str, str | bytes]:
        bundle = self.decode(message.bundle, buffers)
        if type(bundle) is not dict or not all(type(k) is str and type(v) in (str, bytes) for k, v in bundle.items()):
            raise WorkerProtocolError("the sandbox sent a display that is not one")
        return bundle

    def reply(self, number: int, result: Any, error: BaseException | None) -> tuple[messages.Message, list[Any]]:
        """The answer to a tool call."""
        if error is None:
            try:
                node, buffers = self.encode(result)
                return messages.ToolReturned(call=number, value=node), list(buffers)
            except Exception as cannot:
                error = TypeError(f"what the tool returned cannot be sent: {cannot}")
        kind, args, text = describe_failure(error)
        node, buffers = self.encode(args)
        return messages.ToolRaised(call=number, error=kind, arguments=node, message=text), list(buffers)


class _Hold:
    """An executor's sandbox, known to whoever cleans up after it."""

    sandbox: zygotes.Sandbox | None = None


def _drop_later(hold: _Hold) -> None:
    """An executor was dropped without being closed. This runs wherever the garbage collector does: it must wait for nothing."""
    if hold.sandbox is not None and hold.sandbox.pid == os.getpid():
        hold.sandbox.drop()
