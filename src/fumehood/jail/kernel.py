"""Kernel calls that Python's standard library does not offer. The one file of the jail that uses
ctypes.

Every function either does what its name says or raises OSError with the kernel's reason; none fails
quietly. Numbers of system calls that have no wrapper in libc are the same on x86-64 and aarch64
except where a table says otherwise.
"""

from __future__ import annotations

import ctypes
import errno
import functools
import mmap
import os
import platform
import signal
import struct
import threading
from collections.abc import Sequence

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long

MACHINE = platform.machine()

_NUMBERS = {
    "x86_64": {
        "pivot_root": 155, "seccomp": 317, "capset": 126, "openat": 257, "close": 3, "write": 1, "dup3": 292, "fcntl": 72, "chdir": 80, "mount": 165,  # noqa: E501
        "mkdirat": 258, "symlinkat": 266, "setsid": 112, "setresuid": 117, "setresgid": 119, "prlimit64": 302, "prctl": 157, "unshare": 272,  # noqa: E501
        "getuid": 102, "geteuid": 107, "getgid": 104, "getegid": 108, "ppoll": 271, "fchdir": 81, "clone": 56, "syslog": 103,  # noqa: E501
        "setpriority": 141,
    },
    "aarch64": {
        "pivot_root": 41, "seccomp": 277, "capset": 91, "openat": 56, "close": 57, "write": 64, "dup3": 24, "fcntl": 25, "chdir": 49, "mount": 40,  # noqa: E501
        "mkdirat": 34, "symlinkat": 36, "setsid": 157, "setresuid": 147, "setresgid": 149, "prlimit64": 261, "prctl": 167, "unshare": 97,  # noqa: E501
        "getuid": 174, "geteuid": 175, "getgid": 176, "getegid": 177, "ppoll": 73, "fchdir": 50, "clone": 220, "syslog": 116,  # noqa: E501
        "setpriority": 140,
    },
}  # fmt: skip
_EVERYWHERE = {
    "close_range": 436,
    "mount_setattr": 442,
    "landlock_create_ruleset": 444,
    "landlock_add_rule": 445,
    "landlock_restrict_self": 446,
}

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


def number_of(name: str) -> int:
    """The number of a system call on this machine."""
    number = _EVERYWHERE.get(name) or _NUMBERS.get(MACHINE, {}).get(name)
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


_pages: list[mmap.mmap] = []
"""Machine code stands in these, which tasks may run for ever, so they are never given back."""


def _executable(code: bytes) -> int:
    """The address of a copy of some machine code. All of it shares a page while there is room: each
    page is one more thing to copy."""
    if not _pages or _pages[-1].tell() + len(code) > mmap.PAGESIZE:
        access = mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC
        _pages.append(mmap.mmap(-1, mmap.PAGESIZE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, access))
    page = _pages[-1]
    start = page.tell()
    page.write(code)
    return ctypes.addressof(ctypes.c_char.from_buffer(page)) + start


class NativeBlock:
    """Machine code that is called with the address of some memory, and that memory."""

    def __init__(self, code: bytes, pages: int = 1) -> None:
        self._page = mmap.mmap(-1, pages * mmap.PAGESIZE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self._page))
        self._function = ctypes.PYFUNCTYPE(ctypes.c_long, ctypes.c_void_p)(_executable(code))

    def write(self, offset: int, data: bytes) -> None:
        self._page[offset : offset + len(data)] = data

    def read(self, offset: int, length: int) -> bytes:
        return self._page[offset : offset + length]

    def call(self) -> int:
        return int(self._function(self.address))


class PreparedCalls:
    """System calls with their arguments in memory, for machine code to make one after the other;
    without any, Python makes them."""

    def __init__(
        self,
        rows: Sequence[tuple[int, Sequence[int | bytes], int]],
        code: bytes | None,
        *,
        ignored: int,
        anything: int,
    ) -> None:
        self._kept: list[ctypes.Array[ctypes.c_char]] = []
        self._ignored, self._anything = ignored, anything
        words = []
        for number, arguments, expected in rows:
            words += [number, *map(self._word, (*arguments, 0, 0, 0, 0, 0, 0)[:6]), expected]
        self._words = (ctypes.c_long * (len(words) + 1))(*words)
        self._end = ctypes.addressof(self._words) + len(words) * 8
        self._code = None if code is None else _executable(code)
        self._run = (
            None
            if self._code is None
            else ctypes.PYFUNCTYPE(ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p)(self._code)
        )

    def _word(self, argument: int | bytes) -> int:
        if isinstance(argument, int):
            return ctypes.c_long(argument).value
        buffer = ctypes.create_string_buffer(argument, len(argument))
        self._kept.append(buffer)
        return ctypes.addressof(buffer)

    @property
    def native(self) -> tuple[int, int, int]:
        """For other machine code: what to call with, and what to call. Its result is to be given to
        `judged`."""
        assert self._code is not None
        return ctypes.addressof(self._words), self._end, self._code

    def judged(self, failed: int) -> tuple[int, int] | None:
        """If one failed: which, and the kernel's answer."""
        return ((failed - ctypes.addressof(self._words)) // 64, self._words[-1]) if failed else None

    def make(self) -> tuple[int, int] | None:
        """Make them all. If one fails: which, and the kernel's answer."""
        if self._run is not None:
            return self.judged(self._run(ctypes.addressof(self._words), self._end))
        for place in range((len(self._words) - 1) // 8):
            *call, expected = self._words[place * 8 : place * 8 + 8]
            result = int(_libc.syscall(*map(ctypes.c_long, call)))
            if expected != self._ignored and (
                result < 0 or expected not in (self._anything, result)
            ):
                return place, -ctypes.get_errno() if result < 0 else result
        return None


class NativeClone:
    """Starts tasks that run machine code in this process's memory, and nothing of Python.

    The code is called as function(flags, where to put the pidfd, a sigaction that ignores), makes
    the task, and returns what clone did.
    """

    def __init__(self, code: bytes) -> None:
        prototype = ctypes.CFUNCTYPE(
            ctypes.c_long, ctypes.c_ulong, ctypes.c_void_p, ctypes.c_void_p
        )
        self._function = prototype(_executable(code))
        self._pidfd = ctypes.c_int(-1)
        # struct sigaction of the kernel: handler, flags, restorer, mask.
        self._ignore = ctypes.create_string_buffer(struct.pack("=QQQQ", signal.SIG_IGN, 0, 0, 0))

    def start(self, flags: int) -> int:
        """A new task, as a pidfd. `flags` are those of clone, CLONE_PIDFD among them."""
        result = self._function(
            flags, ctypes.addressof(self._pidfd), ctypes.addressof(self._ignore)
        )
        if result < 0:
            raise OSError(-result, f"clone: {os.strerror(-result)}")
        return self._pidfd.value


class _ArenaAllocator(ctypes.Structure):
    _fields_ = (("context", ctypes.c_void_p), ("alloc", ctypes.c_void_p), ("free", ctypes.c_void_p))


# Called by Python as alloc(context, size): takes from a stretch what it has left, and asks who was
# asked before when that is not enough.
_TAKE = {
    "x86_64": bytes.fromhex(
        # cmp size, 1 MB   that of arenas; stacks of frames are taken the same way, and given back
        # soon
        "4881fe00001000"
        "7511"  #        jne before
        "488b07"  #      mov rax, [next]
        "488d0c30"  #    lea rcx, [rax + size]
        "483b4f08"  #    cmp rcx, [end]
        "7704"  #        ja before
        "48890f"  #      mov [next], rcx
        "c3"  #          ret
        # before:
        "488b4710"  #    mov rax, [alloc]
        "488b7f18"  #    mov rdi, [context]
        "ffe0"  #        jmp rax
    ),
}


class ArenaStretch:
    """A stretch of memory that Python takes its arenas from until the end. They are given back as
    all others are: page by page, to the kernel. Where there is no code for this machine nothing
    changes."""

    def __init__(self, size: int, alignment: int) -> None:
        self._before: _ArenaAllocator | None = None
        if MACHINE not in _TAKE:
            return
        start = _map(size + alignment)
        if start is None:
            return
        first, last = -(-start // alignment) * alignment, start + size + alignment
        _unmap(start, first)
        self._before = before = _ArenaAllocator()
        _python.PyObject_GetArenaAllocator(ctypes.byref(before))
        self._words = (ctypes.c_size_t * 4)(first, last, before.alloc, before.context or 0)
        ours = _ArenaAllocator(
            ctypes.addressof(self._words), _executable(_TAKE[MACHINE]), before.free
        )
        _python.PyObject_SetArenaAllocator(ctypes.byref(ours))

    def end(self) -> None:
        """Have Python ask as before, and give back what nobody has taken."""
        if self._before is not None:
            _python.PyObject_SetArenaAllocator(ctypes.byref(self._before))
            _unmap(self._words[0], self._words[1])


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


def messages(most: int = 1 << 14) -> bytes:
    """What the kernel has said last. OSError where that is not for everybody."""
    buffer = ctypes.create_string_buffer(most)
    length = _syscall("syslog", ctypes.c_int(_SYSLOG_READ_ALL), buffer, ctypes.c_int(most))
    return buffer.raw[:length]


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


# -- seccomp


class FilterProgram:
    """A system-call filter in memory, as the kernel takes it: packed `sock_filter` instructions of
    eight bytes each."""

    def __init__(self, program: bytes) -> None:
        self._instructions = ctypes.create_string_buffer(program, len(program))
        self.packed = struct.pack(
            "=HxxxxxxQ", len(program) // 8, ctypes.addressof(self._instructions)
        )


# -- Landlock


def landlock_abi() -> int:
    """The newest version of Landlock's rules that this kernel knows. OSError where it has none, or
    it is switched off."""
    flags = ctypes.c_uint(_LANDLOCK_CREATE_RULESET_VERSION)
    return _syscall("landlock_create_ruleset", None, ctypes.c_size_t(0), flags)
