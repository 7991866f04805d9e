"""Chooses which attack programs `make test` runs; `make test-all` runs all of them."""

from __future__ import annotations

import functools
import zlib
from pathlib import Path

import pytest

import fumehood
from fumehood.attack.configurations import Configuration
from fumehood.attack.corpus import names, read


def run_there(category: str, configuration: Configuration) -> list[str]:
    """The programs of a category that a configuration does not leave out. Skips the test if it
    leaves out all, and says why: one that has run nothing has seen nothing."""
    left_out = {name: configuration.leaves_out(read(name)) for name in names(category)}
    found = [name for name, why in left_out.items() if why is None]
    if not found:
        pytest.skip(
            f"no program of {category} is run there:"
            f" {', '.join(sorted({str(why) for why in left_out.values()}))}"
        )
    return found


def sample(programs: list[str], number: int = 2) -> list[str]:
    """A few programs, spread over the list; at least one."""
    return programs[:: max(1, len(programs) // number)][:number]


def share(programs: list[str], of: int, word: str = "") -> list[str]:
    """One program in `of`; at least one. The choice depends on the text of the package: the same
    tree runs the same programs each time, another tree runs others. `word` gives callers that
    choose several times different shares."""
    if not programs:
        return programs
    drawn = sorted(programs, key=lambda name: zlib.crc32(f"{_tree()} {word} {name}".encode()))
    return sorted(drawn[: max(1, len(drawn) // of)])


@functools.cache
def _tree() -> int:
    """A checksum of the package."""
    number = 0
    for path in sorted(Path(fumehood.__file__).parent.rglob("*.py")):
        number = zlib.crc32(path.read_bytes(), number)
    return number
