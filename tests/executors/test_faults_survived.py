"""Two hundred cells, every fifth of which ends its process in one way or another: nothing but those
cells is lost."""

from __future__ import annotations

from typing import Any

import pytest

from fumehood import LocalPythonExecutor

from .conftest import MakeExecutor
from .ways_to_fail import PATIENT, WAYS, let_it_be_killed, plain

CELLS = 200
EVERY = 5

# What good cells do, in turn. Each depends on what the ones before it did.
GOOD = [
    "numbers.append(number)",
    "table[number % 7] = table.get(number % 7, 0) + number",
    "array[number % len(array)] += number",
    "total = total * 31 % 1_000_003 + number",
    "history = [*history[-20:], (number, total)]",
    "record.add(number)",
    "def latest(n=number): return n",
    "names[f'n{number}'] = latest()",
    "text = (text + str(number))[-50:]",
    "seen.append(next(counting))",
]

BEGIN = """
import numpy as np
numbers, table, history, names, seen, text, total = [], {}, [], {}, [], "", 1
array = np.zeros(13)
class Record:
    count = 0
    def __init__(self): self.sums = [0]
    def add(self, n):
        type(self).count += 1
        self.sums.append(self.sums[-1] + n)
record = Record()
def up():
    n = 0
    while True:
        n += 1
        yield n
counting = up()
"""

# Done by a cell before it fails, so that there is something to undo.
SPOIL = (
    "numbers.clear(); table.clear(); array[:] = -1; total = 0; record.add(10**6); next(counting);"
    " text = ''; names.pop('n7', None)"
)

LOOK = (
    "(numbers, table, array.tolist(), total, history, names, text, seen, record.sums, Record.count,"
    " latest(), next(counting))"
)


def plain_run(good: list[tuple[int, str]]) -> Any:
    """What a plain interpreter makes of the good cells alone."""
    namespace: dict[str, Any] = {}
    exec(BEGIN, namespace)
    for number, code in good:
        namespace["number"] = number
        exec(code, namespace)
    return eval(LOOK, namespace)


@pytest.mark.long
def test_two_hundred_cells_of_which_every_fifth_crashes_leave_what_the_good_ones_made(
    make_jailed: MakeExecutor,
) -> None:
    executor = make_jailed(policy=plain(cell_seconds=2))
    let_it_be_killed(executor)
    has_cgroup = "absent    memory cgroup" not in executor.report()
    ways = [way for way in WAYS.values() if has_cgroup or not way.needs_cgroup]
    assert len(ways) >= 7
    executor(BEGIN)
    good: list[tuple[int, str]] = []
    faults: list[tuple[str | None, bool]] = []
    expected: list[tuple[str, bool]] = []
    for number in range(CELLS):
        if number % EVERY == EVERY - 1:
            way = ways[len(faults) % len(ways)]
            execution = executor.run(f"{SPOIL}\n{way.code}")
            faults.append((execution.fault, execution.rolled_back))
            # To start as many processes as there may be takes longer than a cell has, where the
            # machine is busy.
            is_slow = way.fault == "processes" and execution.fault == "timeout"
            expected.append(("timeout" if is_slow else way.fault, True))
        else:
            code = GOOD[number % len(GOOD)]
            good.append((number, code))
            assert executor.run(f"number = {number}\n{code}").error is None, (number, code)
    assert faults == expected
    assert executor(LOOK).output == plain_run(good)


@pytest.mark.long
def test_forks_that_crash_in_turn_each_lose_nothing(make_jailed: MakeExecutor) -> None:
    executor = make_jailed(policy=plain(cell_seconds=PATIENT))
    let_it_be_killed(executor)
    executor("kept = []")
    forks: list[LocalPythonExecutor] = executor.fork(4)
    ways = [
        way
        for name, way in WAYS.items()
        if name in ("exit", "segfault", "abort", "killed by itself", "endless output")
    ]
    try:
        for number in range(40):
            fork = forks[number % 4]
            if number % EVERY == EVERY - 1:
                assert fork.run(
                    f"kept.clear()\n{ways[number // EVERY % len(ways)].code}"
                ).rolled_back
            else:
                fork(f"kept.append({number})")
        for place, fork in enumerate(forks):
            assert fork("kept").output == [
                n for n in range(40) if n % 4 == place and n % EVERY != EVERY - 1
            ]
        assert executor("kept").output == []
    finally:
        for fork in forks:
            fork.close()
