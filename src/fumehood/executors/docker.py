"""DockerExecutor: code in a container."""

from __future__ import annotations

import contextlib
import json
import os
import threading
import weakref
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, Self, Unpack, overload

from fumehood.docker import asking, inside
from fumehood.docker.containers import Container
from fumehood.docker.engine import Engine, connect, in_path, one_line
from fumehood.docker.hardening import Wanted
from fumehood.docker.images import Image
from fumehood.dropping import Farewell
from fumehood.errors import ContainerFailed, DockerFailed, DockerUnavailable, PolicyError
from fumehood.executors import installing
from fumehood.executors.installing import Bundle, Installed
from fumehood.executors.options import Options, SessionOptions, lines_to, shows_session_options
from fumehood.executors.remote import RemoteExecutor, RemoteLine, RemotePlace, Tunnel, remote_fields
from fumehood.executors.supervisor import usual
from fumehood.jail.report import Mechanism
from fumehood.packages.requirements import Packages, Request, requests_of
from fumehood.policy import Policy

_MEGABYTE = 1 << 20


class Found(NamedTuple):
    """What an engine says: of a container, of its HostConfig, and of itself."""

    container: Mapping[str, Any]
    host: Mapping[str, Any]
    options: tuple[str, ...]
    """The engine's own means of security, by name."""

    def has(self, option: str) -> bool:
        return option in (self.host.get("SecurityOpt") or ())


class Row(NamedTuple):
    name: str
    tell: Callable[[Found], tuple[bool, str]]
    """Whether it is in force, and in what form or why not."""
    stops: str


def _user(found: Found) -> tuple[bool, str]:
    user = str(found.container.get("Config", {}).get("User") or "0")
    number = user.partition(":")[0]
    return (
        number not in ("0", "root"),
        (
            f"user {number}, whom the image does not know"
            if number.isdigit() and number != "0"
            else number
        ),
    )


def _capabilities(found: Found) -> tuple[bool, str]:
    added = ", ".join(found.host.get("CapAdd") or ())
    if found.host.get("Privileged"):
        return False, "the container is privileged"
    if "ALL" not in (found.host.get("CapDrop") or ()):
        return False, "they were not dropped"
    if added:
        return False, f"all dropped but {added}"
    if not any(
        found.has(form)
        for form in ("no-new-privileges", "no-new-privileges:true", "no-new-privileges=true")
    ):
        return False, "all dropped, but programs that are set-uid may gain some"
    return True, "no capabilities, no_new_privs"


def _root(found: Found) -> tuple[bool, str]:
    mounts = [
        f"{mount.get('Destination')}{'' if mount.get('RW') else ' (read-only)'}"
        for mount in found.container.get("Mounts") or ()
    ]
    shown = (
        f"; mounted: {', '.join(sorted(mounts))}"
        if mounts
        else "; nothing of the engine's machine is mounted"
    )
    return (
        bool(found.host.get("ReadonlyRootfs")),
        ("a read-only root" if found.host.get("ReadonlyRootfs") else "a root of its own") + shown,
    )


def _network(found: Found) -> tuple[bool, str]:
    mode = str(found.host.get("NetworkMode") or "default")
    return mode == "none", "none" if mode == "none" else f"the engine's network {mode!r}"


def _seccomp(found: Found) -> tuple[bool, str]:
    if (
        found.host.get("Privileged")
        or found.has("seccomp=unconfined")
        or found.has("seccomp:unconfined")
    ):
        return False, "switched off for this container"
    if found.host.get("Runtime") == "runsc":
        return True, "gVisor's own: its kernel is a process, which calls few of the machine's"
    named = [option for option in found.options if option.startswith("name=seccomp")]
    if not named:
        return False, "this engine has none"
    given = any(str(option).startswith("seccomp") for option in found.host.get("SecurityOpt") or ())
    return True, "the caller's own profile" if given else "the engine's default profile"


def _memory(found: Found) -> tuple[bool, str]:
    most, tasks = found.host.get("Memory") or 0, found.host.get("PidsLimit") or 0
    told = [
        (
            f"{most // _MEGABYTE:,} MB of memory, labs included"
            if most > 0
            else "memory without a limit"
        )
    ]
    told.append(f"{tasks:,} processes and threads" if tasks > 0 else "processes without a limit")
    processors = found.host.get("NanoCpus") or 0
    told.append(f"{processors / 1e9:g} processors" if processors else "all processors")
    return most > 0 and tasks > 0, f"{', '.join(told)}, for all in it together"


# fmt: off
ROWS = (
    Row("container's user",      _user,         "root, and the users of the engine's machine"),
    Row("container's privileges", _capabilities, "what only root may do"),
    Row("container's root",      _root,         "reading and changing files of the engine's machine"),  # noqa: E501
    Row("container's network",   _network,      "any network"),
    Row("container's filter",    _seccomp,      "system calls that an escape begins with"),
    Row("container's limits",    _memory,       "bombs"),
)
# fmt: on


def rows(engine: Engine, container: str) -> tuple[Mechanism, ...]:
    """Of a container that runs. If the engine does not say, that is a row."""
    try:
        told = engine.ask("GET", f"/containers/{in_path(container)}/json")
        options = (engine.ask("GET", "/info") or {}).get("SecurityOptions") or ()
    except DockerFailed as error:
        return (
            Mechanism(
                "container",
                False,
                f"the engine does not tell: {error}",
                "whatever gets out of the jail",
            ),
        )
    found = Found(told, told.get("HostConfig") or {}, tuple(map(str, options)))
    name, runtime = str(told.get("Name", "")).lstrip("/"), found.host.get("Runtime") or "runc"
    own = Mechanism(
        "container",
        True,
        f"{one_line(name)} ({container[:12]}), by {one_line(runtime)}",
        "whatever gets out of the jail",
    )
    return (own, *(Mechanism(row.name, *row.tell(found), row.stops) for row in ROWS))


DAY = 24 * 60 * 60.0
_MAIN = f"""import sys
sys.path[:0] = [{inside.HOME!r}]
from fumehood.worker import memory
memory.gather()
from fumehood.worker.remote import main
main()
"""


class DockerContainer(RemotePlace["_Line"]):
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
        asking.changes(
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
        self._engine: Engine = connect(host)
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

    def _start(self, policy: Policy) -> _Line:
        first = json.dumps(remote_fields(usual(policy)))
        command = ["python3", "-s", "-P", "-c", _MAIN, str(self._lifetime or 0), first]
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
        try:
            line = _Line(container)
        except OSError as error:
            container.remove()
            raise DockerUnavailable(f"the container could not be connected: {error}") from None
        line.end = Farewell(self, _end, line.tunnel, container)
        return line

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
                args=(line.container, self._sandboxes),
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
            _allow(line.container, self._sandboxes, packages=True)

    @property
    def id(self) -> str | None:
        """By what the engine knows it; None while there is none."""
        line = self._open_line
        return None if line is None else line.container.id


class _Line(RemoteLine):
    """A running container, and the line to it."""

    def __init__(self, container: Container) -> None:
        self.container = container
        known = weakref.ref(container)  # the tunnel's thread must not keep it from being dropped

        def why_gone() -> str:
            found = known()
            return (
                f"the container is gone: {found.why_gone()}"
                if found is not None
                else "the container was closed"
            )

        def around() -> tuple[Mechanism, ...]:
            found = known()
            if found is None:
                return ()
            if told and told[0][0] is not found.wanted:  # it has been given more room
                told.clear()
            if not told:
                told.append((found.wanted, rows(found.engine, found.id)))
            return told[0][1]

        told: list[tuple[Wanted, tuple[Mechanism, ...]]] = []
        super().__init__(Tunnel(container.stream, container.output.feed, why_gone, around))


def _allow(container: Container, sandboxes: int, *, packages: bool = False) -> None:
    with contextlib.suppress(DockerFailed):  # they share what there is
        container.allow(sandboxes, packages=packages)


def _end(tunnel: Tunnel, container: Container) -> None:
    tunnel.close()
    container.remove()


@shows_session_options
class DockerExecutor(RemoteExecutor):
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
