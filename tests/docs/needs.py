"""What pages need that a machine without a network has not: each is the real thing, on this
machine."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import distribution
from pathlib import Path

import pytest

from ..clouds import KEY, Serving
from ..docker import bases
from ..executors.wheels import make_wheel
from .blocks import README
from .model_server import serving


@dataclass
class Surroundings:
    """What a page is run with."""

    environment: dict[str, str] = field(default_factory=dict)
    replaced: dict[str, str] = field(default_factory=dict)


@contextmanager
def _a_model(request: pytest.FixtureRequest) -> Iterator[Surroundings]:
    with serving() as address:
        yield Surroundings({"OPENAI_BASE_URL": address, "OPENAI_API_KEY": "any"})


@contextmanager
def _a_service(request: pytest.FixtureRequest) -> Iterator[Surroundings]:
    cloud: Serving = request.getfixturevalue("cloud")
    before = {*cloud.cloud.alive}
    yield Surroundings({"E2B_API_KEY": KEY, "E2B_API_URL": cloud.url, "E2B_SANDBOX_URL": cloud.url})
    assert {*cloud.cloud.alive} <= before, "the page leaves sandboxes behind"


@contextmanager
def _an_engine(request: pytest.FixtureRequest) -> Iterator[Surroundings]:
    """On a base that holds what the page would install: there may be no registry."""
    base = bases.base_of(request.getfixturevalue("engine"), packages=("numpy",))
    yield Surroundings(
        replaced={
            'packages=["numpy"]': f"base={base!r}",
            '"packages": ["numpy"]': f'"base": {base!r}',
        }
    )


@contextmanager
def _a_shelf(request: pytest.FixtureRequest) -> Iterator[Surroundings]:
    """Where pip finds packages: wheels of what is installed here."""
    shelf: Path = request.getfixturevalue("tmp_path_factory").mktemp("shelf")
    shelf.chmod(0o755)
    shelf.parent.chmod(0o755)
    package = distribution("python-stdnum")
    files: dict[str, str | bytes] = {}
    for file in package.files or ():
        if file.parts[0] == "stdnum" and "__pycache__" not in file.parts:
            files[str(file)] = Path(str(package.locate_file(file))).read_bytes()
    make_wheel(shelf, "python_stdnum", files, package.version)
    yield Surroundings(
        {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(shelf), "PIP_CONFIG_FILE": os.devnull}
    )


@contextmanager
def nothing(request: pytest.FixtureRequest) -> Iterator[Surroundings]:
    yield Surroundings()


NEEDS = {
    README: _a_model,
    "agent.md": _a_model,
    "docker.md": _an_engine,
    "e2b-executor.md": _a_service,
    "how-to/smolagents.md": _a_model,
    "installing.md": _a_shelf,
    "migration.md": _a_model,
    "tutorial/agent.md": _a_model,
}
