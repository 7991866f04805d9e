"""Calls as they travel: messages out of bytes, and what is said of those that are none."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import httpx
import pytest
from e2b_code_interpreter import Sandbox
from hypothesis import given
from hypothesis import strategies as st

from fumehood.server.e2b import shapes
from fumehood.server.e2b.connect import CallFailed, Envelopes, envelope, failure, last
from fumehood.server.refusals import Conflict, Invalid, NotFound, Refusal, TooLarge

from .service import Service


def heard(*pieces: bytes) -> list[bytes]:
    reader = Envelopes()
    found = [message for piece in pieces for message in reader.feed(piece)]
    reader.end()
    return found


@given(
    st.lists(st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=3), max_size=5),
    st.integers(1, 7),
)
def test_messages_are_heard_however_they_are_cut(messages: list[dict[str, str]], size: int) -> None:
    data = b"".join(map(envelope, messages)) + last()
    found = heard(*(data[begin : begin + size] for begin in range(0, len(data), size)))
    assert [json.loads(message) for message in found] == messages


@pytest.mark.parametrize(
    ("data", "kind"),
    [(b"\1\0\0\0\0", Invalid), (b"\0\xff\xff\xff\xff", TooLarge), (b"\0\0\0\0\5ab", Invalid)],
)
def test_what_is_no_message_is_refused(data: bytes, kind: type[Refusal]) -> None:
    with pytest.raises(kind):
        heard(data)


SHAPES = [
    kind
    for kind in vars(shapes).values()
    if isinstance(kind, type) and issubclass(kind, shapes.Struct) and kind is not shapes.Struct
]
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["path", "process", "pid", "input", "stdin", "code"]), inner
        )
    ),
    max_leaves=8,
)


@given(
    st.sampled_from(SHAPES),
    st.one_of(json_values.map(lambda value: json.dumps(value).encode()), st.binary(max_size=20)),
)
def test_a_body_is_read_as_its_shape_or_refused(kind: type[Any], body: bytes) -> None:
    with contextlib.suppress(Invalid):
        assert isinstance(shapes.read(kind, body), kind)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (CallFailed("not_found", "x"), "not_found"),
        (NotFound("x"), "not_found"),
        (Conflict("x"), "failed_precondition"),
        (ValueError("x"), "invalid_argument"),
        (IsADirectoryError("x"), "invalid_argument"),
        (FileExistsError("x"), "already_exists"),
        (FileNotFoundError("x"), "not_found"),
        (KeyError("x"), None),
    ],
)
def test_an_error_means_the_same_wherever_it_is_raised(
    error: BaseException, code: str | None
) -> None:
    found = failure(error)
    assert (found and found.code) == code


PLAIN = [
    "/filesystem.Filesystem/Stat",
    "/filesystem.Filesystem/ListDir",
    "/process.Process/SendInput",
    "/process.Process/SendSignal",
]
STREAMS = [
    "/process.Process/Start",
    "/process.Process/Connect",
    "/process.Process/StreamInput",
    "/filesystem.Filesystem/WatchDir",
]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"path": 5}',
        b"\xff\xfe",
        b"[" * 5000,
        b'{"process": {"pid": -1}}',
        b'{"input": {"stdin": "!"}}',
    ],
)
def test_a_real_server_answers_every_body_with_a_reason(
    sandbox: Sandbox, service: Service, body: bytes
) -> None:
    own = {"E2b-Sandbox-Id": sandbox.sandbox_id, "X-Access-Token": sandbox._envd_access_token or ""}
    with httpx.Client(base_url=service.served.url, headers=own, timeout=60) as client:
        for path in PLAIN:
            answer = client.post(path, content=body, headers={"content-type": "application/json"})
            assert answer.status_code < 500
            assert answer.status_code == 200 or answer.json()["code"] in (
                "invalid_argument",
                "not_found",
            )
            assert (
                client.post(
                    path, content=body, headers={"content-type": "application/proto"}
                ).status_code
                == 415
            )
        for path in STREAMS:
            for data in (body, b"\0" + len(body).to_bytes(4, "big") + body):
                answer = client.post(
                    path,
                    content=data,
                    headers={
                        "content-type": "application/connect+json",
                        "connect-timeout-ms": "200",
                    },
                )
                assert answer.status_code == 200  # how it ended is in its last message
                end = _last_message(answer.content)
                assert end == {} or end["error"]["code"] in (
                    "invalid_argument",
                    "not_found",
                    "deadline_exceeded",
                    "resource_exhausted",
                )


def _last_message(data: bytes) -> Any:
    while data:
        length = int.from_bytes(data[1:5], "big")
        flags, message, data = data[0], data[5 : 5 + length], data[5 + length :]
    assert flags == 2
    return json.loads(message)
