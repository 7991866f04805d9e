"""Snapshots: an executor goes back to what it was, as often as is wanted, and what it left behind
is in nobody's way."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fumehood import LocalPythonExecutor, Policy

from .conftest import MakeExecutor, outcome_of, skip_where_nothing_can_be_branched
from .hosts import wait_until
from .states import (
    AS_BEFORE,
    BEFORE,
    CHANGES,
    FILES_BEFORE,
    FILES_CHANGE,
    FILES_LOOK,
    LOOK,
    OPEN_FILES,
    USE_FILES,
)
from .ways_to_fail import PATIENT, QUICK, WAYS, each_of, let_it_be_killed, plain, seconds_for


@pytest.fixture
def executor(make_jailed: MakeExecutor, request: pytest.FixtureRequest) -> LocalPythonExecutor:
    made = make_jailed(policy=plain(cell_seconds=seconds_for(request, PATIENT)))
    skip_where_nothing_can_be_branched(made)
    let_it_be_killed(made)
    return made


# -- going back


def test_variables_are_as_they_were_at_the_snapshot(executor: LocalPythonExecutor) -> None:
    executor(BEFORE)
    snapshot = executor.snapshot()
    executor(CHANGES)
    executor.restore(snapshot)
    assert executor(LOOK).output == AS_BEFORE


def test_files_are_as_they_were_at_the_snapshot(executor: LocalPythonExecutor) -> None:
    executor(FILES_BEFORE)
    before = executor(FILES_LOOK).output
    snapshot = executor.snapshot()
    executor(FILES_CHANGE)
    executor.restore(snapshot)
    assert executor(FILES_LOOK).output == before
    executor(FILES_CHANGE)
    executor.restore(snapshot)
    assert executor(FILES_LOOK).output == before


@each_of("exit", "segfault", "loop in C", "killed from outside", "memory error")
def test_a_snapshot_outlives_a_cell_that_fails(executor: LocalPythonExecutor, way: str) -> None:
    executor("kept = [1]")
    snapshot = executor.snapshot()
    executor("kept.append(2)")
    assert executor.run(f"kept.append(3)\n{WAYS[way].code}").rolled_back
    assert executor("kept").output == [1, 2]
    executor.restore(snapshot)
    assert executor("kept").output == [1]
    assert executor.run(f"kept.append(3)\n{WAYS[way].code}").rolled_back
    assert executor("kept").output == [1]


def test_without_rollback_a_snapshot_is_the_way_back_after_a_crash(
    make_jailed: MakeExecutor,
) -> None:
    executor = make_jailed(policy=plain(cell_seconds=PATIENT), on_fault="keep")
    executor("kept = [1]\nopen('/home/user/file', 'w').write('old')")
    snapshot = executor.snapshot()
    assert not executor.run(
        "open('/home/user/file', 'w').write('new')\nimport os\nos._exit(1)"
    ).rolled_back
    executor.restore(snapshot)
    assert executor("kept, open('/home/user/file').read()").output == ([1], "old")
    executor.run("import os\nos._exit(1)")
    assert executor.run("kept").error.type == "NameError"  # type: ignore[union-attr]
    executor.restore(snapshot)
    assert executor("kept").output == [1]


def test_processes_that_were_started_since_are_gone(executor: LocalPythonExecutor) -> None:
    snapshot = executor.snapshot()
    started = executor(
        "import os, time\nchild = os.fork()\nif not child:\n    while True: time.sleep(0.01)\nchild"
    ).output
    executor.restore(snapshot)
    look = (
        f"import os\ntry: os.kill({started}, 0)\nexcept OSError as error: found ="
        " error.errno\nelse: found = None\nfound"
    )
    wait_until(lambda: executor(look).output is not None, "the child is gone")


def test_a_tool_that_takes_a_snapshot_of_its_caller_is_an_error_and_not_a_deadlock(
    executor: LocalPythonExecutor,
) -> None:
    executor.send_tools({"snapshot": lambda: executor.snapshot(), "fork": lambda: executor.fork()})
    for what in ("snapshot", "fork"):
        execution = outcome_of(lambda what=what: executor.run(f"{what}()"))
        assert "running a cell already" in execution.error.message
    assert len(executor.history()) == 0


def test_guarded_code_has_its_variables_and_files_back(make_jailed: MakeExecutor) -> None:
    executor = make_jailed(policy=Policy(files=True, limits=replace(QUICK, cell_seconds=PATIENT)))
    executor(
        "from math import pi\nclass C:\n    n = 1\ndef f(): return C.n\nwith open('a', 'w') as"
        " file: file.write('old')"
    )
    snapshot = executor.snapshot()
    executor(
        "C.n = 2\nwith open('/home/user/a', 'w') as file: file.write('new')\nwith open('b', 'w') as file:"
        " file.write('x')"
    )
    executor.restore(snapshot)
    assert executor("f(), round(pi, 2), open('a').read(), open('/home/user/a').read()").output == (
        1,
        3.14,
        "old",
        "old",
    )
    assert executor.files.list() == {"a": 3}


# -- what is under way


def test_a_task_that_waits_goes_on_in_each_copy_by_itself(make_jailed: MakeExecutor) -> None:
    executor = make_jailed(limits=replace(QUICK, cell_seconds=PATIENT))
    executor(
        "import asyncio\nseen = []\ngate = asyncio.Event()\nasync def wait():\n   "
        " seen.append('waiting')\n    await gate.wait()\n    seen.append('through')\n    return"
        " 42\ntask = asyncio.ensure_future(wait())\ntimer ="
        " asyncio.ensure_future(asyncio.sleep(0.01, 'slept'))\nawait asyncio.sleep(0)"
    )
    snapshot = executor.snapshot()
    for _ in range(2):
        assert executor("seen, task.done()").output == (["waiting"], False)
        assert executor("gate.set()\n(await task), seen, (await timer)").output == (
            42,
            ["waiting", "through"],
            "slept",
        )
        executor.restore(snapshot)


def test_threads_stay_behind_and_the_copy_works(executor: LocalPythonExecutor) -> None:
    executor(
        "import threading, time\n"
        "ticks = [0]\n"
        "lock = threading.Lock()\n"
        "def tick():\n"
        "    while True:\n"
        "        with lock: ticks[0] += 1\n"
        "        time.sleep(0.001)\n"
        "thread = threading.Thread(target=tick, daemon=True)\n"
        "thread.start()"
    )
    snapshot = executor.snapshot()
    assert executor("threading.active_count() > 1, thread.is_alive()").output == (True, True)
    executor.restore(snapshot)
    assert executor("threading.active_count(), thread.is_alive()").output == (1, False)
    assert (
        executor(
            "other = threading.Thread(target=lambda: ticks.append('on')); other.start();"
            " other.join(); ticks[-1]"
        ).output
        == "on"
    )


def test_open_files_are_private_and_at_their_position(executor: LocalPythonExecutor) -> None:
    executor(OPEN_FILES)
    snapshot = executor.snapshot()
    assert executor(USE_FILES).output == (b"34", "one two ")
    assert executor(USE_FILES).output == (b"56", "one two two ")
    for _ in range(2):
        executor.restore(snapshot)
        assert executor(USE_FILES).output == (b"34", "one two ")


def test_open_files_of_guarded_code_are_private_and_at_their_position(
    make_jailed: MakeExecutor,
) -> None:
    executor = make_jailed(policy=Policy(files=True, limits=replace(QUICK, cell_seconds=PATIENT)))
    executor(
        "with open('read', 'w') as file: file.write('line 1\\nline 2\\nline 3\\n')\nreading ="
        " open('read')\nnext(reading)"
    )
    snapshot = executor.snapshot()
    for _ in range(2):
        assert executor("next(reading)").output == "line 2\n"
        executor.restore(snapshot)
