"""Kernel calls that Python's standard library does not offer: made at once (Calls) or recorded, to
be made later (Script). The one file of the jail that uses ctypes.

Every function does what its name says or raises OSError with the kernel's reason.
"""

from __future__ import annotations

import ctypes
import errno
import itertools
import mmap
import os
import platform
import resource
import select
import signal
import struct
import threading
from collections.abc import Sequence
from typing import NamedTuple

from fumehood.jail.syscalls import ROWS

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long
_python = ctypes.PyDLL(None, use_errno=True)  # calls that keep the interpreter lock
_python.syscall.restype = ctypes.c_long

MACHINE = platform.machine()
_NUMBERS = {row.name: row.number(MACHINE) for row in ROWS if MACHINE in ("x86_64", "aarch64")}

CLONE_NEWNS = 0x00020000
CLONE_NEWCGROUP = 0x02000000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000
CLONE_PARENT = 0x00008000
_CLONE_CHILD_CLEARTID = 0x00200000
_CLONE_CHILD_SETTID = 0x01000000

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 0x1, 0x2, 0x4, 0x8
MS_BIND, MS_REC, MS_PRIVATE = 0x1000, 0x4000, 0x40000
MNT_DETACH = 0x2
MOUNT_ATTR_RDONLY, MOUNT_ATTR_NOSUID, MOUNT_ATTR_NODEV = 0x1, 0x2, 0x4
_AT_RECURSIVE = 0x8000
AT_FDCWD = -100

_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_PR_SET_NAME = 15
_PR_CAPBSET_READ, _PR_CAPBSET_DROP = 23, 24
_PR_SET_NO_NEW_PRIVS = 38
_PR_GET_TID_ADDRESS = 40
_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL = 47, 4
_CAPABILITY_VERSION_3 = 0x20080522
_SECCOMP_SET_MODE_FILTER = 1
_LANDLOCK_CREATE_RULESET_VERSION = 1
_SYSLOG_READ_ALL = 3

_ANY, IGNORED = -1, -2
"""Expected results: any but an error; any."""
_ALL = 0x7FFF_FFFF
"""No descriptor has a higher number. gVisor takes a larger value for a negative one."""


def number_of(name: str) -> int:
    """The number of a system call on this machine."""
    number = _NUMBERS.get(name)
    if number is None:
        raise OSError(errno.ENOSYS, f"{name}: not known on {MACHINE}")
    return number


def _checked(result: int, what: str, expected: int = _ANY) -> int:
    """The result of a call, which is a negative error number if it failed."""
    if result < 0 and expected != IGNORED:
        raise OSError(-result, f"{what}: {os.strerror(-result)}")
    if expected not in (_ANY, IGNORED, result):
        raise OSError(f"{what}: the kernel gave {result}, and {expected} was expected")
    return result


def _described(name: str, arguments: tuple[Argument, ...]) -> str:
    return " ".join([name, *(argument for argument in arguments if isinstance(argument, str))])


Argument = int | bytes | str
"""Bytes and strings are passed by their address; a string is a path or a name and ends with NUL."""


def _bytes_of(argument: Argument) -> int | bytes:
    return os.fsencode(argument) + b"\0" if isinstance(argument, str) else argument


class Calls:
    """Kernel calls, made at once."""

    def call(self, name: str, *arguments: Argument, what: str = "", expected: int = _ANY) -> int:
        """Make a system call. `what` is for error messages, if name and strings do not suffice."""
        words = [number_of(name), *map(_bytes_of, arguments)]
        result = _libc.syscall(*(ctypes.c_long(w) if isinstance(w, int) else w for w in words))
        what = what or _described(name, arguments)
        return _checked(-ctypes.get_errno() if result < 0 else result, what, expected)

    # -- namespaces and mounts

    def unshare(self, flags: int) -> None:
        self.call("unshare", flags)

    def mount(self, source: str, target: str, kind: str, flags: int, data: str = "") -> None:
        """`kind` is a file system, or empty for a bind mount or new flags."""
        self.call("mount", source, target, kind or 0, flags, data or 0)

    def set_mount_attributes(
        self, target: str, attributes: int, *, without: int = 0, recursive: bool = True
    ) -> None:
        """Add attributes to a mount, and to those below it, and remove those of `without`."""
        packed, flags = struct.pack("=4Q", attributes, without, 0, 0), _AT_RECURSIVE * recursive
        self.call("mount_setattr", AT_FDCWD, target, flags, packed, len(packed))

    # -- this process

    def become(self, uid: int, gid: int) -> None:
        """Be an ordinary user for good."""
        self.call("setresgid", gid, gid, gid, what=f"become group {gid}")
        self.call("setresuid", uid, uid, uid, what=f"become user {uid}")

    def limit(self, kind: int, value: int) -> None:
        """Soft and hard limits are the same, so nothing can be raised again."""
        most = value if value != resource.RLIM_INFINITY else 2**64 - 1
        both = struct.pack("=QQ", most, most)
        self.call("prlimit64", 0, kind, both, 0, what=f"limit resource {kind}")

    def prctl(self, what: str, option: int, *arguments: Argument, expected: int = _ANY) -> int:
        padded = (*arguments, 0, 0, 0, 0)[:4]
        return self.call("prctl", option, *padded, what=f"prctl {what}", expected=expected)

    def set_process_name(self, name: str) -> None:
        self.prctl("PR_SET_NAME", _PR_SET_NAME, name.encode()[:15].decode(errors="ignore"))

    def die_with_parent(self, number: int = signal.SIGKILL) -> None:
        """The kernel sends this process a signal when the thread that started it ends."""
        self.prctl("PR_SET_PDEATHSIG", _PR_SET_PDEATHSIG, number)

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
        for capability in itertools.count():
            if _now.prctl("", _PR_CAPBSET_READ, capability, expected=IGNORED) < 0:
                break  # this kernel knows no more
            self.prctl("PR_CAPBSET_DROP", _PR_CAPBSET_DROP, capability, expected=IGNORED)
        clear = _PR_CAP_AMBIENT_CLEAR_ALL
        self.prctl("PR_CAP_AMBIENT", _PR_CAP_AMBIENT, clear, expected=IGNORED)
        self.call("capset", struct.pack("=Ii", _CAPABILITY_VERSION_3, 0), bytes(24))


_now = Calls()
call = _now.call
unshare = _now.unshare
mount = _now.mount
set_mount_attributes = _now.set_mount_attributes
prctl = _now.prctl
set_process_name = _now.set_process_name
die_with_parent = _now.die_with_parent
allow_inspection = _now.allow_inspection
forbid_inspection = _now.forbid_inspection


def setns(descriptor: int, flags: int) -> None:
    call("setns", descriptor, flags)


def inotify() -> int:
    """A descriptor by which the kernel reports what happens to files. Reading it never waits."""
    return call("inotify_init1", os.O_NONBLOCK | os.O_CLOEXEC)


def inotify_add(descriptor: int, path: str, mask: int) -> int:
    """Let it report a directory as well; gives the number that reports have."""
    return call("inotify_add_watch", descriptor, path, mask)


def landlock_abi() -> int:
    """The newest version of Landlock's rules that this kernel knows. OSError where it has none, or
    it is switched off."""
    return call("landlock_create_ruleset", 0, 0, _LANDLOCK_CREATE_RULESET_VERSION)


def container_kernel() -> str:
    """The name of a container's kernel if that is not the machine's; empty if it is, or not
    known."""
    buffer = ctypes.create_string_buffer(1 << 14)
    place, size = ctypes.addressof(buffer), len(buffer)
    read = call("syslog", _SYSLOG_READ_ALL, place, size, expected=IGNORED)
    return "gVisor" if read > 0 and b"gVisor" in buffer.raw else ""


def lowest_free() -> int:
    """The descriptor that the kernel will give next."""
    descriptor = os.dup(0)
    os.close(descriptor)
    return descriptor


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


class _Arenas(ctypes.Structure):
    _fields_ = (
        ("next", ctypes.c_size_t),
        ("end", ctypes.c_size_t),
        ("allocate", ctypes.c_void_p),
        ("context", ctypes.c_void_p),
    )


_VERSION = 3
_int, _long, _pointer = ctypes.c_int, ctypes.c_long, ctypes.c_void_p
_FUNCTIONS = {
    "spawn_make_calls": (_pointer,),
    "spawn_init": (_pointer,),
    "spawn_serve_template": (_int, _int, _pointer, _pointer, _pointer),
    "spawn_checkpoint": (_int, _pointer, _pointer, _long, _pointer),
    "spawn_copy": (_pointer, _int, _pointer, _long, _pointer, _pointer),
}


def _load_spawn() -> tuple[ctypes.PyDLL | None, str]:
    """The library, which keeps the interpreter lock; or None, and why there is none."""
    if os.environ.get("FUMEHOOD_SPAWN") == "python":
        return None, "FUMEHOOD_SPAWN=python"
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_spawn.so")
    if not os.path.exists(path):
        return None, "it was installed without a C compiler"
    try:
        library = ctypes.PyDLL(path)
        version = ctypes.c_int.in_dll(library, "spawn_version").value
    except OSError:  # another architecture's, or another file
        return None, f"_spawn.so cannot be loaded on {MACHINE}"
    except ValueError:
        version = 0
    if version != _VERSION:
        return None, "_spawn.so is from another version; install fumehood again"
    for name, arguments in _FUNCTIONS.items():
        function = getattr(library, name)  # library[name] is another object each time
        function.argtypes, function.restype = arguments, ctypes.c_long
    return library, ""


_spawn, why_no_spawn = _load_spawn()
"""Why Python does what _spawn.c does elsewhere; empty where the library is loaded."""


class _Step(NamedTuple):
    what: str
    number: int
    words: list[int]
    expected: int


class Script(Calls):
    """Recorded kernel calls, to be made once in each process that is copied.

    A process that has just been copied from a large one pays for every page it writes to, and
    Python writes to most pages that it reads. So the template records the calls by which its copy
    enters the jail, with all arguments, and _spawn.c makes them; without it Python does.

    Descriptors that a script opens have known numbers, because the kernel gives the lowest that is
    free: the script knows which that is, and fails if the kernel gives another.
    """

    def __init__(self, first_free: int) -> None:
        self._steps: list[_Step] = []
        self._free = first_free
        self._kept: list[object] = []
        self._prepared: _CallList | None = None

    def run(self) -> None:
        """Make the calls. The first that fails ends it, as OSError."""
        calls = self.prepared()
        if _spawn is not None:
            _spawn.spawn_make_calls(ctypes.byref(calls))
        else:
            self._run_in_python(calls)
        self.check()

    def _run_in_python(self, calls: _CallList) -> None:
        calls.failed = -1
        for place in range(calls.count):
            row = calls.calls[place]
            result = _libc.syscall(*map(ctypes.c_long, (row.number, *row.arguments)))
            if row.expected != IGNORED and (result < 0 or row.expected not in (_ANY, result)):
                calls.failed = place
                calls.result = -ctypes.get_errno() if result < 0 else result
                return

    def check(self) -> None:
        """OSError if a call has failed."""
        calls = self.prepared()
        if calls.failed >= 0:
            step = self._steps[calls.failed]
            _checked(calls.result, step.what, step.expected)

    def prepared(self) -> _CallList:
        """The calls in memory, so that only making them remains."""
        if self._prepared is None:
            rows = (_Call * len(self._steps))()
            for row, step in zip(rows, self._steps, strict=True):
                row.number, row.expected = step.number, step.expected
                row.arguments[: len(step.words)] = step.words
            self._prepared = _CallList(rows, len(rows), -1, 0)
        return self._prepared

    def _word(self, argument: int | bytes) -> int:
        if isinstance(argument, int):
            return ctypes.c_long(argument).value
        buffer = ctypes.create_string_buffer(argument, len(argument))
        self._kept.append(buffer)
        return ctypes.addressof(buffer)

    def call(self, name: str, *arguments: Argument, what: str = "", expected: int = _ANY) -> int:
        self._prepared = None
        words = [self._word(_bytes_of(argument)) for argument in arguments]
        what = what or _described(name, arguments)
        self._steps.append(_Step(what, number_of(name), words, expected))
        return expected

    # -- files

    def open(self, path: str, flags: int) -> int:
        return self.take("openat", AT_FDCWD, path, flags | os.O_CLOEXEC, 0)

    def take(self, name: str, *arguments: Argument) -> int:
        """A call that gives a new descriptor; gives its number."""
        self._free += 1
        return self.call(name, *arguments, expected=self._free - 1)

    def close(self, descriptor: int) -> None:
        """Close what was opened last."""
        self._free -= 1
        assert descriptor == self._free
        self.call("close", descriptor)

    def write(self, what: str, descriptor: int, text: bytes) -> None:
        self.call("write", descriptor, text, len(text), what=what, expected=len(text))

    def write_file(self, path: str, text: bytes) -> None:
        descriptor = self.open(path, os.O_WRONLY)
        self.write(f"write {path}", descriptor, text)
        self.close(descriptor)

    def move(self, descriptor: int, to: int) -> None:
        self.call("dup3", descriptor, to, 0, expected=to)

    def close_from(self, descriptor: int) -> None:
        self.call("close_range", descriptor, _ALL, 0)
        self._free = descriptor

    def change_directory(self, path: str) -> None:
        self.call("chdir", path)

    def make_directory(self, path: str, *, expected: int = _ANY) -> None:
        self.call("mkdirat", AT_FDCWD, path, 0o700, expected=expected)

    def wait_for(self, descriptor: int, milliseconds: int) -> None:
        """Wait for data or the end of it, but no longer than this."""
        polled = struct.pack("=ihh", descriptor, select.POLLIN, 0)
        patience = struct.pack("=qq", 0, milliseconds * 1_000_000)
        self.call("ppoll", polled, 1, patience, 0, 0, expected=IGNORED)

    def filter_system_calls(self, program: bytes) -> None:
        """The last step, after which no new kind of system call is possible. Needs no_new_privs or
        CAP_SYS_ADMIN."""
        header = struct.pack("=HxxxxxxQ", len(program) // 8, self._word(program))
        self.call("seccomp", _SECCOMP_SET_MODE_FILTER, 0, header)


# -- copies of processes


def fork() -> int:
    """Copy this process as `os.fork` does, without the work that Python does around it.

    That work renews locks that other threads may have held, and calls what modules have registered:
    in a process that has imported pandas it touches a megabyte, which a copy for every sandbox
    would have to copy. With one thread there are no locks to renew, and the copy does itself what
    modules would do: random numbers are the same in all copies until they are seeded. With more
    threads, which a module may have started when it was imported, Python's own fork is needed.
    """
    if threading.active_count() > 1:
        return os.fork()
    pid = _python.fork()
    return _checked(-ctypes.get_errno() if pid < 0 else pid, "fork")


def clone(flags: int, thread_id: int) -> int:
    """Copy this process as `fork` does, with flags that libc's has not. For processes of one
    thread. `thread_id` is where libc keeps that thread's id; the kernel writes the copy's there."""
    flags |= _CLONE_CHILD_SETTID | _CLONE_CHILD_CLEARTID | signal.SIGCHLD
    ids = (thread_id, 0) if MACHINE == "x86_64" else (0, thread_id)
    pid = _python.syscall(*map(ctypes.c_long, (number_of("clone"), flags, 0, 0, *ids)))
    return _checked(-ctypes.get_errno() if pid < 0 else pid, "clone")


def thread_id_address() -> int:
    """Where libc keeps this thread's id. 0 where the kernel does not tell."""
    address = ctypes.c_void_p()
    place = ctypes.addressof(address)
    _now.prctl("PR_GET_TID_ADDRESS", _PR_GET_TID_ADDRESS, place, expected=IGNORED)
    return address.value or 0


def start_init() -> int:
    """Start the first process of the pid namespace that children of this process are in; gives a
    pidfd. It shares the memory of this process, and needs _spawn.c."""
    assert _spawn is not None
    pidfd = ctypes.c_int(-1)
    _checked(_spawn.spawn_init(ctypes.byref(pidfd)), "clone")
    return pidfd.value


def serve_template(socket: int, first_sent: int, usual: Script, most_bytes: int) -> bytes:
    """Be the template for ever, in _spawn.c. Returns in each copy that is a runner, with the packet
    that it was made for."""
    assert _spawn is not None
    packet = ctypes.create_string_buffer(most_bytes)
    length = _spawn.spawn_serve_template(
        socket, first_sent, thread_id_address(), ctypes.byref(usual.prepared()), packet
    )
    return packet.raw[:length]


_ALONE = 3
"""Links of /proc/self/task where there is one thread: two that every directory has, and one for
each thread."""
_MOST_RANGES = 900


class Copies:
    """Copies a runner, which must have one thread: fork handlers of libraries do not run. Made
    before the jail is entered: later the kernel does not tell where libc keeps a thread's id."""

    def __init__(self) -> None:
        self._thread_id = thread_id_address()
        self._ranges = (ctypes.c_size_t * (2 * _MOST_RANGES))()
        self._count = 0

    @property
    def can_copy(self) -> bool:
        """Whether `fork_and_wait` and `fork_and_reply` can be called: this process has one thread,
        and there is _spawn.c."""
        try:
            return _spawn is not None and os.stat("/proc/self/task").st_nlink == _ALONE
        except OSError:
            return False

    def fork_and_wait(self, standby: int, *, touches: bool = False) -> tuple[int, int | None]:
        """Make a checkpoint, which waits for a byte from a socket. Gives the process id; in the
        checkpoint 0, and the descriptor that came with the byte, or None if the socket was closed.
        `touches` lets it first copy the memory that `touch` named. That does not help a runner
        that continues at once: both would copy."""
        assert _spawn is not None
        received = ctypes.c_int(-1)
        count = self._count if touches else 0
        pid = _spawn.spawn_checkpoint(
            standby, self._thread_id, self._ranges, count, ctypes.byref(received)
        )
        is_open = not _checked(pid, "clone") and received.value >= 0
        return pid, received.value if is_open else None

    def touch(self, ranges: Sequence[tuple[int, int]]) -> None:
        """Name memory, by address and size, that the next cells will probably write to. Of many
        ranges, the first are taken."""
        self._count = min(len(ranges), _MOST_RANGES)
        for place, (start, size) in enumerate(ranges[:_MOST_RANGES]):
            self._ranges[2 * place], self._ranges[2 * place + 1] = start, size

    def fork_and_reply(self, wire: int, reply: bytes, id_offset: int) -> tuple[int, bytes]:
        """Copy this process and send a reply before Python runs again: a reply that Python composes
        after the fork costs as much as the fork. Ten bytes at `id_offset` become the copy's process
        id. Gives what fork gives, and what could not be sent."""
        assert _spawn is not None
        buffer, sent = ctypes.create_string_buffer(reply, len(reply)), ctypes.c_long()
        start = ctypes.addressof(buffer)
        sending = (wire, start, len(reply), start + id_offset, ctypes.byref(sent))
        pid = _checked(_spawn.spawn_copy(self._thread_id, *sending), "clone")
        return pid, buffer.raw[max(sent.value, 0) :] if pid else b""


# -- memory of a template (worker/memory.py)


class _ArenaAllocator(ctypes.Structure):
    _fields_ = (("context", ctypes.c_void_p), ("alloc", ctypes.c_void_p), ("free", ctypes.c_void_p))


class ArenaStretch:
    """A stretch of memory that Python takes its arenas from until the end. They are freed as all
    others are: page by page, to the kernel. Without _spawn.c nothing changes."""

    def __init__(self, size: int, alignment: int) -> None:
        self._before: _ArenaAllocator | None = None
        if _spawn is None:
            return
        protection, flags = mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
        size += alignment
        start = call("mmap", 0, size, protection, flags, -1, 0, expected=IGNORED)
        if start < 0:
            return
        first = -(-start // alignment) * alignment
        _unmap(start, first)
        self._before = before = _ArenaAllocator()
        _python.PyObject_GetArenaAllocator(ctypes.byref(before))
        self._arenas = _Arenas(first, start + size, before.alloc, before.context)
        allocate = ctypes.cast(_spawn.spawn_allocate_arena, ctypes.c_void_p)
        ours = _ArenaAllocator(ctypes.addressof(self._arenas), allocate, before.free)
        _python.PyObject_SetArenaAllocator(ctypes.byref(ours))

    def end(self) -> None:
        """Let Python allocate as before, and unmap the rest."""
        if self._before is not None:
            _python.PyObject_SetArenaAllocator(ctypes.byref(self._before))
            _unmap(self._arenas.next, self._arenas.end)


def _unmap(start: int, end: int) -> None:
    if start < end:
        call("munmap", start, end - start)


_BLOCK = 100_000  # libc does not take larger ones from its heap


def grow_heap(size: int) -> None:
    """Give libc's heap so much room, without using it. It does not shrink again: the last block
    stays at its end."""
    _libc.malloc.restype = ctypes.c_void_p
    *blocks, _end = [_libc.malloc(ctypes.c_size_t(_BLOCK)) for _ in range(size // _BLOCK)]
    for block in blocks:
        _libc.free(ctypes.c_void_p(block))
