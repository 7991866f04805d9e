"""What a tool may be called: code calls it by its name, so that has to be one that Python takes and
that code does not need otherwise."""

from __future__ import annotations

import builtins
import keyword
import re
import unicodedata

MOST_CHARACTERS = 100

# Builtins that guarded code does not have: a tool may stand for one.
_ABSENT = frozenset("breakpoint copyright credits help input license".split())

# Names that code has already, and that a tool would take away from it.
RESERVED: dict[str, str] = {
    **{
        name: "a builtin of Python, which code would lose"
        for name in {*dir(builtins)} - _ABSENT
        if not name.startswith("_")
    },
    **dict.fromkeys(("exit", "quit"), "what ends a cell, which code would lose"),
    "display": "what shows a value, which code would lose",
}

# A tool of this name is asked what the answer is. Whoever writes one knows; one that comes from
# elsewhere is given another name.
FINAL_ANSWER = "final_answer"


def why_bad(name: object) -> str | None:
    """What is wrong with a name for a tool, or None."""
    if not isinstance(name, str):
        return f"a name is text, not {type(name).__name__}"
    if len(name) > MOST_CHARACTERS:
        return f"it has {len(name)} characters, and {MOST_CHARACTERS} are the most"
    if keyword.iskeyword(name):
        return "it is a keyword of Python"
    if not name.isidentifier():
        return "it is not an identifier: letters, digits and _, and no digit first"
    if unicodedata.normalize("NFKC", name) != name:
        return f"Python reads it as {unicodedata.normalize('NFKC', name)!r}"
    if name.startswith("__"):
        return "names with two underscores in front are Python's own"
    if name in RESERVED:
        return f"it is {RESERVED[name]}"
    return None


def shown(name: object) -> str:
    """A name in a message: quoted, on one line, and not endless."""
    text = repr(name) if isinstance(name, str) else f"<{type(name).__name__}>"
    return text if len(text) <= 60 else f"{text[:57]}…'"


def as_identifier(name: str, taken: str = "tool") -> str:
    """A name from elsewhere as one that code can use: `get-weather` is `get_weather`, `print` is
    `print_`, and so on.

    `taken` is the name for what has no letter in it at all.
    """
    text = unicodedata.normalize("NFKC", name[: 4 * MOST_CHARACTERS])
    text = re.sub(r"\W", "_", text)[: MOST_CHARACTERS - 2].lstrip("_")
    if not text.strip("_"):
        text = taken
    if not text.isidentifier():  # a digit in front, or a letter that may not stand there
        text = f"_{text}"
    if not text.isidentifier():
        text = re.sub(r"[^A-Za-z0-9_]", "_", text)
    return (
        f"{text}_" if keyword.iskeyword(text) or text in RESERVED or text == FINAL_ANSWER else text
    )


def as_parameter(name: str, taken: set[str]) -> str:
    """A name for a parameter that Python takes and that is not in `taken`."""
    text = re.sub(r"\W", "_", unicodedata.normalize("NFKC", name[:MOST_CHARACTERS]))
    if not text.isidentifier():
        text = f"_{text}" if f"_{text}".isidentifier() else "argument"
    if text.startswith("__"):
        text = text.lstrip("_") or "argument"
        text = text if text.isidentifier() else f"_{text}"
    while keyword.iskeyword(text) or text in taken:
        text = f"{text}_" if text != "_" else "argument"  # two underscores would be private
    return text
