"""Entering the jail: flat lists of steps. Each works or raises; no step fails quietly, and nothing untrusted runs before the last.

    prepare_place      once per zygote, in a network-less world: a read-only root
    enter_jail         the process that runs code, started beside its keeper: gives up everything that code does not need
    enter_bare         the same where the machine refuses namespaces: Landlock, seccomp and limits hold alone
    close_the_door     the last step of either: the system-call filter

What each step stops is told in docs/security and shown by `fumehood doctor`.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field

from fumehood.jail import filesystem, kernel, landlock, limits, namespaces, seccomp
from fumehood.jail.filesystem import Bind
from fumehood.jail.limits import Cgroups
from fumehood.policy import Limits

NOBODY = 65534

_SCRATCH = 64 << 20

# Where no user namespace can count a sandbox's processes and hide them, each sandbox of a root host gets a user of its own. The range is
# one that distributions leave free.
_FREE_USERS = range(60578, 61184)


@dataclass(frozen=True, slots=True)
class Jail:
    """What is the same for every sandbox of one zygote."""

    uid: int
    gid: int
    binds: tuple[Bind, ...]
    landlock: landlock.Rules | None
    """None where the kernel has none."""
    in_use: limits.Memory
    cgroups: Cgroups | None
    mounted: tuple[str, ...] = field(init=False)
    """What of the host code may write to."""
    devices: tuple[str, ...] = tuple(path for path, _reason in filesystem.DEVICES)

    def __post_init__(self) -> None:
        object.__setattr__(self, "mounted", tuple(bind.target for bind in self.binds if bind.writable))


def identity() -> tuple[int, int]:
    """Who code runs as: nobody if the host is root, else the host's own user."""
    return (NOBODY, NOBODY) if os.geteuid() == 0 else (os.geteuid(), os.getegid())


def prepare_place(binds: Sequence[Bind]) -> None:
    filesystem.build_root(binds, uid=namespaces.INSIDE, gid=namespaces.INSIDE)
    filesystem.open_lab(_SCRATCH, 1000, uid=os.geteuid(), gid=os.getegid())  # for what modules write while the zygote imports them
    kernel.forbid_inspection()  # keepers share this memory


def enter_jail(jail: Jail, wanted: Limits, planned: limits.Plan, sandbox: str, *, is_first: bool) -> None:
    if is_first:
        filesystem.open_lab(wanted.lab_bytes, wanted.lab_files, uid=jail.uid, gid=jail.gid)
        filesystem.mount_proc()
    os.chdir(filesystem.LAB)
    if jail.cgroups is not None:
        jail.cgroups.enter(sandbox)
    namespaces.become(jail.uid, jail.gid)
    kernel.allow_inspection()  # of itself, in /proc/self: the user map is written there, and libraries read there
    namespaces.own_users(jail.uid, jail.gid)
    limits.apply(planned)
    kernel.set_no_new_privs()
    if jail.landlock is not None:
        jail.landlock.restrict(readable=("/",), writable=(filesystem.LAB, *jail.mounted), devices=jail.devices)
    kernel.drop_capabilities()


def enter_bare(jail: Jail, wanted: Limits, number: int) -> None:
    os.chdir("/")
    uid, gid, tasks = jail.uid, jail.gid, 0
    if os.geteuid() == 0:
        uid = gid = _FREE_USERS[number % len(_FREE_USERS)]
    else:
        tasks = limits.tasks_of_user(uid)
    if jail.cgroups is not None:
        jail.cgroups.enter(str(number))
    namespaces.become(uid, gid)
    limits.apply(limits.plan(wanted, in_use=jail.in_use, tasks_in_use=tasks))
    kernel.set_no_new_privs()
    if jail.landlock is None:
        raise OSError("without namespaces it is Landlock that keeps code from files, and there is none")
    jail.landlock.restrict(readable=[bind.target for bind in jail.binds], writable=jail.mounted, devices=jail.devices)
    kernel.drop_capabilities()


def close_the_door(program: bytes) -> None:
    """The last step, after which no new kind of system call is possible."""
    kernel.install_seccomp(program)


def filter_program(*, bare: bool) -> bytes:
    """The system-call filter. Without a pid namespace, code may start no process and signal nobody but itself."""
    return seccomp.build_filter(kernel.MACHINE, processes=not bare, own_pid=os.getpid() if bare else None)
