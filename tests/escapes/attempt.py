"""One run of one program, in this process: plainly, by `exec`, or guarded, by fumehood's inline executor.

A run may leave the process in any state, so it is made in a process of its own; see attempt_server.py.
"""

from __future__ import annotations

import collections
import contextvars
import gc
import os
import sys
import tempfile
import traceback
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from . import host_state
from .corpus import Program
from .loot import CANARY, SECRET_TEXT, is_dangerous

# Ample for a program of a few lines, and short enough that a hanging one does not hold up the suite.
TIMEOUT_SECONDS = 5


@dataclass
class Outcome:
    """What a run gave away. Plain data, because it crosses a pipe."""

    loot: list[str] = field(default_factory=list)
    error: str | None = None
    faults: list[str] = field(default_factory=list)
    violations: list[dict[str, Any]] = field(default_factory=list)
    host_changes: list[str] = field(default_factory=list)

    def as_data(self) -> dict[str, Any]:
        return asdict(self)


class HostTrouble(Exception):
    """What the tool `fails` raises: an exception that drags objects of the host along, as real ones do."""


def host_tools(outcome: Outcome) -> dict[str, Callable[..., Any]]:
    held = CANARY

    def loot(thing: Any) -> None:
        """Hand over what was obtained."""
        reason = is_dangerous(thing)
        if reason:
            outcome.loot.append(reason)
        # The closure holds the canary, as the closure of a real tool holds a client or a key.
        assert held is CANARY

    def fails(*, attached: Any = CANARY) -> None:
        """Fail with an error that has objects of the host attached."""
        try:
            raise LookupError(attached)
        except LookupError as first:
            trouble = HostTrouble("the tool failed", attached)
            trouble.obj = attached  # type: ignore[attr-defined]
            raise trouble from first

    def tallies() -> str:
        """Count with a class of the library, as host code does."""
        counted = collections.Counter({"canary": 1})
        counted["canary"] = CANARY  # type: ignore[assignment]
        return str(counted.most_common(1) is not None)

    return {"loot": loot, "fails": fails, "tallies": tallies}


# What a host keeps in context variables (a request, a span, a key) is not for the code it runs.
HOST_CONTEXT: contextvars.ContextVar[Any] = contextvars.ContextVar("HOST_CONTEXT", default=None)


def run(program: Program, how: str, before: host_state.Snapshot) -> Outcome:
    """Run every session of `program`; `how` is "plain" or "guarded". `before` is this process as it is now."""
    outcome = Outcome()
    with tempfile.TemporaryDirectory() as scratch, tempfile.TemporaryFile("w+", encoding="utf-8") as output:
        secret = Path(scratch) / "secret.txt"
        secret.write_text(f"{SECRET_TEXT}\n", encoding="utf-8")
        writable = Path(scratch) / "writable"
        writable.mkdir()
        variables = {"secret_path": str(secret), "scratch_path": str(writable / "made")}
        _catch_standard_output(output.fileno())
        HOST_CONTEXT.set(CANARY)
        # The same functions for every session: what one leaves on a tool, the next would find.
        tools = host_tools(outcome)
        for session in program.sessions:
            runner = _run_plain if how == "plain" else _run_guarded
            try:
                raise HostTrouble(CANARY)
            except HostTrouble:
                # Inside a handler, as hosts often are when they run code: what they handle is not for the code either.
                runner(program, session, {**tools, **variables}, outcome)
        # What the sessions left in cycles is finalized now, while the host runs.
        gc.collect()
        if how == "guarded":
            outcome.host_changes = host_state.differences(before, host_state.take())
        sys.stdout.flush()
        output.seek(0)
        _note_text(outcome, "standard output", output.read())
        if any(writable.iterdir()):
            outcome.loot.append("a file was written")
    return outcome


def _catch_standard_output(descriptor: int) -> None:
    # By descriptor: replacing sys.stdout would hide that a program got hold of the real one.
    os.dup2(descriptor, 1)
    os.dup2(descriptor, 2)


def _note_text(outcome: Outcome, where: str, text: str) -> None:
    if SECRET_TEXT in text:
        outcome.loot.append(f"the secret appeared in the {where}")


def _run_plain(program: Program, session: tuple[str, ...], given: dict[str, Any], outcome: Outcome) -> None:
    namespace = {"__name__": "escape_program", **given}
    for number, cell in enumerate(session, 1):
        try:
            exec(compile(cell, f"{program.name} cell {number}", "exec", dont_inherit=True), namespace)
        except BaseException as error:  # SystemExit too: the run goes on to its verdict
            outcome.error = f"{type(error).__name__}: {error}"
            _note_text(outcome, "traceback", traceback.format_exc())


def _run_guarded(program: Program, session: tuple[str, ...], given: dict[str, Any], outcome: Outcome) -> None:
    from fumehood import LocalPythonExecutor

    executor = LocalPythonExecutor(program.imports, isolation="inline", timeout_seconds=TIMEOUT_SECONDS)
    executor.send_tools({name: thing for name, thing in given.items() if callable(thing)})
    executor.send_variables({name: thing for name, thing in given.items() if not callable(thing)})
    for cell in session:
        execution = executor.run(cell)
        if execution.fault:
            outcome.faults.append(execution.fault)
        for violation in execution.violations:
            outcome.violations.append(
                {
                    "text": str(violation),
                    "name": violation.name,
                    "reason": violation.reason,
                    "line": violation.line,
                }
            )
        reason = is_dangerous(execution.value)
        if reason:
            outcome.loot.append(f"the value of a cell: {reason}")
        _note_text(outcome, "logs", execution.logs)
        if execution.error is not None:
            error = execution.error
            outcome.error = f"{error.type}: {error.message}"
            for part in (error.type, error.message, error.traceback):
                # A subclass of str would bring methods of its own into the host's log.
                assert type(part) is str, f"the host is shown a {type(part)!r} as text"
                _note_text(outcome, "error", part)
    executor.close()
