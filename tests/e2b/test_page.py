"""docs/e2b-executor.md: its examples run, and what it says of options and errors is so."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import fumehood
from fumehood import E2BFailed, E2BSandbox

from ..clouds import KEY, Serving

PAGE = (Path(__file__).parents[2] / "docs" / "e2b-executor.md").read_text()
EXAMPLES = re.findall(r"^```python\n(.*?)^```\n\n```\n(.*?)^```", PAGE, flags=re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize(("code", "printed"), EXAMPLES, ids=["first", "shared"])
def test_the_page_s_examples_run(cloud: Serving, code: str, printed: str) -> None:
    before = {*cloud.cloud.alive}
    environment = {**os.environ, "E2B_API_KEY": KEY, "E2B_API_URL": cloud.url, "E2B_SANDBOX_URL": cloud.url}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment)
    assert (done.returncode, done.stderr, done.stdout) == (0, "", printed)
    assert {*cloud.cloud.alive} <= before


def test_the_page_has_every_error_and_the_real_defaults() -> None:
    for name in re.findall(r"^\| `(E2B\w+)` \|", PAGE, flags=re.MULTILINE):
        assert issubclass(getattr(fumehood, name), E2BFailed)
    kinds = {name for name in fumehood.__all__ if name.startswith("E2B") and name not in ("E2BExecutor", "E2BSandbox", "E2BFailed")}
    assert kinds == set(re.findall(r"^\| `(E2B\w+)` \|", PAGE, flags=re.MULTILINE))
    options = inspect.signature(E2BSandbox.__init__).parameters
    for name, default in re.findall(r"^\| `(timeout|idle_seconds)` \| (\d+) \|", PAGE, flags=re.MULTILINE):
        assert options[name].default == int(default)
