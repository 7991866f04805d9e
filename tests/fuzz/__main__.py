"""The command: some targets, for so many minutes each, from a seed that is printed.

    python -m tests.fuzz                              all of them, ten minutes each
    python -m tests.fuzz streams --minutes 1          one of them
    python -m tests.fuzz values --seed abc --case 7   one case again
    python -m tests.fuzz texts --cases 500            so many cases, whatever time they take

Ends with 1 if anything was found.
"""

from __future__ import annotations

import argparse
import itertools
import os
import secrets
import sys
from collections.abc import Iterable

from . import engine
from .targets import TARGETS


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "targets",
        nargs="*",
        metavar="TARGET",
        help=f"of {', '.join(TARGETS)}; all of them if none is named",
    )
    parser.add_argument("--minutes", type=float, default=10.0, help="for each target (10)")
    parser.add_argument("--seed", default=None, help="any text; a new one if none is given")
    parser.add_argument("--case", type=int, default=None, help="only the case of this number")
    parser.add_argument(
        "--quick", action="store_true", help="as many cases of each target as the tests try"
    )
    parser.add_argument(
        "--cases", type=int, default=None, help="so many cases of each target, and no limit of time"
    )
    given = parser.parse_args(arguments)
    if unknown := [name for name in given.targets if name not in TARGETS]:
        parser.error(f"there is no target {unknown[0]!r}; there are {', '.join(TARGETS)}")
    if os.environ.get("PYTHONHASHSEED") != "0":  # the order of sets is part of a case
        os.execve(
            sys.executable,
            [sys.executable, "-m", "tests.fuzz", *sys.argv[1:]],
            {**os.environ, "PYTHONHASHSEED": "0"},
        )
    seed = given.seed or secrets.token_hex(4)
    print(f"seed {seed}, Python {sys.version.split()[0]}", flush=True)
    is_timed = given.cases is None and given.case is None and not given.quick
    found = 0
    for name in given.targets or TARGETS:
        target = TARGETS[name]()
        numbers: Iterable[int] = itertools.count()
        if given.case is not None:
            numbers = (given.case,)
        elif not is_timed:
            numbers = range(given.cases or target.cases_in_tests)
        report = engine.run(target, seed, numbers, seconds=60 * given.minutes if is_timed else None)
        print(report, flush=True)
        for finding in report.findings:
            print(f"{'=' * 100}\n{finding}", flush=True)
        found += len(report.findings)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
