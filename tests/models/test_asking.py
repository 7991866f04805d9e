"""How a model is asked: it gets what it takes, and whatever it does comes back as an answer or as
one kind of error."""

from __future__ import annotations

import contextvars
import threading
from typing import Any

import pytest

from fumehood.errors import ModelError
from fumehood.models.asking import ask
from fumehood.models.base import Cancellation, Cancelled, Model
from fumehood.models.messages import ChatMessage, TokenUsage

from .served import QUESTION, InThread


class Minimal(Model):
    """As little as a model can be."""

    def __init__(self, answer: Any = "fine") -> None:
        self.answer = answer
        self.asked: Any = None

    def generate(self, messages: Any) -> Any:  # type: ignore[override]
        self.asked = messages
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


def listen(text: str) -> None:
    pass


# -- what it returns

USAGE = TokenUsage(3, 4)


class Unprintable:
    def __repr__(self) -> str:
        raise ValueError("no")


@pytest.mark.parametrize(
    "answer",
    [
        None,
        7,
        b"bytes",
        ["a", "list"],
        {"text": "x"},
        {"content": 7},
        ChatMessage,
        Unprintable(),
        object(),
    ],
    ids=lambda v: type(v).__name__,
)
def test_whatever_has_none_is_an_error_that_says_what_came(answer: Any) -> None:
    with pytest.raises(
        ModelError, match=r"^Minimal gave (no answer but|an answer whose content)"
    ) as raised:
        ask(Minimal(answer), QUESTION)
    assert "\n" not in str(raised.value) and len(str(raised.value)) < 400


def test_no_stop_sequence_is_in_an_answer_whatever_the_model_does() -> None:
    assert ask(Minimal("one STOP two"), QUESTION, stop_sequences=["two", "STOP"]).content == "one "
    answer = ChatMessage("assistant", "one STOP", token_usage=USAGE)
    assert ask(Minimal(answer), QUESTION, stop_sequences=["STOP"]) == ChatMessage(
        "assistant", "one ", token_usage=USAGE
    )


# -- what it raises


def test_whatever_a_model_raises_is_one_line_that_keeps_its_cause() -> None:
    error = LookupError("line one\nline two\x1b[31m")
    with pytest.raises(ModelError) as raised:
        ask(Minimal(error), QUESTION)
    assert str(raised.value) == "Minimal raised LookupError: line one line two\\x1b[31m"
    assert raised.value.__cause__ is error


def test_an_answer_or_an_error_that_comes_after_cancelling_is_thrown_away() -> None:
    cancel = Cancellation()

    class Late(Model):
        def __init__(self, fails: bool) -> None:
            self.fails = fails

        def generate(self, messages: Any) -> Any:  # type: ignore[override]
            cancel.cancel()
            if self.fails:
                raise OSError("the connection was closed")
            return "too late"

    for fails in (False, True):
        cancel = Cancellation()
        with pytest.raises(Cancelled):
            ask(Late(fails), QUESTION, cancel=cancel)


# -- asynchronous models


class Asynchronous(Model):
    async def generate(self, messages: Any) -> Any:  # type: ignore[override]
        import asyncio

        await asyncio.sleep(0)
        return f"{len(messages)} {id(asyncio.get_running_loop())} {variable.get()}"


variable = contextvars.ContextVar("variable", default="nobody's")


def test_an_asynchronous_model_is_awaited_always_on_the_same_loop_in_the_caller_s_context() -> None:
    variable.set("mine")
    model = Asynchronous()
    first, second = ask(model, QUESTION).content, ask(model, QUESTION).content
    assert first == second
    assert first.startswith("2 ") and first.endswith(" mine")


def test_an_asynchronous_model_is_cancelled_where_it_waits() -> None:
    began, ended = threading.Event(), threading.Event()

    class Endless(Model):
        async def generate(self, messages: Any) -> Any:  # type: ignore[override]
            import asyncio

            began.set()
            try:
                await asyncio.sleep(3600)
            finally:
                ended.set()

    cancel = Cancellation()
    model = Endless()
    call = InThread(lambda: ask(model, QUESTION, cancel=cancel))
    assert began.wait(60)
    cancel.cancel()
    assert isinstance(call.outcome, Cancelled)
    assert ended.wait(60)


@pytest.mark.parametrize(
    "error",
    [SystemExit(3), KeyboardInterrupt(), ValueError("x")],
    ids=lambda error: type(error).__name__,
)
def test_whatever_an_asynchronous_model_raises_ends_the_call_and_not_the_loop(
    error: BaseException,
) -> None:
    class Failing(Model):
        async def generate(self, messages: Any) -> Any:  # type: ignore[override]
            if len(messages) == 2:
                raise error
            return "fine"

    model = Failing()
    with pytest.raises(ModelError, match=type(error).__name__):
        ask(model, QUESTION)
    assert ask(model, QUESTION[:1]).content == "fine"


def test_the_loop_of_a_model_ends_with_it() -> None:
    def loops() -> set[threading.Thread]:
        return {thread for thread in threading.enumerate() if thread.name == "fumehood model loop"}

    before = loops()
    model = Asynchronous()
    ask(model, QUESTION)
    (thread,) = loops() - before
    del model
    thread.join(60)
    assert not thread.is_alive()
