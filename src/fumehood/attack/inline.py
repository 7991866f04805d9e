"""Runs programs inline, each in a process of its own: a run may leave its process in any state, and
none may run after another in it.

Starting a fresh interpreter for each would take minutes. One process imports what the runs share,
runs none of them itself, and forks a child for each.
"""

from __future__ import annotations

import ast
import contextvars
import gc
import importlib
import json
import os
import select
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fumehood.attack import host_state, words
from fumehood.attack.canaries import Canaries
from fumehood.attack.configurations import Configuration
from fumehood.attack.corpus import Program
from fumehood.attack.loot import CANARY, SECRET_TEXT, is_dangerous
from fumehood.attack.outcomes import Outcome
from fumehood.attack.tools import HostTrouble, host_tools, plain_tools

SECRET_VARIABLE = "FUMEHOOD_ESCAPE_SECRET"
# Ample for a program of a few lines, and short enough that a hanging one does not hold up the
# suite.
TIMEOUT_SECONDS = 5.0
DEADLINE_SECONDS = 30.0

# What a host keeps in context variables (a request, a span, a key) is not for the code it runs.
HOST_CONTEXT: contextvars.ContextVar[Any] = contextvars.ContextVar("HOST_CONTEXT", default=None)

RunSession = Callable[[Program, tuple[str, ...], dict[str, Any], Outcome], None]


class ChildDied(Exception):
    """A run ended its process, or had to be killed."""


class InlineRuns:
    """Runs programs in children of this process, which must have no threads."""

    def __init__(self, configuration: Configuration, directory: Path) -> None:
        self.configuration = configuration
        self._directory = directory
        self._prepared: set[str] = set()
        self._before = host_state.Snapshot()
        os.environ[SECRET_VARIABLE] = SECRET_TEXT

    def run(self, program: Program) -> Outcome:
        """What became of it. A child that died is a finding: the host would have."""
        self.prepare({*program.imports, *self.configuration.imports, "fumehood"})
        try:
            if program.language == "check" and (refused := self._refused_unrun(program)):
                return refused
            if program.judges_itself:
                return self._run_judging(program)
            return in_a_child(lambda: attempt(program, self._run_session, self._before))
        except ChildDied as died:
            return Outcome(ending="fault crash", findings=[f"the host's process ended: {died}"])

    def prepare(self, modules: set[str]) -> host_state.Snapshot:
        """Import what a run needs; what a child finds changed, it has changed since."""
        if not modules <= self._prepared or not self._before.namespaces:
            for module in sorted(modules):
                importlib.import_module(module)
            if "fumehood" in modules:
                _warm_up(sorted(modules - {"fumehood"}))
            self._prepared |= modules
            self._before = host_state.take()
            # A collection in a child would copy every page that the shared objects are on.
            gc.freeze()
        return self._before

    def _refused_unrun(self, program: Program) -> Outcome | None:
        """What the rules say of it, if they refuse every cell: what is refused never runs, so there
        is nothing to have a child for. Of those that judge themselves some would do harm here if
        they ran: they are refused, or not run."""
        from fumehood.language.guarded.compile import check_source

        policy = self.configuration.policy_for(program)
        cells = words.cells_of(program, guarded=True) if program.judges_itself else program.cells
        found = [check_source(cell, policy) for cell in cells]
        if program.judges_itself and not any(found):
            return Outcome(ending="escaped", value="the rules do not refuse it")
        if not program.judges_itself and not all(found):
            return None
        told = [
            {"text": str(v), "name": v.name, "reason": v.reason, "line": v.line}
            for violations in found
            for v in violations
        ]
        return Outcome(ending="fault refused", faults=["refused"], violations=told)

    def _run_judging(self, program: Program) -> Outcome:
        cells = words.cells_of(program, guarded=True)
        canaries = Canaries(self._directory)

        def run() -> Outcome:
            outcome = Outcome()
            self._run_session(
                program,
                cells,
                {**plain_tools(outcome), **canaries.variables, "neighbour_file": "none"},
                outcome,
            )
            return outcome

        try:
            outcome = in_a_child(run)
            outcome.findings += canaries.findings()
        finally:
            canaries.close()
        told_text = json.dumps(outcome.as_data())
        outcome.leaks = sorted(token for token in canaries.tokens if token in told_text)
        return outcome

    def _run_session(
        self, program: Program, session: tuple[str, ...], given: dict[str, Any], outcome: Outcome
    ) -> None:
        seconds = program.limits["cell_seconds"] if "limits" in program.fields else TIMEOUT_SECONDS
        run_guarded(
            session, given, outcome, (*self.configuration.imports, *program.imports), seconds
        )

    def close(self) -> None:
        os.environ.pop(SECRET_VARIABLE, None)


def _warm_up(modules: list[str]) -> None:
    """Have the views of modules made here: a child would make those that it uses anew, which takes
    longer than all else that it does."""
    from fumehood.default_imports import DEFAULT_IMPORTS
    from fumehood.executors.local import LocalPythonExecutor

    with LocalPythonExecutor(modules, isolation="inline") as executor:
        executor.run(
            "\n".join(
                f"try:\n    import {name}\nexcept ImportError:\n    pass"
                for name in (*DEFAULT_IMPORTS, *modules)
            )
        )


def attempt(
    program: Program, run_session: RunSession, before: host_state.Snapshot | None
) -> Outcome:
    """Run every session of a program that hands over loot. `before` is this process as it is now,
    if changes are to be looked for."""
    outcome = Outcome()
    with (
        tempfile.TemporaryDirectory() as scratch,
        tempfile.TemporaryFile("w+", encoding="utf-8") as output,
    ):
        secret = Path(scratch) / "secret.txt"
        secret.write_text(f"{SECRET_TEXT}\n", encoding="utf-8")
        writable = Path(scratch) / "writable"
        writable.mkdir()
        variables = {"secret_path": str(secret), "scratch_path": str(writable / "made")}
        # By descriptor: replacing sys.stdout would hide that a program got hold of the real one.
        os.dup2(output.fileno(), 1)
        os.dup2(output.fileno(), 2)
        HOST_CONTEXT.set(CANARY)
        # The same functions for every session: what one leaves on a tool, the next would find.
        tools = host_tools(outcome)
        for session in program.sessions:
            try:
                raise HostTrouble(CANARY)
            except HostTrouble:
                # Inside a handler, as hosts often are when they run code: what they handle is not
                # for the code either.
                run_session(program, session, {**tools, **variables}, outcome)
        # What the sessions left in cycles is finalized now, while the host runs.
        gc.collect()
        if before is not None:
            outcome.host_changes = host_state.differences(before, host_state.take())
        sys.stdout.flush()
        output.seek(0)
        note_text(outcome, "standard output", output.read())
        if any(writable.iterdir()):
            outcome.loot.append("a file was written")
    return outcome


def note_text(outcome: Outcome, where: str, text: str) -> None:
    if SECRET_TEXT in text:
        outcome.loot.append(f"the secret appeared in the {where}")


def run_guarded(
    session: tuple[str, ...],
    given: dict[str, Any],
    outcome: Outcome,
    imports: tuple[str, ...] = (),
    seconds: float = TIMEOUT_SECONDS,
) -> None:
    """Run the cells of a session under the rules of the language, in this process."""
    from fumehood.executors.local import LocalPythonExecutor

    executor = LocalPythonExecutor(imports, isolation="inline", timeout_seconds=seconds)
    executor.send_tools({name: thing for name, thing in given.items() if callable(thing)})
    executor.send_variables({name: thing for name, thing in given.items() if not callable(thing)})
    for cell in session:
        execution = executor.run(cell)
        value = execution.value if type(execution.value) is str else ""
        outcome.ending = (
            "escaped"
            if value.startswith("ESCAPED")
            else "held"
            if value.startswith("held")
            else "nothing"
        )
        outcome.value = value[:4000]
        if execution.fault:
            outcome.faults.append(execution.fault)
            outcome.ending = f"fault {execution.fault}"
        outcome.violations += [
            {"text": str(each), "name": each.name, "reason": each.reason, "line": each.line}
            for each in execution.violations
        ]
        reason = is_dangerous(execution.value)
        if reason:
            outcome.loot.append(f"the value of a cell: {reason}")
        note_text(outcome, "logs", execution.logs)
        if execution.error is not None:
            error = execution.error
            outcome.error = f"{error.type}: {error.message}"[:4000]
            outcome.ending = outcome.ending if execution.fault else f"error {error.type}"
            for part in (error.type, error.message, error.traceback):
                if type(part) is not str:
                    # A subclass of str would bring methods of its own into the host's log.
                    outcome.host_changes.append(f"the host is shown a {type(part)!r} as text")
                note_text(outcome, "error", part)
    executor.close()


def in_a_child(run: Callable[[], Outcome]) -> Outcome:
    """What `run` gives in a child of this process. ChildDied if it gave nothing, or nothing in
    time."""
    readable, writable = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(readable)
        try:
            answer = run().as_data()
        except BaseException:  # whatever it is, it must be heard of
            answer = {"died": traceback.format_exc()}
        # By the interpreter's own repr: json is one of the libraries that programs change.
        _write_all(writable, repr(answer).encode())
        # Not sys.exit: exit hooks and finalizers that the program left behind belong to it, not to
        # this process.
        os._exit(0)
    os.close(writable)
    text = _read_all(readable, child)
    _, status = os.waitpid(child, 0)
    answer = (
        ast.literal_eval(text)
        if text
        else {"died": f"no answer; the process ended with {os.waitstatus_to_exitcode(status)}"}
    )
    if "died" in answer:
        raise ChildDied(answer["died"])
    return Outcome(**answer)


def _write_all(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]


def _read_all(descriptor: int, child: int) -> str:
    chunks = []
    deadline = time.monotonic() + DEADLINE_SECONDS
    while select.select([descriptor], [], [], max(0.0, deadline - time.monotonic()))[0]:
        chunk = os.read(descriptor, 65536)
        if not chunk:
            break
        chunks.append(chunk)
    else:
        os.kill(child, signal.SIGKILL)
        chunks = []
    os.close(descriptor)
    return b"".join(chunks).decode()
