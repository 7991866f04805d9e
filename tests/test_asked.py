"""Arguments that cannot be: one line says which it is, what it may be, and what it is, however odd
the value."""

from __future__ import annotations

from typing import Any

import pytest

from fumehood import asked
from fumehood.errors import PolicyError, ToolError


class Spiteful:
    def __repr__(self) -> str:
        raise RuntimeError("no")


ODD = [
    None,
    True,
    "3",
    b"3",
    float("nan"),
    [],
    {},
    Spiteful(),
    "x" * 100_000,
    "\ud800",
    "two\nlines",
    -(10**5000),
]


def odd_id(value: Any) -> str:
    return f"{type(value).__name__}-{asked.shown(value)}"[:30]


@pytest.mark.parametrize("value", ODD, ids=odd_id)
def test_what_is_no_number_is_shown_in_a_line_that_is_not_long(value: Any) -> None:
    for check in (
        lambda: asked.seconds("wait", value, may_be_none=False),
        lambda: asked.whole("wait", value),
    ):
        with pytest.raises(PolicyError, match=r"^wait must be a .*number.*, not ") as raised:
            check()
        assert str(raised.value).isprintable()
        assert len(str(raised.value)) < 150


@pytest.mark.parametrize("value", [float("inf"), 10**400, 1e300])
def test_a_time_that_no_clock_can_wait_for_is_refused_when_it_is_asked_for(value: float) -> None:
    with pytest.raises(
        ToolError, match=r"^wait must be less than 1,000,000,000 seconds or None for no limit, not "
    ):
        asked.seconds("wait", value, ToolError)
    with pytest.raises(PolicyError, match="1,000,000,000 seconds, not "):
        asked.seconds("wait", value, may_be_none=False)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (
            len,
            (
                r"^checks must be a list of functions of \(x\), not <built-in function len>; for"
                r" one, write \[it\]$"
            ),
        ),
        ("len", r"^checks must be a list of functions of \(x\), not 'len'$"),
        (3, "not 3$"),
        ([len, 3], r"^checks\[1\] must be a function of \(x\), not 3$"),
    ],
)
def test_functions_are_a_list_of_them(value: Any, said: str) -> None:
    with pytest.raises(PolicyError, match=said):
        asked.functions("checks", value, "x")


@pytest.mark.parametrize("value", [3, "ab", [1], [("a", 1)]])
def test_a_dictionary_is_one(value: Any) -> None:
    with pytest.raises(
        PolicyError, match=r"^options must be a dictionary such as \{'a': 1\}, not "
    ):
        asked.dictionary("options", value, "{'a': 1}")


@pytest.mark.parametrize("value", [None, 3, b"x", "", "a\0b", "\ud800", ["x"]], ids=repr)
def test_a_path_is_one_that_a_file_can_have(value: Any) -> None:
    with pytest.raises(
        PolicyError, match=r"^a file (must be given as a path|cannot be ')"
    ) as raised:
        asked.path_of("a file", value)
    assert str(raised.value).isprintable()
