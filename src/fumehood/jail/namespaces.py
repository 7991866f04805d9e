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
from collections.abc import Iterator, Sequence
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

_LAST_ID = 10_000

INSIDE = 1000
"""The user and group of code, as it sees itself. Not 65534: the kernel shows that for an unknown
user, so a process that failed to change its user would look as if it had."""


def leave_the_host() -> None:
    """Enter the outer layer; the next process started is the first of its pid namespace."""
    _unshare(_OUTER)
    kernel.call("sethostname", b"fumehood", len(b"fumehood"))


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
    _map_user(script, uid, gid, inside=(uid, gid))
    script.run()


def separate_process_ids() -> None:
    """Give processes of the outer layer ids that those of a sandbox do not get. Libraries compare
    `getpid()` to notice a fork: numexpr, imported by process 2, waits for ever for its threads in
    a runner that is process 2 of another namespace."""
    # A kernel may lack it, and /proc may be read-only.
    with contextlib.suppress(OSError), open("/proc/sys/kernel/ns_last_pid", "w") as file:
        file.write(str(_LAST_ID))


def own_users(script: Script, uid: int, gid: int) -> None:
    """Enter a user namespace with one user, INSIDE, and no way to become another. It also counts
    the processes of this sandbox alone."""
    script.unshare(kernel.CLONE_NEWUSER)
    _map_user(script, uid, gid, inside=(INSIDE, INSIDE))


def _map_user(script: Script, uid: int, gid: int, inside: tuple[int, int]) -> None:
    # An unprivileged process may map only itself, and its group only after giving up the right to
    # change groups.
    script.write_file("/proc/self/setgroups", b"deny")
    script.write_file("/proc/self/uid_map", b"%d %d 1" % (inside[0], uid))
    script.write_file("/proc/self/gid_map", b"%d %d 1" % (inside[1], gid))


def must_be(uid: int, gid: int) -> None:
    """Fail if this process is another user: everything else depends on it."""
    if (os.getresuid(), os.getresgid()) != ((uid,) * 3, (gid,) * 3):
        raise OSError(errno.EPERM, f"could not become user {uid}")


@dataclass(frozen=True, slots=True)
class Spaces:
    """The pid and mount namespaces of a sandbox, held open as descriptors, to start one more
    process in there."""

    pid: int
    mount: int

    def close(self) -> None:
        os.close(self.pid)
        os.close(self.mount)


def here() -> Spaces:
    """The namespaces that the caller is in, and in which its next child will be. That pid namespace
    must have a first process already."""
    flags = os.O_RDONLY | os.O_CLOEXEC
    return Spaces(
        os.open("/proc/self/ns/pid_for_children", flags), os.open("/proc/self/ns/mnt", flags)
    )


class Home:
    """A process's own namespaces, for one that starts others elsewhere and comes back.

    It goes itself, and what it starts there is there from the beginning. If a child entered
    instead, the kernel would ask for the right to trace the process whose namespaces they are,
    which an ordinary user does not have over one that is closed to inspection.
    """

    def __init__(self) -> None:
        flags = os.O_RDONLY | os.O_CLOEXEC
        self.descriptors = tuple(
            os.open(f"/proc/self/ns/{name}", flags) for name in ("pid", "mnt", "ipc")
        )

    @contextlib.contextmanager
    def away(self) -> Iterator[None]:
        """In this context the caller is in a new mount namespace, and its next child in a new pid
        namespace. Each runner gets an ipc namespace of its own from the template; an init, which
        runs no code, needs none."""
        try:
            kernel.unshare(kernel.CLONE_NEWPID | kernel.CLONE_NEWNS)
            yield
        finally:
            go_home(self.descriptors)


def go_home(namespaces: Sequence[int]) -> None:
    """Enter one's own namespaces again. A process that cannot ends: what it starts next would be in
    another sandbox."""
    try:
        for descriptor in namespaces:
            kernel.setns(descriptor, 0)
    except OSError as error:
        raise SystemExit(f"cannot come back: {error}") from None
