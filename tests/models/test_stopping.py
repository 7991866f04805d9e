"""Stop sequences in text that comes in pieces: the answer is the same however it was cut up, and
nothing of them is ever let through."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fumehood.models.stopping import Cutter, cut, encodable


def test_text_ends_where_the_first_stop_sequence_begins() -> None:
    assert cut("a<end>b</code>c", ["</code>", "<end>"]) == "a"
    assert cut("nothing of the kind", ["</code>"]) == "nothing of the kind"
    assert cut("an empty one is none", [""]) == "an empty one is none"


def test_the_beginning_of_a_stop_sequence_is_held_back_until_it_is_clear() -> None:
    cutter = Cutter(["</code>"], 100)
    assert cutter.feed("x = 1 <") == "x = 1 "
    assert cutter.feed("/cod") == ""
    assert cutter.feed("a> <") == "</coda> "
    assert cutter.finish() == "<"
    assert cutter.text == "x = 1 </coda> <"
    assert cutter.ended_by is None


def test_nothing_comes_after_a_stop_sequence() -> None:
    cutter = Cutter(["STOP"], 100)
    assert cutter.feed("go ST") == "go "
    assert cutter.feed("OP and on") == ""
    assert cutter.ended_by == "stop"
    assert cutter.feed("and on") == cutter.finish() == ""
    assert cutter.text == "go "


def test_text_that_is_too_long_is_cut() -> None:
    cutter = Cutter([], 5)
    assert cutter.feed("abc") == "abc"
    assert cutter.ended_by is None
    assert cutter.feed("def") == "de"
    assert cutter.ended_by == "length"
    assert cutter.text == "abcde"


def test_a_character_in_two_halves_comes_in_one_piece() -> None:
    cutter = Cutter([], 100)
    assert cutter.feed("a\ud83d") == "a"
    assert cutter.feed("\ude00b") == "\U0001f600b"


def test_half_a_character_is_replaced() -> None:
    assert encodable("a\ud83db\ude00") == "a\ufffdb\ufffd"
    assert encodable("\ud83d\ude00") == "\U0001f600"
    cutter = Cutter([], 100)
    assert cutter.feed("a\ud83d") + cutter.finish() == "a\ufffd"


@given(
    st.lists(st.text("ab<\ud83d\ude00", max_size=4), max_size=12),
    st.lists(st.text("ab<", min_size=1, max_size=4), max_size=3),
)
def test_the_pieces_make_no_difference(pieces: list[str], stops: list[str]) -> None:
    cutter = Cutter(stops, 1000)
    told = "".join([*[cutter.feed(piece) for piece in pieces], cutter.finish()])
    assert told == cutter.text == encodable(cut("".join(pieces), stops))
