"""PythonExecutor: the interface of all executors."""

from __future__ import annotations

import asyncio
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, MutableMapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from fumehood.errors import (
    CodeRaised,
    CodeRefused,
    ContainerFailed,
    E2BSandboxGone,
    InterpreterError,
    LimitReached,
    NodeLost,
    PolicyError,
)
from fumehood.executors.session_events import SessionEvents
from fumehood.observing import Observer, Subscription
from fumehood.policy import Policy
from fumehood.results import Execution

if TYPE_CHECKING:
    from fumehood.executors.installing import Installed


Stdin = str | Callable[[str], str | None] | None
"""What a cell reads: a text, or a function that gives the next line for a prompt."""


class PythonExecutor(ABC):
    """Runs cells one after the other and keeps their variables.

    `run` returns an `Execution` and never raises for what the code did. Calling the executor
    returns the same `Execution` if the code succeeded. Otherwise it raises an `InterpreterError`
    whose type says whether the code raised, was refused, or reached a limit; its `execution`
    attribute is the `Execution`.
    """

    @cached_property
    def events(self) -> SessionEvents:
        """Emits what happens here to observers."""
        return SessionEvents(type(self).__name__, Policy())

    def observe(self, observer: Observer) -> Subscription:
        """Call an observer, a function, with every event from now on, the session's first."""
        subscription = Subscription(observer)
        self.events.observe(subscription)
        return subscription

    @property
    @abstractmethod
    def state(self) -> MutableMapping[str, Any]:
        """The code's variables."""

    @abstractmethod
    def run(self, code: str, *, stdin: Stdin = None) -> Execution:
        """Run one cell. `stdin` is the text that it reads from standard input, or a function that
        is called with the prompt for each line and returns None at the end of the input."""

    def is_alive(self) -> bool:
        """False if it is closed or its process is dead."""
        return True

    @property
    def is_busy(self) -> bool:
        """Whether a cell runs."""
        return False

    @abstractmethod
    def send_tools(self, tools: Mapping[str, Any]) -> None:
        """Make the host's functions callable from code, by name."""

    @abstractmethod
    def send_variables(self, variables: Mapping[str, Any]) -> None:
        """Add variables to the code's."""

    def install(
        self, *packages: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]
    ) -> Installed:
        """Make packages importable, by name or as wheels; variables stay. Returns their versions
        and modules."""
        raise PolicyError(
            f"{type(self).__name__} cannot install packages while code runs; have them where it"
            " runs before it is made"
        )

    @abstractmethod
    def interrupt(self) -> bool:
        """Stop the running cell, from any thread. False if none is running."""

    @abstractmethod
    def report(self) -> str:
        """What isolates the code, and what does not."""

    @abstractmethod
    def close(self) -> None:
        """End the executor. Closing twice is harmless."""

    @classmethod
    def load(
        cls, path: str | os.PathLike[str], policy: Policy | None = None, **options: Any
    ) -> Self:
        """A new executor with the variables of a file that `save` wrote, under this policy only.
        StateFileError for a file that cannot be read, PolicyError if its variables need modules
        that the policy does not authorize."""
        from fumehood.executors import durable  # late: it needs executors, and they need this

        if cls is PythonExecutor:
            from fumehood.executors.local import LocalPythonExecutor

            return durable.load(LocalPythonExecutor, path, policy, options)  # type: ignore[no-any-return]
        return durable.load(cls, path, policy, options)  # type: ignore[no-any-return]

    async def arun(self, code: str, *, stdin: Stdin = None) -> Execution:
        """`run` without blocking the event loop."""
        return await asyncio.to_thread(self.run, code, stdin=stdin)

    def __call__(self, code_action: str) -> Execution:
        """Run one cell: `output, logs, is_final = executor(code)`. Raises if the code failed."""
        execution = self.run(code_action)
        if execution.error is not None:
            raise _as_error(execution)
        return execution

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await asyncio.to_thread(self.close)


_GONE: dict[str, type[InterpreterError]] = {
    gone.__name__: gone for gone in (ContainerFailed, E2BSandboxGone, NodeLost)
}
"""What is said of a cell whose place is gone."""


def _as_error(execution: Execution) -> InterpreterError:
    assert execution.error is not None
    kind: type[InterpreterError] = {None: CodeRaised, "refused": CodeRefused}.get(
        execution.fault, LimitReached
    )
    if execution.fault == "killed":
        kind = _GONE.get(execution.error.type, kind)
    return kind(execution.error.traceback or str(execution.error), execution)
