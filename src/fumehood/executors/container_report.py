"""What a container keeps from the code in it, as the engine tells it: rows for `report()`, before
those of the jail inside.

Nothing here believes what was asked for: a caller's own options may have loosened it, and an engine
may not be able to give it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from fumehood.docker.engine import Engine, in_path, one_line
from fumehood.errors import DockerFailed
from fumehood.jail.report import Mechanism

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
