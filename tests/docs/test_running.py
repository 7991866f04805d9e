"""The runner itself: a page that says what is not so is found out, wherever it says it."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from .blocks import read
from .running import Page, PageDiffers


def run(directory: Path, text: str) -> None:
    with Page(directory) as page:
        page.run(read(textwrap.dedent(text).replace("'''", "```"), "page.md"))


WRONG = {
    "what a program prints": "'''python\nprint(1)\n'''\n\n'''text\n2\n'''",
    "a program that prints nothing": "'''python\nx = 1\n'''\n\n'''\n1\n'''",
    "a value": "'''python\n1 + 1  # → 3\n'''",
    "what is assigned": "'''python\nx = 1 + 1  # → 3\n'''",
    "a line that is not reached": "'''python\nif 0:\n    1 + 1  # → 2\n'''",
    "a program that raises": "'''python\n1 / 0\n'''",
    "a program that ends Python": "'''python\nimport os\nos._exit(3)\n'''",
    "what a command prints": "'''console\n$ echo a\nb\n'''",
    "a command that prints though nothing is shown": "'''console\n$ echo a\n'''",
    "a command that fails in silence": "'''console\n$ false\n'''",
    "a command that does not exist": "'''console\n$ fumehod\n'''",
    "a file without a name": "'''toml\nx = 1\n'''",
}


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_what_is_not_so_is_found_out(text: str, tmp_path: Path) -> None:
    with pytest.raises(PageDiffers, match=r"page\.md"):
        run(tmp_path, text)
