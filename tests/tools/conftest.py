"""Executors of every kind, for tools to be called in."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fumehood import LocalPythonExecutor

from ..executors.conftest import KINDS, MakeExecutor, _maker


@pytest.fixture(params=KINDS)
def make_executor(request: pytest.FixtureRequest) -> Iterator[MakeExecutor]:
    """Makes executors of each kind in turn, and closes them."""
    yield from _maker(str(request.param))


@pytest.fixture
def executor(make_executor: MakeExecutor) -> LocalPythonExecutor:
    return make_executor()


@pytest.fixture
def jailed() -> Iterator[LocalPythonExecutor]:
    for make in _maker("jail"):
        yield make()
