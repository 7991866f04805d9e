"""What comes back from a cell. Plain frozen data: every executor returns the same types, whatever
place the code ran in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

Fault = Literal[
    "timeout",
    "memory",
    "processes",
    "files",
    "disk",
    "output",
    "displays",
    "frame",
    "crash",
    "killed",
    "refused",
]
"""Which limit was reached, or what ended the cell:

    timeout     the cell's time, or the process's processor time
    memory      a MemoryError, or the kernel ended the process for want of memory
    processes   no more processes or threads may be started
    files       no more files may be opened
    disk        a file or /lab is full
    output      more was printed than a cell may print
    displays    more was displayed than a cell may display
    frame       a value too large to be sent
    crash       the process ended by itself: a crash of the interpreter, an exit
    killed      the cell was interrupted, or somebody else killed the process
    refused     a rule of the guarded language
"""


UNDONE: frozenset[Fault] = frozenset({"timeout", "memory", "processes"})
"""Faults that end a cell anywhere in the middle though its process lives: what it has done so far
is undone where that can be, and the processes that it started end with it. Not an interruption,
which somebody asked for. A process that dies is another matter: there is nothing left but to go
back."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One place where a cell breaks a rule, with everything a model needs to repair it."""

    line: int
    column: int
    rule: str
    name: str
    reason: str
    hint: str = ""

    def __str__(self) -> str:
        text = f"line {self.line}: {self.name}: {self.reason}"
        return f"{text} ({self.hint})" if self.hint else text


@dataclass(frozen=True, slots=True)
class ErrorInfo:
    """An exception as text. `traceback` shows the frames of the code itself and none of
    fumehood's."""

    type: str
    message: str
    traceback: str
    line: int | None = None

    def __str__(self) -> str:
        return f"{self.type}: {self.message}" if self.message else self.type


@dataclass(frozen=True, slots=True)
class Finding:
    """What a validator found in what a cell gave out, and what was done about it. What it was is
    not told again: only where (`value`, `logs`, `error`, `display`), what kind of thing, how often,
    and who found it."""

    where: str
    kind: str
    action: Literal["report", "redact", "refuse"]
    count: int = 1
    validator: str = ""

    def __str__(self) -> str:
        return f"{self.kind} in {self.where}" + (f", {self.count} times" if self.count > 1 else "")


@dataclass(frozen=True, slots=True)
class Usage:
    """What a cell cost. `peak_memory_bytes` is None where the place cannot tell one cell's memory
    from its host's."""

    wall_seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_memory_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Execution:
    """The whole outcome of one cell. `run` returns this and never raises for what the code did."""

    value: Any = None
    logs: str = ""
    displays: tuple[Any, ...] = ()
    error: ErrorInfo | None = None
    fault: Fault | None = None
    violations: tuple[Violation, ...] = ()
    is_final_answer: bool = False
    imports: tuple[str, ...] = ()
    tool_calls: tuple[str, ...] = ()
    usage: Usage = Usage()
    rolled_back: bool = False
    findings: tuple[Finding, ...] = ()

    def __repr__(self) -> str:
        return _bounded(self)

    @property
    def ok(self) -> bool:
        """Whether the cell came to its end: no exception, no limit, no refusal."""
        return self.error is None


@dataclass(frozen=True, slots=True)
class CodeOutput:
    """What `executor(code)` returns; unpacks as `output, logs, is_final_answer`."""

    output: Any
    logs: str
    is_final_answer: bool

    def __repr__(self) -> str:
        return _bounded(self)

    def __iter__(self) -> Iterator[Any]:
        yield self.output
        yield self.logs
        yield self.is_final_answer


def _bounded(value: Execution | CodeOutput) -> str:
    from fumehood.wire.show import fields_repr  # late: errors.py imports this module

    return fields_repr(value, value.__dataclass_fields__)
