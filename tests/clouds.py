"""A service that has sandboxes as E2B's cloud has them, as far as E2BExecutor can tell: each is a
directory on this machine, in which any command runs. Spoken to by the official client over
loopback. What goes wrong with a cloud goes wrong here when it is told to."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import os
import secrets
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from fumehood import E2BSandbox

from .serving import served

KEY = "e2b_0123456789abcdef"
_END = 2


def _envelope(body: dict[str, Any], flags: int = 0) -> bytes:
    data = json.dumps(body).encode()
    return bytes([flags]) + len(data).to_bytes(4, "big") + data


async def _messages(request: Request) -> AsyncIterator[dict[str, Any]]:
    held = b""
    async for piece in request.stream():
        held += piece
        while len(held) >= 5 and len(held) >= (size := 5 + int.from_bytes(held[1:5], "big")):
            yield json.loads(held[5:size])
            held = held[size:]


class Sandbox:
    def __init__(self, directory: Path, seconds: float, asked: dict[str, Any]) -> None:
        self.directory = directory
        self.asked = asked
        """What it was made from."""
        self.ends_at = time.monotonic() + seconds
        self.seconds: list[float] = [seconds]
        """What it was given, each time."""
        self.processes: dict[int, asyncio.subprocess.Process] = {}

    def path(self, name: str) -> Path:
        return self.directory / Path(name).name

    def end(self) -> None:
        for process in self.processes.values():
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


class Cloud:
    """`refuses` is a status and a text by which every new sandbox is answered."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self.sandboxes: dict[str, Sandbox] = {}
        self.made: list[str] = []
        self.asked: list[str] = []
        """Requests, by what they are for."""
        self.refuses: tuple[int, str] | None = None
        self.greeting = ""
        """What a login shell says in there."""
        self.app = Starlette(
            routes=[
                Route("/v2/sandboxes", self._create, methods=["POST"]),
                Route("/sandboxes/{id}", self._kill, methods=["DELETE"]),
                Route("/sandboxes/{id}/timeout", self._renew, methods=["POST"]),
                Route("/sandboxes/{id}/connect", self._connect, methods=["POST"]),
                Route("/v2/sandboxes/{id}/connect", self._connect, methods=["POST"]),
                Route("/health", self._health),
                Route("/files", self._write, methods=["POST"]),
                Route("/filesystem.Filesystem/Stat", self._stat, methods=["POST"]),
                Route("/process.Process/Start", self._start, methods=["POST"]),
                Route("/process.Process/SendInput", self._input, methods=["POST"]),
                Route("/process.Process/SendSignal", self._signal, methods=["POST"]),
            ]
        )

    # -- what a test does to it

    @property
    def alive(self) -> list[str]:
        self._expire()
        return [*self.sandboxes]

    def end(self, sandbox_id: str) -> None:
        self.sandboxes.pop(sandbox_id).end()

    def _expire(self) -> None:
        for sandbox_id, sandbox in [*self.sandboxes.items()]:
            if time.monotonic() > sandbox.ends_at:
                self.end(sandbox_id)

    # -- the control plane

    def _refusal(self, request: Request) -> Response | None:
        self.asked.append(request.url.path.rpartition("/")[2])
        if request.headers.get("x-api-key") != KEY:
            return JSONResponse({"code": 401, "message": "that key is not known"}, 401)
        return None

    async def _create(self, request: Request) -> Response:
        if refusal := self._refusal(request):
            return refusal
        if self.refuses is not None:
            return JSONResponse(
                {"code": self.refuses[0], "message": self.refuses[1]}, self.refuses[0]
            )
        body = await request.json()
        sandbox_id = f"cloud{len(self.made):04d}"
        self.sandboxes[sandbox_id] = Sandbox(
            Path(tempfile.mkdtemp(dir=self._directory)), body.get("timeout", 300), body
        )
        self.made.append(sandbox_id)
        return self._about(sandbox_id, 201)

    def _about(self, sandbox_id: str, status: int) -> Response:
        token = f"token-{sandbox_id}"
        body = {
            "sandboxID": sandbox_id,
            "templateID": "base",
            "clientID": "c",
            "envdVersion": "0.5.7",
            "envdAccessToken": token,
        }
        return JSONResponse({**body, "domain": None}, status)

    async def _kill(self, request: Request) -> Response:
        if refusal := self._refusal(request):
            return refusal
        if request.path_params["id"] not in self.alive:
            return JSONResponse({"code": 404, "message": "no such sandbox"}, 404)
        self.end(request.path_params["id"])
        return Response(status_code=204)

    async def _renew(self, request: Request) -> Response:
        if refusal := self._refusal(request):
            return refusal
        if request.path_params["id"] not in self.alive:
            return JSONResponse({"code": 404, "message": "no such sandbox"}, 404)
        sandbox = self.sandboxes[request.path_params["id"]]
        seconds = (await request.json())["timeout"]
        sandbox.ends_at = time.monotonic() + seconds
        sandbox.seconds.append(seconds)
        return Response(status_code=204)

    async def _connect(self, request: Request) -> Response:
        if refusal := self._refusal(request):
            return refusal
        if request.path_params["id"] not in self.alive:
            return JSONResponse({"code": 404, "message": "no such sandbox"}, 404)
        return self._about(request.path_params["id"], 200)

    # -- in a sandbox

    def _sandbox(self, request: Request) -> Sandbox | None:
        self.asked.append(request.url.path.rpartition("/")[2])
        sandbox_id = request.headers.get("e2b-sandbox-id", "")
        is_known = (
            sandbox_id in self.alive
            and request.headers.get("x-access-token") == f"token-{sandbox_id}"
        )
        return self.sandboxes[sandbox_id] if is_known else None

    def _none(self) -> Response:
        return JSONResponse({"code": 502, "message": "The sandbox was not found"}, 502)

    async def _health(self, request: Request) -> Response:
        return self._none() if self._sandbox(request) is None else Response(status_code=204)

    async def _write(self, request: Request) -> Response:
        if (sandbox := self._sandbox(request)) is None:
            return self._none()
        name = request.query_params["path"]
        data = await request.body()
        if request.headers["content-type"].startswith("multipart/"):
            boundary = (
                b"\r\n--" + request.headers["content-type"].partition("boundary=")[2].encode()
            )
            data = data.partition(b"\r\n\r\n")[2].rpartition(boundary)[0]
        sandbox.path(name).write_bytes(data)
        return JSONResponse([{"path": name, "name": Path(name).name, "type": "file"}])

    async def _stat(self, request: Request) -> Response:
        if (sandbox := self._sandbox(request)) is None:
            return self._none()
        if not sandbox.path((await request.json())["path"]).exists():
            return JSONResponse({"code": "not_found", "message": "no such file"}, 404)
        return JSONResponse({"entry": {"name": "x", "type": "FILE_TYPE_FILE", "path": "/tmp/x"}})

    async def _start(self, request: Request) -> Response:
        if (sandbox := self._sandbox(request)) is None:
            return self._none()
        (message,) = [message async for message in _messages(request)]
        asked = message["process"]
        line = (
            asked["args"][-1]
            .replace("/tmp/", f"{sandbox.directory}/")
            .replace("python3", sys.executable)
        )
        process = await asyncio.create_subprocess_exec(
            "/bin/sh",
            *("-c", f"{self.greeting}\n{line}"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
            env={
                "PATH": os.environ["PATH"],
                "HOME": str(sandbox.directory),
                "TMPDIR": str(self._directory),
            },
        )
        sandbox.processes[process.pid] = process
        return StreamingResponse(self._events(process), media_type="application/connect+json")

    async def _events(self, process: asyncio.subprocess.Process) -> AsyncIterator[bytes]:
        yield _envelope({"event": {"start": {"pid": process.pid}}})
        pieces: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()

        async def read(stream: asyncio.StreamReader | None, name: str) -> None:
            assert stream is not None
            while data := await stream.read(1 << 16):
                pieces.put_nowait({name: base64.b64encode(data).decode()})
            pieces.put_nowait(None)

        tasks = [
            asyncio.ensure_future(read(stream, name))
            for stream, name in ((process.stdout, "stdout"), (process.stderr, "stderr"))
        ]
        for _ in tasks:
            while (piece := await pieces.get()) is not None:
                yield _envelope({"event": {"data": piece}})
        code = await process.wait()
        yield _envelope(
            {
                "event": {
                    "end": {"exitCode": code, "exited": code >= 0, "status": f"exit status {code}"}
                }
            }
        )
        yield _envelope({}, _END)

    async def _input(self, request: Request) -> Response:
        if (sandbox := self._sandbox(request)) is None:
            return self._none()
        body = await request.json()
        return await self._feed(sandbox, body["process"]["pid"], body["input"]["stdin"])

    async def _feed(self, sandbox: Sandbox, pid: int, encoded: str) -> Response:
        process = sandbox.processes[pid]
        assert process.stdin is not None
        try:
            process.stdin.write(base64.b64decode(encoded))
            await process.stdin.drain()
        except (OSError, RuntimeError):  # it is dead
            return JSONResponse({"code": "not_found", "message": "no such process"}, 404)
        return JSONResponse({})

    async def _signal(self, request: Request) -> Response:
        if self._sandbox(request) is None:
            return self._none()
        with contextlib.suppress(ProcessLookupError):
            os.killpg((await request.json())["process"]["pid"], signal.SIGKILL)
        return JSONResponse({})


class Serving:
    """A cloud on a port of loopback, served by a thread."""

    def __init__(self, directory: Path) -> None:
        self.cloud = Cloud(directory)
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self._server = uvicorn.Server(
            uvicorn.Config(self.cloud.app, log_level="warning", timeout_graceful_shutdown=1)
        )
        self._thread = threading.Thread(
            target=self._server.run, args=([self._socket],), daemon=True
        )
        self._thread.start()

    @property
    def options(self) -> dict[str, Any]:
        return {"api_key": KEY, "api_url": self.url, "sandbox_url": self.url}

    def close(self) -> None:
        for sandbox_id in self.cloud.alive:
            self.cloud.end(sandbox_id)
        self._server.should_exit = True
        self._thread.join(60)


@contextlib.contextmanager
def serving(directory: Path) -> Iterator[Serving]:
    made = Serving(directory)
    try:
        yield made
    finally:
        made.close()


@pytest.fixture(scope="session")
def shared_cloud(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    pytest.importorskip("e2b_code_interpreter")
    with serving(tmp_path_factory.mktemp("cloud")) as made:
        yield made


@pytest.fixture
def cloud(shared_cloud: Serving) -> Iterator[Serving]:
    """Nothing of what a test did to it is left for the next, and no sandbox that it made."""
    cloud = shared_cloud.cloud
    before = {name: getattr(cloud, name) for name in ("refuses", "greeting")}
    others = {*cloud.alive}
    yield shared_cloud
    for name, value in before.items():
        setattr(cloud, name, value)
    for sandbox_id in {*cloud.alive} - others:
        cloud.end(sandbox_id)


# A server of ours
# ----------------------------------------------------------------------------------------------------------------------

# All that a key may have: these tests are about executors, who have policies of their own.
_LIBERAL = """
[policy]
imports = ["*"]
language = "off"
files = true

[policy.limits]
memory_bytes = 8589934592
processes = 256
frame_bytes = 4294967296
output_bytes = 4294967296
output_characters = 1000000000
display_bytes = 4294967296
displays = 10000
file_bytes = 1073741824
lab_bytes = 1073741824
lab_files = 100000
source_characters = 100000000
cell_seconds = 3600
"""


@pytest.fixture(scope="session")
def served_sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[E2BSandbox]:
    """A sandbox of a real `fumehood serve`, which the official client has made."""
    pytest.importorskip("e2b_code_interpreter")
    directory, key = tmp_path_factory.mktemp("served"), secrets.token_hex(16)
    (directory / "liberal.toml").write_text(_LIBERAL)
    with (
        served(directory, "--config", str(directory / "liberal.toml"), keys=[key]) as server,
        E2BSandbox(api_key=key, api_url=server.url, sandbox_url=server.url) as made,
    ):
        yield made
