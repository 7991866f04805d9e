"""Marks the extended tests, which `make test` leaves out, and sets up Hypothesis."""

from __future__ import annotations

import re
import signal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from .clouds import cloud, served_sandbox, shared_cloud  # noqa: F401
from .containers import base, containers, engine, is_there  # noqa: F401
from .rays import ray_address, ray_address_alone, ray_cluster  # noqa: F401

# Slowness is not a failure, and the same tree must have the same outcome each time. To search
# further, use --hypothesis-profile=wide.
settings.register_profile(
    "steady",
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
settings.register_profile(
    "wide", deadline=None, max_examples=2000, suppress_health_check=list(HealthCheck)
)
settings.load_profile("steady")

# Directories and files whose tests are all extended. They are not imported by `make test`.
# Single extended tests elsewhere carry the mark themselves.
EXTENDED = (
    "agent/parsing/test_costs.py",
    "agent/parsing/test_properties.py",
    "agent/test_hostile.py",
    "attacks/test_containers.py",
    "attacks/test_server_controls.py",
    "attacks/test_suite.py",
    "audit/test_bad_disks.py",
    "audit/test_crash.py",
    "audit/test_replaying.py",
    "benchmarks",
    "cli/test_agent.py",
    "cli/test_attack.py",
    "cli/test_audit.py",
    "cli/test_audit_show.py",
    "cli/test_audited.py",
    "cli/test_docker.py",
    "cli/test_magics.py",
    "cli/test_output.py",
    "cli/test_repl.py",
    "cli/test_run_jailed.py",
    "cpython",
    "docker/test_containers.py",
    "docker/test_engines.py",
    "docker/test_images.py",
    "docker/test_without_namespaces.py",
    "docs",
    "executors/test_branching_identities.py",
    "executors/test_descriptors_in_flight.py",
    "executors/test_determinism.py",
    "executors/test_docker.py",
    "executors/test_docker_attacks.py",
    "executors/test_docker_faults.py",
    "executors/test_docker_pythons.py",
    "executors/test_e2b.py",
    "executors/test_e2b_ends.py",
    "executors/test_fetching.py",
    "executors/test_hosts.py",
    "executors/test_identities.py",
    "executors/test_installing.py",
    "executors/test_packages.py",
    "executors/test_pool_jailed.py",
    "executors/test_ray.py",
    "executors/test_transactions_chosen.py",
    "fleet/test_interrupted.py",
    "fleet/test_page.py",
    "fleet/test_ray.py",
    "fuzz",
    "models/test_litellm.py",
    "models/test_served_models.py",
    "packages/test_environments.py",
    "packages/test_explaining.py",
    "packages/test_installers.py",
    "packages/test_page.py",
    "packages/test_silent_index.py",
    "ray/test_client.py",
    "ray/test_faults.py",
    "ray/test_page.py",
    "ray/test_ways.py",
    "server/e2b/test_smolagents.py",
    "server/test_openapi.py",
    "server/test_page.py",
    "test_dist.py",
    "test_examples.py",
    "test_newcomer.py",
    "test_picture.py",
    "tools/test_every_kind.py",
    "tools/test_mcp.py",
    "validation/test_corpora.py",
    "validation/test_linear.py",
    "worker/test_file_server.py",
    "worker/test_figures.py",
    "worker/test_supervisor.py",
    "worker/test_bare_sandboxes.py",
    "worker/test_orphans.py",
    "worker/test_zygote.py",
)
LONGEST = (
    "executors/test_contract_cells.py",
    "attacks/test_matrix.py",
    "faults/test_faults.py",
    "executors/test_limits.py",
    "executors/test_transactions.py",
    "jail/test_attacks.py",
    "cli/test_run.py",
    "language/test_cases.py",
)
# Tests of every executor run in these places by default only where they are about the contract.
REMOTE = {"docker", "e2b", "ray"}
CONTRACT = "test_contract_"
_HERE = Path(__file__).parent


def pytest_configure() -> None:
    """A shell makes its background jobs ignore SIGINT, and child processes inherit that. Tests
    that interrupt a process need the default handler."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _is_extended(path: Path) -> bool:
    parts = path.relative_to(_HERE)
    return any(parts.is_relative_to(name) for name in EXTENDED)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    if config.option.markexpr == "not extended" and _is_extended(collection_path):
        return True
    return None


@pytest.fixture(scope="session")
def extended(pytestconfig: pytest.Config) -> bool:
    """Whether extended tests run. Tests that loop over many programs run a share otherwise."""
    return bool(pytestconfig.option.markexpr != "not extended")


def _remote_place(item: pytest.Item) -> str | None:
    """The remote place of a test of every executor, if it has one."""
    parameters = item.callspec.params.values() if hasattr(item, "callspec") else ()
    return next((value for value in parameters if type(value) is str and value in REMOTE), None)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    dropped = []
    extended: dict[Path, bool] = {}
    for item in items:
        path = item.path
        if path not in extended:
            extended[path] = _is_extended(path)
        place = None if path.name.startswith(CONTRACT) else _remote_place(item)
        if place == "e2b":  # only the contract is promised there
            dropped.append(item)
        elif place is not None or extended[path]:
            item.add_marker(pytest.mark.extended)
    # The files that take longest begin first, so that the workers end at the same time.
    longest = {_HERE / name: order for order, name in enumerate(LONGEST)}
    items.sort(key=lambda item: longest.get(item.path, len(LONGEST)))
    if dropped:
        config.hook.pytest_deselected(items=dropped)
        gone = {*map(id, dropped)}
        items[:] = [item for item in items if id(item) not in gone]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Runs each file in one worker, and all tests of a remote place in one worker, so that each
    server, container and connection to a cluster is set up once."""
    from xdist.scheduler import LoadFileScheduling

    class Scheduling(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            path, _, name = nodeid.partition("::")
            place = re.search(rf"[\[-]({'|'.join(sorted(REMOTE))})[\]-]", name)
            return place[1] if place and CONTRACT in path else path

    return Scheduling(config, log) if config.option.dist == "load" else None


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown() -> None:
    """A process connected to Ray exits with 1 on SIGTERM, and processes forked from it inherit
    that."""
    if signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
