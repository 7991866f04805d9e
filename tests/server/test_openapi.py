"""The OpenAPI document says what is served; whatever is sent, the server answers as it says, and
never fails."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, Phase, settings

from fumehood.executors.local import LocalPythonExecutor
from fumehood.server import docs_page, live, openapi
from fumehood.server.server import Server
from fumehood.server.settings import Settings

from ..serving import Served
from .asking import Client
from .conftest import KEYS

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")

DOCUMENT = openapi.document(live.OPERATIONS)
SCHEMA = schemathesis.openapi.from_dict(json.loads(json.dumps(DOCUMENT)))

# Paths that only part of the machine can serve.
LACKING = (
    () if hasattr(LocalPythonExecutor, "command") else ("/v1/sandboxes/{sandbox_id}/commands",)
)


def test_every_path_that_is_served_is_in_the_document_and_no_other() -> None:
    server = Server(Settings(log="none"))
    served = {
        (method, re.sub(r"\{(\w+):\w+\}", r"{\1}", route.path))
        for route in server.app._router.routes
        for method in getattr(route, "methods", ())
        if method != "HEAD" and route.endpoint.__module__ == "fumehood.server.table"
    }
    told = {
        (method.upper(), path) for path, methods in DOCUMENT["paths"].items() for method in methods
    }
    assert told == served
    assert len(told) == len(live.OPERATIONS)


def test_the_document_and_its_page_are_there_without_a_key(nobody: httpx.Client) -> None:
    answer = nobody.get("/openapi.json")
    assert answer.json() == json.loads(json.dumps(DOCUMENT))
    page = nobody.get("/docs")
    assert page.headers["content-type"].startswith("text/html")
    assert page.headers["content-security-policy"] == docs_page.POLICY


class _Reading(HTMLParser):
    """What a browser would fetch or run, and whether every element is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.ids: set[str] = set()
        self.targets: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        if (
            tag in ("script", "link", "img", "iframe", "object")
            or "src" in given
            or any(name.startswith("on") for name in given)
        ):
            self.fetched.append(tag)
        if given.get("id"):
            self.ids.add(str(given["id"]))
        if str(given.get("href", "")).startswith("#"):
            self.targets.add(str(given["href"])[1:])

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_page_fetches_nothing_runs_nothing_and_shows_every_operation() -> None:
    reading = _Reading()
    reading.feed(docs_page.page(DOCUMENT))
    assert reading.fetched == []
    assert reading.targets <= reading.ids
    for path, methods in DOCUMENT["paths"].items():
        assert path in reading.text
        assert all(operation["summary"] in reading.text for operation in methods.values())


def test_what_stands_in_the_document_is_text_on_the_page() -> None:
    forged = json.loads(json.dumps(DOCUMENT).replace("Run a cell", "<script>alert(1)</script>"))
    page = docs_page.page(forged)
    assert "<script>" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page


# -- whatever is sent


class _Target:
    """A sandbox that is there, whatever was done to the one before it."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._sandbox = ""
        self._context = ""
        self._snapshot = ""

    def __call__(self, name: str) -> str | None:
        """What to write in a path for one of its parts; None for whatever was made up."""
        if name == "sandbox_id":
            state = (
                self._client.get(f"/v1/sandboxes/{self._sandbox}").json().get("state")
                if self._sandbox
                else None
            )
            if state != "running":
                self._sandbox = self._client.create()
            return self._sandbox
        if name == "snapshot_id":
            return str(
                self._client.post(f"/v1/sandboxes/{self('sandbox_id')}/snapshots", json={})
                .json()
                .get("id")
            )
        return None


@pytest.fixture(scope="module")
def target(server: Served) -> Iterator[_Target]:
    with Client(server.url, KEYS["alice"]) as client:
        yield _Target(client)
        for kind in ("sandboxes", "snapshots"):
            for row in client.get(f"/v1/{kind}").json()[kind]:
                client.delete(f"/v1/{kind}/{row['id']}")


@pytest.mark.long
@SCHEMA.parametrize()
@settings(
    max_examples=5,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_whatever_is_sent_the_server_answers_as_it_says(
    case: Any, server: Served, target: _Target
) -> None:
    if case.operation.path in LACKING:
        pytest.skip("executors have no commands here")
    for name in case.path_parameters:
        case.path_parameters[name] = target(name) or case.path_parameters[name]
    if "wait_seconds" in (case.query or {}):
        case.query["wait_seconds"] = 0
    checks = schemathesis.checks
    answer = case.call(base_url=server.url, headers={"X-API-Key": KEYS["alice"]}, timeout=60)
    case.validate_response(
        answer,
        checks=[
            checks.not_a_server_error,
            schemathesis.specs.openapi.checks.status_code_conformance,
            schemathesis.specs.openapi.checks.content_type_conformance,
            schemathesis.specs.openapi.checks.response_schema_conformance,
        ],
    )
