"""Every system call that was looked at, as a table: who needs it, or why it is refused.
`seccomp.py` makes the filter from it.

A call without a row is one that nobody has looked at. It answers ENOSYS, as on a kernel that does
not have it, so that libc falls back to what it did before the call existed.

A row gives the number of its call on x86-64 and on aarch64, None where there is none. The numbers
were compared with the kernel's headers for both (a test repeats that), but the aarch64 filter has
only been run in a simulator, never on such a machine.

An allowed call may have checks: all must hold, else it answers the row's errno. A filter sees
numbers and not what pointers point to, so a call whose meaning lies behind a pointer (clone3,
openat2) is refused where an older call says the same in numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from errno import ENOSYS, EPERM
from typing import Literal

Option = Literal["processes", "pid namespace", "container"]
"""What a jail may have and rows ask for: leave to start processes; a pid namespace of its own, in
which nobody else can be signalled, or a container in its place; a container, in which a keeper is
all that holds a sandbox's processes together."""


@dataclass(frozen=True, slots=True)
class Check:
    """What one argument must be: `argument & mask` is one of `values`.

    `bits` is how much of the 64-bit register the kernel reads: for an `int` it ignores the upper
    half, and so must the check, else a value that the kernel takes for the same would slip through,
    or a harmless one be refused for garbage nobody reads.
    """

    argument: int
    values: tuple[int, ...] | Literal["own pid"]
    means: str
    mask: int = 0xFFFF_FFFF_FFFF_FFFF
    bits: Literal[32, 64] = 32
    unless: Option | None = None
    """The check falls away where the jail has this."""
    only: Option | None = None
    """The check falls away where the jail does not have this."""
    when: tuple[int, int] | None = None
    """The check is made only if the lower half of this argument is this value."""
    unless_value: tuple[int, int] | None = None
    """The check falls away if the lower half of this argument is this value."""
    refuses: bool = False
    """The values are those that `argument & mask` must not have."""
    errno: int | None = None
    """What the call answers if the check does not hold; None for the errno of its row. 0 is
    success, without the call being made."""

    def __post_init__(self) -> None:
        if not 0 <= self.argument <= 5:
            raise ValueError(f"a system call has arguments 0 to 5, not {self.argument}")
        if not self.values or not self.means.strip():
            raise ValueError("a check names its values and says what they mean")
        if self.values != "own pid" and any(
            value & ~self.mask or not 0 <= value < 1 << self.bits for value in self.values
        ):
            raise ValueError(f"a value that `argument & mask` can never have: {self.values}")
        if self.when is not None and self.unless_value is not None:
            raise ValueError("a check has one condition")
        if self.refuses and self.bits != 32:
            raise ValueError("values are refused in the lower half of an argument only")


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    x86_64: int | None
    aarch64: int | None
    verdict: Literal["allow", "refuse"]
    reason: str
    """Of an allowed call, who needs it; of a refused one, what it does."""
    checks: tuple[Check, ...] = ()
    errno: int = EPERM
    """What a refused call answers, and an allowed one whose checks or needs do not hold."""
    needs: Option | None = None
    """The call is refused unless the jail has this."""

    def __post_init__(self) -> None:
        if not self.reason.strip():
            raise ValueError(f"the row of {self.name} has no reason")
        if self.x86_64 is None and self.aarch64 is None:
            raise ValueError(f"the row of {self.name} has no number")
        if not 0 < self.errno < 4096:
            raise ValueError(f"the row of {self.name} answers {self.errno}, which is no errno")
        if self.verdict == "refuse" and (self.checks or self.needs):
            raise ValueError(
                f"the row of {self.name} refuses under a condition; allow it under the opposite one"
            )

    def number(self, arch: str) -> int | None:
        return self.x86_64 if arch == "x86_64" else self.aarch64


def _allow(
    name: str,
    x86_64: int | None,
    aarch64: int | None,
    reason: str,
    *checks: Check,
    errno: int = EPERM,
    needs: Option | None = None,
) -> Row:
    return Row(name, x86_64, aarch64, "allow", reason, checks, errno, needs)


def _refuse(
    name: str, x86_64: int | None, aarch64: int | None, reason: str, errno: int = EPERM
) -> Row:
    return Row(name, x86_64, aarch64, "refuse", reason, (), errno)


def _named(argument: int, what: str, mask: int = 0xFFFF_FFFF_FFFF_FFFF, **values: int) -> Check:
    return Check(argument, tuple(values.values()), f"{what} is one of {' '.join(values)}", mask)


# fmt: off
# -- checks
# ----------------------------------------------------------------------------------------------------------------------- Constants are those of Linux's generic headers, which x86-64 and aarch64 share. What is called most comes first.

# Not F_SETOWN, F_SETOWN_EX, F_SETSIG (signals to others), F_NOTIFY, F_SETLEASE (holds up who opens
# a file). F_SETPIPE_SZ: the kernel limits the pages of all pipes of a user, and cgroups count them.
FCNTL = {"F_GETFL": 3, "F_SETFL": 4, "F_GETFD": 1, "F_SETFD": 2, "F_DUPFD_CLOEXEC": 1030, "F_DUPFD": 0, "F_GETLK": 5, "F_SETLK": 6,
         "F_SETLKW": 7, "F_OFD_GETLK": 36, "F_OFD_SETLK": 37, "F_OFD_SETLKW": 38, "F_GETOWN": 9, "F_GETPIPE_SZ": 1032, "F_SETPIPE_SZ": 1031,
         "F_GET_SEALS": 1034}
_FCNTL = _named(1, "command", **FCNTL)

# Not TIOCSTI and TIOCLINUX, which type into a terminal, nor what devices add of their own.
IOCTL = {"TCGETS": 0x5401, "TCGETS2": 0x802C542A, "FIOCLEX": 0x5451, "FIONCLEX": 0x5450, "FIONBIO": 0x5421, "FIONREAD": 0x541B,
         "TIOCGWINSZ": 0x5413}
_IOCTL = _named(1, "command", **IOCTL)

# RLIMIT_DATA does not count MAP_SHARED with MAP_ANONYMOUS; RLIMIT_AS and cgroups do. None of them
# bounds MAP_GROWSDOWN, which may grow as a stack does.
_MAP_SHARED, _MAP_PRIVATE, _MAP_SHARED_VALIDATE, _MAP_TYPE, _MAP_ANONYMOUS = 0x01, 0x02, 0x03, 0x0F, 0x20
_MAP_GROWSDOWN, _MAP_LOCKED, _MAP_HUGETLB = 0x100, 0x2000, 0x40000
_MMAP = Check(3, (_MAP_PRIVATE | _MAP_ANONYMOUS, _MAP_PRIVATE, _MAP_SHARED, _MAP_SHARED_VALIDATE, _MAP_SHARED | _MAP_ANONYMOUS),
              "memory, or a file; without MAP_GROWSDOWN, MAP_LOCKED and MAP_HUGETLB",
              _MAP_TYPE | _MAP_ANONYMOUS | _MAP_GROWSDOWN | _MAP_LOCKED | _MAP_HUGETLB)

# Not MADV_HWPOISON, MADV_SOFT_OFFLINE (damage the machine), MADV_MERGEABLE (its time tells what
# others hold), MADV_COLD, MADV_PAGEOUT.
_MADVISE = _named(2, "advice", MADV_DONTNEED=4, MADV_FREE=8, MADV_HUGEPAGE=14, MADV_NOHUGEPAGE=15, MADV_NORMAL=0, MADV_RANDOM=1,
                  MADV_SEQUENTIAL=2, MADV_WILLNEED=3, MADV_REMOVE=9, MADV_DONTFORK=10, MADV_DOFORK=11, MADV_DONTDUMP=16, MADV_DODUMP=17,
                  MADV_WIPEONFORK=18, MADV_KEEPONFORK=19, MADV_POPULATE_READ=22, MADV_POPULATE_WRITE=23, MADV_COLLAPSE=25,
                  MADV_GUARD_INSTALL=102, MADV_GUARD_REMOVE=103)

_MEMBARRIER = _named(0, "command", QUERY=0, PRIVATE_EXPEDITED=8, REGISTER_PRIVATE_EXPEDITED=16, PRIVATE_EXPEDITED_SYNC_CORE=32,
                     REGISTER_PRIVATE_EXPEDITED_SYNC_CORE=64)

# FUTEX_PRIVATE_FLAG (128) and FUTEX_CLOCK_REALTIME (256) may go with any. ENOSYS is how libc finds
# that a kernel has no PI mutexes.
_FUTEX = _named(1, "operation", 0xFFFF_FFFF & ~(128 | 256), FUTEX_WAIT=0, FUTEX_WAKE=1, FUTEX_WAIT_BITSET=9, FUTEX_WAKE_BITSET=10,
                FUTEX_REQUEUE=3, FUTEX_CMP_REQUEUE=4, FUTEX_WAKE_OP=5)

# The flags that may be there: CLONE_VM FS FILES SIGHAND, PIDFD, VFORK, THREAD, SYSVSEM SETTLS
# PARENT_SETTID CHILD_CLEARTID DETACHED, CHILD_SETTID, IO. Not CLONE_NEW*, CLONE_PTRACE,
# CLONE_UNTRACED, nor what the future brings. The lowest byte is the signal at the child's end: none
# for a thread, SIGCHLD (17) for a process.
_CLONE_PARENT = 0x8000
_PLAIN_CLONE = 0xF00 | 0x1000 | 0x4000 | _CLONE_PARENT | 0x10000 | 0x7C0000 | 0x1000000 | 0x8000_0000
_CLONE = Check(0, (0, 17), "no new namespace, no tracing, no signal at its end but SIGCHLD", 0xFFFF_FFFF & ~_PLAIN_CLONE)
# Copies of a runner are children of its keeper, which is told how they end. Whatever else is made
# so is nobody's, and is ended first.
_BELOW = Check(0, (0,), "no CLONE_PARENT", _CLONE_PARENT, unless="container")
_THREAD = Check(0, (0x10000,), "a thread", 0x10000, unless="processes")

_KILL = Check(0, "own pid", "to itself", unless="pid namespace")
# Not -1, which is everybody: snapshots of the code's own past are processes too.
_FEW = Check(0, (0,), "to one process or its own group", 0x8000_0000)
# In a container those are in the group, so that it can be ended as a whole.
_ONE = Check(0, (0,), "not to its own group", only="container", refuses=True)
_TO_IT = Check(3, (0,), "not to a group", only="container")
_NEVER = Check(0, (0,), "never", 0, only="container", refuses=True)

# Both soft and hard limits are what the jail set: without a capability they can only be lowered.
_PRLIMIT = Check(2, (0,), "no new limit of another process", bits=64, unless_value=(0, 0))

# Not PR_SET_DUMPABLE and PR_SET_PTRACER (let others look in), PR_SET_SECCOMP, PR_SET_MM,
# PR_CAP_AMBIENT, PR_SET_SPECULATION_CTRL, ...
_PRCTL_OPTIONS = {"PR_SET_NAME": 15, "PR_SET_VMA": 0x53564D41, "PR_GET_NAME": 16, "PR_GET_PDEATHSIG": 2, "PR_GET_DUMPABLE": 3,
                  "PR_GET_KEEPCAPS": 7, "PR_GET_SECCOMP": 21, "PR_CAPBSET_READ": 23, "PR_GET_SECUREBITS": 27, "PR_GET_TIMERSLACK": 30,
                  "PR_GET_CHILD_SUBREAPER": 37, "PR_GET_NO_NEW_PRIVS": 39, "PR_GET_THP_DISABLE": 42}
_SET_PDEATHSIG, _SET_CHILD_SUBREAPER = 1, 36
_PRCTL = _named(0, "option", **_PRCTL_OPTIONS, PR_SET_PDEATHSIG=_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER=_SET_CHILD_SUBREAPER)
# A pid namespace dies with its first process; without one, PR_SET_PDEATHSIG is what binds a runner
# to its host, and could undo it.
_BOUND = Check(0, (_SET_PDEATHSIG,), "not PR_SET_PDEATHSIG", unless="pid namespace", refuses=True)
# What a runner starts stays below it in a container while it lives, and so must what its copies
# start.
_CHILDLESS = Check(0, (_SET_CHILD_SUBREAPER,), "not PR_SET_CHILD_SUBREAPER", unless="container", refuses=True)
_FOR_GOOD = Check(1, (1,), "PR_SET_CHILD_SUBREAPER to 1", when=(0, _SET_CHILD_SUBREAPER), bits=64, only="container")

_ARCH_PRCTL = _named(0, "option", ARCH_GET_XCOMP_SUPP=0x1021, ARCH_GET_XCOMP_PERM=0x1022, ARCH_REQ_XCOMP_PERM=0x1023)

_PERSONALITY = Check(0, (0xFFFF_FFFF,), "the question what it is")

_SENDTO = Check(4, (0,), "no address", bits=64)

_PAIR = Check(0, (1,), "domain is AF_UNIX")

_SOCKET_LEVEL = Check(1, (1,), "level is SOL_SOCKET")
SOCKET_OPTIONS = {"SO_TYPE": 3, "SO_ERROR": 4, "SO_SNDBUF": 7, "SO_RCVBUF": 8, "SO_ACCEPTCONN": 30, "SO_PROTOCOL": 38, "SO_DOMAIN": 39}
_SOCKET_OPTION = _named(2, "option", **SOCKET_OPTIONS)

ROWS: tuple[Row, ...] = (
    # -- files: reading, writing, what lies open
    _allow("read", 0, 63, "every open file, pipe and the wire"),
    _allow("write", 1, 64, "every open file, pipe and the wire"),
    _allow("readv", 19, 65, "os.readv"),
    _allow("writev", 20, 66, "os.writev"),
    _allow("pread64", 17, 67, "os.pread, sqlite3, HDF5"),
    _allow("pwrite64", 18, 68, "os.pwrite, sqlite3, HDF5"),
    _allow("preadv", 295, 69, "os.preadv"),
    _allow("pwritev", 296, 70, "os.pwritev"),
    _allow("preadv2", 327, 286, "os.preadv with flags"),
    _allow("pwritev2", 328, 287, "os.pwritev with flags"),
    _allow("lseek", 8, 62, "every file object"),
    _allow("open", 2, None, "open() under its oldest name"),
    _allow("openat", 257, 56, "open(); what may be opened is the mount namespace's and Landlock's to say"),
    _allow("creat", 85, None, "open() under its oldest name"),
    _allow("close", 3, 57, "every file object"),
    _allow("close_range", 436, 436, "os.closerange"),
    _allow("dup", 32, 23, "os.dup"),
    _allow("dup2", 33, None, "os.dup2"),
    _allow("dup3", 292, 24, "os.dup2 that is not inherited"),
    _allow("fcntl", 72, 25, "locks, duplicates and flags of descriptors; not signals by descriptor, nor leases", _FCNTL),
    _allow("ioctl", 16, 29, "whether a stream is a terminal, and plain flags; not typing into a terminal", _IOCTL),
    _allow("flock", 73, 32, "fcntl.flock"),
    _allow("sendfile", 40, 71, "shutil.copyfile"),
    _allow("copy_file_range", 326, 285, "os.copy_file_range, shutil.copyfile of newer Pythons"),
    _allow("fadvise64", 221, 223, "os.posix_fadvise, readers of large files"),
    _allow("ftruncate", 77, 46, "file.truncate"),
    _allow("truncate", 76, 45, "os.truncate"),
    _allow("fallocate", 285, 47, "os.posix_fallocate, HDF5"),
    _allow("fsync", 74, 82, "os.fsync, sqlite3"),
    _allow("fdatasync", 75, 83, "os.fdatasync, sqlite3"),
    _allow("pipe", 22, None, "os.pipe under its oldest name"),
    _allow("pipe2", 293, 59, "os.pipe"),
    _refuse("splice", 275, 76, "moves pages between pipes and files; a record of kernel bugs, and libraries fall back to read and write"),
    _refuse("tee", 276, 77, "duplicates pages between pipes; nothing needs it"),
    _refuse("vmsplice", 278, 75, "lends pages of memory to a pipe; nothing needs it"),
    _refuse("sync", 162, 81, "makes the machine write out every file system, for everybody"),
    _refuse("syncfs", 306, 267, "makes the machine write out a file system it shares"),
    _refuse("sync_file_range", 277, 84, "nothing needs it; fsync does", ENOSYS),
    _refuse("readahead", 187, 213, "fills the machine's file cache; nothing needs it"),
    _refuse("memfd_create", 319, 279, "files in memory that no file system limit counts, and that could be run"),
    _refuse("memfd_secret", 447, 447, "memory that not even the kernel can look at"),
    # -- files: names and what is known about them
    _allow("stat", 4, None, "os.stat under its oldest name"),
    _allow("lstat", 6, None, "os.lstat under its oldest name"),
    _allow("fstat", 5, 80, "every open()"),
    _allow("newfstatat", 262, 79, "os.stat, import"),
    _allow("statx", 332, 291, "os.stat of newer libcs"),
    _allow("statfs", 137, 43, "shutil.disk_usage"),
    _allow("fstatfs", 138, 44, "os.fstatvfs"),
    _allow("access", 21, None, "os.access under its oldest name"),
    _allow("faccessat", 269, 48, "os.access"),
    _allow("faccessat2", 439, 439, "os.access of newer libcs"),
    _allow("getdents64", 217, 61, "os.scandir, import"),
    _allow("getcwd", 79, 17, "os.getcwd"),
    _allow("chdir", 80, 49, "os.chdir"),
    _allow("fchdir", 81, 50, "os.fchdir, shutil"),
    _allow("mkdir", 83, None, "os.mkdir under its oldest name"),
    _allow("mkdirat", 258, 34, "os.mkdir"),
    _allow("rmdir", 84, None, "os.rmdir"),
    _allow("unlink", 87, None, "os.unlink"),
    _allow("unlinkat", 263, 35, "shutil.rmtree"),
    _allow("rename", 82, None, "os.rename"),
    _allow("renameat", 264, 38, "os.rename relative to a directory"),
    _allow("renameat2", 316, 276, "os.rename of newer libcs"),
    _allow("link", 86, None, "tarfile, os.link; Landlock refuses links out of a directory"),
    _allow("linkat", 265, 37, "tarfile, os.link; Landlock refuses links out of a directory"),
    _allow("symlink", 88, None, "os.symlink; the host follows none"),
    _allow("symlinkat", 266, 36, "os.symlink; the host follows none"),
    _allow("readlink", 89, None, "os.path.realpath"),
    _allow("readlinkat", 267, 78, "os.path.realpath"),
    # Landlock says nothing about these, so without namespaces they would reach whatever else the
    # user owns on the machine.
    _allow("chmod", 90, None, "os.chmod; set-user-id bits gain nothing where nothing can be executed", needs="pid namespace"),
    _allow("fchmod", 91, 52, "os.fchmod, tempfile", needs="pid namespace"),
    _allow("fchmodat", 268, 53, "os.chmod, shutil.copy", needs="pid namespace"),
    _allow("fchmodat2", 452, 452, "os.chmod of newer libcs", needs="pid namespace"),
    # The kernel changes an owner only for a process with CAP_CHOWN. Without it, a process sets its own user and groups.
    _allow("chown", 92, None, "shutil.chown and tarfile, to the user that the file has already", needs="pid namespace"),
    _allow("fchown", 93, 55, "as chown", needs="pid namespace"),
    _allow("lchown", 94, None, "as chown", needs="pid namespace"),
    _allow("fchownat", 260, 54, "as chown", needs="pid namespace"),
    _allow("umask", 95, 166, "os.umask, tempfile"),
    _allow("utime", 132, None, "os.utime under its oldest name", needs="pid namespace"),
    _allow("utimes", 235, None, "os.utime under an older name", needs="pid namespace"),
    _allow("futimesat", 261, None, "os.utime under an older name", needs="pid namespace"),
    _allow("utimensat", 280, 88, "os.utime, shutil.copy2", needs="pid namespace"),
    _allow("getxattr", 191, 8, "shutil.copy2 copies attributes"),
    _allow("lgetxattr", 192, 9, "shutil.copy2 copies attributes"),
    _allow("fgetxattr", 193, 10, "os.getxattr of an open file"),
    _allow("listxattr", 194, 11, "shutil.copy2 fails where this is refused"),
    _allow("llistxattr", 195, 12, "shutil.copy2 fails where this is refused"),
    _allow("flistxattr", 196, 13, "os.listxattr of an open file"),
    _refuse("setxattr", 188, 5, "attributes are memory that no limit counts, and some are privileges; shutil.copy2 goes on without"),
    _refuse("lsetxattr", 189, 6, "as setxattr"),
    _refuse("fsetxattr", 190, 7, "as setxattr"),
    _refuse("removexattr", 197, 14, "as setxattr"),
    _refuse("lremovexattr", 198, 15, "as setxattr"),
    _refuse("fremovexattr", 199, 16, "as setxattr"),
    _refuse("setxattrat", 463, 463, "as setxattr", ENOSYS),
    _refuse("getxattrat", 464, 464, "newer than anybody's need; libc falls back to getxattr", ENOSYS),
    _refuse("listxattrat", 465, 465, "newer than anybody's need; libc falls back to listxattr", ENOSYS),
    _refuse("removexattrat", 466, 466, "as setxattr", ENOSYS),
    _refuse("file_getattr", 468, 468, "flags of files; nothing needs it", ENOSYS),
    _refuse("file_setattr", 469, 469, "makes files immutable and the like", ENOSYS),
    _refuse("openat2", 437, 437, "its flags lie in memory, where no filter sees them; libc falls back to openat", ENOSYS),
    _refuse("name_to_handle_at", 303, 264, "names a file by a handle that works outside its mount"),
    _refuse("open_by_handle_at", 304, 265, "opens a file by handle, past every directory above it"),
    _refuse("mknod", 133, None, "makes devices and pipes with names"),
    _refuse("mknodat", 259, 33, "makes devices and pipes with names"),
    _refuse("getdents", 78, None, "libc uses getdents64", ENOSYS),
    _refuse("cachestat", 451, 451, "tells which files others have read, from the machine's cache", ENOSYS),
    _refuse("inotify_init", 253, None, "watches files; nothing needs it"),
    _refuse("inotify_init1", 294, 26, "watches files; nothing needs it"),
    _refuse("inotify_add_watch", 254, 27, "watches files; nothing needs it"),
    _refuse("inotify_rm_watch", 255, 28, "watches files; nothing needs it"),
    _refuse("fanotify_init", 300, 262, "watches and holds up what others do with files"),
    _refuse("fanotify_mark", 301, 263, "watches and holds up what others do with files"),
    # -- waiting
    _allow("poll", 7, None, "select.poll, the wire"),
    _allow("ppoll", 271, 73, "select.poll of newer libcs"),
    _allow("select", 23, None, "select.select, time.sleep"),
    _allow("pselect6", 270, 72, "select.select"),
    _allow("epoll_create", 213, None, "select.epoll under its oldest name"),
    _allow("epoll_create1", 291, 20, "select.epoll"),
    _allow("epoll_ctl", 233, 21, "select.epoll"),
    _allow("epoll_wait", 232, None, "select.epoll"),
    _allow("epoll_pwait", 281, 22, "select.epoll"),
    _allow("epoll_pwait2", 441, 441, "select.epoll of newer libcs"),
    _allow("eventfd", 284, None, "os.eventfd under its oldest name"),
    _allow("eventfd2", 290, 19, "os.eventfd, event loops"),
    _refuse("timerfd_create", 283, 85, "timers as files; nothing needs it, setitimer and sleeping do"),
    _refuse("timerfd_settime", 286, 86, "as timerfd_create"),
    _refuse("timerfd_gettime", 287, 87, "as timerfd_create"),
    _refuse("signalfd", 282, None, "signals as files; nothing needs it"),
    _refuse("signalfd4", 289, 74, "signals as files; nothing needs it"),
    _refuse("io_setup", 206, 0, "rings of locked memory that no limit of the jail counts; nothing needs it"),
    _refuse("io_destroy", 207, 1, "as io_setup"),
    _refuse("io_submit", 209, 2, "as io_setup"),
    _refuse("io_cancel", 210, 3, "as io_setup"),
    _refuse("io_getevents", 208, 4, "as io_setup"),
    _refuse("io_pgetevents", 333, 292, "as io_setup"),
    _refuse("io_uring_setup", 425, 425, "does the work of other system calls out of sight of this filter"),
    _refuse("io_uring_enter", 426, 426, "as io_uring_setup"),
    _refuse("io_uring_register", 427, 427, "as io_uring_setup"),
    # -- memory
    _allow("mmap", 9, 222, "all memory beyond the heap; not the kinds that no limit counts", _MMAP),
    _allow("munmap", 11, 215, "all memory beyond the heap"),
    _allow("mremap", 25, 216, "realloc of large blocks; RLIMIT_DATA counts what it adds"),
    _allow("mprotect", 10, 226, "thread stacks, loading of shared libraries"),
    _allow("brk", 12, 214, "the heap; RLIMIT_DATA counts it"),
    _allow("madvise", 28, 233, "allocators and numpy; not poisoning pages, nor merging them with other processes' pages", _MADVISE),
    _allow("msync", 26, 227, "numpy.memmap.flush, mmap.flush"),
    _allow("membarrier", 324, 283, "allocators and just-in-time compilers; only the commands about the process's own threads", _MEMBARRIER),
    _refuse("remap_file_pages", 216, 234, "rearranges mappings; obsolete, with a record of kernel bugs"),
    _refuse("mincore", 27, 232, "tells which pages of shared files others have read"),
    _refuse("mlock", 149, 228, "holds physical memory"),
    _refuse("mlock2", 325, 284, "holds physical memory"),
    _refuse("mlockall", 151, 230, "holds physical memory"),
    _refuse("munlock", 150, 229, "nothing can be locked"),
    _refuse("munlockall", 152, 231, "nothing can be locked"),
    _refuse("mbind", 237, 235, "binds memory to parts of the machine; allocators go on without"),
    _refuse("set_mempolicy", 238, 237, "as mbind"),
    _refuse("get_mempolicy", 239, 236, "tells where on the machine memory lies; allocators go on without"),
    _refuse("set_mempolicy_home_node", 450, 450, "as mbind"),
    _refuse("migrate_pages", 256, 238, "moves another process's memory"),
    _refuse("move_pages", 279, 239, "moves another process's memory"),
    _refuse("pkey_mprotect", 329, 288, "memory protection keys; nothing needs it", ENOSYS),
    _refuse("pkey_alloc", 330, 289, "memory protection keys; nothing needs it", ENOSYS),
    _refuse("pkey_free", 331, 290, "memory protection keys; nothing needs it", ENOSYS),
    _refuse("map_shadow_stack", 453, 453, "memory that RLIMIT_DATA does not count; libc goes on without", ENOSYS),
    _refuse("mseal", 462, 462, "newer than anybody's need; the loader goes on without", ENOSYS),
    _refuse("userfaultfd", 323, 282, "holds the kernel still in the middle of a copy, the favourite tool of kernel exploits"),
    _refuse("process_madvise", 440, 440, "reaches into another process's memory"),
    _refuse("process_mrelease", 448, 448, "reaches into another process's memory"),
    _refuse("process_vm_readv", 310, 270, "reads another process's memory"),
    _refuse("process_vm_writev", 311, 271, "writes another process's memory"),
    _refuse("shmget", 29, 194, "shared memory that outlives its process and that RLIMIT_DATA does not count"),
    _refuse("shmat", 30, 196, "as shmget"),
    _refuse("shmdt", 67, 197, "as shmget"),
    _refuse("shmctl", 31, 195, "as shmget"),
    _refuse("semget", 64, 190, "semaphores that outlive their process"),
    _refuse("semop", 65, 193, "as semget"),
    _refuse("semtimedop", 220, 192, "as semget"),
    _refuse("semctl", 66, 191, "as semget"),
    _refuse("msgget", 68, 186, "queues of kernel memory that outlive their process"),
    _refuse("msgsnd", 69, 189, "as msgget"),
    _refuse("msgrcv", 70, 188, "as msgget"),
    _refuse("msgctl", 71, 187, "as msgget"),
    _refuse("mq_open", 240, 180, "queues of kernel memory that outlive their process"),
    _refuse("mq_unlink", 241, 181, "as mq_open"),
    _refuse("mq_timedsend", 242, 182, "as mq_open"),
    _refuse("mq_timedreceive", 243, 183, "as mq_open"),
    _refuse("mq_notify", 244, 184, "as mq_open"),
    _refuse("mq_getsetattr", 245, 185, "as mq_open"),
    # -- threads and processes
    _allow("futex", 202, 98, "every lock; not those that inherit priority, which have a record of kernel bugs", _FUTEX, errno=ENOSYS),
    _allow("set_robust_list", 273, 99, "libc, in each new thread and after fork"),
    _allow("set_tid_address", 218, 96, "libc, after fork"),
    _allow("rseq", 334, 293, "libc, in each new thread"),
    _allow("sched_yield", 24, 124, "time.sleep(0), OpenBLAS"),
    _allow("sched_getaffinity", 204, 123, "os.cpu_count, OpenBLAS"),
    _allow("sched_getparam", 143, 121, "libc, when a thread asks about itself"),
    _allow("sched_getscheduler", 145, 120, "libc, when a thread asks about itself"),
    _allow("sched_get_priority_max", 146, 125, "libc, when a thread asks about itself"),
    _allow("sched_get_priority_min", 147, 126, "libc, when a thread asks about itself"),
    _allow("getpriority", 140, 141, "os.getpriority"),
    _allow("getcpu", 309, 168, "OpenMP"),
    _allow("clone", 56, 220, "threads, and os.fork where processes are allowed; no new namespaces, no tracing", _CLONE, _BELOW, _THREAD),
    _allow("fork", 57, None, "os.fork of old libcs", needs="processes"),
    _allow("vfork", 58, None, "subprocess, which then fails at execve with a plain PermissionError", needs="processes"),
    _allow("exit", 60, 93, "the end of a thread"),
    _allow("exit_group", 231, 94, "the end of a process"),
    _allow("wait4", 61, 260, "os.waitpid"),
    _allow("waitid", 247, 95, "os.waitid"),
    _allow("restart_syscall", 219, 128, "how the kernel goes on with a sleep that a signal interrupted"),
    _refuse("clone3", 435, 435, "its flags lie in memory, where no filter sees them; libc falls back to clone", ENOSYS),
    _refuse("execve", 59, 221, "runs another program"),
    _refuse("execveat", 322, 281, "runs another program"),
    _refuse("get_robust_list", 274, 100, "tells where a process keeps its locks; only checkpointing tools need it"),
    _refuse("futex_waitv", 449, 449, "newer than anybody's need; libraries fall back to futex", ENOSYS),
    _refuse("futex_wait", 455, 455, "newer than anybody's need; libraries fall back to futex", ENOSYS),
    _refuse("futex_wake", 454, 454, "newer than anybody's need; libraries fall back to futex", ENOSYS),
    _refuse("futex_requeue", 456, 456, "newer than anybody's need; libraries fall back to futex", ENOSYS),
    _refuse("sched_setaffinity", 203, 122, "chooses the processor it runs on, and so its neighbours; nothing needs it"),
    _refuse("sched_setparam", 142, 118, "takes processor time from others"),
    _refuse("sched_setscheduler", 144, 119, "takes processor time from others"),
    _refuse("sched_setattr", 314, 274, "takes processor time from others"),
    _refuse("sched_getattr", 315, 275, "nothing needs it"),
    _refuse("sched_rr_get_interval", 148, 127, "nothing needs it"),
    _refuse("setpriority", 141, 140, "takes processor time from others"),
    _refuse("ioprio_set", 251, 30, "takes disk time from others"),
    _refuse("ioprio_get", 252, 31, "nothing needs it"),
    _refuse("unshare", 272, 97, "new namespaces, in which it would have privileges"),
    _refuse("setns", 308, 268, "enters another namespace"),
    _refuse("ptrace", 101, 117, "takes over another process"),
    _refuse("kcmp", 312, 272, "compares what two processes have open"),
    _refuse("pidfd_getfd", 438, 438, "takes an open file from another process"),
    _allow("setsid", 112, 157, "a runner's copies, so that what each starts can be told apart", _NEVER, needs="processes"),
    _refuse("setpgid", 109, 154, "leaves the process group that the jail ends as a whole"),
    # -- signals
    _allow("rt_sigaction", 13, 134, "signal.signal, faulthandler"),
    _allow("rt_sigprocmask", 14, 135, "libc, around the start of a thread"),
    _allow("rt_sigreturn", 15, 139, "the end of every signal handler"),
    _allow("rt_sigpending", 127, 136, "signal.sigpending"),
    _allow("rt_sigtimedwait", 128, 137, "signal.sigtimedwait"),
    _allow("rt_sigsuspend", 130, 133, "sigsuspend of libc"),
    _allow("sigaltstack", 131, 132, "faulthandler"),
    _allow("pause", 34, None, "signal.pause"),
    _allow("kill", 62, 129, "os.kill; where processes of others can be seen, only itself", _KILL, _FEW, _ONE),
    _allow("tgkill", 234, 131, "abort, raise, signal.pthread_kill; where processes of others can be seen, only itself", _KILL),
    _allow("tkill", 200, 130, "raise of some libcs", needs="pid namespace"),
    _allow("rt_sigqueueinfo", 129, 138, "sigqueue of libc", needs="pid namespace"),
    _allow("rt_tgsigqueueinfo", 297, 240, "pthread_sigqueue of libc", needs="pid namespace"),
    _allow("pidfd_open", 434, 434, "os.pidfd_open", needs="pid namespace"),
    _allow("pidfd_send_signal", 424, 424, "signal.pidfd_send_signal", _TO_IT, needs="pid namespace"),
    # -- time
    _allow("clock_gettime", 228, 113, "time.time, where the vdso cannot answer"),
    _allow("clock_getres", 229, 114, "time.get_clock_info"),
    _allow("clock_nanosleep", 230, 115, "time.sleep"),
    _allow("nanosleep", 35, 101, "usleep of libraries"),
    _allow("gettimeofday", 96, 169, "clocks of libraries"),
    _allow("time", 201, None, "clocks of libraries"),
    _allow("times", 100, 153, "os.times"),
    _allow("setitimer", 38, 103, "signal.setitimer, the time limit of a cell"),
    _allow("getitimer", 36, 102, "signal.getitimer"),
    _allow("alarm", 37, None, "signal.alarm"),
    _refuse("timer_create", 222, 107, "nothing needs it, setitimer does; a record of kernel bugs"),
    _refuse("timer_settime", 223, 110, "as timer_create"),
    _refuse("timer_gettime", 224, 108, "as timer_create"),
    _refuse("timer_getoverrun", 225, 109, "as timer_create"),
    _refuse("timer_delete", 226, 111, "as timer_create"),
    _refuse("clock_settime", 227, 112, "sets the machine's clock"),
    _refuse("clock_adjtime", 305, 266, "sets the machine's clock"),
    _refuse("adjtimex", 159, 171, "sets the machine's clock"),
    _refuse("settimeofday", 164, 170, "sets the machine's clock"),
    # -- about itself
    _allow("getpid", 39, 172, "os.getpid"),
    _allow("getppid", 110, 173, "os.getppid"),
    _allow("gettid", 186, 178, "threading.get_native_id"),
    _allow("getuid", 102, 174, "os.getuid"),
    _allow("geteuid", 107, 175, "os.geteuid"),
    _allow("getgid", 104, 176, "os.getgid"),
    _allow("getegid", 108, 177, "os.getegid"),
    _allow("getgroups", 115, 158, "os.getgroups"),
    _allow("getresuid", 118, 148, "os.getresuid"),
    _allow("getresgid", 120, 150, "os.getresgid"),
    _allow("getpgrp", 111, None, "os.getpgrp"),
    _allow("getpgid", 121, 155, "os.getpgid"),
    _allow("getsid", 124, 156, "os.getsid"),
    _allow("uname", 63, 160, "os.uname"),
    _allow("sysinfo", 99, 179, "os.sysconf, qsort of libc"),
    _allow("getrandom", 318, 278, "os.urandom, random, hashes"),
    _allow("getrusage", 98, 165, "resource.getrusage"),
    _allow("getrlimit", 97, 163, "resource.getrlimit"),
    _allow("prlimit64", 302, 261, "resource.getrlimit; resource.setrlimit, which lowers a limit of its own", _PRLIMIT),
    _allow("prctl", 157, 167, "names of threads and of memory, dying with a parent, and questions", _PRCTL, _BOUND, _CHILDLESS, _FOR_GOOD),
    _allow("arch_prctl", 158, None, "matrix units, which numeric libraries ask for; threads get their storage from clone", _ARCH_PRCTL),
    _allow("personality", 135, 92, "platform; only the question, as some answers switch off protections", _PERSONALITY),
    _refuse("setrlimit", 160, 164, "libc uses prlimit64"),
    _refuse("setuid", 105, 146, "becomes another user"),
    _refuse("setgid", 106, 144, "becomes another user"),
    _refuse("setreuid", 113, 145, "becomes another user"),
    _refuse("setregid", 114, 143, "becomes another user"),
    _refuse("setresuid", 117, 147, "becomes another user"),
    _refuse("setresgid", 119, 149, "becomes another user"),
    _refuse("setfsuid", 122, 151, "becomes another user for files"),
    _refuse("setfsgid", 123, 152, "becomes another user for files"),
    _refuse("setgroups", 116, 159, "becomes another user"),
    _refuse("capget", 125, 90, "nothing needs it"),
    _refuse("capset", 126, 91, "changes privileges"),
    _refuse("modify_ldt", 154, None, "changes segment tables; a record of kernel bugs"),
    _refuse("set_thread_area", 205, None, "segments of 32-bit programs", ENOSYS),
    _refuse("get_thread_area", 211, None, "segments of 32-bit programs", ENOSYS),
    _refuse("iopl", 172, None, "direct access to hardware"),
    _refuse("ioperm", 173, None, "direct access to hardware"),
    # -- sockets: the wire, which was open before the jail closed, and pairs within a sandbox
    _allow("sendto", 44, 206, "the wire; to no address, so that a socket reaches only the peer it has", _SENDTO),
    _allow("recvfrom", 45, 207, "the wire"),
    _allow("recvmsg", 47, 212, "the wire"),
    _allow("shutdown", 48, 210, "the wire"),
    _allow("getsockname", 51, 204, "socket.socket(fileno=...) asks"),
    _allow("getpeername", 52, 205, "socket.getpeername"),
    _allow("getsockopt", 55, 209, "socket.socket(fileno=...) asks; not who the peer is", _SOCKET_LEVEL, _SOCKET_OPTION),
    _allow("socketpair", 53, 199, "asyncio and multiprocessing.Pipe; only AF_UNIX, whose memory cgroups count", _PAIR),
    _refuse("socket", 41, 198, "network and every other kind of socket"),
    _refuse("sendmsg", 46, 211, "leaves descriptors in flight, which the kernel limits for all sandboxes of a user together"),
    _refuse("connect", 42, 203, "reaches another process or the network"),
    _refuse("bind", 49, 200, "offers a service"),
    _refuse("listen", 50, 201, "offers a service"),
    _refuse("accept", 43, 202, "offers a service"),
    _refuse("accept4", 288, 242, "offers a service"),
    _refuse("setsockopt", 54, 208, "changes filters, buffers and credentials of the wire"),
    _refuse("sendmmsg", 307, 269, "as sendmsg"),
    _refuse("recvmmsg", 299, 243, "nothing needs it"),
    # -- the machine
    _refuse("mount", 165, 40, "changes the file system"),
    _refuse("umount2", 166, 39, "changes the file system"),
    _refuse("pivot_root", 155, 41, "changes the file system"),
    _refuse("chroot", 161, 51, "changes the file system"),
    _refuse("open_tree", 428, 428, "changes the file system"),
    _refuse("open_tree_attr", 467, 467, "changes the file system", ENOSYS),
    _refuse("move_mount", 429, 429, "changes the file system"),
    _refuse("fsopen", 430, 430, "changes the file system"),
    _refuse("fsconfig", 431, 431, "changes the file system"),
    _refuse("fsmount", 432, 432, "changes the file system"),
    _refuse("fspick", 433, 433, "changes the file system"),
    _refuse("mount_setattr", 442, 442, "changes the file system"),
    _refuse("statmount", 457, 457, "lists mounts", ENOSYS),
    _refuse("listmount", 458, 458, "lists mounts", ENOSYS),
    _refuse("quotactl", 179, 60, "changes quotas"),
    _refuse("quotactl_fd", 443, 443, "changes quotas"),
    _refuse("swapon", 167, 224, "changes the machine's memory"),
    _refuse("swapoff", 168, 225, "changes the machine's memory"),
    _refuse("acct", 163, 89, "writes records of every process"),
    _refuse("bpf", 321, 280, "loads programs into the kernel"),
    _refuse("perf_event_open", 298, 241, "measures other processes and the kernel"),
    _refuse("init_module", 175, 105, "loads code into the kernel"),
    _refuse("finit_module", 313, 273, "loads code into the kernel"),
    _refuse("delete_module", 176, 106, "removes code from the kernel"),
    _refuse("kexec_load", 246, 104, "starts another kernel"),
    _refuse("kexec_file_load", 320, 294, "starts another kernel"),
    _refuse("reboot", 169, 142, "stops the machine"),
    _refuse("sethostname", 170, 161, "renames the machine"),
    _refuse("setdomainname", 171, 162, "renames the machine"),
    _refuse("syslog", 103, 116, "reads the kernel's messages"),
    _refuse("vhangup", 153, 58, "takes a terminal away"),
    _refuse("add_key", 248, 217, "keys of the kernel, which namespaces do not separate"),
    _refuse("request_key", 249, 218, "as add_key, and starts a program of the machine's to fetch one"),
    _refuse("keyctl", 250, 219, "as add_key"),
    _refuse("seccomp", 317, 277, "filters of its own, which could hand system calls to another process"),
    _refuse("landlock_create_ruleset", 444, 444, "the jail has set the rules; more are not needed"),
    _refuse("landlock_add_rule", 445, 445, "as landlock_create_ruleset"),
    _refuse("landlock_restrict_self", 446, 446, "as landlock_create_ruleset"),
    _refuse("lsm_get_self_attr", 459, 459, "security modules' labels; nothing needs it", ENOSYS),
    _refuse("lsm_set_self_attr", 460, 460, "changes its own security label", ENOSYS),
    _refuse("lsm_list_modules", 461, 461, "security modules' names; nothing needs it", ENOSYS),
    _refuse("lookup_dcookie", 212, 18, "names of files that a profiler saw"),
    _refuse("uselib", 134, None, "loads a library; obsolete", ENOSYS),
    _refuse("ustat", 136, None, "old question about file systems", ENOSYS),
    _refuse("sysfs", 139, None, "old question about file systems", ENOSYS),
    _refuse("_sysctl", 156, None, "old way to the kernel's settings", ENOSYS),
    _refuse("nfsservctl", 180, 42, "old way to the kernel's file server", ENOSYS),
    _refuse("uretprobe", 335, None, "only the kernel's own probes make it", ENOSYS),
    _refuse("uprobe", 336, None, "only the kernel's own probes make it", ENOSYS),
    _refuse("create_module", 174, None, "no kernel has it any more", ENOSYS),
    _refuse("get_kernel_syms", 177, None, "no kernel has it any more", ENOSYS),
    _refuse("query_module", 178, None, "no kernel has it any more", ENOSYS),
    _refuse("getpmsg", 181, None, "no kernel ever had it", ENOSYS),
    _refuse("putpmsg", 182, None, "no kernel ever had it", ENOSYS),
    _refuse("afs_syscall", 183, None, "no kernel ever had it", ENOSYS),
    _refuse("tuxcall", 184, None, "no kernel ever had it", ENOSYS),
    _refuse("security", 185, None, "no kernel ever had it", ENOSYS),
    _refuse("vserver", 236, None, "no kernel ever had it", ENOSYS),
    _refuse("epoll_ctl_old", 214, None, "no kernel ever had it", ENOSYS),
    _refuse("epoll_wait_old", 215, None, "no kernel ever had it", ENOSYS),
)
# fmt: on
