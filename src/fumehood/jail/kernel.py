"""Kernel calls that Python's standard library does not offer, and lists of them (Script). The one
file of the jail that uses ctypes.

Every function either does what its name says or raises OSError with the kernel's reason; none fails
quietly.
"""

from __future__ import annotations

import ctypes
import errno
import functools
import mmap
import os
import platform
import resource
import select
import signal
import struct
import threading
from collections.abc import Sequence
from dataclasses import dataclass

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long

MACHINE = platform.machine()

CLONE_NEWNS = 0x00020000
CLONE_NEWCGROUP = 0x02000000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

MS_RDONLY = 0x1
MS_NOSUID = 0x2
MS_NODEV = 0x4
MS_NOEXEC = 0x8
MS_BIND = 0x1000
MS_REC = 0x4000
MS_PRIVATE = 0x40000
MNT_DETACH = 0x2

MOUNT_ATTR_RDONLY = 0x1
MOUNT_ATTR_NOSUID = 0x2
MOUNT_ATTR_NODEV = 0x4
_AT_RECURSIVE = 0x8000
_AT_FDCWD = -100

_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_PR_SET_NAME = 15
_PR_CAPBSET_READ = 23
_PR_SET_CHILD_SUBREAPER = 36
_PR_GET_TID_ADDRESS = 40
_PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS = 24, 38
_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL = 47, 4
_CAPABILITY_VERSION_3 = 0x20080522
_SECCOMP_SET_MODE_FILTER = 1
_LOWEST_PRIORITY = 19
_MADV_COLLAPSE = 25
_SYSLOG_READ_ALL = 3

CLONE_VM = 0x00000100
CLONE_PIDFD = 0x00001000
CLONE_PARENT = 0x00008000
CLONE_CHILD_CLEARTID = 0x00200000
CLONE_CHILD_SETTID = 0x01000000

_LANDLOCK_CREATE_RULESET_VERSION = 1


def _check(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


@functools.cache
def _numbers() -> dict[str, int]:
    from fumehood.jail.syscalls import ROWS  # late: it is a long table, and a host needs none of it

    if MACHINE not in ("x86_64", "aarch64"):
        return {}
    return {row.name: number for row in ROWS if (number := row.number(MACHINE)) is not None}


def number_of(name: str) -> int:
    """The number of a system call on this machine."""
    number = _numbers().get(name)
    if number is None:
        raise OSError(errno.ENOSYS, f"{name}: not known on {MACHINE}")
    return number


def _syscall(name: str, *args: object) -> int:
    return _check(_libc.syscall(ctypes.c_long(number_of(name)), *args), name)


# -- namespaces and mounts


def unshare(flags: int) -> None:
    _check(_libc.unshare(ctypes.c_int(flags)), "unshare")


def setns(descriptor: int, flags: int) -> None:
    _check(_libc.setns(ctypes.c_int(descriptor), ctypes.c_int(flags)), "setns")


def mount(source: str, target: str, kind: str, flags: int, data: str = "") -> None:
    done = _libc.mount(
        os.fsencode(source),
        os.fsencode(target),
        kind.encode() or None,
        ctypes.c_ulong(flags),
        data.encode() if data else None,
    )
    _check(done, f"mount {kind or 'bind'} on {target}")


def umount(target: str) -> None:
    """Take a mount away from the tree at once; it goes when nobody uses it any more."""
    _check(_libc.umount2(os.fsencode(target), ctypes.c_int(MNT_DETACH)), f"umount {target}")


def set_mount_attributes(
    target: str, attributes: int, *, without: int = 0, recursive: bool = True
) -> None:
    """Add attributes to a mount, and to all mounts below it if asked, keeping those they have but
    for `without`."""
    packed = struct.pack("=QQQQ", attributes, without, 0, 0)
    flags = ctypes.c_uint(_AT_RECURSIVE if recursive else 0)
    _syscall(
        "mount_setattr",
        ctypes.c_int(_AT_FDCWD),
        os.fsencode(target),
        flags,
        packed,
        ctypes.c_size_t(len(packed)),
    )


def pivot_root(new: str, old: str) -> None:
    _syscall("pivot_root", os.fsencode(new), os.fsencode(old))


def sethostname(name: str) -> None:
    encoded = name.encode()
    _check(_libc.sethostname(encoded, ctypes.c_size_t(len(encoded))), "sethostname")


_python = ctypes.PyDLL(None, use_errno=True)  # calls that keep the interpreter lock


def fork() -> int:
    """Copy this process as `os.fork` does, without the work that Python does around it.

    That work renews locks that other threads may have held, and calls what modules have registered:
    in a process that has imported pandas it touches a megabyte, which a copy that is made for every
    sandbox would take for itself. With one thread there are no locks to renew, and what modules
    would do is done by whoever needs it: random numbers are the same in all copies until they are
    seeded. With more threads, which a module may have started when it was imported, Python's own
    fork is the one to use.
    """
    return _check(_python.fork(), "fork") if threading.active_count() == 1 else os.fork()


def clone(flags: int, thread_id: int) -> int:
    """Copy this process as `fork` does, with flags that libc's has not. For processes of one
    thread. `thread_id` is where libc keeps that thread's id, which is another's in the copy."""
    place = 3 if MACHINE == "x86_64" else 4
    arguments = [flags | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | signal.SIGCHLD, 0, 0, 0, 0]
    arguments[place] = thread_id
    _python.syscall.restype = ctypes.c_long
    return _check(_python.syscall(*map(ctypes.c_long, (number_of("clone"), *arguments))), "clone")


def thread_id_address() -> int:
    """Where libc keeps this thread's id. 0 where the kernel does not tell."""
    address = ctypes.c_void_p()
    _libc.prctl(
        ctypes.c_int(_PR_GET_TID_ADDRESS),
        ctypes.byref(address),
        ctypes.c_ulong(0),
        ctypes.c_ulong(0),
        ctypes.c_ulong(0),
    )
    return address.value or 0


# -- _spawn.c, where it was built (hatch_build.py)


class _Call(ctypes.Structure):
    _fields_ = (
        ("number", ctypes.c_long),
        ("arguments", ctypes.c_long * 6),
        ("expected", ctypes.c_long),
    )


class _CallList(ctypes.Structure):
    _fields_ = (
        ("calls", ctypes.POINTER(_Call)),
        ("count", ctypes.c_long),
        ("failed", ctypes.c_long),
        ("result", ctypes.c_long),
    )


_Message = ctypes.c_uint64 * 17
_PACKET_BYTES = 3072


class _Template(ctypes.Structure):
    _fields_ = (
        ("socket", ctypes.c_int),
        ("first_sent", ctypes.c_int),
        ("has_namespaces", ctypes.c_int),
        ("homes", ctypes.c_int * 3),
        ("flags", ctypes.c_ulong),
        ("thread_id", ctypes.c_void_p),
        ("usual", ctypes.POINTER(_CallList)),
        ("init", ctypes.POINTER(_CallList)),
        ("message", _Message),
        ("reply", ctypes.c_uint64 * 6),
        ("length", ctypes.c_long),
        ("packet", ctypes.c_char * _PACKET_BYTES),
    )


class _Range(ctypes.Structure):
    _fields_ = (("start", ctypes.c_void_p), ("size", ctypes.c_size_t))


class _Checkpoint(ctypes.Structure):
    _fields_ = (
        ("socket", ctypes.c_int),
        ("received", ctypes.c_int),
        ("thread_id", ctypes.c_void_p),
        ("touched", ctypes.POINTER(_Range)),
        ("touched_count", ctypes.c_long),
        ("message", _Message),
        ("byte", ctypes.c_char),
    )


class _Copy(ctypes.Structure):
    _fields_ = (
        ("flags", ctypes.c_ulong),
        ("thread_id", ctypes.c_void_p),
        ("socket", ctypes.c_int),
        ("id_offset", ctypes.c_int),
        ("reply", ctypes.c_void_p),
        ("reply_bytes", ctypes.c_size_t),
        ("sent", ctypes.c_long),
    )


class _Arenas(ctypes.Structure):
    _fields_ = (
        ("next", ctypes.c_size_t),
        ("end", ctypes.c_size_t),
        ("allocate", ctypes.c_void_p),
        ("context", ctypes.c_void_p),
    )


_LAYOUTS = (_CallList, _Template, _Checkpoint, _Copy, _Arenas)


def _load_spawn() -> tuple[ctypes.PyDLL | None, str]:
    """The library, which keeps the interpreter lock; or None, and why there is none."""
    if os.environ.get("FUMEHOOD_SPAWN") == "python":
        return None, "FUMEHOOD_SPAWN=python"
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_spawn.so")
    if not os.path.exists(path):
        return None, "it was installed without a C compiler"
    try:
        library = ctypes.PyDLL(path)
        sizes = [*(ctypes.c_size_t * len(_LAYOUTS)).in_dll(library, "spawn_sizes")]
    except (OSError, ValueError):  # another architecture's, or another file
        return None, f"_spawn.so cannot be loaded on {MACHINE}"
    if sizes != [*map(ctypes.sizeof, _LAYOUTS)]:
        return None, "_spawn.so is from another version; install fumehood again"
    for name in ("spawn_init", "spawn_checkpoint", "spawn_copy"):
        library[name].restype = ctypes.c_long
    return library, ""


_spawn, why_no_spawn = _load_spawn()
"""Why Python does what _spawn.c does elsewhere; empty where the library is loaded."""


# -- scripts: system calls as data
#
# A process that has just been copied from a large one pays for every page it writes to, and Python
# writes to most pages that it reads. So the calls by which it enters the jail are written down in
# the template, with all of their arguments, and _spawn.c makes them one after the other; without it
# Python does.
#
# Descriptors that a script opens have known numbers, because the kernel gives the lowest that is
# free: the script knows which that is, and fails if the kernel gives another.

_ANY, _IGNORED = -1, -2
"""Expected results: any but an error; any."""
_ALL = 0x7FFF_FFFF
"""No descriptor has a higher number. gVisor takes a larger value for a negative one."""


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
        self._prepared: _CallList | None = None
        self._for_python: list[tuple[ctypes.c_long, ...]] = []

    def run(self) -> None:
        """Make the calls. The first that fails ends it, as OSError."""
        self.make_calls()
        self.check()

    def make_calls(self) -> None:
        """Make the calls, up to the first that fails."""
        calls = self.prepared()
        if _spawn is not None:
            _spawn.spawn_make_calls(ctypes.byref(calls))
            return
        calls.failed = -1
        for place, step in enumerate(self.steps):
            result = int(_libc.syscall(*self._for_python[place]))
            if step.expected != _IGNORED and (result < 0 or step.expected not in (_ANY, result)):
                calls.failed = place
                calls.result = -ctypes.get_errno() if result < 0 else result
                return

    def check(self) -> None:
        """OSError if a call has failed."""
        calls = self.prepared()
        if calls.failed < 0:
            return
        step, result = self.steps[calls.failed], calls.result
        if result < 0:
            raise OSError(-result, f"{step.what}: {os.strerror(-result)}")
        raise OSError(f"{step.what}: the kernel gave {result}, and {step.expected} was expected")

    def prepared(self) -> _CallList:
        """The calls in memory, so that making them is all that is left."""
        if self._prepared is None:
            rows = (_Call * len(self.steps))()
            for row, step in zip(rows, self.steps, strict=True):
                row.number, row.expected = number_of(step.name), step.expected
                row.arguments[: len(step.arguments)] = [*map(self._word, step.arguments)]
            self._prepared = _CallList(rows, len(rows), -1, 0)
            if _spawn is None:
                self._for_python = [
                    tuple(map(ctypes.c_long, (row.number, *row.arguments))) for row in rows
                ]
        return self._prepared

    def _word(self, argument: int | bytes) -> int:
        if isinstance(argument, int):
            return ctypes.c_long(argument).value
        buffer = ctypes.create_string_buffer(argument, len(argument))
        self._kept.append(buffer)
        return ctypes.addressof(buffer)

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
        for capability in every_capability():
            self.prctl("PR_CAPBSET_DROP", _PR_CAPBSET_DROP, capability, ignored=True)
        self.prctl("PR_CAP_AMBIENT", _PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL, ignored=True)
        header = struct.pack("=Ii", _CAPABILITY_VERSION_3, 0)
        self.call("capset", "capset", header, bytes(24))

    def filter_system_calls(self, program: bytes) -> None:
        """The last step, after which no new kind of system call is possible. Needs no_new_privs or
        CAP_SYS_ADMIN."""
        header = struct.pack("=HxxxxxxQ", len(program) // 8, self._word(program))
        self.call("seccomp", "seccomp", _SECCOMP_SET_MODE_FILTER, 0, header)


def lowest_free() -> int:
    """The descriptor that the kernel will give next."""
    descriptor = os.dup(0)
    os.close(descriptor)
    return descriptor


def _path(path: str) -> bytes:
    return os.fsencode(path) + b"\0"


# -- processes that run _spawn.c


def start_init() -> int:
    """The first process of the pid namespace that children of this process are in, as a pidfd. It
    shares the memory of this process, and needs _spawn.c."""
    assert _spawn is not None
    pidfd = ctypes.c_int(-1)
    _checked(_spawn.spawn_init(ctypes.byref(pidfd)), "clone")
    return pidfd.value


def serve_template(
    socket: int,
    first_sent: int,
    flags: int,
    homes: Sequence[int],
    usual: Script,
    init: Script | None,
) -> bytes:
    """Be the template for ever, in _spawn.c. Returns in each copy that is a runner, with the packet
    that it was made for. `homes` are empty where there are no namespaces."""
    assert _spawn is not None
    template = _Template(
        socket=socket,
        first_sent=first_sent,
        has_namespaces=bool(homes),
        flags=flags,
        thread_id=thread_id_address(),
        usual=ctypes.pointer(usual.prepared()),
        init=None if init is None else ctypes.pointer(init.prepared()),
    )
    template.homes[: len(homes)] = homes
    _spawn.spawn_serve_template(ctypes.byref(template))
    start = type(template).packet.offset
    return bytes(memoryview(template).cast("B")[start : start + template.length])


_ALONE = 3
"""Links of /proc/self/task where there is one thread: two that every directory has, and one for
each thread."""
_MOST_RANGES = 900


class Copies:
    """Copies a runner, which must have one thread: fork handlers of libraries do not run. Made
    before the jail is entered: later the kernel does not tell where libc keeps a thread's id."""

    def __init__(self) -> None:
        self._thread_id = thread_id_address()
        self._ranges = (_Range * _MOST_RANGES)()
        self._count = 0
        self._checkpoint = _Checkpoint(touched=self._ranges, thread_id=self._thread_id)

    @property
    def can_copy(self) -> bool:
        """Whether `fork_and_wait` and `fork_and_reply` can be called: this process has one thread,
        and there is _spawn.c."""
        return _spawn is not None and self.is_alone

    @property
    def is_alone(self) -> bool:
        """Whether this process has one thread."""
        try:
            return os.stat("/proc/self/task").st_nlink == _ALONE
        except OSError:
            return False

    def fork_and_wait(self, standby: int, *, touches: bool = False) -> tuple[int, int | None]:
        """Make a checkpoint, which waits for a byte from a socket. Gives the process id; in the
        checkpoint 0, and the descriptor that came with the byte, or None if the socket was closed.
        `touches` has it first make its own copies of the memory that `touch` named. That does not
        help a runner that goes on at once: both would copy."""
        assert _spawn is not None
        self._checkpoint.socket = standby
        self._checkpoint.touched_count = self._count if touches else 0
        pid = _checked(_spawn.spawn_checkpoint(ctypes.byref(self._checkpoint)), "clone")
        if pid or self._checkpoint.received < 0:
            return pid, None
        return 0, self._checkpoint.received

    def touch(self, ranges: Sequence[tuple[int, int]]) -> None:
        """Name memory, by address and size, that the next cells will probably write to. Of many
        ranges, the first are taken."""
        self._count = min(len(ranges), _MOST_RANGES)
        for place, (start, size) in enumerate(ranges[:_MOST_RANGES]):
            self._ranges[place].start, self._ranges[place].size = start, size

    def fork_and_reply(
        self, wire: int, reply: bytes, id_offset: int, *, beside: bool
    ) -> tuple[int, bytes]:
        """Copy this process and send a reply before Python runs again: a reply that Python composes
        after the fork costs as much as the fork. Ten bytes at `id_offset` become the copy's process
        id. `beside` is as of `fork_beside`. Gives what fork gives, and what could not be sent."""
        assert _spawn is not None
        buffer = ctypes.create_string_buffer(reply, len(reply))
        copy = _Copy(
            flags=CLONE_PARENT if beside else 0,
            thread_id=self._thread_id,
            socket=wire,
            id_offset=id_offset,
            reply=ctypes.cast(buffer, ctypes.c_void_p),
            reply_bytes=len(reply),
        )
        pid = _checked(_spawn.spawn_copy(ctypes.byref(copy)), "clone")
        return pid, buffer.raw[max(copy.sent, 0) :] if pid else b""

    def fork_beside(self) -> int:
        """Copy this process; the copy is a child of this process's parent. Gives what fork
        gives."""
        return clone(CLONE_PARENT, self._thread_id)


def _checked(result: int, what: str) -> int:
    """The result of a function of _spawn.c, which is a negative error number if it failed."""
    if result < 0:
        raise OSError(-result, f"{what}: {os.strerror(-result)}")
    return result


class _ArenaAllocator(ctypes.Structure):
    _fields_ = (("context", ctypes.c_void_p), ("alloc", ctypes.c_void_p), ("free", ctypes.c_void_p))


class ArenaStretch:
    """A stretch of memory that Python takes its arenas from until the end. They are given back as
    all others are: page by page, to the kernel. Without _spawn.c nothing changes."""

    def __init__(self, size: int, alignment: int) -> None:
        self._before: _ArenaAllocator | None = None
        if _spawn is None:
            return
        start = _map(size + alignment)
        if start is None:
            return
        first, last = -(-start // alignment) * alignment, start + size + alignment
        _unmap(start, first)
        self._before = before = _ArenaAllocator()
        _python.PyObject_GetArenaAllocator(ctypes.byref(before))
        self._arenas = _Arenas(first, last, before.alloc, before.context)
        allocate = ctypes.cast(_spawn.spawn_allocate_arena, ctypes.c_void_p)
        ours = _ArenaAllocator(ctypes.addressof(self._arenas), allocate, before.free)
        _python.PyObject_SetArenaAllocator(ctypes.byref(ours))

    def end(self) -> None:
        """Have Python ask as before, and give back what nobody has taken."""
        if self._before is not None:
            _python.PyObject_SetArenaAllocator(ctypes.byref(self._before))
            _unmap(self._arenas.next, self._arenas.end)


_BLOCK = 100_000  # larger ones libc does not take from its heap


def grow_heap(size: int) -> None:
    """Have libc's heap so much room, without using it. It does not shrink again: something lies at
    its end."""
    _libc.malloc.restype = ctypes.c_void_p
    *blocks, _end = [_libc.malloc(ctypes.c_size_t(_BLOCK)) for _ in range(size // _BLOCK)]
    for block in blocks:
        _libc.free(ctypes.c_void_p(block))


def _map(size: int) -> int | None:
    """Memory that no object holds, so that parts of it can be given back."""
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    _libc.mmap.restype = ctypes.c_void_p
    protection = ctypes.c_int(mmap.PROT_READ | mmap.PROT_WRITE)
    start: int | None = _libc.mmap(
        None,
        ctypes.c_size_t(size),
        protection,
        ctypes.c_int(flags),
        ctypes.c_int(-1),
        ctypes.c_long(0),
    )
    return None if start == 2**64 - 1 else start


def _unmap(start: int, end: int) -> None:
    if start < end:
        _check(_libc.munmap(ctypes.c_void_p(start), ctypes.c_size_t(end - start)), "munmap")


# -- this process


def _prctl(option: int, *args: int) -> int:
    padded = [ctypes.c_ulong(value) for value in (*args, 0, 0, 0, 0)][:4]
    return int(_libc.prctl(ctypes.c_int(option), *padded))


def die_with_parent(number: int) -> None:
    """Have the kernel send this process a signal when the thread that started it ends."""
    _check(_prctl(_PR_SET_PDEATHSIG, number), "prctl PR_SET_PDEATHSIG")


def adopt_orphans() -> None:
    """Have everything below this process that loses its parent become a child of this one. Copies
    of this process do not do the same."""
    _check(_prctl(_PR_SET_CHILD_SUBREAPER, 1), "prctl PR_SET_CHILD_SUBREAPER")


def set_process_name(name: str) -> None:
    _check(
        _libc.prctl(ctypes.c_int(_PR_SET_NAME), name.encode()[:15], 0, 0, 0), "prctl PR_SET_NAME"
    )


def allow_inspection() -> None:
    """Let this process's user look at it in /proc, itself included."""
    _check(_prctl(_PR_SET_DUMPABLE, 1), "prctl PR_SET_DUMPABLE")


def forbid_inspection() -> None:
    """Keep other processes of the same user from reading this one's memory."""
    _check(_prctl(_PR_SET_DUMPABLE, 0), "prctl PR_SET_DUMPABLE")


def make_huge(address: int, size: int) -> None:
    """Have the kernel keep a stretch of this process's memory as huge pages."""
    _check(
        _libc.madvise(
            ctypes.c_void_p(address), ctypes.c_size_t(size), ctypes.c_int(_MADV_COLLAPSE)
        ),
        "madvise",
    )


def container_kernel() -> str:
    """The name of a container's kernel if that is not the machine's; empty if it is, or not
    known."""
    buffer = ctypes.create_string_buffer(1 << 14)
    try:
        _syscall("syslog", ctypes.c_int(_SYSLOG_READ_ALL), buffer, ctypes.c_int(len(buffer)))
    except OSError:
        return ""
    return "gVisor" if b"gVisor" in buffer.raw else ""


def inotify() -> int:
    """A descriptor by which the kernel tells what happens to files. It never waits."""
    return _check(_libc.inotify_init1(ctypes.c_int(os.O_NONBLOCK | os.O_CLOEXEC)), "inotify_init1")


def inotify_add(descriptor: int, path: str, mask: int) -> int:
    """Have it tell of a directory as well; gives the number that it tells it by."""
    return _check(
        _libc.inotify_add_watch(ctypes.c_int(descriptor), os.fsencode(path), ctypes.c_uint32(mask)),
        "inotify_add_watch",
    )


def inotify_remove(descriptor: int, number: int) -> None:
    _check(
        _libc.inotify_rm_watch(ctypes.c_int(descriptor), ctypes.c_int(number)), "inotify_rm_watch"
    )


@functools.cache
def every_capability() -> tuple[int, ...]:
    """All capabilities that this kernel knows."""
    return tuple(
        capability for capability in range(64) if _prctl(_PR_CAPBSET_READ, capability) >= 0
    )


# -- Landlock


def landlock_abi() -> int:
    """The newest version of Landlock's rules that this kernel knows. OSError where it has none, or
    it is switched off."""
    flags = ctypes.c_uint(_LANDLOCK_CREATE_RULESET_VERSION)
    return _syscall("landlock_create_ruleset", None, ctypes.c_size_t(0), flags)
