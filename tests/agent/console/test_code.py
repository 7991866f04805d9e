"""Code in colours is still the code."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from pygments.token import string_to_tokentype

from fumehood.agent.console import code
from fumehood.agent.console.code import COLOURS, LONGEST_COLOURED, coloured, highlighted
from fumehood.agent.console.text import plainly


def test_every_row_is_a_kind_of_token_that_the_lexer_knows():
    source = (
        Path(code.__file__).read_text()
        + "\n@x\nclass A(ValueError):\n    '''doc'''\nb'\\n'\nf'{1}' ?\n"
    )
    used = {colour for _, colour in coloured(source)}
    assert used >= set(COLOURS)
    for colour in COLOURS:
        assert string_to_tokentype(colour.kind).parent is not None


@given(st.text().map(plainly))
def test_nothing_is_lost_whatever_the_text(text):
    assert "".join(piece for piece, _ in coloured(text)) == text
    assert highlighted(text).plain == text


def test_code_that_is_too_long_is_not_looked_at():
    assert list(coloured("(" * (LONGEST_COLOURED + 1))) == [("(" * (LONGEST_COLOURED + 1), None)]
