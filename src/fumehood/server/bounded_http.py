"""HTTP as uvicorn speaks it, with bounds on what comes before there is a request: heads that are
too long or never end, connections that say nothing, and what is still being sent to a request that
was answered.

httptools itself bounds none of these. Bodies are the gate's.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from fumehood.server.bounded_websocket import BoundedWebSocket
from fumehood.server.connections import Connections
from fumehood.server.refusals import (
    HeadersTooLarge,
    Invalid,
    Refusal,
    TooSlow,
    phrase,
)
from fumehood.server.settings import Settings


class _Stop(Exception):
    """Leaves the parser. It is reported as an error of what was parsed, and `_refused` says
    which."""


class BoundedHttp(HttpToolsProtocol):
    """One connection."""

    settings: Settings
    """Of the server that this class was made for (`bounded`)."""
    all_connections: Connections

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._head_bytes = 0
        self._message_bytes = 0
        self._is_head_over = False
        self._is_message_over = True
        self._refused: Refusal | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._answered: Any = (
            None  # of several requests, one behind the other, the one whose answer is being written
        )

    # -- connections

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        refusal = self.all_connections.made(self.client, transport)
        if refusal is not None:
            self._turn_away(refusal)
        else:
            self._wait_for(self.settings.header_seconds, "nothing came")

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self.all_connections.lost(self.client)
        if self._answered is not None and not self._answered.response_complete:
            # uvicorn tells the last that came, and this one would go on writing to nobody.
            self._answered.disconnected = True
            self._answered.message_event.set()
        self.pipeline.clear()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        self._stop_waiting()
        client = self.client
        super().handle_websocket_upgrade()
        protocol = self.transport.get_protocol()
        if isinstance(protocol, BoundedWebSocket):  # from now on it is told when this ends
            protocol.on_lost = lambda: self.all_connections.lost(client)

    # -- bytes

    def data_received(self, data: bytes) -> None:
        if self._refused is not None:
            return
        was_over = self._is_message_over
        self._message_bytes += len(data)
        super().data_received(data)
        if self._refused is not None or self.transport.is_closing():
            return
        if not self._is_message_over and not self._is_head_over:
            self._head_bytes += len(data)
            if self._head_bytes > self.settings.header_bytes:
                self._turn_away(self._too_large())
            elif was_over:
                self._wait_for(self.settings.header_seconds, "the head of the request did not come")
        elif self._message_bytes > 2 * self.settings.upload_bytes + (
            1 << 20
        ):  # most of it is no body: extensions of chunks
            self.transport.close()

    def on_message_begin(self) -> None:
        self._head_bytes = self._message_bytes = 0
        self._is_head_over = self._is_message_over = False
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        self._count_head(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._is_head_over:
            return  # a trailer: it comes too late to say who asks, or how long the body is
        self._count_head(len(name) + len(value) + 4)
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._is_head_over = True
        self._stop_waiting()
        super().on_headers_complete()
        if not self.pipeline:
            self._answered = self.cycle

    def on_message_complete(self) -> None:
        self._is_message_over = True
        super().on_message_complete()

    def on_response_complete(self) -> None:
        self._answered = self.pipeline[-1][0] if self.pipeline else None
        super().on_response_complete()
        if (
            not self._is_message_over
        ):  # the rest of a body that nobody wants: it may come, for a while
            self._wait_for(self.settings.body_seconds, "")

    def _count_head(self, number: int) -> None:
        self._head_bytes += number
        if self._head_bytes > self.settings.header_bytes:
            self._refused = self._too_large()
            raise _Stop

    def _too_large(self) -> Refusal:
        return HeadersTooLarge(
            f"the head of a request may have {self.settings.header_bytes:,} bytes"
        )

    # -- saying no

    def send_400_response(self, msg: str) -> None:
        self._turn_away(self._refused or Invalid("that is not HTTP/1.1"))

    def _turn_away(self, refusal: Refusal) -> None:
        """Answer what never became a request, and close."""
        self._refused = refusal
        self._stop_waiting()
        if self.transport.is_closing():
            return
        cycle = self.cycle
        if (
            cycle is None
            or cycle.response_complete
            or not cycle.response_started
            and not self.pipeline
        ):
            if cycle is not None:
                cycle.disconnected = True  # what it would still answer would come behind this
            body = refusal.body()
            lines = [
                f"HTTP/1.1 {refusal.status} {phrase(refusal.status)}",
                *(f"{n}: {v}" for n, v in refusal.headers().items()),
            ]
            lines += [
                "content-type: application/json",
                f"content-length: {len(body)}",
                "connection: close",
                "",
                "",
            ]
            self.transport.write("\r\n".join(lines).encode("latin-1") + body)
        # without a word in the middle of another answer, for whose end it would be taken
        self.transport.close()

    # -- time

    def _wait_for(self, seconds: float, what: str) -> None:
        self._stop_waiting()
        self._timer = self.loop.call_later(seconds, self._too_slow, what)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _too_slow(self, what: str) -> None:
        self._timer = None
        if what and self.cycle is None and self._is_message_over:
            self.transport.close()  # it never said anything: there is nothing to answer
        elif what:
            self._turn_away(TooSlow(f"{what} in {self.settings.header_seconds:g} s"))
        elif not self._is_message_over:
            self.transport.close()


def bounded(settings: Settings, connections: Connections) -> type[BoundedHttp]:
    """The protocol of one server."""
    return type(
        "BoundedHttp", (BoundedHttp,), {"settings": settings, "all_connections": connections}
    )
