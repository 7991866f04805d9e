"""Prints how the jail differs from plain CPython."""

from __future__ import annotations

import sys

from tests.cpython.exceptions import row_of
from tests.cpython.harness import compare
from tests.cpython.modules import MODULES


def main() -> None:
    total = passed = 0
    for found in compare(sys.argv[1:] or MODULES):
        total, passed = total + found.counted, passed + found.passed
        print(
            f"{found.module}: {found.passed} of {found.counted} pass"
            f" ({found.excluded} open network sockets){found.ending and ': '}"
            f"{found.ending}",
            flush=True,
        )
        for difference in found.differences:
            row = row_of(difference.test)
            detail = difference.detail.replace("\n", " ")[:300]
            reason = f" [{row.reason}]" if row else ""
            print(f"    {difference.test} {difference.outcome}: {detail}{reason}", flush=True)
    print(f"{passed:,} of {total:,} pass: {passed / max(total, 1):.2%}")


if __name__ == "__main__":
    main()
