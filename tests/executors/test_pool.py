"""Lending: who gets an executor, who waits, and who gives up."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from fumehood import (
    ExecutorPool,
    FumehoodError,
    Policy,
    PolicyError,
    PoolTimeout,
    PythonExecutor,
    SandboxFailed,
)

from .conftest import outcome_of
from .hosts import wait_until
from .idle import Idle, MakePool, Workshop, in_thread, is_full, pools, result_of


@pytest.fixture
def workshop() -> Workshop:
    return Workshop()


@pytest.fixture
def make_pool(workshop: Workshop) -> Iterator[MakePool]:
    with pools(workshop) as make:
        yield make


# -- what makes no sense


@pytest.mark.parametrize(
    "arguments",
    [
        {"size": -1},
        {"size": True},
        {"size": 2.0},
        {"size": 0, "max_size": 0},
        {"max_size": -4},
        {"size": 5, "max_size": 4},
        {"preload": "numpy"},
        {"preload": ["no module"]},
        {"preload": ["surely_not_installed"], "make": None},
    ],
)
def test_arguments_that_make_no_sense_are_an_error_at_once(
    arguments: dict[str, Any], workshop: Workshop
) -> None:
    with pytest.raises(PolicyError):
        ExecutorPool(**{"make": workshop, **arguments})
    assert workshop.made == []


def test_a_preloaded_module_is_authorized_beside_those_of_the_policy(make_pool: MakePool) -> None:
    given: list[Policy] = []

    def make(policy: Policy) -> PythonExecutor:
        given.append(policy)
        return Idle()

    with make_pool(
        policy=Policy(imports=("xml",), files=True), preload=["tomllib", "xml"], make=make
    ).checkout():
        assert given[0] == Policy(imports=("xml", "tomllib"), files=True)


# -- lending


def test_what_was_lent_is_closed_and_replaced(make_pool: MakePool) -> None:
    pool = make_pool(1, 1)
    with pool.checkout() as first:
        assert pool.stats().in_use == 1
    assert isinstance(first, Idle)
    assert first.closings == 1
    with pool.checkout() as second:
        assert second is not first
    assert pool.stats().closed_by_reason["used"] == 2


def test_a_lease_that_is_over_gives_nothing_and_can_be_closed_again(make_pool: MakePool) -> None:
    pool = make_pool()
    lease = pool.checkout()
    executor = lease.executor
    lease.close()
    lease.close()
    with pytest.raises(SandboxFailed, match="lease has ended"):
        _ = lease.executor
    assert isinstance(executor, Idle)
    assert executor.closings == 1
    assert pool.stats().closed_by_reason["used"] == 1


def test_an_executor_that_died_while_it_was_ready_is_never_lent(
    make_pool: MakePool, workshop: Workshop
) -> None:
    pool = make_pool(3, 3)
    wait_until(lambda: is_full(pool), "three are ready")
    for made in workshop.made:
        executor = made()
        assert executor is not None
        executor.lives = False
    executor = None
    for lease in [pool.checkout() for _ in range(3)]:
        borrowed = lease.executor
        assert isinstance(borrowed, Idle)
        assert borrowed.lives
    assert (pool.stats().closed_by_reason["died"], pool.stats().checkouts) == (3, 3)


def test_an_error_of_closing_is_raised_where_it_is_given_back_and_the_place_is_free_again(
    make_pool: MakePool,
) -> None:
    pool = make_pool(1, 1)
    lease = pool.checkout()
    lease.executor.close = lambda: 1 / 0  # type: ignore[method-assign, assignment]
    with pytest.raises(ZeroDivisionError):
        lease.close()
    with pool.checkout(60):
        pass


# -- waiting


def test_who_waits_in_vain_is_told_how_many_are_out(make_pool: MakePool) -> None:
    pool = make_pool(1, 2)
    with pool.checkout(), pool.checkout(), pytest.raises(PoolTimeout) as told:
        pool.checkout(timeout=0)
    assert str(told.value) == "no executor was free within 0 seconds: 2 of at most 2 are out"
    assert isinstance(told.value, TimeoutError)
    assert isinstance(told.value, FumehoodError)
    assert pool.stats().waiting == 0


@pytest.mark.parametrize("reuse", [False, True])
def test_who_comes_first_is_served_first(make_pool: MakePool, reuse: bool) -> None:
    pool = make_pool(1, 1, reuse=reuse)
    served: list[int] = []

    def borrow(number: int) -> None:
        with pool.checkout():
            served.append(number)

    lease = pool.checkout()
    started = []
    for number in range(8):
        started.append(in_thread(lambda number=number: borrow(number)))  # type: ignore[misc]
        wait_until(lambda number=number: pool.stats().waiting == number + 1, "it waits")  # type: ignore[misc]
    lease.close()
    for each in started:
        result_of(each)
    assert served == list(range(8))


def test_there_are_never_more_than_max_size_with_two_hundred_threads(
    make_pool: MakePool, workshop: Workshop
) -> None:
    for reuse in (False, True):
        pool = make_pool(2, 4, reuse=reuse)
        holders: Counter[int] = Counter()
        wrong: list[Any] = []

        def work(
            pool: ExecutorPool = pool, holders: Counter[int] = holders, wrong: list[Any] = wrong
        ) -> None:
            for _ in range(3):
                with pool.checkout() as executor:
                    assert isinstance(executor, Idle)
                    holders[id(executor)] += 1
                    stats = pool.stats()
                    if (
                        holders[id(executor)] != 1
                        or stats.alive + stats.starting > 4
                        or not executor.lives
                    ):
                        wrong.append(stats)
                    holders[id(executor)] -= 1

        started = [in_thread(work) for _ in range(200)]
        assert {result_of(each) for each in started} == {None}
        assert wrong == []
        stats = pool.stats()
        assert (stats.checkouts, stats.waiting, stats.in_use) == (600, 0, 0)
        pool.close()
        assert pool.stats().alive == 0
        assert sum(pool.stats().closed_by_reason.values()) == pool.stats().created
    assert workshop.living() == 0


# -- giving up


async def waiting(pool: ExecutorPool, number: int) -> None:
    while pool.stats().waiting != number:
        await asyncio.sleep(0.001)


def test_a_task_that_is_cancelled_while_it_waits_gives_up_its_place(make_pool: MakePool) -> None:
    pool = make_pool(1, 1)

    async def main() -> bool:
        lease = await pool.acheckout()
        first, second = (asyncio.ensure_future(pool.acheckout()) for _ in range(2))
        await waiting(pool, 2)
        first.cancel()
        await asyncio.wait([first])
        await waiting(pool, 1)
        await lease.aclose()
        (await second).close()
        return first.cancelled()

    assert outcome_of(lambda: asyncio.run(main()))
    assert pool.stats().in_use == 0


def test_an_executor_handed_over_at_the_moment_of_cancellation_goes_to_the_next(
    make_pool: MakePool,
) -> None:
    pool = make_pool(1, 1)

    async def main() -> bool:
        lease = await pool.acheckout()
        first = asyncio.ensure_future(pool.acheckout())
        await waiting(pool, 1)
        second = asyncio.ensure_future(pool.acheckout())
        await waiting(pool, 2)
        lease.close()
        wait_until(lambda: pool.stats().waiting == 1, "the first has it, and has not run again")
        first.cancel()
        got = await second
        await got.aclose()
        return first.cancelled()

    assert outcome_of(lambda: asyncio.run(main()))
    assert (pool.stats().in_use, pool.stats().waiting) == (0, 0)
    assert pool.stats().closed_by_reason["used"] == 2  # that of the first was never used


def test_an_interrupted_wait_gives_up_its_place(
    make_pool: MakePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = make_pool(1, 1)
    lease = pool.checkout()

    def interrupted(*seconds: float) -> None:
        patch.undo()
        lease.close()  # what waits for it could have it now
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("fumehood.executors.pool.min", interrupted, raising=False)
        with pytest.raises(KeyboardInterrupt):
            pool.checkout()
    assert (pool.stats().waiting, pool.stats().in_use) == (0, 0)
    pool.checkout().close()


def test_a_generator_collected_with_a_lease_gives_it_back_wherever_that_happens(
    make_pool: MakePool,
) -> None:
    pool = make_pool(1, 1)

    def borrows() -> Iterator[PythonExecutor]:
        with pool.checkout(60) as executor:
            yield executor

    def lose() -> None:
        generator = borrows()
        next(generator)

    for _ in range(3):
        lose()
    generator = borrows()
    next(generator)
    with pool._changed:  # as the garbage collector may, in a thread that holds the lock
        generator.close()
    assert outcome_of(lambda: pool.checkout(60).close() or True)
