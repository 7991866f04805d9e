"""Pools of real sandboxes: killed, forked, used by many at once, and gone with their host."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fumehood import (
    ExecutorPool,
    JailUnavailable,
    Limits,
    LocalPythonExecutor,
    Policy,
    PythonExecutor,
)

from .conftest import skip_where_there_is_no_jail
from .hosts import answer_of, host, living, wait_until


@pytest.fixture(scope="module", autouse=True)
def _a_jail_can_be_had() -> None:
    try:
        LocalPythonExecutor().close()
    except JailUnavailable as missing:
        skip_where_there_is_no_jail(missing)
        raise


@pytest.fixture
def pool() -> Iterator[ExecutorPool]:
    with ExecutorPool(2, max_size=4) as made:
        yield made


def wait_until_ready(pool: ExecutorPool) -> None:
    wait_until(lambda: pool.stats().ready == pool.size, "the pool is full")


def process_of(executor: PythonExecutor) -> int:
    """The runner's process, as the host's own handle on it says."""
    assert isinstance(executor, LocalPythonExecutor)
    handle = executor._session._connection.handle  # type: ignore[union-attr]
    lines = Path(f"/proc/self/fdinfo/{handle}").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pid:"))


def test_sandboxes_killed_while_they_were_ready_are_replaced(pool: ExecutorPool) -> None:
    wait_until_ready(pool)
    killed = {process_of(executor) for executor in pool._ready}
    for process in killed:
        os.kill(process, 9)
    wait_until(lambda: not living(killed), "they are dead")
    with pool.checkout() as first, pool.checkout() as second:
        assert (first("1 + 1").output, second("2 + 2").output) == (2, 4)
    assert pool.stats().closed_by_reason["died"] == 2


def test_programs_run_in_sandboxes_of_their_own_and_results_come_in_order() -> None:
    programs = [f"before = 'seen' in dir()\nseen = 1\n({number}, before)" for number in range(20)]
    with ExecutorPool(2, max_size=3) as pool:
        results = list(pool.map(programs))
        assert [result.value for result in results] == [(n, False) for n in range(20)]
        failed, worked = pool.map(["1 / 0", "2"])
        assert (failed.error.type, worked.value) == ("ZeroDivisionError", 2)
        assert pool.stats().in_use == 0


@pytest.mark.long
@pytest.mark.parametrize("reuse", [False, True])
def test_two_hundred_threads_share_four_sandboxes(reuse: bool) -> None:
    results: list[Any] = []
    with ExecutorPool(4, max_size=4, reuse=reuse) as pool:

        def work(number: int) -> None:
            with pool.checkout() as executor:
                results.append(executor.run(f"x = {number}\nx + 1").value == number + 1)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(200)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert results == [True] * 200
    assert pool.stats().alive == 0


def test_a_pool_that_reuses_replaces_a_sandbox_that_a_cell_has_crashed() -> None:
    policy = Policy(language="off", limits=Limits(cell_seconds=20))
    with ExecutorPool(1, max_size=1, policy=policy, setup="ready = True", reuse=True) as pool:
        with pool.checkout() as executor:
            executor.run("kept = 1")
        with pool.checkout() as executor:
            assert executor("kept").output == 1
            executor.run("import os\nos._exit(3)")
        with pool.checkout() as executor:
            assert executor("ready").output is True
            assert "kept" not in executor.state
        ended = pool.stats().closed_by_reason
        assert ended["died"] + ended["dirty"] == 1


def test_a_cell_that_still_runs_when_its_pool_is_closed_is_ended(pool: ExecutorPool) -> None:
    began = threading.Event()
    lease = pool.checkout()
    executor = lease.executor
    executor.send_tools({"began": began.set})
    outcome: list[Any] = []
    thread = threading.Thread(
        target=lambda: outcome.append(executor.run("began()\nwhile True: pass"))
    )
    thread.start()
    assert began.wait(60)
    pool.close(timeout=0)
    thread.join(60)
    assert outcome[0].error is not None
    lease.close()


def test_a_fork_has_an_empty_pool_and_fills_its_own_while_the_parent_s_goes_on() -> None:
    answers = answer_of(
        """
        import time
        pool = ExecutorPool(2, max_size=4)
        lease = pool.checkout()
        while pool.stats().ready < 2: time.sleep(0.01)
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            empty = pool.stats()
            lease.close()
            with pool.checkout(60) as executor:
                worked = works(executor)
            pool.close()
            os.write(writing, json.dumps([empty.alive, empty.created, worked]).encode())
            os._exit(0)
        os.waitpid(child, 0)
        of_child = json.loads(os.read(reading, 1000))
        of_parent = [works(lease.executor), pool.stats().ready, pool.stats().in_use]
        lease.close()
        with pool.checkout(60) as executor:
            say([of_child, of_parent, works(executor)])
        """
    )
    assert answers == [[0, 0, True], [True, 2, 1], True]


@pytest.mark.parametrize(
    "ending", ["", "lease = pool.checkout()", "sys.exit(3)", "raise KeyboardInterrupt", "del pool"]
)
def test_a_host_that_ends_with_an_open_pool_ends_at_once_and_leaves_nothing(ending: str) -> None:
    program = f"""
        import time
        pool = ExecutorPool(2, max_size=4)
        while pool.stats().ready < 2: time.sleep(0.01)
        say("ready")
        sys.stdin.readline()
        {ending}
    """
    reading, writing = os.pipe()
    with host(program, stdin=reading) as running:
        assert running.answer() == "ready"
        processes = running.processes()
        assert processes
        os.write(writing, b"\n")
        running.process.wait(60)
        assert b"pool" not in (
            running.process.stderr.read()
            if running.process.stderr and not ending.startswith("raise")
            else b""
        )
        wait_until(lambda: not living(processes), "its processes are gone")
    os.close(reading)
    os.close(writing)
