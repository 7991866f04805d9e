"""Namespaces: which processes, users, hosts and networks exist for code. Made in two layers.

The outer layer holds the zygote and all of its sandboxes: it has no network, a root of its own, and
when its first process ends, all end. The inner layer is each sandbox's own: it sees no process, no
message queue and no file of any other. It belongs to the outer layer's user namespace, so not even
a capability regained inside could change a mount.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from dataclasses import dataclass

from fumehood.jail import kernel
from fumehood.jail.kernel import Script, lowest_free

_OUTER = (
    kernel.CLONE_NEWPID
    | kernel.CLONE_NEWNS
    | kernel.CLONE_NEWNET
    | kernel.CLONE_NEWIPC
    | kernel.CLONE_NEWUTS
    | kernel.CLONE_NEWCGROUP
)

HOSTNAME = "fumehood"
_LAST_ID = 10_000

INSIDE = 1000
"""The user and group of code, as it sees itself. Not 65534: that is also what the kernel shows for
a user who is not known inside, so a process that failed to change its user would look as if it
had."""


def leave_the_host() -> None:
    """Enter the outer layer; the next process started is the first of its pid namespace."""
    _unshare(_OUTER)
    kernel.sethostname(HOSTNAME)


def own_mounts() -> None:
    """Enter a mount namespace whose mounts can be changed, and are seen nowhere else."""
    _unshare(kernel.CLONE_NEWNS)
    kernel.mount("none", "/", "", kernel.MS_REC | kernel.MS_PRIVATE)


def _unshare(flags: int) -> None:
    """Enter new namespaces. An ordinary user needs a user namespace for it."""
    uid, gid = os.geteuid(), os.getegid()
    if uid == 0:
        kernel.unshare(flags)
        return
    # Of itself: the user map is written in /proc/self, and a remote end is closed to inspection.
    kernel.allow_inspection()
    kernel.unshare(flags | kernel.CLONE_NEWUSER)
    script = Script(lowest_free())
    _map_user(script, uid, gid)
    script.run()


def separate_process_ids() -> None:
    """Give processes of the outer layer ids that those of a sandbox do not get. Libraries compare
    `getpid()` to notice a fork: numexpr, imported by process 2, waits for ever for its threads in
    a runner that is process 2 of another namespace."""
    with contextlib.suppress(OSError):  # a kernel without it, or a read-only /proc
        descriptor = os.open("/proc/sys/kernel/ns_last_pid", os.O_WRONLY | os.O_CLOEXEC)
        try:
            os.write(descriptor, b"%d" % _LAST_ID)
        finally:
            os.close(descriptor)


def own_users(script: Script, uid: int, gid: int) -> None:
    """Enter a user namespace in which there is one user, INSIDE, and no way to become another.

    It also counts this sandbox's processes alone.
    """
    script.call("unshare the user namespace", "unshare", kernel.CLONE_NEWUSER)
    _map_user(script, uid, gid, INSIDE)


def must_be(uid: int, gid: int) -> None:
    """See that it is so: everything else rests on it."""
    if (os.getresuid(), os.getresgid()) != ((uid,) * 3, (gid,) * 3):
        raise OSError(errno.EPERM, f"could not become user {uid}")


@dataclass(frozen=True, slots=True)
class Spaces:
    """The pid and mount namespaces of a sandbox, held open as descriptors: whoever has them can
    start one more process in there."""

    pid: int
    mount: int

    def close(self) -> None:
        os.close(self.pid)
        os.close(self.mount)


class Home:
    """A process's own namespaces, for one that starts others elsewhere and comes back.

    It goes itself, and what it starts there is there from the beginning. If a child were to enter
    instead, the kernel would ask for the right to trace the process whose namespaces they are,
    which an ordinary user does not have over one that is closed to inspection.
    """

    def __init__(self) -> None:
        self._own = [
            (os.open(f"/proc/self/ns/{name}", os.O_RDONLY | os.O_CLOEXEC), flag)
            for name, flag in _INNER
        ]

    @property
    def descriptors(self) -> tuple[int, ...]:
        return tuple(descriptor for descriptor, _flag in self._own)

    @contextlib.contextmanager
    def away(self) -> Iterator[None]:
        """In this context the caller is in new mount and ipc namespaces, and its next child in a
        new pid namespace.

        If it cannot come back it ends: it would be taken for somebody it is not.
        """
        try:
            kernel.unshare(kernel.CLONE_NEWPID | kernel.CLONE_NEWNS | kernel.CLONE_NEWIPC)
            yield
        finally:
            try:
                for descriptor, flag in self._own:
                    kernel.setns(descriptor, flag)
            except OSError as error:
                raise SystemExit(f"cannot come back: {error}") from None


_INNER = (("pid", kernel.CLONE_NEWPID), ("mnt", kernel.CLONE_NEWNS), ("ipc", kernel.CLONE_NEWIPC))


def here() -> Spaces:
    """The namespaces that the caller is in, and in which its next child will be. That pid namespace
    must have a first process already."""
    flags = os.O_RDONLY | os.O_CLOEXEC
    return Spaces(
        os.open("/proc/self/ns/pid_for_children", flags), os.open("/proc/self/ns/mnt", flags)
    )


def _map_user(script: Script, uid: int, gid: int, inside: int | None = None) -> None:
    # An unprivileged process may map only itself, and its group only after giving up the right to
    # change groups.
    users, groups = (uid, gid) if inside is None else (inside, inside)
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{users} {uid} 1"),
        ("gid_map", f"{groups} {gid} 1"),
    ):
        script.write_file(f"/proc/self/{name}", text.encode())
