"""What is no proper request: bytes on a raw socket. The server says no in time and in few bytes,
and goes on."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from ..serving import Served
from .asking import Client
from .conftest import KEYS

KEY = f"X-API-Key: {KEYS['bob']}\r\n"


def _ask(server: Served, data: bytes, *more: bytes) -> bytes:
    """All that comes back until the server closes."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as line:
        received = b""
        try:
            for piece in (data, *more):
                line.sendall(piece)
        except (BrokenPipeError, ConnectionResetError):
            pass  # it said no before it had heard all
        try:
            while piece := line.recv(65536):
                received += piece
        except ConnectionResetError:
            pass
        return received


def _status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1]) if answer else 0


@pytest.fixture(autouse=True)
def _goes_on(server: Served) -> Iterator[None]:
    yield
    assert httpx.get(f"{server.url}/health", timeout=60).status_code == 200


@pytest.mark.parametrize(
    "request_text",
    [
        "NONSENSE\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        "GET /\x00 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\nBad Header: x\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\n : x\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999999\r\n\r\n",
        "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    ],
    ids=[
        "a word",
        "a version",
        "NUL",
        "a space in a name",
        "no name",
        "less than nothing",
        "too large to count",
        "TLS",
    ],
)
def test_what_is_no_http_is_answered_with_400(server: Served, request_text: str) -> None:
    assert _status(_ask(server, request_text.encode("latin-1"))) == 400


@pytest.mark.parametrize(
    "headers",
    [
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
        "Content-Length: 5\r\nContent-Length: 6\r\n",
        "Transfer-Encoding: chunked, identity\r\n",
        "Transfer-Encoding: xchunked\r\n",
        "Transfer-Encoding : chunked\r\n",
    ],
    ids=[
        "both",
        "both, the other way",
        "two lengths",
        "chunked not last",
        "an unknown coding",
        "a space before the colon",
    ],
)
def test_a_second_request_cannot_be_hidden_in_the_body_of_the_first(
    server: Served, headers: str
) -> None:
    hidden = f"GET /v1/key HTTP/1.1\r\nHost: localhost\r\n{KEY}Connection: close\r\n\r\n"
    request = f"POST /v1/sandboxes HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n0\r\n\r\n{hidden}"
    answer = _ask(server, request.encode())
    assert _status(answer) == 400
    assert len(re.findall(rb"HTTP/1.1 \d", answer)) == 1, "what was hidden was not asked"
    assert b"bob" not in answer


def test_a_key_in_a_trailer_is_no_key(server: Served) -> None:
    request = (
        "GET /v1/key HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nConnection:"
        f" close\r\n\r\n0\r\n{KEY}\r\n"
    )
    assert _status(_ask(server, request.encode())) in (401, 429)


def test_a_head_that_is_too_long_is_refused(server: Served) -> None:
    at_once = _ask(
        server, f"GET /health HTTP/1.1\r\nHost: localhost\r\nX: {'x' * 40_000}\r\n\r\n".encode()
    )
    many = _ask(server, b"GET /health HTTP/1.1\r\nHost: localhost\r\n", *[b"a: b\r\n" * 100] * 100)
    path = _ask(server, b"GET /" + b"x" * 40_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
    without_end = _ask(
        server, b"GET /health HTTP/1.1\r\nHost: localhost\r\nX: ", *[b"x" * 65536] * 4
    )
    assert {_status(answer) for answer in (at_once, many, path, without_end)} <= {
        431,
        0,
    }, "0 where the line was closed while it was talked on"
    assert _status(at_once) == 431


@pytest.mark.extended
def test_what_does_not_come_is_not_waited_for(server: Served) -> None:
    unwanted = (
        "POST /v1/sandboxes HTTP/1.1\r\nHost: localhost\r\nX-API-Key: wrong\r\nContent-Length:"
        " 100\r\n\r\n"
    )
    wanted = f"POST /v1/sandboxes HTTP/1.1\r\nHost: localhost\r\n{KEY}Content-Length: 100\r\n\r\n"
    said = {
        "a head that does not end": (b"GET /health HTTP/1.1\r\nHost: loc", {408}),
        "nothing at all": (b"", {0}),
        "a body": (wanted.encode() + b'{"template"', {408}),
        "a body that nobody wants": (unwanted.encode() + b'{"template"', {401, 429}),
    }
    with ThreadPoolExecutor(len(said)) as pool:
        answers = dict(
            zip(said, pool.map(lambda row: _ask(server, row[0]), said.values()), strict=True)
        )
    assert [
        what for what, (_, statuses) in said.items() if _status(answers[what]) not in statuses
    ] == []


def test_a_body_that_says_it_is_too_large_is_refused_unread(server: Served) -> None:
    head = (
        f"POST /v1/sandboxes HTTP/1.1\r\nHost: localhost\r\n{KEY}Content-Length: 99999999\r\n\r\n"
    )
    assert _status(_ask(server, head.encode())) == 413


def test_a_body_is_counted_as_it_comes(server: Served) -> None:
    head = (
        f"POST /v1/sandboxes HTTP/1.1\r\nHost: localhost\r\n{KEY}Transfer-Encoding: chunked\r\n\r\n"
    )
    chunk = b"10000\r\n" + b" " * 65536 + b"\r\n"
    assert _status(_ask(server, head.encode(), *[chunk] * 100)) in (413, 0)


def test_chunk_extensions_without_end_end_the_connection(server: Served) -> None:
    head = (
        f"POST /v1/sandboxes HTTP/1.1\r\nHost: localhost\r\n{KEY}Transfer-Encoding:"
        " chunked\r\n\r\n1;"
    )
    answer = _ask(server, head.encode(), *[b"x" * 65536] * 200)
    assert _status(answer) in (0, 400, 408)


def test_a_client_that_asks_much_and_leaves_is_no_failure(server: Served, client: Client) -> None:
    sandbox = client.create()
    client.put(
        f"/v1/sandboxes/{sandbox}/files/content", params={"path": "large"}, content=bytes(2_000_000)
    )
    key = f"X-API-Key: {KEYS['alice']}\r\n"
    one = (
        f"GET /v1/sandboxes/{sandbox}/files/content?path=large HTTP/1.1\r\nHost:"
        f" localhost\r\n{key}\r\n".encode()
    )
    before = server.stderr.read_text()
    for _ in range(8):
        with socket.create_connection(("127.0.0.1", server.port), timeout=60) as line:
            line.sendall(one * 40)
            line.recv(100)
    assert client.value(sandbox, "1") == 1
    assert server.stderr.read_text()[len(before) :] == ""


def test_half_open_connections_do_not_keep_others_out(server: Served) -> None:
    lines = [socket.create_connection(("127.0.0.1", server.port), timeout=60) for _ in range(200)]
    try:
        for line in lines:
            line.sendall(b"GET /v1/key HTTP/1.1\r\n")
        assert (
            httpx.get(
                f"{server.url}/v1/key", headers={"X-API-Key": KEYS["bob"]}, timeout=60
            ).status_code
            == 200
        )
    finally:
        for line in lines:
            line.close()


@pytest.mark.parametrize(
    ("path", "body", "kind", "status"),
    [
        ("/v1/sandboxes", b"{", "application/json", 400),
        ("/v1/sandboxes", b"[]", "application/json", 400),
        ("/v1/sandboxes", b'{"template": 5}', "application/json", 400),
        ("/v1/sandboxes", b'{"temptale": "base"}', "application/json", 400),
        ("/v1/sandboxes", b'{"timeout_seconds": -1}', "application/json", 400),
        ("/v1/sandboxes", b'{"timeout_seconds": 1e400}', "application/json", 400),
        ("/v1/sandboxes", b"\xff\xfe", "application/json", 400),
        ("/v1/sandboxes", b'{"metadata": ' + b"[" * 100_000 + b"}", "application/json", 400),
        ("/v1/sandboxes", b"{}", "text/plain", 415),
        ("/v1/sandboxes", b" " * 400_000, "application/json", 413),
    ],
    ids=[
        "cut",
        "a list",
        "wrong type",
        "misspelt",
        "negative",
        "infinite",
        "no UTF-8",
        "deep",
        "a form's type",
        "large",
    ],
)
def test_a_body_that_is_wrong_is_refused_in_one_line(
    server: Served, path: str, body: bytes, kind: str, status: int
) -> None:
    headers = {"X-API-Key": KEYS["bob"], "Content-Type": kind}
    answer = httpx.post(server.url + path, content=body, headers=headers, timeout=60)
    assert answer.status_code == status, answer.text
    assert len(answer.json()["message"]) < 500
