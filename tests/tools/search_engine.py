"""A search engine that is really this machine: a proxy that answers in place of whoever is asked,
with a certificate of its own making."""

from __future__ import annotations

import contextlib
import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

RESULTS = """<html><body>
<div class="links body"><h2>First [result]</h2><a href="https://example.com/1">All about
 cats.</a></div>
<div class="links body"><h2>Second\x1b[31m</h2><a href="https://example.com/2">More\u202e cats.</a></div>
</body></html>"""


def certificate(folder: Path) -> ssl.SSLContext:
    if shutil.which("openssl") is None:
        pytest.skip("openssl, which makes a certificate for the test, is not installed")
    key, made = folder / "key.pem", folder / "certificate.pem"
    command = (
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj"
        " /CN=test -keyout".split()
    )
    subprocess.run([*command, str(key), "-out", str(made)], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(made, key)
    return context


class SearchEngine:
    """Answers every request with `status` and `body`, or says nothing if `body` is None. `asked` is
    what was asked for."""

    def __init__(self, context: ssl.SSLContext) -> None:
        self.status, self.body = "200 OK", RESULTS
        self.is_silent = False
        self.asked: list[bytes] = []
        self.over = threading.Event()
        self._context = context
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.proxy = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._answer, args=(client,), daemon=True).start()

    def _answer(self, client: socket.socket) -> None:
        with contextlib.suppress(OSError), client:
            _read_head(client)
            client.sendall(b"HTTP/1.1 200 Connected\r\n\r\n")
            with self._context.wrap_socket(client, server_side=True) as secure:
                self.asked.append(_read_head(secure))
                if self.is_silent:
                    self.over.wait(30)
                    return
                data = self.body.encode()
                fields = [
                    "Content-Type: text/html; charset=utf-8",
                    f"Content-Length: {len(data)}",
                    "Connection: close",
                ]
                secure.sendall(
                    "\r\n".join([f"HTTP/1.1 {self.status}", *fields, "", ""]).encode() + data
                )
                secure.recv(1000)

    def close(self) -> None:
        self.over.set()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()


def _read_head(client: socket.socket) -> bytes:
    """A request, with the body that is announced."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = client.recv(65536)
        if not piece:
            return data
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    lengths = [
        int(line.split(b":")[1])
        for line in head.lower().split(b"\r\n")
        if line.startswith(b"content-length")
    ]
    while lengths and len(body) < lengths[0]:
        body += client.recv(65536)
    return head + b"\r\n\r\n" + body


@contextlib.contextmanager
def searching(folder: Path) -> Iterator[SearchEngine]:
    engine = SearchEngine(certificate(folder))
    try:
        yield engine
    finally:
        engine.close()
