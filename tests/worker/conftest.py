"""Fixtures of the tests of what runs inside a sandbox."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .places import Place


@pytest.fixture
def place() -> Iterator[Place]:
    place = Place()
    yield place
    place.close()
