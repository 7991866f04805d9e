"""ExecutorPool: executors made in advance, lent to one borrower at a time.

    made ──> ready ──checkout──> out ──> ready again (reuse), or closed

Borrowers wait in a queue of futures. Whatever changes the state calls `ExecutorPool._update`, which
gives ready executors to the first borrowers and starts threads that make what is missing. Executors
that are out are held by weak references: one that its borrower has dropped is collected.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import copy
import itertools
import math
import operator
import os
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, Self

from fumehood.errors import InterpreterError, PolicyError, PoolTimeout, SandboxFailed
from fumehood.executors.base import PythonExecutor, _as_error
from fumehood.executors.places import makes_executors
from fumehood.executors.session_events import OutputChecks, as_checks
from fumehood.observing import Observer, as_observers
from fumehood.policy import Policy, in_words
from fumehood.results import Execution

_END_SECONDS = 10.0
"""How long closing a pool waits for executors to end, after they were closed."""
_SWEEP_SECONDS = 0.2
"""How often borrowers that wait look for executors that were dropped."""
_REASONS = ("used", "dirty", "died", "surplus", "dropped", "failed to start", "pool closed")


@dataclass(frozen=True, slots=True)
class PoolStats:
    """A pool at one moment. `alive + starting` is never more than the pool's `max_size`."""

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
    """How many have ended so far. "used": it was lent, in a pool without `reuse`. "dirty": it came
    back changed, in a pool with `reuse`. "died": its sandbox was gone, or its borrower closed it.
    "surplus": enough were ready. "dropped": its borrower lost it. "failed to start": it could not
    be made, or its setup failed. "pool closed"."""


def _in_thread(work: Callable[[], None]) -> Future[None]:
    """Run `work` in a daemon thread of its own. Not in one of an event loop: cells that must end
    first may occupy all of those."""
    done: Future[None] = Future()
    done.set_running_or_notify_cancel()

    def run() -> None:
        try:
            work()
            done.set_result(None)
        except BaseException as error:
            done.set_exception(error)

    try:
        threading.Thread(target=run, name="fumehood-pool", daemon=True).start()
    except RuntimeError:  # no thread can be started
        run()
    return done


class Lease:
    """An executor that is out. Closing the lease gives it back; then a pool that does not reuse has
    killed its sandbox."""

    def __init__(self, pool: ExecutorPool, executor: PythonExecutor, number: int) -> None:
        self._pool = pool
        self._held = [executor]
        self._number = number
        self._identity = self._identity_of(executor)

    @property
    def executor(self) -> PythonExecutor:
        """SandboxFailed if the lease has ended."""
        try:
            return self._held[0]
        except IndexError:
            raise SandboxFailed("this lease has ended; check out another executor") from None

    def close(self, *, dirty: bool = False) -> None:
        """Give it back. With `dirty`, it is not lent again. Closing twice is harmless."""
        try:
            executor = self._held.pop()
        except IndexError:
            return
        self._pool._take_back(self._number, executor, self._reason_to_close(executor, dirty))

    async def aclose(self, *, dirty: bool = False) -> None:
        """`close` without blocking the event loop. Cancelling this does not stop it."""
        await asyncio.wrap_future(_in_thread(lambda: self.close(dirty=dirty)))

    def _reason_to_close(self, executor: PythonExecutor, dirty: bool) -> str | None:
        if not executor.is_alive():
            return "died"
        if not self._pool.reuse:
            return "used"
        is_same = all(map(operator.is_, self._identity_of(executor), self._identity))
        return None if is_same and not dirty and not executor.is_busy else "dirty"

    def _identity_of(self, executor: PythonExecutor) -> tuple[Any, ...]:
        """What changes when it is no longer the executor that was lent: its process, the tools that
        it was sent, what it may import."""
        session = getattr(executor, "_session", None)
        own = (getattr(executor, name, None) for name in ("static_tools", "policy"))
        return getattr(session, "identity", None), *own

    def __enter__(self) -> PythonExecutor:
        return self.executor

    def __exit__(self, kind: type[BaseException] | None, *exc: object) -> None:
        self.close(dirty=kind is not None)


class AsyncCheckout:
    """A checkout that has not begun: await it for a Lease, or enter it."""

    def __init__(self, pool: ExecutorPool, timeout: float | None) -> None:
        self._pool, self._timeout = pool, timeout
        self._lease: Lease | None = None

    def __await__(self) -> Generator[Any, None, Lease]:
        return self._begin().__await__()

    async def _begin(self) -> Lease:
        with self._pool._waiting(self._timeout) as (place, seconds_to_wait):
            given = asyncio.wrap_future(place)
            while not given.done():
                await asyncio.wait([given], timeout=seconds_to_wait())
            return given.result()

    async def __aenter__(self) -> PythonExecutor:
        if self._lease is not None:
            raise SandboxFailed("this checkout was entered before; make another")
        self._lease = await self
        return self._lease.executor

    async def __aexit__(self, kind: type[BaseException] | None, *exc: object) -> None:
        assert self._lease is not None
        await self._lease.aclose(dirty=kind is not None)


class _Place(Future[Lease]):
    """A borrower that waits."""

    number = 0
    """When it began to wait."""


class ExecutorPool:
    """Keeps `size` executors ready, from when it is made, and has at most `max_size` of them at
    once, those that are out included.

    `policy` is theirs, with the modules of `preload` authorized too, and so imported before a
    sandbox starts. `tools` are sent to each, and `setup` is code that runs in each before it is
    lent; if that fails, the checkout that needed the executor raises what it raised.
    `executor_type` is where they are: "local", or "docker", where one container holds them all;
    `executor_kwargs` are more arguments for the place (for that container, those of
    DockerContainer). Or `make` is called with the policy for each, in a thread of the pool. `audit`
    receives the events of all, `validators` check what they return.

    reuse=False closes every executor that comes back: no borrower sees anything of another.
    reuse=True lends executors again as they are, with variables and files, to borrowers that trust
    each other. One is closed as "died" if its sandbox is gone, and as "dirty" if its `with` block
    was left by an exception, a cell still runs in it, it was sent tools, or a crash has replaced
    its process, without what `setup` had made.

    For any thread and event loop. Borrowers are served in order. After a failure, executors are
    made for borrowers only, until one could be made. A fork of this process has an empty pool. A
    pool that is dropped ends its executors; one that a borrower drops frees its place.
    """

    def __init__(
        self,
        size: int = 4,
        *,
        max_size: int = 16,
        policy: Policy | None = None,
        preload: Iterable[str] = (),
        tools: Mapping[str, Any] | None = None,
        setup: str | None = None,
        reuse: bool = False,
        executor_type: str = "local",
        executor_kwargs: Mapping[str, Any] | None = None,
        make: Callable[[Policy], PythonExecutor] | None = None,
        audit: Observer | Iterable[Observer] | None = None,
        validators: Iterable[Any] | OutputChecks = (),
    ) -> None:
        are_numbers = type(size) is int and type(max_size) is int
        if not are_numbers or not 0 <= size <= max_size or not max_size:
            raise PolicyError(
                "size and max_size must be whole numbers of at least 0 and 1, the first not larger"
                f" than the second, not {size!r} and {max_size!r}"
            )
        checks = as_checks(validators)
        if make is not None and (executor_kwargs or executor_type != "local" or checks):
            raise PolicyError(
                "executor_type, executor_kwargs and validators are for executors that the pool"
                " makes, and make() makes them: leave them out"
            )
        wanted = Policy(imports=preload)  # type: ignore[arg-type]  # checks the names
        own = policy or Policy()
        self.policy = replace(own, imports=(*own.imports, *wanted.imports))
        self.size = size
        self.max_size = max_size
        self.reuse = reuse
        self._end_place: Callable[[], None] = lambda: None
        if make is None:
            if executor_type == "local":
                self.policy.verify(stacklevel=2)  # elsewhere other modules may be installed
            maker, self._end_place = makes_executors(executor_type, max_size, executor_kwargs or {})
            make = lambda policy: maker(policy=policy, validators=checks or ())  # noqa: E731
        self._make, self._setup = make, setup
        self._tools = None if tools is None else dict(tools)
        self._observers = as_observers(audit)
        self._numbers = itertools.count(1)
        self._is_closed = False
        self._begin_empty()
        _POOLS.add(self)
        self._update()

    def _begin_empty(self) -> None:
        """Have no executors: a new pool, or one in a fork of its process."""
        # Reentrant: the garbage collector may give back an executor anywhere.
        self._changed = threading.Condition(threading.RLock())
        self._queue: deque[_Place] = deque()
        self._ready: list[PythonExecutor] = []
        self._out: dict[int, weakref.ref[PythonExecutor]] = {}
        self._starting = self._closing = self._created = self._checkouts = 0
        self._ended = dict.fromkeys(_REASONS, 0)
        self._failure: BaseException | None = None
        """Why the last executor could not be made."""

    # -- borrowers

    def checkout(self, timeout: float | None = None) -> Lease:
        """Borrow an executor; wait for one if necessary. `with pool.checkout() as executor:` gives
        it back at the end of the block.

        PoolTimeout if none was free within `timeout` seconds; SandboxFailed, or the error that made
        it fail, if none could be made or the pool is closed.
        """
        with self._waiting(timeout) as (place, seconds_to_wait):
            while not place.done():
                seconds = seconds_to_wait()
                with contextlib.suppress(TimeoutError):
                    place.exception(seconds)
            return place.result(0)

    def acheckout(self, timeout: float | None = None) -> AsyncCheckout:
        """`checkout` for tasks: `async with pool.acheckout() as executor:`, or `lease = await
        pool.acheckout()` and `await lease.aclose()`.

        A task that is cancelled while it waits gives up its place in the queue, and an executor
        that it was just being given goes to the next.
        """
        _deadline(timeout)
        return AsyncCheckout(self, timeout)

    @contextlib.contextmanager
    def _waiting(self, timeout: float | None) -> Iterator[tuple[_Place, Callable[[], float]]]:
        """Wait in the queue. Gives the place, and a function that returns how long to wait before
        it is called again; that raises PoolTimeout after `timeout` seconds."""
        until, place = _deadline(timeout), _Place()

        def seconds_to_wait() -> float:
            self._update()
            left = until - time.monotonic()
            if left <= 0 and not place.done():
                raise PoolTimeout(self._why_none(timeout or 0))
            return min(max(left, 0.0), _SWEEP_SECONDS)

        try:
            with self._changed:
                if self._is_closed:
                    raise SandboxFailed("this pool is closed; make a new one")
                place.number = next(self._numbers)
                self._queue.append(place)
            yield place, seconds_to_wait
        except BaseException:
            with self._changed:
                if place in self._queue:
                    self._queue.remove(place)
                elif place.done() and place.exception(0) is None:
                    lease = place.result(0)  # what it was given goes to the next
                    self._take_back(lease._number, lease.executor, None)
                self._update()
            raise

    def _why_none(self, seconds: float) -> str:
        others = f", {len(self._queue) - 1} others wait" if len(self._queue) > 1 else ""
        why = f"; the last attempt to start one failed: {self._failure}" if self._failure else ""
        out = f"{len(self._out)} of at most {self.max_size} are out"
        text = f"no executor was free within {in_words(seconds)}: {out}{others}{why}"
        return text.splitlines()[0]

    def map(self, programs: Iterable[str], *, timeout: float | None = None) -> Iterator[Execution]:
        """Run each program in an executor that it borrows, `max_size` at a time, and yield the
        results in order. `timeout` is the time that each may wait for an executor."""
        _deadline(timeout)

        def run(program: str) -> Execution:
            with self.checkout(timeout) as executor:
                return executor.run(program)

        running: deque[Future[Execution]] = deque()
        with ThreadPoolExecutor(self.max_size, "fumehood-map") as threads:
            try:
                for program in programs:
                    running.append(threads.submit(run, program))
                    if len(running) >= 2 * self.max_size:
                        yield running.popleft().result()
                while running:
                    yield running.popleft().result()
            finally:
                threads.shutdown(wait=False, cancel_futures=True)

    def stats(self) -> PoolStats:
        """The pool at this moment."""
        with self._changed:
            self._update()
            ready, out = len(self._ready), len(self._out)
            counts = (self._starting, self._created, self._checkouts, dict(self._ended))
            return PoolStats(len(self._queue), ready, out, ready + out + self._closing, *counts)

    # -- executors

    def _update(self) -> None:
        """Count dropped executors, lend ready ones, make those that are missing."""
        with self._changed:
            for number, executor in [(n, held()) for n, held in self._out.items()]:
                if executor is None and self._out.pop(number, None) is not None:
                    self._ended["dropped"] += 1
            while self._queue and self._ready:
                executor = self._ready.pop()
                if not executor.is_alive():
                    self._close(executor, "died")
                elif self._queue:
                    place, number = self._queue.popleft(), next(self._numbers)
                    self._out[number] = weakref.ref(executor)
                    self._checkouts += 1
                    place.set_result(Lease(self, executor, number))
                else:
                    self._ready.append(executor)
            missing = 0 if self._failure is not None else max(self._missing(), 0)
            waiting = len(self._queue)
            wanted = max(waiting, missing) if self.reuse else waiting + missing
            room = self.max_size - len(self._ready) - len(self._out) - self._closing
            while not self._is_closed and self._starting < min(wanted, room):
                self._starting += 1
                _in_thread(self._make_one)
            self._changed.notify_all()

    def _missing(self) -> int:
        """How many more are kept ready. In a pool that reuses, one that is out comes back."""
        return self.size - len(self._ready) - (len(self._out) if self.reuse else 0)

    def _make_one(self) -> None:
        began, executor, failure = next(self._numbers), None, None
        try:
            executor = None if self._is_closed else self._prepare()
        except BaseException as error:
            failure = error
        with self._changed:
            self._starting -= 1
            if failure is not None:
                self._failed(failure, began)
            elif executor is not None:
                self._created += 1
                self._failure = None
                self._add(executor)
            self._update()

    def _prepare(self) -> PythonExecutor:
        """An executor that can be lent. One that cannot be prepared is closed, and the reason
        raised."""
        executor = self._make(self.policy)
        if not isinstance(executor, PythonExecutor):
            raise TypeError(f"make() must give a PythonExecutor, not {type(executor).__name__}")
        try:
            for observer in self._observers:
                executor.observe(observer)
            if self._tools is not None:
                executor.send_tools(self._tools)
            if self._setup is not None and (ran := executor.run(self._setup)).error is not None:
                failure = _as_error(ran)
                raise type(failure)(f"its setup failed: {failure}", ran)
            if not executor.is_alive():
                raise SandboxFailed("the executor died while it was being prepared: see `setup`")
        except BaseException:
            with contextlib.suppress(Exception):
                executor.close()
            raise
        return executor

    def _failed(self, error: BaseException, began: int) -> None:
        """The first borrower that waits gets the error; all do if no executor can come to them. Not
        those that came after the attempt had begun: another attempt is made for them."""
        self._ended["failed to start"] += 1
        self._failure = error
        others = self._starting or self._ready or self._out or self._closing
        waiting = [place for place in self._queue if place.number < began]
        for place in waiting[:1] if others else waiting:
            self._queue.remove(place)
            place.set_exception(_for_borrower(error))

    def _add(self, executor: PythonExecutor) -> None:
        """Lend an executor or keep it, unless enough are ready."""
        if self._is_closed:
            self._close(executor, "pool closed")
        elif self._queue or self._missing() > 0:
            self._ready.append(executor)
        else:
            self._close(executor, "surplus")

    def _take_back(self, number: int, executor: PythonExecutor, reason: str | None) -> None:
        """An executor came back: it is lent again, or closed for a reason."""
        with self._changed:
            if self._out.pop(number, None) is None:
                return  # the pool has closed it meanwhile, or this is a fork
            if reason is None:
                self._add(executor)
                self._update()
                return
            self._closing += 1
        self._end(executor, reason)  # here: if it waits for a tool that hangs, no other does

    def _close(self, executor: PythonExecutor, reason: str) -> None:
        """Close an executor in another thread."""
        self._closing += 1
        _in_thread(lambda: self._end(executor, reason))

    def _end(self, executor: PythonExecutor, reason: str) -> None:
        try:
            executor.close()
        finally:
            with self._changed:
                self._closing -= 1
                self._ended[reason] += 1
                self._update()

    # -- the end

    def close(self, timeout: float | None = None) -> None:
        """Lend no more; checkouts that wait raise. Executors that are out may be given back within
        `timeout` seconds, or at any time if it is None; then they are closed, and a cell that runs
        in one ends with it. Closing twice is harmless."""
        until = _deadline(timeout)
        with self._changed:
            self._is_closed = True
            while self._queue:
                self._queue.popleft().set_exception(SandboxFailed("the pool was closed"))
            while self._ready:
                self._close(self._ready.pop(), "pool closed")
            self._wait_until(lambda: not self._out, until)
            while self._out:
                executor = self._out.popitem()[1]()
                if executor is None:
                    self._ended["dropped"] += 1
                else:
                    self._close(executor, "pool closed")
                del executor
            until = time.monotonic() + _END_SECONDS
            self._wait_until(lambda: not (self._starting or self._closing), until)
        self._end_place()

    def _wait_until(self, is_done: Callable[[], bool], until: float) -> None:
        while not is_done() and (left := until - time.monotonic()) > 0:
            self._changed.wait(min(left, _SWEEP_SECONDS))
            self._update()

    async def aclose(self, timeout: float | None = None) -> None:
        """`close` without blocking the event loop."""
        await asyncio.wrap_future(_in_thread(lambda: self.close(timeout)))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *exc: object) -> None:
        self.close(None if kind is None else 0)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, *exc: object) -> None:
        await self.aclose(None if kind is None else 0)


def _for_borrower(error: BaseException) -> BaseException:
    """A failure as one borrower gets it: an exception of its own."""
    own = InterpreterError.__module__  # others may not be copied so easily
    is_known = isinstance(error, InterpreterError) and type(error).__module__ == own
    raised = copy.copy(error) if is_known else SandboxFailed("")
    kind = "" if is_known else f"{type(error).__name__}: "
    raised.args = (f"the pool could not start an executor: {kind}{error}",)
    raised.__cause__ = error
    return raised


def _deadline(timeout: float | None) -> float:
    """When so many seconds are over; PolicyError if `timeout` is not a number of seconds."""
    seconds = math.inf if timeout is None else timeout
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not seconds >= 0:
        raise PolicyError(f"timeout must be a number of seconds or None, not {timeout!r}")
    return time.monotonic() + seconds


_POOLS: weakref.WeakSet[ExecutorPool] = weakref.WeakSet()


def _close_all() -> None:
    """At the end of the program."""
    for pool in [*_POOLS]:
        pool.close(0)


def _empty_all() -> None:
    """In a fork of this process, which has none of its threads and sandboxes."""
    for pool in [*_POOLS]:
        pool._begin_empty()


os.register_at_fork(after_in_child=_empty_all)
atexit.register(_close_all)
