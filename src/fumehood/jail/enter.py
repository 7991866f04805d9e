"""Entering the jail: flat lists of steps. Each works or raises; no step fails quietly, and nothing untrusted runs before the last.

    prepare_place      once per zygote: a network-less world with a read-only root
    enter_as_keeper    the first process of a sandbox: gives it processes, files and a user of its own
    enter_as_runner    the process that runs code: joins the keeper, then gives up everything that code does not need
    enter_bare         the runner's steps where the machine refuses namespaces: Landlock, seccomp and limits hold alone

What each step stops is told in docs/security and shown by `fumehood doctor`.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

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
    landlock_abi: int
    """0 where the kernel has none."""
    in_use: limits.Memory
    cgroups: Cgroups | None

    @property
    def writable(self) -> list[str]:
        return [filesystem.LAB, *(bind.target for bind in self.binds if bind.writable)]

    @property
    def devices(self) -> list[str]:
        return [path for path, _reason in filesystem.DEVICES]


def identity() -> tuple[int, int]:
    """Who code runs as: nobody if the host is root, else the host's own user."""
    return (NOBODY, NOBODY) if os.geteuid() == 0 else (os.geteuid(), os.getegid())


def prepare_place(binds: Sequence[Bind]) -> None:
    filesystem.build_root(binds, uid=namespaces.INSIDE, gid=namespaces.INSIDE)
    filesystem.open_lab(_SCRATCH, 1000, uid=os.geteuid(), gid=os.getegid())  # for what modules write while the zygote imports them


def enter_as_keeper(uid: int, gid: int, lab_bytes: int, lab_files: int) -> None:
    namespaces.leave_the_others()
    filesystem.open_lab(lab_bytes, lab_files, uid=uid, gid=gid)
    filesystem.mount_proc()
    namespaces.become(uid, gid)
    kernel.allow_inspection()  # changing users hid /proc/self from ourselves, and the user map is written there
    namespaces.own_users(uid, gid)
    kernel.forbid_inspection()
    kernel.set_no_new_privs()
    kernel.drop_capabilities()


def enter_as_runner(jail: Jail, wanted: Limits, keeper: int, sandbox: str) -> None:
    namespaces.join_files(keeper)
    os.chdir(filesystem.LAB)
    if jail.cgroups is not None:
        jail.cgroups.enter(sandbox)
    namespaces.join_users(keeper)
    namespaces.become(namespaces.INSIDE, namespaces.INSIDE)
    kernel.allow_inspection()  # of itself: libraries read /proc/self
    limits.apply(wanted, in_use=jail.in_use, tasks_in_use=1)  # the keeper
    kernel.set_no_new_privs()
    if jail.landlock_abi:
        landlock.restrict(jail.landlock_abi, readable=["/"], writable=jail.writable, devices=jail.devices)
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
    limits.apply(wanted, in_use=jail.in_use, tasks_in_use=tasks)
    kernel.set_no_new_privs()
    landlock.restrict(
        jail.landlock_abi,
        readable=[bind.target for bind in jail.binds],
        writable=[bind.target for bind in jail.binds if bind.writable],
        devices=jail.devices,
    )
    kernel.drop_capabilities()


def close_the_door(program: bytes) -> None:
    """The last step, after which no new kind of system call is possible."""
    kernel.install_seccomp(program)


def filter_program(*, bare: bool) -> bytes:
    """The system-call filter. Without a pid namespace, code may start no process and signal nobody but itself."""
    return seccomp.build_filter(kernel.MACHINE, processes=not bare, own_pid=os.getpid() if bare else None)
