"""docs/docker.md: its table of what a container is given is the real one, and its examples run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from fumehood.docker.engine import Engine
from fumehood.docker.hardening import TABLE

from ..docker import bases

pytestmark = pytest.mark.once

PAGE = (Path(__file__).parents[2] / "docs" / "docker.md").read_text()
EXAMPLES = re.findall(r"^```python\n(.*?)^```(?:\n\n```\n(.*?)^```)?", PAGE, flags=re.DOTALL | re.MULTILINE)


def test_the_page_has_every_row_of_the_table_and_no_other() -> None:
    section = PAGE.partition("| setting | why |")[2].partition("\n\n")[0]
    found = re.findall(r"^\| `(\w+)` \| (.*) \|$", section, flags=re.MULTILINE)
    assert found == [(row.name.removeprefix("HostConfig."), row.reason) for row in TABLE]


@pytest.mark.long
@pytest.mark.parametrize(("code", "printed"), EXAMPLES, ids=["first", "shared"])
def test_the_page_s_examples_run(code: str, printed: str, engine: Engine) -> None:
    """On a base that holds what they would install: there may be no registry."""
    base = bases.base_of(engine, packages=("numpy",))
    code = code.replace('packages=["numpy"]', f"base={base!r}").replace('"packages": ["numpy"]', f'"base": {base!r}')
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=dict(os.environ))
    assert (done.returncode, done.stderr, done.stdout) == (0, "", printed)
