"""jail/_spawn.c: it compiles without warnings for both architectures, its functions work, and a
sandbox is isolated alike with it and without it."""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from fumehood import LocalPythonExecutor, Policy
from fumehood.executors import supervisor
from fumehood.jail import kernel

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "fumehood" / "jail" / "_spawn.c"
DRIVER = Path(__file__).with_name("spawn_driver.c")
CROSS = "aarch64-linux-gnu-gcc"


def hatch_build() -> ModuleType:
    pytest.importorskip("hatchling")
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(params=["cc", "clang", CROSS])
def compiler(request: pytest.FixtureRequest) -> str:
    if shutil.which(request.param) is None:
        pytest.skip(f"{request.param} is not installed")
    return str(request.param)


def test_it_compiles_without_warnings_and_asks_for_no_library(
    compiler: str, tmp_path: Path
) -> None:
    library = tmp_path / "_spawn.so"
    assert hatch_build().compile_library([compiler, "-Werror"], SOURCE, library) == ""
    assert [*tmp_path.iterdir()] == [library]
    if shutil.which("readelf") is None:
        pytest.skip("readelf is not installed")
    told = subprocess.run(
        ["readelf", "--wide", "--segments", "--dynamic", "--dyn-syms", str(library)],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "NEEDED" not in told
    undefined = [line.split()[7:] for line in told.splitlines() if " UND " in line]
    assert all(not name for name in undefined), undefined
    segments = [line for line in told.splitlines() if line.split()[:1] in (["LOAD"], ["GNU_STACK"])]
    assert len(segments) == 3
    assert [line for line in segments if "RWE" in line] == []


@pytest.mark.parametrize(("name", "runs"), [("cc", ()), (CROSS, ("qemu-aarch64",))])
def test_its_functions_work(name: str, runs: tuple[str, ...], tmp_path: Path) -> None:
    """Those that need no namespace, on this machine and in an emulator of the other."""
    for program in (name, *runs):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    driver = tmp_path / "driver"
    options = ["-std=gnu11", "-O2", "-static", "-Wall", "-Wextra", "-Werror"]
    made = subprocess.run(
        [name, *options, "-o", str(driver), str(DRIVER)],
        capture_output=True,
        text=True,
        check=False,
    )
    if "cannot find -lc" in made.stderr:
        pytest.skip(f"{name} has no static libc")
    assert made.returncode == 0, made.stderr
    done = subprocess.run([*runs, str(driver)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"line {done.returncode} of {DRIVER.name}"
    assert done.stdout == "calls\ncalls\ncheckpoint\n"


def test_a_failing_compiler_is_no_failure_of_the_installation(tmp_path: Path) -> None:
    build = hatch_build()
    library = tmp_path / "_spawn.so"
    assert build.compile_library(["false"], SOURCE, library) == "exit code 1"
    assert "No such file" in build.compile_library([str(tmp_path / "none")], SOURCE, library)
    assert not library.exists()


def test_this_installation_has_it_if_there_is_a_compiler() -> None:
    if not any(map(shutil.which, ("cc", "gcc", "clang"))):
        pytest.skip("there is no C compiler")
    if "FUMEHOOD_SPAWN" in os.environ:
        pytest.skip("FUMEHOOD_SPAWN is set")
    assert kernel.why_no_spawn == ""


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "cannot be loaded"),
        (b"not a library", "cannot be loaded"),
        (None, "installed without a C compiler"),
    ],
)
def test_a_library_that_cannot_be_loaded_is_not_used(
    content: bytes | None, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FUMEHOOD_SPAWN", raising=False)
    monkeypatch.setattr(kernel, "__file__", str(tmp_path / "kernel.py"))
    if content is not None:
        (tmp_path / "_spawn.so").write_bytes(content)
    library, why = kernel._load_spawn()
    assert library is None and told in why


def test_a_library_of_another_version_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if shutil.which("cc") is None:
        pytest.skip("there is no C compiler")
    monkeypatch.delenv("FUMEHOOD_SPAWN", raising=False)
    changed = tmp_path / "_spawn.c"
    text = SOURCE.read_text(encoding="utf-8")
    changed.write_text(text.replace("spawn_version = 3", "spawn_version = 1"), encoding="utf-8")
    assert hatch_build().compile_library(["cc"], changed, tmp_path / "_spawn.so") == ""
    monkeypatch.setattr(kernel, "__file__", str(tmp_path / "kernel.py"))
    assert kernel._load_spawn() == (
        None,
        "_spawn.so is from another version; install fumehood again",
    )


# -- sandboxes, both ways


@pytest.fixture(params=["C", "python"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    if request.param == "C" and kernel.why_no_spawn:
        pytest.skip(f"no C library: {kernel.why_no_spawn}")
    monkeypatch.setenv("FUMEHOOD_SPAWN", "python" if request.param == "python" else "")
    supervisor.close_all()
    yield str(request.param)
    supervisor.close_all()


_NAMESPACES = """
import os
{name: os.readlink(f"/proc/self/ns/{name}") for name in sorted(os.listdir("/proc/self/ns"))}
"""


def test_a_sandbox_has_the_same_namespaces_either_way(way: str) -> None:
    with LocalPythonExecutor(policy=Policy(imports=("os",), programs=True, files=True)) as executor:
        if "absent    user" in executor.report():
            pytest.skip("this machine refuses namespaces")
        inside: dict[str, Any] = executor(_NAMESPACES).output
        expected = "in Python: FUMEHOOD_SPAWN=python" if way == "python" else "in C (jail/_spawn.c)"
        assert f"process creation: {expected}" in executor.report()
        hidden = executor.run("open('/proc/1/comm')").error  # the init
    assert hidden is not None and hidden.type == "FileNotFoundError"
    outside = {name: str(Path(f"/proc/self/ns/{name}").readlink()) for name in inside}
    shared = {name for name in inside if inside[name] == outside[name]}
    assert shared <= {"time", "time_for_children"}


def test_a_sandbox_works_the_same_either_way(way: str) -> None:
    with LocalPythonExecutor(additional_authorized_imports=["os", "signal"]) as executor:
        executor("kept = [1]")
        snapshot = executor.snapshot()
        executor("kept.append(2)")
        with executor.fork() as fork:
            assert fork("kept.append(3)\nkept").output == [1, 2, 3]
        died = executor.run(
            "kept.append(4)\nimport os, signal\nos.kill(os.getpid(), signal.SIGKILL)"
        )
        assert died.fault is not None
        assert executor("kept").output == [1, 2]
        executor.restore(snapshot)
        assert executor("kept").output == [1]
        assert (
            executor(
                "import os\npid = os.fork()\nif not pid:\n    os._exit(7)\nos.waitpid(pid, 0)[1] >> 8"
            ).output
            == 7
        )


def test_there_is_no_jail_on_a_machine_that_the_tables_do_not_know() -> None:
    code = (
        "import platform; platform.machine = lambda: 'mips'\n"
        "from fumehood.jail import kernel\n"
        "try: kernel.number_of('mount')\nexcept OSError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "mount: not known on mips" in done.stdout
    assert platform.machine() in ("x86_64", "aarch64")
