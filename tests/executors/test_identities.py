"""Hosts that may do less: an ordinary user, root and an ordinary user in a container, and one to
whom even Landlock is refused."""

from __future__ import annotations

import errno
import os
import secrets
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fumehood.jail.kernel import Script

from ..jail import identities
from .hosts import answer_of, living, wait_until

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")

_LANDLOCK_CREATE_RULESET = 444


@pytest.fixture
def as_identity(tmp_path: Path) -> Callable[..., Any]:
    """Runs a host program as one of the identities of tests/jail and gives the line that it
    says."""
    place = tmp_path / "place"
    place.mkdir()
    for path in (tmp_path, place):
        path.chmod(0o755)

    def run(identity: str, program: str, *, without_landlock: bool = False) -> Any:
        def become() -> None:
            if without_landlock:
                refuse_landlock()
            identities.prepare(identity, place, f"token-{secrets.token_hex(8)}")

        return answer_of(program, become, cwd="/")

    return run


def refuse_landlock() -> None:
    """A filter as of a kernel without Landlock. It stays for everything that this process
    starts."""
    program = [
        (0x20, 0, 0, 0),
        (0x15, 0, 1, _LANDLOCK_CREATE_RULESET),
        (0x06, 0, 0, 0x00050000 | errno.ENOSYS),
        (0x06, 0, 0, 0x7FFF0000),
    ]
    script = Script(0)
    script.filter_system_calls(b"".join(struct.pack("<HBBI", *row) for row in program))
    script.run()


# What code must not achieve; each gives "held" or what it got. A sandbox has two accounts of its own.
ATTEMPTS = """
import os, signal, socket
def attempt(function, *args):
    try: return repr(function(*args))
    except (OSError, IndexError) as error: return "held"
found = {
    "passwords": attempt(lambda: open("/etc/passwd").readlines()[2]),
    "shadow": attempt(lambda: open("/etc/shadow").read()),
    "the host's memory": attempt(lambda: open(f"/proc/{host}/mem", "rb").read(1)),
    "the host's environment": attempt(lambda: open(f"/proc/{host}/environ", "rb").read(1)),
    "a file": attempt(lambda: open("/var/tmp/fumehood-was-here", "w")),
    "internet sockets": attempt(socket.socket, socket.AF_INET),
    "unix sockets": attempt(socket.socket, socket.AF_UNIX),
    "a program": attempt(os.execv, "/bin/true", ["true"]),
    "a signal to the host": attempt(os.kill, host, 0),
    "a signal to everybody": attempt(lambda: os.kill(-1, 0) or "sent"),
}
found
"""

SURVEY = """
    executor = LocalPythonExecutor(policy=Policy(files=True, language="off"))
    executor.send_variables({"host": os.getpid()})
    execution = executor.run(%r)
    forks = executor.run("import os\\nchild = os.fork()\\nchild or os._exit(0)\\n'forked'")
    say([works(executor), execution.value or repr(execution), forks.value, executor.report()])
"""


@pytest.mark.parametrize("identity", ["root", "nobody"])
def test_where_namespaces_can_be_had_everything_is_in_force(
    as_identity: Callable[..., Any], identity: str
) -> None:
    works, found, _forks, report = as_identity(identity, SURVEY % ATTEMPTS)
    assert works is True
    assert {name: what for name, what in found.items() if what != "held"} == {}
    absent = [
        line
        for line in report.splitlines()
        if line.strip().startswith("absent") and "cgroup" not in line
    ]
    assert absent == []


@pytest.mark.parametrize("identity", ["container", "contained"])
def test_where_namespaces_are_refused_landlock_and_seccomp_hold_alone(
    as_identity: Callable[..., Any], identity: str
) -> None:
    works, found, forks, report = as_identity(identity, SURVEY % ATTEMPTS)
    assert works is True
    assert {name: what for name, what in found.items() if what != "held"} == {}
    assert forks is None, "code started a process, which nothing here would end"
    absent = [line for line in report.splitlines() if line.strip().startswith("absent")]
    assert {"mount namespace", "network namespace", "user, pid, ipc namespaces"} <= {
        line.split("absent")[1].split(":")[0].strip() for line in absent
    }
    assert all(
        "not permitted" in line or "refused" in line or "cgroup" in line for line in absent
    ), absent


@pytest.mark.parametrize("identity", ["container", "contained"])
def test_where_both_are_refused_nothing_runs_and_one_line_says_why(
    as_identity: Callable[..., Any], identity: str
) -> None:
    program = """
        try:
            say(["ran", works(LocalPythonExecutor())])
        except JailUnavailable as error:
            say(["unavailable", str(error)])
    """
    outcome, text = as_identity(identity, program, without_landlock=True)
    assert outcome == "unavailable"
    assert "\n" not in text
    assert "Landlock" in text
    assert "inline" in text or "Docker" in text


# CPU seconds of all processes below the host, in four seconds after a cell that left some behind.
AFTER_THE_CELL = """
    import time
    from pathlib import Path

    def used():
        fields = {}
        for file in Path("/proc").glob("[0-9]*/stat"):
            try: fields[int(file.parent.name)] = file.read_text().rpartition(")")[2].split()
            except OSError: continue
        below, generation = set(), {os.getpid()}
        while generation:
            generation = {pid for pid, row in fields.items() if int(row[1]) in generation} - below
            below |= generation
        return sum(int(fields[pid][11]) + int(fields[pid][12]) for pid in below) / 100

    executor = LocalPythonExecutor(policy=Policy(files=True, language="off", limits=Limits(cell_seconds=1)))
    executor.run("import os\\nfor _ in range(2):\\n  if os.fork() == 0:\\n    while True: pass")
    before = used()
    time.sleep(4)
    say([used() - before, executor.run("20 + 22").value])
"""


@pytest.mark.parametrize("identity", ["root", "nobody"])
def test_processes_that_outlive_their_cell_get_little_cpu_time(
    as_identity: Callable[..., Any], identity: str
) -> None:
    seconds, value = as_identity(identity, AFTER_THE_CELL)
    assert (seconds <= 1, value) == (True, 42), seconds


CONTRACT = """
    import threading
    started = threading.Event()
    executor = LocalPythonExecutor(limits=Limits(cell_seconds=3, grace_seconds=0.2, memory_bytes=64 << 20, output_bytes=1 << 20))
    executor.send_tools({"double": lambda x: 2 * x})
    executor("kept = 1")
    outcomes = [
        executor("double(kept)").output,
        executor.run("kept = 2\\nwhile True: pass").fault,
        executor("kept").output,
        executor.run("sum(range(10**12))").fault,
        executor.run("bytearray(10**9)").fault,
        executor.run("while True: print('x' * 1000)").fault,
        executor("double(21)").output,
    ]
    executor.close()
    many = [LocalPythonExecutor() for _ in range(5)]
    say([outcomes, [works(each) for each in many]])
"""


@pytest.mark.parametrize("identity", ["nobody", "container", "contained"])
def test_limits_and_tools_are_the_same_for_every_host(
    as_identity: Callable[..., Any], identity: str
) -> None:
    outcomes, many = as_identity(identity, CONTRACT)
    kept = (
        1 if identity == "nobody" else 2
    )  # undone only where a process may have a copy to go back to
    assert outcomes == [2, "timeout", kept, "timeout", "memory", "output", 42]
    assert many == [True] * 5


@pytest.mark.parametrize("identity", ["container", "contained"])
def test_a_stopped_process_does_not_outlive_its_host(
    as_identity: Callable[..., Any], identity: str
) -> None:
    """Without a pid namespace the kernel ends nothing by itself, and a process that is stopped
    reads no end of file."""
    program = """
        import threading, time
        policy = Policy(files=True, language="off", limits=Limits(cell_seconds=None))
        told = []
        executor = LocalPythonExecutor(policy=policy, on_output=told.append)
        code = "import os, signal\\nprint(os.getpid(), flush=True)\\nos.kill(os.getpid(), signal.SIGSTOP)"
        threading.Thread(target=executor.run, args=(code,), daemon=True).start()
        def is_stopped():
            with open(f"/proc/{int(told[0])}/stat") as file:
                return file.read().rpartition(") ")[2][0] == "T"
        end = time.monotonic() + 60
        while not (told and is_stopped()) and time.monotonic() < end:
            time.sleep(0.01)
        say(int(told[0]))
        os._exit(0)
    """
    stopped = as_identity(identity, program)
    wait_until(lambda: not living({stopped}), "the stopped process is gone")
