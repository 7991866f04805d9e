"""FarExecutor: an executor whose sandbox is in a place at the far end of a tunnel, of its own or
shared with others."""

from __future__ import annotations

import threading
from typing import Protocol, Self

from fumehood.executors.executor import Executor
from fumehood.executors.jailed import JailedWorker
from fumehood.executors.session_options import SessionOptions
from fumehood.executors.trail import Trail
from fumehood.executors.zygotes import Runner
from fumehood.policy import Policy


class Starts(Protocol):
    """A place, or a choice of places."""

    def start_sandbox(self, policy: Policy) -> Runner: ...

    def close(self) -> None: ...


class FarExecutor(Executor):
    def __init__(
        self, name: str, place: Starts, shares: bool, policy: Policy, options: SessionOptions
    ) -> None:
        """`shares` says that the place is not this executor's to end. The rest is as with
        Executor."""
        self._place, self._shares = place, shares
        self._crowd = _Crowd()

        def make_worker(undoes: frozenset[str], trail: Trail) -> JailedWorker:
            return JailedWorker(policy, undoes=undoes, start=place.start_sandbox, trail=trail)

        try:
            super().__init__(name, policy, make_worker, options)
        except BaseException:
            if not shares:
                place.close()
            raise

    def _beside(self, worker: JailedWorker) -> Self:
        other = super()._beside(worker)
        self._crowd.add(1)
        return other

    def close(self) -> None:
        """Give back the sandbox; the last executor of a place that is not shared ends that too."""
        already, self._is_closed = self._is_closed, True
        if already:
            return
        if not self._crowd.add(-1) and not self._shares:
            self._place.close()  # at once: nothing in there has to be told
        self._worker.close()

    _is_closed = False


class _Crowd:
    """How many executors have a place together: the first, and all that were made from it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._number = 1

    def add(self, more: int) -> int:
        """Gives how many there are now."""
        with self._lock:
            self._number += more
            return self._number
