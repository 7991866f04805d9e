"""Who lives on this machine, and who was started by whom: to see that nothing is left."""

from __future__ import annotations

from pathlib import Path

Process = tuple[int, int]
"""A process: its number, and when it was started. Numbers are used again."""


def living() -> dict[Process, int]:
    """Every process that is not dead, with the number of its parent."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue  # it has just ended
            if fields[0] != "Z":
                found[int(entry.name), int(fields[19])] = int(fields[1])
    return found


def descendants(ancestor: int) -> set[Process]:
    parents = living()
    found: set[Process] = set()
    numbers = {ancestor}
    while True:
        more = {process for process, parent in parents.items() if parent in numbers} - found
        if not more:
            return found
        found |= more
        numbers |= {number for number, _started in more}
