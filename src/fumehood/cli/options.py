"""Options that several commands share, and what the library makes of them."""

from __future__ import annotations

import contextlib
import math
import warnings
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from fumehood.cli.terminal import BAD_INPUT, NO_ISOLATION, fail, say
from fumehood.errors import JailUnavailable, PolicyError
from fumehood.executors.local import LocalPythonExecutor
from fumehood.policy import Limits, Policy


def positive(seconds: float | None) -> float | None:
    if seconds is not None and not (math.isfinite(seconds) and seconds > 0):
        raise typer.BadParameter("must be a number of seconds greater than 0")
    return seconds


Program = Annotated[str, typer.Argument(metavar="FILE", help="The program; - for standard input.", show_default=False)]
Imports = Annotated[
    list[str] | None,
    typer.Option("--import", metavar="MODULE", help="Authorize one more module; may be repeated.", show_default=False),
]
Inline = Annotated[bool, typer.Option("--inline", help="Run in this very process, where only the language rules guard it.")]
Timeout = Annotated[
    float | None,
    typer.Option(
        "--timeout",
        metavar="SECONDS",
        callback=positive,
        help="Stop a cell after this time.",
        show_default=f"{Limits().cell_seconds:g}",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]


@contextlib.contextmanager
def problems_as_lines() -> Iterator[None]:
    """What the library has to say about options (warnings, a misspelt module, no jail) becomes one line each."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            yield
        except PolicyError as error:
            fail(str(error), BAD_INPUT)
        except JailUnavailable as error:
            fail(f"{error} (here: --inline)", NO_ISOLATION)
        finally:
            for warning in caught:
                say(f"warning: {warning.message}")


def policy_for(imports: list[str] | None) -> Policy:
    with problems_as_lines():
        policy = Policy(imports=tuple(imports or ()))
        policy.verify()
    return policy


def open_executor(imports: list[str] | None, *, inline: bool, timeout: float | None) -> LocalPythonExecutor:
    options: dict[str, Any] = {"isolation": "inline" if inline else "jail"}
    if timeout is not None:
        options["timeout_seconds"] = timeout
    with problems_as_lines():
        return LocalPythonExecutor(imports or (), **options)
