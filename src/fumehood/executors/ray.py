"""RayExecutor: code on the machines of a Ray cluster."""

from __future__ import annotations

import functools
import json
import os
import threading
import weakref
from collections.abc import Iterable, Mapping
from typing import Any, Unpack

from fumehood.errors import NodeLost, PolicyError, RayFailed, RayUnavailable, SandboxFailed
from fumehood.executors.options import Options, SessionOptions, shows_session_options
from fumehood.executors.remote import RemoteExecutor, RemoteLine, RemotePlace, Started, Tunnel
from fumehood.executors.supervisor import Runner
from fumehood.jail.report import Mechanism
from fumehood.packages.requirements import Packages
from fumehood.policy import Policy
from fumehood.ray.cluster import Cluster, Node
from fumehood.ray.ways import Line


class NodePlace(RemotePlace[Line]):
    """One node."""

    gone = NodeLost
    called = "Ray node"
    advice = "On a Ray cluster that means its nodes: install it there"

    def __init__(self, node: Node) -> None:
        super().__init__()
        self.node = node
        self.starting = 0
        """Sandboxes that are about to start here; changed with the lock of NodePlaces."""
        known = weakref.ref(self)

        def load() -> int:
            place = known()
            return 0 if place is None else place.sandboxes

        node.add_load(load)

    @property
    def sandboxes(self) -> int:
        """How many of this process's there are, and are about to be."""
        line = self._open_line
        return self.starting + (0 if line is None else line.zygotes.sandboxes)

    def _start(self, policy: Policy, first: dict[str, Any]) -> Started[Line]:
        node = self.node
        node.see()
        line = node.open_line(json.dumps(first))
        row = Mechanism(
            "Ray node", True, f"{node.name}, by {line.way} line", "reaching this machine"
        )
        why_gone = functools.cache(lambda: node.why_gone(line.number))
        name = f"the Ray node {node.name}"
        return Started(line, line.stream, line.close, why_gone, lambda: (row,), name)

    def _open(self, policy: Policy) -> RemoteLine[Line]:
        line = super()._open(policy)
        _homes[line.tunnel] = self.node
        return line

    def lose(self) -> None:
        """The node is gone: a line that is still open leads nowhere, and nobody is to wait for
        it."""
        line = self._line
        if line is not None:
            line.end()


_homes: weakref.WeakKeyDictionary[Tunnel, Node] = weakref.WeakKeyDictionary()
"""Which node a tunnel leads to."""


class NodePlaces:
    """All nodes of a cluster, for sandboxes to be started on the one that has most processors free,
    for each that it has; and of those, on the one with the fewest sandboxes."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = weakref.ref(
            cluster
        )  # whose it is: it ends when nobody has the cluster any more
        self._lock = threading.Lock()
        self._places: dict[str, NodePlace] = {}
        known = weakref.ref(self)

        def follow(node: Node) -> None:
            places = known()
            if places is None:
                stop()
            elif node.lost:
                places._lose(node)

        stop = cluster.watch(follow)

    def place_on(self, node: Node) -> NodePlace:
        """The one place of a node, which all executors there share."""
        with self._lock:
            return self._place_on(node)

    def _place_on(self, node: Node) -> NodePlace:
        place = self._places.get(node.id)
        if place is None:
            place = self._places[node.id] = NodePlace(node)
        return place

    def _lose(self, node: Node) -> None:
        with self._lock:
            place = self._places.pop(node.id, None)
        if place is not None:
            place.lose()

    def start_sandbox(self, policy: Policy, only: str | None = None) -> Runner:
        """The runner of a fresh sandbox, on one of the nodes whose id begins with `only`. One that
        cannot be reached is passed over."""
        if policy.mounts:
            raise PolicyError(
                "mounts show code files of this machine, which is not where a Ray node is; use"
                " executor.files.write()"
            )
        cluster = self._cluster()
        assert cluster is not None, "every executor has it"
        failure: SandboxFailed | None = None
        tried: set[str] = set()
        while True:
            left = [
                node
                for node in cluster.nodes()
                if node.id not in tried and (only is None or node.id.startswith(only))
            ]
            if not left:
                raise _none(failure, only)
            with self._lock:  # another thread that chooses must see what this one has chosen
                node = min(
                    left,
                    key=lambda node: (node.is_in_doubt, -node.free / (node.cpus or 1), node.load),
                )
                place = self._place_on(node)
                place.starting += 1
            tried.add(node.id)
            try:
                return place.start_sandbox(policy)
            except RayFailed as error:
                failure = error
            finally:
                with self._lock:
                    place.starting -= 1


def _none(failure: SandboxFailed | None, only: str | None) -> SandboxFailed:
    which = (
        "no node of the Ray cluster"
        if only is None
        else f"no Ray node whose id begins with {only!r}"
    )
    why = (
        "none that is alive has the resources; see `ray status`"
        if failure is None
        else f"the last that was tried said: {failure}"
    )
    return RayUnavailable(f"{which} can be used: {why}")


_sharing = threading.Lock()
_shared: weakref.WeakKeyDictionary[Cluster, NodePlaces] = weakref.WeakKeyDictionary()


def places_of(cluster: Cluster) -> NodePlaces:
    """The one of a cluster: so there is one line to each node, whoever has an executor there."""
    with _sharing:
        known = _shared.get(cluster)
        if known is None:
            known = _shared[cluster] = NodePlaces(cluster)
        return known


@shows_session_options
class RayExecutor(RemoteExecutor):
    """Runs cells in a sandbox on a node of a Ray cluster and keeps their variables. All else is as
    with LocalPythonExecutor: tools run here, in the driver, and values, errors and limits are the
    same.

    `address` is the cluster's; without it, the one that this process is connected to, or that
    RAY_ADDRESS names, or that runs on this machine; if there is none, Ray starts one here.
    `resources` are what a node must have, and what is held there, in Ray's terms. Which node it is
    says `node`: the one with most processors free, or one whose id begins with the `node` that is
    given. Its forks and snapshots are on the same.

    On each node there is one actor, and one line to it, for all executors of this process. They end
    with the job. If the node is lost, so are the variables, and whoever is running a cell is told
    so by NodeLost; the next cell begins anew on another node.

    fumehood must be installed on every node, in the same version, and so must modules that are to
    be imported, or be brought: `packages` are fetched here, and code may import their modules, as
    with `install` later. `runtime_env` is what Ray should set up there for the actor. All executors
    that are to share actors have the same options; `cluster` says so.
    """

    def __init__(
        self,
        additional_authorized_imports: Iterable[str] = (),
        *,
        address: str | None = None,
        resources: Mapping[str, float] | None = None,
        cluster: Cluster | None = None,
        node: Node | str | None = None,
        namespace: str | None = None,
        runtime_env: Mapping[str, Any] | None = None,
        packages: Packages | Iterable[str | os.PathLike[str]] = (),
        max_print_outputs_length: int | None = None,
        **session: Unpack[SessionOptions],
    ) -> None:
        options = Options.given_to(RayExecutor, session)
        policy = options.merged_policy(additional_authorized_imports, max_print_outputs_length)
        policy.warn_of_dangers(stacklevel=2)
        own: dict[str, Any] = {
            "address": address,
            "resources": resources,
            "namespace": namespace,
            "runtime_env": runtime_env,
        }
        asked = {name: value for name, value in own.items() if value is not None}
        if cluster is None:
            cluster = Cluster.shared(**asked)
        elif asked:
            raise PolicyError(
                f"{next(iter(asked))} is said by the cluster that this executor is given; leave"
                " it out"
            )
        if node is not None and not (isinstance(node, (Node, str)) and node):
            raise PolicyError(
                f"node must be a node of the cluster, or the beginning of its id, not {node!r}"
            )
        self.cluster = cluster
        super().__init__(
            "ray",
            _Seats(places_of(cluster), node.id if isinstance(node, Node) else node),
            True,
            policy,
            options,
        )
        self._begin_with(None, packages)

    @property
    def node(self) -> Node | None:
        """The node that its sandbox is on; None if it has none now."""
        runner = self._jailed("node").runner
        if runner is None:
            return None
        processes = runner.sandbox.zygote.processes
        return _homes.get(processes) if isinstance(processes, Tunnel) else None


class _Seats:
    """Where an executor's sandbox may be: on any node, or on one."""

    def __init__(self, places: NodePlaces, only: str | None) -> None:
        self._places, self._only = places, only

    def start_sandbox(self, policy: Policy) -> Runner:
        return self._places.start_sandbox(policy, self._only)

    def close(self) -> None:
        """They are others' too."""
