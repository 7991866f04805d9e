"""What may reach a terminal, and the one line a failure gets.

Text that untrusted code printed may hold escape sequences: they can rewrite what is on the screen, set the clipboard
or answer the shell. So everything shown passes `printable` first.
"""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import Iterator
from typing import NoReturn, TextIO

import typer
from rich.console import Console

# Exit codes: 0 is done.
CODE_FAILED = 1
BAD_INPUT = 2
NO_ISOLATION = 3
INTERRUPTED = 130  # what a shell reports for a program that Ctrl-C ended

LONGEST_LINE = 500

# Whole sequences first, so that coloured output comes out as its words instead of "[31mwords[0m". This is for looks:
# safety is the second expression, which leaves no character a sequence could start with, in 7-bit or 8-bit form.
_SEQUENCES = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-~]")
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def printable(text: str) -> str:
    """The text without control characters and escape sequences; newlines and tabs stay."""
    return _CONTROLS.sub("", _SEQUENCES.sub("", text.replace("\r\n", "\n")))


def one_line(text: str) -> str:
    """The text, printable, on one line of bounded length; of a longer one the middle is left out."""
    line = " ".join(printable(text).split())
    half = LONGEST_LINE // 2
    return line if len(line) <= LONGEST_LINE else f"{line[: half - 1]}…{line[-half:]}"


def accept_any_text() -> None:
    """Let the standard streams take what has no encoding: it is shown as an escape, and a cell with it is refused."""
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
