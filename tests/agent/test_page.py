"""The examples of the README's part on agents run as they stand, but for the model. Those of docs/ are run by tests/docs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import fumehood
from fumehood import ReplayModel

from .conftest import turn

ROOT = Path(__file__).parents[2]
EXAMPLES = [
    pytest.param(code, id=str(number))
    for number, code in enumerate(re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), flags=re.DOTALL), start=1)
    if "CodeAgent" in code
]


@pytest.mark.parametrize("code", EXAMPLES)
def test_the_example_runs(code: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for model in ("OpenAIModel", "HfApiModel"):
        monkeypatch.setitem(vars(fumehood), model, lambda *args, **options: ReplayModel([turn("final_answer(6 * 7)")]))
    if "smolagents" in code:
        pytest.importorskip("smolagents")
    made: dict[str, Any] = {}
    try:
        exec(compile(code, "example", "exec"), made)  # what a reader would paste into a file
        assert "agent" in made or "lead" in made
        if ".run(" in code:
            assert capsys.readouterr().out.endswith("42\n")
    finally:
        for value in made.values():
            if hasattr(value, "python_executor"):
                value.cleanup()


def test_there_is_an_example() -> None:
    assert EXAMPLES
