"""What is said of a cell whose process died, and of questions that a sandbox refused."""

from __future__ import annotations

import builtins
import signal
from typing import Final, get_args

from fumehood.errors import PolicyError, SandboxFailed
from fumehood.policy import Limits
from fumehood.results import ErrorInfo, Execution, Fault

FAULTS: Final = frozenset({None, *get_args(Fault)})

_LOST = "its variables are lost"

# Signals that a process brings upon itself.
_CRASHES: Final = {
    signal.SIGSEGV: "it touched memory that is not there",
    signal.SIGBUS: "it touched memory that is not there",
    signal.SIGABRT: "it gave up",
    signal.SIGFPE: "an arithmetic error in C code",
    signal.SIGILL: "an instruction that the processor does not know",
    signal.SIGSYS: "a system call of another architecture",
    signal.SIGTRAP: "a breakpoint",
}


def execution(status: int, out_of_memory: int, stopped_for: str | None, limits: Limits) -> Execution:
    """The outcome of a cell whose process ended with `status`: an exit code, or minus a signal."""
    kind, fault, text = _what_happened(status, out_of_memory, stopped_for, limits)
    message = f"{text}; {_LOST}"
    return Execution(error=ErrorInfo(kind, message, f"{kind}: {message}"), fault=fault)


def _what_happened(status: int, out_of_memory: int, stopped_for: str | None, limits: Limits) -> tuple[str, Fault, str]:
    grace = f"and did not end within {limits.grace_seconds:g} s of being stopped, so its process was killed"
    if stopped_for == "timeout":
        return "TimeLimit", "timeout", f"the cell ran longer than {limits.cell_seconds:g} seconds {grace}"
    if stopped_for == "interrupt":
        return "Interrupted", "killed", f"the cell was interrupted {grace}"
    if stopped_for == "output":
        return "OutputLimit", "output", f"the cell printed more than {limits.output_bytes:,} bytes and was killed"
    if status == -signal.SIGKILL and out_of_memory:
        return "MemoryLimit", "memory", "the cell took more memory than the sandbox may have, and the kernel killed it"
    if status == -signal.SIGXCPU or status == -signal.SIGKILL and limits.cpu_seconds is not None:
        return "TimeLimit", "timeout", f"the sandbox used more than {limits.cpu_seconds} seconds of processor time and was killed"
    if status == -signal.SIGKILL:
        return "Killed", "killed", "the cell's process was killed"
    if status < 0:
        number = signal.Signals(-status)
        return "Crashed", "crash", f"the cell's process crashed with {number.name}: {_CRASHES.get(number, 'a signal ended it')}"
    return "Exited", "crash", f"the cell's process ended itself with exit code {status}"


_ERRORS: Final = {
    name: getattr(builtins, name)
    for name in "KeyError ValueError TypeError FileNotFoundError PermissionError IsADirectoryError NotADirectoryError OSError".split()
}


def refusal(kind: str, message: str) -> Exception:
    """The error for what a sandbox answered "no" to. The type is one of a fixed table."""
    if kind == "KeyError":
        return KeyError(message.strip("'\""))
    if kind in ("ForbiddenName", "PolicyError"):
        return PolicyError(message)
    known = _ERRORS.get(kind)
    return known(message) if known is not None else SandboxFailed(f"{kind}: {message}")
