"""What a caller may change of a container: `container_run_kwargs`, in the terms of the `docker`
package's `containers.run`."""

from __future__ import annotations

import difflib
import warnings
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from fumehood.docker.engine import one_line
from fumehood.docker.inside import HOME, LABS, LINKS, PACKAGES
from fumehood.errors import DangerousContainer, MissingExtra, PolicyError

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
    "restart_policy": "a container that ended has lost its variables; another is started by the host",  # noqa: E501
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
    Loosening("privileged",           bool, "whoever gets out of the jail in there is root on the engine's machine"),  # noqa: E501
    Loosening("cap_add",              bool, "processes in there have privileges that no code needs"),  # noqa: E501
    Loosening("cap_drop",             _keeps_privileges, "processes in there keep privileges that no code needs"),  # noqa: E501
    Loosening("security_opt",         _is_weaker, "the engine's filters are weaker than by default"),  # noqa: E501
    Loosening("network_mode",         _is_some, "code that gets past its jail reaches a network"),
    Loosening("network",              _is_some, "code that gets past its jail reaches a network"),
    Loosening("ports",                bool, "what listens in there can be reached"),
    Loosening("publish_all_ports",    bool, "what listens in there can be reached"),
    Loosening("pid_mode",             _is_shared, "the container sees processes that are not its own"),  # noqa: E501
    Loosening("ipc_mode",             _is_some, "there is shared memory, which no limit of a process counts"),  # noqa: E501
    Loosening("uts_mode",             _is_shared, "the container has the machine's name"),
    Loosening("userns_mode",          _is_shared, "users in there are the machine's users"),
    Loosening("cgroupns",             _is_shared, "the container sees the machine's groups of processes"),  # noqa: E501
    Loosening("cgroup_parent",        bool, "limits are another group's"),
    Loosening("devices",              bool, "a driver of the machine is within reach"),
    Loosening("device_requests",      bool, "a driver of the machine is within reach"),
    Loosening("device_cgroup_rules",  bool, "a driver of the machine is within reach"),
    Loosening("volumes",              bool, "files of the engine's machine are within reach; mounts of the policy are what code may see"),  # noqa: E501
    Loosening("mounts",               bool, "files of the engine's machine are within reach; mounts of the policy are what code may see"),  # noqa: E501
    Loosening("volumes_from",         bool, "files of another container are within reach"),
    Loosening("read_only",            lambda v: v is False, "the engine's disk can be filled"),
    Loosening("user",                 _is_root, "whoever gets out of the jail in there is the container's root"),  # noqa: E501
    Loosening("group_add",            bool, "files of that group are within reach"),
    Loosening("mem_limit",            lambda v: not v or v in (-1, "0", "-1"), "nothing limits the memory of all sandboxes together"),  # noqa: E501
    Loosening("pids_limit",           lambda v: isinstance(v, int) and v <= 0, "nothing limits the processes of all sandboxes together"),  # noqa: E501
    Loosening("oom_kill_disable",     bool, "a container that runs out of memory hangs, for ever"),
    Loosening("sysctls",              bool, "settings of the kernel are changed"),
    Loosening("log_config",           _is_logged, "all that passes between host and sandbox is in a log"),  # noqa: E501
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
            place == own or place.startswith(own + "/") for own in (*LINKS, LABS, PACKAGES, HOME)
        ):
            raise PolicyError(
                f"container_run_kwargs puts something on {place}, which belongs to the sandbox"
            )


def _in_the_engine_s_terms(options: dict[str, Any]) -> dict[str, Any]:
    try:
        from docker.models.containers import RUN_CREATE_KWARGS, RUN_HOST_CONFIG_KWARGS
        from docker.types.containers import ContainerConfig, HostConfig
    except ImportError:
        raise MissingExtra(
            "container_run_kwargs needs the package docker: pip install 'fumehood[docker]'"
        ) from None
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
    for name, field in _BESIDE.items():
        if options.get(name):
            wanted[field] = options[name]
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
