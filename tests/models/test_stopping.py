"""Stop sequences in text that comes in pieces: the answer is the same however it was cut up, and
nothing of them is ever let through."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fumehood.models.stopping import Cutter, cut, encodable


def test_text_that_is_too_long_is_cut() -> None:
    cutter = Cutter([], 5)
    assert cutter.feed("abc") == "abc"
    assert cutter.ended_by is None
    assert cutter.feed("def") == "de"
    assert cutter.ended_by == "length"
    assert cutter.text == "abcde"


@given(
    st.lists(st.text("ab<\ud83d\ude00", max_size=4), max_size=12),
    st.lists(st.text("ab<", min_size=1, max_size=4), max_size=3),
)
def test_the_pieces_make_no_difference(pieces: list[str], stops: list[str]) -> None:
    cutter = Cutter(stops, 1000)
    told = "".join([*[cutter.feed(piece) for piece in pieces], cutter.finish()])
    assert told == cutter.text == encodable(cut("".join(pieces), stops))
