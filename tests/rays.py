"""A Ray cluster of two nodes on this machine, for tests of whatever runs code: one for all
processes that run tests.

It takes its time to start, so it is started by the first test that needs it, in a process of its
own (`python rays.py`), which ends it when none of those who use it lives any more. Where Ray is not
installed, what needs it is skipped and says so.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

SETTINGS = {
    "RAY_USAGE_STATS_ENABLED": "0",  # nobody is told
    "RAY_DEDUP_LOGS": "0",
    "RAY_gcs_server_port_wait_time_s": "120",  # a busy machine takes its time
    "RAY_agent_register_timeout_ms": "240000",
    "RAY_raylet_start_wait_time_s": "240",
    # A driver waits for ever if the first workers take longer than this to start.
    "RAY_worker_register_timeout_seconds": "240",
    # Ray counts the memory of the whole machine and kills workers when others use it up.
    "RAY_memory_monitor_refresh_ms": "0",
}
"""Of every process that has to do with Ray."""
_PORTS = (
    "metrics_agent_port",
    "metrics_export_port",
    "dashboard_agent_listen_port",
    "runtime_env_agent_port",
)


def started(nodes: int = 1, **options: Any) -> Any:
    """A cluster of so many nodes, each with a processor or as many as `options` say; to be ended by
    `end`."""
    from ray._private import services
    from ray.cluster_utils import Cluster

    services.get_node = functools.partial(_patiently, services.get_node)
    services.start_ray_process = functools.partial(_with_its_port, services.start_ray_process)
    made = Cluster(
        initialize_head=True, head_node_args={"include_dashboard": False, **small(), **options}
    )
    for _ in range(nodes - 1):
        made.add_node(wait=False, **small(), **options)
    return made


def small() -> dict[str, Any]:
    """What a node is given, each its own. Where it is not told a port, Ray's own process on the
    node waits for whoever chooses it, and ends when that takes longer than a quarter of a minute,
    as it does on a busy machine."""
    with contextlib.ExitStack() as until_all_are_found:
        found = [
            until_all_are_found.enter_context(socket.create_server(("", 0))).getsockname()[1]
            for _ in _PORTS
        ]
    return {"num_cpus": 1, "object_store_memory": 80 << 20, **dict(zip(_PORTS, found, strict=True))}


def _patiently(ask: Callable[..., Any], *args: Any) -> Any:
    """Ray waits for half a minute until a node that it starts is there, which on a busy machine is
    too short. That is a number in the middle of what makes a node, which no setting reaches and
    every other way to start a cluster has too; but it asks this in between."""
    end = time.monotonic() + 240
    while True:
        try:
            return ask(*args)
        except RuntimeError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


def _with_its_port(
    start: Callable[..., Any], command: list[str], process_type: str, *args: Any, **options: Any
) -> Any:
    """One of the ports is not handed on to that process, although it has an option for it."""
    if process_type == "raylet" and (known := re.search(r"--listen-port=(\d+)", " ".join(command))):
        command = [*command, f"--dashboard_agent_listen_port={known[1]}"]
    return start(command, process_type, *args, **options)


def end(cluster: Any) -> None:
    import ray

    ray.shutdown()
    cluster.shutdown()


@pytest.fixture(scope="session")
def ray_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the cluster is that all share."""
    pytest.importorskip("ray")
    os.environ.update(SETTINGS)
    directory = _common(tmp_path_factory)
    (directory / "users").mkdir(exist_ok=True)
    found = directory / "address"
    with _locked(directory):
        (directory / "users" / str(os.getpid())).touch()
        if not found.exists():
            start_keeper(directory)
    yield found.read_text()
    import ray

    ray.shutdown()
    (directory / "users" / str(os.getpid())).unlink()


@pytest.fixture
def ray_address_alone(tmp_path: Path) -> Iterator[str]:
    """Where another cluster is, that nobody else uses: one whose nodes can be lost."""
    pytest.importorskip("ray")
    os.environ.update(SETTINGS)
    (tmp_path / "users").mkdir()
    (tmp_path / "users" / str(os.getpid())).touch()
    keeper = start_keeper(tmp_path)
    yield (tmp_path / "address").read_text()
    (tmp_path / "users" / str(os.getpid())).unlink()
    keeper.wait(120)


def start_keeper(directory: Path) -> subprocess.Popen[bytes]:
    """Have a cluster that is there for as long as one of the users lives that a directory names;
    its address is there too."""
    with (directory / "log").open("wb") as log:
        keeper = subprocess.Popen(
            [sys.executable, __file__, str(directory)],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
    while not (directory / "address").exists():
        if keeper.poll() is not None:
            pytest.skip(
                f"no Ray cluster can be started here: {(directory / 'log').read_text()[-1000:]}"
            )
        time.sleep(0.1)
    return keeper


def _common(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory that all processes of this run have together."""
    base = tmp_path_factory.getbasetemp()
    made = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "ray"
    made.mkdir(exist_ok=True)
    return made


@pytest.fixture(scope="session")
def ray_cluster(ray_address: str) -> Iterator[Any]:
    """The same, as RayExecutors have it."""
    from fumehood.ray.cluster import Cluster

    made = Cluster.shared(ray_address)  # whoever names the address has this one too
    until(lambda: len(made.nodes()) == 2, "the second node joins")
    yield made
    made.close()


def until(condition: Callable[[], bool], what: str) -> None:
    """Waits for something that comes by itself, on a busy machine too."""
    end = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < end, f"never: {what}"
        time.sleep(0.02)


def _keep(directory: Path) -> None:
    """Have a cluster for as long as one of its users lives."""
    os.environ.update(SETTINGS)
    with (Path(tempfile.gettempdir()) / f"fumehood-ray-{os.geteuid()}").open("a") as lock:
        fcntl.flock(
            lock, fcntl.LOCK_EX
        )  # two that start at the same moment get in each other's way
        cluster = started(2)
    (directory / "written").write_text(cluster.address)
    (directory / "written").rename(directory / "address")
    while not _is_withdrawn(directory):
        time.sleep(0.2)
    with contextlib.suppress(Exception):
        cluster.shutdown()


def _is_withdrawn(directory: Path) -> bool:
    """Removes the address if no user lives. A user that comes later starts another cluster."""
    with _locked(directory):
        if any(map(_lives, (directory / "users").iterdir())):
            return False
        (directory / "address").unlink()
        return True


@contextlib.contextmanager
def _locked(directory: Path) -> Iterator[None]:
    with (directory / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _lives(user: Path) -> bool:
    return Path(f"/proc/{user.name}").exists()


if __name__ == "__main__":
    _keep(Path(sys.argv[1]))
