"""What a container may do: a table in the terms of the engine's API, what a caller may change of it
(`container_run_kwargs`), and a report of what is in force.

It is the outer of two boundaries. In the container code runs in the same jail as on this machine.
So the container must let its supervisor, an ordinary user without capabilities, make namespaces and
mount file systems in them. That takes more than an engine grants: its own system-call filter and
AppArmor profile refuse it, and the kernel mounts a new /proc only where no part of the old one is
hidden. Code gets none of this: the jail's filter refuses all of it, and its /proc has nothing but
its own processes.
"""

from __future__ import annotations

import difflib
import functools
import json
import re
import secrets
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from errno import ENOSYS
from typing import Any, NamedTuple

from fumehood.docker.engine import Engine, in_path, one_line, sdk
from fumehood.docker.images import HOME, LABS, LINKS
from fumehood.errors import DangerousContainer, DockerFailed, PolicyError
from fumehood.jail import syscalls
from fumehood.policy import Policy

LAB_COPIES = 4
PACKAGES_BYTES = 1 << 30
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


# fmt: off
CALLS_OF_THE_JAIL = (
    ("unshare setns",                           "namespaces"),
    ("mount umount2 pivot_root mount_setattr chroot", "the root that code sees, and that of a file server"),
    ("sethostname",                             "the name of a sandbox's machine"),
    ("setgroups capset",                        "giving up groups and capabilities"),
    ("landlock_create_ruleset landlock_add_rule landlock_restrict_self", "the rules for files"),
    ("seccomp",                                 "the filter of code"),
    ("inotify_init1 inotify_add_watch",         "watching the files of a sandbox for the host"),
)
# fmt: on


@functools.cache
def system_call_filter() -> str:
    """The container's seccomp profile, as a security option: it allows the system calls that the
    jail lets code make, and those by which the jail is made."""
    allowed = {row.name for row in syscalls.ROWS + syscalls.PROGRAM_ROWS if row.verdict == "allow"}
    allowed.update(name for names, _reason in CALLS_OF_THE_JAIL for name in names.split())
    profile = {
        "defaultAction": "SCMP_ACT_ERRNO",
        "defaultErrnoRet": ENOSYS,
        "syscalls": [
            {"names": sorted(allowed), "action": "SCMP_ACT_ALLOW"},
            # Old engines know no default, and libc calls clone only if there is no clone3.
            {"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": ENOSYS},
        ],
    }
    return f"seccomp={json.dumps(profile)}"


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
    Row(_HOST + "SecurityOpt",    lambda w: ["no-new-privileges:true", system_call_filter(), "apparmor=unconfined"], "nor can any be gained; a filter that lets the supervisor make the jail, where AppArmor would refuse mounts"),
    Row(_HOST + "MaskedPaths",    lambda w: ["/sys/firmware", "/sys/devices/virtual/powercap"], "nothing of /proc is hidden, or no sandbox could have its own; what is there for root only stays so"),
    Row(_HOST + "ReadonlyPaths",  lambda w: [],                 "the same; only root could write there"),
    Row(_HOST + "Privileged",     lambda w: False,              "no devices, and the filters stay on"),
    Row(_HOST + "ReadonlyRootfs", lambda w: True,               "nothing in the image can be changed, and the engine's disk not be filled"),
    Row(_HOST + "Tmpfs",          lambda w: _tmpfs(w),          "files of sandboxes in memory, where the kernel refuses namespaces"),
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
    options = f"rw,noexec,nosuid,nodev,size={wanted.labs_bytes},nr_inodes={inodes},mode=700,uid={wanted.user},gid={wanted.user}"
    # A volume would be disk without a limit, and is one more thing to clean up.
    return {
        LABS: options,
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
    host["Mounts"] = [*ours["Mounts"], *theirs.get("Mounts", ())]
    options = theirs.get("SecurityOpt", ())
    given = {_kind_of(option) for option in options}
    kept = [option for option in ours["SecurityOpt"] if _kind_of(option) not in given]
    host["SecurityOpt"] = [*kept, *options]
    host["Tmpfs"] = {**theirs.get("Tmpfs", {}), **ours["Tmpfs"]}
    named = {limit["Name"]: limit for limit in [*ours["Ulimits"], *theirs.get("Ulimits", ())]}
    host["Ulimits"] = [*named.values()]
    if "Memory" in theirs and "MemorySwap" not in theirs:
        host["MemorySwap"] = theirs["Memory"]
    if theirs.get("NetworkMode", "none") != "none":
        result["NetworkDisabled"] = False
    return result


def _kind_of(security_option: str) -> str:
    return re.split("[=:]", security_option, maxsplit=1)[0]


# -- what a caller may change

# What would break the line to the worker, or what is said elsewhere.
# fmt: off
REFUSED = {
    "image":          "image= is an argument of its own",
    "command":        "the worker is what runs in there",
    "entrypoint":     "the worker is what runs in there",
    "stdin_open":     "the line to the worker is the container's standard input",
    "tty":            "a terminal would change the bytes of the line to the worker",
    "detach":         "the line to the worker must stay attached",
    "attach_stdin":   "the line to the worker must stay attached",
    "attach_stdout":  "the line to the worker must stay attached",
    "attach_stderr":  "the line to the worker must stay attached",
    "stdout":         "the line to the worker is the container's standard output",
    "stderr":         "it is read for error messages",
    "stream":         "the line to the worker must stay attached",
    "auto_remove":    "containers are always removed",
    "remove":         "containers are always removed",
    "restart_policy": "a container that ended has lost its variables; another is started by the host",
    "healthcheck":    "nothing but the worker is to be run in there",
    "stop_signal":    "containers are killed",
    "runtime":        "runtime= is an argument of its own",
    "platform":       "platform= is an argument of its own",
    "working_dir":    "code works in /home/user",
    "version":        "the engine says which it speaks",
    "use_config_proxy": "there is no network to have a proxy for",
    "networking_config": "network= names the network",
}
# fmt: on


class Loosening(NamedTuple):
    """An option that gives a container more than it has, when it does, and what that means."""

    name: str
    when: Callable[[Any], bool]
    reason: str


def _is_shared(value: Any) -> bool:
    return isinstance(value, str) and value.startswith(("host", "container:"))


_WEAKER = ("unconfined", "disable", "seccomp", "false")


def _is_weaker(options: Any) -> bool:
    return any(word in str(text).lower() for text in options or () for word in _WEAKER)


def _keeps_privileges(dropped: Any) -> bool:
    return "ALL" not in {str(each).upper() for each in dropped or ()}


def _is_logged(log: Any) -> bool:
    return dict(log or {"Type": "none"}).get("Type") != "none"


def _is_some(name: Any) -> bool:
    return name not in ("none", None)


def _is_root(user: Any) -> bool:
    return str(user).partition(":")[0] in ("0", "root")


# fmt: off
LOOSENING = (
    Loosening("privileged",           bool, "whoever gets out of the jail in there is root on the engine's machine"),
    Loosening("cap_add",              bool, "processes in there have privileges that no code needs"),
    Loosening("cap_drop",             _keeps_privileges, "processes in there keep privileges that no code needs"),
    Loosening("security_opt",         _is_weaker, "the engine's filters are weaker than by default"),
    Loosening("network_mode",         _is_some, "code that gets past its jail reaches a network"),
    Loosening("network",              _is_some, "code that gets past its jail reaches a network"),
    Loosening("ports",                bool, "what listens in there can be reached"),
    Loosening("publish_all_ports",    bool, "what listens in there can be reached"),
    Loosening("pid_mode",             _is_shared, "the container sees processes that are not its own"),
    Loosening("ipc_mode",             _is_some, "there is shared memory, which no limit of a process counts"),
    Loosening("uts_mode",             _is_shared, "the container has the machine's name"),
    Loosening("userns_mode",          _is_shared, "users in there are the machine's users"),
    Loosening("cgroupns",             _is_shared, "the container sees the machine's groups of processes"),
    Loosening("cgroup_parent",        bool, "limits are another group's"),
    Loosening("devices",              bool, "a driver of the machine is within reach"),
    Loosening("device_requests",      bool, "a driver of the machine is within reach"),
    Loosening("device_cgroup_rules",  bool, "a driver of the machine is within reach"),
    Loosening("volumes",              bool, "files of the engine's machine are within reach; mounts of the policy are what code may see"),
    Loosening("mounts",               bool, "files of the engine's machine are within reach; mounts of the policy are what code may see"),
    Loosening("volumes_from",         bool, "files of another container are within reach"),
    Loosening("read_only",            lambda v: v is False, "the engine's disk can be filled"),
    Loosening("user",                 _is_root, "whoever gets out of the jail in there is the container's root"),
    Loosening("group_add",            bool, "files of that group are within reach"),
    Loosening("mem_limit",            lambda v: not v or v in (-1, "0", "-1"), "nothing limits the memory of all sandboxes together"),
    Loosening("pids_limit",           lambda v: isinstance(v, int) and v <= 0, "nothing limits the processes of all sandboxes together"),
    Loosening("oom_kill_disable",     bool, "a container that runs out of memory hangs, for ever"),
    Loosening("sysctls",              bool, "settings of the kernel are changed"),
    Loosening("log_config",           _is_logged, "all that passes between host and sandbox is in a log"),
)
# fmt: on


def changes(options: Mapping[str, Any] | None, *, stacklevel: int | None = 2) -> dict[str, Any]:
    """What a caller wants different, in the engine's terms. PolicyError for what cannot be;
    DangerousContainer warns of what is loose, but not with `stacklevel` None: then whoever asked
    has been warned."""
    if not options:
        return {}
    if not isinstance(options, Mapping) or not all(isinstance(name, str) for name in options):
        raise PolicyError(f"container_run_kwargs must be a dictionary of options, not {options!r}")
    for name in options:
        if name in REFUSED:
            raise PolicyError(f"container_run_kwargs cannot hold {name!r}: {REFUSED[name]}")
    _check_places(options)
    made = _in_the_engine_s_terms(dict(options))
    for row in LOOSENING if stacklevel is not None else ():
        if row.name in options and row.when(options[row.name]):
            told = f"container_run_kwargs gives {row.name}={options[row.name]!r}: {row.reason}"
            warnings.warn(told, DangerousContainer, stacklevel=(stacklevel or 0) + 1)
    return made


def user_of(options: Mapping[str, Any] | None) -> int | None:
    """The user that a caller wants, whose the labs must be."""
    user = (options or {}).get("user")
    if user is None:
        return None
    number = str(user).partition(":")[0]
    if number == "root":
        return 0
    if not number.isdecimal():
        raise PolicyError(
            f"container_run_kwargs: user must be a number, or two with a colon, not {user!r}: names"
            " are the image's affair"
        )
    return int(number)


def _check_places(options: Mapping[str, Any]) -> None:
    """Nothing is put over what is ours."""
    tmpfs = options.get("tmpfs") or {}
    volumes = options.get("volumes") or {}
    targets = [*(tmpfs if isinstance(tmpfs, (Mapping, list, tuple)) else ())]
    if isinstance(volumes, Mapping):
        targets += [each.get("bind") for each in volumes.values() if isinstance(each, Mapping)]
    elif isinstance(volumes, (list, tuple)):
        targets += [part for each in volumes for part in str(each).split(":")[1:2]]
    mounts = options.get("mounts")
    targets += [
        each.get("Target")
        for each in (mounts if isinstance(mounts, (list, tuple)) else ())
        if isinstance(each, Mapping)
    ]
    for target in targets:
        place = str(target).partition(":")[0].rstrip("/") or "/"
        if place == "/" or any(
            place == own or place.startswith(own + "/") for own in (*LINKS, LABS, HOME)
        ):
            raise PolicyError(
                f"container_run_kwargs puts something on {place}, which belongs to the sandbox"
            )


def _in_the_engine_s_terms(options: dict[str, Any]) -> dict[str, Any]:
    sdk()
    from docker.models.containers import RUN_CREATE_KWARGS, RUN_HOST_CONFIG_KWARGS
    from docker.types.containers import ContainerConfig, HostConfig

    known = {
        *RUN_CREATE_KWARGS,
        *RUN_HOST_CONFIG_KWARGS,
        "ports",
        "volumes",
        "network",
    } - REFUSED.keys()
    for name in options:
        if name not in known:
            close = difflib.get_close_matches(name, known, n=1, cutoff=0.7)
            meant = f"; did you mean {close[0]!r}?" if close else ""
            raise PolicyError(f"container_run_kwargs: there is no option {name!r}{meant}")
    for theirs, name in (
        ("binds", "volumes"),
        ("port_bindings", "ports"),
        ("network_mode", "network"),
    ):
        if options.get(name):
            options[theirs] = options[name]
        options.pop(name, None)
    of_host = {
        name: value
        for name, value in options.items()
        if name in RUN_HOST_CONFIG_KWARGS or name in ("binds", "port_bindings")
    }
    of_container = {
        name: value
        for name, value in options.items()
        if name not in of_host and name not in ("mac_address", "domainname", "name")
    }
    try:
        plain, wanted = (ContainerConfig(_API, "", None, **each) for each in ({}, of_container))
        plain_host, wanted_host = (HostConfig(_API, **each) for each in ({}, of_host))
    except Exception as error:  # the package checks values in ways of its own
        raise PolicyError(f"container_run_kwargs: {one_line(error)}") from None
    for name, key in _BESIDE.items():
        if options.get(name):
            wanted[key] = options[name]
    made = {name: value for name, value in wanted.items() if plain.get(name) != value}
    made["HostConfig"] = {
        name: value for name, value in wanted_host.items() if plain_host.get(name) != value
    }
    for name, kind in _KINDS.items():
        if not isinstance(made.get(name, made["HostConfig"].get(name, kind())), kind):
            raise PolicyError(
                f"container_run_kwargs: {name} cannot be"
                f" {made.get(name, made['HostConfig'].get(name))!r}"
            )
    if options.get("network_mode"):
        made["HostConfig"]["NetworkMode"] = options["network_mode"]
    return made


# What the package has other ways to say than its tables.
_BESIDE = {"mac_address": "MacAddress", "domainname": "Domainname", "name": "Name"}
# What is added to what is there, and what it must be for that.
_KINDS: dict[str, type] = {
    "Env": list,
    "Labels": dict,
    "Mounts": list,
    "SecurityOpt": list,
    "Tmpfs": dict,
    "Ulimits": list,
}
_API = "1.44"
"""The package leaves out what an old engine does not know; one that is told something new says so
itself."""


# -- what is in force

_MEGABYTE = 1 << 20


class Found(NamedTuple):
    """What an engine says: of a container, of its HostConfig, and of itself."""

    container: Mapping[str, Any]
    host: Mapping[str, Any]
    options: tuple[str, ...]
    """The engine's own means of security, by name."""

    def has(self, option: str) -> bool:
        return option in (self.host.get("SecurityOpt") or ())


class Check(NamedTuple):
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
    if found.has(system_call_filter()):
        return True, "the calls of the jail's table, and those that make the jail"
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
CHECKS = (
    Check("container's user",      _user,         "root, and the users of the engine's machine"),
    Check("container's privileges", _capabilities, "what only root may do"),
    Check("container's root",      _root,         "reading and changing files of the engine's machine"),
    Check("container's network",   _network,      "any network"),
    Check("container's filter",    _seccomp,      "system calls that an escape begins with"),
    Check("container's limits",    _memory,       "bombs"),
)
# fmt: on


def in_force(engine: Engine, container: str) -> list[tuple[str, bool, str, str]]:
    """The rows of a jail report for a running container. If the engine does not answer, that is the
    row."""
    what = "whatever gets out of the jail"
    try:
        told = engine.ask("GET", f"/containers/{in_path(container)}/json")
        options = (engine.ask("GET", "/info") or {}).get("SecurityOptions") or ()
    except DockerFailed as error:
        return [("container", False, f"the engine does not answer: {error}", what)]
    found = Found(told, told.get("HostConfig") or {}, tuple(map(str, options)))
    name, runtime = str(told.get("Name", "")).lstrip("/"), found.host.get("Runtime") or "runc"
    own = f"{one_line(name)} ({container[:12]}), by {one_line(runtime)}"
    return [
        ("container", True, own, what),
        *((row.name, *row.tell(found), row.stops) for row in CHECKS),
    ]
