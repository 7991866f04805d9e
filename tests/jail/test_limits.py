"""Limits: what a process that becomes a sandbox's is given, and groups of processes in both
versions that the kernel has of them."""

from __future__ import annotations

import mmap
import os
import resource
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from fumehood.jail import limits
from fumehood.policy import Limits

UNLIMITED = resource.RLIM_INFINITY
IN_USE = limits.Memory(data=100 << 20, mapped=300 << 20)


def names(directory: int) -> list[str]:
    return os.listdir(directory)


# -- limits of a process


def test_memory_is_counted_from_what_the_process_has_already() -> None:
    wanted = Limits(memory_bytes=64 << 20)
    planned = limits.plan(wanted, in_use=IN_USE, tasks_in_use=0, reserved=7)
    assert planned[resource.RLIMIT_DATA] == (100 << 20) + (64 << 20)
    assert planned[resource.RLIMIT_AS] == (300 << 20) + (64 << 20) + 7


def test_a_limit_that_is_lower_already_stays() -> None:
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard == UNLIMITED:
        pytest.skip("this process may open as many files as it likes")
    for wanted in (hard, 16):
        planned = limits.plan(Limits(open_files=wanted), in_use=IN_USE, tasks_in_use=0)
        assert planned[resource.RLIMIT_NOFILE] == wanted


def test_linux_has_all_limits_and_keeps_the_one_on_memory() -> None:
    """On gVisor it does not; that is asked before every sandbox there, and must leave the asking
    process as it was."""
    before = resource.getrlimit(resource.RLIMIT_DATA)
    in_use = limits.memory_in_use()
    assert limits.absent() == set()
    assert limits.reserved(in_use) > 200 << 20, "room for stacks and pools, which take no memory"
    assert resource.getrlimit(resource.RLIMIT_DATA) == before


def test_memory_in_use_is_what_the_kernel_counts_as_data_and_as_mapped() -> None:
    before = limits.memory_in_use()
    with mmap.mmap(-1, 32 << 20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS):
        after = limits.memory_in_use()
    assert after.data - before.data >= 32 << 20 and after.mapped > after.data > 0


def test_the_tasks_of_a_user_are_counted_with_their_threads() -> None:
    assert limits.tasks_of_user(os.getuid()) >= len([*Path("/proc/self/task").iterdir()])
    assert limits.tasks_of_user(4_000_000_000) == 0


# -- groups, as the second version has them: files of the same names in a directory


@pytest.fixture
def second(tmp_path: Path) -> Iterator[tuple[limits.Cgroups, Path]]:
    group = tmp_path / "own" / "s1"
    group.mkdir(parents=True)
    for name in ("memory.max", "memory.swap.max", "memory.events", "cgroup.procs"):
        (group / name).touch()
    flags = os.O_RDONLY | os.O_DIRECTORY
    made = limits.Cgroups(2, os.open(tmp_path, flags), "own", os.open(tmp_path / "own", flags))
    yield made, group
    os.close(made.parent)
    os.close(made.directory)


def test_the_limit_of_a_group_is_the_documented_one(second: tuple[limits.Cgroups, Path]) -> None:
    groups, directory = second
    wanted = Limits(memory_bytes=100 << 20, lab_bytes=10 << 20)

    def limit(**copies: int) -> int:
        groups.limit("s1", wanted, **copies)
        assert (directory / "memory.swap.max").read_text() == "0"
        return int((directory / "memory.max").read_text()) >> 20

    assert limit() == 32 + 100 + 10
    assert limit(copies=1) == 32 + 2 * (100 + 10)
    assert limit(copies=1, branched=True) == 32 + 200 + 5 * 10
    assert limit(copies=3, branched=True) == 32 + 400 + 5 * 10


def test_a_kernel_that_does_not_count_swap_is_no_failure(
    second: tuple[limits.Cgroups, Path],
) -> None:
    groups, directory = second
    (directory / "memory.swap.max").unlink()
    groups.limit("s1", Limits())
    assert int((directory / "memory.max").read_text()) > 0


def test_a_group_tells_who_is_in_it_and_who_had_to_go(second: tuple[limits.Cgroups, Path]) -> None:
    groups, directory = second
    (directory / "cgroup.procs").write_text("12\n0\n34\n")  # 0 is somebody of another pid namespace
    (directory / "memory.events").write_text("low 0\nmax 9\noom_kill 3\n")
    assert (groups.members("s1"), groups.killed("s1")) == ([12, 34], 3)
    assert (groups.members("gone"), groups.killed("gone")) == ([], 0)


def test_a_group_with_somebody_in_it_stays_and_one_that_is_gone_is_gone(
    second: tuple[limits.Cgroups, Path],
) -> None:
    groups, directory = second
    assert groups.remove("s1") is False and directory.exists()
    assert groups.remove("gone") is True


# -- groups of this machine


@pytest.fixture
def own() -> Iterator[limits.Cgroups]:
    try:
        made = limits.open_cgroups(f"fumehood-test-limits-{os.getpid()}")
    except OSError as error:
        pytest.skip(f"no group can be made here: {error}")
    yield made
    if made.name in names(made.parent):
        limits.close_cgroups(made)
    os.close(made.parent)
    os.close(made.directory)


def test_a_process_that_goes_through_the_door_is_in_the_group_and_the_group_is_removed_after_it(
    own: limits.Cgroups,
) -> None:
    own.add("s1", Limits(memory_bytes=64 << 20))
    child = subprocess.Popen(["cat"], stdin=subprocess.PIPE)
    door = own.door("s1")
    os.write(door, str(child.pid).encode())
    os.close(door)
    assert own.members("s1") == [child.pid] and own.killed("s1") == 0
    assert own.remove("s1") is False
    child.communicate()
    limits.close_cgroups(own)
    assert own.name not in names(own.parent)


def test_what_a_killed_host_left_is_swept_and_what_a_live_one_has_is_not() -> None:
    prefix = f"fumehood-test-sweep-{os.getpid()}-"
    ended = subprocess.Popen(["true"])
    ended.wait()
    try:
        dead, live = (
            limits.open_cgroups(f"{prefix}{ended.pid}"),
            limits.open_cgroups(f"{prefix}{os.getpid()}"),
        )
    except OSError as error:
        pytest.skip(f"no group can be made here: {error}")
    try:
        dead.add("s1", Limits())
        limits.sweep_cgroups(prefix)
        here = names(live.parent)
        assert f"{prefix}{os.getpid()}" in here and f"{prefix}{ended.pid}" not in here
    finally:
        for one in (dead, live):
            if one.name in names(one.parent):
                limits.close_cgroups(one)
            os.close(one.parent)
            os.close(one.directory)
