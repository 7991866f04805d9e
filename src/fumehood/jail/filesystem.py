"""The root that code sees: the interpreter, its libraries, a few devices, and nothing else of the
machine.

`visible` decides which paths those are, `build_root` makes a root of them and moves into it. A
sandbox whose policy has files gets workspaces ("labs"): directories in memory, one for each of its
copies. `open_labs` mounts them, `close_labs` removes every writable directory from the others.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from fumehood.jail import kernel
from fumehood.jail.kernel import Script
from fumehood.jail.namespaces import own_mounts
from fumehood.jail.syscalls import LAB_DESCRIPTOR as LAB_DESCRIPTOR
from fumehood.policy import OTHER_ROOT, Mount

HOME = "/home/user"
TEMPORARY = "/tmp"
PARTS = {HOME: "home", TEMPORARY: "tmp", "/dev/shm": "shm"}
"""The directories that code may write to, and the subdirectory of a workspace that each one is.
Each is a link to the workspace that a process has open as LAB_DESCRIPTOR, so that two processes of
one sandbox can have different files under the same names. A mount could not do that."""
LAB_IN_SETUP = 4
"""Where a process has its workspace open until it has entered the jail."""
LAB = f"/proc/self/fd/{LAB_DESCRIPTOR}"
MACHINE = "/machine"
"""Where libraries and mounts are that have a path below HOME or TEMPORARY: a workspace has links to
them."""
LABS = "/labs"
LAB_COPIES = 4
"""How many times the size of one workspace all copies of it may have together."""
PACKAGES = "/packages"
"""What the host installs while sandboxes run (worker/packages.py), in memory: all sandboxes of a
zygote see it, and none can change it."""
PACKAGES_BYTES = 1 << 30
PACKAGES_FILES = 100_000
INSTALLED = f"{HOME}/.packages"
"""Where pip and uv of a sandbox with programs install what code asks for."""
TERMINALS = "/dev/pts"
TERMINALS_OF_A_SANDBOX = 64


@dataclass(frozen=True, slots=True)
class Bind:
    """One path of the machine that code may see, and why."""

    source: str
    target: str
    reason: str
    writable: bool = False


# fmt: off
# What the loader and the libraries read, wherever the interpreter comes from. Absent ones are left
# out.
SYSTEM = (
    ("/lib /lib32 /lib64",             "shared libraries and the loader"),
    ("/usr/lib /usr/lib64",            "shared libraries; the interpreter of the distribution"),
    ("/usr/local/lib",                 "an interpreter built from source, as in container images"),
    ("/etc/ld.so.cache",               "tells the loader where libraries are"),
    ("/etc/alternatives",              "links by which distributions choose a BLAS"),
    ("/etc/localtime",                 "local time"),
    ("/usr/share/zoneinfo",            "time zones"),
    ("/usr/share/fonts",               "fonts for pictures"),
)

# What programs need besides (Policy.programs): no users, keys, addresses or settings of the host.
PROGRAMS = (
    ("/usr /bin /sbin",                "programs, their libraries and data"),
    ("/etc/ld.so.conf /etc/ld.so.conf.d", "compilers ask where libraries are"),
    ("/etc/ssl/certs /etc/ssl/openssl.cnf /etc/ca-certificates.conf", "certificate authorities"),
    ("/etc/mime.types /etc/magic",     "types of files by their names and content"),
    ("/etc/terminfo",                  "terminals"),
    ("/etc/timezone /etc/locale.alias", "names of the time zone and of locales"),
    ("/etc/protocols /etc/services",   "names of protocols and ports"),
    ("/etc/debian_version /etc/os-release", "the distribution"),
    ("/etc/fonts",                     "where fonts are"),
    ("/etc/java-17-openjdk /etc/perl /etc/R", "defaults of Java, Perl and R"),
)

# In another root directory, all of /etc but the users is the sandbox's, as a copy, and these.
OF_OTHER_ROOT = (
    ("/opt /root /srv /var",           "programs and data of an image"),
)
_USERS = ("passwd", "passwd-", "group", "group-", "shadow", "shadow-", "gshadow", "gshadow-")

# Not /dev/zero: mapped as shared memory, it is memory that no limit of a process counts.
DEVICES = (
    ("/dev/null",    "reads nothing, swallows everything"),
    ("/dev/random",  "random numbers"),
    ("/dev/urandom", "random numbers"),
)
PROGRAM_DEVICES = (
    ("/dev/zero", "dd; its shared mappings are counted as other shared memory is"),
    ("/dev/full", "a device without space"),
    ("/dev/tty",  "the terminal of a process that has one"),
)
# fmt: on

_DEVICE_LINKS = {"fd": "/proc/self/fd", "stdin": "fd/0", "stdout": "fd/1", "stderr": "fd/2"}

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# Where the new root is put together: a directory that every Linux has and that has no needed files.
# Only this namespace sees it.
_WORKPLACES = ("/mnt", "/srv", "/media", "/boot", "/sys")


def visible(
    imports: Iterable[str],
    mounts: Iterable[Mount],
    environments: Iterable[str] = (),
    *,
    programs: bool = False,
) -> tuple[Bind, ...]:
    """Everything that code may see, for this interpreter and its `sys.path`; none lies below
    another."""
    has_other_root = os.path.isdir(OTHER_ROOT)
    table: list[tuple[str, str]] = [
        (path, reason)
        for paths, reason in (*SYSTEM, *(PROGRAMS if programs else ()))
        for path in paths.split()
        if not (has_other_root and path.startswith("/etc/"))
    ]
    if has_other_root:
        table += [(path, reason) for paths, reason in OF_OTHER_ROOT for path in paths.split()]
    own = (_PACKAGE, *_homes("cloudpickle"))  # which remote places have beside the package
    table += [(path, "the worker's own code") for path in own]
    parts = ("lib", "lib64", "pyvenv.cfg", *(["bin", "include"] if programs else []))
    for prefix in {sys.base_prefix, sys.base_exec_prefix, sys.prefix, sys.exec_prefix}:
        table += [(f"{prefix}/{part}", "the interpreter and its packages") for part in parts]
    for path in sys.path:
        if os.path.basename(path) in ("site-packages", "dist-packages"):
            table.append((path, "installed packages"))
    table += [(path, "packages for code") for path in environments]
    for name in imports:
        table += [(path, f"the authorized module {name}") for path in _homes(name)]
    kept: list[Bind] = []
    for path, reason in sorted(table):
        inside = any(path == other.target or path.startswith(other.target + "/") for other in kept)
        if not inside and os.path.isabs(path) and os.path.lexists(path):
            kept.append(Bind(path, path, reason))
    for mount in mounts:
        kept.append(Bind(mount.source, mount.target, "mounted by the policy", mount.writable))
    return tuple(kept)


def _homes(name: str) -> list[str]:
    """Where an authorized package lives that is not installed with the others: its own directory or
    file, not the one around it."""
    top = name.partition(".")[0]
    if top in ("*", "") or top in sys.stdlib_module_names:
        return []
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError, AttributeError):
        return []
    if spec is None:
        return []
    if spec.submodule_search_locations is not None:
        return [os.path.abspath(path) for path in spec.submodule_search_locations]
    return [os.path.abspath(spec.origin)] if spec.origin and spec.has_location else []


def build_root(binds: Sequence[Bind], *, uid: int, gid: int, files: bool, programs: bool) -> None:
    """Make a root of `binds` and move into it for good. Needs a mount namespace of its own and
    CAP_SYS_ADMIN in it. Without `files`, HOME and TEMPORARY are empty and read-only."""
    # What happens in here stays in here, and what is mounted outside later does not appear.
    kernel.mount("none", "/", "", kernel.MS_REC | kernel.MS_PRIVATE)
    root = workplace([bind.source for bind in binds])
    options = f"size={'64m' if os.path.isdir(OTHER_ROOT) else '4m'},mode=755"
    kernel.mount("tmpfs", root, "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, options)
    if os.path.isdir(OTHER_ROOT):  # its /etc, without its users and what cannot be read
        ignored = shutil.ignore_patterns(*_USERS)
        with contextlib.suppress(shutil.Error):
            shutil.copytree("/etc", root + "/etc", symlinks=True, ignore=ignored)
    for bind in binds:
        target = place_of(bind.target) if files else bind.target
        _bind(root, replace(bind, target=target), kernel.MOUNT_ATTR_NODEV)
    for device, reason in (*DEVICES, *PROGRAM_DEVICES) if programs else DEVICES:
        if os.path.exists(device):
            _bind(root, Bind(device, device, reason, writable=True), 0)
    if programs:
        for name, target in _DEVICE_LINKS.items():
            os.symlink(target, f"{root}/dev/{name}")
        os.mkdir(root + TERMINALS, 0o755)
        os.symlink("pts/ptmx", f"{root}/dev/ptmx")
    os.mkdir(root + LABS, 0o755)
    for name in PARTS if files else ():
        os.makedirs(os.path.dirname(root + name), 0o755, exist_ok=True)
        os.symlink(f"{LAB}/{PARTS[name]}", root + name)
    for name in () if files else (HOME, TEMPORARY):
        os.makedirs(root + name, 0o755, exist_ok=True)
    # Every mount namespace that is copied from this one has a mount of its own of the same files.
    # Each is read-only until a process makes it writable for itself (`open_packages`). Code in
    # there may be mapped, as in any library.
    os.mkdir(root + PACKAGES, 0o755)
    options = f"size={PACKAGES_BYTES},nr_inodes={PACKAGES_FILES},mode=755"
    kernel.mount("tmpfs", root + PACKAGES, "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, options)
    kernel.set_mount_attributes(root + PACKAGES, kernel.MOUNT_ATTR_RDONLY, recursive=False)
    _small_files(root, uid, gid, programs=programs)
    os.mkdir(root + "/proc", 0o555)
    # Before the host's is out of sight: an ordinary user may mount a new one only beside a whole
    # old one.
    kernel.mount("proc", root + "/proc", "proc", *_PROC)
    own = kernel.MOUNT_ATTR_RDONLY | kernel.MOUNT_ATTR_NOSUID | kernel.MOUNT_ATTR_NODEV
    kernel.set_mount_attributes(root, own, recursive=False)
    _move_into(root)


_PLAIN = kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC

# The processes of this pid namespace, and nothing of /proc that is not about processes.
_PROC = (_PLAIN, "hidepid=invisible,subset=pid")


def mount_terminals(script: Script, gid: int) -> None:
    """Mount the sandbox's own pseudo-terminals."""
    options = f"newinstance,ptmxmode=0666,mode=620,gid={gid},max={TERMINALS_OF_A_SANDBOX}"
    script.mount("devpts", TERMINALS, "devpts", kernel.MS_NOSUID | kernel.MS_NOEXEC, options)


def mount_proc(script: Script) -> None:
    script.mount("proc", "/proc", "proc", *_PROC)


def lab_of(place: int, labs: str = LABS) -> str:
    """The workspace at a place. In a mount namespace the first one is a file system, and the copies
    share another one."""
    return f"{labs}/{place}"


def make_lab(lab: str) -> None:
    """Make an empty workspace."""
    os.mkdir(lab, 0o700)
    for part in PARTS.values():
        os.mkdir(f"{lab}/{part}", 0o700)


def place_of(target: str) -> str:
    """Where something of the machine is mounted if code has files."""
    is_below = any(target.startswith(name + "/") for name in (HOME, TEMPORARY))
    return MACHINE + target if is_below else target


def links(binds: Iterable[Bind]) -> dict[str, str]:
    """The links that a workspace needs to what is below MACHINE."""
    found: dict[str, str] = {}
    for bind in binds:
        for name in (HOME, TEMPORARY):
            if bind.target.startswith(name + "/"):
                first = bind.target[len(name) + 1 :].partition("/")[0]
                found[f"{PARTS[name]}/{first}"] = f"{MACHINE}{name}/{first}"
    return found


def open_labs(
    script: Script, size: int, files: int, *, uid: int, gid: int, executes: bool = False
) -> None:
    """Mount the workspaces of a sandbox: in memory, of limited size. Unless code `executes` what it
    writes, nothing in them can be executed or mapped as code."""
    owner = f"mode=700,uid={uid},gid={gid}"
    flags = _PLAIN & ~kernel.MS_NOEXEC if executes else _PLAIN
    copies = f"size={LAB_COPIES * size},nr_inodes={LAB_COPIES * files},{owner}"
    script.mount("tmpfs", LABS, "tmpfs", flags, copies)
    script.make_directory(lab_of(0))
    inodes = files + 1 + len(PARTS)  # the directories that are there from the beginning
    script.mount("tmpfs", lab_of(0), "tmpfs", flags, f"size={size},nr_inodes={inodes},{owner}")


def close_labs(script: Script) -> None:
    """Cover the directory that modules write to while they are imported. Nothing is writable
    then."""
    script.mount("tmpfs", LABS, "tmpfs", _PLAIN | kernel.MS_RDONLY, "size=4k,nr_inodes=1,mode=755")


def hold_lab(script: Script, lab: str) -> None:
    """Be in a workspace and have it open as LAB_IN_SETUP."""
    script.change_directory(lab)
    descriptor = script.open(".", os.O_PATH | os.O_DIRECTORY)
    script.move(descriptor, LAB_IN_SETUP)
    script.close(descriptor)


def enter_home(script: Script, links: Mapping[str, str] = MappingProxyType({})) -> None:
    """Make the absent parts of the workspace that the process is in, and work in HOME."""
    for part in PARTS.values():
        script.make_directory(part, expected=kernel.IGNORED)
    for name, target in links.items():
        script.call("symlinkat", target, kernel.AT_FDCWD, name, expected=kernel.IGNORED)
    script.change_directory(PARTS[HOME])


def workplace(sources: Sequence[str]) -> str:
    """A directory to put a new root together in, from which none of the sources is taken."""
    for path in _WORKPLACES:
        if os.path.isdir(path) and not any(
            source == path or source.startswith(path + "/") for source in sources
        ):
            return path
    raise OSError(2, f"no directory for the new root: none of {', '.join(_WORKPLACES)} is free")


def _bind(root: str, bind: Bind, attributes: int) -> None:
    target = root + bind.target
    if os.path.islink(bind.source) and bind.source == bind.target:
        os.makedirs(os.path.dirname(target), 0o755, exist_ok=True)
        # /lib → usr/lib: the link itself; what it points to has a row of its own.
        os.symlink(os.readlink(bind.source), target)
        return
    bind_to(bind.source, target)
    if not bind.writable:
        attributes |= kernel.MOUNT_ATTR_RDONLY
    kernel.set_mount_attributes(target, attributes | kernel.MOUNT_ATTR_NOSUID)


def bind_to(source: str, target: str) -> None:
    """Bind a file or directory to another path, which is made."""
    os.makedirs(os.path.dirname(target), 0o755, exist_ok=True)
    if os.path.isdir(source):
        os.makedirs(target, 0o755, exist_ok=True)
    else:
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o644))
    kernel.mount(source, target, "", kernel.MS_BIND | kernel.MS_REC)


def open_packages() -> None:
    """Make PACKAGES writable for this process alone, in a mount namespace of its own."""
    kernel.unshare(kernel.CLONE_NEWNS)
    kernel.set_mount_attributes(PACKAGES, 0, without=kernel.MOUNT_ATTR_RDONLY, recursive=False)


# -- in a container that was made for sandboxes, and refuses namespaces


def make_container_labs() -> str:
    """A directory for all workspaces of one zygote, under a name that cannot be guessed. OSError if
    the container was not made for it."""
    if not os.path.islink(HOME) or os.readlink(HOME) != f"{LAB}/{PARTS[HOME]}":
        raise OSError(
            f"{HOME} of this container is not a sandbox's: its image was not built by this version"
            " of fumehood; build one with `fumehood docker build`"
        )
    if not os.access(LABS, os.W_OK | os.X_OK):
        raise OSError(
            f"nothing can be written to {LABS} in this container: it needs a tmpfs there that"
            " belongs to its user"
        )
    labs = f"{LABS}/{os.urandom(8).hex()}"
    os.mkdir(labs, 0o700)
    return labs


def _small_files(root: str, uid: int, gid: int, *, programs: bool) -> None:
    """Make the sandbox's own files of /etc."""
    os.makedirs(root + "/etc", 0o755, exist_ok=True)
    files = [
        ("passwd", f"root:x:0:0::/root:/bin/sh\nuser:x:{uid}:{gid}::{HOME}:/bin/sh\n"),
        ("group", f"root:x:0:\nuser:x:{gid}:\n"),
    ]
    if programs:
        files += [
            ("hosts", "127.0.0.1 localhost\n"),
            ("hostname", "fumehood\n"),
            ("nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n"),
            ("uv.toml", f'[pip]\ntarget = "{INSTALLED}"\n'),
        ]
    for name, text in files:
        # pathlib is slow to import, and every sandbox would carry it
        with open(f"{root}/etc/{name}", "w") as file:
            file.write(text)


def _move_into(root: str) -> None:
    # Both names of the same directory: the old root is put on top of the new one and then taken
    # away.
    os.chdir(root)
    kernel.call("pivot_root", ".", ".")
    kernel.call("umount2", ".", kernel.MNT_DETACH)
    os.chdir("/")


# -- another root directory (Policy(programs="/path/to/root")): its Python runs the cells

_FROM_HOST = ("/proc", "/sys/fs/cgroup")
"""What the worker needs of the running system. A sandbox sees neither."""
_LEFT_OUT = frozenset({"proc", "sys", "dev", "run", "mnt", "media", "srv", "boot", "tmp"})


def execute_in_other_root() -> None:
    """Make a root of a directory, which is not changed, move into it and execute its Python. The
    arguments of this program are ROOT PYTHON SHOWN ARGUMENT..., where SHOWN is JSON: paths of this
    machine by the names that they get in OTHER_ROOT."""
    root, python, names, *arguments = sys.argv[1:]
    shown: dict[str, str] = json.loads(names)
    own_mounts()
    new = workplace([root, *shown.values()])
    kernel.mount("tmpfs", new, "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, "size=4m,mode=755")
    for entry in os.scandir(root):
        if entry.name in _LEFT_OUT:
            continue
        if entry.is_symlink():
            os.symlink(os.readlink(entry.path), f"{new}/{entry.name}")
        else:
            bind_to(entry.path, f"{new}/{entry.name}")
    for path in (*_FROM_HOST, *(device for device, _reason in (*DEVICES, *PROGRAM_DEVICES))):
        if os.path.exists(path):
            bind_to(path, new + path)
    for name, source in shown.items():
        bind_to(source, f"{new}{OTHER_ROOT}/{name}")
    for name, mode in ((_WORKPLACES[0], 0o755), (TEMPORARY, 0o1777)):  # the worker needs both
        os.mkdir(new + name)
        os.chmod(new + name, mode)
    _move_into(new)
    os.execv(python, [python, *arguments])
