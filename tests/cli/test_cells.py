"""When does what was typed so far make a whole cell?"""

from __future__ import annotations

import pytest

from fumehood.cli import cells
from fumehood.cli.cells import Cells, NotACell


def cells_of(text):
    """The cells that the lines of the text make, each with its trailing blank line removed."""
    collected = Cells()
    found = [collected.add(line) for line in text.split("\n")]
    return [cell.rstrip("\n") for cell in [*found, collected.end()] if cell is not None]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = 1\ny = 2", ["x = 1", "y = 2"]),
        ("a; b", ["a; b"]),
        ("x = (1 +\n2)\nx", ["x = (1 +\n2)", "x"]),
        ("text = '''one\n\ntwo'''", ["text = '''one\n\ntwo'''"]),
        ("def f():\n    return 1\n\nf()", ["def f():\n    return 1", "f()"]),
        ("if a:\n    b\nelse:\n    c\n", ["if a:\n    b\nelse:\n    c"]),
        ("for x in y: z\n", ["for x in y: z"]),
        ("@d\ndef f(): pass\n", ["@d\ndef f(): pass"]),
        ("x = 1 + \\\n    2", ["x = 1 + \\\n    2"]),
        ("await x", ["await x"]),
        ("async with a:\n    b\n", ["async with a:\n    b"]),
        ("# only a comment", ["# only a comment"]),
        ("\n\n   \nx", ["x"]),
        ("'\\d'", ["'\\d'"]),
    ],
)
def test_lines_become_cells(text, expected):
    assert cells_of(text) == expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("def f(:", "1:7: syntax error: invalid syntax"),
        ("  x = 1", "1:2: syntax error: unexpected indent"),
        ("return 1", "1:1: syntax error: 'return' outside function"),
        ("-" * 100_000 + "1", "nested too deeply for Python's parser"),
        ("(" * 1000, "nested too deeply for Python's parser"),
        ("x = '\0'", "null"),
    ],
)
def test_hopeless_lines_are_dropped_with_the_reason(text, reason):
    collected = Cells()
    with pytest.raises(NotACell) as error:
        collected.add(text)
    assert reason in str(error.value)
    assert not collected.started
    assert collected.add("x = 1") == "x = 1"


def test_a_cell_has_a_longest_length(monkeypatch):
    monkeypatch.setattr(cells, "LONGEST_SOURCE", 20)
    collected = Cells()
    assert collected.add("x = '''") is None
    assert collected.add("ten chars ") is None
    with pytest.raises(NotACell, match="longer than the limit of 20 characters"):
        collected.add("ten chars ")
    assert not collected.started
