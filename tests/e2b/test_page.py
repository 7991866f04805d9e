"""docs/e2b-executor.md: what it says of options and errors is so."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import fumehood
from fumehood import E2BFailed, E2BSandbox

PAGE = (Path(__file__).parents[2] / "docs" / "e2b-executor.md").read_text()


def test_the_page_has_every_error_and_the_real_defaults() -> None:
    for name in re.findall(r"^\| `(E2B\w+)` \|", PAGE, flags=re.MULTILINE):
        assert issubclass(getattr(fumehood, name), E2BFailed)
    kinds = {
        name
        for name in fumehood.__all__
        if name.startswith("E2B") and name not in ("E2BExecutor", "E2BSandbox", "E2BFailed")
    }
    assert kinds == set(re.findall(r"^\| `(E2B\w+)` \|", PAGE, flags=re.MULTILINE))
    options = inspect.signature(E2BSandbox.__init__).parameters
    told = dict(re.findall(r"^\| `(timeout|idle_seconds)` \| (\d+) \|", PAGE, flags=re.MULTILINE))
    assert told == {name: str(options[name].default) for name in ("timeout", "idle_seconds")}
