"""What runs cost and did: counted for each run, and for an agent over all of its runs."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any

from fumehood.agent.steps import ActionStep, PlanningStep, Step
from fumehood.models.messages import TokenUsage


@dataclass(slots=True)
class Metrics:
    """Counts of one run, or sums over several."""

    runs: int = 0
    steps_used: int = 0
    token_usage: TokenUsage = field(default_factory=TokenUsage)
    execution_time: float = 0.0
    """Seconds from the start of each run to its end."""
    model_seconds: float = 0.0
    """Seconds of that spent waiting for the model."""
    cell_seconds: float = 0.0
    """Seconds of that spent running code, waits for tools included."""
    error_count: int = 0
    """Steps that went wrong: code that failed or was refused, text without code, an answer that a
    check refused."""
    faults: Counter[str] = field(default_factory=Counter)
    """Limits reached and crashes, by kind."""
    imports_used: tuple[str, ...] = ()
    """The modules that code has imported, sorted."""
    tool_calls: Counter[str] = field(default_factory=Counter)
    """How often each tool was called."""
    code_cells: list[str] = field(default_factory=list)
    """Every piece of code that ran, in order."""

    @property
    def total_tokens(self) -> int:
        """Both ways together."""
        return self.token_usage.total_tokens

    def count(self, step: Step) -> None:
        """Add one step."""
        if isinstance(step, PlanningStep):
            self.token_usage += step.token_usage
            self.model_seconds += step.timing.duration or 0.0
        if not isinstance(step, ActionStep):
            return
        self.steps_used += 1
        self.token_usage += step.token_usage
        self.model_seconds += step.model_seconds
        self.error_count += step.error is not None
        if step.code_action is not None:
            self.code_cells.append(step.code_action)
        if step.execution is not None:
            self.cell_seconds += step.execution.usage.wall_seconds
            self.imports_used = tuple(sorted({*self.imports_used, *step.execution.imports}))
            self.tool_calls.update(step.execution.tool_calls)
            if step.execution.fault is not None:
                self.faults[step.execution.fault] += 1

    def add(self, other: Metrics) -> None:
        """Add another run's."""
        self.runs += other.runs
        self.steps_used += other.steps_used
        self.token_usage += other.token_usage
        self.execution_time += other.execution_time
        self.model_seconds += other.model_seconds
        self.cell_seconds += other.cell_seconds
        self.error_count += other.error_count
        self.faults.update(other.faults)
        self.imports_used = tuple(sorted({*self.imports_used, *other.imports_used}))
        self.tool_calls.update(other.tool_calls)
        self.code_cells += other.code_cells

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain data, for a log."""
        return {
            **asdict(self),
            "faults": dict(self.faults),
            "tool_calls": dict(self.tool_calls),
            "total_tokens": self.total_tokens,
        }
