"""What a model is told of a step: what its code printed, gave, showed, and what went wrong.

All of it but our own sentences comes from the sandbox. It stands between fences that are not in it,
without control characters, each part bounded, so that code cannot speak as the user or the system.
Our sentences stand outside.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from fumehood.agent.console.values import png_size
from fumehood.agent.describing.text import fence_for, quoted_line, readable, shortened, tamed
from fumehood.agent.describing.values import is_a, value_text
from fumehood.agent.describing.variables import description
from fumehood.results import Execution, Fault
from fumehood.wire.records import Record, TupleRecord

VALUE: Final = 4_000
"""Characters of the last value that are told, if the limit is not smaller."""

LEAST: Final = 500
"""Characters of a value or an error that are told however small the limit is: less would be of no
use."""

ERROR: Final = 8_000
"""Characters of an error that are told. The executor's own words are shorter."""

_ROWS: Final = 20
_DISPLAYS: Final = 20
_VIOLATIONS: Final = 20
_MARK: Final = 50
"""What an executor's own note on what it has left out may take: it has cut at the same limit
already."""

_DESCRIBED: Final = (
    ("numpy", "ndarray"),
    ("pandas", "DataFrame"),
    ("pandas", "Series"),
    ("pandas", "Index"),
    ("PIL.Image", "Image"),
)

WHAT_HAPPENED: Final[Mapping[Fault, str]] = {
    "timeout": "The code ran out of time",
    "memory": "The code ran out of memory",
    "processes": "The code tried to start more processes or threads than it may have",
    "files": "The code tried to open more files than it may have",
    "disk": "The code wrote more to files than there is room for",
    "output": "The code printed more than it may",
    "displays": "The code displayed more than it may",
    "frame": "The code made a value that is too large to be handed over",
    "crash": "The process of the code ended by itself",
    "killed": "The code was stopped from outside",
    "refused": "A rule refused the code",
}


def observation(execution: Execution, limit: int) -> str:
    """What the model is told of a cell. `limit` is how many characters of printed output; the other
    parts have bounds of their own."""
    sections: list[tuple[str, str]] = []
    logs = readable(execution.logs)
    if logs.strip():
        sections.append(
            ("Printed:", shortened(logs, limit if len(logs) > limit + _MARK else len(logs)))
        )
    if execution.error is not None:
        sections.append(
            (
                "Error:",
                shortened(
                    readable(execution.error.traceback or str(execution.error)), max(ERROR, LEAST)
                ),
            )
        )
    elif execution.is_final_answer or execution.value is not None:
        label = "Final answer" if execution.is_final_answer else "Value of the last statement"
        kind = (
            f", a text of {len(execution.value):,} characters"
            if type(execution.value) is str
            else ""
        )
        sections.append((f"{label}{kind}:", _value(execution.value, max(min(limit, VALUE), LEAST))))
    sections = [(label, tamed(text).strip("\n")) for label, text in sections]
    fence = fence_for(*(text for _, text in sections))
    told = [f"{label}\n{fence}text\n{text}\n{fence}" for label, text in sections]
    told += _displays(execution)
    told += _faults(execution)
    return "\n".join(told) or "The code ran and printed nothing."


def _value(value: Any, room: int) -> str:
    """A text as it is, tables and arrays in rows, anything else as its repr."""
    if type(value) is str:
        return shortened(readable(value), room)
    lines = (
        description(value, room, _ROWS)
        if _is_described(value)
        else [readable(value_text(value, room))]
    )
    return shortened("\n".join(lines), room)


def _is_described(value: Any) -> bool:
    """Whether there is more to say of a value than its repr."""
    return type(value) in (Record, TupleRecord) or any(
        is_a(value, module, name) for module, name in _DESCRIBED
    )


def _displays(execution: Execution) -> list[str]:
    lines = [f"Shown: {_display(bundle)}" for bundle in execution.displays[:_DISPLAYS]]
    left_out = len(execution.displays) - _DISPLAYS
    return [*lines, f"Shown: {left_out:,} more"] if left_out > 0 else lines


def _display(bundle: Any) -> str:
    """The formats of a display, and the size of a picture."""
    if not isinstance(bundle, Mapping):
        return quoted_line(value_text(bundle, 80), 80)
    formats = [kind for kind in bundle if kind != "text/plain"] or [*bundle]
    return ", ".join(_format(kind, bundle[kind]) for kind in formats[:6])


def _format(kind: Any, data: Any) -> str:
    name = quoted_line(str(kind), 80)
    size = png_size(data) if kind == "image/png" and isinstance(data, bytes) else None
    if size is not None:
        return f"{name} {size[0]}x{size[1]}"
    return (
        f"{name} ({len(data):,} {'bytes' if isinstance(data, bytes) else 'characters'})"
        if isinstance(data, (str, bytes))
        else name
    )


def _faults(execution: Execution) -> list[str]:
    told = []
    words = "" if execution.error is None else execution.error.traceback
    missing = [
        quoted_line(str(violation), 500)
        for violation in execution.violations
        if str(violation) not in words
    ]
    told += [f"Refused: {text}" for text in missing[:_VIOLATIONS]]
    if len(missing) > _VIOLATIONS:
        told.append(f"Refused: {len(missing) - _VIOLATIONS:,} more")
    if execution.fault is not None or execution.rolled_back:
        told.append(_sentence(execution))
    return told


def _sentence(execution: Execution) -> str:
    """What happened, and what it means for variables."""
    happened = (
        "The code failed"
        if execution.fault is None
        else WHAT_HAPPENED.get(execution.fault, "The code was stopped")
    )
    if execution.rolled_back:
        undone = f"{happened} and was undone: variables are as they were before it"
        return f"{undone}. Calls of tools are not undone." if execution.tool_calls else f"{undone}."
    if execution.fault == "refused" and execution.violations:
        return f"{happened}: nothing of it was run."
    words = "" if execution.error is None else execution.error.traceback
    if words.endswith(
        "variables are lost"
    ):  # the executor's words, for a process that died and cannot be gone back to
        return f"{happened}: all variables are lost."
    return f"{happened}. What it did before that stays."
