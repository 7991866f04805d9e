"""A fleet on the nodes of a Ray cluster: what is lost there is run again, and who joins is used."""

from __future__ import annotations

import itertools
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fumehood import Fleet, FleetResult, Mount, NodeLost, Policy, RayUnavailable
from fumehood.ray.cluster import Cluster

from ..executors.hosts import living, processes
from ..rays import until


@pytest.fixture(scope="module")
def ray_fleet(ray_address: str) -> Iterator[Fleet]:
    """Both nodes are there."""
    with Fleet(ray_address, per_node=1) as made:
        until(lambda: len(made.metrics().nodes) == 2, "the second node comes")
        yield made


def hosts(fleet: Fleet) -> dict[str, int]:
    """The actors' processes, by the names of their nodes."""
    import ray

    links = fleet._engine._links  # type: ignore[attr-defined]
    return {
        name: ray.get(link._host.about.remote(), timeout=60)["pid"] for name, link in links.items()
    }


def test_items_run_on_all_nodes_and_results_come_in_order(ray_fleet: Fleet) -> None:
    results = list(
        ray_fleet.run_all(["print(input)", "import time; time.sleep(0.02); input ** 2"], range(40))
    )
    assert [result.value for result in results] == [n**2 for n in range(40)]
    assert [result.logs for result in results] == [f"{n}\n" for n in range(40)]
    assert {result.node for result in results} == {*ray_fleet.metrics().nodes}


def test_what_a_lost_host_had_is_run_again_and_there_is_a_new_host(ray_fleet: Fleet) -> None:
    before = hosts(ray_fleet)
    victim = next(iter(before))
    restarts = ray_fleet.metrics().nodes[victim].restarts
    results = []
    for result in ray_fleet.run_all(
        "import time; time.sleep(0.1); input", range(12), in_order=False
    ):
        if not results:
            os.kill(before[victim], signal.SIGKILL)
        results.append(result)
    assert sorted(result.value for result in results) == list(range(12)), "each once"
    until(lambda: ray_fleet.metrics().nodes[victim].restarts > restarts, "a new host is started")
    assert hosts(ray_fleet)[victim] != before[victim]


def test_items_that_may_not_be_run_twice_are_not_whatever_becomes_of_their_nodes(
    ray_address: str, tmp_path: Path
) -> None:
    """Each leaves a mark on its node when it has begun, and then its node is lost."""
    marks = tmp_path / "marks"
    marks.touch()
    marks.chmod(0o666)
    policy = Policy(
        files=True, language="off", mounts=(Mount(str(marks), "/marks", writable=True),)
    )
    code = (
        "import time\nwith open('/marks', 'a') as marks: marks.write(f'{input}\\n')\nif input !="
        " 'after': time.sleep(3600)"
    )
    with Fleet(ray_address, per_node=1, policy=policy) as fleet:
        until(lambda: len(fleet.metrics().nodes) == 2, "both nodes are there")
        results: list[FleetResult] = []
        taking = threading.Thread(
            target=lambda: results.extend(
                fleet.run_all(
                    code, ["one", "two"], repeatable=False, in_order=False, timeout_seconds=3600
                )
            )
        )
        taking.start()
        until(lambda: {*marks.read_text().split()} == {"one", "two"}, "both have begun")
        for pid in hosts(fleet).values():
            os.kill(pid, signal.SIGKILL)
        taking.join(120)
        assert [result.failure.__class__ for result in results] == [NodeLost] * 2
        for error in (result.error for result in results):
            assert (
                error is not None
                and "repeatable=False" in error.message
                and "\n" not in error.message
            )
        # What is to be run again is run before all else.
        (after,) = fleet.run_all(code, ["after"], timeout_seconds=100)
        assert after.ok
        assert (fleet.metrics().repeated, fleet.metrics().queue) == (0, 0)
    assert sorted(marks.read_text().split()) == ["after", "one", "two"], "each once"


def test_what_is_over_dropped_or_closed_keeps_no_node_busy(
    ray_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Cluster, "_shared", {})  # executors of other tests do not count here

    def load() -> float:
        return sum(node.load for node in cluster.nodes())

    code = "import time; time.sleep(300 if input else 0)"  # longer than anybody waits here
    with Cluster.shared(ray_address) as cluster, Fleet(ray_address, per_node=2) as fleet:
        list(fleet.run_all(code, [0, 0, 0]))
        assert load() == 0
        for _ in range(2):
            results = fleet.run_all(code, [0, 1, 1, 1], timeout_seconds=3600)
            next(results)
            assert load() > 0, "two at least are under way"
            results.close()
            until(lambda: load() == 0, "they are dropped")
        results = fleet.run_all(code, [0, 1, 1, 1], timeout_seconds=3600)
        next(results)
        fleet.close()
        assert load() == 0


def test_sandboxes_end_with_a_driver_that_is_killed(ray_address: str) -> None:
    program = f"""
import time
from fumehood import Fleet
fleet = Fleet({ray_address!r}, per_node=1)
results = fleet.run_all("import time; time.sleep(0 if input < 2 else 3600)", range(4), timeout_seconds=3600)
next(results)
next(results)
import ray
pids = [ray.get(link._host.about.remote())["pid"] for link in fleet._engine._links.values()]
print(*pids, flush=True)
time.sleep(3600)
"""
    driver = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert driver.stdout is not None
    pids = {int(word) for word in driver.stdout.readline().split()}
    started = {
        process for process, parent in processes().items() if process in pids or parent in pids
    }
    assert len(started) >= 2, "an actor, and its zygote"
    driver.kill()
    driver.wait()
    driver.stdout.close()
    until(lambda: not living(started), "all that the driver had on the nodes ends")


NEVER = {"no_such_module": {"preload": ["no_such_module"]}, "ZeroDivisionError": {"setup": "1 / 0"}}


@pytest.mark.parametrize(("said", "wrong"), NEVER.items(), ids=NEVER)
def test_what_no_node_can_do_is_raised_and_not_waited_for(
    ray_address: str, wrong: dict[str, Any], said: str
) -> None:
    with Fleet(ray_address, per_node=1, **wrong) as fleet:
        for _ in range(2):
            with pytest.raises(
                RayUnavailable, match=rf"^no node of the Ray cluster can be used: .*{said}"
            ):
                next(fleet.run_all("input", itertools.count()))


def test_an_address_where_nobody_answers_is_said_in_one_line() -> None:
    program = "from fumehood import Fleet\nFleet('127.0.0.1:1')"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.stderr.splitlines()[-1].startswith(
        f"fumehood.errors.{RayUnavailable.__name__}: nobody answers at 127.0.0.1:1"
    )


def test_a_cluster_that_ray_remembers_and_that_is_gone_is_not_waited_for(tmp_path: Path) -> None:
    """Ray itself tries for minutes to reach it."""
    (tmp_path / "ray").mkdir()
    (tmp_path / "ray" / "ray_current_cluster").write_text("127.0.0.1:1")
    environment = {name: value for name, value in os.environ.items() if name != "RAY_ADDRESS"} | {
        "RAY_TMPDIR": str(tmp_path)
    }
    program = "from fumehood import Fleet\nFleet()"
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )
    assert re.match(
        r"fumehood\.errors\.RayUnavailable: nobody answers at \S+:1, where",
        done.stderr.splitlines()[-1],
    )
