"""LiteLLMModel: a model of any provider that the `litellm` package knows."""

from __future__ import annotations

import contextlib
import os
import threading
import warnings
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from fumehood.models.leaving import Errand
from fumehood.models.messages import ChatMessage
from fumehood.models.openai import the_one_of
from fumehood.models.serving import ServedModel

# Importing litellm fetches a list of prices from the network and logs what it thinks of that.
_WHILE_IMPORTING = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_LOG": "ERROR"}

# What pydantic says about litellm's own classes, and about answers that have another shape than
# they should. We look at those ourselves.
_WARNINGS = (r"Item '\w+' on TypedDict class", "Pydantic serializer warnings")

_importing = threading.Lock()


class LiteLLMModel(ServedModel):
    """A model by the name that litellm gives it: "gpt-4o", "anthropic/…", "ollama/…". Keys are
    taken from where litellm looks for them, if `api_key` is not given. Where a provider counts no
    tokens of a stream, litellm estimates them.

    All else is said at ServedModel. litellm keeps its connections to itself: a call that is no
    longer wanted is left at once, and its connection ends by itself, after `timeout` seconds of
    silence at the latest. Needs the extra `litellm`.
    """

    _package = "litellm"
    _extra = "litellm"

    def __init__(
        self,
        model_id: str,
        api_base: str | None = None,
        api_key: str | None = None,
        *,
        base_url: str | None = None,
        timeout: float | None = 300.0,
        total_timeout: float | None = 1800.0,
        max_retries: int = 5,
        requests_per_minute: float | None = None,
        max_answer_characters: int = 1_000_000,
        **parameters: Any,
    ) -> None:
        super().__init__(
            model_id,
            address=the_one_of(api_base=api_base, base_url=base_url),
            key=api_key or None,
            timeout=timeout,
            total_timeout=total_timeout,
            max_retries=max_retries,
            requests_per_minute=requests_per_minute,
            max_answer_characters=max_answer_characters,
            parameters=parameters,
        )

    @contextlib.contextmanager
    def _call(self, body: dict[str, Any], errand: Errand[ChatMessage]) -> Iterator[Any]:
        litellm = quiet_litellm()
        options: dict[str, Any] = {"num_retries": 0, "max_retries": 0, "timeout": self.timeout}
        if self._address is not None:
            options["api_base"] = self._address
        if self._key is not None:
            options["api_key"] = self._key.value
        got = litellm.completion(**body, **options)
        try:
            yield got
        finally:
            for stream in (got, getattr(got, "completion_stream", None)):
                with contextlib.suppress(Exception):
                    close: Any = getattr(stream, "close", None)
                    close and close()


def quiet_litellm() -> Any:
    """litellm, imported when it is first needed: that takes seconds, and is done without a word and
    without the network."""
    with _importing:
        before = {name: os.environ.get(name) for name in _WHILE_IMPORTING}
        os.environ.update(
            {name: value for name, value in _WHILE_IMPORTING.items() if before[name] is None}
        )
        try:
            litellm: Any = import_module("litellm")
        finally:
            for name, value in before.items():
                if value is None:
                    os.environ.pop(name, None)
        litellm.suppress_debug_info = True  # else it prints an advertisement beside every error
        litellm.telemetry = False
        for message in _WARNINGS:
            # For good: to ignore warnings for the time of a call would change them for all threads.
            warnings.filterwarnings("ignore", message, UserWarning, module=r"pydantic\.")
    return litellm
