"""Two tenants on one server: whatever one of them uses up, the other is served."""

from __future__ import annotations

import resource
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import httpx
import pytest

from fumehood.server.keys import digest
from fumehood.server.refusals import Busy
from fumehood.server.settings import KeySettings, Settings
from fumehood.server.shares import Held, Share, Shares
from tests.server.asking import Client, code_of, until
from tests.serving import Served, served

ONE, OTHER = "one" * 8, "other" * 5
DESCRIPTORS = 256
MOST = 400
"""More than there can be of anything here."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    def lower() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (DESCRIPTORS, DESCRIPTORS))

    directory = tmp_path_factory.mktemp("server")
    config = directory / "server.toml"
    config.write_text("threads = 8\n[quotas]\ncells = 40\nsnapshots = 400\n")
    with served(
        directory, "--config", str(config), keys=[ONE, OTHER], before_exec=lower
    ) as running:
        yield running


@pytest.fixture
def greedy(server: Served) -> Iterator[Client]:
    with Client(server.url, ONE) as client:
        yield client


@pytest.fixture
def victim(server: Served) -> Iterator[Client]:
    with Client(server.url, OTHER) as client:
        yield client


def is_served(server: Served, victim: Client) -> bool:
    """The other tenant can do everything: connect, make a sandbox, run, fork, keep, upload, end."""
    assert httpx.get(f"{server.url}/health", timeout=60).status_code == 200
    with Client(server.url, OTHER) as fresh:
        sandbox = fresh.create()
        assert fresh.value(sandbox, "6 * 7") == 42
        forked = fresh.post(f"/v1/sandboxes/{sandbox}/fork", json={})
        assert forked.status_code == 201, forked.text
        fresh.made.append(forked.json()["sandboxes"][0]["id"])
        kept = fresh.post(f"/v1/sandboxes/{sandbox}/snapshots", json={})
        assert kept.status_code == 201, kept.text
        assert fresh.delete(f"/v1/snapshots/{kept.json()['id']}").status_code == 204
        path = f"/v1/sandboxes/{sandbox}/files/content?path=x"
        assert fresh.put(path, content=bytes(2 << 20)).status_code == 204
    return True


def refused(answers: list[httpx.Response]) -> httpx.Response:
    """The first answer that is a refusal, which names the quota."""
    found = next(answer for answer in answers if answer.status_code >= 400)
    assert code_of(found) == (429, "busy")
    assert "quota" in found.json()["message"]
    return found


def test_one_tenants_sandboxes(server: Served, greedy: Client, victim: Client) -> None:
    answers: list[httpx.Response] = []
    while not answers or answers[-1].status_code == 201:
        assert len(answers) < MOST
        answers.append(greedy.post("/v1/sandboxes", json={}))
        if answers[-1].status_code == 201:
            greedy.made.append(answers[-1].json()["id"])
    message = refused(answers).json()["message"]
    assert message.startswith("descriptors quota: this key uses ")
    assert "close sandboxes, snapshots or connections" in message
    assert is_served(server, victim)
    # what was given up can be had again
    greedy.delete(f"/v1/sandboxes/{greedy.made.pop()}")
    greedy.create()


def test_one_tenants_snapshots(server: Served, greedy: Client, victim: Client) -> None:
    sandbox = greedy.create()
    answers: list[httpx.Response] = []
    while not answers or answers[-1].status_code == 201:
        assert len(answers) < MOST
        answers.append(greedy.post(f"/v1/sandboxes/{sandbox}/snapshots", json={}))
    refused(answers)
    assert is_served(server, victim)
    for kept in greedy.get("/v1/snapshots").json()["snapshots"]:
        assert greedy.delete(f"/v1/snapshots/{kept['id']}").status_code == 204
    greedy.create()


def test_one_tenants_forks(server: Served, greedy: Client, victim: Client) -> None:
    sandbox = greedy.create()
    answers: list[httpx.Response] = []
    while not answers or answers[-1].status_code == 201:
        assert len(answers) < MOST
        answers.append(greedy.post(f"/v1/sandboxes/{sandbox}/fork", json={"number": 4}))
        if answers[-1].status_code == 201:
            greedy.made += [made["id"] for made in answers[-1].json()["sandboxes"]]
    refused(answers)
    assert is_served(server, victim)


def test_one_tenants_connections(server: Served, greedy: Client, victim: Client) -> None:
    head = f"GET /v1/key HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {ONE}\r\n\r\n".encode()
    with ExitStack() as held:
        statuses: list[bytes] = []
        for _ in range(MOST):
            line = held.enter_context(socket.create_connection(("127.0.0.1", server.port), 60))
            line.sendall(head)
            statuses.append(line.recv(12)[9:])
            if statuses[-1] == b"429":
                break
        assert statuses[-1] == b"429"
        assert is_served(server, victim)
    until(lambda: greedy.get("/v1/key").status_code == 200, "its connections have ended")


def test_connections_without_a_key(server: Served, victim: Client) -> None:
    with ExitStack() as held:
        for number in range(200):
            line = held.enter_context(socket.create_connection(("127.0.0.1", server.port), 60))
            line.sendall(b"GET /v1/key HTTP/1.1\r\nHost: local" if number % 2 else b"")
        assert is_served(server, victim)
        assert victim.get("/v1/key").status_code == 200


@pytest.mark.extended
def test_one_tenants_calls_that_do_not_end(server: Served, greedy: Client, victim: Client) -> None:
    sandboxes = [greedy.create() for _ in range(10)]
    code = "import time\ntime.sleep(600)"

    def block(sandbox: str) -> Any:
        with httpx.Client(timeout=120) as client:
            return client.post(
                f"{server.url}/v1/sandboxes/{sandbox}/run",
                json={"code": code, "timeout_seconds": 25},
                headers={"X-API-Key": ONE},
            )

    with ThreadPoolExecutor(10) as threads:
        running = [threads.submit(block, sandbox) for sandbox in sandboxes]
        until(lambda: greedy.get("/v1/key").json()["running"] >= 6, "its calls run")
        assert is_served(server, victim)
        key = greedy.get("/v1/key").json()
        assert key["running"] + key["waiting"] == 10  # nothing has ended: they still block
        for sandbox in sandboxes:
            greedy.post(f"/v1/sandboxes/{sandbox}/interrupt")
        for blocked in running:
            blocked.result(120)


def test_one_tenants_uploads(server: Served, greedy: Client, victim: Client) -> None:
    sandbox = greedy.create()
    head = (
        f"PUT /v1/sandboxes/{sandbox}/files/content?path=x HTTP/1.1\r\nHost: localhost\r\n"
        f"X-API-Key: {ONE}\r\nContent-Length: 3000000\r\n\r\n"
    ).encode()
    with ExitStack() as held:
        for _ in range(120):
            line = held.enter_context(socket.create_connection(("127.0.0.1", server.port), 60))
            line.settimeout(60)
            try:
                line.sendall(head + bytes(1_500_000))  # the rest does not come
            except OSError:
                break  # refused
        assert is_served(server, victim)


# -- the numbers


def test_a_key_alone_can_use_more_than_half_and_leaves_the_others_their_part() -> None:
    share = Share("things", 100, 2, "give some back")
    share.take("one", 75)
    assert not share.allows("one")
    share.take("other", 25)
    assert not share.allows("other")
    share.give_back("one", 50)
    share.take("other", 50)
    with pytest.raises(Busy, match=r"things quota: this key uses 75 .* give some back"):
        share.take("other", 1)


def test_without_other_keys_everything_can_be_used() -> None:
    share = Share("things", 10, 1, "")
    share.take("one", 10)
    assert not share.allows("one")


def test_what_is_refused_in_part_is_not_held_at_all() -> None:
    many, few = Share("many", 100, 1, ""), Share("few", 1, 1, "")
    with pytest.raises(Busy, match="few quota"):
        Held("one", (many, 5), (few, 2))
    assert many.used("one") == 0
    held = Held("one", (many, 5), (few, 1))
    held.release()
    held.release()
    assert (many.used("one"), few.used("one")) == (0, 0)


def test_processes_are_divided_too() -> None:
    keys = tuple(KeySettings(name, digest(name)) for name in ("one", "other"))
    shares = Shares(Settings(keys=keys))
    processes = shares.processes.total // 8
    for _ in range(5):
        shares.sandbox("one", processes)
    with pytest.raises(Busy, match="processes quota"):
        shares.sandbox("one", processes)
    shares.sandbox("other", processes)
