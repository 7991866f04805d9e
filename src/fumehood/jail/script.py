"""System calls as data: written down beforehand with all of their arguments, and made one after the
other without a line of Python between.

A process that has just been copied from a large one pays for every page it writes to, and Python
writes to a page wherever it looks. Written down in the template, entering the jail is a hundred
system calls, which _spawn.c makes.

Descriptors that a script opens have known numbers, as the kernel gives the lowest that is free: the
script is told which that is, and fails if the kernel thinks otherwise.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import struct
from dataclasses import dataclass

from fumehood.jail import kernel

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_NAME = 1, 4, 15
_PR_CAPBSET_DROP, _PR_SET_CHILD_SUBREAPER, _PR_SET_NO_NEW_PRIVS = 24, 36, 38
_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL = 47, 4
_CAPABILITY_VERSION_3 = 0x20080522
_SECCOMP_SET_MODE_FILTER = 1
_LOWEST_PRIORITY = 19
_ANY, _IGNORED = kernel.Calls.ANY, kernel.Calls.IGNORED
_AT_FDCWD = -100
_ALL = 0x7FFF_FFFF
"""No descriptor has a higher number. A larger value, which Linux takes too, gVisor takes for a
negative one."""


@dataclass(frozen=True, slots=True)
class Step:
    what: str
    """For whoever reads that it failed."""
    name: str
    arguments: tuple[int | bytes, ...]
    """Bytes stand for their address."""
    expected: int


class Script:
    """Steps, to be written down once and run once in each process that is copied."""

    def __init__(self, first_free: int) -> None:
        self.steps: list[Step] = []
        self._free = first_free
        self._kept: list[object] = []
        self._prepared: kernel.Calls | None = None

    def run(self) -> None:
        """Make the calls. The first that fails ends it, as OSError."""
        self.prepared().make()
        self.check()

    def check(self) -> None:
        """OSError if a call has failed."""
        failed = self.prepared().failed
        if failed is not None:
            place, result = failed
            step = self.steps[place]
            if result < 0:
                raise OSError(-result, f"{step.what}: {os.strerror(-result)}")
            raise OSError(
                f"{step.what}: the kernel gave {result}, and {step.expected} was expected"
            )

    def prepared(self) -> kernel.Calls:
        """Everything worked out that can be, so that running it is all that is left."""
        if self._prepared is None:
            self._prepared = kernel.Calls(
                [
                    (kernel.number_of(step.name), step.arguments, step.expected)
                    for step in self.steps
                ]
            )
        return self._prepared

    def call(self, what: str, name: str, *arguments: int | bytes, expected: int = _ANY) -> None:
        self._prepared = None
        self.steps.append(Step(what, name, arguments, expected))

    # -- files

    def open(self, path: str, flags: int) -> int:
        return self.take(f"open {path}", "openat", _AT_FDCWD, _path(path), flags | os.O_CLOEXEC, 0)

    def take(self, what: str, name: str, *arguments: int | bytes) -> int:
        """A call that gives a new descriptor; gives its number."""
        descriptor = self._free
        self._free += 1
        self.call(what, name, *arguments, expected=descriptor)
        return descriptor

    def close(self, descriptor: int) -> None:
        """Close what was opened last."""
        self._free -= 1
        assert descriptor == self._free
        self.call("close", "close", descriptor)

    def write(self, what: str, descriptor: int, text: bytes) -> None:
        self.call(what, "write", descriptor, text, len(text), expected=len(text))

    def write_file(self, path: str, text: bytes) -> None:
        descriptor = self.open(path, os.O_WRONLY)
        self.write(f"write {path}", descriptor, text)
        self.close(descriptor)

    def move(self, descriptor: int, to: int) -> None:
        self.call(f"dup {descriptor}", "dup3", descriptor, to, 0, expected=to)

    def close_from(self, descriptor: int) -> None:
        self.call("close the rest", "close_range", descriptor, _ALL, 0)
        self._free = descriptor

    def change_directory(self, path: str) -> None:
        self.call(f"chdir {path}", "chdir", _path(path))

    def enter_directory(self, descriptor: int) -> None:
        self.call("fchdir", "fchdir", descriptor)

    def make_directory(self, path: str, *, ignored: bool = False) -> None:
        """`ignored` says that it may exist."""
        expected = _IGNORED if ignored else _ANY
        self.call(f"mkdir {path}", "mkdirat", _AT_FDCWD, _path(path), 0o700, expected=expected)

    def link(self, target: str, path: str) -> None:
        """Make a symbolic link. It may exist."""
        what = f"symlink {path}"
        self.call(what, "symlinkat", _path(target), _AT_FDCWD, _path(path), expected=_IGNORED)

    def mount(self, source: str, target: str, kind: str, flags: int, data: str) -> None:
        self.call(
            f"mount {kind} on {target}",
            "mount",
            _path(source),
            _path(target),
            kind.encode() + b"\0",
            flags,
            data.encode() + b"\0",
        )

    # -- this process

    def become(self, uid: int, gid: int) -> None:
        """Be an ordinary user for good."""
        self.call(f"become group {gid}", "setresgid", gid, gid, gid)
        self.call(f"become user {uid}", "setresuid", uid, uid, uid)

    def must_be(self, uid: int, gid: int) -> None:
        """See that it is so."""
        for name, wanted in (("getuid", uid), ("geteuid", uid), ("getgid", gid), ("getegid", gid)):
            self.call(name, name, expected=wanted)

    def wait_for(self, descriptor: int, milliseconds: int) -> None:
        """Wait until there is something to read, or nobody left to write it, but no longer than
        this."""
        patience = struct.pack("=qq", 0, milliseconds * 1_000_000)
        self.call(
            "wait",
            "ppoll",
            struct.pack("=ihh", descriptor, select.POLLIN, 0),
            1,
            patience,
            0,
            0,
            expected=_IGNORED,
        )

    def limit(self, kind: int, value: int) -> None:
        """Soft and hard limits are the same, so nothing can be raised again."""
        most = value if value != resource.RLIM_INFINITY else 2**64 - 1
        self.call(f"limit resource {kind}", "prlimit64", 0, kind, struct.pack("=QQ", most, most), 0)

    def prctl(self, what: str, option: int, *arguments: int | bytes, ignored: bool = False) -> None:
        padded = (*arguments, 0, 0, 0, 0)[:4]
        self.call(f"prctl {what}", "prctl", option, *padded, expected=_IGNORED if ignored else _ANY)

    def set_process_name(self, name: str) -> None:
        self.prctl("PR_SET_NAME", _PR_SET_NAME, name.encode()[:15] + b"\0")

    def die_with_parent(self) -> None:
        self.prctl("PR_SET_PDEATHSIG", _PR_SET_PDEATHSIG, signal.SIGKILL)

    def adopt_orphans(self) -> None:
        """Processes below this one that lose their parent become its children."""
        self.prctl("PR_SET_CHILD_SUBREAPER", _PR_SET_CHILD_SUBREAPER, 1)

    def die_first(self) -> None:
        """When memory runs out, the kernel kills this process and its children before others."""
        self.write_file("/proc/self/oom_score_adj", b"1000")

    def lower_priority(self) -> None:
        """Let others run first, so that a crowd cannot keep those from working that can end it."""
        self.call("setpriority", "setpriority", 0, 0, _LOWEST_PRIORITY)

    # -- giving up rights

    def allow_inspection(self) -> None:
        """Let this process's user look at it in /proc, itself included."""
        self.prctl("PR_SET_DUMPABLE", _PR_SET_DUMPABLE, 1)

    def forbid_inspection(self) -> None:
        """Keep other processes of the same user from reading this one's memory and from seeing what
        it has open."""
        self.prctl("PR_SET_DUMPABLE", _PR_SET_DUMPABLE, 0)

    def gain_no_privileges(self) -> None:
        """Programs that are executed from here on gain no right by it."""
        self.prctl("PR_SET_NO_NEW_PRIVS", _PR_SET_NO_NEW_PRIVS, 1)

    def drop_capabilities(self) -> None:
        """Give up every capability for good: bounding, ambient, inheritable, permitted, effective.

        The bounding set can be emptied only with CAP_SETPCAP; without that nothing can be regained
        either, because of no_new_privs.
        """
        for capability in kernel.every_capability():
            self.prctl("PR_CAPBSET_DROP", _PR_CAPBSET_DROP, capability, ignored=True)
        self.prctl("PR_CAP_AMBIENT", _PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL, ignored=True)
        header = struct.pack("=Ii", _CAPABILITY_VERSION_3, 0)
        self.call("capset", "capset", header, bytes(24))

    def filter_system_calls(self, program: bytes) -> None:
        """The last step, after which no new kind of system call is possible. Needs no_new_privs or
        CAP_SYS_ADMIN."""
        installed = kernel.FilterProgram(program)
        self._kept.append(installed)
        self.call("seccomp", "seccomp", _SECCOMP_SET_MODE_FILTER, 0, installed.packed)


def lowest_free() -> int:
    """The descriptor that the kernel will give next."""
    descriptor = os.dup(0)
    os.close(descriptor)
    return descriptor


def _path(path: str) -> bytes:
    return os.fsencode(path) + b"\0"
