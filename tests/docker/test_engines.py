"""An engine that stops, is killed, is started again, or has no room on its disk. Each test has one
of its own."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from fumehood.docker.containers import Container
from fumehood.docker.engine import Engine
from fumehood.docker.images import Image, ReadyImage, find
from fumehood.errors import (
    ContainerFailed,
    DockerFailed,
    ImageBuildFailed,
    SandboxFailed,
)
from fumehood.executors.docker import DockerContainer, DockerExecutor
from fumehood.policy import Limits, Policy

from . import bases

pytestmark = pytest.mark.long

PATIENCE_SECONDS = 60
UNTIL_THE_END = ["python3", "-c", "import sys; print('ready', flush=True); sys.stdin.read()"]
"""As a worker does, it ends with the line to it."""


class OwnEngine:
    """A `dockerd` with everything of its own: a socket, a directory, and a network namespace, as
    one that is to have no bridge removes the bridge of any other."""

    def __init__(self, directory: Path, data: Path, **settings: Any) -> None:
        self.directory, self.data = directory, data
        (directory / "daemon.json").write_text(json.dumps(settings))
        self.process: subprocess.Popen[bytes] | None = None
        self.address = f"unix://{directory}/s"
        self.engine: Engine = Engine(self.address)

    def start(self) -> None:
        own = [
            "--host",
            self.address,
            "--pidfile",
            f"{self.directory}/pid",
            "--exec-root",
            f"{self.directory}/exec",
        ]
        own += ["--config-file", f"{self.directory}/daemon.json"]
        apart = [
            "--data-root",
            str(self.data),
            "--bridge",
            "none",
            "--iptables=false",
            "--ip6tables=false",
        ]
        with (self.directory / "log").open("ab") as log:
            self.process = subprocess.Popen(
                ["unshare", "--net", "dockerd", *own, *apart],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        until = time.monotonic() + PATIENCE_SECONDS
        while True:
            with contextlib.suppress(DockerFailed):
                self.engine.ask("GET", "/version", seconds=5)
                return
            if self.process.poll() is not None or time.monotonic() > until:
                told = (
                    (self.directory / "log").read_text(errors="replace").strip().splitlines()[-1:]
                )
                self.end()
                pytest.skip(f"no engine can be started here: {told}")
            time.sleep(0.05)

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(PATIENCE_SECONDS)
            self.process = None
            # Its containerd is dead with it, and where nobody collects dead processes the next
            # would wait for it.
            (self.directory / "exec" / "containerd" / "containerd.pid").unlink(missing_ok=True)


@pytest.fixture
def directory() -> Iterator[Path]:
    """Of a short name: that of a socket may have some hundred characters. By it others know whose
    mounts are in there."""
    if os.geteuid() != 0:
        pytest.skip("only root can start an engine")
    for program in ("dockerd", "unshare"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    pytest.importorskip("docker", reason="the package docker is not installed")
    made = Path(tempfile.mkdtemp(prefix="docker-"))
    yield made
    for line in reversed(Path("/proc/self/mounts").read_text().splitlines()):
        mounted = line.split()[1]
        if mounted.startswith(f"{made}/"):
            subprocess.run(["umount", "-l", mounted], check=False, capture_output=True)
    shutil.rmtree(made, ignore_errors=True)


@pytest.fixture
def own(directory: Path) -> Iterator[OwnEngine]:
    made = OwnEngine(directory, directory / "data")
    made.start()
    yield made
    made.end()


@pytest.fixture
def there(own: OwnEngine) -> ReadyImage:
    found = find(own.engine, bases.base_of(own.engine))
    assert found is not None
    return found


def wait_for_end(container: Container) -> None:
    while data := container.stream.recv(1 << 16):
        container.output.feed(data)


def eventually(what: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while not what():
        assert time.monotonic() < until, "it never happened"
        time.sleep(0.05)


def is_running(pid: int) -> bool:
    """Not one that is dead and that nobody has collected."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in ("Z", "X")
    except OSError:
        return False


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_after_an_engine_was_started_again_nothing_of_a_container_is_left(own, there, how):
    container = Container.start(own.engine, there, UNTIL_THE_END, policy=Policy())
    container.stream.recv(100)
    process = own.engine.ask("GET", f"/containers/{container.id}/json")["State"]["Pid"]
    own.end(how)
    wait_for_end(container)
    own.start()
    eventually(lambda: own.engine.ask("GET", "/containers/json", {"all": 1}) == [])
    eventually(lambda: not is_running(process))
    assert "the engine was restarted" in container.why_gone()
    container.remove()
    again = Container.start(own.engine, there, UNTIL_THE_END, policy=Policy())
    assert again.output.feed(again.stream.recv(100)) == b"ready\n"
    again.remove()
    assert own.engine.ask("GET", "/volumes")["Volumes"] in (None, [])


@pytest.fixture
def gvisor(directory: Path) -> Iterator[OwnEngine]:
    runsc = shutil.which("runsc")
    if runsc is None:
        pytest.skip("runsc (gVisor) is not installed")
    # Without a network of its own: it takes one for the machine's on kernels that are newer than
    # it.
    made = OwnEngine(
        directory,
        directory / "data",
        runtimes={
            "runsc": {
                "path": runsc,
                "runtimeArgs": ["--network=none", "--platform=ptrace", "--ignore-cgroups"],
            }
        },
    )
    made.start()
    yield made
    made.end()


def test_gvisor_runs_a_container_hardened_like_any_other(gvisor):
    there = find(gvisor.engine, bases.base_of(gvisor.engine))
    program = """import os, socket
print(os.uname().release, os.getuid(), [name for _number, name in socket.if_nameindex()])
try: open("/etc/x", "w")
except OSError: print("read-only")"""
    try:
        container = Container.start(
            gvisor.engine, there, ["python3", "-c", program], policy=Policy(), runtime="runsc"
        )
    except ContainerFailed as failed:
        pytest.skip(f"gVisor does not run here: {failed}")
    out = b""
    while data := container.stream.recv(1 << 16):
        out += container.output.feed(data)
    release, user, *rest = out.decode().split()
    assert release != os.uname().release and int(user) == container.wanted.user
    assert rest == ["['lo']", "read-only"]
    container.remove()


def test_gvisor_holds_sandboxes_of_one_process_each(gvisor):
    """All at once: an engine, an image and a container of its own are a lot to have for each."""
    policy = Policy(
        files=True, language="off", limits=Limits(cell_seconds=5.0, memory_bytes=256 << 20)
    )
    container = DockerContainer(
        base=bases.base_of(gvisor.engine), host=gvisor.address, runtime="runsc", sandboxes=2
    )
    try:
        with warnings.catch_warnings(action="ignore"):
            executor = DockerExecutor(
                container=container, policy=policy, additional_functions={"double": lambda n: 2 * n}
            )
            other = DockerExecutor(container=container, policy=policy)
    except ContainerFailed as failed:
        container.close()
        pytest.skip(f"gVisor does not run here: {failed}")
    run = executor.run

    held = {mechanism.name for mechanism in executor.mechanisms() if mechanism.in_force}
    assert {"gVisor", "no privileges", "resource limits", "seccomp"} <= held
    assert (
        not {"user, pid, ipc namespaces", "mount namespace", "network namespace", "Landlock"} & held
    )
    assert "not kept apart from each other" in executor.report()

    assert run("kept = 20\nprint('printed')\nkept + 1").value == 21
    assert run("kept = double(kept)\nkept").value == 40
    assert run("open('/home/user/a', 'w').write('there')").error is None
    executor.files.write("b", b"sent")
    assert run("import os\nsorted(os.listdir()), open('/home/user/b').read()").value == (
        ["a", "b"],
        "sent",
    )
    assert executor.files.read("a") == b"there"
    assert other.run("import os\nos.listdir('/home/user')").value == []

    for what in (
        "os.fork()",
        "os.kill(os.getppid(), 9)",
        "__import__('socket').socket()",
        "os.execv('/proc/self/exe', ['x'])",
    ):
        assert run(what).error.type == "PermissionError", what
    assert run("blocks = []\nwhile True: blocks.append(bytearray(1 << 20))").fault == "memory"
    assert run("blocks = None").error is None

    stopped = run("while True: pass")
    assert (stopped.fault, stopped.error.type) == ("timeout", "TimeLimit")
    timer = threading.Timer(0.5, executor.interrupt)
    timer.start()
    assert run("import time\ntime.sleep(600)").error.type == "Interrupted"
    assert run("kept").value == 40, "neither takes anything along, or comes late"

    with pytest.raises(SandboxFailed, match="one process only"):
        executor.fork()
    ended = run("print('last words', flush=True)\nos._exit(3)")
    assert (ended.logs, ended.error.type, ended.rolled_back) == ("last words\n", "Exited", False)
    assert "exit code 3" in ended.error.message
    assert run("open('/home/user/a').read()").value == "there", (
        "files are not lost with the process"
    )
    assert other.run("1").value == 1

    executor.close()
    other.close()
    container.close()
    eventually(lambda: gvisor.engine.ask("GET", "/containers/json", {"all": 1}) == [])


def test_a_build_that_fills_the_engines_disk_is_told(directory):
    data = directory / "data"
    data.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=300m", "tmpfs", data],
        check=False,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        pytest.skip(f"no small disk can be made here: {done.stderr.strip()}")
    own = OwnEngine(directory, data)
    own.start()
    try:
        base = bases.base_of(own.engine)
        program = json.dumps(
            ["python3", "-c", f"open('/{secrets.token_hex(4)}', 'wb').write(bytes(400 << 20))"]
        )
        with pytest.raises(
            ImageBuildFailed, match=r"the engine's disk is full. Make room"
        ) as failed:
            Image.for_(dockerfile=f"FROM {base}\nRUN {program}\n").ensure(own.engine)
        assert "\n" not in str(failed.value)
        assert own.engine.ask("GET", "/containers/json", {"all": 1}) == []
    finally:
        own.end()
