"""Observers: told in order, each in its own time, and harmless."""

from __future__ import annotations

import contextlib
import logging
import os
import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

from fumehood import observing
from fumehood.errors import ObserverFailed
from fumehood.events import Event, Printed, SessionOpened
from fumehood.observing import (
    EVERYBODY,
    Subscribers,
    Subscription,
    add_context,
    as_observers,
    in_contexts,
    observe,
)


def printed(text: str) -> Printed:
    return Printed(at=0.0, text=text)


def texts(events: list[Any]) -> list[str]:
    return [event.text for event in events if isinstance(event, Printed)]


class Prompt(list[Event]):
    """An observer that is told at once."""

    is_prompt = True
    __hash__ = object.__hash__

    def __call__(self, event: Event) -> None:
        self.append(event)


def listen(subscribers: Subscribers, observer: Any) -> Subscription:
    subscription = Subscription(observer)
    subscribers.join(subscription)
    return subscription


def test_an_observer_is_told_everything_in_order() -> None:
    subscribers, seen = Subscribers(), []
    with listen(subscribers, seen.append) as subscription:
        for number in range(1000):
            subscribers.emit(printed(str(number)))
        assert subscription.flush(60)
        assert texts(seen) == [str(number) for number in range(1000)]
    subscribers.emit(printed("later"))
    assert len(seen) == 1000 and subscribers.members == ()


def test_an_observer_that_has_to_be_prompt_is_told_before_anything_goes_on() -> None:
    subscribers, seen = Subscribers(), Prompt()
    listen(subscribers, seen)
    subscribers.emit(printed("a"))
    assert texts(seen) == ["a"]


def test_a_slow_observer_holds_up_nobody() -> None:
    subscribers, seen, may_go = Subscribers(), [], threading.Event()
    slow = listen(subscribers, lambda event: may_go.wait(60))
    quick = listen(subscribers, seen.append)
    for number in range(100):
        subscribers.emit(printed(str(number)))
    assert quick.flush(60) and len(seen) == 100
    assert not slow.flush(0), "it is still at the first"
    may_go.set()
    assert slow.flush(60)


def test_an_observer_that_fails_goes_on_being_told_and_its_failure_is_reported_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    subscribers, seen = Subscribers(), []

    def failing(event: Event) -> None:
        seen.append(event)
        raise OSError("the disk is full")

    other: list[Event] = []
    with (
        warnings.catch_warnings(record=True) as caught,
        caplog.at_level(logging.ERROR, "fumehood.observing"),
    ):
        warnings.simplefilter("always")
        subscription, beside = listen(subscribers, failing), listen(subscribers, other.append)
        for text in "abc":
            subscribers.emit(printed(text))
        subscription.close(60), beside.close(60)
    assert texts(seen) == texts(other) == ["a", "b", "c"]
    assert subscription.failures == 3 and isinstance(subscription.error, OSError)
    assert [warning.category for warning in caught] == [ObserverFailed]
    assert (
        "failing failed: OSError: the disk is full" in str(caught[0].message)
        and caplog.text.count("the disk is full\n") >= 1
    )


def test_an_observer_that_is_too_far_behind_loses_its_own_newest_events_and_it_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(observing, "_MOST_WAITING", 3)
    subscribers, seen, other, may_go, is_at_it = (
        Subscribers(),
        [],
        Prompt(),
        threading.Event(),
        threading.Event(),
    )

    def slow(event: Event) -> None:
        is_at_it.set()
        may_go.wait(60)
        seen.append(event)

    subscription = listen(subscribers, slow)
    listen(subscribers, other)
    subscribers.emit(printed("first"))
    assert is_at_it.wait(60)
    with pytest.warns(ObserverFailed, match="too slow: 3 events wait for it"):
        [subscribers.emit(printed(text)) for text in "abcde"]
    may_go.set()
    assert subscription.flush(60)
    subscribers.emit(printed("after"))
    subscription.close(60)
    assert texts(seen) == ["first", "a", "b", "c", "after"] and subscription.lost == 2
    assert texts(other) == ["first", *"abcde", "after"]


def test_whoever_observes_everything_is_told_once_and_of_what_is_there_already() -> None:
    opened = SessionOpened(
        at=0.0, session="s", place="jail", policy={}, report="", options={}, python="", fumehood=""
    )
    subscribers, seen = Subscribers(lambda: opened), Prompt()
    listen(subscribers, seen)
    with observe(seen), observe(later := Prompt()):
        subscribers.emit(printed("a"))
        Subscribers().emit(printed("b"))
    subscribers.emit(printed("c"))
    assert seen[0] is opened and texts(seen) == ["a", "b", "c"]
    assert [
        event for event in later if isinstance(event, SessionOpened) and event.session == "s"
    ] == [opened]
    assert texts(later) == ["a", "b"] and EVERYBODY.members == ()


def test_many_threads_may_tell_at_once() -> None:
    subscribers, seen = Subscribers(), []
    subscription = listen(subscribers, seen.append)
    threads = [
        threading.Thread(target=lambda: [subscribers.emit(printed("x")) for _ in range(500)])
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    subscription.close(60)
    assert len(seen) == 4000


def test_the_end_of_the_program_waits_until_all_is_told() -> None:
    code = (
        "import time\nfrom fumehood.observing import Subscribers, Subscription\nfrom fumehood.events"
        " import Printed\nsubscribers, subscription = Subscribers(), Subscription(lambda event:"
        " (time.sleep(0.01), print(event.text)))\nsubscribers.join(subscription)\nfor number in"
        " range(5): subscribers.emit(Printed(at=0.0, text=str(number)))\n"
    )
    assert subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split() == [*"01234"]


def test_a_forked_process_tells_its_own_events_and_not_its_parent_s() -> None:
    code = (
        "import os, threading\nfrom fumehood.observing import Subscribers, Subscription\nfrom"
        " fumehood.events import Printed\nmay_go = threading.Event()\nsubscribers, subscription ="
        " Subscribers(), Subscription(lambda event: (may_go.wait(), os.write(1, (event.text +"
        " '\\n').encode())))\nsubscribers.join(subscription)\nfor number in range(3):"
        " subscribers.emit(Printed(at=0.0, text=f'parent {number}'))\nchild ="
        " os.fork()\nmay_go.set()\nif not child:\n    subscribers.emit(Printed(at=0.0,"
        " text='child'))\n    subscription.close()\n    os._exit(0)\nos.waitpid(child,"
        " 0)\nsubscription.close()\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True
    )
    assert sorted(done.stdout.splitlines()) == ["child", "parent 0", "parent 1", "parent 2"]
    assert os.getpid()


@pytest.mark.parametrize("wrong", ["file.jsonl", 3, object()])
def test_what_is_no_observer_is_refused_in_one_line(wrong: Any) -> None:
    with pytest.raises(TypeError, match="audit takes an observer"):
        as_observers(wrong)
    with pytest.raises(TypeError, match="an observer is a function"):
        Subscription(wrong)


# -- in_contexts


def test_surroundings_are_entered_and_left_in_order_and_undone() -> None:
    found: list[str] = []

    def maker(name: str) -> Any:
        @contextlib.contextmanager
        def around(event: Event) -> Iterator[None]:
            found.append(f"in {name}")
            yield
            found.append(f"out {name}")

        return around

    undo = [add_context(maker("a")), add_context(maker("b"))]
    with pytest.raises(KeyError), in_contexts(printed("x")):
        raise KeyError("passes through, unseen by them")
    for take_back in undo:
        take_back()
    with in_contexts(printed("x")):
        pass
    assert found == ["in a", "in b", "out b", "out a"]


@pytest.mark.parametrize("where", ["made", "entered", "left"])
def test_surroundings_that_fail_are_reported_and_change_nothing(where: str) -> None:
    @contextlib.contextmanager
    def around(event: Event) -> Iterator[None]:
        if where == "entered":
            raise OSError("broken")
        yield
        raise OSError("broken")

    def make(event: Event) -> Any:
        if where == "made":
            raise OSError("broken")
        return around(event)

    undo = add_context(make)
    try:
        with pytest.warns(ObserverFailed, match="broken"), in_contexts(printed("x")):
            went_on = True
    finally:
        undo()
    assert went_on
