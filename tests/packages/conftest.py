"""A shelf of packages, the only place where they are looked for; a cache of the test's own; and
every installer that is there."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fumehood.packages import environments, installers
from fumehood.packages.requirements import Packages
from fumehood.packages.store import Environment, Store

from ..executors.wheels import make_wheel

Obtain = Callable[..., Environment]


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    directory = tmp_path / "shelf"
    directory.mkdir()
    for name, value in (
        ("PIP_NO_INDEX", "1"),
        ("PIP_FIND_LINKS", directory),
        ("PIP_CONFIG_FILE", os.devnull),
    ):
        monkeypatch.setenv(name, str(value))
    settings = tmp_path / "uv.toml"
    settings.write_text(f'no-index = true\nfind-links = ["{directory}"]\n')
    monkeypatch.setenv("UV_CONFIG_FILE", str(settings))
    make_wheel(directory, "plain", {"plain/__init__.py": "def double(x):\n    return 2 * x\n"})
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
    return directory


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(environments, "_held", {})
    return Store()


def must_have(installer: str) -> None:
    try:
        installers.choose(installer)
    except Exception as error:
        pytest.skip(str(error))


@pytest.fixture(params=["uv", pytest.param("pip", marks=pytest.mark.long)])
def installer(request: pytest.FixtureRequest) -> str:
    """Each of them."""
    must_have(request.param)
    return str(request.param)


@pytest.fixture
def obtain(shelf: Path, cache: Store) -> Obtain:
    """Has packages of the shelf, by whichever installer is quick if it does not matter."""
    quick = "uv" if installers.find_uv() else "pip"

    def get(*names: Any, installer: str = quick, **options: Any) -> Environment:
        environments._held.clear()
        return environments.obtain(Packages(names, installer=installer, **options), cache)  # type: ignore[arg-type]

    return get
