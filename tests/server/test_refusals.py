"""What an error means to a client: whose fault it is, and whether to come back."""

from __future__ import annotations

import errno
import resource
from pathlib import Path

import pytest

from fumehood.errors import JailUnavailable, NoRoom, SandboxFailed
from fumehood.server import refusals

from ..serving import Served
from .asking import Client, code_of


@pytest.mark.parametrize(
    "error",
    [
        NoRoom("no process more"),
        JailUnavailable("no jail"),
        OSError(errno.EMFILE, "Too many open files"),
        OSError(errno.ENFILE, "Full"),
    ],
    ids=str,
)
def test_want_of_room_is_503_with_the_time_to_come_back(error: Exception) -> None:
    refusal = refusals.of(error)
    assert refusal is not None
    assert refusal.status == 503
    assert int(refusal.headers()["retry-after"]) >= 1


def test_a_sandbox_that_failed_is_a_conflict_and_not_want_of_room() -> None:
    refusal = refusals.of(SandboxFailed("the sandbox died"))
    assert refusal is not None
    assert refusal.status == 409
    assert "retry-after" not in refusal.headers()


def test_a_server_without_descriptors_says_when_to_come_back_and_serves_when_there_are_some(
    server: Served, client: Client
) -> None:
    kept = client.create()  # by a connection that is open then
    pid = server.process.pid
    before = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    in_use = len([*Path(f"/proc/{pid}/fd").iterdir()])
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (in_use + 2, before[1]))
    try:
        answers = [client.post("/v1/sandboxes"), client.post(f"/v1/sandboxes/{kept}/fork")]
    finally:
        resource.prlimit(pid, resource.RLIMIT_NOFILE, before)
    for answer in answers:
        assert code_of(answer) == (503, "unavailable")
        assert int(answer.headers["retry-after"]) >= 1
    assert "close some, or raise its limit" in answers[0].json()["message"]
    assert client.value(kept, "20 + 22") == 42
    assert client.value(client.create(), "20 + 22") == 42


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("files/entry?path=none/at/all", 404, "there is nothing at 'none/at/all'"),
        ("variables/nothing", 404, "there is no variable 'nothing'"),
        (
            "variables/x?context=gone",
            404,
            "there is no context 'gone' in this sandbox, or not any more",
        ),
    ],
)
def test_what_is_not_there_is_named(client: Client, path: str, status: int, said: str) -> None:
    answer = client.get(f"/v1/sandboxes/{client.create()}/{path}")
    assert (answer.status_code, answer.json()["message"]) == (status, said)
