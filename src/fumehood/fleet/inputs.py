"""What is made of an input before it travels: the cells to run, and the variables that they
find."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fumehood.errors import PolicyError
from fumehood.executors.options import check_variables
from fumehood.fleet.parcels import pack_item

Code = str | Sequence[str] | Callable[[Any], str | Sequence[str]]
"""What is run for each input: one cell, several, or a function that gives them for an input."""


def check_code(code: Code) -> None:
    """PolicyError for what can be run for no input at all."""
    if not callable(code):
        _cells(code)


def parcel_of(code: Code, given: Any, seconds: float | None) -> bytes:
    """An item, ready to travel. A dictionary is variables by name; anything else is one variable,
    `input`. Where a function makes the cells, they have what it put into them and no variables: a
    program that is scored should not find its own tests among them.

    PolicyError says in one line what cannot be sent; what the function raises is its own.
    """
    if callable(code):
        return _packed(_cells(code(given)), {}, seconds)
    return _packed(
        _cells(code),
        check_variables(given) if isinstance(given, Mapping) else {"input": given},
        seconds,
    )


def _cells(code: object) -> list[str]:
    if isinstance(code, str):
        return [code]
    cells = list(code) if isinstance(code, Sequence) else []
    if not cells or not all(isinstance(cell, str) for cell in cells):
        raise PolicyError(
            f"code must be a text, or a list of texts with at least one in it, not {_short(code)}"
        )
    return cells


def _packed(cells: list[str], variables: dict[str, Any], seconds: float | None) -> bytes:
    try:
        return pack_item(cells, variables, seconds)
    except Exception as error:  # whatever a class of the caller's own raises when it is pickled
        first = (str(error).splitlines() or [type(error).__name__])[0]
        raise PolicyError(f"the input cannot be sent into a sandbox: {first}") from error


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:60] + "…"
