"""The system calls of sandboxes with programs (Policy.programs), as a difference to `syscalls.py`:
each row here replaces the row of the same call there.

Namespaces, mounts, ptrace, bpf, io_uring, keyrings, userfaultfd and perf stay refused.
"""

from __future__ import annotations

from errno import ENOPROTOOPT, ENOSYS, ENOTTY, EOPNOTSUPP

from fumehood.jail.filesystem import LAB_DESCRIPTOR
from fumehood.jail.syscalls import (
    FCNTL,
    IOCTL,
    ROWS,
    SOCKET_OPTIONS,
    Check,
    Row,
    _allow,
    _named,
    _refuse,
)

# fmt: off
# /home/user and /tmp lead to the directory that a process has open as LAB_DESCRIPTOR. Programs that
# close all descriptors but the standard ones, as subprocess does, must keep it.
_F_SETFD, _FIOCLEX = 2, 0x5451
_KEEP = Check(0, (LAB_DESCRIPTOR,), "the descriptor of the sandbox's files stays open", refuses=True, errno=0)
# closefrom of libc would call close without end for a descriptor that stays open, so for its range the answer is success and nothing is
# closed. Other callers, such as subprocess, take ENOSYS and close one by one.
_TO_THE_END = 0xFFFF_FFFF
_KEEP_RANGE = tuple(Check(0, tuple(range(LAB_DESCRIPTOR + 1)), "begins above the descriptor of the sandbox's files", refuses=True,
                          when=when, errno=errno) for when, errno in (((1, _TO_THE_END), 0), (None, ENOSYS)))
_KEEP_FCNTL = Check(0, (LAB_DESCRIPTOR,), "the descriptor of the sandbox's files stays inheritable", when=(1, _F_SETFD), refuses=True, errno=0)
_KEEP_IOCTL = Check(0, (LAB_DESCRIPTOR,), "the descriptor of the sandbox's files stays inheritable", when=(1, _FIOCLEX), refuses=True, errno=0)

# Terminals of the sandbox's own devpts. Not TIOCSTI and TIOCLINUX, which type into a terminal.
_TERMINAL = {"TCSETS": 0x5402, "TCSETSW": 0x5403, "TCSETSF": 0x5404, "TCSETS2": 0x402C542B, "TCSETSW2": 0x402C542C, "TCSETSF2": 0x402C542D,
             "TCGETA": 0x5405, "TCSETA": 0x5406, "TCSETAW": 0x5407, "TCSETAF": 0x5408, "TCSBRK": 0x5409, "TCSBRKP": 0x5425, "TCXONC": 0x540A, "TCFLSH": 0x540B,
             "TIOCSCTTY": 0x540E, "TIOCGPGRP": 0x540F, "TIOCSPGRP": 0x5410, "TIOCOUTQ": 0x5411, "TIOCSWINSZ": 0x5414, "TIOCNOTTY": 0x5422,
             "TIOCGSID": 0x5429, "TIOCGPTN": 0x80045430, "TIOCSPTLCK": 0x40045431, "TIOCGPTPEER": 0x5441, "TIOCGEXCL": 0x80045440,
             "TIOCPKT": 0x5420, "TIOCGPTLCK": 0x80045439, "TIOCGPKT": 0x80045438}
_IOCTL = _named(1, "command", **IOCTL, **_TERMINAL)

# -1 is every process of the sandbox, also the copies that snapshots and rollback need.
_NOT_ALL = Check(0, (0xFFFF_FFFF,), "not to all processes", refuses=True)
_NOT_OWN_GROUP = Check(0, (0,), "to one process", 0x8000_0000, only="container")
_NOT_SELF_GROUP = Check(0, (0,), "not to its own group", only="container", refuses=True)
_KILL = Check(0, "own pid", "to itself", unless="pid namespace")

_UNIX = Check(0, (1,), "domain is AF_UNIX")
_LEVEL = Check(1, (1,), "level is SOL_SOCKET", errno=ENOPROTOOPT)
_SET_OPTION = _named(2, "option", SO_REUSEADDR=2, SO_SNDBUF=7, SO_RCVBUF=8, SO_KEEPALIVE=9, SO_LINGER=13, SO_REUSEPORT=15, SO_PASSCRED=16,
                     SO_RCVTIMEO=20, SO_SNDTIMEO=21, SO_RCVTIMEO_NEW=66, SO_SNDTIMEO_NEW=67)
_GET_OPTION = _named(2, "option", **SOCKET_OPTIONS, SO_REUSEADDR=2, SO_KEEPALIVE=9, SO_LINGER=13, SO_REUSEPORT=15, SO_PASSCRED=16,
                     SO_PEERCRED=17, SO_RCVTIMEO=20, SO_SNDTIMEO=21, SO_PEERSEC=31, SO_RCVTIMEO_NEW=66, SO_SNDTIMEO_NEW=67)

_S_IFMT = 0o170000
_FIFO_MEANS = "a named pipe or a file, no device"
_KINDS = (0o010000, 0o100000, 0)

_ARCH_PRCTL = _named(0, "option", ARCH_SET_FS=0x1002, ARCH_GET_FS=0x1003, ARCH_SET_GS=0x1001, ARCH_GET_GS=0x1004,
                     ARCH_GET_XCOMP_SUPP=0x1021, ARCH_GET_XCOMP_PERM=0x1022, ARCH_REQ_XCOMP_PERM=0x1023)

PROGRAM_ROWS: tuple[Row, ...] = (
    # -- starting programs
    _allow("execve", 59, 221, "every program; which ones is Landlock's to say, and set-user-id bits have no effect"),
    _allow("execveat", 322, 281, "fexecve of libc; as execve"),
    _allow("arch_prctl", 158, None, "the loader gives the first thread of a program its storage", _ARCH_PRCTL),
    _allow("setpgid", 109, 154, "job control of shells, timeout; in a container a sandbox is ended as one group",
           Check(0, (0,), "never", 0, only="container", refuses=True), needs="processes"),
    _allow("setsid", 112, 157, "commands, daemons, terminals; in a container a sandbox is ended as one group, so there it answers 0 without effect",
           Check(0, (0,), "never", 0, only="container", refuses=True, errno=0), needs="processes"),
    _allow("kill", 62, 129, "job control signals groups; where processes of others can be seen, only itself",
           _KILL, _NOT_ALL, _NOT_OWN_GROUP, _NOT_SELF_GROUP),
    _allow("capget", 125, 90, "programs ask which capabilities they have: none"),
    _allow("setuid", 105, 146, "to the user that it is; there is no other", needs="pid namespace"),
    _allow("setgid", 106, 144, "as setuid", needs="pid namespace"),
    _allow("setreuid", 113, 145, "as setuid", needs="pid namespace"),
    _allow("setregid", 114, 143, "as setuid", needs="pid namespace"),
    _allow("setresuid", 117, 147, "as setuid", needs="pid namespace"),
    _allow("setresgid", 119, 149, "as setuid", needs="pid namespace"),
    _allow("setpriority", 141, 140, "nice; without a capability a priority can only be lowered"),
    _allow("ioprio_get", 252, 31, "ionice asks"),
    # -- descriptors
    _allow("close", 3, 57, "every file object", _KEEP),
    _allow("fcntl", 72, 25, "as without programs", _named(1, "command", **FCNTL), _KEEP_FCNTL),
    _allow("ioctl", 16, 29, "as without programs, and terminals", _IOCTL, _KEEP_IOCTL, errno=ENOTTY),
    _allow("close_range", 436, 436, "os.closerange, subprocess", *_KEEP_RANGE),
    # -- files
    _allow("mknod", 133, None, "mkfifo", Check(1, _KINDS, _FIFO_MEANS, _S_IFMT)),
    _allow("mknodat", 259, 33, "mkfifo", Check(2, _KINDS, _FIFO_MEANS, _S_IFMT)),
    _refuse("setxattr", 188, 5, "attributes are memory that no limit counts; cp and tar go on without", EOPNOTSUPP),
    _refuse("lsetxattr", 189, 6, "as setxattr", EOPNOTSUPP),
    _refuse("fsetxattr", 190, 7, "as setxattr", EOPNOTSUPP),
    # -- waiting
    _allow("timer_create", 222, 107, "timeout of coreutils; RLIMIT_SIGPENDING bounds them"),
    _allow("timer_settime", 223, 110, "as timer_create"),
    _allow("timer_gettime", 224, 108, "as timer_create"),
    _allow("timer_getoverrun", 225, 109, "as timer_create"),
    _allow("timer_delete", 226, 111, "as timer_create"),
    _allow("timerfd_create", 283, 85, "event loops of programs"),
    _allow("timerfd_settime", 286, 86, "as timerfd_create"),
    _allow("timerfd_gettime", 287, 87, "as timerfd_create"),
    _allow("signalfd", 282, None, "event loops of programs"),
    _allow("signalfd4", 289, 74, "event loops of programs"),
    # -- sockets within the sandbox: paths in its directories, and pairs
    _allow("socket", 41, 198, "AF_UNIX, between programs of the sandbox", _UNIX),
    _allow("bind", 49, 200, "AF_UNIX sockets"),
    _allow("listen", 50, 201, "AF_UNIX sockets"),
    _allow("accept", 43, 202, "AF_UNIX sockets"),
    _allow("accept4", 288, 242, "AF_UNIX sockets"),
    _allow("connect", 42, 203, "AF_UNIX sockets; Landlock keeps abstract ones within the sandbox"),
    _allow("sendto", 44, 206, "AF_UNIX sockets, and the wire"),
    _allow("sendmsg", 46, 211, "programs pass descriptors to each other; the host and the zygote take none"),
    _allow("setsockopt", 54, 208, "plain options of AF_UNIX sockets; no filters", _LEVEL, _SET_OPTION),
    _allow("getsockopt", 55, 209, "plain options of AF_UNIX sockets", _LEVEL, _GET_OPTION),
)
# fmt: on


def rows(*, programs: bool) -> tuple[Row, ...]:
    """The rows of a sandbox."""
    if not programs:
        return ROWS
    replaced = {row.name: row for row in PROGRAM_ROWS}
    return tuple(replaced.get(row.name, row) for row in ROWS)
