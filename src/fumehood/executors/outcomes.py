"""What is said of a cell that is over: from the message that ended it, checked field by field, or
from how its process died."""

from __future__ import annotations

import builtins
import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, get_args

from fumehood.errors import PolicyError, SandboxFailed, ToolError, WorkerProtocolError
from fumehood.executors.cell import Cell, Printed
from fumehood.policy import Limits, in_words
from fumehood.results import ErrorInfo, Execution, Fault, Usage, Violation

FAULTS: Final = frozenset({None, *get_args(Fault)})

_AN_AGE = 1 << 60
"""Nanoseconds that nothing takes: some thirty years."""

_LOST = "its variables are lost"
_KEPT = "the variables are as they were before it"

# Signals that a process brings upon itself.
_CRASHES: Final[dict[int, str]] = {
    signal.SIGSEGV: "it touched memory that is not there",
    signal.SIGBUS: "it touched memory that is not there",
    signal.SIGABRT: "it gave up",
    signal.SIGFPE: "an arithmetic error in C code",
    signal.SIGILL: "an instruction that the processor does not know",
    signal.SIGSYS: "a system call of another architecture",
    signal.SIGTRAP: "a breakpoint",
}


def of_finished(
    message: Any,
    buffers: list[Any],
    decode: Callable[[Any, list[Any]], Any],
    cell: Cell,
    printed: Printed,
) -> Execution:
    """The outcome that a sandbox tells of, with what the host saw of the cell. WorkerProtocolError
    if it tells it wrongly."""
    try:
        error = (
            None
            if message.error is None
            else ErrorInfo(*_typed(message.error, str, str, str, (int, type(None))))
        )
        violations = (
            tuple(
                Violation(*_typed(row, int, int, str, str, str, str)) for row in message.violations
            )
            if message.violations
            else ()
        )
    except (TypeError, ValueError) as wrong:
        raise WorkerProtocolError(f"the sandbox described an error wrongly: {wrong}") from None
    if message.fault not in FAULTS:
        raise WorkerProtocolError("the sandbox told of a fault that there is not")
    if not (0 <= message.wall < _AN_AGE and 0 <= message.cpu < _AN_AGE):
        raise WorkerProtocolError("the sandbox told of a time that cannot be")
    return Execution(
        value=decode(message.value, buffers),
        logs=printed.text(),
        displays=tuple(cell.displays),
        error=error,
        fault=message.fault,
        violations=violations,
        is_final_answer=message.is_final_answer,
        imports=tuple(message.imports),
        tool_calls=tuple(cell.called),
        usage=Usage(message.wall * 1e-9, message.cpu * 1e-9, message.peak_memory),
    )


def of_violation(error: WorkerProtocolError, cell: Cell, printed: Printed) -> Execution:
    return _without_end(
        ErrorInfo("WorkerProtocolError", str(error), f"WorkerProtocolError: {error}; {_LOST}"),
        "crash",
        cell,
        printed,
    )


def undone(execution: Execution, ended: Sequence[str] = ()) -> Execution:
    """The same, once the sandbox has gone back. `ended` are commands that were running."""
    error = execution.error
    logs = "".join(f"[the rollback ended the command: {line[:200]}]\n" for line in ended)
    if logs:
        execution = replace(execution, logs=execution.logs + logs)
    if error is not None and error.message.endswith(_LOST):
        kept = error.message.removesuffix(_LOST) + _KEPT
        error = replace(error, message=kept, traceback=f"{error.type}: {kept}")
    elif error is not None:  # the message is the exception's own
        error = replace(error, traceback=f"{error.traceback}\nThe cell was undone: {_KEPT}.")
    return replace(execution, error=error, rolled_back=True)


def lost(execution: Execution) -> Execution:
    """The same, once the sandbox was to go back and is gone instead: whatever the cell came to,
    nothing is left of what was before it."""
    error = execution.error
    if error is None or error.message.endswith(_LOST):
        return execution
    message = f"{error.message}; {_LOST}"
    return replace(
        execution,
        error=replace(
            error, message=message, traceback=f"{error.traceback}\n{_LOST[:1].upper()}{_LOST[1:]}."
        ),
    )


def _without_end(error: ErrorInfo, fault: Fault, cell: Cell, printed: Printed) -> Execution:
    """The outcome of a cell whose sandbox did not live to tell: what the host saw of it."""
    return Execution(
        logs=printed.text(),
        displays=tuple(cell.displays),
        error=error,
        fault=fault,
        tool_calls=tuple(cell.called),
        usage=Usage(time.monotonic() - cell.clock.began, 0.0, None),
    )


def _typed(values: list[Any], *types: Any) -> list[Any]:
    for value, kind in zip(values, types, strict=True):
        if not isinstance(value, kind):
            raise TypeError(f"{type(value).__name__} where another type belongs")
    return values


def of_death(
    status: int,
    out_of_memory: int,
    cell: Cell,
    printed: Printed,
    limits: Limits,
    gone: SandboxFailed | None = None,
) -> Execution:
    """The outcome of a cell whose process ended with `status`: an exit code, or minus a signal.
    `gone` says what became of the place where it ran, if that is no more."""
    kind, fault, text = _what_happened(status, out_of_memory, cell, limits)
    if gone is not None and fault == "killed":
        kind, text = type(gone).__name__, str(gone)
    message = f"{text}; {_LOST}"
    return _without_end(ErrorInfo(kind, message, f"{kind}: {message}"), fault, cell, printed)


def _what_happened(
    status: int, out_of_memory: int, cell: Cell, limits: Limits
) -> tuple[str, Fault, str]:
    stopped_for = cell.stopped_for
    grace = (
        f"and did not end within {limits.grace_seconds:g} s of being stopped, so its process was"
        " killed"
    )
    if stopped_for == "timeout":
        what = (
            f"the cell's displays took longer than {in_words(limits.display_seconds)}"
            if cell.clock.is_displaying
            else f"the cell ran longer than {in_words(limits.cell_seconds or 0)}"
        )
        return "TimeLimit", "timeout", f"{what} {grace}"
    if stopped_for == "interrupt":
        return "Interrupted", "killed", f"the cell was interrupted {grace}"
    if stopped_for == "output":
        return (
            "OutputLimit",
            "output",
            f"the cell printed more than {limits.output_bytes:,} bytes and was killed",
        )
    if status == -signal.SIGKILL and out_of_memory:
        return (
            "MemoryLimit",
            "memory",
            "the cell took more memory than the sandbox may have, and the kernel killed it",
        )
    if status == -signal.SIGXCPU or status == -signal.SIGKILL and limits.cpu_seconds is not None:
        return (
            "TimeLimit",
            "timeout",
            (
                f"the sandbox used more than {in_words(limits.cpu_seconds or 0)} of processor time"
                " and was killed"
            ),
        )
    if status == -signal.SIGKILL:
        return "Killed", "killed", "the cell's process was killed"
    if status < 0:
        return (
            "Crashed",
            "crash",
            (
                f"the cell's process crashed with {_signal_name(-status)}:"
                f" {_CRASHES.get(-status, 'a signal ended it')}"
            ),
        )
    return "Exited", "crash", f"the cell's process ended itself with exit code {status}"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # a real-time signal has none
        return f"signal {number}"


_ERRORS: Final = {
    name: getattr(builtins, name)
    for name in (
        "KeyError ValueError TypeError FileNotFoundError FileExistsError PermissionError"
        " IsADirectoryError NotADirectoryError OSError"
    ).split()
}


def refusal(kind: str, message: str) -> Exception:
    """The error for what a sandbox answered "no" to. The type is one of a fixed table."""
    if kind == "KeyError":
        return KeyError(message.strip("'\""))
    if kind in ("ForbiddenName", "PolicyError"):
        return PolicyError(message)
    if kind == "ToolError":
        return ToolError(message)
    known = _ERRORS.get(kind)
    return known(message) if known is not None else SandboxFailed(f"{kind}: {message}")
