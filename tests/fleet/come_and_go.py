"""A map during which a node of its cluster is killed, and another one joins. Prints what came of it as JSON."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import rays

os.environ.update(rays.SETTINGS)


def main() -> None:
    from fumehood import Fleet

    cluster = rays.started(2)
    try:
        with Fleet(cluster.address, per_node=1) as fleet:
            nodes: list[str] = []
            values: list[int] = []
            step = "both"

            def inputs() -> Iterator[int]:
                """More and more of them, until all has happened that is to happen."""
                number = 0
                while step != "over":
                    yield number
                    number += 1

            for result in fleet.run_all("import time; time.sleep(0.05); input", inputs(), in_flight=8, timeout_seconds=100):
                values.append(result.value)
                nodes.append(result.node)
                if step == "both" and len({*nodes[-8:]}) == 2:
                    step = "killed"
                    second = cluster.list_all_nodes()[1]
                    cluster.remove_node(second, allow_graceful=False)
                elif step == "killed" and any(node.is_lost for node in fleet.metrics().nodes.values()):
                    step = "joining"
                    before = {*nodes}
                    cluster.add_node(wait=False, num_cpus=1, object_store_memory=80 << 20)
                elif step == "joining" and result.node not in before:
                    step = "over"
                    joined = result.node
            metrics = fleet.metrics()
            lost = sum(node.is_lost for node in metrics.nodes.values())
            told = {"values": values, "repeated": metrics.repeated, "lost": lost, "joined": joined, "nodes_at_the_end": [*metrics.nodes]}
    finally:
        rays.end(cluster)
    print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
