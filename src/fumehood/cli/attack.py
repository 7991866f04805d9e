"""`fumehood attack`: the attack suite against this machine, in the configuration that is asked
for."""

from __future__ import annotations

import contextlib
import difflib
import enum
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from fumehood.attack import suite
from fumehood.attack.categories import CATEGORIES
from fumehood.attack.configurations import Configuration
from fumehood.attack.corpus import names
from fumehood.attack.suite import Result, SuiteFailed
from fumehood.cli import doctor, options, policy_files, render, terminal

# Ample: a busy machine takes a few minutes for all.
MOST_SECONDS = 1800.0
_COLUMNS = ("tried", "refused", "contained", "escaped")


class Place(enum.StrEnum):
    local = "local"
    inline = "inline"
    docker = "docker"


PolicyFile = Annotated[
    Path | None,
    typer.Option(
        "--policy",
        metavar="FILE",
        help="A policy, as TOML: imports, language, limits.",
        show_default=False,
    ),
]
Executor = Annotated[
    Place,
    typer.Option("--executor", help="Where code runs: a jail here, this process, or a container."),
]
LanguageOff = Annotated[
    bool,
    typer.Option(
        "--language-off", help="Switch the rules of the language off, so that the jail holds alone."
    ),
]
Programs = Annotated[
    bool,
    typer.Option("--programs", help="Give code programs and any import, and switch the rules off."),
]
Categories = Annotated[
    list[str] | None,
    typer.Option(
        "--category",
        metavar="NAME",
        autocompletion=lambda: [*CATEGORIES.items()],
        help="Only programs of this category; may be repeated.",
        show_default=False,
    ),
]
Base = Annotated[
    str | None,
    typer.Option("--base", metavar="IMAGE", help="The image of the container.", show_default=False),
]
ListThem = Annotated[bool, typer.Option("--list", help="List the categories and leave.")]


@dataclass
class Tally:
    """What came of the programs so far."""

    results: list[Result] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def escapes(self) -> list[Result]:
        return [result for result in self.results if result.verdict == "escaped"]

    @property
    def tried(self) -> int:
        return sum(result.was_tried for result in self.results)

    def left_out(self) -> Counter[str]:
        return Counter(result.why for result in self.results if not result.was_tried)

    def rows(self) -> list[tuple[str, dict[str, int]]]:
        """Each category in the order of the table, with its counts."""
        counts: dict[str, Counter[str]] = {name: Counter() for name in CATEGORIES}
        for result in self.results:
            counts[result.program.category][result.verdict] += 1
        rows = []
        for name, found in counts.items():
            if found:
                tried = found.total() - found["left out"]
                rows.append(
                    (name, {"tried": tried, **{column: found[column] for column in _COLUMNS[1:]}})
                )
        return rows

    def totals(self) -> dict[str, int]:
        return {column: sum(row[column] for _, row in self.rows()) for column in _COLUMNS}


def attack(
    policy: PolicyFile = None,
    executor: Executor = Place.local,
    language_off: LanguageOff = False,
    programs: Programs = False,
    category: Categories = None,
    base: Base = None,
    list_: ListThem = False,
    json: options.Json = False,
) -> None:
    """Run programs that try to get out, and show what became of them.

    Refused: the rules of the language did not let it run.
    Contained: it ran, and reached nothing.
    Escaped: it learned a secret, changed or harmed something outside, or got hold of what the rules
    keep from it.
    Limits of a policy hold where they are stricter than those that the programs are made for.
    Exit code: 0 nothing escaped, 1 something did, 2 bad input, 3 there is no place to run code in.

    Example: fumehood attack --language-off --category bombs
    """
    if list_:
        for name, about in CATEGORIES.items():
            typer.echo(f"{name:<14}{len(names(name)):>4}  {about}")
        return
    configuration = configuration_of(policy, executor, language_off, base, programs)
    chosen = chosen_programs(category)
    tally = Tally()
    began = time.monotonic()
    with terminal.interruptible():
        try:
            with contextlib.closing(
                suite.run_all(configuration, chosen, seconds=MOST_SECONDS)
            ) as results:  # type: ignore[type-var]
                tally.results.extend(shown_progress(results, len(chosen)))
        except SuiteFailed as error:
            terminal.fail(f"the attacks cannot be run: {error}", terminal.NO_ISOLATION)
    tally.seconds = time.monotonic() - began
    if json:
        render.print_json(as_json(tally, configuration))
    elif sys.stdout.isatty():
        print_tables(tally, configuration)
    else:
        terminal.write(as_text(tally, configuration), sys.stdout)
    if tally.escapes:
        raise typer.Exit(terminal.CODE_FAILED)


def configuration_of(
    policy: Path | None, place: Place, language_off: bool, base: str | None, programs: bool = False
) -> Configuration:
    if base is not None and place is not Place.docker:
        terminal.fail("--base is for --executor docker", terminal.BAD_INPUT)
    given, limits = (
        policy_files.read_policy(policy) if policy is not None else (options.policy_for(None), {})
    )
    guarded = given.language == "guarded" or place is Place.inline
    guarded = guarded and not language_off and not programs
    if place is Place.inline and not guarded:
        terminal.fail(
            "inline, the rules of the language are all there is; leave them on", terminal.BAD_INPUT
        )
    imports = ("*",) if programs else given.imports
    configuration = Configuration(place.value, guarded, imports, limits, base, programs)
    if place is Place.inline and not configuration.judges_objects:
        # They would not be attacks: nothing holds them, and some would do what they try.
        terminal.fail(
            "inline, a policy that authorizes dangerous modules holds nothing, so nothing is tried;"
            " use the jail",
            terminal.BAD_INPUT,
        )
    return configuration


def chosen_programs(categories: list[str] | None) -> list[str]:
    for name in categories or ():
        if name not in CATEGORIES:
            close = difflib.get_close_matches(name, CATEGORIES, 1)
            hint = f"; did you mean {close[0]!r}?" if close else "; fumehood attack --list has them"
            terminal.fail(f"there is no category {name!r}{hint}", terminal.BAD_INPUT)
    return [name for category in categories or CATEGORIES for name in names(category)]


def shown_progress(results: Iterable[Result], number: int) -> Iterator[Result]:
    """The results, with a line on a terminal that tells how far it is."""
    is_seen = sys.stderr.isatty()
    escaped = 0
    for done, result in enumerate(results, 1):
        escaped += result.verdict == "escaped"
        if is_seen:
            sys.stderr.write(
                f"\r\x1b[K{done} of {number} programs, {escaped} escaped:"
                f" {result.program.name[:40]}"
            )
            sys.stderr.flush()
        yield result
    if is_seen:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


# -- showing


def described(configuration: Configuration) -> str:
    place = {
        "local": "a jail on this machine",
        "inline": "this process, without a jail",
        "docker": "a container",
    }[configuration.place]
    rules = f"the rules of the language {'on' if configuration.guarded else 'off'}"
    more = f", imports {', '.join(configuration.imports)}" if configuration.imports else ""
    return f"{place}, {rules}{more}{', programs' if configuration.programs else ''}"


def verdict(tally: Tally) -> str:
    escaped = len(tally.escapes)
    held = (
        f"{escaped} of {tally.tried} programs ESCAPED"
        if escaped
        else f"none of {tally.tried} programs escaped"
    )
    return f"{held}, in {tally.seconds:.0f} seconds"


def as_json(tally: Tally, configuration: Configuration) -> dict[str, Any]:
    return {
        **doctor.machine(),
        "configuration": configuration.as_data(),
        "seconds": round(tally.seconds, 1),
        **tally.totals(),
        "categories": [
            {"name": name, "about": CATEGORIES[name], **row} for name, row in tally.rows()
        ],
        "escapes": [
            {
                "program": result.program.name,
                "aim": result.program.aim,
                "why": terminal.one_line(result.why),
            }
            for result in tally.escapes
        ],
        "left_out": dict(tally.left_out().most_common()),
    }


def notes(tally: Tally) -> list[str]:
    """What stands below the table: each escape, and what was not tried."""
    found = [
        f"ESCAPED  {each.program.name}: {each.program.aim}: {terminal.one_line(each.why)}"
        for each in tally.escapes
    ]
    found += [f"not tried: {number}, {why}" for why, number in tally.left_out().most_common()]
    return found


def as_text(tally: Tally, configuration: Configuration) -> str:
    lines = [doctor.heading(), f"against {described(configuration)}", ""]
    lines.append(f"{'category':<14}" + "".join(f"{column:>11}" for column in _COLUMNS))
    for name, row in [*tally.rows(), ("all", tally.totals())]:
        lines.append(f"{name:<14}" + "".join(f"{row[column]:>11}" for column in _COLUMNS))
    return "\n".join([*lines, "", *notes(tally), verdict(tally)])


def print_tables(tally: Tally, configuration: Configuration) -> None:
    console = terminal.console()
    console.print(Text(doctor.heading(), style="bold"))
    console.print(Text(f"against {described(configuration)}\n", style="italic"))
    grid = Table(box=None, padding=(0, 2, 0, 0))
    grid.add_column("category")
    for column in _COLUMNS:
        grid.add_column(column, justify="right")
    grid.add_column("", overflow="ellipsis", no_wrap=True)
    for name, row in tally.rows():
        numbers = [
            Text(str(row[column]) if row[column] else "·", style="dim" if not row[column] else "")
            for column in _COLUMNS[:-1]
        ]
        escaped = Text(str(row["escaped"]), style="bold red" if row["escaped"] else "green")
        grid.add_row(Text(name), *numbers, escaped, Text(CATEGORIES[name], style="dim"))
    totals = tally.totals()
    grid.add_row(
        Text("all", style="bold"),
        *(Text(str(totals[column]), style="bold") for column in _COLUMNS),
        "",
    )
    console.print(grid, soft_wrap=False)
    for line in notes(tally):
        console.print(Text(line, style="red" if line.startswith("ESCAPED") else "dim"))
    console.print(Text(f"\n{verdict(tally)}", style="bold red" if tally.escapes else "bold green"))
