"""Replay: the cells of a log run again in fresh sandboxes, with tools that answer from the log,
until something is not as the log says.

The log is walked from its beginning to its end: what the host did then (variables, files, tools,
snapshots, forks) is done again, and each cell runs at the place of its end, when everything that
its tools returned is known. A session is followed to its first difference: after that its variables
are others.
"""

from __future__ import annotations

import contextlib
import os
import platform
import threading
import warnings
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

import fumehood
from fumehood import events
from fumehood.audit.answering import SHEET, Answers, LoggedCall, Unlinked, linked, pair, stub
from fumehood.audit.comparing import Difference, compare
from fumehood.audit.reading import Record
from fumehood.audit.script import Script, place, read_lines
from fumehood.audit.verifying import Verification, verify
from fumehood.errors import AuditError, DangerousImport, FumehoodError, PolicyError
from fumehood.executors.local import LocalPythonExecutor
from fumehood.executors.snapshots import Snapshot
from fumehood.policy import Policy
from fumehood.results import Execution
from fumehood.wire.records import RemoteObject

_PATIENCE = 10.0
"""Seconds beyond what a cell took then that it may wait now for an answer that the log does not
have."""

_SLOWLY = 1.0, 10.0, 40.0
"""A difference may be up to a machine that was too busy to answer calls in parallel in the order of
the log. Then all of it is done once more, and once more, with so many times as much time between
answers."""

Done = Callable[[str, int, bool], object]
"""Called with the session, the number of a cell, and whether it did the same."""


@dataclass(slots=True)
class Replay:
    """What came of it. `differences` has the first of each session, and what else the same cell did
    otherwise."""

    sessions: tuple[str, ...] = ()
    cells: int = 0
    """How many ran again."""
    differences: list[Difference] = field(default_factory=list)
    blocked: list[str] = field(default_factory=list)
    """Where the log does not have what it takes to go on."""
    notes: list[str] = field(default_factory=list)
    """What is to be known of the comparison."""

    @property
    def same(self) -> bool:
        return not self.differences and not self.blocked

    def note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)


def replay(
    path: str | os.PathLike[str],
    session: str = "",
    *,
    key: bytes | str | None = None,
    force: bool = False,
    mounts: bool = False,
    inline: bool = False,
    on_cell: Done | None = None,
) -> Replay:
    """Run the cells of a log again, or those of one session (its id, or the beginning of it) and of
    what it was forked from.

    Raises AuditError if the log is broken or a session began before it; `force` goes on, as well as
    can be. A policy of the log that mounts directories of this machine is followed only with
    `mounts`. Sessions that ran inline run in a jail, unless `inline` says that the code may run in
    this process.
    """
    verification = verify(path, key)
    if verification.broken is not None and not force:
        raise AuditError(
            f"the log is broken and is not replayed: {verification.broken}; force goes on all the"
            " same"
        )
    script = Script.of(path, force)
    chosen = script.chosen(session)
    if not force:
        script.require(chosen)
    for slowly in _SLOWLY:
        result = Replay(tuple(name for name in script.sessions if name in chosen))
        player = _Player(
            result, script, mounts=mounts, inline=inline, on_cell=on_cell, slowly=slowly
        )
        _play(player, path, verification, chosen, force)
        if result.same or not player.raced:
            break
    return result


def _play(
    player: _Player,
    path: str | os.PathLike[str],
    verification: Verification,
    chosen: Collection[str],
    force: bool,
) -> None:
    result, script = player.result, player.script
    if verification.broken is not None:
        result.note(f"the log is broken: {verification.broken}")
    if verification.missing:
        result.note(
            f"{verification.missing:,} events could not be written to the log then: what they told"
            " is missing now"
        )
    for name, line in script.unopened.items():
        if name in chosen:
            result.note(f"session {name} began before the log ({line}), and was not run")
    try:
        for record, event in read_lines(path, force, result.note):
            if record.session in chosen and record.session in script.sessions:
                player.play(record, event)
    finally:
        player.close()


# -- doing it again


@dataclass(slots=True)
class _Stage:
    """A session as it runs again."""

    name: str
    policy: Policy
    options: dict[str, Any]
    executor: LocalPythonExecutor | None = None
    """None once it is not followed any further."""
    tools: dict[str, Callable[..., Any]] = field(default_factory=dict)
    elsewhere: set[str] = field(default_factory=set)
    """Tools that ran in the sandbox itself."""
    code: str | None = None
    cell: int = 0
    calls: dict[int, LoggedCall] = field(default_factory=dict)
    returned: list[LoggedCall] = field(default_factory=list)
    objects: dict[int, RemoteObject] = field(default_factory=dict)
    """What now is the object of the sandbox that the log knows by a number."""


class _Player:
    def __init__(
        self,
        result: Replay,
        script: Script,
        *,
        mounts: bool,
        inline: bool,
        on_cell: Done | None,
        slowly: float,
    ) -> None:
        self.result = result
        self.script = script
        self.raced = False
        """Whether a cell did something else in which calls of tools raced each other."""
        self._slowly = slowly
        self._mounts = mounts
        self._inline = inline
        self._on_cell = on_cell
        self._stages: dict[str, _Stage] = {}
        self._snapshots: dict[tuple[str, int], Snapshot] = {}
        self._uses = script.restores.copy()

    def close(self) -> None:
        for stage in self._stages.values():
            if stage.executor is not None:
                stage.executor.close()

    def play(self, record: Record, event: Any) -> None:
        if isinstance(event, events.SessionOpened):
            self._open(event)
            return
        stage = self._stages.get(record.session)
        if stage is None or stage.executor is None:
            return
        action = _ACTIONS.get(type(event))
        if action is None:
            return
        try:
            action(self, stage, stage.executor, record, event)
        except Unlinked as error:
            self._block(stage, f"{place(record)}: what was sent {error}")
        except (FumehoodError, KeyError, OSError, TypeError, ValueError) as error:
            if isinstance(error, AuditError):
                raise
            self._differ(
                stage,
                record,
                type(event).__name__,
                "it was done",
                f"{type(error).__name__}: {error}",
            )

    # -- sessions

    def _open(self, event: events.SessionOpened) -> None:
        if event.session in self._stages:
            return
        policy = self._policy(event)
        options = {
            name: event.options[name]
            for name in ("on_fault", "on_error")
            if event.options.get(name) in ("keep", "rollback")
        }
        stage = self._stages[event.session] = _Stage(event.session, policy, options)
        self._notes(event, policy)
        if event.parent and event.session in self.script.forked:
            return  # it is made by its parent, when that is forked
        if event.place == "inline" and self._inline:
            options.pop("on_error", None)
            options["isolation"] = "inline"
        stage.executor = self._executor(stage)

    def _executor(self, stage: _Stage) -> LocalPythonExecutor:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DangerousImport)  # whoever ran it then was told
            try:
                return LocalPythonExecutor(policy=stage.policy, **stage.options)
            except PolicyError as error:
                raise AuditError(f"session {stage.name} cannot be replayed here: {error}") from None

    def _policy(self, event: events.SessionOpened) -> Policy:
        fields = event.policy
        if fields.get("mounts") and not self._mounts:
            raise AuditError(
                f"session {event.session} has directories of this machine mounted, which its code"
                " could read or write again; look at them (audit show), and allow it with mounts"
            )
        try:
            return Policy.from_fields(fields)
        except (PolicyError, KeyError, TypeError, ValueError, AttributeError) as error:
            raise AuditError(
                f"session {event.session}: its policy cannot be read: {type(error).__name__}:"
                f" {error}"
            ) from None

    def _notes(self, event: events.SessionOpened, policy: Policy) -> None:
        note = self.result.note
        free = [name for name in ("seed", "clock") if event.policy.get(name) is None]
        if free:
            note(
                f"the policy fixed no {' and no '.join(free)}: what code drew or read of it may"
                " differ"
            )
        if event.python != platform.python_version():
            note(f"the log is of Python {event.python}, this is {platform.python_version()}")
        if event.fumehood != fumehood.__version__:
            note(f"the log is of fumehood {event.fumehood}, this is {fumehood.__version__}")
        if event.place == "inline" and not self._inline:
            note(
                f"session {event.session} ran inline then, and runs in a jail now; objects that"
                " cannot leave a jail look different"
            )
        elif event.place not in ("inline", "jail"):
            note(
                f"session {event.session} ran in {event.place!r} then, and runs in a jail here now"
            )
        if self.script.sessions[event.session].redacts:
            note(
                f"validators redacted what session {event.session} told: arguments and results of"
                " its tools may be others in the log"
            )
        if event.cells and not event.parent:
            note(f"session {event.session} had run {event.cells:,} cells before the log began")

    def _closed(
        self,
        stage: _Stage,
        executor: LocalPythonExecutor,
        record: Record,
        event: events.SessionClosed,
    ) -> None:
        executor.close()
        stage.executor = None

    def _died(
        self,
        stage: _Stage,
        executor: LocalPythonExecutor,
        record: Record,
        event: events.SandboxDied,
    ) -> None:
        if event.kept:
            return
        executor.close()
        stage.executor = self._executor(stage)
        if stage.tools:
            stage.executor.send_tools(stage.tools)

    def _forked(
        self, stage: _Stage, executor: LocalPythonExecutor, record: Record, event: events.Forked
    ) -> None:
        self._give(stage, zip(event.children, executor.fork(len(event.children)), strict=True))

    def _beside(
        self,
        stage: _Stage,
        executor: LocalPythonExecutor,
        record: Record,
        event: events.OpenedBeside,
    ) -> None:
        self._give(stage, [(event.child, executor.beside())])

    def _give(self, stage: _Stage, children: Iterable[tuple[str, LocalPythonExecutor]]) -> None:
        """Give sessions that begin by another one the executors that were made for them."""
        for name, made in children:
            child = self._stages.get(name)
            if child is None:  # its own beginning comes after this line, or it is of no interest
                child = self._stages[name] = _Stage(name, stage.policy, stage.options)
            if child.executor is not None or name not in self.script.forked:
                made.close()  # a log that somebody made up may say so
                continue
            child.executor, child.tools, child.elsewhere = made, {**stage.tools}, {*stage.elsewhere}

    def _snapshot(
        self,
        stage: _Stage,
        executor: LocalPythonExecutor,
        record: Record,
        event: events.SnapshotTaken,
    ) -> None:
        made = executor.snapshot(
            event.label
        )  # in any case: what random numbers forks draw depends on how many copies were made
        if self._uses[stage.name, event.snapshot]:
            self._snapshots[stage.name, event.snapshot] = made
        else:
            made.discard()  # nobody goes back to it, so that it would only take room

    def _restore(
        self,
        stage: _Stage,
        executor: LocalPythonExecutor,
        record: Record,
        event: events.SnapshotRestored,
    ) -> None:
        found = self._snapshots.get((event.of, event.snapshot))
        if found is None:
            self._block(
                stage,
                f"{place(record)}: it goes back to snapshot {event.snapshot} of {event.of}, which"
                " the log does not show",
            )
            return
        executor.restore(found)
        self._uses[event.of, event.snapshot] -= 1
        if not self._uses[event.of, event.snapshot]:
            found.discard()

    # -- what the host sent

    def _tools(
        self, stage: _Stage, executor: LocalPythonExecutor, record: Record, event: events.ToolsSent
    ) -> None:
        made = {name: stub(name, is_async=name in event.asynchronous) for name in event.names}
        stage.tools.update(made)
        stage.elsewhere.update(event.in_sandbox)
        if event.mathematics or stage.cell:
            executor.send_tools(made)
            return
        executor.close()  # these were given when it was made, and bring nothing with them
        stage.options = {
            **stage.options,
            "additional_functions": {**stage.options.get("additional_functions", {}), **made},
        }
        stage.executor = self._executor(stage)

    def _variables(
        self,
        stage: _Stage,
        executor: LocalPythonExecutor,
        record: Record,
        event: events.VariablesSent,
    ) -> None:
        executor.send_variables(linked(event.variables, stage.objects))

    def _deleted(
        self,
        stage: _Stage,
        executor: LocalPythonExecutor,
        record: Record,
        event: events.VariableDeleted,
    ) -> None:
        del executor.state[event.name]

    def _file(
        self,
        stage: _Stage,
        executor: LocalPythonExecutor,
        record: Record,
        event: events.FileWritten,
    ) -> None:
        executor.files.write(event.path, linked(event.content, {}), at=event.at_byte)

    def _removed(
        self,
        stage: _Stage,
        executor: LocalPythonExecutor,
        record: Record,
        event: events.FileRemoved,
    ) -> None:
        executor.files.remove(event.path)

    def _renamed(
        self,
        stage: _Stage,
        executor: LocalPythonExecutor,
        record: Record,
        event: events.FileRenamed,
    ) -> None:
        executor.files.rename(event.path, event.to)

    def _directory(
        self,
        stage: _Stage,
        executor: LocalPythonExecutor,
        record: Record,
        event: events.DirectoryMade,
    ) -> None:
        executor.files.make_directory(event.path)

    def _command(
        self,
        stage: _Stage,
        executor: LocalPythonExecutor,
        record: Record,
        event: events.CommandStarted,
    ) -> None:
        """For what it leaves in files. What it was sent is not in the log, so one that was sent
        something is left out."""
        if not event.stdin:
            executor.commands.run(event.line, cwd=event.cwd, env=event.environment)

    def _environment(
        self,
        stage: _Stage,
        executor: LocalPythonExecutor,
        record: Record,
        event: events.EnvironmentSet,
    ) -> None:
        executor.set_environment(event.variables)

    # -- cells

    def _submitted(
        self,
        stage: _Stage,
        executor: LocalPythonExecutor,
        record: Record,
        event: events.CellSubmitted,
    ) -> None:
        if stage.code is not None:
            self.result.note(
                f"cell {stage.cell} of session {stage.name} has no end in the log, and was not run"
            )
        stage.code, stage.cell = event.code, event.cell
        stage.calls, stage.returned = {}, []

    def _called(
        self, stage: _Stage, executor: LocalPythonExecutor, record: Record, event: events.ToolCalled
    ) -> None:
        stage.calls[event.call] = LoggedCall(
            event.tool, record.fields["args"], record.fields["kwargs"]
        )

    def _returned(
        self,
        stage: _Stage,
        executor: LocalPythonExecutor,
        record: Record,
        event: events.ToolReturned,
    ) -> None:
        call = stage.calls.get(event.call)
        if call is not None and event.cell == stage.cell:
            call.has_returned, call.returned_at = True, event.at
            call.value, call.error = record.fields["value"], event.error
            stage.returned.append(call)
            call.overlapped = len(stage.calls) > len(stage.returned)

    def _finished(
        self,
        stage: _Stage,
        executor: LocalPythonExecutor,
        record: Record,
        event: events.CellFinished,
    ) -> None:
        if stage.code is None or event.cell != stage.cell:
            self.result.note(
                f"cell {event.cell} of session {stage.name} has no beginning in the log, and was"
                " not run"
            )
            return
        redacts = stage.name in self.script.sessions and self.script.sessions[stage.name].redacts
        answers = Answers(
            [*stage.calls.values()],
            stage.returned,
            stage.objects,
            redacts=redacts,
            slowly=self._slowly,
        )
        then, code, stage.code = event.execution, stage.code, None
        now = self._run(executor, code, answers, then)
        not_made = answers.over()
        pair(then.value, now.value, stage.objects)
        before = len(self.result.differences)
        self._judge(stage, record, event, now, answers, not_made)
        self.result.cells += stage.executor is not None
        same = len(self.result.differences) == before and stage.executor is not None
        self.raced |= answers.raced and not same
        if self._on_cell is not None:
            self._on_cell(stage.name, event.cell, same)
        if not same:
            self._leave(stage)

    def _run(
        self, executor: LocalPythonExecutor, code: str, answers: Answers, then: Execution
    ) -> Execution:
        """Run a cell. One that somebody interrupted is interrupted after as long a time; one that
        waits for an answer which never came, some time after that."""
        patience = None
        if then.fault == "killed":
            patience = max(then.usage.wall_seconds, 0.05)
        elif answers.waits_forever:
            patience = then.usage.wall_seconds + _PATIENCE
        timer = None
        if patience is not None:
            timer = threading.Timer(min(patience, threading.TIMEOUT_MAX), executor.interrupt)
            timer.daemon = True
            timer.start()
        token = SHEET.set(answers)
        try:
            return executor.run(code)
        finally:
            SHEET.reset(token)
            if timer is not None:
                timer.cancel()

    def _judge(
        self,
        stage: _Stage,
        record: Record,
        event: events.CellFinished,
        now: Execution,
        answers: Answers,
        not_made: list[LoggedCall],
    ) -> None:
        then = event.execution
        if answers.unanswerable:
            self._block(
                stage,
                f"cell {event.cell} of session {stage.name} cannot run again:"
                f" {answers.unanswerable[0]}",
            )
            return
        if answers.strays:
            what, logged, seen = answers.strays[0]
            if any(seen.startswith(f"{name}(") for name in stage.elsewhere):
                name = seen.partition("(")[0]
                self._block(
                    stage,
                    f"cell {event.cell} of session {stage.name} calls {name}, which ran in the"
                    " sandbox and is not in the log",
                )
            elif (
                then.fault != "killed" or logged != "no such call"
            ):  # it may come further now than it did then
                self._differ(stage, record, what, logged, seen, event.cell)
            return
        if then.fault == "killed":
            self.result.note(
                f"cell {event.cell} of session {stage.name} was interrupted then: it is compared"
                " only up to there"
            )
        value = record.fields["execution"].get("value")
        for what, logged, seen in compare(then, value, now, stage.policy.limits.output_characters):
            self._differ(stage, record, what, logged, seen, event.cell)
        if not_made and then.fault != "killed":
            self._differ(
                stage,
                record,
                "a tool call that is in the log was not made",
                str(not_made[0]),
                "no such call",
                event.cell,
            )

    # -- how it ends

    def _differ(
        self, stage: _Stage, record: Record, what: str, logged: str, now: str, cell: int = 0
    ) -> None:
        self.result.differences.append(
            Difference(stage.name, cell, what, logged, now, place(record))
        )
        if not cell:
            self._leave(stage)

    def _block(self, stage: _Stage, why: str) -> None:
        self.result.blocked.append(why)
        self._leave(stage)

    def _leave(self, stage: _Stage) -> None:
        executor, stage.executor = stage.executor, None
        if executor is not None:
            with contextlib.suppress(FumehoodError):
                executor.close()


_ACTIONS: dict[type, Callable[[_Player, _Stage, LocalPythonExecutor, Record, Any], None]] = {
    events.SessionClosed: _Player._closed,
    events.SandboxDied: _Player._died,
    events.Forked: _Player._forked,
    events.OpenedBeside: _Player._beside,
    events.SnapshotTaken: _Player._snapshot,
    events.SnapshotRestored: _Player._restore,
    events.ToolsSent: _Player._tools,
    events.VariablesSent: _Player._variables,
    events.VariableDeleted: _Player._deleted,
    events.EnvironmentSet: _Player._environment,
    events.FileWritten: _Player._file,
    events.CommandStarted: _Player._command,
    events.FileRemoved: _Player._removed,
    events.FileRenamed: _Player._renamed,
    events.DirectoryMade: _Player._directory,
    events.CellSubmitted: _Player._submitted,
    events.ToolCalled: _Player._called,
    events.ToolReturned: _Player._returned,
    events.CellFinished: _Player._finished,
}
