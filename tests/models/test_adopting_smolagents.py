"""Models of smolagents, as installed, are accepted as they are."""

from __future__ import annotations

from typing import Any

import pytest

smolagents = pytest.importorskip("smolagents", reason="smolagents is not installed")
smolagents_models = pytest.importorskip("smolagents.models")

from fumehood.errors import ModelError  # noqa: E402
from fumehood.models.adopting import as_model  # noqa: E402
from fumehood.models.asking import ask  # noqa: E402
from fumehood.models.base import Cancellation, Cancelled  # noqa: E402
from fumehood.models.messages import ChatMessage, Image, TokenUsage  # noqa: E402

from .misbehaving import MisbehavingServer, delta, fails, says, streams_without_end  # noqa: E402
from .served import KEY, QUESTION, InThread  # noqa: E402


class Scripted(smolagents_models.Model):
    """As its makers say a model of one's own is written."""

    def generate(self, messages: Any, stop_sequences: Any = None, **options: Any) -> Any:
        sent = smolagents_models.get_clean_message_list(messages)
        usage = smolagents.monitoring.TokenUsage(input_tokens=3, output_tokens=4)
        text = (
            f"{[message['role'].value for message in sent]}"
            f" {stop_sequences and len(stop_sequences)}"
        )
        return smolagents_models.ChatMessage(role="assistant", content=text, token_usage=usage)


def openai_model(server: MisbehavingServer, **options: Any) -> Any:
    return smolagents.OpenAIModel("some-model", api_base=server.url, api_key=KEY, **options)


def test_a_subclass_of_their_model_answers_with_its_tokens() -> None:
    answer = ask(as_model(Scripted(model_id="scripted")), QUESTION, stop_sequences=["x"])
    assert answer == ChatMessage("assistant", "['system', 'user'] 1", token_usage=TokenUsage(3, 4))


@pytest.mark.parametrize("flat", [False, True])
def test_their_openai_model_asks_a_server(flat: bool) -> None:
    with MisbehavingServer(always=says("four STOP five")) as server:
        model = as_model(openai_model(server, flatten_messages_as_text=flat))
        answer = ask(model, QUESTION, stop_sequences=["STOP"])
        ask(model, QUESTION)
    assert answer == ChatMessage("assistant", "four ", token_usage=TokenUsage(11, 7))
    assert model.model_id == "some-model"
    with_stop, without = server.bodies
    assert with_stop["stop"] == ["STOP"] and "stop" not in without
    content = with_stop["messages"][1]["content"]
    assert content == ("hello" if flat else [{"type": "text", "text": "hello"}])


def test_pictures_reach_the_server() -> None:
    with MisbehavingServer() as server:
        ask(as_model(openai_model(server)), [ChatMessage("user", "look", (Image(b"abc"),))])
    assert server.bodies[0]["messages"][0]["content"][1]["image_url"] == {
        "url": "data:image/png;base64,YWJj"
    }


def test_their_streams_are_told_as_they_come_without_stop_sequences() -> None:
    told: list[str] = []
    with MisbehavingServer(says(pieces=["one ", "two S", "TOP"])) as server:
        answer = ask(
            as_model(openai_model(server)), QUESTION, stop_sequences=["STOP"], on_text=told.append
        )
    assert answer == ChatMessage(
        "assistant", "one two ", token_usage=TokenUsage(11, 7), finish_reason="stop"
    )
    assert told == ["one ", "two "]


def test_their_streams_can_be_cancelled() -> None:
    cancel = Cancellation()
    with MisbehavingServer(streams_without_end(lambda number: delta(f"{number} "))) as server:
        call = InThread(
            lambda: ask(
                as_model(openai_model(server)),
                QUESTION,
                on_text=lambda text: cancel.cancel(),
                cancel=cancel,
            )
        )
        assert isinstance(call.outcome, Cancelled)


def test_their_failures_are_model_errors() -> None:
    with (
        MisbehavingServer(always=fails(401, "who are you?")) as server,
        pytest.raises(ModelError, match=r"^some-model raised .*who are you"),
    ):
        ask(as_model(openai_model(server)), QUESTION)
