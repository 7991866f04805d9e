"""Telemetry turned on and off, missing, and broken."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import warnings
from typing import Any

import pytest
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExporter

from fumehood import LocalPythonExecutor, observing
from fumehood.errors import ObserverFailed
from fumehood.telemetry import instrument
from fumehood.telemetry.instrumentation import Instrumentation

from .conftest import Story, Telemetry


def test_closing_leaves_nothing_behind(telemetry: Telemetry, story: Story) -> None:
    before = observing.EVERYBODY.members
    with telemetry.turn_on():
        assert len(observing.EVERYBODY.members) == len(before) + 2 and observing.has_contexts()
    assert observing.EVERYBODY.members == before and not observing.has_contexts()
    story.cell()
    story.cell_ends()
    assert telemetry.spans == [] and telemetry.points("fumehood.cell.duration") == []


def test_asked_for_something_else_meanwhile_it_says_so(telemetry: Telemetry) -> None:
    telemetry.turn_on()
    with pytest.raises(
        RuntimeError, match="on already, with other providers or options; close that"
    ) as raised:
        telemetry.turn_on(record_content=True)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("option", "method"), [("tracer_provider", "get_tracer"), ("meter_provider", "get_meter")]
)
def test_what_is_no_provider_is_refused(option: str, method: str) -> None:
    options: dict[str, Any] = {option: object()}
    with pytest.raises(TypeError, match=f"{option} must be .* {method}; not object"):
        instrument(**options)
    assert not observing.has_contexts()


def test_importing_it_imports_no_opentelemetry() -> None:
    code = (
        "import sys, fumehood.telemetry; print([name for name in sys.modules if"
        " name.startswith('opentelemetry')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "[]\n"


# -- broken


class BrokenExporter(SpanExporter):
    def export(self, spans: Any) -> Any:
        raise OSError("no network")

    def shutdown(self) -> None:
        raise OSError("no network")


class BrokenProcessor(SpanProcessor):
    def __init__(self, where: str) -> None:
        self.where = where

    def on_start(self, span: Any, parent_context: Any = None) -> None:
        if self.where == "start":
            raise OSError("broken at the start")

    def on_end(self, span: Any) -> None:
        if self.where == "end":
            raise OSError("broken at the end")


def _run_with(tracer_provider: TracerProvider) -> Instrumentation:
    called: list[int] = []
    with instrument(tracer_provider=tracer_provider, meter_provider=MeterProvider()) as on:
        executor = LocalPythonExecutor(isolation="inline")
        executor.send_tools({"note": called.append})
        assert executor.run("note(1)\nnote(2)\n7").value == 7
        assert called == [1, 2]
        executor.close()
    return on


def test_a_broken_exporter_breaks_no_run(caplog: pytest.LogCaptureFixture) -> None:
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(BrokenExporter()))
    with caplog.at_level(logging.CRITICAL + 1):
        _run_with(provider)


@pytest.mark.parametrize("where", ["start", "end"])
def test_a_broken_processor_breaks_no_run_and_is_reported(where: str) -> None:
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(BrokenProcessor(where))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        on = _run_with(provider)
    reports = [str(warning.message) for warning in caught if warning.category is ObserverFailed]
    assert len(reports) == 1 and f"OSError: broken at the {where}" in reports[0]
    assert on._spans._open == {}


def test_a_process_that_was_forked_does_not_end_what_its_parent_began(
    telemetry: Telemetry, story: Story
) -> None:
    on = telemetry.turn_on()
    story.cell()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some Pythons warn of forks where there are threads
        child = os.fork()
    if child == 0:
        os._exit(len(on._spans._open) + len(telemetry.spans))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert len(on._spans._open) == 1
    story.cell_ends()
