"""The guardian: the process that the host starts. It stays outside of everything it starts, and cleans up after it.

    host ── guardian ── steward (outer namespaces, read-only root)
                         ├─ zygote (imports done)
                         │   └─ runners, each in the namespaces of its keeper
                         └─ keepers, one per sandbox

It watches the host through a pidfd: when the host is gone, however it went, everything here goes. Where the machine refuses namespaces
there is neither steward nor keeper, and the zygote is the guardian's own child.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import select
import signal
import socket
import sys
from typing import Any

from fumehood.jail import enter, kernel, limits, namespaces
from fumehood.jail.filesystem import Bind, visible
from fumehood.jail.report import why
from fumehood.policy import Mount
from fumehood.worker import fork, steward, zygote
from fumehood.worker.plan import Plan
from fumehood.worker.signals import end_tidily

_NAME = "fumehood-"

# How a machine says that namespaces are not for us: its seccomp filter, its security module, its limits. Anything else is a failure.
_REFUSALS = (errno.EPERM, errno.EACCES, errno.ENOSYS, errno.EINVAL, errno.ENOSPC, errno.EUSERS)


def main() -> None:
    control = socket.socket(fileno=int(sys.argv[1]))
    setup = json.loads(control.recv(1 << 20))
    try:
        host = os.pidfd_open(setup["host"])
    except OSError as error:
        raise _fail(control, f"the host's process cannot be watched: {error.strerror}") from None
    if os.getppid() != setup["host"]:
        return  # it is gone already, and its number may be another's
    end_tidily()
    sys.path[:] = setup["path"]
    kernel.set_process_name("fumehood-guard")
    cgroups, cgroups_why = _open_cgroups()
    try:
        try:
            child = _start(control, setup, cgroups, cgroups_why)
        except OSError as error:
            raise _fail(control, str(error)) from None
        _watch(host, child)
    finally:
        if cgroups is not None:
            limits.close_cgroups(cgroups)


def _start(control: socket.socket, setup: dict[str, Any], cgroups: limits.Cgroups | None, cgroups_why: str) -> int:
    """Start the steward, or the zygote alone where there can be no steward; gives the process id of what is to be watched."""
    uid, gid = enter.identity()
    if os.geteuid() == 0:
        with contextlib.suppress(OSError):  # a container may have taken the right to; then there are none to give up either
            os.setgroups([])
    os.umask(0o022)
    plan = Plan(
        uid=uid,
        gid=gid,
        binds=_binds(setup),
        policy=setup["policy"],
        cgroups=cgroups,
        cgroups_why=cgroups_why,
        namespaces_why=_why_no_namespaces(setup, uid, gid),
    )
    if plan.namespaces_why:
        pid = fork.start(lambda: zygote.serve(control, plan, None))
    else:
        namespaces.leave_the_host()
        pid = fork.start(lambda: steward.serve(plan, lambda keepers: zygote.serve(control, plan, keepers)))
    control.close()
    return pid


def _why_no_namespaces(setup: dict[str, Any], uid: int, gid: int) -> str:
    """Try it all once in processes that end right after: a process that has left the host's namespaces could not start anew without."""
    reader, writer = os.pipe()
    wanted = setup["policy"]["limits"]

    def tell(error: OSError) -> None:
        refused = error.errno in _REFUSALS
        os.write(writer, f"{'refused' if refused else 'failed'}:{why(error)}\n".encode())

    def try_keeping() -> None:
        try:
            enter.enter_as_keeper(uid, gid, wanted["lab_bytes"], wanted["lab_files"])
        except OSError as error:
            tell(error)

    def try_stewarding() -> None:
        try:
            enter.prepare_place(_binds(setup))
            children = namespaces.Children()
            children.in_new_namespace()
            os.waitpid(fork.start(try_keeping), 0)
            children.here()
        except OSError as error:
            tell(error)

    def try_leaving() -> None:
        try:
            namespaces.leave_the_host()
            os.waitpid(fork.start(try_stewarding), 0)
        except OSError as error:
            tell(error)

    os.waitpid(fork.start(try_leaving), 0)
    os.close(writer)
    told, _, _ = os.read(reader, 4096).decode().partition("\n")
    os.close(reader)
    verdict, _, reason = told.partition(":")
    if verdict == "failed":
        raise OSError(f"the sandbox's root cannot be made: {reason}")
    return reason


def _binds(setup: dict[str, Any]) -> tuple[Bind, ...]:
    policy = setup["policy"]
    return visible(policy["imports"], [Mount(**mount) for mount in policy["mounts"]])


def _watch(host: int, child: int) -> None:
    """Until the host or the child ends; then end the child, and with it all that it started."""
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


def _open_cgroups() -> tuple[limits.Cgroups | None, str]:
    try:
        limits.sweep_cgroups(_NAME)
        return limits.open_cgroups(f"{_NAME}{os.getpid()}"), ""
    except OSError as error:
        return None, why(error)


def _fail(control: socket.socket, text: str) -> SystemExit:
    control.send(json.dumps({"failed": text}).encode())
    return SystemExit(1)
