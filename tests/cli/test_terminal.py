"""Nothing that a terminal would obey gets through."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fumehood.cli.terminal import printable

pieces = st.sampled_from(
    ["\x1b", "[", "]", "31m", "\x9b", "\x9d", "\x07", "\x1b\\", "\x9c", "P", "_", "a", "\r", "\n"]
)


@given(st.lists(st.one_of(pieces, st.text(max_size=3)), max_size=30).map("".join))
@example("\x1b\x1b[31m[31m")
@example("\x1b]8;;\x1b]8;;\x07")
def test_no_control_character_but_newline_and_tab_is_left(text):
    left = printable(text)
    assert not [c for c in left if (ord(c) < 32 and c not in "\n\t") or 127 <= ord(c) < 160]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("tab\tand\nnewline", "tab\tand\nnewline"),
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]52;c;c2VjcmV0\x1b\\text", "text"),
        ("\x1bPdevice\x1b\\text", "text"),
        ("\x1b]0;never closed", "0;never closed"),
        ("a\r\nb\rc", "a\nbc"),
        ("\x9b31mred", "31mred"),
        ("\x1b(0line\x1bc", "line"),
    ],
)
def test_sequences_go_whole_and_words_stay(text, shown):
    assert printable(text) == shown
