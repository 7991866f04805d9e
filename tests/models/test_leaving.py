"""A thread that may block for ever, and whoever waits for it."""

from __future__ import annotations

import contextvars
import threading

import pytest

from fumehood.models.base import Cancellation, Cancelled
from fumehood.models.leaving import Errand, LeftBehind, OutOfTime

from .served import InThread


@pytest.mark.parametrize("error", [LookupError("mine"), SystemExit(3)])
def test_what_the_work_raises_is_raised(error: BaseException) -> None:
    def work(errand: Errand[int]) -> int:
        raise error

    with pytest.raises(type(error)) as raised:
        Errand(work).run(Cancellation())
    assert raised.value is error


def test_the_work_sees_the_context_of_whoever_asked() -> None:
    variable = contextvars.ContextVar("variable", default="nobody's")
    variable.set("the caller's")
    assert Errand(lambda errand: variable.get()).run(Cancellation()) == "the caller's"


def test_work_that_blocks_is_left_and_what_it_waits_on_is_closed() -> None:
    cancel = Cancellation()
    blocked, closed, ended = threading.Event(), threading.Event(), threading.Event()

    def work(errand: Errand[None]) -> None:
        with errand.closing(closed.set):
            blocked.set()
            closed.wait(60)
        ended.set()

    call = InThread(lambda: Errand(work).run(cancel))
    assert blocked.wait(60)
    cancel.cancel()
    assert isinstance(call.outcome, Cancelled)
    assert ended.wait(60)


def test_work_that_cannot_be_closed_is_left_all_the_same() -> None:
    cancel = Cancellation()
    blocked, release = threading.Event(), threading.Event()

    def work(errand: Errand[None]) -> None:
        blocked.set()
        release.wait(60)

    call = InThread(lambda: Errand(work).run(cancel))
    assert blocked.wait(60)
    cancel.cancel()
    assert isinstance(call.outcome, Cancelled)
    release.set()


def test_whoever_goes_on_after_it_was_left_behind_is_stopped() -> None:
    ended = threading.Event()

    def work(errand: Errand[None]) -> None:
        try:
            while True:
                errand.hand_on("more")
        except LeftBehind:
            ended.set()

    with pytest.raises(OutOfTime):
        Errand(work).run(Cancellation(), seconds=0.02, on_piece=lambda piece: None)
    assert ended.wait(60), "the thread goes on"


def test_whoever_is_left_behind_can_wait_for_nothing_more() -> None:
    begun, left, outcome = threading.Event(), threading.Event(), []
    cancel = Cancellation()

    def work(errand: Errand[None]) -> None:
        begun.set()
        left.wait(60)
        try:
            with errand.closing(lambda: None):
                outcome.append("went on")
        except LeftBehind:
            outcome.append("left behind")
        ended.set()

    ended = threading.Event()
    call = InThread(lambda: Errand(work).run(cancel))
    assert begun.wait(60)
    cancel.cancel()
    assert isinstance(call.outcome, Cancelled)
    left.set()
    assert ended.wait(60)
    assert outcome == ["left behind"]
