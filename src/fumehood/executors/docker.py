"""DockerExecutor: code in a container."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Self, overload

from fumehood.errors import PolicyError
from fumehood.executors.bundles import Installed
from fumehood.executors.containers import DAY, DockerContainer
from fumehood.executors.executor import Then
from fumehood.executors.far_executor import FarExecutor
from fumehood.executors.given import UNSET, Unset, merged_policy
from fumehood.executors.trail import OutputChecks
from fumehood.observing import Observer
from fumehood.policy import Limits, Policy


class DockerExecutor(FarExecutor):
    """Runs cells in a container and keeps their variables. All else is as with LocalPythonExecutor: tools run here, on the host.

    What the image, `base`, `packages`, `dockerfile` and the rest mean is said by DockerContainer. Each executor has a container of its own
    unless it is given one by `container`; its forks and snapshots are in the same. The container is hardened: it has no network, no
    privileges, a read-only root, and limits from the policy; and in it code is held by as much of the jail as the container permits, as
    `report()` says. `container_run_kwargs` may loosen that, and then warns.

    Modules that are to be imported must be in the image, or be installed later (`install`). The Python there may be another version than
    the host's.
    """

    def __init__(
        self,
        additional_authorized_imports: Iterable[str] = (),
        image: str | None = None,
        base: str | None = None,
        packages: Iterable[str] = (),
        dockerfile: str | os.PathLike[str] | None = None,
        container_run_kwargs: Mapping[str, Any] | None = None,
        runtime: str | None = None,
        host: str | None = None,
        policy: Policy | None = None,
        *,
        container: DockerContainer | None = None,
        platform: str | None = None,
        cpus: float | None = None,
        lifetime_seconds: float | None = DAY,
        build_kwargs: Mapping[str, Any] | None = None,
        on_progress: Callable[[str], Any] | None = None,
        max_print_outputs_length: int | None = None,
        timeout_seconds: float | Unset | None = UNSET,
        limits: Limits | None = None,
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
            raise PolicyError(f"{next(iter(asked))} is for an executor's own container, and this one is given another's; leave it out")
        self.container = container
        super().__init__(
            "docker",
            container,
            shares,
            policy,
            on_output,
            on_fault=on_fault,
            on_error=on_error,
            keep=keep,
            additional_functions=additional_functions,
            audit=audit,
            validators=validators,
        )

    def install(self, *packages: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> Installed:
        """As LocalPythonExecutor's. The container is given memory for what is installed, beyond the policy's."""
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


def shared(sandboxes: int, options: Mapping[str, Any]) -> tuple[Callable[..., DockerExecutor], Callable[[], None]]:
    """One container for so many executors: what makes them, and what ends it. `options` are DockerContainer's."""
    container = DockerContainer(**{"sandboxes": sandboxes, "stacklevel": 5, **options})
    return lambda **more: DockerExecutor(container=container, **more), container.close
