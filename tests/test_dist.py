"""The wheel and the source archive: what is in them, and that the wheel works where nothing else of ours is."""

from __future__ import annotations

import json
import os
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


def _runs(python: str) -> bool:
    """A shim may stand for a Python that is not switched on."""
    return subprocess.run([python, "-c", "import venv"], capture_output=True, check=False).returncode == 0


PYTHONS = [found for minor in (11, 12, 13, 14) if (found := shutil.which(f"python3.{minor}")) and _runs(found)] or [sys.executable]
NOT_FOR_ANYBODY = ("__pycache__", ".pyc", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis", ".venv", ".git/")

pytestmark = [pytest.mark.long, pytest.mark.once]

# What a program does that has nothing but the wheel.
PROGRAM = """
import sys
from fumehood import CodeAgent, LocalPythonExecutor, ReplayModel
assert "site-packages" in sys.modules["fumehood"].__file__
with LocalPythonExecutor() as executor:
    assert executor("x = 20\\nx + 1").output == 21
with CodeAgent([], ReplayModel("turns.json")) as agent:
    print(agent.run("Double 21."))
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with both. The wheel is made from the source archive."""
    pytest.importorskip("build")
    pytest.importorskip("hatchling")
    directory = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(directory), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=directory)
    assert done.returncode == 0, done.stdout + done.stderr
    return directory


def ours() -> set[str]:
    """Files of the package, as they are here."""
    source = ROOT / "src"
    return {path.relative_to(source).as_posix() for path in (source / "fumehood").rglob("*") if path.is_file() and path.suffix != ".pyc"}


def test_the_wheel_has_the_package_and_nothing_else(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert names == ours()
    assert {"fumehood/py.typed", "fumehood/agent/templates/system.md", "fumehood/packages/pip_program.py"} <= names
    assert any(name.startswith("fumehood/attack/programs/") for name in names)


def test_the_source_archive_has_what_is_needed_to_build_and_test(built: Path) -> None:
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as tar:
        names = {name.partition("/")[2] for name in tar.getnames()}
    assert {"pyproject.toml", "Makefile", "README.md", "LICENSE", "CHANGELOG.md", "tests/conftest.py", "docs/packages.md"} <= names
    assert {f"src/{name}" for name in ours()} <= names
    assert [name for name in names if any(part in name for part in NOT_FOR_ANYBODY)] == []


@pytest.fixture(scope="module", params=PYTHONS, ids=lambda path: Path(path).name)
def alone(built: Path, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel and what it needs."""
    (wheel,) = built.glob("*.whl")
    directory = tmp_path_factory.mktemp("alone")
    uv = installers.find_uv()
    subprocess.run(
        [request.param, "-m", "venv", *(["--without-pip"] if uv else []), str(directory / "venv")], check=True, capture_output=True
    )
    python = str(directory / "venv" / "bin" / "python")
    install = [uv, "pip", "install", "--python", python] if uv else [python, "-m", "pip", "install", "--no-compile"]
    done = subprocess.run([*install, f"{wheel}[cli]"], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"what the wheel needs cannot be had here: {done.stdout}{done.stderr}")
    answer = "I double it.\n```python\nfinal_answer(2 * 21)\n```"
    (directory / "turns.json").write_text(json.dumps({"fumehood recording": 1, "turns": [answer]}))
    return directory


def run(alone: Path, *command: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """With nothing of the tests' own environment."""
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(alone), "LANG": "C.UTF-8"} | {
        name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ
    }
    program = str(alone / "venv" / "bin" / command[0])
    return subprocess.run([program, *command[1:]], input=stdin, cwd=alone, env=environment, capture_output=True, text=True, check=False)


def test_the_wheel_works_alone(alone: Path) -> None:
    done = run(alone, "python", "-c", PROGRAM)
    assert done.returncode == 0 and done.stdout.endswith("42\n"), done.stdout + done.stderr
    done = run(alone, "fumehood", "run", "-", stdin="sum(range(10))")
    assert (done.returncode, done.stdout) == (0, "45\n"), done.stderr


@pytest.mark.parametrize("alone", PYTHONS[:1], indirect=True, ids=lambda path: Path(path).name)
def test_its_attacks_and_its_doctor_find_a_whole_jail(alone: Path) -> None:
    with LocalPythonExecutor() as executor:
        expected = 0 if is_complete(executor.mechanisms()) else 1
    done = run(alone, "fumehood", "doctor", "--json")
    assert done.returncode == expected and json.loads(done.stdout), done.stderr
    done = run(alone, "fumehood", "attack", "--category", "patterns", "--json")
    assert done.returncode == 0 and json.loads(done.stdout), done.stderr
