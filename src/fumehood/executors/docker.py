"""DockerExecutor: code in a container."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Self, Unpack, overload

from fumehood.errors import PolicyError
from fumehood.executors import installing
from fumehood.executors.bundles import Bundle, Installed
from fumehood.executors.containers import DAY, DockerContainer
from fumehood.executors.far_executor import FarExecutor
from fumehood.executors.given import lines_to
from fumehood.executors.jailed import JailedWorker
from fumehood.executors.session_options import SessionOptions, settled, shows_session_options
from fumehood.packages.requirements import Packages


@shows_session_options
class DockerExecutor(FarExecutor):
    """Runs cells in a container and keeps their variables. All else is as with LocalPythonExecutor:
    tools run here, on the host.

    What the image, `base`, `packages`, `dockerfile` and the rest mean is said by DockerContainer.
    Each executor has a container of its own unless it is given one by `container`; its forks and
    snapshots are in the same. The container is hardened: it has no network, no privileges, a
    read-only root, and limits from the policy; and in it code is held by as much of the jail as the
    container permits, as `report()` says. `container_run_kwargs` may loosen that, and then warns.

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
        policy, options = settled(
            DockerExecutor, additional_authorized_imports, max_print_outputs_length, session
        )
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
        runner = self._worker._runner if isinstance(self._worker, JailedWorker) else None
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
