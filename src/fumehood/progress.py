"""What is told of something that takes a while: a line on the terminal, if there is one, and lines
of `logging`."""

from __future__ import annotations

import contextlib
import logging
import shutil
import sys
from collections.abc import Callable, Iterator
from typing import Any

Progress = Callable[[str], Any]


@contextlib.contextmanager
def told(
    what: str, on_progress: Progress | None, log: logging.Logger
) -> Iterator[Callable[[str], None]]:
    """Somebody to tell each line to. With nobody who asked, the last one stands on the terminal
    while it lasts."""
    shown = on_progress or (_on_terminal if _has_terminal() else _nowhere)
    log.info("%s", what)

    def report(line: str) -> None:
        log.debug("%s", line)
        shown(line)

    try:
        yield report
    finally:
        if shown is _on_terminal:
            with contextlib.suppress(OSError, ValueError):
                sys.stderr.write("\r\x1b[K")
                sys.stderr.flush()


def _has_terminal() -> bool:
    try:
        return sys.stderr.isatty()
    except (AttributeError, ValueError):  # none, or closed
        return False


def _on_terminal(line: str) -> Any:
    width = shutil.get_terminal_size().columns
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(f"\r\x1b[K{f'fumehood: {line}'[: width - 1]}")
        sys.stderr.flush()


def _nowhere(_line: str) -> None:
    pass
