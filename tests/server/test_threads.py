"""Whose turn it is: order within a line, shares of keys, bounds on what waits."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from fumehood.server.refusals import Busy
from fumehood.server.threads import Desk, Threads


def _run(scene: Callable[[Threads], Awaitable[None]], threads: int = 4) -> None:
    async def play() -> None:
        made = Threads(threads)
        try:
            await scene(made)
        finally:
            made.close()

    asyncio.run(play())


class Gate:
    """A call that waits until it is let through, and says when it has begun."""

    def __init__(self) -> None:
        self._open = threading.Event()
        self.begun: list[Any] = []

    def __call__(self, name: Any = None) -> Any:
        self.begun.append(name)
        self._open.wait(60)
        return name

    def open(self) -> None:
        self._open.set()

    async def until(self, number: int) -> None:
        while len(self.begun) < number:
            await asyncio.sleep(0.001)


def _desk(threads: Threads, at_once: int = 4, waiting: int = 10, patience: float = 60) -> Desk:
    return Desk(threads, at_once, waiting, patience)


def test_calls_of_one_line_are_made_one_after_the_other_in_order() -> None:
    async def scene(threads: Threads) -> None:
        line = _desk(threads, waiting=100).line()
        order: list[int] = []
        await asyncio.gather(*(line.do(order.append, number) for number in range(50)))
        assert order == [*range(50)]

    _run(scene)


def test_one_more_than_may_wait_is_refused() -> None:
    async def scene(threads: Threads) -> None:
        desk, gate = _desk(threads, at_once=1, waiting=2), Gate()
        line = desk.line()
        calls = [asyncio.ensure_future(line.do(gate)) for _ in range(3)]
        await gate.until(1)
        with pytest.raises(Busy):
            await line.do(gate)
        with pytest.raises(Busy):
            await desk.line().do(gate)
        gate.open()
        await asyncio.gather(*calls)
        await line.do(gate)

    _run(scene)


def test_a_call_that_waits_too_long_is_refused_and_never_made() -> None:
    async def scene(threads: Threads) -> None:
        desk, gate = _desk(threads, at_once=1, patience=0.05), Gate()
        line = desk.line()
        first = asyncio.ensure_future(line.do(gate, "first"))
        await gate.until(1)
        with pytest.raises(Busy, match="no turn"):
            await line.do(gate, "second")
        assert desk.waiting == 0
        gate.open()
        await first
        assert await line.do(gate, "third") == "third"
        assert gate.begun == ["first", "third"]

    _run(scene)


def test_a_call_that_is_cancelled_while_it_waits_is_never_made() -> None:
    async def scene(threads: Threads) -> None:
        desk, gate = _desk(threads, at_once=1), Gate()
        line = desk.line()
        first = asyncio.ensure_future(line.do(gate, "first"))
        second = asyncio.ensure_future(line.do(gate, "second"))
        third = asyncio.ensure_future(line.do(gate, "third"))
        await gate.until(1)
        second.cancel()
        await asyncio.wait([second])
        assert desk.waiting == 1
        gate.open()
        assert await asyncio.gather(first, third) == ["first", "third"]
        assert gate.begun == ["first", "third"]

    _run(scene)


def test_a_call_that_is_cancelled_while_it_runs_is_waited_for_by_the_next() -> None:
    async def scene(threads: Threads) -> None:
        desk, gate = _desk(threads), Gate()
        line = desk.line()
        first = asyncio.ensure_future(line.do(gate, "first"))
        await gate.until(1)
        first.cancel()
        await asyncio.wait([first])
        second = asyncio.ensure_future(line.do(gate, "second"))
        await asyncio.sleep(0.05)
        assert gate.begun == ["first"]
        gate.open()
        assert await second == "second"
        assert (desk.running, desk.waiting, threads.running) == (0, 0, 0)

    _run(scene)


def test_a_key_with_much_to_do_does_not_keep_another_from_the_threads() -> None:
    async def scene(threads: Threads) -> None:
        greedy, modest = _desk(threads, waiting=100), _desk(threads)
        order: list[str] = []
        gate = Gate()
        first = asyncio.ensure_future(greedy.line().do(gate))
        many = [asyncio.ensure_future(greedy.line().do(order.append, "greedy")) for _ in range(20)]
        await gate.until(1)
        one = asyncio.ensure_future(modest.line().do(order.append, "modest"))
        await asyncio.sleep(0)
        gate.open()
        await asyncio.gather(first, one, *many)
        assert order.index("modest") <= 1

    _run(scene, threads=1)
