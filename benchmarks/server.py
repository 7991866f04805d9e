"""What `fumehood serve` bears: cells a second over many sandboxes, over loopback, and how long each
took; beside a local executor.

    python benchmarks/server.py                             everything; about a minute
    python benchmarks/server.py --only load --check         exit code 1 if a bar is missed
    python benchmarks/server.py --quick --json FILE         soon and roughly, and every sample in a
                                                            file

Cells are not undoable, but for one side that shows what that costs: a copy of the sandbox's process
before each (docs/branching.md). The server is a process of its own; the client, this one, shares
the machine's cores with it. `load` offers cells at a steady rate, each timed from when it was due,
so that a server that falls behind is seen to. `most` asks again as soon as there is an answer. An
answer that is not right ends the benchmark. How to read the tables: benchmarks/sandbox.py.
"""

from __future__ import annotations

import argparse
import asyncio
import functools
import json
import re
import socket
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import command
import loopback
from loopback import Client, Load, Started, connect, request
from round_trips import must
from side_by_side import Bar, Figure, Measure, Side, interleave, once, timed

from fumehood import LocalPythonExecutor

NATIVE, E2B, LOCAL = "native API", "E2B's API", "local executor"
ROLLBACK = "native API, each cell undoable"
SANDBOXES = 100
OFFERED = 600.0
RATE_BAR = 500.0
LATENCY_BAR = 0.1
CODE = "n = n + 1\nn"
NEEDED = {
    "starlette": "the server needs the extra `server`",
    "uvicorn": "the server needs the extra `server`",
}

_ID = re.compile(rb'"(?:id|sandboxID)": ?"([a-z0-9]+)"')


class Api:
    """How one of the server's APIs is asked to make a sandbox and to run a cell in it."""

    def __init__(
        self,
        name: str,
        create: bytes,
        run: Callable[[str, str], bytes],
        is_right: Callable[[bytes, int], bool],
    ) -> None:
        self.name, self.create, self.run, self.is_right = name, create, run, is_right


def _native_is_right(answer: bytes, value: int) -> bool:
    return (
        answer.startswith(b"HTTP/1.1 200")
        and b'"error":null' in answer
        and b'"text":"%d"' % value in answer
    )


def _e2b_is_right(answer: bytes, value: int) -> bool:
    return (
        answer.startswith(b"HTTP/1.1 200")
        and b'"error"' not in answer
        and b'"text":"%d"' % value in answer.replace(b'": "', b'":"')
    )


APIS = {
    NATIVE: Api(
        NATIVE,
        request("POST", "/v1/sandboxes", b"{}"),
        lambda sandbox, code: request(
            "POST", f"/v1/sandboxes/{sandbox}/run", json.dumps({"code": code}).encode()
        ),
        _native_is_right,
    ),
    E2B: Api(
        E2B,
        request("POST", "/sandboxes", b'{"templateID": "base", "timeout": 600}'),
        lambda sandbox, code: request(
            "POST",
            "/execute",
            json.dumps({"code": code}).encode(),
            e2b_sandbox_id=sandbox,
            e2b_sandbox_port="49999",
        ),
        _e2b_is_right,
    ),
}


class Counting:
    """Cells that count, each in the sandbox whose turn it is: what a cell must give says whether
    every cell before it was run once."""

    def __init__(self, api: Api, sandboxes: list[str]) -> None:
        self._api = api
        self._cells = [api.run(sandbox, CODE) for sandbox in sandboxes]
        self._counts = [0] * len(sandboxes)

    def __call__(self, number: int) -> tuple[int, bytes, Callable[[bytes], bool]]:
        index = number % len(self._cells)
        self._counts[index] += 1
        return (
            index,
            self._cells[index],
            functools.partial(self._api.is_right, value=self._counts[index]),
        )


async def _sandboxes(api: Api, client: Client, number: int) -> list[str]:
    made = []
    for _ in range(number):
        answer = await client.ask(api.create)
        found = _ID.search(answer)
        if found is None:
            raise RuntimeError(f"no sandbox was made: {answer[:300]!r}")
        made.append(found[1].decode())
        begun = await client.ask(api.run(made[-1], "n = 0\nn"))
        if not api.is_right(begun, 0):
            raise RuntimeError(f"the first cell failed: {begun[:500]!r}")
    return made


def _has(started: Started, api: Api) -> bool:
    """Whether the server speaks that API at all."""
    with socket.create_connection((started.host, started.port), 10) as plain:
        plain.sendall(api.create)
        return plain.recv(12)[9:12] in (b"200", b"201")


def _loop(main: Callable[[], object]) -> object:
    try:
        import uvloop
    except ImportError:
        return asyncio.run(main())  # type: ignore[arg-type]
    return uvloop.run(main())  # type: ignore[arg-type]


@functools.cache
def loaded(quick: bool) -> dict[str, Load]:
    """Every API under a steady rate."""

    async def main(started: Started, api: Api) -> Load:
        number = 10 if quick else SANDBOXES
        clients = [await connect(started.host, started.port) for _ in range(number)]
        asks = Counting(api, await _sandboxes(api, clients[0], number))
        await loopback.offer(clients, asks, OFFERED / 2, 1)  # warms up
        load = await loopback.offer(clients, asks, 100 if quick else OFFERED, 1 if quick else 10)
        for client in clients:
            client.close()
        return load

    made: dict[str, Load] = {}
    for name, api, on_fault in (
        (NATIVE, APIS[NATIVE], "keep"),
        (E2B, APIS[E2B], "keep"),
        (ROLLBACK, APIS[NATIVE], "rollback"),
    ):
        with loopback.server(on_fault) as started:
            if _has(started, api):
                made[name] = _checked(_loop(functools.partial(main, started, api)))
    return made


def _checked(load: object) -> Load:
    assert isinstance(load, Load)
    if load.errors:
        raise RuntimeError(
            f"{len(load.errors)} answers were not right; the first: {load.errors[0]}"
        )
    return load


def rate(options: argparse.Namespace) -> Figure:
    loads = loaded(options.quick)
    sides = [Side(name, once([load.rate])) for name, load in loads.items()]
    offered = next(iter(loads.values())).offered
    notes = [
        f"{name}: offered {load.offered:g}/s, done {load.rate:.0f}/s, errors 0, by the second"
        f" {load.by_second}"
        for name, load in loads.items()
    ]
    bars = () if options.quick else tuple(Bar(name, RATE_BAR) for name in (NATIVE, E2B))
    number = 10 if options.quick else SANDBOXES
    return Figure(
        "load",
        f"Cells a second over {number} sandboxes, {offered:g} offered",
        "per second",
        sides,
        bars,
        notes,
    )


def latency(options: argparse.Namespace) -> Figure:
    sides = []
    for name, load in loaded(options.quick).items():
        sides += [Side(name, once(load.latencies)), Side(f"{name}, 99 %", once([load.at(0.99)]))]
    bars = (
        () if options.quick else tuple(Bar(f"{name}, 99 %", LATENCY_BAR) for name in (NATIVE, E2B))
    )
    return Figure("latency", "A cell at that rate, from when it was due", "seconds", sides, bars)


def most(options: argparse.Namespace) -> Figure:
    """As many as there can be: by 16 clients at once, and by as many threads as there are cores
    with local executors."""
    number, seconds = (10, 1.0) if options.quick else (SANDBOXES, 5.0)
    sides = [Side(LOCAL, once([_locally(number, seconds)]))]

    async def main(started: Started, api: Api) -> Load:
        clients = [await connect(started.host, started.port) for _ in range(16)]
        sandboxes = await _sandboxes(api, clients[0], number)
        cells = [api.run(sandbox, "1 + 1") for sandbox in sandboxes]
        is_right = functools.partial(api.is_right, value=2)
        load = await loopback.press(clients, lambda at: (at, cells[at % number], is_right), seconds)
        for client in clients:
            client.close()
        return load

    for api in APIS.values():
        with loopback.server() as started:
            if _has(started, api):
                sides.append(
                    Side(
                        api.name,
                        once([_checked(_loop(functools.partial(main, started, api))).rate]),
                    )
                )
    return Figure(
        "most",
        f"Cells a second over {number} sandboxes, as many as there can be",
        "per second",
        sides,
    )


def _locally(number: int, seconds: float) -> float:
    with ExitStack() as stack:
        executors = [
            stack.enter_context(LocalPythonExecutor(on_fault="keep")) for _ in range(number)
        ]
        for executor in executors:
            must(executor.run("1 + 1"))
        until = time.perf_counter() + seconds

        def work(own: list[LocalPythonExecutor]) -> int:
            done = 0
            while time.perf_counter() < until:
                must(own[done % len(own)].run("1 + 1"))
                done += 1
            return done

        began = time.perf_counter()
        with ThreadPoolExecutor(2) as threads:
            total = sum(threads.map(work, [executors[::2], executors[1::2]]))
        return total / (time.perf_counter() - began)


def alone(options: argparse.Namespace) -> Figure:
    """One cell after the other, and nobody else: what the way there and back costs."""
    with ExitStack() as stack:
        started = stack.enter_context(loopback.server())
        executor = stack.enter_context(LocalPythonExecutor(on_fault="keep"))
        sides: dict[str, Measure] = {LOCAL: timed(lambda: must(executor.run("1 + 1")))}
        for api in APIS.values():
            if _has(started, api):
                sides[api.name] = timed(_asking(stack, started, api))
        measured = interleave(sides, batches=4 if options.quick else 40, size=25)
    return Figure("alone", "A trivial cell, one after the other", "seconds", measured)


def _asking(stack: ExitStack, started: Started, api: Api) -> Callable[[], None]:
    (sandbox,) = _loop(functools.partial(_one_sandbox, started, api))  # type: ignore[misc]
    plain = stack.enter_context(socket.create_connection((started.host, started.port), 30))
    plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    cell = api.run(sandbox, "1 + 1")

    def ask() -> None:
        plain.sendall(cell)
        answer = b""
        while not loopback.is_whole(answer):
            piece = plain.recv(1 << 16)
            if not piece:
                raise RuntimeError("the server closed the connection")
            answer += piece
        if not api.is_right(answer, 2):
            raise RuntimeError(f"not right: {answer[:300]!r}")

    return ask


async def _one_sandbox(started: Started, api: Api) -> list[str]:
    client = await connect(started.host, started.port)
    made = await _sandboxes(api, client, 1)
    client.close()
    return made


FIGURES: dict[str, Callable[[argparse.Namespace], Figure]] = {
    "load": rate,
    "latency": latency,
    "most": most,
    "alone": alone,
}


def main() -> int:
    options = command.parsed(command.parser(__doc__ or "", FIGURES), FIGURES, NEEDED)
    options.peers = False  # others have no server
    return command.run(FIGURES, options)


if __name__ == "__main__":
    sys.exit(main())
