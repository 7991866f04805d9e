"""The table of system calls: each row is made on the real kernel, without the filter and with it,
and the numbers are the headers'.

This file is also a program: run with an identity and a list of calls, it makes them and prints what
came back. Arguments are such that an unfiltered call fails harmlessly, with an errno that the
filter does not use, so that a refusal is known to be the filter's.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import re
import resource
import signal
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from fumehood.jail import kernel
from fumehood.jail.kernel import Script
from fumehood.jail.seccomp import ARCHITECTURES, build_filter
from fumehood.jail.syscalls import ROWS, Check, Row

BY_NAME = {row.name: row for row in ROWS}
HERE = [
    row
    for row in ROWS
    if kernel.MACHINE in ARCHITECTURES and row.number(kernel.MACHINE) is not None
]
NOBODY = 65534

real_kernel = pytest.mark.skipif(
    sys.platform != "linux" or not HERE, reason="no filter for this machine"
)
IDENTITIES = [
    pytest.param("as it is", id="as-it-is"),
    pytest.param(
        "nobody",
        marks=pytest.mark.skipif(os.geteuid() != 0, reason="only root can become nobody"),
        id="nobody",
    ),
]

# -- arguments
# -1 is no descriptor, no process, no address, and as flags or a command more than any kernel knows.

NONSENSE = (-1,) * 6

# fmt: off
ARGUMENTS: dict[str, tuple[int, ...]] = {
    # a length of -1 would have the kernel look for that much memory
    "init_module": (-1, 0, -1),
    "shmget":      (-1, 0, 0),               # without IPC_CREAT: flags of -1 would make one
    "msgget":      (-1, 0),                  # likewise
    "semget":      (-1, 0, 0),               # likewise
    "clone":       (17, 0, 0, 0, 0),         # a child, which ends at once
    "tkill":       (-1, 0),
    "rt_sigqueueinfo":   (-1, 0, -1),
    "rt_tgsigqueueinfo": (-1, -1, 0, -1),
}

# Calls that end, stop or double the process that makes them: each in a process of its own.
ALONE = {"exit", "exit_group", "rt_sigreturn", "pause", "fork", "clone", "restart_syscall"}

# Rows that cannot be made here, or not without the filter.
NOT_MADE = {
    "vfork":     "the child would run on its parent's stack; subprocess uses it in test_seccomp.py",
    "uretprobe": "kernels that have it do not ask a filter, and end who makes it by hand",
    "uprobe":    "kernels that have it do not ask a filter, and end who makes it by hand",
}
NOT_UNFILTERED = {"sync": "would make this machine write out its disks; the simulator looks at the row"}

# What each check lets through and what it stops. Every other argument makes the kernel say no.
PERMITTED: dict[str, list[tuple[int, ...]]] = {
    "fcntl":       [(-1, value, 0) for value in BY_NAME["fcntl"].checks[0].values] + [(-1, 1 << 32 | 3, 0)],
    "ioctl":       [(-1, value, 0) for value in BY_NAME["ioctl"].checks[0].values] + [(-1, 7 << 32 | 0x5401, 0)],
    "mmap":        [(0, 0, 3, value | more, -1, 0) for value in (0x21, 0x22, 1, 2, 3) for more in (0, 0x10, 0x4000, 0x20000, 1 << 32)],
    "madvise":     [(1, 0, value) for value in BY_NAME["madvise"].checks[0].values],
    "membarrier":  [(value, -1, 0) for value in BY_NAME["membarrier"].checks[0].values],
    "kill":        [(0, 0), (1 << 32, 0), (0x7FFF_FFFF, 0)],
    "futex":       [(1, value | more, 0, 0, 1, 0) for value in (*BY_NAME["futex"].checks[0].values, 256 | 9) for more in (0, 128)],
    "clone":       [(0x10000, 0, 0, 0, 0), (0x800 | 17, 0, 0, 0, 0), (1 << 32 | 0x800, 0, 0, 0, 0)],
    "prlimit64":   [(0, -1, 0, 0), (-1, -1, 0, 0), (0, -1, 1, 0), (1 << 32, -1, 1, 0)],
    "socketpair":  [(1, -1, -1, -1), (1 << 32 | 1, -1, -1, -1)],
    "prctl":       [(value, -1, -1, -1, -1) for value in BY_NAME["prctl"].checks[0].values],
    "arch_prctl":  [(value, -1) for value in BY_NAME["arch_prctl"].checks[0].values],
    "personality": [(0xFFFFFFFF,), (-1,)],
    "sendto":      [(-1, 0, 0, 0, 0, 0)],
    "getsockopt":  [(-1, 1, value, -1, -1) for value in BY_NAME["getsockopt"].checks[1].values],
}
STOPPED: dict[str, list[tuple[int, ...]]] = {
    # everybody; another group
    "kill":        [(-1, 0), (0xFFFF_FFFF, 0), (-0x7FFF_FFFE, 0)],
    # F_SETOWN F_SETSIG F_SETOWN_EX F_SETLEASE F_NOTIFY F_ADD_SEALS
    "fcntl":       [(-1, value, 0) for value in (8, 10, 15, 1024, 1026, 1033)],
    # TIOCSTI TIOCLINUX TIOCSCTTY TCSETS FIOASYNC FIOQSIZE FS_IOC_SETFLAGS FICLONE
    "ioctl":       [(-1, value, 0) for value in (0x5412, 0x541C, 0x540E, 0x5402, 0x5452, 0x5460, 0x40086602, 0x40049409, 1 << 32 | 0x5412)],
    # shared anonymous with MAP_SHARED_VALIDATE, which no kernel takes; droppable; stack-like; locked; huge; of no kind
    "mmap":        [(0, 0, 3, value, -1, 0) for value in (0x23, 0x28, 0x122, 0x2022, 0x40022, 0x102, 0x20, 1 << 32 | 0x23)],
    # MADV_HWPOISON MADV_SOFT_OFFLINE MADV_MERGEABLE MADV_COLD MADV_PAGEOUT
    "madvise":     [(1, 0, value) for value in (100, 101, 12, 20, 21, 1 << 32 | 100)],
    "membarrier":  [(value, -1, 0) for value in (1, 2, 4, 128)],
    # FUTEX_LOCK_PI FUTEX_UNLOCK_PI FUTEX_TRYLOCK_PI FUTEX_WAIT_REQUEUE_PI FUTEX_CMP_REQUEUE_PI
    # FUTEX_LOCK_PI2
    "futex":       [(1, value, 0, 0, 1, 0) for value in (6, 7, 8, 11, 12, 13, 128 | 6, 1 << 32 | 6)],
    # CLONE_SIGHAND without CLONE_VM, which no kernel takes, and one flag more: CLONE_NEW*
    # CLONE_PTRACE CLONE_UNTRACED CLONE_PARENT, SIGUSR1
    "clone":       [(0x800 | value, 0, 0, 0, 0) for value in (0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000,
                                                              0x80, 0x2000, 0x800000, 0x8000, 10, 1 << 32 | 0x10000000)],
    "prlimit64":   [(1, -1, 1, 0), (-1, -1, 1 << 32, 0)],
    "socketpair":  [(2, -1, -1, -1), (16, -1, -1, -1)],
    # PR_SET_DUMPABLE PR_SET_KEEPCAPS PR_SET_SECCOMP PR_CAPBSET_DROP PR_SET_MM
    # PR_SET_CHILD_SUBREAPER PR_SET_PTRACER
    "prctl":       [(value, -1, -1, -1, -1) for value in (4, 8, 22, 24, 35, 36, 0x59616D61, 1 << 32 | 4)],
    # ARCH_GET_FS ARCH_GET_GS
    "arch_prctl":  [(value, -1) for value in (0x1003, 0x1004)],
    "personality": [(0,), (0x40000,)],
    "sendto":      [(-1, 0, 0, 0, 1, 0), (-1, 0, 0, 0, 1 << 32, 0)],
    # another level; SO_PEERCRED SO_PEERSEC SO_PEERPIDFD
    "getsockopt":  [(-1, 6, 3, -1, -1), *((-1, 1, value, -1, -1) for value in (17, 31, 77))],
}
# fmt: on


def _asked(row: Row) -> list[Check]:
    """The checks that are made where there are namespaces: those that the calls above are
    about."""
    return [check for check in row.checks if check.unless is None]


def _holds(check: Check, args: tuple[int, ...]) -> bool:
    assert check.values != "own pid"
    return _falls_away(check, args) or (
        (args[check.argument] & (1 << check.bits) - 1 & check.mask in check.values)
        is not check.refuses
    )


def _falls_away(check: Check, args: tuple[int, ...]) -> bool:
    if check.unless_value is None:
        return False
    argument, value = check.unless_value
    return args[argument] & 0xFFFF_FFFF == value


# -- the program: makes calls and prints what came back

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long


def _make(number: int, args: tuple[int, ...]) -> int:
    """The errno, or 0 for success."""
    me = os.getpid()
    ctypes.set_errno(0)
    result = _libc.syscall(ctypes.c_long(number), *(ctypes.c_long(value) for value in args))
    failed = ctypes.get_errno() if result == -1 else 0
    if os.getpid() != me:
        os._exit(0)  # the call has doubled this process
    return failed


def _outcomes(calls: list[tuple[int, tuple[int, ...]]], program: bytes | None) -> list[object]:
    """What each call gave, made one after the other in one new process: an errno, or at the end how
    that process ended."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        try:
            script = Script(0)
            script.gain_no_privileges()
            if program is not None:
                script.filter_system_calls(program)
            script.run()
            for number, args in calls:
                if number == (BY_NAME["pause"].number(kernel.MACHINE) or -1):
                    signal.setitimer(signal.ITIMER_REAL, 0.05)
                os.write(writer, bytes([_make(number, args)]))
        finally:
            os._exit(99)
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        found: list[object] = list(file.read())
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    return found if code == 99 else [*found, f"ended {code}"]


def _main() -> None:
    asked = json.load(sys.stdin)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.setsid()  # no terminal to lose
    if asked["identity"] == "nobody":
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    own_pid = os.getppid() if asked["bare"] else None
    program = build_filter(kernel.MACHINE, processes=not asked["bare"], own_pid=own_pid)
    answer = []
    for filtered in (None, program):
        together = [
            (BY_NAME[name].number(kernel.MACHINE), tuple(args))
            for name, args, alone in asked["calls"]
            if not alone
        ]
        results = iter(_outcomes(together, filtered))  # type: ignore[arg-type]
        answer.append([])
        for name, args, alone in asked["calls"]:
            number = BY_NAME[name].number(kernel.MACHINE)
            answer[-1].append(
                _outcomes([(number, tuple(args))], filtered)[0]
                if alone
                else next(results, "not reached")
            )  # type: ignore[list-item]
    json.dump(answer, sys.stdout)


def _ask(
    identity: str,
    calls: list[tuple[str, tuple[int, ...]]],
    *,
    bare: bool = False,
) -> list[tuple[str, tuple[int, ...], Any, Any]]:
    """Each call with what it gave without the filter and with it."""
    asked = {
        "identity": identity,
        "bare": bare,
        "calls": [(name, args, name in ALONE) for name, args in calls],
    }
    done = subprocess.run(
        [sys.executable, __file__], input=json.dumps(asked), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    plain, filtered = json.loads(done.stdout)
    return [(name, args, a, b) for (name, args), a, b in zip(calls, plain, filtered, strict=True)]


# -- every row on the real kernel


@cache
def _nothing_else_refuses() -> bool:
    """Whether this process is a root that nobody keeps from anything, so that every EPERM is our
    filter's."""
    status = dict(
        line.split(":\t", 1)
        for line in Path("/proc/self/status").read_text().splitlines()
        if ":\t" in line
    )
    # sys_module, sys_rawio, sys_ptrace, sys_pacct, sys_admin, sys_boot, sys_time, sys_tty_config,
    # syslog, perfmon, bpf
    needed = sum(1 << number for number in (16, 17, 19, 20, 21, 22, 25, 26, 34, 38, 39))
    return (
        os.geteuid() == 0
        and status["Seccomp"] == "0"
        and int(status["CapEff"], 16) & needed == needed
    )


def _proves(row: Row, identity: str, unfiltered: object) -> bool:
    """Whether a call that the filter lets through would have looked different."""
    if unfiltered == row.errno == errno.ENOSYS:
        # a kernel without the call: nothing to refuse, and the simulator has looked at the row
        return True
    return unfiltered != row.errno or identity == "nobody" or not _nothing_else_refuses()


@real_kernel
@pytest.mark.parametrize("identity", IDENTITIES)
def test_every_refused_call_answers_what_its_row_promises(identity: str) -> None:
    rows = [
        row for row in HERE if row.verdict == "refuse" and row.name not in NOT_MADE | NOT_UNFILTERED
    ]
    for name, _args, unfiltered, filtered in _ask(
        identity, [(row.name, ARGUMENTS.get(row.name, NONSENSE)) for row in rows]
    ):
        assert filtered == BY_NAME[name].errno, f"{name}: {filtered}"
        assert _proves(BY_NAME[name], identity, unfiltered), (
            f"{name} answers {unfiltered} without the filter, which proves nothing"
        )


@real_kernel
@pytest.mark.parametrize("identity", IDENTITIES)
def test_every_allowed_call_reaches_the_kernel(identity: str) -> None:
    rows = [
        row
        for row in HERE
        if row.verdict == "allow"
        and row.name not in NOT_MADE
        and (not row.checks or row.name in ARGUMENTS)
    ]
    for name, _args, unfiltered, filtered in _ask(
        identity, [(row.name, ARGUMENTS.get(row.name, NONSENSE)) for row in rows]
    ):
        assert filtered == unfiltered, f"{name}: {filtered}, without the filter {unfiltered}"
        assert filtered not in (
            BY_NAME[name].errno,
            "not reached",
        ), f"{name}: {filtered}, which proves nothing"


@real_kernel
@pytest.mark.parametrize("identity", IDENTITIES)
def test_every_check_lets_through_what_it_should(identity: str) -> None:
    calls = [
        (name, args) for name, many in PERMITTED.items() if BY_NAME[name] in HERE for args in many
    ]
    alone = [("clone", args) for name, args in calls if name == "clone"]
    for name, args, unfiltered, filtered in _ask(
        identity, [call for call in calls if call[0] != "clone"] + alone
    ):
        assert filtered == unfiltered, f"{name}{args}: {filtered}, without the filter {unfiltered}"
        assert filtered not in (
            BY_NAME[name].errno,
            "not reached",
        ), f"{name}{args}: {filtered}, which proves nothing"


@real_kernel
@pytest.mark.parametrize("identity", IDENTITIES)
def test_every_check_stops_what_it_should(identity: str) -> None:
    calls = [
        (name, args) for name, many in STOPPED.items() if BY_NAME[name] in HERE for args in many
    ]
    for name, args, unfiltered, filtered in _ask(identity, calls):
        assert filtered == BY_NAME[name].errno, f"{name}{args}: {filtered}"
        assert _proves(BY_NAME[name], identity, unfiltered), (
            f"{name}{args} answers {unfiltered} without the filter, which proves nothing"
        )


@real_kernel
def test_without_a_pid_namespace_code_signals_only_itself_starts_no_process_and_stays_bound_to_its_host() -> (
    None
):
    """The program's filter takes its parent, which is this process, for the own one. Signal 0 asks
    and sends nothing."""
    me, parent = os.getpid(), os.getppid()
    permitted = [
        ("kill", (me, 0)),
        ("tgkill", (me, me, 0)),
        ("kill", (1 << 32 | me, 0)),
        ("clone", (0x10000, 0, 0, 0, 0)),
        ("prctl", (2, -1, 0, 0, 0)),
    ]
    stopped = [
        *(("kill", (pid, 0)) for pid in (parent, 0, -1, -me)),
        ("tgkill", (parent, parent, 0)),
        *(
            (name, ARGUMENTS.get(name, NONSENSE))
            for name in (
                "tkill",
                "rt_sigqueueinfo",
                "rt_tgsigqueueinfo",
                "pidfd_open",
                "pidfd_send_signal",
            )
        ),
        *((name, ARGUMENTS.get(name, ())) for name in ("fork", "clone")),
        ("prctl", (1, -1, 0, 0, 0)),  # PR_SET_PDEATHSIG
    ]
    found = _ask(
        "as it is", permitted + [call for call in stopped if BY_NAME[call[0]] in HERE], bare=True
    )
    for name, args, unfiltered, filtered in found[: len(permitted)]:
        assert filtered == unfiltered != errno.EPERM, (
            f"{name}{args}: {filtered}, without the filter {unfiltered}"
        )
    for name, args, unfiltered, filtered in found[len(permitted) :]:
        assert (filtered, unfiltered != filtered) == (
            errno.EPERM,
            True,
        ), f"{name}{args}: {filtered}, without the filter {unfiltered}"


def test_every_check_is_exercised_both_ways() -> None:
    for row in ROWS:
        checks = _asked(row)
        for check in checks:
            others = [other for other in checks if other is not check]
            if check.refuses:
                assert any(
                    not _holds(check, args) and all(_holds(c, args) for c in others)
                    for args in STOPPED[row.name]
                ), row.name
                continue
            others_refuse = {
                value
                for c in others
                if c.refuses and c.argument == check.argument
                for value in c.values
            }
            reached = {
                args[check.argument] & (1 << check.bits) - 1 & check.mask
                for args in PERMITTED[row.name]
                if all(_holds(c, args) for c in checks) and not _falls_away(check, args)
            }
            assert reached == set(check.values) - others_refuse, (
                f"{row.name}: not every value of {check.means!r} is let through by a test"
            )
            assert any(
                not _holds(check, args) and all(_holds(c, args) for c in others)
                for args in STOPPED[row.name]
            ), row.name
    assert all(
        any(not _holds(c, args) for c in _asked(BY_NAME[name]))
        for name, many in STOPPED.items()
        for args in many
    )


# -- numbers


@cache
def _header(*names: str) -> str | None:
    return next((Path(name).read_text() for name in names if Path(name).is_file()), None)


def _numbers(text: str) -> dict[str, int]:
    """The calls that a header gives a number; the generic one names some by what they are on 32 and
    on 64 bits."""
    found = {name: int(number) for name, number in re.findall(r"#define __NR_(\w+)\s+(\d+)", text)}
    shared = {
        name: int(number) for name, number in re.findall(r"#define __NR3264_(\w+)\s+(\d+)", text)
    }
    found.update(
        {
            name: shared[other]
            for name, other in re.findall(r"#define __NR_(\w+)\s+__NR3264_(\w+)", text)
            if other in shared
        }
    )
    only_32_bit = {
        name for name in found if name.endswith(("64", "_64")) and 403 <= found[name] <= 423
    }
    only_32_bit |= {
        "fcntl64",
        "statfs64",
        "fstatfs64",
        "truncate64",
        "ftruncate64",
        "llseek",
        "sendfile64",
        "fstatat64",
        "fstat64",
        "mmap2",
        "fadvise64_64",
    }
    return {
        name: number
        for name, number in found.items()
        if name not in only_32_bit | {"syscalls", "arch_specific_syscall", "sync_file_range2"}
    }


_HEADERS = {
    "x86_64": ("/usr/include/x86_64-linux-gnu/asm/unistd_64.h", "/usr/include/asm/unistd_64.h"),
    "aarch64": ("/usr/include/asm-generic/unistd.h",),
}


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_the_numbers_are_those_of_the_kernels_headers(arch: str) -> None:
    text = _header(*_HEADERS[arch])
    if text is None:
        pytest.skip(f"the kernel's headers for {arch} are not installed")
    numbers = _numbers(text)
    assert len(numbers) > 290
    ours = {row.name: number for row in ROWS if (number := row.number(arch)) is not None}
    newest, known = max(ours.values()), max(numbers.values())
    assert {name: ours.get(name) for name, number in numbers.items() if number <= newest} == {
        name: number for name, number in numbers.items() if number <= newest
    }
    later = {"uretprobe", "uprobe"}  # numbers between older ones
    assert {
        name for name, number in ours.items() if number <= known and name not in numbers
    } <= later


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_no_two_rows_share_a_name_or_a_number(arch: str) -> None:
    assert len(BY_NAME) == len(ROWS)
    numbers = [row.number(arch) for row in ROWS if row.number(arch) is not None]
    assert len(set(numbers)) == len(numbers)


# -- the rows themselves


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"reason": "  "}, "no reason"),
        ({"x86_64": None, "aarch64": None}, "no number"),
        ({"errno": 0}, "no errno"),
        ({"errno": 4096}, "no errno"),
        ({"verdict": "refuse", "needs": "processes"}, "under a condition"),
    ],
)
def test_a_row_that_says_too_little_is_an_error(change: dict[str, Any], complaint: str) -> None:
    fields: dict[str, Any] = {
        "name": "x",
        "x86_64": 1,
        "aarch64": 2,
        "verdict": "allow",
        "reason": "a test",
    }
    Row(**fields)
    with pytest.raises(ValueError, match=complaint):
        Row(**fields | change)


@pytest.mark.parametrize(
    "change",
    [
        {"argument": 6},
        {"argument": -1},
        {"values": ()},
        {"means": ""},
        {"values": (2,), "mask": 1},
        {"values": (1 << 32,)},
        {"values": (-1,)},
    ],
)
def test_a_check_that_could_never_hold_is_an_error(change: dict[str, Any]) -> None:
    fields: dict[str, Any] = {"argument": 0, "values": (1,), "means": "a test"}
    Check(**fields)
    with pytest.raises(ValueError, match=r"arguments 0 to 5|names its values|never have"):
        Check(**fields | change)


def test_no_call_that_leads_out_of_a_jail_is_allowed() -> None:
    """By name and apart from the table: the tests above hold the filter to its rows, this one the
    rows to their purpose."""
    out = """
        acct add_key adjtimex bind bpf capset chroot clock_adjtime clock_settime clone3 connect delete_module execve execveat
        fanotify_init finit_module fsconfig fsmount fsopen fspick init_module io_setup io_uring_enter io_uring_register
        io_uring_setup ioperm iopl kcmp kexec_file_load kexec_load keyctl listen lookup_dcookie memfd_create memfd_secret mknod
        mknodat mlock mlock2 mlockall modify_ldt mount mount_setattr move_mount move_pages mq_open msgget name_to_handle_at
        open_by_handle_at open_tree openat2 perf_event_open pidfd_getfd pivot_root process_madvise process_vm_readv
        process_vm_writev ptrace quotactl reboot remap_file_pages request_key sched_setscheduler seccomp semget setdomainname
        setgid setgroups sethostname setns setpriority setresgid setresuid setrlimit setsockopt settimeofday setuid setxattr
        shmget sendmsg sendmmsg socket swapoff swapon syslog umount2 unshare userfaultfd vhangup vmsplice
    """
    assert {name: BY_NAME[name].verdict for name in out.split()} == dict.fromkeys(
        out.split(), "refuse"
    )
    checked = """
        arch_prctl clone fcntl futex getsockopt ioctl kill madvise membarrier mmap personality prctl prlimit64 sendto socketpair
        tgkill
    """
    assert sorted(row.name for row in ROWS if row.checks) == checked.split()


if __name__ == "__main__":
    _main()
