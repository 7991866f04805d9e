"""Server: the parts put together, as one ASGI application, with a beginning and an end."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, MutableMapping
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Literal

from starlette.requests import HTTPConnection
from starlette.routing import BaseRoute

from fumehood.executors.connection import Connection
from fumehood.executors.local import LocalPythonExecutor
from fumehood.policy import Policy
from fumehood.server import table
from fumehood.server.access_log import AccessLog
from fumehood.server.connections import Connections
from fumehood.server.gate import Gate
from fumehood.server.keys import Key, Keys
from fumehood.server.lifetimes import Lifetimes
from fumehood.server.refusals import Busy, NotAllowed
from fumehood.server.routing import ByFirstPart
from fumehood.server.sandboxes import Sandboxes
from fumehood.server.settings import Settings
from fumehood.server.shares import Shares
from fumehood.server.threads import Threads
from fumehood.server.watching import Watcher

_INTERRUPTED_SECONDS = 3.0
"""So long a cell that was interrupted may take to end, before its sandbox is killed."""


class Server:
    """`app` is to be served; its lifespan starts and ends everything."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self.keys = Keys(self.settings)
        self.metrics: Watcher = (
            _part("metrics").Metrics(self) if _is_there("metrics") else Watcher()
        )
        self.shares = Shares(self.settings)
        self.connections = Connections(self.settings, self.shares)
        self.threads = Threads(self.settings.threads, self.shares.threads)
        self.sandboxes = Sandboxes(
            self.threads, self.settings.max_sandboxes, self.metrics, self.shares
        )
        self.state: Literal["starting", "ready", "closing"] = "starting"
        self.began = time.time()
        self.live: ModuleType | None = _part("live") if _is_there("live") else None
        """The native API's live half; its `stream` answers runs with events."""
        self.e2b: ModuleType | None = _part("e2b.routes") if _is_there("e2b") else None
        """The E2B-compatible surface."""
        self._log = AccessLog(None if self.settings.log == "none" else self.settings.log)
        routes: list[BaseRoute] = [] if self.e2b is None else self.e2b.first_routes(self)
        routes += table.routes(self)
        for part in (self.live, self.e2b):
            if part is not None:
                routes += part.routes(self)
        self._router = ByFirstPart(routes, lifespan=self._lifespan)
        self.app = Gate(self, self._router, self._log)
        self._warming: asyncio.Task[None] | None = None
        self._is_warm = False
        """Whether the first of the policies has been tried."""
        self._lifetimes = Lifetimes(self.sandboxes)

    # -- requests

    def key_of(self, request: HTTPConnection) -> Key:
        """Whose request this is. NotAllowed if it came without a key; one that is not known the
        gate has refused already."""
        key: Key | None = request.scope.get("fumehood.key")
        if key is None:
            raise NotAllowed(
                "a key is needed: send it as `Authorization: Bearer KEY` or `X-API-Key: KEY`"
            )
        return key

    def admit(self, request: HTTPConnection, key: Key, sandbox_id: str = "") -> None:
        """Count a request that proved by other means than the key, such as a sandbox's token, that
        it is this key's."""
        request.scope["fumehood.sandbox"] = sandbox_id
        if request.scope.get("fumehood.key") is not key:
            self.admit_key(request.scope, key)

    def admit_key(self, scope: MutableMapping[str, Any], key: Key) -> None:
        scope["fumehood.key"] = key
        wait = key.bucket.take()
        if wait:
            raise Busy(
                f"this key may send {key.quotas.requests_per_second:g} requests a second",
                retry_after=wait,
            )
        self.connections.belongs_to(scope, key)

    # -- beginning and end

    def rehearse(self) -> None:
        """Start a sandbox and end it, so that a machine that has no jail is found out before
        anybody is promised anything: JailUnavailable, and PolicyError for a key whose imports
        cannot be had."""
        for policy in self._policies():
            policy.verify()
        _open_and_close(self._policies()[0])
        self._is_warm = True

    @contextlib.asynccontextmanager
    async def _lifespan(self, app: object) -> AsyncIterator[None]:
        Connection.busy += (
            1  # many cells run here: no thread is to keep a core busy while it waits for one
        )
        self._warming = asyncio.create_task(self._warm())
        reaping = asyncio.create_task(self._lifetimes.watch())
        try:
            yield
        finally:
            self.state = "closing"
            for task in (self._warming, reaping):
                task.cancel()
            await asyncio.gather(self._warming, reaping, return_exceptions=True)
            await self.sandboxes.close_all()
            self.threads.close()
            self._log.close()
            Connection.busy -= 1

    def _policies(self) -> list[Policy]:
        own = [key.policy for key in self.keys]
        return [
            *dict.fromkeys(
                [
                    *own,
                    *(template.policy for key in self.keys for template in key.templates.values()),
                ]
            )
        ]

    async def _warm(self) -> None:
        """Have what sandboxes are made from started, for each policy that there is: the first
        sandbox of each then takes no longer than the others."""
        for policy in self._policies()[self._is_warm :]:
            with contextlib.suppress(Exception):  # whoever asks for one is told
                await asyncio.to_thread(_open_and_close, policy)
        if self.state == "starting":
            self.state = "ready"

    async def drain(self) -> None:
        """Take no more requests, give those that run some time, then interrupt them."""
        self.state = "closing"
        self.sandboxes.is_closing = True
        await self._quiet(self.settings.shutdown_seconds)
        if self.threads.running:
            for executor in self.sandboxes.executors():
                executor.interrupt()
            await self._quiet(_INTERRUPTED_SECONDS)
        await self.sandboxes.close_all()  # and with them streams that have no end of their own

    async def _quiet(self, seconds: float) -> None:
        """Wait until nothing runs, no longer than this."""
        until = time.monotonic() + seconds
        while self.threads.running and time.monotonic() < until:
            await asyncio.sleep(0.05)


def _open_and_close(policy: Policy) -> None:
    LocalPythonExecutor(policy=policy).close()


def _is_there(name: str) -> bool:
    return find_spec(f"fumehood.server.{name}") is not None


def _part(name: str) -> ModuleType:
    return import_module(f"fumehood.server.{name}")
