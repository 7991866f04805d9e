"""What a soak writes to a page: its own section, whatever else is there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture
def soaked(script: Callable[[str], ModuleType]) -> ModuleType:
    return script("soaked")


def _row(soaked: ModuleType, place: str, ordeals: int) -> object:
    return soaked.Soaked(place, 2.0, 6, ordeals, "3 zygote", 0, 1, "host +1.0 MB")


def test_a_section_is_added_and_then_replaced_and_others_stay(
    soaked: ModuleType, tmp_path: Path
) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Faults\n\n| fault |\n|---|\n| one |\n")
    soaked.write(page, [_row(soaked, "local", 1000)], is_root=True)
    soaked.write(page, [_row(soaked, "local", 2000)], is_root=False)
    soaked.write(page, [_row(soaked, "local", 3000), _row(soaked, "pool", 4000)], is_root=True)
    text = page.read_text()
    assert text.startswith("# Faults\n\n| fault |\n|---|\n| one |\n\n## Soak")
    assert sorted(line for line in text.splitlines() if line.startswith("## ")) == [
        "## Soak",
        "## Soak, by an ordinary user",
    ]
    assert "| 1,000 |" not in text and all(
        f"| {number} |" in text for number in ("2,000", "3,000", "4,000")
    )
    assert "7,000 ordeals" in text and "at once, 4 minutes" in text


def test_a_table_has_a_row_for_each_place(soaked: ModuleType) -> None:
    lines = soaked.table([_row(soaked, "local", 1000), _row(soaked, "pool", 2)]).splitlines()
    assert lines[1] == "|---|---|---|---|---|---|---|---|"
    assert lines[2] == "| local | 2 | 6 | 1,000 | 3 zygote | 0 | 1 | host +1.0 MB |"
    assert len(lines) == 4
