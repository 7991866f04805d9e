"""Each fault in each place ends in an error of its own type or in recovery, in bounded time, and
leaves nothing behind."""

from __future__ import annotations

import os

import pytest

from fumehood import JailUnavailable, LocalPythonExecutor

from ..executors.conftest import skip_where_there_is_no_jail
from . import page
from .doings import FAULTS, value_of
from .stages import Around, stage
from .table import HUNG_UP, NO_ROOM, ROWS, Row

pytestmark = pytest.mark.long

_OUTSIDE = ("MemoryError", *HUNG_UP)
"""Errors that are not fumehood's to raise: what the host itself lacks, and what an HTTP client
says."""


@pytest.fixture(scope="module", autouse=True)
def _a_jail_can_be_had() -> None:
    try:
        LocalPythonExecutor().close()
    except JailUnavailable as missing:
        skip_where_there_is_no_jail(missing)
        raise


@pytest.fixture
def around(request: pytest.FixtureRequest) -> Around:
    return Around(request.getfixturevalue)


TESTED = [
    pytest.param(
        row,
        marks=[pytest.mark.extended] if row.is_extended else [],
        id=row.name.replace(" ", "-").replace(":", ""),
    )
    for row in ROWS
    if not page.is_recorded(row)
]


@pytest.mark.parametrize("row", TESTED)
def test_a_fault_is_told_or_survived_and_leaves_nothing(row: Row, around: Around) -> None:
    fault = FAULTS[row.fault]
    if fault.needs_root and os.geteuid() != 0:
        pytest.skip("only root can do that to a process")
    with stage(row.place, around, fault.wish) as made:
        told = fault.do(made)
        assert told.kind in row.sees, told
        assert "\n" not in told.text or told.kind == "value", told
        assert told.is_ours or told.kind in _OUTSIDE, told
        assert told.kind != NO_ROOM or "close" in told.text and "raise" in told.text, (
            f"it is not said what to do: {told}"
        )
        left: list[str] = []
        if not fault.is_last:
            if made.run("20 + 22").text != "42":  # who had not heard of it yet is told once
                value_of(made.run("20 + 22"), 42)
            value_of(made.fresh(), 42)
            left = made.close()
    left += made.left()
    assert left == [], left
    page.record(row, told, left)
