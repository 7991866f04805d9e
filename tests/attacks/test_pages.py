"""The pages about security name files, categories and commands that are there."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from fumehood.attack.categories import CATEGORIES

from . import page as runs

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
    rows = (
        text.partition("## What holds")[2].partition("## What is left")[0].strip().splitlines()[2:]
    )
    named = [set(row.rstrip(" |").rpartition("|")[2].replace(" ", "").split(",")) for row in rows]
    assert [
        row
        for row, names in zip(rows, named, strict=True)
        if not names or not names <= CATEGORIES.keys()
    ] == []
    assert CATEGORIES.keys() == set().union(*named)


def test_every_configuration_was_run_and_nothing_escaped_in_any() -> None:
    """The table is written by a run (page.py), on every Python for those configurations that are
    about it."""
    rows = runs.rows_on(runs.PAGE.read_text(encoding="utf-8"))
    minors = {row["Python"].rpartition(".")[0] for row in rows}
    assert minors == {"3.11", "3.12", "3.13"}
    seen = {
        (row["Python"].rpartition(".")[0], row["place"], row["rules of the language"], row["host"])
        for row in rows
    }
    assert seen >= {
        (minor, run.place, run.rules, run.host)
        for run in runs.RUNS
        for minor in minors
        if run.is_about_python
    }
    assert {(run.place, run.rules, run.host) for run in runs.RUNS} == {which[1:] for which in seen}
    for row in rows:
        tried, refused, contained, escaped = (
            int(row[name]) for name in ("tried", "refused", "contained", "escaped")
        )
        assert tried == refused + contained > 100, row
        assert escaped == 0, row


def test_a_table_is_what_the_command_said(tmp_path: Path) -> None:
    told = {
        "tried": 5,
        "refused": 3,
        "contained": 1,
        "escaped": 1,
        "left_out": {"is about Python 3.12+": 4, "numpy is not installed": 2},
    }
    for version in ("3.12.1", "3.9.2"):
        (tmp_path / f"{version} {runs.RUNS[0].name}.json").write_text(
            json.dumps({**told, "python": version})
        )
    page = runs.written(f"before\n{runs.BEGINS}old\n{runs.ENDS}after\n", runs.table_of(tmp_path))
    assert page.startswith("before\n") and page.endswith("after\n") and "old" not in page
    assert [(row["Python"], row["escaped"], row["not tried"]) for row in runs.rows_on(page)] == [
        ("3.9.2", "1", "6"),
        ("3.12.1", "1", "6"),
    ]
