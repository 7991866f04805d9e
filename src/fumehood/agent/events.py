"""What happens during a run, as it happens. `for event in agent.run(task, stream=True)` gives
these, in this order:

RunStarted
    PlanningStarted, TextArrived…, PlanningFinished               every `planning_interval` steps
    StepStarted, TextArrived…, CodeParsed, OutputArrived…, StepFinished    for each step
    SummaryStarted, TextArrived…                                  if the steps were used up
RunFinished
"""

from __future__ import annotations

from dataclasses import dataclass

from fumehood.agent.result import RunResult
from fumehood.agent.steps import ActionStep, PlanningStep
from fumehood.models.messages import Image


@dataclass(frozen=True, slots=True)
class RunStarted:
    """A run begins. Runs of managed agents have events of their own, which are not among these."""

    agent: str
    task: str
    max_steps: int
    images: tuple[Image, ...] = ()


@dataclass(frozen=True, slots=True)
class PlanningStarted:
    """The model is asked for a plan."""


@dataclass(frozen=True, slots=True)
class PlanningFinished:
    """There is a plan."""

    step: PlanningStep


@dataclass(frozen=True, slots=True)
class StepStarted:
    """The model is asked what to do next."""

    number: int


@dataclass(frozen=True, slots=True)
class TextArrived:
    """A piece of what the model writes. Only from models that stream, and only if `stream_outputs`
    asks for it."""

    text: str


@dataclass(frozen=True, slots=True)
class CodeParsed:
    """The model has written this, and now it runs."""

    number: int
    thought: str
    code: str


@dataclass(frozen=True, slots=True)
class OutputArrived:
    """A piece of what the code prints, while it runs. Untrusted text: strip control characters
    before a terminal sees it."""

    text: str


@dataclass(frozen=True, slots=True)
class StepFinished:
    """A step is over, well or not."""

    step: ActionStep


@dataclass(frozen=True, slots=True)
class SummaryStarted:
    """The steps are used up; the model is asked to say what it has found."""


@dataclass(frozen=True, slots=True)
class RunFinished:
    """A run is over. The last event, always."""

    result: RunResult


Event = (
    RunStarted
    | PlanningStarted
    | PlanningFinished
    | StepStarted
    | TextArrived
    | CodeParsed
    | OutputArrived
    | StepFinished
    | SummaryStarted
    | RunFinished
)
