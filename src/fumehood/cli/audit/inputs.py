"""What the commands on logs have in common: the files, the key, and the one line for a log that
cannot be read."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from fumehood.cli import terminal
from fumehood.errors import AuditError

KEY_VARIABLE = "FUMEHOOD_AUDIT_KEY"
_LONGEST_KEY = 1 << 16

Log = Annotated[
    Path,
    typer.Argument(
        metavar="FILE", help="The log; its rotated files are read with it.", show_default=False
    ),
]
Logs = Annotated[
    list[Path],
    typer.Argument(
        metavar="FILE…", help="Logs; their rotated files are read with them.", show_default=False
    ),
]
KeyFile = Annotated[
    Path | None,
    typer.Option(
        "--key-file",
        metavar="FILE",
        help=f"The key of the log is in this file; else in {KEY_VARIABLE}.",
        show_default=False,
    ),
]


def key_of(file: Path | None) -> bytes | None:
    """The key, if there is one. An end of line after it does not belong to it: editors add one."""
    if file is None:
        said = os.environ.get(KEY_VARIABLE, "")
        return os.fsencode(said) if said else None
    try:
        with file.open("rb") as stream:
            key = stream.read(_LONGEST_KEY + 1).removesuffix(b"\n").removesuffix(b"\r")
    except OSError as error:
        terminal.fail(
            f"the key cannot be read from {file}: {error.strerror or error}", terminal.BAD_INPUT
        )
    if not key or len(key) > _LONGEST_KEY:
        terminal.fail(
            f"{file} is {'empty' if not key else 'too long'}: it is no key", terminal.BAD_INPUT
        )
    return key


@contextlib.contextmanager
def readable() -> Iterator[None]:
    """In here, a log that cannot be read and Ctrl-C are one line each."""
    with terminal.interruptible():
        try:
            yield
        except AuditError as error:
            terminal.fail(str(error), terminal.BAD_INPUT)
        except OSError as error:
            terminal.fail(
                f"{error.filename or 'the log'}: {error.strerror or error}", terminal.BAD_INPUT
            )
