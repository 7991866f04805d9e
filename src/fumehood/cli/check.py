"""`fumehood check`: what would be refused of a program, without running it."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from fumehood.cli import options, render, terminal
from fumehood.cli.source import read_source
from fumehood.language.guarded.compile import check_source
from fumehood.language.imports import ImportRules
from fumehood.language.source import compile_cell

Inline = Annotated[
    bool,
    typer.Option("--inline", help="Check the rules of the guarded language, as run --inline does."),
]


def check(
    file: options.Program,
    imports: options.Imports = None,
    files: options.Files = False,
    inline: Inline = False,
    json: options.Json = False,
) -> None:
    """List everything in a program that would be refused, without running it.

    Exit code: 0 none, 1 some, 2 bad input.

    Example: fumehood check program.py --import numpy
    """
    policy = replace(options.policy_for(imports), files=files)
    source = read_source(file)
    if inline:
        violations = check_source(source.text, replace(policy, language="guarded"))
    else:
        violations = ImportRules(policy).violations(compile_cell(source.text, source.name).imports)
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
