"""Giving up what a process could do beyond what any process can: steps of the jail's script."""

from __future__ import annotations

import signal
import struct

from fumehood.jail import kernel
from fumehood.jail.script import Script

_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_PR_SET_NAME = 15
_PR_CAPBSET_DROP = 24
_PR_SET_CHILD_SUBREAPER = 36
_PR_SET_NO_NEW_PRIVS = 38
_PR_CAP_AMBIENT = 47
_PR_CAP_AMBIENT_CLEAR_ALL = 4
_CAPABILITY_VERSION_3 = 0x20080522
_SECCOMP_SET_MODE_FILTER = 1
_LOWEST = 19


def allow_inspection(script: Script) -> None:
    """Let this process's user look at it in /proc, itself included."""
    script.prctl("PR_SET_DUMPABLE", _PR_SET_DUMPABLE, 1)


def set_process_name(script: Script, name: str) -> None:
    script.prctl("PR_SET_NAME", _PR_SET_NAME, name.encode()[:15] + b"\0")


def die_with_parent(script: Script) -> None:
    script.prctl("PR_SET_PDEATHSIG", _PR_SET_PDEATHSIG, signal.SIGKILL)


def forbid_inspection(script: Script) -> None:
    """Keep other processes of the same user from reading this one's memory and from seeing what it
    has open."""
    script.prctl("PR_SET_DUMPABLE", _PR_SET_DUMPABLE, 0)


def adopt_orphans(script: Script) -> None:
    """What loses its parent below this process becomes a child of this one."""
    script.prctl("PR_SET_CHILD_SUBREAPER", _PR_SET_CHILD_SUBREAPER, 1)


def die_first(script: Script) -> None:
    """When memory runs out, the kernel is to end this process, and what it starts, before any that
    did not ask for it."""
    script.write_file("/proc/self/oom_score_adj", b"1000")


def stand_back(script: Script) -> None:
    """Others go first, where the scheduler has a choice: a crowd must not keep those from working
    who could end it."""
    script.call("setpriority", "setpriority", 0, 0, _LOWEST)


def promise_no_new(script: Script) -> None:
    """Nothing that is executed from here on can gain a right by it."""
    script.prctl("PR_SET_NO_NEW_PRIVS", _PR_SET_NO_NEW_PRIVS, 1)


def drop_capabilities(script: Script) -> None:
    """Give up every capability for good: bounding, ambient, inheritable, permitted and effective.

    The bounding set can only be emptied with CAP_SETPCAP; without it there is nothing to regain
    either, as no_new_privs holds.
    """
    for capability in kernel.every_capability():
        script.prctl("PR_CAPBSET_DROP", _PR_CAPBSET_DROP, capability, ignored=True)
    script.prctl("PR_CAP_AMBIENT", _PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL, ignored=True)
    script.call(
        "capset",
        "capset",
        struct.pack("=Ii", _CAPABILITY_VERSION_3, 0),
        struct.pack("=6I", 0, 0, 0, 0, 0, 0),
    )


def filter_system_calls(script: Script, program: bytes) -> None:
    """The last step, after which no new kind of system call is possible. Needs no_new_privs or
    CAP_SYS_ADMIN."""
    installed = kernel.FilterProgram(program)
    script.keep(installed)
    script.call("seccomp", "seccomp", _SECCOMP_SET_MODE_FILTER, 0, installed.packed)
