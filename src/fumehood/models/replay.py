"""ReplayModel: a model that says what was recorded, in order. For demonstrations, for tests, and to
look at a run again.

A recording is a JSON file, which one can also write by hand:

    {"fumehood recording": 1, "turns": ["a text", {"answer": {"content": "…"}}, …]}

A turn that was recorded has what was asked, too. As a conversation grows from turn to turn, only
what is new in it is written: `same` is how many messages were asked in the turn before already.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import tempfile
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

from fumehood.asked import MOST_SECONDS, is_number, path_of, shown
from fumehood.errors import ModelError, PolicyError
from fumehood.models.adopting import as_model
from fumehood.models.asking import as_answer, ask, called
from fumehood.models.base import Cancellation, Model, OnText
from fumehood.models.messages import ChatMessage, TokenUsage
from fumehood.models.stopping import cut, encodable
from fumehood.wire.show import one_line

VERSION = 1
_NAME = "fumehood recording"

Asked = tuple[dict[str, Any], ...]
"""Messages as they are recorded: plain data, and of a picture no more than is needed to know it
again."""

_OTHERWISE = "; record it anew, or leave out strict=True"

# What is streamed: a word with the space after it, as a model would.
_PIECES = re.compile(r"\S+\s*|\s+")

# Tokens of which nobody has counted the number are taken to be so long. It is an estimate, and said
# to be one.
_CHARACTERS_A_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Turn:
    """One answer, and what was asked, if that is known."""

    answer: ChatMessage
    asked: Asked | None = None

    @property
    def usage_is_estimated(self) -> bool:
        """Whether nobody counted the tokens when this was recorded."""
        return self.answer.token_usage is None


class ReplayModel(Model):
    """Gives the turns, one for each call, in order: texts, messages, or a recording in a JSON file.
    Raises ModelError when there are none left.

    With `strict`, a question that is not the recorded one is a ModelError too. Tokens are those
    that were recorded; where none were, they are estimated from the length of the texts, and
    `usage_is_estimated` is True from then on. To `on_text` the answer is given word by word, with
    `seconds_between_words` in between.
    """

    def __init__(
        self,
        turns: str | os.PathLike[str] | Iterable[str | ChatMessage | Mapping[str, Any] | Turn],
        *,
        strict: bool = False,
        model_id: str = "replay",
        seconds_between_words: float = 0.0,
    ) -> None:
        self._name = "the recording"
        if isinstance(turns, str | os.PathLike):
            self.turns = read_recording(turns)
            self._name += f" {os.fspath(turns)}"
        elif isinstance(turns, bytes) or not isinstance(turns, Iterable):
            raise TypeError(
                "a ReplayModel is made of a list of answers, or of the path of a recording, not of"
                f" {shown(turns)}"
            )
        else:
            self.turns = tuple(_turn(number, turn) for number, turn in enumerate(turns, 1))
        if not is_number(seconds_between_words) or not 0 <= seconds_between_words < MOST_SECONDS:
            raise PolicyError(
                "seconds_between_words must be a number of seconds, 0 or more, not"
                f" {shown(seconds_between_words)}"
            )
        self.model_id = model_id
        self.strict = strict
        self.seconds_between_words = seconds_between_words
        self.usage_is_estimated = False
        """Whether tokens of an answer given so far were estimated."""
        self._given = 0
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"ReplayModel({self._given} of {len(self.turns)} turns given)"

    @staticmethod
    def record(model: Any, path: str | os.PathLike[str]) -> RecordingModel:
        """A model that answers as `model` does (whatever `as_model` takes) and writes every turn to
        `path`, over what was there."""
        return RecordingModel(model, path)

    def rewind(self) -> None:
        """Begin again with the first turn."""
        with self._lock:
            self._given = 0

    def generate(
        self,
        messages: Sequence[ChatMessage],
        *,
        stop_sequences: Sequence[str] = (),
        on_text: OnText | None = None,
        cancel: Cancellation | None = None,
    ) -> ChatMessage:
        cancel = cancel or Cancellation()
        cancel.check()
        with self._lock:
            number = self._given + 1
            if number > len(self.turns):
                have = f"{len(self.turns)} turn{'' if len(self.turns) == 1 else 's'}"
                raise ModelError(
                    f"{self._name} has {have}, and a {_ordinal(number)} was asked for: rewind()"
                    " begins again, or record it anew"
                )
            turn = self.turns[number - 1]
            if self.strict:
                _compare(number, turn.asked, recorded(messages))
            self._given = number
            self.usage_is_estimated |= turn.usage_is_estimated
        answer = replace(turn.answer, content=cut(turn.answer.content, stop_sequences))
        if answer.token_usage is None:
            answer = replace(answer, token_usage=TokenUsage(_tokens(messages), _tokens([answer])))
        if on_text is not None:
            for piece in _PIECES.findall(answer.content):
                on_text(piece)
                cancel.sleep(self.seconds_between_words)
        return answer


class RecordingModel(Model):
    """Answers as another model does, and writes what was asked and answered to a file, which is
    whole after every turn."""

    def __init__(self, model: Any, path: str | os.PathLike[str]) -> None:
        self.model = as_model(model)
        self.path = path_of("a recording", path, ModelError)
        self.model_id = called(self.model)
        self._turns: list[Any] = []
        self._asked: Asked = ()
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"RecordingModel({self.model!r}, {str(self.path)!r})"

    def generate(
        self,
        messages: Sequence[ChatMessage],
        *,
        stop_sequences: Sequence[str] = (),
        on_text: OnText | None = None,
        cancel: Cancellation | None = None,
    ) -> ChatMessage:
        answer = ask(
            self.model, messages, stop_sequences=stop_sequences, on_text=on_text, cancel=cancel
        )
        asked = recorded(messages)
        said: dict[str, Any] = {"content": answer.content, "finish_reason": answer.finish_reason}
        if answer.token_usage is not None:
            said["token_usage"] = {
                "input_tokens": answer.token_usage.input_tokens,
                "output_tokens": answer.token_usage.output_tokens,
            }
        with self._lock:
            same = _same_beginning(self._asked, asked)
            self._asked = asked
            self._turns.append({"same": same, "asked": list(asked[same:]), "answer": said})
            _write_whole(
                self.path, {_NAME: VERSION, "model_id": self.model_id, "turns": self._turns}
            )
        return answer


def read_recording(path: str | os.PathLike[str]) -> tuple[Turn, ...]:
    """The turns of a file. Raises ModelError with one line if it is none."""
    name = path_of("a recording", path, ModelError)
    try:
        held = json.loads(name.read_text(encoding="utf-8"))
    except OSError as error:
        raise ModelError(
            f"the recording {name} cannot be read: {error.strerror or error}"
        ) from error
    except (ValueError, RecursionError) as error:
        raise ModelError(
            f"{name} is no recording: it is not JSON ({one_line(str(error), 200)})"
        ) from error
    if isinstance(held, dict):
        version = held.get(_NAME, VERSION)
        if version != VERSION:
            raise ModelError(
                f"{name} is a recording of version {one_line(repr(version), 40)}, and {VERSION} is"
                " known here: record it anew"
            )
        held = held.get("turns")
    if not isinstance(held, list):
        raise ModelError(
            f'{name} is no recording: it has no list of turns, as in {{"{_NAME}": {VERSION},'
            ' "turns": ["…"]}'
        )
    turns: list[Turn] = []
    before: Asked = ()
    for number, item in enumerate(held, 1):
        try:
            turn = _turn(number, item, before)
        except TypeError as error:
            raise ModelError(f"{name} is no recording: {error}") from None
        before = turn.asked or ()
        turns.append(turn)
    return tuple(turns)


def recorded(messages: Iterable[ChatMessage]) -> Asked:
    """Messages as they stand in a recording."""
    return tuple(
        {"role": message.role, "content": encodable(message.content)}
        | (
            {
                "images": [
                    {"mime": image.mime, "sha256": hashlib.sha256(image.data).hexdigest()}
                    for image in message.images
                ]
            }
            if message.images
            else {}
        )
        for message in messages
    )


def _turn(number: int, item: Any, before: Asked = ()) -> Turn:
    if isinstance(item, Turn):
        return item
    asked = None
    if isinstance(item, Mapping) and "answer" in item:
        if "asked" in item:
            same, new = item.get("same", 0), item["asked"]
            if type(same) is not int or not 0 <= same <= len(before) or not isinstance(new, list):
                raise TypeError(
                    f"what was asked in turn {number} cannot be read: `asked` is a list, `same` a"
                    " number of messages before it"
                )
            asked = (*before[:same], *new)
        item = item["answer"]
    try:
        return Turn(as_answer(item, f"turn {number}"), asked)
    except ModelError as error:
        raise TypeError(str(error)) from None


def _same_beginning(one: Asked, other: Asked) -> int:
    for place, (left, right) in enumerate(zip(one, other, strict=False)):
        if left != right:
            return place
    return min(len(one), len(other))


def _compare(number: int, then: Asked | None, now: Asked) -> None:
    """Raises ModelError that says where a question is not the recorded one."""
    if then is None:
        raise ModelError(
            f"turn {number} was recorded without what was asked, so it cannot be compared: leave"
            " out strict=True"
        )
    place = _same_beginning(then, now)
    if place == len(then) == len(now):
        return
    if place in (len(then), len(now)):
        raise ModelError(
            f"turn {number} was recorded for {len(then)} messages, and {len(now)} are asked"
            f" now{_OTHERWISE}"
        )
    left, right = then[place], now[place]
    if (
        not isinstance(left, dict)
        or left.get("role") != right["role"]
        or not isinstance(left.get("content"), str)
    ):
        what = (
            "its role was"
            f" {one_line(repr(left.get('role') if isinstance(left, dict) else left), 40)} and is"
            f" {right['role']!r}"
        )
    elif left["content"] != right["content"]:
        at = next(
            place
            for place, (a, b) in enumerate(zip_longest(left["content"], right["content"]))
            if a != b
        )
        was, is_now = (one_line(repr(side["content"][at : at + 60]), 80) for side in (left, right))
        what = f"from character {at} on it was {was} and is {is_now}"
    else:
        what = "its pictures are not the same"
    raise ModelError(
        f"turn {number} was recorded for another question: message {place + 1} differs,"
        f" {what}{_OTHERWISE}"
    )


def _tokens(messages: Iterable[ChatMessage]) -> int:
    return sum(-(-len(message.content) // _CHARACTERS_A_TOKEN) for message in messages)


def _ordinal(number: int) -> str:
    ending = (
        "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    )
    return f"{number}{ending}"


def _write_whole(path: Path, held: Any) -> None:
    """Write a file so that there is the old one or the new one at any moment, even if the machine
    stops."""
    try:
        place, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(place, "w", encoding="utf-8") as file:
                json.dump(held, file, ensure_ascii=False, indent=1)
                file.write("\n")
                file.flush()
                os.fsync(file.fileno())
            Path(temporary).replace(path)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(temporary).unlink()
            raise
    except OSError as error:
        raise ModelError(
            f"the recording {path} cannot be written: {error.strerror or error}"
        ) from error
