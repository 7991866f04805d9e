"""So many requests a minute, in order, for any number of threads."""

from __future__ import annotations

import pytest

from fumehood.models.base import Cancellation, Cancelled
from fumehood.models.pacing import Pace

from .served import Clock, InThread


def test_without_a_limit_nobody_waits() -> None:
    clock = Clock()
    pace = Pace(None, clock)
    for _ in range(100):
        pace.wait(clock)
    assert clock.now == 1000


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
