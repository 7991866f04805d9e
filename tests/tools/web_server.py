"""A web server that misbehaves on purpose. Each path is one way to; `requests` is what was asked
for, as it came."""

from __future__ import annotations

import contextlib
import gzip
import socket
import threading
import zlib
from collections.abc import Callable, Iterator
from typing import Any

Answer = Callable[[socket.socket, "WebServer"], None]

PAGE = b"""<!doctype html><html><head><title>Cats</title><style>p {color: red}</style></head>
<body><h1>Cats</h1><p>Cats <b>purr</b>.</p><script>alert('no')</script>
<ul><li>one</li><li><a href="/two">two</a></li></ul><a href="javascript:alert(1)">run</a>
<img alt="a cat" src="data:image/png;base64,AAAA"></body></html>"""


def head(status: str = "200 OK", **fields: Any) -> bytes:
    lines = [
        f"{name.replace('_', '-')}: {value}"
        for name, value in ({"Connection": "close"} | fields).items()
    ]
    return "\r\n".join([f"HTTP/1.1 {status}", *lines, "", ""]).encode()


def whole(body: bytes, kind: str = "text/html; charset=utf-8", **fields: Any) -> Answer:
    def answer(client: socket.socket, server: WebServer) -> None:
        client.sendall(head(Content_Type=kind, Content_Length=len(body), **fields) + body)

    return answer


def moved(to: str, status: str = "302 Found") -> Answer:
    return lambda client, server: client.sendall(
        head(status, Location=to.replace("PORT", str(server.port)), Content_Length=0)
    )


def _drip(first: bytes, drop: bytes) -> Answer:
    """Sends a little, again and again, for as long as anybody listens."""

    def answer(client: socket.socket, server: WebServer) -> None:
        client.sendall(first)
        while not server.over.wait(0.05):
            client.sendall(drop)

    return answer


def _endless(first: bytes, piece: bytes) -> Answer:
    def answer(client: socket.socket, server: WebServer) -> None:
        client.sendall(first)
        while not server.over.is_set():
            client.sendall(piece)
            server.sent += len(piece)

    return answer


def _silent(client: socket.socket, server: WebServer) -> None:
    server.over.wait(30)


def _bomb(most: int) -> bytes:
    made = zlib.compressobj(9, zlib.DEFLATED, 31)
    return (
        b"".join([made.compress(b"<p>bomb</p>" * 100_000) for _ in range(most // 1_100_000)])
        + made.flush()
    )


ANSWERS: dict[str, Answer] = {
    "/": whole(PAGE),
    "/plain": whole(b"just text\r\nand more", "text/plain"),
    "/json": whole(b'{"a": [1, 2]}', "application/json"),
    "/latin": whole("<p>caf\xe9</p>".encode("latin-1"), "text/html; charset=ISO-8859-1"),
    "/meta": whole(
        "<meta charset=windows-1252><p>caf\xe9 \u2013</p>".encode("cp1252"), "text/html"
    ),
    "/wrong-charset": whole("<p>café</p>".encode(), "text/html; charset=unicode_escape"),
    "/no-charset-at-all": whole("<p>café</p>".encode(), "text/html; charset=utf-99"),
    "/bom": whole(b"\xff\xfe" + "<p>café</p>".encode("utf-16-le"), "text/html"),
    "/picture": whole(b"\x89PNG\r\n\x1a\n" + bytes(100), "image/png"),
    "/untyped": lambda client, server: client.sendall(head(Content_Length=len(PAGE)) + PAGE),
    "/untyped-binary": lambda client, server: client.sendall(head(Content_Length=64) + bytes(64)),
    "/nothing": whole(b""),
    "/control": whole(b"a\x1b[31mred\x07\x00 \xe2\x80\xaeright", "text/plain"),
    "/gzip": whole(gzip.compress(PAGE), Content_Encoding="gzip"),
    "/deflate": whole(zlib.compress(PAGE), Content_Encoding="deflate"),
    "/bare-deflate": whole(zlib.compress(PAGE)[2:-4], Content_Encoding="deflate"),
    "/gzip-twice": whole(
        gzip.compress(b"<p>one</p>") + gzip.compress(b"<p>two</p>"), Content_Encoding="gzip"
    ),
    "/gzip-damaged": whole(gzip.compress(PAGE)[:20] + b"garbage" * 20, Content_Encoding="gzip"),
    "/gzip-cut": whole(gzip.compress(PAGE * 50)[:-30], Content_Encoding="gzip"),
    "/brotli": whole(b"anything", Content_Encoding="br"),
    "/packed-twice": whole(gzip.compress(gzip.compress(PAGE)), Content_Encoding="gzip, gzip"),
    "/bomb": lambda client, server: whole(_bomb(20_000_000), Content_Encoding="gzip")(
        client, server
    ),
    "/404": lambda client, server: client.sendall(
        head("404 Not\x1b[31m Found", Content_Length=2) + b"no"
    ),
    "/304": lambda client, server: client.sendall(head("304 Not Modified")),
    "/300": lambda client, server: client.sendall(head("300 Multiple Choices", Content_Length=0)),
    "/to-page": moved("/"),
    "/to-relative": moved("../plain"),
    "/round": moved("/round"),
    "/to-file": moved("file:///etc/passwd"),
    "/to-ftp": moved("ftp://127.0.0.1/"),
    "/to-metadata": moved("http://169.254.169.254/latest/meta-data/", "307 Temporary Redirect"),
    "/drip": _drip(head(Content_Type="text/html"), b"<p>drop</p>"),
    "/drip-head": _drip(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n"),
    "/continue": _drip(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "/silent": _silent,
    "/endless": _endless(head(Content_Type="text/plain"), b"more and more\n" * 1000),
    "/endless-head": _endless(b"HTTP/1.1 200 OK\r\n", b"X: " + b"y" * 4000 + b"\r\n"),
    "/cut": lambda client, server: client.sendall(
        head(Content_Type="text/html", Content_Length=1000) + b"<p>half"
    ),
    "/cut-head": lambda client, server: client.sendall(b"HTTP/1.1 200"),
    "/closed": lambda client, server: None,
    "/garbage": lambda client, server: client.sendall(b"\x00\x01\x02 this is not http\r\n\r\n"),
    "/deep": whole(b"<div>" * 3_000 + b"deep words" + b"</div>" * 3_000),
    "/difficult": whole(b"<br>" * 400_000),  # seconds of work, on any machine
    "/quotes": whole(b"<blockquote>x" * 900),
    "/long": whole(b"<p>" + b"word " * 40_000 + b"</p>"),
}


class WebServer:
    """Listens on a port of this machine until the block is left."""

    def __init__(self) -> None:
        self.requests: list[bytes] = []
        self.sent = 0
        self.over = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._answer, args=(client,), daemon=True).start()

    def _answer(self, client: socket.socket) -> None:
        with client, contextlib.suppress(OSError):
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            asked = b""
            while b"\r\n\r\n" not in asked:
                data = client.recv(65536)
                if not data:
                    return
                asked += data
            self.requests.append(asked)
            path = asked.split(b" ", 2)[1].decode()
            ANSWERS[path.partition("?")[0]](client, self)
            client.shutdown(socket.SHUT_WR)
            while client.recv(65536):
                pass

    def close(self) -> None:
        self.over.set()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()


@contextlib.contextmanager
def serving() -> Iterator[WebServer]:
    server = WebServer()
    try:
        yield server
    finally:
        server.close()
