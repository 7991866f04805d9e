"""What a cell has come to, before it is told to anybody."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fumehood.results import ErrorInfo, Execution, Fault, Usage, Violation


@dataclass(slots=True)
class Outcome:
    """As an Execution, which is what callers get; this one is made quickly, and can still be
    changed. `wall` and `cpu` are nanoseconds."""

    value: Any
    logs: str
    error: ErrorInfo | None
    fault: Fault | None
    violations: tuple[Violation, ...]
    is_final_answer: bool
    imports: tuple[str, ...]
    wall: int
    cpu: int

    def as_execution(self) -> Execution:
        return Execution(
            value=self.value,
            logs=self.logs,
            error=self.error,
            fault=self.fault,
            violations=self.violations,
            is_final_answer=self.is_final_answer,
            imports=self.imports,
            usage=Usage(self.wall * 1e-9, self.cpu * 1e-9),
        )

    @property
    def is_plain(self) -> bool:
        """Whether there is nothing to tell but a value. (What was refused is an error, too.)"""
        is_good = self.error is None and self.fault is None
        return is_good and not self.is_final_answer and not self.imports

    def without_value(self, kind: str, text: str, fault: Fault) -> Outcome:
        """The same, with an error in the place of a value that cannot be told."""
        self.value, self.error, self.fault = None, ErrorInfo(kind, text, f"{kind}: {text}"), fault
        return self
