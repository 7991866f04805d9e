"""Where a soak takes place: how executors are made there and given back, who can be killed around
them, and what may not be left there."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import random
import re
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Literal

import httpx
import processes
from leaks import wait_until
from served import ServedExecutor

from fumehood import (
    DockerExecutor,
    E2BExecutor,
    E2BSandbox,
    ExecutorPool,
    LocalPythonExecutor,
    Policy,
    RayExecutor,
)
from fumehood.docker import containers as owners
from fumehood.docker.engine import Engine
from fumehood.executors.docker import DockerContainer
from fumehood.policy import Limits
from fumehood.ray.cluster import Cluster

ROOT = Path(__file__).resolve().parents[1]
_LISTENING = re.compile(r"http://\S+")
_SHARED = re.compile(r"fumehood-serve-\d+|lock")
"""What all servers of a user have in common, and none of them removes."""
_END_SECONDS = 60.0
Tools = Mapping[str, Callable[..., Any]]
# Short, because most ordeals run into one of these.
LIMITS = Limits(
    cell_seconds=2,
    grace_seconds=0.5,
    memory_bytes=192 << 20,
    output_bytes=1 << 20,
    processes=12,
    lab_bytes=16 << 20,
)


class Ground:
    """A place; this one is a jail on this machine."""

    name = "local"
    skips: frozenset[str] = frozenset()
    """Names of ordeals that cannot be had there, or mean nothing."""
    language: Literal["guarded", "off"] | None = None
    """The language of all executors there; None for some of each."""

    def __init__(self, limits: Limits = LIMITS) -> None:
        self.limits = limits

    def make(self, policy: Policy, tools: Tools) -> Any:
        return LocalPythonExecutor(policy=policy, additional_functions=dict(tools))

    def end(self, executor: Any) -> None:
        executor.close()

    def victims(self) -> list[processes.Process]:
        """Processes around the sandboxes, some of them more than once, that somebody may kill."""
        return [
            victim
            for worker in processes.workers()
            for victim in (worker.zygote, worker.zygote, worker.supervisor)
        ]

    def kill(self, chance: random.Random, warn: Callable[[], None]) -> str | None:
        """Kill somebody; gives who. `warn` is called before: an executor that dies before it was
        told would be called wrong. And it is called when those are dead who die with the victim,
        which on a busy machine takes its time."""
        found = self.victims()
        if not found:
            return None
        victim = chance.choice(found)
        family = {process.pid for process in processes.descendants(victim.pid)} | {victim.pid}
        warn()
        with contextlib.suppress(ProcessLookupError):
            os.kill(victim.pid, signal.SIGKILL)
        wait_until(
            lambda: (
                not any(
                    process.pid in family and process.is_alive
                    for process in processes.all_processes()
                )
            ),
            _END_SECONDS,
        )
        warn()
        return victim.name

    def lasting(self) -> list[tuple[str, processes.Process]]:
        """Processes that are there all the time, not right below this one, whose memory may not
        grow; each with what it is."""
        return []

    def close(self) -> list[str]:
        """End it; gives what is left there."""
        return []


class InlineGround(Ground):
    """Executors in this process. Without a jail, what only the kernel can stop is left out, and
    there is nobody to kill."""

    name = "inline"
    language = "guarded"
    skips = frozenset(
        {
            "a hard timeout",
            "a long sleep",
            "too much memory",
            "a flood of output",
            "files",
            "snapshot",
            "fork",
            "a fork bomb",
            "kill the runner",
            "kill the init",
            "kill while running",
        }
    )

    def make(self, policy: Policy, tools: Tools) -> Any:
        return LocalPythonExecutor(
            policy=replace(policy, files=False),
            isolation="inline",
            additional_functions=dict(tools),
        )

    def kill(self, chance: random.Random, warn: Callable[[], None]) -> str | None:
        return None


class PoolGround(Ground):
    """Executors that a pool lends: one pool for each policy."""

    name = "pool"
    skips = frozenset({"drop"})  # what is lent is the pool's to end

    def __init__(self, limits: Limits = LIMITS) -> None:
        super().__init__(limits)
        self._pools: dict[Policy, ExecutorPool] = {}
        self._leases: dict[int, Any] = {}

    def make(self, policy: Policy, tools: Tools) -> Any:
        pool = self._pools.get(policy)
        if pool is None:
            pool = self._pools.setdefault(
                policy, ExecutorPool(1, max_size=16, policy=policy, tools=dict(tools))
            )
        lease = pool.checkout(_END_SECONDS)
        self._leases[id(lease.executor)] = lease
        return lease.executor

    def end(self, executor: Any) -> None:
        self._leases.pop(id(executor)).close()

    def close(self) -> list[str]:
        for pool in self._pools.values():
            pool.close()
        alive = sum(pool.stats().alive for pool in self._pools.values())
        self._pools.clear()
        return [f"{alive} executors of a pool"] if alive else []


class DockerGround(Ground):
    """Sandboxes that share a container. What is killed is that, or somebody in it."""

    name = "docker"
    skips = frozenset({"drop"})

    def __init__(self, limits: Limits = LIMITS) -> None:
        super().__init__(limits)
        self._engine = Engine()
        base = importlib.import_module("tests.docker.bases").base_of(self._engine)
        self._container = DockerContainer(base=str(base), sandboxes=16)

    def make(self, policy: Policy, tools: Tools) -> Any:
        return DockerExecutor(
            policy=policy, container=self._container, additional_functions=dict(tools)
        )

    def kill(self, chance: random.Random, warn: Callable[[], None]) -> str | None:
        container = self._container.id
        if container is None:
            return None
        warn()
        with contextlib.suppress(Exception):
            self._engine.ask("POST", f"/containers/{container}/kill")
        warn()
        return "container"

    def close(self) -> list[str]:
        self._container.close()
        filters = json.dumps(
            {"label": [f"{owners.PID}={os.getpid()}", f"{owners.MACHINE}={owners.machine()}"]}
        )

        def left() -> list[str]:
            return [
                row["Names"][0]
                for row in self._engine.ask(
                    "GET", "/containers/json", {"all": 1, "filters": filters}
                )
            ]

        wait_until(lambda: not left(), _END_SECONDS)
        return [f"container {name}" for name in left()]


# All that a key may have: a soak has policies of its own.
_CONFIG = """
[quotas]
sandboxes = 64
snapshots = 64
requests_per_second = 100_000
burst = 100_000

[policy]
imports = ["*"]
language = "off"
files = true

[policy.limits]
cell_seconds = {cell_seconds}
grace_seconds = {grace_seconds}
memory_bytes = {memory_bytes}
processes = {processes}
lab_bytes = {lab_bytes}
output_bytes = {output_bytes}
"""


class ServerGround(Ground):
    """A `fumehood serve` in a process of its own, asked by its native API. What is killed is
    somebody around its sandboxes."""

    name = "server"
    language = "off"
    skips = frozenset(
        {
            "drop",
            "cancel",
            "send and fetch",
            "hold an object",
            "kill the runner",
            "kill the init",
            "kill while running",
        }
        | {
            "a tool",
            "a tool that fails",
            "a tool's error, caught",
            "tools, gathered",
            "junk on the wire",
        }
    )

    def __init__(self, limits: Limits = LIMITS) -> None:
        super().__init__(limits)
        self._directory = Path(tempfile.mkdtemp(prefix="soak-server-"))
        (self._directory / "home").mkdir()
        self.key = secrets.token_hex(16)
        config = self._directory / "server.toml"
        config.touch(0o600)
        config.write_text(_CONFIG.format(**asdict(limits)))
        log = str(self._directory / "access.jsonl")
        command = [
            sys.executable,
            "-m",
            "fumehood.cli",
            "serve",
            "--port",
            "0",
            "--config",
            str(config),
            "--log",
            log,
        ]
        environment = {
            **os.environ,
            "FUMEHOOD_API_KEYS": self.key,
            "TMPDIR": str(self._directory / "home"),
        }
        self._process = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env=environment
        )
        assert self._process.stdout is not None
        found = next(
            (found for line in self._process.stdout if (found := _LISTENING.search(line))), None
        )
        if found is None:
            raise SystemExit("the server did not start")
        self.url = found[0]
        # One for all threads: each would keep the certificates of the world in memory.
        self._client = httpx.Client(
            base_url=self.url, headers={"X-API-Key": self.key}, timeout=_END_SECONDS
        )

    def make(self, policy: Policy, tools: Tools) -> Any:
        return ServedExecutor(self._client)

    def lasting(self) -> list[tuple[str, processes.Process]]:
        below = processes.descendants(self._process.pid)
        zygotes = [
            ("zygote", found)
            for found in below
            if found.name == "fumehood-zygote" and found.parent in self._guards(below)
        ]
        return [
            ("server", processes.Process(self._process.pid, os.getpid(), "fumehood", "R")),
            *zygotes,
        ]

    @staticmethod
    def _guards(below: list[processes.Process]) -> set[int]:
        return {found.pid for found in below if found.name == "fumehood-superv"}

    def victims(self) -> list[processes.Process]:
        below = processes.descendants(self._process.pid)
        return [
            found
            for found in below
            if found.name in ("fumehood-superv", "fumehood-zygote") and found.is_alive
        ]

    def close(self) -> list[str]:
        self._client.close()
        family = processes.descendants(self._process.pid)
        self._process.terminate()
        try:
            code = self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return ["the server, which does not end"]
        assert self._process.stdout is not None
        self._process.stdout.close()
        wait_until(lambda: not self._alive(family), 15)
        found = [
            f"process {process.pid} {process.name} of the server" for process in self._alive(family)
        ]
        found += [
            f"file {path} of the server"
            for path in (self._directory / "home").rglob("*")
            if not _SHARED.fullmatch(path.name)
        ]
        shutil.rmtree(self._directory, ignore_errors=True)
        return found if code == 0 else [*found, f"the server ended with {code}"]

    def _alive(self, family: list[processes.Process]) -> list[processes.Process]:
        numbers = {process.pid: process.name for process in family}
        return [
            process
            for process in processes.all_processes()
            if numbers.get(process.pid) == process.name and process.is_alive
        ]


class E2BGround(ServerGround):
    """Executors by way of a service that speaks as E2B's does: the same server, asked by the
    official client."""

    name = "e2b"
    language = None
    skips = frozenset({"drop"})

    def __init__(self, limits: Limits = LIMITS) -> None:
        super().__init__(limits)
        self._sandbox = E2BSandbox(api_key=self.key, api_url=self.url, sandbox_url=self.url)

    def make(self, policy: Policy, tools: Tools) -> Any:
        return E2BExecutor(policy=policy, sandbox=self._sandbox, additional_functions=dict(tools))

    def close(self) -> list[str]:
        self._sandbox.close()
        return super().close()


class RayGround(Ground):
    """Sandboxes on a cluster of two nodes, which are processes of this machine. What is killed is
    somebody that fumehood has there."""

    name = "ray"
    skips = frozenset({"drop"})
    _OURS = ("fumehood-", "ray::NodeHost")

    def __init__(self, limits: Limits = LIMITS) -> None:
        super().__init__(limits)
        rays = importlib.import_module("tests.rays")
        self._directory = Path(
            tempfile.mkdtemp(prefix="ray-", dir="/tmp")
        )  # names of sockets in there must be short
        os.environ.update({**rays.SETTINGS, "RAY_TMPDIR": str(self._directory)})
        (self._directory / "users").mkdir()
        (self._directory / "users" / str(os.getpid())).touch()
        self._keeper: subprocess.Popen[bytes] = rays.start_keeper(self._directory)
        self._cluster = Cluster((self._directory / "address").read_text())
        wait_until(lambda: len(self._cluster.nodes()) == 2, _END_SECONDS)

    def make(self, policy: Policy, tools: Tools) -> Any:
        return RayExecutor(policy=policy, cluster=self._cluster, additional_functions=dict(tools))

    def victims(self) -> list[processes.Process]:
        return [found for found in self._ours() if found.name != "fumehood-runner"]

    def _ours(self) -> list[processes.Process]:
        return [
            found
            for found in processes.descendants(self._keeper.pid)
            if found.name.startswith(self._OURS) and found.is_alive
        ]

    def close(self) -> list[str]:
        self._cluster.close()
        wait_until(lambda: not self._ours(), _END_SECONDS)
        found = [f"process {process.pid} {process.name} on a node" for process in self._ours()]
        importlib.import_module("ray").shutdown()
        (self._directory / "users" / str(os.getpid())).unlink()
        self._keeper.wait(2 * _END_SECONDS)
        shutil.rmtree(self._directory, ignore_errors=True)
        return found


GROUNDS: dict[str, type[Ground]] = {
    kind.name: kind
    for kind in (Ground, InlineGround, PoolGround, DockerGround, ServerGround, E2BGround, RayGround)
}
