"""FunctionModel: a function as a model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from fumehood.models.asking import OPTIONAL, accepts, as_answer
from fumehood.models.awaiting import completed
from fumehood.models.base import Cancellation, Model, OnText
from fumehood.models.messages import ChatMessage, conversation


class FunctionModel(Model):
    """A model that is a function of the messages, each of them a dictionary with `role` and
    `content`.

    It returns text, or something with `content`, and may be asynchronous. If it has parameters
    called `stop_sequences`, `on_text` or `cancel` it is given those too; with `**kwargs` it is
    given `stop_sequences`.
    """

    def __init__(self, function: Callable[..., Any], model_id: str | None = None) -> None:
        if not callable(function) or isinstance(function, type):
            given = (
                f"the class {function.__name__}"
                if isinstance(function, type)
                else type(function).__name__
            )
            raise TypeError(
                f"a FunctionModel is made of a function of the messages, not of {given}"
            )
        self.function = function
        self.model_id = model_id or getattr(function, "__name__", None) or type(function).__name__
        self._takes = accepts(function, OPTIONAL, ("stop_sequences",))

    def __repr__(self) -> str:
        return f"FunctionModel({self.model_id})"

    def generate(
        self,
        messages: Sequence[ChatMessage],
        *,
        stop_sequences: Sequence[str] = (),
        on_text: OnText | None = None,
        cancel: Cancellation | None = None,
    ) -> ChatMessage:
        cancel = cancel or Cancellation()
        given = {"stop_sequences": list(stop_sequences), "on_text": on_text, "cancel": cancel}
        result = self.function(
            [message.as_dict() for message in conversation(messages)],
            **{name: given[name] for name in self._takes},
        )
        return as_answer(completed(result, self, cancel), self.model_id)
