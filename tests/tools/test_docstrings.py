"""What a docstring says of a function, in every style that is read."""

from __future__ import annotations

import inspect

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.tools.docstrings import MOST_CHARACTERS, Docstring, read_docstring

GOOGLE = """
Search the web.

It takes a while.

Args:
    query (str): What to look for,
        in a few words.
    limit (Optional[int]): How many: 1 to 10.

    **more: Whatever else.

Returns:
    list[str]: The results,
    best first.

Raises:
    ValueError: If the query is empty.
"""

NUMPY = """
Search the web.

It takes a while.

Parameters
----------
query : str
    What to look for,
    in a few words.
limit : int, optional
    How many: 1 to 10.
**more
    Whatever else.

Returns
-------
list of str
    The results,
    best first.

Raises
------
ValueError
    If the query is empty.
"""

SPHINX = """
Search the web.

It takes a while.

:param str query: What to look for,
    in a few words.
:param limit: How many: 1 to 10.
:type limit: int
:keyword more: Whatever else.
:returns: The results,
    best first.
:rtype: list
:raises ValueError: If the query is empty.
"""


@pytest.mark.parametrize("text", [GOOGLE, NUMPY, SPHINX], ids=["google", "numpy", "sphinx"])
def test_every_style_says_the_same(text: str) -> None:
    read = read_docstring(inspect.cleandoc(text))
    assert read.arguments == {
        "query": "What to look for, in a few words.",
        "limit": "How many: 1 to 10.",
        "more": "Whatever else.",
    }
    assert read.returns == "The results, best first."
    assert read.description.startswith("Search the web.\n\nIt takes a while.")
    assert "few words" not in read.description
    assert "best first" not in read.description


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Args:",
        "Args: none",
        "Args:\n\n",
        "Note: this.\n\nArgs are nice.",
        "x: y",
        ":param",
        "Parameters\n--",
    ],
)
def test_prose_stays_prose(text: str) -> None:
    assert read_docstring(text) == Docstring(text.strip(), {}, "")


def test_of_a_docstring_without_end_only_so_much_is_read() -> None:
    assert len(read_docstring("word " * MOST_CHARACTERS).description) <= MOST_CHARACTERS


def test_a_hostile_line_is_read() -> None:
    """One that sent an expression back again and again would not be read while the test lasts."""
    for nasty in (
        "Args:\n" + "    a(" * 8000,
        "    " * 12_000,
        "a" * 49_000 + ":",
        ":param " * 7000,
        "x(" * 20_000 + ":",
    ):
        assert isinstance(read_docstring(nasty).description, str)


@given(st.text(alphabet=st.sampled_from("ab:*()-=,.\n    \tArgs:Returns:param"), max_size=400))
def test_any_text_is_read(text: str) -> None:
    read = read_docstring(text)
    assert isinstance(read.description, str)
    assert all(
        isinstance(words, str)
        for words in [read.returns, *read.arguments, *read.arguments.values()]
    )
