"""What every model behind a server does with a server that misbehaves: the same, whichever library
talks to it."""

from __future__ import annotations

import pytest

from fumehood.errors import ModelError
from fumehood.models.messages import ChatMessage, TokenUsage

from .misbehaving import (
    Behaviour,
    MisbehavingServer,
    completion,
    cuts_before_headers,
    cuts_in_body,
    delta,
    fails,
    refuses,
    says,
    sends,
    sends_bytes,
    streams,
    streams_without_end,
)
from .served import EVERY_MODEL, KEY, QUESTION, Impatient, make_model

pytestmark = pytest.mark.parametrize("kind", EVERY_MODEL)


def test_the_answer_comes_with_its_tokens_and_why_it_ended(kind: str) -> None:
    with MisbehavingServer(says("four", finish_reason="length")) as server:
        answer = make_model(kind, server.url).generate(QUESTION)
    assert answer == ChatMessage(
        "assistant", "four", token_usage=TokenUsage(11, 7), finish_reason="length"
    )


def test_what_is_sent_is_the_conversation_the_key_and_the_parameters(kind: str) -> None:
    with MisbehavingServer() as server:
        make_model(kind, server.url, temperature=0.5, max_tokens=9).generate(
            QUESTION, stop_sequences=["END"]
        )
    (request,) = server.requests
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    sent = {
        name: request.body[name]
        for name in ("model", "messages", "stop", "temperature", "max_tokens")
    }
    assert sent == {
        "model": "some-model",
        "messages": [
            {"role": "system", "content": "be brief"},
            {"role": "user", "content": "hello"},
        ],
        "stop": ["END"],
        "temperature": 0.5,
        "max_tokens": 9,
    }
    assert not request.body.get("stream")


# -- what is worth another try

PASSING: dict[str, Behaviour] = {
    "asked too often": fails(429),
    "failed": fails(500),
    "overloaded": fails(503),
    "a page of a gateway": sends_bytes(b"<html>restarting</html>", 502, "text/html"),
    "a page of a gateway that says all is well": sends_bytes(
        b"<html>restarting</html>", 200, "text/html"
    ),
    "waited too long": fails(408),
    "locked": fails(409),
    "cut before the answer": cuts_before_headers(),
    "reset before the answer": cuts_before_headers(reset=True),
    "cut in the answer": cuts_in_body(),
    "not JSON": sends_bytes(b'{"choices": ['),
    "nothing": sends_bytes(b""),
    "not UTF-8": sends_bytes(b'{"choices": "\xff"}'),
    "no choices": sends({**completion(), "choices": []}),
    "choices that are null": sends({**completion(), "choices": None}),
    "choices of the wrong type": sends({**completion(), "choices": "abc"}),
    "content of the wrong type": sends(completion(42)),
    "an error that says all is well": sends(
        {"error": {"message": "the server behind me died", "code": 502}}
    ),
}


@pytest.mark.parametrize("behaviour", PASSING.values(), ids=PASSING)
def test_a_failure_that_does_not_pass_is_one_line_after_the_last_try(
    kind: str, behaviour: Behaviour
) -> None:
    with MisbehavingServer(always=behaviour) as server, pytest.raises(ModelError) as raised:
        make_model(kind, server.url, max_retries=2).generate(QUESTION, cancel=Impatient())
    assert len(server.requests) == 3
    assert "tried 3 times" in str(raised.value)
    assert server.url in str(raised.value)
    assert "\n" not in str(raised.value)


# -- what is not


@pytest.mark.parametrize(
    ("status", "says_so"),
    [
        (400, "does not accept the question"),
        (401, "does not accept the key"),
        (403, "does not allow"),
        (404, "does not know this model"),
    ],
)
def test_a_refusal_is_one_line_with_what_the_server_says(
    kind: str, status: int, says_so: str
) -> None:
    with (
        MisbehavingServer(fails(status, "because\nof " + "this " * 1000)) as server,
        pytest.raises(ModelError) as raised,
    ):
        make_model(kind, server.url).generate(QUESTION, cancel=Impatient())
    text = str(raised.value)
    assert f"answered {status}, it {says_so}" in text
    assert "because of this this" in text
    assert len(text) < 700 and "\n" not in text
    assert raised.value.status == status
    assert len(server.requests) == 1


@pytest.mark.parametrize("status", [401, 500, 200])
def test_a_key_that_the_server_repeats_is_shown_to_nobody(
    kind: str, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    with MisbehavingServer(always=fails(status, f"the key {KEY} is wrong")) as server:
        model = make_model(kind, server.url, max_retries=1)
        with pytest.raises(ModelError) as raised:
            model.generate(QUESTION, cancel=Impatient())
    if (kind, status) != ("litellm", 200):  # there, litellm drops what the server says
        assert "the key *** is wrong" in str(raised.value)
    at: BaseException | None = raised.value
    while at is not None:
        assert KEY not in f"{at} {at!r}"
        at = at.__cause__ or at.__context__
    assert KEY not in repr(model)
    assert KEY not in "".join(
        record.getMessage() for record in caplog.records if record.name.startswith("fumehood")
    )


def test_a_key_is_not_logged(kind: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    with MisbehavingServer() as server:
        make_model(kind, server.url).generate(QUESTION)
        make_model(kind, server.url).generate(QUESTION, on_text=lambda text: None)
    assert KEY not in caplog.text


# -- streams


BROKEN_STREAMS = {
    "cut": streams(delta("to be"), ends=False),
    "an error in the stream": streams(
        delta("to be"), {"error": {"message": "the engine died", "code": None}}
    ),
    "not JSON in the stream": streams(delta("to be"), "{nope"),
}


@pytest.mark.parametrize("behaviour", BROKEN_STREAMS.values(), ids=BROKEN_STREAMS)
def test_a_broken_stream_is_asked_for_again_and_nothing_is_told_twice(
    kind: str, behaviour: Behaviour
) -> None:
    told: list[str] = []
    cancel = Impatient()
    with MisbehavingServer(behaviour, says(pieces=["to", " be or", " not"])) as server:
        answer = make_model(kind, server.url).generate(QUESTION, on_text=told.append, cancel=cancel)
    assert answer.content == "to be or not"
    assert told == ["to be", " or", " not"]
    assert len(cancel.waits) == 1


def test_a_stream_without_end_is_cut(kind: str) -> None:
    told: list[str] = []
    with MisbehavingServer(streams_without_end(lambda number: delta(f"{number} "))) as server:
        answer = make_model(kind, server.url, max_answer_characters=1001).generate(
            QUESTION, on_text=told.append
        )
        server.wait_until_left()
    assert answer.content == "".join(told) == " ".join(map(str, range(500)))[:1001]
    assert answer.finish_reason == "length"


def test_a_long_answer_in_one_piece_is_cut(kind: str) -> None:
    with MisbehavingServer(says("yes " * 1000)) as server:
        answer = make_model(kind, server.url, max_answer_characters=1001).generate(QUESTION)
    assert answer.content == ("yes " * 251)[:1001]
    assert answer.finish_reason == "length"


# -- stop sequences and other things that servers refuse


def test_a_stop_sequence_that_the_server_sends_along_is_cut_off(kind: str) -> None:
    with MisbehavingServer(always=says("one STOP two")) as server:
        model = make_model(kind, server.url)
        assert model.generate(QUESTION, stop_sequences=["nope", "STOP"]).content == "one "
        told: list[str] = []
        assert (
            model.generate(QUESTION, stop_sequences=["STOP"], on_text=told.append).content == "one "
        )
        assert "".join(told) == "one "


@pytest.mark.parametrize("status", [400, 422])
@pytest.mark.parametrize("name", ["stop", "stream_options", "stream"])
def test_what_a_server_refuses_is_left_out_from_then_on(kind: str, name: str, status: int) -> None:
    told: list[str] = []
    cancel = Impatient()
    with MisbehavingServer(always=refuses(name, status, says("one STOP two"))) as server:
        model = make_model(kind, server.url)
        for _ in range(2):
            assert (
                model.generate(
                    QUESTION, stop_sequences=["STOP"], on_text=told.append, cancel=cancel
                ).content
                == "one "
            )
    assert [name in body and bool(body[name]) for body in server.bodies] == [True, False, False]
    assert "".join(told) == "one one "
    assert cancel.waits == []


def test_a_refusal_that_leaving_out_does_not_help_is_told(kind: str) -> None:
    with (
        MisbehavingServer(always=fails(400, "please stop asking")) as server,
        pytest.raises(ModelError, match="please stop asking"),
    ):
        make_model(kind, server.url).generate(QUESTION, stop_sequences=["STOP"])
    assert len(server.requests) == 2


def test_a_server_that_drips_without_end_is_given_up_when_the_time_of_all_tries_is_over(
    kind: str,
) -> None:
    with MisbehavingServer(
        always=streams_without_end(lambda number: {**delta(), "choices": []})
    ) as server:
        model = make_model(kind, server.url, total_timeout=0.3)
        with pytest.raises(
            ModelError,
            match=(
                r"did not answer in the time that all tries may take \(total_timeout gives more\):"
                r" 0.3 s"
            ),
        ):
            model.generate(QUESTION, on_text=lambda text: None)
