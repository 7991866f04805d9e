"""OpenAIModel: where its address and its key come from, what it lets through, and what it keeps its
hands on."""

from __future__ import annotations

import gzip
import socket
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from fumehood.errors import ModelError, PolicyError
from fumehood.models.adopting import as_model
from fumehood.models.connection import Watch
from fumehood.models.openai import OpenAIModel

from .misbehaving import (
    MisbehavingServer,
    delta,
    fails,
    says,
    sends_without_end,
    streams_without_end,
)
from .served import KEY, QUESTION, Impatient


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.delenv(name, raising=False)


# -- address and key


def test_the_address_has_two_names() -> None:
    with MisbehavingServer() as server:
        OpenAIModel("m", api_base=server.url, api_key=KEY).generate(QUESTION)
        OpenAIModel("m", base_url=server.url, api_key=KEY).generate(QUESTION)
        OpenAIModel("m", base_url=server.url, api_base=server.url, api_key=KEY).generate(QUESTION)
    assert len(server.requests) == 3
    with pytest.raises(ValueError, match="api_base and base_url say different things"):
        OpenAIModel("m", api_base="http://a", base_url="http://b")


def test_address_and_key_are_taken_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    with MisbehavingServer() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-from-the-environment")
        OpenAIModel("m").generate(QUESTION)
    assert server.requests[0].headers["authorization"] == "Bearer sk-from-the-environment"


def test_without_key_and_address_one_line_says_what_to_do() -> None:
    with pytest.raises(ModelError, match=r"^m needs a key: give api_key=…, or set OPENAI_API_KEY"):
        OpenAIModel("m").generate(QUESTION)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"model_id": ""}, TypeError),
        ({"model_id": None}, TypeError),
        ({"api_base": "localhost:8000"}, PolicyError),
        ({"api_base": "http://"}, PolicyError),
        ({"api_base": "http://[there/v1"}, PolicyError),
        ({"api_base": "http://there:99999/v1"}, PolicyError),
        ({"api_base": 7}, PolicyError),
        ({"api_base": ["http://there"]}, PolicyError),
        ({"api_key": "two\nlines"}, PolicyError),
        ({"api_key": "schlüssel"}, PolicyError),
        ({"timeout": 0}, PolicyError),
        ({"timeout": True}, PolicyError),
        ({"timeout": float("nan")}, PolicyError),
        ({"timeout": 10**400}, PolicyError),
        ({"total_timeout": -1}, PolicyError),
        ({"max_retries": -1}, PolicyError),
        ({"max_retries": 1.5}, PolicyError),
        ({"max_retries": "x" * 10_000}, PolicyError),
        ({"requests_per_minute": 0}, PolicyError),
        ({"requests_per_minute": True}, PolicyError),
        ({"requests_per_minute": 10**400}, PolicyError),
        ({"max_answer_characters": 0}, PolicyError),
        ({"client_kwargs": "timeout=3"}, PolicyError),
        ({"stream": True}, TypeError),
        ({"messages": []}, TypeError),
    ],
    ids=lambda given: f"{given!r:.40}",
)
def test_an_argument_that_makes_no_sense_is_refused_when_the_model_is_made(
    options: dict[str, Any], error: type[Exception]
) -> None:
    with pytest.raises(error) as raised:
        OpenAIModel(**{"model_id": "m", **options})
    said = str(raised.value)
    assert said.isprintable() and len(said) < 200 and "schl" not in said
    assert next(iter(options)) in said or {*options} & {"model_id", "api_base", "api_key"}


@pytest.mark.parametrize(
    "messages", ["Hello", None, [{"role": "user", "content": "Hello"}], ["Hello"]], ids=repr
)
def test_a_question_that_is_no_list_of_messages_is_told_what_one_is(messages: Any) -> None:
    asked = [
        OpenAIModel("m", "http://there"),
        as_model(lambda messages: "fine"),
        as_model(SimpleNamespace(generate=lambda messages: "fine")),
    ]
    for model in asked:
        with pytest.raises(TypeError, match=r"\[ChatMessage\('user', 'Hello'\)\], not "):
            model.generate(messages)


def test_a_password_in_the_address_is_shown_to_nobody() -> None:
    with MisbehavingServer(always=fails(400, "user:sesame-open is wrong")) as server:
        model = OpenAIModel("m", server.url.replace("//", "//user:sesame-open@"), KEY)
        with pytest.raises(ModelError) as raised:
            model.generate(QUESTION)
    assert "sesame" not in f"{raised.value} {raised.value.__cause__!r} {model!r}"


# -- connections


@pytest.mark.long
@pytest.mark.extended
def test_a_model_that_is_gone_leaves_no_connection_open() -> None:
    code = """
import gc, warnings
warnings.simplefilter("error")
from fumehood.models.messages import ChatMessage
from fumehood.models.connection import Watch
from fumehood.models.openai import OpenAIModel
model = OpenAIModel("m", "ADDRESS")
print(model.generate([ChatMessage("user", "hello")]).content)
del model
gc.collect()
"""
    with MisbehavingServer() as server:
        done = subprocess.run(
            [sys.executable, "-X", "dev", "-c", code.replace("ADDRESS", server.url)],
            capture_output=True,
            text=True,
            check=True,
        )
    assert done.stdout == "fine\n"
    assert "unclosed" not in done.stderr


# -- what is read


def test_a_body_without_end_is_not_read_to_the_end() -> None:
    with MisbehavingServer(sends_without_end(b" " * 65536)) as server:
        with pytest.raises(
            ModelError,
            match=(
                r"sent more than is read \(max_answer_characters reads more\): more than [\d,]+"
                r" bytes"
            ),
        ):
            OpenAIModel("m", server.url, max_answer_characters=1000).generate(QUESTION)
        server.wait_until_left()


def test_a_line_of_a_stream_without_end_is_not_read_to_the_end() -> None:
    with MisbehavingServer(
        sends_without_end(b"data: " + b"x" * 65536, "text/event-stream")
    ) as server:
        with pytest.raises(ModelError, match="sent more than is read"):
            OpenAIModel("m", server.url, max_answer_characters=1000).generate(
                QUESTION, on_text=lambda text: None
            )
        server.wait_until_left()


def test_a_stream_that_ends_without_a_reason_was_cut() -> None:
    def behave(exchange: Any) -> None:
        exchange.head(kind="text/event-stream", headers={"Connection": "close"})
        exchange.raw(b'data: {"choices": [{"index": 0, "delta": {"content": "half"}}]}\n\n')
        exchange.cut()

    cancel = Impatient()
    with MisbehavingServer(behave, says("whole")) as server:
        answer = OpenAIModel("m", server.url).generate(
            QUESTION, on_text=lambda text: None, cancel=cancel
        )
    assert answer.content == "whole"
    assert len(cancel.waits) == 1


def test_a_hostile_stream_of_empty_events_ends_with_the_time_of_all_tries() -> None:
    with MisbehavingServer(always=streams_without_end(lambda number: delta(""))) as server:
        with pytest.raises(ModelError, match="in the time that all tries may take"):
            OpenAIModel("m", server.url, total_timeout=0.5).generate(
                QUESTION, on_text=lambda text: None
            )
        if server.requests:  # on a slow machine the time may be over before
            server.wait_until_left()


def test_a_connection_that_is_made_after_the_caller_left_is_ended() -> None:
    watch = Watch(1)
    watch.shut()
    ours, theirs = socket.socketpair()
    with ours, theirs:
        made = SimpleNamespace(get_extra_info={"socket": ours}.get)
        watch._on_event("connection.connect_tcp.complete", {"return_value": made})
        assert theirs.recv(1) == b""


def test_a_few_bytes_that_become_very_many_are_not_read_to_the_end() -> None:
    def behave(exchange: Any) -> None:
        exchange.body(gzip.compress(b" " * 60_000_000), headers={"Content-Encoding": "gzip"})

    with (
        MisbehavingServer(behave) as server,
        pytest.raises(ModelError, match="sent more than is read"),
    ):
        OpenAIModel("m", server.url, max_answer_characters=1000).generate(QUESTION)
