"""Packages asked for become a directory, once: whole or not at all, and nothing in it but files."""

from __future__ import annotations

import io
import os
import signal
import stat
import subprocess
import sys
import tarfile
import threading
import time
import zipfile
from pathlib import Path
from typing import Any

import pytest

from fumehood.errors import InstallFailed
from fumehood.packages import environments, installers
from fumehood.packages.requirements import Packages
from fumehood.packages.store import Environment, Store

from ..executors.wheels import make_source, make_wheel
from .conftest import Obtain


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What installers are asked for, from here on."""
    seen: list[str] = []
    run = installers.run

    def noted(installer: str, job: installers.Job, *report: Any) -> None:
        seen.extend(job.texts)
        run(installer, job, *report)

    monkeypatch.setattr(installers, "run", noted)
    return seen


def files(environment: Environment) -> set[str]:
    site = Path(environment.site)
    return {
        path.relative_to(site).as_posix()
        for path in site.rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }


def test_named_packages_come_with_what_they_need_and_alone_are_allowed(
    obtain: Obtain, installer: str
) -> None:
    made = obtain("Needy", installer=installer)
    assert made.packages == {"needy": "1.0", "plain": "1.0"}
    assert made.modules == ("needy",)
    assert {"needy.py", "plain/__init__.py"} <= files(made)


def test_the_same_is_fetched_once_however_it_is_written(obtain: Obtain, runs: list[str]) -> None:
    first = obtain("Plain <2")
    assert obtain("plain<2") == first
    assert obtain("plain<2", "plain<2") == first
    assert runs == ["Plain <2"]


def test_what_this_python_has_is_not_brought_again(obtain: Obtain, shelf: Path) -> None:
    import msgspec

    make_wheel(
        shelf, "msgspec", {"msgspec/__init__.py": "is_other = True\n"}, version=msgspec.__version__
    )
    make_wheel(shelf, "uses", {"uses.py": ""}, requires=("msgspec",))
    made = obtain("uses")
    assert "msgspec/__init__.py" not in files(made) and made.shared == {
        "msgspec": msgspec.__version__
    }
    assert obtain("msgspec").modules == ("msgspec",)


# -- what goes wrong


@pytest.mark.parametrize(
    "damage",
    [
        "a file is gone",
        "a file is another",
        "a file is new",
        "no manifest",
        "a manifest of nonsense",
    ],
)
def test_what_is_damaged_is_made_again(obtain: Obtain, runs: list[str], damage: str) -> None:
    made = obtain("plain<2")
    module = Path(made.site, "plain", "__init__.py")
    match damage:
        case "a file is gone":
            module.unlink()
        case "a file is another":
            module.write_text("def double(x):\n    return 3 * x\n")
        case "a file is new":
            module.with_name("evil.py").touch()
        case "no manifest":
            (made.path / "manifest.json").unlink()
        case _:
            (made.path / "manifest.json").write_text('{"files": [1]}')
    again = obtain("plain<2")
    assert len(runs) == 2
    assert "return 2 * x" in Path(again.site, "plain", "__init__.py").read_text()
    assert not Path(again.site, "plain", "evil.py").exists()


def test_two_at_once_fetch_it_once(obtain: Obtain, runs: list[str]) -> None:
    made: list[Environment] = []
    threads = [threading.Thread(target=lambda: made.append(obtain("needy"))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 4 and len({each.path for each in made}) == 1
    assert runs == ["needy"]


def test_one_that_is_killed_half_way_leaves_nothing_that_counts(
    obtain: Obtain, shelf: Path, cache: Store, tmp_path: Path
) -> None:
    """A process that is killed while its installer works. The next one removes what it has left."""
    slow = tmp_path / "bin" / "uv"
    slow.parent.mkdir()
    slow.write_text("#!/bin/sh\nexec sleep 5\n")
    slow.chmod(0o755)
    program = "from fumehood.packages.environments import obtain\nobtain(['plain'])"
    environment = {
        **os.environ,
        "PATH": f"{slow.parent}:{os.environ['PATH']}",
        "FUMEHOOD_INSTALLER": "uv",
    }
    with subprocess.Popen([sys.executable, "-c", program], env=environment) as process:
        until = time.monotonic() + 60
        while not (begun := [*cache.place.glob("building/*/scratch")]) and time.monotonic() < until:
            time.sleep(0.01)
        assert begun
        process.send_signal(signal.SIGKILL)
    assert [*cache.place.glob("building/*")] and not [*cache.place.glob("environments/*")]
    assert obtain("plain").packages == {"plain": "2.0"}
    assert not [*cache.place.glob("building/*")]


def test_what_fails_leaves_nothing(obtain: Obtain, cache: Store) -> None:
    with pytest.raises(InstallFailed):
        obtain("nothing-of-that-name")
    assert not [*cache.place.glob("building/*")] and not [*cache.place.glob("environments/*")]
    assert not [*cache.place.glob("requests/*.json")]


def test_a_place_that_others_may_write_to_is_not_trusted(
    obtain: Obtain, cache: Store, shelf: Path
) -> None:
    obtain("plain")
    cache.place.chmod(0o777)
    with pytest.raises(
        InstallFailed, match="others may write to it, so nothing is taken from there"
    ):
        obtain("plain")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a disk")
def test_a_full_disk_is_one_line(obtain: Obtain, shelf: Path, tmp_path: Path) -> None:
    make_wheel(shelf, "large", {"large.py": os.urandom(3 << 20).hex()})
    disk = tmp_path / "disk"
    disk.mkdir()
    subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4m,mode=755", "tmpfs", str(disk)], check=True
    )
    try:
        with pytest.raises(
            InstallFailed, match="full; `fumehood packages prune` removes what was kept"
        ) as caught:
            environments.obtain(Packages(("large",)), Store(disk / "packages"))
        assert "\n" not in str(caught.value)
    finally:
        subprocess.run(["umount", str(disk)], check=True)


# -- what a wheel may try


def test_nothing_of_a_wheel_runs_here_or_lands_elsewhere(
    obtain: Obtain, shelf: Path, tmp_path: Path, installer: str
) -> None:
    trace = tmp_path / "trace"
    spell = f"open({str(trace)!r}, 'w').close()"
    make_wheel(
        shelf,
        "hooks",
        {
            "hooks/__init__.py": spell,
            "hooks.pth": f"import os; {spell}",
            "sitecustomize.py": spell,
            "usercustomize.py": spell,
            "hooks-1.0.data/scripts/hooks": f"#!python\n{spell}",
            "hooks-1.0.dist-info/entry_points.txt": "[console_scripts]\nhooks-run = hooks:main\n",
            "__pycache__/json.cpython-311.pyc": b"not code",
        },
    )
    made = obtain("hooks", installer=installer)
    assert not trace.exists()
    assert made.modules == ("hooks",)
    names = files(made)
    assert not {
        name
        for name in names
        if name.endswith(".pth")
        or name.startswith(("bin/", "sitecustomize", "usercustomize", "__pycache__"))
    }


@pytest.mark.parametrize("name", ["../../../../outside.py", "/{tmp}/outside.py"])
def test_a_name_that_leads_out_leads_nowhere(
    obtain: Obtain, shelf: Path, tmp_path: Path, installer: str, name: str
) -> None:
    make_wheel(
        shelf, "climber", {"climber.py": "", name.format(tmp=str(tmp_path).strip("/")): "evil"}
    )
    try:
        made = obtain("climber", installer=installer)
    except InstallFailed:
        assert installer == "pip"  # which does not take it; uv leaves such files out
    else:
        assert files(made) >= {"climber.py"} and "outside.py" not in files(made)
    assert not [path for path in tmp_path.rglob("outside.py") if "uv" not in path.parts]


def test_a_link_in_a_wheel_is_none_here(obtain: Obtain, shelf: Path, installer: str) -> None:
    path = make_wheel(shelf, "linked", {"linked/__init__.py": ""})
    link = zipfile.ZipInfo("linked/passwords")
    link.create_system, link.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(path, "a") as wheel:
        wheel.writestr(link, "/etc/passwd")
    try:
        made = obtain("linked", installer=installer)
    except InstallFailed:
        return
    assert not [path for path in Path(made.site).rglob("*") if path.is_symlink()]
    passwords = Path(made.site, "linked", "passwords")
    assert not passwords.exists() or "root" not in passwords.read_text()


def test_source_is_built_only_where_builds_are_allowed(
    obtain: Obtain, shelf: Path, tmp_path: Path
) -> None:
    trace = tmp_path / "built"
    source = make_source(shelf, "source", trace)
    make_buildable(shelf, "buildable", trace)
    make_wheel(shelf, "cunning", {"cunning.py": ""}, requires=(f"source @ {source.as_uri()}",))
    for name in ("source", "cunning", "buildable"):
        with pytest.raises(InstallFailed):
            obtain(name)
    assert not trace.exists()
    assert obtain("buildable", builds=True).modules == ("buildable",)
    assert trace.exists()


def make_buildable(directory: Path, name: str, trace: Path) -> None:
    """A package as source, with all that is needed to build it; whoever builds it leaves a
    trace."""
    backend = f"""
import zipfile
def build_wheel(directory, settings=None, metadata=None):
    open({str(trace)!r}, "w").close()
    with zipfile.ZipFile(directory + "/{name}-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("{name}.py", "")
        wheel.writestr("{name}-1.0.dist-info/METADATA", "Metadata-Version: 2.1\\nName: {name}\\nVersion: 1.0\\n")
        wheel.writestr("{name}-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr("{name}-1.0.dist-info/RECORD", "{name}.py,,\\n")
    return "{name}-1.0-py3-none-any.whl"
"""
    files = {
        "PKG-INFO": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n",
        "pyproject.toml": (
            f"""[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]
[project]
name = "{name}"
version = "1.0"
"""
        ),
        "backend.py": backend,
    }
    with tarfile.open(directory / f"{name}-1.0.tar.gz", "w:gz") as tar:
        for file, text in files.items():
            entry = tarfile.TarInfo(f"{name}-1.0/{file}")
            entry.size = len(text)
            tar.addfile(entry, io.BytesIO(text.encode()))


# -- what is kept


def test_what_is_in_use_is_not_removed_and_the_rest_is(obtain: Obtain, cache: Store) -> None:
    used = obtain("plain<2")
    obtain("plain").lock.close()  # type: ignore[union-attr]
    environments._held.clear()
    kept = {each.packages["plain"]: each for each in cache.kept()}
    assert kept["1.0"].in_use and not kept["2.0"].in_use and kept["2.0"].is_sound
    assert not cache.remove(kept["1.0"].name) and cache.remove(kept["2.0"].name)
    assert Path(used.site, "plain").is_dir() and [each.packages for each in cache.kept()] == [
        {"plain": "1.0"}
    ]
    assert len([*cache.place.glob("requests/*.json")]) == 1
