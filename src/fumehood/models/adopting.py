"""as_model: whatever somebody has that answers a conversation, as a Model. smolagents' models are
accepted as they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fumehood.errors import ModelError
from fumehood.models.asking import OPTIONAL, accepts, as_answer, called
from fumehood.models.awaiting import completed
from fumehood.models.base import Cancellation, Model, OnText
from fumehood.models.function import FunctionModel
from fumehood.models.messages import ChatMessage, TokenUsage, conversation
from fumehood.models.reading import field, text_of, usage_of
from fumehood.models.stopping import Cutter


def as_model(thing: Any) -> Model:
    """A Model as it is; something with a method `generate`, a function, or something callable as a
    Model. Raises TypeError."""
    if isinstance(thing, Model):
        return thing
    if isinstance(thing, str):
        raise TypeError(
            f"a model, not its name: give LiteLLMModel({thing[:60]!r}), OpenAIModel({thing[:60]!r})"
            " or the like"
        )
    if isinstance(thing, type):
        raise TypeError(f"a model, not its class: give {thing.__name__}(…)")
    if callable(getattr(thing, "generate", None)):
        return AdoptedModel(thing)
    if callable(thing):
        return FunctionModel(thing)
    raise TypeError(
        f"{type(thing).__name__} is no model: give a Model, something with a method"
        " generate(messages), or a function of the messages"
    )


class AdoptedModel(Model):
    """A model of another library, or a class of one's own that has `generate` and is no Model.
    `original` is what it was made of."""

    def __init__(self, original: Any) -> None:
        self.original = original
        self.model_id = called(original)
        self._is_smolagents = any(
            kind.__module__.partition(".")[0] == "smolagents" for kind in type(original).__mro__
        )
        self._takes = accepts(original.generate, OPTIONAL, ("stop_sequences",))

    def __repr__(self) -> str:
        return f"AdoptedModel({self.model_id})"

    def generate(
        self,
        messages: Sequence[ChatMessage],
        *,
        stop_sequences: Sequence[str] = (),
        on_text: OnText | None = None,
        cancel: Cancellation | None = None,
    ) -> ChatMessage:
        cancel = cancel or Cancellation()
        sent = [
            _in_parts(message) if self._is_smolagents else message.as_dict()
            for message in conversation(messages)
        ]
        given = {"stop_sequences": list(stop_sequences), "on_text": on_text, "cancel": cancel}
        # smolagents sends even an empty list of stop sequences, which servers refuse.
        options = {
            name: given[name] for name in self._takes if name != "stop_sequences" or stop_sequences
        }
        if (
            on_text is not None
            and self._is_smolagents
            and callable(getattr(self.original, "generate_stream", None))
        ):
            return self._streamed(sent, stop_sequences, options, on_text, cancel)
        return as_answer(
            completed(self.original.generate(sent, **options), self, cancel), self.model_id
        )

    def _streamed(
        self,
        sent: list[dict[str, Any]],
        stop_sequences: Sequence[str],
        options: dict[str, Any],
        on_text: OnText,
        cancel: Cancellation,
    ) -> ChatMessage:
        cutter = Cutter(stop_sequences, longest=1_000_000)
        usage: TokenUsage | None = None
        deltas = self.original.generate_stream(sent, **options)
        try:
            for delta in deltas:
                cancel.check()
                usage = usage_of(field(delta, "token_usage")) or usage
                try:
                    text = cutter.feed(text_of(field(delta, "content")))
                except TypeError as error:
                    raise ModelError(
                        f"{self.model_id} streams something that is no text: {error}"
                    ) from None
                if text:
                    on_text(text)
                if cutter.ended_by == "length":
                    break
        finally:
            if hasattr(deltas, "close"):
                deltas.close()
        if rest := cutter.finish():
            on_text(rest)
        return ChatMessage(
            "assistant", cutter.text, token_usage=usage, finish_reason=cutter.ended_by
        )


def _in_parts(message: ChatMessage) -> dict[str, Any]:
    """The message with its content as a list of parts: smolagents joins messages of one role, and
    can do so with lists only."""
    sent = message.as_dict()
    if isinstance(sent["content"], str):
        sent["content"] = [{"type": "text", "text": sent["content"]}]
    return sent
