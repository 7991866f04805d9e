"""Metrics: how long things take, how often they fail, how many sandboxes there are. Which, and by
what, is the table in names.py.

Every set of attributes is a time series that somebody stores. So what code in a sandbox can choose,
the names of exceptions and of tools that do not exist, is not let through as it comes.
"""

from __future__ import annotations

import builtins
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from fumehood import events
from fumehood.results import ErrorInfo
from fumehood.telemetry import content
from fumehood.telemetry.names import METRICS, OTHER, provider_of

if TYPE_CHECKING:
    from opentelemetry.metrics import Meter

_MOST_NAMES = 200

_EXCEPTIONS = frozenset(
    name
    for name, kind in vars(builtins).items()
    if isinstance(kind, type) and issubclass(kind, BaseException)
)


class Names:
    """The first so many names are let through; the others are all one."""

    def __init__(self, most: int = _MOST_NAMES) -> None:
        self._most = most
        self._known: set[str] = set()

    def __call__(self, text: object) -> str:
        name = content.name(text)
        if name not in self._known:
            if len(self._known) >= self._most:
                return OTHER
            self._known.add(name)
        return name


class Metrics:
    """The metrics of a process: an observer."""

    is_prompt = True

    def __init__(self, meter: Meter) -> None:
        self._instruments: dict[str, Any] = {name: _instrument(meter, name) for name in METRICS}
        self._agents = Names()
        self._models = Names()
        self._tools = Names()
        self._errors = Names()
        self._findings = Names()
        self._lock = threading.Lock()
        self._live: dict[str, str] = {}
        self._runs: dict[str, events.AgentRunStarted] = {}
        self._cells: dict[tuple[str, int], float] = {}
        self._asked: dict[str, int] = {}
        self._called: dict[str, int] = {}
        self._table: dict[type[events.Event], Callable[[Any], None]] = {
            events.SessionOpened: self._opened,
            events.SessionClosed: self._closed,
            events.CellSubmitted: self._cell_submitted,
            events.CellFinished: self._cell_finished,
            events.OutputFlagged: self._flagged,
            events.ToolReturned: self._tool,
            events.ModelAnswered: self._model,
            events.AgentRunStarted: self._run_started,
            events.AgentRunFinished: self._run_finished,
        }

    def __call__(self, event: events.Event) -> None:
        count = self._table.get(type(event))
        if count is not None:
            count(event)

    def close(self) -> None:
        """Count nothing any more; what was live is not any more, as far as anybody knows."""
        with self._lock:
            live, self._live = self._live, {}
        for place in live.values():
            self._instruments["fumehood.sandboxes.live"].add(-1, {"fumehood.place": place})

    def forget(self) -> None:
        """After a fork: sandboxes and runs are the other process's."""
        self._lock = threading.Lock()
        self._live, self._cells, self._runs, self._asked, self._called = {}, {}, {}, {}, {}

    # -- one for each kind of event

    def _opened(self, event: events.SessionOpened) -> None:
        with self._lock:
            if event.session in self._live:  # an observer may be told of a session twice
                return
            place = self._live[event.session] = content.name(event.place)
        self._instruments["fumehood.sandboxes.live"].add(1, {"fumehood.place": place})

    def _closed(self, event: events.SessionClosed) -> None:
        with self._lock:
            place = self._live.pop(event.session, None)
            for cell in [
                key for key in self._cells if key[0] == event.session
            ]:  # that nobody told the end of
                del self._cells[cell]
        if place is not None:
            self._instruments["fumehood.sandboxes.live"].add(-1, {"fumehood.place": place})

    def _cell_submitted(self, event: events.CellSubmitted) -> None:
        with self._lock:
            self._cells[event.session, event.cell] = event.at

    def _cell_finished(self, event: events.CellFinished) -> None:
        done = event.execution
        failed = done.fault or (_error_of_code(done.error) if done.error is not None else None)
        with self._lock:
            began = self._cells.pop((event.session, event.cell), None)
        if began is not None:  # by the host's clock: the sandbox may claim anything
            self._instruments["fumehood.cell.duration"].record(
                max(0.0, event.at - began), {"error.type": failed} if failed else {}
            )
        if done.fault is not None:
            self._instruments["fumehood.cell.faults"].add(1, {"fumehood.cell.fault": done.fault})
        if done.rolled_back:
            self._instruments["fumehood.cell.rollbacks"].add(1)

    def _flagged(self, event: events.OutputFlagged) -> None:
        for finding in event.findings:
            by = {
                "fumehood.finding.kind": self._findings(finding.kind),
                "fumehood.finding.where": content.name(finding.where),
                "fumehood.finding.action": content.name(finding.action),
            }
            self._instruments["fumehood.output.findings"].add(content.number(finding.count), by)

    def _tool(self, event: events.ToolReturned) -> None:
        by = {
            "gen_ai.tool.name": self._tools(event.tool),
            "gen_ai.tool.type": "function",
            **self._error(event.error),
        }
        with self._lock:
            run = self._runs.get(event.run)
            if run is not None:
                self._called[event.run] = self._called.get(event.run, 0) + 1
        if run is not None:
            by["gen_ai.agent.name"] = self._agents(run.agent)
        self._instruments["gen_ai.execute_tool.duration"].record(event.seconds, by)

    def _model(self, event: events.ModelAnswered) -> None:
        with self._lock:
            if event.run in self._runs:
                self._asked[event.run] = self._asked.get(event.run, 0) + 1
        by = {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": provider_of(event.model),
            "gen_ai.request.model": self._models(event.model),
        }
        self._instruments["gen_ai.client.operation.duration"].record(
            event.seconds, {**by, **self._error(event.error)}
        )
        if event.input_tokens or event.output_tokens:  # else nobody has counted them
            tokens = self._instruments["gen_ai.client.token.usage"]
            tokens.record(content.number(event.input_tokens), {**by, "gen_ai.token.type": "input"})
            tokens.record(
                content.number(event.output_tokens), {**by, "gen_ai.token.type": "output"}
            )

    def _run_started(self, event: events.AgentRunStarted) -> None:
        with self._lock:
            self._runs[event.run] = event

    def _run_finished(self, event: events.AgentRunFinished) -> None:
        with self._lock:
            started = self._runs.pop(event.run, None)
            asked, called = self._asked.pop(event.run, 0), self._called.pop(event.run, 0)
        by = {"gen_ai.agent.name": self._agents(event.agent)}
        model = {"gen_ai.request.model": self._models(started.model)} if started is not None else {}
        self._instruments["gen_ai.invoke_agent.duration"].record(
            event.seconds, {**by, **model, **self._error(event.error)}
        )
        if started is not None:  # else the first of them were not seen
            self._instruments["gen_ai.invoke_agent.inference_calls"].record(asked, by)
            self._instruments["gen_ai.invoke_agent.tool_calls"].record(called, by)
        if "steps_used" in event.metrics:
            steps = content.number(event.metrics["steps_used"])
            self._instruments["fumehood.agent.steps"].record(
                steps, {**by, "fumehood.run.state": content.name(event.state)}
            )

    def _error(self, error: ErrorInfo | None) -> dict[str, str]:
        return {} if error is None else {"error.type": self._errors(error.type)}


def _error_of_code(error: ErrorInfo) -> str:
    """Code can make as many types of exceptions as it likes, and call them what it likes."""
    return error.type if error.type in _EXCEPTIONS else OTHER


def _instrument(meter: Meter, name: str) -> Any:
    row = METRICS[name]
    if row.instrument == "histogram":
        return meter.create_histogram(
            name, row.unit, row.meaning, explicit_bucket_boundaries_advisory=row.buckets
        )
    if row.instrument == "counter":
        return meter.create_counter(name, row.unit, row.meaning)
    return meter.create_up_down_counter(name, row.unit, row.meaning)
