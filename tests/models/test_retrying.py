"""What is worth another try, and when it comes."""

from __future__ import annotations

import pytest

from fumehood.models.retrying import Failure, Kind, Retries

from .served import Impatient

PASSING = Kind("passing", True, "hiccuped", "it passes")
LASTING = Kind("lasting", False, "refused", "it lasts")


class Attempts:
    """Fails with each of these, then works."""

    def __init__(self, *failures: Failure) -> None:
        self._failures = list(failures)
        self.given: list[float | None] = []

    def __call__(self, seconds: float | None) -> str:
        self.given.append(seconds)
        if self._failures:
            raise self._failures.pop(0)
        return "done"


def test_the_wait_doubles_up_to_the_longest_and_a_part_of_it_is_left_to_chance() -> None:
    most = Retries(random=lambda: 1.0, longest_wait=30)
    least = Retries(random=lambda: 0.0, longest_wait=30)
    assert [most.wait_before(again, None) for again in range(1, 8)] == [1, 2, 4, 8, 16, 30, 30]
    assert [least.wait_before(again, None) for again in range(1, 8)] == [0.5, 1, 2, 4, 8, 15, 15]
    assert most.wait_before(10_000, None) == 30


def test_a_wait_that_the_server_asks_for_is_never_cut_short_but_has_a_cap() -> None:
    for chance in (lambda: 0.0, lambda: 1.0):
        retries = Retries(random=chance, longest_retry_after=120)
        assert 5 <= retries.wait_before(1, 5.0) <= 5.1
        assert 120 <= retries.wait_before(1, 86_400.0) <= 120.1
        assert 120 <= retries.wait_before(1, float("inf")) <= 120.1
        assert retries.wait_before(1, 0.0) == 0
        assert retries.wait_before(1, -5.0) == 0


def test_after_the_last_try_the_last_failure_is_raised() -> None:
    attempts = Attempts(*[Failure(PASSING, str(number)) for number in range(9)])
    with pytest.raises(Failure) as raised:
        Retries(most=3).run(attempts, Impatient())
    assert str(raised.value) == "hiccuped: 3 (tried 4 times)"


def test_a_lasting_failure_is_raised_at_once() -> None:
    cancel = Impatient()
    with pytest.raises(Failure) as raised:
        Retries().run(Attempts(Failure(LASTING, "so there", status=401)), cancel)
    assert str(raised.value) == "answered 401, it refused: so there"
    assert cancel.waits == []


def test_a_try_that_would_come_too_late_is_not_waited_for() -> None:
    cancel = Impatient()
    with pytest.raises(
        Failure, match=r"hiccuped \(the next try would come after the 60 s of total_timeout\)"
    ):
        Retries(total_seconds=60).run(Attempts(Failure(PASSING, retry_after=61.0)), cancel)
    assert cancel.waits == []
