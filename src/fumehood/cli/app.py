"""The Typer application: which commands there are. What each does is in the file of its name."""

from __future__ import annotations

from typing import Annotated

import typer

import fumehood
from fumehood.cli import (
    agent,
    attack,
    audit,
    check,
    docker,
    doctor,
    exit_codes,
    images,
    packages,
    repl,
    rules,
    run,
    serve,
    terminal,
)

app = typer.Typer(
    name="fumehood",
    help="Runs Python that an AI wrote: real CPython bytecode, guarded, in a jail.",
    epilog=(
        "`fumehood --install-completion` has your shell complete commands, options and their"
        " values; COMMAND --help has an example of each, and what its exit codes"
        f" mean.\n\n{exit_codes.as_help()}"
    ),
    no_args_is_help=True,
    rich_markup_mode="rich",
    # A bug of ours is reported by a plain traceback: the decorated kind prints local variables,
    # which may be secrets.
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.command("run")(run.run)
app.command("check")(check.check)
app.command("rules")(rules.rules)
app.command("repl")(repl.repl)
app.command("doctor")(doctor.doctor)
app.command("attack")(attack.attack)
app.command("agent")(agent.agent)
app.command("serve")(serve.serve)
app.add_typer(audit.app, name="audit")
app.add_typer(docker.app, name="docker")
app.add_typer(images.app, name="images")
app.add_typer(packages.app, name="packages")


def print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"fumehood {fumehood.__version__}")
        raise typer.Exit


@app.callback()
def before_every_command(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=print_version, is_eager=True, help="Print the version and leave."
        ),
    ] = False,
) -> None:
    terminal.accept_any_text()
