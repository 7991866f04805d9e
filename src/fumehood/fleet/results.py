"""What comes of an item, and what is counted of the nodes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from fumehood.errors import (
    InterpreterError,
    NodeLost,
    PolicyError,
    SandboxFailed,
    WorkerProtocolError,
)
from fumehood.executors.base import _as_error
from fumehood.results import ErrorInfo, Execution
from fumehood.wire.show import fields_repr

_FAILURES: dict[str, type[InterpreterError]] = {
    kind.__name__: kind for kind in (NodeLost, SandboxFailed, WorkerProtocolError)
}


@dataclass(frozen=True, slots=True)
class FleetResult:
    """The outcome of one item. There is one for every input, whatever happened."""

    index: int
    """Which of the inputs it was, from 0."""
    input: Any
    executions: tuple[Execution, ...] = ()
    """What came of its cells, up to the first that failed."""
    error: ErrorInfo | None = None
    """What went wrong: in the last cell, or before or beside the cells, with `error.type` a name of
    errors.py ("NodeLost")."""
    node: str = ""
    """Where it ran at last; empty if it did not."""
    seconds: float = 0.0
    """What it took there, its sandbox included."""
    attempts: int = 0
    """How often it was handed to a node."""

    def __repr__(self) -> str:
        return fields_repr(self, self.__dataclass_fields__)

    @property
    def ok(self) -> bool:
        """Whether all its cells ran without an error."""
        return self.error is None

    @property
    def value(self) -> Any:
        """The value of the last cell; None if that failed."""
        return self.executions[-1].value if self.executions else None

    @property
    def logs(self) -> str:
        """What all cells printed."""
        return "".join(execution.logs for execution in self.executions)

    @property
    def fault(self) -> str | None:
        """Which limit was reached, as of an Execution."""
        return self.executions[-1].fault if self.executions else None

    @property
    def failure(self) -> InterpreterError | PolicyError | None:
        """The error as an exception that can be raised: CodeRaised, CodeRefused, LimitReached or
        NodeLost; PolicyError for an input that could not be sent."""
        if self.error is None:
            return None
        if self.executions and self.executions[-1].error is not None:
            return _as_error(self.executions[-1])
        kind = _FAILURES.get(self.error.type)
        return PolicyError(str(self.error.message)) if kind is None else kind(self.error.message)


@dataclass(frozen=True, slots=True)
class NodeMetrics:
    """One node, since the fleet has known it."""

    node: str
    address: str
    slots: int
    """Items that it could run at the same time."""
    at_once: int = 0
    """Items that it is to run at the same time: fewer while other work of the cluster holds its
    processors."""
    window: int = 0
    """Items that it may have at the same time, those that wait there included."""
    items: int = 0
    cells: int = 0
    errors: int = 0
    """Items that ended with an error."""
    seconds_busy: float = 0.0
    """What its items took, all together."""
    in_flight: int = 0
    """Items that it has now."""
    exchanges: int = 0
    """How often it was asked for outcomes: items per exchange is how large batches were."""
    restarts: int = 0
    """How often it was lost, or did not answer, and came back."""
    is_lost: bool = False


@dataclass(frozen=True, slots=True)
class FleetMetrics:
    """A fleet at one moment."""

    nodes: dict[str, NodeMetrics] = field(default_factory=dict)
    queue: int = 0
    """Items that wait for a node."""
    in_flight: int = 0
    """Items that nodes have."""
    given: int = 0
    """Outcomes that were given to whoever asked for them."""
    repeated: int = 0
    """Items that were run again because a node was lost."""
