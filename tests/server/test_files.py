"""Files over the native API: bytes in and out, and nothing outside of the sandbox's own
directory."""

from __future__ import annotations

import hashlib
import threading

import pytest

from .asking import Client, code_of, until


def _path(sandbox: str, rest: str = "") -> str:
    return f"/v1/sandboxes/{sandbox}/files{rest}"


def test_a_file_goes_in_and_comes_out_as_it_is(client: Client) -> None:
    sandbox = client.create()
    content = bytes(range(256)) * 8000  # more than one piece
    assert (
        client.put(
            _path(sandbox, "/content"), params={"path": "a/b.bin"}, content=content
        ).status_code
        == 204
    )
    assert client.value(sandbox, "len(open('/home/user/a/b.bin', 'rb').read())") == len(content)
    answer = client.get(_path(sandbox, "/content"), params={"path": "/home/user/a/b.bin"})
    assert hashlib.sha256(answer.content).digest() == hashlib.sha256(content).digest()
    assert answer.headers["content-disposition"] == "attachment"
    assert answer.headers["content-type"] == "application/octet-stream"


def test_a_body_without_a_length_is_taken_piece_by_piece(client: Client) -> None:
    sandbox = client.create()
    pieces = (b"x" * 10_000 for _ in range(50))
    assert (
        client.put(
            _path(sandbox, "/content"), params={"path": "pieces"}, content=pieces
        ).status_code
        == 204
    )
    assert client.get(_path(sandbox, "/entry"), params={"path": "pieces"}).json()["size"] == 500_000


@pytest.mark.parametrize(
    "path",
    [
        "../etc/passwd",
        "/etc/passwd",
        "/home/user/../etc/passwd",
        "a/../../etc/passwd",
        "/proc/self/environ",
        "/home/user/../../etc/passwd",
        "a\0b",
        "x" * 4000,
    ],
    ids=lambda path: path[:30].replace("\0", "NUL"),
)
def test_no_path_leads_out_of_the_sandbox(client: Client, path: str) -> None:
    sandbox = client.create()
    answers = [
        client.get(_path(sandbox, "/content"), params={"path": path}),
        client.put(_path(sandbox, "/content"), params={"path": path}, content=b"x"),
        client.delete(_path(sandbox), params={"path": path}),
        client.get(_path(sandbox), params={"path": path}),
        client.post(_path(sandbox, "/rename"), json={"old": path, "new": "here"}),
        client.post(_path(sandbox, "/directory"), json={"path": path}),
    ]
    assert {answer.status_code for answer in answers} <= {400, 403, 404, 409}, [
        answer.text for answer in answers
    ]
    assert client.get(_path(sandbox)).json()["entries"] == []


def test_a_path_is_decoded_once(client: Client) -> None:
    sandbox = client.create()
    client.put(_path(sandbox, "/content"), params={"path": "%2e%2e"}, content=b"x")
    assert [row["name"] for row in client.get(_path(sandbox)).json()["entries"]] == ["%2e%2e"]
    assert client.get(f"{_path(sandbox)}/content/..%2f..%2fhealth").status_code == 404


def test_a_file_larger_than_is_taken_is_refused(client: Client) -> None:
    sandbox = client.create()
    answer = client.put(
        _path(sandbox, "/content"), params={"path": "large"}, content=b"x" * 3_000_001
    )
    assert code_of(answer) == (413, "too_large")
    assert client.get(_path(sandbox)).json()["entries"] == []


def test_files_are_reached_while_a_cell_runs(client: Client) -> None:
    sandbox = client.create()
    running = threading.Thread(
        target=lambda: client.run(sandbox, "import time\nwhile True: time.sleep(0.01)")
    )
    running.start()
    until(lambda: client.get("/v1/key").json()["running"] == 1, "the cell ran")
    try:
        assert (
            client.put(
                _path(sandbox, "/content"), params={"path": "meanwhile"}, content=b"x"
            ).status_code
            == 204
        )
        assert client.get(_path(sandbox, "/content"), params={"path": "meanwhile"}).content == b"x"
    finally:
        client.delete(f"/v1/sandboxes/{sandbox}")
        running.join(60)
