"""Ways for a cell to end that no exception handler sees, as programs for the plain language: what
each does to its process, and what it is to be called afterwards."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest

from fumehood import Limits, LocalPythonExecutor, Policy
from fumehood.results import Execution

from .conftest import outcome_of

MEGABYTE = 1 << 20
PATIENT = 20.0
"""Seconds: no cell that is to end by itself takes as long, however busy the machine is."""
QUICK = Limits(
    cell_seconds=1,
    grace_seconds=0.2,
    memory_bytes=96 * MEGABYTE,
    file_bytes=32 * MEGABYTE,
    lab_bytes=MEGABYTE,
    output_bytes=MEGABYTE,
    processes=24,
)


@dataclass(frozen=True)
class Way:
    code: str
    fault: str
    reason: str
    needs_cgroup: bool = False


WAYS: dict[str, Way] = {
    "exit": Way(
        "import os\nos._exit(3)",
        "crash",
        "the process ends itself, and nothing of Python runs any more",
    ),
    "segfault": Way(
        "import ctypes\nctypes.string_at(0)", "crash", "C code reads where no memory is"
    ),
    "abort": Way(
        "import os\nos.abort()", "crash", "what C code does when it finds its own state broken"
    ),
    "deep recursion in C": Way(
        "import sys, threading\nsys.setrecursionlimit(10**6)\n"
        # newer interpreters count calls of C code, but not how little stack a thread has
        "threading.stack_size(64 << 10)\n"
        "def deeper(x=None): return max([1], key=deeper)\n"
        "threading.Thread(target=deeper).start()\n"
        "import time; time.sleep(30)",
        "crash",
        "the C stack overflows",
    ),
    "memory error": Way(
        "x = []\nwhile True: x.append(bytearray(1 << 20))",
        "memory",
        "the process's own limit is reached: an exception",
    ),
    "out of memory": Way(
        "import os, select, time\n"
        "def take(megabytes):\n"
        "    taken = bytearray(megabytes << 20)\n"
        "    for page in range(0, len(taken), 4096): taken[page] = 1\n"
        "    return taken\n"
        "ready, done = os.pipe()\n"
        "for _ in range(8):\n"
        "    if not os.fork():\n"
        "        taken = take(20)\n"
        "        os.write(done, b'.')\n"
        "        time.sleep(30)\n"
        "        os._exit(0)\n"
        # the kernel may have killed some of them already
        "for _ in range(8):\n"
        "    if select.select([ready], [], [], 1)[0]: os.read(ready, 1)\n"
        "taken = take(80)\n"
        "time.sleep(30)",
        "memory",
        "processes that each stay below their limit: the kernel kills the one with the most",
        needs_cgroup=True,
    ),
    "loop in C": Way(
        "sum(range(10**13))", "timeout", "no exception gets in: it ends by being killed"
    ),
    "loop": Way("while True: pass", "timeout", "ends by an exception inside"),
    "deaf loop": Way(
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
        "timeout",
        "swallows every exception thrown into it",
    ),
    "stopped": Way(
        "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)",
        "timeout",
        "a process that does not run cannot obey",
    ),
    "endless output": Way(
        "while True: print('x' * 10_000)", "output", "prints more than a cell may"
    ),
    "killed by itself": Way(
        "import os\nos.kill(os.getpid(), 9)", "killed", "a signal that nobody can handle"
    ),
    "killed from outside": Way(
        "be_killed()\nwhile True: pass",
        "killed",
        "somebody on the host, the kernel for one, killed the runner",
    ),
    "terminated": Way(
        "import os, signal\nsignal.signal(signal.SIGTERM, signal.SIG_DFL)\nos.kill(os.getpid(),"
        " signal.SIGTERM)",
        "crash",
        "an ordinary signal without a handler",
    ),
    "closed wire": Way(
        "import os\nos.closerange(3, 64)", "crash", "the process lives, and cannot be reached"
    ),
    "fork bomb": Way(
        "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass",
        "timeout",
        "as many processes as there may be, each trying to make more",
    ),
    "too many processes": Way(
        "import os\nwhile True: os.fork()",
        "processes",
        "the same, and those that cannot make more end; others that are left go on",
    ),
}


def each_of(*names: str) -> pytest.MarkDecorator:
    """Parametrizes a test with some of the ways; those that take their time are marked so."""
    rows = [
        pytest.param(name, marks=[pytest.mark.long] if WAYS[name].fault == "timeout" else [])
        for name in names
    ]
    return pytest.mark.parametrize("way", rows)


def plain(**limits: Any) -> Policy:
    """A policy under which code can do all of this."""
    limits_ = replace(QUICK, **limits)
    return Policy(imports=("numpy",), files=True, language="off", limits=limits_)


def seconds_for(request: pytest.FixtureRequest, otherwise: float) -> float:
    """The time limit for a test of one of the ways: short where that is what ends the cell, else
    longer than a busy machine takes."""
    parameters = request.node.callspec.params if hasattr(request.node, "callspec") else {}
    way = WAYS.get(parameters.get("way"))
    return (
        otherwise if way is None else QUICK.cell_seconds or 1 if way.fault == "timeout" else PATIENT
    )


def let_it_be_killed(executor: LocalPythonExecutor) -> None:
    """Give code a tool that kills the process which calls it, as somebody on the host might."""
    worker: Any = executor._session
    executor.send_tools({"be_killed": lambda: worker._runner.signal(9)})


def fail(executor: LocalPythonExecutor, way: str, before: str = "") -> Execution:
    """The outcome of a cell that ends in one of the ways."""
    if WAYS[way].needs_cgroup and "absent    memory cgroup" in executor.report():
        pytest.skip("there is no cgroup to count processes' memory together")
    execution: Execution = outcome_of(lambda: executor.run(f"{before}\n{WAYS[way].code}"))
    return execution
