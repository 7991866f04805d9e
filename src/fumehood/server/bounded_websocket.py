"""WebSockets as uvicorn speaks them, with a bound on the number of pieces of a message.

A piece may have six bytes and nothing in it, so that a message that never ends is never too long
either, and is parsed and kept for as long as somebody sends: a few megabytes a second of them, and
nobody else has a turn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

MOST_PIECES: Final = 10_000
"""Frames of one message. Those who send in pieces at all send larger ones."""


class BoundedWebSocket(WebSocketsSansIOProtocol):
    """One connection."""

    on_lost: Callable[[], None] | None = None
    """Called once when the connection has ended."""

    def connection_lost(self, exc: Exception | None) -> None:
        on_lost, self.on_lost = self.on_lost, None
        if on_lost is not None:
            on_lost()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if len(self.frames) > MOST_PIECES and not self.transport.is_closing():
            self.conn.fail(1009, "a message is in too many pieces")
            self.handle_parser_exception()
