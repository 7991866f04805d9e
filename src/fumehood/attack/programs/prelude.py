# The words of programs that break every rule of the language; those of guarded_words.py come before them. Standard library only; nothing here
# knows of fumehood.
import ctypes
import errno
import os
import platform
import re
import stat
import struct
import sys
import time

# name: (x86-64, aarch64); None where the architecture has no such call.
NUMBERS = {
    "mmap": (9, 222), "shmget": (29, 194), "shmat": (30, 196), "socket": (41, 198), "connect": (42, 203), "bind": (49, 200), "socketpair": (53, 199),
    "setsockopt": (54, 208), "getsockopt": (55, 209), "clone": (56, 220), "execve": (59, 221), "kill": (62, 129), "semget": (64, 190), "msgget": (68, 186), "fcntl": (72, 25),
    "ptrace": (101, 117), "setuid": (105, 146), "syslog": (103, 116), "setresuid": (117, 147), "setresgid": (119, 149), "setgroups": (116, 159), "capget": (125, 90), "capset": (126, 91),
    "mknod": (133, None), "mknodat": (259, 33), "personality": (135, 92), "sched_setscheduler": (144, 119), "modify_ldt": (154, None), "pivot_root": (155, 41), "prctl": (157, 167),
    "adjtimex": (159, 171), "chroot": (161, 51), "acct": (163, 89), "mount": (165, 40), "umount2": (166, 39), "swapon": (167, 224), "reboot": (169, 142), "sethostname": (170, 161),
    "iopl": (172, None), "ioperm": (173, None), "init_module": (175, 105), "quotactl": (179, 60), "tkill": (200, 130), "io_setup": (206, 0), "timer_create": (222, 107), "tgkill": (234, 131), "mbind": (237, 235),
    "mq_open": (240, 180), "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219), "inotify_init1": (294, 26), "unshare": (272, 97), "splice": (275, 76), "vmsplice": (278, 75),
    "move_pages": (279, 239), "rt_tgsigqueueinfo": (297, 240), "perf_event_open": (298, 241), "fanotify_init": (300, 262), "prlimit64": (302, 261), "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265),
    "setns": (308, 268), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272), "finit_module": (313, 273), "seccomp": (317, 277), "memfd_create": (319, 279),
    "bpf": (321, 280), "execveat": (322, 281), "userfaultfd": (323, 282), "pidfd_send_signal": (424, 424), "io_uring_setup": (425, 425), "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430),
    "fsconfig": (431, 431), "fsmount": (432, 432), "pidfd_open": (434, 434), "clone3": (435, 435), "openat2": (437, 437), "pidfd_getfd": (438, 438), "process_madvise": (440, 440), "mount_setattr": (442, 442),
    "memfd_secret": (447, 447), "listmount": (458, 458), "statmount": (457, 457), "setxattrat": (463, 463), "open_tree_attr": (467, 467), "waitid": (247, 95),
}

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long


def syscall(name, *arguments):
    """The raw call, past libc; OSError if the kernel or a filter refuses it."""
    number = NUMBERS[name][0 if platform.machine() == "x86_64" else 1]
    if number is None:
        raise OSError(errno.ENOSYS, "no such call on this architecture")
    ctypes.set_errno(0)
    whole = [argument if isinstance(argument, (bytes, ctypes.Array, ctypes.Structure)) else ctypes.c_long(argument) for argument in arguments]
    result = _libc.syscall(ctypes.c_long(number), *[ctypes.byref(a) if isinstance(a, ctypes.Structure) else a for a in whole])
    if result == -1:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), name)
    return result


def passed_the_gate(name, *arguments, then):
    """Make a call whose arguments are wrong on purpose. It did harm to nobody, and the error tells how far it came:
    `then` is the errno (one or several names) that only a caller with the right to make it gets to see."""
    try:
        syscall(name, *arguments)
    except OSError as error:
        if errno.errorcode.get(error.errno) in then.split():
            return f"{name} was let through, and only then failed with {errno.errorcode[error.errno]}"
        raise
    return f"{name} was let through"


def in_child(action, seconds=3.0):
    """What `action` returns (as text) in a forked child: None if it returned nothing, died or took too long."""
    import select
    import signal

    readable, writable = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(readable)
        try:
            obtained = action()
            os.write(writable, str(obtained).encode()[:4096] if obtained else b"")
        except OSError:
            pass
        finally:
            os._exit(0)
    os.close(writable)
    try:
        ready, _, _ = select.select([readable], [], [], seconds)
        text = os.read(readable, 4096).decode() if ready else ""
    finally:
        os.close(readable)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    return text or None


def read_bytes(path, limit=1 << 20):
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        return os.read(descriptor, limit)
    finally:
        os.close(descriptor)


def open_descriptors():
    found = {}
    for number in range(1024):
        try:
            found[number] = os.fstat(number).st_mode
        except OSError:
            continue
    return found


def sockets():
    return [number for number, mode in open_descriptors().items() if stat.S_ISSOCK(mode)]


def map_memory(size, protection, flags, descriptor=-1):
    """mmap as the kernel knows it; the address."""
    return syscall("mmap", 0, size, protection, flags, descriptor, 0)


def resident_bytes(pid="self"):
    """Anonymous, file and shared memory that this process holds, and the page tables it needs for them."""
    total = 0
    with open(f"/proc/{pid}/status") as status:
        for line in status:
            if line.startswith(("RssAnon:", "RssShmem:", "VmPTE:", "VmSwap:")):
                total += int(line.split()[1]) << 10
    return total


def run_machine_code(code):
    """Run x86-64 machine code as a function without arguments; what it leaves in rax."""
    import mmap

    page = mmap.mmap(-1, mmap.PAGESIZE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(code)
    address = ctypes.addressof(ctypes.c_char.from_buffer(page))
    return ctypes.CFUNCTYPE(ctypes.c_long)(address)()


def run_program(arguments, seconds=5, **options):
    """The exit code of a program and what it prints. OSError if it cannot be started or takes too long."""
    import subprocess

    options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, **options}
    try:
        done = subprocess.run(arguments, timeout=seconds, **options)
    except subprocess.SubprocessError as error:
        raise OSError(errno.ETIME, str(error)) from None
    return done.returncode, done.stdout


C_HEADERS = "".join(f"#include <{name}.h>\n" for name in (
    "errno fcntl grp poll pthread sched signal stdint stdio stdlib string time unistd sys/ioctl sys/mman sys/mount sys/personality sys/prctl sys/ptrace"
    " sys/resource sys/socket sys/stat sys/syscall sys/sysmacros sys/timerfd sys/types sys/uio sys/un sys/wait sys/xattr"
).split())


def compile_c(source, path="native", *options):
    """Compile C with the headers of the system. OSError where there is no compiler, or nothing may be executed."""
    import shutil

    if shutil.which("gcc") is None:
        raise OSError(errno.ENOSYS, "there is no compiler")
    with open(f"{path}.c", "w") as file:
        file.write(f"#define _GNU_SOURCE\n{C_HEADERS}{source}")
    code, told = run_program(["gcc", "-w", "-pthread", *options, "-o", path, f"{path}.c"], 20)
    if code:
        raise RuntimeError(f"gcc ended with {code}: {told[-1000:]!r}")
    return os.path.abspath(path)


def native(source, *arguments, seconds=5):
    """What a program in C prints: what it obtained, or nothing."""
    _code, told = run_program([compile_c(source), *arguments], seconds)
    return told.decode(errors="replace").strip()
