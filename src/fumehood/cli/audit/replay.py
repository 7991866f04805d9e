"""`fumehood audit replay`: run the cells of a log again and say what is different."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from fumehood.agent.console.text import counted
from fumehood.cli import options, render, terminal
from fumehood.cli.audit import inputs

if TYPE_CHECKING:
    from fumehood.audit.comparing import Difference
    from fumehood.audit.replaying import Replay

Session = Annotated[
    str,
    typer.Option(
        "--session", metavar="ID", help="Only this session: its id, or the beginning of it."
    ),
]
Force = Annotated[
    bool,
    typer.Option(
        "--force", help="Go on with a log that is broken, or a session that began before it."
    ),
]
Mounts = Annotated[
    bool,
    typer.Option(
        "--mounts", help="Mount the directories of this machine that the log's policy names."
    ),
]


def replay(
    file: inputs.Log,
    session: Session = "",
    force: Force = False,
    mounts: Mounts = False,
    inline: options.Inline = False,
    key_file: inputs.KeyFile = None,
    json: options.Json = False,
) -> None:
    """Run the cells of a log again in fresh sandboxes, under the same policy, with tools that
    answer from the log.

    Sessions that ran inline run in a jail, unless --inline says that their code may run in this
    very process.
    Exit code: 0 the same, 1 different, 2 bad input, or it cannot be replayed, 3 there is no place
    to run code in.

    Example: fumehood audit replay audit.jsonl
    """
    from fumehood.audit.replaying import replay as run_again

    key = inputs.key_of(key_file)
    with inputs.readable(), options.no_sandbox_as_line(without=""):
        result = run_again(file, session, key=key, force=force, mounts=mounts, inline=inline)
    if json:
        render.print_json(as_json(result))
    else:
        _show(result)
    if result.differences:
        raise typer.Exit(terminal.CODE_FAILED)
    if result.blocked:
        raise typer.Exit(terminal.BAD_INPUT)


def _show(result: Replay) -> None:
    console = terminal.console()
    for difference in result.differences:
        console.print(_difference(difference))
    for text in result.blocked:
        console.print(Text(terminal.one_line(text), style="yellow"))
    cells = f"{counted(result.cells, 'cell')} of {counted(len(result.sessions), 'session')}"
    if result.differences:
        first = result.differences[0]
        where = (
            f"in cell {first.cell} of session {first.session}"
            if first.cell
            else f"between cells of session {first.session}"
        )
        console.print(
            Text(f"different: {cells} ran again; the first difference is {where}", style="bold red")
        )
    elif result.blocked:
        console.print(
            Text(
                f"not all could be replayed: {cells} ran again, and did the same",
                style="bold yellow",
            )
        )
    else:
        console.print(Text(f"same: {cells} did what the log says", style="bold green"))
    for note in result.notes:
        console.print(Text(f"note: {terminal.one_line(note)}", style="dim"))


def _difference(difference: Difference) -> Text:
    head, _, rest = terminal.printable(str(difference)).partition("\n")
    text = Text(head, style="bold")
    for line in rest.split("\n"):
        style = {"-": "red", "+": "green"}.get(line[2:3], "dim")
        text.append("\n" + (line if len(line) <= 1_000 else line[:1_000] + "…"), style=style)
    return text


def as_json(result: Replay) -> dict[str, Any]:
    return {
        "same": result.same,
        "sessions": list(result.sessions),
        "cells": result.cells,
        "differences": [
            {
                "session": d.session,
                "cell": d.cell,
                "what": d.what,
                "logged": d.logged,
                "now": d.now,
                "line": d.line,
            }
            for d in result.differences
        ],
        "blocked": list(result.blocked),
        "notes": list(result.notes),
    }
