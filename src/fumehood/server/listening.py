"""Listening: the socket, uvicorn on it, and what signals mean.

The first SIGTERM or SIGINT ends the server gracefully: new requests are refused, running cells are
given `shutdown_seconds` and then interrupted, every sandbox is ended. A second SIGINT ends it at
once; whatever ran dies with it, as it does when the server is killed.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import signal
import socket
import warnings
from collections.abc import Callable, Iterator
from types import FrameType

import uvicorn

from fumehood.errors import FumehoodWarning
from fumehood.server.bounded_http import bounded
from fumehood.server.bounded_websocket import BoundedWebSocket
from fumehood.server.leftovers import Directory
from fumehood.server.server import Server
from fumehood.server.settings import Settings, SettingsError
from fumehood.server.shares import SANDBOX, raise_descriptor_limit

_CONNECTION_SECONDS = 5
"""So long connections may take to end, once nothing runs any more."""


@contextlib.contextmanager
def prepared(settings: Settings) -> Iterator[Callable[[Callable[[str], None]], None]]:
    """Everything that can go wrong with settings has, or has not: SettingsError, JailUnavailable.
    Gives what serves until a signal comes; what it is called with is called with the address once
    requests are taken."""
    settings.check()
    _have_descriptors(settings)
    with Directory(settings) as directory:
        directory.use()
        server = Server(settings)
        server.rehearse()
        with listen(settings) as listener:
            yield lambda on_ready: _Uvicorn(server, listener, on_ready).run(sockets=[listener])


def _have_descriptors(settings: Settings) -> None:
    """Have as many open files as the kernel lets us. A warning if the settings may take more."""
    needed = settings.max_sandboxes * SANDBOX + settings.connections
    limit = raise_descriptor_limit()
    if limit < needed:
        what = f"{settings.max_sandboxes} sandboxes and {settings.connections} connections"
        warnings.warn(
            f"{what} may need {needed:,} open files, and this process may have {limit:,} (ulimit"
            " -n): raise that, or lower max_sandboxes or connections",
            FumehoodWarning,
            stacklevel=3,
        )


def listen(settings: Settings) -> socket.socket:
    """A socket that listens where the settings say. SettingsError, in one line, if it cannot."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((settings.host, settings.port))
    except (OSError, OverflowError) as error:
        listener.close()
        why = getattr(error, "strerror", None) or str(error)
        hint = (
            "; another may be free (--port, or 0 for any)"
            if getattr(error, "errno", None) in (errno.EADDRINUSE, errno.EACCES)
            else ""
        )
        raise SettingsError(
            f"cannot listen on {settings.host} port {settings.port}: {why}{hint}"
        ) from None
    listener.set_inheritable(False)
    return listener


def address_of(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


class _Uvicorn(uvicorn.Server):
    def __init__(
        self, server: Server, listener: socket.socket, on_ready: Callable[[str], None]
    ) -> None:
        settings = server.settings
        logging.getLogger("uvicorn.error").setLevel(
            logging.CRITICAL
        )  # the gate says what there is to say
        super().__init__(
            uvicorn.Config(
                server.app,
                http=bounded(settings, server.connections),
                ws=BoundedWebSocket,
                loop="auto",
                lifespan="on",
                log_config=None,
                access_log=False,
                server_header=False,
                headers=[("server", "fumehood")],
                proxy_headers=False,
                backlog=2048,
                timeout_keep_alive=int(settings.keep_alive_seconds),
                timeout_graceful_shutdown=_CONNECTION_SECONDS,
                ws_max_size=settings.body_bytes,
                ws_ping_interval=20,
                ws_ping_timeout=20,
                ws_per_message_deflate=False,  # a small message could become a large one
            )
        )
        self._server = server
        self._listener = listener
        self._on_ready = on_ready
        self._signals = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._draining: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets)
        self._on_ready(address_of(self._listener))

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """In the middle of anything: nothing is done here that could not be."""
        self._signals += 1
        if self._loop is None:
            raise KeyboardInterrupt
        is_again = self._signals > 1 and sig == signal.SIGINT
        self._loop.call_soon_threadsafe(self._leave_at_once if is_again else self._leave)

    def _leave(self) -> None:
        if self._draining is None:
            self._draining = asyncio.create_task(self._drain())

    def _leave_at_once(self) -> None:
        self.should_exit = self.force_exit = True

    async def _drain(self) -> None:
        await self._server.drain()
        self.should_exit = True
