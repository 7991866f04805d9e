"""LiteLLMModel: late and quiet."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from fumehood.errors import ModelError
from fumehood.models.litellm import LiteLLMModel

from .misbehaving import MisbehavingServer, completion, fails, sends
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
def test_nothing_is_printed_and_nothing_is_fetched_when_it_is_imported() -> None:
    code = """
import os, socket
def refuse(*args, **options):
    raise AssertionError(f"the network was looked at: {args}")
socket.getaddrinfo = refuse
before = dict(os.environ)
from fumehood.models.litellm import quiet_litellm
quiet_litellm()
quiet_litellm()
assert dict(os.environ) == before, set(os.environ.items()) ^ set(before.items())
"""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("LITELLM")
    }
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.long
def test_nothing_is_printed_when_a_server_misbehaves(capfd: pytest.CaptureFixture[str]) -> None:
    with MisbehavingServer(
        fails(500), sends(completion(42)), sends({**completion(), "choices": "abc"}), fails(401)
    ) as server:
        with pytest.raises(ModelError):
            LiteLLMModel("openai/m", server.url, KEY).generate(QUESTION, cancel=Impatient())
        assert len(server.requests) == 4
    captured = capfd.readouterr()
    assert (captured.out, captured.err) == ("", "")


@pytest.mark.long
def test_an_unknown_provider_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ModelError) as raised:
        LiteLLMModel("nobody-knows-this-one").generate(QUESTION, cancel=Impatient())
    assert "nobody-knows-this-one" in str(raised.value) and "\n" not in str(raised.value)


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
