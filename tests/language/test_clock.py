"""A clock that moves by what code does, and the event loop that goes by it."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from fumehood.language.determinism import STEP, CellLoop, Clock, Reading

NEW_YEAR = 1767225600


def test_each_reading_moves_it_by_one_step() -> None:
    clock = Clock(NEW_YEAR)
    first = clock.read_now()
    assert first == NEW_YEAR * 10**9 + STEP
    assert clock.read_elapsed() == 2 * STEP
    assert clock.read_work() == 3 * STEP
    assert clock.read_now() == first + 3 * STEP


def test_what_was_waited_is_time_but_not_work() -> None:
    clock = Clock(NEW_YEAR)
    clock.wait(5 * 10**9)
    assert clock.read_elapsed() == 5 * 10**9 + STEP
    assert clock.read_work() == 2 * STEP


def test_it_never_goes_back() -> None:
    clock = Clock(NEW_YEAR)
    clock.wait(-(10**9))
    assert clock.read_now() > NEW_YEAR * 10**9


@pytest.mark.parametrize(
    "instant", [0.0, NEW_YEAR + 0.000001, NEW_YEAR + 0.999999, 9_214_646_399.5]
)
def test_it_begins_at_the_very_microsecond(instant: float) -> None:
    assert Clock(instant).read_now() - STEP == round(instant * 10**6) * 1000


def test_a_reading_as_an_attribute_of_a_class_is_no_method() -> None:
    class Stopwatch:
        read = Reading("time", lambda: 7)

    assert Stopwatch().read() == 7


FOLLOWED = """
import sys, types
library = types.ModuleType("some_library")
exec("from time import perf_counter as timer, time; from time import strftime", vars(library))
sys.modules["some_library"] = library
import queue
from fumehood.language import determinism as clock
clock.find_takers()
clock.follow(clock.Clock(0))
print(library.timer(), library.time(), library.strftime("%Y %H"), type(queue.time) is type(len))
from time import time
from datetime import datetime
print(time(), datetime.now())
"""


def test_libraries_that_took_their_clock_by_name_follow_and_what_waits_does_not() -> None:
    """In a process of its own: there is no way back."""
    done = subprocess.run(
        [sys.executable, "-c", FOLLOWED], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [
        "1e-06 2e-06 1970 00 True",
        "4e-06 1970-01-01 00:00:00.000005",
    ]


def _run(main: Callable[[], Any]) -> tuple[Any, Clock]:
    clock = Clock(NEW_YEAR)
    loop: Any = CellLoop(clock=clock)  # type: ignore[abstract]
    try:
        return loop.run_until_complete(main()), clock
    finally:
        loop.close()


def test_the_loop_waits_by_the_machine_s_clock_and_moves_its_own_as_far() -> None:
    began = time.monotonic()
    _, clock = _run(lambda: asyncio.sleep(0.1))
    assert time.monotonic() - began >= 0.1
    assert 0.1 * 10**9 <= clock.elapsed < 0.1001 * 10**9


def test_timers_move_the_clock_the_same_way_each_time() -> None:
    async def main() -> list[tuple[str, float]]:
        seen: list[tuple[str, float]] = []

        async def tick(name: str, seconds: float) -> None:
            for _ in range(3):
                await asyncio.sleep(seconds)
                seen.append((name, asyncio.get_running_loop().time()))

        await asyncio.gather(tick("a", 0.01), tick("b", 0.015), tick("c", 0.01), tick("d", 0.03))
        return seen

    first, clock = _run(main)
    second, other = _run(main)
    assert first == second
    assert clock.elapsed == other.elapsed
    assert sorted(when for _, when in first) == [when for _, when in first]


def test_a_timer_that_comes_while_the_thread_is_busy_is_due_by_the_clock() -> None:
    """Timers come in the order of the clock, though by the machine's the second would have been
    first."""

    async def main() -> list[str]:
        order: list[str] = []
        loop = asyncio.get_running_loop()
        loop.call_later(0.02, order.append, "late")
        time.sleep(0.03)
        loop.call_later(0.01, order.append, "early")
        await asyncio.sleep(0.03)
        return order

    assert _run(main)[0] == ["early", "late"]


def test_a_timeout_ends_a_task_that_never_rests() -> None:
    async def main() -> int:
        turns = 0
        try:
            async with asyncio.timeout(0.01):
                while True:
                    turns += 1
                    await asyncio.sleep(0)
        except TimeoutError:
            return turns

    first, _ = _run(main)
    assert first == _run(main)[0] > 100


def test_a_timeout_holds_while_others_keep_waking_the_loop() -> None:
    is_over = threading.Event()

    async def main() -> str:
        loop = asyncio.get_running_loop()
        waiting: asyncio.Future[None] = loop.create_future()

        def keep_waking() -> None:  # as answers from elsewhere would, which move no clock
            for _ in range(500):
                if is_over.wait(0.01):
                    return
                loop.call_soon_threadsafe(lambda: None)
            loop.call_soon_threadsafe(waiting.set_result, None)

        threading.Thread(target=keep_waking, daemon=True).start()
        try:
            await asyncio.wait_for(waiting, 0.05)
        except TimeoutError:
            return "over"
        finally:
            is_over.set()
        return "answered"

    assert _run(main)[0] == "over"


def test_without_a_clock_the_loop_goes_by_the_machine_s() -> None:
    loop: Any = CellLoop()  # type: ignore[abstract]
    before = time.monotonic()
    assert before <= loop.time() <= time.monotonic()
    loop.close()
