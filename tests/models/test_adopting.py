"""Whatever answers a conversation is a model: functions, and objects with `generate`."""

from __future__ import annotations

import asyncio
import functools
import threading
from types import SimpleNamespace
from typing import Any

import pytest

from fumehood.errors import ModelError
from fumehood.models.adopting import as_model
from fumehood.models.asking import ask
from fumehood.models.base import Cancellation, Cancelled

from .served import QUESTION, InThread

# -- functions


def test_a_function_may_stream_and_be_cancelled() -> None:
    def answer(messages: Any, on_text: Any, cancel: Cancellation) -> str:
        on_text("piece")
        cancel.check()
        return "piece"

    told: list[str] = []
    assert as_model(answer).generate(QUESTION, on_text=told.append).content == "piece"
    assert told == ["piece"]


class Callable:
    def __call__(self, messages: Any) -> dict[str, Any]:
        return {
            "role": "assistant",
            "content": [{"type": "text", "text": f"{len(messages)} messages"}],
        }

    def method(self, messages: Any) -> Any:
        return SimpleNamespace(content=f"{len(messages)} messages")


@pytest.mark.parametrize(
    "thing",
    [
        lambda messages: f"{len(messages)} messages",
        lambda *messages: f"{len(messages[0])} messages",
        Callable(),
        Callable().method,
        functools.partial(lambda unit, messages: f"{len(messages)} {unit}", "messages"),
    ],
    ids=["function", "of any number", "callable object", "method", "partial"],
)
def test_everything_that_can_be_called_is_a_function(thing: Any) -> None:
    assert ask(as_model(thing), QUESTION).content == "2 messages"


def test_an_asynchronous_function_is_cancelled_where_it_waits() -> None:
    began = threading.Event()

    async def answer(messages: Any) -> str:
        began.set()
        await asyncio.sleep(3600)
        return "never"

    cancel = Cancellation()
    model = as_model(answer)
    call = InThread(lambda: ask(model, QUESTION, cancel=cancel))
    assert began.wait(60)
    cancel.cancel()
    assert isinstance(call.outcome, Cancelled)


def test_a_function_that_fails_is_one_line() -> None:
    def broken(messages: Any) -> str:
        raise ZeroDivisionError("oh")

    with pytest.raises(ModelError, match=r"^broken raised ZeroDivisionError: oh$"):
        ask(as_model(broken), QUESTION)


# -- objects with generate


class Foreign:
    model_id = "foreign-1"

    def generate(self, messages: Any, stop_sequences: Any = None, **options: Any) -> Any:
        return SimpleNamespace(
            content=(
                f"{messages[-1]['content']} {stop_sequences and len(stop_sequences)}"
                f" {sorted(options)}"
            )
        )


# -- what is no model


@pytest.mark.parametrize(
    ("thing", "says"),
    [
        (None, "NoneType is no model"),
        (7, "int is no model"),
        ({"model": "m"}, "dict is no model"),
        ("gpt-4o", r"a model, not its name: give LiteLLMModel\('gpt-4o'\)"),
        (Foreign, r"a model, not its class: give Foreign\(…\)"),
        (SimpleNamespace(generate="text"), "SimpleNamespace is no model"),
    ],
)
def test_what_is_no_model_is_one_line(thing: Any, says: str) -> None:
    with pytest.raises(TypeError, match=says) as raised:
        as_model(thing)
    assert "\n" not in str(raised.value)
