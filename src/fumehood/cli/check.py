"""`fumehood check`: which rules a program breaks, without running it."""

from __future__ import annotations

import typer

from fumehood.cli import options, render, terminal
from fumehood.cli.source import read_source
from fumehood.language.check import check_source


def check(
    file: options.Program, imports: options.Imports = None, json: options.Json = False
) -> None:
    """List every rule a program breaks, without running it.

    Exit code: 0 none, 1 some, 2 bad input.

    Example: fumehood check program.py --import numpy
    """
    policy = options.policy_for(imports)
    source = read_source(file)
    violations = check_source(source.text, policy)
    if json:
        render.print_json(
            {"source": source.name, "violations": render.violations_as_json(violations)}
        )
    else:
        console = terminal.console()
        for violation in violations:
            console.print(render.violation_text(violation, source.name))
    if violations:
        raise typer.Exit(terminal.CODE_FAILED)
