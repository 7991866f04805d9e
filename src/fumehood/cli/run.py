"""`fumehood run`: one program, its output, its value or what went wrong."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from fumehood.cli import displays, options, render, terminal
from fumehood.cli.live import Live
from fumehood.cli.source import read_source


def _next_line(prompt: str) -> str | None:
    """The next line of standard input, for a program that reads it."""
    return sys.stdin.readline() or None


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

SaveFiles = Annotated[
    Path | None,
    typer.Option(
        "--save-files",
        metavar="DIR",
        help=(
            "Copy the files of /home/user to DIR after the run, also if the program fails; implies"
            " --files. A file that exists is not replaced."
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
    programs: options.Programs = False,
    mounts: options.Mounts = None,
    save_files: SaveFiles = None,
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
    has_files = files or save_files is not None
    place = options.Place(
        imports, inline, timeout, has_files, programs, mounts, memory, seed, clock, packages, build
    )
    with (
        terminal.interruptible(),
        options.audited(audit),
        place.open(None if json else live) as executor,
        options.no_sandbox_as_line(),
    ):
        reads = None if inline or file == "-" else _next_line
        execution = executor.run(source.text, stdin=reads)
        if json:
            render.print_json(render.execution_as_json(execution))
        else:
            render.show(execution, live)
        unsaved = ""
        if save_files is not None:
            try:
                executor.files.save(save_files)
            except (OSError, ValueError) as error:
                unsaved = f"--save-files: {error}"
                terminal.say(unsaved)
    if save_displays is not None:
        displays.save(execution.displays, save_displays)
    if render.failed(execution):
        raise typer.Exit(terminal.CODE_FAILED)
    if unsaved:
        raise typer.Exit(terminal.BAD_INPUT)
