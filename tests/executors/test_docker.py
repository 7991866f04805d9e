"""Everything that an executor does, in a container: what the contract suite tests one by one, told
shortly; and what only a container has.

The container is one for all of these tests, but for those that are about a container of one's own.
"""

from __future__ import annotations

import gc
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from fumehood import (
    CodeAgent,
    DockerExecutor,
    ExecutorPool,
    Limits,
    LocalPythonExecutor,
    Policy,
    PolicyError,
    ReplayModel,
)
from fumehood.docker.engine import Engine
from fumehood.errors import DangerousContainer, SandboxFailed, SnapshotGone
from fumehood.executors.docker import DockerContainer
from fumehood.policy import Mount
from fumehood.tools.tool import tool

from ..containers import Containers
from .hosts import wait_until
from .wheels import make_wheel

Make = Callable[..., DockerExecutor]
FILES = Policy(files=True, imports=("numpy",))


@pytest.fixture
def make(containers: Containers) -> Iterator[Make]:
    """Makes executors in the container that all share, and closes them."""
    made: list[DockerExecutor] = []

    def make(*args: Any, **options: Any) -> DockerExecutor:
        made.append(
            DockerExecutor(
                *args,
                **{"container": containers.fit_for(options.get("policy") or Policy()), **options},
            )
        )
        return made[-1]

    yield make
    for executor in made:
        executor.close()


@pytest.fixture
def own(base: str) -> Iterator[Make]:
    """Makes executors that each have a container of their own, and closes them."""
    made: list[DockerExecutor] = []

    def make(*args: Any, **options: Any) -> DockerExecutor:
        made.append(DockerExecutor(*args, **{"base": base, **options}))
        return made[-1]

    yield make
    for executor in made:
        executor.close()


# -- tools


FACTOR = 10


@tool(runs="sandbox")
def there(x: int) -> tuple[int, int]:
    """Where it runs, and a number.

    Args:
        x: The number.
    """
    import os

    return os.getpid(), x * FACTOR


def test_a_tool_that_is_sent_runs_in_the_container(make: Make) -> None:
    executor = make(policy=Policy(files=True, language="off"))
    executor.send_tools({"there": there})
    pid, number = executor("there(4)").output
    assert number == 40 and pid == executor("import os\nos.getpid()").output


def test_an_image_needs_nothing_but_python_for_tools_and_saved_work(
    bare: str, own: Make, tmp_path: Path
) -> None:
    executor = own(base=bare)
    executor.send_tools({"there": there})
    assert executor("def f(): return there(4)[1]\nf()").output == 40
    executor.save(tmp_path / "saved")
    assert (tmp_path / "saved").stat().st_size > 0


@pytest.fixture(scope="session")
def bare(engine: Engine) -> str:
    """A base with nothing but Python."""
    from ..docker import bases

    return str(bases.base_of(engine))


# -- files and branches


def test_snapshots_forks_and_rollback_share_a_container_and_nothing_else(make: Make) -> None:
    executor = make(policy=FILES, on_error="rollback")
    executor("numbers = [1]\nopen('log', 'w').write('one')")
    start = executor.snapshot("start")
    executor("numbers.append(2)\nopen('log', 'a').write(' two')")
    one, other = executor.fork(2)
    try:
        one("numbers.append(3)\nopen('log', 'a').write(' three')")
        assert other("numbers, open('log').read()").output == ([1, 2], "one two")
        assert one("numbers, open('log').read()").output == ([1, 2, 3], "one two three")
        failed = other.run("numbers.clear()\nopen('log', 'w').close()\n1 / 0")
        assert failed.rolled_back and other("numbers, open('log').read()").output == (
            [1, 2],
            "one two",
        )
        executor.restore(start)
        assert executor("numbers, open('log').read()").output == ([1], "one")
        other.restore(start)
        assert other("numbers").output == [1]
        assert one.container is other.container is executor.container
    finally:
        one.close()
        other.close()
    assert executor("numbers").output == [1]
    executor.close()
    with pytest.raises(SnapshotGone):
        make(policy=FILES).restore(start)


def test_work_is_saved_here_and_goes_on_there(make: Make, tmp_path: Path) -> None:
    day = (
        "import numpy as np\nclass Point:\n    def __init__(self, x): self.x = x\npoints ="
        " [Point(n) for n in range(3)]\narray = np.arange(4)\ndef total(): return sum(p.x for p in"
        " points) + int(array.sum())"
    )
    with LocalPythonExecutor(["numpy"]) as local:
        local(day)
        local.save(tmp_path / "from here")
    executor = DockerExecutor.load(
        tmp_path / "from here", Policy(imports=("numpy",)), container=make().container
    )
    with executor:
        assert executor("total(), points[2].x").output == (9, 2)
        executor("points.append(Point(100))")
        saved = executor.save(tmp_path / "from there")
    assert not saved.not_saved
    with LocalPythonExecutor.load(tmp_path / "from there", Policy(imports=("numpy",))) as local:
        assert local("total()").output == 109


def test_a_mount_of_the_policy_is_there(own: Make, tmp_path: Path) -> None:
    for name, mode in (("given", 0o755), ("taken", 0o777)):
        (tmp_path / name).mkdir()
        (tmp_path / name).chmod(mode)
    (tmp_path / "given" / "data").write_text("from the host")
    mounts = (
        Mount(str(tmp_path / "given"), "/given"),
        Mount(str(tmp_path / "taken"), "/taken", writable=True),
    )
    executor = own(policy=Policy(files=True, mounts=mounts))
    assert executor("open('/given/data').read()").output == "from the host"
    assert executor.run("open('/given/data', 'w')").error is not None
    executor("with open('/taken/result', 'w') as file: file.write('from the container')")
    assert (tmp_path / "taken" / "result").read_text() == "from the container"
    assert "/given (read-only)" in executor.report() and "/taken" in executor.report()


# -- who is told


def test_the_report_says_what_is_in_force_as_the_engine_and_the_kernel_tell_it(own: Make) -> None:
    report = own(cpus=1.5).report()
    lines = report.splitlines()
    assert lines[0].startswith("isolation: docker")
    for row in ("user", "privileges", "root", "network", "filter", "limits"):
        assert any(line.strip().startswith(f"in force  container's {row}") for line in lines), (
            report
        )
    assert "1.5 processors" in report and "nothing of the engine's machine is mounted" in report
    assert any(line.strip().startswith("in force  seccomp") for line in lines), report


@pytest.mark.parametrize(
    ("loosened", "row"),
    [
        ({"network_mode": "host"}, "container's network: the engine's network 'host'"),
        ({"cap_add": ["NET_RAW"]}, "container's privileges: all dropped but NET_RAW"),
        ({"security_opt": ["seccomp=unconfined"]}, "container's filter: switched off"),
        ({"read_only": False}, "container's root: a root of its own"),
    ],
    ids=lambda each: next(iter(each)) if isinstance(each, dict) else "",
)
def test_what_a_caller_loosens_warns_where_it_is_written_and_is_reported(
    own: Make, loosened: dict[str, Any], row: str
) -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        executor = own(container_run_kwargs=loosened)
        executor.run("1")
    dangers = [warning for warning in told if issubclass(warning.category, DangerousContainer)]
    assert len(dangers) == 1 and Path(dangers[0].filename).name == Path(__file__).name
    assert f"absent    {row}" in executor.report()
    assert executor("6 * 7").output == 42


# -- containers of one's own, and shared ones


def test_an_executor_has_a_container_of_its_own_that_ends_with_it(
    own: Make, is_there: Callable[[str | None], bool]
) -> None:
    one, other = own(), own()
    ids = one.container.id, other.container.id
    assert ids[0] != ids[1] and all(map(is_there, ids))
    one.close()
    one.close()
    wait_until(lambda: not is_there(ids[0]), "its container is gone")
    assert is_there(ids[1]) and other("1").output == 1
    with pytest.raises(SandboxFailed, match="closed"):
        one.run("1")


def test_an_executor_that_is_dropped_takes_its_container_along(
    base: str, is_there: Callable[[str | None], bool]
) -> None:
    executor = DockerExecutor(base=base)
    executor("1")
    container = executor.container.id
    del executor
    gc.collect()
    wait_until(lambda: not is_there(container), "its container is gone")


def test_the_last_of_forks_and_of_those_beside_it_ends_the_container(
    own: Make, is_there: Callable[[str | None], bool]
) -> None:
    executor = own()
    executor("kept = 1")
    forks, beside = executor.fork(2), executor.beside()
    container = executor.container.id
    executor.close()
    forks[0].close()
    assert is_there(container) and forks[1]("kept").output == 1
    forks[1].close()
    assert is_there(container) and beside("1 + 1").output == 2
    beside.close()
    wait_until(lambda: not is_there(container), "the container is gone")


def test_a_container_that_is_given_outlives_its_executors(
    base: str, is_there: Callable[[str | None], bool]
) -> None:
    with DockerContainer(base=base, sandboxes=2) as container:
        assert container.id is None, "it is started for the first who needs it"
        with (
            DockerExecutor(container=container) as one,
            DockerExecutor(container=container) as other,
        ):
            one("x = 1")
            other("x = 2")
            assert (one("x").output, other("x").output) == (1, 2)
        known = container.id
        assert is_there(known)
    wait_until(lambda: not is_there(known), "the container is gone")
    with pytest.raises(SandboxFailed, match="container is closed"):
        DockerExecutor(container=container)


def test_each_sandbox_of_a_container_has_the_whole_jail(make: Make) -> None:
    policy = Policy(
        files=True, programs=True, imports=("*",), limits=Limits(lab_bytes=4 << 20, processes=20)
    )
    with warnings.catch_warnings(action="ignore"):
        one, other = make(policy=policy), make(policy=policy)
    absent = [row.name for row in one.mechanisms() if not row.in_force]
    if "mount namespace" in absent:
        pytest.skip("this engine's machine refuses namespaces to containers")
    assert absent == ["memory cgroup"]
    full = "open('full', 'wb', buffering=0).write(bytes(8 << 20))"
    assert one.run(f"import os\n{full} < 8 << 20").value is True
    assert other.run("open('a', 'wb', buffering=0).write(bytes(3 << 20))").value == 3 << 20
    bomb = "try:\n    for _ in range(100): os.posix_spawn('/bin/sleep', ['sleep', '60'], {})\nexcept OSError as e: found = e"
    assert one.run(f"{bomb}\ntype(found).__name__").value == "BlockingIOError"
    assert other.commands.run("true").exit_code == 0
    numbers = "sorted(int(name) for name in os.listdir('/proc') if name.isdigit())"
    assert other.run(f"import os\nlen({numbers}) < 10").value is True
    # The container's memory is one for all: code goes first, and not the zygote.
    assert other.run("open('/proc/self/oom_score_adj').read()").value == "1000\n"


def test_what_is_for_a_container_of_ones_own_is_refused_with_anothers(make: Make) -> None:
    container = make().container
    for option in ({"base": "x"}, {"packages": ["numpy"]}, {"cpus": 2}, {"runtime": "runsc"}):
        with pytest.raises(PolicyError, match=next(iter(option))):
            DockerExecutor(container=container, **option)


def test_a_pool_has_one_container_for_all(
    base: str, engine: Engine, is_there: Callable[[str | None], bool]
) -> None:
    tools = {"double": lambda x: 2 * x}
    with ExecutorPool(
        2,
        max_size=4,
        executor_type="docker",
        executor_kwargs={"base": base},
        tools=tools,
        setup="ready = 1",
    ) as pool:
        containers = set()
        with pool.checkout() as one, pool.checkout() as other, pool.checkout() as third:
            for number, executor in enumerate((one, other, third)):
                executor(f"mine = {number}")
                containers.add(executor.container.id)  # type: ignore[attr-defined]
            assert [each("ready, double(mine)").output for each in (one, other, third)] == [
                (1, 0),
                (1, 2),
                (1, 4),
            ]
        with pool.checkout() as fresh:
            assert fresh.run("mine").error is not None, "nobody sees anything of another"
        assert len(containers) == 1
    [container] = containers
    wait_until(lambda: not is_there(container), "the container is gone")


# -- agents


def test_an_agent_works_in_a_container(base: str, is_there: Callable[[str | None], bool]) -> None:
    turns = [
        "I sum.\n```python\nimport numpy as np\ntotal = int(np.arange(5).sum())\n```",
        "Done.\n```python\nfinal_answer(lookup(total))\n```",
    ]

    @tool
    def lookup(number: int) -> str:
        """What a number stands for.

        Args:
            number: It.
        """
        return f"number {number}"

    agent = CodeAgent(
        [lookup],
        ReplayModel(turns),
        executor_type="docker",
        executor_kwargs={"base": base},
        additional_authorized_imports=["numpy"],
    )
    try:
        assert agent.run("Sum.") == "number 10"
        container = agent.python_executor.container.id
        assert is_there(container)
    finally:
        agent.close()
    wait_until(lambda: not is_there(container), "the container is gone")


# -- packages of the image


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> str:
    files: dict[str, str | bytes] = {
        "measured/__init__.py": "from measured.lengths import LENGTH\n",
        "measured/lengths.py": "LENGTH = 3\n",
    }
    return str(make_wheel(tmp_path_factory.mktemp("wheels"), "fumehood_test_measured", files))


@pytest.mark.extended
def test_code_may_import_the_packages_that_the_image_was_built_with(
    own: Make, measured: str
) -> None:
    executor = own(packages=[measured])
    assert executor("import measured\nmeasured.LENGTH").output == 3
    assert "measured" in executor.authorized_imports
    assert executor.install(measured).modules == (
        "measured",
    )  # it is there, and nothing has to be fetched
    other = executor.fork()
    assert other("import measured.lengths\nmeasured.lengths.LENGTH").output == 3
    other.close()
    executor.interrupt()
    with CodeAgent(
        [],
        ReplayModel(["```python\nimport measured\nfinal_answer(measured.LENGTH)\n```"]),
        executor=executor,
    ) as agent:
        assert "measured" in agent.system_prompt
        assert agent.run("How long is it?") == 3


@pytest.mark.extended
def test_an_agent_has_its_packages_in_its_container(base: str, measured: str) -> None:
    answer = ReplayModel(["```python\nimport measured\nfinal_answer(measured.LENGTH)\n```"])
    with CodeAgent(
        [], answer, executor_type="docker", packages=[measured], executor_kwargs={"base": base}
    ) as agent:
        assert agent.run("How long is it?") == 3


def test_what_shares_a_container_may_import_its_packages_too(base: str, measured: str) -> None:
    with (
        DockerContainer(base=base, packages=[measured], sandboxes=2) as container,
        DockerExecutor(container=container) as executor,
    ):
        assert executor("import measured\nmeasured.LENGTH").output == 3
