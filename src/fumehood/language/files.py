"""`open` for code that may have files: it reaches the directories it was given, and nothing by number or by another's hand."""

from __future__ import annotations

import builtins
import os
from collections.abc import Callable, Iterable
from typing import Any

from fumehood.errors import ForbiddenCall


def make_open(directories: Iterable[str]) -> Callable[..., Any]:
    """An `open` that takes paths below the given directories, relative ones being below the first.

    A descriptor's number is refused, as code could guess one that is not its own, and so is an opener. Links are resolved before the path
    is judged; that code cannot swap one meanwhile is the jail's to see to, which holds files to the same directories.
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
        path = os.path.realpath(os.path.join(roots[0], file))
        if not any(path == root or path.startswith(root + "/") for root in roots):
            raise ForbiddenCall(f"open() reaches {', '.join(roots)} and nothing else; {file!r} is elsewhere")
        if encoding is None and "b" not in str(mode):
            encoding = "utf-8"
        return builtins.open(path, mode, buffering, encoding, errors, newline)  # this is what code calls

    return open
