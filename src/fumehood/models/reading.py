"""Answers as servers send them, whole or in chunks, brought to plain text. What has another shape
than it should is a Failure.

The libraries check nothing: where a list of choices belongs there may be a number. So every step is
taken with care here, for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from fumehood.models.failures import of_error_object
from fumehood.models.messages import ChatMessage, TokenUsage
from fumehood.models.retrying import KINDS, Failure
from fumehood.models.stopping import Cutter
from fumehood.wire.show import one_line

# With the parameter `n` a server sends several answers at once, mingled; the first is the answer.
_OTHERS = range(1, 1000)


def field(thing: Any, name: str) -> Any:
    """A field of an answer, which is an object or a dictionary. None if it has none."""
    return thing.get(name) if isinstance(thing, Mapping) else getattr(thing, name, None)


def text_of(content: Any) -> str:
    """The text of a message's content: a string, a list of parts of which some are text, or None.
    Raises TypeError for anything else."""
    if content is None:
        return ""
    if isinstance(content, str):
        return str.__str__(content)
    if isinstance(content, list | tuple):
        texts = [
            part if isinstance(part, str) else field(part, "text")
            for part in content
            if isinstance(part, str) or _is_text(part)
        ]
        if all(isinstance(text, str) for text in texts):
            return "".join(texts)
    raise TypeError(f"content of type {type(content).__name__}")


def _is_text(part: Any) -> bool:
    return field(part, "type") in ("text", "output_text", None)


def usage_of(thing: Any) -> TokenUsage | None:
    """How many tokens a call took, under any of the names for it. None if that is not said, or
    makes no sense."""
    counts = []
    for names in (("input_tokens", "prompt_tokens"), ("output_tokens", "completion_tokens")):
        count = next((value for name in names if (value := field(thing, name)) is not None), None)
        if type(count) is not int or count < 0:
            return None
        counts.append(count)
    return (
        TokenUsage(*counts) if any(counts) else None
    )  # no question has no tokens: whoever says so has not counted


class Answer:
    """An answer while it is read: text up to a stop sequence and of bounded length, tokens, why the
    model stopped."""

    def __init__(self, stop_sequences: Sequence[str], longest: int) -> None:
        self._cutter = Cutter(stop_sequences, longest)
        self._usage: TokenUsage | None = None
        self._finish_reason: str | None = None
        self._has_text = False
        self._is_complete = False

    def read_whole(self, completion: Any) -> None:
        """Take an answer that came in one piece."""
        choice = _first_choice(completion)
        if choice is None:
            raise Failure(KINDS["no choices"])
        message = field(choice, "message")
        if message is None:
            raise Failure(KINDS["not understood"], "a choice without a message")
        self._cutter.feed(_content(message))
        self._cutter.finish()
        self._note(completion, choice)

    def read_chunk(self, chunk: Any) -> tuple[str, bool]:
        """Take the next chunk of a stream. Gives the text that is new and certain, and whether to
        read on."""
        choice = _first_choice(chunk)
        is_over = self._cutter.ended_by is not None
        text = ""
        if choice is not None:
            delta = field(choice, "delta")
            text = _content(delta) if delta is not None else ""
        self._has_text |= bool(text)
        self._note(chunk, choice)
        if is_over:
            # A server that stopped, too, says now what it took. One that writes on is left.
            return "", not text
        return self._cutter.feed(text), self._cutter.ended_by != "length"

    def end_stream(self) -> str:
        """The stream has ended: gives the text that was held back. Raises Failure if it ended where
        no stream should."""
        if not self._has_text and self._usage is None:
            raise Failure(KINDS["no stream"])
        if not self._is_complete and self._cutter.ended_by is None:
            raise Failure(KINDS["stream cut"], f"after {len(self._cutter.text):,} characters")
        return self._cutter.finish()

    def message(self) -> ChatMessage:
        return ChatMessage(
            "assistant",
            self._cutter.text,
            token_usage=self._usage,
            finish_reason=self._cutter.ended_by or self._finish_reason,
        )

    def _note(self, answer: Any, choice: Any) -> None:
        # Some servers count up from chunk to chunk: the last word counts.
        usage = usage_of(field(answer, "usage"))
        self._usage = usage or self._usage
        reason = field(choice, "finish_reason")
        if isinstance(reason, str) and reason:
            self._finish_reason = one_line(reason, 40)
        if reason or usage and choice is None:
            self._is_complete = True


def read_stream(
    chunks: Iterable[Any],
    answer: Answer,
    hand_on: Callable[[str], object],
    before_each: Callable[[], object],
) -> None:
    """Read a stream to its end, or until the answer has ended. Text is handed on as it becomes
    certain."""
    for chunk in chunks:
        before_each()
        text, goes_on = answer.read_chunk(chunk)
        if text:
            hand_on(text)
        if not goes_on:
            break
    rest = answer.end_stream()
    if rest:
        hand_on(rest)


def _first_choice(answer: Any) -> Any:
    """The first choice of an answer or of a chunk. None if it has none."""
    if isinstance(answer, str | bytes | list) or answer is None:
        shown = answer if isinstance(answer, str) else repr(answer)
        raise Failure(KINDS["not understood"], f"{type(answer).__name__} {shown[:500]}")
    error = field(answer, "error")
    if error:
        raise of_error_object(error)
    choices = field(answer, "choices")
    if choices is None:
        return None
    if not isinstance(choices, list | tuple):
        raise Failure(KINDS["not understood"], f"choices of type {type(choices).__name__}")
    return next((choice for choice in choices if field(choice, "index") not in _OTHERS), None)


def _content(message: Any) -> str:
    content = field(message, "content")
    if content is None:
        content = field(message, "refusal")  # why it does not answer is then the answer
    try:
        return text_of(content)
    except TypeError as error:
        raise Failure(KINDS["not understood"], str(error)) from None
