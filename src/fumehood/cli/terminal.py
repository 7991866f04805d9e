"""Output to a terminal, and the one line a failure gets. Text from a sandbox passes `printable`
first."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import NoReturn, TextIO

import typer
from rich.console import Console

from fumehood.agent.console.text import LONGEST_LINE, one_line
from fumehood.cli.exit_codes import BAD_INPUT, CODE_FAILED, INTERRUPTED, NO_ISOLATION
from fumehood.wire.show import printable

__all__ = [
    "BAD_INPUT",
    "CODE_FAILED",
    "INTERRUPTED",
    "LONGEST_LINE",
    "NO_ISOLATION",
    "accept_any_text",
    "console",
    "fail",
    "interruptible",
    "one_line",
    "printable",
    "say",
    "write",
]


def accept_any_text() -> None:
    """Let the standard streams take what has no encoding: it is shown as an escape, and a cell with
    it is refused."""
    for stream, errors in (
        (sys.stdin, "surrogateescape"),
        (sys.stdout, "backslashreplace"),
        (sys.stderr, "backslashreplace"),
    ):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=errors)


def say(message: str) -> None:
    """One line on stderr, with the name of the program in front."""
    typer.echo(f"fumehood: {one_line(message)}", err=True)


def fail(message: str, code: int) -> NoReturn:
    """Say why, in one line on stderr, and leave with the exit code."""
    say(message)
    raise typer.Exit(code)


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """Ctrl-C in here ends the command, with one line."""
    try:
        yield
    except KeyboardInterrupt:
        fail("interrupted", INTERRUPTED)


def write(text: str, stream: TextIO) -> None:
    """Write text of untrusted origin, printable, ending in a newline."""
    shown = printable(text)
    stream.write(shown if shown.endswith("\n") or not shown else shown + "\n")
    stream.flush()


def console(*, stderr: bool = False) -> Console:
    """A Rich console that colours but never interprets, wraps or emphasises by itself."""
    return Console(stderr=stderr, highlight=False, markup=False, emoji=False, soft_wrap=True)
