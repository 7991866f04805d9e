"""RayExecutor, on a cluster of two nodes that are processes of this machine."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from fumehood import (
    ActionStep,
    CodeAgent,
    ExecutorPool,
    Mount,
    NodeLost,
    Packages,
    Policy,
    PolicyError,
    RayExecutor,
    RayUnavailable,
    ReplayModel,
    RunResult,
    tool,
)
from fumehood.executors.ray import places_of
from fumehood.ray.cluster import Cluster, Node

from ..rays import until
from .hosts import descendants, host, living, named
from .wheels import make_wheel


@pytest.fixture
def executor(ray_cluster: Cluster) -> Iterator[RayExecutor]:
    with RayExecutor(cluster=ray_cluster) as made:
        yield made


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if this process had the cluster to itself: tests in others have work there too, and it
    counts."""
    monkeypatch.setattr(Node, "free", property(lambda node: node.cpus - node.load))


@pytest.fixture
def quiet_cluster(ray_address: str, alone: None) -> Iterator[Cluster]:
    """The same two nodes with actors of its own: executors of other tests do not count there."""
    with Cluster(ray_address) as made:
        until(lambda: len(made.nodes()) == 2, "both nodes are found")
        yield made


def _node_of(executor: RayExecutor) -> Node:
    node = executor.node
    assert node is not None
    return node


def _remote_ends(node: Node) -> set[int]:
    return {*named(descendants(node.call("about", seconds=60)["pid"]), "fumehood-remote")}


# -- where it is


def test_sandboxes_go_where_most_processors_are_free(quiet_cluster: Cluster) -> None:
    with RayExecutor(cluster=quiet_cluster) as one, RayExecutor(cluster=quiet_cluster) as two:
        assert {_node_of(one), _node_of(two)} == {*quiet_cluster.nodes()}
        assert all(node.free <= node.cpus - 1 for node in quiet_cluster.nodes())
        assert (one("x = 1\nx").output, two("x = 2\nx").output) == (1, 2)


def test_forks_snapshots_and_neighbours_are_on_the_same_node(executor: RayExecutor) -> None:
    executor("x = 1")
    snapshot = executor.snapshot()
    executor("x = 2")
    with executor.fork() as fork:
        with fork.beside() as beside:
            assert fork("x").output == 2 and fork.node is beside.node is executor.node
        executor.restore(snapshot)
        assert (executor("x").output, fork("x").output) == (1, 2)


def test_all_sandboxes_of_a_node_have_one_actor_and_one_remote_end(ray_cluster: Cluster) -> None:
    node = ray_cluster.nodes()[0]
    made = [RayExecutor(cluster=ray_cluster, node=node) for _ in range(3)]
    try:
        assert [executor("1 + 1").output for executor in made] == [2, 2, 2]
        assert all(executor.node is node for executor in made)
        assert len(_remote_ends(node)) == 1
    finally:
        for executor in made:
            executor.close()


def test_a_node_that_there_is_not_is_an_error_in_one_line(ray_cluster: Cluster) -> None:
    with pytest.raises(
        RayUnavailable,
        match=(
            r"^no Ray node whose id begins with 'zz' can be used: none that is alive has the"
            r" resources"
        ),
    ):
        RayExecutor(cluster=ray_cluster, node="zz")


# -- what it does


@pytest.mark.long
def test_by_calls_everything_is_as_by_a_direct_line(ray_address: str) -> None:
    """Where no connection can be made to a node."""
    data = bytes(range(256)) * 20_000
    printed: list[str] = []
    with (
        Cluster(ray_address, way="calls") as cluster,
        RayExecutor(cluster=cluster, on_output=printed.append) as executor,
    ):
        assert "by calls line" in executor.report()
        executor.send_tools({"add": lambda a, b: a + b})
        executor.send_variables({"data": data})
        assert executor("print('on its way')\nx = add(20, 1)\ndata[::-1]").output == data[::-1]
        assert "".join(printed) == "on its way\n"
        assert executor.run("x = 2\n'a' * 10**13").fault == "memory"
        with executor.fork() as fork:
            assert fork("x").output == 21


@pytest.mark.long
def test_where_a_direct_line_cannot_be_made_calls_carry_the_bytes(
    ray_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Cluster(ray_address) as cluster:
        for node in cluster.nodes():
            monkeypatch.setattr(
                node, "address", "203.0.113.1"
            )  # an address for examples, which no machine has
        with RayExecutor(cluster=cluster) as executor:
            assert executor("6 * 7").output == 42 and "by calls line" in executor.report()


@pytest.mark.usefixtures("ray_cluster")
def test_an_agent_runs_its_code_there(ray_address: str) -> None:
    """Its variables stay from step to step, its tools are here, what goes wrong is told to it, and
    a runaway cell costs only itself."""
    called: list[int] = []

    @tool
    def stock(name: str) -> int:
        """How many there are.

        Args:
            name: Of what.
        """
        called.append(os.getpid())
        return {"apples": 6, "pears": 7}[name]

    steps = [
        "found = {name: stock(name) for name in ('apples', 'pears')}\nprint('found', len(found))",
        "found['plums'] / 2",
        "found = None\nwhile True: pass",
        "final_answer(found['apples'] * found['pears'])",
    ]
    model = ReplayModel([f"Thought: next.\n```python\n{step}\n```" for step in steps])
    options = {"address": ray_address, "timeout_seconds": 5}
    with CodeAgent(
        tools=[stock], model=model, executor_type="ray", executor_kwargs=options
    ) as agent:
        result = agent.run("How many baskets can be made?", return_full_result=True)
        assert isinstance(agent.python_executor, RayExecutor) and isinstance(result, RunResult)
    assert (result.output, result.state, called) == (42, "success", [os.getpid()] * 2)
    observed = [step.observations or "" for step in result.steps if isinstance(step, ActionStep)]
    assert [
        "found 2" in observed[0],
        "KeyError: 'plums'" in observed[1],
        "second" in observed[2],
    ] == [True] * 3, observed
    assert result.metrics.faults == {"timeout": 1}


def test_a_pool_has_executors_on_all_nodes(quiet_cluster: Cluster) -> None:
    pool = ExecutorPool(
        size=2, max_size=2, executor_type="ray", executor_kwargs={"cluster": quiet_cluster}
    )
    with pool, pool.checkout() as one, pool.checkout() as two:
        assert (one("x = 1\nx").output, two("x = 2\nx").output) == (1, 2)
        assert one.node is not two.node  # type: ignore[attr-defined]


def test_mounts_are_refused_and_the_text_says_what_to_do(ray_cluster: Cluster) -> None:
    with pytest.raises(PolicyError, match=r"not where a Ray node is; use executor\.files\.write"):
        RayExecutor(
            cluster=ray_cluster, policy=Policy(files=True, mounts=(Mount("/usr/share", "/data"),))
        )


def test_packages_are_fetched_here_and_imported_there_and_on_the_next_node_too(
    ray_cluster: Cluster, tmp_path: Path
) -> None:
    wheel = make_wheel(tmp_path, "plain", {"plain.py": "def double(x):\n    return 2 * x\n"})
    with RayExecutor(cluster=ray_cluster, packages=[wheel]) as executor:
        assert (
            executor("import plain\nplain.double(21)").output == 42
            and "plain" in executor.authorized_imports
        )
        for pid in _remote_ends(_node_of(executor)):
            os.kill(pid, signal.SIGKILL)
        assert executor.run("1").fault == "killed"
        assert executor("import plain\nplain.double(4)").output == 8


def test_packages_that_cannot_be_had_are_said_and_leave_nothing(
    quiet_cluster: Cluster, tmp_path: Path
) -> None:
    with pytest.raises(PolicyError, match="cannot be read"):
        RayExecutor(cluster=quiet_cluster, packages=[tmp_path / "none-1.0-py3-none-any.whl"])
    with pytest.raises(PolicyError, match="write \\['plain'\\]"):
        RayExecutor(cluster=quiet_cluster, packages="plain")
    with pytest.raises(PolicyError, match="leave it out, and name wheels"):
        RayExecutor(cluster=quiet_cluster, packages=Packages(["plain"], builds=True))
    until(lambda: not any(node.load for node in quiet_cluster.nodes()), "no sandbox is left")


# -- faults


def test_a_worker_that_is_killed_loses_its_sandboxes_and_the_next_cell_begins_anew(
    executor: RayExecutor,
) -> None:
    node = _node_of(executor)
    executor("x = 1")
    for pid in _remote_ends(node):
        os.kill(pid, signal.SIGKILL)
    execution = executor.run("import time\ntime.sleep(600)")
    assert (execution.fault, execution.error.type) == ("killed", "NodeLost")  # type: ignore[union-attr]
    assert f"the worker on the Ray node {node.name} is gone: it ended by signal 9" in str(
        execution.error
    )
    assert executor("'x' in globals()").output is False


@pytest.mark.long
@pytest.mark.usefixtures("alone")
def test_an_actor_that_is_killed_loses_its_sandboxes_and_others_go_on(ray_address: str) -> None:
    begun = threading.Event()
    found: list[BaseException] = []

    def run() -> None:
        try:
            one("import time\nprint('on', flush=True)\ntime.sleep(600)")
        except NodeLost as error:
            found.append(error)

    with (
        Cluster(ray_address) as cluster,
        RayExecutor(
            cluster=cluster, on_output=lambda text: begun.set(), timeout_seconds=None
        ) as one,
        RayExecutor(cluster=cluster) as two,
    ):
        node, other = _node_of(one), _node_of(two)
        two("kept = 2")
        thread = threading.Thread(target=run)
        thread.start()
        assert begun.wait(60)
        os.kill(node.call("about", seconds=60)["pid"], signal.SIGKILL)
        thread.join(60)
        assert "the Ray node" in str(found[0])
        assert two("kept").output == 2
        assert one("6 * 7").output == 42 and one.node is other, (
            "a node that has failed is asked last"
        )


def test_a_cluster_that_is_closed_ends_lines_and_actors_and_nobody_starts_another(
    ray_address: str,
) -> None:
    cluster = Cluster(ray_address)
    with RayExecutor(cluster=cluster) as executor:
        node = _node_of(executor)
        executor("x = 1")
        actor = node.call("about", seconds=60)["pid"]
        there = {actor, *descendants(actor)}
        place = places_of(cluster).place_on(node)
        assert place.sandboxes == 1
        cluster.close()
        assert node.lost and not place.sandboxes
        execution = executor.run("x")
        assert execution.fault == "killed" and "its cluster was closed" in str(execution.error)
        with pytest.raises(RayUnavailable, match="this cluster is closed; make a new one"):
            executor("x")
        assert node._host is None
        until(lambda: not living(there), "all that was on the node ends")


@pytest.mark.long
def test_a_node_with_another_version_is_said_to_have_it(
    ray_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fumehood.__version__", "0.0")
    with (
        Cluster(ray_address) as cluster,
        pytest.raises(
            RayUnavailable, match=r"the node has fumehood .*, and the driver 0\.0; install"
        ),
    ):
        RayExecutor(cluster=cluster)


@pytest.mark.long
def test_when_the_driver_dies_so_does_everything_on_the_nodes(ray_address: str) -> None:
    program = f"""
        executor = RayExecutor(address={ray_address!r})
        executor("x = 1")
        say(executor.node.call("about", seconds=60)["pid"])
        executor("import time; time.sleep(600)")
        """
    with host(program) as driver:
        actor = driver.answer()
        there = {actor, *descendants(actor)}
        assert len(named(there, "fumehood-remote")) == 1
        driver.kill()
        until(lambda: not living(there), "all that the driver had on the node ends")
