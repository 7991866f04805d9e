"""What is said of runs and steps, in words: the same on terminals and in notebooks."""

from __future__ import annotations

from fumehood.agent.console.text import counted, one_line
from fumehood.agent.metrics import Metrics
from fumehood.agent.steps import ActionStep
from fumehood.errors import AgentExecutionError
from fumehood.models.messages import TokenUsage

ENDINGS = {
    "success": ("answer", "green"),
    "max_steps": ("the steps are used up: a summary", "yellow"),
    "timeout": ("the time is used up", "yellow"),
    "interrupted": ("interrupted", "yellow"),
    "error": ("no answer", "red"),
}

FAULTS = {
    "timeout": "it ran out of time",
    "memory": "it ran out of memory",
    "processes": "it started too many processes or threads",
    "files": "it opened too many files",
    "disk": "its disk is full",
    "output": "it printed too much",
    "displays": "it displayed too much",
    "frame": "its value is too large to be sent",
    "crash": "its process ended",
    "killed": "it was interrupted",
}


def totals(metrics: Metrics) -> list[str]:
    """The counts of a run."""
    parts = [
        counted(metrics.steps_used, "step"),
        seconds(metrics.execution_time),
        *tokens(metrics.token_usage),
    ]
    if metrics.error_count:
        parts.append(counted(metrics.error_count, "error"))
    return [part for part in parts if part]


def costs(step: ActionStep) -> list[str]:
    """What a step took."""
    parts = [seconds(step.duration)]
    if step.model_seconds and step.execution is not None:
        parts += [
            f"model {seconds(step.model_seconds)}",
            f"code {seconds(step.usage.wall_seconds)}",
        ]
    return [part for part in (*parts, *tokens(step.token_usage)) if part]


def details(step: ActionStep) -> list[str]:
    """What the sandbox says that a step took and used, and how much of it the model was told."""
    parts, execution = [], step.execution
    if execution is not None:
        parts.append(f"cpu {seconds(execution.usage.cpu_seconds)}")
        if execution.usage.peak_memory_bytes is not None:
            parts.append(f"memory {execution.usage.peak_memory_bytes / (1 << 20):,.1f} MB")
        if execution.imports:
            parts.append(f"imports {one_line(', '.join(execution.imports))}")
        if execution.tool_calls:
            parts.append(f"calls {one_line(', '.join(execution.tool_calls))}")
    parts.append(f"told to the model: {counted(len(step.observations), 'character')}")
    if step.observations_images:
        parts.append(counted(len(step.observations_images), "picture"))
    return parts


def is_of_the_code(step: ActionStep) -> bool:
    """Whether the step's error is what its execution says itself: the code failed, and nothing else
    went wrong."""
    return (
        isinstance(step.error, AgentExecutionError)
        and step.execution is not None
        and step.execution.error is not None
    )


def tokens(usage: TokenUsage) -> list[str]:
    if not usage.total_tokens:
        return []  # a model that does not count
    return [f"{usage.input_tokens:,} tokens in, {usage.output_tokens:,} out"]


def seconds(duration: float | None) -> str:
    """31 ms, 2.4 s, 3 min 05 s."""
    if duration is None:
        return ""
    if duration < 0.0995:
        return f"{duration * 1000:.0f} ms"
    if duration < 59.95:
        return f"{duration:.1f} s"
    minutes, rest = divmod(round(duration), 60)
    return f"{minutes:,} min {rest:02} s"
