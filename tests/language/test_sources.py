"""The texts of cells: how long they are remembered."""

from __future__ import annotations

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


def test_a_text_that_was_not_given_is_not_known() -> None:
    assert remembered(("a", "x")).lines("b") is None


def test_the_oldest_of_many_are_forgotten() -> None:
    kept = remembered(*((f"{n}", f"x = {n}") for n in range(5001)))
    assert kept.lines("0") is None
    assert kept.lines("1") == ["x = 1"]
    assert kept.lines("5000") == ["x = 5000"]


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
