"""Entering the jail: `runner_script` is the list of steps. Each step works or the whole fails, and
nothing untrusted runs before the last, which is the system-call filter.

A runner enters in one of four modes:

    namespaces   namespaces of its own, in the root that `prepare_place` has made for its zygote
    bare         the machine refuses namespaces: Landlock, seccomp and limits hold alone
    container    the container was made for it, and is around all its sandboxes in place of
                 namespaces; each has an init (`init_script`), which runs no code of the sandbox
    alone        as container, but its kernel has no pidfds: a sandbox is one process

docs/security/jail.md says what each step stops, and `fumehood doctor` tries to break it.
"""

from __future__ import annotations

import fcntl
import functools
import os
import resource
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from fumehood.jail import filesystem, kernel, landlock, limits, namespaces, seccomp, spawn, syscalls
from fumehood.jail.filesystem import LAB_IN_SETUP, Bind
from fumehood.jail.kernel import Script, lowest_free
from fumehood.jail.limits import Cgroups
from fumehood.policy import Limits

NOBODY = 65534

WIRE = 3
"""Where a runner finds the wire; its outputs are the standard ones."""

RUNNER_NAME = "fumehood-runner"

_FEW_TASKS = 256
"""So many, all busy, can still be ended in time. A lower priority costs a tenth of a millisecond at
each turn."""

_LOWEST_PRIORITY = 19

_SCRATCH = 64 << 20

# Where no user namespace can count a sandbox's processes and hide them, each sandbox of a root host
# gets a user of its own. Distributions leave this range free.
_FREE_USERS = range(60578, 61184)

Mode = Literal["namespaces", "bare", "container", "alone"]


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
    files: bool
    """Whether code has directories to write to (Policy.files)."""
    programs: bool | tuple[str, ...]
    """Whether code may execute programs, or which (Policy.programs)."""
    tasks_of_others: int = 0
    """In a container: how many processes and threads the kernel counts, or may come to count,
    besides those of a sandbox."""
    most_tasks: int = resource.RLIM_INFINITY
    """In a container: how many there may be together."""
    packages: str = ""
    """In a container: where packages are put for its sandboxes. Landlock keeps code from changing
    them."""


def identity() -> tuple[int, int]:
    """Who code runs as: the user nobody if the host is root, else the host's own user."""
    return (NOBODY, NOBODY) if os.geteuid() == 0 else (os.geteuid(), os.getegid())


def prepare_place(binds: Sequence[Bind], *, files: bool, programs: bool) -> None:
    """Make the root of a zygote in its outer namespaces. LAB_DESCRIPTOR must be reserved."""
    inside = namespaces.INSIDE
    filesystem.build_root(binds, uid=inside, gid=inside, files=files, programs=programs)
    script = Script(lowest_free())
    # A workspace for what modules write while they are imported.
    filesystem.open_labs(script, _SCRATCH, 1000, uid=os.geteuid(), gid=os.getegid())
    script.change_directory(filesystem.lab_of(0))
    filesystem.enter_home(script, filesystem.links(binds) if files else {})
    script.change_directory("/")
    script.run()
    lab = os.open(filesystem.lab_of(0), os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    os.dup2(lab, filesystem.LAB_DESCRIPTOR)  # to import what is installed below HOME
    os.close(lab)
    kernel.forbid_inspection()  # inits share this memory


def init_script(script: Script) -> None:
    """A copy of a template in a container becomes an init. The first descriptor that it was sent is
    its socket."""
    for place in (WIRE, spawn.SOCKET):  # the template's own socket is at both
        script.move(spawn.SOCKET + 1, place)
    script.close_from(spawn.SOCKET + 1)
    script.die_with_parent()
    script.adopt_orphans()
    # A process group for the whole sandbox, with this process's number: it is killed as one.
    script.call("setsid")
    script.set_process_name("fumehood-init")


def runner_script(
    script: Script,
    jail: Jail,
    wanted: Limits,
    mode: Mode,
    *,
    group: int | None = None,
    own: int = LAB_IN_SETUP,
    is_first: bool = True,
    place: int = 0,
    number: int = 0,
) -> tuple[int, int]:
    """Gives who the process is then, as the kernel numbers users where it starts.

    `group` is a descriptor by which to enter the sandbox's cgroup, `place` the workspace to be in,
    and `number` that of the sandbox. In a container, its first workspace is open as LAB_IN_SETUP,
    and `own` is the directory of all its workspaces.
    """
    uid, gid = jail.uid, jail.gid
    if mode == "bare" and jail.landlock is None:
        raise OSError("without namespaces only Landlock protects files, and there is none")
    if mode == "bare" and os.geteuid() == 0:
        uid = gid = _FREE_USERS[number % len(_FREE_USERS)]
    if mode == "namespaces":
        # The first runner mounts what all runners of the sandbox share.
        if is_first and jail.files:
            size, files, executes = wanted.lab_bytes, wanted.lab_files, jail.programs is True
            filesystem.open_labs(script, size, files, uid=uid, gid=gid, executes=executes)
        elif is_first:
            filesystem.close_labs(script)
        if is_first and jail.programs:
            filesystem.mount_terminals(script, gid)
        if is_first:
            filesystem.mount_proc(script)
        filesystem.hold_lab(script, filesystem.lab_of(place) if jail.files else filesystem.HOME)
        if jail.programs:  # abstract names of AF_UNIX sockets are not shared with other sandboxes
            script.unshare(kernel.CLONE_NEWNET)
    elif mode == "bare":
        script.change_directory("/")
    else:
        script.call("fchdir", LAB_IN_SETUP)
        filesystem.enter_home(script)
    if group is not None:
        script.write("enter the cgroup", group, b"0")
    if mode in ("namespaces", "bare"):
        script.become(uid, gid)
    if mode == "namespaces":
        if jail.files:
            filesystem.enter_home(script, filesystem.links(jail.binds))
        # Of itself: the user map is written in /proc/self, and libraries read there.
        script.allow_inspection()
        namespaces.own_users(script, uid, gid)
    else:
        script.die_with_parent()  # the kernel forgets it when the user changes, so not before
    if mode == "container":
        # What a runner leaves behind becomes its init's, so it differs from what others started.
        script.adopt_orphans()
        script.allow_inspection()
        if not 0 <= jail.most_tasks <= _FEW_TASKS and limits.is_scheduled_as_a_whole():
            # Many busy processes must not delay those that can end them.
            script.call("setpriority", os.PRIO_PROCESS, 0, _LOWEST_PRIORITY)
        # When memory runs out, the kernel kills processes that run code, and not the zygote.
        script.write_file("/proc/self/oom_score_adj", b"1000")
    _set_limits(script, jail, wanted, mode, uid, is_grouped=group is not None)
    script.gain_no_privileges()
    if mode == "alone" or (mode == "container" and jail.landlock is None):
        script.forbid_inspection()  # by other sandboxes, whose user is the same
    if jail.landlock is not None:
        _restrict_files(script, jail, jail.landlock, mode, own)
    script.drop_capabilities()
    if mode != "container":  # there it stays in its init's group
        # A session of its own tells what code starts from what others start.
        script.call("setsid")
    # It keeps the standard descriptors, the wire and the workspace; its input is empty.
    null = script.open("/dev/null", os.O_RDONLY)
    script.move(null, 0)
    script.close_from(LAB_IN_SETUP + 1)
    script.move(LAB_IN_SETUP, filesystem.LAB_DESCRIPTOR)
    script.call("close", LAB_IN_SETUP)
    script.call("fcntl", WIRE, fcntl.F_SETFD, fcntl.FD_CLOEXEC)  # programs do not get the wire
    script.set_process_name(RUNNER_NAME)
    own_pid = os.getpid() if mode in ("bare", "alone") else None
    script.filter_system_calls(_filter(mode == "container", own_pid, bool(jail.programs)))
    return uid, gid


def _set_limits(
    script: Script, jail: Jail, wanted: Limits, mode: Mode, uid: int, *, is_grouped: bool
) -> None:
    tasks, most_tasks, reserved = 0, resource.RLIM_INFINITY, limits.RESERVED
    if mode == "namespaces" and jail.programs:
        reserved = limits.RESERVED_BY_PROGRAMS
    elif mode == "container":
        tasks, most_tasks = jail.tasks_of_others, jail.most_tasks
    elif mode == "alone":
        tasks, reserved = limits.tasks_of_user(uid), limits.reserved(jail.in_use)
    elif mode == "bare" and os.geteuid() != 0:
        tasks = limits.tasks_of_user(uid)
    planned = limits.plan(
        wanted, in_use=jail.in_use, tasks_in_use=tasks, most_tasks=most_tasks, reserved=reserved
    )
    if mode == "alone":
        for kind in limits.absent():
            del planned[kind]
    # With a cgroup, its own or a container's: node and Java map more memory than they use.
    if jail.programs and (is_grouped or mode in ("container", "alone")):
        del planned[resource.RLIMIT_AS]
    for kind, value in planned.items():
        script.limit(kind, value)
    if not jail.files:  # no file may have content, also without a mount namespace and Landlock
        script.limit(resource.RLIMIT_FSIZE, 0)


def _restrict_files(
    script: Script, jail: Jail, rules: landlock.Rules, mode: Mode, own: int
) -> None:
    """Landlock: see everything in a root of its own, else the libraries; write to its workspaces
    and to writable mounts; execute what the policy says."""
    readable = ["/"] if mode == "namespaces" else [bind.target for bind in jail.binds]
    writable = [bind.target for bind in jail.binds if bind.writable]
    executable = [*readable] if jail.programs is True else []
    if isinstance(jail.programs, tuple):
        executable += landlock.executable(jail.programs)
    terminals = [filesystem.TERMINALS] if jail.programs else []
    if mode == "namespaces":
        places = map(filesystem.place_of, writable)
        writable = [filesystem.LABS, *places] if jail.files else []  # mounts need files
    elif mode == "bare":
        executable, terminals = [], []
    else:
        readable += ["/proc", *filter(None, [jail.packages])]
        terminals += ["/dev/ptmx"] if jail.programs else []
    devices = filesystem.DEVICES + (filesystem.PROGRAM_DEVICES if jail.programs else ())
    rules.restrict(
        script,
        readable=readable,
        writable=[*writable, *(path for path, _reason in devices)],
        executable=executable,
        terminals=terminals,
        own=(own,) if jail.files and mode in ("container", "alone") else (),
        executes_own=jail.programs is True,
    )


@functools.cache
def _filter(contained: bool, own_pid: int | None, programs: bool) -> bytes:
    """The system-call filter. Without a pid namespace or a container's init (`own_pid`), code may
    start no process and signal only itself."""
    return seccomp.build_filter(
        kernel.MACHINE,
        processes=own_pid is None,
        own_pid=own_pid,
        contained=contained,
        rows=syscalls.rows(programs=programs and own_pid is None),
    )
