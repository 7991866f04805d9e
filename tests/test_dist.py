"""The wheel and the source archive: what is in them, and that each works on every Python that is
here, where nothing else of ours is."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from fumehood import LocalPythonExecutor
from fumehood.jail.report import is_complete
from fumehood.packages import installers

ROOT = Path(__file__).parents[1]
# Which archive is installed on which Python. The wheel is one for all of them; the other becomes
# the same wheel, so once is enough.
INSTALLED = [("whl", 11), ("whl", 12), ("whl", 13), ("whl", 14), ("tar.gz", 13)]
NOT_FOR_ANYBODY = (
    "__pycache__",
    ".pyc",
    ".mypy_cache",
    ".ruff_cache",
    ".pytest_cache",
    ".hypothesis",
    ".venv",
    ".git/",
)

pytestmark = pytest.mark.long

# What a program does that has nothing but the package: the first one of the README, and an agent.
FROM_THE_README = (
    (ROOT / "README.md").read_text(encoding="utf-8").split("```python\n")[1].split("```")[0]
)
AN_AGENT = """
import sys
from fumehood import CodeAgent, ReplayModel
assert "site-packages" in sys.modules["fumehood"].__file__
with CodeAgent([], ReplayModel("turns.json")) as agent:
    print(agent.run("Double 21."))
"""


def python_3(minor: int) -> str | None:
    """One of that version: on the path, or among those of pyenv, whose shims on the path stand for
    Pythons that are not switched on."""
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    candidates = [
        shutil.which(f"python3.{minor}"),
        *sorted(map(str, pyenv.glob(f"3.{minor}.*/bin/python3.{minor}")), reverse=True),
    ]
    for found in filter(None, candidates):
        if (
            subprocess.run(
                [found, "-c", "import ensurepip, venv"], capture_output=True, check=False
            ).returncode
            == 0
        ):
            return found
    return None


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with both. The wheel is made from the source archive."""
    pytest.importorskip("build")
    pytest.importorskip("hatchling")
    directory = tmp_path_factory.mktemp("dist")
    command = [
        sys.executable,
        "-m",
        "build",
        "--no-isolation",
        "--outdir",
        str(directory),
        str(ROOT),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=directory)
    assert done.returncode == 0, done.stdout + done.stderr
    return directory


def ours() -> set[str]:
    """Files of the package, as they are here."""
    source = ROOT / "src"
    return {
        path.relative_to(source).as_posix()
        for path in (source / "fumehood").rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }


def test_the_wheel_has_the_package_and_nothing_else(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert names == ours()
    assert {
        "fumehood/py.typed",
        "fumehood/agent/templates/system.md",
        "fumehood/packages/pip_program.py",
    } <= names
    assert any(name.startswith("fumehood/attack/programs/") for name in names)


def test_the_wheel_is_for_this_architecture_if_it_has_the_c_library(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        has_library = "fumehood/jail/_spawn.so" in archive.namelist()
    has_compiler = any(map(shutil.which, ("cc", "gcc", "clang")))
    assert has_library == has_compiler
    tag = f"cp311-abi3-linux_{platform.machine()}" if has_library else "py3-none-any"
    assert wheel.name.endswith(f"-{tag}.whl")


def test_without_a_compiler_the_package_is_built_without_the_library(tmp_path: Path) -> None:
    pytest.importorskip("build")
    for name in ("src", "hatch_build.py", "pyproject.toml", "README.md", "LICENSE"):
        copied = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copied(ROOT / name, tmp_path / name)
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "build",
            "--no-isolation",
            "--wheel",
            "--outdir",
            str(tmp_path),
            ".",
        ],
        env={**os.environ, "CC": "/nowhere/cc"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name.endswith("-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        assert "fumehood/jail/_spawn.so" not in archive.namelist()


def test_the_source_archive_has_what_is_needed_to_build_and_test(built: Path) -> None:
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as tar:
        names = {name.partition("/")[2] for name in tar.getnames()}
    assert {
        "pyproject.toml",
        "hatch_build.py",
        ".ci/install.py",
        "Makefile",
        "README.md",
        "LICENSE",
        "CHANGELOG.md",
        "tests/conftest.py",
        "docs/packages.md",
    } <= names
    assert {f"src/{name}" for name in ours() if not name.endswith(".so")} <= names
    assert [name for name in names if any(part in name for part in NOT_FOR_ANYBODY)] == []


@pytest.fixture(scope="module", params=INSTALLED, ids=lambda one: f"{one[0]}-3.{one[1]}")
def alone(
    built: Path, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """An environment with the package and what it needs."""
    kind, minor = request.param
    python = python_3(minor)
    if python is None:
        pytest.skip(f"Python 3.{minor} is not here")
    (archive,) = built.glob(f"*.{kind}")
    directory = tmp_path_factory.mktemp("alone")
    uv = installers.find_uv()
    subprocess.run(
        [python, "-m", "venv", *(["--without-pip"] if uv else []), str(directory / "venv")],
        check=True,
        capture_output=True,
    )
    there = str(directory / "venv" / "bin" / "python")
    install = (
        [uv, "pip", "install", "--python", there]
        if uv
        else [there, "-m", "pip", "install", "--no-compile"]
    )
    done = subprocess.run(
        [*install, f"{archive}[cli]"], capture_output=True, text=True, check=False, cwd=directory
    )
    if done.returncode:
        pytest.skip(f"what the package needs cannot be had here: {done.stdout}{done.stderr}")
    answer = "I double it.\n```python\nfinal_answer(2 * 21)\n```"
    (directory / "turns.json").write_text(json.dumps({"fumehood recording": 1, "turns": [answer]}))
    (directory / "home").mkdir()
    return directory


def run(alone: Path, *command: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """With an empty home, and nothing of the tests' own environment."""
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(alone / "home"), "LANG": "C.UTF-8"} | {
        name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ
    }
    program = str(alone / "venv" / "bin" / command[0])
    return subprocess.run(
        [program, *command[1:]],
        input=stdin,
        cwd=alone,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_package_works_alone(alone: Path) -> None:
    done = run(alone, "python", "-c", FROM_THE_README)
    assert done.returncode == 0 and done.stdout.startswith("200 'cheapest: Rome\\n' False\n"), (
        done.stdout + done.stderr
    )
    done = run(alone, "python", "-c", AN_AGENT)
    assert done.returncode == 0 and done.stdout.endswith("42\n"), done.stdout + done.stderr
    done = run(alone, "fumehood", "run", "-", stdin="sum(range(10))")
    assert (done.returncode, done.stdout) == (0, "45\n"), done.stderr
    done = run(alone, "fumehood", "repl", stdin="kept = [1, 2]\n\nkept[5]\nkept + [3]\n")
    assert (
        done.returncode == 0
        and "IndexError" in done.stdout + done.stderr
        and "[1, 2, 3]" in done.stdout
    ), done.stdout + done.stderr
    with LocalPythonExecutor() as executor:
        whole = is_complete(executor.mechanisms())
    done = run(alone, "fumehood", "doctor", "--json")
    assert (
        done.returncode == (0 if whole else 1) and json.loads(done.stdout)["complete"] is whole
    ), done.stdout + done.stderr


@pytest.mark.parametrize(
    "alone", INSTALLED[:1], indirect=True, ids=lambda one: f"{one[0]}-3.{one[1]}"
)
def test_it_brings_its_attacks_along(alone: Path) -> None:
    done = run(alone, "fumehood", "attack", "--category", "patterns", "--json")
    assert done.returncode == 0 and json.loads(done.stdout), done.stderr
