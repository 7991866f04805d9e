"""What callers ask for, checked where they ask: numbers, paths, dictionaries, functions. One line
says which argument is wrong, what it may be, and what it is.

A value is shown, for whoever wrote "30" for 30, and cut, for whoever gave a text of a megabyte.
What would fail much later, in a thread where nobody sees it, fails here.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from fumehood.errors import FumehoodError, PolicyError
from fumehood.wire.show import bounded_repr, one_line

MOST_SECONDS = 1_000_000_000
"""Thirty years. Locks and timers take ten times that, and fail with more, endless time among it."""

_LONGEST = 60


def shown(value: Any) -> str:
    """A value in a message: one line, a bounded one, whatever it is."""
    return one_line(bounded_repr(value, 2 * _LONGEST), _LONGEST)


def is_number(value: Any) -> bool:
    """Whether it is a number that one can reckon with: True is none, though Python thinks so."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def seconds(
    name: str, value: Any, error: type[FumehoodError] = PolicyError, *, may_be_none: bool = True
) -> float | None:
    """A time to wait. None is no bound, where that may be."""
    if value is None and may_be_none:
        return None
    or_none = " or None for no limit" if may_be_none else ""
    if not is_number(value) or not value > 0:
        raise error(f"{name} must be a number of seconds above 0{or_none}, not {shown(value)}")
    if not value < MOST_SECONDS:
        raise error(
            f"{name} must be less than {MOST_SECONDS:,} seconds{or_none}, not {shown(value)}"
        )
    return float(value)


def whole(
    name: str,
    value: Any,
    least: int = 1,
    error: type[FumehoodError] = PolicyError,
    *,
    unless: str = "",
) -> int:
    """A number of things. `unless` is what may be given in its place, for the message."""
    if type(value) is not int or value < least:
        raise error(
            f"{name} must be a whole number of at least {least:,}{unless}, not {shown(value)}"
        )
    return value


def dictionary(
    name: str, value: Any, like: str, error: type[FumehoodError] = PolicyError
) -> dict[Any, Any]:
    """Things by their names; none for None. `like` is one, as it would be written."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise error(f"{name} must be a dictionary such as {like}, not {shown(value)}")
    return dict(value)


def functions(name: str, value: Any, takes: str) -> list[Callable[..., Any]]:
    """A list of functions. One that stands alone is the likeliest mistake."""
    if value is None:
        return []
    if callable(value) or isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        hint = "; for one, write [it]" if callable(value) else ""
        raise PolicyError(
            f"{name} must be a list of functions of ({takes}), not {shown(value)}{hint}"
        )
    given = list(value)
    for place, one in enumerate(given):
        if not callable(one):
            raise PolicyError(f"{name}[{place}] must be a function of ({takes}), not {shown(one)}")
    return given


def text(name: str, value: Any) -> str | None:
    """A text, or None."""
    if value is not None and not isinstance(value, str):
        raise PolicyError(f"{name} must be a text or None, not {shown(value)}")
    return value


def path_of(what: str, value: Any, error: type[FumehoodError] = PolicyError) -> Path:
    """A path that a file can have. Whether there is one is found out by opening it."""
    if not isinstance(value, (str, os.PathLike)) or not isinstance(os.fspath(value), str):
        raise error(f"{what} must be given as a path, not {shown(value)}")
    name = os.fspath(value)
    if not name:
        raise error(f"{what} must be given as a path, and this one is empty")
    try:
        os.fsencode(name)
    except UnicodeEncodeError:
        raise error(
            f"{what} cannot be {shown(name)}: no file has a name with half a character in it"
        ) from None
    if "\0" in name:
        raise error(f"{what} cannot be {shown(name)}: no file has a name with a zero byte in it")
    return Path(name)
