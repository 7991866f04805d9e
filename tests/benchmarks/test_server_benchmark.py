"""The benchmark of the server runs, and its client tells right answers from wrong ones. How fast
anything is, is not tested."""

from __future__ import annotations

import asyncio
import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def loopback(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    yield importlib.import_module("loopback")
    del sys.modules["loopback"]


def asked(loopback: ModuleType, *pieces: bytes) -> bytes:
    """What a client takes for the answer, if these pieces come."""

    async def main() -> bytes:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            for piece in pieces:
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(0.01)

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        client = await loopback.connect(*server.sockets[0].getsockname())
        try:
            answer: bytes = await asyncio.wait_for(client.ask(loopback.request("GET", "/")), 30)
            return answer
        finally:
            client.close()
            server.close()

    return asyncio.run(main())


def test_an_answer_is_whole_when_its_length_has_come(loopback: ModuleType) -> None:
    pieces = [b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n", b"\r\nab", b"cde"]
    assert asked(loopback, *pieces) == b"".join(pieces)


def test_an_answer_in_pieces_is_whole_when_the_empty_one_has_come(loopback: ModuleType) -> None:
    pieces = [
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"3\r\nabc\r\n",
        b"0\r\n",
        b"\r\n",
    ]
    assert asked(loopback, *pieces) == b"".join(pieces)


def test_a_request_is_timed_from_when_it_was_due_and_a_wrong_answer_is_an_error(
    loopback: ModuleType,
) -> None:
    class Slow:
        """Answers the first after a while, and the others at once."""

        count = 0

        async def ask(self, request: bytes) -> bytes:
            self.count += 1
            await asyncio.sleep(0.2 if self.count == 1 else 0)
            return request

    def asks(number: int) -> tuple[int, bytes, object]:
        return 0, b"%d" % number, lambda answer: answer != b"3"

    load = asyncio.run(loopback.offer([Slow()], asks, rate=100, seconds=0.1))
    assert (len(load.latencies), load.errors) == (9, ["3"])
    assert min(load.latencies) > 0.05  # the last was due after 0.09 s, and waited for the first


@pytest.mark.long
def test_the_benchmark_runs_and_writes_what_it_measured(tmp_path: Path) -> None:
    pytest.importorskip("starlette", reason="the server's packages are not installed")
    report = tmp_path / "report.json"
    command = [
        sys.executable,
        str(BENCHMARKS / "server.py"),
        "--quick",
        "--only",
        "load",
        "--only",
        "latency",
        "--only",
        "alone",
        "--json",
        str(report),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    load, latency, alone = json.loads(report.read_text())["figures"]
    assert alone["sides"].keys() >= {"native API", "E2B's API"}
    assert {"native API", "native API, each cell undoable"} <= load["sides"].keys()
    assert all(side["median"] > 0 for side in load["sides"].values())
    assert len(latency["sides"]["native API"]["samples"]) == 100
