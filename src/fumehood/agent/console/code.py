"""Code in colours: one table of what is coloured and how, for terminals and for HTML."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from rich.text import Text

LONGEST_COLOURED = 50_000
"""Characters. Longer code is shown without colours: a lexer is not made for hostile text, and
nobody reads that much."""


class Colour(NamedTuple):
    """How one kind of token is shown. Terminals get the colours of their own palette, which fit
    their background whatever it is."""

    kind: str
    terminal: str
    html: str
    why: str


COLOURS = (
    Colour("Comment", "bright_black italic", "c", "not run"),
    Colour("Literal.String.Doc", "green", "s", "text"),
    Colour("Literal.String.Escape", "cyan", "e", "a character that is written as several"),
    Colour("Literal.String.Interpol", "cyan", "e", "the part of an f-string that is code"),
    Colour("Literal.String", "green", "s", "text"),
    Colour("Literal.Number", "cyan", "n", "numbers"),
    Colour("Keyword", "magenta", "k", "what Python has reserved"),
    Colour("Operator.Word", "magenta", "k", "in, is, and, or, not"),
    Colour("Name.Builtin", "cyan", "b", "what is always there"),
    Colour("Name.Exception", "cyan", "b", "what is always there"),
    Colour("Name.Function", "blue", "f", "where a function is defined"),
    Colour("Name.Class", "blue", "f", "where a class is defined"),
    Colour("Name.Decorator", "yellow", "d", "changes what is defined below it"),
    Colour("Error", "red", "x", "what cannot be Python"),
)

_BY_KIND = {tuple(colour.kind.split(".")): colour for colour in COLOURS}


def coloured(code: str) -> Iterator[tuple[str, Colour | None]]:
    """The code in pieces, each with its colour. Together they are the code."""
    if len(code) > LONGEST_COLOURED:
        yield code, None
        return
    # Late, as it is only needed where something is shown, and by name, as it has no types.
    lexer: Any = import_module("pygments.lexers.python").PythonLexer(stripnl=False, ensurenl=False)
    seen = 0
    for kind, text in lexer.get_tokens(code):
        seen += len(text)
        yield text, _colour_of(tuple(kind))
    if seen != len(code):  # a lexer that loses text must not hide it
        yield code[seen:], None


def _colour_of(kind: tuple[str, ...]) -> Colour | None:
    while kind:
        if (colour := _BY_KIND.get(kind)) is not None:
            return colour
        kind = kind[:-1]
    return None


def highlighted(code: str) -> Text:
    """The code for a terminal."""
    from rich.text import Text

    text = Text()
    for piece, colour in coloured(code):
        text.append(piece, colour.terminal if colour else None)
    return text
