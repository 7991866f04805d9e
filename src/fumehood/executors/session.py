"""A session: one sandbox from the host's side, with all that belongs to it.

    (no runner) ──start──> fresh ──cell, variables, files──> used
        ^                    │ fault: a new sandbox is        │ fault: the checkpoint takes over
        │                    v equivalent                     v
        └──────────── given up <─────── dead, or it broke the protocol
                          │
    close() ──────────> closed: the sandbox is killed at once; the zygote cleans up afterwards

- A sandbox is started when it is first needed, and replaced when it has died. The session stays
  usable. Tools, packages and environment variables are the session's: every new runner gets them.
- A checkpoint is a copy of the runner that waits on a socket of the host (`standby`). It is made
  before each cell of a used sandbox and takes over if the cell must be undone. A fresh sandbox
  needs none.
- Snapshots and forks are copies that the runner makes of itself (snapshots.py).
- Everything from the sandbox is checked. An answer that breaks the protocol ends the sandbox.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import itertools
import os
import select
import signal
import socket
import sys
import threading
import time
import weakref
from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fumehood import logs
from fumehood.errors import (
    JailUnavailable,
    PolicyError,
    SandboxFailed,
    SnapshotGone,
    ToolError,
    WorkerProtocolError,
)
from fumehood.events import (
    CommandEnded,
    CommandStarted,
    EnvironmentSet,
    Forked,
    OpenedBeside,
    SandboxDied,
    SnapshotRestored,
    SnapshotTaken,
)
from fumehood.executors import installing, snapshots, supervisor
from fumehood.executors.cell import (
    IN_TOOLS_OF,
    Cell,
    SeparateOutput,
    Tool,
    Watcher,
    lost,
    refusal,
    show_afterwards,
    undone,
)
from fumehood.executors.commands import (
    Command,
    CommandHost,
    CommandResult,
    OnOutput,
    Order,
    _Server,
    await_answer,
)
from fumehood.executors.connection import Connection, RunnerGone
from fumehood.executors.files import FileAccess
from fumehood.executors.installing import Bundle, Installed, together
from fumehood.executors.session_events import SessionEvents
from fumehood.executors.snapshots import Connected, History, Snapshot
from fumehood.jail.report import Mechanism, as_text
from fumehood.observing import EVERYBODY
from fumehood.packages.requirements import requests_of
from fumehood.policy import Policy
from fumehood.results import UNDONE, Execution
from fumehood.tools.failures import describe_failure
from fumehood.tunnel.channels import name_socket
from fumehood.wire import messages
from fumehood.wire.protocol import HostConversation
from fumehood.wire.values import Decoder, Encoder, RemoteObject

if TYPE_CHECKING:
    from fumehood.executors.base import Stdin

_POLL_SECONDS = 0.01
_CLOSED = "this executor is closed; make a new one"
_MANY_DIRECTORIES = 8
"""So many directories without an owner are removed together."""

Decode = Callable[[Any, list[Any]], Any]


class Session:
    """One sandbox, one cell at a time; from many threads in turn."""

    def __init__(
        self,
        policy: Policy,
        on_output: Callable[[str], Any] | None = None,
        *,
        undoes: frozenset[str] = frozenset(),
        born: Connected | None = None,
        start: Callable[[Policy], supervisor.Runner] | None = None,
        events: SessionEvents | None = None,
    ) -> None:
        """`undoes`: what makes a cell be undone, "fault" and "error". `born` is a runner that
        another session made; without it the session starts a fresh sandbox. `start` starts
        sandboxes; without it they are on this machine."""
        self._policy = policy
        self._start_sandbox = start or supervisor.start_sandbox
        self.events = events or SessionEvents("jail", policy)
        self._undoes = undoes
        self._is_fresh = True
        """Whether the runner holds nothing that could be lost."""
        self._mark = 0
        """The last message that has changed the state of the runner."""
        self.on_output = on_output
        self._turn = threading.Lock()
        self._pid = os.getpid()
        self._numbers = itertools.count(1)
        self._tools: dict[str, Tool] = {}
        self._mathematics = False
        self._environment: dict[str, str | None] = {}
        self._bundles: list[Bundle] = []
        """Installed packages."""
        self._runner: supervisor.Runner | None = None
        self._connection: Connection | None = None
        self._values = Values()
        self.files = FileAccess(self._reach, self._raise_if_lost)
        self.commands = CommandHost()
        self._command_numbers = itertools.count(1)
        self.ended_commands: list[str] = []
        """The commands that the last rollback or restore ended."""
        self._sharing = (0, False)
        """When the last cell began: how often other executors had joined the sandbox, and whether
        its directory was shared."""
        self._use = SandboxUse(self.events, self._turn, self.commands)
        self._cell: Cell | None = None
        self._closed = False
        self.last_logs: str | None = None
        self.cells = 0
        """How many cells have run and were not undone."""
        self.history = History()
        self._drop = weakref.finalize(self, _drop_later, self._use)
        supervisor.RESTS.add(self._use)
        if born is None:
            self._ensure_started()
        else:
            self._continue_with(born)
            self._is_fresh = False
            self._keep_checkpoint()
        assert self._runner is not None
        zygote, place = self._runner.sandbox.zygote, self.events.place
        other = None if zygote.python == sys.version_info[:3] else ".".join(map(str, zygote.python))
        # Not by way of self, which would never be dropped.
        self.events.open(lambda: as_text(zygote.mechanisms, place), other)

    # -- lifetime

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
                self._runner = self._use.runner = runner.sandbox.zygote.restart(runner)
            except (SandboxFailed, JailUnavailable):
                self._give_up_runner()
        elif runner is not None:
            self._give_up_runner()  # the first place in that sandbox is another's
        if self._runner is None:
            self._runner = self._use.runner = self._start_sandbox(self._policy)
        self._connection = self._connect(self._runner)
        self._is_fresh, self._mark = True, 0
        try:
            await_answer(self._connection, "ready", "the sandbox did not start")
            if self._runner.sandbox.zygote.policy != self._policy:
                self._ask(messages.Open(policy=self._policy.as_fields()))
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
        self, runner: supervisor.Runner, conversation: HostConversation | None = None
    ) -> Connection:
        return Connection(
            runner.wire,
            runner.output,
            runner.handle,
            self._policy.limits.frame_bytes,
            conversation,
            runner.sandbox.zygote.processes,
        )

    def close(self) -> None:
        """Kill the sandbox. The zygote cleans up afterwards. What runs or waits in another thread
        ends with it."""
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
            self.events.close()

    @property
    def is_alive(self) -> bool:
        """False if it is closed or its process is dead."""
        connection = self._connection
        if self._closed or connection is None:
            return False
        poll = select.poll()
        try:
            poll.register(connection.handle, select.POLLIN)
            return not poll.poll(0)
        except (OSError, ValueError):
            return False  # another thread closes it

    @property
    def is_busy(self) -> bool:
        return self._cell is not None

    @property
    def identity(self) -> object:
        """Changes when another process takes the place of the runner."""
        return self._connection

    @property
    def runner(self) -> supervisor.Runner | None:
        return self._runner

    def _give_up_runner(self) -> None:
        """End the runner, and its sandbox if no other executor uses it. The next use starts one."""
        self._use.drop_checkpoint()
        self._disconnect()
        self.files.close()
        runner, self._runner, self._use.runner = self._runner, None, None
        if runner is not None:
            runner.end()

    def _disconnect(self) -> None:
        """Close the connection to a runner that is dead or no longer used. Its checkpoint may still
        be there."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()
            self._values = Values()  # objects of this runner mean nothing to the next

    @property
    def _is_remote(self) -> bool:
        return self._runner is not None and self._runner.sandbox.zygote.processes.is_remote

    @contextlib.contextmanager
    def _my_turn(self) -> Iterator[supervisor.Runner]:
        self._check_caller()
        with self._turn:
            self._connected()
            assert self._runner is not None
            yield self._runner

    def _check_caller(self) -> None:
        """SandboxFailed for a caller that would wait for itself, or is another process."""
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

    def _reach(self) -> supervisor.Runner:
        """The runner whose files are accessed: the current one while a cell runs, else a live
        one."""
        if self._pid != os.getpid():
            self._check_caller()
        while not self._turn.acquire(blocking=False):
            runner = self._runner
            if self._cell is not None and runner is not None:
                return runner
            if self._turn.acquire(timeout=_POLL_SECONDS):
                break
        try:
            self._connected()
            self._is_fresh = False
            assert self._runner is not None
            return self._runner
        finally:
            self._turn.release()

    def _raise_if_lost(self, runner: supervisor.Runner) -> None:
        """Files cannot be accessed: raises a better reason if the place they were in is gone."""
        if self._turn.acquire(blocking=False):
            try:
                self._raise_if_over(runner.sandbox.zygote)
            finally:
                self._turn.release()

    def _raise_if_over(self, zygote: supervisor.Zygote) -> None:
        """The runner is dead if its zygote is."""
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
        if self._connection is None:
            self._ensure_started()
        runner = self._runner
        assert runner is not None and self._connection is not None
        if not runner.sandbox.is_awake:
            supervisor.RESTS.wake(runner.sandbox)
        if self._use.standby is None and self._undoes and (runner.is_beside or not self._is_fresh):
            self._keep_checkpoint()
        return self._connection

    def _continue_with(self, connected: Connected, standby: socket.socket | None = None) -> None:
        """Continue with a runner that another one made."""
        self._disconnect()
        self._runner = self._use.runner = connected.runner
        self._connection = self._connect(connected.runner, connected.conversation)
        self._use.standby = standby
        self._mark = connected.mark

    def _died(self) -> SandboxFailed:
        """The runner died, and not of a cell. Rolls back if possible."""
        if self._closed:
            self._disconnect()
            return SandboxFailed(_CLOSED)
        _status, _killed, gone = self._exit_status()
        self._disconnect()
        kept = self._roll_back(keeps_files=self.files.has_changes)
        self.events.emit(SandboxDied, kept=kept)
        if gone is not None:
            return gone if kept else type(gone)(f"{gone}; its variables are lost")
        return SandboxFailed(
            "the sandbox died" if kept else "the sandbox died; its variables are lost"
        )

    # -- cells

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
        """Run one cell. `loop` runs asynchronous tools; without it a loop in the background does.
        `notebook` follows the cell as a notebook does. `seconds` replaces the policy's time limit.
        `decode` replaces the decoder of the value. `stdin` is the cell's standard input."""
        if not isinstance(code, str):
            raise TypeError(f"code must be a string, not {type(code).__name__}")
        if stdin is not None and not isinstance(stdin, str) and not callable(stdin):
            raise TypeError(f"stdin must be a string or a function, not {type(stdin).__name__}")
        self._check_caller()
        with self._turn:
            connection = self._connected()
            assert self._runner is not None
            limits = self._policy.limits
            if seconds is not None:
                limits = replace(limits, cell_seconds=seconds)
            events, on_text = self.events, self.on_output
            events.cell += 1
            is_observed = events.subscribers.members or EVERYBODY.members or logs.is_on()
            if is_observed or events.checks is not None:
                on_text = events.begin(on_text)
            shows_now = notebook is not None and not events.holds_output
            tools: Mapping[str, Tool] = self._tools
            if callable(stdin):
                own = {messages.STDIN: Tool.for_stdin(messages.STDIN, stdin)}
                tools = ChainMap(own, self._tools)
            cell = self._cell = Cell(
                self,
                connection,
                self._runner,
                limits,
                tools,
                self._values,
                events,
                loop,
                on_text,
            )
            if notebook is not None:
                cell.output = SeparateOutput(limits, on_text, notebook if shows_now else None)
                cell.on_display = notebook.displayed if shows_now else None
            Connection.busy += 1
            try:
                try:
                    execution = self._run(cell, code, decode, notebook is not None, stdin)
                finally:
                    Connection.busy -= 1
                    self._cell = None
                    if cell.calls is not None:
                        cell.calls.stop()
                execution = self._settle(execution, cell.number)
            except BaseException as error:
                events.abandoned(error)
                raise
            if events.in_cell:
                on_output = self.on_output
                pass_on = on_output and functools.partial(cell.output.pass_on, on_text=on_output)
                execution = events.finished(execution, pass_on)
            self.last_logs = execution.logs
            if notebook is not None and not shows_now:
                show_afterwards(notebook, execution, cell.value_at)
            if cell.output.callback_error is not None:
                raise cell.output.callback_error
            return execution

    def _run(
        self, cell: Cell, code: str, decode: Decode | None, is_notebook: bool, stdin: Stdin
    ) -> Execution:
        connection = self._connection
        assert connection is not None
        try:
            cell.number = next(self._numbers)
            run = self._new_run(cell.number, code, is_notebook)
            cell.checkpoint = self._use.standby
            if stdin is not None:
                run.asks_for_input = callable(stdin)
                run.stdin = stdin if isinstance(stdin, str) else None
            return cell.run(run, decode)
        except RunnerGone:
            connection.drain_output()
            status, out_of_memory, gone = self._exit_status()
            self._disconnect()
            return cell.died(status, out_of_memory, gone)
        except WorkerProtocolError as error:
            self._give_up_runner()  # it may have done anything: nothing of it is kept
            return cell.broke_protocol(error)
        except BaseException:
            if not connection.is_whole or connection.is_running:
                self._give_up_runner()  # the next answer could not be told from the rest of this
            raise

    def _new_run(self, number: int, code: str, is_notebook: bool) -> messages.Run:
        assert self._runner is not None
        sandbox = self._runner.sandbox
        is_shared = bool(sandbox.shared) and sandbox.is_shared(self._runner.place)
        was_shared = self._sharing[1]
        if self._use.standby is not None and (self.files.has_changes or was_shared != is_shared):
            # The last one has other files. The runner may make the next one before it has the cell.
            self._keep_checkpoint()
        self._sharing = sandbox.joined, is_shared
        has_new_files, self.files.has_changes = self.files.has_changes, False
        return messages.Run(
            id=number,
            code=code,
            released=self._values.released(),
            has_new_files=has_new_files,
            shares_files=is_shared,
            notebook=is_notebook,
        )

    def _exit_status(self) -> tuple[int, int, SandboxFailed | None]:
        """How the runner ended, how often the kernel has killed for memory, and an error that
        describes the end of the place it was in, if that is gone too. The runner is dead, or has
        closed the connection."""
        runner = self._runner
        assert runner is not None
        runner.signal(signal.SIGKILL)
        runner.wait()
        try:
            return *runner.sandbox.zygote.status(runner), None
        except SandboxFailed:
            self._give_up_runner()
            return -signal.SIGKILL, 0, runner.sandbox.zygote.over()

    def interrupt(self) -> bool:
        """Stop the running cell, from any thread. False if none is running."""
        cell = self._cell
        if cell is None:
            return False
        cell.interrupt()
        return True

    # -- checkpoints

    def _keep_checkpoint(self) -> None:
        """Ask the runner to make a checkpoint before the next cell. Each checkpoint has a socket of
        its own: the runner closes its end once it has made the checkpoint, so that code in a cell
        never holds it. NoRoom if this process cannot open the socket: then no cell runs that could
        not be undone."""
        runner, connection = self._runner, self._connection
        assert runner is not None and connection is not None
        self._use.drop_checkpoint()
        if not self._undoes or runner.sandbox.init is None:
            return
        runner.sandbox.zygote.widen(runner.sandbox)
        try:
            ours, theirs = socket.socketpair()
        except OSError as error:
            raise supervisor.exhausted_here(error) from None
        try:
            with theirs:
                name_socket(theirs)
                connection.send_with(messages.KeepCheckpoint(), [theirs.fileno()])
        except BaseException as error:
            ours.close()
            if not isinstance(error, RunnerGone):  # the next request finds out
                raise
        else:
            self._use.standby = ours

    def _settle(self, execution: Execution, number: int) -> Execution:
        """Keep the changes of a cell, or undo them."""
        died = self._connection is None
        undo = (
            "fault" in self._undoes
            and (died or execution.fault in UNDONE)
            or "error" in self._undoes
            and execution.error is not None
        )
        if not undo:
            self._is_fresh = False
            self._mark = number
            self.cells += 1
            if self._use.standby is not None and not died:
                with contextlib.suppress(SandboxFailed):  # the next cell finds out
                    self._keep_checkpoint()
            return execution
        if self._roll_back():
            return undone(execution, self.ended_commands)
        return lost(execution) if self._connection is None else execution

    def _roll_back(self, *, keeps_files: bool = False) -> bool:
        """Continue with the checkpoint of a runner that is dead, or dies now. False if its state is
        lost. `keeps_files` leaves the files as they are.

        The runner and all that it started are ended before the checkpoint is woken, so that none of
        them can answer in its place or stop it."""
        standby, self._use.standby = self._use.standby, None
        dead = self._runner
        if standby is None or dead is None or self._closed:
            if standby is not None:
                standby.close()
            return self._is_fresh and self._start_again()
        found = snapshots.checkpoint_behind(standby)
        if found is None or found[1] < self._mark:
            standby.close()
            if self._connection is not None:
                with contextlib.suppress(SandboxFailed):
                    self._keep_checkpoint()  # the runner lives, and continues as it is
                return False
            return self._is_fresh and found is None
        dead.signal(signal.SIGKILL)
        dead.wait()
        self.ended_commands = self.commands.end_all()
        try:
            handle = dead.sandbox.zygote.replace(dead, found[0])
            connected, next_standby = snapshots.take_over(
                dead, handle, standby, self._policy.limits.frame_bytes
            )
        except (OSError, SandboxFailed):  # code has killed or stopped its checkpoint
            standby.close()
            self._disconnect()
            return self._is_fresh
        dead.output = -1  # it belongs to the next
        dead.close()
        self._continue_with(connected, next_standby)
        assert self._connection is not None
        self._connection.drop_output()  # it is not the next cell's
        restores = not (keeps_files or self._has_shared(connected.runner))
        try:
            self._ask(messages.Resume(files=restores))
        except SandboxFailed:
            return self._connection is not None
        except Exception:  # files could not be restored; the variables are
            return True
        return True

    def _start_again(self) -> bool:
        """Replace a fresh sandbox by another one, which is equivalent. If other executors share it,
        only the runner is replaced."""
        runner = self._runner
        self.ended_commands = self.commands.end_all()
        if runner is None or self._closed:
            return True
        if runner.sandbox.users > 1:
            runner.signal(signal.SIGKILL)
            runner.wait()
            self._disconnect()
        else:
            self._give_up_runner()
        return True

    def _has_shared(self, runner: supervisor.Runner) -> bool:
        """Whether another executor shared the files since the last cell began: its changes are not
        undone."""
        joined, was_shared = self._sharing
        return (
            was_shared or runner.sandbox.is_shared(runner.place) or runner.sandbox.joined != joined
        )

    # -- questions

    def ask(self, message: messages.Request, buffers: Sequence[Any] = ()) -> Any:
        """Ask the runner something between cells; returns its answer or raises its error."""
        with self._my_turn():
            self._is_fresh = False
            return self._ask(message, buffers)

    def encode(self, value: Any) -> tuple[Any, list[Any]]:
        try:
            return self._values.encode(value)
        except ValueError as error:
            raise TypeError(f"cannot be sent into the sandbox: {error}") from None

    def _ask(self, message: messages.Request, buffers: Sequence[Any] = ()) -> Any:
        connection = self._connection
        assert connection is not None
        try:
            value = self._answer_of(connection, message, buffers)
        except RunnerGone:
            raise self._died() from None
        except BaseException as error:
            if isinstance(error, WorkerProtocolError) or not connection.is_whole:
                self._give_up_runner()
            raise
        finally:
            if message.type in messages.CHANGING:
                self._mark = message.id
        if message.type in messages.CHANGING and self._use.standby is not None:
            self._keep_checkpoint()
        return value

    def _answer_of(
        self,
        connection: Connection,
        message: messages.Request,
        buffers: Sequence[Any] = (),
        handles: Sequence[int] = (),
    ) -> Any:
        """The value that a runner answers with, or its error raised. WorkerProtocolError if it does
        not answer within `Limits.answer_seconds`."""
        message.id = next(self._numbers)
        if handles:
            connection.send_with(message, handles)
        else:
            connection.send(message, buffers, reads=True)
        seconds = self._policy.limits.answer_seconds
        until = time.monotonic() + seconds
        while True:
            received = connection.next_message(until - time.monotonic())
            if received is not None and getattr(received[0], "id", None) == message.id:
                break  # any other answers a question whose asker was interrupted
            if time.monotonic() > until or self._closed:
                raise WorkerProtocolError(
                    f"the sandbox did not answer within {seconds:g} seconds, and was ended"
                    " (limits.answer_seconds)"
                )
        answer, parts = received
        if answer.type == "failed":
            raise refusal(answer.error, answer.message)
        return self._values.decode(answer.value, parts)

    def mechanisms(self) -> tuple[Mechanism, ...]:
        with self._my_turn() as runner:
            return runner.sandbox.zygote.mechanisms

    def report(self) -> str:
        note = "\nlanguage: guarded, a filter and not a boundary"
        report = as_text(self.mechanisms(), self.events.place)
        return report + note if self._policy.language == "guarded" else report

    @property
    def python(self) -> tuple[int, ...]:
        """The version of the sandbox's Python."""
        return self._reach().sandbox.zygote.python

    # -- packages, tools, environment

    def _equip(self) -> None:
        """Give a new runner the environment, packages and tools of the session."""
        if self._environment:
            self._ask(messages.SetEnvironment(variables=self._environment))
        if self._bundles:
            self._authorize()
        if self._tools or self._mathematics:
            self._send_tools([*self._tools.values()])

    @property
    def policy(self) -> Policy:
        """The policy of the session with the modules of packages that were installed since."""
        if not self._bundles:
            return self._policy
        added = (module for bundle in self._bundles for module in bundle.installed.modules)
        return replace(self._policy, imports=(*self._policy.imports, *added))

    def install(self, packages: Iterable[str | os.PathLike[str]]) -> Installed:
        """Make packages importable. InstallFailed leaves everything unchanged."""
        requests = requests_of(packages)
        with self._my_turn() as runner:
            zygote = runner.sandbox.zygote
        known = [bundle for bundle in self._bundles if bundle.requests & requests]
        if requests <= {request for bundle in known for request in bundle.requests}:
            return together(known)
        try:
            # Meanwhile other threads may run cells.
            bundle = installing.bundle_for(zygote, requests, [*self._bundles])
        except SandboxFailed:
            with self._turn:
                self._raise_if_over(zygote)
            raise
        return self.add_bundle(bundle)

    def add_bundle(self, bundle: Bundle) -> Installed:
        """Make the packages of a bundle importable."""
        with self._my_turn():
            self._add_bundles([bundle])
            try:
                self._authorize()
            except BaseException:
                self._bundles.remove(bundle)
                bundle.users.discard(self)
                raise
            self.events.installed(bundle.installed.packages, bundle.installed.modules, self.policy)
        return bundle.installed

    def _add_bundles(self, bundles: Iterable[Bundle]) -> None:
        for bundle in bundles:
            bundle.users.add(self)
            self._bundles.append(bundle)

    def _authorize(self) -> None:
        """Let the runner import the installed packages. Its zygote receives them if it does not
        have them."""
        assert self._runner is not None
        zygote = self._runner.sandbox.zygote
        try:
            path = [installing.put(zygote, bundle) for bundle in self._bundles if bundle.name]
        except SandboxFailed:
            self._raise_if_over(zygote)
            raise
        self._ask(messages.Authorize(imports=[*self.policy.imports], path=path))

    def add_tools(self, tools: Mapping[str, Any], *, mathematics: bool = False) -> None:
        made = {name: Tool(name, function) for name, function in tools.items()}
        with self._my_turn():
            before = self._tools.copy()
            self._tools.update(made)
            self._mathematics = self._mathematics or mathematics
            try:
                self._send_tools([*made.values()])
            except ToolError:
                self._tools = before  # the next runner could not have them either
                raise
            if made:
                self.events.tools_sent(tools, mathematics=mathematics)

    def _send_tools(self, tools: list[Tool]) -> None:
        shipped = {tool.name: tool.packed for tool in tools if tool.packed is not None}
        self._check_versions(shipped)
        node, buffers = self.encode(shipped or None)
        message = messages.AddTools(
            tools=[tool.description for tool in tools],
            mathematics=self._mathematics,
            shipped=node,
        )
        try:
            self._ask(message, buffers)
        except ToolError as error:
            if self._is_remote and "ModuleNotFoundError" in str(error):
                raise ToolError(
                    f"{error}. Name it in packages=[…] of the container, or call install() first"
                ) from None
            raise

    def _check_versions(self, shipped: Mapping[str, Any]) -> None:
        """ToolError if functions cannot be sent. They travel as bytecode, which depends on the
        version of Python."""
        assert self._runner is not None
        there, here = (
            ".".join(map(str, version[:2]))
            for version in (self._runner.sandbox.zygote.python, sys.version_info)
        )
        if shipped and there != here:
            raise ToolError(
                f"tool {next(iter(shipped))!r} cannot run in the sandbox: compiled functions do not"
                f" cross versions, and that has Python {there} while this is {here}. Use an image"
                f" with Python {here}, or runs='host'"
            )

    def set_environment(self, variables: dict[str, str | None]) -> None:
        with self._my_turn():
            self._is_fresh = False
            self._ask(messages.SetEnvironment(variables=variables))
            self._environment = {**self._environment, **variables}
            self.commands.set_environment(variables)
            self.events.emit(EnvironmentSet, variables=variables)

    # -- snapshots and forks

    def snapshot(self, label: str) -> Snapshot:
        with self._my_turn():
            self.history.make_room(self._policy.limits.branches - 2)
            connected = self._copy()
            try:
                connection = self._connect(connected.runner, connected.conversation)
            except BaseException:
                connected.runner.discard()
                raise
            session = self.events.session
            made = Snapshot(
                self.history, self.policy, label, self.cells, connected, connection, session
            )
            self.history.add(made)
            self.events.emit(SnapshotTaken, snapshot=made.number, label=made.label)
            return made

    def restore(self, snapshot: Snapshot) -> None:
        with self._my_turn() as old:
            self._check_policy_of(snapshot)
            if old.sandbox.is_shared(old.place):
                raise SandboxFailed(
                    "restore() would take the files away from the executors beside this one; close"
                    " those first, or go back in a fork()"
                )
            self.ended_commands = self.commands.end_all()
            limit = self._policy.limits.frame_bytes
            connected = self._with_room(lambda: snapshot.copy(self._asking, limit, old=old))
            self._use.drop_checkpoint()
            self._disconnect()
            old.signal(signal.SIGKILL)
            if old.sandbox is connected.runner.sandbox:
                try:
                    old.sandbox.zygote.leave(old, is_replaced=True)
                except BaseException:
                    connected.runner.discard()
                    raise
            else:
                connected.runner.sandbox.used_by(1)
                old.end()
            self._continue_with(connected)
            self._is_fresh = False
            self.cells = snapshot.cell
            self.history.at = snapshot
            self._equip()
            self._keep_checkpoint()
            self.events.emit(
                SnapshotRestored,
                snapshot=snapshot.number,
                label=snapshot.label,
                of=snapshot.session,
            )

    def _check_policy_of(self, snapshot: Snapshot) -> None:
        """PolicyError for a snapshot that holds what this session's policy does not allow. It may
        have fewer packages."""
        then, now = snapshot.policy, self.policy
        if replace(then, imports=()) != replace(now, imports=()) or not {*self._policy.imports} <= {
            *then.imports
        }:
            raise PolicyError(
                "that snapshot was made under another policy; an executor goes back only to what"
                " its own policy allows"
            )
        more = {*then.imports} - {*now.imports}
        if more:
            raise PolicyError(
                "that snapshot was made under a policy that allows more"
                f" ({', '.join(sorted(more))}); install here what is missing"
            )

    def fork(self, number: int) -> list[Session]:
        """So many sessions that begin with the state of this one."""
        with self._my_turn() as runner:
            self._check_room(runner.sandbox, number)
            made: list[Session] = []
            try:
                for _ in range(number):
                    connected = self._copy(is_fork=True)
                    connected.runner.sandbox.used_by(1)
                    other = self._derived(self._start_sandbox, self.events.derived(), connected)
                    other.cells, other.history.at = self.cells, self.history.at
                    made.append(other)
            except BaseException:
                for other in made:
                    other.close()
                raise
            self.events.emit(Forked, children=tuple(other.events.session for other in made))
            return made

    def _check_room(self, sandbox: supervisor.Sandbox, more: int) -> None:
        most = self._policy.limits.branches - 2
        if sandbox.users - 1 + more > most:
            raise SandboxFailed(
                f"{more} more are too many: a sandbox has at most {most} snapshots, forks and"
                " executors beside the first; close some, or raise limits.branches"
            )

    def _derived(
        self,
        start: Callable[[Policy], supervisor.Runner],
        events: SessionEvents,
        born: Connected | None = None,
    ) -> Session:
        """Another session with the tools, packages and environment of this one."""
        other = Session(
            self._policy, self.on_output, undoes=self._undoes, born=born, start=start, events=events
        )
        other._tools, other._mathematics = {**self._tools}, self._mathematics
        other._environment = {**self._environment}
        other._add_bundles(self._bundles)
        other.history.keep = self.history.keep
        return other

    def new_context(self) -> Session:
        """Another session in the same sandbox, with the same files and a runner of its own. A cell
        of this one may be running."""
        started = [self._start_beside()]

        def start(policy: Policy) -> supervisor.Runner:
            # If the sandbox has died, it gets another.
            return started.pop() if started else self._start_sandbox(policy)

        try:
            other = self._derived(start, self.events.derived(begins=True))
        except BaseException as error:
            if started:
                started.pop().end()
            if isinstance(error, OSError):
                raise supervisor.exhausted_here(error) from None
            raise
        try:
            with other._my_turn():
                other._equip()
        except BaseException:
            other.close()
            raise
        self.events.emit(OpenedBeside, child=other.events.session)
        return other

    def _start_beside(self) -> supervisor.Runner:
        """One more runner in the same sandbox, with the same files."""
        runner = self._reach()
        sandbox = runner.sandbox
        _check_can_branch(sandbox)
        with sandbox.joining:
            self._check_room(sandbox, 1)
            try:
                return sandbox.zygote.start_beside(sandbox, runner.place)
            except JailUnavailable as error:
                raise SandboxFailed(
                    f"nothing else could be started in this sandbox: {error}"
                ) from None

    def _copy(self, *, is_fork: bool = False) -> Connected:
        runner, connection = self._runner, self._connection
        assert runner is not None and connection is not None
        _check_can_branch(runner.sandbox)
        limit, seed = self._policy.limits.frame_bytes, self._policy.seed if is_fork else None
        copy = functools.partial(
            snapshots.copy_of,
            runner,
            self._asking(connection),
            limit,
            is_fork=is_fork,
            own_random=is_fork,
            seed=seed,
        )
        try:
            return self._with_room(copy)
        except RunnerGone:
            raise self._died() from None
        except WorkerProtocolError:
            self._give_up_runner()
            raise

    def _asking(self, connection: Connection) -> snapshots.Ask:
        """A function that asks a runner something and passes descriptors of this process."""
        return lambda make, handles: self._answer_of(connection, make(), handles=handles)

    def _with_room(self, make: Callable[[], Connected]) -> Connected:
        """Make a copy. If that fails, remove directories without an owner and try again."""
        self._remove_directories(_MANY_DIRECTORIES)
        try:
            return make()
        except (SnapshotGone, WorkerProtocolError):
            raise
        except SandboxFailed:
            if not self._remove_directories(1):
                raise
            return make()

    def _remove_directories(self, least: int) -> bool:
        """Remove directories without an owner, if there are so many."""
        assert self._runner is not None
        sandbox = self._runner.sandbox
        if len(sandbox.left) < least:
            return False
        places, sandbox.left = sandbox.left, []
        self._ask(messages.DropLabs(places=places))
        return True

    # -- programs

    def command(self, order: Order, on_output: OnOutput | None, *, waits: bool = False) -> Command:
        """Start a program in the sandbox. A cell may be running. `waits` says that the caller calls
        `wait()` next."""
        if not self.policy.programs:
            raise PolicyError("commands need the capability programs=True")
        runner = self._reach()
        if not runner.sandbox.is_awake:
            supervisor.RESTS.wake(runner.sandbox)
        self.files.has_changes = True
        number = next(self._command_numbers)

        def end(command: Command, result: CommandResult) -> None:
            self.files.has_changes = True
            self.events.emit(
                CommandEnded,
                number=number,
                exit_code=result.exit_code,
                error=result.error,
                stdout_bytes=len(result.stdout_bytes),
                stderr_bytes=len(result.stderr_bytes),
            )

        self.events.emit(
            CommandStarted,
            number=number,
            line=order.line,
            cwd=order.cwd,
            environment=dict(order.environment),
            stdin=order.stdin,
        )
        clean = self.events.cleaned_bytes if self.events.holds_output else None
        server = self.commands.server(self._open_server)
        command = server.start(Command(server, order, on_output, end, clean), order, waits=waits)
        if not runner.sandbox.is_awake:  # it may have begun to rest before the command was listed
            supervisor.RESTS.wake(runner.sandbox)
        if self._closed:
            self.commands.end_all()
        return command

    def _open_server(self) -> _Server:
        runner = self._reach()
        sandbox = runner.sandbox
        _check_can_branch(sandbox)
        try:
            with sandbox.joining:
                service = sandbox.zygote.start_service(sandbox, runner.place)
        except JailUnavailable as error:
            raise SandboxFailed(
                f"no command server could be started in this sandbox: {error}"
            ) from None
        server = _Server(service, self._policy.limits)
        server.prepare(self._preparations(sandbox.zygote))
        return server

    def _preparations(self, zygote: supervisor.Zygote) -> list[messages.Request]:
        """The messages that prepare a command server: those of `_equip` without tools."""
        made: list[messages.Request] = []
        if zygote.policy != self._policy:
            made.append(messages.Open(policy=self._policy.as_fields()))
        if self._environment:
            made.append(messages.SetEnvironment(variables=self._environment))
        if self._bundles:
            path = [installing.put(zygote, bundle) for bundle in self._bundles if bundle.name]
            made.append(messages.Authorize(imports=[*self.policy.imports], path=path))
        return made


def _check_can_branch(sandbox: supervisor.Sandbox) -> None:
    if sandbox.init is None:
        raise SandboxFailed(
            "this sandbox has one process only, and nothing can be branched: report() says what the"
            " machine or the container lacks"
        )


class SandboxUse:
    """What others know of a session without keeping it alive: its runner, to clean up after it, and
    whether it is in use, to let its sandbox rest."""

    def __init__(self, events: SessionEvents, turn: threading.Lock, commands: CommandHost) -> None:
        self.runner: supervisor.Runner | None = None
        self.standby: socket.socket | None = None
        self.events = events
        self._turn = turn
        self._commands = commands

    @property
    def sandbox(self) -> supervisor.Sandbox | None:
        runner = self.runner
        return None if runner is None else runner.sandbox

    def drop_checkpoint(self) -> None:
        standby, self.standby = self.standby, None
        if standby is not None:
            standby.close()

    def hold(self) -> bool:
        """Keep calls from beginning, if none is in progress and no command runs; returns
        whether."""
        return not self._commands.running and self._turn.acquire(blocking=False)

    def let_go(self) -> None:
        self._turn.release()


def _drop_later(use: SandboxUse) -> None:
    """A session was dropped without being closed. The garbage collector calls this anywhere: it
    must not wait."""
    use.drop_checkpoint()
    if use.runner is not None and use.runner.sandbox.pid == os.getpid():
        use.runner.drop()
        use.events.dropped()


class Values:
    """Values in and out of one sandbox. Objects that cannot be copied stay there; the host holds a
    RemoteObject for each, and `released` lists those that it dropped since the last time."""

    def __init__(self) -> None:
        self._held: dict[int, int] = {}
        """How often the host holds each object."""
        self._dropped: set[int] = set()
        owner = _Owner()
        self._owner = owner
        self.encode = Encoder(pickle=host_pickle, owner=owner).encode
        decoder = Decoder(self._hold)
        self.decode = decoder.decode
        self._decode_call = decoder.decode_call

    def _hold(self, number: int, kind: str, text: str) -> RemoteObject:
        made = RemoteObject(number, kind, text, self._owner)
        self._held[number] = self._held.get(number, 0) + 1
        self._dropped.discard(number)
        weakref.finalize(made, self._release, number).atexit = False
        return made

    def _release(self, number: int) -> None:
        self._held[number] -= 1
        if not self._held[number]:
            del self._held[number]
            self._dropped.add(number)

    def released(self) -> list[int]:
        if not self._dropped:
            return []
        dropped, self._dropped = self._dropped, set()
        return sorted(dropped)

    def arguments(self, message: Any, buffers: list[Any]) -> Any:
        return self._decode_call(message.arguments, buffers)

    def bundle(self, message: Any, buffers: list[Any]) -> dict[str, str | bytes]:
        bundle = self.decode(message.bundle, buffers)
        if type(bundle) is not dict or not all(
            type(k) is str and type(v) in (str, bytes) for k, v in bundle.items()
        ):
            raise WorkerProtocolError("the sandbox sent a display that is not one")
        return bundle

    def reply(
        self, number: int, result: Any, error: BaseException | None
    ) -> tuple[messages.Message, list[Any]]:
        """The answer to a tool call."""
        if error is None:
            try:
                node, buffers = self.encode(result)
                return messages.ToolReturned(call=number, value=node), list(buffers)
            except Exception as cannot:
                error = TypeError(f"what the tool returned cannot be sent: {cannot}")
        kind, args, text = describe_failure(error)
        node, buffers = self.encode(args)
        message = messages.ToolRaised(call=number, error=kind, arguments=node, message=text)
        return message, list(buffers)


class _Owner:
    """The token that marks remote objects as those of one runner."""


def host_pickle(value: Any) -> bytes:
    """An object of the host as bytes; it is unpickled in the jail. cloudpickle includes functions
    and classes of the program itself."""
    import cloudpickle  # type: ignore[import-untyped, unused-ignore]  # late: few values need it

    data: bytes = cloudpickle.dumps(value)
    return data
