"""Packages that are installed while code runs: fetched by the host, seen by those they are for,
changed by nobody."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fumehood import DockerExecutor, Policy, PolicyError, SandboxFailed
from fumehood.docker import hardening
from fumehood.docker.engine import Engine
from fumehood.errors import InstallFailed
from fumehood.executors import installing
from fumehood.executors.executor import Executor
from fumehood.executors.installing import Bundle, Installed, Request

from .test_identities import as_identity  # a fixture  # noqa: F401
from .wheels import (
    a_shelf,  # noqa: F401
    make_wheel,
    maker_here,  # noqa: F401
    one_here,  # noqa: F401
    only_there,  # noqa: F401
)  # fixtures

Make = Callable[..., Executor]
OFF = Policy(files=True, language="off")
pytestmark = pytest.mark.usefixtures("only_from_the_shelf")


@pytest.fixture
def fetches(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is asked of pip, from here on."""
    seen: list[str] = []
    fetch = installing.fetch

    def noted(requests: frozenset[Request], *args: Any, **options: Any) -> Bundle:
        seen.extend(request.text for request in requests)
        return fetch(requests, *args, **options)

    monkeypatch.setattr(installing, "fetch", noted)
    return seen


# -- in every place


def test_what_is_installed_can_be_imported_and_variables_stay(make_jailed: Make) -> None:
    executor = make_jailed()
    executor("x = 21")
    assert "No module named 'plain'" in str(executor.run("import plain").error)
    assert executor.install("plain<2") == Installed({"plain": "1.0"}, ("plain",))
    assert executor("import plain\nfrom plain.part import NAME\nplain.double(x), NAME").output == (
        42,
        "part",
    )
    assert executor.policy.imports == ("plain",) and "plain" in executor.authorized_imports
    assert executor.additional_authorized_imports == ["plain"]


def test_what_a_package_needs_comes_along_and_is_not_authorized(make_jailed: Make) -> None:
    executor = make_jailed()
    assert executor.install("needy") == Installed({"needy": "1.0", "plain": "1.0"}, ("needy",))
    assert executor("import needy\nneedy.four").output == 4
    assert "not authorized" in str(executor.run("import plain").error)


# Whatever would change it. Each gives "held" or what it got.
CHANGES = """
import os, plain
file = plain.__file__
place = os.path.dirname(os.path.dirname(file))
def attempt(function, *args):
    try: return repr(function(*args))
    except OSError: return "held"
found = [attempt(*each) for each in (
    (open, file, "w"), (open, file, "a"), (open, file, "r+"), (os.open, file, os.O_RDONLY | os.O_TRUNC), (os.truncate, file, 1),
    (os.remove, file), (os.rename, file, file + "x"), (os.rename, os.path.dirname(file), place + "/other"), (os.link, file, place + "/x"),
    (os.symlink, "/home/user", place + "/x"), (os.mkdir, place + "/x"), (os.mkdir, "/packages/x"), (open, place + "/x.py", "w"),
    (os.rmdir, place), (os.remove, os.path.dirname(file) + "/part.py"), (os.mknod, place + "/x"), (os.mkfifo, place + "/x"),
    (os.open, place, os.O_TMPFILE | os.O_RDWR), (os.execv, file, ["x"]), (os.setxattr, file, "user.x", b"x"),
)]
found, plain.double(2), open(file).read()
"""


def test_code_can_read_it_and_not_change_it(make_jailed: Make) -> None:
    executor = make_jailed(policy=OFF)
    executor.install("plain<2")
    found, result, text = executor(CHANGES).output
    assert {*found} == {"held"}
    assert result == 4 and "return 2 * x" in text
    other = make_jailed(policy=OFF)
    other.install("plain<2")
    assert other("import plain\nplain.double(2)").output == 4


def test_forks_and_later_sandboxes_have_it_and_nothing_is_fetched_for_them(
    make_jailed: Make, fetches: list[str]
) -> None:
    executor = make_jailed()
    executor.install("plain<2")
    fetches.clear()
    with executor.fork() as fork:
        assert fork("import plain\nplain.double(1)").output == 2
        assert fork.policy.imports == ("plain",)
    kill_runner(executor)
    executor.run("1")  # may be told of it
    assert executor("import plain\nplain.double(3)").output == 6
    assert fetches == []


def kill_runner(executor: Executor) -> None:
    runner = executor._session._runner  # type: ignore[union-attr]
    assert runner is not None
    runner.signal(signal.SIGKILL)
    runner.wait()


@pytest.mark.filterwarnings("ignore::fumehood.errors.DangerousImport")
def test_a_fault_takes_back_what_the_cell_did_and_not_what_is_installed(make_jailed: Make) -> None:
    executor = make_jailed(policy=Policy(imports=("ctypes",)))
    executor("import ctypes\nx = 1")
    executor.install("plain<2")
    execution = executor.run("x = 2\nctypes.string_at(0)")
    assert execution.fault == "crash" and execution.rolled_back
    assert executor("import plain\nplain.double(x)").output == 2


def test_a_snapshot_of_a_fork_that_has_more_is_not_gone_back_to(make_jailed: Make) -> None:
    executor = make_jailed()
    with executor.fork() as fork:
        fork.install("plain<2")
        snapshot = fork.snapshot()
        with pytest.raises(
            PolicyError, match=r"a policy that allows more \(plain\); install here what is missing"
        ):
            executor.restore(snapshot)
        executor.install("plain<2")
        executor.restore(snapshot)
        assert executor("import plain\nplain.double(2)").output == 4


def test_an_executor_whose_place_is_gone_is_told_once_and_goes_on(
    make_here: Make, tmp_path: Path
) -> None:
    executor = make_here()
    executor.install("plain<2")
    executor("x = 1")
    executor._session._runner.sandbox.zygote.close()  # type: ignore[union-attr]
    with pytest.raises(SandboxFailed, match="its variables are lost"):
        executor.install("needy")
    assert executor.install("needy").modules == ("needy",)
    assert executor("import needy\nimport plain\nneedy.four").output == 4


def test_what_is_not_to_be_had_is_one_line_and_nothing_has_changed(make_jailed: Make) -> None:
    executor = make_jailed()
    executor("x = 1")
    with pytest.raises(InstallFailed) as caught:
        executor.install("plain", "no-such-package")
    assert "\n" not in str(caught.value) and "no-such-package" in str(caught.value)
    assert any("no-such-package" in line for line in caught.value.output)
    assert executor.policy.imports == ()
    assert "No module named 'plain'" in str(executor.run("import plain").error)
    assert executor("x").output == 1


def test_a_container_has_memory_for_what_is_installed_when_something_is(
    engine: Engine, base: str
) -> None:
    def limit() -> int:
        return int(
            engine.ask("GET", f"/containers/{executor.container.id}/json")["HostConfig"]["Memory"]
        )

    with DockerExecutor(base=base) as executor:
        before = limit()
        executor.install("plain<2")
        assert limit() == before + hardening.PACKAGES_BYTES
        executor.install("needy")
        assert limit() == before + hardening.PACKAGES_BYTES


# -- once for all


def test_the_same_is_fetched_once_for_all_executors_of_a_zygote(
    make_here: Make, fetches: list[str], tmp_path: Path
) -> None:
    wheel = make_wheel(tmp_path, "once", {"once.py": "x = 1\n"})
    executors = [make_here() for _ in range(3)]
    threads = [threading.Thread(target=executor.install, args=(wheel,)) for executor in executors]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    executors[0].install(wheel)
    assert fetches == [str(wheel)]
    assert [executor("import once\nonce.x").output for executor in executors] == [1, 1, 1]
    make_wheel(tmp_path, "once", {"once.py": "x = 22\n"})
    other = make_here()
    other.install(wheel)
    assert other("import once\nonce.x").output == 22


# -- elsewhere


def test_nothing_can_be_put_where_packages_are(tmp_path: Path) -> None:
    from fumehood import Mount

    with pytest.raises(PolicyError, match="belongs to the sandbox"):
        Mount(str(tmp_path), "/packages/mine")


PROGRAM = """
    os.environ.update({environment!r})
    executor = LocalPythonExecutor(policy=Policy(files=True, language="off"))
    try:
        executor.install("plain<2")
        say(executor({changes!r}).output)
    except SandboxFailed as error:
        say([type(error).__name__, str(error)])
"""


@pytest.fixture
def program(shelf: Path) -> str:
    environment = {
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(shelf),
        "PIP_CONFIG_FILE": os.devnull,
        "HOME": "/",
        "TMPDIR": "/tmp",
    }
    return PROGRAM.format(environment=environment, changes=CHANGES)


@pytest.mark.long
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
@pytest.mark.parametrize("without_landlock", [False, True])
@pytest.mark.parametrize("identity", ["root", "nobody"])
def test_it_cannot_be_changed_whoever_the_host_is(
    as_identity: Any,  # noqa: F811
    program: str,
    identity: str,
    without_landlock: bool,
) -> None:
    found, result, text = as_identity(identity, program, without_landlock=without_landlock)
    assert {*found} == {"held"}
    assert result == 4 and "return 2 * x" in text


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
@pytest.mark.parametrize("identity", ["container", "contained"])
def test_where_there_is_no_place_for_it_that_is_one_line(
    as_identity: Any,  # noqa: F811
    program: str,
    identity: str,
) -> None:
    kind, text = as_identity(identity, program)
    assert kind == "InstallFailed"
    assert text.startswith(
        "nothing can be installed while code runs: without namespaces there is no place for it; "
    )
    assert "\n" not in text
