"""Every reviewed system call as a table: what needs it, or why it is refused. `seccomp.py` makes
the filter from it.

A call without a row was not reviewed. It answers ENOSYS, as on a kernel that does not have it, so
that libc falls back to what it did before the call existed.

A row gives the numbers of its calls on x86-64 and on aarch64, None where there is none. A test
compares them with the kernel's headers. The aarch64 filter has only run in a simulator.

An allowed call may have checks: all must hold, else it answers the row's errno. A filter sees
numbers and not what pointers point to, so a call whose meaning is behind a pointer (clone3,
openat2) is refused where an older call says the same in numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from errno import ENOPROTOOPT, ENOSYS, ENOTTY, EOPNOTSUPP, EPERM
from typing import Literal

Option = Literal["processes", "pid namespace"]
"""What a jail may have and rows ask for: permission to start processes; a pid namespace of its own,
in which no other process can be signalled."""

LAB_DESCRIPTOR = 15
"""Where a process has its workspace open. /home/user and /tmp lead there. Above the numbers that
shell scripts choose themselves, below every limit on open files."""


@dataclass(frozen=True, slots=True)
class Check:
    """What one argument must be: `argument & mask` is one of `values`.

    `bits` is how much of the 64-bit register the kernel reads. For an `int` it ignores the upper
    half, and so must the check: a value that the kernel takes for the same would pass otherwise.
    """

    argument: int
    values: tuple[int, ...] | Literal["own pid"]
    means: str
    mask: int = 0xFFFF_FFFF_FFFF_FFFF
    bits: Literal[32, 64] = 32
    unless: Option | None = None
    """No check where the jail has this."""
    when: tuple[int, int] | None = None
    """A check only if the lower half of this argument is this value."""
    unless_value: tuple[int, int] | None = None
    """No check if the lower half of this argument is this value."""
    refuses: bool = False
    """The values are those that `argument & mask` must not have."""
    errno: int | None = None
    """The answer if the check does not hold; None for that of the row. 0 is success, and the call
    is not made."""

    def __post_init__(self) -> None:
        if not 0 <= self.argument <= 5:
            raise ValueError(f"a system call has arguments 0 to 5, not {self.argument}")
        if not self.values or not self.means.strip():
            raise ValueError("a check names its values and says what they mean")
        if self.values != "own pid" and any(
            value & ~self.mask or not 0 <= value < 1 << self.bits for value in self.values
        ):
            raise ValueError(f"a value that `argument & mask` can never have: {self.values}")
        if self.when and self.unless_value:
            raise ValueError("a check has one condition")
        if self.bits == 64 and (self.refuses or len(self.values) != 1):
            raise ValueError("64 bits are compared with one value")


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    x86_64: int | None
    aarch64: int | None
    verdict: Literal["allow", "refuse"]
    reason: str
    """Of an allowed call, what needs it; of a refused one, what it does."""
    checks: tuple[Check, ...] = ()
    errno: int = EPERM
    """The answer of a refused call, and of an allowed one whose checks or needs do not hold."""
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
            raise ValueError(f"the row of {self.name} refuses under a condition; allow it instead")

    def number(self, arch: str) -> int | None:
        return self.x86_64 if arch == "x86_64" else self.aarch64


_numbers: dict[str, tuple[int | None, int | None]] = {}


def _calls(calls: str) -> list[tuple[str, int | None, int | None]]:
    """Names with the numbers on x86-64 and aarch64, or "-" for none; without numbers, an earlier
    row has them."""
    names = []
    for name, *numbers in map(str.split, calls.split(",")):
        if numbers:
            x86_64, aarch64 = (None if number == "-" else int(number) for number in numbers)
            _numbers[name] = x86_64, aarch64
        names.append((name, *_numbers[name]))
    return names


def _allow(
    reason: str, calls: str, *checks: Check, errno: int = EPERM, needs: Option | None = None
) -> list[Row]:
    return [Row(*call, "allow", reason, checks, errno, needs) for call in _calls(calls)]


def _refuse(reason: str, calls: str, errno: int = EPERM) -> list[Row]:
    return [Row(*call, "refuse", reason, (), errno) for call in _calls(calls)]


def _named(argument: int, what: str, mask: int = 0xFFFF_FFFF_FFFF_FFFF, **values: int) -> Check:
    return Check(argument, tuple(values.values()), f"{what} is one of {' '.join(values)}", mask)


# -- checks: constants of Linux's generic headers, for x86-64 and aarch64; frequent ones first

# fmt: off
# Not F_SETOWN, F_SETOWN_EX, F_SETSIG (signals to others), F_NOTIFY, F_SETLEASE (delays who opens a
# file). F_SETPIPE_SZ: the kernel limits the pages of all pipes of a user, and cgroups count them.
_FCNTL = _named(
    1, "command", F_GETFL=3, F_SETFL=4, F_GETFD=1, F_SETFD=2, F_DUPFD_CLOEXEC=1030, F_DUPFD=0,
    F_GETLK=5, F_SETLK=6, F_SETLKW=7, F_OFD_GETLK=36, F_OFD_SETLK=37, F_OFD_SETLKW=38, F_GETOWN=9,
    F_GETPIPE_SZ=1032, F_SETPIPE_SZ=1031, F_GET_SEALS=1034)

# Not TIOCSTI and TIOCLINUX, which type into a terminal, nor what devices add of their own.
_PLAIN_IOCTL = {"TCGETS": 0x5401, "TCGETS2": 0x802C542A, "FIOCLEX": 0x5451, "FIONCLEX": 0x5450,
                "FIONBIO": 0x5421, "FIONREAD": 0x541B, "TIOCGWINSZ": 0x5413}
_IOCTL = _named(1, "command", **_PLAIN_IOCTL)

# RLIMIT_DATA does not count MAP_SHARED with MAP_ANONYMOUS; RLIMIT_AS and cgroups do. None of them
# bounds MAP_GROWSDOWN, which may grow as a stack does.
_MAP_SHARED, _MAP_PRIVATE, _MAP_SHARED_VALIDATE, _MAP_ANONYMOUS = 0x01, 0x02, 0x03, 0x20
_MMAP = Check(
    3, (_MAP_PRIVATE | _MAP_ANONYMOUS, _MAP_PRIVATE, _MAP_SHARED, _MAP_SHARED_VALIDATE,
        _MAP_SHARED | _MAP_ANONYMOUS),
    "memory, or a file; without MAP_GROWSDOWN, MAP_LOCKED and MAP_HUGETLB",
    0x0F | _MAP_ANONYMOUS | 0x100 | 0x2000 | 0x40000)  # the type, and these three

# Not MADV_HWPOISON, MADV_SOFT_OFFLINE (damage the machine), MADV_MERGEABLE (its time tells what
# others hold), MADV_COLD, MADV_PAGEOUT.
_MADVISE = _named(
    2, "advice", MADV_DONTNEED=4, MADV_FREE=8, MADV_HUGEPAGE=14, MADV_NOHUGEPAGE=15, MADV_NORMAL=0,
    MADV_RANDOM=1, MADV_SEQUENTIAL=2, MADV_WILLNEED=3, MADV_REMOVE=9, MADV_DONTFORK=10,
    MADV_DOFORK=11, MADV_DONTDUMP=16, MADV_DODUMP=17, MADV_WIPEONFORK=18, MADV_KEEPONFORK=19,
    MADV_POPULATE_READ=22, MADV_POPULATE_WRITE=23, MADV_COLLAPSE=25, MADV_GUARD_INSTALL=102,
    MADV_GUARD_REMOVE=103)

_MEMBARRIER = _named(
    0, "command", QUERY=0, PRIVATE_EXPEDITED=8, REGISTER_PRIVATE_EXPEDITED=16,
    PRIVATE_EXPEDITED_SYNC_CORE=32, REGISTER_PRIVATE_EXPEDITED_SYNC_CORE=64)

# With FUTEX_PRIVATE_FLAG (128) and FUTEX_CLOCK_REALTIME (256) or without. ENOSYS tells libc that a
# kernel has no PI mutexes.
_FUTEX = _named(
    1, "operation", 0xFFFF_FFFF & ~(128 | 256), FUTEX_WAIT=0, FUTEX_WAKE=1, FUTEX_WAIT_BITSET=9,
    FUTEX_WAKE_BITSET=10, FUTEX_REQUEUE=3, FUTEX_CMP_REQUEUE=4, FUTEX_WAKE_OP=5)

# Permitted flags: CLONE_VM FS FILES SIGHAND, PIDFD, VFORK, THREAD, SYSVSEM SETTLS PARENT_SETTID
# CHILD_CLEARTID DETACHED, CHILD_SETTID, IO. Not CLONE_NEW*, CLONE_PARENT, CLONE_PTRACE,
# CLONE_UNTRACED, nor future ones. The lowest byte is the signal at the child's end: none for a
# thread, SIGCHLD (17) for a process.
_PLAIN_CLONE = 0xF00 | 0x1000 | 0x4000 | 0x10000 | 0x7C0000 | 0x1000000 | 0x80000000
_CLONE = Check(0, (0, 17), "no new namespace, no tracing, no signal at its end but SIGCHLD",
               0xFFFF_FFFF & ~_PLAIN_CLONE)
_THREAD = Check(0, (0x10000,), "a thread", 0x10000, unless="processes")

# Not -1, which is every process: snapshots are processes of the sandbox, too.
_KILL = Check(0, "own pid", "to itself", unless="pid namespace")
_ONE_OR_GROUP = Check(0, (0,), "to one process or its own group", 0x8000_0000)

# Soft and hard limits are those of the jail: without a capability they can only be lowered.
_PRLIMIT = Check(2, (0,), "no new limit of another process", bits=64, unless_value=(0, 0))

# Not PR_SET_DUMPABLE and PR_SET_PTRACER (let others look in), PR_SET_SECCOMP, PR_SET_MM,
# PR_CAP_AMBIENT, PR_SET_SPECULATION_CTRL, ...
_PDEATHSIG = 1
_PRCTL = _named(
    0, "option", PR_SET_NAME=15, PR_SET_VMA=0x53564D41, PR_GET_NAME=16, PR_GET_PDEATHSIG=2,
    PR_GET_DUMPABLE=3, PR_GET_KEEPCAPS=7, PR_GET_SECCOMP=21, PR_CAPBSET_READ=23,
    PR_GET_SECUREBITS=27, PR_GET_TIMERSLACK=30, PR_GET_CHILD_SUBREAPER=37, PR_GET_NO_NEW_PRIVS=39,
    PR_GET_THP_DISABLE=42, PR_SET_PDEATHSIG=_PDEATHSIG)
# A pid namespace ends with its first process. Without one, PR_SET_PDEATHSIG ends a runner with its
# host.
_KEEP_PDEATHSIG = Check(0, (_PDEATHSIG,), "not PR_SET_PDEATHSIG", unless="pid namespace",
                        refuses=True)

_MATRIX = {"ARCH_GET_XCOMP_SUPP": 0x1021, "ARCH_GET_XCOMP_PERM": 0x1022,
           "ARCH_REQ_XCOMP_PERM": 0x1023}
_ARCH_PRCTL = _named(0, "option", **_MATRIX)
_PERSONALITY = Check(0, (0xFFFF_FFFF,), "the question what it is")
_SENDTO = Check(4, (0,), "no address", bits=64)
_UNIX = Check(0, (1,), "domain is AF_UNIX")
_SOCKET_LEVEL = Check(1, (1,), "level is SOL_SOCKET")
_SOCKET_OPTIONS = {"SO_TYPE": 3, "SO_ERROR": 4, "SO_SNDBUF": 7, "SO_RCVBUF": 8, "SO_ACCEPTCONN": 30,
                   "SO_PROTOCOL": 38, "SO_DOMAIN": 39}
_SOCKET_OPTION = _named(2, "option", **_SOCKET_OPTIONS)

ROWS: tuple[Row, ...] = (
    # -- files: reading, writing, what is open
    *_allow("every open file, pipe and the wire", "read 0 63, write 1 64"),
    *_allow("os.readv, os.pread and the like; sqlite3, HDF5", "readv 19 65, writev 20 66, "
        "pread64 17 67, pwrite64 18 68, preadv 295 69, pwritev 296 70, preadv2 327 286, "
        "pwritev2 328 287"),
    *_allow("every file object, os.closerange", "lseek 8 62, close 3 57, close_range 436 436"),
    *_allow("open(); the mount namespace and Landlock decide what may be opened", "openat 257 56, "
        "open 2 -, creat 85 -"),
    *_allow("locks and flags of descriptors; no signals, no leases", "fcntl 72 25", _FCNTL),
    *_allow("isatty, and plain flags; no typing into a terminal", "ioctl 16 29", _IOCTL),
    *_allow("shutil.copyfile, readers of large files", "sendfile 40 71, copy_file_range 326 285, "
        "fadvise64 221 223"),
    *_allow("file.truncate, os.fsync, sqlite3, HDF5", "ftruncate 77 46, truncate 76 45, "
        "fallocate 285 47, fsync 74 82, fdatasync 75 83"),
    *_allow("os.dup, os.dup2, os.pipe, fcntl.flock", "dup 32 23, dup2 33 -, dup3 292 24, "
        "pipe 22 -, pipe2 293 59, flock 73 32"),
    *_refuse("moves pages between pipes, files and memory; has had kernel bugs; not needed",
        "splice 275 76, tee 276 77, vmsplice 278 75"),
    *_refuse("writes out or reads in what the machine shares", "sync 162 81, syncfs 306 267, "
        "readahead 187 213"),
    *_refuse("nothing needs it; fsync does", "sync_file_range 277 84", ENOSYS),
    *_refuse("files in memory that no limit counts; could be executed", "memfd_create 319 279"),
    *_refuse("memory that not even the kernel can read", "memfd_secret 447 447"),
    # -- files: names and what is known about them
    *_allow("os.stat, import", "stat 4 -, lstat 6 -, fstat 5 80, newfstatat 262 79, statx 332 291"),
    *_allow("shutil.disk_usage, os.fstatvfs", "statfs 137 43, fstatfs 138 44"),
    *_allow("os.access", "access 21 -, faccessat 269 48, faccessat2 439 439"),
    *_allow("os.scandir, import", "getdents64 217 61"),
    *_allow("getcwd, os.chdir, os.umask", "getcwd 79 17, chdir 80 49, fchdir 81 50, umask 95 166"),
    *_allow("os.mkdir, os.rmdir, os.unlink, shutil.rmtree", "mkdir 83 -, mkdirat 258 34, "
        "rmdir 84 -, unlink 87 -, unlinkat 263 35"),
    *_allow("os.rename", "rename 82 -, renameat 264 38, renameat2 316 276"),
    *_allow("tarfile, os.link; Landlock refuses links out of the root", "link 86 -, linkat 265 37"),
    *_allow("os.symlink; the host follows none", "symlink 88 -, symlinkat 266 36"),
    *_allow("os.path.realpath", "readlink 89 -, readlinkat 267 78"),
    # Landlock has no rule for these. Without namespaces they would reach all that the user owns.
    *_allow("os.chmod, tempfile, shutil.copy; set-user-id bits gain nothing", "chmod 90 -, "
        "fchmod 91 52, fchmodat 268 53, fchmodat2 452 452", needs="pid namespace"),
    # The kernel changes an owner only for a process with CAP_CHOWN; others set their own user and
    # groups.
    *_allow("shutil.chown and tarfile, to the user that the file has already", "chown 92 -, "
        "fchown 93 55, lchown 94 -, fchownat 260 54", needs="pid namespace"),
    *_allow("os.utime, shutil.copy2", "utime 132 -, utimes 235 -, futimesat 261 -, "
        "utimensat 280 88", needs="pid namespace"),
    *_allow("shutil.copy2 copies attributes, and fails where these are refused", "getxattr 191 8, "
        "lgetxattr 192 9, fgetxattr 193 10, listxattr 194 11, llistxattr 195 12, "
        "flistxattr 196 13"),
    *_refuse("attributes are memory that no limit counts, and some are privileges",
        "setxattr 188 5, lsetxattr 189 6, fsetxattr 190 7, removexattr 197 14, "
        "lremovexattr 198 15, fremovexattr 199 16"),
    *_refuse("as setxattr", "setxattrat 463 463, removexattrat 466 466", ENOSYS),
    *_refuse("new; libc falls back to getxattr", "getxattrat 464 464, listxattrat 465 465", ENOSYS),
    *_refuse("flags of files, such as immutable; nothing needs them", "file_getattr 468 468, "
        "file_setattr 469 469", ENOSYS),
    *_refuse("filters do not see its flags in memory; libc uses openat", "openat2 437 437", ENOSYS),
    *_refuse("names and opens files by handle, past the directories above them",
        "name_to_handle_at 303 264, open_by_handle_at 304 265"),
    *_refuse("makes devices and named pipes", "mknod 133 -, mknodat 259 33"),
    *_refuse("libc uses getdents64", "getdents 78 -", ENOSYS),
    *_refuse("tells which files others have read, by the cache", "cachestat 451 451", ENOSYS),
    *_refuse("watches files; nothing needs it", "inotify_init 253 -, inotify_init1 294 26, "
        "inotify_add_watch 254 27, inotify_rm_watch 255 28"),
    *_refuse("watches and delays what others do", "fanotify_init 300 262, fanotify_mark 301 263"),
    # -- waiting
    *_allow("select, time.sleep, the wire", "poll 7 -, ppoll 271 73, select 23 -, pselect6 270 72"),
    *_allow("select.epoll", "epoll_create 213 -, epoll_create1 291 20, epoll_ctl 233 21, "
        "epoll_wait 232 -, epoll_pwait 281 22, epoll_pwait2 441 441"),
    *_allow("os.eventfd, event loops", "eventfd 284 -, eventfd2 290 19"),
    *_refuse("timers as files; nothing needs it, setitimer and sleeping do",
        "timerfd_create 283 85, timerfd_settime 286 86, timerfd_gettime 287 87"),
    *_refuse("signals as files; nothing needs it", "signalfd 282 -, signalfd4 289 74"),
    *_refuse("rings of locked memory that no limit of the jail counts; nothing needs it",
        "io_setup 206 0, io_destroy 207 1, io_submit 209 2, io_cancel 210 3, io_getevents 208 4, "
        "io_pgetevents 333 292"),
    *_refuse("does the work of other system calls out of sight of this filter",
        "io_uring_setup 425 425, io_uring_enter 426 426, io_uring_register 427 427"),
    # -- memory
    *_allow("all memory beyond the heap; not the kinds that no limit counts", "mmap 9 222", _MMAP),
    *_allow("all memory beyond the heap; RLIMIT_DATA counts it", "munmap 11 215, mremap 25 216"),
    *_allow("the heap, thread stacks, loading of shared libraries", "brk 12 214, mprotect 10 226"),
    *_allow("allocators; no poisoning or merging of pages", "madvise 28 233", _MADVISE),
    *_allow("numpy.memmap.flush, mmap.flush", "msync 26 227"),
    *_allow("allocators and just-in-time compilers; commands about the process's own threads",
        "membarrier 324 283", _MEMBARRIER),
    *_refuse("rearranges mappings; obsolete, has had kernel bugs", "remap_file_pages 216 234"),
    *_refuse("tells which pages of shared files others have read", "mincore 27 232"),
    *_refuse("holds physical memory", "mlock 149 228, mlock2 325 284, mlockall 151 230, "
        "munlock 150 229, munlockall 152 231"),
    *_refuse("where in the machine memory is; allocators work without", "mbind 237 235, "
        "set_mempolicy 238 237, get_mempolicy 239 236, set_mempolicy_home_node 450 450"),
    *_refuse("moves another process's memory", "migrate_pages 256 238, move_pages 279 239"),
    *_refuse("memory protection keys; nothing needs them", "pkey_mprotect 329 288, "
        "pkey_alloc 330 289, pkey_free 331 290", ENOSYS),
    *_refuse("memory that RLIMIT_DATA does not count", "map_shadow_stack 453 453", ENOSYS),
    *_refuse("new; the loader works without", "mseal 462 462", ENOSYS),
    *_refuse("stops the kernel within a copy; kernel exploits use it", "userfaultfd 323 282"),
    *_refuse("reads or changes another process's memory", "process_madvise 440 440, "
        "process_mrelease 448 448, process_vm_readv 310 270, process_vm_writev 311 271"),
    *_refuse("shared memory that outlives its process, and RLIMIT_DATA does not count it",
        "shmget 29 194, shmat 30 196, shmdt 67 197, shmctl 31 195"),
    *_refuse("semaphores that outlive their process", "semget 64 190, semop 65 193, "
        "semtimedop 220 192, semctl 66 191"),
    *_refuse("queues of kernel memory that outlive their process", "msgget 68 186, msgsnd 69 189, "
        "msgrcv 70 188, msgctl 71 187, mq_open 240 180, mq_unlink 241 181, mq_timedsend 242 182, "
        "mq_timedreceive 243 183, mq_notify 244 184, mq_getsetattr 245 185"),
    # -- threads and processes
    *_allow("every lock; no priority inheritance (has had bugs)", "futex 202 98",
        _FUTEX, errno=ENOSYS),
    *_allow("libc, in each new thread and after fork", "set_robust_list 273 99, "
        "set_tid_address 218 96, rseq 334 293"),
    *_allow("time.sleep(0), os.cpu_count, OpenBLAS, OpenMP", "sched_yield 24 124, "
        "sched_getaffinity 204 123, getcpu 309 168"),
    *_allow("libc, when a thread asks about itself; os.getpriority", "sched_getparam 143 121, "
        "sched_getscheduler 145 120, sched_get_priority_max 146 125, "
        "sched_get_priority_min 147 126, getpriority 140 141"),
    *_allow("threads, and os.fork where processes are allowed; no new namespaces, no tracing",
        "clone 56 220", _CLONE, _THREAD),
    *_allow("os.fork of old libcs; subprocess, which then fails at execve with PermissionError",
        "fork 57 -, vfork 58 -", needs="processes"),
    *_allow("the end of a thread or process; os.waitpid", "exit 60 93, exit_group 231 94, "
        "wait4 61 260, waitid 247 95"),
    *_allow("the kernel continues a sleep that a signal interrupted", "restart_syscall 219 128"),
    *_allow("copies of a runner get a session", "setsid 112 157", needs="processes"),
    *_refuse("filters do not see its flags in memory; libc uses clone", "clone3 435 435", ENOSYS),
    *_refuse("executes another program", "execve 59 221, execveat 322 281"),
    *_refuse("tells where a process keeps its locks; nothing needs it", "get_robust_list 274 100"),
    *_refuse("new; libraries fall back to futex", "futex_waitv 449 449, futex_wait 455 455, "
        "futex_wake 454 454, futex_requeue 456 456", ENOSYS),
    *_refuse("chooses its processor, and so its neighbours", "sched_setaffinity 203 122"),
    *_refuse("takes processor or disk time from others", "sched_setparam 142 118, "
        "sched_setscheduler 144 119, sched_setattr 314 274, setpriority 141 140, "
        "ioprio_set 251 30"),
    *_refuse("nothing needs it", "sched_getattr 315 275, sched_rr_get_interval 148 127, "
        "ioprio_get 252 31"),
    *_refuse("enters a namespace, where it may have privileges", "unshare 272 97, setns 308 268"),
    *_refuse("takes over another process, or takes what it has open", "ptrace 101 117, "
        "kcmp 312 272, pidfd_getfd 438 438"),
    *_refuse("job control; only programs need it", "setpgid 109 154"),
    # -- signals
    *_allow("signal.signal", "rt_sigaction 13 134, rt_sigreturn 15 139, sigaltstack 131 132"),
    *_allow("libc around the start of a thread; signal.sigpending and the like",
        "rt_sigprocmask 14 135, rt_sigpending 127 136, rt_sigtimedwait 128 137, "
        "rt_sigsuspend 130 133, pause 34 -"),
    *_allow("os.kill; where other processes are visible, only itself", "kill 62 129",
        _KILL, _ONE_OR_GROUP),
    *_allow("abort, raise, signal.pthread_kill; where other processes are visible, only itself",
        "tgkill 234 131", _KILL),
    *_allow("raise of some libcs, sigqueue, os.pidfd_open", "tkill 200 130, "
        "rt_sigqueueinfo 129 138, rt_tgsigqueueinfo 297 240, pidfd_open 434 434",
        needs="pid namespace"),
    *_allow("signal.pidfd_send_signal", "pidfd_send_signal 424 424", needs="pid namespace"),
    # -- time
    *_allow("time.time and clocks of libraries, where the vdso cannot answer",
        "clock_gettime 228 113, clock_getres 229 114, gettimeofday 96 169, time 201 -, "
        "times 100 153"),
    *_allow("time.sleep", "clock_nanosleep 230 115, nanosleep 35 101"),
    *_allow("signal.setitimer, signal.alarm; the time limit of a cell", "setitimer 38 103, "
        "getitimer 36 102, alarm 37 -"),
    *_refuse("nothing needs it, setitimer does; has had kernel bugs", "timer_create 222 107, "
        "timer_settime 223 110, timer_gettime 224 108, timer_getoverrun 225 109, "
        "timer_delete 226 111"),
    *_refuse("sets the machine's clock", "clock_settime 227 112, clock_adjtime 305 266, "
        "adjtimex 159 171, settimeofday 164 170"),
    # -- about itself
    *_allow("os.getpid, os.getuid, os.getgroups and the like", "getpid 39 172, getppid 110 173, "
        "gettid 186 178, getuid 102 174, geteuid 107 175, getgid 104 176, getegid 108 177, "
        "getgroups 115 158, getresuid 118 148, getresgid 120 150, getpgrp 111 -, getpgid 121 155, "
        "getsid 124 156"),
    *_allow("os.uname, os.sysconf, os.urandom, resource", "uname 63 160, sysinfo 99 179, "
        "getrandom 318 278, getrusage 98 165, getrlimit 97 163"),
    *_allow("getrlimit, and setrlimit, which lowers its own limit", "prlimit64 302 261", _PRLIMIT),
    *_allow("names of threads and of memory, dying with a parent, and questions", "prctl 157 167",
        _PRCTL, _KEEP_PDEATHSIG),
    *_allow("matrix units, for numeric libraries; threads get their storage from clone",
        "arch_prctl 158 -", _ARCH_PRCTL),
    *_allow("only asks; some values switch off protections", "personality 135 92", _PERSONALITY),
    *_refuse("libc uses prlimit64", "setrlimit 160 164"),
    *_refuse("becomes another user", "setuid 105 146, setgid 106 144, setreuid 113 145, "
        "setregid 114 143, setresuid 117 147, setresgid 119 149, setfsuid 122 151, "
        "setfsgid 123 152, setgroups 116 159"),
    *_refuse("reads or changes privileges; nothing needs it", "capget 125 90, capset 126 91"),
    *_refuse("changes segment tables; has had kernel bugs", "modify_ldt 154 -"),
    *_refuse("segments of 32-bit programs", "set_thread_area 205 -, get_thread_area 211 -", ENOSYS),
    *_refuse("direct access to hardware", "iopl 172 -, ioperm 173 -"),
    # -- sockets: the wire, which is open before the jail closes, and pairs within a sandbox
    *_allow("the wire; to no address, so it reaches only its peer", "sendto 44 206", _SENDTO),
    *_allow("the wire", "recvfrom 45 207, recvmsg 47 212, shutdown 48 210"),
    *_allow("socket.socket(fileno=...)", "getsockname 51 204, getpeername 52 205"),
    *_allow("not who the peer is", "getsockopt 55 209", _SOCKET_LEVEL, _SOCKET_OPTION),
    *_allow("asyncio, Pipe; only AF_UNIX, which cgroups count", "socketpair 53 199", _UNIX),
    *_refuse("network and every other kind of socket", "socket 41 198"),
    *_refuse("descriptors in flight, which the kernel limits for all sandboxes of a user together",
        "sendmsg 46 211, sendmmsg 307 269"),
    *_refuse("reaches another process or the network", "connect 42 203"),
    *_refuse("offers a service", "bind 49 200, listen 50 201, accept 43 202, accept4 288 242"),
    *_refuse("changes filters, buffers and credentials of the wire", "setsockopt 54 208"),
    *_refuse("nothing needs it", "recvmmsg 299 243"),
    # -- the machine
    *_refuse("changes the file system", "mount 165 40, umount2 166 39, pivot_root 155 41, "
        "chroot 161 51, open_tree 428 428, move_mount 429 429, fsopen 430 430, fsconfig 431 431, "
        "fsmount 432 432, fspick 433 433, mount_setattr 442 442"),
    *_refuse("changes or lists mounts", "open_tree_attr 467 467, statmount 457 457, "
        "listmount 458 458", ENOSYS),
    *_refuse("changes quotas", "quotactl 179 60, quotactl_fd 443 443"),
    *_refuse("changes the machine's memory", "swapon 167 224, swapoff 168 225"),
    *_refuse("records, measures or profiles other processes and the kernel", "acct 163 89, "
        "perf_event_open 298 241, lookup_dcookie 212 18"),
    *_refuse("loads code into the kernel, or removes it", "bpf 321 280, init_module 175 105, "
        "finit_module 313 273, delete_module 176 106"),
    *_refuse("stops the machine or starts another kernel", "kexec_load 246 104, "
        "kexec_file_load 320 294, reboot 169 142"),
    *_refuse("renames the machine", "sethostname 170 161, setdomainname 171 162"),
    *_refuse("reads kernel messages; takes a terminal away", "syslog 103 116, vhangup 153 58"),
    *_refuse("keys of the kernel, which namespaces do not separate; may start a program outside",
        "add_key 248 217, request_key 249 218, keyctl 250 219"),
    *_refuse("its own filters could hand system calls to another process", "seccomp 317 277"),
    *_refuse("the jail has set the rules; no others are needed", "landlock_create_ruleset 444 444, "
        "landlock_add_rule 445 445, landlock_restrict_self 446 446"),
    *_refuse("labels of security modules; nothing needs them", "lsm_get_self_attr 459 459, "
        "lsm_set_self_attr 460 460, lsm_list_modules 461 461", ENOSYS),
    *_refuse("old; nothing uses it", "uselib 134 -, ustat 136 -, sysfs 139 -, _sysctl 156 -, "
        "nfsservctl 180 42", ENOSYS),
    *_refuse("only the kernel's own probes make it", "uretprobe 335 -, uprobe 336 -", ENOSYS),
    *_refuse("no kernel has it now", "create_module 174 -, get_kernel_syms 177 -, "
        "query_module 178 -, getpmsg 181 -, putpmsg 182 -, afs_syscall 183 -, tuxcall 184 -, "
        "security 185 -, vserver 236 -, epoll_ctl_old 214 -, epoll_wait_old 215 -", ENOSYS),
)

# -- sandboxes with programs (Policy.programs): each row here replaces that of the same call above

# Programs that close all descriptors but the standard ones, as subprocess does, must keep the
# workspace. closefrom of libc would call close for ever for a descriptor that stays open, so its
# range answers success and nothing is closed; other callers take ENOSYS and close one by one.
_KEEP_MEANS = "the workspace's descriptor stays open and inheritable"
_KEEP = Check(0, (LAB_DESCRIPTOR,), _KEEP_MEANS, refuses=True, errno=0)
_KEEP_FCNTL = Check(0, (LAB_DESCRIPTOR,), _KEEP_MEANS, when=(1, 2),  # F_SETFD
                    refuses=True, errno=0)
_KEEP_IOCTL = Check(0, (LAB_DESCRIPTOR,), _KEEP_MEANS, when=(1, _PLAIN_IOCTL["FIOCLEX"]),
                    refuses=True, errno=0)
_KEEP_RANGE = [
    Check(0, tuple(range(LAB_DESCRIPTOR + 1)), "begins above the workspace's descriptor",
          refuses=True, when=when, errno=errno)
    for when, errno in (((1, 0xFFFF_FFFF), 0), (None, ENOSYS))]

# Terminals of the sandbox's own devpts. Not TIOCSTI and TIOCLINUX, which type into a terminal.
_PROGRAM_IOCTL = _named(
    1, "command", **_PLAIN_IOCTL, TCSETS=0x5402, TCSETSW=0x5403, TCSETSF=0x5404, TCSETS2=0x402C542B,
    TCSETSW2=0x402C542C, TCSETSF2=0x402C542D, TCGETA=0x5405, TCSETA=0x5406, TCSETAW=0x5407,
    TCSETAF=0x5408, TCSBRK=0x5409, TCSBRKP=0x5425, TCXONC=0x540A, TCFLSH=0x540B, TIOCSCTTY=0x540E,
    TIOCGPGRP=0x540F, TIOCSPGRP=0x5410, TIOCOUTQ=0x5411, TIOCSWINSZ=0x5414, TIOCNOTTY=0x5422,
    TIOCGSID=0x5429, TIOCGPTN=0x80045430, TIOCSPTLCK=0x40045431, TIOCGPTPEER=0x5441,
    TIOCGEXCL=0x80045440, TIOCPKT=0x5420, TIOCGPTLCK=0x80045439, TIOCGPKT=0x80045438)

_NOT_ALL = Check(0, (0xFFFF_FFFF,), "not to all processes", refuses=True)
_PROGRAM_ARCH_PRCTL = _named(0, "option", ARCH_SET_FS=0x1002, ARCH_GET_FS=0x1003,
                             ARCH_SET_GS=0x1001, ARCH_GET_GS=0x1004, **_MATRIX)
_FIFO, _FIFO_AT = (
    Check(argument, (0o010000, 0o100000, 0), "a named pipe or a file, no device", 0o170000)
    for argument in (1, 2))
_PROGRAM_LEVEL = Check(1, (1,), "level is SOL_SOCKET", errno=ENOPROTOOPT)
_SET = {"SO_REUSEADDR": 2, "SO_KEEPALIVE": 9, "SO_LINGER": 13, "SO_REUSEPORT": 15,
        "SO_PASSCRED": 16, "SO_RCVTIMEO": 20, "SO_SNDTIMEO": 21, "SO_RCVTIMEO_NEW": 66,
        "SO_SNDTIMEO_NEW": 67}
_SET_OPTION = _named(2, "option", **_SET, SO_SNDBUF=7, SO_RCVBUF=8)
_GET_OPTION = _named(2, "option", **_SOCKET_OPTIONS, **_SET, SO_PEERCRED=17, SO_PEERSEC=31)

# Namespaces, mounts, ptrace, bpf, io_uring, keyrings, userfaultfd and perf stay refused.
PROGRAM_ROWS: tuple[Row, ...] = (
    # -- starting programs
    *_allow("Landlock decides which; set-user-id bits have no effect", "execve, execveat"),
    *_allow("the loader gives the first thread its storage", "arch_prctl", _PROGRAM_ARCH_PRCTL),
    *_allow("job control of shells, timeout", "setpgid", needs="processes"),
    *_allow("commands, daemons, terminals", "setsid", needs="processes"),
    *_allow("job control signals groups; where other processes are visible, only itself", "kill",
        _KILL, _NOT_ALL),
    *_allow("programs ask which capabilities they have: none", "capget"),
    *_allow("to the user that it is; there is no other", "setuid, setgid, setreuid, setregid, "
        "setresuid, setresgid", needs="pid namespace"),
    *_allow("nice, ionice; a priority can only be lowered", "setpriority, ioprio_get"),
    # -- descriptors
    *_allow("every file object", "close", _KEEP),
    *_allow("as without programs", "fcntl", _FCNTL, _KEEP_FCNTL),
    *_allow("also terminals", "ioctl", _PROGRAM_IOCTL, _KEEP_IOCTL, errno=ENOTTY),
    *_allow("os.closerange, subprocess", "close_range", *_KEEP_RANGE),
    # -- files
    *_allow("mkfifo", "mknod", _FIFO),
    *_allow("mkfifo", "mknodat", _FIFO_AT),
    *_refuse("attributes are memory that no limit counts; cp and tar work without", "setxattr, "
        "lsetxattr, fsetxattr", EOPNOTSUPP),
    # -- waiting
    *_allow("timeout of coreutils; RLIMIT_SIGPENDING bounds them", "timer_create, timer_settime, "
        "timer_gettime, timer_getoverrun, timer_delete"),
    *_allow("event loops of programs", "timerfd_create, timerfd_settime, timerfd_gettime, "
        "signalfd, signalfd4"),
    # -- sockets within the sandbox: paths in its directories, and pairs
    *_allow("AF_UNIX, between programs of the sandbox", "socket", _UNIX),
    *_allow("AF_UNIX sockets, the wire; Landlock keeps abstract names in the sandbox", "bind, "
        "listen, accept, accept4, connect, sendto"),
    *_allow("programs pass descriptors to each other; the host takes none", "sendmsg"),
    *_allow("plain options; no filters", "setsockopt", _PROGRAM_LEVEL, _SET_OPTION),
    *_allow("plain options", "getsockopt", _PROGRAM_LEVEL, _GET_OPTION),
)
# fmt: on


def rows(*, programs: bool) -> tuple[Row, ...]:
    """The rows of a sandbox."""
    replaced = {row.name: row for row in PROGRAM_ROWS} if programs else {}
    return tuple(replaced.get(row.name, row) for row in ROWS)
