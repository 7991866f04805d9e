"""Entering the jail: flat lists of steps. Each step works or the whole fails; nothing untrusted
runs before the last.

    prepare_place      once per zygote, in its outer namespaces: a read-only root
    jail_script        a runner with namespaces
    bare_script        a runner where the machine refuses namespaces: Landlock, seccomp and limits
                       hold alone
    contained_script   a runner in a container that was made for it; the container is around all its
                       sandboxes in place of namespaces
    lone_script        the same where the container's kernel has no pidfds: a sandbox is one process
                       and can start no other
    init_script        the init of a sandbox in a container, which runs no code of the sandbox

A runner's last step is the system-call filter. docs/security/jail.md says what each step stops, and
`fumehood doctor` tries to break it.
"""

from __future__ import annotations

import fcntl
import os
import resource
from collections.abc import Sequence
from dataclasses import dataclass, field

from fumehood.jail import (
    filesystem,
    kernel,
    landlock,
    limits,
    namespaces,
    programs,
    seccomp,
    spawn,
    syscalls,
)
from fumehood.jail.filesystem import Bind
from fumehood.jail.kernel import Script, lowest_free
from fumehood.jail.limits import Cgroups
from fumehood.policy import Limits

NOBODY = 65534

WIRE = 3
"""Where a runner finds the wire; its outputs are the standard ones."""

RUNNER_NAME = "fumehood-runner"

_FEW_TASKS = 256
"""So many, all busy, can still be ended in time. To stand back for others costs a tenth of a
millisecond at each turn."""

_SCRATCH = 64 << 20

# Where no user namespace can count a sandbox's processes and hide them, each sandbox of a root host
# gets a user of its own. The range is one that distributions leave free.
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
    """In a container: where packages are put for its sandboxes. It is Landlock that keeps them from
    being changed there."""
    mounted: tuple[str, ...] = field(init=False)
    """What of the host code may write to."""
    devices: tuple[str, ...] = field(init=False)
    executable: tuple[str, ...] | None = field(init=False)
    """The only files and directories from which code may execute; None for those it sees."""

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "mounted", tuple(bind.target for bind in self.binds if bind.writable)
        )
        devices = [path for path, _reason in filesystem.DEVICES]
        if self.programs:
            devices += (path for path, _reason in filesystem.PROGRAM_DEVICES)
        object.__setattr__(self, "devices", tuple(devices))
        if isinstance(self.programs, tuple):
            paths: tuple[str, ...] | None = programs.executable(self.programs)
        else:
            paths = None if self.programs else ()
        object.__setattr__(self, "executable", paths)


def identity() -> tuple[int, int]:
    """Who code runs as: nobody if the host is root, else the host's own user."""
    return (NOBODY, NOBODY) if os.geteuid() == 0 else (os.geteuid(), os.getegid())


def prepare_place(binds: Sequence[Bind], *, files: bool, programs: bool) -> None:
    """LAB_DESCRIPTOR must be reserved."""
    inside = namespaces.INSIDE
    filesystem.build_root(binds, uid=inside, gid=inside, files=files, programs=programs)
    script = Script(lowest_free())
    # A lab for what modules write while they are imported.
    filesystem.open_labs(script, _SCRATCH, 1000, uid=os.geteuid(), gid=os.getegid())
    script.change_directory(filesystem.lab_of(0))
    filesystem.enter_home(script, filesystem.links(binds) if files else {})
    script.change_directory("/")
    script.run()
    lab = os.open(filesystem.lab_of(0), os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    os.dup2(lab, filesystem.LAB_DESCRIPTOR)  # to import what is installed below HOME
    os.close(lab)
    kernel.forbid_inspection()  # inits share this memory


def jail_script(
    script: Script,
    jail: Jail,
    wanted: Limits,
    program: bytes,
    *,
    group: int | None,
    is_first: bool,
    place: int = 0,
) -> None:
    """`group` is a descriptor by which to enter the sandbox's cgroup, `place` the lab to be in."""
    if is_first:
        if jail.files:
            filesystem.open_labs(
                script,
                wanted.lab_bytes,
                wanted.lab_files,
                uid=jail.uid,
                gid=jail.gid,
                executes=jail.programs is True,
            )
        else:
            filesystem.close_labs(script)
        if jail.programs:
            filesystem.mount_terminals(script, jail.gid)
        filesystem.mount_proc(script)
    filesystem.hold_lab(script, filesystem.lab_of(place) if jail.files else filesystem.HOME)
    if jail.programs:  # abstract names of AF_UNIX sockets are not shared with other sandboxes
        script.call("unshare the network namespace", "unshare", kernel.CLONE_NEWNET)
    if group is not None:
        script.write("enter the cgroup", group, b"0")
    script.become(jail.uid, jail.gid)
    if jail.files:
        filesystem.enter_home(script, filesystem.links(jail.binds))
    # Of itself: the user map is written in /proc/self, and libraries read there.
    script.allow_inspection()
    namespaces.own_users(script, jail.uid, jail.gid)
    reserved = limits.RESERVED_BY_PROGRAMS if jail.programs else limits.RESERVED
    planned = limits.plan(wanted, in_use=jail.in_use, tasks_in_use=0, reserved=reserved)
    _limit(script, jail, planned, has_cgroup=group is not None)
    script.gain_no_privileges()
    if jail.landlock is not None:
        mounted = map(filesystem.place_of, jail.mounted)
        writable = (filesystem.LABS, *mounted) if jail.files else ()  # mounts need files
        jail.landlock.restrict(
            script,
            readable=("/",),
            writable=writable,
            devices=jail.devices,
            executable=("/",) if jail.executable is None else jail.executable,
            terminals=(filesystem.TERMINALS,) if jail.programs else (),
        )
    _finish(script, program)


def bare_script(
    script: Script, jail: Jail, wanted: Limits, number: int, program: bytes, *, group: int | None
) -> tuple[int, int]:
    """Gives who the process is then."""
    if jail.landlock is None:
        raise OSError(
            "without namespaces it is Landlock that keeps code from files, and there is none"
        )
    uid, gid, tasks = jail.uid, jail.gid, 0
    if os.geteuid() == 0:
        uid = gid = _FREE_USERS[number % len(_FREE_USERS)]
    else:
        tasks = limits.tasks_of_user(uid)
    script.change_directory("/")
    if group is not None:
        script.write("enter the cgroup", group, b"0")
    script.become(uid, gid)
    script.die_with_parent()  # the kernel forgets it when the user changes, so not before
    _limit(script, jail, limits.plan(wanted, in_use=jail.in_use, tasks_in_use=tasks))
    script.gain_no_privileges()
    jail.landlock.restrict(
        script,
        readable=[bind.target for bind in jail.binds],
        writable=jail.mounted,
        devices=jail.devices,
    )
    _finish(script, program)
    return uid, gid


def init_script(script: Script) -> None:
    """A copy of a template in a container becomes an init. The first descriptor that it was sent is
    its socket."""
    for place in (WIRE, spawn.SOCKET):  # the first stood for a runner's wire
        script.move(spawn.SOCKET + 1, place)
    script.close_from(spawn.SOCKET + 1)
    script.die_with_parent()
    script.adopt_orphans()
    # A process group for the whole sandbox, with this process's number: it is killed as one.
    script.call("setsid", "setsid")
    script.set_process_name("fumehood-init")


def contained_script(
    script: Script, jail: Jail, wanted: Limits, program: bytes, *, own: int
) -> None:
    """`own` is a descriptor of the directory that all labs of the sandbox are in; its first lab is
    at LAB_IN_SETUP already."""
    script.enter_directory(filesystem.LAB_IN_SETUP)
    filesystem.enter_home(script)
    script.die_with_parent()
    # What a runner leaves behind becomes its init's, and so can be told from what others started.
    script.adopt_orphans()
    script.allow_inspection()
    if not 0 <= jail.most_tasks <= _FEW_TASKS and limits.is_scheduled_as_a_whole():
        script.lower_priority()
    script.die_first()  # of a container's processes, those that run code, and not the zygote
    planned = limits.plan(
        wanted, in_use=jail.in_use, tasks_in_use=jail.tasks_of_others, most_tasks=jail.most_tasks
    )
    _limit(script, jail, planned)
    script.gain_no_privileges()
    if jail.landlock is None:
        script.forbid_inspection()  # by other sandboxes, whose user is the same
    else:
        _restrict_contained(script, jail, jail.landlock, own)
    _finish(script, program, has_group=True)


def lone_script(script: Script, jail: Jail, wanted: Limits, program: bytes) -> None:
    """The sandbox's lab is at LAB_IN_SETUP already. Of what the kernel lacks, gVisor's for one,
    nothing is asked for: it has no subreapers, no choice of who dies first, and not all limits
    (limits.py); and code can start no process, so that none is left over."""
    script.enter_directory(filesystem.LAB_IN_SETUP)
    filesystem.enter_home(script)
    script.die_with_parent()
    tasks, reserved, absent = (
        limits.tasks_of_user(jail.uid),
        limits.reserved(jail.in_use),
        limits.absent(),
    )
    planned = limits.plan(
        wanted, in_use=jail.in_use, tasks_in_use=tasks, reserved=reserved, absent=absent
    )
    _limit(script, jail, planned)
    script.gain_no_privileges()
    script.forbid_inspection()  # by other sandboxes, whose user is the same
    if jail.landlock is not None:
        _restrict_contained(script, jail, jail.landlock, filesystem.LAB_IN_SETUP)
    _finish(script, program)


def _limit(script: Script, jail: Jail, planned: limits.Plan, *, has_cgroup: bool = True) -> None:
    """Set the limits of a process. Without files, no file may have any content: that holds where
    there is neither a mount namespace nor Landlock, too. `has_cgroup` says that a cgroup limits
    memory, its own or that of a container."""
    if jail.programs and has_cgroup:  # node and Java map more than they use
        planned = tuple(row for row in planned if row[0] != resource.RLIMIT_AS)
    limits.apply(script, planned)
    if not jail.files:
        script.limit(resource.RLIMIT_FSIZE, 0)


def _restrict_contained(script: Script, jail: Jail, rules: landlock.Rules, own: int) -> None:
    """Restrict a process in a container to the libraries and, with files, to its own directory."""
    readable = (bind.target for bind in jail.binds)
    rules.restrict(
        script,
        readable=(*readable, "/proc", *([jail.packages] if jail.packages else [])),
        writable=jail.mounted,
        devices=jail.devices,
        own=(own,) if jail.files else (),
        executable=(
            (bind.target for bind in jail.binds) if jail.executable is None else jail.executable
        ),
        executes_own=jail.executable is None,
        terminals=(filesystem.TERMINALS, "/dev/ptmx") if jail.programs else (),
    )


def _finish(script: Script, program: bytes, *, has_group: bool = False) -> None:
    """The last steps of a runner. It keeps no descriptors but the standard three, the wire and the
    lab; its input is empty. `has_group` says that it stays in its init's process group."""
    script.drop_capabilities()
    if not has_group:
        # A session of its own tells what code starts from what others start.
        script.call("setsid", "setsid")
    null = script.open("/dev/null", os.O_RDONLY)
    script.move(null, 0)
    script.close_from(filesystem.LAB_IN_SETUP + 1)
    script.move(filesystem.LAB_IN_SETUP, filesystem.LAB_DESCRIPTOR)
    script.call("close", "close", filesystem.LAB_IN_SETUP)
    script.call("keep the wire from programs", "fcntl", WIRE, fcntl.F_SETFD, fcntl.FD_CLOEXEC)
    script.set_process_name(RUNNER_NAME)
    script.filter_system_calls(program)


def filter_program(*, bare: bool, contained: bool = False, may_execute: bool = False) -> bytes:
    """The system-call filter. Without a pid namespace, code may start no process and signal only
    itself; in a container it may."""
    return seccomp.build_filter(
        kernel.MACHINE,
        processes=not bare,
        own_pid=os.getpid() if bare else None,
        contained=contained,
        rows=syscalls.rows(programs=may_execute and not bare),
    )
