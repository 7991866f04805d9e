"""docs/files.md: its example runs and prints what it says, its tables name what there is."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from fumehood import events
from fumehood.executors.clerks import MOST_WATCHES
from fumehood.executors.files import Files

pytestmark = pytest.mark.once

PAGE = (Path(__file__).parents[2] / "docs" / "files.md").read_text()


def test_the_example_prints_what_the_page_says() -> None:
    (code, printed), *others = re.findall(r"^```python\n(.*?)^```\n\n```\n(.*?)^```", PAGE, flags=re.DOTALL | re.MULTILINE)
    assert not others
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr, done.stdout) == (0, "", printed)


def test_the_page_names_every_method_and_every_event() -> None:
    table = PAGE.partition("| `executor.files.` |")[2].partition("\n\n")[0]
    assert {*re.findall(r"`(\w+)\(", table)} == {name for name in vars(Files) if not name.startswith("_")}
    told = PAGE.partition("## Told to observers")[2]
    assert all(kind in events.KINDS for kind in re.findall(r"`([A-Z]\w+)`", told))
    assert f"at most {MOST_WATCHES} watches" in PAGE
