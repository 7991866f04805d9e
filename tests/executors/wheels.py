"""Packages made on the spot: wheels, and what is like one; and fixtures for tests that install
them."""

from __future__ import annotations

import base64
import hashlib
import io
import os
import platform
import shutil
import sys
import sysconfig
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from fumehood import LocalPythonExecutor
from fumehood.executors.executor import Executor

Make = Callable[..., Executor]


def make_wheel(
    directory: Path,
    name: str,
    files: dict[str, str | bytes],
    version: str = "1.0",
    *,
    requires: tuple[str, ...] = (),
    tag: str = "py3-none-any",
) -> Path:
    """A wheel of some files, which stands for a package."""
    path = directory / f"{name}-{version}-{tag}.whl"
    information = f"{name}-{version}.dist-info"
    needs = "".join(f"Requires-Dist: {requirement}\n" for requirement in requires)
    content = {
        **files,
        f"{information}/METADATA": (
            f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needs}\n"
        ),
        f"{information}/WHEEL": (
            f"Wheel-Version: 1.0\nRoot-Is-Purelib: {str(tag.endswith('any')).lower()}\nTag: {tag}\n"
        ),
    }
    record = ""
    with zipfile.ZipFile(path, "w") as wheel:
        for file, text in content.items():
            data = text if isinstance(text, bytes) else text.encode()
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record += f"{file},sha256={digest},{len(data)}\n"
            wheel.writestr(file, data)
        wheel.writestr(f"{information}/RECORD", f"{record}{information}/RECORD,,\n")
    return path


def make_source(directory: Path, name: str, trace: Path) -> Path:
    """A package as source; whoever builds it leaves a trace."""
    path = directory / f"{name}-1.0.tar.gz"
    files = {
        "PKG-INFO": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n",
        "setup.py": (
            f"open({str(trace)!r}, 'w').close()\nfrom setuptools import setup\nsetup(name={name!r},"
            " version='1.0')\n"
        ),
    }
    with tarfile.open(path, "w:gz") as tar:
        for file, text in files.items():
            entry = tarfile.TarInfo(f"{name}-1.0/{file}")
            entry.size = len(text)
            tar.addfile(entry, io.BytesIO(text.encode()))
    return path


def make_native_wheel(directory: Path) -> Path:
    """A package with a module in machine code, borrowed from the standard library:
    `native.bisect_left`."""
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    library = Path(sysconfig.get_config_var("DESTSHARED") or "/nonexistent") / f"_bisect{suffix}"
    if not library.is_file():
        pytest.skip("this Python has no modules in files of their own")
    minor = f"cp3{sys.version_info.minor}"
    files: dict[str, str | bytes] = {
        "native/__init__.py": "from native._bisect import bisect_left\n",
        f"native/_bisect{suffix}": library.read_bytes(),
    }
    return make_wheel(directory, "native", files, tag=f"{minor}-{minor}-linux_{platform.machine()}")


# -- fixtures


@pytest.fixture(name="shelf", scope="module")
def a_shelf() -> Iterator[Path]:
    """Where pip finds packages in these tests, and the only place. Whoever runs it may look."""
    directory = Path(tempfile.mkdtemp(prefix="shelf-"))
    directory.chmod(0o755)
    make_wheel(
        directory,
        "plain",
        {
            "plain/__init__.py": "def double(x):\n    return 2 * x\n",
            "plain/part.py": "NAME = 'part'\n",
        },
    )
    make_wheel(
        directory,
        "plain",
        {"plain/__init__.py": "def double(x):\n    return 'two'\n"},
        version="2.0",
    )
    make_wheel(
        directory,
        "needy",
        {"needy.py": "import plain\nfour = plain.double(2)\n"},
        requires=("plain<2",),
    )
    yield directory
    shutil.rmtree(directory)


@pytest.fixture(name="only_from_the_shelf")
def only_there(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(shelf))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)


@pytest.fixture(name="make_here")
def maker_here() -> Iterator[Make]:
    """Makes executors on this machine, and closes them."""
    made: list[LocalPythonExecutor] = []

    def make(**options: Any) -> LocalPythonExecutor:
        made.append(LocalPythonExecutor(**options))
        return made[-1]

    yield make
    for executor in made:
        executor.close()


@pytest.fixture(name="here")
def one_here(make_here: Make) -> Executor:
    return make_here()
