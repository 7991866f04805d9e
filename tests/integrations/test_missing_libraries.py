"""Without its library, a file of `fumehood.integrations` names what to install."""

from __future__ import annotations

import importlib
import sys

import pytest

from fumehood import MissingExtra

EXTRAS = {
    "deepagents": "deepagents",
    "inspect_ai": "inspect",
    "pydantic_ai": "pydantic",
    "smolagents": "smolagents",
}


@pytest.mark.parametrize("library", EXTRAS)
def test_a_missing_library_is_named(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [library, *(name for name in sys.modules if name.startswith(f"{library}."))]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, f"fumehood.integrations.{library}", raising=False)
    install = rf"needs {library}: pip install 'fumehood\[{EXTRAS[library]}\]'"
    with pytest.raises(MissingExtra, match=install):
        importlib.import_module(f"fumehood.integrations.{library}")
