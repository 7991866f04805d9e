"""Namespaces: which processes, users, hosts and networks exist for code. Made in two layers.

The outer layer holds the zygote and all of its sandboxes: it has no network, a root of its own, and when its first process ends, all end.
The inner layer is each sandbox's own: it sees no process, no message queue and no file of any other. It belongs to the outer layer's user
namespace, so not even a capability regained inside could change a mount.
"""

from __future__ import annotations

import errno
import os

from fumehood.jail import kernel

_OUTER = kernel.CLONE_NEWPID | kernel.CLONE_NEWNS | kernel.CLONE_NEWNET | kernel.CLONE_NEWIPC | kernel.CLONE_NEWUTS | kernel.CLONE_NEWCGROUP

HOSTNAME = "fumehood"

INSIDE = 1000
"""The user and group of code, as it sees itself. Not 65534: that is also what the kernel shows for a user who is not known inside, so a
process that failed to change its user would look as if it had."""


def leave_the_host() -> None:
    """Enter the outer layer; the next process started is the first of its pid namespace. An ordinary user needs a user namespace for it."""
    uid, gid = os.geteuid(), os.getegid()
    if uid == 0:
        kernel.unshare(_OUTER)
    else:
        kernel.unshare(_OUTER | kernel.CLONE_NEWUSER)
        _map_user(uid, gid)
    kernel.sethostname(HOSTNAME)


def leave_the_others() -> None:
    """Enter mount and ipc namespaces of a sandbox's own. Its pid namespace was made by whoever started this process."""
    kernel.unshare(kernel.CLONE_NEWNS | kernel.CLONE_NEWIPC)


def own_users(uid: int, gid: int) -> None:
    """Enter a user namespace in which there is one user, INSIDE, and no way to become another.

    It also counts this sandbox's processes alone.
    """
    kernel.unshare(kernel.CLONE_NEWUSER)
    _map_user(uid, gid, INSIDE)


def become(uid: int, gid: int) -> None:
    """Be an ordinary user for good."""
    os.setresgid(gid, gid, gid)
    os.setresuid(uid, uid, uid)
    if (os.getresuid(), os.getresgid()) != ((uid,) * 3, (gid,) * 3):
        raise OSError(errno.EPERM, f"could not become user {uid}")


class Children:
    """Starting processes in pid namespaces other than one's own, from one that stays where it is."""

    def __init__(self) -> None:
        self._own = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)

    def in_new_namespace(self) -> None:
        """The next process started is the first of a new pid namespace."""
        kernel.unshare(kernel.CLONE_NEWPID)

    def in_namespace_of(self, process: int) -> None:
        """The next process started is in the pid namespace of the process behind a pidfd."""
        kernel.setns(process, kernel.CLONE_NEWPID)

    def here(self) -> None:
        """The next process started is in the caller's own pid namespace again."""
        kernel.setns(self._own, kernel.CLONE_NEWPID)


def join_files(process: int) -> None:
    """Enter the mount and ipc namespaces of the process behind a pidfd."""
    kernel.setns(process, kernel.CLONE_NEWNS | kernel.CLONE_NEWIPC)


def join_users(process: int) -> None:
    kernel.setns(process, kernel.CLONE_NEWUSER)


def _map_user(uid: int, gid: int, inside: int | None = None) -> None:
    # An unprivileged process may map only itself, and its group only after giving up the right to change groups.
    users, groups = (uid, gid) if inside is None else (inside, inside)
    for name, text in (("setgroups", "deny"), ("uid_map", f"{users} {uid} 1"), ("gid_map", f"{groups} {gid} 1")):
        descriptor = os.open(f"/proc/self/{name}", os.O_WRONLY | os.O_CLOEXEC)
        try:
            os.write(descriptor, text.encode())
        finally:
            os.close(descriptor)
