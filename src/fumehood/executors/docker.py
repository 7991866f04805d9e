"""DockerExecutor: code in a container."""

from __future__ import annotations

import contextlib
import json
import os
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Self, Unpack, overload

from fumehood.docker.containers import Container
from fumehood.docker.engine import Engine
from fumehood.docker.hardening import Wanted, changes, in_force
from fumehood.docker.images import HOME, Image
from fumehood.errors import ContainerFailed, DockerFailed, PolicyError
from fumehood.executors import installing
from fumehood.executors.installing import Bundle, Installed
from fumehood.executors.options import Options, SessionOptions, lines_to, shows_session_options
from fumehood.executors.remote import RemoteExecutor, RemotePlace, Started
from fumehood.jail.report import Mechanism
from fumehood.packages.requirements import Packages, Request, requests_of
from fumehood.policy import Policy

DAY = 24 * 60 * 60.0
_MAIN = f"""import sys
sys.path[:0] = [{HOME!r}]
from fumehood.worker import memory
memory.gather()
from fumehood.worker.remote import main
main()
"""


class DockerContainer(RemotePlace[Container]):
    """A container that DockerExecutors share: `DockerExecutor(container=…)`. It is started for the
    first of them, with limits for as many sandboxes of that one's policy as `sandboxes` says.
    Closing it ends them all.

    `image` names one with Python, or one that `fumehood docker build` made; else one is built on
    `base`, or on what `dockerfile` (a path or a text) makes, with `packages` installed, and kept
    for the next time. `on_progress` is given what the build says, line by line.
    `container_run_kwargs` are options in the terms of the `docker` package's containers.run. `host`
    is where the engine is; without it DOCKER_HOST, the current docker context, or the usual socket.
    A container ends by itself after `lifetime_seconds` (None: never), and in any case with this
    process.
    """

    gone = ContainerFailed
    called = "container"
    advice = "In a container that means its image: name what to install with packages=[…]"

    def __init__(
        self,
        *,
        image: str | None = None,
        base: str | None = None,
        packages: Packages | Iterable[str | os.PathLike[str]] = (),
        dockerfile: str | os.PathLike[str] | None = None,
        container_run_kwargs: Mapping[str, Any] | None = None,
        runtime: str | None = None,
        platform: str | None = None,
        host: str | None = None,
        cpus: float | None = None,
        sandboxes: int = 1,
        lifetime_seconds: float | None = DAY,
        build_kwargs: Mapping[str, Any] | None = None,
        on_progress: Callable[[str], Any] | None = None,
        stacklevel: int = 2,
    ) -> None:
        changes(
            container_run_kwargs, stacklevel=stacklevel
        )  # now, where the caller sees whose they are
        if lifetime_seconds is not None and not (
            type(lifetime_seconds) in (int, float) and lifetime_seconds > 0
        ):
            raise PolicyError(
                f"lifetime_seconds must be a positive number or None, not {lifetime_seconds!r}"
            )
        self.image = Image.for_(
            image=image,
            base=base,
            packages=packages.names if isinstance(packages, Packages) else packages,
            dockerfile=dockerfile,
            platform=platform,
            build_kwargs=build_kwargs,
        )
        self._engine: Engine = Engine(host)
        self._run_kwargs, self._runtime, self._platform, self._cpus = (
            container_run_kwargs,
            runtime,
            platform,
            cpus,
        )
        self._sandboxes, self._lifetime, self._on_progress = (
            sandboxes,
            lifetime_seconds,
            on_progress,
        )
        self._has_packages = False
        super().__init__()

    def _start(self, policy: Policy, first: dict[str, Any]) -> Started[Container]:
        options = {"policy": first, "lifetime": self._lifetime, "is_contained": True}
        command = ["python3", "-s", "-P", "-c", _MAIN, json.dumps(options)]
        container = Container.start(
            self._engine,
            self.image.ensure(self._engine, self._on_progress),
            command,
            policy=policy,
            sandboxes=self._sandboxes,
            cpus=self._cpus,
            runtime=self._runtime,
            platform=self._platform,
            environment={
                "LANG": "C.UTF-8",
                "PYTHONHASHSEED": "0",
            },  # what an interpreter must know before it starts
            run_kwargs=self._run_kwargs,
            stacklevel=None,
        )
        if self._has_packages:
            _allow(container, self._sandboxes, packages=True)
        return Started(
            container,
            container.stream,
            container.remove,
            lambda: f"the container is gone: {container.why_gone()}",
            _surroundings(container),
            "the container",
            container.output.feed,
        )

    @property
    def packages(self) -> frozenset[Request]:
        """What the image was built with, by name. What pip was told of in other ways, by a bare
        address for one, has none here."""
        found: set[Request] = set()
        for package in self.image.packages:
            with contextlib.suppress(PolicyError):
                found |= requests_of([package], addresses=True, builds=True)
        return frozenset(found)

    def make_room(self, sandboxes: int) -> None:
        """Have memory for so many more sandboxes than now, soon: nobody waits for the engine, which
        takes longer than a fork."""
        with self._lock:
            self._sandboxes += sandboxes
            line = self._line
        if line is not None and line.tunnel.is_open:
            threading.Thread(
                target=_allow,
                args=(line.own, self._sandboxes),
                name="fumehood-docker",
                daemon=True,
            ).start()

    def make_room_for_packages(self) -> None:
        """Have memory for what is installed while it runs, from now on and in every container that
        takes its place."""
        with self._lock:
            already, self._has_packages = self._has_packages, True
            line = self._line
        if not already and line is not None and line.tunnel.is_open:
            _allow(line.own, self._sandboxes, packages=True)


def _surroundings(container: Container) -> Callable[[], tuple[Mechanism, ...]]:
    """What tells how a container isolates. The engine is asked once, and again when it was given
    more room."""
    told: tuple[Wanted | None, tuple[Mechanism, ...]] = None, ()

    def around() -> tuple[Mechanism, ...]:
        nonlocal told
        wanted = container.wanted
        if told[0] is not wanted:
            rows = in_force(container.engine, container.id)
            told = wanted, tuple(Mechanism(*row) for row in rows)
        return told[1]

    return around


def _allow(container: Container, sandboxes: int, *, packages: bool = False) -> None:
    with contextlib.suppress(DockerFailed):  # they share what there is
        container.allow(sandboxes, packages=packages)


@shows_session_options
class DockerExecutor(RemoteExecutor):
    """Runs cells in a container and keeps their variables. All else is as with LocalPythonExecutor:
    tools run here, on the host.

    What the image, `base`, `packages`, `dockerfile` and the rest mean is said by DockerContainer.
    Each executor has a container of its own unless it is given one by `container`; its forks and
    snapshots are in the same. The container is hardened: it has no network, no privileges, a
    read-only root, and limits from the policy; and in it code is in the same jail as on this
    machine, as `report()` says. `container_run_kwargs` may loosen that, and then warns.

    Code may import the modules of `packages` without more ado, as with LocalPythonExecutor; other
    modules that it may import must be in the image, or be installed later (`install`). The Python
    there may be another version than the host's.

    `logger` is told how an image is built, if `on_progress` is not: one of `logging`, or an agent's
    own.
    """

    def __init__(
        self,
        additional_authorized_imports: Iterable[str] = (),
        logger: Any = None,
        *,
        image: str | None = None,
        base: str | None = None,
        packages: Packages | Iterable[str | os.PathLike[str]] = (),
        dockerfile: str | os.PathLike[str] | None = None,
        container_run_kwargs: Mapping[str, Any] | None = None,
        runtime: str | None = None,
        host: str | None = None,
        container: DockerContainer | None = None,
        platform: str | None = None,
        cpus: float | None = None,
        lifetime_seconds: float | None = DAY,
        build_kwargs: Mapping[str, Any] | None = None,
        on_progress: Callable[[str], Any] | None = None,
        max_print_outputs_length: int | None = None,
        **session: Unpack[SessionOptions],
    ) -> None:
        options = Options.given_to(DockerExecutor, session)
        policy = options.merged_policy(additional_authorized_imports, max_print_outputs_length)
        policy.warn_of_dangers(stacklevel=2)
        if on_progress is None and logger is not None:
            on_progress = lines_to(logger)
        own: dict[str, Any] = {
            "image": image,
            "base": base,
            "packages": packages or None,
            "dockerfile": dockerfile,
            "container_run_kwargs": container_run_kwargs,
            "runtime": runtime,
            "host": host,
            "platform": platform,
            "cpus": cpus,
            "build_kwargs": build_kwargs,
            "on_progress": on_progress,
        }
        asked = {name: value for name, value in own.items() if value is not None}
        shares = container is not None
        if container is None:
            container = DockerContainer(**asked, lifetime_seconds=lifetime_seconds, stacklevel=3)
        elif asked:
            raise PolicyError(
                f"{next(iter(asked))} is for an executor's own container, and this one is given"
                " another's; leave it out"
            )
        self.container = container
        super().__init__("docker", container, shares, policy, options)
        self._begin_with(self._in_the_image())

    def _in_the_image(self) -> Bundle | None:
        """The packages that the image was built with, whoever has asked for that."""
        wanted = self.container.packages
        runner = self._jailed("packages").runner
        return (
            installing.bundle_there(runner.sandbox.zygote, wanted)
            if wanted and runner is not None
            else None
        )

    def install(
        self, *packages: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]
    ) -> Installed:
        """As LocalPythonExecutor's. The container is given memory for what is installed, beyond the
        policy's."""
        self.container.make_room_for_packages()
        return super().install(*packages)

    @overload
    def fork(self) -> Self: ...

    @overload
    def fork(self, n: int) -> list[Self]: ...

    def fork(self, n: int | None = None) -> Self | list[Self]:
        made = super().fork() if n is None else super().fork(n)
        number = 1 if n is None else n
        if number:
            self.container.make_room(number)
        return made

    def beside(self) -> Self:
        made = super().beside()
        self.container.make_room(1)
        return made


def shared(
    sandboxes: int, options: Mapping[str, Any]
) -> tuple[Callable[..., DockerExecutor], Callable[[], None]]:
    """One container for so many executors: what makes them, and what ends it. `options` are
    DockerContainer's."""
    container = DockerContainer(**{"sandboxes": sandboxes, "stacklevel": 5, **options})
    return lambda **more: DockerExecutor(container=container, **more), container.close
