"""Every limit of a jailed executor: it is enforced, the fault names it, what was printed is kept,
and the executor goes on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fumehood import (
    JailUnavailable,
    LimitReached,
    Limits,
    LocalPythonExecutor,
    Policy,
    RemoteObject,
)
from fumehood.jail import limits as jail_limits
from fumehood.results import Execution
from fumehood.wire.messages import TIMEOUT_SIGNAL

from . import hosts
from .conftest import MakeExecutor, outcome_of, skip_where_there_is_no_jail
from .ways_to_fail import PATIENT

SMALL = Limits(cell_seconds=10, grace_seconds=0.2)
MEGABYTE = 1 << 20


def jailed(
    make: MakeExecutor, *, language: Any = "guarded", on_fault: str = "rollback", **limits: Any
) -> LocalPythonExecutor:
    return make(
        policy=Policy(files=True, language=language, limits=replace(SMALL, **limits)),
        on_fault=on_fault,
    )


def run(executor: LocalPythonExecutor, code: str) -> Execution:
    """The outcome of a cell, and the executor's promise that it can be used afterwards."""
    execution: Execution = outcome_of(lambda: executor.run(code))
    again: Execution = outcome_of(lambda: executor.run("20 + 22"))
    assert again.value == 42, f"of no use after {execution}: {again}"
    if (
        executor.policy.language == "guarded"
    ):  # plain code can make our own code fail, and so see where it is
        assert "fumehood" not in execution.logs + again.logs
    return execution


# -- time


def test_a_c_call_that_never_looks_is_killed_after_the_grace(make_jailed: MakeExecutor) -> None:
    executor = jailed(make_jailed, cell_seconds=0.5, on_fault="keep")
    executor.send_variables({"kept": 1})
    execution = run(executor, "print('before')\nsum(range(10**12))")
    assert (execution.fault, execution.logs) == ("timeout", "before\n")
    assert execution.error.type == "TimeLimit"
    assert "0.5 seconds" in execution.error.message
    assert "variables are lost" in execution.error.message


@pytest.mark.parametrize(
    "deaf",
    [
        f"signal.signal({TIMEOUT_SIGNAL}, signal.SIG_IGN)",
        "signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())",
        "os.kill(os.getpid(), signal.SIGSTOP)",
    ],
)
def test_code_that_is_deaf_to_signals_is_killed(make_jailed: MakeExecutor, deaf: str) -> None:
    executor = jailed(make_jailed, language="off", cell_seconds=0.5)
    assert run(executor, f"import os, signal\n{deaf}\nwhile True: pass").fault == "timeout"


def test_sigint_belongs_to_the_code(make_jailed: MakeExecutor) -> None:
    executor = jailed(make_jailed, language="off")
    code = """import os, signal
try:
    os.kill(os.getpid(), signal.SIGINT)
except KeyboardInterrupt:
    caught = True
signal.raise_signal(signal.SIGINT)
"""
    execution = run(executor, code)
    assert execution.fault is None and execution.error.type == "KeyboardInterrupt"
    assert executor("caught").output is True


def test_sigalrm_and_its_timer_belong_to_the_code(make_jailed: MakeExecutor) -> None:
    """Also after a cell was stopped and a value was encoded, for which the timer is borrowed."""
    executor = jailed(
        make_jailed, language="off", cell_seconds=2, grace_seconds=PATIENT, on_fault="keep"
    )
    executor("import signal, time\nseen = []")
    executor("signal.signal(signal.SIGALRM, lambda *_: seen.append(1)); signal.alarm(3600)")
    assert run(executor, "while True: pass").fault == "timeout"
    executor("[1, 2, 3]")
    assert 3500 < executor("signal.getitimer(signal.ITIMER_REAL)[0]").output < 3600
    executor("signal.setitimer(signal.ITIMER_REAL, 0.001)\nwhile not seen: pass")
    assert executor("seen").output == [1]


@pytest.mark.parametrize(
    "code",
    [
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
        "def f():\n    try:\n        while True: pass\n    finally:\n        f()\nf()",
        "class C:\n    def __del__(self):\n        while True: pass\nC()",
        "class C(Exception):\n    def __str__(self):\n        while True: pass\nraise C",
        "import re\nre.match('(a*)*b', 'a' * 40)",
    ],
    ids=[
        "catches everything",
        "in finally",
        "in a finalizer",
        "in the text of an error",
        "in the regular expressions",
    ],
)
def test_code_that_resists_the_time_limit_ends_all_the_same(
    make_jailed: MakeExecutor, code: str
) -> None:
    execution = run(jailed(make_jailed, cell_seconds=0.5), code)
    assert execution.fault in (
        "timeout",
        None,
    )  # what is only shown late may be given up without a fault


def test_processor_time_of_the_whole_sandbox_can_be_limited(make_jailed: MakeExecutor) -> None:
    execution = run(
        jailed(make_jailed, language="off", cpu_seconds=1, cell_seconds=60),
        "print('before', flush=True)\nwhile True: pass",
    )
    assert (execution.fault, execution.logs) == ("timeout", "before\n")
    assert "processor time" in execution.error.message


def test_tool_time_counts_when_asked(make_jailed: MakeExecutor) -> None:
    import threading

    release = threading.Event()
    executor = jailed(make_jailed, cell_seconds=0.5, tool_time_counts=True)
    executor.send_tools({"wait": lambda: release.wait(60)})
    assert run(executor, "wait()").fault == "timeout"
    release.set()


# -- memory


def test_one_allocation_too_many_is_a_memory_error_and_the_fault_says_so(
    make_jailed: MakeExecutor,
) -> None:
    executor = jailed(make_jailed, memory_bytes=64 * MEGABYTE)
    executor("kept = 1")
    execution = run(executor, "print('before')\nx = bytearray(10**9)")
    assert (execution.fault, execution.logs, execution.error.type) == (
        "memory",
        "before\n",
        "MemoryError",
    )
    assert executor("kept").output == 1
    with pytest.raises(LimitReached):
        executor("x = bytearray(10**9)")


def test_memory_taken_in_small_pieces_and_kept_leaves_room_to_let_it_go(
    make_jailed: MakeExecutor,
) -> None:
    executor = jailed(make_jailed, memory_bytes=64 * MEGABYTE)
    execution = run(executor, "x = []\nwhile True: x.append(bytearray(10_000))")
    assert execution.fault == "memory"
    assert executor.run("x = None\ny = bytearray(30 << 20)\nlen(y)").value == 30 * MEGABYTE


def test_a_value_that_takes_all_memory_to_compute_is_a_memory_fault(
    make_jailed: MakeExecutor,
) -> None:
    assert run(jailed(make_jailed, memory_bytes=64 * MEGABYTE), "'x' * (10**10)").fault == "memory"


ALL_OF_IT = """
x, size = [], 1 << 20
while True:
    try:
        x.append(bytearray(size))
    except MemoryError:
        if size < 64: raise
        size //= 2
"""


def test_memory_that_is_used_up_to_the_last_byte_again_and_again_costs_no_variables(
    make_jailed: MakeExecutor,
) -> None:
    """Each time there is room to tell of it, and for the next cell to let go of it."""
    executor = jailed(
        make_jailed, language="off", on_fault="keep", memory_bytes=64 * MEGABYTE, lab_bytes=MEGABYTE
    )
    run(executor, "kept = []")
    for turn in range(4):
        execution = run(executor, f"kept.append({turn})\n{ALL_OF_IT}")
        assert (
            execution.fault == "memory"
            and execution.error is not None
            and execution.error.type == "MemoryError"
        )
        assert run(executor, "kept").value == [*range(turn + 1)]
        assert run(executor, "x = None").fault is None


def test_processes_that_take_memory_together_are_ended_by_the_kernel(
    make_jailed: MakeExecutor,
) -> None:
    executor = jailed(make_jailed, language="off", memory_bytes=64 * MEGABYTE, lab_bytes=MEGABYTE)
    if "absent    memory cgroup" in executor.report():
        pytest.skip("there is no cgroup to count processes' memory together")
    code = (
        "import os, time\n"
        "children = []\n"
        "for _ in range(6):\n"
        "    child = os.fork()\n"
        "    if not child:\n"
        "        x = bytearray(40 << 20)\n"
        "        for i in range(0, len(x), 4096): x[i] = 1\n"
        "        time.sleep(5)\n"
        "        os._exit(0)\n"
        "    children.append(child)\n"
        "[os.waitstatus_to_exitcode(os.waitpid(c, 0)[1]) for c in children]"
    )
    execution = run(executor, code)
    assert (
        execution.fault == "memory" or -9 in execution.value
    )  # whichever the kernel chooses; nobody else has killed any


def runner_of(executor: LocalPythonExecutor) -> int:
    handle = executor._session._runner.handle  # type: ignore[union-attr]
    fields = Path(f"/proc/self/fdinfo/{handle}").read_text().split()
    return int(fields[fields.index("Pid:") + 1])


def group_of(runner: int) -> Path:
    """The memory cgroup of a process."""
    for line in Path(f"/proc/{runner}/cgroup").read_text().splitlines():
        _number, controllers, path = line.split(":", 2)
        if "memory" in controllers.split(","):
            return Path("/sys/fs/cgroup/memory" + path)
    return Path("/sys/fs/cgroup" + path)


def members_of(group: Path) -> set[int]:
    """The processes of a cgroup; none if it is gone."""
    try:
        return {int(pid) for pid in (group / "cgroup.procs").read_text().split()}
    except FileNotFoundError:
        return set()


def peak_of(group: Path) -> int:
    """The most that was charged to a cgroup at any time, in bytes."""
    names = ("memory.max_usage_in_bytes", "memory.peak")
    return next(int((group / name).read_text()) for name in names if (group / name).exists())


def processes_in(namespace: Path) -> set[int]:
    """Every process of a pid namespace but its first."""
    found = set()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if process.joinpath("ns/pid").readlink() == namespace:
                status = process.joinpath("status").read_text().splitlines()
                numbers = next(line for line in status if line.startswith("NSpid:")).split()
                if numbers[-1] != "1":
                    found.add(int(process.name))
        except OSError:
            continue
    return found


# Variables and files of before, which the checkpoint holds; then others in their place, files where
# images and copies of /home/user are kept, and children that take what is left.
FILLED = """
import os, time
held = bytearray(b"x") * (110 << 20)
with open("/home/user/file", "wb") as file: file.write(memoryview(held)[: 30 << 20])
"""
FILLED_AGAIN = """
held[::4096] = b"y" * len(held[::4096])
with open("/home/user/file", "wb") as file: file.write(memoryview(held)[: 30 << 20])
children = {}
for number in range(8):
    readable, writable = os.pipe()
    if os.fork() == 0:
        try:
            held = None
            more = bytearray(b"z") * (60 << 20)
            with open(f"/labs/{number + 10}", "wb") as file:
                for start in range(0, 30 << 20, 1 << 20): file.write(more[: 1 << 20])
        finally:
            os.write(writable, b".")
            time.sleep(60)
            os._exit(0)
    os.close(writable)
    children[number] = readable
for readable in children.values(): os.read(readable, 1)  # it holds what it could get, or was killed
"""


def test_a_sandbox_with_its_checkpoint_and_files_has_no_more_memory_than_documented(
    make_jailed: MakeExecutor,
) -> None:
    for _ in range(10):
        executor = jailed(
            make_jailed,
            language="off",
            memory_bytes=128 * MEGABYTE,
            lab_bytes=32 * MEGABYTE,
            file_bytes=32 * MEGABYTE,
        )
        if "absent    memory cgroup" in on_this_machine(executor).report():
            pytest.skip("there is no cgroup to count processes' memory together")
        run(executor, FILLED)
        runner = runner_of(executor)
        group, namespace = group_of(runner), Path(f"/proc/{runner}/ns/pid").readlink()
        executor.run(FILLED_AGAIN)
        members = members_of(group)
        if members:
            break
        executor.close()  # the kernel chose to kill the runner and its checkpoint: begin again
    assert processes_in(namespace) == members != set()
    bound = jail_limits.group_bytes(executor.policy.limits, copies=1)
    assert bound == (32 + 2 * (128 + 32)) * MEGABYTE
    assert bound - 16 * MEGABYTE < peak_of(group) <= bound


@pytest.mark.extended
def test_variables_up_to_the_limit_can_all_be_changed_while_a_checkpoint_holds_the_old_ones(
    make_jailed: MakeExecutor,
) -> None:
    executor = jailed(
        make_jailed,
        memory_bytes=128 * MEGABYTE,
        lab_bytes=32 * MEGABYTE,
        file_bytes=32 * MEGABYTE,
    )
    run(
        executor,
        "held = bytearray(b'x') * (110 << 20)\nopen('/home/user/file', 'wb').write(memoryview(held)[:30 << 20])",
    )
    for letter in "ab":
        changed = run(
            executor,
            f"held[::4096] = b'{letter}' * len(held[::4096])\n"
            "with open('/home/user/file', 'wb') as file: file.write(memoryview(held)[:30 << 20])\n"
            "chr(held[0])",
        )
        assert (changed.value, changed.fault) == (letter, None)
    assert run(executor, "held[::4096] = b'c' * len(held[::4096])\nwhile True: pass").rolled_back
    assert run(executor, "chr(held[0]), open('/home/user/file', 'rb').read(1)").value == ("b", b"b")


# -- processes and files


@pytest.mark.parametrize(
    "code",
    [
        "import os, time\nwhile True:\n    if os.fork() == 0: time.sleep(100)",
        (
            "import threading, time\nwhile True: threading.Thread(target=time.sleep, args=(100,),"
            " daemon=True).start()"
        ),
    ],
    ids=["processes", "threads"],
)
def test_processes_and_threads_are_limited(make_jailed: MakeExecutor, code: str) -> None:
    execution = run(jailed(make_jailed, language="off", processes=8), "print('before')\n" + code)
    assert (execution.fault, execution.logs) == ("processes", "before\n")


def test_what_a_cell_has_started_ends_with_it_when_it_starts_too_much(
    make_jailed: MakeExecutor,
) -> None:
    executor = jailed(make_jailed, language="off", processes=8, cell_seconds=60)
    start = "import os, time\nwhile True:\n    if os.fork() == 0: time.sleep(100)"
    assert [
        (outcome.fault, outcome.rolled_back)
        for outcome in [run(executor, start), run(executor, start)]
    ] == [("processes", True)] * 2
    few = (
        "import os\nfor _ in range(4):\n    child = os.fork()\n    if child == 0: os._exit(0)\n   "
        " os.waitpid(child, 0)\n'room'"
    )
    assert run(executor, few).value == "room"


def test_processes_that_multiply_do_not_keep_the_executor_from_ending_the_cell(
    make_jailed: MakeExecutor,
) -> None:
    executor = jailed(make_jailed, language="off", processes=16, cell_seconds=0.5)
    code = "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass"
    assert run(executor, code).fault in ("timeout", "processes")


def test_open_files_are_limited(make_jailed: MakeExecutor) -> None:
    execution = run(
        jailed(make_jailed, open_files=32),
        "fs = [open(f'/home/user/{i}', 'w') for i in range(100)]",
    )
    assert (execution.fault, execution.error.type) == ("files", "OSError")


def test_no_descriptors_left_at_the_end_of_a_cell_does_no_harm(make_jailed: MakeExecutor) -> None:
    execution = run(
        jailed(make_jailed, open_files=32),
        "fs = []\nwhile True: fs.append(open(f'/home/user/{len(fs)}', 'w'))",
    )
    assert execution.fault == "files"


@pytest.mark.parametrize(
    ("code", "limits"),
    [
        ("open('/home/user/a', 'w').write('x' * (1 << 20))", {"file_bytes": 1 << 16}),
        (
            "for i in range(1000): open(f'/home/user/{i}', 'w').write('x' * 100_000)",
            {"lab_bytes": MEGABYTE},
        ),
        ("for i in range(1000): open(f'/home/user/{i}', 'w').close()", {"lab_files": 20}),
    ],
    ids=["one file", "the lab", "the number of files"],
)
def test_files_and_the_lab_are_limited_in_size(
    make_jailed: MakeExecutor, code: str, limits: dict[str, int]
) -> None:
    execution = run(jailed(make_jailed, **limits), code)
    assert (execution.fault, execution.error.type) == ("disk", "OSError")


# -- output, displays and values


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("guarded", "while True: print('x' * 1000)"),
        ("guarded", "while True: print('x')"),
        ("guarded", "print('x' * (20 << 20))"),
        ("off", "import os\nwhile True: os.write(1, b'y' * 1000)"),
        ("off", "import os\nfor _ in range(3): os.fork()\nwhile True: os.write(2, b'y' * 1000)"),
    ],
    ids=["lines", "short lines", "at once", "past the interpreter", "many processes"],
)
def test_a_flood_of_output_ends_the_cell(
    make_jailed: MakeExecutor, language: str, code: str
) -> None:
    limits = {"output_bytes": MEGABYTE, "cell_seconds": PATIENT}
    execution = run(jailed(make_jailed, language=language, **limits), code)
    assert execution.fault == "output"
    assert "1,048,576 bytes" in execution.error.message
    assert "characters cut" in execution.logs


@pytest.mark.extended
def test_what_a_flood_leaves_behind_is_not_the_next_cell_s(make_jailed: MakeExecutor) -> None:
    executor = jailed(make_jailed, language="off", output_bytes=100_000)
    for _ in range(
        10
    ):  # processes are still being started when the first of them has printed too much
        assert (
            run(
                executor,
                "import os\nfor _ in range(5): os.fork()\nwhile True: os.write(2, b'y' * 1000)",
            ).fault
            == "output"
        )
        assert executor.run("20 + 22").logs == ""


def test_a_slow_stream_of_output_does_not_hold_up_the_time_limit(make_jailed: MakeExecutor) -> None:
    execution = run(
        jailed(make_jailed, cell_seconds=0.3),
        "import time\nwhile True:\n    print('x')\n    time.sleep(0.001)",
    )
    assert execution.fault == "timeout"


def test_processes_left_behind_cannot_write_into_the_next_cell_s_output_for_ever(
    make_jailed: MakeExecutor,
) -> None:
    executor = jailed(make_jailed, language="off", output_bytes=MEGABYTE, cell_seconds=2)
    executor.run("import os\nif os.fork() == 0:\n    while True: os.write(1, b'z' * 4096)")
    executions = [outcome_of(lambda: executor.run("1")) for _ in range(3)]
    assert all(execution.fault in (None, "output", "timeout", "killed") for execution in executions)


def test_displays_are_limited_and_those_before_are_kept(make_jailed: MakeExecutor) -> None:
    execution = run(jailed(make_jailed, displays=5), "for i in range(10): display(i)\nx = 1")
    assert execution.fault == "displays"
    assert len(execution.displays) == 5


# -- values that cannot be sent, and displays that take too long


def stays(executor: LocalPythonExecutor, code: str, why: str) -> Execution:
    """A cell that succeeds, and whose value stays in the sandbox."""
    executor("kept = [1]")
    execution = executor.run(f"kept.append(2)\n{code}")
    assert execution.ok and execution.fault is None and not execution.rolled_back, execution
    assert isinstance(execution.output, RemoteObject)
    (note,) = [line for line in execution.logs.splitlines() if line.startswith("[the value")]
    assert why in note and note.endswith("give back a part of it]")
    assert executor("kept").output == [1, 2]
    return execution


@pytest.mark.parametrize(
    "code", ["b'x' * (5 << 20)", "final_answer('x' * (5 << 20))", "list(range(10**6))"]
)
def test_a_value_too_large_for_a_frame_stays_in_the_sandbox(
    make_jailed: MakeExecutor, code: str
) -> None:
    executor = jailed(make_jailed, frame_bytes=MEGABYTE)
    execution = stays(executor, code, "limits.frame_bytes is 1,048,576")
    assert execution.is_final_answer == ("final_answer" in code)
    executor.send_variables({"back": execution.output})
    assert executor("len(back) >= 10**6").output is True


@pytest.mark.parametrize("levels", [201, 100_000])
def test_a_value_nested_too_deeply_stays_in_the_sandbox(
    make_jailed: MakeExecutor, levels: int
) -> None:
    stays(jailed(make_jailed), f"x = []\nfor _ in range({levels}): x = [x]\nx", "nested")


ENDLESS = "class Endless:\n    def {}(self):\n        while True: pass\n"


@pytest.mark.parametrize("value", ["Endless()", "[Endless()]", "{'a': (1, Endless())}"])
def test_a_value_whose_repr_does_not_return_stays_in_the_sandbox(
    make_jailed: MakeExecutor, value: str
) -> None:
    executor = jailed(make_jailed, display_seconds=0.5)
    execution = stays(executor, ENDLESS.format("__repr__") + value, "limits.display_seconds is 0.5")
    assert "repr does not return" in execution.output.text


def test_a_display_that_does_not_return_is_left_out_with_a_note(make_jailed: MakeExecutor) -> None:
    executor = jailed(make_jailed, display_seconds=0.5)
    execution = run(executor, ENDLESS.format("_repr_html_") + "kept = 1\nEndless()")
    assert execution.ok and not execution.rolled_back and execution.displays == ()
    assert execution.logs.startswith("[displays left out: ")
    assert type(execution.output).__name__ in ("RemoteObject", "Record")
    assert executor("kept").output == 1


def test_displays_have_time_of_their_own_after_the_cell_s(make_jailed: MakeExecutor) -> None:
    """The cell's own time is over long before its value is shown."""
    executor = jailed(make_jailed, cell_seconds=1, display_seconds=30)
    code = (
        "import time\nclass Slow:\n    def _repr_html_(self):\n        time.sleep(2)\n"
        "        return '<b>slow</b>'\nSlow()"
    )
    execution = run(executor, code)
    assert execution.ok and execution.displays[0]["text/html"] == "<b>slow</b>"


@pytest.mark.extended
def test_figures_that_take_too_long_are_left_out_and_closed() -> None:
    pytest.importorskip("matplotlib")
    limits = Limits(cell_seconds=30, display_seconds=2)
    try:
        executor = LocalPythonExecutor(["matplotlib"], limits=limits)
    except JailUnavailable as missing:
        skip_where_there_is_no_jail(missing)
        raise
    with executor:
        executor(
            "import time\nimport matplotlib.pyplot as plt\nfrom matplotlib.lines import Line2D\n"
            "class Slow(Line2D):\n    def draw(self, renderer):\n        time.sleep(0.2)\n"
        )
        code = (
            "kept = 1\nfor _ in range(18):\n    plt.figure().add_artist(Slow([0, 1], [0, 1]))\n12"
        )
        execution = executor.run(code)
        assert execution.ok and not execution.rolled_back and execution.output == 12
        assert len(execution.displays) < 18
        assert "[displays left out: " in execution.logs
        again = executor.run("kept")
        assert (again.output, again.displays) == (1, ())


def test_arguments_too_large_for_a_tool_are_an_error_in_the_code(make_jailed: MakeExecutor) -> None:
    executor = jailed(make_jailed, frame_bytes=MEGABYTE)
    executor.send_tools({"take": len})
    execution = run(executor, "take(b'x' * (5 << 20))")
    assert execution.error is not None
    assert execution.error.type != "WorkerProtocolError"


# -- the process ends


@pytest.mark.parametrize(
    ("code", "fault", "words"),
    [
        ("ctypes.string_at(0)", "crash", "SIGSEGV"),
        ("os.abort()", "crash", "SIGABRT"),
        ("os._exit(3)", "crash", "exit code 3"),
        ("os._exit(0)", "crash", "exit code 0"),
        ("os.kill(os.getpid(), 9)", "killed", "killed"),
        ("os.kill(os.getpid(), 15)", "crash", "SIGTERM"),
        (
            "threading.Thread(target=os._exit, args=(5,)).start(); threading.Event().wait()",
            "crash",
            "exit code 5",
        ),
    ],
)
def test_a_process_that_ends_is_replaced_and_the_fault_says_how_it_ended(
    make_jailed: MakeExecutor, code: str, fault: str, words: str
) -> None:
    executor = jailed(make_jailed, language="off")
    execution = run(executor, f"import ctypes, os, threading\nprint('before')\n{code}")
    assert (execution.fault, execution.logs) == (fault, "before\n")
    assert words in execution.error.message
    assert execution.value is None


def test_a_value_that_no_memory_is_left_to_send_is_a_fault_and_variables_stay() -> None:
    policy = Policy(limits=Limits(memory_bytes=64 << 20))
    with LocalPythonExecutor(policy=policy, on_fault="keep") as executor:
        executor.run("kept = 1")
        for code in ("'x' * 40_000_000", "['x' * 40_000_000]"):
            execution = executor.run(code)
            assert (execution.fault, execution.value) == ("memory", None)
            assert execution.error is not None and execution.error.type == "MemoryError"
            assert executor.run("kept").value == 1


# -- between cells


def state_of(pid: int) -> str:
    """As the kernel calls it: R runs, S sleeps, T is stopped, Z and X are dead."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return "X"


CHILDREN = """
import os
for _ in range(2):
    if os.fork() == 0:
        while True: pass
"""
THREAD = """
import threading
def work():
    while True: pass
threading.Thread(target=work, daemon=True).start()
"""


def workers_of(executor: LocalPythonExecutor) -> set[int]:
    """The runner's process and those that it has started."""
    runner = runner_of(executor)
    return {runner, *hosts.descendants(runner)}


def on_this_machine(executor: Any) -> Any:
    """An executor whose host and zygote are on one machine: elsewhere CPU time between calls is not
    limited, and memory is what the place gives."""
    if executor._session._is_remote:
        pytest.skip("the limit is of sandboxes on the host's own machine")
    return executor


@pytest.mark.parametrize("code", [CHILDREN, THREAD], ids=["processes", "threads"])
def test_what_computes_after_its_cell_is_stopped_and_goes_on_with_the_next(
    make_jailed: MakeExecutor, code: str
) -> None:
    executor = on_this_machine(jailed(make_jailed, language="off", on_fault="keep"))
    executor(code)
    for value in (1, 2):
        hosts.wait_until(
            lambda: all(state_of(pid) == "T" for pid in workers_of(executor)),
            "the processes to be stopped",
        )
        assert executor.run(f"import time\ntime.sleep(0.01)\n{value}").value == value
    executor.run("import time")
    hosts.wait_until(
        lambda: all(state_of(pid) == "T" for pid in workers_of(executor)),
        "the processes to be stopped again",
    )
    executor.send_variables({"running": 1})
    assert executor.state["running"] == 1, "a call that is no cell continues them, too"


def test_a_process_that_waits_between_cells_is_not_stopped(make_jailed: MakeExecutor) -> None:
    """A server in the background, for one. It is looked at as often as one that is stopped."""
    code = (
        "import os\nhere, there = os.pipe(), os.pipe()\n"
        "if os.fork() == 0:\n"
        "    while os.read(here[0], 1): os.write(there[1], b'!')\n"
        "    os._exit(0)"
    )
    quiet, busy = (
        on_this_machine(jailed(make_jailed, language="off", on_fault="keep")) for _ in range(2)
    )
    for _ in range(3):
        quiet(code)
        busy(CHILDREN)
        hosts.wait_until(
            lambda: all(state_of(pid) == "T" for pid in workers_of(busy)),
            "the processes of the other sandbox to be stopped",
        )
        assert {state_of(pid) for pid in workers_of(quiet)} == {"S"}
        assert quiet.run("os.write(here[1], b'?')\nos.read(there[0], 1)").value == b"!"


def test_processes_that_continue_each_other_do_not_go_on(make_jailed: MakeExecutor) -> None:
    executor = on_this_machine(jailed(make_jailed, language="off", on_fault="keep"))
    executor(
        "import os, signal\n"
        "group = [os.getpid()]\n"
        "for _ in range(6):\n"
        "    child = os.fork()\n"
        "    if child == 0:\n"
        "        while True:\n"
        "            for number in range(2, 30):\n"
        "                try: os.kill(number, signal.SIGCONT)\n"
        "                except OSError: pass\n"
    )
    children = workers_of(executor) - {runner_of(executor)}
    assert len(children) == 6
    hosts.wait_until(
        lambda: all(state_of(pid) in "TZX" for pid in children),
        "the processes to be stopped or killed",
    )
    assert executor.run("20 + 22").value == 42
