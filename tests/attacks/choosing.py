"""Which programs are run where not all can be."""

from __future__ import annotations

import functools
import os
import zlib
from pathlib import Path

import pytest

import fumehood
from fumehood.attack.configurations import Configuration
from fumehood.attack.corpus import names, read

ALL = os.environ.get("FUMEHOOD_TEST_ATTACKS") == "all"


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
    """A few that are spread over them, and one at least."""
    return programs if ALL else programs[:: max(1, len(programs) // number)][:number]


def share(programs: list[str], of: int, word: str = "") -> list[str]:
    """One in so many, and one at least. Which ones is drawn from the text of the package: the same
    tree runs the same programs each time, another tree others, so that in the course of some
    changes all have been run. `word` gives those who draw several times other shares."""
    if ALL or not programs:
        return programs
    drawn = sorted(programs, key=lambda name: zlib.crc32(f"{_tree()} {word} {name}".encode()))
    return sorted(drawn[: max(1, len(drawn) // of)])


@functools.cache
def _tree() -> int:
    """A number that another tree would not have."""
    number = 0
    for path in sorted(Path(fumehood.__file__).parent.rglob("*.py")):
        number = zlib.crc32(path.read_bytes(), number)
    return number
