"""Maps on a cluster one of whose nodes has other work, is killed, and is followed by another.
Prints what came of it as JSON.

python come_and_go.py directory       where items leave marks: nodes are processes of this machine
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import rays

os.environ.update(rays.SETTINGS)

from fumehood import Fleet, FleetResult, Mount, Policy, RayExecutor


def held(fleet: Fleet, cluster: Any) -> dict[str, Any]:
    """Somebody's actor has the processor of the second node."""
    import ray
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    first, second = (node.node_id for node in cluster.list_all_nodes())

    @ray.remote(num_cpus=1, scheduling_strategy=NodeAffinitySchedulingStrategy(second, soft=False))
    class Busy:
        def is_there(self) -> bool:
            return True

    busy = Busy.remote()
    ray.get(busy.is_there.remote())

    def at_once() -> list[int]:
        nodes = fleet.metrics().nodes.values()
        return [
            node.at_once
            for node_id in (first, second)
            for node in nodes
            if node_id.startswith(node.node[:8])
        ]

    rays.until(lambda: at_once() == [2, 1], "the fleet knows")
    handed = Counter(
        result.node[:8]
        for result in fleet.run_all("import time; time.sleep(0.2)", range(18), timeout_seconds=100)
    )
    told: dict[str, Any] = {"at_once": at_once(), "handed": [handed[first[:8]], handed[second[:8]]]}
    with RayExecutor() as executor:
        assert executor.node is not None
        told["executor_is_on"] = [first, second].index(executor.node.id)
    ray.kill(busy)
    rays.until(lambda: at_once() == [2, 2], "the node is let go")
    return told


def killed_and_joined(fleet: Fleet, cluster: Any) -> dict[str, Any]:
    """The second node is killed in the middle of a map, and another joins."""
    nodes: list[str] = []
    values: list[int] = []
    step = "both"

    def inputs() -> Iterator[int]:
        """More and more of them, until all has happened that is to happen."""
        number = 0
        while step != "over":
            yield number
            number += 1

    for result in fleet.run_all(
        "import time; time.sleep(0.05); input", inputs(), in_flight=8, timeout_seconds=100
    ):
        values.append(result.value)
        nodes.append(result.node)
        if step == "both" and len({*nodes[-8:]}) == 2:
            step = "killed"
            kill_second(cluster)
        elif step == "killed" and any(node.is_lost for node in fleet.metrics().nodes.values()):
            step = "joining"
            before = {*nodes}
            cluster.add_node(wait=False, **rays.small())
        elif step == "joining" and result.node not in before:
            step = "over"
            joined = result.node
    metrics = fleet.metrics()
    lost = sum(node.is_lost for node in metrics.nodes.values())
    return {
        "values": values,
        "repeated": metrics.repeated,
        "lost": lost,
        "joined": joined,
        "nodes_at_the_end": [*metrics.nodes],
    }


def killed_in_mid_run(fleet: Fleet, cluster: Any, marks: Path) -> dict[str, Any]:
    """The second node is killed while it runs an item that may not be run twice."""
    code = (
        "import time\nwith open('/marks', 'a') as marks: marks.write(f'{input}\\n')\nif input =="
        " 'item': time.sleep(3600)"
    )
    results = fleet.run_all(
        code, ["item", "item"], repeatable=False, in_order=False, timeout_seconds=3600
    )
    found: list[FleetResult] = []
    taking = threading.Thread(target=lambda: found.append(next(results)))
    taking.start()
    rays.until(lambda: marks.read_text().split() == ["item", "item"], "one on each node has begun")
    kill_second(cluster)
    taking.join(120)
    results.close()
    (_,) = fleet.run_all(code, ["after"], timeout_seconds=100)
    error = found[0].error
    assert error is not None
    return {
        "failure": type(found[0].failure).__name__,
        "message": error.message,
        "marks": sorted(marks.read_text().split()),
    }


def kill_second(cluster: Any) -> None:
    cluster.remove_node(cluster.list_all_nodes()[1], allow_graceful=False)


def main() -> None:
    marks = Path(sys.argv[1]) / "marks"
    marks.touch()
    marks.chmod(0o666)  # code is nobody's
    policy = Policy(
        files=True, language="off", mounts=(Mount(str(marks), "/marks", writable=True),)
    )
    cluster = rays.started(2)
    told: dict[str, Any] = {}
    try:
        with Fleet(cluster.address, per_node=2, policy=policy) as fleet:
            rays.until(lambda: len(fleet.metrics().nodes) == 2, "both nodes are there")
            told |= held(fleet, cluster)
            told |= killed_and_joined(fleet, cluster)
            told |= killed_in_mid_run(fleet, cluster, marks)
    finally:
        rays.end(cluster)
    print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
