"""AgentMemory: everything that has happened to an agent, and how it is told to the model."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from fumehood.agent.steps import (
    ActionStep,
    FinalAnswerStep,
    PlanningStep,
    Step,
    SystemPromptStep,
    TaskStep,
)
from fumehood.models.messages import ChatMessage

KEPT_BYTES = 64 << 20
"""How much of values and displays the steps of a memory keep alive, estimated. The newest are
kept."""


class AgentMemory:
    """The steps so far. `reset()` forgets them all but what the model is told first."""

    def __init__(
        self, system_prompt: str, follow_plan: str = "Go on, following this plan."
    ) -> None:
        self.system_prompt = SystemPromptStep(system_prompt)
        self.steps: list[TaskStep | PlanningStep | ActionStep | FinalAnswerStep] = []
        self._follow_plan = follow_plan
        self._told: dict[int, tuple[tuple[Any, ...], tuple[ChatMessage, ...]]] = {}
        self._sizes: dict[int, int] = {}

    def reset(self) -> None:
        """Forget all steps."""
        self.steps.clear()
        self._sizes.clear()
        self._told.clear()

    def add(self, step: TaskStep | PlanningStep | ActionStep | FinalAnswerStep) -> None:
        """Remember a step. When values and displays of all steps are too much to keep, those of the
        oldest are given up."""
        self.steps.append(step)
        if isinstance(step, ActionStep):
            self._make_room(step)

    def messages(self) -> list[ChatMessage]:
        """The conversation, as a model takes it: after the system's message users and assistant
        take turns."""
        conversation = [ChatMessage("system", self.system_prompt.system_prompt)]
        for step in self.steps:
            for message in self._messages_of(step):
                last = conversation[-1]
                if last.role == message.role:
                    conversation[-1] = replace(
                        last,
                        content=f"{last.content}\n\n{message.content}",
                        images=last.images + message.images,
                    )
                else:
                    conversation.append(message)
        return conversation

    def _messages_of(self, step: Step) -> tuple[ChatMessage, ...]:
        """What a step is told as; the same objects as last time unless somebody has changed it
        since."""
        if not isinstance(step, ActionStep):
            return tuple(self._say(step))
        state = (step.model_output, step.observations, step.observations_images)
        known = self._told.get(id(step))
        if known is not None and all(map(operator.is_, known[0], state)):
            return known[1]
        said = tuple(self._say(step))
        self._told[id(step)] = (state, said)
        return said

    def _say(self, step: Step) -> Iterator[ChatMessage]:
        if isinstance(step, TaskStep):
            yield ChatMessage("user", step.task, step.images)
        elif isinstance(step, PlanningStep):
            yield ChatMessage("assistant", step.plan)
            yield ChatMessage("user", self._follow_plan)
        elif isinstance(step, ActionStep):
            if step.model_output.strip():  # servers refuse an empty message of the assistant
                yield ChatMessage("assistant", step.model_output)
            yield ChatMessage(
                "user",
                step.observations or "The step had no output.",
                tuple(step.observations_images or ()),
            )
        elif isinstance(step, FinalAnswerStep):
            return

    def _make_room(self, newest: ActionStep) -> None:
        """Give up values and displays of the oldest steps while all of them together are too
        much."""
        self._sizes[id(newest)] = size_of(newest.action_output) + sum(map(size_of, newest.displays))
        if sum(self._sizes.values()) <= KEPT_BYTES:
            return
        for step in self.steps:
            if step is newest or not isinstance(step, ActionStep):
                continue
            if sum(self._sizes.values()) <= KEPT_BYTES:
                break
            if self._sizes.get(id(step)):
                self._sizes[id(step)] = 0
                given_up = f"{type(step.action_output).__name__}, given up to save memory"
                step.action_output = None if step.action_output is None else given_up
                if step.execution is not None:
                    step.execution = replace(step.execution, value=step.action_output, displays=())

    def full_steps(self) -> list[dict[str, Any]]:
        """The steps as plain data: every field, values as they are."""
        return [
            {
                "kind": type(step).__name__,
                **{name: getattr(step, name) for name in step.__dataclass_fields__},
            }
            for step in self.steps
        ]

    get_full_steps = full_steps

    def return_full_code(self) -> str:
        """All code that ran, in order."""
        return "\n\n".join(
            step.code_action
            for step in self.steps
            if isinstance(step, ActionStep) and step.code_action is not None
        )


def size_of(value: Any) -> int:
    """Roughly how many bytes a value holds. Looks at a bounded number of its parts and takes the
    others to be like them."""
    size, stack, looked_at = 0, [(value, 1.0)], 0
    while stack and looked_at < 2_000:
        part, weight = stack.pop()
        looked_at += 1
        if isinstance(part, (str, bytes, bytearray)):
            size += int(len(part) * weight)
        elif isinstance(part, (list, tuple, set, frozenset, dict)):
            pairs = part.items() if isinstance(part, dict) else part
            sample = [item for item, _ in zip(pairs, range(50), strict=False)]
            size += int((56 + 8 * len(part)) * weight)
            stack += [(item, weight * len(part) / len(sample)) for item in sample]
        else:
            size += int(_native_size(part) * weight)
    return size


def _native_size(value: Any) -> int:
    """Arrays and tables say what they hold."""
    try:
        if hasattr(value, "memory_usage"):
            usage = value.memory_usage()
            return int(usage if isinstance(usage, int) else usage.sum())
        return int(getattr(value, "nbytes", 0)) or 64
    except Exception:
        return 64
