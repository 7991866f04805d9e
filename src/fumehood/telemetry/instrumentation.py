"""Turning telemetry on and off."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Any, Self

import fumehood
from fumehood import observing
from fumehood.errors import MissingExtra

if TYPE_CHECKING:
    from opentelemetry.metrics import MeterProvider
    from opentelemetry.trace import TracerProvider


class Instrumentation:
    """Telemetry that is on. `close()`, or the end of a `with` block, turns it off; spans that are
    open end then."""

    def __init__(self, tracer: Any, meter: Any, given: tuple[Any, ...]) -> None:
        from fumehood.telemetry.metrics import Metrics
        from fumehood.telemetry.spans import Spans

        self.given = given
        """What it was made with."""
        self._spans = Spans(tracer, record_content=given[-1])
        self._metrics = Metrics(meter)
        self._undo = observing.add_context(self._spans.context_for)
        self._subscriptions = [observing.observe(self._spans), observing.observe(self._metrics)]

    def close(self) -> None:
        """Turn it off. Exporters and providers are whoever's made them."""
        global _current
        with _lock:
            if _current is self:
                _current = None
        self._undo()
        subscriptions, self._subscriptions = self._subscriptions, []
        for subscription in subscriptions:
            subscription.close()
        for part in (self._spans, self._metrics):
            try:
                part.close()
            except Exception as error:
                observing.report(
                    f"telemetry could not be closed well: {type(error).__name__}: {error}", error
                )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def forget(self) -> None:
        """After a fork."""
        self._spans.forget()
        self._metrics.forget()


_lock = threading.Lock()
_current: Instrumentation | None = None


def instrument(
    *,
    tracer_provider: TracerProvider | None = None,
    meter_provider: MeterProvider | None = None,
    record_content: bool = False,
) -> Instrumentation:
    """Have OpenTelemetry told of every agent and executor of this process, those that are there
    already included.

    Spans and metrics go to the given providers, or else to the program's. With `record_content`,
    spans also hold what was said: tasks, messages, answers, code, output, arguments and results of
    tools.

    Asked again for the same, it gives what it gave before. Raises MissingExtra if OpenTelemetry is
    not installed, TypeError for what is no provider, and RuntimeError if telemetry is on already,
    with other providers or options.
    """
    global _current
    try:
        from opentelemetry import metrics, trace
    except ImportError:
        raise MissingExtra("telemetry needs OpenTelemetry: pip install 'fumehood[otel]'") from None
    for option, provider, method in (
        ("tracer_provider", tracer_provider, "get_tracer"),
        ("meter_provider", meter_provider, "get_meter"),
    ):
        if provider is not None and not callable(getattr(provider, method, None)):
            raise TypeError(
                f"{option} must be an OpenTelemetry provider, with a method {method}; not"
                f" {type(provider).__name__}"
            )
    given = (tracer_provider, meter_provider, bool(record_content))
    with _lock:
        if _current is not None:
            if all(mine is theirs for mine, theirs in zip(given, _current.given, strict=True)):
                return _current
            raise RuntimeError(
                "telemetry is on already, with other providers or options; close that"
                " instrumentation first"
            )
        _current = Instrumentation(
            trace.get_tracer("fumehood", fumehood.__version__, tracer_provider),
            metrics.get_meter("fumehood", fumehood.__version__, meter_provider),
            given,
        )
        return _current


def _after_fork() -> None:
    global _lock
    _lock = threading.Lock()
    if _current is not None:
        _current.forget()


os.register_at_fork(after_in_child=_after_fork)
