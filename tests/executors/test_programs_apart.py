"""Programs of one sandbox reach nothing of another one, and cannot keep the host waiting."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from fumehood import Limits, LocalPythonExecutor, Policy
from fumehood.executors.executor import Executor

from .conftest import skip_where_nothing_can_be_branched

pytestmark = pytest.mark.filterwarnings("ignore::fumehood.errors.DangerousImport")

_NAME = "fumehood-test-of-names"
_SOCKETS = f"""
import os, socket, stat
def bind(number):
    with socket.socket(fileno=os.dup(number)) as wire:
        try:
            wire.bind(chr(0) + {_NAME!r})
        except OSError as error:
            return error.strerror
        return "bound"
[bind(number) for number in range(64) if os.path.exists(f"/proc/self/fd/{{number}}")
 and stat.S_ISSOCK(os.stat(f"/proc/self/fd/{{number}}").st_mode)]
"""


def _started() -> Iterator[Executor]:
    limits = Limits(answer_seconds=1)
    with LocalPythonExecutor(policy=Policy.full(limits=limits)) as executor:
        skip_where_nothing_can_be_branched(executor)
        yield executor


@pytest.fixture
def executor() -> Iterator[Executor]:
    yield from _started()


@pytest.fixture
def other() -> Iterator[Executor]:
    yield from _started()


def _names_of_wires(executor: Executor) -> None:
    results = executor.run(_SOCKETS).value
    assert results and set(results) == {"Invalid argument"}
    assert _NAME not in Path("/proc/net/unix").read_text(encoding="utf-8")


def test_code_cannot_name_a_wire_that_the_host_made(executor: Executor) -> None:
    """The first wire is made by the zygote, those of forks and after a rollback by the host."""
    _names_of_wires(executor)
    with executor.fork() as fork:
        _names_of_wires(fork)
    executor.restore(executor.snapshot())
    _names_of_wires(executor)
    assert executor.run("import os\nos._exit(1)").fault == "crash"
    _names_of_wires(executor)


def test_abstract_names_are_those_of_one_sandbox(executor: Executor, other: Executor) -> None:
    listen = (
        f"import socket\ns = socket.socket(socket.AF_UNIX)\ns.bind(chr(0) + {_NAME!r})\ns.listen()"
    )
    assert executor.run(listen).error is None
    connect = f"import socket\nsocket.socket(socket.AF_UNIX).connect(chr(0) + {_NAME!r})"
    refused = other.run(connect).error
    assert refused is not None and refused.type == "ConnectionRefusedError"
    assert other.run(listen).error is None  # nor is the name taken


def test_sockets_and_files_of_one_sandbox_are_not_seen_by_another(
    executor: Executor, other: Executor
) -> None:
    made = executor.run(
        "import os, socket\ns = socket.socket(socket.AF_UNIX)\ns.bind('socket')\ns.listen()\n"
        "open('file', 'w').write('x')\nos.getpid()"
    )
    assert made.error is None
    seen = other.commands.run(
        "find /labs /home/user/ /tmp/ /dev/shm/ -name socket -o -name file; ls -d /proc/[0-9]* | wc -l"
    )
    assert seen.stdout.split() == [seen.stdout.split()[-1]]
    assert int(seen.stdout.split()[-1]) < 8


def test_a_command_server_that_code_has_stopped_is_ended(executor: Executor) -> None:
    began = time.monotonic()
    stopped = executor.commands.run(["bash", "-c", "kill -STOP $PPID; sleep 60"], timeout=0.5)
    assert (stopped.exit_code, time.monotonic() - began < 20) == (124, True)
    assert executor.commands.run("echo answers").stdout == "answers\n"
    command = executor.commands.start(["bash", "-c", "kill -STOP $PPID; sleep 60"])
    command.kill()  # or it was ended because its start was not answered
    assert command.wait(20).exit_code == 137


def test_restore_ends_programs_in_sessions_of_their_own(executor: Executor) -> None:
    snapshot = executor.snapshot()
    executor.run(
        'import os\nos.system(\'setsid sh -c "while :; do date > /labs/0/tick; sleep 0.05; done"'
        " </dev/null >/dev/null 2>&1 &')"
    )
    until = time.monotonic() + 20
    while executor.run("os.path.exists('/labs/0/tick')").value is not True:
        assert time.monotonic() < until
    executor.restore(snapshot)
    gone = executor.run(
        "import os, time\nwith __import__('contextlib').suppress(OSError): os.unlink('/labs/0/tick')\n"
        "time.sleep(0.5)\nos.path.exists('/labs/0/tick')"
    )
    assert gone.value is False
