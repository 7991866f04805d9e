"""Runs one benchmark program in another project's executor, in a process of its own.

    python benchmarks/peers.py smolagents benchmarks/programs/nbody.py 20

prints one line of JSON: the milliseconds of the best run and the repr of the value, or why there is
none.
A process per program, because these executors may take minutes and one of them cannot be stopped
from within.
"""

from __future__ import annotations

import ast
import importlib.util
import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

PEERS = {
    "smolagents": "smolagents",
    "monty": "pydantic_monty",
}  # our name for it: the module that must be installed

# A peer's long refusal, and the few words that fit a table cell; the first row that matches is
# used.
SHORT_REASONS = [
    (r"Forbidden function evaluation: '(\w+)'", r"no \1()"),
    (r"does not yet support ([\w ]+)", r"no \1"),
    (r"Reached the max number of operations", r"stops at its operations limit"),
    (r"No module named '([\w.]+)'", r"no \1"),
    (r"module '(\w+)' has no attribute '(\w+)'", r"no \1.\2"),
    (r"(\w+) is not supported", r"no \1"),
    (r"The variable `(\w+)` is not defined", r"loses the variable \1"),
    (r"Object <.*> has no attribute (\w+)", r"loses the attribute \1"),
    (r"(?s).*", r"\g<0>"),
]
REPEAT_SECONDS = (
    1.0  # a program that is quick enough is run again until this is spent, for a best-of-n
)


@dataclass(frozen=True)
class PeerResult:
    """What a peer did with a program: `seconds` is None unless it gave the right value within the
    cap."""

    seconds: float | None
    cell: str


def installed() -> list[str]:
    return [peer for peer, module in PEERS.items() if importlib.util.find_spec(module)]


def measure(
    peer: str, program: Path, expected: str, plain_seconds: float, cap: float
) -> PeerResult:
    """Runs `program` in `peer` for at most about `cap` seconds and says how it compares with plain
    `exec`."""
    command = [sys.executable, __file__, peer, str(program), str(cap)]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    if finished.returncode == -signal.SIGALRM:
        return PeerResult(None, f">{cap / plain_seconds:.0f}x")
    if finished.returncode:
        last_line = (finished.stderr.strip().splitlines() or [f"exit code {finished.returncode}"])[
            -1
        ]
        return PeerResult(None, f"cannot run: {short_reason(last_line)}")
    answer = json.loads(finished.stdout.splitlines()[-1])
    if "reason" in answer:
        return PeerResult(None, f"cannot run: {short_reason(answer['reason'])}")
    if answer["value"] != expected:
        return PeerResult(None, "cannot run: gives a wrong value")
    return PeerResult(answer["seconds"], f"{answer['seconds'] / plain_seconds:.2f}x")


def short_reason(message: str) -> str:
    """At most five words of a peer's error message, without the source it quotes."""
    message = re.sub(r"^(\w+(Error|Exception): )+", "", message.split(" due to: ")[-1])
    for pattern, replacement in SHORT_REASONS:
        if match := re.search(pattern, message):
            return " ".join(match.expand(replacement).split()[:5])
    raise AssertionError("the last row matches everything")


def smolagents_runner(source: str, cap: float) -> Callable[[], object]:
    """A fresh executor that may import what the program imports; the alarm is its only time
    limit."""
    from smolagents.local_python_executor import LocalPythonExecutor  # type: ignore[import-untyped]

    modules: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            modules.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            modules.add(node.module)
    executor = LocalPythonExecutor(sorted(modules), timeout_seconds=None)
    executor.send_tools({})
    return lambda: executor(source).output


def monty_runner(source: str, cap: float) -> Callable[[], object]:
    """A fresh session; the pool ends its worker at the cap, because an alarm would only end this
    process."""
    import pydantic_monty

    pool = pydantic_monty.Monty(request_timeout=cap).__enter__()
    session = pool.checkout().__enter__()
    return lambda: session.feed_run(source)


def main(peer: str, program: str, cap_text: str) -> None:
    source, cap = Path(program).read_text(encoding="utf-8"), float(cap_text)
    make_runner = {"smolagents": smolagents_runner, "monty": monty_runner}[peer]
    best, spent, value = cap, 0.0, None
    while not spent or spent + best < REPEAT_SECONDS:
        run = make_runner(source, cap)
        # The default action of the alarm ends the process, whatever the interpreter or its C code
        # is doing.
        signal.setitimer(signal.ITIMER_REAL, cap + (0.5 if peer == "monty" else 0.0))
        started = time.perf_counter()
        try:
            value = run()
        except Exception as error:
            signal.setitimer(signal.ITIMER_REAL, 0)
            if time.perf_counter() - started >= cap:
                signal.raise_signal(signal.SIGALRM)
            print(json.dumps({"reason": f"{type(error).__name__}: {error}"}))
            return
        seconds = time.perf_counter() - started
        signal.setitimer(signal.ITIMER_REAL, 0)
        best, spent = min(best, seconds), spent + seconds
    print(json.dumps({"seconds": best, "value": repr(value)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
