"""A call whose answer is no longer wanted ends, whatever it is waiting for. No test here ends by a
time limit but by being cancelled."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from fumehood.models.base import Cancellation, Cancelled
from fumehood.models.openai import OpenAIModel

from .misbehaving import (
    MisbehavingServer,
    delta,
    fails,
    says,
    says_nothing,
    says_nothing_after,
    streams_without_end,
)
from .served import EVERY_MODEL, OPENAI, QUESTION, InThread, Watched, make_model

every_model = pytest.mark.parametrize("kind", EVERY_MODEL)


def until(true: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end, f"{what} did not happen"
        time.sleep(0.005)


@every_model
@pytest.mark.parametrize("on_text", [None, lambda text: None], ids=["whole", "streamed"])
def test_while_the_server_stays_silent(kind: str, on_text: Any) -> None:
    cancel = Cancellation()
    with MisbehavingServer(says_nothing()) as server:
        call = InThread(
            lambda: make_model(kind, server.url).generate(QUESTION, cancel=cancel, on_text=on_text)
        )
        server.wait_for(1)
        cancel.cancel()
        assert isinstance(call.outcome, Cancelled)


@every_model
def test_in_the_middle_of_a_stream_that_stops_coming(kind: str) -> None:
    cancel = Cancellation()
    told = threading.Event()
    with MisbehavingServer(says_nothing_after(delta("one "))) as server:
        call = InThread(
            lambda: make_model(kind, server.url).generate(
                QUESTION, cancel=cancel, on_text=lambda text: told.set()
            )
        )
        assert told.wait(60)
        cancel.cancel()
        assert isinstance(call.outcome, Cancelled)


@every_model
def test_in_the_middle_of_a_stream_that_keeps_coming(kind: str) -> None:
    cancel = Cancellation()
    told: list[str] = []

    def listen(text: str) -> None:
        told.append(text)
        if len(told) == 3:
            cancel.cancel()

    with MisbehavingServer(streams_without_end(lambda number: delta(f"{number} "))) as server:
        with pytest.raises(Cancelled):
            make_model(kind, server.url).generate(QUESTION, cancel=cancel, on_text=listen)
        server.wait_until_left()
    assert told == ["0 ", "1 ", "2 "]


@every_model
def test_while_it_waits_for_another_try(kind: str) -> None:
    cancel = Watched()
    with MisbehavingServer(fails(503, Retry_After="100")) as server:
        call = InThread(lambda: make_model(kind, server.url).generate(QUESTION, cancel=cancel))
        assert cancel.is_waiting.wait(60)
        cancel.cancel()
        assert isinstance(call.outcome, Cancelled)
        assert len(server.requests) == 1


@every_model
def test_while_it_waits_for_its_turn(kind: str) -> None:
    cancel = Watched()
    with MisbehavingServer() as server:
        model = make_model(kind, server.url, requests_per_minute=0.01)
        model.generate(QUESTION)
        call = InThread(lambda: model.generate(QUESTION, cancel=cancel))
        assert cancel.is_waiting.wait(60)
        cancel.cancel()
        assert isinstance(call.outcome, Cancelled)
        assert len(server.requests) == 1


# -- with the connections in our own hands


@pytest.mark.parametrize(
    "before", [0, 1], ids=["on a new connection", "on a connection used before"]
)
def test_the_connection_to_a_silent_server_is_ended(before: int) -> None:
    cancel = Cancellation()
    with MisbehavingServer(*[says()] * before, says_nothing()) as server:
        model = make_model(OPENAI, server.url)
        for _ in range(before):
            model.generate(QUESTION)
        call = InThread(lambda: model.generate(QUESTION, cancel=cancel))
        server.wait_for(before + 1)
        cancel.cancel()
        assert isinstance(call.outcome, Cancelled)
        server.wait_until_left()
        until(lambda: not threads_of("some-model"), "the end of the thread")


def test_one_call_that_is_cancelled_leaves_the_others_alone() -> None:
    with MisbehavingServer(always=says_nothing_after(delta("one "))) as server:
        model = OpenAIModel("two at once", server.url, "key")
        cancels = [Cancellation(), Cancellation()]
        told = [threading.Event(), threading.Event()]
        calls = [
            InThread(
                lambda cancel=cancel, heard=heard: model.generate(
                    QUESTION, cancel=cancel, on_text=lambda text: heard.set()
                )
            )
            for cancel, heard in zip(cancels, told, strict=True)
        ]
        assert all(heard.wait(60) for heard in told)
        cancels[0].cancel()
        assert isinstance(calls[0].outcome, Cancelled)
        until(lambda: len(threads_of("two at once")) == 1, "the end of one thread")
        cancels[1].cancel()
        assert isinstance(calls[1].outcome, Cancelled)
        until(lambda: not threads_of("two at once"), "the end of the other")


def test_a_signal_ends_the_wait_of_the_main_thread() -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGUSR1, interrupt)
    try:
        with MisbehavingServer(says_nothing()) as server:

            def send() -> None:
                server.wait_for(1)
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGUSR1)

            sender = InThread(send)
            with pytest.raises(KeyboardInterrupt):
                make_model(OPENAI, server.url).generate(QUESTION)
            assert sender.outcome is None
            server.wait_until_left()
    finally:
        signal.signal(signal.SIGUSR1, before)


def threads_of(model_id: str) -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == f"fumehood {model_id}"]
