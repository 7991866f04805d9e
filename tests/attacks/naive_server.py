"""A server that holds nothing: what each program of a client is run against first, to see that it
would succeed.

It reads requests as leniently as it can, knows no keys, walks any path, waits for ever, keeps all
that it is sent, calls whom it is told to, and writes what it is told into its log and its answers.
It knows as much of fumehood's API as the programs use. Never anywhere but on loopback, and for
seconds.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import os
import re
import shutil
import socket
import sys
import tempfile
import threading
import time
import traceback
import urllib.request
import zlib
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

WORKERS = 24
ROOT = Path(tempfile.mkdtemp(prefix="naive-"))
KEPT: list[Any] = []
CALLS: dict[str, list[dict[str, Any]]] = {}
VARIABLES: dict[str, dict[str, Any]] = {}
SANDBOXES: list[str] = []
STRANGERS: list[str] = []
_numbers = count(0)
_requests = count(1)
_calling = threading.Lock()


def _create() -> str:
    """One after the other, so that the next can be guessed."""
    name = f"{'n' * 24}{'0123456789abcdefghijklmnopqrstuvwxyz'[next(_numbers) % 36]}"
    SANDBOXES.append(name)
    (ROOT / name).mkdir(exist_ok=True)
    VARIABLES.setdefault(name, {})
    return name


def _send(line: socket.socket, data: bytes) -> None:
    with contextlib.suppress(OSError):
        line.sendall(data)


class Connection:
    def __init__(self, line: socket.socket, log: Path) -> None:
        self.line = line
        self.log = log
        self.held = b""
        self.at = 0

    def serve(self) -> None:
        with contextlib.suppress(OSError), self.line:
            while self._one():
                pass

    def _more(self) -> bool:
        piece = self.line.recv(1 << 18)
        self.held = self.held[self.at :] + piece
        self.at = 0
        return bool(piece)

    def _left(self) -> bytes:
        return self.held[self.at : self.at + 1]

    def _take(self, number: int) -> bytes:
        pieces = []
        while number > 0:
            if self.at >= len(self.held) and not self._more():
                break
            piece = self.held[self.at : self.at + number]
            self.at += len(piece)
            number -= len(piece)
            pieces.append(piece)
        return b"".join(pieces)

    def _line(self) -> bytes:
        pieces = []
        while (end := self.held.find(b"\n", self.at)) < 0:
            pieces.append(self.held[self.at :])
            self.held, self.at = self.line.recv(1 << 18), 0
            if not self.held:
                break
        else:
            pieces.append(self.held[self.at : end])
            self.at = end + 1
        return b"".join(pieces).rstrip(b"\r")

    def _one(self) -> bool:
        first = self._line()
        if not first:
            return False
        words = first.decode("latin-1").split(" ")
        method, target = [*words, "/health", "/health"][:2]
        if method == "PRI":
            self.line.sendall(bytes(3) + b"\0\4\0\0\0\0\0")
            return False
        headers: dict[str, str] = {}
        while text := self._line():
            # A line that goes on, a space before the colon, a control character, a bare return: all
            # the same to it.
            for part in re.split(r"[\r\n]", text.decode("latin-1")):
                name, _, value = part.strip().partition(":")
                name = name.strip(" \0").lower()
                if not value and headers and not name.count(" "):
                    headers[next(reversed(headers))] += name
                else:
                    headers[name] = value.strip(" \t\x0b")
        if headers.get("upgrade", "").lower() == "h2c":
            self.line.sendall(b"HTTP/1.1 101 Switching Protocols\r\n\r\n")
            return False
        if headers.get("upgrade", "").lower() == "websocket":
            return self._websocket(headers)
        body = self._body(headers)
        try:
            status, answer, more = self._answer(method, target, headers, body)
        except Exception:
            traceback.print_exc()
            status, answer, more = 500, b"", {}
        head = (
            f"HTTP/1.1 {status} x\r\nx-request-id: {'r' * 12}{next(_requests)}\r\ncontent-length:"
            f" {len(answer)}\r\n"
        )
        head += "".join(f"{name}: {value}\r\n" for name, value in more.items())
        whole = head.encode("utf-8", "surrogateescape") + b"\r\n" + answer
        if len(whole) > 1_000_000:  # whoever reads slowly is not waited for
            KEPT.append(whole)
            threading.Thread(target=_send, args=(self.line, whole), daemon=True).start()
            if headers.get("connection") == "close":
                time.sleep(1)
                return False
            return True
        self.line.sendall(whole)
        return headers.get("connection") != "close" or bool(
            self._left()
        )  # what is there already is answered, last or not

    def _body(self, headers: dict[str, str]) -> bytes:
        if "chunked" in headers.get("transfer-encoding", ""):
            body = b""
            while size := self._line():
                number = int(re.sub(rb"[^0-9a-fA-F].*", b"", size.lstrip(b"+"))[-15:] or b"0", 16)
                if not number:
                    # What is an extension that goes on, and what is a trailer? Until an empty line
                    # it is one of them.
                    while trailer := self._line():
                        name, _, value = trailer.decode("latin-1").partition(":")
                        headers[name.lower()] = value.strip()
                    break
                body += self._take(number)
                while self._left() not in (b"\r", b"0", b""):
                    self.at += 1
                if self._left() == b"\r":
                    self._line()
            return body
        digits = re.match(r"\d+", headers.get("content-length", "0").split(",")[0])
        return self._take(int(digits[0]) if digits else 0)

    # -- what it does

    def _answer(
        self, method: str, target: str, headers: dict[str, str], body: bytes
    ) -> tuple[int, bytes, dict[str, str]]:
        path = unquote(urlsplit(target).path)
        query = {
            name: values[0]
            for name, values in parse_qs(urlsplit(target).query, keep_blank_values=True).items()
        }
        with self.log.open("a", encoding="utf-8", errors="surrogateescape") as log:
            log.write(
                f'{{"request":"{"r" * 12}{next(_requests)}","path":"{path}?{urlsplit(target).query}"}}\n'
            )
        if headers.get("content-encoding") == "gzip":
            body = zlib.decompressobj(16 + zlib.MAX_WBITS).decompress(body)
            KEPT.append(body)
        more = {
            "x-path": path,
            "content-type": "text/html",
            "access-control-allow-origin": headers.get("origin", "*"),
        }
        if path == "/health":
            return 200, b"{}", {}
        found = re.match(r"/(?:v1/|v2/)?sandboxes/(n+[0-9a-z])(/.*)?$", path)
        sandbox = headers.get("e2b-sandbox-id") or (found[1] if found else "")
        rest = (found[2] or "") if found else path
        if "connect+json" in headers.get("content-type", ""):
            return 200, self._enveloped(sandbox, body), more
        told = self._json(headers, body)
        for address in re.findall(r"http://127\.0\.0\.1:\d+/", body.decode("latin-1")):
            with contextlib.suppress(OSError):
                urllib.request.urlopen(address, timeout=0.2).close()
        if path == "/v1/key" and headers.get("x-api-key", "").startswith("wrong"):
            STRANGERS.append(headers["x-api-key"])
        if rest.endswith("/run") or rest == "/commands":
            if len(STRANGERS) > 40:  # from an address that others have too
                return 429, b"{}", more
            return 200, self._run(sandbox, told, headers), more
        if "signature" in query:
            return 200, b"good for anything", more
        if "/files" in rest or rest.startswith("/filesystem"):
            return self._files(method, sandbox, rest, query, told, headers, body, more)
        if path == "/metrics":
            return (
                200,
                f"sandboxes {SANDBOXES}\n{unquote(''.join(map(str, KEPT[-9:])))}".encode(
                    "utf-8", "replace"
                ),
                more,
            )
        KEPT.append(f"{method} {target}" if len(target) < 1000 else target)
        return self._things(method, path, sandbox, rest, query, told, more)

    def _json(self, headers: dict[str, str], body: bytes) -> dict[str, Any]:
        if (
            "application/json" not in headers.get("content-type", "")
            or not body
            or body[:1] == b"\0"
        ):
            return {}
        told = json.loads(body)
        int(told.get("timeout_seconds", 0))
        for value in (*told.get("variables", {}).values(), told.get("value")):
            if isinstance(value, dict) and "$wire" in value:
                kind, *parts = value["$wire"]
                {"tuple": tuple, "range": range, "bytes": bytes}[kind](*parts)
        return dict(told)

    def _things(
        self,
        method: str,
        path: str,
        sandbox: str,
        rest: str,
        query: dict[str, str],
        told: dict[str, Any],
        more: dict[str, str],
    ) -> tuple[int, bytes, dict[str, str]]:
        def answer(thing: Any) -> tuple[int, bytes, dict[str, str]]:
            return 200, json.dumps(thing).encode(), more

        if path.rstrip("/").endswith("sandboxes"):
            if method == "POST":
                return answer({"id": _create(), "sandboxID": SANDBOXES[-1]})
            return answer({"sandboxes": [{"id": name} for name in SANDBOXES]})
        if rest == "/variables":
            VARIABLES[sandbox].update(told.get("variables", {}))
            return answer({"names": sorted(VARIABLES[sandbox])})
        if rest.startswith("/variables/"):
            return answer({"value": VARIABLES[sandbox].get(rest.rpartition("/")[2])})
        if rest == "/calls":
            end = time.monotonic() + float(query.get("wait_seconds", 0))
            while not CALLS.get(sandbox) and time.monotonic() < end:
                time.sleep(0.01)
            return answer({"calls": CALLS.get(sandbox, [])})
        if rest.startswith("/calls/"):
            for call in CALLS.get(sandbox, []):
                call["answered"].append(told)
            return answer({})
        return answer({"id": "x", "envdAccessToken": "token", "created": 0, "expires": 3600, "state": "running", "metadata": {},
                       "contexts": [], "snapshots": [], "sandboxes": [], "name": "anybody"})  # fmt: skip

    def _enveloped(self, sandbox: str, body: bytes) -> bytes:
        length = int.from_bytes(body[1:5], "big")
        KEPT.append(bytearray(min(length, 300 << 20)))  # room for all that it says
        message = body[5:]
        if body[0] & 1:
            KEPT.append(zlib.decompressobj(16 + zlib.MAX_WBITS).decompress(message))
        with contextlib.suppress(ValueError, KeyError):
            process = json.loads(message)["process"]
            return Path(
                process.get("cwd") or ROOT / sandbox, process["args"][-1].split()[-1]
            ).read_bytes()
        return b"taken"

    def _files(
        self, method: str, sandbox: str, rest: str, query: dict[str, str], told: dict[str, Any], headers: dict[str, str], body: bytes,
        more: dict[str, str],
    ) -> tuple[int, bytes, dict[str, str]]:  # fmt: skip
        given = query.get("path", told.get("path", told.get("old", "")))
        if "/files/" in rest and not given:
            given = rest.partition("/files/")[2].replace("\\", "/")
        for old, new in (("\uff0e", "."), ("\uff0f", "/"), ("\\", "/"), ("\ufffd", ""), ("\0", "")):
            given = given.replace(old, new)
        given = os.path.expanduser(os.path.expandvars(unquote(given)))  # noqa: PTH111
        # Twice, as a proxy before it would have.
        path = Path(os.path.normpath(f"{ROOT / sandbox}/{given}"))
        if Path(given).is_absolute() and not path.exists():
            path = Path(given)
        if "multipart" in headers.get("content-type", ""):
            for number, name in enumerate(re.findall(rb'filename="([^"]*)"', body)):
                if number < 20:
                    Path(os.path.normpath(f"{ROOT / sandbox}/{name.decode()}")).write_bytes(
                        b"written"
                    )
            return 200, b"[]", more
        if (
            method == "PUT"
            or method == "POST"
            and headers.get("content-type") == "application/octet-stream"
        ):
            path.write_bytes(body)
            return 204, b"", more
        if method == "DELETE":
            path.unlink()
            return 204, b"", more
        if rest.endswith("/rename"):
            shutil.move(path, ROOT / sandbox / "moved")
            return 200, b"{}", more
        if rest.endswith("/directory"):
            path.mkdir(exist_ok=True)
            return 200, b"{}", more
        if not path.exists():
            return 404, b"{}", more
        if path.is_dir():
            return (
                200,
                json.dumps(
                    {"entries": [{"name": name, "path": name} for name in sorted(os.listdir(path))]}  # noqa: PTH208
                ).encode(),
                more,
            )
        return 200, path.read_bytes(), more

    # -- code

    def _run(self, sandbox: str, told: dict[str, Any], headers: dict[str, str]) -> bytes:
        """Run code here, as those do who think that nobody would harm them."""
        code = told.get("code", "")
        printed: list[str] = []
        answered: list[dict[str, Any]] = []

        def asked(*_arguments: str) -> Any:
            CALLS.setdefault(sandbox, []).append({"call": "c", "answered": answered})
            while not answered:
                time.sleep(0.01)
            time.sleep(0.1)
            CALLS[sandbox].clear()
            if kind := answered[-1].get("error", {}).get("type"):
                raise {"SystemExit": SystemExit, "StopIteration": StopIteration}.get(
                    kind, KeyboardInterrupt
                )
            return answered[-1].get("value")

        variables = {
            **VARIABLES[sandbox],
            "asked": asked,
            "ask_owner": asked,
            "print": lambda *a, **k: printed.append("".join(map(str, a))),
        }
        value: Any = None
        if "while True: pass" in code or "while True: print" in code:
            with _calling:  # one cell at a time, of all tenants
                if "print" in code:
                    KEPT.append("x" * (250 << 20))
                time.sleep(1.5)
            return b'{"value": 1}'
        os.chdir(ROOT / sandbox)
        with (
            contextlib.suppress(Exception),
            contextlib.suppress(*(SystemExit, KeyboardInterrupt) if "except" in code else ()),
        ):
            *statements, last = code.splitlines()
            exec("\n".join(statements), variables)
            try:
                value = eval(last, variables)
            except SyntaxError:
                exec(code, variables)
        if "text/event-stream" in headers.get("accept", ""):
            return "".join(f"event: output\ndata: {text}\n\n" for text in printed).encode()
        return json.dumps(
            {"value": value if isinstance(value, (int, str, list, type(None))) else None}
        ).encode()

    # -- frames

    def _websocket(self, headers: dict[str, str]) -> bool:
        accepted = base64.b64encode(
            hashlib.sha1(headers.get("sec-websocket-key", "").encode()).digest()
        ).decode()
        self.line.sendall(
            f"HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Accept: {accepted}\r\n\r\n".encode()
            + b"\x81\x05ready"
        )
        while head := self._take(2):
            length = head[1] & 0x7F
            if length > 125:
                length = int.from_bytes(self._take(2 if length == 126 else 8), "big") % (1 << 62)
            if head[1] & 0x80:
                self._take(4)
            message = self._take(length)
            KEPT.append(bytearray(512))  # what it has to know of each
            if b"forged" in message:
                self.line.sendall(b"\x81\x06forged\x88\x00")
        return False


def main() -> None:
    listener = socket.create_server(("127.0.0.1", 0), backlog=512)
    pool = ThreadPoolExecutor(WORKERS)
    print(listener.getsockname()[1], flush=True)
    while True:
        line, _ = listener.accept()
        pool.submit(Connection(line, Path(sys.argv[1])).serve)


if __name__ == "__main__":
    main()
