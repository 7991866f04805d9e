"""Fixtures of the tests of what runs inside a sandbox."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fumehood.worker.display import Bundle, Displays, show_with

from .places import Place


@pytest.fixture
def place() -> Iterator[Place]:
    place = Place()
    yield place
    place.close()


@pytest.fixture
def sent() -> list[Bundle]:
    """What was displayed."""
    return []


@pytest.fixture
def displays(sent: list[Bundle]) -> Iterator[Displays]:
    made = Displays(sent.append, limit=3)
    made.new_cell()
    yield made
    show_with(None)
