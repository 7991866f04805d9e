"""However a program ends, no sandbox of the service is left; and a fork of it leaves its parent's
alone."""

from __future__ import annotations

import gc
import json
import os
import signal
import subprocess
import sys
import time

import pytest

from fumehood import E2BExecutor

from ..clouds import Serving
from .hosts import wait_until

_BEGIN = """import json, os, sys
import fumehood
options = json.loads(sys.argv[1])
executor = fumehood.E2BExecutor(**options)
executor("x = 1")
print(executor.sandbox.id, flush=True)
"""

ENDINGS = {
    "its last line": "",
    "an exception": "raise RuntimeError('oh')",
    "sys.exit in the middle": "sys.exit(3)",
    "a cell that runs in a thread": (
        "import threading, time\nthreading.Thread(target=lambda: executor.run('import time\\nwhile"
        " True: time.sleep(0.01)'), daemon=True).start()\ntime.sleep(0.5)"
    ),
    "a signal that it heeds": "os.kill(os.getpid(), __import__('signal').SIGINT)",
}


def program(cloud: Serving, rest: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", _BEGIN + rest, json.dumps(cloud.options)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("rest", ENDINGS.values(), ids=ENDINGS)
def test_the_end_of_a_program_ends_its_sandbox(cloud, rest):
    done = program(cloud, rest)
    out, errors = done.communicate(timeout=120)
    assert out.strip() in cloud.cloud.made, errors
    assert "Fatal" not in errors and done.returncode >= 0 or "KeyboardInterrupt" in errors
    assert out.strip() not in cloud.cloud.alive


def test_of_a_program_that_is_killed_the_service_ends_it(cloud):
    """It has been given a time, which nobody renews."""
    host = program(cloud, "import time; time.sleep(600)")
    assert host.stdout is not None
    made = host.stdout.readline().strip()
    host.kill()
    host.communicate()
    sandbox = cloud.cloud.sandboxes[made]
    given = len(sandbox.seconds)
    sandbox.ends_at = time.monotonic()
    assert made not in cloud.cloud.alive and len(sandbox.seconds) == given


def test_one_that_is_dropped_is_ended(cloud):
    executor = E2BExecutor(**cloud.options)
    made = executor.sandbox.id
    assert made in cloud.cloud.alive
    del executor
    gc.collect()
    wait_until(lambda: made not in cloud.cloud.alive, "it is ended")


def test_a_fork_of_the_program_leaves_its_parents_alone(cloud):
    rest = """
pid = os.fork()
if pid == 0:
    try:
        executor("x")
        code = 1
    except fumehood.SandboxFailed as error:
        code = 0 if "fork of that" in str(error) else 2
    try:
        fumehood.E2BExecutor(**options)
        code = 3
    except fumehood.E2BUnavailable as error:
        code = code or (0 if "start that process anew" in str(error) else 4)
    executor.close()
    del executor
    os._exit(code)
assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
print(executor("x + 1").output, flush=True)
"""
    out, errors = program(cloud, rest).communicate(timeout=120)
    assert out.split()[1:] == ["2"], errors


def test_signals_are_left_to_the_program(cloud):
    host = program(
        cloud,
        "import time\ntry:\n    print('ready', flush=True)\n    time.sleep(600)\nexcept"
        " KeyboardInterrupt: print('tidy', flush=True)",
    )
    assert host.stdout is not None
    made = host.stdout.readline().strip()
    assert host.stdout.readline() == "ready\n"
    os.kill(host.pid, signal.SIGINT)
    out, errors = host.communicate(timeout=120)
    assert out.strip() == "tidy", errors
    assert host.returncode == 0 and made not in cloud.cloud.alive
