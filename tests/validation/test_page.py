"""The examples of docs/validation.md run as they stand."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

import pytest

pytest.importorskip("detect_secrets")

from fumehood import JailUnavailable

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "validation.md").read_text(encoding="utf-8")


def test_the_examples_print_what_the_page_says() -> None:
    first, second = (part.split("```")[0] for part in PAGE.split("```python\n")[1:])
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            exec(compile(first, "docs/validation.md", "exec"), {})
        except JailUnavailable as error:
            pytest.skip(f"no jail on this machine: {error}")
    assert printed.getvalue() == PAGE.split("```\nwrite to ")[1].split("```")[0].join(["write to ", ""])
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(second, "docs/validation.md", "exec"), {})
    assert printed.getvalue() == "[project name] is late\n"
