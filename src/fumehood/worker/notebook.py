"""What a notebook shows at the end of a cell: the value of its last statement, if that is an
expression, and the figures still open.

A notebook's values come with two formats more than others, for whoever draws them anew: the numbers
of a table and those of a chart.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Callable
from typing import Any

from fumehood.language.magics import parsed
from fumehood.worker.display import Bundle, Displays

_LINE_END = re.compile(r"\r\n|\r|\n")
_REMEMBERED_CHARACTERS = 20_000
MOST_CHARACTERS = 16 << 20
"""Of an exception's message. Some who run code in notebooks have it raise what they want of it."""


def shows_value(code: str) -> bool:
    """Whether a cell's last statement is an expression, and no semicolon behind it asks to be
    spared of its value."""
    return _remembered(code) if len(code) <= _REMEMBERED_CHARACTERS else _shows_value(code)


def _shows_value(code: str) -> bool:
    try:
        body = parsed(code).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    last = body[-1] if body else None
    if not isinstance(last, ast.Expr) or last.end_lineno is None or last.end_col_offset is None:
        return False
    line = _LINE_END.split(code)[last.end_lineno - 1]
    return not line.encode()[last.end_col_offset :].lstrip().startswith(b";")


_remembered = functools.lru_cache(maxsize=32)(_shows_value)
"""The same text often runs again."""


def show(displays: Displays, value: Any, send: Callable[[Bundle, bool], None]) -> None:
    """Show a cell's value, and then the figures that are still open: in that order a notebook shows
    them."""
    if value is not None and not displays.is_shown(value):
        send(displays.bundle(value), True)
    displays.end_cell()
