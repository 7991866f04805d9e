"""What becomes of a pool's executors: those that cannot be made, those that come back, and the end
of all."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from fumehood import (
    CodeRaised,
    CodeRefused,
    ExecutorPool,
    LocalPythonExecutor,
    Policy,
    PythonExecutor,
    SandboxFailed,
)

from .hosts import wait_until
from .idle import Idle, MakePool, Workshop, in_thread, is_full, pools, result_of


@pytest.fixture
def workshop() -> Workshop:
    return Workshop()


@pytest.fixture
def make_pool(workshop: Workshop) -> Iterator[MakePool]:
    with pools(workshop) as make:
        yield make


# -- executors that cannot be made


def test_whoever_needs_one_that_cannot_be_made_gets_the_reason_and_the_pool_recovers(
    make_pool: MakePool, workshop: Workshop
) -> None:
    workshop.failure = OSError("no more rooms")
    pool = make_pool(1, 2)
    for _ in range(3):
        with pytest.raises(
            SandboxFailed, match="could not start an executor: OSError: no more rooms"
        ) as told:
            pool.checkout()
        assert told.value.__cause__ is workshop.failure
    workshop.failure = None
    with pool.checkout():
        assert pool.stats().closed_by_reason["failed to start"] >= 3


@pytest.mark.parametrize(
    "failure", [SystemExit(3), KeyboardInterrupt(), StopIteration(), MemoryError()]
)
def test_no_exception_of_the_factory_ends_the_pool_s_threads(
    make_pool: MakePool, workshop: Workshop, failure: BaseException
) -> None:
    workshop.failure = failure
    pool = make_pool()
    with pytest.raises(SandboxFailed, match=type(failure).__name__):
        pool.checkout()
    workshop.failure = None
    pool.checkout().close()


def test_everybody_is_told_when_nothing_can_be_made(
    make_pool: MakePool, workshop: Workshop
) -> None:
    workshop.is_open.clear()
    pool = make_pool(0, 3)
    started = [in_thread(pool.checkout) for _ in range(20)]
    wait_until(lambda: pool.stats().waiting == 20, "all wait")
    workshop.failure = OSError("no more rooms")
    workshop.is_open.set()
    told = [result_of(each) for each in started]
    assert {type(error) for error in told} == {SandboxFailed}
    assert len({id(error) for error in told}) == 20, "each has its own"


@pytest.mark.parametrize("made", [None, "executor", object()])
def test_a_factory_that_gives_something_else_is_an_error(make_pool: MakePool, made: Any) -> None:
    with pytest.raises(SandboxFailed, match="must give a PythonExecutor"):
        make_pool(make=lambda policy: made).checkout()


def _inline(policy: Policy) -> PythonExecutor:
    return LocalPythonExecutor(policy=policy, isolation="inline")


def test_setup_and_tools_are_there_when_an_executor_is_lent(make_pool: MakePool) -> None:
    pool = make_pool(make=_inline, setup="x = double(4)", tools={"double": lambda x: 2 * x})
    with pool.checkout() as executor:
        assert executor("double(x)").output == 16


@pytest.mark.parametrize(
    ("setup", "kind"),
    [("1 / 0", CodeRaised), ("import subprocess", CodeRefused), ("x =", CodeRaised)],
)
def test_a_setup_that_fails_is_told_as_what_it_is(
    make_pool: MakePool, setup: str, kind: type[Exception]
) -> None:
    made: list[LocalPythonExecutor] = []

    def make(policy: Policy) -> PythonExecutor:
        made.append(LocalPythonExecutor(policy=policy, isolation="inline"))
        return made[-1]

    pool = make_pool(make=make, setup=setup)
    with pytest.raises(kind, match="could not start an executor: its setup failed"):
        pool.checkout()
    pool.close()  # another may have been in the making
    with pytest.raises(SandboxFailed, match="closed"):
        made[0].run("1")


# -- executors that are lent again


def test_a_pool_that_reuses_lends_the_same_executor_again(make_pool: MakePool) -> None:
    pool = make_pool(1, 4, make=_inline, reuse=True)
    with pool.checkout() as first:
        first("x = 5")
    with pool.checkout() as second:
        assert second("x").output == 5
    assert pool.stats().created == 1


def test_an_executor_that_comes_back_dirty_or_dead_is_replaced(make_pool: MakePool) -> None:
    pool = make_pool(1, 1, reuse=True)
    with pytest.raises(ZeroDivisionError), pool.checkout():
        1 / 0  # the borrower's own failure
    with pool.checkout() as executor:
        executor.send_tools({"secret": print})
    pool.checkout().close(dirty=True)
    assert pool.stats().closed_by_reason["dirty"] == 3
    with pool.checkout() as executor:
        executor.close()
    assert pool.stats().closed_by_reason["died"] == 1
    pool.checkout().close()
    assert pool.stats().created == 5


def test_a_pool_may_be_closed_many_times_at_once(workshop: Workshop) -> None:
    pool = ExecutorPool(4, max_size=4, make=workshop)
    wait_until(lambda: is_full(pool), "four are ready")
    workshop.is_open.clear()
    leases = [pool.checkout() for _ in range(4)]
    for closing in [in_thread(partial(pool.close, 0)) for _ in range(5)]:
        result_of(closing)
    del leases
    workshop.is_open.set()
    wait_until(lambda: workshop.living() == 0, "all are closed")


# -- the end


def test_a_closed_pool_lends_nothing_and_closes_again(
    make_pool: MakePool, workshop: Workshop
) -> None:
    pool = make_pool(2, 2)
    wait_until(lambda: is_full(pool), "two are ready")
    pool.close()
    pool.close()
    with pytest.raises(SandboxFailed, match="pool is closed"):
        pool.checkout()
    with pytest.raises(SandboxFailed, match="pool is closed"):
        asyncio.run(_awaited(pool))
    assert (
        pool.stats().alive,
        pool.stats().closed_by_reason["pool closed"],
        workshop.living(),
    ) == (0, 2, 0)


async def _awaited(pool: ExecutorPool) -> None:
    await pool.acheckout()


def test_closing_tells_those_who_wait_and_waits_for_what_is_out(make_pool: MakePool) -> None:
    pool = make_pool(1, 1)
    lease = pool.checkout()
    waits = in_thread(pool.checkout)
    wait_until(lambda: pool.stats().waiting == 1, "it waits")
    closes = in_thread(pool.close)
    assert isinstance(result_of(waits), SandboxFailed)
    assert closes[0].is_alive()
    executor = lease.executor
    assert executor.report() == "nothing"
    lease.close()
    assert result_of(closes) is None
    assert pool.stats().alive == 0


def test_what_does_not_come_back_in_time_is_ended(make_pool: MakePool) -> None:
    pool = make_pool(1, 2)
    lease = pool.checkout()
    executor = lease.executor
    assert isinstance(executor, Idle)
    pool.close(timeout=0)
    assert executor.closings == 1
    assert pool.stats().closed_by_reason["pool closed"] >= 1
    lease.close()
    assert pool.stats().alive == 0


def test_an_executor_made_while_the_pool_was_being_closed_is_closed(
    make_pool: MakePool, workshop: Workshop
) -> None:
    workshop.is_open.clear()
    pool = make_pool(1, 1)
    assert workshop.asked.acquire(timeout=30)
    closes = in_thread(pool.close)
    wait_until(lambda: pool._is_closed, "it is closed")
    workshop.is_open.set()
    result_of(closes)
    assert (pool.stats().starting, pool.stats().alive, workshop.living()) == (0, 0, 0)


def test_a_pool_is_closed_by_its_block_and_waits_for_nobody_when_that_fails(
    make_pool: MakePool,
) -> None:
    with make_pool() as pool:
        pool.checkout().close()
    with pytest.raises(SandboxFailed):
        pool.checkout()
    pool = make_pool()
    executor = pool.checkout().executor
    with pytest.raises(ZeroDivisionError), pool:
        1 / 0
    assert isinstance(executor, Idle)
    assert executor.closings == 1


def test_a_pool_that_is_dropped_leaves_nothing_behind(workshop: Workshop) -> None:
    pool = ExecutorPool(3, max_size=3, make=workshop)
    wait_until(partial(is_full, pool), "three are ready")
    reference = weakref.ref(pool)
    del pool
    gc.collect()
    assert reference() is None
    wait_until(lambda: workshop.living() == 0, "all are closed")
