"""`fumehood rules`: every table that the language and the jail go by, with the reason of each
row."""

from __future__ import annotations

import sys
from typing import Annotated

import typer
from rich.table import Table as RichTable
from rich.text import Text

from fumehood.cli import options, render, terminal
from fumehood.cli.docker_rules import docker_rules
from fumehood.cli.rule_tables import Table, jail_tables, tables
from fumehood.policy import Policy

Name = Annotated[
    str | None,
    typer.Argument(
        metavar="NAME",
        autocompletion=lambda: [(table.name, table.about) for table in all_tables(Policy())],
        help="Only tables and rows that have this in their name.",
        show_default=False,
    ),
]


def rules(name: Name = None, imports: options.Imports = None, json: options.Json = False) -> None:
    """Print the rules, each with its reason.

    On a terminal as tables; into a pipe as one line per rule, its columns separated by tabs.
    Exit code: 0 done, 1 nothing has that name, 2 bad input.

    Example: fumehood rules getattr
    """
    chosen = matching(all_tables(options.policy_for(imports)), name)
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


def all_tables(policy: Policy) -> list[Table]:
    return [*tables(policy), *jail_tables(policy), *docker_rules(policy)]


def matching(found: list[Table], name: str | None) -> list[Table]:
    """The table of that name; if there is none, tables whose name has it in it, and of the others
    the rows (by their first column)."""
    if not name:
        return found
    wanted = name.casefold()
    chosen = [table for table in found if table.name == wanted]
    if chosen:
        return chosen
    for table in found:
        rows = (
            table.rows
            if wanted in table.name.casefold()
            else [r for r in table.rows if wanted in r[0].casefold()]
        )
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
