"""The pages about security name files, categories and commands that are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fumehood.attack.categories import CATEGORIES

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "SECURITY.md", *sorted((ROOT / "docs" / "security").glob("*.md"))]
_LINK = re.compile(r"\]\(([^)#:]+)\)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    links = _LINK.findall(page.read_text(encoding="utf-8"))
    assert links
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_the_threat_matrix_has_evidence_in_every_row_and_uses_every_category() -> None:
    text = (ROOT / "docs" / "security" / "threats.md").read_text(encoding="utf-8")
    rows = text.partition("## What holds")[2].partition("## What is left")[0].strip().splitlines()[2:]
    named = [set(row.rstrip(" |").rpartition("|")[2].replace(" ", "").split(",")) for row in rows]
    assert [row for row, names in zip(rows, named, strict=True) if not names or not names <= CATEGORIES.keys()] == []
    assert CATEGORIES.keys() == set().union(*named)
