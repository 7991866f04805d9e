"""Snapshots as things to keep: the tree they form, how they end, how many there may be, who may go
to them."""

from __future__ import annotations

import contextlib
import gc
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fumehood import LocalPythonExecutor, Policy, PolicyError, SandboxFailed
from fumehood.errors import SnapshotGone
from fumehood.executors.snapshots import Snapshot

from .conftest import MakeExecutor, skip_where_nothing_can_be_branched
from .hosts import Watched, wait_until
from .states import KILL_ALL_OTHERS
from .ways_to_fail import PATIENT, let_it_be_killed, plain, seconds_for


@pytest.fixture
def executor(make_jailed: MakeExecutor, request: pytest.FixtureRequest) -> LocalPythonExecutor:
    made = make_jailed(policy=plain(cell_seconds=seconds_for(request, PATIENT)))
    skip_where_nothing_can_be_branched(made)
    let_it_be_killed(made)
    return made


def process_of(holder: Any) -> Watched:
    """The process behind an executor or a snapshot."""
    runner = holder._runner if isinstance(holder, Snapshot) else holder._session._runner
    return Watched(runner.handle)


def kill(snapshot: Snapshot) -> None:
    """Kill a snapshot's process from outside, and see it dead."""
    runner = snapshot._runner
    assert runner is not None
    runner.signal(9)
    runner.wait()


# -- the tree


def test_snapshots_form_a_tree(executor: LocalPythonExecutor) -> None:
    executor("path = ['root']")
    root = executor.snapshot("root")
    executor("path.append('left')")
    left = executor.snapshot("left")
    executor("path.append('leaf')")
    leaf = executor.snapshot("leaf")
    executor.restore(root)
    executor("path.append('right')")
    right = executor.snapshot("right")
    assert [snapshot.parent for snapshot in (root, left, leaf, right)] == [None, root, left, root]
    assert [*executor.history()] == [root, left, leaf, right]
    assert len(executor.history()) == 4
    assert executor.history().at is right
    wanted = {
        root: ["root"],
        left: ["root", "left"],
        leaf: ["root", "left", "leaf"],
        right: ["root", "right"],
    }
    for snapshot in (leaf, root, right, left, leaf, right, root):
        executor.restore(snapshot)
        assert executor("path").output == wanted[snapshot]
        assert executor.history().at is snapshot


def test_a_snapshot_says_what_it_is(executor: LocalPythonExecutor) -> None:
    executor("1")
    snapshot = executor.snapshot("mine")
    assert (snapshot.label, snapshot.number, snapshot.parent, snapshot.cell, snapshot.is_alive) == (
        "mine",
        1,
        None,
        1,
        True,
    )
    assert "mine" in repr(snapshot)
    snapshot.discard()
    assert "gone" in repr(snapshot)


def test_a_label_that_would_break_the_drawing_does_not(executor: LocalPythonExecutor) -> None:
    executor.snapshot("two\nlines\x1b[31m")
    assert len(str(executor.history()).splitlines()) == 1
    assert "\x1b" not in str(executor.history())


def test_children_of_a_discarded_snapshot_live_on_and_hang_from_its_parent(
    executor: LocalPythonExecutor,
) -> None:
    executor("x = 1")
    executor.snapshot("a")
    executor("x = 2")
    middle = executor.snapshot("b")
    executor("x = 3")
    last = executor.snapshot("c")
    middle.discard()
    assert str(executor.history()).splitlines() == [
        "  1  a  (after 1 cells)",
        "*   3  c  (after 3 cells)",
    ]
    executor.restore(last)
    assert executor("x").output == 3


# -- gone


def refused(executor: LocalPythonExecutor, snapshot: Snapshot) -> str:
    """Why a snapshot cannot be gone back to; nothing else has changed by asking."""
    executor("asked = 1")
    with pytest.raises(SnapshotGone) as caught:
        executor.restore(snapshot)
    assert executor("asked").output == 1
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_discarded_snapshot_is_gone_and_its_process_too(executor: LocalPythonExecutor) -> None:
    snapshot = executor.snapshot("mine")
    process = process_of(snapshot)
    assert process.lives
    snapshot.discard()
    snapshot.discard()
    assert not snapshot.is_alive
    assert len(executor.history()) == 0
    wait_until(lambda: not process.lives, "its process is gone")
    assert "mine" in refused(executor, snapshot)


def test_a_snapshot_whose_process_was_killed_is_gone_and_the_executor_goes_on(
    executor: LocalPythonExecutor,
) -> None:
    executor("kept = 1")
    snapshot, other = executor.snapshot("mine"), executor.snapshot("other")
    kill(snapshot)
    assert not snapshot.is_alive
    assert "mine" in refused(executor, snapshot)
    executor.restore(other)
    assert executor("kept").output == 1


def test_code_that_kills_the_snapshots_it_can_reach_leaves_an_executor_that_works(
    executor: LocalPythonExecutor,
) -> None:
    executor("kept = 1")
    snapshot = executor.snapshot()
    executor(f"import os\n{KILL_ALL_OTHERS}")
    with contextlib.suppress(SnapshotGone):
        executor.restore(snapshot)
    assert executor("kept").output == 1
    executor.restore(executor.snapshot())
    assert executor("kept").output == 1


def test_snapshots_end_with_their_executor(make_jailed: MakeExecutor) -> None:
    executor = make_jailed(policy=plain(cell_seconds=PATIENT))
    snapshots = [executor.snapshot() for _ in range(3)]
    processes = {process_of(holder) for holder in (executor, *snapshots)}
    assert all(process.lives for process in processes)
    executor.close()
    wait_until(lambda: not any(process.lives for process in processes), "all gone")
    assert not any(snapshot.is_alive for snapshot in snapshots)
    with pytest.raises(SandboxFailed):
        executor.restore(snapshots[0])
    with pytest.raises(SandboxFailed, match="closed"):
        executor.snapshot()


def test_executors_and_snapshots_that_are_dropped_leave_no_process() -> None:
    executor = LocalPythonExecutor(policy=plain(cell_seconds=PATIENT))
    snapshots = [executor.snapshot(), executor.snapshot()]
    fork = executor.fork()
    snapshots.append(fork.snapshot())
    processes = {process_of(holder) for holder in (executor, fork, *snapshots)}
    assert len(processes) == 5
    del executor, fork, snapshots
    gc.collect()
    wait_until(lambda: not any(process.lives for process in processes), "all gone")


def test_a_snapshot_that_is_all_that_is_left_of_an_executor_is_no_trap() -> None:
    executor = LocalPythonExecutor(policy=plain(cell_seconds=PATIENT))
    executor("x = 1")
    snapshot = executor.snapshot()
    del executor
    gc.collect()
    with LocalPythonExecutor(policy=plain(cell_seconds=PATIENT)) as other:
        try:
            other.restore(snapshot)
        except SnapshotGone:
            assert other.run("x").error.type == "NameError"  # type: ignore[union-attr]
        else:
            assert other("x").output == 1
    snapshot.discard()


# -- bounds


def test_more_snapshots_than_the_limits_allow_are_a_clear_error(make_jailed: MakeExecutor) -> None:
    executor = make_jailed(policy=plain(branches=5, cell_seconds=PATIENT))
    executor("kept = 1")
    made = [executor.snapshot(str(number)) for number in range(3)]
    with pytest.raises(SandboxFailed, match=r"limits\.branches") as caught:
        executor.snapshot()
    assert "\n" not in str(caught.value)
    assert [*executor.history()] == made
    made[0].discard()
    executor.snapshot("again")
    executor.restore(made[1])
    assert executor("kept").output == 1


def test_keep_discards_the_oldest(make_jailed: MakeExecutor) -> None:
    executor = make_jailed(policy=plain(cell_seconds=PATIENT), keep=3)
    made = [(executor(f"x = {number}"), executor.snapshot(str(number)))[1] for number in range(7)]
    assert [snapshot.label for snapshot in executor.history()] == ["4", "5", "6"]
    assert [snapshot.is_alive for snapshot in made] == [False] * 4 + [True] * 3
    executor.restore(made[4])
    assert executor("x").output == 4


def test_a_snapshot_for_whose_files_there_is_no_room_is_a_clear_error(
    make_jailed: MakeExecutor,
) -> None:
    executor = make_jailed(policy=plain(cell_seconds=PATIENT))
    executor("kept = 1\nopen('/home/user/large', 'wb').write(bytes(900 << 10))")

    def take_twenty() -> None:
        for _ in range(20):
            executor.snapshot()

    with pytest.raises(SandboxFailed) as caught:
        take_twenty()
    assert "\n" not in str(caught.value)
    assert executor("kept, len(open('/home/user/large', 'rb').read())").output == (1, 900 << 10)
    first, *others = executor.history()
    assert first.is_alive
    for snapshot in others:
        snapshot.discard()
    executor.restore(first)
    assert executor("len(open('/home/user/large', 'rb').read())").output == 900 << 10


def test_going_back_and_forth_uses_nothing_up_on_the_host(make_jailed: MakeExecutor) -> None:
    executor = make_jailed(policy=plain(cell_seconds=PATIENT), keep=2)

    def back_and_forth() -> None:
        snapshot = executor.snapshot()
        executor("1")
        executor.restore(snapshot)
        with executor.fork() as fork:
            fork.snapshot()

    for _ in range(3):
        back_and_forth()
    before = len([*Path("/proc/self/fd").iterdir()])
    for _ in range(15):
        back_and_forth()
    wait_until(
        lambda: len([*Path("/proc/self/fd").iterdir()]) <= before, "no descriptors are left open"
    )


@pytest.mark.parametrize("keep", [0, -1, True, "3", 1.5])
def test_keep_is_a_number_of_at_least_one(keep: Any) -> None:
    with pytest.raises(PolicyError, match="keep"):
        LocalPythonExecutor(keep=keep)


@pytest.mark.parametrize(
    "change",
    [
        lambda policy: replace(policy, language="guarded"),
        lambda policy: replace(policy, limits=replace(policy.limits, memory_bytes=64 << 20)),
        lambda policy: replace(policy, imports=()),
    ],
    ids=["language", "limits", "imports"],
)
def test_a_snapshot_of_another_policy_is_refused(
    executor: LocalPythonExecutor, make_jailed: MakeExecutor, change: Callable[[Policy], Policy]
) -> None:
    """A stricter executor would have got whatever the other allowed."""
    snapshot = executor.snapshot()
    other = make_jailed(policy=change(executor.policy))
    other("mine = 1")
    with pytest.raises(PolicyError, match="policy"):
        other.restore(snapshot)
    assert other("mine").output == 1


def test_a_snapshot_of_another_executor_with_the_same_policy_can_be_gone_to(
    executor: LocalPythonExecutor, make_jailed: MakeExecutor
) -> None:
    executor("x = 1\nopen('/home/user/file', 'w').write('one')")
    snapshot = executor.snapshot()
    other = make_jailed(policy=executor.policy)
    other("x = 2\nopen('/home/user/file', 'w').write('two')")
    other.restore(snapshot)
    assert other("x, open('/home/user/file').read()").output == (1, "one")
    other("x = 3\nopen('/home/user/file', 'w').write('three')")
    assert executor("x, open('/home/user/file').read()").output == (1, "one")
    executor.close()
    assert other("x").output == 3
    assert other.run("x = 4\nimport os\nos._exit(1)").rolled_back
    assert other("x").output == 3


def test_executors_that_have_come_together_at_a_snapshot_fail_alone(
    executor: LocalPythonExecutor, make_jailed: MakeExecutor
) -> None:
    """They share a sandbox from then on, though neither is a fork of the other."""
    executor("x = 1")
    other = make_jailed(policy=executor.policy)
    other.restore(executor.snapshot())
    for each in (executor, other):
        each("x += 1")
    for each in (
        other,
        executor,
        other,
        executor,
    ):  # with nothing in between that would give the next one something new to go back to
        assert each.run("x = 0\nimport os\nos._exit(1)").rolled_back
    assert [executor("x").output, other("x").output] == [2, 2]


# -- from many threads


def test_a_snapshot_asked_for_while_a_cell_runs_waits_its_turn(
    executor: LocalPythonExecutor,
) -> None:
    started, release = threading.Event(), threading.Event()
    executor.send_tools({"pause": lambda: (started.set(), release.wait(60))[1]})
    executor("x = 1")
    cell = threading.Thread(target=executor.run, args=("x = 2\npause()\nx = 3",))
    cell.start()
    assert started.wait(60)
    made: list[Snapshot] = []
    taking = threading.Thread(target=lambda: made.append(executor.snapshot()))
    taking.start()
    assert not made
    release.set()
    cell.join(60)
    taking.join(60)
    executor("x = 4")
    executor.restore(made[0])
    assert executor("x").output == 3


# -- where it cannot be


@pytest.mark.parametrize("what", ["snapshot", "fork", "history"])
def test_inline_has_no_process_to_copy(what: str) -> None:
    executor = LocalPythonExecutor(isolation="inline")
    with pytest.raises(PolicyError, match="inline") as caught:
        getattr(executor, what)()
    assert what in str(caught.value)
    assert "\n" not in str(caught.value)
