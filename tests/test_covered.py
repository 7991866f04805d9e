"""What `make coverage` says is counted rightly: by ring, against the bars, and in processes that
can write nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from . import covered, line_recorder
from .test_house import RINGS as PARTS


def test_every_part_of_the_rings_that_are_judged_is_counted_in_one_of_them() -> None:
    judged = [part for ring in covered.JUDGED for part in covered.RINGS[ring]]
    assert len(set(judged)) == len(judged) and set(judged) <= set(PARTS)
    assert set(PARTS) - set(judged) == {
        "models",
        "agent",
        "integrations",
        "server",
        "fleet",
        "attack",
        "cli",
    }, "a new part has a ring"


def test_lines_are_summed_by_ring_and_compared_with_the_bar() -> None:
    source = covered.SOURCE
    counted = {
        str(source / "errors.py"): (100, []),
        str(source / "wire" / "codec.py"): (100, [*range(1, 16)]),
        str(source / "jail" / "enter.py"): (100, [*range(1, 21)]),
        str(source / "cli" / "app.py"): (10, [1]),
    }
    text, shares = covered.table(counted)
    assert shares == {"leaf": 0.925, "inside": 0.8, "outside": 1.0, "product": 0.9}
    assert "92.5%   bar 90%: PASS" in text and "80.0%   bar 90%: MISSED" in text
    assert (
        covered.gaps(counted).splitlines()[1]
        == "  jail/enter.py: 20 of 100: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 …"
    )


def test_a_file_below_the_bar_is_named_however_small_it_is() -> None:
    large = {
        str(covered.SOURCE / "cli" / f"part{number}.py"): (1000, [*range(100)])
        for number in range(covered.LEAST_SHOWN)
    }
    small = {
        str(covered.SOURCE / "wire" / "low.py"): (10, [1, 2]),
        str(covered.SOURCE / "wire" / "high.py"): (100, [1, 2]),
    }
    assert covered.gaps(large | small).splitlines()[-1] == "  wire/low.py: 2 of 10: 1, 2"


def test_what_ran_before_counts_until_the_file_is_another(tmp_path: Path) -> None:
    one, other = tmp_path / "one.py", tmp_path / "other.py"
    one.write_text("a = 1\nb = 2\n")
    other.write_text("c = 3\n")
    covered.Kept(tmp_path / "below" / "ran.json").keep({str(one): {2}, str(other): {1}})
    other.write_text("c = 4\n")
    kept = covered.Kept(tmp_path / "below" / "ran.json")
    assert (kept.marks(one), kept.marks(other)) == (b"\0\0\1\0", b"\0\0\0")


PROGRAM = """\
import os
def inside():
    return 1
if os.fork() == 0:
    os.closerange(3, 100)
    inside()
    os._exit(0)
os.wait()
"""
BEGIN = "import sys; exec(open(sys.argv[1]).read(), names := {}); names['record'](*sys.argv[2:4])"


@pytest.mark.skipif(
    sys.version_info < (3, 12), reason="lines are told by sys.monitoring, of Python 3.12"
)
def test_a_line_counts_in_a_copy_of_the_process_that_has_no_descriptors(tmp_path: Path) -> None:
    program, index, marks = tmp_path / "program.py", tmp_path / "index.json", tmp_path / "marks"
    program.write_text(PROGRAM)
    index.write_text(json.dumps({str(program): 0}))
    marks.write_bytes(bytes(len(PROGRAM.splitlines()) + 1))
    begin = f"{BEGIN}; exec(compile(open(sys.argv[4]).read(), sys.argv[4], 'exec'))"
    # -S: whoever records these tests has a hook of their own.
    subprocess.run(
        [sys.executable, "-S", "-c", begin, line_recorder.__file__, index, marks, program],
        check=True,
    )
    assert [*marks.read_bytes()] == [0] + [1] * 8
