"""docs/scale.md: its programs print what it says, and its figures are those that
benchmarks/fleet.json and the simulation give."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "scale.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(
    r"^```python\n(.*?)^```\n\n```\n(.*?)^```", PAGE, flags=re.DOTALL | re.MULTILINE
)
MODEL = json.loads((ROOT / "benchmarks" / "fleet.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def scale() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "fumehood_benchmarks_scale", ROOT / "benchmarks" / "scale.py"
    )
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def section(name: str) -> list[str]:
    return PAGE.partition(f"<!-- {name} -->\n")[2].partition("<!-- end -->\n")[0].splitlines()


@pytest.mark.parametrize(("code", "printed"), PROGRAMS, ids=["script", "task"])
def test_the_page_s_programs_print_what_it_says(code: str, printed: str) -> None:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr, done.stdout) == (0, "", printed)


def test_the_page_has_the_figures_that_were_measured(scale: ModuleType) -> None:
    assert section("measured") == scale.measured(MODEL)


def test_the_page_says_how_far_the_model_is_from_what_was_measured(scale: ModuleType) -> None:
    assert section("deviations") == ["```", *scale.deviations(MODEL), "```"]


def test_the_page_has_what_the_model_predicts(scale: ModuleType) -> None:
    """Of the smallest cluster; the others take longer, and are made by the same lines."""
    predicted = section("predicted")
    assert len(predicted) == 2 + len(scale.NODES) * len(scale.CELLS)
    here = [line for line in predicted if " | 10 | " in line]
    assert here == scale.table(scale.Costs.of(MODEL), (10,), scale.CELLS, scale.CORES)[2:]
