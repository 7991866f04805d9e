"""RunResult: everything about one run of an agent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from fumehood.agent.metrics import Metrics
from fumehood.agent.steps import ActionStep, PlanningStep, Timing
from fumehood.errors import AgentError
from fumehood.models.messages import TokenUsage
from fumehood.wire.show import fields_repr

State = Literal["success", "max_steps", "timeout", "interrupted", "error"]
"""How a run ended:

    success       the code called final_answer
    max_steps     the steps were used up; the output is the model's summary of what it found
    timeout       the time of the run was used up
    interrupted   somebody called interrupt()
    error         the model gave no answer
"""


@dataclass(slots=True)
class RunResult:
    """How one run went. `output` is the answer, None where there is none; `error` what the run
    ended with if not with success."""

    task: str
    output: Any
    state: State
    steps: list[ActionStep | PlanningStep]
    metrics: Metrics
    timing: Timing
    error: AgentError | None = None

    def __repr__(self) -> str:
        return fields_repr(self, self.__dataclass_fields__)

    @property
    def token_usage(self) -> TokenUsage:
        """Tokens of all calls of the model, plans and summary included."""
        return self.metrics.token_usage

    @property
    def ok(self) -> bool:
        """Whether the code gave a final answer."""
        return self.state == "success"

    def _repr_html_(self) -> str:
        """How a notebook shows it."""
        from fumehood.agent.picture_html import html  # late: it needs what it shows

        return html(self)
