"""Output that comes in pieces is shown piece by piece, and looks as if it had come whole."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.cli.live import Live
from fumehood.cli.terminal import printable


class Screen(io.StringIO):
    """Remembers what had been flushed."""

    def flush(self):
        self.seen = self.getvalue()


def shown(pieces):
    screen = Screen()
    live = Live(screen)
    for piece in pieces:
        live(piece)
    live.end()
    return screen.getvalue()


def test_each_piece_is_shown_at_once():
    screen = Screen()
    live = Live(screen)
    live("one ")
    assert screen.seen == "one "
    live("two\n")
    assert screen.seen == "one two\n"


@pytest.mark.parametrize(
    "text",
    [
        "\x1b[1;31mred\x1b[0m",
        "\x1b]0;title\x07text",
        "\x1b]52;c;c2VjcmV0\x1b\\text",
        "\x1b(0line",
        "a\r\nb",
        "plain",
    ],
)
def test_a_sequence_cut_in_two_goes_whole_wherever_it_is_cut(text):
    for cut in range(len(text)):
        assert shown([text[:cut], text[cut:]]) == printable(text).rstrip("\n") + "\n"


pieces = st.lists(
    st.one_of(
        st.sampled_from(["\x1b", "[", "]", "31m", "\x9b", "\x07", "\\", "P", "a", "\r", "\n"]),
        st.text(max_size=3),
    )
)


@given(pieces)
def test_however_it_is_cut_no_control_character_is_left(pieces):
    assert not [
        c for c in shown(pieces) if (ord(c) < 32 and c not in "\n\t") or 127 <= ord(c) < 160
    ]


def test_when_nobody_reads_the_program_is_stopped_once_and_the_reason_comes_at_the_end():
    class Closed(io.StringIO):
        def write(self, text):
            raise BrokenPipeError(32, "Broken pipe")

    stopped = []
    live = Live(Closed(), lambda: stopped.append(True))
    live("one\n")
    live("two\n")
    assert stopped == [True]
    with pytest.raises(BrokenPipeError):
        live.end()
