"""Logs as entries that other programs read: one for each run of an agent, with its steps, and one
for each session's cells outside of runs.

    {"prompt", "start_time", "steps": [{"step", "code", "logs", "value", "error", …}],
     "result", "status", "error", "duration_seconds", "tokens"}

Values are text: a value of a sandbox may be anything. A run that the log does not end is there too,
its status `unfinished`.
"""

from __future__ import annotations

import contextlib
import csv
import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any, Literal, get_args

from fumehood import events
from fumehood.asked import path_of, shown
from fumehood.audit.timeline import Call, Cell, Item, Moment, read_events, timeline
from fumehood.audit.values import Cut
from fumehood.errors import AuditError
from fumehood.results import ErrorInfo
from fumehood.wire.records import RemoteObject
from fumehood.wire.show import bounded_repr

Format = Literal["json", "jsonl", "csv"]
Entry = dict[str, Any]

LONGEST_VALUE = 100_000
"""Characters of a value."""

COLUMNS = (
    "run",
    "session",
    "prompt",
    "start_time",
    "status",
    "step",
    "code",
    "logs",
    "value",
    "error",
    "fault",
    "is_final_answer",
    "imports",
    "tool_calls",
    "step_duration_seconds",
    "step_tokens",
    "result",
    "run_error",
    "duration_seconds",
    "tokens",
)
"""Of a CSV file, which has a row for each step."""


def export_logs(
    log: Any,
    filepath: str | os.PathLike[str] = "agent_logs.json",
    *,
    format: Format | None = None,  # noqa: A002
) -> int:
    """Write the entries of a log (a path, or an AuditLog) to a file, as JSON unless `format` or the
    file's name says otherwise. Gives their number. The file is there whole or not at all. Raises
    AuditError if the log cannot be read, OSError if the file cannot be written."""
    target = path_of("filepath", filepath, AuditError)
    entries = entries_of(timeline(read_events(_path_of(log))))
    return _write_whole(target, entries, format or _format_of(target))


def export_events(
    told: Iterable[events.Event],
    filepath: str | os.PathLike[str] = "agent_logs.json",
    *,
    format: Format | None = None,  # noqa: A002
) -> int:
    """The same from events, without a log."""
    target = path_of("filepath", filepath, AuditError)
    entries = entries_of(timeline((event, None) for event in told))
    return _write_whole(target, entries, format or _format_of(target))


def entries_of(items: Iterable[Item]) -> Iterator[Entry]:
    """The entries of a timeline, each when it is complete."""
    open_runs: dict[str, _Run] = {}
    sessions: dict[str, _Run] = {}
    for item in items:
        if not item.run:
            if isinstance(item, Cell):
                outside = sessions.get(item.session)
                if outside is None:
                    outside = sessions[item.session] = _Run("", item.session, item.at)
                outside.add_cell(item)
                outside.ended = max(outside.ended, item.at + _seconds(item))
            elif isinstance(item.event, events.SessionClosed) and item.session in sessions:
                yield sessions.pop(item.session).entry()
            continue
        run = open_runs.get(item.run)
        if run is None:
            run = open_runs[item.run] = _Run(item.run, "", item.at)
        run.add(item)
        if isinstance(item, Moment) and isinstance(item.event, events.AgentRunFinished):
            yield open_runs.pop(item.run).entry()
    for left in sorted([*open_runs.values(), *sessions.values()], key=lambda run: run.started):
        yield left.entry()


def write_entries(entries: Iterable[Entry], stream: IO[str], format: Format = "json") -> int:  # noqa: A002
    """Write entries as they come. Gives their number."""
    number = 0
    if format == "csv":
        rows = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
        rows.writeheader()
        for entry in entries:
            rows.writerows(_rows(entry))
            number += 1
        return number
    between = ",\n" if format == "json" else "\n"
    if format == "json":
        stream.write("[")
    for number, entry in enumerate(entries, start=1):
        if number > 1:
            stream.write(between)
        elif format == "json":
            stream.write("\n")
        stream.write(json.dumps(entry, indent=2 if format == "json" else None))
    stream.write(
        "\n]\n"
        if format == "json" and number
        else "]\n"
        if format == "json"
        else "\n"
        if number
        else ""
    )
    return number


class _Run:
    """One entry while its events come in."""

    def __init__(self, run: str, session: str, started: float) -> None:
        self.run, self.session, self.started = run, session, started
        self.ended = started
        self.head: events.AgentRunStarted | None = None
        self.end: events.AgentRunFinished | None = None
        self.steps: list[dict[str, Any]] = []
        self._pending: dict[str, Any] | None = None
        self._answers: list[events.ModelAnswered] = []
        self._tokens = [0, 0]
        self._errors = 0

    def add(self, item: Item) -> None:
        self.ended = max(self.ended, item.at)
        if isinstance(item, Cell):
            self.add_cell(item)
            return
        event = item.event
        if isinstance(event, events.AgentRunStarted):
            self.head, self.started = event, event.at
        elif isinstance(event, events.ModelAnswered):
            self._answers.append(event)
            self._tokens[0] += event.input_tokens
            self._tokens[1] += event.output_tokens
        elif isinstance(event, events.AgentStepFinished):
            self._finish_step(event)
        elif isinstance(event, events.AgentRunFinished):
            self.end = event

    def add_cell(self, cell: Cell) -> None:
        execution = cell.execution
        step: dict[str, Any] = {
            "step": None if self.run else cell.cell,
            "code": cell.code,
            "logs": execution.logs if execution else "",
            "value": (
                None if execution is None or execution.value is None else text_of(execution.value)
            ),
            "error": _error(execution.error) if execution else "the log has no end of this cell",
            "fault": execution.fault if execution else None,
            "is_final_answer": bool(execution and execution.is_final_answer),
            "imports": list(cell.imports),
            "tool_calls": (
                [_call(call) for call in cell.calls] or [{"tool": name} for name in cell.tools]
            ),
            "duration_seconds": _seconds(cell),
            "tokens": None,
        }
        self._errors += cell.failed
        self.steps.append(step)
        self._pending = step

    def _finish_step(self, event: events.AgentStepFinished) -> None:
        step = self._pending
        if step is None:  # the model's text had no code in it, or there was no text
            step = {
                "step": None,
                "code": None,
                "logs": "",
                "value": None,
                "error": None,
                "fault": None,
                "is_final_answer": False,
            }
            step |= {"imports": [], "tool_calls": [], "duration_seconds": 0.0, "tokens": None}
            self.steps.append(step)
        answers, self._answers, self._pending = self._answers, [], None
        step["step"] = event.step
        step["model_output"] = answers[-1].text if answers else None
        step["observation"] = event.observation
        step["error"] = step["error"] or _error(event.error)
        step["is_final_answer"] = event.is_final_answer
        step["duration_seconds"] = round(
            step["duration_seconds"] + sum(answer.seconds for answer in answers), 3
        )
        step["tokens"] = _tokens(
            sum(answer.input_tokens for answer in answers),
            sum(answer.output_tokens for answer in answers),
        )

    def entry(self) -> Entry:
        head, end = self.head, self.end
        made: Entry = {
            "prompt": head.task if head else None,
            "start_time": self.started,
            "steps": self.steps,
            "result": text_of(end.output) if end is not None and end.output is not None else None,
            "status": (
                end.state
                if end
                else "unfinished"
                if self.run
                else "error"
                if self._errors
                else "success"
            ),
            "error": _error(end.error) if end else None,
            "duration_seconds": round(end.seconds if end else self.ended - self.started, 3),
            "tokens": _tokens(*self._tokens),
        }
        if not self.run:
            return made | {"session": self.session}
        made |= {"run": self.run}
        if head is not None:
            made |= {"agent": head.agent, "model": head.model}
        return made | {"lead": head.lead} if head is not None and head.lead else made


def text_of(value: Any) -> str:
    """A value as text, within bounds: a text as it is, anything else as its repr."""
    if isinstance(value, str):
        text = str.__str__(value)
        return (
            text
            if len(text) <= LONGEST_VALUE
            else f"{text[:LONGEST_VALUE]}… ({len(text) - LONGEST_VALUE:,} more characters)"
        )
    if type(value) is Cut or type(value) is RemoteObject:
        return value.text
    return bounded_repr(value, LONGEST_VALUE)


def _call(call: Call) -> dict[str, Any]:
    answer = call.answer
    return {
        "tool": call.asked.tool,
        "args": [text_of(value) for value in call.asked.args],
        "kwargs": {name: text_of(value) for name, value in call.asked.kwargs.items()},
        "value": None if answer is None or answer.value is None else text_of(answer.value),
        "error": (
            "it had not returned when the cell ended" if answer is None else _error(answer.error)
        ),
        "duration_seconds": round(answer.seconds, 6) if answer else None,
    }


def _error(error: ErrorInfo | None) -> str | None:
    return None if error is None else str(error)


def _seconds(cell: Cell) -> float:
    return round(cell.execution.usage.wall_seconds, 6) if cell.execution else 0.0


def _tokens(received: int, written: int) -> dict[str, int]:
    return {"input": received, "output": written, "total": received + written}


# -- files


def _rows(entry: Entry) -> Iterator[dict[str, Any]]:
    shared = {
        "run": entry.get("run", ""),
        "session": entry.get("session", ""),
        "prompt": entry["prompt"],
        "start_time": entry["start_time"],
        "status": entry["status"],
        "result": entry["result"],
        "run_error": entry["error"],
        "duration_seconds": entry["duration_seconds"],
        "tokens": entry["tokens"]["total"],
    }
    for step in entry["steps"] or [{}]:
        row = {
            name: step.get(name)
            for name in ("step", "code", "logs", "value", "error", "fault", "is_final_answer")
        }
        row["imports"] = " ".join(step.get("imports", ()))
        row["tool_calls"] = " ".join(call["tool"] for call in step.get("tool_calls", ()))
        row["step_duration_seconds"] = step.get("duration_seconds")
        row["step_tokens"] = (step.get("tokens") or {}).get("total")
        yield {name: _harmless(value) for name, value in {**shared, **row}.items()}


def _harmless(value: Any) -> Any:
    """Text of a sandbox that a spreadsheet does not take for a formula: a quote before it says that
    it is text."""
    if not isinstance(value, str):
        return value
    text = value.replace("\0", "").encode("utf-8", "backslashreplace").decode()
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def _format_of(path: Path) -> Format:
    ending = path.suffix.removeprefix(".").lower()
    for known in get_args(Format):
        if ending == known:
            return known  # type: ignore[no-any-return]
    return "json"


def _path_of(log: Any) -> str | os.PathLike[str]:
    if isinstance(log, (str, os.PathLike)):
        return log
    path = getattr(log, "path", None)
    if not isinstance(path, (str, os.PathLike)):
        raise AuditError(f"a log is a path or an AuditLog, not {shown(log)}")
    flush = getattr(log, "flush", None)
    if callable(flush):
        flush()
    return path


def _write_whole(target: Path, entries: Iterable[Entry], format: Format) -> int:  # noqa: A002
    if format not in get_args(Format):
        raise AuditError(
            f"format must be {', '.join(get_args(Format)[:-1])} or {get_args(Format)[-1]}, not"
            f" {shown(format)}"
        )
    try:
        handle, name = tempfile.mkstemp(
            dir=target.parent, prefix=f".{target.name}."
        )  # 0600: it has what the log has
    except OSError as error:
        raise AuditError(
            f"{target} cannot be written: {error.strerror}; is the directory {target.parent} there,"
            " and yours?"
        ) from None
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as stream:
            number = write_entries(entries, stream, format)
        try:
            Path(name).replace(target)
        except OSError as error:
            raise AuditError(f"{target} cannot be written: {error.strerror}") from None
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
    return number
