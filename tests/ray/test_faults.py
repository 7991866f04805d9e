"""Nodes that join a cluster and nodes that die, on a cluster of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import fumehood

from ..rays import SETTINGS

HERE = Path(__file__)

PROGRAM = """
import json, sys, threading, time
import rays
from fumehood import NodeLost, RayExecutor, RayUnavailable
from fumehood.ray.cluster import Cluster

made = rays.started(1)
told = {}
cluster = Cluster(made.address)
joined, lost = [], []
stop = cluster.watch(lambda node: (lost if node.lost else joined).append(node.id))

def until(condition):
    end = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)

first = RayExecutor(cluster=cluster)
first("kept = 1")

# A node joins: the next sandbox is there, where more is free.
added = made.add_node(**rays.small() | {"num_cpus": 2})
until(lambda: len(cluster.nodes()) == 2)
begun = threading.Event()
second = RayExecutor(cluster=cluster, on_output=lambda text: begun.set(), timeout_seconds=None)
there = second.node
told["is used"] = there is not first.node and joined == [there.id]
second("kept = 2")
snapshot = second.snapshot()

# It dies in the middle of a cell, and nobody says goodbye.
results = []
thread = threading.Thread(target=lambda: results.append(second.run("print('on', flush=True)\\nwhile True: pass")))
thread.start()
begun.wait(60)
made.remove_node(added, allow_graceful=False)
thread.join(60)
told["cell"] = [results[0].fault, results[0].error.type, str(results[0].error)]
told["others"] = first("kept").output
told["next"] = [second("'kept' in globals()").output, second.node is first.node]
try:
    second.restore(snapshot)
except Exception as error:
    told["snapshot"] = type(error).__name__
until(lambda: lost == [there.id])
told["left"] = [len(cluster.nodes()), there.lost]
try:
    RayExecutor(cluster=cluster, node=there.id)
except RayUnavailable as error:
    told["none"] = str(error)
try:
    there.host
except NodeLost as error:
    told["lost"] = str(error)
stop()
first.close(); second.close()
cluster.close()
rays.end(made)
try:
    cluster.nodes()
except RayUnavailable as error:
    told["closed"] = str(error)
print(json.dumps(told))
"""


@pytest.mark.long
def test_a_node_that_joins_is_used_and_one_that_dies_takes_nothing_else_with_it() -> None:
    pytest.importorskip("ray")
    path = os.pathsep.join([str(Path(fumehood.__file__).parents[1]), str(HERE.parents[1])])
    environment = {**os.environ, **SETTINGS, "PYTHONPATH": path}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        env=environment,
        timeout=500,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["is used"]
    assert told["cell"][:2] == ["killed", "NodeLost"] and "the Ray node" in told["cell"][2]
    assert told["others"] == 1
    assert told["next"] == [False, True]
    assert told["snapshot"] == "SnapshotGone"
    assert told["left"] == [1, True]
    assert told["none"].startswith("no Ray node whose id begins with")
    assert told["lost"].startswith("the Ray node") and "is gone" in told["lost"]
    assert "not connected to a Ray cluster any more" in told["closed"]
