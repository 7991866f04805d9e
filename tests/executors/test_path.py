"""The files that one cell passes through: on the host, compared with docs/security/boundary.md, and
in the worker."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import fumehood
from fumehood import LocalPythonExecutor

SOURCE = Path(fumehood.__file__).parent
PAGE = SOURCE.parents[1] / "docs" / "security" / "boundary.md"
MOST_FILES, MOST_TRANSITIONS = 8, 12


def test_a_trivial_cell_passes_through_the_files_that_the_page_lists() -> None:
    # In a process of its own: here pytest listens to the log.
    recorded = subprocess.run([sys.executable, __file__], capture_output=True, check=True)
    calls = [tuple(call) for call in json.loads(recorded.stdout)]
    assert len({name for call in calls for name in call[:2]}) <= MOST_FILES
    assert len(calls) <= MOST_TRANSITIONS
    listed = re.findall(r"^(\S+\.py) +→ (\S+\.py) +(\w+)$", PAGE.read_text(), re.MULTILINE)
    assert listed == calls, "\n".join(f"{a:26} → {b:26} {name}" for a, b, name in calls)


_RECORD = """
import sys
made = []
def profile(frame, event, _argument):
    if event == "call":
        names = []
        while frame is not None:
            names.append((frame.f_code.co_filename, frame.f_code.co_name))
            frame = frame.f_back
        made.append(names)
sys.setprofile(profile)
"""


def test_a_trivial_cell_passes_through_few_files_in_the_worker() -> None:
    with LocalPythonExecutor(["*"], on_fault="keep") as executor:
        for _ in range(3):
            executor.run("1 + 1")
        executor(_RECORD)
        executor("1 + 1")
        stacks = executor("sys.setprofile(None)\nmade").output
    calls = []
    for stack in stacks:
        own = [
            (Path(file).relative_to(SOURCE).as_posix(), name)
            for file, name in stack
            if Path(file).is_relative_to(SOURCE)
        ]
        is_ours = Path(stack[0][0]).is_relative_to(SOURCE)
        if is_ours and len(own) > 1 and own[0][0] != own[1][0]:
            calls.append((own[1][0], *own[0]))
    first, second = (n for n, call in enumerate(calls) if call[2] == "receive")
    cell = calls[first:second]
    assert len({name for call in cell for name in call[:2]}) <= MOST_FILES, cell
    assert len(cell) <= MOST_TRANSITIONS, cell


def calls_between_files(work: Any) -> list[tuple[str, str, str]]:
    """Each call from one of our files to another: both files, and the function."""
    made: list[tuple[str, str, str]] = []

    def profile(frame: FrameType, event: str, _argument: object) -> None:
        called = own_name(frame)
        if event != "call" or called is None:
            return
        caller = frame.f_back
        while caller is not None and own_name(caller) is None:
            caller = caller.f_back
        name = caller and own_name(caller)
        if name and name != called:
            made.append((name, called, frame.f_code.co_name))

    sys.setprofile(profile)
    try:
        work()
    finally:
        sys.setprofile(None)
    return made


def own_name(frame: FrameType) -> str | None:
    path = Path(frame.f_code.co_filename)
    return path.relative_to(SOURCE).as_posix() if path.is_relative_to(SOURCE) else None


if __name__ == "__main__":
    with LocalPythonExecutor(on_fault="keep") as executor:
        for _ in range(3):
            executor.run("1 + 1")
        print(json.dumps(calls_between_files(lambda: executor.run("1 + 1"))))
