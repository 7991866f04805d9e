"""Plain CPython, arranged as fumehood arranges its jail, so that a comparison sees the jail and
nothing else.

A process imports what fumehood's zygote imports, freezes its objects, and forks a child for every
program, which runs it by `exec` and measures from inside. `language.py --place jail` starts it with
the modules as arguments and sends one line of JSON per program.
"""

from __future__ import annotations

import ast
import contextlib
import gc
import importlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from typing import Any

# The clocks that fumehood's worker uses for Execution.usage.
CLOCKS: dict[str, Callable[[], float]] = {"wall": time.perf_counter, "cpu": time.thread_time}


def run(source: str, clock: Callable[[], float]) -> tuple[float, Any]:
    """Seconds and value of a cell as CPython runs it; only the last statement is split off, to get
    its value."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    gc.collect()
    started = clock()
    tree = ast.parse(source, "<cell>")
    last = tree.body.pop()
    assert isinstance(last, ast.Expr), "a program ends with an expression"
    exec(compile(tree, "<cell>", "exec"), namespace)
    value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), namespace)
    return clock() - started, value


class PlainZygote:
    """The host's hold on such a process."""

    def __init__(self, modules: Iterable[str]) -> None:
        command = [sys.executable, "-I", __file__, *modules]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(self, source: str, clock: str) -> tuple[float, str]:
        """Seconds and repr of the value."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps([source, clock]) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError("the program ended plain CPython")
        seconds, shown = json.loads(answer)
        if seconds is None:
            raise RuntimeError(f"plain CPython: {shown}")
        return seconds, shown

    def close(self) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


def serve(modules: list[str]) -> None:
    for name in modules:
        with contextlib.suppress(Exception):
            importlib.import_module(name)
    gc.collect()
    gc.freeze()
    for line in sys.stdin:
        source, clock = json.loads(line)
        pid = os.fork()
        if not pid:
            _answer(source, CLOCKS[clock])
            os._exit(0)
        os.waitpid(pid, 0)


def _answer(source: str, clock: Callable[[], float]) -> None:
    """In the child: run and tell. What the program prints goes where the answer cannot be mistaken
    for it."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    run("1", clock)  # as in the jail: the first cell of a fresh process is not the one that counts
    try:
        seconds, value = run(source, clock)
        told = [seconds, repr(value)]
    except Exception as error:
        told = [None, f"{type(error).__name__}: {error}"]
    answers.write(json.dumps(told) + "\n")
    answers.flush()


if __name__ == "__main__":
    serve(sys.argv[1:])
