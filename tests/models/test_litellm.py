"""LiteLLMModel: late and quiet."""

from __future__ import annotations

import subprocess
import sys

import pytest

from fumehood.errors import ModelError
from fumehood.models.litellm import LiteLLMModel

from .misbehaving import MisbehavingServer
from .served import KEY, QUESTION, Impatient


def test_a_model_is_made_without_importing_litellm() -> None:
    """As the specification shows it: the key is not needed before the model is asked."""
    code = (
        "import sys; from fumehood import LiteLLMModel; print(LiteLLMModel(model_id='gpt-4-turbo'),"
        " 'litellm' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "LiteLLMModel('gpt-4-turbo') False\n"


@pytest.mark.long
def test_a_missing_key_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ModelError, match=r"(?i)key") as raised:
        LiteLLMModel("gpt-4-turbo").generate(QUESTION, cancel=Impatient())
    assert "\n" not in str(raised.value)


@pytest.mark.long
def test_other_keywords_reach_the_server() -> None:
    with MisbehavingServer() as server:
        LiteLLMModel(
            "openai/m", base_url=server.url, api_key=KEY, temperature=0.25, seed=7
        ).generate(QUESTION)
    assert (server.bodies[0]["temperature"], server.bodies[0]["seed"]) == (0.25, 7)
