"""What E2BExecutor costs beyond a jail on this machine: until the first result, for one more
executor, and for each trip.

    python benchmarks/e2b_executor.py                         everything; about two minutes
    python benchmarks/e2b_executor.py --quick --only cell     one figure, soon and roughly
    python benchmarks/e2b_executor.py --check --json FILE     exit code 1 if a bar is missed, and
                                                              every sample in a file

The service is `fumehood serve`, a process of its own on loopback, spoken to by the official e2b
package; --url and --key name another. What a service far away adds is its distance: a cell takes
one way there and one way back. How to read the tables: benchmarks/sandbox.py.
"""

from __future__ import annotations

import argparse
import atexit
import itertools
import os
import re
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import command
from far_trips import until_answered, values
from round_trips import LOOP, add, must, shared_by
from side_by_side import Bar, Figure, Measure, interleave, timed

from fumehood import E2BExecutor, E2BSandbox, FumehoodError, Limits, LocalPythonExecutor, Policy

CELL_BAR = 2e-3
CALL_BAR = 2e-3
MORE_BAR = 50e-3
POLICY = Policy(limits=Limits(cell_seconds=300))
JAIL = "a jail on this machine"
NEEDED = {
    "e2b_code_interpreter": "it speaks with the service",
    "uvicorn": "it serves",
    "starlette": "it serves",
}


class Service:
    """A server that is started here, or one that is there."""

    def __init__(self, url: str | None, key: str | None) -> None:
        if url is None:
            key = secrets.token_hex(16)
            url = self._start(key)
        self.options: dict[str, Any] = {"api_key": key, "api_url": url, "sandbox_url": url}

    def _start(self, key: str) -> str:
        directory = tempfile.mkdtemp()
        serve = [
            sys.executable,
            "-m",
            "fumehood.cli",
            "serve",
            "--port",
            "0",
            "--log",
            str(Path(directory) / "access.jsonl"),
        ]
        environment = {**os.environ, "FUMEHOOD_API_KEYS": key, "TMPDIR": directory}
        process = subprocess.Popen(serve, stdout=subprocess.PIPE, text=True, env=environment)
        atexit.register(process.terminate)
        assert process.stdout is not None
        for line in process.stdout:
            found = re.search(r"http://\S+", line)
            if found is not None:
                return found[0]
        raise SystemExit("the server did not start")

    def executor(self, **options: Any) -> E2BExecutor:
        return E2BExecutor(policy=POLICY, **self.options, **options)

    def sandbox(self) -> E2BSandbox:
        return E2BSandbox(**self.options)


def first_result(service: Service, quick: bool) -> Figure:
    """From the constructor to the value of a cell; ending it is not measured."""
    with service.sandbox() as shared, E2BExecutor(policy=POLICY, sandbox=shared) as before:
        must(before.run("1"))
        more = "one more executor in a sandbox of the service"
        sides = {
            "a sandbox of the service, with an executor": until_answered(service.executor),
            more: until_answered(lambda: E2BExecutor(policy=POLICY, sandbox=shared)),
            JAIL: until_answered(lambda: LocalPythonExecutor(policy=POLICY)),
        }
        measured = interleave(sides, batches=2 if quick else 15, size=2)
    return Figure("first", "From nothing to a result", "seconds", measured, (Bar(more, MORE_BAR),))


def cells(service: Service, quick: bool) -> Figure:
    """A trivial cell, without a base to go back to: what that costs is in branching.py."""
    ours = "a sandbox of the service"
    numbers = itertools.count()
    with ExitStack() as stack:
        there = stack.enter_context(service.executor(on_fault="keep"))
        local = stack.enter_context(LocalPythonExecutor(policy=POLICY, on_fault="keep"))
        sides = {
            name: timed(lambda executor=executor: must(executor.run(f"x = {next(numbers)} + 1")))
            for name, executor in ((ours, there), (JAIL, local))
        }
        measured = interleave(sides, batches=2 if quick else 20, size=20 if quick else 50)
    return Figure("cell", "A trivial cell, round trip", "seconds", measured, (Bar(ours, CELL_BAR),))


def calls(service: Service, quick: bool) -> Figure:
    """A loop of calls of a tool that adds two numbers; the time of the cell, divided by the
    calls."""
    count = 20 if quick else 100
    code = LOOP.format(calls=count)
    ours = "from a sandbox of the service"
    with ExitStack() as stack:
        there = stack.enter_context(service.executor(on_fault="keep"))
        local = stack.enter_context(LocalPythonExecutor(policy=POLICY, on_fault="keep"))
        sides: dict[str, Measure] = {}
        for name, executor in ((ours, there), (f"from {JAIL}", local)):
            executor.send_tools({"add": add})
            sides[name] = shared_by(
                count, timed(lambda executor=executor: must(executor.run(code)))
            )
        measured = interleave(sides, batches=2 if quick else 20, size=3)
    return Figure(
        "call", "A call of a host's tool from code", "seconds", measured, (Bar(ours, CALL_BAR),)
    )


def value_trips(service: Service, quick: bool) -> Figure:
    """By lines of base64, in JSON, in which they are base64 again."""
    with service.executor(on_fault="keep") as there:
        return values(there, quick)


FIGURES: dict[str, Callable[[argparse.Namespace], Figure]] = {
    "first": lambda options: first_result(options.service, options.quick),
    "cell": lambda options: cells(options.service, options.quick),
    "call": lambda options: calls(options.service, options.quick),
    "value": lambda options: value_trips(options.service, options.quick),
}


def main() -> int:
    parser = command.parser(__doc__ or "", FIGURES)
    parser.add_argument("--url", help="of a service that is there")
    parser.add_argument("--key", help="of that service")
    options = command.parsed(parser, FIGURES, NEEDED)
    options.peers = False
    try:
        options.service = Service(options.url, options.key)
        return command.run(FIGURES, options)
    except FumehoodError as error:
        parser.error(str(error))


if __name__ == "__main__":
    sys.exit(main())
