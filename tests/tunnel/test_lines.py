"""A tunnel's bytes as lines: whole whatever the pieces, and nothing else is taken for them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.tunnel.frames import BEGINNING, BrokenTunnel, LineReader, as_lines


@given(st.lists(st.binary(max_size=200), max_size=8), st.lists(st.integers(0, 300), max_size=20))
def test_bytes_arrive_whole_however_the_text_is_cut(pieces, cuts):
    text = b"".join(map(as_lines, pieces))
    reader, got, at = LineReader(), b"", 0
    for cut in [*cuts, len(text)]:
        got += reader.feed(text[at : at + cut])
        at += cut
    assert got == b"".join(pieces)


def test_what_a_login_shell_says_first_is_no_part_of_it_and_kept_for_errors():
    reader = LineReader(waits=True)
    assert (
        reader.feed(b"Welcome!\nbash: no job control\n" + BEGINNING + b"\r\n" + as_lines(b"x"))
        == b"x"
    )
    assert reader.before == "Welcome!\nbash: no job control\n"


@pytest.mark.parametrize(
    "line", [b"hello world\n", b"QQ\n", b"QUJD QUJD\n", b"====\n", "ä\n".encode()]
)
def test_a_line_that_is_none_breaks_it(line):
    with pytest.raises(BrokenTunnel, match="no piece of the tunnel"):
        LineReader().feed(line)


def test_a_line_without_an_end_is_not_held_for_ever():
    reader = LineReader()
    for _ in range(15):
        reader.feed(b"A" * (1 << 16))
    with pytest.raises(BrokenTunnel, match="has no end"):
        reader.feed(b"A" * (1 << 17))


def test_other_text_is_not_listened_to_for_ever():
    reader = LineReader(waits=True)
    for _ in range(600):
        reader.feed(b"y" * 100 + b"\n")
    with pytest.raises(BrokenTunnel, match="other text"):
        reader.feed((b"y" * 100 + b"\n") * 100)
