"""Scores many programs against tests, as a reward function does: each in a sandbox of its own, on
this machine or on a Ray cluster.

The tests' inputs go into the sandbox and what the program makes of them comes out; what is expected
never goes in, and the comparison is made here. So a program can neither read the answers nor say of
itself that it is right.

    python examples/fleet_scoring.py                this machine
    python examples/fleet_scoring.py auto           the Ray cluster of this machine, or RAY_ADDRESS,
                                                    or host:port
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from fumehood import Fleet

CASES = [([3, 1, 2],), ([4, 1, 3, 2],), ([5],), ([2, 2, 2, 9],)]
EXPECTED = [2, 2.5, 5, 2.0]

# As a model might write them when it is asked for the median.
PROGRAMS = {
    "right": (
        "def solve(xs):\n    xs = sorted(xs)\n    n = len(xs) // 2\n    return xs[n] if len(xs) % 2"
        " else (xs[n - 1] + xs[n]) / 2"
    ),
    "from a library": "from statistics import median as solve",
    "unsorted": "def solve(xs):\n    return xs[len(xs) // 2]",
    "never ends": "def solve(xs):\n    while True: pass",
    "does not compile": "def solve(xs) return xs",
    "cheats": (
        "class Right:\n    def __eq__(self, other): return True\ndef solve(xs):\n    return Right()"
    ),
    "looks around": (
        "def solve(xs):\n    return [value for name, value in globals().items() if 'EXPECTED' in"
        " name][0]"
    ),
}

TESTS = f"""
def attempt(case):
    try:
        return solve(*case)
    except Exception as error:
        return repr(error)

[attempt(case) for case in {CASES!r}]
"""


def rewards(programs: list[str], address: str) -> Iterator[float]:
    """The part of the tests that each program passes, in order."""
    with Fleet(address) as fleet:
        for result in fleet.run_all(lambda program: [program, TESTS], programs, timeout_seconds=5):
            outputs = result.value if result.ok and type(result.value) is list else []
            passed = [
                type(found) in (int, float) and found == right
                for found, right in zip(outputs, EXPECTED, strict=False)
            ]
            yield sum(passed) / len(EXPECTED)


def main() -> None:
    address = sys.argv[1] if len(sys.argv) > 1 else "local"
    for name, reward in zip(PROGRAMS, rewards([*PROGRAMS.values()], address), strict=True):
        print(f"{reward:4.2f}  {name}")


if __name__ == "__main__":
    main()
