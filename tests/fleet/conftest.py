"""One fleet on this machine for the tests that share one: a sandbox of its own for each item is
what it promises anyway."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fumehood import Fleet, JailUnavailable


@pytest.fixture(scope="session")
def fleet() -> Iterator[Fleet]:
    try:
        made = Fleet("local", per_node=2)
    except JailUnavailable as error:
        pytest.skip(f"no jail on this machine: {error}")
    with made:
        yield made
