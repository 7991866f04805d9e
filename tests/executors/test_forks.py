"""Forks: executors that begin where another is, and from then on have nothing in common with it or
with each other."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from fumehood import JailUnavailable, LocalPythonExecutor, Policy, SandboxFailed
from fumehood.errors import SnapshotGone
from fumehood.results import Execution

from .conftest import MakeExecutor, outcome_of, skip_where_nothing_can_be_branched
from .hosts import wait_until
from .states import (
    AS_BEFORE,
    BEFORE,
    CHANGES,
    FILES_BEFORE,
    FILES_CHANGE,
    FILES_LOOK,
    KILL_ALL_OTHERS,
    LOOK,
    OPEN_FILES,
    USE_FILES,
)
from .test_snapshots import process_of
from .ways_to_fail import PATIENT, QUICK, WAYS, each_of, let_it_be_killed, plain, seconds_for

MakeForks = Callable[..., list[LocalPythonExecutor]]


@pytest.fixture
def executor(make_jailed: MakeExecutor, request: pytest.FixtureRequest) -> LocalPythonExecutor:
    made = make_jailed(policy=plain(cell_seconds=seconds_for(request, PATIENT)))
    skip_where_nothing_can_be_branched(made)
    return made


@pytest.fixture
def forks_of() -> Iterator[MakeForks]:
    """Makes forks, and closes them."""
    made: list[LocalPythonExecutor] = []

    def make(executor: LocalPythonExecutor, number: int = 2) -> list[LocalPythonExecutor]:
        new = executor.fork(number)
        made.extend(new)
        return new

    yield make
    for fork in made:
        fork.close()


# -- nothing in common


def test_a_fork_begins_with_everything(executor: LocalPythonExecutor, forks_of: MakeForks) -> None:
    executor(BEFORE)
    (fork,) = forks_of(executor, 1)
    assert fork(LOOK).output == AS_BEFORE
    assert executor(LOOK).output == AS_BEFORE


def test_what_one_changes_is_the_other_s_neither_way(
    executor: LocalPythonExecutor, forks_of: MakeForks
) -> None:
    executor(BEFORE)
    one, other = forks_of(executor)
    one(CHANGES)
    assert executor(LOOK).output == AS_BEFORE
    executor(CHANGES)
    assert other(LOOK).output == AS_BEFORE


def test_files_are_private_both_ways(executor: LocalPythonExecutor, forks_of: MakeForks) -> None:
    executor(FILES_BEFORE)
    before = executor(FILES_LOOK).output
    one, other = forks_of(executor)
    one(FILES_CHANGE)
    assert executor(FILES_LOOK).output == before
    executor(FILES_CHANGE)
    assert other(FILES_LOOK).output == before
    assert executor(FILES_LOOK).output == one(FILES_LOOK).output != before


def test_open_files_are_at_their_position_in_each(
    executor: LocalPythonExecutor, forks_of: MakeForks
) -> None:
    executor(OPEN_FILES)
    one, other = forks_of(executor)
    for each in (one, executor, other):
        assert each(USE_FILES).output == (b"34", "one two ")


def test_guarded_code_forks_too(make_jailed: MakeExecutor, forks_of: MakeForks) -> None:
    executor = make_jailed(policy=Policy(files=True, limits=replace(QUICK, cell_seconds=PATIENT)))
    executor("x = [1]\nwith open('a', 'w') as file: file.write('old')")
    one, other = forks_of(executor)
    one("x.append(2)\nwith open('a', 'w') as file: file.write('new')")
    assert [each("x, open('a').read()").output for each in (executor, one, other)] == [
        ([1], "old"),
        ([1, 2], "new"),
        ([1], "old"),
    ]


def test_forks_of_forks(executor: LocalPythonExecutor, forks_of: MakeForks) -> None:
    executor("path = [0]")
    line = [executor]
    for depth in range(1, 6):
        line += forks_of(line[-1], 1)
        line[-1](f"path.append({depth})")
    for depth, each in enumerate(line):
        assert each("path").output == [*range(depth + 1)]
    for each in line[1:4]:
        each.close()
    assert line[5]("path").output == [0, 1, 2, 3, 4, 5]


def test_more_than_there_may_be_is_a_clear_error_and_leaves_none(make_jailed: MakeExecutor) -> None:
    executor = make_jailed(policy=plain(branches=4, cell_seconds=PATIENT))
    executor("x = 1")
    with pytest.raises(SandboxFailed) as caught:
        executor.fork(100)
    assert "\n" not in str(caught.value)
    assert "branches" in str(caught.value)
    assert executor("x").output == 1
    fork = executor.fork()
    assert fork("x").output == 1
    fork.close()


# -- random numbers

DRAW = (
    "import random, uuid\nimport numpy as np\n(random.random(), float(np.random.rand()),"
    " str(uuid.uuid4()))"
)


@pytest.mark.parametrize("language", ["guarded", "off"])
def test_random_numbers_differ_from_siblings_and_parent(
    make_jailed: MakeExecutor, forks_of: MakeForks, language: Any
) -> None:
    executor = make_jailed(
        policy=Policy(
            imports=("numpy",), language=language, limits=replace(QUICK, cell_seconds=PATIENT)
        )
    )
    executor(DRAW)
    everybody = [executor, *forks_of(executor, 3)]
    everybody += forks_of(everybody[1], 2)
    drawn = [each(DRAW).output for each in everybody]
    for kind in zip(*drawn, strict=True):
        assert len(set(kind)) == len(everybody), kind


DRAW_SEEDED = (
    "import random\nimport numpy as np\n(random.random(), float(np.random.rand()),"
    " random.choice(range(10**9)))"
)


@pytest.mark.parametrize("language", ["guarded", "off"])
def test_with_a_seed_everything_is_drawn_again_and_siblings_still_differ(
    make_jailed: MakeExecutor, forks_of: MakeForks, language: Any
) -> None:
    def drawn(seed: int) -> list[Any]:
        executor = make_jailed(
            policy=Policy(
                imports=("numpy",),
                language=language,
                limits=replace(QUICK, cell_seconds=PATIENT),
                seed=seed,
            )
        )
        first = executor(DRAW_SEEDED).output
        forks = forks_of(executor, 2)
        return [first, executor(DRAW_SEEDED).output, *(fork(DRAW_SEEDED).output for fork in forks)]

    found = drawn(7)
    assert drawn(7) == found
    for kind in zip(*found, strict=True):
        assert len(set(kind)) == len(found), kind
    assert not {*drawn(8)} & {*found}, "one seed's executor draws what a fork of another draws"


@pytest.mark.parametrize("seed", [None, 7])
def test_random_numbers_go_back_with_a_snapshot_in_forks_too(
    make_jailed: MakeExecutor, forks_of: MakeForks, seed: int | None
) -> None:
    executor = make_jailed(policy=Policy(seed=seed, limits=replace(QUICK, cell_seconds=PATIENT)))
    for each in (executor, *forks_of(executor, 1)):
        each("import random\nrandom.random()")
        snapshot = each.snapshot()
        first = each("random.random()").output
        each.restore(snapshot)
        assert each("random.random()").output == first


# -- lives of their own


@each_of("exit", "segfault", "loop in C", "memory error", "fork bomb", "endless output")
def test_one_that_fails_goes_back_alone(
    executor: LocalPythonExecutor, forks_of: MakeForks, way: str
) -> None:
    executor("kept = [0]\nopen('/home/user/file', 'w').write('old')")
    everybody = [executor, *forks_of(executor)]
    for number, each in enumerate(everybody):
        each(f"kept.append({number})")
    for failing in (1, 0):
        execution = everybody[failing].run(
            f"kept.clear()\nopen('/home/user/file', 'w').write('new')\n{WAYS[way].code}"
        )
        assert (execution.fault, execution.rolled_back) == (WAYS[way].fault, True)
        found = [each("kept, open('/home/user/file').read()").output for each in everybody]
        assert found == [([0, number], "old") for number in range(3)]


def test_processes_that_a_fork_left_behind_are_gone_and_those_of_others_live(
    executor: LocalPythonExecutor, forks_of: MakeForks
) -> None:
    start = (
        "import os, time\nchild = os.fork()\nif not child:\n    while True: time.sleep(0.01)\nchild"
    )
    one, other = forks_of(executor)
    mine, theirs = one(start).output, other(start).output
    look = (
        "def lives(pid):\n    try: os.kill(pid, 0)\n    except OSError: return False\n    return"
        " True\n"
    )
    assert one.run(
        "import os\nif not os.fork():\n    while True: time.sleep(0.01)\nos._exit(1)"
    ).rolled_back
    wait_until(lambda: not one(f"{look}lives({mine})").output, "what was started is gone")
    assert other(f"{look}lives({theirs})").output is True


def test_one_killed_from_outside_goes_back_alone(
    executor: LocalPythonExecutor, forks_of: MakeForks
) -> None:
    executor("kept = 1")
    one, other = forks_of(executor)
    let_it_be_killed(one)
    execution = one.run("kept = 2\nbe_killed()\nwhile True: pass")
    assert (execution.fault, execution.rolled_back) == ("killed", True)
    assert [each("kept").output for each in (executor, one, other)] == [1, 1, 1]


def test_one_that_is_killed_between_cells_says_so_and_goes_on(
    executor: LocalPythonExecutor, forks_of: MakeForks
) -> None:
    executor("kept = 1")
    (fork,) = forks_of(executor, 1)
    worker: Any = fork._session
    worker._runner.signal(9)
    worker._runner.wait()
    execution = fork.run("kept")
    assert execution.fault == "killed"
    assert fork.run("kept").ok is execution.rolled_back
    assert fork("1 + 1").output == 2
    assert executor("kept").output == 1


def test_with_keep_a_fork_that_dies_begins_anew_and_the_others_go_on(
    make_jailed: MakeExecutor, forks_of: MakeForks
) -> None:
    executor = make_jailed(policy=plain(cell_seconds=PATIENT), on_fault="keep")
    executor("kept = 1\nopen('/home/user/file', 'w').close()")
    one, other = forks_of(executor)
    assert not one.run("import os\nos._exit(1)").rolled_back
    assert one.run("kept").error.type == "NameError"  # type: ignore[union-attr]
    assert one("import os\nos.listdir('/home/user')").output == []
    assert not executor.run("import os\nos._exit(1)").rolled_back
    assert executor.run("kept").error.type == "NameError"  # type: ignore[union-attr]
    assert other("import os\nkept, os.listdir('/home/user')").output == (1, ["file"])


def test_closing_the_first_leaves_its_forks(make_jailed: MakeExecutor, forks_of: MakeForks) -> None:
    executor = make_jailed(policy=plain(cell_seconds=PATIENT))
    executor("kept = 1\nopen('/home/user/file', 'w').write('x')")
    one, other = forks_of(executor)
    executor.close()
    assert one("kept, open('/home/user/file').read()").output == (1, "x")
    assert one.run("kept = 2\nimport os\nos._exit(1)").rolled_back
    assert one("kept").output == 1
    (third,) = forks_of(other, 1)
    other.close()
    assert third("kept").output == 1
    snapshot = third.snapshot()
    third("kept = 5")
    third.restore(snapshot)
    assert third("kept").output == 1


def test_every_process_is_gone_when_all_are_closed() -> None:
    try:
        executor = LocalPythonExecutor(policy=plain(cell_seconds=PATIENT))
    except JailUnavailable as missing:
        pytest.skip(str(missing))
    everybody = [executor, *executor.fork(3)]
    everybody += everybody[1].fork(2)
    processes = {process_of(each) for each in everybody} | {
        process_of(each.snapshot()) for each in everybody
    }
    assert len(processes) == 12
    for place in (1, 0, 5, 3, 2, 4):
        process = process_of(everybody[place])
        everybody[place].close()
        wait_until(
            lambda process=process: not process.lives, "the process of the closed one is gone"
        )  # type: ignore[misc]
    wait_until(lambda: not any(process.lives for process in processes), "all gone")


def test_a_fork_that_kills_all_it_can_reach_leaves_executors_that_work(
    executor: LocalPythonExecutor, forks_of: MakeForks
) -> None:
    executor("import os\nkept = 1")
    (fork,) = forks_of(executor, 1)
    fork.run(KILL_ALL_OTHERS)
    executor.run("1")
    assert executor("1 + 1").output == 2
    assert fork("kept").output == 1
    assert executor("kept = 2\nkept").output == 2


# -- snapshots and forks


def test_a_fork_can_go_back_to_a_snapshot_from_before_it_was_made(
    executor: LocalPythonExecutor, forks_of: MakeForks
) -> None:
    executor("x = 1")
    snapshot = executor.snapshot()
    executor("x = 2")
    one, other = forks_of(executor)
    one.restore(snapshot)
    assert [each("x").output for each in (executor, one, other)] == [2, 1, 2]
    one("x = 5")
    executor.restore(snapshot)
    assert [each("x").output for each in (executor, one, other)] == [1, 5, 2]


def test_an_executor_can_go_on_where_a_fork_of_it_has_come(
    executor: LocalPythonExecutor, forks_of: MakeForks
) -> None:
    executor("x = [1]\nopen('/home/user/file', 'w').write('1')")
    one, other = forks_of(executor)
    one("x.append('best')\nopen('/home/user/file', 'w').write('best')")
    other("x.append('worse')")
    executor.restore(one.snapshot())
    one.close()
    assert executor("x, open('/home/user/file').read()").output == ([1, "best"], "best")
    assert executor.run("x.clear()\nimport os\nos._exit(1)").rolled_back
    assert executor("x").output == [1, "best"]


def test_a_snapshot_of_a_fork_ends_with_the_fork(executor: LocalPythonExecutor) -> None:
    fork = executor.fork()
    snapshot = fork.snapshot()
    fork.close()
    assert not snapshot.is_alive
    with pytest.raises(SnapshotGone):
        executor.restore(snapshot)
    assert executor("1").output == 1


# -- at the same time


def test_a_fork_asked_for_while_a_cell_runs_waits_its_turn(executor: LocalPythonExecutor) -> None:
    started, release = threading.Event(), threading.Event()
    executor.send_tools({"pause": lambda: (started.set(), release.wait(60))[1]})
    executor("x = 1")
    cell = threading.Thread(target=executor.run, args=("x = 2\npause()\nx = 3",))
    cell.start()
    assert started.wait(60)
    made: list[LocalPythonExecutor] = []
    forking = threading.Thread(target=lambda: made.append(executor.fork()))
    forking.start()
    assert not made
    release.set()
    cell.join(60)
    forking.join(60)
    with made[0] as fork:
        assert fork("x").output == 3


def test_tools_of_the_host_are_called_from_every_fork(
    executor: LocalPythonExecutor, forks_of: MakeForks
) -> None:
    called: list[int] = []
    executor.send_tools({"note": lambda x: called.append(x) or 2 * x})
    one, other = forks_of(executor)
    one.send_tools({"mine": lambda: "one's"})
    assert [
        each(f"note({number})").output for number, each in enumerate((executor, one, other))
    ] == [0, 2, 4]
    assert called == [0, 1, 2]
    assert one("mine()").output == "one's"
    assert executor.run("mine()").error.type == "NameError"  # type: ignore[union-attr]
    assert one.run("note(5)\nimport os\nos._exit(1)").tool_calls == ("note",)
    assert one("note(6), mine()").output == (12, "one's")


def test_interrupting_one_does_not_touch_the_others(
    make_jailed: MakeExecutor, forks_of: MakeForks
) -> None:
    executor = make_jailed(policy=plain(cell_seconds=None))
    started, release = threading.Semaphore(0), threading.Event()
    executor.send_tools({"begin": started.release, "wait_for_release": lambda: release.wait(60)})
    one, other = forks_of(executor)
    results: dict[str, Execution] = {}
    cells = {
        "one": (one, "begin()\nwhile True: pass"),
        "other": (other, "begin()\nwait_for_release()\n'done'"),
    }
    threads = [
        threading.Thread(
            target=lambda name=name, each=each, code=code: results.update({name: each.run(code)})
        )  # type: ignore[misc]
        for name, (each, code) in cells.items()
    ]
    for thread in threads:
        thread.start()
    for _ in threads:
        assert started.acquire(timeout=60)
    assert one.interrupt()
    threads[0].join(60)
    assert not executor.interrupt()
    release.set()
    threads[1].join(60)
    assert results["one"].fault == "killed"
    assert results["other"].value == "done"


def test_a_tool_may_use_a_fork_of_the_executor_that_calls_it(
    executor: LocalPythonExecutor, forks_of: MakeForks
) -> None:
    (fork,) = forks_of(executor, 1)
    executor.send_tools({"elsewhere": lambda code: fork.run(code).value})
    assert outcome_of(lambda: executor.run("elsewhere('6 * 7')")).value == 42
