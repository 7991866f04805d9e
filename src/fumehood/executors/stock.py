"""A pool's books: which executors are ready, which are out, who waits, and what has to be done
about it.

Nobody waits for a lock here. What happens is posted as an event, and whoever finds the books free
goes through all events that are there, those of others included; the results are left with the
waiters. So an event may come from anywhere, even from the garbage collector in a thread that is at
the books just then, and nothing slow is ever done at the books: making and closing executors are
jobs of the crew.

An executor that is out is known by a weak reference only. One whose borrower has lost it, whatever
became of the borrower, is collected like any object, its sandbox ends with it, and its place is
free again.
"""

from __future__ import annotations

import itertools
import os
import threading
import time
import weakref
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fumehood.errors import (
    CodeRaised,
    CodeRefused,
    InterpreterError,
    JailUnavailable,
    LimitReached,
    NoRoom,
    PoolTimeout,
    SandboxFailed,
)
from fumehood.executors.base import PythonExecutor
from fumehood.executors.crew import Crew
from fumehood.executors.waiters import ThreadWaiter, Waiter
from fumehood.policy import in_words

_END_SECONDS = 10.0
"""How long closing a pool waits for executors to end, after they were told to."""
_FIRST_REST = 0.1
_LONGEST_REST = 5.0
"""How long nothing is made for the stock after a failure; doubled from the first to the longest.
Those who wait are not held up."""

# Why executors come to an end.
REASONS = {
    "used": "it was lent, and this pool lends each only once",
    "dirty": (
        "it came back to a pool that reuses executors other than it had gone: see ExecutorPool"
    ),
    "died": "its sandbox was gone, or it was closed by its borrower",
    "surplus": "nobody waited for it, and enough were ready",
    "dropped": "its borrower lost it without giving it back",
    "failed to start": "it could not be made, or its setup failed; it never was",
    "pool closed": "the pool was closed",
}

_KEPT_KINDS = (CodeRaised, CodeRefused, LimitReached, JailUnavailable, NoRoom)
"""Failures whose type tells a caller what to do."""


@dataclass(frozen=True, slots=True)
class PoolStats:
    """A pool at one moment. `alive` and `starting` together are never more than the pool's
    `max_size`."""

    waiting: int
    """Checkouts that wait."""
    ready: int
    """Executors that the next checkouts get."""
    in_use: int
    """Executors that are out."""
    alive: int
    """Executors that exist: ready, out, or about to be closed."""
    starting: int
    """Executors that are being made."""
    created: int
    """Executors made so far."""
    checkouts: int
    """Checkouts that got one so far."""
    closed_by_reason: dict[str, int]
    """How many came to an end so far, for each of REASONS."""


class Stock:
    """The books of one pool in one process. `make` gives a new executor or raises; it may take its
    time."""

    def __init__(
        self,
        make: Callable[[], PythonExecutor],
        size: int,
        max_size: int,
        reuse: bool,
        *,
        closed: bool = False,
    ) -> None:
        self._make = make
        self._size = size
        self._max_size = max_size
        self._reuse = reuse
        self.closed = closed
        self.pid = os.getpid()
        self.crew = Crew(lambda: self.post(self._refill))
        self._events: deque[tuple[Callable[..., None], tuple[Any, ...]]] = deque()
        self._at_books = threading.Lock()
        self._tickets = itertools.count(1)
        self._ready: list[PythonExecutor] = []
        self._out: dict[int, weakref.ref[PythonExecutor]] = {}
        self._closing: set[int] = set()
        self._starting = 0
        self._waiting: OrderedDict[Waiter, None] = OrderedDict()
        self._watching: list[tuple[Waiter, bool]] = []
        self._created = self._checkouts = 0
        self._ended = dict.fromkeys(REASONS, 0)
        self._failures = 0
        self._failure: BaseException | None = None
        self._rest_until = 0.0

    def post(self, event: Callable[..., None], *args: Any) -> None:
        """Have an event entered in the books: by now, or in a moment by whoever is at them."""
        self._events.append((event, args))
        while self._events and self._at_books.acquire(blocking=False):
            try:
                while self._events:
                    next_event, its_args = self._events.popleft()
                    next_event(*its_args)
            finally:
                self._at_books.release()

    # -- events: waiting

    def asked(self, waiter: Waiter, first: bool) -> None:
        """Somebody wants an executor. `first` for one who had been first already and got a dead
        one."""
        if self.closed:
            self._refuse(waiter, SandboxFailed("this pool is closed; make a new one"))
            return
        self._waiting[waiter] = None
        if first:
            self._waiting.move_to_end(waiter, last=False)
        self._serve()

    def expired(self, waiter: Waiter, seconds: float) -> None:
        """Somebody's time is over; it may have got an executor in the last moment."""
        if waiter in self._waiting:
            del self._waiting[waiter]
            others = f", {len(self._waiting)} others wait" if self._waiting else ""
            failure = (
                f"; the last attempt to start one failed: {self._failure}" if self._failure else ""
            )
            out = f"{len(self._out)} of at most {self._max_size} are out"
            text = f"no executor was free within {in_words(seconds)}: {out}{others}{failure}"
            self._refuse(waiter, PoolTimeout(text.splitlines()[0]))

    def withdrawn(self, waiter: Waiter) -> None:
        """Somebody does not want one any more. One that it got and has not seen goes to the
        next."""
        self._waiting.pop(waiter, None)
        executor, waiter.executor = waiter.executor, None
        if executor is not None:
            self.returned(waiter.ticket, executor)

    def _refuse(self, waiter: Waiter, error: BaseException) -> None:
        waiter.error = error
        waiter.is_over = True
        waiter.wake()

    def _serve(self) -> None:
        while self._ready and self._waiting:
            self._lend(self._ready.pop())
        self._refill()

    def _lend(self, executor: PythonExecutor) -> None:
        waiter, _ = self._waiting.popitem(last=False)
        ticket = waiter.ticket = next(self._tickets)
        self._out[ticket] = weakref.ref(executor, lambda _: self.post(self._lost, ticket))
        waiter.executor = executor
        waiter.is_over = True
        if not waiter.wake():
            self.withdrawn(waiter)

    # -- events: executors come back and end

    def returned(self, ticket: int, executor: PythonExecutor) -> None:
        """An executor came back as good as new, or good enough."""
        if self._out.pop(ticket, None) is not None:
            self._take_in(executor)

    def discarded(
        self, ticket: int, executor: PythonExecutor, reason: str, told: Waiter | None = None
    ) -> None:
        """An executor came back and is to be closed by the crew; `told` is woken then."""
        if self._out.pop(ticket, None) is not None:
            self._dismiss(executor, reason, told)
        elif told is not None:
            self._tell(told)  # the pool has ended it meanwhile
        self._look_around()

    def leaving(self, ticket: int) -> None:
        """An executor came back and is being closed by the one who had it; `ended` follows."""
        if self._out.pop(ticket, None) is not None:
            self._closing.add(ticket)
        self._look_around()

    def ended(self, ticket: int, reason: str, told: Waiter | None = None) -> None:
        """An executor is closed."""
        if ticket in self._closing:
            self._closing.remove(ticket)
            self._ended[reason] += 1
        if told is not None:
            self._tell(told)
        self._refill()
        self._look_around()

    def _lost(self, ticket: int) -> None:
        if self._out.pop(ticket, None) is not None:
            self._ended["dropped"] += 1
            self._refill()
            self._look_around()

    def _take_in(self, executor: PythonExecutor) -> None:
        """An executor that can be lent: to the first who waits, or it is kept, or it is one too
        many."""
        if self.closed:
            self._dismiss(executor, "pool closed")
        elif self._waiting:
            self._lend(executor)
            self._refill()
        elif self._wanted() > 0:
            self._ready.append(executor)
        else:
            self._dismiss(executor, "surplus")
        self._look_around()

    def _dismiss(self, executor: PythonExecutor, reason: str, told: Waiter | None = None) -> None:
        ticket = next(self._tickets)
        self._closing.add(ticket)

        def close() -> None:
            try:
                executor.close()
            finally:
                self.post(self.ended, ticket, reason, told)

        self.crew.put(close)

    # -- events: executors are made

    def _wanted(self) -> int:
        """How many more would be kept. One that is lent comes back to a pool that reuses, so there
        it counts as kept."""
        return self._size - len(self._ready) - (len(self._out) if self._reuse else 0)

    def _refill(self) -> None:
        if self.closed:
            return
        wanted = len(self._waiting)
        if time.monotonic() >= self._rest_until:
            kept = max(self._wanted(), 0)
            wanted = max(wanted, kept) if self._reuse else wanted + kept
        room = self._max_size - len(self._ready) - len(self._out) - len(self._closing)
        while self._starting < min(wanted, room):
            self._starting += 1
            self.crew.put(self._start_one)

    def _start_one(self) -> None:
        if self.closed:
            self.post(self._failed, None)
            return
        try:
            executor = self._make()
        except BaseException as error:
            self.post(self._failed, error)
        else:
            self.post(self._made, executor)

    def _made(self, executor: PythonExecutor) -> None:
        known = [*self._ready, *(ref() for ref in self._out.values())]
        if any(
            executor is other for other in known
        ):  # lent twice, two borrowers would see each other's variables
            self._failed(TypeError("make() has given the same executor twice"))
            return
        self._starting -= 1
        self._created += 1
        self._failures, self._failure, self._rest_until = 0, None, 0.0
        self._take_in(executor)

    def _failed(self, error: BaseException | None) -> None:
        """An executor could not be made. The first who waits is told; all are if there is none
        alive that could still come to them."""
        self._starting -= 1
        if error is not None:
            self._ended["failed to start"] += 1
            self._failure = error
            rest = min(_FIRST_REST * 2**self._failures, _LONGEST_REST)
            self._failures = min(self._failures + 1, 20)
            self._rest_until = time.monotonic() + rest
            self.crew.rest(rest)
            hope = self._starting or self._ready or self._out or self._closing
            for _ in range(min(len(self._waiting), 1) if hope else len(self._waiting)):
                waiter, _ = self._waiting.popitem(last=False)
                self._refuse(waiter, _told(error))
        self._refill()
        self._look_around()

    # -- events: the pool itself

    def reported(self, waiter: Waiter) -> None:
        alive = len(self._ready) + len(self._out) + len(self._closing)
        numbers = (
            len(self._waiting),
            len(self._ready),
            len(self._out),
            alive,
            self._starting,
            self._created,
            self._checkouts,
        )
        waiter.answer = PoolStats(*numbers, dict(self._ended))
        self._tell(waiter)

    def received(self) -> None:
        """A borrower has an executor and has seen that it lives."""
        self._checkouts += 1

    def shut(self) -> None:
        """The pool lends no more: who waits is told, what is ready is closed. Those that are out go
        on."""
        self.closed = True
        while self._waiting:
            waiter, _ = self._waiting.popitem(last=False)
            self._refuse(waiter, SandboxFailed("the pool was closed"))
        while self._ready:
            self._dismiss(self._ready.pop(), "pool closed")
        self._look_around()

    def recalled(self) -> None:
        """Those that are out are ended where they are."""
        while self._out:
            _ticket, reference = self._out.popitem()
            executor = reference()
            if executor is None:
                self._ended["dropped"] += 1
            else:
                self._dismiss(executor, "pool closed")
        self._look_around()

    def _watched(self, waiter: Waiter, all_gone: bool) -> None:
        self._watching.append((waiter, all_gone))
        self._look_around()

    def _look_around(self) -> None:
        """Tell those who watch for the last executor to come back, or to be gone."""
        if self._watching and not self._out:
            gone = not (self._ready or self._closing or self._starting)
            for waiter in [waiter for waiter, all_gone in self._watching if gone or not all_gone]:
                self._tell(waiter)
            self._watching = [
                (waiter, all_gone) for waiter, all_gone in self._watching if not waiter.is_over
            ]

    def _tell(self, waiter: Waiter) -> None:
        waiter.is_over = True
        waiter.wake()

    # -- from outside

    def begin(self) -> None:
        """Start filling up."""
        if not self.closed and self._size:
            self.crew.start()
            self.post(self._refill)

    def stats(self) -> PoolStats:
        waiter = ThreadWaiter()
        self.post(self.reported, waiter)
        waiter.wait(None)
        stats: PoolStats = waiter.answer
        return stats

    def close(self, seconds: float | None) -> None:
        """Lend no more, wait for those that are out, end those that do not come, and see them all
        gone if they can be made to go."""
        self.post(self.shut)
        for all_gone, limit in ((False, seconds), (True, _END_SECONDS)):
            waiter = ThreadWaiter()
            self.post(self._watched, waiter, all_gone)
            waiter.wait(limit)
            self.post(self.recalled)
        self.crew.stop()

    def abandon(self) -> None:
        """The pool was collected. Those that are out belong to whoever still holds them. Waits for
        nothing: the garbage collector calls."""
        self.post(self.shut)
        self.crew.put(self.crew.stop)


def _told(error: BaseException) -> Exception:
    """A failure as one waiter gets it: its own exception, since several threads cannot raise the
    same."""
    text = "the pool could not start an executor"
    told: Exception
    if isinstance(error, InterpreterError) and type(error) in _KEPT_KINDS:
        told = type(error)(f"{text}: {error}", error.execution)
    elif isinstance(error, SandboxFailed):
        told = SandboxFailed(f"{text}: {error}")
    else:
        told = SandboxFailed(f"{text}: {type(error).__name__}: {error}")
    told.__cause__ = error
    return told
