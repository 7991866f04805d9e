"""OpenTelemetry's own exporters that keep everything in memory, and events made by hand."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from fumehood import CodeAgent, ReplayModel, events
from fumehood.observing import Subscribers, in_contexts
from fumehood.results import Execution
from fumehood.telemetry import Instrumentation, instrument

Tree = dict[str, Any]
MakeAgent = Callable[..., CodeAgent]


class Telemetry:
    """What was exported. `tracer` is somebody else's, with the same provider."""

    def __init__(self) -> None:
        self.exporter = InMemorySpanExporter()
        self.tracer_provider = TracerProvider()
        self.tracer_provider.add_span_processor(SimpleSpanProcessor(self.exporter))
        self.reader = InMemoryMetricReader()
        self.meter_provider = MeterProvider([self.reader])
        self.tracer = self.tracer_provider.get_tracer("mine")
        self.on: Instrumentation | None = None

    def turn_on(self, **options: Any) -> Instrumentation:
        self.on = instrument(
            tracer_provider=self.tracer_provider, meter_provider=self.meter_provider, **options
        )
        return self.on

    @property
    def spans(self) -> list[ReadableSpan]:
        return sorted(self.exporter.get_finished_spans(), key=lambda span: span.start_time or 0)

    def span(self, name: str) -> ReadableSpan:
        """The only span of that name."""
        found = [span for span in self.spans if span.name == name]
        assert len(found) == 1, [span.name for span in self.spans]
        return found[0]

    def tree(self) -> list[Any]:
        """Names of spans, each followed by a list of what is below it, if anything is. Spans of one
        parent are in order of their start."""

        def below(parent: int | None) -> list[Any]:
            made: list[Any] = []
            for span in self.spans:
                if (span.parent.span_id if span.parent else None) == parent:
                    children = below(span.context.span_id)
                    made += [span.name, children] if children else [span.name]
            return made

        return below(None)

    def points(self, name: str) -> list[tuple[dict[str, Any], Any]]:
        """What a metric says: for each set of attributes, its value, or its count and sum."""
        data = self.reader.get_metrics_data()
        for resource in data.resource_metrics if data else ():
            for scope in resource.scope_metrics:
                for metric in scope.metrics:
                    if metric.name == name:
                        return [
                            (
                                dict(point.attributes or {}),
                                point.value
                                if hasattr(point, "value")
                                else (point.count, point.sum),
                            )
                            for point in metric.data.data_points
                        ]
        return []


@pytest.fixture
def telemetry() -> Iterator[Telemetry]:
    made = Telemetry()
    yield made
    if made.on is not None:
        made.on.close()


class Story:
    """Events by hand, told as executors and agents tell them; each a second after the one
    before."""

    def __init__(self) -> None:
        self._subscribers = Subscribers()
        self._now = 1_000_000.0

    def tell(self, kind: type[events.Event], **fields: Any) -> events.Event:
        self._now += 1
        event = kind(at=self._now, **fields)
        self._subscribers.emit(event)
        return event

    @contextlib.contextmanager
    def going_on(self, kind: type[events.Event], **fields: Any) -> Iterator[None]:
        with in_contexts(self.tell(kind, **fields)):
            yield

    # -- with what every such event has

    def run(
        self, run: str = "r", agent: str = "a", **fields: Any
    ) -> contextlib.AbstractContextManager[None]:
        return self.going_on(
            events.AgentRunStarted,
            run=run,
            agent=agent,
            **{"model": "gpt-5", "task": "t", "max_steps": 9, **fields},
        )

    def run_ends(self, run: str = "r", agent: str = "a", **fields: Any) -> None:
        given = {
            "state": "success",
            "output": 1,
            "error": None,
            "metrics": {},
            "seconds": 2.5,
            **fields,
        }
        self.tell(events.AgentRunFinished, run=run, agent=agent, **given)

    def asks(
        self, run: str = "r", call: int = 1, **fields: Any
    ) -> contextlib.AbstractContextManager[None]:
        return self.going_on(
            events.ModelCalled,
            run=run,
            call=call,
            **{"model": "gpt-5", "purpose": "step", "messages": (), **fields},
        )

    def answers(self, run: str = "r", call: int = 1, **fields: Any) -> None:
        given = {
            "model": "gpt-5",
            "purpose": "step",
            "text": "x",
            "input_tokens": 0,
            "output_tokens": 0,
            "finish_reason": "",
            "error": None,
        }
        self.tell(events.ModelAnswered, run=run, call=call, **{**given, "seconds": 0.5, **fields})

    def cell(self, session: str = "s", cell: int = 1, run: str = "", code: str = "1") -> None:
        self.tell(events.CellSubmitted, session=session, cell=cell, run=run, code=code)

    def cell_ends(
        self, execution: Execution | None = None, session: str = "s", cell: int = 1, run: str = ""
    ) -> None:
        self.tell(
            events.CellFinished,
            session=session,
            cell=cell,
            run=run,
            execution=execution or Execution(),
        )

    def calls(
        self, tool: str = "look", session: str = "s", cell: int = 1, call: int = 1, **fields: Any
    ) -> Any:
        return self.going_on(
            events.ToolCalled,
            tool=tool,
            session=session,
            cell=cell,
            call=call,
            **{"args": (), "kwargs": {}, **fields},
        )

    def returns(
        self, tool: str = "look", session: str = "s", cell: int = 1, call: int = 1, **fields: Any
    ) -> None:
        given = {"value": None, "error": None, "seconds": 0.25, **fields}
        self.tell(events.ToolReturned, tool=tool, session=session, cell=cell, call=call, **given)


@pytest.fixture
def story() -> Story:
    return Story()


@pytest.fixture(params=("local", "inline"))
def place(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def make_agent(place: str) -> Iterator[MakeAgent]:
    """Agents in each place in turn, whose model says what it is told to: code, which is put in a
    block, or a text with a block."""
    made: list[CodeAgent] = []

    def make(*turns: str, **options: Any) -> CodeAgent:
        if turns:
            options["model"] = ReplayModel(
                [
                    text if text.startswith("Plan") else f"Now.\n```python\n{text}\n```"
                    for text in turns
                ]
            )
        agent = CodeAgent(**{"tools": [], "executor_type": place, **options})
        made.append(agent)
        return agent

    yield make
    for agent in made:
        agent.close()
