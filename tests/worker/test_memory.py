"""The zygote's memory: what is allocated together lies together, and is kept in huge pages where
the kernel has them."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

HUGE = Path("/sys/kernel/mm/transparent_hugepage/enabled")


def run(body: str) -> Any:
    """In a process of its own, which nobody else allocates in."""
    program = "import json\nfrom fumehood.worker import memory\n" + textwrap.dedent(body)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def test_small_objects_come_to_lie_in_neighbouring_arenas() -> None:
    arenas = run("""
        memory.gather()
        kept = [bytes(400) for _ in range(30_000)]
        memory.settle()
        print(json.dumps(sorted({id(piece) >> 20 for piece in kept})))
    """)
    neighbours = sum(second - first == 1 for first, second in itertools.pairwise(arenas))
    assert neighbours >= 8, arenas


def test_what_is_not_used_is_given_back() -> None:
    before, after = run("""
        def resident():
            return int(open("/proc/self/statm").read().split()[1]) * 4096
        before = resident()
        memory.gather()
        memory.settle()
        print(json.dumps([before, resident()]))
    """)
    assert after - before < 8 << 20


@pytest.mark.skipif(
    not HUGE.exists() or "[never]" in HUGE.read_text(),
    reason="this kernel has no huge pages to give",
)
def test_filled_memory_becomes_huge_and_holds_what_it_held() -> None:
    huge, intact, inspectable = run("""
        import ctypes
        memory.gather()
        kept = [b"%d" % number * 40 for number in range(60_000)]
        memory.settle()
        memory.make_huge()
        huge = sum(int(line.split()[1]) for line in open("/proc/self/smaps_rollup") if line.startswith("AnonHugePages"))
        print(json.dumps([huge, kept == [b"%d" % number * 40 for number in range(60_000)], ctypes.CDLL(None).prctl(3, 0, 0, 0, 0)]))
    """)
    assert intact and not inspectable
    if not huge:
        pytest.skip("no huge page was free, or the kernel is too old to be asked for one")
    assert huge >= 4 << 10


def test_an_empty_stretch_does_not_become_huge() -> None:
    before, after = run("""
        import mmap
        def resident():
            return int(open("/proc/self/statm").read().split()[1]) * 4096
        stretch = mmap.mmap(-1, 64 << 20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        for place in range(0, 64 << 20, 2 << 20):
            stretch[place] = 1
        before = resident()
        memory.make_huge()
        print(json.dumps([before, resident()]))
    """)
    assert after - before < 24 << 20
