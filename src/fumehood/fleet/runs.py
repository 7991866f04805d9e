"""One map: its inputs are taken in as there is room, and its results are given out, to a thread or
to a task.

Inputs are taken, and encoded, in a thread of their own (or, if they are asynchronous, by a task of
whoever asked); results are decoded by whoever takes them. Neither holds up the engine.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterable, Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from fumehood.fleet.inputs import Code, check_code, parcel_of
from fumehood.fleet.parcels import unpack_outcome
from fumehood.fleet.results import FleetResult
from fumehood.fleet.schedule import Item, Order
from fumehood.results import ErrorInfo

_LOOK = 0.5
"""Seconds after which whoever waits for room looks again: nodes may have joined."""
_MANY = 32
"""So many results are given to a task before others have their turn."""


@dataclass(frozen=True, slots=True)
class Given:
    """The outcome of an item as the engine has it: a parcel, or an error that no cell has made."""

    index: int
    attempts: int = 0
    node: str = ""
    seconds: float = 0.0
    parcel: bytes = b""
    error: ErrorInfo | None = None


class Desk(Protocol):
    """What a run needs of the engine."""

    @property
    def reserve(self) -> int:
        """How many inputs may be taken whose results were not, if the run was not told."""

    def begin(self, run: Run) -> None:
        """SandboxFailed if nothing is run here any more."""

    def submit(self, item: Item[Given]) -> None: ...

    def refuse(self, run: Run, given: Given) -> None:
        """An input that is not to be run, in its turn."""

    def over(self, run: Run) -> None:
        """Nobody wants more of its results."""


class Run(Order[Given]):
    def __init__(
        self,
        desk: Desk,
        code: Code,
        inputs: Iterable[Any] | AsyncIterable[Any],
        seconds: float | None,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        check_code(code)
        self._desk, self._code, self._inputs, self._seconds = desk, code, inputs, seconds
        self._kept: dict[int, Any] = {}
        """Inputs whose results are not given yet."""
        self._changed = threading.Condition()
        self._ready: deque[Given] = deque()
        self._taken = 0
        self._handed = 0
        self._is_fed = False
        self._failure: BaseException | None = None
        self._is_cut_off = False
        self._wake: Callable[[], None] | None = None

    # -- from the engine

    def put(self, given: list[Given]) -> None:
        with self._changed:
            self._ready.extend(given)
            self._notify()

    def _notify(self) -> None:
        self._changed.notify_all()
        if self._wake is not None:
            wake, self._wake = self._wake, None
            wake()

    def fail(self, error: BaseException) -> None:
        """There will be no more results: the engine is gone."""
        with self._changed:
            self._failure = error
            self.is_over = self._is_cut_off = True
            self._notify()

    # -- inputs

    @property
    def _has_room(self) -> bool:
        return self._taken - self._handed < (self.in_flight or self._desk.reserve)

    def _accept(self, value: Any) -> None:
        """Take an input. One that cannot be sent has a result that says so."""
        index, self._taken = self._taken, self._taken + 1
        self._kept[index] = value
        try:
            parcel = parcel_of(self._code, value, self._seconds)
        except Exception as error:
            kind = type(error).__name__
            self._desk.refuse(
                self, Given(index, error=ErrorInfo(kind, str(error), f"{kind}: {error}"))
            )
        else:
            self._desk.submit(Item(self, index, parcel))

    def _fed(self, failure: BaseException | None) -> None:
        with self._changed:
            self._failure = self._failure or failure
            self._is_fed = True
            self._notify()

    def _feed(self) -> None:
        failure: BaseException | None = None
        try:
            iterator: Iterator[Any] = iter(self._inputs)  # type: ignore[arg-type]
            while True:
                with self._changed:
                    while not (self._has_room or self.is_over):
                        self._changed.wait(_LOOK)
                if self.is_over:
                    break
                try:
                    value = next(iterator)
                except StopIteration:
                    break
                self._accept(value)
        except BaseException as error:
            failure = error
        self._fed(failure)

    async def _feed_later(self) -> None:
        failure: BaseException | None = None
        try:
            iterator = aiter(self._inputs)  # type: ignore[arg-type]
            while not self.is_over:
                if not self._has_room:
                    await self._changes(lambda: self._has_room or self.is_over, _LOOK)
                    continue
                try:
                    value = await anext(iterator)
                except StopAsyncIteration:
                    break
                self._accept(value)
        except BaseException as error:
            failure = error
            if isinstance(error, asyncio.CancelledError):
                raise
        finally:
            self._fed(failure)

    # -- results

    @property
    def _is_done(self) -> bool:
        return self._is_cut_off or self._is_fed and self._handed == self._taken

    def _next(self) -> Given | None:
        """A result, if there is one; what is over raises StopIteration, or what the inputs have
        raised. Whoever calls has the lock."""
        if self._ready and not self._is_cut_off:
            self._handed += 1
            self._notify()
            return self._ready.popleft()
        if self._is_done:
            if self._failure is not None:
                raise self._failure
            raise StopIteration
        return None

    def results(self) -> Generator[FleetResult, None, None]:
        """For a thread."""
        self._desk.begin(self)
        threading.Thread(target=self._feed, name="fumehood-inputs", daemon=True).start()
        try:
            while True:
                with self._changed:
                    try:
                        while (given := self._next()) is None:
                            self._changed.wait()
                    except StopIteration:
                        return
                yield self._result(given)
        finally:
            self.close()

    async def later(self) -> AsyncGenerator[FleetResult, None]:
        """For a task."""
        self._desk.begin(self)
        feeder: asyncio.Task[None] | None = None
        if isinstance(self._inputs, AsyncIterable):
            feeder = asyncio.create_task(self._feed_later())
        else:
            threading.Thread(target=self._feed, name="fumehood-inputs", daemon=True).start()
        try:
            while True:
                with self._changed:
                    try:
                        given = self._next()
                    except StopIteration:
                        return
                if given is None:
                    await self._changes(lambda: bool(self._ready) or self._is_done, None)
                    continue
                yield self._result(given)
                if not self._handed % _MANY:
                    await asyncio.sleep(0)
        finally:
            self.close()
            if feeder is not None:
                feeder.cancel()
                with contextlib.suppress(BaseException):
                    await feeder

    async def _changes(self, enough: Callable[[], bool], seconds: float | None) -> None:
        """Until something has changed, if it is not enough already. Several tasks may wait: each
        wakes the one before."""
        loop = asyncio.get_running_loop()
        changed = asyncio.Event()
        with self._changed:
            if enough():
                return
            before = self._wake

            def wake() -> None:
                with contextlib.suppress(RuntimeError):  # the loop is closed
                    loop.call_soon_threadsafe(changed.set)
                if before is not None:
                    before()

            self._wake = wake
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(changed.wait(), seconds)

    def _result(self, given: Given) -> FleetResult:
        value = self._kept.pop(given.index)
        told = (given.node, given.seconds, given.attempts)
        if given.error is not None:
            return FleetResult(given.index, value, (), given.error, *told)
        outcome = unpack_outcome(given.parcel)
        error = outcome.error or (outcome.executions[-1].error if outcome.executions else None)
        return FleetResult(given.index, value, outcome.executions, error, *told)

    def close(self) -> None:
        """Nobody wants more results. What still runs is ended where it is."""
        with self._changed:
            was_over, self.is_over = self.is_over, True
            self._changed.notify_all()
        if not was_over:
            self._desk.over(self)
