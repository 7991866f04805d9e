"""ExecutorPool: executors made beforehand, lent out one borrower at a time."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import os
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Self

from fumehood.errors import PolicyError
from fumehood.executors import life
from fumehood.executors.base import PythonExecutor
from fumehood.executors.leases import AsyncCheckout, Lease
from fumehood.executors.places import makes_executors
from fumehood.executors.recipe import Recipe
from fumehood.executors.stock import PoolStats, Stock
from fumehood.executors.trail import OutputChecks, as_checks
from fumehood.executors.waiters import TaskWaiter, ThreadWaiter, Waiter
from fumehood.observing import Observer, as_observers
from fumehood.policy import Policy

_generation = 0
"""Counts forks: what belongs to another generation belongs to a process that this one is a copy
of."""
_open: dict[int, Stock] = {}
"""Every stock of this process whose pool is there and not closed."""


class ExecutorPool:
    """Keeps `size` executors ready, from when it is made, and has at most `max_size` of them at
    once, those that are out included.

    `policy` is theirs, with the modules of `preload` authorized too, and so imported before a
    sandbox starts. `tools` are sent to each, and `setup` is code that is run in each before it is
    lent; if that fails, the checkout that needed the executor raises what it raised.
    `executor_type` is where they are: "local", or "docker", where one container holds them all;
    `executor_kwargs` are more arguments for whatever makes them there (DockerContainer's, for that
    container). Or `make` is called with the policy for each, from a thread of the pool. `audit` is
    told all that happens in each of them, `validators` look at what they give out, as for those.

    reuse=False closes every executor when it comes back and makes a new one: no borrower sees
    anything of another. Only one that its borrower was never given is kept.
    reuse=True lends executors again as they are, variables and files included: for borrowers that
    trust each other. One is closed as "died" if its sandbox is gone, and as "dirty" if its `with`
    block was left by an exception, a cell still runs in it, it was sent tools, or its process is
    not the one that was lent, because a cell crashed it: then what `setup` has made is gone.

    From any thread and any event loop. Who comes first is served first. A fork of this process has
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
            raise PolicyError(
                f"max_size is {max_size}, which is less than the {size} to keep ready"
            )
        if policy is not None and not isinstance(policy, Policy):
            raise PolicyError(f"policy must be a Policy, not {policy!r}")
        if setup is not None and not isinstance(setup, str):
            raise PolicyError(f"setup must be code in a string, not {setup!r}")
        if type(reuse) is not bool:
            raise PolicyError(f"reuse must be True or False, not {reuse!r}")
        if make is not None and not callable(make):
            raise PolicyError(
                f"make must be a function that takes a Policy and gives an executor, not {make!r}"
            )
        if tools is not None and not isinstance(tools, Mapping):
            raise PolicyError(f"tools must be a mapping of names to functions, not {tools!r}")
        wanted = Policy(imports=preload)  # type: ignore[arg-type]  # checks the names
        self.policy = replace(
            policy or Policy(), imports=(*(policy.imports if policy else ()), *wanted.imports)
        )
        if make is not None and (executor_type != "local" or executor_kwargs):
            raise PolicyError(
                f"{'executor_kwargs' if executor_kwargs else 'executor_type'} is for executors that"
                " the pool makes, and make() makes them: leave it out"
            )
        if make is None and executor_type == "local":
            self.policy.verify(stacklevel=2)  # elsewhere other modules may be installed
        self.size = size
        self.max_size = max_size
        self.reuse = reuse
        observers, checks = as_observers(audit), as_checks(validators)
        if make is not None and checks is not None:
            raise PolicyError(
                "validators are for executors that the pool makes; give them to those that make()"
                " makes"
            )
        self._end_place: Callable[[], None] = lambda: None
        made = make
        if made is None:
            maker, self._end_place = makes_executors(executor_type, max_size, executor_kwargs or {})
            made = lambda policy: maker(policy=policy, validators=checks or ())  # noqa: E731
        self._recipe = Recipe(
            self.policy, None if tools is None else dict(tools), setup, made, observers
        )
        self._stocks: dict[int, Stock] = {}
        weakref.finalize(self, _abandon, self._stocks).atexit = False
        self._stock().begin()

    def _stock(self) -> Stock:
        """The books of this process."""
        stock = self._stocks.get(_generation)
        if stock is None:
            closed = any(other.closed for other in list(self._stocks.values()))
            new = Stock(self._recipe.prepare, self.size, self.max_size, self.reuse, closed=closed)
            stock = self._stocks.setdefault(_generation, new)  # of two threads one is the first
            if not stock.closed:
                _open[id(stock)] = stock
        return stock

    def checkout(self, timeout: float | None = None) -> Lease:
        """Borrow an executor; wait for one if need be. `with pool.checkout() as executor:` gives it
        back at the end of the block.

        PoolTimeout if none was free within `timeout` seconds; SandboxFailed, or what it was that
        made it fail, if none could be made, or the pool is closed.
        """
        until = _deadline(timeout)
        stock = self._stock()
        stock.crew.start()
        first = False
        while True:
            waiter = ThreadWaiter()
            try:
                stock.post(stock.asked, waiter, first)
                waiter.wait(_left(until))
                if not waiter.is_over:
                    stock.post(stock.expired, waiter, timeout)
                    waiter.wait(None)
            except BaseException:
                stock.post(stock.withdrawn, waiter)
                raise
            lease = self._lease(stock, waiter)
            if lease is not None:
                return lease
            first = True

    def acheckout(self, timeout: float | None = None) -> AsyncCheckout:
        """`checkout` for tasks: `async with pool.acheckout() as executor:`, or `lease = await
        pool.acheckout()` and `await lease.aclose()`.

        A task that is cancelled while it waits gives up its place in the line, and an executor that
        it was just being given goes on to the next.
        """
        _deadline(timeout)
        return AsyncCheckout(self, timeout)

    async def _acheckout(self, timeout: float | None) -> Lease:
        until = _deadline(timeout)
        stock = self._stock()
        stock.crew.start()
        first = False
        while True:
            waiter = TaskWaiter()
            try:
                stock.post(stock.asked, waiter, first)
                await waiter.wait(_left(until))
                if not waiter.is_over:
                    stock.post(stock.expired, waiter, timeout)
                    await waiter.wait(None)
            except BaseException:
                stock.post(stock.withdrawn, waiter)
                raise
            lease = self._lease(stock, waiter)
            if lease is not None:
                return lease
            first = True

    def _lease(self, stock: Stock, waiter: Waiter) -> Lease | None:
        """What came of waiting; None if the executor died while it was ready."""
        executor = waiter.executor
        if executor is None:
            assert waiter.error is not None
            raise waiter.error
        if life.is_alive(executor):
            stock.post(stock.received)
            return Lease(self, stock, executor, waiter.ticket)
        stock.post(stock.discarded, waiter.ticket, executor, "died")
        return None

    def stats(self) -> PoolStats:
        """The pool at this moment."""
        return self._stock().stats()

    def close(self, timeout: float | None = None) -> None:
        """Lend no more, and tell those who wait. Those that are out may be given back within
        `timeout` seconds, however long that takes if it is None; then they are ended, and a cell
        that runs in one with it. Closing twice is harmless."""
        _deadline(timeout)
        stock = self._stock()
        stock.close(timeout)
        _open.pop(id(stock), None)
        self._end_place()

    async def aclose(self, timeout: float | None = None) -> None:
        """`close` without blocking the event loop."""
        _deadline(timeout)
        loop = asyncio.get_running_loop()
        done = loop.create_future()

        def note() -> None:
            if not done.done():
                done.set_result(None)

        def work() -> None:
            self.close(timeout)
            with contextlib.suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(note)

        # Not one of the loop's own threads: cells that have to end first may be waiting for those.
        threading.Thread(target=work, name="fumehood-pool-close", daemon=True).start()
        await done

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
    return time.monotonic() + min(timeout, threading.TIMEOUT_MAX)


def _left(until: float | None) -> float | None:
    return None if until is None else max(until - time.monotonic(), 0)


def _abandon(stocks: dict[int, Stock]) -> None:
    stock = stocks.get(_generation)
    if stock is not None:
        _open.pop(id(stock), None)
        stock.abandon()


def _close_all() -> None:
    """At the end of the program: nothing is waited for that may not come."""
    for stock in list(_open.values()):
        stock.close(0)


def _begin_anew() -> None:
    global _generation
    _generation += 1
    _open.clear()


os.register_at_fork(after_in_child=_begin_anew)
atexit.register(_close_all)
