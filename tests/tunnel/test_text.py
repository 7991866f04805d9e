"""A tunnel's bytes as lines: whole whatever the pieces, and nothing else is taken for them."""

from __future__ import annotations

import os
import socket
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.tunnel.end import TunnelEnd
from fumehood.tunnel.frames import BrokenTunnel, Frame, Kind
from fumehood.tunnel.text import BEGINNING, LineReader, as_lines


@given(st.lists(st.binary(max_size=200), max_size=8), st.lists(st.integers(0, 300), max_size=20))
def test_bytes_arrive_whole_however_the_text_is_cut(pieces, cuts):
    text = b"".join(map(as_lines, pieces))
    reader, got, at = LineReader(), b"", 0
    for cut in [*cuts, len(text)]:
        got += reader.feed(text[at : at + cut])
        at += cut
    assert got == b"".join(pieces)


def test_a_large_piece_is_several_lines_none_of_which_is_too_long():
    data = os.urandom(3 << 20)
    text = as_lines(data)
    assert max(map(len, text.split(b"\n"))) < 1 << 20
    assert LineReader().feed(text) == data


def test_what_a_login_shell_says_first_is_no_part_of_it_and_kept_for_errors():
    reader = LineReader(waits=True)
    assert (
        reader.feed(b"Welcome!\nbash: no job control\n" + BEGINNING + b"\r\n" + as_lines(b"x"))
        == b"x"
    )
    assert reader.has_begun and reader.before == "Welcome!\nbash: no job control\n"


def test_what_came_without_a_beginning_is_kept_too():
    reader = LineReader(waits=True)
    assert reader.feed(b"python3: not found") == b""
    assert not reader.has_begun and reader.before == "python3: not found"


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


def test_an_empty_line_says_nothing():
    assert LineReader().feed(b"\n\n" + as_lines(b"a") + b"\n") == b"a"


def test_what_an_end_sends_in_one_go_is_one_line():
    near, far = socket.socketpair()
    with near, far:
        end = TunnelEnd(
            far.fileno(), far.fileno(), is_far=True, on_frame=lambda frame: None, encode=as_lines
        )
        thread = threading.Thread(target=end.run, daemon=True)

        def send() -> None:
            for number in (1, 2, 3):
                end.send(Frame(Kind.ANSWER, number, b"x"))

        end.call(send)
        thread.start()
        text = near.recv(1 << 16)
        near.close()
        thread.join(60)
    expected = b"".join(Frame(Kind.ANSWER, number, b"x").packed() for number in (1, 2, 3))
    assert text.count(b"\n") == 1 and LineReader().feed(text) == expected
