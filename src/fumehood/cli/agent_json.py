"""A run as JSON, and its answer as text."""

from __future__ import annotations

import math
from typing import Any

from fumehood.agent.console.values import value_text
from fumehood.agent.result import RunResult
from fumehood.agent.steps import ActionStep, PlanningStep
from fumehood.cli.render import execution_as_json
from fumehood.models.messages import TokenUsage

_MOST_PARTS = 100_000
_MOST_CHARACTERS = 10_000_000
_MOST_BITS = 10_000  # Python refuses to spell out larger integers


def result_as_json(result: RunResult) -> dict[str, Any]:
    """`output` is the answer if JSON can say it, else null; `output_text` is what is printed
    without --json."""
    metrics = result.metrics
    return {
        "task": result.task,
        "state": result.state,
        "output": result.output if is_plain(result.output, json=True) else None,
        "output_text": None if result.output is None else answer_text(result.output),
        "error": _error(result.error),
        "steps": [
            _plan(step) if isinstance(step, PlanningStep) else _step(step) for step in result.steps
        ],
        "metrics": {
            "steps_used": metrics.steps_used,
            "tokens": _tokens(metrics.token_usage),
            "execution_time": metrics.execution_time,
            "model_seconds": metrics.model_seconds,
            "cell_seconds": metrics.cell_seconds,
            "error_count": metrics.error_count,
            "faults": dict(metrics.faults),
            "imports_used": list(metrics.imports_used),
            "tool_calls": dict(metrics.tool_calls),
            "code_cells": list(metrics.code_cells),
        },
        "timing": {"start_time": result.timing.start_time, "end_time": result.timing.end_time},
    }


def answer_text(value: Any) -> str:
    """A text as it is, plain data whole, and a bounded repr of anything else."""
    if isinstance(value, str):
        return str.__str__(value)
    return repr(value) if is_plain(value) else value_text(value)


def is_plain(value: Any, *, json: bool = False) -> bool:
    """Whether a value is made of nothing but Python's own numbers, texts and containers, so that
    its repr is harmless and finite; with `json`, whether JSON can say it without changing it."""
    parts = [(value, 0)]
    characters = _MOST_CHARACTERS
    for _ in range(_MOST_PARTS):
        if not parts:
            return True
        part, depth = parts.pop()
        kind = type(part)
        if depth > 100 or len(parts) > _MOST_PARTS or not _is_plain_part(part, kind, json):
            return False
        if kind is str or kind is bytes:
            characters -= len(part)
            if characters < 0:
                return False
        if kind is dict:
            if json and not all(type(key) is str for key in part):
                return False
            parts += [(inner, depth + 1) for pair in part.items() for inner in pair]
        elif kind in (list, tuple, set, frozenset):
            parts += [(inner, depth + 1) for inner in part]
    return False


def _is_plain_part(part: Any, kind: type, json: bool) -> bool:
    if kind is int:
        return bool(part.bit_length() <= _MOST_BITS)
    if kind is float:
        return not json or math.isfinite(part)
    return (
        kind in (str, bool, type(None), list, dict)
        or not json
        and kind in (bytes, complex, tuple, set, frozenset)
    )


def _step(step: ActionStep) -> dict[str, Any]:
    return {
        "kind": "step",
        "number": step.step_number,
        "thought": step.thought,
        "code": step.code_action,
        "model_output": step.model_output,
        "observations": step.observations,
        "error": _error(step.error),
        "is_final_answer": step.is_final_answer,
        "seconds": step.duration,
        "model_seconds": step.model_seconds,
        "tokens": _tokens(step.token_usage),
        "execution": None if step.execution is None else execution_as_json(step.execution),
    }


def _plan(step: PlanningStep) -> dict[str, Any]:
    return {
        "kind": "plan",
        "plan": step.plan,
        "seconds": step.timing.duration,
        "tokens": _tokens(step.token_usage),
    }


def _error(error: BaseException | None) -> dict[str, str] | None:
    return None if error is None else {"type": type(error).__name__, "message": str(error)}


def _tokens(usage: TokenUsage) -> dict[str, int]:
    return {"input": usage.input_tokens, "output": usage.output_tokens, "total": usage.total_tokens}
