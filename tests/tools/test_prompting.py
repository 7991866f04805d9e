"""How a tool is told to a model."""

from __future__ import annotations

import ast
import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.tools.prompting import MOST_CHARACTERS, signature_text
from fumehood.tools.tool import Tool, tool


def test_a_tool_is_told_as_the_beginning_of_a_function() -> None:
    @tool
    def price(
        ticker: str, day: datetime.date | None = None, *, kinds: tuple[str, ...] = ("a", "b")
    ) -> float:
        """The price of a share.

        It is delayed.

        Args:
            ticker: Its symbol, like "ACME".
            day: The day.

        Returns:
            In euros.
        """
        return 1.0

    assert (
        signature_text(price)
        == '''\
def price(ticker: str, day: datetime.date | None = None, *, kinds: tuple[str, ...] = ('a', 'b')) -> float:
    """The price of a share.

    It is delayed.

    Args:
        ticker: Its symbol, like "ACME".
        day: The day.

    Returns:
        In euros.
    """'''
    )


def test_a_function_that_is_no_tool_is_told_too() -> None:
    def half(x, /, y=2):  # type: ignore[no-untyped-def]
        """Half."""

    assert signature_text(half) == 'def half(x, /, y=2):\n    """Half."""'
    assert signature_text(half, "other").startswith("def other(")
    assert signature_text(lambda x: x, "f") == "def f(x):\n    ..."


def _with(description: str, **options: Any) -> Tool:
    def forward(x: int) -> int:
        return x

    made = Tool(forward, name="hostile", description="x", **options)
    made.description = description
    return made


def read(text: str) -> ast.FunctionDef:
    """The one function that a text is."""
    (function,) = ast.parse(text).body
    assert isinstance(function, ast.FunctionDef)
    assert len(function.body) == 1, "a docstring, and nothing that follows it"
    return function


@pytest.mark.parametrize(
    "words",
    [
        'ends """ early',
        'ends with a quote"',
        'ends with quotes"""',
        '""" + exec("x") + """',
        "a backslash at the end \\",
        'an escaped \\""" quote',
        "\\N{no such name} \\x \\u12",
        '"""\ndef evil():\n    """',
        "lines\r\nof\rWindows\x0band\x0cothers\u2028here",
        "control \x00 \x1b[31m \x07 and \u202e direction",
        "    indented\n        and more",
        "\ttabs\n\t\tmore",
    ],
)
def test_whatever_words_hold_it_stays_one_docstring(words: str) -> None:
    text = signature_text(_with(words))
    assert ast.get_docstring(read(text))
    assert not [character for character in text if ord(character) < 32 and character != "\n"]


def test_words_without_end_are_shortened() -> None:
    text = signature_text(_with("word " * 10**5))
    assert "(shortened)" in text
    assert len(text) < MOST_CHARACTERS + 200


@given(st.text(max_size=300), st.text(max_size=100), st.text(max_size=30))
def test_any_words_make_one_function(description: str, words: str, returns: str) -> None:
    made = _with(description)
    made.inputs["x"]["description"] = words
    made.output_description = returns
    read(signature_text(made))
