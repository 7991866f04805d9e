"""Attacks on what is there only in a container: the processes that hold sandboxes, the engine, and
the files of the other sandboxes. The attack programs run there in tests/attacks/test_containers.py.
"""

from __future__ import annotations

import pytest

from fumehood import DockerExecutor, Limits, Policy
from fumehood.attack.corpus import PRELUDE
from fumehood.jail.filesystem import LAB_DESCRIPTOR

from .conftest import Containers

# Tries everything that one process can do to another of the same user, to each that it finds, and
# tells what it was let do.
_REACH = """
import ctypes, os, signal
prelude
own = {os.getpid(), os.getppid()}
def tries(pid):
    of = f"/proc/{pid}/"
    handle = lambda: syscall("pidfd_open", pid, 0)
    yield "memory", lambda: os.close(os.open(of + "mem", os.O_RDWR))
    yield "memory, read", lambda: read_bytes(of + "mem", 1)
    yield "maps", lambda: read_bytes(of + "maps")
    yield "environment", lambda: read_bytes(of + "environ")
    yield "root", lambda: os.listdir(of + "root/labs")
    yield "directory", lambda: os.listdir(of + "cwd")
    yield "score", lambda: os.close(os.open(of + "oom_score_adj", os.O_WRONLY))
    for n in range(12):
        yield f"descriptor {n}", lambda n=n: os.readlink(f"{of}fd/{n}")
        yield f"descriptor {n}, to read", lambda n=n: os.close(os.open(f"{of}fd/{n}", os.O_RDONLY | os.O_NONBLOCK))
        yield f"descriptor {n}, to write", lambda n=n: os.close(os.open(f"{of}fd/{n}", os.O_WRONLY | os.O_NONBLOCK))
        yield f"descriptor {n}, taken", lambda n=n: syscall("pidfd_getfd", handle(), n, 0)
    yield "trace", lambda: syscall("ptrace", 16, pid, 0, 0)
    yield "seize", lambda: syscall("ptrace", 0x4206, pid, 0, 0)
    target = (ctypes.c_long * 2)(ctypes.addressof(ctypes.create_string_buffer(8)), 8)
    for name in ("process_vm_readv", "process_vm_writev"):
        yield name, lambda name=name: syscall(name, pid, target, 1, target, 1, 0)
    yield "limits", lambda: syscall("prlimit64", pid, 7, (ctypes.c_ulong * 2)(1, 1), 0)
    for n in (0, signal.SIGTERM, signal.SIGSTOP, signal.SIGKILL):
        yield f"signal {n}", lambda n=n: os.kill(pid, n)
        yield f"signal {n} to its group", lambda n=n: os.kill(-pid, n)
        yield f"signal {n} by a handle", lambda n=n: syscall("pidfd_send_signal", handle(), n, 0, 0)
reached = []
found = {}
for pid in map(int, filter(str.isdigit, os.listdir("/proc"))):
    if pid in own: continue
    try: found[pid] = open(f"/proc/{pid}/comm").read().strip()
    except OSError: continue
    for what, attempt in tries(pid):
        try: attempt()
        except OSError: continue
        reached.append(f"{what} of {found[pid]}")
reached, sorted(set(found.values()))
"""


def test_code_sees_no_process_of_others_and_can_do_nothing_to_those_it_sees(
    containers: Containers,
) -> None:
    policy = Policy(files=True, language="off", limits=Limits(cell_seconds=20, branches=2))
    container = containers.fit_for(policy)
    with (
        DockerExecutor(policy=policy, container=container, on_fault="keep") as neighbour,
        DockerExecutor(policy=policy, container=container, on_fault="keep") as attacker,
    ):
        if "absent    user, pid, ipc namespaces" in attacker.report():
            pytest.skip("this engine's machine refuses namespaces to containers")
        neighbour("import os\nkept = 1\nopen('/home/user/mine', 'w').write('secret')")
        before = container.id
        execution = attacker.run(_REACH.replace("prelude", PRELUDE.read_text()))
        assert execution.error is None, execution.error
        reached, seen = execution.value
        assert not {"docker-init", "fumehood-remote", "fumehood-superv"} & set(seen)
        assert len(seen) <= 1, "its init, which shares the zygote's name"
        assert reached == []
        assert neighbour("kept, open('/home/user/mine').read()").output == (1, "secret")
        assert attacker("1 + 1").output == 2
        assert container.id == before


def test_there_is_no_engine_to_be_found_from_within(containers: Containers) -> None:
    """Not by a path, nor by an address: there are no sockets at all."""
    policy = Policy(files=True, language="off", limits=Limits(cell_seconds=20))
    with DockerExecutor(policy=policy, container=containers.fit_for(policy)) as executor:
        paths = [
            "/var/run/docker.sock",
            "/run/docker.sock",
            "/proc/1/root/run/docker.sock",
            "/run/containerd/containerd.sock",
            "/run",
        ]
        executor.send_variables({"paths": paths})
        assert (
            executor(
                "import os\n[path for path in paths if os.path.exists(path) and os.access(path,"
                " os.R_OK)]"
            ).output
            == []
        )
        code = (
            "import socket\ndef reach(family, address):\n    try:\n        with"
            " socket.socket(family) as line: line.connect(address)\n    except OSError as error:"
            " return type(error).__name__\n    return 'reached'\n{reach(socket.AF_UNIX, path) for"
            " path in paths} | {reach(socket.AF_INET, ('172.17.0.1', port)) for port in (2375,"
            " 2376, 22)}\n"
        )
        assert executor(code).output == {"PermissionError"}


def test_sandboxes_of_one_container_see_nothing_of_each_others_files(
    containers: Containers,
) -> None:
    policy = Policy(files=True, language="off", limits=Limits(cell_seconds=20))
    container = containers.fit_for(policy)
    with (
        DockerExecutor(policy=policy, container=container) as one,
        DockerExecutor(policy=policy, container=container) as other,
    ):
        one("import os\nopen('/home/user/mine', 'w').write('secret')")
        where = one(f"os.readlink('/proc/self/fd/{LAB_DESCRIPTOR}') + '/home'").output
        other.send_variables({"where": where})
        code = (
            "import os\ndef tried(do):\n    try: return do()\n    except OSError as error: return"
            " type(error).__name__\n(tried(lambda: '0' in os.listdir('/labs')), tried(lambda:"
            " os.listdir(where)), tried(lambda: open(where + '/mine').read()),\n tried(lambda:"
            " os.remove(where + '/mine')), tried(lambda: open(where + '/mine',"
            " 'w').write('changed')), os.listdir('/home/user'))"
        )  # both call their directories the same
        gone = "FileNotFoundError"
        assert other(code).output == (True, [], gone, gone, 7, ["mine"])
        assert one("open('/home/user/mine').read()").output == "secret"
