"""Everything that an executor does, in a container: what the contract suite tests one by one, told
shortly; and what only a container has.

The container is one for all of these tests, but for those that are about a container of one's own.
"""

from __future__ import annotations

import asyncio
import gc
import threading
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
    events,
)
from fumehood.docker.engine import Engine
from fumehood.errors import DangerousContainer, SandboxFailed, SnapshotGone
from fumehood.executors.containers import DockerContainer
from fumehood.policy import Mount
from fumehood.tools.tool import tool

from ..containers import Containers
from ..seen import Seen
from .conftest import outcome_of
from .hosts import wait_until
from .wheels import make_wheel

Make = Callable[..., DockerExecutor]
FILES = Policy(files=True, imports=("numpy",))
PNG = b"\x89PNG"


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


# -- cells


def test_variables_functions_and_classes_live_from_cell_to_cell(make: Make) -> None:
    executor = make()
    executor(
        "import math\nclass Circle:\n    def __init__(self, r): self.r = r\n    def area(self):"
        " return math.pi * self.r ** 2"
    )
    executor("circles = [Circle(n) for n in range(3)]")
    assert executor("round(sum(circle.area() for circle in circles), 3)").output == 15.708
    executor.send_variables({"table": {"a": [1, (2, 3)], None: b"bytes"}})
    assert executor.state["table"] == {"a": [1, (2, 3)], None: b"bytes"}
    assert tuple(executor("final_answer(len(table))")) == (2, "", True)


def test_errors_come_with_their_type_their_line_and_their_source(make: Make) -> None:
    execution = make().run("numbers = [1, 2]\n\nnumbers[5]")
    assert execution.error is not None and (execution.error.type, execution.error.line) == (
        "IndexError",
        3,
    )
    assert (
        "numbers[5]" in execution.error.traceback
        and "site-packages" not in execution.error.traceback
    )


def test_output_comes_while_the_cell_runs(make: Make) -> None:
    pieces: list[str] = []
    came, seen = threading.Event(), threading.Event()

    def on_output(text: str) -> None:
        pieces.append(text)
        came.set()

    executor = make(on_output=on_output)
    executor.send_tools({"wait_for_reader": lambda: seen.wait(60)})
    thread = threading.Thread(
        target=executor.run, args=("print('first')\nwait_for_reader()\nprint('second')",)
    )
    thread.start()
    assert came.wait(60)
    assert "".join(pieces) == "first\n"
    seen.set()
    thread.join(60)
    assert "".join(pieces) == "first\nsecond\n"


@pytest.mark.extended
def test_pictures_and_tables_are_displayed(make: Make) -> None:
    executor = make(["matplotlib", "pandas"], timeout_seconds=30)
    shown = executor.run(
        "import matplotlib.pyplot as plt\nplt.plot([1, 4, 9])\nplt.show()\nimport pandas as"
        " pd\npd.DataFrame({'a': [1]})"
    )
    assert shown.error is None
    assert any(bundle.get("image/png", b"").startswith(PNG) for bundle in shown.displays)
    assert shown.value.to_dict() == {"a": {0: 1}}


def test_a_running_cell_is_interrupted_from_another_thread_and_the_executor_goes_on(
    make: Make,
) -> None:
    executor = make()
    begun = threading.Event()
    executor.send_tools({"begun": begun.set})
    executor("kept = 1")
    results: list[Any] = []
    thread = threading.Thread(
        target=lambda: results.append(executor.run("begun()\nwhile True: pass"))
    )
    thread.start()
    assert begun.wait(60)
    assert executor.interrupt()
    thread.join(60)
    assert (
        results[0].error.type == "CellInterrupted"
        or "interrupt" in results[0].error.message.lower()
    )
    assert executor("kept").output == 1
    assert executor.interrupt() is False


@pytest.mark.parametrize(
    "code", ["while True: pass", "sum(range(10**13))"], ids=["obeys", "has to be killed"]
)
def test_a_cell_that_takes_too_long_is_stopped_and_undone(make: Make, code: str) -> None:
    executor = make(policy=Policy(limits=Limits(cell_seconds=1.5, grace_seconds=0.2)))
    executor("kept = [1]")
    execution = executor.run(f"kept.append(2)\n{code}")
    assert (execution.fault, execution.rolled_back) == ("timeout", True)
    assert executor("kept").output == [1]


@pytest.mark.parametrize(
    ("code", "fault"),
    [
        ("import os\nos._exit(3)", "crash"),
        ("import ctypes\nctypes.string_at(0)", "crash"),
        ("import os\nos.kill(os.getpid(), 9)", "killed"),
        ("x = []\nwhile True: x.append(bytearray(1 << 20))", "memory"),
        ("while True: print('x' * 10_000)", "output"),
    ],
)
def test_a_cell_that_dies_is_told_and_undone(make: Make, code: str, fault: str) -> None:
    limits = Limits(cell_seconds=20, memory_bytes=96 << 20, output_bytes=1 << 20)
    executor = make(policy=Policy(files=True, language="off", limits=limits))
    executor("kept = [1]")
    execution = executor.run(f"kept.append(2)\n{code}")
    assert (execution.fault, execution.rolled_back) == (fault, True)
    assert executor("kept").output == [1]


def test_cells_run_beside_an_event_loop(make: Make) -> None:
    async def both() -> list[Any]:
        one, other = make(), make()
        ticks = []

        async def tick() -> None:
            while True:
                ticks.append(1)
                await asyncio.sleep(0.005)

        ticking = asyncio.create_task(tick())
        found = await asyncio.gather(
            one.arun("import time\ntime.sleep(0.5)\n1"),
            other.arun("import time\ntime.sleep(0.5)\n2"),
        )
        ticking.cancel()
        return [*(each.value for each in found), len(ticks) > 3]

    assert asyncio.run(both()) == [1, 2, True]


# -- tools


def test_tools_run_on_the_host_with_what_the_host_has(make: Make, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("of the host")
    threads: list[str] = []

    def read(name: str) -> str:
        threads.append(threading.current_thread().name)
        return (tmp_path / name).read_text()

    async def slowly(number: int) -> int:
        await asyncio.sleep(0.01)
        return number * 2

    executor = make()
    executor.send_tools({"read": read, "slowly": slowly})
    assert executor("read('file')").output == "of the host"
    assert executor("[slowly(n) for n in range(3)]").output == [0, 2, 4]
    caught = executor.run(
        "try:\n    read('missing')\nexcept FileNotFoundError as error:\n    found ="
        " type(error).__name__\nfound"
    )
    assert caught.value == "FileNotFoundError" and len(threads) == 2


def test_tools_run_in_parallel(make: Make) -> None:
    """Each waits until all have come, so one after the other they would wait for ever."""
    everybody = threading.Barrier(4)

    def meet(number: int) -> int:
        everybody.wait(60)
        return number

    executor = make()
    executor.send_tools({"meet": meet})
    assert executor(
        "import asyncio\nawait asyncio.gather(*(meet.aio(n) for n in range(4)))"
    ).output == [0, 1, 2, 3]


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


def test_files_go_in_and_out(make: Make) -> None:
    executor = make(policy=FILES)
    executor.files.write("data/in.csv", b"a,b\n1,2\n")
    executor(
        "text = open('data/in.csv').read()\nwith open('out.txt', 'w') as file:"
        " file.write(text.upper())"
    )
    assert executor.files.read("out.txt") == b"A,B\n1,2\n"
    assert sorted(executor.files.list()) == ["data/in.csv", "out.txt"]


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


def test_observers_are_told_all_that_happens(make: Make) -> None:
    seen = Seen()
    executor = make(audit=seen)
    executor.send_tools({"double": lambda x: 2 * x})
    executor("double(4)")
    executor.restore(executor.snapshot("here"))
    executor.close()
    opened = seen.of(events.SessionOpened)[0]
    assert opened.place == "docker" and opened.report.startswith("isolation: docker")
    kinds = seen.kinds()
    for kind in (
        "ToolsSent",
        "CellSubmitted",
        "ToolCalled",
        "ToolReturned",
        "CellFinished",
        "SnapshotTaken",
        "SnapshotRestored",
    ):
        assert kind in kinds, kinds
    assert kinds[-1] == "SessionClosed"


def test_an_audit_log_of_a_container_verifies(make: Make, tmp_path: Path) -> None:
    from fumehood.audit import AuditLog, read

    with AuditLog(tmp_path / "log") as log:
        executor = make(audit=log)
        executor("print('printed')\n6 * 7")
        executor.close()
    told = [record.event for record in read(tmp_path / "log")]
    assert told.count("CellFinished") == 1 and told.count("SessionClosed") == 1


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


def test_many_threads_use_one_container_at_once(make: Make) -> None:
    container = make().container

    def work(number: int) -> Any:
        with DockerExecutor(container=container) as executor:
            executor(f"x = {number}")
            return [executor(f"x = x + {step}\nx").output for step in range(5)][-1]

    results: list[Any] = [None] * 6
    threads = [
        threading.Thread(target=lambda n=n: results.__setitem__(n, work(n))) for n in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert results == [number + 10 for number in range(6)]


def test_an_executor_may_be_made_in_a_tool_of_another(make: Make) -> None:
    executor = make()
    inner = make()
    executor.send_tools({"elsewhere": lambda code: inner(code).output})
    assert outcome_of(lambda: executor("elsewhere('6 * 7')").output) == 42


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


def test_smolagents_can_use_a_container(make: Make) -> None:
    pytest.importorskip("smolagents")
    from fumehood.integrations.smolagents import FumehoodExecutor

    executor = FumehoodExecutor(executor=make())
    executor.send_tools({})
    assert executor("x = 6\nx * 7").output == 42


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
