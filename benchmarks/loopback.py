"""A client for load: requests as bytes made beforehand, answers read only as far as it takes to
know that they are right.

The machine that asks is the machine that answers, so whatever the client does is taken from the
server.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)\r\n", re.IGNORECASE)
_LISTENING = re.compile(r"http://([\w.:\[\]]+):(\d+)")


@dataclass
class Started:
    """A server that runs in a process of its own."""

    process: subprocess.Popen[str]
    host: str
    port: int


KEY = "e2b_" + "0123456789abcdef" * 2
"""What the server is told to know its only client by."""

CONFIG = """
[quotas]
requests_per_second = 100_000
burst = 100_000

[keys.benchmark]
key = "{key}"
on_fault = "{on_fault}"
"""


@contextlib.contextmanager
def server(on_fault: str = "keep") -> Iterator[Started]:
    """`fumehood serve` on a port that was free, until the end of the block."""
    source = Path(__file__).resolve().parents[1] / "src"
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, [str(source), os.environ.get("PYTHONPATH")])),
    }
    environment.pop("FUMEHOOD_API_KEYS", None)
    with tempfile.TemporaryDirectory() as directory:
        config = Path(directory) / "server.toml"
        config.touch(0o600)
        config.write_text(CONFIG.format(key=KEY, on_fault=on_fault))
        log = str(Path(directory) / "access.jsonl")
        command = [
            sys.executable,
            "-m",
            "fumehood.cli",
            "serve",
            "--port",
            "0",
            "--config",
            str(config),
            "--log",
            log,
        ]
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
        )
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            found = _LISTENING.search(line)
            if found is None:
                raise RuntimeError(f"the server did not start: {line.strip() or 'it said nothing'}")
            yield Started(process, found[1], int(found[2]))
        finally:
            process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()


def request(method: str, path: str, body: bytes = b"", **headers: str) -> bytes:
    """A request as bytes."""
    more = "".join(
        f"{name.replace('_', '-')}: {value}\r\n"
        for name, value in {"x_api_key": KEY, **headers}.items()
    )
    content = (
        f"content-type: application/json\r\ncontent-length: {len(body)}\r\n"
        if body or method == "POST"
        else ""
    )
    return f"{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\n{more}{content}\r\n".encode() + body


def is_whole(answer: bytes) -> bool:
    """Whether all of an answer is there, and one is all there ever is. What comes in pieces ends
    with an empty one."""
    head = answer.find(b"\r\n\r\n")
    if head < 0:
        return False
    length = _LENGTH.search(answer, 0, head + 2)
    enough = (
        len(answer) >= head + 4 + int(length[1]) if length else answer.endswith(b"\r\n0\r\n\r\n")
    )
    return enough or answer.startswith(b"HTTP/1.1 204")


class Client(asyncio.Protocol):
    """One connection: a request, then its answer, then the next."""

    def __init__(self) -> None:
        self._transport: Any = None
        self._buffer = b""
        self._answer: asyncio.Future[bytes] | None = None

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer = self._buffer + data
        if self._answer is not None and is_whole(buffer):
            answer, self._answer, self._buffer = self._answer, None, b""
            if not answer.done():
                answer.set_result(buffer)

    def connection_lost(self, error: Exception | None) -> None:
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(
                error or ConnectionResetError("the server closed the connection")
            )

    async def ask(self, request: bytes) -> bytes:
        """The whole answer, head and body."""
        self._answer = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        return await self._answer

    def close(self) -> None:
        self._transport.close()


async def connect(host: str, port: int) -> Client:
    _transport, client = await asyncio.get_running_loop().create_connection(Client, host, port)
    return client


@dataclass
class Load:
    """What came of asking so often: when each answer came, by the second, and how long it took from
    when it should have been asked for."""

    offered: float
    seconds: float = 0.0
    latencies: list[float] = field(default_factory=list)
    by_second: list[int] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    @property
    def rate(self) -> float:
        return len(self.latencies) / self.seconds if self.seconds else 0.0

    def at(self, share: float) -> float:
        return sorted(self.latencies)[
            min(int(len(self.latencies) * share), len(self.latencies) - 1)
        ]


Asks = Callable[[int], tuple[int, bytes, Callable[[bytes], bool]]]
"""For the number of a request: which client asks, what, and whether an answer is right."""


async def offer(clients: list[Client], asks: Asks, rate: float, seconds: float) -> Load:
    """Ask so often, however quickly answers come. A request whose client is still waiting for an
    answer waits too, and that counts: it is timed from when it was due."""
    load = Load(rate)
    total = int(rate * seconds)
    waiting: list[deque[tuple[float, bytes, Callable[[bytes], bool]]]] = [deque() for _ in clients]
    is_busy = [False] * len(clients)
    tasks: set[asyncio.Task[None]] = set()
    began = time.perf_counter()

    async def serve(index: int) -> None:
        while waiting[index]:
            due, data, is_right = waiting[index].popleft()
            await _ask(clients[index], data, is_right, due, load, began)
        is_busy[index] = False

    for number in range(total):
        due = began + number / rate
        ahead = due - time.perf_counter()
        if ahead > 0.0005:
            await asyncio.sleep(ahead)
        index, data, is_right = asks(number)
        waiting[index].append(
            (min(due, time.perf_counter()), data, is_right)
        )  # a loop may wake a moment too soon
        if not is_busy[index]:
            is_busy[index] = True
            task = asyncio.ensure_future(serve(index))
            tasks.add(task)
            task.add_done_callback(tasks.discard)
    while tasks:
        await asyncio.wait(tasks)
    load.seconds = time.perf_counter() - began
    return load


async def press(clients: list[Client], asks: Asks, seconds: float) -> Load:
    """Ask again as soon as there is an answer, with every client at once."""
    load = Load(float("inf"))
    began = time.perf_counter()
    numbers = iter(range(1 << 30))

    async def serve(client: Client) -> None:
        while time.perf_counter() < began + seconds:
            _index, data, is_right = asks(next(numbers))
            await _ask(client, data, is_right, time.perf_counter(), load, began)

    await asyncio.gather(*map(serve, clients))
    load.seconds = time.perf_counter() - began
    return load


async def _ask(
    client: Client,
    data: bytes,
    is_right: Callable[[bytes], bool],
    due: float,
    load: Load,
    began: float,
) -> None:
    try:
        answer = await client.ask(data)
    except OSError as error:
        load.errors.append(f"{type(error).__name__}: {error}")
        return
    now = time.perf_counter()
    if not is_right(answer):
        load.errors.append(answer[:300].decode("utf-8", "replace"))
        return
    load.latencies.append(now - due)
    second = int(now - began)
    while len(load.by_second) <= second:
        load.by_second.append(0)
    load.by_second[second] += 1
