"""Who may reach what: keys, other people's ids, and what a server without keys answers to."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from ..serving import Served, served
from .asking import Client, code_of, until
from .conftest import KEYS

_ALL = [
    ("GET", ""),
    ("DELETE", ""),
    ("POST", "/run"),
    ("POST", "/interrupt"),
    ("GET", "/variables"),
    ("PUT", "/variables"),
    ("GET", "/variables/x"),
    ("DELETE", "/variables/x"),
    ("POST", "/commands"),
    ("POST", "/install"),
    ("PUT", "/timeout"),
    ("POST", "/pause"),
    ("POST", "/resume"),
    ("POST", "/fork"),
    ("POST", "/contexts"),
    ("GET", "/contexts"),
    ("DELETE", "/contexts/x"),
    ("GET", "/files"),
    ("GET", "/files/content?path=x"),
    ("PUT", "/files/content?path=x"),
    ("GET", "/files/entry?path=x"),
    ("DELETE", "/files?path=x"),
    ("POST", "/files/directory"),
    ("POST", "/files/rename"),
    ("POST", "/snapshots"),
    ("POST", "/restore"),
]


def test_the_rows_above_are_all_that_there_is_under_a_sandbox() -> None:
    from fumehood.server.table import OPERATIONS

    prefix = "/v1/sandboxes/{sandbox_id}"
    known = {
        (
            row.method,
            row.path.removeprefix(prefix).replace("{name}", "x").replace("{context_id}", "x"),
        )
        for row in OPERATIONS
        if row.path.startswith(prefix)
    }
    assert known == {(method, path.partition("?")[0]) for method, path in _ALL}


@pytest.mark.parametrize("operation", _ALL, ids=" ".join)
def test_a_sandbox_of_another_key_is_answered_as_one_that_never_was(
    client: Client, other: Client, operation: tuple[str, str]
) -> None:
    verb, path = operation
    sandbox = client.create()
    theirs = other.request(verb, f"/v1/sandboxes/{sandbox}{path}")
    never = other.request(verb, f"/v1/sandboxes/{'a' * len(sandbox)}{path}")
    assert code_of(theirs) == (404, "not_found")
    assert theirs.content == never.content
    assert {*theirs.headers} == {*never.headers}
    assert client.value(sandbox, "1") == 1


def test_a_snapshot_of_another_key_is_not_there(client: Client, other: Client) -> None:
    kept = client.post(f"/v1/sandboxes/{client.create()}/snapshots").json()["id"]
    assert code_of(other.post("/v1/sandboxes", json={"snapshot": kept})) == (404, "not_found")
    assert code_of(
        other.post(f"/v1/sandboxes/{other.create()}/restore", json={"snapshot": kept})
    ) == (404, "not_found")
    assert code_of(other.delete(f"/v1/snapshots/{kept}")) == (404, "not_found")
    assert kept not in other.get("/v1/snapshots").text
    assert client.delete(f"/v1/snapshots/{kept}").status_code == 204


def test_a_key_sees_its_own_sandboxes_only(client: Client, other: Client) -> None:
    mine, theirs = client.create(), other.create()
    listed = client.get("/v1/sandboxes").text
    assert mine in listed
    assert theirs not in listed


def test_ids_are_long_random_and_plain(client: Client) -> None:
    ids = [client.create() for _ in range(5)]
    assert len({*ids}) == 5
    for one in ids:
        assert len(one) >= 20
        assert one.isalnum()
        assert one == one.lower()


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": f"Bearer {KEYS['alice']}"},
        {"X-API-Key": KEYS["alice"]},
        {"authorization": f"bearer {KEYS['alice']}"},
    ],
)
def test_a_key_is_taken_in_either_header(nobody: httpx.Client, headers: dict[str, str]) -> None:
    assert nobody.get("/v1/key", headers=headers).json()["name"] == "alice"


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"X-API-Key": ""},
        {"X-API-Key": KEYS["alice"][:-1]},
        {"X-API-Key": KEYS["alice"] + "x"},
        {"X-API-Key": KEYS["alice"].upper()},
        {"X-API-Key": "x" * 5000},
        {"Authorization": KEYS["alice"]},
        {"Authorization": f"Basic {KEYS['alice']}"},
        {"Authorization": "Bearer"},
    ],
    ids=str,
)
def test_who_has_no_key_is_told_so_and_nothing_else(
    nobody: httpx.Client, headers: dict[str, str]
) -> None:
    answer = nobody.get("/v1/sandboxes", headers=headers)
    assert code_of(answer) in [(401, "not_allowed"), (429, "busy")]
    assert "alice" not in answer.text


def test_two_keys_in_one_request_are_one_too_many(nobody: httpx.Client) -> None:
    answer = nobody.get(
        "/v1/key", headers=[("X-API-Key", KEYS["alice"]), ("X-API-Key", KEYS["bob"])]
    )
    assert code_of(answer) == (400, "invalid")


def test_a_path_that_is_not_there_needs_no_key_to_be_told_so(nobody: httpx.Client) -> None:
    assert code_of(nobody.get("/v1/nothing")) == (404, "not_found")
    assert nobody.get("/health").json() == {"status": "ok"}
    until(lambda: nobody.get("/ready").status_code == 200, "the server was ready")


def test_a_wrong_method_is_told_which_ones_are_right(client: Client) -> None:
    answer = client.patch("/v1/sandboxes")
    assert code_of(answer) == (405, "wrong_method")
    assert {"GET", "POST"} <= {*answer.headers["allow"].split(", ")}


def test_only_a_key_that_may_install_may_install(client: Client) -> None:
    answer = client.post(f"/v1/sandboxes/{client.create()}/install", json={"packages": ["six"]})
    assert code_of(answer) == (403, "forbidden")


@pytest.mark.parametrize(
    "package",
    [
        "/etc/x.whl",
        "x.whl",
        "x.whl\n",
        "../x",
        "http://example.org/x",
        "x @ file:///y",
        "-r x",
        "x;y",
        "",
        "x\ny",
    ],
)
def test_a_client_names_packages_and_no_files_or_addresses(
    open_server: Served, package: str
) -> None:
    with Client(open_server.url, "any") as client:
        answer = client.post(
            f"/v1/sandboxes/{client.create()}/install", json={"packages": [package]}
        )
        assert code_of(answer) == (400, "invalid")
        assert not package or "is no name of a package" in answer.json()["message"]


def test_answers_keep_browsers_from_making_more_of_them(client: Client) -> None:
    headers = client.get("/v1/key").headers
    assert headers["x-content-type-options"] == "nosniff"
    assert "default-src 'none'" in headers["content-security-policy"]
    assert headers["cache-control"] == "no-store"
    assert not [name for name in headers if name.startswith("access-control")]
    assert headers["x-request-id"]


# -- the access log


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def test_the_access_log_has_names_and_no_secrets(
    client: Client, nobody: httpx.Client, access_log: Path
) -> None:
    sandbox = client.create()
    answer = client.get(f"/v1/sandboxes/{sandbox}/files/content", params={"path": "secret-name"})
    request = answer.headers["x-request-id"]
    until(
        lambda: any(line["request"] == request for line in _lines(access_log)),
        "the line was written",
    )
    (line,) = (line for line in _lines(access_log) if line["request"] == request)
    assert (line["key"], line["method"], line["sandbox"], line["status"]) == (
        "alice",
        "GET",
        sandbox,
        404,
    )
    assert line["route"] == "/v1/sandboxes/{sandbox_id}/files/content"
    assert line["refused"] == "not_found"
    text = access_log.read_text()
    assert "secret-name" not in text
    assert not [key for key in KEYS.values() if key in text]


def test_nobody_can_write_a_line_of_the_access_log(nobody: httpx.Client, access_log: Path) -> None:
    forged = '"}\n{"time":"forged"}\r\n\u2028'
    answer = nobody.get("/" + quote(forged))
    request = answer.headers["x-request-id"]
    until(
        lambda: any(line["request"] == request for line in _lines(access_log)),
        "the line was written",
    )
    (line,) = (line for line in _lines(access_log) if line["request"] == request)
    assert line["path"] == "/" + quote(forged)
    assert len(access_log.read_text().splitlines()) == access_log.read_bytes().count(b"\n")
    assert not [line for line in _lines(access_log) if line.get("time") == "forged"]


# -- without keys


@pytest.fixture(scope="module")
def open_server(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with served(tmp_path_factory.mktemp("open")) as running:
        yield running


def test_a_server_without_keys_says_so_and_lets_this_machine_in(open_server: Served) -> None:
    assert "no key" in open_server.stderr.read_text()
    with Client(open_server.url, "any key at all".replace(" ", "-")) as client:
        assert client.value(client.create(), "1 + 1") == 2


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "127.0.0.1.evil.example"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
    ],
    ids=str,
)
def test_a_page_in_a_browser_cannot_ask_a_server_without_keys(
    open_server: Served, headers: dict[str, str]
) -> None:
    answer = httpx.post(f"{open_server.url}/v1/sandboxes", headers=headers, timeout=60)
    assert code_of(answer) == (403, "forbidden")


def test_refused_keys_from_one_address_are_not_answered_without_end(
    open_server: Served, server: Served
) -> None:
    with httpx.Client(base_url=server.url, timeout=60) as stranger:
        until(
            lambda: stranger.get("/v1/key", headers={"X-API-Key": "wrong"}).status_code == 429,
            "the address was refused",
        )
        assert (
            int(stranger.get("/v1/key", headers={"X-API-Key": "wrong"}).headers["retry-after"]) >= 1
        )
        assert stranger.get("/v1/key", headers={"X-API-Key": KEYS["bob"]}).status_code == 200, (
            "a key that is known is let in all the same"
        )


def test_many_tenants_at_once_see_their_own_values_only(server: Served) -> None:
    wrong: list[Any] = []

    def tenant(name: str) -> None:
        with Client(server.url, KEYS[name]) as client:
            sandbox = client.create()
            for number in range(20):
                client.run(sandbox, f"x = ('{name}', {number})")
                if client.value(sandbox, "x[0]") != name:
                    wrong.append(name)

    threads = [threading.Thread(target=tenant, args=(name,)) for name in ("alice", "bob") * 3]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert wrong == []
