"""InferenceClientModel: models served by Hugging Face, its partners, or a server of one's own,
through the `huggingface_hub` package."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from fumehood.models.leaving import Errand
from fumehood.models.messages import ChatMessage
from fumehood.models.openai import split, the_one_of
from fumehood.models.serving import ServedModel

DEFAULT_MODEL = "Qwen/Qwen2.5-Coder-32B-Instruct"
"""A model that writes code well, and that several providers serve."""


class InferenceClientModel(ServedModel):
    """A model by its name on the Hugging Face Hub. `provider` chooses who serves it (None: whoever
    the account prefers); `base_url` is the address of a server of one's own instead. Without
    `token` the one that is saved on this machine, or in HF_TOKEN, is used.

    Nothing is looked up before the first question. All else is said at ServedModel. The package
    keeps its connections to itself: a call that is no longer wanted is left at once, and its
    connection ends by itself, after `timeout` seconds of silence at the latest. Needs the extra
    `huggingface`.
    """

    _package = "huggingface_hub"
    _extra = "huggingface"

    def __init__(
        self,
        model_id: str = DEFAULT_MODEL,
        provider: str | None = None,
        token: str | None = None,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        api_base: str | None = None,
        bill_to: str | None = None,
        timeout: float | None = 300.0,
        total_timeout: float | None = 1800.0,
        max_retries: int = 5,
        requests_per_minute: float | None = None,
        max_answer_characters: int = 1_000_000,
        **parameters: Any,
    ) -> None:
        super().__init__(
            model_id,
            address=the_one_of(base_url=base_url, api_base=api_base),
            key=the_one_of(token=token or None, api_key=api_key or None),
            timeout=timeout,
            total_timeout=total_timeout,
            max_retries=max_retries,
            requests_per_minute=requests_per_minute,
            max_answer_characters=max_answer_characters,
            parameters=parameters,
        )
        self.provider = provider
        self._bill_to = bill_to

    def _keys(self) -> Iterator[str]:
        yield from super()._keys()
        with contextlib.suppress(Exception):
            yield import_module("huggingface_hub").get_token() or ""

    @contextlib.contextmanager
    def _call(self, body: dict[str, Any], errand: Errand[ChatMessage]) -> Iterator[Any]:
        # One for each call: a client keeps every response it was given until it is closed.
        client = import_module("huggingface_hub").InferenceClient(
            base_url=self._address,
            provider=self.provider,
            token=self._key.value if self._key is not None else None,
            timeout=self.timeout,
            bill_to=self._bill_to,
        )
        try:
            yield client.chat_completion(**split(body, client.chat_completion))
        finally:
            client.close()


class HfApiModel(InferenceClientModel):
    """The older name of InferenceClientModel."""
