"""Connections of httpx that another thread can end, and that read a bounded amount.

A thread that waits for a server blocks on a socket. Closing the socket in another thread does not
wake it; shutting it down does. httpx reports its sockets through the `trace` extension.
"""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from fumehood.models.retrying import KINDS, Failure

_COMPRESSED = 100


class Watch:
    """The connections of one httpx client, and how much may still be read from them."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._left = most_bytes
        self._sockets: list[socket.socket] = []
        self._is_shut = False

    @property
    def hooks(self) -> dict[str, list[Any]]:
        """What to give an httpx client as `event_hooks`."""
        return {"request": [self._on_request], "response": [self._on_response]}

    def refill(self) -> None:
        """A chunk is complete: allow as many bytes again."""
        self._left = self._most_bytes

    def shut(self) -> None:
        """End all connections, from any thread, and those that are still being made."""
        self._is_shut = True
        for one in list(self._sockets):
            with contextlib.suppress(OSError):
                # Not the method of TLS sockets, which takes their state away from under the thread
                # that reads.
                socket.socket.shutdown(one, socket.SHUT_RDWR)

    def take(self, size: int) -> None:
        self._left -= size
        if self._left < 0:
            raise Failure(KINDS["too large"], f"more than {self._most_bytes:,} bytes")

    def _on_request(self, request: Any) -> None:
        self.refill()
        request.headers["Accept-Encoding"] = "identity"
        request.extensions = {**request.extensions, "trace": self._on_event}

    def _on_event(self, name: str, info: dict[str, Any]) -> None:
        if not name.endswith(
            ("connect_tcp.complete", "connect_unix_socket.complete", "start_tls.complete")
        ):
            return
        # TLS makes a new socket of the one it is given.
        stream: Any = info.get("return_value")
        found = stream.get_extra_info("socket") if hasattr(stream, "get_extra_info") else None
        if isinstance(found, socket.socket):
            self._sockets = [one for one in self._sockets if one.fileno() >= 0] + [found]
            if self._is_shut:
                self.shut()

    def _on_response(self, response: Any) -> None:
        stream = response.stream
        # A few bytes that are compressed, unasked, can become a thousand times as many.
        is_plain = response.headers.get("content-encoding", "identity") == "identity"
        weight = 1 if is_plain else _COMPRESSED

        def bounded(_self: Any) -> Iterator[bytes]:
            for data in stream:
                self.take(len(data) * weight)
                yield data

        # httpx wants a kind of its own here, and is not imported before it is needed.
        kind = type(
            "Bounded",
            (import_module("httpx").SyncByteStream,),
            {"__iter__": bounded, "close": lambda _self: stream.close()},
        )
        response.stream = kind()
