"""Nobody reaches another's sandbox: not with another key, not with another token, not with none,
not by a name."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest
from e2b import SandboxException, SandboxNotFoundException
from e2b_code_interpreter import Sandbox

from .service import KEYS, Service

# What there is to ask of a sandbox: method, path, body.
OF_SANDBOX: list[tuple[str, str, bytes]] = [
    ("GET", "/health", b""),
    ("POST", "/execute", b'{"code": "1"}'),
    ("POST", "/contexts", b"{}"),
    ("GET", "/contexts", b""),
    ("DELETE", "/contexts/default", b""),
    ("POST", "/contexts/default/restart", b""),
    ("GET", "/files?path=secret.txt", b""),
    ("POST", "/files?path=secret.txt", b"x"),
    *(
        ("POST", f"/filesystem.Filesystem/{name}", b'{"path": "secret.txt"}')
        for name in ("Stat", "ListDir", "MakeDir", "Remove", "CreateWatcher")
    ),
    ("POST", "/filesystem.Filesystem/Move", b'{"source": "secret.txt", "destination": "x"}'),
    ("POST", "/filesystem.Filesystem/WatchDir", b'\0\0\0\0\x0c{"path": ""}'),
    *(
        ("POST", f"/process.Process/{name}", b"{}")
        for name in ("List", "SendSignal", "SendInput", "CloseStdin", "Update")
    ),
    *(
        ("POST", f"/process.Process/{name}", b"\0\0\0\0\2{}")
        for name in ("Start", "Connect", "StreamInput")
    ),
]
OF_SERVER: list[tuple[str, str]] = [
    ("GET", ""),
    ("DELETE", ""),
    ("POST", "/timeout"),
    ("POST", "/refreshes"),
    ("POST", "/connect"),
    ("POST", "/pause"),
    ("POST", "/resume"),
    ("POST", "/fork"),
    ("POST", "/snapshots"),
    ("GET", "/metrics"),
    ("PUT", "/network"),
]
NOBODYS = "0123456789abcdefghijklmno"


@pytest.fixture(scope="module")
def theirs(service: Service) -> Iterator[Sandbox]:
    sandbox = Sandbox.create(**service.options())
    sandbox.files.write("secret.txt", "a secret")
    sandbox.run_code("secret = 'a secret'")
    yield sandbox
    assert (
        sandbox.files.read("secret.txt") == "a secret"
        and sandbox.run_code("secret").text == "a secret"
    )
    sandbox.kill()


@pytest.fixture(scope="module")
def own(service: Service) -> Iterator[Sandbox]:
    """Another key's."""
    sandbox = Sandbox.create(**service.options("second"))
    yield sandbox
    sandbox.kill()


_client = httpx.Client(timeout=60)


def _ask(
    service: Service, method: str, path: str, body: bytes, headers: dict[str, str]
) -> httpx.Response:
    kind = "application/connect+json" if body[:1] == b"\0" else "application/json"
    return _client.request(
        method,
        f"{service.served.url}{path}",
        content=body,
        headers={"content-type": kind, **headers},
    )


@pytest.mark.parametrize(("method", "path", "body"), OF_SANDBOX)
def test_a_sandbox_answers_nobody_else_and_as_if_it_were_not_there(
    service: Service, theirs: Sandbox, own: Sandbox, method: str, path: str, body: bytes
) -> None:
    shown = {
        "another sandbox's token": {"X-Access-Token": own._envd_access_token or ""},
        "another key": {"X-API-Key": KEYS["second"]},
        "a guess": {"X-Access-Token": "guess", "E2B-Traffic-Access-Token": "guess"},
    }
    for headers in shown.values():
        there = _ask(service, method, path, body, {"E2b-Sandbox-Id": theirs.sandbox_id, **headers})
        never = _ask(service, method, path, body, {"E2b-Sandbox-Id": NOBODYS, **headers})
        assert there.status_code == never.status_code == 502
        assert there.text.replace(theirs.sandbox_id, "") == never.text.replace(NOBODYS, "")


@pytest.mark.parametrize(("method", "path", "body"), [OF_SANDBOX[0], OF_SANDBOX[1], OF_SANDBOX[-3]])
def test_without_a_token_nobody_learns_whether_a_sandbox_is_there(
    service: Service, theirs: Sandbox, method: str, path: str, body: bytes
) -> None:
    answers = [
        _ask(service, method, path, body, {"E2b-Sandbox-Id": sandbox_id})
        for sandbox_id in (theirs.sandbox_id, NOBODYS)
    ]
    assert [answer.status_code for answer in answers] == [401, 401] and answers[
        0
    ].content == answers[1].content


@pytest.mark.parametrize(("method", "path"), OF_SERVER)
def test_a_key_finds_its_own_sandboxes_only(
    service: Service, theirs: Sandbox, method: str, path: str
) -> None:
    answers = [
        _ask(service, method, f"/sandboxes/{sandbox_id}{path}", b"", {"X-API-Key": KEYS["second"]})
        for sandbox_id in (theirs.sandbox_id, NOBODYS)
    ]
    assert [answer.status_code for answer in answers] == [404, 404]
    assert answers[0].content == answers[1].content


def test_the_control_api_needs_a_key(service: Service, theirs: Sandbox) -> None:
    assert _ask(service, "GET", f"/sandboxes/{theirs.sandbox_id}", b"", {}).status_code == 401
    assert _ask(service, "POST", "/sandboxes", b"{}", {}).status_code == 401


def test_lists_and_snapshots_show_a_keys_own_only(service: Service, theirs: Sandbox) -> None:
    options = service.options("second")
    snapshot = theirs.create_snapshot(name="theirs")
    try:
        assert theirs.sandbox_id not in {
            info.sandbox_id for info in Sandbox.list(**options).next_items()
        }
        assert Sandbox.list_snapshots(**options).next_items() == []
        assert Sandbox.delete_snapshot(snapshot.snapshot_id, **options) is False
        for template in (snapshot.snapshot_id, "theirs", "guarded"):
            with pytest.raises(SandboxException, match="there is no template"):
                Sandbox.create(template, **options)
        with pytest.raises(SandboxNotFoundException):
            Sandbox.connect(theirs.sandbox_id, **options)
        assert Sandbox.kill(theirs.sandbox_id, **options) is False
    finally:
        theirs.delete_snapshot(snapshot.snapshot_id, **service.options())


def test_the_token_for_traffic_opens_the_notebook_and_no_file(
    service: Service, theirs: Sandbox
) -> None:
    headers = {
        "E2b-Sandbox-Id": theirs.sandbox_id,
        "E2B-Traffic-Access-Token": theirs.traffic_access_token or "",
    }
    assert _ask(service, "GET", "/contexts", b"", headers).status_code == 200
    assert _ask(service, "GET", "/files?path=secret.txt", b"", headers).status_code == 401
    assert _ask(service, "POST", "/process.Process/List", b"{}", headers).status_code == 401


def test_a_sandbox_is_also_found_by_the_name_of_its_host(service: Service, theirs: Sandbox) -> None:
    headers = {
        "Host": f"49983-{theirs.sandbox_id}.sandboxes.example",
        "X-Access-Token": theirs._envd_access_token or "",
    }
    assert _ask(service, "GET", "/files?path=secret.txt", b"", headers).text == "a secret"
