"""Text of hostile origin, made fit to be shown. `printable` and `one_line` are tested in
tests/cli/test_terminal.py."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.agent.console.text import (
    Lines,
    encodable,
    printable,
)


@pytest.mark.parametrize(
    "encoding", ["ascii", "latin-1", "cp437", "utf-8", "utf-16", "no such encoding"]
)
@given(text=st.text(st.characters(codec=None)))
def test_whatever_the_encoding_the_text_can_be_written(encoding, text):
    shown = encodable(text, encoding)
    shown.encode(encoding if encoding != "no such encoding" else "ascii")


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
