"""A node of a Ray cluster, as the driver holds it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

import fumehood
from fumehood.errors import NodeLost, RayFailed
from fumehood.ray import greeting, sdk, ways
from fumehood.ray.host import NodeHost
from fumehood.ray.ways import Line, Way

_DOUBT_SECONDS = 30.0
"""Ray finds out within this that a node is gone. Until then, one whose actor died is the last to be
asked."""
_LOOK_SECONDS = 3.0
# What Ray has options of their own for.
_OPTIONS = {"CPU": "num_cpus", "GPU": "num_gpus", "memory": "memory"}


class Node:
    """`row` is what Ray says of it. `resources` are what its actor holds there, in Ray's terms;
    `runtime_env` is for the actor too."""

    def __init__(
        self,
        row: Mapping[str, Any],
        resources: Mapping[str, float],
        runtime_env: Mapping[str, Any] | None,
        way: Way | None,
    ) -> None:
        self.id: str = row["NodeID"]
        self.address: str = row["NodeManagerAddress"]
        self.cpus = float(row["Resources"].get("CPU", 0))
        self.memory = int(row["Resources"].get("memory", 0))
        """In bytes, as Ray counts it."""
        self.lost = False
        """Whether Ray says that it is gone. One that is does not come back: should the machine, it
        is another node."""
        self._way = way
        self._why_lost = ""
        self._resources, self._runtime_env = resources, runtime_env
        self._lock = threading.RLock()
        self._host: Any = None
        self._doubted = -_DOUBT_SECONDS
        self._loads: list[Callable[[], float]] = []
        self.taken = 0.0
        """Processors that other work of the cluster holds there, whosever it is, as Ray counted
        them a moment ago."""

    def __repr__(self) -> str:
        return f"<Ray node {self.name}{', lost' if self.lost else ''}>"

    @property
    def name(self) -> str:
        """In texts."""
        return f"{self.id[:8]} at {self.address}"

    # -- how much there is to do

    def add_load(self, load: Callable[[], float]) -> Callable[[], None]:
        """Have something counted that keeps the node busy: `load` gives how many processors it may
        use, when it is asked. Gives what ends that."""
        self._loads.append(load)
        return lambda: self._loads.remove(load) if load in self._loads else None

    @property
    def load(self) -> float:
        """Processors that this driver's sandboxes may be using."""
        return sum(load() for load in self._loads)

    @property
    def free(self) -> float:
        """Processors that neither this driver's sandboxes nor other work of the cluster may be
        using; less than none if there are more sandboxes than processors."""
        return self.cpus - self.taken - self.load

    def count(self, unheld: float) -> None:
        """Ray says how many of its processors nobody holds. What its actor holds is held for the
        sandboxes here."""
        own = 0.0 if self._host is None else self._resources.get("CPU", 0.0)
        self.taken = max(self.cpus - unheld - own, 0.0)

    @property
    def is_in_doubt(self) -> bool:
        """Whether it failed a moment ago: others are asked first."""
        return time.monotonic() - self._doubted < _DOUBT_SECONDS

    def lose(self, why: str) -> None:
        """Ray says that it is gone."""
        self._why_lost = why
        self.lost = True
        self._host = None

    def see(self) -> None:
        """NodeLost if it is."""
        if self.lost:
            raise NodeLost(self.why_gone())

    def why_gone(self, number: int | None = None) -> str:
        """In one line, what became of it, or of the far end of that number. Takes some seconds at
        most."""
        if not self.lost:
            try:
                status = (
                    None
                    if number is None
                    else self.call("how_ended", number, seconds=_LOOK_SECONDS)
                )
            except RayFailed as error:
                return str(error)
            told = (
                f"by signal {-status}"
                if isinstance(status, int) and status < 0
                else f"with status {status}"
            )
            return f"the worker on the Ray node {self.name} is gone" + (
                f": it ended {told}" if status is not None else ""
            )
        return (
            f"the Ray node {self.name} is gone{f': {self._why_lost}' if self._why_lost else ''};"
            " the variables of its sandboxes are lost"
        )

    # -- its actor

    @property
    def host(self) -> Any:
        """The handle of its actor (host.py), which is made when it is first asked for. It is one
        for the node, and ends with this driver's job. NodeLost if the node is."""
        with self._lock:
            self.see()
            if self._host is None:
                ray = sdk.connected()
                from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

                options: dict[str, Any] = {
                    "num_cpus": 0,
                    "scheduling_strategy": NodeAffinitySchedulingStrategy(self.id, soft=False),
                    "max_restarts": 0,
                    "runtime_env": self._runtime_env and {**self._runtime_env},
                    "resources": {
                        name: amount
                        for name, amount in self._resources.items()
                        if name not in _OPTIONS
                    },
                    **{
                        _OPTIONS[name]: amount
                        for name, amount in self._resources.items()
                        if name in _OPTIONS
                    },
                }
                self._host = ray.remote(NodeHost).options(**options).remote(fumehood.__version__)
            return self._host

    def call(self, method: str, *args: object, seconds: float) -> Any:
        """What a method of the actor gives. NodeLost if it is gone or silent."""
        ray = sdk.connected()
        host = self.host
        try:
            return sdk.plain(ray.get)(getattr(host, method).remote(*args), timeout=seconds)
        except ray.exceptions.GetTimeoutError:
            self.doubt(host)
            raise NodeLost(
                f"the Ray node {self.name} did not answer in {seconds:g} seconds"
            ) from None
        except ray.exceptions.RayTaskError as error:
            cause = error.cause if isinstance(error.cause, Exception) else error
            raise RayFailed(f"on the Ray node {self.name}: {sdk.one_line(cause)}") from None
        except Exception as error:  # the actor, its node or the whole cluster
            self.doubt(host)
            raise NodeLost(
                f"the Ray node {self.name} is gone, or what hosts sandboxes there:"
                f" {sdk.why_dead(error)}"
            ) from None

    def doubt(self, host: Any) -> None:
        """An actor of its, as `host` gave it, is gone or silent: for a while other nodes are asked
        first, and who asks this one has another actor, if the node is there."""
        self._doubted = time.monotonic()
        with self._lock:
            if self._host is host:
                self._host = None

    def open_line(self, first: str) -> Line:
        """A line to a fresh far end there, whose first guardian is for a policy, as JSON."""
        way = self._way or ways.usual()
        if way == "direct":
            try:
                return ways.direct(self, first)
            except NodeLost:
                raise
            except (OSError, greeting.Refused, RayFailed) as error:
                if self._way is not None:
                    raise RayFailed(
                        f"there is no direct line to the Ray node {self.name}:"
                        f" {sdk.one_line(error)}; leave way out"
                    ) from None
        return ways.by_calls(self, first)

    def close(self) -> None:
        """End its actor, and all that it has started. It counts as lost: nobody who asks what
        became of that may have another started."""
        with self._lock:
            host = self._host
            self.lose("its cluster was closed")
        if host is not None:
            ray = sdk.module()
            if ray.is_initialized():
                ray.kill(host)
