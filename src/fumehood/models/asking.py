"""How a model is asked: with what it takes and no more, whatever it raises is a ModelError, and
whatever it returns is a ChatMessage."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any
from weakref import WeakKeyDictionary

from fumehood.errors import ModelError
from fumehood.models.awaiting import completed
from fumehood.models.base import Cancellation, Cancelled, Model, OnText
from fumehood.models.hiding import in_one_line
from fumehood.models.messages import ChatMessage, TokenUsage
from fumehood.models.reading import text_of, usage_of
from fumehood.models.stopping import cut, encodable
from fumehood.wire.show import one_line

OPTIONAL = ("stop_sequences", "on_text", "cancel")
"""What a model is given beside the messages, if it takes it."""

_taken: WeakKeyDictionary[type, frozenset[str]] = WeakKeyDictionary()


def ask(
    model: Model,
    messages: Sequence[ChatMessage],
    *,
    stop_sequences: Sequence[str] = (),
    on_text: OnText | None = None,
    cancel: Cancellation | None = None,
) -> ChatMessage:
    """The model's answer, in which there is no stop sequence. Raises ModelError, Cancelled, or what
    `on_text` raises."""
    cancel = cancel or Cancellation()
    cancel.check()
    listener = _Listener(on_text)
    given = {
        "stop_sequences": tuple(stop_sequences),
        "on_text": on_text and listener,
        "cancel": cancel,
    }
    takes = _takes(type(model))
    options: dict[str, Any] = {name: given[name] for name in OPTIONAL if name in takes}
    who = called(model)
    try:
        message = as_answer(
            completed(model.generate(list(messages), **options), model, cancel), who
        )
    except Cancelled:
        raise
    except Exception as error:
        if listener.raised is not None:
            raise listener.raised from None
        cancel.check()  # whatever it raises because it was cancelled
        if isinstance(error, ModelError):
            raise
        raise ModelError(
            f"{who} raised {in_one_line(f'{type(error).__name__}: {error}')}"
        ) from error
    cancel.check()
    if stop_sequences:
        text = cut(message.content, stop_sequences)
        if len(text) < len(message.content):
            message = replace(message, content=text)
    return message


def as_answer(thing: Any, who: str) -> ChatMessage:
    """Whatever a model returned, as a message: text, a ChatMessage, or something with `content`.
    Raises ModelError for anything else."""
    if isinstance(thing, str):
        return ChatMessage("assistant", encodable(str.__str__(thing)))
    if (
        thing is None
        or isinstance(thing, type)
        or not (hasattr(thing, "content") or isinstance(thing, Mapping) and "content" in thing)
    ):
        raise ModelError(
            f"{who} gave no answer but {_shown(thing)}; an answer is text, or something with"
            " content"
        )
    get: Callable[[str], Any] = (
        thing.get if isinstance(thing, Mapping) else lambda name: getattr(thing, name, None)
    )
    try:
        text = text_of(get("content"))
    except TypeError:
        raise ModelError(
            f"{who} gave an answer whose content is no text but {_shown(get('content'))}"
        ) from None
    usage = get("token_usage")
    reason = get("finish_reason")
    return ChatMessage(
        "assistant",
        encodable(text),
        thing.images if isinstance(thing, ChatMessage) else (),
        token_usage=(
            usage if isinstance(usage, TokenUsage) else usage_of(usage) or usage_of(get("usage"))
        ),
        finish_reason=one_line(reason, 40) if isinstance(reason, str) else None,
    )


def called(model: Any) -> str:
    """What a model is called in an error."""
    name = getattr(model, "model_id", None)
    return (
        in_one_line(name, longest=100) if isinstance(name, str) and name else type(model).__name__
    )


def accepts(
    function: Callable[..., Any], names: Sequence[str], open_ended: Sequence[str]
) -> frozenset[str]:
    """Which of the names a function takes as keywords. One with ** takes those of `open_ended`
    besides what it names."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # some that are written in C say nothing
        return frozenset()
    takes = {
        one.name for one in parameters if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)
    }
    if any(one.kind is one.VAR_KEYWORD for one in parameters):
        takes |= set(open_ended)
    return frozenset(takes.intersection(names))


def _takes(kind: type[Model]) -> frozenset[str]:
    takes = _taken.get(kind)
    if takes is None:
        takes = _taken[kind] = accepts(kind.generate, OPTIONAL, OPTIONAL)
    return takes


class _Listener:
    """Passes text on, and remembers what the listener raised: that is not the model's failure."""

    def __init__(self, on_text: OnText | None) -> None:
        self._on_text = on_text
        self.raised: BaseException | None = None

    def __call__(self, text: str) -> None:
        if self._on_text is None:
            return
        try:
            self._on_text(text)
        except BaseException as error:
            self.raised = error
            raise


def _shown(thing: Any) -> str:
    try:
        text = repr(thing)
    except Exception:
        text = "…"
    return in_one_line(f"{type(thing).__name__}: {text}", longest=200)
