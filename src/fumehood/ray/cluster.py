"""A Ray cluster and its nodes, as the driver holds them."""

from __future__ import annotations

import contextlib
import threading
import time
import weakref
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Self

import fumehood
from fumehood.errors import NodeLost, PolicyError, RayFailed, RayUnavailable
from fumehood.ray import sdk, ways
from fumehood.ray.host import NodeHost
from fumehood.ray.ways import Line, Way

_LOOK_SECONDS = 0.5
_DOUBT_SECONDS = 30.0
"""Ray finds out within this that a node is gone. Until then, one whose actor died is the last to be
asked."""
_ASK_SECONDS = 3.0
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
        """One line on why it, or the remote end of that number, has ended. Takes a few seconds at
        most."""
        if not self.lost:
            try:
                status = (
                    None if number is None else self.call("how_ended", number, seconds=_ASK_SECONDS)
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
        """A line to a fresh remote end there, whose first supervisor is for a policy, as JSON."""
        way = self._way or ways.usual()
        if way == "direct":
            try:
                return ways.direct(self, first)
            except NodeLost:
                raise
            except (OSError, ways.Refused, RayFailed) as error:
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


Watcher = Callable[[Node], Any]


class Cluster:
    """The cluster that this process is connected to, or is connected to now (sdk.connect says which
    that is).

    `resources` are what a node must have, in Ray's terms ({"CPU": 1, "accelerator": 1}), and what
    its actor holds there for as long as it lives; without it each node with a processor is used,
    and nothing is held. `runtime_env` is the actor's, in Ray's terms. `way` is how bytes go to a
    node, "direct" or "calls" (ways.py); without it, what is possible.
    """

    def __init__(
        self,
        address: str | None = None,
        *,
        namespace: str | None = None,
        resources: Mapping[str, float] | None = None,
        runtime_env: Mapping[str, Any] | None = None,
        way: Way | None = None,
    ) -> None:
        if way not in (None, "direct", "calls"):
            raise PolicyError(f"way must be 'direct' or 'calls', not {way!r}")
        self._resources = _checked(resources)
        self._ray = sdk.connect(address, namespace)
        self._runtime_env, self._way = runtime_env, way
        self._nodes: dict[str, Node] = {}
        self._lock = threading.Lock()
        self._watchers: list[Watcher] = []
        self._over = threading.Event()
        self._look()
        threading.Thread(
            target=_watch,
            args=(weakref.ref(self), self._over),
            name="fumehood-ray-watch",
            daemon=True,
        ).start()

    @classmethod
    def shared(cls, address: str | None = None, **options: Any) -> Cluster:
        """The one of this process that is made with these options: so there is one actor on each
        node, whoever asks."""
        key = repr(
            [
                (name, sorted(value.items()) if isinstance(value, Mapping) else value)
                for name, value in sorted(options.items())
            ]
        )
        with _sharing:
            known = cls._shared.get(key)
            if known is None or not known.is_open:
                known = cls._shared[key] = cls(address, **options)
            elif address is not None:
                sdk.connect(address, None)  # it is the same, or that is an error
            return known

    _shared: ClassVar[dict[str, Cluster]] = {}

    @property
    def is_open(self) -> bool:
        """Whether this process is still connected to it."""
        return not self._over.is_set() and bool(sdk.module().is_initialized())

    def nodes(self) -> list[Node]:
        """Those that are alive and can be used, as they were seen half a second ago at most."""
        sdk.connected()
        if self._over.is_set():
            raise RayUnavailable("this cluster is closed; make a new one")
        with self._lock:
            return [node for node in self._nodes.values() if not node.lost]

    def watch(self, callback: Watcher) -> Callable[[], None]:
        """Have somebody told of each node that joins, or is lost (`node.lost` says which), from a
        thread. Gives what ends that."""
        self._watchers.append(callback)
        return lambda: self._watchers.remove(callback) if callback in self._watchers else None

    def _look(self) -> None:
        rows = {row["NodeID"]: row for row in sdk.plain(self._ray.nodes)()}
        unheld = sdk.unheld_processors()
        changed: list[Node] = []
        with self._lock:
            for node_id, row in rows.items():
                if row["Alive"] and node_id not in self._nodes and self._is_fit(row):
                    self._nodes[node_id] = Node(row, self._resources, self._runtime_env, self._way)
                    changed.append(self._nodes[node_id])
            for node_id in [*self._nodes]:
                row = rows.get(node_id, {"Alive": False})
                if not row["Alive"]:
                    node = self._nodes.pop(node_id)
                    node.lose(
                        sdk.one_line(
                            row.get("DeathReasonMessage") or "Ray does not know it any more"
                        )
                    )
                    changed.append(node)
            for node_id, node in self._nodes.items():
                if node_id in unheld:
                    node.count(unheld[node_id])
        self._tell(changed)

    def _tell(self, changed: list[Node]) -> None:
        for node in changed:
            for watcher in [*self._watchers]:
                with contextlib.suppress(
                    Exception
                ):  # whoever watches has failed, and not the cluster
                    watcher(node)

    def _is_fit(self, row: Mapping[str, Any]) -> bool:
        has: Mapping[str, float] = row["Resources"]
        wanted = self._resources or {"CPU": 0.001}
        return all(has.get(name, 0) >= amount for name, amount in wanted.items())

    def close(self) -> None:
        """End its actors, and with them all that they have started: its nodes count as lost. The
        connection to Ray stays."""
        self._over.set()
        with _sharing:
            for key in [key for key, cluster in self._shared.items() if cluster is self]:
                del self._shared[key]
        with self._lock:
            nodes, self._nodes = [*self._nodes.values()], {}
        for node in nodes:
            with contextlib.suppress(Exception):
                node.close()
        self._tell(nodes)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


_sharing = threading.Lock()


def _watch(cluster: weakref.ref[Cluster], over: threading.Event) -> None:
    """Look again and again, for as long as somebody has the cluster."""
    while not over.wait(_LOOK_SECONDS):
        known = cluster()
        if known is None:
            return
        with contextlib.suppress(Exception):  # Ray has its bad moments; the next look may be better
            if known.is_open:
                known._look()
        del known


def _checked(resources: Mapping[str, float] | None) -> dict[str, float]:
    if resources is not None and not isinstance(resources, Mapping):
        raise PolicyError(
            "resources must be names with positive numbers, in Ray's terms ({'CPU': 2}), not"
            f" {resources!r}"
        )
    for name, amount in (resources or {}).items():
        if not (isinstance(name, str) and type(amount) in (int, float) and amount > 0):
            raise PolicyError(
                f"resources must be names with positive numbers, in Ray's terms, not {name!r}:"
                f" {amount!r}"
            )
    return {**(resources or {})}
