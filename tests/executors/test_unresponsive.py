"""Sandboxes that do not answer, answer without end, or answer with what was not asked for."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from fumehood import Limits, LocalPythonExecutor, Policy
from fumehood.errors import SandboxFailed
from fumehood.results import Execution


@pytest.fixture
def executor() -> Iterator[LocalPythonExecutor]:
    with LocalPythonExecutor(policy=Policy(language="off", files=True)) as made:
        yield made


def until(condition: Callable[[], Any]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def descriptors() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def stop_runner(executor: LocalPythonExecutor) -> None:
    """Stop the process that answers, as code could after its cell."""
    runner = executor._session._runner
    assert runner is not None
    runner.signal(signal.SIGSTOP)
    until(lambda: runner.sandbox.zygote.processes.is_stopped(runner.handle))


ASKED: dict[str, Callable[[LocalPythonExecutor, Path], Any]] = {
    "state": lambda executor, _path: executor.state["x"],
    "send_variables": lambda executor, _path: executor.send_variables({"y": 1}),
    "send_tools": lambda executor, _path: executor.send_tools({"tool": lambda: 1}),
    "snapshot": lambda executor, _path: executor.snapshot(),
    "fork": lambda executor, _path: executor.fork(),
    "save": lambda executor, path: executor.save(path / "state"),
}


@pytest.mark.parametrize("asked", ASKED)
def test_a_stopped_runner_is_given_up_after_the_limit(tmp_path: Path, asked: str) -> None:
    policy = Policy(files=True, language="off", limits=Limits(answer_seconds=1))
    with LocalPythonExecutor(policy=policy) as executor:
        executor.run("x = 1")
        stop_runner(executor)
        with pytest.raises(SandboxFailed, match="did not answer within 1 seconds"):
            ASKED[asked](executor, tmp_path)
        assert executor.run("6 * 7").value == 42


def test_files_are_reached_though_the_runner_is_stopped(executor: LocalPythonExecutor) -> None:
    executor.run("open('/home/user/f', 'w').write('text')")
    stop_runner(executor)
    assert executor.files.read("f") == b"text"


def test_close_does_not_wait_for_a_question_that_is_not_answered() -> None:
    """The question has ten minutes, which close() does not wait for."""
    limits = Limits(answer_seconds=600)
    executor = LocalPythonExecutor(policy=Policy(files=True, language="off", limits=limits))
    executor.run("x = 1")
    stop_runner(executor)
    raised: list[BaseException] = []

    def ask() -> None:
        try:
            executor.state["x"]
        except SandboxFailed as error:
            raised.append(error)

    asking = threading.Thread(target=ask)
    asking.start()
    until(executor._session._turn.locked)
    executor.close()
    asking.join(60)
    assert not asking.is_alive()
    assert [str(error) for error in raised] == ["this executor is closed; make a new one"]


def test_the_time_of_a_cell_begins_when_its_checkpoint_is_made() -> None:
    """Else a machine that stalls for a moment would cost the variables."""
    limits = Limits(cell_seconds=0.3, grace_seconds=0.1, answer_seconds=60)
    executions: list[Execution] = []
    with LocalPythonExecutor(policy=Policy(language="off", limits=limits)) as executor:
        executor.run("x = 1")
        stop_runner(executor)
        running = threading.Thread(
            target=lambda: executions.append(executor.run("x += 1\nwhile True: pass"))
        )
        running.start()
        until(lambda: executor._session.is_busy)
        running.join(1)  # longer than the cell may take
        assert running.is_alive()
        runner = executor._session.runner
        assert runner is not None
        runner.signal(signal.SIGCONT)
        running.join(60)
        (execution,) = executions
        assert (execution.fault, execution.rolled_back) == ("timeout", True)
        assert executor.run("x").value == 1


STOP_OTHERS = """
import os, signal
x = 2
for name in os.listdir("/proc"):
    if name.isdigit() and int(name) not in (1, os.getpid()):
        os.kill(int(name), signal.{signal})
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_checkpoint_that_code_has_stopped_takes_over_all_the_same(
    executor: LocalPythonExecutor,
) -> None:
    executor.run("x = 1")
    execution = executor.run(STOP_OTHERS.format(signal="SIGSTOP"))
    assert (execution.fault, execution.rolled_back) == ("killed", True)
    assert executor.run("x").value == 1


def test_a_checkpoint_that_code_has_killed_costs_that_sandbox_its_variables(
    executor: LocalPythonExecutor,
) -> None:
    executor.run("x = 1")
    execution = executor.run(STOP_OTHERS.format(signal="SIGKILL"))
    assert (execution.fault, execution.rolled_back) == ("killed", False)
    assert executor.run("'x' in globals()").value is False


def test_code_holds_no_socket_but_the_wire(executor: LocalPythonExecutor) -> None:
    executor.run("x = 1")
    sockets = """
import os, stat
[n for n in range(256) if os.path.exists(f"/proc/self/fd/{n}") and stat.S_ISSOCK(os.fstat(n).st_mode)]
"""
    assert executor.run(sockets).value == [3]


DESCRIPTORS = """
import array, os, signal, socket, struct, time
me = os.getpid()
if os.fork() == 0:
    line = socket.socket(fileno=3)
    reads, writes = os.pipe()
    while open(f"/proc/{me}/stat").read().rpartition(")")[2].split()[0] != "T":
        time.sleep(0.01)
    line.send(struct.pack(">II", 60_000_000, 0))
    ends = time.monotonic() + 30
    while time.monotonic() < ends:
        try:
            line.sendmsg([b"a"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [reads]))])
        except OSError:
            time.sleep(0.001)
    os._exit(0)
"""


def test_descriptors_that_a_sandbox_sends_never_arrive() -> None:
    policy = Policy(files=True, language="off", limits=Limits(answer_seconds=2))
    executor = LocalPythonExecutor(policy=policy)
    executor.run(DESCRIPTORS)
    stop_runner(executor)
    before, peak, done = descriptors(), 0, threading.Event()

    def look() -> None:
        nonlocal peak
        while not done.is_set():
            peak = max(peak, descriptors())

    looking = threading.Thread(target=look)
    looking.start()
    try:
        with pytest.raises(SandboxFailed):
            executor.fork()
    finally:
        done.set()
        looking.join()
        executor.close()
    assert peak < before + 20


def test_a_call_that_comes_after_its_cell_ends_the_sandbox(executor: LocalPythonExecutor) -> None:
    executor.send_tools({"tool": lambda: 1})
    executor.run("x = 1")
    forge = """
import os, struct
header = b'{"type":"call_tool","call":7,"name":"tool","arguments":null}'
frame = struct.pack(">II", len(header), 0) + header
import threading, time
def call():
    time.sleep(0.5)
    os.write(3, frame)
threading.Thread(target=call, daemon=True).start()
"""
    executor.run(forge)

    def ask_on() -> None:
        while True:
            executor.state["x"]

    with pytest.raises(SandboxFailed, match="while no cell was running"):
        ask_on()


def test_a_thread_that_outlives_its_cell_is_refused_tools_and_does_no_harm(
    executor: LocalPythonExecutor,
) -> None:
    executor.send_tools({"tool": lambda: 1})
    executor.run(
        "import threading\n"
        "seen, go = [], threading.Event()\n"
        "def call():\n"
        "    go.wait(60)\n"
        "    try:\n"
        "        tool()\n"
        "    except RuntimeError as error:\n"
        "        seen.append(str(error))\n"
        "thread = threading.Thread(target=call, daemon=True)\n"
        "thread.start()\n"
        "timer = threading.Timer(0.5, go.set)\n"
        "timer.daemon = True\n"
        "timer.start()\n"
    )
    until(lambda: executor.state["seen"])
    assert executor.state["seen"] == ["tools can be called only while a cell runs"]


def test_a_forked_process_is_refused_tools(executor: LocalPythonExecutor) -> None:
    executor.send_tools({"tool": lambda: 1})
    code = """
import os
reads, writes = os.pipe()
if os.fork() == 0:
    try:
        tool()
    except RuntimeError as error:
        os.write(writes, str(error).encode())
    os._exit(0)
os.read(reads, 200).decode()
"""
    assert "forked process cannot call tools" in executor.run(code).value
    assert executor.run("tool()").value == 1


def test_a_frame_without_end_does_not_outlast_the_time_limit() -> None:
    limits = Limits(cell_seconds=1, grace_seconds=0.2)
    with LocalPythonExecutor(policy=Policy(files=True, language="off", limits=limits)) as executor:
        code = "import os, struct\nos.write(3, struct.pack('>II', 60_000_000, 0))\nwhile True:\n    os.write(3, b' ')"
        assert executor.run(code).fault in ("timeout", "killed", "crash")


DROPPED = """
import gc
from fumehood import LocalPythonExecutor

executor = LocalPythonExecutor()
for _ in range(2):  # the second cell has a checkpoint
    executor.run("1")
del executor
gc.collect()
"""


def test_an_executor_that_is_dropped_leaves_no_socket_open() -> None:
    """In a process of its own: garbage of other tests would be reported here."""
    command = [sys.executable, "-W", "always::ResourceWarning", "-c", DROPPED]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ended.stderr == ""
