"""A node's end: items run on a pool of sandboxes of that machine, each in a fresh one, and their
outcomes are collected until asked for.

No cell waits for the driver. Items come in a batch with each exchange, threads take them one by
one, and what is done goes back with the next answer. An exchange waits for the first outcome, then
a moment for more while there is enough to do (the driver says how much that is); where there is
not, it answers at once, so that the driver can send more.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fumehood.errors import InterpreterError
from fumehood.executors.base import PythonExecutor
from fumehood.executors.local import LocalPythonExecutor
from fumehood.executors.pool import ExecutorPool
from fumehood.executors.session import Session
from fumehood.fleet.parcels import Outcome, Undecoded, Work, pack_outcome, retold, unpack_item
from fumehood.policy import Policy
from fumehood.results import ErrorInfo, Execution
from fumehood.wire import messages

LONGEST_EXCHANGE = 1.0
"""Seconds after which an exchange answers, with nothing if there is nothing: a driver that hears
nothing for long knows something."""
_MOST_AWAITED = 100_000
"""Of items that were dropped and are not here the numbers are kept of so many: most of them were
over, and will not come."""
_END_SECONDS = 2.0
"""How long a closing workshop waits for its threads, once their sandboxes were told to end."""


@dataclass(frozen=True, slots=True)
class Done:
    """One item that is over. An item that was not begun, because no sandbox could be had, has no
    parcel, and says why."""

    number: int
    seconds: float
    cells: int
    is_error: bool
    parcel: bytes
    refusal: str = ""


class Workshop:
    """Runs `slots` items at once. From any thread; whoever asks while another waits relieves that
    one, who goes with what there is."""

    def __init__(self, policy: Policy, slots: int, setup: str | None = None) -> None:
        self._policy = policy
        self._slots = self._at_once = slots
        self._pool = ExecutorPool(
            slots,
            max_size=3 * slots + 2,  # in use, ready, and being closed
            policy=policy,
            setup=setup,
            make=lambda policy: LocalPythonExecutor(
                policy=policy, on_fault="keep"
            ),  # nothing is run in it after a fault
        )
        self._lock = threading.Lock()
        self._todo = threading.Condition(self._lock)
        """For those who run items."""
        self._news = threading.Condition(self._lock)
        """For those who ask for outcomes."""
        self._waiting: deque[tuple[int, bytes]] = deque()
        self._running: dict[int, PythonExecutor | None] = {}
        self._dropped: set[int] = set()
        self._not_to_come: dict[int, None] = {}
        """Numbers of items that were dropped and are not here: over, or still to come. What a
        driver sends may arrive in another order."""
        self._done: list[Done] = []
        self._turn = 0
        self._is_closed = False
        self._threads = [
            threading.Thread(target=self._work, name=f"fumehood-item-{n}", daemon=True)
            for n in range(slots)
        ]
        for thread in self._threads:
            thread.start()

    def rehearse(self) -> None:
        """See that a sandbox can be had here; raises what it is that keeps it from being made."""
        self._pool.checkout().close()

    # -- for the driver

    def exchange(
        self,
        items: Sequence[tuple[int, bytes]],
        linger: float,
        low: int,
        at_once: int | None = None,
    ) -> list[Done]:
        """Take items, and give what is done: after `linger` seconds from the first, or when fewer
        than `low` items wait to be run. From now on run no more than `at_once` of them at the same
        time; without it, one in each slot."""
        until = time.monotonic() + max(LONGEST_EXCHANGE, 2 * linger)
        with self._lock:
            self._turn += 1
            turn = self._turn
            for item in items:
                if self._not_to_come.pop(item[0], self) is self:
                    self._waiting.append(item)
            before, self._at_once = self._at_once, min(at_once or self._slots, self._slots)
            self._todo.notify(len(items) if self._at_once <= before else self._slots)
            self._news.notify_all()
            self._wait(turn, until, lambda: bool(self._done))
            self._wait(
                turn, min(until, time.monotonic() + linger), lambda: len(self._waiting) < low
            )
            done, self._done = self._done, []
            return done

    def _wait(self, turn: int, until: float, enough: Any) -> None:
        """Until there is enough, or time is over, or another asks, or nothing more can come."""
        while not (enough() or self._turn != turn or self._is_closed):
            if (
                not (self._waiting or self._running)
                or not self._news.wait(until - time.monotonic())
                and time.monotonic() >= until
            ):
                return

    def drop(self, numbers: Sequence[int]) -> None:
        """Items whose outcome nobody wants: those that wait are forgotten, those that run are
        ended."""
        unwanted = {*numbers}
        with self._lock:
            waiting = {number for number, _parcel in self._waiting}
            self._waiting = deque(item for item in self._waiting if item[0] not in unwanted)
            ended = {number: self._running[number] for number in unwanted & self._running.keys()}
            self._dropped |= ended.keys()
            self._not_to_come.update(dict.fromkeys(unwanted - waiting - ended.keys()))
            while len(self._not_to_come) > _MOST_AWAITED:
                del self._not_to_come[next(iter(self._not_to_come))]
            self._news.notify_all()
        for executor in ended.values():
            if executor is not None:
                executor.close()

    def close(self) -> None:
        """End everything, in bounded time."""
        with self._lock:
            self._is_closed = True
            self._waiting.clear()
            self._todo.notify_all()
            self._news.notify_all()
        self._pool.close(0)
        until = time.monotonic() + _END_SECONDS
        for thread in self._threads:
            thread.join(max(until - time.monotonic(), 0))

    # -- items

    def _work(self) -> None:
        while True:
            with self._lock:
                while not (self._is_closed or self._waiting and len(self._running) < self._at_once):
                    self._todo.wait()
                if self._is_closed:
                    return
                number, parcel = self._waiting.popleft()
                self._running[number] = None
            started = time.monotonic()
            try:
                done = self._run(number, parcel, started)
            except BaseException as error:  # whatever it is, the driver hears of the item
                done = Done(
                    number,
                    time.monotonic() - started,
                    0,
                    True,
                    b"",
                    f"{type(error).__name__}: {error}",
                )
            with self._lock:
                self._running.pop(number, None)
                if number in self._dropped:
                    self._dropped.discard(number)
                else:
                    self._done.append(done)
                self._news.notify_all()

    def _run(self, number: int, parcel: bytes, started: float) -> Done:
        work = unpack_item(parcel)
        try:
            lease = self._pool.checkout()
        except InterpreterError as error:  # no sandbox can be made here
            return Done(
                number, time.monotonic() - started, 0, True, b"", str(error).partition("\n")[0]
            )
        try:
            executor = lease.executor
            with self._lock:
                self._running[number] = executor
                is_wanted = number not in self._dropped
            outcome = self._outcome(executor, work) if is_wanted else Outcome()
        finally:
            lease.close()
        is_error = outcome.error is not None or any(
            execution.error is not None for execution in outcome.executions
        )
        try:
            packed = pack_outcome(outcome, self._policy.limits.frame_bytes)
        except Exception as error:  # a node that no codec has made
            text = f"the sandbox sent what is no value: {type(error).__name__}"
            crash = Execution(
                error=ErrorInfo("WorkerProtocolError", text, f"WorkerProtocolError: {text}"),
                fault="crash",
            )
            packed, is_error = pack_outcome(Outcome((crash,)), 1 << 60), True
        return Done(number, time.monotonic() - started, len(outcome.executions), is_error, packed)

    def _outcome(self, executor: PythonExecutor, work: Work) -> Outcome:
        """Run the cells of an item until one fails."""
        worker: Session = executor._session  # type: ignore[attr-defined]
        until = None if work.seconds is None else time.monotonic() + work.seconds
        executions: list[Execution] = []
        try:
            variables = work.variables
            if variables is not None:
                message = messages.SetVariables(variables=variables.node)
                worker.ask(message, list(variables.buffers))
            for cell in work.cells:
                left = None if until is None else max(until - time.monotonic(), 0.001)
                execution = worker.run(cell, seconds=left, decode=Undecoded)
                if (
                    until is not None
                    and execution.fault == "timeout"
                    and execution.error is not None
                ):
                    text = f"the item ran longer than {work.seconds:g} seconds and was stopped"
                    execution = retold(
                        execution, ErrorInfo("TimeLimit", text, f"TimeLimit: {text}")
                    )
                executions.append(execution)
                if execution.error is not None:
                    break
        except (
            Exception
        ) as error:  # what is said of variables that a sandbox cannot take, or of its death
            kind = type(error).__name__
            return Outcome(tuple(executions), ErrorInfo(kind, str(error), f"{kind}: {error}"))
        return Outcome(tuple(executions))
