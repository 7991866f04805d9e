"""Server: the parts put together, as one ASGI application."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from starlette.applications import Starlette
from starlette.requests import HTTPConnection
from starlette.routing import BaseRoute

from fumehood.server import table
from fumehood.server.keys import Key, Keys
from fumehood.server.refusals import Busy, NotAllowed
from fumehood.server.sandboxes import Sandboxes
from fumehood.server.settings import Settings
from fumehood.server.threads import Threads
from fumehood.server.watching import Watcher


class Server:
    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self.keys = Keys(self.settings)
        self.metrics: Watcher = _optional("metrics").Metrics(self) if _has("metrics") else Watcher()
        self.threads = Threads(self.settings.threads)
        self.sandboxes = Sandboxes(self.threads, self.settings.max_sandboxes, self.metrics)
        self.state = "starting"
        """"starting", "ready" or "closing"."""
        self.live: ModuleType | None = _optional("live") if _has("live") else None
        self.e2b: ModuleType | None = _optional("e2b.routes") if _has("e2b") else None
        routes: list[BaseRoute] = table.routes(self)
        for part in (self.live, self.e2b):
            if part is not None:
                routes += part.routes(self)
        self.app: Any = Starlette(routes=routes, lifespan=self._lifespan)

    @contextlib.asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        self.state = "ready"
        yield
        self.state = "closing"

    def key_of(self, request: HTTPConnection) -> Key:
        """Whose request this is. NotAllowed if it came without a key; the gate has looked at the key already."""
        key: Key | None = request.scope.get("fumehood.key")
        if key is None:
            raise NotAllowed("a key is needed: send it as `Authorization: Bearer KEY` or `X-API-Key: KEY`")
        return key

    def admit(self, request: HTTPConnection, key: Key, sandbox_id: str = "") -> None:
        """Count a request that proved by other means than the key, such as a sandbox's token, that it is this key's."""
        request.scope["fumehood.key"] = key
        request.scope["fumehood.sandbox"] = sandbox_id
        wait = key.bucket.take()
        if wait:
            raise Busy(f"this key may send {key.quotas.requests_per_second:g} requests a second", retry_after=wait)


def _has(name: str) -> bool:
    return find_spec(f"fumehood.server.{name}") is not None


def _optional(name: str) -> ModuleType:
    return import_module(f"fumehood.server.{name}")
