"""A cell as a transaction: whatever goes wrong in it, the executor goes on with variables and files
as they were before."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from fumehood import Limits, LocalPythonExecutor, Policy, PolicyError
from fumehood.results import Execution

from .conftest import MakeExecutor, skip_where_nothing_can_be_branched
from .hosts import wait_until
from .states import (
    AS_BEFORE,
    BEFORE,
    CHANGES,
    FILES_BEFORE,
    FILES_CHANGE,
    FILES_LOOK,
    KILL_ALL_OTHERS,
    LIVING,
    LOOK,
)
from .ways_to_fail import (
    PATIENT,
    QUICK,
    WAYS,
    each_of,
    fail,
    let_it_be_killed,
    plain,
    seconds_for,
)

each_way = each_of(*WAYS)


@pytest.fixture
def executor(make_jailed: MakeExecutor, request: pytest.FixtureRequest) -> LocalPythonExecutor:
    made = make_jailed(policy=plain(cell_seconds=seconds_for(request, PATIENT)))
    skip_where_nothing_can_be_branched(made)
    let_it_be_killed(made)
    return made


# -- each way to fail


@each_way
def test_variables_are_as_before_the_cell_that_failed(
    executor: LocalPythonExecutor, way: str
) -> None:
    executor(BEFORE)
    execution = fail(executor, way, CHANGES + "print('changed')")
    assert (execution.fault, execution.rolled_back) == (WAYS[way].fault, True)
    assert execution.logs.startswith("changed\n")
    assert executor(LOOK).output == AS_BEFORE


@each_way
@pytest.mark.extended
def test_files_are_as_before_the_cell_that_failed(executor: LocalPythonExecutor, way: str) -> None:
    executor(FILES_BEFORE)
    before = executor(FILES_LOOK).output
    assert len(before) == 5
    execution = fail(executor, way, FILES_CHANGE)
    assert execution.rolled_back
    assert executor(FILES_LOOK).output == before


@each_way
def test_the_last_line_of_the_error_says_that_nothing_is_lost(
    executor: LocalPythonExecutor, way: str
) -> None:
    error = fail(executor, way).error
    assert error is not None
    assert "as they were before" in error.traceback.splitlines()[-1]
    assert "lost" not in error.message + error.traceback
    assert "\n" not in error.message


@each_of("exit", "loop", "fork bomb", "out of memory")
@pytest.mark.extended
def test_processes_that_the_failed_cell_started_are_gone(
    executor: LocalPythonExecutor, way: str
) -> None:
    executor("import os, time\nkept = 1")
    started = fail(
        executor,
        way,
        "for how in range(3):\n"
        "    if not os.fork():\n"
        "        if how > 1 and os.fork(): os._exit(0)\n"  # an orphan
        "        while True: time.sleep(0.01)\n",
    )
    assert started.rolled_back
    # The runner that asks, its base, and at most the base before, which may still be ending.
    wait_until(lambda: len(executor(LIVING).output) <= 3, "only the runner and its base live")
    assert executor("kept").output == 1


def test_a_process_that_tried_to_have_a_session_of_its_own_is_gone_too_where_a_cgroup_lists_it(
    executor: LocalPythonExecutor,
) -> None:
    if "absent    memory cgroup" in executor.report():
        pytest.skip("there is no cgroup")
    code = (
        "import os, time\nif not os.fork():\n    try: os.setsid()\n    except OSError: pass\n   "
        " while True: time.sleep(0.01)"
    )
    started = fail(executor, "exit", code)
    assert started.rolled_back
    wait_until(lambda: len(executor(LIVING).output) <= 3, "only the runner and its base live")


def test_a_file_that_processes_left_behind_keep_writing_is_as_before(
    make_jailed: MakeExecutor,
) -> None:
    """They are killed first, and seen dead: one that was in the middle of writing still finishes
    that."""
    executor = make_jailed(policy=plain(cell_seconds=PATIENT))
    executor("import os\nopen('/home/user/log', 'w').write('before')")
    writers = (
        "for _ in range(8):\n    if not os.fork():\n        while True: open('/home/user/log',"
        " 'w').write('changed')"
    )
    for _ in range(5):
        assert fail(executor, "exit", writers).rolled_back
        assert executor("open('/home/user/log').read()").output == "before"


@pytest.mark.long
def test_a_cell_that_fails_first_of_all_leaves_an_executor_as_new(
    executor: LocalPythonExecutor,
) -> None:
    assert fail(executor, "exit", "x = 1").rolled_back
    assert executor.run("x").error.type == "NameError"  # type: ignore[union-attr]
    assert fail(executor, "killed by itself", "x = 1").rolled_back


def test_a_kill_after_an_out_of_memory_kill_is_not_called_memory(make_jailed: MakeExecutor) -> None:
    executor = make_jailed(policy=plain(cell_seconds=PATIENT))
    assert fail(executor, "out of memory").fault == "memory"
    assert fail(executor, "killed by itself").fault == "killed"


def test_a_good_cell_and_an_ordinary_exception_are_not_rolled_back(
    executor: LocalPythonExecutor,
) -> None:
    assert executor.run("kept = [1]").rolled_back is False
    failed = executor.run("kept.append(2)\n1 / 0")
    assert (failed.error.type, failed.rolled_back) == ("ZeroDivisionError", False)  # type: ignore[union-attr]
    assert executor("kept").output == [1, 2]


# -- what came from the host


def test_calls_of_tools_cannot_be_undone_and_are_listed(executor: LocalPythonExecutor) -> None:
    called: list[int] = []
    executor.send_tools({"note": called.append})
    execution = fail(executor, "exit", "note(1)\nnote(2)")
    assert execution.tool_calls == ("note", "note")
    assert called == [1, 2]
    assert executor("note(3)").output is None
    assert called == [1, 2, 3]


def test_variables_files_and_tools_from_the_host_survive_a_failure(
    executor: LocalPythonExecutor,
) -> None:
    fail(executor, "exit")
    executor.send_variables({"sent": [1]})
    executor.state["set"] = 2
    executor.files.write("file", "text")
    executor.send_tools({"triple": lambda x: 3 * x})
    assert fail(
        executor, "exit", "sent.append(2); set = 3\nopen('/home/user/file', 'w').write('changed')"
    ).rolled_back
    assert executor("sent, set, triple(3)").output == ([1], 2, 9)
    assert executor.files.read("file") == b"text"


def test_an_object_of_before_the_failure_means_nothing_afterwards(
    executor: LocalPythonExecutor,
) -> None:
    """Its number could be another object's by then."""
    remote = executor("f = lambda: 'mine'\nf").output
    fail(executor, "exit")
    with pytest.raises((TypeError, ValueError, LookupError), match="sandbox"):
        executor.send_variables({"again": remote})


DEAF = "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())"


@pytest.mark.parametrize(
    ("first", "undone"), [("", False), (DEAF, True)], ids=["obeys", "has to be killed"]
)
def test_an_interrupted_cell_is_undone_only_if_its_process_dies_of_it(
    make_jailed: MakeExecutor, first: str, undone: bool
) -> None:
    """Somebody wanted it to stop, and may want to see how far it got."""
    started = threading.Event()
    executor = make_jailed(policy=plain(cell_seconds=None))
    executor.send_tools({"begin": started.set})
    executor("kept = [1]")
    results: list[Execution] = []
    thread = threading.Thread(
        target=lambda: results.append(
            executor.run(f"kept.append(2)\n{first}\nbegin()\nwhile True: pass")
        )
    )
    thread.start()
    assert started.wait(60)
    executor.interrupt()
    thread.join(60)
    assert (results[0].fault, results[0].rolled_back) == ("killed", undone)
    assert executor("kept").output == ([1] if undone else [1, 2])


# -- the guarded language

GUARDED = {
    "loop": ("while True: pass", "timeout"),
    "loop in C": ("sum(range(10**13))", "timeout"),
    "memory": ("x = []\nwhile True: x.append(bytearray(1 << 20))", "memory"),
    "output": ("while True: print('x' * 10_000)", "output"),
    "killed": ("be_killed()\nwhile True: pass", "killed"),
}


@pytest.mark.parametrize("way", GUARDED)
@pytest.mark.long
@pytest.mark.extended
def test_guarded_code_is_undone_as_well(make_jailed: MakeExecutor, way: str) -> None:
    code, fault = GUARDED[way]
    limits = QUICK if fault == "timeout" else replace(QUICK, cell_seconds=PATIENT)
    executor = make_jailed(policy=Policy(files=True, limits=limits))
    let_it_be_killed(executor)
    executor("import math\nkept = [1]\nclass C:\n    n = 1\ndef f(): return math.floor(C.n)")
    executor.files.write("a", "old")
    changes = (
        "kept.append(2)\nC.n = 2\nwith open('a', 'w') as file: file.write('new')\nopen('b',"
        " 'w').close()"
    )
    execution = executor.run(f"{changes}\n{code}")
    assert (execution.fault, execution.rolled_back) == (fault, True)
    assert executor("kept, f(), open('a').read()").output == ([1], 1, "old")
    assert executor.files.list() == {"a": 3}


# -- much of everything


def test_a_cell_may_change_all_of_a_large_state_and_still_be_undone(
    make_jailed: MakeExecutor,
) -> None:
    """What the base holds of changed pages comes on top of what the cell has, and must not be what
    breaks it."""
    executor = make_jailed(policy=plain(cell_seconds=PATIENT))
    executor("import os\nimport numpy as np\nlarge = np.ones(70 << 17)")
    assert executor.run("large += 1\nlarge[0]").value == 2
    assert executor.run("large += 1\nos._exit(1)").rolled_back
    assert executor("large.min(), large.max()").output == (2, 2)


def test_code_that_kills_every_other_process_harms_nobody_but_itself(
    executor: LocalPythonExecutor,
) -> None:
    """Its base is one of them: either that was out of reach, or the variables are lost and it says
    so."""
    executor("import os\nkept = 1")
    execution = fail(executor, "exit", KILL_ALL_OTHERS)
    assert execution.rolled_back or "variables are lost" in execution.error.message  # type: ignore[union-attr]
    assert executor.run("kept").ok is execution.rolled_back
    assert executor("kept = 2").output == 2
    assert fail(executor, "exit").rolled_back
    assert executor("kept").output == 2


@pytest.mark.long
@pytest.mark.extended
def test_without_anything_to_go_back_to_a_cell_that_obeys_its_limit_keeps_its_variables(
    executor: LocalPythonExecutor,
) -> None:
    """Killing the runner first and looking for its base then would lose what need not be lost."""
    executor("import os\nkept = [1]")
    execution = fail(executor, "loop", KILL_ALL_OTHERS)
    after = executor.run("kept")
    assert after.value == [1] or "lost" in execution.error.traceback  # type: ignore[union-attr]


@pytest.mark.extended
def test_failing_again_and_again_uses_nothing_up(executor: LocalPythonExecutor) -> None:
    """No descriptors, neither here nor inside, and no processes."""
    inside = "import os\nsum(1 for n in range(256) if os.path.exists(f'/proc/self/fd/{n}'))"

    def used() -> tuple[int, int]:
        return len([*Path("/proc/self/fd").iterdir()]), executor(inside).output

    executor("1")  # before a first cell there is no checkpoint
    for _ in range(3):
        fail(executor, "exit")
    before = used()
    for _ in range(30):
        assert fail(executor, "exit", "open('/home/user/file', 'w').write('x')").rolled_back
    wait_until(lambda: used() <= before, "as many descriptors as before")
    wait_until(lambda: len(executor(LIVING).output) <= 3, "only the runner and its base live")


# -- where it cannot be


@pytest.mark.parametrize("option", ["on_fault", "on_error"])
def test_another_word_than_rollback_or_keep_is_an_error(option: str) -> None:
    with pytest.raises(PolicyError, match=option):
        LocalPythonExecutor(**{option: "undo"})  # type: ignore[arg-type]


def test_inline_has_no_process_to_go_back_to() -> None:
    with pytest.raises(PolicyError, match="inline"):
        LocalPythonExecutor(isolation="inline", on_error="rollback")
    executor = LocalPythonExecutor(isolation="inline", timeout_seconds=0.5)
    execution = executor.run("kept = [1]\nwhile True: pass")
    assert (execution.fault, execution.rolled_back) == ("timeout", False)
    assert executor("kept").output == [1]


@pytest.mark.extended
def test_a_cell_that_was_stopped_in_time_and_cannot_be_undone_says_that_all_is_lost() -> None:
    """Somebody has ended the zygote, by whom a base is made a runner, in the moment in which one is
    needed."""
    limits = Limits(cell_seconds=1, grace_seconds=20)
    with LocalPythonExecutor(
        policy=Policy(files=True, language="off", limits=limits), on_fault="rollback"
    ) as executor:
        executor("kept = 1")

        def end_zygote() -> None:
            executor._session._runner.sandbox.zygote.closed = True  # type: ignore[union-attr]

        executor.send_tools({"end_zygote": end_zygote})
        execution = executor.run("end_zygote()\nwhile True: pass")
        assert (execution.fault, execution.rolled_back) == ("timeout", False)
        assert execution.error is not None and execution.error.message.endswith(
            "its variables are lost"
        )
        assert executor.run("kept").error.type == "NameError"  # type: ignore[union-attr]
