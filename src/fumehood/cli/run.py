"""`fumehood run`: one program, its output, its value or what went wrong."""

from __future__ import annotations

import typer

from fumehood.cli import options, render
from fumehood.cli.source import read_source
from fumehood.cli.terminal import CODE_FAILED, INTERRUPTED, fail


def run(
    file: options.Program,
    imports: options.Imports = None,
    inline: options.Inline = False,
    timeout: options.Timeout = None,
    json: options.Json = False,
) -> None:
    """Run a program.

    What it prints and the value of its last statement go to stdout, errors to stderr.
    Exit code: 0 done, 1 the program failed or was refused, 2 bad input, 3 the isolation asked for cannot be had.
    """
    source = read_source(file)
    with options.open_executor(imports, inline=inline, timeout=timeout) as executor:
        try:
            execution = executor.run(source.text)
            if json:
                render.print_json(render.execution_as_json(execution))
            else:
                render.show(execution)
        except KeyboardInterrupt:
            fail("interrupted", INTERRUPTED)
    if render.failed(execution):
        raise typer.Exit(CODE_FAILED)
