"""So many requests a minute, in order, for any number of threads."""

from __future__ import annotations

from fumehood.models.base import Cancellation
from fumehood.models.pacing import Pace

from .served import InThread


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
