"""`fumehood packages`: packages for code, as they are kept on this machine."""

from __future__ import annotations

import sys
import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from fumehood.cli import options, render, terminal

if TYPE_CHECKING:
    from fumehood.packages.store import Kept

app = typer.Typer(
    name="packages",
    help=(
        "Fetch, list and remove the packages that are kept for code (--with,"
        " LocalPythonExecutor(packages=…))."
    ),
    no_args_is_help=True,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)

Names = Annotated[
    list[str],
    typer.Argument(
        metavar="PACKAGE", help="Such as polars, 'polars>=1', or a wheel.", show_default=False
    ),
]
Unused = Annotated[
    int,
    typer.Option(
        "--unused", metavar="DAYS", min=0, help="Remove what nobody has used for so many days."
    ),
]
All = Annotated[bool, typer.Option("--all", help="Remove whatever nobody uses right now.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
_DAY = 86400


@app.command("fetch")
def fetch(names: Names, build: options.Build = False, json: options.Json = False) -> None:
    """Fetch packages as --with would, so that they are there when they are needed; prints their
    versions and modules.

    Packages that are named together are kept together: name them as --with will.
    Exit code: 0 done, 2 bad input, or they cannot be had.

    Example: fumehood packages fetch polars 'pyarrow>=15'
    """
    from fumehood.packages.environments import obtain

    with terminal.interruptible(), options.problems_as_lines():
        made = obtain(options.packages_of(names, build))
    if json:
        render.print_json(
            {
                "path": made.site,
                "packages": made.packages,
                "modules": list(made.modules),
                "bytes": made.size,
            }
        )
        return
    terminal.write(
        "\n".join(f"{name} {version}" for name, version in made.packages.items()), sys.stdout
    )
    terminal.say(f"code may import {', '.join(made.modules) or 'none of them'}")


@app.command("ls")
def list_(json: options.Json = False) -> None:
    """List what is kept, the last used first.

    Exit code: 0 done, 2 bad input.

    Example: fumehood packages ls
    """
    from fumehood.packages.store import Store

    store = Store()
    found = store.kept()
    if json:
        render.print_json(
            {"directory": str(store.place), "environments": [asdict(each) for each in found]}
        )
        return
    if not found:
        terminal.say(f"nothing is kept in {store.place}")
        return
    table = Table("packages", "size", "used", "", box=None, pad_edge=False)
    for each in found:
        names = (
            ", ".join(f"{name} {version}" for name, version in each.packages.items()) or each.name
        )
        table.add_row(
            Text(terminal.one_line(names)),
            f"{each.size / 1e6:,.1f} MB",
            _age(each.used),
            _state(each),
        )
    terminal.console().print(table)
    terminal.say(f"{sum(each.size for each in found) / 1e6:,.1f} MB in {store.place}")


@app.command("prune")
def prune(
    unused: Unused = 30, everything: All = False, yes: Yes = False, json: options.Json = False
) -> None:
    """Remove what is damaged or was not used for a while, and what uv has kept for itself. What is
    in use stays.

    Exit code: 0 done, 1 nothing was removed because you said no, 2 bad input.

    Example: fumehood packages prune --unused 7 --yes
    """
    from fumehood.packages.store import Store

    store = Store()
    old = time.time() - unused * _DAY
    going = [
        each
        for each in store.kept()
        if not each.in_use and (everything or not each.is_sound or each.used <= old)
    ]
    if going and not yes:
        _ask(going, may_show=not json)
    with options.problems_as_lines(), store.troubles():
        gone = [each for each in going if store.remove(each.name)]
        freed = sum(each.size for each in gone) + store.remove_rest()
    if json:
        render.print_json({"removed": [each.name for each in gone], "bytes": freed})
    else:
        terminal.write(f"removed {len(gone)} of them, {freed / 1e6:,.1f} MB", sys.stdout)


def _ask(going: list[Kept], *, may_show: bool) -> None:
    if not (sys.stdin.isatty() and sys.stderr.isatty()) or not may_show:
        terminal.fail("this removes packages: say --yes", terminal.BAD_INPUT)
    for each in going:
        terminal.say(f"{', '.join(each.packages) or each.name}: {each.size / 1e6:,.1f} MB")
    if not typer.confirm("Remove them?", err=True):
        terminal.fail("nothing was removed", terminal.CODE_FAILED)


def _age(used: float) -> str:
    days = int((time.time() - used) // _DAY)
    return "today" if days < 1 else "yesterday" if days == 1 else f"{days} days ago"


def _state(kept: Kept) -> str:
    return "damaged" if not kept.is_sound else "in use" if kept.in_use else ""
