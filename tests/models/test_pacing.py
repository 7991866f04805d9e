"""So many requests a minute, in order, for any number of threads."""

from __future__ import annotations

import threading

import pytest

from fumehood.models.base import Cancellation, Cancelled
from fumehood.models.pacing import Pace

from .served import Clock, InThread, Watched


def test_requests_are_so_many_seconds_apart() -> None:
    clock = Clock()
    pace = Pace(30, clock)
    began = []
    for _ in range(4):
        pace.wait(clock)
        began.append(clock.now - 1000)
    assert began == [0, 2, 4, 6]


def test_time_that_has_passed_anyhow_is_not_waited_for() -> None:
    clock = Clock()
    pace = Pace(60, clock)
    pace.wait(clock)
    clock.now += 0.75
    pace.wait(clock)
    assert clock.now == 1001
    clock.now += 100
    pace.wait(clock)
    assert clock.now == 1101


def test_without_a_limit_nobody_waits() -> None:
    clock = Clock()
    pace = Pace(None, clock)
    for _ in range(100):
        pace.wait(clock)
    assert clock.now == 1000


def test_who_comes_first_goes_first() -> None:
    pace = Pace(0.001)
    pace.wait(Cancellation())  # from here on a turn comes in many hours
    first = Watched()
    calls = [InThread(lambda: pace.wait(first))]
    assert first.is_waiting.wait(60)
    others = []
    for number in range(3):
        others.append(Watched())
        calls.append(InThread(lambda cancel=others[-1]: pace.wait(cancel)))
        while len(pace._queue) < number + 2:
            threading.Event().wait(0.001)
    assert not any(other.is_waiting.is_set() for other in others)
    # Who gives up gives its turn to the next, wherever in the queue it was.
    others[1].cancel()
    assert isinstance(calls[2].outcome, Cancelled)
    first.cancel()
    assert isinstance(calls[0].outcome, Cancelled)
    assert others[0].is_waiting.wait(60)
    assert not others[2].is_waiting.is_set()
    others[0].cancel()
    assert others[2].is_waiting.wait(60)
    others[2].cancel()
    assert [isinstance(call.outcome, Cancelled) for call in calls] == [True] * 4
    assert not pace._queue


def test_those_who_gave_up_leave_no_gap() -> None:
    clock = Clock()
    pace = Pace(60, clock)
    pace.wait(clock)
    for _ in range(50):
        impatient = Cancellation()
        impatient.cancel()
        with pytest.raises(Cancelled):
            pace.wait(impatient)
    pace.wait(clock)
    assert clock.now == 1001


def test_many_threads_at_once_each_get_one_turn() -> None:
    pace = Pace(60_000)
    turns = []

    def take() -> None:
        for _ in range(5):
            pace.wait(Cancellation())
            turns.append(1)

    for call in [InThread(take) for _ in range(8)]:
        assert call.outcome is None
    assert len(turns) == 40
