"""A line on the terminal that says how far a map is: on standard error, and only where somebody can
see it or asked for it."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Sized
from typing import Any

from fumehood.errors import PolicyError
from fumehood.fleet.results import FleetResult


def check_progress(asked: object) -> None:
    if asked is not None and type(asked) is not bool:
        raise PolicyError(f"progress must be True, False or None, not {asked!r}")


def is_shown(asked: bool | None) -> bool:
    return sys.stderr.isatty() if asked is None else asked


@contextlib.contextmanager
def shown(inputs: Any, asked: bool | None) -> Iterator[Callable[[FleetResult], None]]:
    """Gives what is to be told of each result."""
    if not is_shown(asked):
        yield lambda result: None
        return
    from rich.console import Console  # late: most have no terminal
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
    )

    columns = (
        SpinnerColumn(),
        MofNCompleteColumn(),
        BarColumn(),
        TextColumn("{task.fields[failed]} failed"),
        TimeElapsedColumn(),
    )
    # What the program prints meanwhile is shown above the bar, where both are on the terminal, and
    # else goes where it always goes.
    with Progress(
        *columns, console=Console(stderr=True), redirect_stdout=sys.stdout.isatty()
    ) as bar:
        task = bar.add_task("", total=len(inputs) if isinstance(inputs, Sized) else None, failed=0)
        failed = 0

        def tell(result: FleetResult) -> None:
            nonlocal failed
            failed += not result.ok
            bar.update(task, advance=1, failed=failed)

        yield tell
