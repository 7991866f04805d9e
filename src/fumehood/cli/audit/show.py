"""`fumehood audit show`: what a log tells, as a timeline."""

from __future__ import annotations

import contextlib
import re
import sys
import time
from collections import deque
from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, get_args

import typer
from typer.core import TyperCommand

from fumehood.cli import terminal
from fumehood.cli.audit import inputs
from fumehood.results import Fault

if TYPE_CHECKING:
    from fumehood.audit.timeline import Item

_FAULTS = frozenset({"any", *get_args(Fault)})
_AGO = re.compile(r"(\d{1,9})\s*([smhd])", re.ASCII)
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


class WithFaults(TyperCommand):
    """A command whose --fault may stand alone, for any of them."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        spelled: list[str] = []
        for place, argument in enumerate(args):
            spelled.append(argument)
            if argument == "--fault" and (place + 1 == len(args) or args[place + 1] not in _FAULTS):
                spelled.append("any")
        return super().parse_args(ctx, spelled)


def moment(text: str | None) -> float | None:
    """2026-11-15, 2026-11-15T14:30, or how long ago: 90s, 15m, 2h, 3d. A time without a zone is
    this machine's."""
    if text is None:
        return None
    ago = _AGO.fullmatch(text.strip())
    if ago is not None:
        return time.time() - int(ago[1]) * _SECONDS[ago[2]]
    try:
        return datetime.fromisoformat(text.strip()).timestamp()
    except (ValueError, OverflowError, OSError):
        raise typer.BadParameter(
            "must be a time such as 2026-11-15T14:30, or how long ago, such as 15m, 2h or 3d, not"
            f" {text!r}"
        ) from None


Run = Annotated[
    str,
    typer.Option(
        "--run",
        metavar="ID",
        help="Only of this run of an agent; the beginning of its id is enough.",
    ),
]
Session = Annotated[
    str,
    typer.Option(
        "--session", metavar="ID", help="Only of this session; the beginning of its id is enough."
    ),
]
FaultKind = Annotated[
    str,
    typer.Option(
        "--fault",
        metavar="[KIND]",
        help=f"Only cells with a fault, any or one of {', '.join(get_args(Fault))}.",
    ),
]
Module = Annotated[
    str, typer.Option("--import", metavar="MODULE", help="Only cells that imported this module.")
]
ToolName = Annotated[
    str, typer.Option("--tool", metavar="NAME", help="Only cells that called this tool.")
]
Errors = Annotated[bool, typer.Option("--errors", help="Only what went wrong.")]
Since = Annotated[
    str | None,
    typer.Option(
        "--since",
        metavar="TIME",
        help="Not before: 2026-11-15T14:30, or 15m, 2h, 3d ago.",
        show_default=False,
    ),
]
Until = Annotated[
    str | None, typer.Option("--until", metavar="TIME", help="Not after.", show_default=False)
]
Tail = Annotated[
    int | None,
    typer.Option(
        "--tail", metavar="N", min=1, help="Only the last N of these.", show_default=False
    ),
]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="More of everything that is long.")]
Json = Annotated[
    bool,
    typer.Option(
        "--json", help="Print the lines of the log as they are, those of a cell together."
    ),
]


def show(
    file: inputs.Log,
    run: Run = "",
    session: Session = "",
    fault: FaultKind = "",
    module: Module = "",
    tool: ToolName = "",
    errors: Errors = False,
    since: Since = None,
    until: Until = None,
    tail: Tail = None,
    verbose: Verbose = False,
    json: Json = False,
) -> None:
    """Show what happened, in order: sessions, cells with their code and what came of it, tool
    calls, model calls, runs of agents.

    A cell stands where it ended. Whether anybody has changed the log is not looked at here:
    `fumehood audit verify` does that. Exit code: 0 done, 2 bad input.

    Example: fumehood audit show audit.jsonl
    """
    from fumehood.audit.timeline import Choice, read_events, timeline

    choice = Choice(run, session, fault, module, tool, errors, moment(since), moment(until))
    with inputs.readable():
        chosen: Iterable[Item] = (
            item for item in timeline(read_events(file)) if choice.takes(item)
        )
        if tail is not None:
            chosen = deque(chosen, maxlen=tail)
        if json:
            _print_lines(chosen)
        elif not _print_items(chosen, 2 if verbose else 1):
            terminal.say(
                "nothing in the log is like that" if choice != Choice() else "the log is empty"
            )


def _print_items(items: Iterable[Item], level: int) -> int:
    from fumehood.agent.console.screen import standard_output
    from fumehood.audit.timeline import Cell
    from fumehood.cli.audit.blocks import LogLook

    screen = standard_output()
    if screen is None:
        return 1
    look = LogLook(screen.encoding, level)
    shown, below_cell = 0, False
    for item in items:
        rule, block = look.item(item)
        shown += 1
        screen.write(
            [rule, *block] if rule is not None else block, gap=rule is not None or below_cell
        )
        if rule is not None or block:
            below_cell = isinstance(item, Cell)
        if screen.broken:
            break  # nobody reads any more
    return shown


# What a terminal may obey, and JSON lets stand as it is.
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def _print_lines(items: Iterable[Item]) -> None:
    is_terminal = sys.stdout.isatty()
    with contextlib.suppress(BrokenPipeError):  # nobody reads any more
        for item in items:
            for record in item.records:
                raw = record.raw
                if is_terminal:
                    text = raw.decode("utf-8", "backslashreplace")
                    raw = _CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text).encode(
                        "utf-8", "backslashreplace"
                    )
                sys.stdout.buffer.write(raw + b"\n")
        sys.stdout.buffer.flush()
