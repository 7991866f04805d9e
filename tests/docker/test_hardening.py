"""What a container of ours is to the kernel, seen from inside and by the engine."""

from __future__ import annotations

import json

import pytest

from fumehood.docker.hardening import FREE_USERS, TABLE, Wanted, configuration, merged
from fumehood.errors import ContainerFailed, PolicyError
from fumehood.policy import Limits, Mount, Policy

# Everything that a process can say of what holds it.
TELL = """
import errno, json, os, socket
status = dict(line.split(":\\t", 1) for line in open("/proc/self/status").read().splitlines() if ":\\t" in line)
mounts = {line.split()[1]: line.split()[3].split(",") for line in open("/proc/self/mounts")}
def attempt(what):
    try: what()
    except OSError as error: return errno.errorcode[error.errno]
    return "done"
def execute():
    with open("/labs/program", "w") as file: file.write("#!/usr/local/bin/python3")
    os.chmod("/labs/program", 0o755)
    os.execv("/labs/program", ["program"])
def connect():
    with socket.socket() as connection: connection.connect(("192.0.2.1", 80))
def limit(v1, v2):
    for path in ("/sys/fs/cgroup/" + v1, "/sys/fs/cgroup/" + v2):
        if os.path.exists(path): return open(path).read().strip()
labs = os.statvfs("/labs")
print(json.dumps({
    "uid": os.getuid(), "gid": os.getgid(), "groups": os.getgroups(),
    "capabilities": [status[name].strip() for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")],
    "no_new_privileges": status["NoNewPrivs"].strip(), "seccomp": status["Seccomp"].strip(),
    "interfaces": [name for _number, name in socket.if_nameindex()], "connect": attempt(connect),
    "root": mounts["/"][0], "write": attempt(lambda: open("/opt/x", "w")), "write_etc": attempt(lambda: open("/etc/x", "w")),
    "labs": mounts["/labs"], "labs_bytes": labs.f_frsize * labs.f_blocks, "labs_files": labs.f_files, "labs_owner": os.stat("/labs").st_uid,
    "labs_mode": oct(os.stat("/labs").st_mode & 0o777), "execute": attempt(execute),
    "proc": attempt(lambda: [open(path, "w") for path in ("/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger")]),
    "shm": attempt(lambda: open("/dev/shm/x", "w")),
    "first": open("/proc/1/comm").read().strip(), "processes": sum(name.isdigit() for name in os.listdir("/proc")),
    "memory": limit("memory/memory.limit_in_bytes", "memory.max"), "pids": limit("pids/pids.max", "pids.max"),
    "hostname": socket.gethostname(),
}))
"""

SLEEP = "import time; time.sleep(600)"


@pytest.fixture
def told(start, output):
    def ask(**options):
        return json.loads(output(start(TELL, **options)))

    return ask


def test_a_container_gives_nothing_that_the_table_does_not_give(told):
    found = told()
    assert (
        found["uid"] == found["gid"]
        and found["uid"] in FREE_USERS
        and set(found["groups"]) <= {found["gid"]}
    )
    assert set(found["capabilities"]) == {"0000000000000000"}
    assert (found["no_new_privileges"], found["seccomp"]) == ("1", "2")
    assert found["interfaces"] == ["lo"] and found["connect"] == "ENETUNREACH"
    assert (found["root"], found["write"], found["write_etc"]) == ("ro", "EROFS", "EROFS")
    assert {"noexec", "nosuid", "nodev"} <= set(found["labs"]) and found["execute"] == "EACCES"
    assert (found["labs_owner"], found["labs_mode"]) == (found["uid"], "0o700")
    assert found["proc"] == "EACCES"
    assert found["shm"] in ("ENOENT", "EROFS")
    assert found["first"] != "python3" and found["processes"] == 2
    assert found["hostname"] == "lab"


def test_what_only_root_may_see_of_the_machine_stays_hidden(start, output):
    """Nothing of /proc is covered, so that sandboxes can have their own."""
    program = """import os
for path in ("/proc/kcore", "/proc/timer_list", "/proc/kpagecount", "/proc/slabinfo"):
    if not os.path.exists(path): continue
    try: print(path, os.close(os.open(path, os.O_RDONLY)))
    except OSError: pass
for kind, path in (("proc", "/labs"), ("tmpfs", "/labs")):
    import ctypes
    libc = ctypes.CDLL(None, use_errno=True)
    print(libc.mount(kind.encode(), path.encode(), kind.encode(), 0, None), ctypes.get_errno())
"""
    lines = output(start(program)).split("\n")
    assert [line for line in lines if line.strip()] == ["-1 1"] * 2


def test_the_filter_refuses_what_neither_code_nor_the_jail_needs(start, output):
    program = """import ctypes, errno, os
libc = ctypes.CDLL(None, use_errno=True)
numbers = {"x86_64": (321, 298, 425, 248, 323, 101), "aarch64": (280, 241, 425, 217, 282, 117)}[os.uname().machine]
for number in (*numbers, 999):
    print(libc.syscall(number, 0, 0, 0, 0, 0), errno.errorcode[ctypes.get_errno()])
"""
    # bpf, perf_event_open, io_uring_setup, add_key, userfaultfd, ptrace
    # Old engines have another answer.
    assert {*output(start(program)).splitlines()} in ({"-1 ENOSYS"}, {"-1 EPERM"})


def test_a_profile_of_the_caller_takes_the_place_of_ours():
    made = merged(configuration(Wanted(Policy())), {"HostConfig": {"SecurityOpt": ["seccomp={}"]}})
    assert made["HostConfig"]["SecurityOpt"] == [
        "no-new-privileges:true",
        "apparmor=unconfined",
        "seccomp={}",
    ]


def test_limits_are_the_policys(told):
    limits = Limits(
        memory_bytes=64 << 20, lab_bytes=8 << 20, lab_files=100, processes=10, branches=3
    )
    found = told(policy=Policy(limits=limits), sandboxes=2)
    assert found["labs_bytes"] == 2 * 4 * (8 << 20) and found["labs_files"] == 2 * 4 * 100
    if found["memory"] is not None:
        assert int(found["memory"]) == 2 * 2 * (64 << 20) + 2 * 4 * (8 << 20) + (256 << 20)
    if found["pids"] is not None:
        assert int(found["pids"]) == 2 * (10 + 2 * 3 + 2) + 16


def test_processors_are_limited_when_asked_for(engine, start):
    inspected = engine.ask(
        "GET", f"/containers/{start('import time; time.sleep(600)', cpus=0.5).id}/json"
    )
    assert inspected["HostConfig"]["NanoCpus"] == 500_000_000
    assert configuration(Wanted(Policy()))["HostConfig"]["NanoCpus"] == 0


def test_two_containers_are_hardly_ever_the_same_user():
    assert len({Wanted(Policy()).user for _ in range(50)}) > 20


def test_nothing_of_the_host_is_mounted_but_what_the_policy_mounts(engine, start, output, tmp_path):
    if not engine.is_local:
        pytest.skip("the engine is on another machine, and sees none of these files")
    (tmp_path / "read").mkdir()
    (tmp_path / "write").mkdir()
    (tmp_path / "write").chmod(0o777)
    (tmp_path / "read" / "text").write_text("seen")
    mounts = (
        Mount(str(tmp_path / "read"), "/data/read"),
        Mount(str(tmp_path / "write"), "/data/write", writable=True),
    )
    program = """print(open("/data/read/text").read())
open("/data/write/text", "w").write("written")
try: open("/data/read/other", "w")
except OSError as error: print(error.strerror)
"""
    (tmp_path / "read").chmod(0o755)
    container = start(program, policy=Policy(files=True, mounts=mounts))
    assert output(container) == "seen\nRead-only file system\n"
    assert (tmp_path / "write" / "text").read_text() == "written"
    mounted = engine.ask("GET", f"/containers/{start(SLEEP).id}/json")
    assert (mounted["Mounts"], mounted["HostConfig"]["Binds"]) == ([], None)


def test_a_mount_of_what_is_not_there_is_told(start, tmp_path):
    with pytest.raises(
        ContainerFailed, match=r"the container could not be started: .*does not exist"
    ):
        start("", policy=Policy(files=True, mounts=(Mount(str(tmp_path / "nothing"), "/data"),)))


@pytest.mark.extended
def test_volumes_that_an_image_declares_are_no_disk(engine, base, start, output):
    from fumehood.docker.images import Image

    wanted = Image.for_(dockerfile=f"FROM {base}\nVOLUME /data /more\n")
    built = wanted.ensure(engine)
    before = {volume["Name"] for volume in engine.ask("GET", "/volumes")["Volumes"] or ()}
    assert set(built.volumes) == {"/data", "/more"}
    program = "try: open('/data/x', 'w')\nexcept OSError as error: print(error.strerror)"
    container = start(program, image=built)
    assert output(container) == "Read-only file system\n"
    mounts = engine.ask("GET", "/volumes")["Volumes"] or ()
    assert (
        not {volume["Name"] for volume in mounts if volume["Name"].startswith(container.id)}
        - before
    )


def test_every_row_has_a_reason_and_is_there_once():
    assert all(row.reason for row in TABLE)
    assert len({row.name for row in TABLE}) == len(TABLE)


@pytest.mark.parametrize(
    "wanted",
    [
        {"sandboxes": 0},
        {"sandboxes": True},
        {"sandboxes": 1.5},
        {"cpus": 0},
        {"cpus": "1"},
        {"cpus": True},
        {"runtime": ""},
        {"runtime": 7},
    ],
)
def test_what_no_container_can_have_is_refused(wanted):
    with pytest.raises(PolicyError):
        Wanted(Policy(), **wanted)
