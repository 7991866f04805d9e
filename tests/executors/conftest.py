"""Executors of every kind, under one name: what holds for one holds for all.

A new place is one row in KINDS. A row that the machine lacks skips itself and says what was missing.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from fumehood import JailUnavailable, LocalPythonExecutor

KINDS: dict[str, dict[str, Any]] = {
    "inline": {"isolation": "inline"},
    "jail": {"isolation": "jail"},
}


def skip_where_there_is_no_jail(missing: JailUnavailable) -> None:
    """Skips where the machine has no mechanism to make a jail of. Any other reason why there is none is a failure."""
    if sys.platform != "linux" or "neither namespaces" in str(missing):
        pytest.skip(str(missing))


MakeExecutor = Callable[..., LocalPythonExecutor]


def _maker(kind: str) -> Iterator[MakeExecutor]:
    made: list[LocalPythonExecutor] = []

    def make(*args: Any, **options: Any) -> LocalPythonExecutor:
        try:
            executor = LocalPythonExecutor(*args, **KINDS[kind], **options)
        except JailUnavailable as missing:
            skip_where_there_is_no_jail(missing)
            raise
        made.append(executor)
        return executor

    yield make
    for executor in made:
        executor.close()


@pytest.fixture(params=KINDS)
def place(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def make_executor(place: str) -> Iterator[MakeExecutor]:
    """Makes executors of each kind in turn, and closes them."""
    yield from _maker(place)


@pytest.fixture
def executor(make_executor: MakeExecutor) -> LocalPythonExecutor:
    return make_executor()


@pytest.fixture
def make_jailed() -> Iterator[MakeExecutor]:
    """Makes jailed executors only, and closes them."""
    yield from _maker("jail")


@pytest.fixture
def jailed(make_jailed: MakeExecutor) -> LocalPythonExecutor:
    return make_jailed()


def outcome_of(function: Callable[[], Any]) -> Any:
    """What a function gives, called in a thread, so that one that never ends is a failed test and not a suite that hangs."""
    results: list[Any] = []
    thread = threading.Thread(target=lambda: results.append(function()), daemon=True)
    thread.start()
    thread.join(30)
    assert results, "hangs" if thread.is_alive() else "raised"
    return results[0]
