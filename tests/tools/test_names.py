"""What a tool may be called."""

from __future__ import annotations

import keyword

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.tools.names import as_identifier, as_parameter, why_bad


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", "identifier"),
        ("get-weather", "identifier"),
        ("2nd", "identifier"),
        ("a b", "identifier"),
        ("a\n", "identifier"),
        ("import", "keyword"),
        ("None", "keyword"),
        ("print", "builtin"),
        ("ValueError", "builtin"),
        ("exit", "ends a cell"),
        ("display", "shows a value"),
        ("__import__", "two underscores"),
        ("ﬁnd", "Python reads it as 'find'"),
        ("x" * 101, "101 characters"),
        (3, "not int"),
        (None, "not NoneType"),
    ],
)
def test_names_that_it_cannot(name: object, words: str) -> None:
    assert words in (why_bad(name) or "")


@given(st.text(max_size=300))
def test_any_name_becomes_one_that_code_can_use(name: str) -> None:
    made = as_identifier(name)
    assert why_bad(made) is None
    assert made != "final_answer"


@given(st.text(max_size=150), st.sets(st.text(max_size=5)))
def test_any_name_becomes_one_for_a_parameter(name: str, taken: set[str]) -> None:
    made = as_parameter(name, taken)
    assert (
        made.isidentifier()
        and not keyword.iskeyword(made)
        and made not in taken
        and not made.startswith("__")
    )
