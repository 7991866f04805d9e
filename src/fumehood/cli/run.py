"""`fumehood run`: one program, its output, its value or what went wrong."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from fumehood.cli import displays, options, render, terminal
from fumehood.cli.live import Live
from fumehood.cli.source import read_source

SaveDisplays = Annotated[
    Path | None,
    typer.Option(
        "--save-displays",
        metavar="DIR",
        help=(
            "Write pictures and tables to DIR, as 01.png, 02.html ... The program made them: HTML"
            " may hold scripts."
        ),
        show_default=False,
    ),
]


def run(
    file: options.Program,
    imports: options.Imports = None,
    packages: options.With = None,
    build: options.Build = False,
    inline: options.Inline = False,
    timeout: options.Timeout = None,
    memory: options.Memory = None,
    files: options.Files = False,
    mounts: options.Mounts = None,
    save_displays: SaveDisplays = None,
    seed: options.Seed = None,
    clock: options.Clock = None,
    audit: options.Audit = None,
    json: options.Json = False,
) -> None:
    """Run a program.

    What it prints and the value of its last statement go to stdout, errors to stderr.
    Exit code: 0 done, 1 the program failed or was refused, 2 bad input, 3 there is no place to run
    code in.

    Example: fumehood run program.py --with polars --timeout 10
    """
    source = read_source(file)
    if save_displays is not None:
        displays.prepare(save_displays)
    live = Live(sys.stdout, lambda: executor.interrupt())
    place = options.Place(
        imports, inline, timeout, files, mounts, memory, seed, clock, packages, build
    )
    with (
        terminal.interruptible(),
        options.audited(audit),
        place.open(None if json else live) as executor,
        options.no_sandbox_as_line(),
    ):
        execution = executor.run(source.text)
        if json:
            render.print_json(render.execution_as_json(execution))
        else:
            render.show(execution, live)
    if save_displays is not None:
        displays.save(execution.displays, save_displays)
    if render.failed(execution):
        raise typer.Exit(terminal.CODE_FAILED)
