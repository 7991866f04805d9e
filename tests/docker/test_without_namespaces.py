"""A container that cannot make namespaces: the engine's machine forbids it, or the kernel has no
handles on processes, as gVisor has none. Linux is made to say so. A sandbox is one process."""

from __future__ import annotations

import errno
import gc
import json
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from fumehood.docker.engine import Engine
from fumehood.errors import InstallFailed, SandboxFailed
from fumehood.executors.docker import DockerContainer, DockerExecutor
from fumehood.policy import Limits, Policy

from ..executors.wheels import make_wheel

pytestmark = pytest.mark.long

PATIENCE_SECONDS = 60
POLICY = Policy(files=True, language="off", limits=Limits(cell_seconds=5.0))

Make = Callable[..., DockerExecutor]


@pytest.fixture(
    scope="module",
    params=[("pidfd_open", errno.ENOSYS), ("unshare", errno.EPERM)],
    ids=["no pidfds", "refused"],
)
def container(
    engine: Engine, base: str, request: pytest.FixtureRequest
) -> Iterator[DockerContainer]:
    call, answer = request.param
    rows = [{"names": [call], "action": "SCMP_ACT_ERRNO", "errnoRet": answer}]
    profile = json.dumps({"defaultAction": "SCMP_ACT_ALLOW", "syscalls": rows})
    with DockerContainer(
        base=base, sandboxes=8, container_run_kwargs={"security_opt": [f"seccomp={profile}"]}
    ) as made:
        yield made


@pytest.fixture
def make(container: DockerContainer) -> Iterator[Make]:
    made: list[DockerExecutor] = []

    def make(**options: Any) -> DockerExecutor:
        with warnings.catch_warnings(action="ignore"):  # of the profile, and of the language
            made.append(DockerExecutor(container=container, **{"policy": POLICY, **options}))
        return made[-1]

    yield make
    for executor in made:
        executor.close()


@pytest.fixture
def executor(make: Make) -> DockerExecutor:
    return make()


def test_the_report_says_that_it_is_one_process(executor):
    report = executor.report()
    assert "each sandbox is one process, which starts and signals no other" in report
    assert "must allow user namespaces to containers" in report
    assert "absent    mount namespace" in report and "in force  Landlock" in report


def test_it_has_files_of_its_own(make):
    first, second = make(), make()
    first.run("open('/home/user/mine', 'w').write('secret')")
    assert first.files.read("mine") == b"secret"
    where = first.run("import os\nos.readlink('/proc/self/fd/15')").value
    tried = second.run(f"open({where!r} + '/home/mine').read()")
    assert tried.error.type == "PermissionError"


def test_cells_print_keep_variables_and_call_tools(make):
    executor = make(additional_functions={"double": lambda n: 2 * n})
    assert executor.run("n = double(4)\nprint('hello')").logs == "hello\n"
    assert executor.run("n").value == 8


@pytest.mark.parametrize(
    "what",
    ["os.fork()", "os.kill(os.getppid(), 9)", "os.kill(1, 0)", "os.execv('/proc/self/exe', ['x'])"],
)
def test_code_starts_and_signals_nobody(executor, what):
    assert executor.run(f"import os\n{what}").error.type == "PermissionError"


def test_a_cell_is_stopped_by_its_limit_and_nothing_is_lost(make):
    executor = make(policy=Policy(files=True, language="off", limits=Limits(cell_seconds=1.5)))
    executor.run("n = 1")
    assert executor.run("while True: pass").fault == "timeout"
    assert executor.run("n").value == 1


def test_a_cell_that_does_not_want_to_stop_is_killed(make):
    executor = make(
        policy=Policy(
            files=True, language="off", limits=Limits(cell_seconds=1.5, grace_seconds=0.3)
        )
    )
    deaf = "import signal\nfor n in (2, 14): signal.signal(n, signal.SIG_IGN)\nwhile True: pass"
    assert executor.run(deaf).fault == "timeout"
    assert executor.run("2").value == 2


def test_a_sandbox_that_dies_takes_no_other_along(make):
    first, second = make(), make()
    second.run("n = 1")
    threads = [
        threading.Thread(target=first.run, args=("import os\nos._exit(1)",)) for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    assert [second.run("n").value for _ in range(20)] == [1] * 20
    for thread in threads:
        thread.join()
    assert first.run("1").value == 1


@pytest.mark.parametrize("what", ["fork", "snapshot"])
def test_there_is_nothing_to_branch(executor, what):
    executor.run("n = 1")
    with pytest.raises(SandboxFailed, match="one process only"):
        getattr(executor, what)()
    assert executor.run("n").value == 1


def test_an_executor_that_is_dropped_is_ended(make, container):
    other = make()
    with warnings.catch_warnings(action="ignore"):
        dropped = DockerExecutor(container=container, policy=POLICY)
    lives = f"import os\nos.path.exists('/proc/{dropped.run('import os; os.getpid()').value}')"
    assert other.run(lives).value is True
    del dropped
    gc.collect()
    until = time.monotonic() + PATIENCE_SECONDS
    while other.run(lives).value:
        assert time.monotonic() < until, "it is never ended"


def test_nothing_is_installed_while_code_runs(executor, tmp_path):
    wheel = make_wheel(tmp_path, "measured", {"measured.py": "LENGTH = 3\n"})
    with pytest.raises(InstallFailed, match="without namespaces"):
        executor.install(wheel)
    assert executor.run("1 + 1").value == 2
