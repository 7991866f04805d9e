"""The page of faults names the rows of the table, all of them and no others; and every fault is
used."""

from __future__ import annotations

from . import page
from .doings import FAULTS
from .table import ROWS


def test_the_page_has_the_rows_of_the_table() -> None:
    assert page.rows_of(page.PAGE.read_text()) == [(row.fault, row.place) for row in ROWS]


def test_no_row_is_there_twice_and_no_fault_without_a_row() -> None:
    assert len({row.name for row in ROWS}) == len(ROWS)
    assert {row.fault for row in ROWS} == {*FAULTS}
