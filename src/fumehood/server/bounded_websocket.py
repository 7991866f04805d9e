"""WebSockets as uvicorn speaks them, with a bound on what is done of one connection before others have their turn.

A frame may have six bytes, and what a connection brings at once is parsed at once: a quarter of a megabyte of such frames would hold up
everybody for seconds. So it is parsed a little at a time, and read no further meanwhile.
"""

from __future__ import annotations

from typing import Any, Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

_AT_ONCE: Final = 4096
"""Bytes that are parsed in one turn: some hundred of the smallest frames. A message of the largest size takes some thousand turns, which
are short."""
_MOST_PIECES: Final = 10_000
"""Frames of one message."""


class BoundedWebSocket(WebSocketsSansIOProtocol):
    """One connection."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._waiting = bytearray()
        self._is_at_work = False

    def data_received(self, data: bytes) -> None:
        self._waiting += data
        if not self._is_at_work:
            self._go_on()

    def _go_on(self) -> None:
        self._is_at_work = False
        if self.transport.is_closing():
            self._waiting.clear()
            return
        data = bytes(self._waiting[:_AT_ONCE])
        del self._waiting[:_AT_ONCE]
        super().data_received(data)
        if len(self.frames) > _MOST_PIECES:
            self.conn.fail(1009, "a message is in too many pieces")
            self.handle_parser_exception()
            self._waiting.clear()
        elif self._waiting:
            self._is_at_work = True
            self.transport.pause_reading()
            self.loop.call_soon(self._go_on)
        elif not self.read_paused and not self.transport.is_closing():
            self.transport.resume_reading()

    async def receive(self) -> Any:
        message = await super().receive()
        if self._is_at_work:
            self.transport.pause_reading()  # which whoever was waiting for the message has resumed
        return message
