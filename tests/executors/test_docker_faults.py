"""What goes wrong around a container: each is an error of its own type with one line that says what
to do, and nothing is left behind.

That the host lives on through all of it, and its executors with it where that makes sense, is half
of each test.
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from fumehood import DockerExecutor, ExecutorPool, Limits, Policy, PolicyError
from fumehood.docker import containers as owners
from fumehood.docker.engine import Engine
from fumehood.errors import (
    ContainerFailed,
    DockerUnavailable,
    FumehoodError,
    ImageBuildFailed,
    SandboxFailed,
    SnapshotGone,
)
from fumehood.executors.docker import DockerContainer

from ..containers import knows, of_process
from ..docker import bases
from ..docker.test_engines import OwnEngine, directory  # noqa: F401
from .conftest import outcome_of
from .hosts import answer_of, host, wait_until

Make = Callable[..., DockerExecutor]


@pytest.fixture
def make(base: str) -> Iterator[Make]:
    """Makes executors that each have a container of their own, and closes them."""
    made: list[DockerExecutor] = []

    def make(**options: Any) -> DockerExecutor:
        made.append(DockerExecutor(**{"base": base, **options}))
        return made[-1]

    yield make
    for executor in made:
        executor.close()


@pytest.fixture
def kill(engine: Engine) -> Callable[[DockerExecutor], None]:
    """Kills an executor's container, as `docker kill` does, and sees it gone."""

    def kill(executor: DockerExecutor) -> None:
        container = executor.container.id
        assert container is not None
        engine.ask("POST", f"/containers/{container}/kill")
        wait_until(lambda: not knows(engine, container), "the container is gone")

    return kill


def told_by(function: Callable[[], Any], kind: type[FumehoodError]) -> str:
    """What an error of that kind says, in one line."""
    with pytest.raises(kind) as caught:
        function()
    assert type(caught.value) is kind
    text = str(caught.value)
    assert text and "\n" not in text
    return text


# -- no engine


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "tcp://[::1]:1"])
def test_an_engine_elsewhere_that_does_not_answer_is_told(address: str) -> None:
    assert address.partition("//")[2] in told_by(
        lambda: DockerExecutor(host=address), DockerUnavailable
    )


def test_an_engine_that_one_may_not_use_is_told(engine: Engine) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can be somebody who may not")
    path = Path(str(engine.address).partition("://")[2])
    if not path.is_socket() or path.stat().st_mode & 0o006:
        pytest.skip("everybody may use this engine")
    program = """
        import os
        from fumehood import DockerExecutor
        import docker, fumehood.executors.docker  # while its files can be read
        os.setgroups([]); os.setgid(65534); os.setuid(65534)
        try:
            DockerExecutor(base="nothing")
        except Exception as error:
            say([type(error).__name__, str(error)])
        """
    kind, text = answer_of(program)
    assert kind == "DockerUnavailable" and "\n" not in text
    assert "permission" in text.lower() or "may not" in text


# -- no image


def test_a_build_that_fails_is_told_with_its_last_lines(base: str) -> None:
    dockerfile = (
        f'FROM {base}\nRUN ["python3", "-c", "print(\'nearly there\'); raise SystemExit(3)"]\n'
    )
    lines: list[str] = []
    with pytest.raises(ImageBuildFailed) as caught:
        DockerExecutor(
            dockerfile=dockerfile, build_kwargs={"network_mode": "none"}, on_progress=lines.append
        )
    assert "\n" not in str(caught.value)
    assert any("nearly there" in line for line in caught.value.output)
    assert any("nearly there" in line for line in lines)


def test_a_module_that_the_image_has_not_is_told_and_no_container_is_left(
    base: str, engine: Engine
) -> None:
    before = _own(engine)
    text = told_by(lambda: DockerExecutor(["tensorflow"], base=base), PolicyError)
    assert "tensorflow" in text and "packages=" in text
    wait_until(lambda: _own(engine) <= before, "no container is left")


def _own(engine: Engine) -> set[str]:
    return {*of_process(engine, os.getpid())}


# -- containers that are killed


def test_a_container_killed_during_a_cell_is_told_and_the_executor_goes_on_in_another(
    make: Make, kill: Callable[[DockerExecutor], None]
) -> None:
    executor = make()
    begun = threading.Event()
    executor.send_tools({"begun": begun.set})
    executor("kept = 1")
    results: list[Any] = []
    thread = threading.Thread(
        target=lambda: results.append(
            executor.run("print('before', flush=True)\nbegun()\nwhile True: pass")
        )
    )
    thread.start()
    assert begun.wait(60)
    first = executor.container.id
    kill(executor)
    thread.join(60)
    [execution] = results
    assert (execution.fault, execution.error.type, execution.rolled_back) == (
        "killed",
        "ContainerFailed",
        False,
    )
    assert (
        "killed from outside" in execution.error.message
        and "variables are lost" in execution.error.message
    )
    assert execution.logs == "before\n"
    assert executor.run("kept").error.type == "NameError"  # type: ignore[union-attr]
    assert executor("6 * 7").output == 42 and executor.container.id != first
    begun.clear()
    executor("begun()")
    assert begun.is_set(), "tools are there again"


def test_a_container_killed_between_cells_is_told_by_whatever_comes_next(
    make: Make, kill: Callable[[DockerExecutor], None]
) -> None:
    executor = make(policy=Policy(files=True))
    for use in (
        lambda: executor.send_variables({"a": 1}),
        lambda: executor.send_tools({"a": len}),
        lambda: list(executor.state),
        lambda: executor.files.write("a", b"1"),
        executor.snapshot,
        executor.fork,
    ):
        executor("kept = 1")
        kill(executor)
        assert "killed from outside" in told_by(use, ContainerFailed)  # type: ignore[arg-type]
        assert executor("6 * 7").output == 42


def test_a_container_killed_during_a_tool_call_is_told(
    make: Make, kill: Callable[[DockerExecutor], None]
) -> None:
    executor = make()
    executor.send_tools({"be_killed": lambda: kill(executor)})
    execution = outcome_of(lambda: executor.run("be_killed()"))
    assert (execution.fault, execution.error.type) == ("killed", "ContainerFailed")
    assert executor("6 * 7").output == 42


def test_snapshots_and_forks_go_with_their_container(
    make: Make, kill: Callable[[DockerExecutor], None]
) -> None:
    executor = make()
    executor("kept = 1")
    snapshot, fork = executor.snapshot(), executor.fork()
    try:
        kill(executor)
        assert not snapshot.is_alive
        told_by(lambda: executor.restore(snapshot), SnapshotGone)
        told_by(lambda: fork("kept"), ContainerFailed)
        assert fork("1 + 1").output == 2
        told_by(lambda: executor("kept"), ContainerFailed)
        assert executor("1 + 2").output == 3
        assert executor.container is fork.container, "they share the next one too"
        told_by(lambda: executor.restore(snapshot), SnapshotGone)
        executor.restore(executor.snapshot())
    finally:
        fork.close()


def test_every_executor_of_a_killed_container_is_told_by_itself(base: str, engine: Engine) -> None:
    with DockerContainer(base=base, sandboxes=3) as container:
        executors = [DockerExecutor(container=container) for _ in range(3)]
        for executor in executors:
            executor("kept = 1")
        engine.ask("POST", f"/containers/{container.id}/kill")
        results: list[Any] = []

        def use(executor: DockerExecutor) -> None:
            first = executor.run("kept")
            results.append((first.error and first.error.type, executor.run("6 * 7").value))

        threads = [threading.Thread(target=use, args=(executor,)) for executor in executors]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert results == [("ContainerFailed", 42)] * 3
        for executor in executors:
            executor.close()


def test_a_pool_whose_container_is_killed_lends_fresh_executors(base: str, engine: Engine) -> None:
    with ExecutorPool(
        1, max_size=2, executor_type="docker", executor_kwargs={"base": base}
    ) as pool:
        with pool.checkout() as executor:
            executor("kept = 1")
            engine.ask("POST", f"/containers/{executor.container.id}/kill")  # type: ignore[attr-defined]
            told_by(lambda: executor("kept"), ContainerFailed)

        def works() -> bool:
            with pool.checkout(30) as fresh:
                return fresh.run("6 * 7").value == 42

        wait_until(works, "an executor of the next container is lent")


# -- an engine that is restarted


@pytest.fixture
def own(directory: Path) -> Iterator[OwnEngine]:  # noqa: F811
    made = OwnEngine(directory, directory / "data")
    made.start()
    yield made
    made.end()


@pytest.mark.long
def test_an_engine_that_ends_is_told_and_when_it_is_back_the_executor_goes_on(
    own: OwnEngine,
) -> None:
    address = f"unix://{own.directory}/s"
    with DockerExecutor(host=address, base=str(bases.base_of(own.engine))) as executor:
        executor("kept = 1")
        own.end(signal.SIGKILL)
        text = told_by(lambda: outcome_of_or_raise(lambda: executor("kept")), ContainerFailed)
        assert "engine" in text and "variables are lost" in text
        told_by(lambda: executor("kept"), DockerUnavailable)
        own.start()
        assert executor.run("kept").error.type == "NameError"  # type: ignore[union-attr]
        assert executor("6 * 7").output == 42


def outcome_of_or_raise(function: Callable[[], Any]) -> Any:
    """What a function gives or raises, but not if it never does either."""

    def caught() -> Any:
        try:
            return function(), None
        except Exception as error:
            return None, error

    found, error = outcome_of(caught)
    if error is not None:
        raise error
    return found


# -- what is full


def test_a_full_disk_is_told_and_can_be_emptied(make: Make) -> None:
    executor = make(policy=Policy(files=True, limits=Limits(lab_bytes=1 << 20, cell_seconds=20)))
    executor("with open('kept', 'w') as file: file.write('old')")
    execution = executor.run(
        "for n in range(200):\n    with open(f'large{n}', 'wb') as file: file.write(bytes(1 << 18))"
    )
    assert (
        execution.fault == "disk"
        and execution.error is not None
        and "No space left" in execution.error.message
    )
    assert executor("open('kept').read()").output == "old"
    with pytest.raises((OSError, SandboxFailed)):
        executor.files.write("more", bytes(8 << 20))
    fresh = make(policy=executor.policy)
    assert fresh("with open('own', 'w') as file: file.write('x' * 100_000)").output == 100_000


def test_a_container_without_memory_kills_code_and_not_what_holds_it(
    make: Make, engine: Engine
) -> None:
    limits = Limits(memory_bytes=64 << 20, lab_bytes=1 << 20, cell_seconds=120, processes=32)
    executor = make(policy=Policy(files=True, language="off", limits=limits))
    executor("kept = 1")
    first = executor.container.id
    code = (
        "import os, time\n"
        "for _ in range(20):\n"
        "    if not os.fork():\n"
        "        taken = bytearray(50 << 20)\n"
        "        for page in range(0, len(taken), 4096): taken[page] = 1\n"
        "        time.sleep(5)\n"
        "        os._exit(0)\n"
        "endings = [os.waitstatus_to_exitcode(os.wait()[1]) for _ in range(20)]\n"
        "-9 in endings"
    )
    execution = outcome_of(lambda: executor.run(code))
    assert execution.value is True or execution.fault == "memory", execution
    assert executor("kept, 6 * 7").output == (1, 42)
    assert executor.container.id == first


# -- the end of the host


def _state(engine: Engine) -> tuple[set[str], set[str]]:
    """Volumes and networks."""
    volumes = {volume["Name"] for volume in engine.ask("GET", "/volumes")["Volumes"] or ()}
    return volumes, {network["Id"] for network in engine.ask("GET", "/networks")}


@pytest.mark.parametrize("how", ["killed", "ends", "raises", "leaves at once"])
def test_nothing_outlives_a_host(how: str, base: str, engine: Engine) -> None:
    before = _state(engine)
    program = f"""
        executor = DockerExecutor(base={base!r})
        executor("x = 1")
        fork, snapshot = executor.fork(), executor.snapshot()
        say(executor.container.id)
        sys.stdin.read(1)
        {{"ends": lambda: None, "raises": lambda: 1 / 0, "leaves at once": lambda: os._exit(0)}}[{how!r}]()
        """
    with host(program, stdin=subprocess.PIPE) as running:
        container = running.answer()
        assert knows(engine, container)
        if how == "killed":
            running.kill()
        else:
            running.process.stdin.close()  # type: ignore[union-attr]
        running.process.wait(60)
    wait_until(lambda: not knows(engine, container), "the container is gone")
    after = _state(engine)
    assert not after[0] - before[0] and not after[1] - before[1]


def test_a_fork_of_the_host_has_no_executor_and_harms_none(base: str) -> None:
    program = f"""
        executor = DockerExecutor(base={base!r})
        executor("x = 1")
        pid = os.fork()
        if not pid:
            try:
                executor.run("x")
                answer = "ran"
            except SandboxFailed as error:
                answer = str(error)
            own = DockerExecutor(base={base!r})
            say([answer, own("20 + 22").output, own.container.id != executor.container.id])
            own.close()
            executor.close()
            os._exit(0)
        os.waitpid(pid, 0)
        say(executor("x + 1").output)
        executor.close()
        """
    with host(program) as running:
        told, value, is_other = running.answer()
        assert "fork" in told and "\n" not in told
        assert (value, is_other) == (42, True)
        assert running.answer() == 2


def test_what_a_dead_host_left_is_removed_by_the_next(base: str, engine: Engine) -> None:
    """A container whose host is gone and that did not notice: here it was never started."""
    label = {**owners.labels(), owners.PID: "4000000", owners.STARTED: "1"}
    made = engine.ask(
        "POST",
        "/containers/create",
        {"name": f"fumehood-test-{os.getpid()}"},
        {"Image": base, "Cmd": ["true"], "Labels": label},
    )
    mine = engine.ask(
        "POST",
        "/containers/create",
        {},
        {"Image": base, "Cmd": ["true"], "Labels": owners.labels()},
    )
    try:
        program = (
            "executor ="
            f" DockerExecutor(base={base!r})\nsay(executor('1').output)\nsys.stdin.read(1)"
        )
        with host(program, stdin=subprocess.PIPE) as running:
            assert running.answer() == 1
            wait_until(lambda: not knows(engine, made["Id"]), "it is swept")
            assert knows(engine, mine["Id"]), "and nobody else's"
            running.process.stdin.close()  # type: ignore[union-attr]
            running.process.wait(60)
    finally:
        owners.remove(engine, mine["Id"])
        owners.remove(engine, made["Id"])


@pytest.mark.long
def test_a_container_ends_when_its_time_is_over(make: Make, engine: Engine) -> None:
    executor = make(lifetime_seconds=0.5)
    executor("kept = 1")
    container = executor.container.id
    assert container is not None
    wait_until(lambda: not knows(engine, container), "its time is over")
    told_by(lambda: executor("kept"), ContainerFailed)
    assert executor("6 * 7").output == 42


# -- two at once


def test_an_interrupted_start_leaves_nothing(base: str, engine: Engine) -> None:
    """Ctrl-C while a container is being started."""
    program = f"""
        import signal, threading, time
        say(os.getpid())
        try:
            while True:
                DockerExecutor(base={base!r}).close()
        except KeyboardInterrupt:
            say("interrupted")
            sys.stdin.read(1)
        """
    with host(program, stdin=subprocess.PIPE) as running:
        pid = running.answer()
        wait_until(lambda: bool(of_process(engine, pid)), "one is being started")
        time.sleep(0.05)
        running.kill(signal.SIGINT)
        assert running.answer() == "interrupted"
        wait_until(lambda: not of_process(engine, pid), "none is left while the host lives on")
        running.process.stdin.close()  # type: ignore[union-attr]
        running.process.wait(60)
