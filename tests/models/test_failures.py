"""What libraries raise, brought to kinds of failure. The misbehaving server shows it for real; here
are the corners it does not reach."""

from __future__ import annotations

import json
import ssl
from itertools import pairwise
from typing import Any

import httpx
import pytest

from fumehood.models.failures import (
    message_of,
    understood,
)
from fumehood.models.retrying import KINDS, Failure


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"error": {"message": "a"}}, "a"),
        ({"error": "b"}, "b"),
        ({"message": "c"}, "c"),
        ({"detail": [{"msg": "d"}]}, "d"),
        ([{"error": {"message": "e"}}], "e"),
        ("f", "f"),
        ({"other": 1}, "{'other': 1}"),
        (None, ""),
        (7, "7"),
    ],
)
def test_the_message_of_an_error_is_found_in_every_usual_form(body: Any, message: str) -> None:
    assert message_of(body) == message


def _raised_from(*errors: BaseException) -> BaseException:
    for outer, inner in pairwise(errors):
        outer.__cause__ = inner
    return errors[0]


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (
            _raised_from(
                RuntimeError("Connection error."),
                httpx.ConnectError("[Errno 111] Connection refused"),
            ),
            "unreachable",
        ),
        (
            _raised_from(
                httpx.ConnectError("x"), ssl.SSLCertVerificationError("self-signed certificate")
            ),
            "certificate",
        ),
        (httpx.ReadTimeout("the read timed out"), "silent"),
        (TimeoutError(), "silent"),
        (httpx.RemoteProtocolError("peer closed connection"), "cut"),
        (ConnectionResetError("reset"), "cut"),
        (json.JSONDecodeError("Expecting value", "", 0), "not JSON"),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad"), "not JSON"),
        (httpx.UnsupportedProtocol("no scheme"), "address"),
        (KeyError("choices"), "unexpected"),
        (_raised_from(RuntimeError("wrapped"), Failure(KINDS["too large"])), "too large"),
    ],
)
def test_an_exception_is_known_by_what_it_was_raised_from(error: BaseException, kind: str) -> None:
    assert understood(error).kind is KINDS[kind]


def test_a_made_up_status_does_not_hide_what_really_happened() -> None:
    kind = type(
        "InternalServerError",
        (Exception,),
        {"__module__": "litellm.exceptions", "status_code": 500},
    )
    assert (
        understood(_raised_from(kind("oh"), httpx.ConnectError("refused"))).kind
        is KINDS["unreachable"]
    )
    assert understood(kind("oh")).status == 500
