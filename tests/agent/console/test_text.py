"""Text of hostile origin, made fit to be shown. `printable` and `one_line` are tested in
tests/cli/test_terminal.py."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.agent.console.text import (
    Excerpt,
    Lines,
    cut,
    encodable,
    excerpt,
    printable,
    trimmed,
)


@pytest.mark.parametrize(
    "encoding", ["ascii", "latin-1", "cp437", "utf-8", "utf-16", "no such encoding"]
)
@given(text=st.text(st.characters(codec=None)))
def test_whatever_the_encoding_the_text_can_be_written(encoding, text):
    shown = encodable(text, encoding)
    shown.encode(encoding if encoding != "no such encoding" else "ascii")


def test_what_an_encoding_lacks_gets_another_spelling_or_an_escape():
    assert encodable("“wait…” ü\ud800", "ascii") == '"wait..." \\xfc\\ud800'
    assert encodable("wait… ü\ud800", "utf-8") == "wait… ü\\ud800"


def test_of_a_long_line_the_middle_is_left_out_and_counted():
    assert cut("short", 10) == "short"
    assert (
        cut("a" * 750 + "b" * 1000 + "c" * 250, 1000)
        == "a" * 750 + " … 1,000 characters … " + "c" * 250
    )


def test_a_text_too_long_to_look_at_keeps_its_beginning_and_its_end():
    text = trimmed("a" * 3_000_000 + "b")
    assert len(text) < 2_100_000
    assert text.endswith("b")
    assert "1,000,001 characters left out" in text


def test_the_first_lines_are_shown_at_once_and_the_last_ones_at_the_end():
    shown = Excerpt(head=2, tail=2)
    assert [shown.add(line) for line in "abcdef"] == ["a", "b", None, None, None, None]
    assert (shown.waiting, shown.left_out, shown.end()) == (4, 2, ["e", "f"])


def test_an_excerpt_leaves_out_nothing_to_say_that_one_line_is_left_out():
    assert excerpt("a\nb\nc\n", 1, 1) == (["a", "b", "c"], 0, [])
    assert excerpt("a\nb\nc\nd", 1, 1) == (["a"], 2, ["d"])
    assert excerpt("a\nb\nc\nd", 2, 0) == (["a", "b"], 2, [])
    assert excerpt("", 1, 1) == ([], 0, [])


# -- text in pieces


def lines_of(*pieces: str) -> list[str]:
    lines = Lines()
    return [line for piece in pieces for line in lines.feed(piece)[1]] + lines.end()


def test_a_line_without_end_is_bounded_and_what_is_lost_is_counted():
    lines = Lines()
    for _ in range(1000):
        assert lines.feed("x" * 1000) == (0, [])
    [line] = lines.end()
    kept = line.count("x")
    assert kept < 70_000
    assert f"(and {1_000_000 - kept:,} characters)" in line


@given(st.text(), st.lists(st.integers(0, 50)))
def test_however_a_text_is_cut_into_pieces_its_lines_are_the_same(text, cuts):
    places = sorted({min(place, len(text)) for place in cuts} | {0, len(text)})
    pieces = [text[start:end] for start, end in itertools.pairwise(places)]
    assert lines_of(*pieces) == lines_of(text)


@given(
    st.lists(
        st.one_of(
            st.sampled_from(["\x1b", "[", "31m", "\x9b", "\x07", "\r", "\n"]), st.text(max_size=3)
        )
    )
)
def test_lines_hold_no_control_characters(pieces):
    assert all(line == printable(line) and "\n" not in line for line in lines_of(*pieces))
