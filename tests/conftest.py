"""Which tests run on one Python only, those about something else than Python, whose subject is the
same on all of them; and how examples are made up."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from .clouds import (
    are_not_for_a_service,
    cloud,  # noqa: F401
    served_sandbox,  # noqa: F401
    shared_cloud,  # noqa: F401
)
from .containers import (
    are_for_another_time,
    base,  # noqa: F401
    containers,  # noqa: F401
    engine,  # noqa: F401
    is_there,  # noqa: F401
)
from .rays import (
    are_for_no_cluster,
    ray_address,  # noqa: F401
    ray_address_alone,  # noqa: F401
    ray_cluster,  # noqa: F401
)

# A busy machine is slow, which is no failure; and the same tree has the same outcome each time. To
# look for more: --hypothesis-profile=wide
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

# Directories and files, each with what its tests are about. Single tests elsewhere have the mark
# themselves.
ONCE = {
    "agent/console": "what a terminal shows",
    "agent/parsing/test_costs.py": "how long it takes to read what a model has written",
    "agent/test_hostile.py": "what agents make of code that is tried on every Python elsewhere",
    "agent/test_pictures_html.py": "what a notebook shows",
    "benchmarks": "what is printed of figures",
    "cli": "a command line",
    "docker": "an engine",
    "docs": "pages, and the programs on them",
    "e2b": "a service",
    "executors/test_commands_attacked.py": "a shell of our own",
    "executors/test_fetching.py": "indexes, and an installer, which is a program",
    "executors/test_installing.py": "the same, and what becomes of sandboxes meanwhile",
    "executors/test_e2b.py": "a service",
    "executors/test_e2b_ends.py": "a service",
    "executors/test_e2b_served.py": "a service",
    "executors/test_branching_identities.py": "who the host is to the kernel",
    "executors/test_faults_survived.py": (
        "ways to fail, each of which is tried on every Python elsewhere, many times"
    ),
    "executors/test_identities.py": "who the host is to the kernel",
    "executors/test_limits.py": "limits that the kernel keeps",
    "executors/test_ray.py": "a cluster",
    "fleet": "a cluster",
    "integrations": "another package's agent",
    "jail/test_attacks.py": "what the kernel lets a process do",
    "packages": "installers, which are programs, and a disk",
    "server": "a server, and what is sent to it",
    "models": "servers, and the libraries that talk to them",
    "ray": "a cluster",
    "test_dist.py": "archives, and every Python that is found",
    "test_examples.py": "programs made of what is tested elsewhere",
    "test_house.py": "the text of our own files",
    "audit/test_bad_disks.py": "a file system",
    "audit/test_crash.py": "a file system",
    "validation/test_corpora.py": "how well tables fit texts",
    "validation/test_linear.py": "expressions of a library",
    "tools/test_mcp.py": "servers of tools",
    "tools/test_search.py": "a server",
    "tools/test_web.py": "servers",
    "worker/shell": "a shell of our own, and the commands of a machine",
    "worker/test_zygote.py": "processes that start processes",
}
_HERE = Path(__file__).parent


def pytest_configure() -> None:
    """A shell has what it runs in the background ignore interrupts, and so would all that the tests
    start and then interrupt."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def is_elsewhere(item: pytest.Item) -> bool:
    """Whether a test of every kind of executor has one whose code is in a container, at a service
    or on a cluster. What differs there is the way to it; another Python at the far end has tests of
    its own."""
    parameters = (
        item.callspec.params.values()
        if isinstance(item, pytest.Function) and hasattr(item, "callspec")
        else ()
    )
    return any(type(value) is str and value in ("docker", "e2b", "ray") for value in parameters)


def _is_once(path: Path) -> bool:
    where = path.relative_to(_HERE).as_posix()
    return any(where == place or where.startswith(place + "/") for place in ONCE)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Those that would be deselected need not even be read: with all that they import that takes
    longer than a tenth of the tests."""
    return True if config.option.markexpr == "not once" and _is_once(collection_path) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left_out = [
        *are_for_another_time(items, _HERE),
        *are_not_for_a_service(items, _HERE),
        *are_for_no_cluster(items, _HERE),
    ]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        gone = {*map(id, left_out)}
        items[:] = [item for item in items if id(item) not in gone]
    for item in items:
        if _is_once(item.path) or is_elsewhere(item):
            item.add_marker(pytest.mark.once)


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown() -> None:
    """Ray has a process that is connected end with 1 when it is sent SIGTERM; processes that other
    tests fork from it would, too."""
    if signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
