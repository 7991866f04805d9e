"""The texts of cells: how long they are remembered, and what is forgotten first."""

from __future__ import annotations

from fumehood.language import tracebacks as sources
from fumehood.language.tracebacks import Sources


def remembered(*texts: tuple[str, str]) -> Sources:
    kept = Sources()
    for file, text in texts:
        kept.remember(file, text)
    return kept


def test_a_text_has_the_lines_that_python_sees() -> None:
    kept = remembered(("a", "one\ntwo\r\nthree\rfour\x0cfour\n"), ("b", ""))
    assert kept.lines("a") == ["one", "two", "three", "four\x0cfour"]
    assert kept.lines("b") == [""]
    assert kept.lines("a") == ["one", "two", "three", "four\x0cfour"]


def test_a_text_that_nobody_has_given_is_not_known() -> None:
    assert remembered(("a", "x")).lines("b") is None


def test_texts_are_there_before_anybody_tidies_up_and_after() -> None:
    kept = remembered(*((f"{n}", f"x = {n}") for n in range(150)))
    assert [kept.lines(f"{n}") for n in range(150)] == [[f"x = {n}"] for n in range(150)]
    kept.tidy()
    assert kept.lines("0") == ["x = 0"]


def test_the_oldest_of_many_are_forgotten_and_definitions_last() -> None:
    kept = remembered(("f", "def f(): pass"), *((f"{n}", f"x = {n}") for n in range(1000)))
    kept.tidy()
    assert kept.lines("0") is None
    assert kept.lines("799") is None
    assert kept.lines("800") == ["x = 800"]
    assert kept.lines("f") == ["def f(): pass"]


def test_without_anybody_tidying_up_there_is_still_a_bound() -> None:
    kept = remembered(*((f"{n}", f"x = {n}") for n in range(5000)))
    assert kept.lines("0") is None
    assert kept.lines("4999") == ["x = 4999"]
    assert sum(kept.lines(f"{n}") is not None for n in range(5000)) <= 200 + sources._UNSORTED_KEPT


def test_long_texts_are_bounded_by_their_length_together() -> None:
    large = "#" * 5_000_000
    kept = remembered(*((f"{n}", large) for n in range(6)))
    assert [kept.lines(f"{n}") is not None for n in range(6)] == [
        False,
        False,
        False,
        True,
        True,
        True,
    ]
