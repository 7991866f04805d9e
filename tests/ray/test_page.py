"""docs/ray.md: its examples run, and what it says of errors is so."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import fumehood
from fumehood import RayFailed

PAGE = (Path(__file__).parents[2] / "docs" / "ray.md").read_text()
EXAMPLES = re.findall(
    r"^```python\n(.*?)^```\n\n```\n(.*?)^```", PAGE, flags=re.DOTALL | re.MULTILINE
)


@pytest.mark.long
@pytest.mark.parametrize(("code", "printed"), EXAMPLES, ids=["first", "shared"])
def test_the_page_s_examples_run(ray_address: str, code: str, printed: str) -> None:
    packages = str(Path(fumehood.__file__).parents[1])
    environment = {**os.environ, "RAY_ADDRESS": ray_address, "PYTHONPATH": packages}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment
    )
    assert (done.returncode, done.stdout) == (0, printed), done.stderr[-3000:]


def test_the_page_has_every_error() -> None:
    told = set(
        re.findall(
            r"^\| `(\w+)` \| .* \|$",
            PAGE.partition("| error | when |")[2].partition("\n\n")[0],
            flags=re.MULTILINE,
        )
    )
    kinds = {
        name
        for name in fumehood.__all__
        if isinstance(getattr(fumehood, name), type)
        and issubclass(getattr(fumehood, name), RayFailed)
    }
    assert kinds - {"RayFailed"} == told - {"MissingExtra", "PolicyError"}
