"""Entering the jail: `runner_script` is the list of steps. Each step works or the whole fails, and
nothing untrusted runs before the last, which is the system-call filter.

A runner enters in one of two modes:

    namespaces   namespaces of its own, in the root that `prepare_place` has made for its zygote
    bare         the machine refuses namespaces: Landlock, seccomp and limits hold alone, and a
                 sandbox is one process. It has a workspace only in a container made for it

docs/security/jail.md says what each step stops, and `fumehood doctor` tries to break it.
"""

from __future__ import annotations

import fcntl
import functools
import os
import resource
from dataclasses import dataclass
from typing import Literal

from fumehood.jail import filesystem, kernel, landlock, limits, namespaces, seccomp, syscalls
from fumehood.jail.filesystem import LAB_IN_SETUP, Bind
from fumehood.jail.kernel import Script, lowest_free
from fumehood.jail.limits import Cgroups
from fumehood.policy import Limits

NOBODY = 65534

WIRE = 3
"""Where a runner finds the wire; its outputs are the standard ones."""

RUNNER_NAME = "fumehood-runner"

_SCRATCH = 64 << 20

# Where no user namespace can count a sandbox's processes and hide them, each sandbox of a root host
# gets a user of its own. Distributions leave this range free.
_FREE_USERS = range(60578, 61184)

Mode = Literal["namespaces", "bare"]


@dataclass(frozen=True, slots=True)
class Jail:
    """What is the same for every sandbox of one zygote."""

    uid: int
    gid: int
    binds: tuple[Bind, ...]
    files: bool
    """Whether code has directories to write to (Policy.files)."""
    programs: bool | tuple[str, ...]
    """Whether code may execute programs, or which (Policy.programs)."""
    in_use: limits.Memory
    """What a process has that has imported everything: that memory is not the sandbox's."""
    cgroups: Cgroups | None = None
    is_contained: bool = False
    """Whether a container was made for the sandboxes, and limits the memory of all together."""
    landlock: landlock.Rules | None = None
    """None where the kernel has none."""


def identity() -> tuple[int, int]:
    """Who code runs as: the user nobody if the host is root, else the host's own user."""
    return (NOBODY, NOBODY) if os.geteuid() == 0 else (os.geteuid(), os.getegid())


def prepare_place(jail: Jail) -> None:
    """Make the root of a zygote in its outer namespaces. LAB_DESCRIPTOR must be reserved."""
    inside = namespaces.INSIDE
    programs = bool(jail.programs)
    filesystem.build_root(jail.binds, uid=inside, gid=inside, files=jail.files, programs=programs)
    script = Script(lowest_free())
    # A workspace for what modules write while they are imported.
    filesystem.open_labs(script, _SCRATCH, 1000, uid=os.geteuid(), gid=os.getegid())
    script.change_directory(filesystem.lab_of(0))
    filesystem.enter_home(script, filesystem.links(jail.binds) if jail.files else {})
    script.change_directory("/")
    script.run()
    lab = os.open(filesystem.lab_of(0), os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    os.dup2(lab, filesystem.LAB_DESCRIPTOR)  # to import what is installed below HOME
    os.close(lab)
    kernel.forbid_inspection()  # inits share this memory


def runner_script(
    script: Script,
    jail: Jail,
    wanted: Limits,
    mode: Mode,
    *,
    group: int | None = None,
    is_first: bool = True,
    place: int = 0,
    number: int = 0,
    has_workspace: bool = True,
) -> tuple[int, int]:
    """Gives who the process is then, as the kernel numbers users where it starts.

    `group` is a descriptor by which to enter the sandbox's cgroup, `place` the workspace to be in,
    and `number` that of the sandbox. `has_workspace` is for the mode "bare": whether LAB_IN_SETUP
    is a workspace.
    """
    uid, gid = jail.uid, jail.gid
    if mode == "bare" and jail.landlock is None and not jail.is_contained:
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
    elif has_workspace:
        script.call("fchdir", LAB_IN_SETUP)
        filesystem.enter_home(script)
    else:
        script.change_directory("/")
    if group is not None:
        script.write("enter the cgroup", group, b"0")
    script.become(uid, gid)
    if mode == "namespaces":
        if jail.files:
            filesystem.enter_home(script, filesystem.links(jail.binds))
        # Of itself: the user map is written in /proc/self, and libraries read there.
        script.allow_inspection()
        namespaces.own_users(script, uid, gid)
    else:
        script.die_with_parent()  # the kernel forgets it when the user changes, so not before
    if group is None and mode == "namespaces":
        # When the memory of all sandboxes runs out, the kernel kills what runs code, and not the
        # zygote.
        script.write_file("/proc/self/oom_score_adj", b"1000")
    _set_limits(script, jail, wanted, mode, uid, is_grouped=group is not None)
    script.gain_no_privileges()
    if mode == "bare":
        script.forbid_inspection()  # by other sandboxes, whose user may be the same
    if jail.landlock is not None:
        _restrict_files(script, jail, jail.landlock, mode, has_workspace)
    script.drop_capabilities()
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
    own_pid = os.getpid() if mode == "bare" else None
    script.filter_system_calls(_filter(own_pid, bool(jail.programs)))
    return uid, gid


def _set_limits(
    script: Script, jail: Jail, wanted: Limits, mode: Mode, uid: int, *, is_grouped: bool
) -> None:
    tasks, reserved = 0, limits.RESERVED
    if mode == "bare":
        reserved = limits.reserved(jail.in_use)
        if os.geteuid() != 0:
            tasks = limits.tasks_of_user(uid)
    elif jail.programs:
        reserved = limits.RESERVED_BY_PROGRAMS
    planned = limits.plan(wanted, in_use=jail.in_use, tasks_in_use=tasks, reserved=reserved)
    if mode == "bare":
        for kind in limits.absent():
            del planned[kind]
    # With a cgroup, its own or a container's: node and Java map more memory than they use.
    if jail.programs and mode == "namespaces" and (is_grouped or jail.is_contained):
        del planned[resource.RLIMIT_AS]
    for kind, value in planned.items():
        script.limit(kind, value)
    if not jail.files:  # no file may have content, also without a mount namespace and Landlock
        script.limit(resource.RLIMIT_FSIZE, 0)


def _restrict_files(
    script: Script, jail: Jail, rules: landlock.Rules, mode: Mode, has_workspace: bool
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
    else:
        executable, terminals = [], []
        readable += ["/proc"] if has_workspace else []  # its paths lead through /proc/self/fd
    devices = filesystem.DEVICES + (filesystem.PROGRAM_DEVICES if jail.programs else ())
    rules.restrict(
        script,
        readable=readable,
        writable=[*writable, *(path for path, _reason in devices)],
        executable=executable,
        terminals=terminals,
        # Also where a rule for all of LABS includes it: the kernel looks from a file upwards.
        own=(LAB_IN_SETUP,) if jail.files and has_workspace else (),
    )


@functools.cache
def _filter(own_pid: int | None, programs: bool) -> bytes:
    """The system-call filter. Without a pid namespace (`own_pid`), code may start no process and
    signal only itself."""
    return seccomp.build_filter(
        kernel.MACHINE,
        processes=own_pid is None,
        own_pid=own_pid,
        rows=syscalls.rows(programs=programs and own_pid is None),
    )
