"""What an agent remembers of a run: one record for each thing that happened, in order."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from fumehood.errors import AgentError
from fumehood.models.messages import Image, TokenUsage
from fumehood.results import Execution, Usage
from fumehood.wire.show import fields_repr


@dataclass(slots=True)
class Timing:
    """When something began and ended, in seconds since the epoch. `end_time` is None while it goes
    on."""

    start_time: float
    end_time: float | None = None

    @property
    def duration(self) -> float | None:
        """Seconds from beginning to end; None before that."""
        return None if self.end_time is None else self.end_time - self.start_time


@dataclass(slots=True)
class SystemPromptStep:
    """What the model is told before anything else."""

    system_prompt: str


@dataclass(slots=True)
class TaskStep:
    """What the agent was asked, and the pictures that came with it. `task` names the variables that
    were sent; they are not in it."""

    task: str
    images: tuple[Image, ...] = ()


@dataclass(slots=True)
class PlanningStep:
    """A plan the model made, to be followed by the steps after it."""

    plan: str
    timing: Timing
    token_usage: TokenUsage = field(default_factory=TokenUsage)


@dataclass(slots=True)
class ActionStep:
    """One round: the model wrote something, its code ran, and this came of it."""

    step_number: int
    timing: Timing
    model_output: str = ""
    """The model's whole text."""
    thought: str = ""
    """The part of it that is not code."""
    code_action: str | None = None
    """The code that ran. None if the text held none."""
    execution: Execution | None = None
    """All that the executor says of it. Its `value` and `displays` are given up, oldest first, when
    a run keeps too much."""
    observations: str = ""
    """What the model was told of it, as long as `max_print_outputs_length` allows."""
    observations_images: tuple[Image, ...] = ()
    """The pictures it was shown."""
    action_output: Any = None
    """The value of the code's last statement, or the answer; text in its place if it was given
    up."""
    error: AgentError | None = None
    token_usage: TokenUsage = field(default_factory=TokenUsage)
    model_seconds: float = 0.0
    is_final_answer: bool = False

    def __repr__(self) -> str:
        return fields_repr(self, self.__dataclass_fields__)

    @property
    def duration(self) -> float | None:
        """Seconds from beginning to end; None before that."""
        return self.timing.duration

    @property
    def usage(self) -> Usage:
        """What the cell cost."""
        return Usage() if self.execution is None else self.execution.usage

    @property
    def displays(self) -> tuple[Any, ...]:
        """Mime bundles of plots and other things that the code has shown."""
        return () if self.execution is None else self.execution.displays


@dataclass(slots=True)
class FinalAnswerStep:
    """What a run ended with."""

    output: Any

    def __repr__(self) -> str:
        return fields_repr(self, self.__dataclass_fields__)


Step = SystemPromptStep | TaskStep | PlanningStep | ActionStep | FinalAnswerStep
