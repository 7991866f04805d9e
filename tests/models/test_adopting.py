"""Whatever answers a conversation is a model: functions, and objects with `generate`."""

from __future__ import annotations

import asyncio
import functools
import threading
from types import SimpleNamespace
from typing import Any

import pytest

from fumehood.errors import ModelError
from fumehood.models.adopting import AdoptedModel, as_model
from fumehood.models.asking import ask
from fumehood.models.base import Cancellation, Cancelled, Model
from fumehood.models.function import FunctionModel
from fumehood.models.messages import ChatMessage, Image

from .served import QUESTION, InThread


def test_a_model_is_taken_as_it_is() -> None:
    model = as_model(lambda messages: "x")
    assert as_model(model) is model


# -- functions


def test_a_function_gets_plain_dictionaries() -> None:
    given: list[Any] = []

    def answer(messages: list[dict[str, Any]]) -> str:
        given.append(messages)
        return "fine"

    model = as_model(answer)
    assert isinstance(model, FunctionModel)
    assert model.model_id == "answer"
    assert model.generate(QUESTION).content == "fine"
    assert given.pop() == [
        {"role": "system", "content": "be brief"},
        {"role": "user", "content": "hello"},
    ]
    model.generate([ChatMessage("user", "look", (Image(b"abc"),))])
    assert given.pop()[0]["content"][1] == {
        "type": "image_url",
        "image_url": {"url": "data:image/png;base64,YWJj"},
    }


def test_a_function_may_take_stop_sequences_or_anything() -> None:
    def with_stops(messages: Any, stop_sequences: list[str]) -> str:
        return f"{stop_sequences}"

    def with_anything(messages: Any, **options: Any) -> str:
        return f"{options}"

    assert as_model(with_stops).generate(QUESTION, stop_sequences=("x",)).content == "['x']"
    assert as_model(with_stops).generate(QUESTION).content == "[]"
    assert (
        as_model(with_anything).generate(QUESTION, stop_sequences=("x",)).content
        == "{'stop_sequences': ['x']}"
    )


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


def test_a_function_that_says_nothing_of_its_parameters_is_called_with_the_messages() -> None:
    with pytest.raises(ModelError, match="gave no answer but int: 2"):
        ask(as_model(len), QUESTION)


def test_an_asynchronous_function_is_awaited() -> None:
    async def answer(messages: Any, stop_sequences: Any = None) -> str:
        await asyncio.sleep(0)
        return f"{len(messages)} {stop_sequences}"

    assert as_model(answer).generate(QUESTION, stop_sequences=["x"]).content == "2 ['x']"
    assert ask(as_model(answer), QUESTION).content == "2 []"


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


def test_an_asynchronous_function_may_be_asked_by_many_threads_at_once() -> None:
    async def answer(messages: Any) -> str:
        await asyncio.sleep(0.001)
        return messages[0]["content"]

    model = as_model(answer)
    calls = [
        InThread(lambda text=str(number): model.generate([ChatMessage("user", text)]).content)
        for number in range(20)
    ]
    assert [call.outcome for call in calls] == [str(number) for number in range(20)]


def test_a_function_that_fails_is_one_line() -> None:
    def broken(messages: Any) -> str:
        raise ZeroDivisionError("oh")

    with pytest.raises(ModelError, match=r"^broken raised ZeroDivisionError: oh$"):
        ask(as_model(broken), QUESTION)


def test_what_a_function_does_to_its_messages_stays_with_it() -> None:
    def careless(messages: Any) -> str:
        messages[0]["content"] = "changed"
        del messages[1:]
        return "done"

    question = list(QUESTION)
    ask(as_model(careless), question)
    assert question == QUESTION and question[0].content == "be brief"


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


def test_an_object_that_has_generate_is_a_model() -> None:
    original = Foreign()
    model = as_model(original)
    assert isinstance(model, AdoptedModel) and isinstance(model, Model)
    assert (model.model_id, model.original) == ("foreign-1", original)
    assert ask(model, QUESTION, stop_sequences=["x"]).content == "hello 1 []"
    assert ask(model, QUESTION).content == "hello None []"


def test_generate_comes_before_calling() -> None:
    class Both(Foreign):
        def __call__(self, messages: Any) -> str:
            raise AssertionError("called")

    assert ask(as_model(Both()), QUESTION).content == "hello None []"


def test_a_generate_that_takes_messages_alone_or_is_asynchronous_works() -> None:
    class Alone:
        def generate(self, messages: Any) -> str:
            return "alone"

    class Asynchronous:
        async def generate(self, messages: Any) -> str:
            return "asynchronous"

    assert ask(as_model(Alone()), QUESTION, stop_sequences=["x"]).content == "alone"
    assert ask(as_model(Asynchronous()), QUESTION, stop_sequences=["x"]).content == "asynchronous"


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


def test_a_class_is_no_function() -> None:
    with pytest.raises(TypeError, match="made of a function"):
        FunctionModel(int)
