"""docs/files.md: its tables name what there is."""

from __future__ import annotations

import re
from pathlib import Path

from fumehood import events
from fumehood.executors.files import MOST_WATCHES, Files

PAGE = (Path(__file__).parents[2] / "docs" / "files.md").read_text()


def test_the_page_names_every_method_and_every_event() -> None:
    table = PAGE.partition("| `executor.files.` |")[2].partition("\n\n")[0]
    assert {*re.findall(r"`(\w+)\(", table)} == {
        name for name in vars(Files) if not name.startswith("_")
    }
    told = PAGE.partition("## Told to observers")[2]
    assert all(kind in events.KINDS for kind in re.findall(r"`([A-Z]\w+)`", told))
    assert f"at most {MOST_WATCHES} watches" in PAGE
