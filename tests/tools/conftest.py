"""Executors of every kind, for tools to be called in."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fumehood import LocalPythonExecutor

from ..executors.conftest import KINDS, MakeExecutor, maker


@pytest.fixture(params=KINDS)
def make_executor(request: pytest.FixtureRequest) -> Iterator[MakeExecutor]:
    """Makes executors of each kind in turn, and closes them."""
    yield from maker(str(request.param), request)


@pytest.fixture
def executor(make_executor: MakeExecutor) -> LocalPythonExecutor:
    return make_executor()


@pytest.fixture
def jailed(request: pytest.FixtureRequest) -> Iterator[LocalPythonExecutor]:
    for make in maker("jail", request):
        yield make()
