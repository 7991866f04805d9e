"""A finished run, printed again from memory."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fumehood.agent.console.printer import StepPrinter
from fumehood.agent.steps import Step

if TYPE_CHECKING:
    from rich.console import Console


def replay(steps: Iterable[Step], console: Console | None = None, detailed: bool = False) -> None:
    """Print steps as they were shown, or would have been, when they happened; with details, what
    the model was told of each too."""
    printer = StepPrinter(2 if detailed else 1, console=console)
    for step in [*steps]:
        printer.show(step)
