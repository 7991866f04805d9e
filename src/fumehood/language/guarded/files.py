"""`open` for code that may have files: it reaches the directories it was given, and nothing by
number or by another's hand."""

from __future__ import annotations

import builtins
import os
from collections.abc import Callable, Iterable
from typing import Any

from fumehood.errors import ForbiddenCall


def make_open(directories: Iterable[str]) -> Callable[..., Any]:
    """An `open` that takes paths below the given directories, relative ones being below the first.

    A descriptor's number is refused, as code could guess one that is not its own, and so is an
    opener. Links are resolved before the path is judged; that code cannot swap one meanwhile is the
    jail's to see to, which holds files to the same directories.
    """
    roots = tuple(directories)

    def open(
        file: Any,
        mode: Any = "r",
        buffering: Any = -1,
        encoding: Any = None,
        errors: Any = None,
        newline: Any = None,
        closefd: Any = True,
        opener: Any = None,
    ) -> Any:
        if type(file) is not str:
            raise ForbiddenCall(f"open() takes a path as text here, not {type(file).__name__}")
        if opener is not None or closefd is not True:
            raise ForbiddenCall("open() takes no opener and no closefd here")
        path = _below(roots, os.path.realpath(os.path.join(roots[0], file)))
        if path is None:
            more = "a Mount in the policy shows code more"
            raise ForbiddenCall(
                f"open() reaches {', '.join(roots)} and nothing else; {file!r} is elsewhere"
                f" ({more})"
            )
        if encoding is None and "b" not in str(mode):
            encoding = "utf-8"
        return builtins.open(
            path, mode, buffering, encoding, errors, newline
        )  # this is what code calls

    return open


def _below(roots: tuple[str, ...], path: str) -> str | None:
    """A path without links, told from the root it is below; None if it is below none. A root may be
    a link itself."""
    for root in roots:
        real = os.path.realpath(root)
        if path == real or path.startswith(real + "/"):
            return root + path[len(real) :]
    return None
