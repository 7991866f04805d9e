"""Executors that are made with packages: code imports those that were named, and can change nothing
of them."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fumehood import CodeAgent, ExecutorPool, Packages, Policy, PolicyError
from fumehood.errors import InstallFailed
from fumehood.models.function import FunctionModel
from fumehood.packages import environments, installers

from .test_identities import as_identity  # a fixture  # noqa: F401
from .wheels import Make, make_native_wheel, make_wheel, maker_here  # fixtures  # noqa: F401

QUICK: Any = "uv" if installers.find_uv() else "pip"


@pytest.fixture(scope="module")
def shelf() -> Iterator[Path]:
    """Packages, and the only place where they are looked for; with a cache for the tests of this
    file. Whoever runs them may look."""
    place = Path(tempfile.mkdtemp(prefix="shelf-"))
    place.chmod(0o755)
    shelf = place / "shelf"
    shelf.mkdir()
    make_wheel(
        shelf,
        "plain",
        {
            "plain/__init__.py": "def double(x):\n    return 2 * x\n",
            "plain/part.py": "NAME = 'part'\n",
        },
    )
    make_wheel(
        shelf,
        "needy",
        {"needy.py": "import plain\nfour = plain.double(2)\n"},
        requires=("plain<2",),
    )
    make_wheel(
        shelf,
        "greedy",
        dict.fromkeys(
            ["greedy.py", "json.py", "numpy/__init__.py", "fumehood/__init__.py", "msgspec.py"],
            "EVIL = 1\n",
        ),
    )
    settings = place / "uv.toml"
    settings.write_text(f'no-index = true\nfind-links = ["{shelf}"]\n')
    variables = {
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(shelf),
        "PIP_CONFIG_FILE": os.devnull,
        "UV_CONFIG_FILE": str(settings),
        "XDG_CACHE_HOME": str(place / "cache"),
        "FUMEHOOD_INSTALLER": QUICK,
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in variables.items():
            patch.setenv(name, value)
        patch.setattr(environments, "_held", {})
        yield shelf
    shutil.rmtree(place)


pytestmark = pytest.mark.usefixtures("shelf")


def test_code_imports_what_was_named_and_not_what_that_needs(make_here: Make) -> None:
    executor = make_here(packages=["needy"])
    assert executor("import needy\nneedy.four").output == 4
    assert "not authorized" in str(executor.run("import plain").error)
    assert executor.policy.imports == ("needy",) and "needy" in executor.authorized_imports


@pytest.mark.extended
def test_forks_snapshots_commands_and_later_sandboxes_have_it(make_here: Make) -> None:
    executor = make_here(packages=["plain"], policy=Policy(files=True, programs=True))
    executor("import plain\nx = plain.double(1)")
    before = executor.snapshot()
    with executor.fork() as fork:
        assert fork("from plain.part import NAME\nplain.double(x), NAME").output == (4, "part")
    executor("x = 3")
    executor.restore(before)
    assert executor("plain.double(x)").output == 4
    line = "python3 -c 'import plain; print(plain.double(21))'"
    assert executor.commands.run(line).stdout == "42\n"
    executor._session._runner.kill()  # type: ignore[union-attr]
    executor.run("0")  # whatever became of it
    assert executor("import plain\nplain.double(5)").output == 10


def test_it_is_not_imported_before_the_jail_is_closed(make_here: Make, shelf: Path) -> None:
    """Not even if it is authorized by name, for which modules of this Python are."""
    make_wheel(shelf, "nosy", {"nosy.py": "import os\nWHO = os.getuid(), os.getpid()\n"})
    executor = make_here(additional_authorized_imports=["nosy"], packages=["nosy"])
    assert executor.policy.imports == ("nosy",)
    with executor.fork() as other:
        here, there = (each("import nosy\nnosy.WHO").output for each in (executor, other))
    assert here[1] != there[1] and (here[0] != 0 or os.geteuid() != 0)


def test_a_pool_and_an_agent_have_it(shelf: Path) -> None:
    with (
        ExecutorPool(1, executor_kwargs={"packages": ["plain"]}) as pool,
        pool.checkout() as executor,
    ):
        assert executor("import plain\nplain.double(2)").output == 4
    model = FunctionModel(
        lambda messages: "<code>\nimport plain\nfinal_answer(plain.double(21))\n</code>"
    )
    with CodeAgent([], model, packages=["plain"]) as agent:
        assert agent.run("double 21") == 42
        assert "plain" in agent.memory.system_prompt.system_prompt


def test_what_cannot_be_had_is_one_line_and_no_sandbox_is_left(make_here: Make) -> None:
    for wrong, kind in (
        (["nothing-of-that-name"], InstallFailed),
        (["-r x"], PolicyError),
        ("plain", PolicyError),
        (Packages([]), PolicyError),
    ):
        with pytest.raises(kind) as caught:
            make_here(packages=wrong)
        assert "\n" not in str(caught.value)
    with pytest.raises(
        PolicyError, match="packages need a sandbox, and isolation='inline' has none"
    ):
        make_here(packages=["plain"], isolation="inline")


# -- whoever the host is

CHANGES = """
import os, plain
home = os.path.dirname(plain.__file__)
def attempt(function, *args):
    try: return repr(function(*args))
    except OSError: return "held"
found = [
    attempt(open, plain.__file__, "w"), attempt(open, plain.__file__, "r+"), attempt(os.unlink, plain.__file__),
    attempt(os.rename, home, home + "2"), attempt(open, home + "/new.py", "w"), attempt(os.mkdir, home + "/new"),
    attempt(os.truncate, plain.__file__, 0), attempt(os.symlink, "/etc", home + "/etc"),
    attempt(os.listdir, os.path.dirname(os.path.dirname(os.path.dirname(home))) + "/../requests"),
]
[found, plain.double(2), open(plain.__file__).read()]
"""

PROGRAM = """
    os.environ.update({environment!r})
    try:
        executor = LocalPythonExecutor(policy=Policy(files=True, language="off"), packages=["plain"])
        say(executor({changes!r}).output)
    except SandboxFailed as error:
        say([type(error).__name__, str(error)])
"""


def program(cache: Path, mode: int) -> str:
    """For a host whose cache is there."""
    cache.mkdir()
    cache.chmod(mode)
    names = (
        "PIP_NO_INDEX",
        "PIP_FIND_LINKS",
        "PIP_CONFIG_FILE",
        "UV_CONFIG_FILE",
        "FUMEHOOD_INSTALLER",
    )
    environment = {
        **{name: os.environ[name] for name in names},
        "XDG_CACHE_HOME": str(cache),
        "HOME": "/",
        "TMPDIR": "/tmp",
    }
    return PROGRAM.format(environment=environment, changes=CHANGES)


@pytest.mark.long
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
@pytest.mark.parametrize("identity", ["root", "nobody", "container", "contained"])
@pytest.mark.extended
def test_it_can_be_read_and_not_changed_whoever_the_host_is(
    as_identity: Any,  # noqa: F811
    shelf: Path,
    identity: str,
) -> None:
    answer = as_identity(identity, program(shelf.parent / identity, 0o777))
    assert len(answer) == 3, answer
    found, result, text = answer
    assert {*found} == {"held"}
    assert result == 4 and "return 2 * x" in text


@pytest.mark.long
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_root_is_told_where_nobody_could_read_it(as_identity: Any, shelf: Path) -> None:  # noqa: F811
    kind, text = as_identity("container", program(shelf.parent / "closed", 0o700))
    assert (
        kind == "InstallFailed"
        and "set XDG_CACHE_HOME to a directory that everybody may enter" in text
    ), text
