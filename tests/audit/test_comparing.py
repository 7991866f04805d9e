"""What a log says, and what came of it this time: the same, or not."""

from __future__ import annotations

from typing import Any

import pytest

from fumehood.audit.answering import as_exception
from fumehood.audit.comparing import Difference, compare, diff, is_same_value
from fumehood.audit.values import encode_value
from fumehood.results import ErrorInfo, Execution, Finding


def test_what_validators_have_changed_is_not_compared() -> None:
    logged = Execution(
        value="[e-mail]",
        logs="[e-mail]",
        findings=(Finding("value", "e-mail", "redact"), Finding("logs", "e-mail", "redact")),
    )
    assert [*compare(logged, "[e-mail]", Execution(value="a@b.c", logs="a@b.c"), 1000)] == []
    reported = Execution(value="x", findings=(Finding("value", "e-mail", "report"),))
    assert [what for what, *_ in compare(reported, "x", Execution(value="y"), 1000)] == ["value"]


@pytest.mark.parametrize(
    ("logged", "now", "same"),
    [
        (1, 1, True),
        (1, 1.0, False),
        (1, True, False),
        ([1, 2], (1, 2), False),
        ({"a": 1}, {"a": 1}, True),
        ({3, 1, 2}, {1, 2, 3}, True),
        ({3, 1, 2}, frozenset({1, 2, 3}), False),
        (
            ["set", 1, 2],
            ["set", 2, 1],
            True,
        ),  # a plain list that looks like one loses its order: better than a false alarm
        (float("nan"), float("nan"), True),
        ("<x at 0x7f00aa>", "<x at 0x7f11bb>", True),
        ("0x7f00aa", "0x7f11bb", False),
    ],
)
def test_values_are_the_same_or_not(logged: Any, now: Any, same: bool) -> None:
    assert is_same_value(encode_value(logged), now) is same


def test_a_long_difference_is_shown_in_a_few_lines() -> None:
    shown = diff("\n".join(map(str, range(1000))), "\n".join(map(str, range(500, 1500))))
    assert len(shown.split("\n")) < 20 and "more lines" in shown


def test_a_difference_says_where_it_is() -> None:
    assert (
        str(Difference("s", 3, "value", "1", "2", "a.jsonl, line 9"))
        == "cell 3 of session s: value (a.jsonl, line 9)\n  - 1\n  + 2"
    )


@pytest.mark.parametrize(
    ("kind", "made"),
    [("ValueError", ValueError), ("SystemExit", Exception), ("a b\0", Exception), ("", Exception)],
)
def test_an_exception_of_the_log_is_one_that_code_can_catch(kind: str, made: type) -> None:
    error = as_exception(ErrorInfo(kind, "text", ""))
    assert isinstance(error, made) and isinstance(error, Exception)
