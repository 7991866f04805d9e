"""A sandbox with a past: cells that are undone, snapshots that are restored, forks.

All of it rests on runners that copy themselves (worker/branching.py); this decides with which of
them the executor goes on.
"""

from __future__ import annotations

import contextlib
import signal
import socket
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from fumehood.errors import (
    JailUnavailable,
    PolicyError,
    SandboxFailed,
    SnapshotGone,
    WorkerProtocolError,
)
from fumehood.events import (
    CommandEnded,
    CommandStarted,
    Forked,
    OpenedBeside,
    SnapshotRestored,
    SnapshotTaken,
)
from fumehood.executors import branching, installing, outcomes, room, zygotes
from fumehood.executors.branching import Connected, Snapshot
from fumehood.executors.calls import Tool
from fumehood.executors.commands import Command, CommandResult, OnOutput, Order, _Server
from fumehood.executors.connection import Connection, RunnerGone
from fumehood.executors.equipped import EquippedWorker
from fumehood.policy import Policy
from fumehood.results import UNDONE, Execution
from fumehood.tunnel.channels import name_socket
from fumehood.wire import messages

_MANY_LABS = 8
"""So many labs without an owner are removed together."""


class JailedWorker(EquippedWorker):
    """One sandbox, one cell at a time, and what it was before."""

    # -- going back

    def _keep_checkpoint(self) -> None:
        """Have the runner keep a copy of its state, if there is a reason to and a way. Each
        checkpoint has a socket of its own: the runner closes its end once it has made the
        checkpoint, so that code in a cell never holds it. NoRoom if this process has none for the
        socket: then nothing is run that could not be undone."""
        runner, connection = self._runner, self._connection
        assert runner is not None and connection is not None
        standby, self._standby = self._standby, None
        if standby is not None:
            standby.close()
        if not self._undoes or runner.sandbox.keeper is None:
            return
        runner.sandbox.zygote.widen(runner.sandbox)
        try:
            ours, theirs = socket.socketpair()
        except OSError as error:
            raise room.here(error) from None
        try:
            with theirs:
                name_socket(theirs)
                connection.send_with(messages.KeepCheckpoint(), [theirs.fileno()])
        except BaseException as error:
            ours.close()
            if not isinstance(error, RunnerGone):  # the next request finds out
                raise
        else:
            self._standby = ours

    def _settle(self, execution: Execution, number: int) -> Execution:
        """What a cell leaves behind: its changes, or nothing if they are to be undone."""
        died = self._connection is None
        undo = (
            "fault" in self._undoes
            and (died or execution.fault in UNDONE)
            or "error" in self._undoes
            and execution.error is not None
        )
        if not undo:
            self._is_new = False
            self._mark = number
            self.cells += 1
            if self._standby is not None and not died:
                with contextlib.suppress(SandboxFailed):  # the next cell finds out
                    self._keep_checkpoint()
            return execution
        if self._go_back():
            return outcomes.undone(execution, self.ended_commands)
        return outcomes.lost(execution) if self._connection is None else execution

    def _go_back(self, *, keeps_files: bool = False) -> bool:
        """Go on with the checkpoint of a runner that is dead, or dies now. Without a checkpoint
        there is nothing to go on with, but if the runner had no state yet, a new one is as good.

        The runner and all that it started are ended before the checkpoint is woken, so that none of
        them can answer in its place or stop it."""
        standby, self._standby = self._standby, None
        dead = self._runner
        if standby is None or dead is None or self._closed:
            if standby is not None:
                standby.close()
            return self._is_new
        found = branching.checkpoint_behind(standby)
        if found is None or found[1] < self._mark:
            standby.close()
            if self._connection is not None:
                with contextlib.suppress(SandboxFailed):
                    self._keep_checkpoint()  # the runner lives: it goes on as it is
                return False
            return self._is_new and found is None
        dead.signal(signal.SIGKILL)
        dead.wait()
        self.ended_commands = [command.line for command in self.commands.end_all()]
        try:
            handle = dead.sandbox.zygote.replace(dead, found[0])
            connected, next_standby = branching.take_over(
                dead, handle, standby, self._policy.limits.frame_bytes
            )
        except (OSError, SandboxFailed):  # code has killed or stopped its checkpoint
            standby.close()
            self._disconnect_dead()
            return self._is_new
        dead.output = -1  # it belongs to the next
        dead.close()
        self._live_on(connected, next_standby)
        assert self._connection is not None
        self._connection.drop_output()  # not the next cell's
        try:
            self._ask(
                messages.Resume(
                    id=next(self._numbers),
                    files=not (keeps_files or self._has_shared(connected.runner)),
                )
            )
        except SandboxFailed:
            return self._connection is not None
        except Exception:  # files could not be restored; the variables are
            return True
        return True

    def _has_shared(self, runner: zygotes.Runner) -> bool:
        """Whether files were another executor's too since the last cell began: what that has done
        to them is not this one's to undo."""
        joined, was_shared = self._sharing
        return (
            was_shared or runner.sandbox.is_shared(runner.place) or runner.sandbox.joined != joined
        )

    @property
    def python(self) -> tuple[int, ...]:
        """The version of the sandbox's Python."""
        return self._reach().sandbox.zygote.python

    # -- snapshots and forks

    def snapshot(self, label: str) -> Snapshot:
        with self._my_turn():
            self.history.make_room(self._policy.limits.branches - 2)
            connected = self._copy()
            connection = self._connect(connected.runner, connected.conversation)
            made = Snapshot(
                self.history,
                self.policy,
                label,
                self.cells,
                connected,
                connection,
                self.trail.session,
            )
            self.history.add(made)
            self.trail.tell(SnapshotTaken, snapshot=made.number, label=made.label)
            return made

    def restore(self, snapshot: Snapshot) -> None:
        with self._my_turn():
            self._may_be(snapshot)
            old = self._runner
            assert old is not None
            if old.sandbox.is_shared(old.place):
                raise SandboxFailed(
                    "restore() would take the files away from the executors beside this one; close"
                    " those first, or go back in a fork()"
                )
            self.ended_commands = [command.line for command in self.commands.end_all()]
            limit = self._policy.limits.frame_bytes
            connected = self._with_room(lambda: snapshot.copy(self._asking, limit, old=old))
            self._disconnect()
            old.signal(signal.SIGKILL)
            if old.sandbox is connected.runner.sandbox:
                old.sandbox.zygote.leave(old, is_replaced=True)
            else:
                connected.runner.sandbox.used_by(1)
                old.end()
            self._live_on(connected)
            self._is_new = False
            self.cells = snapshot.cell
            self.history.at = snapshot
            self._equip()
            self._keep_checkpoint()
            self.trail.tell(
                SnapshotRestored,
                snapshot=snapshot.number,
                label=snapshot.label,
                of=snapshot.session,
            )

    def _may_be(self, snapshot: Snapshot) -> None:
        """PolicyError for a snapshot of something that this executor's policy does not allow. Of
        packages it may have fewer."""
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

    def fork(self, number: int) -> list[JailedWorker]:
        """So many workers that begin where this one is."""
        with self._my_turn():
            assert self._runner is not None
            self._see_if_too_many(self._runner.sandbox, number)
            made: list[JailedWorker] = []
            try:
                for _ in range(number):
                    connected = self._copy(is_fork=True)
                    connected.runner.sandbox.used_by(1)
                    trail = self.trail.beside()
                    other = JailedWorker(
                        self._policy,
                        self.on_output,
                        undoes=self._undoes,
                        born=connected,
                        start=self._start_sandbox,
                        trail=trail,
                    )
                    other._have_all_of(self)
                    other.cells = self.cells
                    other.history.keep, other.history.at = self.history.keep, self.history.at
                    made.append(other)
            except BaseException:
                for other in made:
                    other.close()
                raise
            self.trail.tell(Forked, children=tuple(other.trail.session for other in made))
            return made

    def _see_if_too_many(self, sandbox: zygotes.Sandbox, more: int) -> None:
        most = self._policy.limits.branches - 2
        if sandbox.users - 1 + more > most:
            raise SandboxFailed(
                f"{more} more are too many: a sandbox has at most {most} snapshots, forks and"
                " executors beside the first; close some, or raise limits.branches"
            )

    def _have_all_of(self, other: JailedWorker) -> None:
        """Have tools, packages and environment of another worker."""
        self._tools = {name: Tool(name, tool.function, self) for name, tool in other._tools.items()}
        self._mathematics = other._mathematics
        self._environment = {**other._environment}
        self._use(other._bundles)

    def _join(self) -> zygotes.Runner:
        """One more runner in the same sandbox, with the same files. This one's may be running a
        cell."""
        runner = self._reach()
        sandbox = runner.sandbox
        _must_be_able_to_branch(sandbox)
        with sandbox.joining:
            self._see_if_too_many(sandbox, 1)
            try:
                return sandbox.zygote.start_beside(sandbox, runner.place)
            except JailUnavailable as error:
                raise SandboxFailed(
                    f"nothing else could be started in this sandbox: {error}"
                ) from None

    def command(self, order: Order, on_output: OnOutput | None, *, waits: bool = False) -> Command:
        """Start a program in the sandbox. This one may be running a cell. `waits` says that the
        caller calls `wait()` next."""
        if not self.policy.programs:
            raise PolicyError("commands need the capability programs=True")
        runner = self._reach()
        if not runner.sandbox.is_awake:
            zygotes.RESTS.wake(runner.sandbox)
        self.filing.has_changes = True
        number = next(self._command_numbers)

        def end(command: Command, result: CommandResult) -> None:
            self.filing.has_changes = True
            sizes = {
                "stdout_bytes": len(result.stdout_bytes),
                "stderr_bytes": len(result.stderr_bytes),
            }
            self.trail.tell(
                CommandEnded, number=number, exit_code=result.exit_code, error=result.error, **sizes
            )

        self.trail.tell(
            CommandStarted,
            number=number,
            line=order.line,
            cwd=order.cwd,
            environment=dict(order.environment),
            stdin=order.stdin,
        )
        clean = self.trail.cleaned_bytes if self.trail.holds_output else None
        command = self.commands.start(self._open_server, order, on_output, end, clean, waits=waits)
        if self._closed:
            self.commands.end_all()
        return command

    def _open_server(self) -> _Server:
        runner = self._reach()
        sandbox = runner.sandbox
        _must_be_able_to_branch(sandbox)
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

    def _preparations(self, zygote: zygotes.Zygote) -> list[Callable[..., messages.Message]]:
        """What a runner is told before it is used, but for tools, which a command has none of."""
        told: list[Callable[..., messages.Message]] = []
        if zygote.policy != self._policy:
            told.append(partial(messages.Open, policy=self._policy.as_fields()))
        if self._environment:
            told.append(partial(messages.SetEnvironment, variables={**self._environment}))
        if self._bundles:
            path = [installing.put(zygote, bundle) for bundle in self._bundles if bundle.name]
            told.append(partial(messages.Authorize, imports=[*self.policy.imports], path=path))
        return told

    def beside(self) -> JailedWorker:
        """Another worker in the same sandbox, with the same files and a runner of its own. This one
        may be running a cell."""
        started = [self._join()]
        fresh = self._start_sandbox or zygotes.start_sandbox

        def start(policy: Policy) -> zygotes.Runner:
            # If the whole sandbox is gone one day, it gets another.
            return started.pop() if started else fresh(policy)

        trail = self.trail.beside(begins=True)
        try:
            other = JailedWorker(
                self._policy, self.on_output, undoes=self._undoes, start=start, trail=trail
            )
        except BaseException as error:
            if started:
                started.pop().end()
            if isinstance(error, OSError):
                raise room.here(error) from None
            raise
        try:
            other.history.keep = self.history.keep
            other._have_all_of(self)
            with other._my_turn():
                other._equip()
        except BaseException:
            other.close()
            raise
        self.trail.tell(OpenedBeside, child=other.trail.session)
        return other

    def _copy(self, *, is_fork: bool = False) -> Connected:
        runner, connection = self._runner, self._connection
        assert runner is not None and connection is not None
        _must_be_able_to_branch(runner.sandbox)
        limit, seed = self._policy.limits.frame_bytes, self._policy.seed if is_fork else None
        copy = partial(
            branching.copy_of,
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

    def _asking(self, connection: Connection) -> branching.Ask:
        """What asks a runner something over a connection, with descriptors of this process."""

        def ask(make: Callable[..., messages.Message], handles: Sequence[int]) -> Any:
            return self._answer_of(connection, make(id=next(self._numbers)), handles=handles)

        return ask

    def _with_room(self, make: Callable[[], Connected]) -> Connected:
        """Make a copy; if that fails, once more when labs are gone whose owners are."""
        self._drop_labs(_MANY_LABS)
        try:
            return make()
        except (SnapshotGone, WorkerProtocolError):
            raise
        except SandboxFailed:
            if not self._drop_labs(1):
                raise
            return make()

    def _drop_labs(self, most: int) -> bool:
        """Have labs without an owner removed, if there are so many."""
        assert self._runner is not None
        sandbox = self._runner.sandbox
        if len(sandbox.left) < most:
            return False
        places, sandbox.left = sandbox.left, []
        self._ask(messages.DropLabs(id=next(self._numbers), places=places))
        return True


def _must_be_able_to_branch(sandbox: zygotes.Sandbox) -> None:
    if sandbox.keeper is None:
        raise SandboxFailed(
            "this sandbox has one process only, and nothing can be branched: report() says what the"
            " machine or the container lacks"
        )
