"""A sandbox of a server, by its native API, in the words of an executor: as much of one as a soak
needs."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import httpx

from fumehood import SandboxFailed
from fumehood.results import Execution

_NOT_FOUND = 404


class ServedExecutor:
    """One sandbox. What the server refuses is SandboxFailed. The client is whoever's that made
    it."""

    def __init__(self, client: httpx.Client, sandbox: str | None = None) -> None:
        self._client = client
        self.sandbox: str = sandbox or self._ask("POST", "/v1/sandboxes", {})["id"]
        self.files = SimpleNamespace(write=self._write, read=self._read)

    def _ask(self, method: str, path: str, body: Any = None) -> Any:
        answer = _checked(self._client.request(method, path, json=body))
        return answer.json() if answer.content else None

    def _here(self, method: str, path: str, body: Any = None) -> Any:
        return self._ask(method, f"/v1/sandboxes/{self.sandbox}{path}", body)

    def run(self, code: str) -> Execution:
        body = self._here("POST", "/run", {"code": code})
        error = body["error"] and SimpleNamespace(**body["error"])
        return SimpleNamespace(  # type: ignore[return-value]
            value=body["value"],
            logs=body["logs"],
            error=error,
            fault=body["fault"],
            ok=error is None,
        )

    def interrupt(self) -> bool:
        return bool(self._here("POST", "/interrupt")["interrupted"])

    def _write(self, path: str, content: bytes) -> None:
        _checked(
            self._client.put(
                f"/v1/sandboxes/{self.sandbox}/files/content",
                params={"path": path},
                content=content,
            )
        )

    def _read(self, path: str) -> bytes:
        return _checked(
            self._client.get(f"/v1/sandboxes/{self.sandbox}/files/content", params={"path": path})
        ).content

    def snapshot(self) -> Any:
        number = self._here("POST", "/snapshots", {"name": "soak"})["id"]
        return SimpleNamespace(
            id=number, discard=lambda: self._ask("DELETE", f"/v1/snapshots/{number}")
        )

    def restore(self, snapshot: Any) -> None:
        self._here("POST", "/restore", {"snapshot": snapshot.id})

    def fork(self) -> ServedExecutor:
        (made,) = self._here("POST", "/fork", {"number": 1})["sandboxes"]
        return ServedExecutor(self._client, made["id"])

    def close(self) -> None:
        answer = self._client.delete(f"/v1/sandboxes/{self.sandbox}")
        if answer.is_error and answer.status_code != _NOT_FOUND:
            raise SandboxFailed(answer.text)


def _checked(answer: httpx.Response) -> httpx.Response:
    if answer.is_error:
        raise SandboxFailed(f"HTTP {answer.status_code}: {answer.json()['message']}")
    return answer
