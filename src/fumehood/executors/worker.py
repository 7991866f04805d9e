"""Running cells in a jailed process: the host's side of a sandbox, whatever happens in it.

A sandbox is started when it is first needed and replaced when it has died; the executor stays
usable. Everything that comes out of it is checked: an answer that breaks the protocol ends the
sandbox and is reported as that. What it is given besides cells is equipped.py's, and how to go back
to what was before is jailed.py's.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import itertools
import os
import signal
import socket
import sys
import threading
import time
import weakref
from collections import ChainMap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fumehood.errors import JailUnavailable, SandboxFailed, WorkerProtocolError
from fumehood.events import SandboxDied
from fumehood.executors import outcomes, zygotes
from fumehood.executors.branching import Connected, History
from fumehood.executors.bundles import Bundle
from fumehood.executors.calls import IN_TOOLS_OF, Calls, Tool
from fumehood.executors.cell import Cell, Clock, Printed
from fumehood.executors.clerks import Filing
from fumehood.executors.commands import CommandHost
from fumehood.executors.connection import Connection, RunnerGone
from fumehood.executors.dropped import Hold, drop_later
from fumehood.executors.notebooks import PrintedApart, Watcher, tell_afterwards
from fumehood.executors.objects import Held, Values
from fumehood.executors.trail import Trail
from fumehood.jail.report import Mechanism, as_text
from fumehood.policy import Limits, Policy
from fumehood.results import Execution
from fumehood.wire import messages
from fumehood.wire.protocol import HostConversation

if TYPE_CHECKING:
    from fumehood.executors.base import Stdin

_START_SECONDS = 60.0
_MOMENT = 0.01
_CLOSED = "this executor is closed; make a new one"

Decode = Callable[[Any, list[Any]], Any]


class Worker:
    """One sandbox, one cell at a time; from many threads in turn."""

    def __init__(
        self,
        policy: Policy,
        on_output: Callable[[str], Any] | None = None,
        *,
        undoes: frozenset[str] = frozenset(),
        born: Connected | None = None,
        start: Callable[[Policy], zygotes.Runner] | None = None,
        trail: Trail | None = None,
    ) -> None:
        """`undoes` says after what the variables go back to what they were before the cell:
        "fault", "error". `born` is a runner that another has made; without one, the worker starts
        with a fresh sandbox. `start` gives fresh sandboxes; without it they are on this machine.
        What happens is told on the `trail`."""
        self._policy = policy
        self._start_sandbox = start
        self.trail = trail or Trail("jail", policy)
        self._undoes = undoes
        self._standby: socket.socket | None = None
        self._is_new = True
        """Whether the runner has nothing yet that could be lost."""
        self._mark = 0
        """The last message that has changed something in the runner for good."""
        self.on_output = on_output
        self._turn = threading.Lock()
        self._pid = os.getpid()
        self._numbers = itertools.count(1)
        self._tools: dict[str, Tool] = {}
        self._mathematics = False
        self._environment: dict[str, str | None] = {}
        """What was set of it, for every runner from then on."""
        self._bundles: list[Bundle] = []
        """Packages that were installed, which every runner from then on can import."""
        self._runner: zygotes.Runner | None = None
        self._connection: Connection | None = None
        self._held = Held()
        self._values = Values(self._held)
        self.filing = Filing(self._reach)
        self.commands = CommandHost()
        self._command_numbers = itertools.count(1)
        self.ended_commands: list[str] = []
        """The commands that the last rollback or restore ended."""
        self._sharing = (0, False)
        """When the last cell began: how often the sandbox had been joined by another executor, and
        whether its lab was another's too."""
        self._hold = Hold(self.trail, self._turn, self.commands)
        self._printed = Printed(policy.limits, None)
        self._cell: Cell | None = None
        self._closed = False
        self.last_logs: str | None = None
        self.cells = 0
        """How many cells have run and were not undone."""
        self.history = History()
        self.filing.on_loss = self._see_if_lost
        self._drop = weakref.finalize(self, drop_later, self._hold)
        zygotes.RESTS.add(self._hold)
        if born is None:
            self._ensure_started()
        else:
            self._live_on(born)
            self._is_new = False
            self._keep_checkpoint()
        assert self._runner is not None
        zygote, place = self._runner.sandbox.zygote, self.trail.place
        other = None if zygote.python == sys.version_info[:3] else ".".join(map(str, zygote.python))
        self.trail.open(
            lambda: as_text(zygote.mechanisms, place), other
        )  # not by way of self, which would never be dropped

    # -- life

    def _ensure_started(self) -> None:
        """Have a live runner. One that is killed while it starts is started once more."""
        if self._connection is None:
            try:
                self._start()
            except RunnerGone:
                self._start(is_last=True)

    def _start(self, *, is_last: bool = False) -> None:
        runner = self._runner
        if runner is not None and (
            runner.place == 0
            and not runner.is_fork
            or runner.sandbox.is_shared(runner.place)
            or runner.is_beside
        ):
            try:
                self._runner = self._hold.runner = runner.sandbox.zygote.restart(runner)
            except (SandboxFailed, JailUnavailable):
                self._give_up_runner()
        elif runner is not None:
            self._give_up_runner()  # the first place in that sandbox is another's
        if self._runner is None:
            self._runner = self._hold.runner = (self._start_sandbox or zygotes.start_sandbox)(
                self._policy
            )
        self._connection = self._connect(self._runner)
        self._is_new, self._mark = True, 0
        try:
            received = self._connection.next_message(_START_SECONDS)
            if received is None:
                raise SandboxFailed(
                    f"the sandbox did not start within {_START_SECONDS:g} seconds; is the machine"
                    " too busy? Try again"
                )
            if received[0].type == "broken":
                raise JailUnavailable(
                    "the sandbox could not be closed off, so nothing was run:"
                    f" {received[0].message}"
                )
            if self._runner.sandbox.zygote.policy != self._policy:
                self._ask(messages.Open(id=next(self._numbers), policy=self._policy.as_fields()))
            self._equip()
        except RunnerGone:
            self._give_up_runner()
            if is_last:
                raise SandboxFailed(
                    "the sandbox died while it was being started, twice; `fumehood doctor` tells"
                    " more"
                ) from None
            raise
        except BaseException:
            self._give_up_runner()
            raise

    def _connect(
        self, runner: zygotes.Runner, conversation: HostConversation | None = None
    ) -> Connection:
        return Connection(
            runner.wire,
            runner.output,
            runner.handle,
            self._policy.limits.frame_bytes,
            lambda data: self._printed.feed(data),
            conversation,
            runner.sandbox.zygote.processes,
        )

    def close(self) -> None:
        """End the sandbox: kill it first, and clean up afterwards. What runs or waits in another
        thread ends with it."""
        was_closed, self._closed = self._closed, True
        if self._pid != os.getpid():
            return
        runner, cell = self._runner, self._cell
        if runner is not None:
            runner.kill()
        if cell is not None:
            cell.interrupt()
        self.commands.end_all()
        with self._turn:
            self.history.discard_all()
            self._give_up_runner()
            for bundle in self._bundles:
                bundle.users.discard(self)
        if not was_closed:
            self.trail.close()

    def _give_up_runner(self) -> None:
        """End the runner, and its sandbox if no other executor uses it; the next use starts one."""
        self._disconnect()
        self.filing.close()
        runner, self._runner, self._hold.runner = self._runner, None, None
        if runner is not None:
            runner.end()

    def _disconnect(self) -> None:
        if self._standby is not None:
            self._standby.close()
            self._standby = None
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()
        self._held = Held()  # objects of the runner that is gone mean nothing to the next
        self._values = Values(self._held)

    def _signal(self, number: int) -> None:
        runner = self._runner
        if runner is not None:
            runner.signal(number)

    @property
    def _is_far(self) -> bool:
        return self._runner is not None and self._runner.sandbox.zygote.processes.is_far

    def _processor_time(self) -> float:
        """What the runner has used of the processor, in seconds."""
        runner = self._runner
        return 0.0 if runner is None else runner.processor_time()

    @contextlib.contextmanager
    def _my_turn(self) -> Iterator[None]:
        self._may_wait()
        with self._turn:
            self._connected()
            yield

    def _may_wait(self) -> None:
        """Whether the caller can be given a turn at all."""
        if self._pid != os.getpid():
            raise SandboxFailed(
                "this executor belongs to the process that made it, and this is a fork of that;"
                " make a new one here"
            )
        if self in IN_TOOLS_OF.get():
            raise SandboxFailed(
                "this executor is running a cell already; a tool that runs code needs an executor"
                " of its own"
            )

    def _reach(self) -> zygotes.Runner:
        """The runner whose files are to be looked at: as it is while a cell runs, and else one that
        is there."""
        if self._pid != os.getpid():
            self._may_wait()
        while not self._turn.acquire(blocking=False):
            runner = self._runner
            if self._cell is not None and runner is not None:
                return runner
            if self._turn.acquire(timeout=_MOMENT):
                break
        try:
            self._connected()
            self._is_new = False
            assert self._runner is not None
            return self._runner
        finally:
            self._turn.release()

    def _see_if_lost(self, runner: zygotes.Runner) -> None:
        """Files cannot be reached: raises what anybody would be told who asks for something else,
        if the place they were in is gone."""
        if self._turn.acquire(blocking=False):
            try:
                self._see_if_over(runner.sandbox.zygote)
            finally:
                self._turn.release()

    def _see_if_over(self, zygote: zygotes.Zygote) -> None:
        """The runner is dead if its zygote is, and whoever asks it something would be told so."""
        if (
            zygote.is_over
            and self._connection is not None
            and self._runner is not None
            and self._runner.sandbox.zygote is zygote
        ):
            raise self._died() from None

    def _connected(self) -> Connection:
        if self._closed:
            raise SandboxFailed(_CLOSED)
        self._ensure_started()
        if not self._runner.sandbox.is_awake:  # type: ignore[union-attr]
            zygotes.RESTS.wake(self._runner.sandbox)  # type: ignore[union-attr]
        if self._undoes and self._standby is None:
            self._keep_checkpoint()  # not before it is used: many never are
        assert self._connection is not None
        return self._connection

    def _live_on(self, connected: Connected, standby: socket.socket | None = None) -> None:
        """Go on with a runner that another made."""
        if self._connection is not None:
            self._connection.close()
        self._runner = self._hold.runner = connected.runner
        self._connection = self._connect(connected.runner, connected.conversation)
        self._standby = standby
        self._held = Held()
        self._values = Values(self._held)
        self._mark = connected.mark

    def _disconnect_dead(self) -> None:
        """The runner is dead, or is not to be talked to any more. Its base may still be there."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()
        self._held = Held()
        self._values = Values(self._held)

    def _died(self) -> SandboxFailed:
        """The runner died of something else than a cell; goes back if it can."""
        if self._closed:
            self._disconnect_dead()
            return SandboxFailed(_CLOSED)
        _status, _killed, gone = self._status()
        self._disconnect_dead()
        kept = self._go_back(keeps_files=self.filing.has_changes)
        self.trail.tell(SandboxDied, kept=kept)
        if gone is not None:
            return gone if kept else type(gone)(f"{gone}; its variables are lost")
        return SandboxFailed(
            "the sandbox died" if kept else "the sandbox died; its variables are lost"
        )

    # -- a cell

    def run(
        self,
        code: str,
        loop: asyncio.AbstractEventLoop | None = None,
        notebook: Watcher | None = None,
        *,
        seconds: float | None = None,
        decode: Decode | None = None,
        stdin: Stdin = None,
    ) -> Execution:
        """Run one cell. `loop` is where asynchronous tools run; without one they run on a loop in
        the background. With a `notebook`, it is run as one of a notebook's and that is told of it.
        It may take so many `seconds`, in place of what the policy says. Who hands its value on to
        somebody else, encoded as it came, has a `decode` of its own that leaves it so. `stdin` is
        what code reads from standard input."""
        if not isinstance(code, str):
            raise TypeError(f"code must be a string, not {type(code).__name__}")
        if stdin is not None and not isinstance(stdin, str) and not callable(stdin):
            raise TypeError(f"stdin must be a string or a function, not {type(stdin).__name__}")
        self._may_wait()
        with self._turn:
            connection = self._connected()
            limits = (
                self._policy.limits
                if seconds is None
                else replace(self._policy.limits, cell_seconds=seconds)
            )
            trail = self.trail
            streaming = trail.streaming(self.on_output)
            is_told = notebook is not None and not trail.holds_output
            printed = self._printed = (
                Printed(limits, streaming)
                if notebook is None
                else PrintedApart(limits, streaming, notebook if is_told else None)
            )
            calls = Calls(loop, trail)
            cell = self._cell = Cell(
                connection,
                limits,
                printed,
                calls,
                ChainMap(_stdin_tool(stdin), self._tools) if callable(stdin) else self._tools,
                self._values,
                self._signal,
                Clock(limits, self._processor_time, is_far=self._is_far),
                trail,
            )
            if notebook is not None and is_told:
                cell.on_display = notebook.displayed
            Connection.busy += 1
            try:
                try:
                    execution = self._run(
                        connection, cell, code, limits, decode, notebook is not None, stdin
                    )
                finally:
                    Connection.busy -= 1
                    self._cell = None
                    calls.stop()
                execution = self._settle(execution, cell.number)
            except BaseException as error:
                trail.abandoned(error)
                raise
            execution = trail.finished(
                execution,
                self.on_output and functools.partial(printed.hand_on, on_text=self.on_output),
            )
            self.last_logs = execution.logs
            if notebook is not None and not is_told:
                tell_afterwards(notebook, execution, cell.value_at)
            if printed.callback_error is not None:
                raise printed.callback_error
            return execution

    def _run(
        self,
        connection: Connection,
        cell: Cell,
        code: str,
        limits: Limits,
        decode: Decode | None,
        is_notebook: bool,
        stdin: Stdin,
    ) -> Execution:
        try:
            cell.number = next(self._numbers)
            run = self._new_run(cell.number, code, is_notebook)
            if stdin is not None:
                run.asks_for_input = callable(stdin)
                run.stdin = stdin if isinstance(stdin, str) else None
            ended = cell.serve(run)
            return outcomes.of_finished(*ended, decode or self._values.decode, cell, self._printed)
        except RunnerGone:
            connection.drain_output()
            status, out_of_memory, gone = self._status()
            self._disconnect_dead()
            return outcomes.of_death(status, out_of_memory, cell, self._printed, limits, gone)
        except WorkerProtocolError as error:
            # whoever breaks the protocol may have done anything: nothing of it is kept
            self._give_up_runner()
            return outcomes.of_violation(error, cell, self._printed)
        except BaseException:
            if not connection.is_whole or connection.is_running:
                self._give_up_runner()  # what comes next could not be told from the rest of this
            raise

    def _new_run(self, number: int, code: str, is_notebook: bool) -> messages.Run:
        assert self._runner is not None
        sandbox = self._runner.sandbox
        was_shared, is_shared = self._sharing[1], sandbox.is_shared(self._runner.place)
        if self._standby is not None and (self.filing.has_changes or was_shared != is_shared):
            # The last one has other files. The runner may make the next one before it has the cell.
            self._keep_checkpoint()
        self._sharing = sandbox.joined, is_shared
        has_new_files, self.filing.has_changes = self.filing.has_changes, False
        return messages.Run(
            id=number,
            code=code,
            released=self._held.released(),
            has_new_files=has_new_files,
            shares_files=self._sharing[1],
            notebook=is_notebook,
        )

    def _status(self) -> tuple[int, int, SandboxFailed | None]:
        """How the runner ended, how often the kernel has killed for memory, and what has become of
        the place it was in, if that is gone too. It is dead, or as good as: it has closed the
        wire."""
        runner = self._runner
        assert runner is not None
        runner.signal(signal.SIGKILL)
        runner.wait()
        try:
            return *runner.sandbox.zygote.status(runner), None
        except SandboxFailed:
            self._give_up_runner()
            return -signal.SIGKILL, 0, runner.sandbox.zygote.over()

    # -- going back, by whoever can

    def _keep_checkpoint(self) -> None:
        """Have something to go back to, if there is a reason to and a way."""

    def _settle(self, execution: Execution, number: int) -> Execution:
        """What a cell leaves behind: its changes, or nothing if they are to be undone."""
        return execution

    def _go_back(self, *, keeps_files: bool = False) -> bool:
        """Go on with what there was before the runner died. False if that is lost. `keeps_files`
        leaves the files as they are."""
        return self._is_new

    # -- what it is given, by whoever has it

    def _equip(self) -> None:
        """Give a runner what is the executor's, whatever it had."""

    # -- questions

    def ask(self, make: Callable[[int], tuple[messages.Message, list[Any]]]) -> Any:
        """Ask the worker something between cells; gives its answer or raises its error."""
        with self._my_turn():
            self._is_new = False
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
        try:
            value = self._answer_of(connection, message, buffers or [])
        except RunnerGone:
            raise self._died() from None
        except BaseException as error:
            if isinstance(error, WorkerProtocolError) or not connection.is_whole:
                self._give_up_runner()
            raise
        finally:
            if message.type in messages.CHANGING:
                self._mark = message.id  # type: ignore[attr-defined]
        if message.type in messages.CHANGING and self._standby is not None:
            self._keep_checkpoint()
        return value

    def _answer_of(
        self,
        connection: Connection,
        message: messages.Message,
        buffers: Sequence[Any] = (),
        handles: Sequence[int] = (),
    ) -> Any:
        """The value that a runner answers with, or its error raised. WorkerProtocolError if it does
        not answer within `Limits.answer_seconds`."""
        if handles:
            connection.send_with(message, handles)
        else:
            connection.send(message, buffers, reads=True)
        seconds = self._policy.limits.answer_seconds
        until = time.monotonic() + seconds
        while True:
            received = connection.next_message(until - time.monotonic())
            if received is not None and getattr(received[0], "id", None) == message.id:  # type: ignore[attr-defined]
                break  # any other answers a question whose asker was interrupted
            if time.monotonic() > until or self._closed:
                raise WorkerProtocolError(
                    f"the sandbox did not answer within {seconds:g} seconds, and was ended"
                    " (limits.answer_seconds)"
                )
        answer, parts = received
        if answer.type == "failed":
            raise outcomes.refusal(answer.error, answer.message)
        return self._values.decode(answer.value, parts)

    # -- from any thread

    def interrupt(self) -> bool:
        """Stop the running cell. False if none is running."""
        cell = self._cell
        if cell is None:
            return False
        cell.interrupt()
        return True

    def mechanisms(self) -> tuple[Mechanism, ...]:
        with self._my_turn():
            assert self._runner is not None
            return self._runner.sandbox.zygote.mechanisms

    def report(self) -> str:
        note = "\nlanguage: guarded, a filter and not a boundary"
        report = as_text(self.mechanisms(), self.trail.place)
        return report + note if self._policy.language == "guarded" else report


def _stdin_tool(read: Callable[[str], str | None]) -> dict[str, Tool]:
    def stdin(prompt: str) -> str | None:
        line = read(prompt)
        if line is not None and not isinstance(line, str):
            raise TypeError(f"stdin must return a line or None, not {type(line).__name__}")
        return line

    return {messages.STDIN: Tool(messages.STDIN, stdin, None)}
