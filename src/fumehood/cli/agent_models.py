"""Models by their words on the command line: KIND:NAME, or a bare name."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fumehood.cli.terminal import BAD_INPUT, fail
from fumehood.models.base import Model


@dataclass(frozen=True, slots=True)
class Kind:
    """One way to reach a model."""

    name: str
    about: str
    make: Callable[..., Model]
    takes_server: bool = True


def _openai(name: str, **server: Any) -> Model:
    from fumehood.models.openai import OpenAIModel

    return OpenAIModel(name, **server)


def _litellm(name: str, **server: Any) -> Model:
    from fumehood.models.litellm import LiteLLMModel

    return LiteLLMModel(name, **server)


def _huggingface(name: str, **server: Any) -> Model:
    from fumehood.models.huggingface import InferenceClientModel

    return InferenceClientModel(name, **server)


def _replay(name: str) -> Model:
    from fumehood.models.replay import ReplayModel

    if not Path(name).is_file():
        fail(f"{name}: no such recording", BAD_INPUT)
    return ReplayModel(Path(name))


KINDS = {
    kind.name: kind
    for kind in (
        Kind("openai", "a server that speaks as OpenAI's does", _openai),
        Kind("litellm", "any provider that LiteLLM knows", _litellm),
        Kind("hf", "a model that Hugging Face serves", _huggingface),
        Kind("replay", "a recording", _replay, takes_server=False),
    )
}


def model_of(
    text: str | None, base_url: str | None = None, api_key_env: str | None = None
) -> Model:
    """The model. A name without a kind is one of Hugging Face's if it has a slash and no server is
    named, else one of an OpenAI server's.

    What is wrong with the words ends the command; what is wrong with the model is raised, as
    FumehoodError.
    """
    if not text:
        fail(
            "say which model: --model openai:gpt-4o, litellm:…, hf:…, replay:FILE, or"
            " FUMEHOOD_MODEL in the environment",
            BAD_INPUT,
        )
    before, colon, after = text.partition(":")
    if (
        colon and before in KINDS
    ):  # another word before a colon is part of the name, as in llama3:8b
        kind, name = KINDS[before], after
    else:
        kind, name = KINDS["hf" if "/" in text and base_url is None else "openai"], text
    if not name:
        fail(f"--model {text}: a name belongs behind the colon", BAD_INPUT)
    server: dict[str, str] = {}
    if base_url is not None:
        server["base_url"] = base_url
    if api_key_env is not None:
        key = os.environ.get(api_key_env)
        if not key:
            fail(
                f"--api-key-env {api_key_env}: there is no such variable in the environment",
                BAD_INPUT,
            )
        server["api_key"] = key
    if server and not kind.takes_server:
        fail(
            f"--base-url and --api-key-env are for a server; {kind.name}: is {kind.about}",
            BAD_INPUT,
        )
    return kind.make(name, **server)
