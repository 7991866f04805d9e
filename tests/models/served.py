"""Models that talk to the misbehaving server, and callers of them that are in no hurry or in a
great one."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from fumehood.models.base import Cancellation
from fumehood.models.huggingface import InferenceClientModel
from fumehood.models.litellm import LiteLLMModel
from fumehood.models.messages import ChatMessage
from fumehood.models.openai import OpenAIModel
from fumehood.models.serving import ServedModel

KEY = "sk-secret-0123456789-abcdef"

QUESTION = [ChatMessage("system", "be brief"), ChatMessage("user", "hello")]

OPENAI = "openai"
HUGGINGFACE = "huggingface"
LITELLM = pytest.param("litellm", marks=pytest.mark.extended)  # its import takes seconds

EVERY_MODEL = [OPENAI, HUGGINGFACE, LITELLM]


def make_model(kind: str, address: str, **options: Any) -> ServedModel:
    if kind == "openai":
        return OpenAIModel("some-model", address, KEY, **options)
    if kind == "litellm":
        return LiteLLMModel("openai/some-model", address, KEY, **options)
    return InferenceClientModel("some-model", base_url=address, token=KEY, **options)


class Impatient(Cancellation):
    """Waits for nothing, and keeps how long it should have waited."""

    def __init__(self) -> None:
        super().__init__()
        self.waits: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.check()


class Watched(Cancellation):
    """Tells when somebody begins to wait."""

    def __init__(self) -> None:
        super().__init__()
        self.is_waiting = threading.Event()

    def sleep(self, seconds: float) -> None:
        self.is_waiting.set()
        super().sleep(seconds)


class InThread:
    """Something that runs in another thread; `outcome` is what it returned or raised."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self._work = work
        self._outcome: Any = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._outcome = self._work()
        except BaseException as error:
            self._outcome = error

    @property
    def outcome(self) -> Any:
        self._thread.join(60)
        assert not self._thread.is_alive(), "it does not end"
        return self._outcome
