"""The loop: the same seed gives the same cases, and whatever goes wrong in one is told with how to
see it again."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from . import engine
from .engine import Found
from .memory import bounded
from .streams import STREAMS, read
from .values import different
from .values_made import made_value


class Counting:
    name = "counting"
    about = "odd numbers are found"
    cases_in_tests = 1

    def __init__(self) -> None:
        self.seen: list[float] = []

    def try_one(self, random: Random, tally: Counter[str]) -> None:
        self.seen.append(random.random())
        tally["cases"] += 1
        if len(self.seen) == 2:
            raise Found("it is the second", "shown")
        if len(self.seen) == 3:
            raise ValueError("nobody expected this")


def test_a_seed_gives_the_same_cases_again_and_another_seed_others() -> None:
    first, again, other = Counting(), Counting(), Counting()
    for target, seed in ((first, "a"), (again, "a"), (other, "b")):
        engine.run(target, seed, range(5))
    assert first.seen == again.seen != other.seen


def test_what_is_found_and_what_is_raised_are_told_with_how_to_see_them_again() -> None:
    report = engine.run(Counting(), "a", range(5))
    assert [finding.what for finding in report.findings] == [
        "it is the second",
        "raised ValueError",
    ]
    assert "python -m tests.fuzz counting --seed a --case 1" in str(report.findings[0])
    assert report.cases == 5


def test_memory_out_of_proportion_is_found() -> None:
    with bounded(10, "input"):
        bytearray(1000)
    with pytest.raises(Found, match="bytes of memory"), bounded(10, "input"):
        bytearray(64 << 20)


@pytest.mark.parametrize("stream", STREAMS, ids=lambda stream: stream.name)
def test_a_stream_as_it_should_be_is_read_to_its_end(stream) -> None:  # type: ignore[no-untyped-def]
    everything = []
    for seed in range(20):
        out, is_refused = read(stream, [stream.real(Random(seed))])
        everything += out
        assert not is_refused
    assert everything


def test_a_value_that_came_back_changed_is_noticed() -> None:
    for one, other in (
        (1, 2),
        (0.0, -0.0),
        ([1], [1, 2]),
        ({"a": 1}, {"a": 2}),
        (True, 1),
        ("a", b"a"),
        ((1,), [1]),
    ):
        assert different(one, other, {})
        assert different([one], [other], {})
    shared = [1]
    assert different([shared, shared], [[1], [1]], {})
    assert different(made_value(Random(1)), made_value(Random(1)), {}) is None
