"""How an executor of a pool is made, and made ready to be lent."""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fumehood.errors import SandboxFailed
from fumehood.executors import life
from fumehood.executors.base import PythonExecutor, _as_error
from fumehood.observing import Observer
from fumehood.policy import Policy


@dataclass(frozen=True, slots=True)
class Recipe:
    """The same for every executor of a pool. One that cannot be made ready is closed, and the
    reason raised."""

    policy: Policy
    tools: dict[str, Any] | None
    setup: str | None
    make: Callable[[Policy], PythonExecutor]
    observers: tuple[Observer, ...] = ()

    def prepare(self) -> PythonExecutor:
        executor = self.make(self.policy)
        if not isinstance(executor, PythonExecutor):
            raise TypeError(f"make() must give a PythonExecutor, not {type(executor).__name__}")
        try:
            for observer in self.observers:
                executor.observe(observer)
            if self.tools is not None:
                executor.send_tools(self.tools)
            if self.setup is not None:
                execution = executor.run(self.setup)
                if execution.error is not None:
                    failure = _as_error(execution)
                    raise type(failure)(f"its setup failed: {failure}", execution)
            if not life.is_alive(executor):
                raise SandboxFailed(
                    "the executor died while it was being prepared: see what `setup` does"
                )
            weakref.ref(executor)  # the pool needs to be able to
        except BaseException:
            with contextlib.suppress(Exception):
                executor.close()
            raise
        return executor
