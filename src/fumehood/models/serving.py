"""ServedModel: what all models have in common that are asked over a network.

    generate → Retries.run → pace → Errand (a thread of its own) → the library → the server
                                        ↓ pieces                      ↓ chunks
    on_text  ←  _Told  ←  the thread that called generate        Answer: cut, bounded, checked

A subclass only says how its library is called. It does not retry, wait, count, cut or explain.
"""

from __future__ import annotations

import contextlib
import importlib.util
import sys
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import urlsplit

from fumehood import asked
from fumehood.errors import MissingExtra, ModelError, PolicyError
from fumehood.models.base import Cancellation, Model, OnText
from fumehood.models.failures import refused_parameter, understood
from fumehood.models.hiding import (
    Key,
    address,
    in_one_line,
    keys_in_address,
    keys_in_headers,
    without_keys,
)
from fumehood.models.leaving import Errand, OutOfTime
from fumehood.models.messages import ChatMessage, conversation
from fumehood.models.pacing import Pace
from fumehood.models.reading import Answer, read_stream
from fumehood.models.retrying import KINDS, Failure, Retries
from fumehood.models.stopping import encodable

# What we ask for and can do without, if a server refuses it: what is done instead.
_CAN_DO_WITHOUT = {
    "stop": "the text is cut here",
    "stream_options": "there is no count of tokens, then",
    "stream": "the answer comes in one piece",
}

# Characters. The body of a server's answer is part of what libraries raise, and may be megabytes.
_LONGEST_CAUSE = 20_000

# A thousand in a second are no bound any more.
_MOST_A_MINUTE = 1_000_000

# What a server may call by another name.
_OTHER_NAMES = {"max_tokens": "max_completion_tokens"}


class ServedModel(Model):
    """A model behind a server.

    `timeout` is how many seconds a server may send nothing before the try is given up,
    `total_timeout` what all tries and waits together may take (None for no limit). `max_retries` is
    how often a question is asked again if that is worth it; `requests_per_minute` how often the
    server is asked at most, by all threads together, tries included. An answer is cut at
    `max_answer_characters`. All other keyword arguments are parameters of the request:
    `temperature`, `max_tokens`, …

    With `on_text`, the answer is streamed. A stream that is cut in the middle is asked for again;
    `on_text` is told nothing twice: of the second answer it gets what continues the text it has,
    and nothing from where the two differ. What `generate` returns is what counts.
    """

    _package: str
    _extra: str

    def __init__(
        self,
        model_id: str,
        *,
        address: str | None = None,
        key: str | None = None,
        timeout: float | None = 300.0,
        total_timeout: float | None = 1800.0,
        max_retries: int = 5,
        requests_per_minute: float | None = None,
        max_answer_characters: int = 1_000_000,
        parameters: dict[str, Any] | None = None,
    ) -> None:
        name = type(self).__name__
        if self._package not in sys.modules and importlib.util.find_spec(self._package) is None:
            raise MissingExtra(
                f"{name} needs the package {self._package}: pip install 'fumehood[{self._extra}]'"
            )
        if not isinstance(model_id, str) or not model_id:
            raise TypeError(
                f"{name} needs the name of a model, such as 'gpt-4o', not {asked.shown(model_id)}"
            )
        if address is not None and not _is_address(address):
            without_password = address.rpartition("@")[2] if isinstance(address, str) else address
            raise PolicyError(
                f"the address given to {name} must be one such as https://host:8000/v1, not"
                f" {asked.shown(without_password)}"
            )
        if key is not None and (
            not isinstance(key, str) or not key.isascii() or not key.isprintable()
        ):
            raise PolicyError(
                f"the key given to {name} is not a line of plain characters: was more than the key"
                " copied?"
            )
        timeout = asked.seconds("timeout", timeout)
        total_timeout = asked.seconds("total_timeout", total_timeout)
        if requests_per_minute is not None and not (
            asked.is_number(requests_per_minute) and 0 < requests_per_minute < _MOST_A_MINUTE
        ):
            raise PolicyError(
                "requests_per_minute must be a number above 0 or None for as many as there are,"
                f" not {asked.shown(requests_per_minute)}"
            )
        asked.whole("max_retries", max_retries, 0)
        asked.whole("max_answer_characters", max_answer_characters)
        parameters = {
            name: value for name, value in (parameters or {}).items() if value is not None
        }
        for ours in ("messages", "model", "stop", "stream", "stream_options"):
            if ours in parameters:
                raise TypeError(
                    f"{ours!r} is no parameter of {name} to set: it follows from what the model is"
                    " asked; leave it out"
                )
        self.model_id = model_id
        self.timeout = timeout
        self.max_answer_characters = max_answer_characters
        self.parameters = parameters
        self._address = address
        self._key = None if key is None else Key(key)
        self._retries = Retries(most=max_retries, total_seconds=total_timeout)
        self._pace = Pace(requests_per_minute)
        self._refused: frozenset[str] = frozenset()

    def __repr__(self) -> str:
        at = f", {address(self._address)!r}" if self._address else ""
        return f"{type(self).__name__}({self.model_id!r}{at})"

    @abstractmethod
    def _call(
        self, body: dict[str, Any], errand: Errand[ChatMessage]
    ) -> contextlib.AbstractContextManager[Any]:
        """Ask the server, with the library: gives the answer, or an iterator of its chunks. Called
        in a thread of its own, in which it may block. Closes, at the end of the block, what it has
        opened."""

    def _keys(self) -> Iterator[str]:
        """Whatever must not be seen in a text."""
        if self._key is not None:
            yield self._key.value
        yield from keys_in_address(self._address)
        yield from keys_in_headers(self.parameters.get("extra_headers"))

    def generate(
        self,
        messages: Sequence[ChatMessage],
        *,
        stop_sequences: Sequence[str] = (),
        on_text: OnText | None = None,
        cancel: Cancellation | None = None,
    ) -> ChatMessage:
        cancel = cancel or Cancellation()
        stops = [stop for stop in stop_sequences if stop]
        sent = [_sendable(message) for message in conversation(messages)]
        told = _Told(on_text)
        try:
            return self._retries.run(
                lambda seconds: self._ask_without_what_is_refused(
                    sent, stops, told, cancel, seconds
                ),
                cancel,
            )
        except Failure as failure:
            raised = self._explained(failure)
        raise raised  # not in the block above: what was raised there may hold a key

    def _ask_without_what_is_refused(
        self,
        sent: list[dict[str, Any]],
        stops: list[str],
        told: _Told,
        cancel: Cancellation,
        seconds: float | None,
    ) -> ChatMessage:
        """Ask once; and once more for each thing that the server refuses and that can be done
        without."""
        refused = helps = self._refused
        while True:
            body = self._body(sent, stops, told.wants_text, refused)
            try:
                answer = self._ask(body, stops, told, cancel, seconds)
            except Failure as failure:
                name = _can_do_without(failure, body)
                if name is None or name in refused:
                    raise
                refused |= {name}
                helps |= {name} if failure.status is not None else set()
                continue
            self._refused |= helps  # remembered, now that it is known to help
            return answer

    def _body(
        self, sent: list[dict[str, Any]], stops: list[str], streams: bool, refused: frozenset[str]
    ) -> dict[str, Any]:
        body: dict[str, Any] = {"model": self.model_id, "messages": sent}
        body |= {
            _OTHER_NAMES[name] if name in refused else name: value
            for name, value in self.parameters.items()
        }
        if stops and "stop" not in refused:
            body["stop"] = stops
        if streams and "stream" not in refused:
            body["stream"] = True
            if "stream_options" not in refused:
                body["stream_options"] = {"include_usage": True}
        return body

    def _ask(
        self,
        body: dict[str, Any],
        stops: list[str],
        told: _Told,
        cancel: Cancellation,
        seconds: float | None,
    ) -> ChatMessage:
        """One request. Raises Failure or Cancelled, or what `on_text` raises."""

        def work(errand: Errand[ChatMessage]) -> ChatMessage:
            answer = Answer(stops, self.max_answer_characters)
            try:
                with self._call(body, errand) as got:
                    if isinstance(got, Iterator):
                        read_stream(got, answer, errand.hand_on, errand.check)
                    else:
                        answer.read_whole(got)
            except (Failure, ModelError):
                raise
            except Exception as error:
                raise understood(error) from None  # it carries the error
            return answer.message()

        self._pace.wait(cancel)
        told.begin()
        try:
            message = Errand(work, self.model_id).run(cancel, seconds, told.piece)
        except OutOfTime:
            raise Failure(KINDS["out of time"], f"{self._retries.total_seconds:g} s") from None
        told.rest(message.content)
        return message

    def _explained(self, failure: Failure) -> ModelError:
        """The failure as one line. What it was raised from is kept if it is no longer than one can
        read, and no key is in it."""
        keys = list(self._keys())
        at = f" at {address(self._address)}" if self._address else ""
        failure.text = in_one_line(failure.text, keys)
        raised = ModelError(
            in_one_line(f"{self.model_id}{at} {failure}", keys, longest=1000), failure.status
        )
        cause = failure.error
        if cause is not None and _is_fit_to_be_seen(cause, keys):
            raised.__cause__ = cause
        return raised


class _Told:
    """What `on_text` has been told, over all tries: each character once."""

    def __init__(self, on_text: OnText | None) -> None:
        self._on_text = on_text
        self._before = ""
        self._new: list[str] = []
        self._arrived = 0
        self._differs = False

    @property
    def wants_text(self) -> bool:
        return self._on_text is not None

    def begin(self) -> None:
        """A new try begins."""
        self._before += "".join(self._new)
        self._new.clear()
        self._arrived = 0

    def piece(self, text: str) -> None:
        """Text of this try has arrived."""
        known = self._before[self._arrived : self._arrived + len(text)]
        self._arrived += len(text)
        if self._on_text is None or self._differs:
            return
        if not text.startswith(known):
            self._differs = True
        elif new := text[len(known) :]:
            self._new.append(new)
            self._on_text(new)

    def rest(self, text: str) -> None:
        """This is the whole text: of a server that did not stream, nothing has arrived before."""
        self.piece(text[self._arrived :])


def _is_address(given: Any) -> bool:
    try:
        parts = urlsplit(given) if isinstance(given, str) else None
        return (
            parts is not None
            and parts.scheme in ("http", "https")
            and bool(parts.hostname)
            and parts.port != 0
        )
    except ValueError:  # brackets without an end, a port that none can be
        return False


def _sendable(message: ChatMessage) -> dict[str, Any]:
    """The message as it is sent. What a sandbox printed may hold half characters, with which
    nothing can be sent."""
    sent = message.as_dict()
    if isinstance(sent["content"], str):
        sent["content"] = encodable(sent["content"])
    else:
        sent["content"] = [
            {**part, "text": encodable(part["text"])} if "text" in part else part
            for part in sent["content"]
        ]
    return sent


def _can_do_without(failure: Failure, body: dict[str, Any]) -> str | None:
    """What the server refuses of the request, if it is something that can be left out or called
    otherwise."""
    if failure.kind.name == "no stream":
        return "stream"
    name = refused_parameter(
        failure, [name for name in (*_CAN_DO_WITHOUT, *_OTHER_NAMES) if name in body]
    )
    if name in _OTHER_NAMES and _OTHER_NAMES[name] not in failure.text:
        return None
    return name


def _is_fit_to_be_seen(error: BaseException, keys: list[str]) -> bool:
    at: BaseException | None = error
    for _ in range(20):
        if at is None:
            return True
        try:
            shown = f"{at} {at!r}"
        except Exception:
            return False
        if len(shown) > _LONGEST_CAUSE or without_keys(shown, keys) != shown:
            return False
        at = at.__cause__ or at.__context__
    return False
