"""How counts of runs are shown: a row for each run, how they are spread, and what was used in
all."""

from __future__ import annotations

from collections import Counter

from rich.table import Table
from rich.text import Text

from fumehood.agent.console import words
from fumehood.agent.console.text import beginning, counted, plainly
from fumehood.audit.stats import MEASURES, Counts, Stats
from fumehood.cli import terminal

_MOST_NAMES = 30


def show(stats: Stats, last: int) -> None:
    """Print it all, the `last` runs one by one."""
    console = terminal.console()
    if stats.runs:
        shown = stats.runs[len(stats.runs) - min(last, len(stats.runs)) :]
        if shown:
            console.print(_runs_table(shown, console.width), soft_wrap=False)
        if len(shown) < len(stats.runs):
            console.print(
                Text(
                    f"and {counted(len(stats.runs) - len(shown), 'run')} before; --last shows more",
                    style="dim",
                )
            )
        if shown:
            console.print()
        table = _table("over the runs", *(Text(name) for name in ("total", "median", "p95", "max")))
        for measure, about in MEASURES.items():
            spread = stats.spread(measure)
            values = [spread.total, spread.median, spread.p95, spread.most]
            told = [
                words.seconds(value) if measure == "seconds" else f"{value:,.10g}"
                for value in values
            ]
            table.add_row(Text.assemble(measure, (f"  {about}", "dim")), *told)
        console.print(table, soft_wrap=False)
        console.print()
        _say("runs", _names(stats.states))
    total = stats.total
    _say("sessions", f"{stats.sessions:,}")
    _say("cells", f"{total.cells:,}, {words.seconds(total.cell_seconds)}")
    outside = stats.outside
    if outside.cells:
        failed = f", {outside.errors:,} failed" if outside.errors else ""
        _say(
            "  outside of runs", f"{outside.cells:,}, {words.seconds(outside.cell_seconds)}{failed}"
        )
    _say("faults", _names(total.faults) or "none")
    _say("imports", _names(total.imports) or "none")
    _say("tools", _names(total.tools) or "none")
    if total.findings:
        _say("findings", _names(total.findings))
    if stats.unreadable:
        console.print(
            Text(
                f"{counted(stats.unreadable, 'line')} could not be read: fumehood audit verify",
                style="bold red",
            )
        )


def _say(what: str, text: str) -> None:
    terminal.console().print(Text.assemble((f"{what}: ", "bold"), text))


def _names(counter: Counter[str]) -> str:
    named = [
        f"{beginning(plainly(name), 60)} {number:,}"
        for name, number in counter.most_common(_MOST_NAMES)
    ]
    more = len(counter) - len(named)
    return ", ".join(named) + (f", and {more:,} more" if more > 0 else "")


def _table(first: str, *others: Text) -> Table:
    table = Table(header_style="bold", box=None, padding=(0, 2, 0, 0))
    table.add_column(Text(first), overflow="fold")
    for other in others:
        table.add_column(other, justify="right", no_wrap=True)
    return table


def _runs_table(runs: list[Counts], width: int) -> Table:
    heads = ("run", "task", "ended", "steps", "tokens", "time", "errors", "cells")
    rows = [
        (
            beginning(run.run, 12),
            beginning(plainly(run.task) or run.agent, 200),
            beginning(run.state, 12),
            f"{run.steps:,}",
            f"{run.tokens:,}",
            words.seconds(run.seconds),
            f"{run.errors:,}",
            f"{run.cells:,}",
        )
        for run in runs
    ]
    widths = [
        max(len(head), *(len(row[place]) for row in rows)) for place, head in enumerate(heads)
    ]
    widths[1] = min(
        widths[1], max(width - sum(widths) + widths[1] - 2 * len(heads), 10)
    )  # the task alone gives way
    table = Table(header_style="bold", box=None, padding=(0, 2, 0, 0))
    for place, head in enumerate(heads):
        table.add_column(
            head,
            justify="right" if place > 2 else "left",
            no_wrap=True,
            width=widths[place],
            overflow="ellipsis",
        )
    for run, row in zip(runs, rows, strict=True):
        styles = (
            "cyan",
            "",
            "green" if run.state == "success" else "yellow",
            "",
            "",
            "",
            "red" if run.errors else "",
            "",
        )
        table.add_row(*(Text(cell, style=style) for cell, style in zip(row, styles, strict=True)))
    return table
