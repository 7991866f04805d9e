"""The page about telemetry: its tables are the code's."""

from __future__ import annotations

from pathlib import Path

import pytest

from fumehood.telemetry.names import ATTRIBUTES, METRICS, SPANS

PAGE = (Path(__file__).parents[2] / "docs" / "telemetry.md").read_text()


def _table(header: str, rows: list[str]) -> str:
    return (
        "\n".join(
            [
                f"| {header} |",
                "|" + "---|" * (header.count("|") + 1),
                *(f"| {row} |" for row in rows),
            ]
        )
        + "\n"
    )


def _spans() -> str:
    return _table("span | what", [f"`{row.name}` | {row.meaning}" for row in SPANS.values()])


def _attributes() -> str:
    words = {kind: row.name.split()[0].removeprefix("fumehood.") for kind, row in SPANS.items()}
    rows = []
    for row in ATTRIBUTES:
        on = "all" if len(row.spans) == len(SPANS) else ", ".join(words[kind] for kind in row.spans)
        rows.append(f"`{row.name}` | {on} | {row.meaning}{' (content)' if row.is_content else ''}")
    return _table("attribute | on | what", rows)


def _metrics() -> str:
    rows = []
    for row in METRICS.values():
        by = ", ".join(f"`{name}`" for name in row.attributes)
        rows.append(f"`{row.name}` | {row.instrument}, `{row.unit}` | {row.meaning} | {by}")
    return _table("metric | kind, unit | what | by", rows)


@pytest.mark.parametrize(
    "table", [_spans(), _attributes(), _metrics()], ids=["spans", "attributes", "metrics"]
)
def test_the_tables_are_the_code_s(table: str) -> None:
    assert table in PAGE, f"the page should say:\n{table}"
