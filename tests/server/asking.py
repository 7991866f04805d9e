"""A client of the native API, and what tests wait for."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import httpx

PATIENCE_SECONDS = 60.0


class Client(httpx.Client):
    """One tenant. Sandboxes that it has made end with it."""

    def __init__(self, url: str, key: str) -> None:
        super().__init__(base_url=url, headers={"X-API-Key": key}, timeout=60)
        self.made: list[str] = []

    def create(self, **body: Any) -> str:
        answer = self.post("/v1/sandboxes", json=body)
        assert answer.status_code == 201, answer.text
        sandbox: str = answer.json()["id"]
        self.made.append(sandbox)
        return sandbox

    def run(self, sandbox: str, code: str, **body: Any) -> dict[str, Any]:
        answer = self.post(f"/v1/sandboxes/{sandbox}/run", json={"code": code, **body})
        assert answer.status_code == 200, answer.text
        ran: dict[str, Any] = answer.json()
        return ran

    def value(self, sandbox: str, code: str, **body: Any) -> Any:
        ran = self.run(sandbox, code, **body)
        assert ran["error"] is None, ran["error"]
        return ran["value"]

    def close(self) -> None:
        for sandbox in self.made:
            self.delete(f"/v1/sandboxes/{sandbox}")
        super().close()

    def __exit__(self, *exc: Any) -> None:
        self.close()


def until(is_so: Callable[[], Any], what: str) -> None:
    """Wait for something that will be so."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not is_so():
        assert time.monotonic() < end, f"waited in vain until {what}"
        time.sleep(0.05)


def code_of(answer: httpx.Response) -> tuple[int, str]:
    """Status and code of a refusal, which has the body that refusals have."""
    body = answer.json()
    assert body.keys() == {"code", "error", "message"}
    assert body["code"] == answer.status_code
    assert body["message"]
    assert "\n" not in body["message"]
    return answer.status_code, body["error"]
