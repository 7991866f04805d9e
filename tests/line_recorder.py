"""Which lines of fumehood run, in every process of this Python: run at its start by a .pth file
that tests/covered.py puts there.

A line is a byte of a file that every process maps, so a process counts that can write nothing: one
in the jail has no descriptors and sees no files, but a page that it shares it keeps, and so do its
copies. The kernel does the rest. An event is asked for once a line (sys.monitoring, Python 3.12 and
newer), so it costs next to nothing.
"""

from __future__ import annotations

import json
import mmap
import sys
from types import CodeType
from typing import Any

_TOOL = 4  # nobody's: 0 to 2 and 5 have their uses


def record(index: str, marks: str) -> None:
    """From now on. `index` has, for each file, where its lines begin in `marks`."""
    monitoring: Any = sys.monitoring  # type: ignore[attr-defined, unused-ignore]
    if monitoring.get_tool(_TOOL) is not None:
        return  # where two directories are one, a .pth file is read twice
    with open(index, encoding="utf-8") as file:  # noqa: PTH123
        places: dict[str, int] = json.load(file)
    with open(marks, "r+b") as file:  # noqa: PTH123
        shared = mmap.mmap(file.fileno(), 0)
    monitoring.use_tool_id(_TOOL, "fumehood lines")

    def begins(code: CodeType, offset: int) -> Any:
        if code.co_filename in places:
            monitoring.set_local_events(_TOOL, code, monitoring.events.LINE)
        return monitoring.DISABLE

    def line(code: CodeType, number: int) -> Any:
        shared[places[code.co_filename] + number] = 1
        return monitoring.DISABLE

    monitoring.register_callback(_TOOL, monitoring.events.PY_START, begins)
    monitoring.register_callback(_TOOL, monitoring.events.LINE, line)
    monitoring.set_events(_TOOL, monitoring.events.PY_START)
