"""ExecutorPool: executors made in advance, lent to one borrower at a time.

    made ──> ready ──checkout──> out ──> ready again (reuse), or closed
                                  └────> dropped by its borrower: its place is free again

Borrowers wait in a queue, with a condition, until they are the first and an executor is ready.
Daemon threads make and close executors, one each. Executors that are out are held by weak
references only, so that one whose borrower is gone is collected like any object.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import functools
import itertools
import os
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, Self

from fumehood.errors import (
    CodeRaised,
    CodeRefused,
    InterpreterError,
    JailUnavailable,
    LimitReached,
    NoRoom,
    PolicyError,
    PoolTimeout,
    SandboxFailed,
)
from fumehood.executors.base import PythonExecutor, _as_error
from fumehood.executors.places import makes_executors
from fumehood.executors.session_events import OutputChecks, as_checks
from fumehood.observing import Observer, as_observers
from fumehood.policy import Policy, in_words
from fumehood.results import Execution

_END_SECONDS = 10.0
"""How long closing a pool waits for executors to end, after they were closed."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 5.0
"""After a failure, no executor is made in advance for this long; doubled with each failure."""
_SWEEP_SECONDS = 0.2
"""How often waiting threads look for executors that were dropped."""
REASONS = {
    "used": "it was lent, and this pool lends each only once",
    "dirty": "it came back to a pool that reuses executors, but not as it was: see ExecutorPool",
    "died": "its sandbox was gone, or its borrower closed it",
    "surplus": "no borrower waited for it, and enough were ready",
    "dropped": "its borrower lost it without giving it back",
    "failed to start": "it could not be made, or its setup failed",
    "pool closed": "the pool was closed",
}
"""Why executors end."""
_KEPT_ERRORS = (CodeRaised, CodeRefused, LimitReached, JailUnavailable, NoRoom)


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
    """How many have ended so far, for each of REASONS."""


def _prepared(
    policy: Policy,
    tools: dict[str, Any] | None,
    setup: str | None,
    make: Callable[[Policy], PythonExecutor],
    observers: tuple[Observer, ...],
) -> PythonExecutor:
    """An executor that is ready to be lent. One that cannot be prepared is closed, and the reason
    raised."""
    executor = make(policy)
    if not isinstance(executor, PythonExecutor):
        raise TypeError(f"make() must give a PythonExecutor, not {type(executor).__name__}")
    try:
        for observer in observers:
            executor.observe(observer)
        if tools is not None:
            executor.send_tools(tools)
        if setup is not None:
            execution = executor.run(setup)
            if execution.error is not None:
                failure = _as_error(execution)
                raise type(failure)(f"its setup failed: {failure}", execution)
        if not _is_alive(executor):
            raise SandboxFailed("the executor died while it was being prepared: see `setup`")
    except BaseException:
        with contextlib.suppress(Exception):
            executor.close()
        raise
    return executor


def _is_alive(executor: PythonExecutor) -> bool:
    """False if it is closed or its process is dead. One without `is_alive()` counts as alive."""
    try:
        return bool(getattr(executor, "is_alive", lambda: True)())
    except Exception:
        return False


def _identity(executor: PythonExecutor) -> tuple[Any, ...]:
    """What changes when an executor is no longer the one that was lent: its process, the tools that
    it was sent, what it may import."""
    session = getattr(executor, "_session", None)
    names = ("static_tools", "policy")
    return getattr(session, "identity", None), *(getattr(executor, name, None) for name in names)


class _Place:
    """The place of a borrower in the queue."""

    number = 0
    error: Exception | None = None
    is_cancelled = False


class _State:
    """The state of a pool in one process."""

    def __init__(
        self, make: Callable[[], PythonExecutor], size: int, max_size: int, reuse: bool
    ) -> None:
        self._make, self._size, self._max_size, self._reuse = make, size, max_size, reuse
        self.pid = os.getpid()
        # Reentrant: the garbage collector may give back an executor anywhere.
        self.changed = threading.Condition(threading.RLock())
        self._queue: deque[_Place] = deque()
        self.ready: list[PythonExecutor] = []
        self._out: dict[int, weakref.ref[PythonExecutor]] = {}
        self._lost: deque[int] = deque()
        self._tickets = itertools.count(1)
        self._starting = self._closing = self._created = self._checkouts = 0
        self._ended = dict.fromkeys(REASONS, 0)
        self._failures, self._pause_until = 0, 0.0
        self._failure: BaseException | None = None
        self.closed = False

    def borrow(self, place: _Place, timeout: float | None) -> tuple[PythonExecutor, int]:
        """Wait for an executor; returns it with the ticket to give it back."""
        until = _deadline(timeout)
        with self.changed:
            if self.closed:
                raise SandboxFailed("this pool is closed; make a new one")
            place.number = next(self._tickets)
            self._queue.append(place)
            try:
                while True:
                    self.update()
                    if place.error is not None:
                        raise place.error
                    if self.ready and self._queue[0] is place:
                        executor = self.ready.pop()
                        if _is_alive(executor):
                            self._checkouts += 1
                            return executor, self._lend(executor)
                        self._close(executor, "died")
                        continue
                    if self.closed or place.is_cancelled:
                        raise SandboxFailed("the pool was closed")
                    left = _SWEEP_SECONDS if until is None else until - time.monotonic()
                    if left <= 0:
                        raise PoolTimeout(self._why_none(timeout or 0))
                    self.changed.wait(min(left, _SWEEP_SECONDS))
            finally:
                with contextlib.suppress(ValueError):
                    self._queue.remove(place)
                self.changed.notify_all()

    def _lend(self, executor: PythonExecutor) -> int:
        ticket, lost = next(self._tickets), self._lost
        # The callback takes no lock: it may run anywhere.
        self._out[ticket] = weakref.ref(executor, lambda _: lost.append(ticket))
        return ticket

    def _why_none(self, seconds: float) -> str:
        others = f", {len(self._queue) - 1} others wait" if len(self._queue) > 1 else ""
        failure = self._failure
        why = f"; the last attempt to start one failed: {failure}" if failure else ""
        out = f"{len(self._out)} of at most {self._max_size} are out"
        return f"no executor was free within {in_words(seconds)}: {out}{others}{why}".splitlines()[
            0
        ]

    def take_back(self, ticket: int, executor: PythonExecutor) -> None:
        """An executor came back, and can be lent again."""
        with self.changed:
            if self._out.pop(ticket, None) is not None:
                self._add(executor)

    def begin_closing(self, ticket: int) -> bool:
        """An executor came back, and its borrower closes it; `end_closing` follows. False if the
        pool has closed it meanwhile."""
        with self.changed:
            known = self._out.pop(ticket, None) is not None
            self._closing += known
            return known

    def end_closing(self, reason: str) -> None:
        with self.changed:
            self._closing -= 1
            self._ended[reason] += 1
            self.update()

    def _close(self, executor: PythonExecutor, reason: str) -> None:
        """Close an executor in another thread."""

        def close() -> None:
            with contextlib.suppress(Exception):
                executor.close()
            self.end_closing(reason)

        self._closing += 1
        self._start(close)

    def _add(self, executor: PythonExecutor) -> None:
        """Keep an executor that can be lent, unless enough are ready."""
        if self.closed:
            self._close(executor, "pool closed")
        elif len(self._queue) > len(self.ready) or self._missing() > 0:
            self.ready.append(executor)
        else:
            self._close(executor, "surplus")
        self.update()

    def _missing(self) -> int:
        """How many more are kept ready. In a pool that reuses, one that is out comes back."""
        return self._size - len(self.ready) - (len(self._out) if self._reuse else 0)

    def update(self) -> None:
        """Count dropped executors, make new ones, wake those that wait."""
        while self._lost:
            if self._out.pop(self._lost.popleft(), None) is not None:
                self._ended["dropped"] += 1
        if not self.closed:
            waiting = max(len(self._queue) - len(self.ready), 0)
            wanted = waiting
            if time.monotonic() >= self._pause_until:
                missing = max(self._missing(), 0)
                wanted = max(waiting, missing) if self._reuse else waiting + missing
            room = self._max_size - len(self.ready) - len(self._out) - self._closing
            while self._starting < min(wanted, room):
                self._starting += 1
                self._start(self._make_one)
        self.changed.notify_all()

    def _start(self, work: Callable[[], None]) -> None:
        try:
            threading.Thread(target=work, name="fumehood-pool", daemon=True).start()
        except RuntimeError:  # no more threads: here, then
            work()

    def _make_one(self) -> None:
        executor, error, began = None, None, next(self._tickets)
        try:
            if not self.closed:
                executor = self._make()
        except BaseException as failure:
            error = failure
        with self.changed:
            self._starting -= 1
            known = [*self.ready, *(reference() for reference in self._out.values())]
            if executor is not None and any(executor is other for other in known):
                error = TypeError("make() has given the same executor twice")
            if error is not None:
                self._failed(error, began)
            elif executor is not None:
                self._created += 1
                self._failures, self._failure, self._pause_until = 0, None, 0.0
                self._add(executor)
            self.update()

    def _failed(self, error: BaseException, began: int) -> None:
        """The first borrower that waits gets the error; all do if no executor can come to them. Not
        those that came after the attempt had begun: another attempt is made for them."""
        self._ended["failed to start"] += 1
        self._failure = error
        pause = min(_FIRST_PAUSE * 2**self._failures, _LONGEST_PAUSE)
        self._failures = min(self._failures + 1, 20)
        self._pause_until = time.monotonic() + pause
        again = threading.Timer(pause, self.update_later)
        again.daemon = True
        again.start()
        others = self._starting or self.ready or self._out or self._closing
        waiting = [place for place in self._queue if place.number < began]
        for place in waiting[:1] if others else waiting:
            self._queue.remove(place)
            place.error = _for_borrower(error)

    def update_later(self) -> None:
        with self.changed:
            self.update()

    def stats(self) -> PoolStats:
        with self.changed:
            self.update()
            ready, out = len(self.ready), len(self._out)
            counts = (self._starting, self._created, self._checkouts, dict(self._ended))
            return PoolStats(len(self._queue), ready, out, ready + out + self._closing, *counts)

    def shut(self) -> None:
        """Lend no more. Borrowers that wait get an error, ready executors are closed."""
        with self.changed:
            self.closed = True
            while self.ready:
                self._close(self.ready.pop(), "pool closed")
            self.changed.notify_all()

    def close(self, seconds: float | None) -> None:
        """Lend no more, wait for executors that are out, close those that do not come back."""
        self.shut()
        with self.changed:
            self._wait_until(lambda: not self._out, seconds)
            while self._out:
                executor = self._out.popitem()[1]()
                if executor is None:
                    self._ended["dropped"] += 1
                else:
                    self._close(executor, "pool closed")
                del executor
            self._wait_until(lambda: not (self._starting or self._closing), _END_SECONDS)

    def _wait_until(self, is_done: Callable[[], bool], seconds: float | None) -> None:
        until = _deadline(seconds)
        while not is_done():
            left = _SWEEP_SECONDS if until is None else until - time.monotonic()
            if left <= 0:
                return
            self.changed.wait(min(left, _SWEEP_SECONDS))
            self.update()


def _for_borrower(error: BaseException) -> Exception:
    """A failure as one borrower gets it: an exception of its own."""
    text = "the pool could not start an executor"
    raised: Exception
    if isinstance(error, InterpreterError) and type(error) in _KEPT_ERRORS:
        raised = type(error)(f"{text}: {error}", error.execution)
    elif isinstance(error, SandboxFailed):
        raised = SandboxFailed(f"{text}: {error}")
    else:
        raised = SandboxFailed(f"{text}: {type(error).__name__}: {error}")
    raised.__cause__ = error
    return raised


class Lease:
    """An executor that is out. Closing the lease gives it back; then a pool that does not reuse has
    killed its sandbox."""

    def __init__(
        self, pool: ExecutorPool, state: _State, executor: PythonExecutor, ticket: int
    ) -> None:
        self._pool = pool  # it is not collected while something of it is out
        self._state = state
        self._held = [executor]
        self._ticket = ticket
        self._identity = _identity(executor) if pool.reuse else ()
        self._is_seen = False

    @property
    def executor(self) -> PythonExecutor:
        """SandboxFailed if the lease is over."""
        try:
            (executor,) = self._held
        except ValueError:
            raise SandboxFailed("this lease is over; check out another executor") from None
        self._is_seen = True
        return executor

    def close(self, *, dirty: bool = False) -> None:
        """Give it back. With `dirty`, it is not lent again. Closing twice is harmless."""
        try:
            executor = self._held.pop()
        except IndexError:
            return
        if self._state.pid != os.getpid():
            return  # a fork holds nothing of its parent's
        reason = self._reason_to_close(executor, dirty)
        if reason is None:
            self._state.take_back(self._ticket, executor)
        elif self._state.begin_closing(self._ticket):
            try:
                executor.close()  # here: if it waits for a tool that hangs, no other borrower does
            finally:
                self._state.end_closing(reason)

    async def aclose(self, *, dirty: bool = False) -> None:
        """`close` without blocking the event loop. Cancelling this does not stop it."""
        if self._held:
            await _in_thread(lambda: self.close(dirty=dirty))

    def _reason_to_close(self, executor: PythonExecutor, dirty: bool) -> str | None:
        if not _is_alive(executor):
            return "died"
        if not self._pool.reuse:
            return "used" if self._is_seen or dirty else None
        now = _identity(executor)
        is_same = all(a is b for a, b in zip(now, self._identity, strict=True))
        return (
            None if is_same and not dirty and not getattr(executor, "is_busy", False) else "dirty"
        )

    def __enter__(self) -> PythonExecutor:
        return self.executor

    def __exit__(self, kind: type[BaseException] | None, *exc: object) -> None:
        self.close(dirty=kind is not None)


async def _in_thread(
    work: Callable[[], Any], undo: Callable[[Any], None] = lambda result: None
) -> Any:
    """Run `work` in a thread of its own. Not one of the loop's: cells that must end first may
    occupy all of those. `undo` is called with a result that nothing waits for any more."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Any] = loop.create_future()

    def finish(result: Any, error: BaseException | None) -> None:
        if done.done():
            undo(result)
        elif error is None:
            done.set_result(result)
        else:
            done.set_exception(error)

    def run() -> None:
        result, error = None, None
        try:
            result = work()
        except BaseException as failure:
            error = failure
        try:
            loop.call_soon_threadsafe(finish, result, error)
        except RuntimeError:  # the loop is closed
            undo(result)

    threading.Thread(target=run, name="fumehood-pool", daemon=True).start()
    return await done


class AsyncCheckout:
    """A checkout that has not begun: await it for a Lease, or enter it."""

    def __init__(self, pool: ExecutorPool, timeout: float | None) -> None:
        self._pool = pool
        self._timeout = timeout
        self._lease: Lease | None = None

    def __await__(self) -> Generator[Any, None, Lease]:
        return self._pool._acheckout(self._timeout).__await__()

    async def __aenter__(self) -> PythonExecutor:
        if self._lease is not None:
            raise SandboxFailed("this checkout was entered before; make another")
        self._lease = await self._pool._acheckout(self._timeout)
        return self._lease.executor

    async def __aexit__(self, kind: type[BaseException] | None, *exc: object) -> None:
        assert self._lease is not None
        await self._lease.aclose(dirty=kind is not None)


class ExecutorPool:
    """Keeps `size` executors ready, from when it is made, and has at most `max_size` of them at
    once, those that are out included.

    `policy` is theirs, with the modules of `preload` authorized too, and so imported before a
    sandbox starts. `tools` are sent to each, and `setup` is code that runs in each before it is
    lent; if that fails, the checkout that needed the executor raises what it raised.
    `executor_type` is where they are: "local", or "docker", where one container holds them all;
    `executor_kwargs` are more arguments for whatever makes them there (DockerContainer's, for that
    container). Or `make` is called with the policy for each, in a thread of the pool. `audit`
    receives the events of each of them, `validators` check what they return, as for those.

    reuse=False closes every executor when it comes back and makes a new one: no borrower sees
    anything of another. Only one that its borrower never accessed is kept.
    reuse=True lends executors again as they are, variables and files included: for borrowers that
    trust each other. One is closed as "died" if its sandbox is gone, and as "dirty" if its `with`
    block was left by an exception, a cell still runs in it, it was sent tools, or its process is
    not the one that was lent, because a cell crashed it: then what `setup` has made is gone.

    From any thread and any event loop. Borrowers are served in order. A fork of this process has
    the same pool with nothing in it. A pool that is dropped closes what it holds; an executor that
    is dropped without being given back frees its place.
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
        for name, value, least in (("size", size, 0), ("max_size", max_size, 1)):
            if type(value) is not int or value < least:
                raise PolicyError(
                    f"{name} must be a whole number of at least {least}, not {value!r}"
                )
        if max_size < size:
            raise PolicyError(f"max_size is {max_size}, less than the {size} to keep ready")
        for name, given, kind, what in (
            ("policy", policy, Policy, "a Policy"),
            ("setup", setup, str, "code in a string"),
            ("reuse", reuse, bool, "True or False"),
            ("make", make, Callable, "a function that takes a Policy and returns an executor"),
            ("tools", tools, Mapping, "a mapping of names to functions"),
        ):
            if given is not None and not isinstance(given, kind):  # type: ignore[arg-type]
                raise PolicyError(f"{name} must be {what}, not {given!r}")
        checks = as_checks(validators)
        unused = {
            "executor_kwargs": executor_kwargs,
            "executor_type": executor_type != "local",
            "validators": checks,
        }
        for name, is_given in unused.items() if make is not None else ():
            if is_given:
                raise PolicyError(
                    f"{name} is for executors that the pool makes, and make() makes them: leave it"
                    " out"
                )
        wanted = Policy(imports=preload)  # type: ignore[arg-type]  # checks the names
        own = policy or Policy()
        self.policy = replace(own, imports=(*own.imports, *wanted.imports))
        if make is None and executor_type == "local":
            self.policy.verify(stacklevel=2)  # elsewhere other modules may be installed
        self.size = size
        self.max_size = max_size
        self.reuse = reuse
        self._end_place: Callable[[], None] = lambda: None
        if make is None:
            maker, self._end_place = makes_executors(executor_type, max_size, executor_kwargs or {})
            make = lambda policy: maker(policy=policy, validators=checks or ())  # noqa: E731
        sent = None if tools is None else dict(tools)
        self._prepare = functools.partial(
            _prepared, self.policy, sent, setup, make, as_observers(audit)
        )
        self._states: dict[int, _State] = {}
        weakref.finalize(self, _abandon, self._states).atexit = False
        self._state().update_later()

    def _state(self) -> _State:
        """The state in this process."""
        state = self._states.get(os.getpid())
        if state is None:
            new = _State(self._prepare, self.size, self.max_size, self.reuse)
            new.closed = any(other.closed for other in list(self._states.values()))
            state = self._states.setdefault(os.getpid(), new)  # of two threads one is the first
            _open[id(state)] = state
        return state

    def checkout(self, timeout: float | None = None) -> Lease:
        """Borrow an executor; wait for one if necessary. `with pool.checkout() as executor:` gives
        it back at the end of the block.

        PoolTimeout if none was free within `timeout` seconds; SandboxFailed, or the error that made
        it fail, if none could be made or the pool is closed.
        """
        return self._checkout(_Place(), timeout)

    def _checkout(self, place: _Place, timeout: float | None) -> Lease:
        state = self._state()
        return Lease(self, state, *state.borrow(place, timeout))

    def acheckout(self, timeout: float | None = None) -> AsyncCheckout:
        """`checkout` for tasks: `async with pool.acheckout() as executor:`, or `lease = await
        pool.acheckout()` and `await lease.aclose()`.

        A task that is cancelled while it waits gives up its place in the queue, and an executor
        that it was just being given goes to the next.
        """
        _deadline(timeout)
        return AsyncCheckout(self, timeout)

    async def _acheckout(self, timeout: float | None) -> Lease:
        place = _Place()

        def undo(lease: Lease | None) -> None:
            if lease is not None:
                lease.close()

        try:
            made: Lease = await _in_thread(lambda: self._checkout(place, timeout), undo)
        except asyncio.CancelledError:
            place.is_cancelled = True
            self._state().update_later()
            raise
        return made

    def map(self, programs: Iterable[str], *, timeout: float | None = None) -> Iterator[Execution]:
        """Run each program in an executor that it borrows, `max_size` at a time, and yield the
        results in order. `timeout` is the time that each may wait for an executor."""
        _deadline(timeout)

        def run(program: str) -> Execution:
            with self.checkout(timeout) as executor:
                return executor.run(program)

        with ThreadPoolExecutor(self.max_size, "fumehood-map") as threads:
            running: deque[Any] = deque()
            try:
                for program in programs:
                    running.append(threads.submit(run, program))
                    if len(running) >= 2 * self.max_size:
                        yield running.popleft().result()
                while running:
                    yield running.popleft().result()
            finally:
                for future in running:
                    future.cancel()

    def stats(self) -> PoolStats:
        """The pool at this moment."""
        return self._state().stats()

    def close(self, timeout: float | None = None) -> None:
        """Lend no more; checkouts that wait raise. Executors that are out may be given back within
        `timeout` seconds, or at any time if it is None; then they are closed, and a cell that runs
        in one ends with it. Closing twice is harmless."""
        _deadline(timeout)
        state = self._state()
        state.close(timeout)
        _open.pop(id(state), None)
        self._end_place()

    async def aclose(self, timeout: float | None = None) -> None:
        """`close` without blocking the event loop."""
        _deadline(timeout)
        await _in_thread(lambda: self.close(timeout))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *exc: object) -> None:
        self.close(None if kind is None else 0)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, *exc: object) -> None:
        await self.aclose(None if kind is None else 0)


def _deadline(timeout: float | None) -> float | None:
    if timeout is None:
        return None
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float)) or not timeout >= 0:
        raise PolicyError(f"timeout must be a number of seconds or None, not {timeout!r}")
    return time.monotonic() + min(timeout, threading.TIMEOUT_MAX / 2)


def _left(until: float | None) -> float | None:
    return None if until is None else max(until - time.monotonic(), 0)


_open: dict[int, _State] = {}
"""The pools of this process that are not closed."""


def _abandon(states: dict[int, _State]) -> None:
    """A pool was collected. Executors that are out belong to their borrowers."""
    state = states.get(os.getpid())
    if state is not None:
        _open.pop(id(state), None)
        state.shut()


def _close_all() -> None:
    """At the end of the program."""
    for state in list(_open.values()):
        state.close(0)


os.register_at_fork(after_in_child=_open.clear)
atexit.register(_close_all)
