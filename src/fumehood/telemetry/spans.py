"""Spans: what happens between two events, and inside what.

    invoke_agent                a run; the current span while it goes on
        plan, chat              the current span where the model is asked
        fumehood.cell           never the current one: code in a sandbox has none
            execute_tool        the current span where the tool runs, so that what the tool does is
                                below it
                invoke_agent    a member's run

A span starts with the event that begins an operation or with its context, whichever comes first,
and ends with the event that ends it. A tool that still runs when its cell is stopped, and a model
call that was abandoned, have no such event: their spans end with the cell, the run or the session.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from fumehood import events
from fumehood.results import ErrorInfo, Execution
from fumehood.telemetry import content
from fumehood.telemetry.names import SPANS, Kind, provider_of

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.trace import Span, Tracer

ABANDONED = "abandoned"
"""The type of the error of what nobody waited for to end."""

Key = tuple[Kind, str, int]
"""What kind of span, of which session or run, and which number there."""


class _Open(NamedTuple):
    """A span that has not ended."""

    span: Span
    began: int
    agent: str
    cell: int


class Spans:
    """The spans of a process: an observer, and a context around operations."""

    is_prompt = True

    def __init__(self, tracer: Tracer, *, record_content: bool) -> None:
        self._tracer = tracer
        self._records_content = record_content
        self._open: dict[Key, _Open] = {}
        self._lock = threading.Lock()
        self._begins: dict[type[events.Event], Callable[[Any], _Open]] = {
            events.AgentRunStarted: self._begin_run,
            events.ModelCalled: self._begin_chat,
            events.CellSubmitted: self._begin_cell,
            events.ToolCalled: self._begin_tool,
        }
        self._ends: dict[type[events.Event], Callable[[Any], None]] = {
            events.AgentRunFinished: self._end_run,
            events.ModelAnswered: self._end_chat,
            events.CellFinished: self._end_cell,
            events.ToolReturned: self._end_tool,
            events.SessionClosed: self._end_session,
        }

    def __call__(self, event: events.Event) -> None:
        kind = type(event)
        if kind in self._begins:
            self._begun(event)
        elif kind in self._ends:
            self._ends[kind](event)

    def context_for(self, event: events.Event) -> contextlib.AbstractContextManager[object]:
        """What makes the span of an event the current one."""
        from opentelemetry import trace

        try:
            return trace.use_span(self._begun(event).span, end_on_exit=False)
        except Exception:  # the observer has failed before in the same way, and that was reported
            return contextlib.nullcontext()

    def close(self) -> None:
        """End what is open."""
        self._abandon(lambda key, open_: True, None)

    def forget(self) -> None:
        """After a fork: what is open is the other process's to end."""
        self._lock = threading.Lock()
        self._open = {}

    # -- beginning

    def _begun(self, event: events.Event) -> _Open:
        """The span of an event, begun if it has not been."""
        with self._lock:
            open_ = self._open.get(_key(event))
        return open_ if open_ is not None else self._begins[type(event)](event)

    def _begin(
        self,
        kind: Kind,
        event: events.Event,
        named: str,
        attributes: dict[str, Any],
        parent: Context,
        agent: str = "",
    ) -> _Open:
        from opentelemetry.trace import SpanKind

        row = SPANS[kind]
        if row.operation:
            attributes["gen_ai.operation.name"] = row.operation
        if event.run:
            attributes["fumehood.run.id"] = event.run
        name = row.name.partition(" ")[0]
        began = _nanoseconds(event.at)
        span = self._tracer.start_span(
            f"{name} {named}" if named else name,
            context=parent,
            kind=SpanKind.CLIENT if kind == "chat" else SpanKind.INTERNAL,
            attributes=attributes,
            start_time=began,
        )
        open_ = _Open(span, began, agent, event.cell)
        with self._lock:
            self._open[_key(event, kind)] = open_
        return open_

    def _begin_run(self, event: events.AgentRunStarted) -> _Open:
        agent, model = content.name(event.agent), content.name(event.model)
        attributes = {
            "gen_ai.agent.name": agent,
            "gen_ai.provider.name": provider_of(model),
            "gen_ai.request.model": model,
            "fumehood.run.max_steps": content.number(event.max_steps),
        }
        open_ = self._begin(
            "run", event, agent, attributes, self._around(("run", event.lead, 0)), agent
        )
        self._say(open_.span, "gen_ai.input.messages", lambda: content.message("user", event.task))
        return open_

    def _begin_chat(self, event: events.ModelCalled) -> _Open:
        model = content.name(event.model)
        parent = self._around(("run", event.run, 0))
        if event.purpose == "plan":
            agent = self._agent(event.run)
            plan = self._begin(
                "plan", event, agent, {"gen_ai.agent.name": agent} if agent else {}, parent
            )
            parent = _within(plan.span)
        attributes = {
            "gen_ai.provider.name": provider_of(model),
            "gen_ai.request.model": model,
            "fumehood.chat.purpose": content.name(event.purpose),
        }
        open_ = self._begin("chat", event, model, attributes, parent)
        self._say(open_.span, "gen_ai.input.messages", lambda: content.messages(event.messages))
        return open_

    def _begin_cell(self, event: events.CellSubmitted) -> _Open:
        attributes = {
            "fumehood.session.id": event.session,
            "fumehood.cell.number": event.cell,
            "fumehood.cell.code.length": len(event.code),
        }
        open_ = self._begin("cell", event, "", attributes, self._around(("run", event.run, 0)))
        self._say(open_.span, "fumehood.cell.code", lambda: content.fit(event.code))
        return open_

    def _begin_tool(self, event: events.ToolCalled) -> _Open:
        tool, agent = content.name(event.tool), self._agent(event.run)
        attributes = {
            "gen_ai.tool.name": tool,
            "gen_ai.tool.type": "function",
            "gen_ai.tool.call.id": f"{event.session}-{event.call}",
            "fumehood.session.id": event.session,
            "fumehood.cell.number": event.cell,
        }
        if agent:
            attributes["gen_ai.agent.name"] = agent
        with self._lock:
            cell = self._open.get(("cell", event.session, event.cell))
        parent = self._around(("run", event.run, 0)) if cell is None else _within(cell.span)
        open_ = self._begin("tool", event, tool, attributes, parent)
        self._say(
            open_.span,
            "gen_ai.tool.call.arguments",
            lambda: content.arguments(event.args, event.kwargs),
        )
        return open_

    def _around(self, key: Key) -> Context:
        """What something happens in: where the current span is of the same trace as the run it is
        for, there; else in the run. What goes on in a thread that knows nothing of the run is the
        run's all the same."""
        from opentelemetry import context, trace

        with self._lock:
            run = self._open.get(key)
        if (
            run is None
            or trace.get_current_span().get_span_context().trace_id
            == run.span.get_span_context().trace_id
        ):
            return context.get_current()
        return _within(run.span)

    def _agent(self, run: str) -> str:
        with self._lock:
            open_ = self._open.get(("run", run, 0))
        return "" if open_ is None else open_.agent

    # -- ending

    def _end_run(self, event: events.AgentRunFinished) -> None:
        self._abandon(lambda key, open_: key[0] in ("chat", "plan") and key[1] == event.run, event)
        open_ = self._taken("run", event)
        if open_ is None:
            return
        span = open_.span
        tokens = event.metrics.get("token_usage")
        if isinstance(tokens, dict):
            _set_tokens(span, tokens.get("input_tokens", 0), tokens.get("output_tokens", 0))
        span.set_attribute("fumehood.run.state", content.name(event.state))
        if "steps_used" in event.metrics:
            span.set_attribute("fumehood.run.steps", content.number(event.metrics["steps_used"]))
        if event.output is not None:
            self._say(span, "gen_ai.output.messages", lambda: content.answer(event.output))
        self._finish(open_, event, event.error)

    def _end_chat(self, event: events.ModelAnswered) -> None:
        open_ = self._taken("chat", event)
        if open_ is not None:
            _set_tokens(open_.span, event.input_tokens, event.output_tokens)
            if event.finish_reason:
                open_.span.set_attribute(
                    "gen_ai.response.finish_reasons", [content.name(event.finish_reason)]
                )
            if event.error is None:
                reason = event.finish_reason or "stop"
                self._say(
                    open_.span,
                    "gen_ai.output.messages",
                    lambda: content.message("assistant", event.text, reason),
                )
            self._finish(open_, event, event.error)
        plan = self._taken("plan", event)
        if plan is not None:
            self._finish(plan, event, event.error)

    def _end_cell(self, event: events.CellFinished) -> None:
        self._abandon(
            lambda key, open_: (
                key[0] == "tool" and key[1] == event.session and open_.cell == event.cell
            ),
            event,
        )
        open_ = self._taken("cell", event)
        if open_ is None:
            return
        done = event.execution
        for name, value in _outcome(done).items():
            open_.span.set_attribute(name, value)
        if done.logs:
            self._say(open_.span, "fumehood.cell.output", lambda: content.fit(done.logs))
        if done.value is not None:
            self._say(open_.span, "fumehood.cell.value", lambda: content.as_json(done.value))
        self._finish(open_, event, done.error, done.fault or "")

    def _end_tool(self, event: events.ToolReturned) -> None:
        open_ = self._taken("tool", event)
        if open_ is not None:
            if event.error is None:
                self._say(
                    open_.span, "gen_ai.tool.call.result", lambda: content.as_json(event.value)
                )
            self._finish(open_, event, event.error)

    def _end_session(self, event: events.SessionClosed) -> None:
        self._abandon(
            lambda key, open_: key[0] in ("tool", "cell") and key[1] == event.session, event
        )

    def _taken(self, kind: Kind, event: events.Event) -> _Open | None:
        with self._lock:
            return self._open.pop(_key(event, kind), None)

    def _abandon(self, which: Callable[[Key, _Open], bool], event: events.Event | None) -> None:
        """End spans that nothing else will end."""
        with self._lock:
            chosen = [key for key, open_ in self._open.items() if which(key, open_)]
            left = [self._open.pop(key) for key in chosen]
        failure: Exception | None = None
        for open_ in left:
            try:
                self._finish(open_, event, None, ABANDONED)
            except (
                Exception
            ) as error:  # whoever processes spans: the others are to end all the same
                failure = error
        if failure is not None:
            raise failure

    def _finish(
        self, open_: _Open, event: events.Event | None, error: ErrorInfo | None, kind: str = ""
    ) -> None:
        """End a span, as failed if there is an error. What an exception says is content: it often
        quotes the data it failed on."""
        if error is not None or kind:
            from opentelemetry.trace import Status, StatusCode

            kind = kind or content.name(error.type if error is not None else "")
            open_.span.set_attribute("error.type", kind)
            words = (
                content.fit(str(error), 1_000)
                if error is not None and self._records_content
                else kind
            )
            open_.span.set_status(Status(StatusCode.ERROR, words))
        open_.span.end(None if event is None else max(open_.began, _nanoseconds(event.at)))

    def _say(self, span: Span, name: str, make: Callable[[], str]) -> None:
        """Record what somebody said, if that was asked for."""
        if not self._records_content or not span.is_recording():
            return
        try:
            span.set_attribute(name, make())
        # another thread changes the value meanwhile, for one; a span without it is better than none
        except Exception as error:
            span.set_attribute(name, f"<cannot be shown: {type(error).__name__}>")


def _key(event: Any, kind: Kind | None = None) -> Key:
    kind = kind or _KINDS[type(event)]
    if kind == "run":
        return kind, event.run, 0
    if kind == "cell":
        return kind, event.session, event.cell
    return kind, event.session if kind == "tool" else event.run, event.call


_KINDS: dict[type[events.Event], Kind] = {
    events.AgentRunStarted: "run",
    events.ModelCalled: "chat",
    events.CellSubmitted: "cell",
    events.ToolCalled: "tool",
}


def _within(span: Span) -> Context:
    from opentelemetry import trace

    return trace.set_span_in_context(span)


def _nanoseconds(at: float) -> int:
    return int(at * 1e9)


def _set_tokens(span: Span, sent: Any, received: Any) -> None:
    """Not when there are none: then nobody has counted."""
    if sent or received:
        span.set_attribute("gen_ai.usage.input_tokens", content.number(sent))
        span.set_attribute("gen_ai.usage.output_tokens", content.number(received))


def _outcome(done: Execution) -> dict[str, Any]:
    """What became of a cell, without what it said."""
    found: dict[str, Any] = {
        "fumehood.cell.fault": done.fault,
        "fumehood.cell.rolled_back": done.rolled_back,
        "fumehood.cell.is_final_answer": done.is_final_answer,
        "fumehood.cell.imports": [content.name(name) for name in done.imports[:100]],
        "fumehood.cell.violations": sorted(
            {content.name(violation.rule) for violation in done.violations}
        )[:100],
        "fumehood.cell.findings": sorted({content.name(finding.kind) for finding in done.findings})[
            :100
        ],
        "fumehood.cell.wall_seconds": content.number(done.usage.wall_seconds),
        "fumehood.cell.cpu_seconds": content.number(done.usage.cpu_seconds),
        "fumehood.cell.peak_memory_bytes": (
            None
            if done.usage.peak_memory_bytes is None
            else content.number(done.usage.peak_memory_bytes)
        ),
    }
    return {name: value for name, value in found.items() if value is not None and value != []}
