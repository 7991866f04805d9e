"""A warm process that forks once per attempt.

Attempts may break anything (that is their purpose), so none may run in the test process or after another; starting a
fresh interpreter for each would take minutes. The server imports what the attempts share, runs no attempt itself, and
forks a child for each.
"""

from __future__ import annotations

import ast
import gc
import importlib
import json
import os
import select
import signal
import subprocess
import sys
import time
import traceback
from pathlib import Path
from typing import Any

from . import host_state
from .attempt import Outcome, run
from .corpus import read
from .loot import SECRET_TEXT

SECRET_VARIABLE = "FUMEHOOD_ESCAPE_SECRET"
DEADLINE_SECONDS = 30


class AttemptServer:
    """The test's end: start it, ask for attempts, close it."""

    def __init__(self) -> None:
        package = Path(__file__).parent
        # Named by place and not by import: how pytest named this module depends on its import mode.
        start = f"from {package.name}.{Path(__file__).stem} import serve; serve()"
        paths = os.pathsep.join([str(package.parent), *filter(None, sys.path)])
        self._process = subprocess.Popen(
            [sys.executable, "-c", start],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": paths, "PYTHONWARNINGS": "ignore"},
            text=True,
        )

    def attempt(self, name: str, how: str) -> Outcome:
        """Run program `name` in a fresh child. RuntimeError if the child died or had to be killed."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"name": name, "how": how}) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        if "died" in answer:
            raise RuntimeError(f"{name}, {how}: {answer['died']}")
        return Outcome(**answer)

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(timeout=10)


def serve() -> None:
    """Answer requests on stdin, one JSON line each, until it closes."""
    os.environ[SECRET_VARIABLE] = SECRET_TEXT
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    prepared: set[str] = set()
    before = host_state.Snapshot()
    for line in sys.stdin:
        request = json.loads(line)
        needed = {*read(request["name"]).imports, *(["fumehood"] if request["how"] == "guarded" else [])}
        if not needed <= prepared or not before.namespaces:
            for module in needed:
                importlib.import_module(module)
            if "fumehood" in needed:
                importlib.import_module("fumehood").LocalPythonExecutor(isolation="inline").run("1")
            prepared |= needed
            before = host_state.take()
            # A collection in a child would copy every page the server's objects are on.
            gc.freeze()
        answers.write(json.dumps(_in_a_child(request, before)) + "\n")
        answers.flush()


def _in_a_child(request: dict[str, str], before: host_state.Snapshot) -> dict[str, Any]:
    readable, writable = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(readable)
        try:
            answer = run(read(request["name"]), request["how"], before).as_data()
        except BaseException:  # whatever it is, the test must hear of it
            answer = {"died": traceback.format_exc()}
        # By the interpreter's own repr: json is one of the libraries that programs change.
        os.write(writable, repr(answer).encode())
        # Not sys.exit: exit hooks and finalizers that the program left behind belong to it, not to the server.
        os._exit(0)
    os.close(writable)
    text = _read_all(readable, child)
    _, status = os.waitpid(child, 0)
    ended = f"no answer; the process ended with {os.waitstatus_to_exitcode(status)}"
    return ast.literal_eval(text) if text else {"died": ended}


def _read_all(descriptor: int, child: int) -> str:
    chunks = []
    deadline = time.monotonic() + DEADLINE_SECONDS
    while select.select([descriptor], [], [], max(0.0, deadline - time.monotonic()))[0]:
        chunk = os.read(descriptor, 65536)
        if not chunk:
            break
        chunks.append(chunk)
    else:
        os.kill(child, signal.SIGKILL)
        chunks = []
    os.close(descriptor)
    return b"".join(chunks).decode()
