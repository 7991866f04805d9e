"""Scripts of the benchmarks as modules."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], ModuleType]]:
    """Gives one by its name. They import each other by bare names, which are forgotten
    afterwards."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    known = {*sys.modules}
    yield importlib.import_module
    for name in {path.stem for path in BENCHMARKS.glob("*.py")} & sys.modules.keys() - known:
        del sys.modules[name]
