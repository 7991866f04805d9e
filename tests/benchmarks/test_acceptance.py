"""Programs of benchmarks/acceptance behave in a sandbox as in CPython, and the comparison finds
differences."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
Script = Callable[[str], ModuleType]


def test_there_are_300_programs_in_the_topics() -> None:
    assert len([*BENCHMARKS.glob("acceptance/*/*.py")]) >= 300


@pytest.mark.parametrize("mode", [(), ("--full",), ("--default",)], ids=" ".join)
def test_one_program_of_ten_behaves_as_in_cpython(mode: tuple[str, ...]) -> None:
    command = [sys.executable, str(BENCHMARKS / "acceptance.py"), "--every", "10", "--check", *mode]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "JailUnavailable" in done.stderr:
        pytest.skip(f"no jail here: {done.stderr.strip().splitlines()[-1]}")
    assert done.returncode == 0, done.stdout + done.stderr


def test_places_and_times_may_differ_and_text_may_not(script: Script) -> None:
    acceptance = script("acceptance")

    def compared(text: str) -> list[str]:
        return acceptance.Outcome(text, "exit code 0", 0.0).compared

    assert compared('  File "a.py", line 3, in f\n    f()\n') == compared(
        "  cell 1, line 3\n    f()\n"
    )
    assert compared("a.py:3: UserWarning: x\n") == compared("cell 1:9: UserWarning: x\n")
    assert compared("Ran 2 tests in 0.004s\n") == compared("Ran 2 tests in 1.250s\n")
    assert compared("Ran 2 tests in 0.004s\n") != compared("Ran 3 tests in 0.004s\n")
    assert compared("1\n") != compared("2\n")


def test_cpython_tells_how_a_program_ended(script: Script, tmp_path: Path) -> None:
    acceptance = script("acceptance")
    (tmp_path / "sitecustomize.py").write_text(acceptance.SITE_CUSTOMIZE)

    def ended(source: str) -> tuple[str, str]:
        path = tmp_path / "program.py"
        path.write_text(source)
        outcome = acceptance.by_cpython(acceptance.Program(path), tmp_path)
        return outcome.text, outcome.ended

    assert ended("print(1)\nint('x')\n") == (
        "1\n",
        "ValueError: invalid literal for int() with base 10: 'x'",
    )
    assert ended("import sys\nsys.exit('stop')\n") == ("stop\n", "exit code 1")
    assert ended("# stdin: 20\nprint(int(input()) + 1)\n") == ("21\n", "exit code 0")
    assert ended("# %%\nx = 1\n# %%\nx + 1\n# %%\nNone\n") == ("Out: 2\n", "exit code 0")


def test_a_program_is_skipped_for_what_it_needs_and_not_for_what_it_tries(
    script: Script, tmp_path: Path
) -> None:
    path = tmp_path / "program.py"
    path.write_text(
        "# needs: no_such_need\n"
        "import json, no_such_library.part\n"
        "try:\n    import no_such_option\nexcept ImportError:\n    pass\n"
    )
    program = script("acceptance").Program(path)
    assert program.missing == ["no_such_library", "no_such_need"]
    assert program.modules == ["json"]
