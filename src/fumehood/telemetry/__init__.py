"""OpenTelemetry: spans and metrics of what agents and executors do. `instrument()` turns it on."""

from fumehood.telemetry.instrumentation import Instrumentation, instrument

__all__ = ["Instrumentation", "instrument"]
