"""The escape attempts of `fumehood doctor`, as a table: the code, and what shows that it was
stopped.

All code succeeds where nothing stops it (a test runs each attempt outside of any jail). It raises
what stopped it, or ends. It finds these variables: canary (a file of the host), port, unix (sockets
of the host), victim (a process of the host), token, survivor.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from fumehood.cli.outside import Outside
from fumehood.results import Execution

Evidence = Callable[[Outside, Execution], str]
"""What the host itself sees, whatever the code says: a text if the code succeeded, else "". Called
after the end of the sandbox."""


@dataclass(frozen=True, slots=True)
class Attempt:
    name: str
    code: str
    stopped_by: tuple[str, ...]
    """Exceptions that mean that it was stopped. Any other is a mistake in the attempt, and proves
    nothing."""
    evidence: Evidence
    instead: str = ""
    """What the code got if it ended without success. Without this, code that ends has succeeded."""
    with_programs: bool = False
    """Whether the sandbox of this attempt has files and programs."""


# -- evidence


def nothing(outside: Outside, execution: Execution) -> str:
    return ""


def secret_is_out(outside: Outside, execution: Execution) -> str:
    return (
        "the secret came out"
        if outside.secret in f"{execution.value!r}{execution.logs}{execution.error}"
        else ""
    )


def users_are_out(outside: Outside, execution: Execution) -> str:
    try:
        users = Path("/etc/passwd").read_text()
    except OSError:
        return ""
    return "the host's file came out" if users and execution.value == users else ""


def connection_came(outside: Outside, execution: Execution) -> str:
    return "a connection arrived" if outside.was_connected_to() else ""


def files_changed(outside: Outside, execution: Execution) -> str:
    return "files of the host changed" if outside.was_written_to() else ""


def victim_is_dead(outside: Outside, execution: Execution) -> str:
    return "the process was ended" if outside.lost_its_victim() else ""


def survivor_lives(outside: Outside, execution: Execution) -> str:
    return "a process is still there" if outside.has_a_survivor() else ""


# -- programs

_KERNEL = """\
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def check(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
"""

_MOUNT = (
    _KERNEL
    + """\
place = os.getcwd().encode()
check(libc.mount(b"none", place, b"tmpfs", 0, None))
libc.umount2(place, 2)
"""
)

_CONNECT = """\
import socket
stopped = OSError("there is nothing to connect to")
for family, address in addresses:
    try:
        with socket.socket(family) as connection:
            connection.settimeout(3)
            connection.connect(address)
        break
    except OSError as error:
        stopped = error
else:
    raise stopped
"""

_READ_THROUGH_PROC = """\
for process in (victim, 1):
    try:
        found = open(f"/proc/{process}/root{canary}").read()
        break
    except OSError as error:
        stopped = error
else:
    raise stopped
found
"""

_READ_ENVIRONMENT = """\
import os
found = repr(dict(os.environ))
try:
    found += open("/proc/self/environ").read()
except OSError:
    pass
found
"""

_WRITE = """\
import os
for place in (os.path.dirname(canary), os.path.dirname(os.__file__), "/etc", "/usr/lib", "/"):
    path = os.path.join(place, "fumehood-doctor-" + token)
    try:
        open(path, "w").close()
        break
    except OSError as error:
        stopped = error
else:
    raise stopped
if not path.startswith(os.path.dirname(canary)):
    os.unlink(path)
"""

# The loader of shared libraries is a program that every place has in which Python runs.
_EXECUTE = """\
import glob, os, sys
stopped = None
for program in [*glob.glob("/lib*/ld-*.so*"), *glob.glob("/lib/*/ld-*.so*"), "/bin/sh", sys.executable]:
    try:
        os.waitpid(os.posix_spawn(program, [program, "--version"], {}), 0)
        break
    except OSError as error:
        stopped = stopped or error
else:
    raise stopped
"""  # noqa: E501

_MEMORY = """\
blocks = []
for _ in range(16):
    blocks.append(bytearray(16 << 20))
"""

_PROCESSES = """\
import os, time
children = []
try:
    for _ in range(100):
        child = os.fork()
        if child == 0:
            time.sleep(600)
            os._exit(0)
        children.append(child)
finally:
    for child in children:
        os.kill(child, 9)
        os.waitpid(child, 0)
"""

_SURVIVE = """\
import ctypes, os, signal, time
reader, writer = os.pipe()
if os.fork() == 0:
    try:
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        ctypes.CDLL(None).prctl(15, survivor.encode())
        os.write(writer, b"!")
        while True:
            time.sleep(600)
    finally:
        os._exit(1)
os.close(writer)
if not os.read(reader, 1):
    raise RuntimeError('the child could not begin')
"""

_RUN = """\
import subprocess
done = subprocess.run({}, capture_output=True, text=True)
if done.returncode != 0:
    raise ChildProcessError(done.stderr.strip().splitlines()[-1])
done.stdout
"""
_CONNECT_WITH_PROGRAM = """\
['python3', '-c', f"import socket; socket.create_connection(('127.0.0.1', {port}), 3)"]"""
_SURVIVE_AS_PROGRAM = """\
import subprocess
program = '''
import ctypes, sys, time
ctypes.CDLL(None).prctl(15, sys.argv[1].encode())
print("!", flush=True)
time.sleep(600)
'''
started = subprocess.Popen(['python3', '-c', program, survivor], start_new_session=True,
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
if not started.stdout.readline():
    raise RuntimeError('the program could not begin')
"""

# fmt: off
ATTEMPTS = (
    Attempt("read a file of the host", "open(canary).read()",
            ("FileNotFoundError", "PermissionError"), secret_is_out),
    Attempt("read it through /proc", _READ_THROUGH_PROC,
            ("FileNotFoundError", "PermissionError"), secret_is_out),
    Attempt("read the host's list of users", "open('/etc/passwd').read()",
            ("FileNotFoundError", "PermissionError"), users_are_out, instead="a list of its own"),
    Attempt("read the host's environment", _READ_ENVIRONMENT,
            (), secret_is_out, instead="an environment of its own"),
    Attempt("write outside of /home/user and /tmp", _WRITE,
            ("OSError", "PermissionError", "FileNotFoundError"), files_changed),
    Attempt("connect to a port of this machine", "import socket\naddresses = [(socket.AF_INET, ('127.0.0.1', port))]\n" + _CONNECT,  # noqa: E501
            ("OSError", "PermissionError", "ConnectionRefusedError"), connection_came),
    Attempt("connect to a local socket", "import socket\naddresses = [(socket.AF_UNIX, path) for path in unix]\n" + _CONNECT,  # noqa: E501
            ("OSError", "PermissionError", "ConnectionRefusedError", "FileNotFoundError"), connection_came),  # noqa: E501
    Attempt("execute a program", _EXECUTE,
            ("PermissionError", "FileNotFoundError"), nothing),
    Attempt("see another process", "open(f'/proc/{victim}/cmdline').read()",
            ("FileNotFoundError", "PermissionError"), nothing),
    Attempt("kill another process", "import os\nos.kill(victim, 9)",
            ("ProcessLookupError", "PermissionError"), victim_is_dead),
    Attempt("trace another process", _KERNEL + "check(libc.ptrace(16, victim, 0, 0))",
            ("ProcessLookupError", "PermissionError", "OSError"), nothing),
    Attempt("become root", "import os\nos.setuid(0)",
            ("PermissionError", "OSError"), nothing),
    Attempt("make namespaces of its own", _KERNEL + "check(libc.unshare(0x10020000))",
            ("PermissionError", "OSError"), nothing),
    Attempt("mount a file system", _MOUNT,
            ("PermissionError", "OSError"), nothing),
    Attempt("bypass the filter (io_uring)", _KERNEL + "check(libc.syscall(425, 8, ctypes.create_string_buffer(120)))",  # noqa: E501
            ("PermissionError", "OSError"), nothing),
    Attempt("take more memory than allowed", _MEMORY,
            ("MemoryError", "MemoryLimit"), nothing),
    Attempt("start more processes than allowed", _PROCESSES,
            ("BlockingIOError", "PermissionError"), nothing),
    Attempt("keep running after the sandbox's end", _SURVIVE,
            ("PermissionError",), survivor_lives, instead="it ended with the sandbox"),
    Attempt("read a file of the host with a program", _RUN.format("['cat', canary]"),
            ("ChildProcessError",), secret_is_out, with_programs=True),
    Attempt("connect to a port with a program", _RUN.format(_CONNECT_WITH_PROGRAM),
            ("ChildProcessError",), connection_came, with_programs=True),
    Attempt("kill another process with a program", _RUN.format("['sh', '-c', f'kill -9 {victim}']"),
            ("ChildProcessError",), victim_is_dead, with_programs=True),
    Attempt("keep a program running after the end", _SURVIVE_AS_PROGRAM,
            (), survivor_lives, instead="it ended with the sandbox", with_programs=True),
)
# fmt: on


@dataclass(frozen=True, slots=True)
class Outcome:
    name: str
    held: bool
    stopped_by: str
    """What stopped it; if it was not held, what showed that."""


def judge(attempt: Attempt, outside: Outside, execution: Execution) -> Outcome:
    """The outcome of an attempt. In doubt, it was not held."""
    seen = attempt.evidence(outside, execution)
    error = execution.error
    if seen:
        return Outcome(attempt.name, False, seen)
    if error is None:
        return Outcome(attempt.name, bool(attempt.instead), attempt.instead or "it got through")
    if error.type not in attempt.stopped_by:
        return Outcome(attempt.name, False, f"it failed for another reason: {error}")
    return Outcome(attempt.name, True, str(error))
