"""What a container is given and what not: a table, in the terms of the engine's API, with a reason
per row.

It is the outer of two walls: in the container the worker still enters as much of its jail as the
container permits.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from fumehood.docker.inside import LABS, PACKAGES
from fumehood.errors import PolicyError
from fumehood.policy import Policy

LAB_COPIES = 4
PACKAGES_BYTES = 1 << 30
PACKAGES_FILES = 100_000
FREE_USERS = range(60578, 61184)
"""As in jail/filesystem.py and jail/enter.py, which the host does not import; a test compares."""

_ROOM_BYTES = 256 << 20
"""For the interpreter with its modules, and for the line to the host."""
_ROOM_TASKS = 16
_OWN_TASKS = 2
_KEPT_RESERVE = 2
"""Before a cell is run its sandbox is copied, and a cell that writes to all its memory has it
twice."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the table depends on."""

    policy: Policy
    sandboxes: int = 1
    """How many of them there is to be room for, forks included."""
    cpus: float | None = None
    """How many processors; None for no limit, as the jail on this machine has none."""
    runtime: str | None = None
    volumes: tuple[str, ...] = ()
    """What the image declares as volumes."""
    packages: bool = False
    """Whether something is installed while it runs, which is memory too."""
    user: int = field(default_factory=lambda: secrets.choice(FREE_USERS))

    def __post_init__(self) -> None:
        if type(self.sandboxes) is not int or not 1 <= self.sandboxes <= 10_000:
            raise PolicyError(
                "a container is for a whole number of sandboxes, at least 1, not"
                f" {self.sandboxes!r}"
            )
        if self.cpus is not None and (
            isinstance(self.cpus, bool)
            or not isinstance(self.cpus, (int, float))
            or not 0.01 <= self.cpus < 10_000
        ):
            raise PolicyError(
                "cpus must be a number of processors, such as 1.5, or None for no limit, not"
                f" {self.cpus!r}"
            )
        if self.runtime is not None and (not isinstance(self.runtime, str) or not self.runtime):
            raise PolicyError(
                "runtime must be the name of one that the engine has, such as 'runsc', not"
                f" {self.runtime!r}"
            )

    @property
    def labs_bytes(self) -> int:
        return self.sandboxes * LAB_COPIES * self.policy.limits.lab_bytes

    @property
    def memory_bytes(self) -> int:
        """What is in labs is memory too."""
        packages = PACKAGES_BYTES if self.packages else 0
        return (
            self.sandboxes * _KEPT_RESERVE * self.policy.limits.memory_bytes
            + self.labs_bytes
            + packages
            + _ROOM_BYTES
        )

    @property
    def tasks(self) -> int:
        """Each snapshot and fork may have a process that waits in its stead."""
        limits = self.policy.limits
        return self.sandboxes * (limits.processes + 2 * limits.branches + _OWN_TASKS) + _ROOM_TASKS


class Row(NamedTuple):
    """One setting: where it goes in the engine's terms, its value, and why."""

    name: str
    value: Callable[[Wanted], Any]
    reason: str


_HOST = "HostConfig."
_NO_CORE = {"Name": "core", "Soft": 0, "Hard": 0}


# fmt: off
TABLE = (
    Row("User",            lambda w: f"{w.user}:{w.user}",      "not root, nor anybody else: the kernel counts processes by user"),
    Row("WorkingDir",      lambda w: "/",                       "a directory that every image has"),
    Row("Hostname",        lambda w: "lab",                     "tells nothing about the engine"),
    Row("Healthcheck",     lambda w: {"Test": ["NONE"]},        "an image's own program would be run in there now and then"),
    Row("NetworkDisabled", lambda w: w.runtime is None,         "not even set up, which would take longest; other runtimes want one"),
    Row("AttachStdin",     lambda w: True,                      "the line to the worker"),
    Row("AttachStdout",    lambda w: True,                      "the line from the worker"),
    Row("AttachStderr",    lambda w: True,                      "the last words of a worker that fails"),
    Row("OpenStdin",       lambda w: True,                      "the line to the worker"),
    Row("StdinOnce",       lambda w: True,                      "when the host is gone, however it went, the line ends"),
    Row("Tty",             lambda w: False,                     "a terminal would change bytes"),

    Row(_HOST + "AutoRemove",     lambda w: True,               "nothing is left of a container that ended"),
    Row(_HOST + "NetworkMode",    lambda w: "none",             "no network"),
    Row(_HOST + "CapDrop",        lambda w: ["ALL"],            "none of root's privileges, not even for a program that is set-uid"),
    Row(_HOST + "SecurityOpt",    lambda w: ["no-new-privileges:true"], "nor can any be gained; the engine's filters stay as they are"),
    Row(_HOST + "Privileged",     lambda w: False,              "no devices, and the filters stay on"),
    Row(_HOST + "ReadonlyRootfs", lambda w: True,               "nothing in the image can be changed, and the engine's disk not be filled"),
    Row(_HOST + "Tmpfs",          lambda w: _tmpfs(w),          "files of sandboxes, executable only with programs=True, and packages, in memory"),
    Row(_HOST + "Mounts",         lambda w: _mounts(w),         "nothing of the engine's machine but what the policy mounts"),
    Row(_HOST + "IpcMode",        lambda w: "none",             "no shared memory, which no limit of a process counts"),
    Row(_HOST + "PidMode",        lambda w: "",                 "sees its own processes only"),
    Row(_HOST + "Init",           lambda w: True,               "somebody collects dead processes, and signals reach the worker"),
    Row(_HOST + "Memory",         lambda w: w.memory_bytes,     "all of it together, beyond what each process is held to"),
    Row(_HOST + "MemorySwap",     lambda w: w.memory_bytes,     "and none of it on the engine's disk"),
    Row(_HOST + "PidsLimit",      lambda w: w.tasks,            "all processes and threads together"),
    Row(_HOST + "NanoCpus",       lambda w: 0 if w.cpus is None else int(w.cpus * 1e9), "as many processors as asked for; 0 is all"),
    Row(_HOST + "Ulimits",        lambda w: [_NO_CORE],      "a core file is a copy of the memory on the engine's disk"),
    Row(_HOST + "LogConfig",      lambda w: {"Type": "none"},   "what passes between host and sandbox is in no log, and fills no disk"),
    Row(_HOST + "OomScoreAdj",    lambda w: 500,                "where the machine itself runs out of memory, the container goes first"),
)
# fmt: on


def _tmpfs(wanted: Wanted) -> dict[str, str]:
    limits = wanted.policy.limits
    inodes = wanted.sandboxes * LAB_COPIES * limits.lab_files
    executing = "exec" if wanted.policy.programs is True else "noexec"
    options = f"rw,{executing},nosuid,nodev,size={wanted.labs_bytes},nr_inodes={inodes},mode=700,uid={wanted.user},gid={wanted.user}"
    # Libraries are mapped as code. It is the jail that keeps sandboxes from writing there.
    packages = f"rw,exec,nosuid,nodev,size={PACKAGES_BYTES},nr_inodes={PACKAGES_FILES},mode=755,uid={wanted.user},gid={wanted.user}"
    # A volume would be disk without a limit, and is one more thing to clean up.
    return {
        LABS: options,
        PACKAGES: packages,
        **dict.fromkeys(wanted.volumes, "ro,noexec,nosuid,nodev,size=4096"),
    }


def _mounts(wanted: Wanted) -> list[dict[str, Any]]:
    return [
        {
            "Type": "bind",
            "Source": mount.source,
            "Target": mount.target,
            "ReadOnly": not mount.writable,
        }
        for mount in wanted.policy.mounts
    ]


def configuration(wanted: Wanted) -> dict[str, Any]:
    """The table's values, as the engine wants them."""
    made: dict[str, Any] = {"HostConfig": {}}
    for row in TABLE:
        inner = row.name.removeprefix(_HOST)
        (made if inner == row.name else made["HostConfig"])[inner] = row.value(wanted)
    if wanted.runtime is not None:
        made["HostConfig"]["Runtime"] = wanted.runtime
    return made


def merged(made: dict[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """With what a caller wants different: what is a collection of its own kind is added to, the
    rest replaced."""
    result = {
        **made,
        **{
            name: value
            for name, value in changes.items()
            if name not in ("HostConfig", "Labels", "Env")
        },
    }
    result["Labels"] = {**changes.get("Labels", {}), **made.get("Labels", {})}
    result["Env"] = [*made.get("Env", ()), *changes.get("Env", ())]
    ours, theirs = made["HostConfig"], changes.get("HostConfig", {})
    host = result["HostConfig"] = {**ours, **theirs}
    for name in ("Mounts", "SecurityOpt"):
        host[name] = [*ours[name], *theirs.get(name, ())]
    host["Tmpfs"] = {**theirs.get("Tmpfs", {}), **ours["Tmpfs"]}
    named = {limit["Name"]: limit for limit in [*ours["Ulimits"], *theirs.get("Ulimits", ())]}
    host["Ulimits"] = [*named.values()]
    if "Memory" in theirs and "MemorySwap" not in theirs:
        host["MemorySwap"] = theirs["Memory"]
    if theirs.get("NetworkMode", "none") != "none":
        result["NetworkDisabled"] = False
    return result
