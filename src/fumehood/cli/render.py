"""How an Execution is shown: as text on the two standard streams, or as one JSON object."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from typing import Any

from rich.text import Text

from fumehood.cli import displays, terminal
from fumehood.cli.live import Live
from fumehood.language.deadline import Deadline
from fumehood.results import Execution, Violation
from fumehood.wire.records import RemoteObject
from fumehood.wire.show import bounded_repr, clean_text

VALUE_LIMIT = 10_000
"""Characters of a value that are shown: screens full, and a bound on what a hostile value can
cost."""

VALUE_SECONDS = 2
"""How long a value may take to say what it is."""


def failed(execution: Execution) -> bool:
    return execution.error is not None or execution.fault is not None


def show(execution: Execution, live: Live) -> None:
    """Displays and the value go to stdout, below what was printed while the cell ran; what went
    wrong goes to stderr."""
    live.end()
    if execution.displays:
        value = shown_value(execution.value)
        for bundle in execution.displays:
            terminal.console().print(Text(displays.shown(bundle, value)))
    if failed(execution):
        _show_failure(execution)
    elif execution.is_final_answer or execution.value is not None:
        label = "final answer: " if execution.is_final_answer else ""
        terminal.console().print(Text.assemble((label, "bold green"), shown_value(execution.value)))


def _show_failure(execution: Execution) -> None:
    console = terminal.console(stderr=True)
    if execution.violations:
        for violation in execution.violations:
            console.print(violation_text(violation))
        count = len(execution.violations)
        console.print(
            Text(
                f"refused for {count} reason{'s' if count > 1 else ''}; nothing was run",
                style="bold red",
            )
        )
    elif execution.error is not None:
        text = in_options(terminal.printable(execution.error.traceback))
        frames, _, last = text.rstrip("\n").rpartition("\n")
        if frames:
            console.print(Text(frames, style="dim"))
        console.print(Text(last or terminal.one_line(str(execution.error)), style="bold red"))
    else:
        console.print(Text(f"the cell was stopped: {execution.fault}", style="bold red"))


_IN_OPTIONS = (
    (re.compile(r'additional_authorized_imports=\["([\w.]+)"\]'), r"--import \1"),
    (re.compile("files=True"), "--files"),
    (re.compile("programs=True"), "--programs"),
    (re.compile(r"give it with run\(code, stdin=\.\.\.\)"), "give it on standard input"),
)


def in_options(text: str) -> str:
    """Advice of the sandbox with the options of the command line in place of Python's
    arguments."""
    for argument, option in _IN_OPTIONS:
        text = argument.sub(option, text)
    return text


def shown_value(value: object) -> str:
    return terminal.printable(value_text(value))


def value_text(value: object) -> str:
    """A bounded repr. A value's `__repr__` is code of the cell, whose time limit is over by now, so
    it gets its own."""
    if type(value) is RemoteObject and value.text:
        return value.text[:VALUE_LIMIT]  # its repr, made in the sandbox, as if it were here
    text = ""

    def describe() -> None:
        nonlocal text
        text = bounded_repr(value, VALUE_LIMIT)

    deadline = Deadline(VALUE_SECONDS)
    deadline.run(describe)
    deadline.forward()
    return (
        f"<a value that takes more than {VALUE_SECONDS} seconds to show>"
        if deadline.reason is not None
        else text
    )


def violation_text(violation: Violation, source: str = "") -> Text:
    """One violation: where, what and why on the first line, what to do instead on a second one."""
    place = f"{violation.line}:{violation.column}"
    text = Text.assemble(
        (terminal.one_line(f"{source}:{place}" if source else place), "bold"),
        ": ",
        (terminal.one_line(violation.name), "bold red"),
        ": ",
        terminal.one_line(violation.reason),
        (f" [{terminal.one_line(violation.rule)}]", "dim"),
    )
    if violation.hint:
        text.append("\n    " + in_options(terminal.one_line(violation.hint)), style="green")
    return text


def execution_as_json(execution: Execution) -> dict[str, Any]:
    error, usage = execution.error, execution.usage
    return {
        "value": None if execution.value is None else value_text(execution.value),
        "is_final_answer": execution.is_final_answer,
        "logs": execution.logs,
        "error": error
        and {
            "type": error.type,
            "message": error.message,
            "traceback": error.traceback,
            "line": error.line,
        },
        "fault": execution.fault,
        "violations": violations_as_json(execution.violations),
        "imports": list(execution.imports),
        "displays": displays.as_json(execution.displays),
        "usage": {
            "wall_seconds": usage.wall_seconds,
            "cpu_seconds": usage.cpu_seconds,
            "peak_memory_bytes": usage.peak_memory_bytes,
        },
    }


def violations_as_json(violations: Iterable[Violation]) -> list[dict[str, Any]]:
    return [
        {
            "line": v.line,
            "column": v.column,
            "rule": v.rule,
            "name": v.name,
            "reason": v.reason,
            "hint": v.hint,
        }
        for v in violations
    ]


def print_json(content: object) -> None:
    """One JSON document on stdout. JSON escapes control characters itself, so the text in it stays
    as it was."""
    sys.stdout.write(json.dumps(_without_lone_surrogates(content), allow_nan=False) + "\n")


def _without_lone_surrogates(content: Any) -> Any:
    # JSON can spell half a character, but most readers refuse the whole document for it; so it is
    # spelled out as text.
    if isinstance(content, str):
        return clean_text(content)
    if isinstance(content, dict):
        return {key: _without_lone_surrogates(value) for key, value in content.items()}
    if isinstance(content, list):
        return [_without_lone_surrogates(item) for item in content]
    return content
