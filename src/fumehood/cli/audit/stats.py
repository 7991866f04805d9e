"""`fumehood audit stats`: what runs took, over any number of logs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fumehood.cli import options, render
from fumehood.cli.audit import inputs

if TYPE_CHECKING:
    from fumehood.audit.timeline import Item

Last = Annotated[
    int,
    typer.Option(
        "--last", metavar="N", min=0, help="How many runs are shown one by one, the latest."
    ),
]


def stats(files: inputs.Logs, last: Last = 25, json: options.Json = False) -> None:
    """Count what runs took: steps, tokens, time, errors, imports and code, for each run and in all;
    and cells outside of any run.

    Exit code: 0 done, 2 bad input.

    Example: fumehood audit stats audit.jsonl --last 5
    """
    from fumehood.audit.stats import count
    from fumehood.cli.audit import (
        tables,
    )  # late, as are all that only show: no other command needs them

    with inputs.readable():
        found = count(_items(files))
    if json:
        render.print_json(found.as_json())
    else:
        tables.show(found, last)


def _items(files: list[Path]) -> Iterator[Item]:
    from fumehood.audit.timeline import read_events, timeline

    for file in files:
        yield from timeline(read_events(file))
