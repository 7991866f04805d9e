"""A made-up run, for tests of how runs are shown: its steps, its events, and screens to show them
on."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterator
from typing import Any

from fumehood.agent.events import (
    CodeParsed,
    Event,
    OutputArrived,
    RunFinished,
    RunStarted,
    StepFinished,
    StepStarted,
)
from fumehood.agent.metrics import Metrics
from fumehood.agent.result import RunResult
from fumehood.agent.steps import ActionStep, PlanningStep, Timing
from fumehood.errors import AgentExecutionError, AgentParsingError
from fumehood.models.messages import TokenUsage
from fumehood.results import ErrorInfo, Execution, Usage

TRACEBACK = (
    'Traceback (most recent call last):\n  File "<cell 2>", line 1, in <module>\n    total /'
    " 0\nZeroDivisionError: division by zero"
)


def step(
    number: int = 1,
    *,
    thought: str = "I add them up.",
    code: str | None = "total = 1 + 2",
    **fields: Any,
) -> ActionStep:
    """A step that took 1.5 seconds and 120 tokens."""
    fields.setdefault(
        "execution",
        Execution(value=3, usage=Usage(0.02, 0.01, 32 << 20)) if code is not None else None,
    )
    if fields["execution"] is not None:
        fields.setdefault("action_output", fields["execution"].value)
    fields.setdefault("token_usage", TokenUsage(100, 20))
    return ActionStep(
        number,
        Timing(1000.0, 1001.5),
        thought=thought,
        code_action=code,
        model_seconds=1.25,
        **fields,
    )


def failed(number: int = 2) -> ActionStep:
    execution = Execution(error=ErrorInfo("ZeroDivisionError", "division by zero", TRACEBACK, 1))
    return step(
        number,
        thought="I divide.",
        code="total / 0",
        execution=execution,
        error=AgentExecutionError(TRACEBACK),
    )


def without_code(number: int = 3) -> ActionStep:
    text = "The answer is 3, I think."
    return step(
        number,
        thought="",
        code=None,
        model_output=text,
        error=AgentParsingError("There is no code in this.\nWrite some."),
    )


def answering(number: int = 4, output: Any = "three") -> ActionStep:
    picture = {"image/png": png(4, 2), "text/plain": "<Figure size 4x2>"}
    execution = Execution(
        value=output, is_final_answer=True, displays=(picture,), logs="drawing\n", imports=("math",)
    )
    return step(
        number,
        thought="I know it.",
        code="final_answer('three')",
        execution=execution,
        is_final_answer=True,
    )


def steps() -> list[ActionStep | PlanningStep]:
    return [
        PlanningStep("1. Add.\n2. Answer.", Timing(0, 2)),
        step(),
        failed(),
        without_code(),
        answering(),
    ]


def result(**fields: Any) -> RunResult:
    made = fields.pop("steps", None) or steps()
    metrics = Metrics(runs=1, execution_time=6.5)
    for each in made:
        metrics.count(each)
    known = {
        "task": "Add.",
        "output": "three",
        "state": "success",
        "steps": made,
        "metrics": metrics,
        "timing": Timing(0, 6.5),
    }
    return RunResult(**{**known, **fields})


def events(*shown: ActionStep, **fields: Any) -> Iterator[Event]:
    """The events of a run with these steps."""
    yield RunStarted("adder", "Add one and two.", 5)
    for each in shown:
        yield StepStarted(each.step_number)
        if each.code_action is not None:
            yield CodeParsed(each.step_number, each.thought, each.code_action)
        if each.execution is not None and each.execution.logs:
            yield OutputArrived(each.execution.logs)
        yield StepFinished(each)
    yield RunFinished(result(steps=[*shown] or None, **fields))


def png(width: int, height: int) -> bytes:
    """A black picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = (b"\0" + b"\0\0\0" * width) * height
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def seen(raw: str, columns: int = 80) -> list[str]:
    """What a terminal shows after this was written to it: lines as they stand, with the few
    movements that are made carried out."""
    lines, row, column = [""], 0, 0
    position = 0
    while position < len(raw):
        character = raw[position]
        position += 1
        if character == "\x1b":
            assert raw[position] == "[", "only sequences of this kind are written"
            end = position + 1
            while not raw[end].isalpha():
                end += 1
            number, command = raw[position + 1 : end], raw[end]
            position = end + 1
            if command == "A":
                row = max(row - int(number or 1), 0)
            elif command == "K":
                lines[row] = "" if number == "2" else lines[row][:column]
            else:
                assert command == "m", command
        elif character == "\n":
            row, column = row + 1, 0
            if row == len(lines):
                lines.append("")
        elif character == "\r":
            column = 0
        else:
            line = lines[row].ljust(column)
            lines[row] = line[:column] + character + line[column + 1 :]
            column += 1
            assert column <= columns, f"a line is wider than the terminal: {lines[row]!r}"
    return [line.rstrip() for line in lines]
