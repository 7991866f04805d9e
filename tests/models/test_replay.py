"""ReplayModel: what was recorded, in order, and nothing else. Recording: the file is whole at any
moment."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fumehood.errors import ModelError
from fumehood.models.adopting import as_model
from fumehood.models.base import Cancelled
from fumehood.models.messages import ChatMessage, TokenUsage
from fumehood.models.replay import ReplayModel, Turn, read_recording

from .misbehaving import MisbehavingServer, says
from .served import OPENAI, QUESTION, InThread, Watched, make_model


def said(text: str) -> ChatMessage:
    return ChatMessage("assistant", text)


# -- saying it again


def test_turns_come_in_order_whatever_is_asked() -> None:
    model = ReplayModel(["one", said("two"), {"content": "three"}, Turn(said("four"))])
    assert [model.generate(QUESTION).content for _ in range(4)] == ["one", "two", "three", "four"]
    assert repr(model) == "ReplayModel(4 of 4 turns given)"


def test_tokens_are_those_recorded_or_else_estimated_and_it_says_which() -> None:
    model = ReplayModel([replace(said("one"), token_usage=TokenUsage(100, 1)), "12345678"])
    assert model.generate(QUESTION).token_usage == TokenUsage(100, 1)
    assert not model.usage_is_estimated
    assert model.generate(QUESTION).token_usage == TokenUsage(2 + 2, 2)
    assert model.usage_is_estimated
    assert [turn.usage_is_estimated for turn in model.turns] == [False, True]


def test_each_turn_is_given_once_however_many_threads_ask() -> None:
    model = ReplayModel([str(number) for number in range(200)])
    calls = [
        InThread(lambda: [model.generate(QUESTION).content for _ in range(25)]) for _ in range(8)
    ]
    assert sorted(int(text) for call in calls for text in call.outcome) == list(range(200))


def test_a_slow_stream_can_be_cancelled() -> None:
    cancel = Watched()
    call = InThread(
        lambda: ReplayModel(["one two"], seconds_between_words=3600).generate(
            QUESTION, on_text=lambda text: None, cancel=cancel
        )
    )
    assert cancel.is_waiting.wait(60)
    cancel.cancel()
    assert isinstance(call.outcome, Cancelled)


@pytest.mark.parametrize(
    "turns", [[7], [None], ["x", {"text": "y"}], [{"answer": {"content": 5}}]], ids=repr
)
def test_a_turn_that_is_none_is_refused_when_the_model_is_made(turns: Any) -> None:
    with pytest.raises(TypeError, match=rf"turn {len(turns)} gave"):
        ReplayModel(turns)


@pytest.mark.parametrize("turns", [None, 7, b"turns.json"], ids=repr)
def test_what_is_neither_turns_nor_a_file_is_told_in_one_line(turns: Any) -> None:
    with pytest.raises(
        TypeError, match="made of a list of answers, or of the path of a recording, not of "
    ):
        ReplayModel(turns)


# -- recording


def grown(count: int) -> list[ChatMessage]:
    """A conversation after so many answers."""
    return [
        *QUESTION,
        *(
            message
            for number in range(count)
            for message in (said(f"answer {number}"), ChatMessage("user", f"and {number}?"))
        ),
    ]


def test_what_was_recorded_is_said_again(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    with MisbehavingServer(
        says("answer 0"), says("answer 1", finish_reason="length"), says("answer 2")
    ) as server:
        recording = ReplayModel.record(make_model(OPENAI, server.url), path)
        told: list[str] = []
        answers = [
            recording.generate(
                grown(number), stop_sequences=["STOP"], on_text=told.append if number else None
            )
            for number in range(3)
        ]
    assert "".join(told) == "answer 1answer 2"
    assert recording.model_id == "some-model"
    replayed = ReplayModel(path, strict=True)
    assert [replayed.generate(grown(number)) for number in range(3)] == answers
    assert answers[1].token_usage == TokenUsage(11, 7)
    assert not replayed.usage_is_estimated


def test_a_recording_that_cannot_be_written_is_one_line_and_leaves_the_old_one(
    tmp_path: Path,
) -> None:
    recording = ReplayModel.record(
        as_model(lambda messages: "new"), tmp_path / "missing" / "run.json"
    )
    with pytest.raises(ModelError, match=r"cannot be written: No such file or directory$"):
        recording.generate(QUESTION)


def test_many_threads_may_record_into_one_file(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    recording = ReplayModel.record(as_model(lambda messages: messages[0]["content"]), path)
    calls = [
        InThread(lambda text=str(number): recording.generate([ChatMessage("user", text)]))
        for number in range(20)
    ]
    assert {call.outcome.content for call in calls} == {str(number) for number in range(20)}
    turns = read_recording(path)
    assert {turn.answer.content for turn in turns} == {str(number) for number in range(20)}
    assert all(turn.asked == ({"role": "user", "content": turn.answer.content},) for turn in turns)


def test_a_process_that_is_killed_in_the_middle_leaves_a_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    code = """
import os, sys, threading
from fumehood.models.adopting import as_model
from fumehood.models.messages import ChatMessage
from fumehood.models.replay import ReplayModel
recording = ReplayModel.record(as_model(lambda messages: "x" * 10_000), sys.argv[1])
for number in range(100000):
    recording.generate([ChatMessage("user", str(number))])
    if number == 3:
        print("going", flush=True)
"""
    process = subprocess.Popen(
        [sys.executable, "-c", code, os.fspath(path)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None and process.stdout.readline() == "going\n"
    process.kill()
    process.wait(60)
    process.stdout.close()
    assert len(read_recording(path)) >= 4


def test_whatever_is_a_model_is_recorded_and_nothing_else(tmp_path: Path) -> None:
    assert (
        ReplayModel.record(lambda messages: "x", tmp_path / "run.json").generate(QUESTION).content
        == "x"
    )
    with pytest.raises(TypeError, match="int is no model"):
        ReplayModel.record(7, tmp_path / "run.json")


# -- comparing


@pytest.fixture
def recorded_path(tmp_path: Path) -> Path:
    recording = ReplayModel.record(as_model(lambda messages: "fine"), tmp_path / "run.json")
    recording.generate(QUESTION)
    recording.generate(grown(1))
    return tmp_path / "run.json"


@pytest.mark.parametrize(
    ("asked", "says_so"),
    [
        (
            [QUESTION[0], ChatMessage("user", "hello?")],
            r"message 2 differs, from character 5 on it was '' and is '\?'; record it anew",
        ),
        (
            [ChatMessage("user", "be brief"), QUESTION[1]],
            "message 1 differs, its role was 'system' and is 'user'; record it anew",
        ),
        (QUESTION[:1], "2 messages, and 1 are asked now; record it anew"),
        ([*QUESTION, *QUESTION], "2 messages, and 4 are asked now; record it anew"),
    ],
)
def test_strictly_another_question_is_an_error_that_says_where(
    recorded_path: Path, asked: list[ChatMessage], says_so: str
) -> None:
    model = ReplayModel(recorded_path, strict=True)
    with pytest.raises(ModelError, match=r"^turn 1 was recorded for .*" + says_so):
        model.generate(asked)
    assert model.generate(QUESTION).content == "fine", "the turn was not used up"


# -- files


@pytest.mark.parametrize(
    ("held", "says_so"),
    [
        ("", "is no recording: it is not JSON"),
        ("{", "is no recording: it is not JSON"),
        ("[" * 100_000, "is no recording: it is not JSON"),
        ("7", "it has no list of turns"),
        ('{"turns": 7}', "it has no list of turns"),
        ("[7]", "is no recording: turn 1 gave no answer but int: 7"),
        (
            '{"fumehood recording": 2, "turns": []}',
            "is a recording of version 2, and 1 is known here",
        ),
        ('[{"same": 5, "asked": [], "answer": "x"}]', "what was asked in turn 1 cannot be read"),
        ('[{"same": -1, "asked": [], "answer": "x"}]', "what was asked in turn 1 cannot be read"),
        ('[{"asked": 7, "answer": "x"}]', "what was asked in turn 1 cannot be read"),
    ],
)
def test_a_file_that_is_no_recording_is_one_line(tmp_path: Path, held: str, says_so: str) -> None:
    path = tmp_path / "run.json"
    path.write_text(held)
    with pytest.raises(ModelError, match=says_so) as raised:
        ReplayModel(path)
    assert "\n" not in str(raised.value) and len(str(raised.value)) < 500
