"""A Ray cluster: which nodes it has, and who wants to know when one joins or is lost."""

from __future__ import annotations

import contextlib
import threading
import weakref
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Self

from fumehood.errors import PolicyError, RayUnavailable
from fumehood.ray import sdk
from fumehood.ray.nodes import Node
from fumehood.ray.ways import Way

_LOOK_SECONDS = 0.5
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
