"""What is shown of each item of a log's timeline, as lines of Rich text, in the look of an agent's
steps (agent/console/blocks.py)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from rich.text import Text

from fumehood import events
from fumehood.agent.console import words
from fumehood.agent.console.blocks import DETAILED, INDENT, Block, Bounds, Look
from fumehood.agent.console.screen import Line, Rule
from fumehood.agent.console.text import counted, one_blank, one_line, plainly, trimmed
from fumehood.agent.console.values import value_text
from fumehood.audit.entries import LogClosed, LogGap, LogOpened, LogRecovered, LogRotated
from fumehood.audit.timeline import Call, Cell, Item, Unreadable
from fumehood.audit.values import Cut
from fumehood.results import ErrorInfo, Execution, Finding
from fumehood.wire.records import RemoteObject
from fumehood.wire.show import printable

SHORT = Bounds(
    task=(12, 4),
    prose=(12, 4),
    code=(40, 15),
    output=(15, 8),
    value=(10, 4),
    error=(6, 8),
    answer=(30, 10),
    violations=8,
    displays=6,
)
_LONGEST_ARGUMENT = 200
_MOST_CALLS = {1: 20, 2: 500}
_ID = 12
"""Characters of an id that are shown: enough to choose by."""


class LogLook(Look):
    """Makes blocks of items for one screen."""

    def __init__(self, encoding: str = "utf-8", level: int = 1) -> None:
        super().__init__(encoding, level)
        self.bounds = DETAILED if level > 1 else SHORT

    def item(self, item: Item) -> tuple[Rule | None, Block]:
        """The line that begins an item, if it has one, and the lines below."""
        if isinstance(item, Cell):
            return self._cell(item)
        event = item.event
        if self.level == 1 and _goes_without_saying(event):
            return None, []
        begin = _BEGINNINGS.get(type(event))
        if begin is not None:
            return begin(self, event)
        said = _SAYINGS.get(type(event))
        text, style = said(event) if said else (type(event).__name__, "")
        return None, [self._remark(event, text, style)]

    # -- cells

    def _cell(self, cell: Cell) -> tuple[Rule, Block]:
        where = [
            clock(cell.at),
            f"session {cell.session[:_ID]}",
            f"run {cell.run[:_ID]}" if cell.run else "",
        ]
        rule = self.rule(f"cell {cell.cell}", *where, style="red" if cell.failed else "cyan")
        block = (
            self.code(cell.code)
            if cell.code is not None
            else [self._dim("(its code is not in the log)")]
        )
        block += [
            line for call in cell.calls[: _MOST_CALLS[self.level]] for line in self._call(call)
        ]
        block += self._more(len(cell.calls) - _MOST_CALLS[self.level], "call")
        execution = cell.execution
        if execution is None:
            return rule, [
                *block,
                Line(Text("the log has no end of this cell", style="yellow"), INDENT),
            ]
        block += self.printed(execution.logs)
        block += self._logged_displays(execution.displays)
        block += self._value(execution)
        if cell.failed:
            block += self._failure(execution)
        block += [self._finding(finding) for finding in (execution.findings or cell.findings)[:10]]
        return rule, [*block, self._dim(self.between.join(_costs(execution)))]

    def _call(self, call: Call) -> Block:
        asked, answer = call.asked, call.answer
        given = [
            *map(_short, asked.args[:20]),
            *(f"{name}={_short(value)}" for name, value in [*asked.kwargs.items()][:20]),
        ]
        text = Text(self._plain(f"{asked.tool}({', '.join(given)})"))
        if answer is None:
            text.append(self._arrow("had not returned"), style="yellow")
        elif answer.error is not None:
            text.append(self._arrow(str(answer.error)), style="red")
        else:
            text.append(self._arrow(_short(answer.value)), style="green")
        if answer is not None:
            text.append(f"{self.between}{words.seconds(answer.seconds)}", style="dim")
        return [Line(text, Text.assemble("  ", (f"{self.mark} ", "magenta")), Text("    "))]

    def _value(self, execution: Execution) -> Block:
        if execution.value is None and not execution.is_final_answer:
            return []
        lead = (
            Text("  final answer: ", style="bold green")
            if execution.is_final_answer
            else Text("  = ", style="dim")
        )
        return self._lines(_value_text(execution.value), self.bounds.value, lead, Text("    "))

    def _logged_displays(self, displays: Iterable[Any]) -> Block:
        shown = [*displays]
        mark = Text.assemble("  ", (f"{self.mark} ", "magenta"))
        made = [
            Line(Text(self._plain(_display_text(display))), mark, Text("    "))
            for display in shown[: self.bounds.displays]
        ]
        return made + self._more(len(shown) - self.bounds.displays, "display")

    def _finding(self, finding: Finding) -> Line:
        return Line(Text(self._plain(f"{finding} ({finding.action})"), style="yellow"), INDENT)

    # -- what begins or ends something

    def _session(self, event: events.SessionOpened) -> tuple[Rule, Block]:
        rule = self.rule(
            f"session {event.session[:_ID]}", clock(event.at, day=True), event.place, heavy=True
        )
        policy = event.policy
        facts = [
            f"Python {event.python}",
            (
                f"imports {', '.join(map(str, _sequence(policy.get('imports'))))}"
                if policy.get("imports")
                else ""
            ),
            (
                f"language {policy.get('language')}"
                if policy.get("language") not in (None, "python")
                else ""
            ),
            "files" if policy.get("files") is True else "",
            *(
                f"mount {mount.get('source')}"
                for mount in _sequence(policy.get("mounts"))
                if isinstance(mount, dict)
            ),
            f"seed {policy['seed']}" if policy.get("seed") is not None else "",
            f"clock {policy['clock']}" if policy.get("clock") is not None else "",
            *(
                f"{name} {value}"
                for name, value in [*event.options.items()][:10]
                if value is not False
            ),
            f"forked from {event.parent[:_ID]}" if event.parent else "",
            (
                f"{counted(event.cells, 'cell')} before the log"
                if event.cells and not event.parent
                else ""
            ),
        ]
        said = self.between.join(one_line(fact, 300) for fact in facts if fact)
        report = (
            self._lines(event.report, self.bounds.error, INDENT, style="dim")
            if self.level > 1
            else []
        )
        return rule, [*([self._dim(said)] if said else []), *report]

    def _run(self, event: events.AgentRunStarted) -> tuple[Rule, Block]:
        rule = self.rule(
            f"run {event.run[:_ID]}",
            clock(event.at, day=True),
            event.agent,
            event.model,
            heavy=True,
        )
        return rule, [
            *([self._dim(f"for run {event.lead[:_ID]}")] if event.lead else []),
            *self.task(event.task),
        ]

    def _answered(self, event: events.ModelAnswered) -> tuple[Rule, Block]:
        style = "cyan" if event.error is None else "red"
        rule = self.rule(
            f"model, {event.purpose}",
            clock(event.at),
            f"run {event.run[:_ID]}",
            event.model,
            style=style,
        )
        text = trimmed(event.text)
        if self.level == 1:
            text = _FENCED.sub("(code)", text)  # a cell shows it, as it was run
        block = self._lines(one_blank(text), self.bounds.prose)
        if event.error is not None:
            block.append(self._red(event.error))
        counts = [words.seconds(event.seconds)]
        if event.input_tokens or event.output_tokens:
            counts.append(f"{event.input_tokens:,} tokens in, {event.output_tokens:,} out")
        return rule, [*block, self._dim(self.between.join(counts))]

    def _ended(self, event: events.AgentRunFinished) -> tuple[Rule, Block]:
        said, style = words.ENDINGS.get(event.state, (event.state, "yellow"))
        rule = self.rule(
            f"run {event.run[:_ID]}: {said}",
            clock(event.at),
            words.seconds(event.seconds),
            heavy=True,
            style=style,
        )
        block = (
            []
            if event.output is None
            else self._lines(_value_text(event.output), self.bounds.answer)
        )
        return rule, [*block, *([self._red(event.error)] if event.error is not None else [])]

    # -- parts

    def _remark(self, event: Any, text: str, style: str) -> Line:
        return Line(
            Text(self._plain(one_line(text, 1_000)), style=style),
            Text(f"{clock(event.at)}  ", style="dim"),
            Text(" " * 14),
        )

    def _arrow(self, text: str) -> str:
        return self.clean(" → ") + self._plain(text)

    def _plain(self, text: str) -> str:
        return self.clean(plainly(one_line(text, 2_000)))

    def _dim(self, text: str) -> Line:
        return Line(Text(self._plain(text), style="dim"), INDENT)

    def _red(self, error: ErrorInfo) -> Line:
        return Line(Text(self._plain(str(error)), style="bold red"), INDENT)


_FENCED = re.compile(r"^```[^\n]*\n.*?^```[ \t]*$|<code>.*?</code>", re.DOTALL | re.MULTILINE)


def _goes_without_saying(event: Any) -> bool:
    """Whether something is told by what stands next to it: an answer that follows a question, a
    step that its cell is all of."""
    if isinstance(event, events.AgentStepFinished):
        return event.error is None or event.error.type == "AgentExecutionError"
    return isinstance(event, events.ModelCalled)


def clock(at: float, *, day: bool = False) -> str:
    """A moment in the time of this machine, or as it stands in the log if no calendar has it."""
    try:
        return datetime.fromtimestamp(at).strftime("%Y-%m-%d %H:%M:%S" if day else "%H:%M:%S.%f")[
            : None if day else -3
        ]
    except (OverflowError, ValueError, OSError):
        return f"at {at:g}"


def _costs(execution: Execution) -> list[str]:
    usage = execution.usage
    parts = [words.seconds(usage.wall_seconds), f"cpu {words.seconds(usage.cpu_seconds)}"]
    if usage.peak_memory_bytes is not None:
        parts.append(f"memory {usage.peak_memory_bytes / (1 << 20):,.1f} MB")
    if execution.imports:
        parts.append(f"imports {', '.join(execution.imports[:50])}")
    return parts


def _value_text(value: Any) -> str:
    if type(value) is Cut or type(value) is RemoteObject:
        return value.text
    return str.__str__(value) if isinstance(value, str) else value_text(value)


def _short(value: Any) -> str:
    if type(value) is Cut:
        return one_line(f"{value.text} (cut)", _LONGEST_ARGUMENT)
    return one_line(printable(value_text(value, 2 * _LONGEST_ARGUMENT)), _LONGEST_ARGUMENT)


def _display_text(display: Any) -> str:
    if not isinstance(display, dict):
        return "a display"
    return ", ".join(
        f"{kind} {counted(getattr(shown, 'bytes', 0), 'byte')}"
        for kind, shown in [*display.items()][:6]
    )


def _sequence(value: Any) -> list[Any]:
    return value[:50] if isinstance(value, list) else []


Beginning = Callable[[LogLook, Any], tuple[Rule, Block]]
_BEGINNINGS: dict[type, Beginning] = {
    events.SessionOpened: LogLook._session,
    events.AgentRunStarted: LogLook._run,
    events.ModelAnswered: LogLook._answered,
    events.AgentRunFinished: LogLook._ended,
}

_SAYINGS: dict[type, Callable[[Any], tuple[str, str]]] = {
    events.SessionClosed: lambda e: (f"session {e.session[:_ID]} closed", "dim"),
    events.ToolsSent: lambda e: (f"tools: {', '.join(e.names[:100])}", ""),
    events.VariablesSent: lambda e: (
        f"variables: {', '.join(f'{n} = {_short(v)}' for n, v in [*e.variables.items()][:20])}",
        "",
    ),
    events.VariableDeleted: lambda e: (f"variable {e.name} deleted", ""),
    events.EnvironmentSet: lambda e: (f"environment: {', '.join([*e.variables][:100])}", ""),
    events.FileWritten: lambda e: (f"file {e.path} written", ""),
    events.CommandStarted: lambda e: (f"command {e.number}:", e.line),
    events.CommandEnded: lambda e: (
        f"command {e.number} ended with {e.exit_code}{', ' + e.error if e.error else ''}",
        "",
    ),
    events.FileRemoved: lambda e: (f"{e.path} removed", ""),
    events.FileRenamed: lambda e: (f"{e.path} renamed to {e.to}", ""),
    events.DirectoryMade: lambda e: (f"directory {e.path} made", ""),
    events.PackagesInstalled: lambda e: (f"installed: {', '.join(e.packages[:100])}", ""),
    events.SnapshotTaken: lambda e: (f"snapshot {e.snapshot}: {e.label}", ""),
    events.SnapshotRestored: lambda e: (f"back to snapshot {e.snapshot}: {e.label}", "yellow"),
    events.Forked: lambda e: (f"forked: {', '.join(child[:_ID] for child in e.children[:20])}", ""),
    events.OpenedBeside: lambda e: (f"beside it: session {e.child[:_ID]}", ""),
    events.StateSaved: lambda e: (f"variables saved to {e.path}", ""),
    events.StateLoaded: lambda e: (f"variables loaded from {e.path}", ""),
    events.SandboxDied: lambda e: (
        f"the sandbox died; its variables are {'kept' if e.kept else 'lost'}",
        "bold red",
    ),
    events.ModelCalled: lambda e: (
        f"{e.model} is asked for a {e.purpose}, run {e.run[:_ID]}",
        "dim",
    ),
    events.AgentStepFinished: lambda e: (
        f"step {e.step} of run {e.run[:_ID]}: "
        + (str(e.error) if e.error else "final answer" if e.is_final_answer else "done"),
        "red" if e.error else "dim",
    ),
    LogOpened: lambda e: (
        f"log opened by process {e.pid} on {e.host}, fumehood {e.fumehood}, Python {e.python}",
        "dim",
    ),
    LogClosed: lambda e: ("log closed", "dim"),
    LogRotated: lambda e: ("the log goes on in another file", "dim"),
    LogRecovered: lambda e: (
        f"the log had no end: {e.reason}; {counted(e.lost_bytes, 'byte')} of a last line lost",
        "bold yellow",
    ),
    LogGap: lambda e: (
        f"{counted(e.events, 'event')} could not be written: {e.reason}",
        "bold red",
    ),
    Unreadable: lambda e: (e.why, "bold red"),
}
"""What is said of an event in one line, and in which colour."""
