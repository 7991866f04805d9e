"""How much a key may have: at once, a second, and for how long. What is too much is refused, and
what was there goes on."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from ..serving import Served
from .asking import Client, code_of, until
from .conftest import KEYS


def _client(server: Served, name: str) -> Client:
    return Client(server.url, KEYS[name])


@pytest.fixture
def small(server: Served) -> Iterator[Client]:
    """Two sandboxes, one cell at once, one that waits."""
    with _client(server, "small") as client:
        yield client


def test_one_sandbox_more_than_the_key_may_have_is_refused(small: Client) -> None:
    first = small.create()
    small.create()
    answer = small.post("/v1/sandboxes")
    assert code_of(answer) == (429, "busy")
    assert int(answer.headers["retry-after"]) >= 1
    assert code_of(small.post(f"/v1/sandboxes/{first}/fork")) == (429, "busy")
    small.delete(f"/v1/sandboxes/{first}")
    small.create()


def test_snapshots_and_contexts_are_counted(small: Client) -> None:
    sandbox = small.create()
    kept = small.post(f"/v1/sandboxes/{sandbox}/snapshots").json()["id"]
    assert code_of(small.post(f"/v1/sandboxes/{sandbox}/snapshots")) == (429, "busy")
    assert small.delete(f"/v1/snapshots/{kept}").status_code == 204
    assert small.post(f"/v1/sandboxes/{sandbox}/contexts").status_code == 201
    assert code_of(small.post(f"/v1/sandboxes/{sandbox}/contexts")) == (429, "busy")


def test_cells_at_once_are_bounded_and_so_are_those_that_wait(small: Client) -> None:
    busy, other = small.create(), small.create()
    outcomes: list[int] = []
    lock = threading.Lock()

    def run(sandbox: str, code: str) -> None:
        status = small.post(f"/v1/sandboxes/{sandbox}/run", json={"code": code}).status_code
        with lock:
            outcomes.append(status)

    first = threading.Thread(target=run, args=(busy, "while True: pass"))
    first.start()
    until(lambda: small.get("/v1/key").json()["running"] == 1, "the first ran")
    second = threading.Thread(target=run, args=(other, "1"))
    second.start()
    until(lambda: small.get("/v1/key").json()["waiting"] == 1, "the second waited")
    answer = small.post(f"/v1/sandboxes/{other}/run", json={"code": "2"})
    assert code_of(answer) == (429, "busy")
    # A call counts as running shortly before its cell begins.
    until(
        lambda: small.post(f"/v1/sandboxes/{busy}/interrupt").json()["interrupted"],
        "the first was interrupted",
    )
    first.join(60)
    second.join(60)
    assert outcomes == [200, 200]


def test_a_flood_is_refused_and_answered_at_once(small: Client, server: Served) -> None:
    sandbox = small.create()
    statuses: list[int] = []
    lock = threading.Lock()

    def flood() -> None:
        with _client(server, "small") as client:
            for _ in range(10):
                status = client.post(
                    f"/v1/sandboxes/{sandbox}/run", json={"code": "sum(range(100_000))"}
                ).status_code
                with lock:
                    statuses.append(status)

    threads = [threading.Thread(target=flood) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert len(statuses) == 120
    assert {*statuses} == {200, 429}
    assert small.value(sandbox, "1") == 1


@pytest.mark.extended
def test_requests_a_second_are_bounded(server: Served) -> None:
    with _client(server, "slow") as client:
        until(lambda: client.get("/v1/key").status_code == 429, "the key was refused")
        answer = client.get("/v1/key")
        assert code_of(answer) == (429, "busy")
        assert int(answer.headers["retry-after"]) >= 1
        until(lambda: client.get("/v1/key").status_code == 200, "the key was let in again")


@pytest.mark.extended
def test_the_memory_of_all_sandboxes_is_bounded(server: Served) -> None:
    with _client(server, "slow") as client:
        until(lambda: client.post("/v1/sandboxes").status_code == 201, "one was made")
        answers = []
        until(
            lambda: (
                answers.append(client.post("/v1/sandboxes"))
                or "memory" in answers[-1].json()["message"]
            ),
            "the second was refused",
        )
        assert code_of(answers[-1]) == (429, "busy")


def test_a_sandbox_lives_no_longer_than_its_key_allows(server: Served) -> None:
    with _client(server, "brief") as client:
        made = client.post("/v1/sandboxes", json={"timeout_seconds": 10_000}).json()
        assert made["expires"] - made["created"] < 2
        until(lambda: client.get(f"/v1/sandboxes/{made['id']}").status_code == 404, "it was over")


@pytest.mark.extended
def test_a_sandbox_that_nobody_uses_ends(server: Served) -> None:
    with _client(server, "forgetful") as client:
        idle = client.create()
        until(lambda: idle not in client.get("/v1/sandboxes").text, "it was over")


def test_a_paused_sandbox_is_kept_for_a_while_only(server: Served) -> None:
    with _client(server, "forgetful") as client:
        sandbox = client.create()
        assert client.post(f"/v1/sandboxes/{sandbox}/pause").status_code == 200
        until(lambda: sandbox not in client.get("/v1/sandboxes").text, "it was over")
