"""CPython's regression tests pass in the jail where they pass in plain CPython."""

from __future__ import annotations

import shutil
import sys

import pytest

from tests.cpython.exceptions import ROWS, row_of
from tests.cpython.harness import compare
from tests.cpython.modules import MODULES

pytestmark = [
    pytest.mark.timeout(7200),  # some minutes on an idle machine
    pytest.mark.filterwarnings("ignore::fumehood.errors.DangerousImport"),
    pytest.mark.skipif(sys.platform != "linux", reason="the jail needs Linux"),
    pytest.mark.skipif(shutil.which("unshare") is None, reason="needs unshare of util-linux"),
]

SHARE = 0.98


def test_the_jail_passes_the_tests_that_plain_cpython_passes() -> None:
    counted = 0
    differences, used = [], set()
    for found in compare(MODULES):
        counted += found.counted
        for difference in found.differences:
            used.add(row_of(difference.test))
            differences.append(f"{difference.test}: {difference.outcome} {difference.detail}")
    assert counted > 20_000
    assert counted - len(differences) >= SHARE * counted, "\n".join(differences)
    if sys.version_info[:2] == (3, 11):
        unused = [row for row in ROWS if row not in used and row.since == (3, 11)]
        assert not unused, "rows are out of date"
