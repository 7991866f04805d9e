"""How the files of a log are called.

audit.jsonl                     the one that is written
audit.jsonl.000001 …            full ones, the oldest first; the chain goes on from each to the
                                next, and from the last to audit.jsonl
audit.jsonl.child-123-0a1b2c3d  of a process that was forked from the one that writes audit.jsonl, a
log of its own
audit.jsonl.next                for a moment, while the next file is made
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

_FULL: Final = re.compile(r"\.([0-9]{6,9})\Z")


def full_name(path: Path, number: int) -> Path:
    """What a file is called once it is full."""
    return path.with_name(f"{path.name}.{number:06}")


def next_name(path: Path) -> Path:
    return path.with_name(f"{path.name}.next")


def child_name(path: Path) -> Path:
    """The log of this process, which was forked from the one that has `path`."""
    return path.with_name(f"{path.name}.child-{os.getpid()}-{os.urandom(4).hex()}")


def number_of(path: Path) -> int | None:
    """The number in the name of a full file."""
    found = _FULL.search(path.name)
    return int(found[1]) if found else None


def full_files(path: Path) -> list[Path]:
    """The full files of a log, the oldest first."""
    try:
        names = os.listdir(path.parent)  # a directory of logs may be long  # noqa: PTH208
    except OSError:
        return []
    numbered = [
        (int(found[1]), name)
        for name in names
        if name.startswith(path.name) and (found := _FULL.fullmatch(name[len(path.name) :]))
    ]
    return [path.with_name(name) for _number, name in sorted(numbered)]


def files_of(path: str | os.PathLike[str]) -> list[Path]:
    """Every file of a log in the order of its lines. Given a full file, that file alone."""
    path = Path(path)
    if number_of(path) is not None and not full_files(path):
        return [path]
    full = full_files(path)
    return [*full, path] if path.exists() or not full else full
