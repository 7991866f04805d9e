"""What a cell gives out, checked as a whole: what is kept, replaced, withheld, and said about
it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from fumehood.errors import PolicyError
from fumehood.results import ErrorInfo, Execution, Finding
from fumehood.validation import Custom, Match, MaxSize, Pattern, PersonalData, Validation

MAIL = "bob@example.com"
CARD = "4111111111111111"


def test_an_execution_in_which_nothing_is_found_is_the_same_object() -> None:
    validation = Validation([PersonalData()])
    for execution in (
        Execution(),
        Execution(value=42, logs="42\n"),
        Execution(
            value={"a": [1, "two", None]},
            logs="a longer line of text\n",
            displays=({"text/plain": "x"},),
        ),
        Execution(error=ErrorInfo("ValueError", "no", "Traceback …\nValueError: no", 1)),
    ):
        assert validation.check(execution) is execution


def test_redact_replaces_in_every_place_and_says_where_and_how_often() -> None:
    execution = Execution(
        value=[MAIL, 1],
        logs=f"{MAIL} {MAIL}\n",
        displays=({"text/plain": MAIL, "image/png": b"\x89PNG"},),
        error=ErrorInfo("ValueError", MAIL, f"line 1\nValueError: {MAIL}", 1),
        is_final_answer=True,
    )
    checked = Validation([PersonalData()]).check(execution)
    assert checked.value == ["[e-mail]", 1]
    assert checked.logs == "[e-mail] [e-mail]\n"
    assert checked.displays == ({"text/plain": "[e-mail]", "image/png": b"\x89PNG"},)
    assert checked.error == ErrorInfo("ValueError", "[e-mail]", "line 1\nValueError: [e-mail]", 1)
    assert checked.is_final_answer and checked.fault is None
    assert {(f.where, f.count) for f in checked.findings} == {
        ("value", 1),
        ("logs", 2),
        ("error", 2),
        ("display", 1),
    }
    assert {(f.kind, f.action, f.validator) for f in checked.findings} == {
        ("e-mail", "redact", "PersonalData")
    }
    assert execution.value == [MAIL, 1], "the original stays as it was"


def test_refuse_withholds_everything_and_tells_the_model_what_to_leave_out() -> None:
    execution = Execution(
        value=CARD,
        logs="fine\n",
        displays=({"text/plain": "fine"},),
        is_final_answer=True,
        imports=("math",),
    )
    checked = Validation([PersonalData("refuse")]).check(execution)
    assert (checked.value, checked.logs, checked.displays, checked.fault) == (
        None,
        "",
        (),
        "refused",
    )
    assert checked.error is not None and checked.error.type == "OutputRefused"
    assert "payment card (value)" in checked.error.message and CARD not in str(checked)
    assert not checked.is_final_answer and not checked.ok and checked.imports == ("math",)
    assert checked.findings == (Finding("value", "payment card", "refuse", 1, "PersonalData"),)


def test_report_changes_nothing_but_the_findings() -> None:
    execution = Execution(value=MAIL, logs=MAIL)
    checked = Validation([PersonalData("report")]).check(execution)
    assert replace(checked, findings=()) == execution
    assert [finding.where for finding in checked.findings] == ["value", "logs"]


def test_output_is_held_back_only_if_it_may_have_to_be_changed() -> None:
    assert not Validation([]).holds
    assert not Validation(
        [PersonalData("report"), MaxSize(1, action="report"), Pattern("x", "x", "allow")]
    ).holds
    assert Validation([PersonalData("report", actions={"card": "redact"})]).holds
    assert Validation([MaxSize(value_bytes=1)]).holds
    assert Validation([lambda text, where: False]).holds


# -- functions and patterns of one's own


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (None, "so it is"),
        (False, "so it is"),
        ("", "so it is"),
        ([], "so it is"),
        (True, "[look]"),
        (1, "[look]"),
        ("a <secret>", "[a  secret]"),
        ([Match(0, 2, "two")], "[two] it is"),
        ([Match(0, 2, "two"), Match(1, 5)], "[two] is"),
        ([(3, 5)], "so [look] is"),
        (Match(-5, 10**9), "[look]"),
        ((m for m in [Match(0, 2, "g")]), "[g] it is"),
    ],
)
def test_a_function_says_what_it_found_in_many_ways(said: Any, expected: str) -> None:
    answers = iter([said])

    def look(text: str, where: str) -> Any:
        assert where == "logs"
        return next(answers, None)

    assert Validation([look]).check(Execution(logs="so it is")).logs == expected


def test_a_function_that_always_says_yes_is_asked_about_what_it_left_and_it_ends() -> None:
    checked = Validation([lambda text, where: True]).check(
        Execution(logs="anything", value={"a": "b"})
    )
    assert checked.logs == "[lambda]"
    assert checked.value == {"[lambda]": "[lambda]"}


@pytest.mark.parametrize(
    "wrong", [ValueError("the secret is 1234"), [1, 2], [("a", "b", "c")], KeyboardInterrupt]
)
def test_a_function_that_fails_lets_nothing_through(wrong: Any) -> None:
    def look(text: str, where: str) -> Any:
        if isinstance(wrong, Exception):
            raise wrong
        return wrong if isinstance(wrong, Iterable) else [None]

    for action in ("redact", "refuse"):
        checked = Validation([Custom(look, action)]).check(
            Execution(value="x", logs="what was printed")
        )  # type: ignore[arg-type]
        assert (
            "what was printed" not in checked.logs
            and "1234" not in str(checked)
            and checked.value != "x"
        )
        assert {(f.kind, f.action) for f in checked.findings} == {("not checked", action)}
    assert "the validator look failed with " in Validation([look]).check(Execution(logs="x")).logs
    checked = Validation([Custom(look, "report")]).check(Execution(logs="what was printed"))
    assert checked.logs == "what was printed" and checked.findings[0].kind == "not checked"


@pytest.mark.parametrize(
    ("name", "regex"),
    [
        ("x", "("),
        ("x", "y" * 5000 + "("),
        ("x", "y{99999999999}"),
        ("", "x"),
        ("[x]", "x"),
        ("x", b"x"),
        ("x", ["y"]),
    ],
)
def test_a_pattern_that_cannot_be_is_an_error_at_once(name: str, regex: Any) -> None:
    with pytest.raises(PolicyError, match="Pattern") as raised:
        Pattern(name, regex)
    assert len(str(raised.value)) < 250


@pytest.mark.parametrize("wrong", [3, "text", PersonalData])
def test_something_that_is_no_validator_is_an_error_at_once(wrong: Any) -> None:
    for given in (wrong, [wrong]):
        with pytest.raises(
            TypeError, match=rf"a validator is a function .* not {wrong!r}$|write PersonalData"
        ):
            Validation(given)


def test_a_function_that_could_never_be_called_is_an_error_at_once_and_withholds_nothing_later() -> (
    None
):
    def look(text: str) -> bool:
        return False

    with pytest.raises(
        TypeError,
        match=(
            r"the validator look is called with \(text, where\), which it does not take: too many"
        ),
    ):
        Validation([look])


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (
            lambda: MaxSize(-1),
            "MaxSize: value_bytes must be a whole number of at least 0 or None, not -1",
        ),
        (
            lambda: MaxSize(logs_characters=True),
            "MaxSize: logs_characters must be a whole number of at least 0 or None, not True",
        ),
        (
            lambda: Validation([], characters=0),
            "characters must be a whole number of at least 1, not 0",
        ),
    ],
)
def test_a_bound_that_cannot_be_is_named(make: Any, said: str) -> None:
    with pytest.raises(PolicyError, match=f"^{said}$"):
        make()


# -- sizes and bounds


def test_sizes_are_refused_or_reported_with_the_bound() -> None:
    shared: list[Any] = ["x" * 10]
    for _ in range(60):
        shared = [shared, shared]
    refused = Validation([MaxSize(value_bytes=100, logs_characters=5, display_bytes=3)])
    assert refused.check(Execution(value=["x" * 101])).error is not None
    assert refused.check(Execution(value=shared)).error is not None
    assert refused.check(Execution(logs="123456")).findings == (
        Finding("logs", "more than 5 characters", "refuse", 1, "MaxSize"),
    )
    assert refused.check(Execution(displays=({"image/png": b"1234"},))).fault == "refused"
    assert refused.check(Execution(value=["x" * 80], logs="12345", displays=({"a/b": b"123"},))).ok
    reported = Validation([MaxSize(value_bytes=1, action="report")]).check(Execution(value="123"))
    assert reported.value == "123" and reported.findings[0].action == "report"
    with pytest.raises(ValueError, match="cannot be redacted"):
        MaxSize(1, action="redact")


def test_more_text_than_the_bound_is_withheld_and_says_how_to_raise_it() -> None:
    validation = Validation([PersonalData()], characters=1000)
    checked = validation.check(Execution(value=["x" * 600] * 2, logs="y" * 900))
    assert checked.logs == "y" * 900
    assert (
        checked.value.startswith("[withheld: it has more than 1,000 characters")
        and "characters=" in checked.value
    )
    assert checked.findings == (Finding("value", "not checked", "redact", 1, "Validation"),)
    assert validation.check(checked) is checked
    assert (
        Validation([PersonalData("refuse")], characters=10).check(Execution(logs="y" * 900)).fault
        == "refused"
    )
    assert (
        Validation([PersonalData("report")], characters=10).check(Execution(logs="y" * 900)).logs
        == "y" * 900
    )


def test_a_value_nested_without_end_is_withheld() -> None:
    value: list[Any] = ["x"]
    for _ in range(100_000):
        value = [value]
    checked = Validation([PersonalData()]).check(Execution(value=value))
    assert "nested too deeply" in checked.value
    while value and isinstance(
        value[0], list
    ):  # taken apart by hand: Python would do it by recursion
        value = value[0]


def test_clean_gives_a_value_as_it_may_be_written_down() -> None:
    validation = Validation([PersonalData("refuse"), Pattern("report", "zebra", "report")])
    value = {"args": ["zebra", 1]}
    assert validation.clean(value) is value
    assert validation.clean((MAIL, {"n": 1})) == ("[e-mail]", {"n": 1})
    assert validation.clean(7) == 7
    assert Validation([PersonalData("report")]).clean(MAIL) == MAIL
