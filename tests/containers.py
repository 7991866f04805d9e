"""Containers for tests of whatever runs code: an engine, an image with what code imports, and
containers that tests share.

Where there is no engine, what needs one is skipped and says why.
"""

from __future__ import annotations

import gc
import importlib.util
import json
import os
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from fumehood import Policy
from fumehood.docker import containers as owners
from fumehood.docker.containers import Container
from fumehood.docker.engine import Engine
from fumehood.errors import DockerFailed, DockerUnavailable, PolicyError
from fumehood.executors import remote
from fumehood.executors.docker import DockerContainer

from .docker import bases

PACKAGES = ("numpy", "pandas", "matplotlib", "pillow", "cloudpickle")
"""What code of these tests imports: put into the image as it is installed here."""


def _of_a_container(policy: Policy) -> Any:
    limits = policy.limits
    return (
        limits.processes,
        limits.branches,
        limits.memory_bytes,
        limits.lab_bytes,
        limits.lab_files,
        policy.mounts,
        policy.programs,
    )


class Containers:
    """Those that tests share: to start one for each test would take longer than the tests do. What
    a container as a whole is limited to, and what is mounted in it, comes from the first policy
    that is used there, so there is one for each."""

    _MOST = 6

    def __init__(self, base: str) -> None:
        self._base = base
        self._made: dict[Any, DockerContainer] = {}

    def fit_for(self, policy: Policy) -> DockerContainer:
        key = _of_a_container(policy)
        made = self._made.pop(key, None)
        if made is None:
            while len(self._made) >= self._MOST:
                self._made.pop(next(iter(self._made))).close()
            made = DockerContainer(
                base=self._base, sandboxes=8 if key == _of_a_container(Policy()) else 2
            )
        self._made[key] = made  # the last that would go
        return made

    def close(self) -> None:
        for container in self._made.values():
            container.close()


@pytest.fixture(scope="session")
def engine() -> Iterator[Engine]:
    """A Docker engine that answers. Where there is none, what needs it is skipped and says why.
    When all is over it is asked whether any container is left of those that these tests have
    started."""
    try:
        found = Engine()
        found.ask("GET", "/version")
    except (DockerUnavailable, PolicyError) as missing:
        pytest.skip(f"no Docker engine: {missing}")
    if importlib.util.find_spec("docker") is None:
        pytest.skip("the package docker is not installed")
    yield found
    # Tests say for themselves what becomes of what is dropped. What some of them still hold, in a
    # traceback for instance, is closed here.
    for place in list(remote._places):
        place.close()
    gc.collect()
    for held in gc.get_objects():
        if type(held) is Container:
            held.remove()
    until = time.monotonic() + 120  # a busy engine takes its time
    while left := of_process(found, os.getpid()):
        assert time.monotonic() < until, f"containers are left behind: {left}"
        time.sleep(0.05)


def of_process(engine: Engine, pid: int) -> list[str]:
    """Names of the containers that a process has started."""
    filters = json.dumps({"label": [f"{owners.PID}={pid}", f"{owners.MACHINE}={owners.machine()}"]})
    return [
        found["Names"][0]
        for found in engine.ask("GET", "/containers/json", {"all": 1, "filters": filters})
    ]


@pytest.fixture
def is_there(engine: Engine) -> Callable[[str | None], bool]:
    """Whether the engine knows a container."""
    return lambda container: knows(engine, container)


def knows(engine: Engine, container: str | None) -> bool:
    """Whether an engine knows a container."""
    assert container is not None
    try:
        engine.ask("GET", f"/containers/{container}/json")
    except DockerFailed as error:
        if error.status != 404:
            raise
        return False
    return True


@pytest.fixture(scope="session")
def base(engine: Engine) -> str:
    """An image with the Python that runs the tests, and what is imported in them. The image that
    containers of it start from is built here: no test has to wait for that."""
    name = str(bases.base_of(engine, packages=PACKAGES))
    DockerContainer(base=name).image.ensure(Engine())
    return name


@pytest.fixture(scope="session")
def containers(base: str) -> Iterator[Containers]:
    made = Containers(base)
    yield made
    made.close()
