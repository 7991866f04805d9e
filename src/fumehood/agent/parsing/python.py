"""What of a text is Python: the judge that asks Python's own parser, and a reader of strings and
comments that needs no valid code.

The judge has a budget, so that no text, however made, takes more than a few seconds: see Judge.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from typing import Final, Literal

MAX_ATTEMPTS: Final = 1_000
"""How often the parser is asked about one text: a few times for each block of an answer with more
blocks than anybody reads."""

MAX_PARSED: Final = 2_000_000
"""Characters that are parsed for one text, all attempts together: a few seconds."""

MAX_READ: Final = 12_000_000
"""Characters that are read for strings and comments for one text, all attempts together: a second
or two."""

TIMES_OVER: Final = 20
"""How many times over a text is parsed and read at most, a short one aside: so that less than five
megabytes take less than that."""

_SHORT: Final = 100_000

MAX_CODE: Final = 250_000
"""Characters of one block that is parsed: its tree takes hundreds of times as much memory."""

_FILE: Final = "<what a model wrote>"

Where = Literal["outside", "comment", "string"]


class Judge:
    """Says what is Python, for one text of `size` characters. When its budget is used up it says no
    to everything."""

    def __init__(self, size: int) -> None:
        self.attempts = 0
        self.parsed = 0
        self.read = 0
        self._most_parsed = min(MAX_PARSED, TIMES_OVER * size + _SHORT)
        self._most_read = min(MAX_READ, TIMES_OVER * size + _SHORT)

    @property
    def is_exhausted(self) -> bool:
        return (
            self.attempts >= MAX_ATTEMPTS
            or self.parsed >= self._most_parsed
            or self.read >= self._most_read
        )

    def tree(self, code: str) -> ast.Module | None:
        """The syntax tree of a program, None for what is none."""
        if self.is_exhausted or len(code) > MAX_CODE:
            return None
        self.attempts += 1
        self.parsed += len(code)
        _ignore_warnings()
        try:
            return ast.parse(code, _FILE)
        except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
            return None  # ValueError: null bytes, lone surrogates


def _ignore_warnings() -> None:
    # Python's parser warns about "\d". Swapping all filters for a moment is not safe while there
    # are other threads, so there is one more, which fits the file name above and nothing else.
    # Whoever swaps filters elsewhere takes it away: hence each time.
    first = warnings.filters[0] if warnings.filters else None
    if first is None or not isinstance(first[3], re.Pattern) or first[3].pattern != _FILTERED:
        warnings.filterwarnings("ignore", module=_FILTERED)


_FILTERED: Final = re.escape(_FILE)

_DOES: Final = (
    ast.Call,
    ast.Assign,
    ast.AnnAssign,
    ast.AugAssign,
    ast.NamedExpr,
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.Import,
    ast.ImportFrom,
)


def does_something(tree: ast.Module | None) -> bool:
    """Whether it is Python that calls, assigns, defines or imports something: what a text has to be
    that nothing marks as code.

    `Paris`, `state-of-the-art`, `Answer: f(x)`, `not found` and `raise concerns` are Python too.
    """
    statements = (
        []
        if tree is None
        else [
            node
            for node in tree.body
            if not isinstance(node, ast.AnnAssign) or node.value is not None
        ]
    )
    return any(isinstance(node, _DOES) for statement in statements for node in ast.walk(statement))


def is_mere_name(tree: ast.Module) -> bool:
    """Whether code is no more than a name, `len` or `df.columns`, as prose speaks of one."""
    if len(tree.body) != 1 or not isinstance(tree.body[0], ast.Expr):
        return False
    node = tree.body[0].value
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, (ast.Name, ast.Constant))


# -- strings and comments

_QUOTES: Final = r"\"\"\"|'''|\"|'"
_ENDS_OF_STRING: Final = {
    '"""': re.compile(r'\\[\s\S]|"""'),
    "'''": re.compile(r"\\[\s\S]|'''"),
    '"': re.compile(r'\\[\s\S]|"|\n'),
    "'": re.compile(r"\\[\s\S]|'|\n"),
}


def marks(
    text: str, start: int, mark: re.Pattern[str], judge: Judge
) -> Iterator[tuple[re.Match[str], Where]]:
    """Where `mark` occurs in code that begins at `start`, and whether in a string, in a comment or
    outside of both.

    Reads broken code as well: a string that does not end on its line ends with it, as an apostrophe
    too many would else turn all that follows inside out. What it cannot know is a quote inside the
    braces of an f-string, from Python 3.12 on; the parser does.
    """
    # In one expression, so that each character is looked at once. The mark's own groups follow the
    # first.
    reader = re.compile(rf"(#|{_QUOTES})|{mark.pattern}", mark.flags)
    place = start
    while not judge.is_exhausted:
        found = reader.search(text, place)
        if found is None:
            judge.read += len(text) - place
            return
        if found[1] is None:
            judge.read += found.end() - place
            place = max(found.end(), place + 1)
            yield found, "outside"
            continue
        where: Where = "comment" if found[1] == "#" else "string"
        end = (
            _end_of_comment(text, found.end())
            if where == "comment"
            else _end_of_string(text, found.end(), found[1])
        )
        judge.read += end - place
        for inside in mark.finditer(text, found.end(), end):
            yield inside, where
        place = end


def outside(code: str) -> Iterator[tuple[int, int, Where]]:
    """The code in pieces: begin, end and what it is."""
    place = 0
    for found in re.finditer(rf"#|{_QUOTES}", code):
        if found.start() < place:
            continue
        if found.start() > place:
            yield place, found.start(), "outside"
        where: Where = "comment" if found[0] == "#" else "string"
        end = (
            _end_of_comment(code, found.end())
            if where == "comment"
            else _end_of_string(code, found.end(), found[0])
        )
        yield found.start(), end, where
        place = end
    if place < len(code):
        yield place, len(code), "outside"


def _end_of_comment(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def _end_of_string(text: str, start: int, quote: str) -> int:
    for found in _ENDS_OF_STRING[quote].finditer(text, start):
        if not found[0].startswith("\\"):
            return found.end() if found[0] == quote else found.start()
    return len(text)


# -- tidying code up

_NOTHING: Final = "\u200b\u200c\u200d\u2060\ufeff\u00ad"
"""Characters that show nothing, which chat windows and web pages leave behind. None can be part of
Python outside of strings."""

_SPACES: Final = "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"  # noqa: E501
"""Spaces that Python takes for no space."""

_ODD: Final = re.compile(f"[{_NOTHING}{_SPACES}]")
_TO_PLAIN: Final = {**dict.fromkeys(map(ord, _NOTHING)), **dict.fromkeys(map(ord, _SPACES), " ")}
BLANK: Final = " \t\n\x0b\x0c\r\x1c\x1d\x1e\x1f\x85\u2028\u2029" + _NOTHING + _SPACES
"""What may stand around code or prose and is a part of neither."""

_PROMPT: Final = re.compile(r"[ \t]*>>>(?: |$)", re.MULTILINE)


def tidied(raw: str, judge: Judge) -> tuple[str, ast.Module | None]:
    """The code of a block as it is to be run, and its tree if it is Python. Characters inside of
    strings stay as they are."""
    judge.read += len(raw)
    code = _without_blank_ends(raw)
    if _PROMPT.match(code):
        code = _without_prompts(code)
    found, code = code, dedented(code)
    tree = judge.tree(code)
    if tree is None and _ODD.search(found):
        plain = "".join(
            found[a:b].translate(_TO_PLAIN) if where == "outside" else found[a:b]
            for a, b, where in outside(found)
        )
        plain = dedented(_without_blank_ends(plain))
        tree = judge.tree(plain)
        code = code if tree is None else plain
    return code, tree


def _without_blank_ends(text: str) -> str:
    """Without blank lines before and blanks after; the blanks that begin the first line stay, as
    they say how deep it is."""
    text = text.rstrip(BLANK)
    begin = len(text) - len(text.lstrip(BLANK))
    line = text.rfind("\n", 0, begin) + 1
    return text[line:begin].translate(_TO_PLAIN) + text[begin:]


def dedented(code: str) -> str:
    """Code that is indented as a whole, moved to the left by the depth of its first statement.

    Lines that begin inside of a string are moved only if every line can be: else the string was
    never indented with the rest.
    """
    lines = code.split("\n")
    first = next(
        (line for line in lines if line.strip() and not line.lstrip().startswith("#")), lines[0]
    )
    margin = first[: len(first) - len(first.lstrip(" \t"))]
    if not margin:
        return code
    if not all(line.startswith(margin) or not line.strip() for line in lines):
        in_string = _lines_in_strings(code)
        return "\n".join(
            line if n in in_string else _shifted(line, margin) for n, line in enumerate(lines)
        )
    return "\n".join(_shifted(line, margin) for line in lines)


def _shifted(line: str, margin: str) -> str:
    if line.startswith(margin):
        return line[len(margin) :]
    bare = line.lstrip(" \t")
    return bare if len(line) - len(bare) < len(margin) else line


def _lines_in_strings(code: str) -> set[int]:
    """The numbers of the lines that begin inside of a string."""
    found: set[int] = set()
    line = 0
    for begin, end, where in outside(code):
        breaks = code.count("\n", begin, end)
        if where == "string":
            found.update(range(line + 1, line + breaks + 1))
        line += breaks
    return found


def _without_prompts(code: str) -> str:
    """What was typed in a session with `>>>` prompts; lines without one are what it answered."""
    typed = []
    for line in code.split("\n"):
        line = line.lstrip(" \t")
        if line.startswith((">>> ", "... ")):
            typed.append(line[4:])
        elif line in (">>>", "..."):
            typed.append("")
    return "\n".join(typed).strip("\n")
