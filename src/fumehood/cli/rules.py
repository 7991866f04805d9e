"""`fumehood rules`: every table the language goes by, with the reason of each row."""

from __future__ import annotations

import sys
from typing import Annotated

import typer
from rich.table import Table as RichTable
from rich.text import Text

from fumehood.cli import options, render, terminal
from fumehood.language.tables import Table, tables

Name = Annotated[str | None, typer.Argument(help="Only tables and rows that have this in their name.", show_default=False)]


def rules(name: Name = None, imports: options.Imports = None, json: options.Json = False) -> None:
    """Print the rules, each with its reason.

    On a terminal as tables; into a pipe as one line per rule, its columns separated by tabs.
    """
    chosen = matching(tables(options.policy_for(imports)), name)
    if not chosen:
        terminal.fail(f"no table and no rule has {name!r} in its name", terminal.CODE_FAILED)
    if json:
        render.print_json([as_json(table) for table in chosen])
    elif sys.stdout.isatty():
        console = terminal.console()
        for table in chosen:
            console.print(Text.assemble((table.name, "bold green"), "  ", (table.about, "italic")))
            console.print(as_table(table), soft_wrap=False)
            console.print()
    else:
        for table in chosen:
            terminal.write(as_lines(table), sys.stdout)


def matching(all_tables: list[Table], name: str | None) -> list[Table]:
    """The tables called so whole, and of the others the rows called so (a row's name is its first column)."""
    if not name:
        return all_tables
    wanted = name.casefold()
    chosen = []
    for table in all_tables:
        rows = table.rows if wanted in table.name.casefold() else [r for r in table.rows if wanted in r[0].casefold()]
        if rows:
            chosen.append(Table(table.name, table.about, table.columns, rows))
    return chosen


def as_table(table: Table) -> RichTable:
    grid = RichTable(header_style="bold", box=None, padding=(0, 2, 0, 0))
    for position, column in enumerate(table.columns):
        grid.add_column(column, style="cyan" if position == 0 else None, overflow="fold")
    for row in table.rows:
        grid.add_row(*(Text(cell) for cell in row))
    return grid


def as_lines(table: Table) -> str:
    return "".join("\t".join([table.name, *row]) + "\n" for row in table.rows)


def as_json(table: Table) -> dict[str, object]:
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    return {"name": table.name, "about": table.about, "rows": rows}
