"""RayExecutor: code on the machines of a Ray cluster."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, Unpack

from fumehood.errors import PolicyError
from fumehood.executors.far_executor import FarExecutor
from fumehood.executors.jailed import JailedWorker
from fumehood.executors.ray_nodes import NodePlaces, home_of, places_of
from fumehood.executors.session_options import SessionOptions, settled, shows_session_options
from fumehood.executors.zygotes import Runner
from fumehood.packages.requirements import Packages
from fumehood.policy import Policy
from fumehood.ray.cluster import Cluster
from fumehood.ray.nodes import Node


@shows_session_options
class RayExecutor(FarExecutor):
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
        policy, options = settled(
            RayExecutor, additional_authorized_imports, max_print_outputs_length, session
        )
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
        runner = self._worker._runner if isinstance(self._worker, JailedWorker) else None
        return None if runner is None else home_of(runner)


class _Seats:
    """Where an executor's sandbox may be: on any node, or on one."""

    def __init__(self, places: NodePlaces, only: str | None) -> None:
        self._places, self._only = places, only

    def start_sandbox(self, policy: Policy) -> Runner:
        return self._places.start_sandbox(policy, self._only)

    def close(self) -> None:
        """They are others' too."""
