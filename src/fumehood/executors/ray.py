"""RayExecutor: code on the machines of a Ray cluster."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from fumehood.errors import PolicyError
from fumehood.executors.executor import Then
from fumehood.executors.far_executor import FarExecutor
from fumehood.executors.given import UNSET, Unset, merged_policy
from fumehood.executors.jailed import JailedWorker
from fumehood.executors.ray_nodes import NodePlaces, home_of, places_of
from fumehood.executors.trail import OutputChecks
from fumehood.executors.zygotes import Runner
from fumehood.observing import Observer
from fumehood.packages.requirements import Packages
from fumehood.policy import Limits, Policy
from fumehood.ray.cluster import Cluster
from fumehood.ray.nodes import Node


class RayExecutor(FarExecutor):
    """Runs cells in a sandbox on a node of a Ray cluster and keeps their variables. All else is as with LocalPythonExecutor: tools run
    here, in the driver, and values, errors and limits are the same.

    `address` is the cluster's; without it, the one that this process is connected to, or that RAY_ADDRESS names, or that runs on this
    machine; if there is none, Ray starts one here. `resources` are what a node must have, and what is held there, in Ray's terms. Which
    node it is says `node`: the one with most processors free, or one whose id begins with the `node` that is given. Its forks and
    snapshots are on the same.

    On each node there is one actor, and one line to it, for all executors of this process. They end with the job. If the node is lost, so
    are the variables, and whoever is running a cell is told so by NodeLost; the next cell begins anew on another node.

    fumehood must be installed on every node, in the same version, and so must modules that are to be imported. Or they come with
    `packages`, by name or as wheels: those are fetched here, as pip is configured, and code may import their modules, as with `install`.
    `runtime_env` is what Ray should set up there for the actor. All executors that are to share actors have the same options;
    `cluster` says so.
    """

    def __init__(
        self,
        additional_authorized_imports: Iterable[str] = (),
        address: str | None = None,
        resources: Mapping[str, float] | None = None,
        policy: Policy | None = None,
        *,
        cluster: Cluster | None = None,
        node: Node | str | None = None,
        namespace: str | None = None,
        runtime_env: Mapping[str, Any] | None = None,
        max_print_outputs_length: int | None = None,
        timeout_seconds: float | Unset | None = UNSET,
        limits: Limits | None = None,
        packages: Packages | Iterable[str | os.PathLike[str]] = (),
        on_fault: Then = "rollback",
        on_error: Then = "keep",
        keep: int | None = None,
        additional_functions: Mapping[str, Callable[..., Any]] | None = None,
        on_output: Callable[[str], Any] | None = None,
        audit: Observer | Iterable[Observer] | None = None,
        validators: Iterable[Any] | OutputChecks = (),
    ) -> None:
        policy = merged_policy(additional_authorized_imports, max_print_outputs_length, timeout_seconds, policy, limits)
        policy.warn_of_dangers(stacklevel=2)
        own: dict[str, Any] = {"address": address, "resources": resources, "namespace": namespace, "runtime_env": runtime_env}
        asked = {name: value for name, value in own.items() if value is not None}
        if cluster is None:
            cluster = Cluster.shared(**asked)
        elif asked:
            raise PolicyError(f"{next(iter(asked))} is said by the cluster that this executor is given; leave it out")
        if node is not None and not (isinstance(node, (Node, str)) and node):
            raise PolicyError(f"node must be a node of the cluster, or the beginning of its id, not {node!r}")
        wanted = _plain(packages) if isinstance(packages, Packages) or packages else ()
        self.cluster = cluster
        super().__init__(
            "ray",
            _Seats(places_of(cluster), node.id if isinstance(node, Node) else node),
            True,
            policy,
            on_output,
            on_fault=on_fault,
            on_error=on_error,
            keep=keep,
            additional_functions=additional_functions,
            audit=audit,
            validators=validators,
        )
        if wanted:
            try:
                self.install(*wanted)
            except BaseException:
                self.close()
                raise

    @property
    def node(self) -> Node | None:
        """The node that its sandbox is on; None if it has none now."""
        runner = self._worker._runner if isinstance(self._worker, JailedWorker) else None
        return None if runner is None else home_of(runner)


def _plain(packages: Packages | Iterable[str | os.PathLike[str]]) -> tuple[str | os.PathLike[str], ...]:
    asked = Packages.of(packages)
    if asked != Packages(asked.names) or asked.on_progress is not None:
        raise PolicyError(
            "packages for a Ray node are wheels, fetched as pip is configured here; give a list, without the options of Packages"
        )
    return asked.names


class _Seats:
    """Where an executor's sandbox may be: on any node, or on one."""

    def __init__(self, places: NodePlaces, only: str | None) -> None:
        self._places, self._only = places, only

    def start_sandbox(self, policy: Policy) -> Runner:
        return self._places.start_sandbox(policy, self._only)

    def close(self) -> None:
        """They are others' too."""
