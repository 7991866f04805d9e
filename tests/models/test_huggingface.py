"""InferenceClientModel and its older name: nothing is needed before it is asked."""

from __future__ import annotations

import subprocess
import sys

import pytest

from fumehood.models.huggingface import DEFAULT_MODEL, InferenceClientModel

from .misbehaving import MisbehavingServer
from .served import QUESTION


def test_the_older_name_needs_no_argument_no_token_and_no_network() -> None:
    code = """
import socket, sys
def refuse(*args, **options):
    raise AssertionError("the network was looked at")
socket.socket.connect = socket.getaddrinfo = refuse
from fumehood import HfApiModel
print(HfApiModel(), HfApiModel(model_id="meta-llama/Llama-3.1-70B-Instruct"), "huggingface_hub" in sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={}
    )
    assert (
        done.stdout
        == f"HfApiModel({DEFAULT_MODEL!r}) HfApiModel('meta-llama/Llama-3.1-70B-Instruct') False\n"
    )


def test_the_token_may_be_called_a_key_and_the_address_has_two_names() -> None:
    with MisbehavingServer() as server:
        InferenceClientModel("m", base_url=server.url, token="hf_0123456789abcdef").generate(
            QUESTION
        )
        InferenceClientModel("m", api_base=server.url, api_key="hf_0123456789abcdef").generate(
            QUESTION
        )
    assert [request.headers["authorization"] for request in server.requests] == [
        "Bearer hf_0123456789abcdef"
    ] * 2
    with pytest.raises(ValueError, match="token and api_key say different things"):
        InferenceClientModel("m", token="one", api_key="another")
