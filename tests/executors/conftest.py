"""Executors of every kind, under one name: what holds for one holds for all.

A new place is one row in KINDS. A row that the machine lacks skips itself and says what was
missing.
"""

from __future__ import annotations

import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from fumehood import (
    DockerExecutor,
    E2BExecutor,
    E2BSandbox,
    JailUnavailable,
    Limits,
    LocalPythonExecutor,
    Policy,
    RayExecutor,
)

from ..containers import Containers

Make = Callable[..., Any]
MakeExecutor = Callable[..., LocalPythonExecutor]


def _local(isolation: str) -> Callable[[pytest.FixtureRequest], Make]:
    return lambda request: (
        lambda *args, **options: LocalPythonExecutor(*args, isolation=isolation, **options)
    )


def _docker(request: pytest.FixtureRequest) -> Make:
    containers: Containers = request.getfixturevalue("containers")

    def make(imports: Any = (), most_printed: int | None = None, **options: Any) -> DockerExecutor:
        if most_printed is not None:
            options["max_print_outputs_length"] = most_printed
        policy = options.get("policy") or Policy(limits=options.get("limits") or Limits())
        return DockerExecutor(imports, container=containers.fit_for(policy), **options)

    return make


def _e2b(request: pytest.FixtureRequest) -> Make:
    """In one sandbox of a server that is asked by the official client."""
    sandbox: E2BSandbox = request.getfixturevalue("served_sandbox")

    def make(imports: Any = (), most_printed: int | None = None, **options: Any) -> E2BExecutor:
        if most_printed is not None:
            options["max_print_outputs_length"] = most_printed
        return E2BExecutor(imports, sandbox=sandbox, **options)

    return make


def _ray(request: pytest.FixtureRequest) -> Make:
    """On a cluster of two nodes, which take turns."""
    cluster = request.getfixturevalue("ray_cluster")

    def make(imports: Any = (), most_printed: int | None = None, **options: Any) -> RayExecutor:
        if most_printed is not None:
            options["max_print_outputs_length"] = most_printed
        if options.get("policy") is not None and options["policy"].mounts:
            pytest.skip(
                "files of this machine cannot be mounted on a node; that they are refused is tested"
                " in test_ray.py"
            )
        return RayExecutor(imports, cluster=cluster, **options)

    return make


KINDS: dict[str, Callable[[pytest.FixtureRequest], Make]] = {
    "inline": _local("inline"),
    "jail": _local("jail"),
    "docker": _docker,
    "e2b": _e2b,
    "ray": _ray,
}


def skip_where_there_is_no_jail(missing: JailUnavailable) -> None:
    """Skips where the machine has no mechanism to make a jail of. Any other reason why there is
    none is a failure."""
    if sys.platform != "linux" or "neither namespaces" in str(missing):
        pytest.skip(str(missing))


def skip_where_nothing_can_be_branched(executor: Any) -> None:
    """On this machine a sandbox without namespaces is one process; in a container it may have
    more."""
    if (
        isinstance(executor, LocalPythonExecutor)
        and "absent    user, pid, ipc namespaces" in executor.report()
    ):
        pytest.skip("without namespaces nothing can be branched")


def maker(kind: str, request: pytest.FixtureRequest) -> Iterator[MakeExecutor]:
    made: list[
        weakref.ref[LocalPythonExecutor]
    ] = []  # some tests want to see that one which is dropped is gone
    of_kind = KINDS[kind](request)

    def make(*args: Any, **options: Any) -> LocalPythonExecutor:
        try:
            executor = of_kind(*args, **options)
        except JailUnavailable as missing:
            skip_where_there_is_no_jail(missing)
            raise
        made.append(weakref.ref(executor))
        return executor

    yield make
    for reference in made:
        if (executor := reference()) is not None:
            executor.close()


@pytest.fixture(params=KINDS)
def place(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def make_executor(place: str, request: pytest.FixtureRequest) -> Iterator[MakeExecutor]:
    """Makes executors of each kind in turn, and closes them."""
    yield from maker(place, request)


@pytest.fixture
def executor(make_executor: MakeExecutor) -> LocalPythonExecutor:
    return make_executor()


@pytest.fixture(params=["jail", "docker", "ray"])
def make_jailed(request: pytest.FixtureRequest) -> Iterator[MakeExecutor]:
    """Makes jailed executors only, and closes them."""
    yield from maker(request.param, request)


@pytest.fixture
def jailed(make_jailed: MakeExecutor) -> LocalPythonExecutor:
    return make_jailed()


@pytest.fixture(scope="module")
def sandbox() -> Iterator[LocalPythonExecutor]:
    """One for the tests about files in a module; each has a directory of its own in it. Tests of
    other modules kill what sandboxes of this process depend on."""
    try:
        executor = LocalPythonExecutor(
            policy=Policy(files=True, language="off", limits=Limits(lab_files=60_000)),
            timeout_seconds=30,
        )
    except JailUnavailable as missing:
        skip_where_there_is_no_jail(missing)
        raise
    executor("import os, time")
    yield executor
    executor.close()


@pytest.fixture
def here(sandbox: LocalPythonExecutor, request: pytest.FixtureRequest) -> str:
    name = f"of-{abs(hash(request.node.nodeid))}"
    sandbox.files.make_directory(name)
    sandbox(f"os.chdir('/home/user/{name}')")
    return name


# -- command lines

GUARDED = Policy(files=True, language="guarded")


def made(policy: Policy) -> Iterator[LocalPythonExecutor]:
    """One that has commands."""
    try:
        executor = LocalPythonExecutor([], policy=policy)
    except JailUnavailable as missing:
        skip_where_there_is_no_jail(missing)
        raise
    with executor:
        skip_where_nothing_can_be_branched(executor)
        yield executor


@pytest.fixture(scope="module")
def guarded() -> Iterator[LocalPythonExecutor]:
    yield from made(GUARDED)


@pytest.fixture(scope="module")
def plain() -> Iterator[LocalPythonExecutor]:
    yield from made(Policy(files=True, language="off"))


@pytest.fixture(params=["guarded", "plain"])
def either(request: pytest.FixtureRequest) -> LocalPythonExecutor:
    made: LocalPythonExecutor = request.getfixturevalue(request.param)
    return made


# -- whatever it does


def outcome_of(function: Callable[[], Any]) -> Any:
    """What a function gives, called in a thread, so that one that never ends is a failed test and
    not a suite that hangs."""
    results: list[Any] = []
    thread = threading.Thread(target=lambda: results.append(function()), daemon=True)
    thread.start()
    thread.join(60)
    assert results, "hangs" if thread.is_alive() else "raised"
    return results[0]
