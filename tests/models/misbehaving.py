"""A server that speaks as OpenAI's does, and misbehaves on purpose.

Each request is answered by the next behaviour of a script, and by a proper answer when the script
is used up. Requests are kept as they came, so that a test can look at what was really sent. All of
it is real HTTP on a real socket.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import socket
import struct
import sys
import threading
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

USAGE = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}


@dataclass(frozen=True)
class Request:
    path: str
    headers: dict[str, str]
    body: dict[str, Any]


class Exchange:
    """One request, and the means to answer it well or badly."""

    def __init__(
        self, handler: BaseHTTPRequestHandler, server: MisbehavingServer, request: Request
    ) -> None:
        self._handler = handler
        self._server = server
        self.request = request

    @property
    def streams(self) -> bool:
        return bool(self.request.body.get("stream"))

    def raw(self, data: bytes) -> None:
        """Bytes as they are."""
        self._handler.connection.sendall(data)

    def head(
        self,
        status: int = 200,
        headers: dict[str, str] | None = None,
        kind: str = "application/json",
    ) -> None:
        lines = [
            f"HTTP/1.1 {status} Whatever",
            f"Content-Type: {kind}",
            *(f"{name}: {value}" for name, value in (headers or {}).items()),
        ]
        self.raw("\r\n".join([*lines, "", ""]).encode())

    def body(
        self,
        data: bytes,
        status: int = 200,
        headers: dict[str, str] | None = None,
        kind: str = "application/json",
    ) -> None:
        """A whole answer."""
        self.head(status, {"Content-Length": str(len(data)), **(headers or {})}, kind)
        self.raw(data)

    def json(self, held: Any, status: int = 200, headers: dict[str, str] | None = None) -> None:
        self.body(json.dumps(held).encode(), status, headers)

    def begin_chunks(self, kind: str = "text/event-stream") -> None:
        self.head(headers={"Transfer-Encoding": "chunked"}, kind=kind)

    def chunk(self, data: bytes) -> None:
        self.raw(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    def end_chunks(self) -> None:
        self.raw(b"0\r\n\r\n")

    def event(self, held: Any, newline: str = "\n") -> None:
        data = held if isinstance(held, str) else json.dumps(held)
        self.chunk(f"data: {data}{newline}{newline}".encode())

    def cut(self, reset: bool = False) -> None:
        """End the connection, in the middle of whatever was being said."""
        connection = self._handler.connection
        if reset:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.close()
        else:
            connection.shutdown(socket.SHUT_RDWR)
        self._handler.close_connection = True

    def stay_silent(self) -> None:
        """Say nothing more, until the other side goes or the server is closed."""
        self._handler.close_connection = True
        with contextlib.suppress(OSError):
            if self._handler.connection.recv(1) == b"" and not self._server.is_closed:
                self._server.left_by_client.set()


Behaviour = Callable[[Exchange], None]


def completion(
    text: Any = "fine", *, finish_reason: Any = "stop", usage: Any = USAGE, **more: Any
) -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "message": message, "finish_reason": finish_reason}
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [choice],
        "usage": usage,
        **more,
    }


def delta(
    text: Any = None, *, finish_reason: Any = None, index: int = 0, **more: Any
) -> dict[str, Any]:
    choice = {
        "index": index,
        "delta": {} if text is None else {"content": text},
        "finish_reason": finish_reason,
    }
    return {
        "id": "1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "m",
        "choices": [choice],
        **more,
    }


def usage_chunk() -> dict[str, Any]:
    return {
        "id": "1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "m",
        "choices": [],
        "usage": USAGE,
    }


def says(text: str = "fine", *, pieces: Iterable[str] | None = None, **more: Any) -> Behaviour:
    """A proper answer: in one piece, or streamed if that was asked for."""

    def behave(exchange: Exchange) -> None:
        if not exchange.streams:
            exchange.json(completion(text, **more))
            return
        exchange.begin_chunks()
        for piece in (
            [text[at : at + 3] for at in range(0, len(text), 3)] if pieces is None else pieces
        ):
            exchange.event(delta(piece))
        exchange.event(delta(finish_reason=more.get("finish_reason", "stop")))
        if (exchange.request.body.get("stream_options") or {}).get("include_usage"):
            exchange.event(usage_chunk())
        exchange.event("[DONE]")
        exchange.end_chunks()

    return behave


def sends(held: Any, status: int = 200, **headers: str) -> Behaviour:
    """This JSON, whatever was asked."""
    return lambda exchange: exchange.json(
        held, status, {name.replace("_", "-"): value for name, value in headers.items()}
    )


def fails(status: int, message: str = "no", **headers: str) -> Behaviour:
    """An error as OpenAI's servers send it."""
    return sends(
        {"error": {"message": message, "type": "some_error", "param": None, "code": None}},
        status,
        **headers,
    )


def sends_bytes(data: bytes, status: int = 200, kind: str = "application/json") -> Behaviour:
    return lambda exchange: exchange.body(data, status, kind=kind)


def cuts_before_headers(reset: bool = False) -> Behaviour:
    return lambda exchange: exchange.cut(reset)


def cuts_in_body() -> Behaviour:
    def behave(exchange: Exchange) -> None:
        data = json.dumps(completion()).encode()
        exchange.head(headers={"Content-Length": str(len(data))})
        exchange.raw(data[:20])
        exchange.cut()

    return behave


def streams(*events: Any, ends: bool = True, newline: str = "\n") -> Behaviour:
    """These events; then the end of the stream, or of the connection."""

    def behave(exchange: Exchange) -> None:
        exchange.begin_chunks()
        for event in events:
            exchange.event(event, newline)
        if ends:
            exchange.end_chunks()
        else:
            exchange.cut()

    return behave


def says_nothing() -> Behaviour:
    return lambda exchange: exchange.stay_silent()


def says_nothing_after(*events: Any) -> Behaviour:
    def behave(exchange: Exchange) -> None:
        exchange.begin_chunks()
        for event in events:
            exchange.event(event)
        exchange.stay_silent()

    return behave


def streams_without_end(event: Callable[[int], Any]) -> Behaviour:
    """An event for each number."""

    def behave(exchange: Exchange) -> None:
        exchange.begin_chunks()
        for number in itertools.count():
            exchange.event(event(number))

    return behave


def sends_without_end(data: bytes, kind: str = "application/json") -> Behaviour:
    def behave(exchange: Exchange) -> None:
        exchange.begin_chunks(kind)
        while True:
            exchange.chunk(data)

    return behave


def refuses(name: str, status: int = 400, otherwise: Behaviour | None = None) -> Behaviour:
    """An error for as long as the request has this parameter."""

    def behave(exchange: Exchange) -> None:
        if exchange.request.body.get(name):
            message = f"Unsupported parameter: '{name}' is not supported with this model."
            exchange.json(
                {"error": {"message": message, "param": name, "code": "unsupported_parameter"}},
                status,
            )
        else:
            (otherwise or says())(exchange)

    return behave


class MisbehavingServer:
    """Answers by a script. `always` is what it does when the script is used up."""

    def __init__(self, *script: Behaviour, always: Behaviour | None = None) -> None:
        self.requests: list[Request] = []
        self.left_by_client = threading.Event()
        self.is_closed = False
        self.connections_made = 0
        self._script = list(script)
        self._always = always or says()
        self._arrived = threading.Condition()
        self._connections: set[socket.socket] = set()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def setup(self) -> None:
                super().setup()
                outer._connections.add(self.connection)
                outer.connections_made += 1

            def finish(self) -> None:
                outer._connections.discard(self.connection)
                with contextlib.suppress(OSError):
                    super().finish()

            def do_POST(self) -> None:
                data = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                request = Request(
                    self.path,
                    {name.lower(): value for name, value in self.headers.items()},
                    json.loads(data),
                )
                behaviour = outer._take(request)
                try:
                    behaviour(Exchange(self, outer, request))
                except OSError:  # the other side has left
                    outer.left_by_client.set()
                    self.close_connection = True

            def log_message(self, *args: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            block_on_close = False

            def handle_error(self, *args: Any) -> None:
                pass

        self._server = Server(("127.0.0.1", 0), Handler)
        threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        ).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [request.body for request in self.requests]

    def then(self, *script: Behaviour) -> None:
        """Go on with these."""
        self._script += script

    def wait_for(self, count: int) -> None:
        """Until so many requests have arrived."""
        with self._arrived:
            assert self._arrived.wait_for(lambda: len(self.requests) >= count, timeout=60), (
                "no request came"
            )

    def wait_until_left(self) -> None:
        """Until a client has closed its connection."""
        if not self.left_by_client.wait(60):
            stacks = ("".join(traceback.format_stack(f)) for f in sys._current_frames().values())
            raise AssertionError("the connection is still open\n" + "\n\n".join(stacks))

    def close(self) -> None:
        self.is_closed = True
        self._server.shutdown()
        self._server.server_close()
        for connection in list(self._connections):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def _take(self, request: Request) -> Behaviour:
        with self._arrived:
            self.requests.append(request)
            self._arrived.notify_all()
            return self._script.pop(0) if self._script else self._always

    def __enter__(self) -> MisbehavingServer:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
