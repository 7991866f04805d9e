"""What libraries raise, brought to kinds of failure. The misbehaving server shows it for real; here
are the corners it does not reach."""

from __future__ import annotations

import json
import ssl
import time
from email.utils import formatdate
from itertools import pairwise
from typing import Any

import httpx
import pytest

from fumehood.models.failures import (
    message_of,
    refused_parameter,
    retry_after,
    understood,
)
from fumehood.models.retrying import KINDS, Failure, kind_of_status


def test_the_wait_a_server_asks_for_may_be_a_date() -> None:
    later = retry_after({"retry-after": formatdate(time.time() + 1000, usegmt=True)})
    assert later is not None and 900 < later <= 1000
    assert retry_after({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0
    assert retry_after({"retry-after": "Wed, 99 Oct 99999 07:28:00 GMT"}) is None


def test_the_wait_may_be_in_milliseconds_and_headers_may_be_missing() -> None:
    assert retry_after({"retry-after-ms": "1500", "retry-after": "9"}) == 1.5
    assert retry_after(None) is retry_after({}) is retry_after({"retry-after": 5}) is None


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


def test_a_body_that_is_nested_without_end_does_no_harm() -> None:
    body: Any = "deep"
    for _ in range(500):
        body = {"error": body}
    assert isinstance(message_of(body), str)


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


def test_a_parameter_is_refused_if_the_server_names_it() -> None:
    def refusal(text: str, status: int = 400) -> Failure:
        return Failure(kind_of_status(status), text, status=status)

    names = ["stream_options", "stop", "stream"]
    assert refused_parameter(refusal("Unsupported parameter: 'stop'"), names) == "stop"
    assert (
        refused_parameter(refusal('unknown field "stream_options"', 422), names) == "stream_options"
    )
    assert refused_parameter(refusal("body.stream_options: extra fields"), names) is None
    assert refused_parameter(refusal("nonstop streaming"), names) is None
    assert refused_parameter(refusal("stop", 500), names) is None
