"""`fumehood audit export`: a log as entries that other programs read."""

from __future__ import annotations

import contextlib
import io
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from fumehood.cli import terminal
from fumehood.cli.audit import inputs


class Format(StrEnum):
    """What is written."""

    json = "json"
    jsonl = "jsonl"
    csv = "csv"


Out = Annotated[
    str,
    typer.Option("--out", "-o", metavar="FILE", help="The file to write; - for standard output."),
]
AsFormat = Annotated[
    Format | None,
    typer.Option(
        "--format", help="json unless the name of the file says otherwise.", show_default=False
    ),
]


def export(file: inputs.Log, out: Out = "agent_logs.json", format: AsFormat = None) -> None:
    """Write an entry for each run: prompt, steps with their code, result, status, error, duration
    and tokens. Cells outside of runs have an entry for each session. As CSV a row for each step,
    where text that a spreadsheet would take for a formula begins with '.

    Exit code: 0 done, 2 bad input.

    Example: fumehood audit export audit.jsonl
    """
    from fumehood.audit.exporting import entries_of, export_logs, write_entries
    from fumehood.audit.timeline import read_events, timeline

    with inputs.readable():
        if out == "-":
            with contextlib.suppress(BrokenPipeError):  # nobody reads any more
                stream = _Shown() if sys.stdout.isatty() else sys.stdout
                write_entries(
                    entries_of(timeline(read_events(file))),
                    stream,
                    format.value if format else "json",
                )
                sys.stdout.flush()
            return
        number = export_logs(file, Path(out), format=format.value if format else None)
    terminal.say(f"{number:,} {'entries' if number != 1 else 'entry'} written to {out}")


class _Shown(io.StringIO):
    """A terminal, which must not obey what code has printed."""

    def write(self, text: str) -> int:
        sys.stdout.write(terminal.printable(text))
        return len(text)
