"""Which argument goes where: as in Python, and in Python's words where it does not."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from fumehood.tools.arguments import checked


def tool(*args, **kwargs): ...


def _shapes() -> Iterable[Callable[..., Any]]:
    def tool(): ...

    yield tool

    def tool(a): ...

    yield tool

    def tool(a, b, c): ...

    yield tool

    def tool(a, b=1): ...

    yield tool

    def tool(a, /, b, *, c): ...

    yield tool

    def tool(a, b, /): ...

    yield tool

    def tool(a, /, **kwargs): ...

    yield tool

    def tool(*args, c, d=1): ...

    yield tool

    def tool(a=1, *, c, d): ...

    yield tool

    def tool(a, *args, **kwargs): ...

    yield tool


CALLS = [
    (args, dict.fromkeys(names, 0))
    for args, names in itertools.product(
        [(), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4)], ["", "a", "b", "c", "ab", "cd", "z", "abc"]
    )
]


@pytest.mark.parametrize(
    "shape", list(_shapes()), ids=lambda shape: "-".join(shape.__code__.co_varnames)
)
def test_binding_agrees_with_python_call_by_call_and_word_by_word(
    shape: Callable[..., Any],
) -> None:
    check = checked(shape, "tool")
    shape.__qualname__ = "tool"
    for args, kwargs in CALLS:
        expected = actual = ""
        try:
            shape(*args, **kwargs)
        except TypeError as error:
            expected = str(error)
        try:
            assert check(args, kwargs) == (args, kwargs)
        except TypeError as error:
            actual = str(error)
        assert actual.partition(". Did you mean")[0] == expected.partition(". Did you mean")[0], (
            args,
            kwargs,
        )


def test_a_misspelt_keyword_is_told_what_was_meant() -> None:
    def search(query: str, limit: int = 10): ...

    with pytest.raises(
        TypeError,
        match=re.escape(
            "search() got an unexpected keyword argument 'limt'. Did you mean 'limit'?"
        ),
    ):
        checked(search)(("x",), {"limt": 3})
