"""Going back and branching off, for hosts that may do less: an ordinary user can, a host without
namespaces cannot and is told so."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest

from .test_identities import as_identity  # a fixture  # noqa: F401

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")

Run = Callable[..., Any]

_LIMITS = (
    "Limits(cell_seconds=3, grace_seconds=0.2, memory_bytes=96 << 20, lab_bytes=1 << 20,"
    " output_bytes=1 << 20, processes=32)"
)

ROLLBACKS = f"""
    executor = LocalPythonExecutor(policy=Policy(files=True, language="off", limits={_LIMITS}))
    executor("import ctypes, os, time\\nkept = [1]\\nopen('/home/user/file', 'w').write('old')")
    found = []
    ways = [
        "os._exit(1)",
        "ctypes.string_at(0)",
        "while True: pass",
        "sum(range(10**13))",
        "x = bytearray(10**10)",
        "while True: print('x' * 10000)",
        "if not os.fork():\\n    while True: time.sleep(0.01)\\nos._exit(1)",
    ]
    for way in ways:
        execution = executor.run("kept.append(2)\\nopen('/home/user/file', 'w').write('new')\\n" + way)
        found.append([execution.fault, execution.rolled_back, *executor("kept, open('/home/user/file').read()").output])
    say(found)
"""

BRANCHES = f"""
    executor = LocalPythonExecutor(policy=Policy(files=True, language="off", limits={_LIMITS}))
    executor("import os\\nx = [1]\\nopen('/home/user/file', 'w').write('one')\\nappending = open('/home/user/log', 'a')")
    look = "x, open('/home/user/file').read(), sorted(os.listdir('/home/user'))"
    snapshot = executor.snapshot()
    executor("x.append(2)\\nopen('/home/user/file', 'w').write('two')\\nopen('/home/user/new', 'w').close()")
    forks = executor.fork(3)
    executor.restore(snapshot)
    forks[0]("x.append(3)\\nopen('/home/user/file', 'w').write('three')")
    crash = forks[1].run("x.clear()\\nos.remove('/home/user/file')\\nos._exit(1)")
    first = executor.run("x.clear()\\nos._exit(1)")
    found = [executor(look).output, *(fork(look).output for fork in forks)]
    executor.close()
    say([found, [crash.rolled_back, first.rolled_back], forks[2](look).output, [works(fork) for fork in forks]])
"""


@pytest.mark.long
@pytest.mark.parametrize("identity", ["root", "nobody"])
def test_a_host_with_namespaces_goes_back_after_every_fault(
    as_identity: Run,  # noqa: F811
    identity: str,
) -> None:
    found = as_identity(identity, ROLLBACKS)
    faults = ["crash", "crash", "timeout", "timeout", "memory", "output", "crash"]
    assert found == [[fault, True, [1], "old"] for fault in faults]


@pytest.mark.long
@pytest.mark.parametrize("identity", ["root", "nobody"])
def test_a_host_with_namespaces_can_branch(as_identity: Run, identity: str) -> None:  # noqa: F811
    found, rolled_back, after, working = as_identity(identity, BRANCHES)
    names = ["file", "log", "new"]
    assert found == [
        [[1], "one", ["file", "log"]],
        [[1, 2, 3], "three", names],
        [[1, 2], "two", names],
        [[1, 2], "two", names],
    ]
    assert rolled_back == [True, True]
    assert after == found[3]
    assert working == [True] * 3


WITHOUT = f"""
    executor = LocalPythonExecutor(policy=Policy(files=True, language="off", limits={_LIMITS}))
    executor("kept = 1")
    outcomes = []
    for code in ("kept = 2\\nwhile True: pass", "import os\\nos._exit(1)"):
        execution = executor.run(code)
        outcomes.append([execution.fault, execution.rolled_back, "lost" in execution.error.message, executor.run("kept").ok])
    def refusal(function):
        try:
            return "made " + repr(function())
        except SandboxFailed as error:
            return str(error)
    executor("kept = 3")
    texts = [refusal(executor.snapshot), refusal(executor.fork), refusal(lambda: executor.fork(2))]
    say([outcomes, texts, len(executor.history()), executor("kept").output, works(executor)])
"""


@pytest.mark.long
@pytest.mark.parametrize("identity", ["container", "contained"])
def test_a_host_without_namespaces_goes_on_as_if_nothing_was_asked_for_and_cannot_branch(
    as_identity: Run,  # noqa: F811
    identity: str,
) -> None:
    outcomes, texts, snapshots, kept, works = as_identity(identity, WITHOUT)
    assert outcomes == [["timeout", False, False, True], ["crash", False, True, False]]
    assert len(texts) == 3
    for text in texts:
        assert "one process only" in text
        assert "\n" not in text
    assert (snapshots, kept, works) == (0, 3, True)
