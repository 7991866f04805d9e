"""Trips to executors that are far away, alike for each kind of them."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from typing import Any

from round_trips import must
from side_by_side import Figure, Measure, interleave, shown, timed


def until_answered(make: Callable[[], Any]) -> Measure:
    """From the constructor to the value of a cell; ending it is not measured."""

    def measure() -> float:
        started = time.perf_counter()
        executor = make()
        must(executor.run("1 + 1"))
        seconds = time.perf_counter() - started
        executor.close()
        return seconds

    return measure


def values(there: Any, quick: bool) -> Figure:
    """Bytes that are sent into an executor and fetched."""
    sides: dict[str, Measure] = {}
    for size in (1_000_000,) if quick else (1_000_000, 20_000_000):
        data, name = secrets.token_bytes(size), f"data{size}"
        there.send_variables({name: data})
        if there.state[name] != data:
            raise RuntimeError("what comes back is not what was sent")
        sides[f"{shown(size, 'bytes')} sent"] = timed(
            lambda name=name, data=data: there.send_variables({name: data})
        )
        sides[f"{shown(size, 'bytes')} fetched"] = timed(lambda name=name: there.state[name])
    return Figure(
        "value",
        "A value, into a sandbox and out of it",
        "seconds",
        interleave(sides, batches=2 if quick else 8),
    )
