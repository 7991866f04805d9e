"""Who the host process is when it runs the attacks. Each needs root to begin with.

    root        root, with all it may do
    nobody      an ordinary user, as most hosts should be: the sandbox has the same user, so nothing
                but the jail keeps them apart
    container   root in a container: few capabilities, and a filter that refuses namespaces and
                mounts
    contained   an ordinary user in a container
    housed      the same in a container that was made for it, as those of an executor are: it has
                labs, and the worker is told

All get a mount namespace of their own, in which the canaries are a file system with a canary for
its name.
"""

from __future__ import annotations

import ctypes
import os
import signal
import struct
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from fumehood.attack.corpus import HOSTS

IDENTITIES = HOSTS

_LIBC = ctypes.CDLL(None, use_errno=True)
_CLONE_NEWNS = 0x00020000
_MS_REC, _MS_PRIVATE, _MS_SHARED, _MS_BIND = 1 << 14, 1 << 18, 1 << 20, 1 << 12
_PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP = 24, 38, 22
_NOBODY = 65534
# Without a user namespace the kernel counts the processes of a user wherever they run, those of
# another test too: a user for each host.
_CONTAINED_USERS = range(61200, 65200)

# What container runtimes leave to root: chown, dac_override, fowner, fsetid, kill, setgid, setuid,
# setpcap, net_bind_service, net_raw, sys_chroot, mknod, audit_write, setfcap.
_CONTAINER_CAPABILITIES = {0, 1, 3, 4, 5, 6, 7, 8, 10, 13, 18, 27, 29, 31}
# What their filters refuse to root without CAP_SYS_ADMIN, by number: unshare, setns, mount,
# umount2, pivot_root, fsopen, open_tree, move_mount, bpf, perf_event_open, keyctl, add_key,
# request_key; and clone with a flag for a new namespace.
_CONTAINER_REFUSES = {
    "x86_64": [272, 308, 165, 166, 155, 430, 428, 429, 321, 298, 250, 248, 249],
    "aarch64": [97, 268, 40, 39, 41, 430, 428, 429, 280, 241, 219, 217, 218],
}
_CLONE = {"x86_64": 56, "aarch64": 220}
_CLONE3 = 435
_CLONE_NEW_ANYTHING = 0x7E020000
_EPERM, _ENOSYS = 1, 38


def _kernel(result: int, what: str) -> None:
    if result == -1:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")


def mount(
    source: str, target: str, kind: str | None, flags: int, options: str | None = None
) -> None:
    texts = [None if text is None else text.encode() for text in (source, target, kind)]
    _kernel(
        _LIBC.mount(*texts, ctypes.c_ulong(flags), None if options is None else options.encode()),
        f"mount on {target}",
    )


def own_mounts() -> None:
    """A mount namespace from which nothing spreads to the one this process came from."""
    _kernel(_LIBC.unshare(_CLONE_NEWNS), "unshare")
    mount("none", "/", None, _MS_REC | _MS_PRIVATE)


def prepare(identity: str, directory: Path, mount_token: str) -> None:
    """Make this process, which is root, the host called `identity`; its canaries will be in
    `directory`. Follow with an exec: a process that changed its user does not own its files in
    /proc until then."""
    own_mounts()
    mount(mount_token, str(directory), "tmpfs", 0, "mode=0755")
    own_user = _CONTAINED_USERS[os.getpid() % len(_CONTAINED_USERS)]
    user = {"nobody": _NOBODY, "contained": own_user, "housed": own_user}.get(identity)
    if user is not None:
        os.chown(directory, user, user)
    if identity != "root":
        # The interpreter or this checkout may be in root's own home, which is closed to other users
        # and to root in a container.
        _make_reachable(
            Path(path).resolve()
            for path in [sys.executable, sys.prefix, sys.base_prefix, *sys.path]
        )
    # Shared again, as systems start out: a jail that forgets to make its mounts private shows them
    # here.
    mount("none", "/", None, _MS_REC | _MS_SHARED)
    if identity == "housed":
        _have_labs(own_user)
    if identity in ("container", "contained", "housed"):
        _enter_container()
    if user is not None:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)


def _make_reachable(paths: Iterable[Path]) -> None:
    """Lay an open directory over each closed one above `paths`, holding only the ways to them.
    Nothing outside this namespace changes."""
    paths = [path for path in paths if path.exists()]
    parents = sorted({parent for path in paths for parent in path.parents})
    for closed in [parent for parent in parents if not parent.stat().st_mode & 0o001]:
        ways = {
            closed / path.relative_to(closed).parts[0] for path in paths if closed in path.parents
        }
        targets = {way: os.open(way, os.O_PATH) for way in ways}
        mount("reachable", str(closed), "tmpfs", 0, "mode=0755")
        for way, target in targets.items():
            way.mkdir()
            mount(f"/proc/self/fd/{target}", str(way), None, _MS_BIND | _MS_REC)
            os.close(target)


def _have_labs(user: int) -> None:
    """Move into a root that has all that this one has, and what an image for sandboxes has
    besides."""
    root = Path("/mnt")
    entries = list(Path("/").iterdir())
    mount("root", str(root), "tmpfs", 0, "mode=0755")
    for entry in entries:
        copy = root / entry.name
        if entry.is_symlink():
            copy.symlink_to(entry.readlink())
        elif entry.is_dir() and entry not in (root, Path("/home")):
            copy.mkdir()
            mount(str(entry), str(copy), None, _MS_BIND | _MS_REC)
    (root / "home").mkdir()
    (root / "home/user").symlink_to("/proc/self/fd/15/home")
    (root / "labs").mkdir()
    mount(
        "labs",
        str(root / "labs"),
        "tmpfs",
        2 | 4 | 8,
        f"size=16m,nr_inodes=2000,mode=700,uid={user},gid={user}",
    )  # nosuid …
    os.chroot(root)
    os.chdir("/")


def start_contained(policy: Any, path: Any) -> Any:
    """A supervisor on this machine that takes itself to be in a container."""
    from fumehood.executors.supervisor import LocalSupervisor
    from fumehood.tunnel import launch

    supervisor = LocalSupervisor.__new__(LocalSupervisor)
    supervisor.control, supervisor._process = launch.start_supervisor(
        policy.as_fields(), path, is_contained=True
    )
    return supervisor


def _enter_container() -> None:
    for number in range(64):
        if number not in _CONTAINER_CAPABILITIES:
            _LIBC.prctl(
                _PR_CAPBSET_DROP, number, 0, 0, 0
            )  # refused for numbers the kernel does not have
    # The exec that follows gives root what is in the bounding set and no more.
    machine = os.uname().machine
    program = [struct.pack("<HBBI", 0x20, 0, 0, 0)]
    for number in _CONTAINER_REFUSES[machine]:
        program += [
            struct.pack("<HBBI", 0x15, 0, 1, number),
            struct.pack("<HBBI", 0x06, 0, 0, 0x00050000 | _EPERM),
        ]
    program += [
        struct.pack("<HBBI", 0x15, 0, 1, _CLONE3),
        struct.pack("<HBBI", 0x06, 0, 0, 0x00050000 | _ENOSYS),
    ]
    program += [
        struct.pack("<HBBI", 0x15, 0, 3, _CLONE[machine]),
        struct.pack("<HBBI", 0x20, 0, 0, 16),
        struct.pack("<HBBI", 0x45, 0, 1, _CLONE_NEW_ANYTHING),
        struct.pack("<HBBI", 0x06, 0, 0, 0x00050000 | _EPERM),
        struct.pack("<HBBI", 0x06, 0, 0, 0x7FFF0000),
    ]
    code = ctypes.create_string_buffer(b"".join(program))
    fprog = ctypes.create_string_buffer(
        struct.pack("HxxxxxxP", len(program), ctypes.addressof(code))
    )
    # no_new_privs is not set, as in real containers: whoever installs the filter there is
    # privileged, as this process still is.
    _kernel(_LIBC.prctl(_PR_SET_SECCOMP, 2, fprog, 0, 0), "seccomp")


def die_with_parent() -> None:
    _LIBC.prctl(1, signal.SIGKILL, 0, 0, 0)
