"""The supervisor: the process that the host starts. It stays outside of everything it starts, and
cleans up after it.

    host ── supervisor ── zygote (outer namespaces, read-only root)
                           ├─ template, which has imported everything
                           ├─ inits, one per sandbox, in namespaces of their own
                           └─ runners, copies of the template, each in the namespaces of its init

It watches the host through a pidfd: when the host ends, for whatever reason, everything here ends.
In a container the host is the container's first process of ours (worker/remote.py). Where the
machine or the container refuses namespaces there are no inits, the zygote is its own template, and
a sandbox is one process. Where the container's kernel has no pidfds, as gVisor's, the container
ends with the supervisor's host.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import gc
import json
import os
import select
import signal
import socket
import sys
from collections.abc import Callable
from importlib import machinery
from typing import Any

from fumehood.jail import enter, filesystem, kernel, limits, namespaces, spawn
from fumehood.jail.filesystem import LAB_DESCRIPTOR, Bind, visible
from fumehood.jail.kernel import Script, lowest_free
from fumehood.jail.report import why
from fumehood.policy import Limits, Mount
from fumehood.worker import fork, zygote
from fumehood.worker.start import Plan
from fumehood.worker.trees import remove_tree

_NAME = "fumehood-"
_NO_PIDFDS = "this kernel has no handles on processes (pidfds)"

# How a machine says that namespaces are not for us: its seccomp filter, its security module, its
# limits. Anything else is a failure.
_REFUSALS = (errno.EPERM, errno.EACCES, errno.ENOSYS, errno.EINVAL, errno.ENOSPC, errno.EUSERS)


def main() -> None:
    guard(socket.socket(fileno=int(sys.argv[1])))


def guard(control: socket.socket) -> None:
    """Be the supervisor, for the process at the other end of the socket. All other descriptors may
    be closed."""
    with control as given:
        control = socket.socket(fileno=fcntl.fcntl(given, fcntl.F_DUPFD_CLOEXEC, 16))
    os.closerange(3, 16)
    while os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC) < LAB_DESCRIPTOR:
        pass  # reserved for the lab
    gc.enable()  # all is imported
    setup = json.loads(control.recv(1 << 20))
    host: int | None = None
    try:
        host = os.pidfd_open(setup["host"])
    except OSError as error:
        if error.errno != errno.ENOSYS or not setup.get("contained", False):
            raise _fail(
                control, f"the host's process cannot be watched: {error.strerror}"
            ) from None
        kernel.die_with_parent(signal.SIGTERM)
    if os.getppid() != setup["host"]:
        return  # it is gone already, and its number may be another's
    signal.pthread_sigmask(signal.SIG_SETMASK, ())  # the starting thread may have blocked some
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(0))  # so that the cleanup below runs
    if setup["path"] is None:  # another root has its own
        sys.path.append(sys.path.pop(0))
    else:
        sys.path[:] = setup["path"]
    # Python learns what is at each entry of the path while the machine's files are in sight.
    machinery.PathFinder.find_spec("fumehood_nothing")
    kernel.set_process_name("fumehood-superv")
    cgroups: limits.Cgroups | None = None
    cgroups_why = ""
    try:
        limits.sweep_cgroups(_NAME)
        cgroups = limits.open_cgroups(f"{_NAME}{os.getpid()}")
    except OSError as error:
        cgroups_why = why(error)
    plan: Plan | None = None
    try:
        try:
            plan = _plan(setup, cgroups, cgroups_why, pidfds=host is not None)
            child = _start(control, plan)
        except OSError as error:
            raise _fail(control, str(error)) from None
        _watch(host, child)
    finally:
        if plan is not None and plan.labs:
            remove_tree(plan.labs)
        if cgroups is not None:
            limits.close_cgroups(cgroups)


def _plan(
    setup: dict[str, Any], cgroups: limits.Cgroups | None, cgroups_why: str, *, pidfds: bool
) -> Plan:
    uid, gid = enter.identity()
    if os.geteuid() == 0:
        # A container may have taken the right to; then there are none to give up either.
        with contextlib.suppress(OSError):
            os.setgroups([])
    os.umask(0o022)
    policy, is_contained = setup["policy"], setup.get("contained", False)
    files, programs = bool(policy["files"]), policy["programs"]
    programs = tuple(programs) if isinstance(programs, list) else bool(programs)
    in_use = limits.memory_in_use()
    jail = enter.Jail(uid, gid, _binds(setup), files, programs, in_use, cgroups, is_contained)
    namespaces_why = _why_no_namespaces(jail, Limits(**policy["limits"])) if pidfds else _NO_PIDFDS
    labs = _labs() if is_contained and namespaces_why else ""
    return Plan(jail, policy, cgroups_why, namespaces_why, labs, pidfds)


def _labs() -> str:
    """Where labs are in a container. OSError if it is not one to run code in."""
    if os.geteuid() == 0:
        raise OSError(
            "this container runs as root, and code would, too; give it another user, as it has"
            " unless it was told otherwise"
        )
    return filesystem.make_container_labs()


def _start(control: socket.socket, plan: Plan) -> int:
    """Start the zygote, in namespaces where they can be had; gives its process id."""
    if plan.labs:
        kernel.forbid_inspection()
    elif not plan.namespaces_why:
        namespaces.leave_the_host()
    pid = fork.start(lambda: zygote.serve(control, plan))
    control.close()
    return pid


def _why_no_namespaces(jail: enter.Jail, wanted: Limits) -> str:
    """Try it all once in processes that end right after: a process that has left the host's
    namespaces could not start anew without."""
    reader, writer = os.pipe()

    def attempt(steps: Callable[[], None]) -> None:
        """In a process of its own."""

        def run() -> None:
            try:
                steps()
            except OSError as error:
                verdict = "refused" if error.errno in _REFUSALS else "failed"
                os.write(writer, f"{verdict}:{why(error)}\n".encode())

        os.waitpid(fork.start(run), 0)

    def leave() -> None:
        namespaces.leave_the_host()
        attempt(start)

    def start() -> None:
        enter.prepare_place(jail)
        home = namespaces.Home()
        with home.away():
            spawn.start_init()
            namespaces.here().close()
            attempt(enter_jail)

    def enter_jail() -> None:
        script = Script(lowest_free())
        enter.runner_script(script, jail, wanted, "namespaces")
        script.run()

    attempt(leave)
    os.close(writer)
    told, _, _ = os.read(reader, 4096).decode().partition("\n")
    os.close(reader)
    verdict, _, reason = told.partition(":")
    if verdict == "failed":
        raise OSError(f"the sandbox's root cannot be made: {reason}")
    return reason


def _binds(setup: dict[str, Any]) -> tuple[Bind, ...]:
    policy = setup["policy"]
    return visible(
        policy["imports"],
        [Mount(**mount) for mount in policy["mounts"]],
        setup.get("environments", ()),
        programs=bool(policy["programs"]),
    )


def _watch(host: int | None, child: int) -> None:
    """Until the host or the child ends; then end the child, and with it all that it started.
    Without pidfds it is a signal that tells of the host's end."""
    if host is None:
        try:
            os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
        finally:
            os.kill(child, signal.SIGKILL)  # its number is not another's before it was waited for
            os.waitpid(child, 0)
        return
    watched = os.pidfd_open(child)
    poll = select.poll()
    poll.register(host, select.POLLIN)
    poll.register(watched, select.POLLIN)
    try:
        poll.poll()
    finally:
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(watched, signal.SIGKILL)
        os.waitpid(child, 0)


def _fail(control: socket.socket, text: str) -> SystemExit:
    control.send(json.dumps({"failed": text}).encode())
    return SystemExit(1)
