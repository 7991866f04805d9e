"""Which modules plain Python may import."""

from __future__ import annotations

import importlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from fumehood import Policy
from fumehood.language.imports import ImportRules
from fumehood.language.source import compile_cell


@pytest.fixture
def directory() -> Iterator[Path]:
    """With a module, below a directory that sandboxes have as their own."""
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        (Path(name) / "placed_here.py").touch()
        yield Path(name)
        importlib.invalidate_caches()


def _refused(rules: ImportRules) -> list[str]:
    statements = compile_cell("import placed_here", "<cell 1>").imports
    return [violation.name for violation in rules.violations(statements)]


def test_a_library_that_is_installed_below_tmp_must_be_authorized(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(directory)
    assert _refused(ImportRules(Policy())) == ["import placed_here"]
    assert _refused(ImportRules(Policy(imports=("placed_here",)))) == []


def test_a_module_that_code_wrote_needs_no_authorization(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = ImportRules(Policy())
    monkeypatch.syspath_prepend(directory)
    assert _refused(rules) == []
