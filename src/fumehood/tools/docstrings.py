"""What a docstring says of a function: in a few words what it does, what each argument is, and what
comes back.

Three styles are read: sections with an indented body (`Args:`), sections with an underline
(`Parameters` over dashes), and fields (`:param x:`). A docstring in none of them is a description
and nothing more. Nothing here ever raises: a docstring is prose.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

MOST_CHARACTERS = 50_000
"""Of a longer docstring the rest is not read."""

# Names of sections, and what they hold. Sections that say nothing to whoever calls the function are
# left out of the description.
SECTIONS = {
    **dict.fromkeys(
        [
            "args",
            "arguments",
            "parameters",
            "params",
            "keyword args",
            "keyword arguments",
            "other parameters",
        ],
        "arguments",
    ),
    **dict.fromkeys(["returns", "return", "yields", "yield"], "returns"),
    **dict.fromkeys(["raises", "raise", "except", "exceptions", "warns"], "prose"),
    **dict.fromkeys(
        [
            "example",
            "examples",
            "note",
            "notes",
            "see also",
            "warning",
            "warnings",
            "references",
            "todo",
        ],
        "prose",
    ),
}

_HEADING = re.compile(r"([A-Za-z][A-Za-z ]{0,30})\s*:\s*")
_ITEM = re.compile(r"(\*{0,2}\w+)\s*(?:\([^()]*(?:\([^()]*\)[^()]*)*\))?\s*:\s*(.*)", re.DOTALL)
_NUMPY_ITEM = re.compile(r"(\*{0,2}\w+(?:\s*,\s*\*{0,2}\w+)*)\s*(?::.*)?")
_FIELD = re.compile(
    r"[:@](param|parameter|arg|argument|key|keyword|return|returns|rtype|type|raise|raises|yields?)\b\s*([^:\n]*):\s*(.*)"
)
_TYPED = re.compile(r"[\w.\[\], |]{1,80}:\s+(.*)", re.DOTALL)


@dataclass(slots=True)
class Docstring:
    """`description` is all that is neither about arguments nor about what comes back."""

    description: str = ""
    arguments: dict[str, str] = field(default_factory=dict)
    returns: str = ""


def read_docstring(text: str) -> Docstring:
    """`text` is what `inspect.getdoc` gives: its indentation has been taken away, which must not be
    done twice."""
    lines = text[:MOST_CHARACTERS].splitlines()
    found = Docstring()
    prose: list[str] = []
    at = 0
    while at < len(lines):
        end = (
            _fields(lines, at, found)
            or _underlined(lines, at, found)
            or _indented(lines, at, found)
        )
        if end:
            at = end
        else:
            prose.append(lines[at])
            at += 1
    found.description = re.sub(r"\n{3,}", "\n\n", "\n".join(prose)).strip()
    return found


# -- Args:


def _indented(lines: list[str], at: int, found: Docstring) -> int:
    """Read a section `Args:` that begins at a line; the line after it, or 0 if none begins
    there."""
    heading = _HEADING.fullmatch(lines[at])
    kind = SECTIONS.get(heading[1].lower()) if heading else None
    if kind not in ("arguments", "returns"):
        # before its end is looked for: every line comes by here, and would look at all that follow
        return 0
    end = _end_of_block(lines, at + 1, 0)
    body = lines[at + 1 : end]
    if not any(line.strip() for line in body):
        return 0
    if kind == "returns":
        text = _joined(body)
        typed = _TYPED.fullmatch(text)
        found.returns = found.returns or (typed[1] if typed else text)
        return end
    for item in _items(body):
        described = _ITEM.fullmatch(item)
        if described:
            found.arguments.setdefault(described[1].lstrip("*"), described[2].strip())
    return end


def _end_of_block(lines: list[str], at: int, indent: int) -> int:
    while at < len(lines) and (not lines[at].strip() or _indent(lines[at]) > indent):
        at += 1
    return at


def _items(body: list[str]) -> list[str]:
    """The items of a section: what is indented deeper than the first line goes on with the item
    before."""
    filled = [line for line in body if line.strip()]
    least = _indent(filled[0]) if filled else 0
    items: list[list[str]] = []
    for line in filled:
        if _indent(line) <= least or not items:
            items.append([])
        items[-1].append(line.strip())
    return [" ".join(item) for item in items]


# -- Parameters over dashes


def _underlined(lines: list[str], at: int, found: Docstring) -> int:
    kind = SECTIONS.get(lines[at].strip().lower())
    if kind not in ("arguments", "returns") or not _is_underline(lines, at + 1):
        return 0
    end = at + 2
    while end < len(lines) and not _is_underline(lines, end + 1):
        end += 1
    body = lines[at + 2 : end]
    if kind == "returns":
        # A type stands alone on the first line, and the words are indented below it.
        words = [line for line in body if _indent(line)]
        found.returns = found.returns or _joined(words or body)
        return end
    names: list[str] = []
    texts: list[str] = []
    for line in [*body, ""]:
        item = None if _indent(line) else _NUMPY_ITEM.fullmatch(line.strip())
        if item:
            _keep(found, names, texts)
            names, texts = [name.strip(" *") for name in item[1].split(",")], []
        else:
            texts.append(line)
    _keep(found, names, texts)
    return end


def _is_underline(lines: list[str], at: int) -> bool:
    return at < len(lines) and len(lines[at].strip()) >= 3 and not lines[at].strip().strip("-=")


def _keep(found: Docstring, names: list[str], texts: list[str]) -> None:
    for name in names:
        found.arguments.setdefault(name, _joined(texts))


# -- :param x:


def _fields(lines: list[str], at: int, found: Docstring) -> int:
    begins = _FIELD.fullmatch(lines[at])
    if begins is None:
        return 0
    end = at + 1
    while end < len(lines) and lines[end].strip() and _indent(lines[end]):
        end += 1
    kind, subject, first = begins.groups()
    text = _joined([first, *lines[at + 1 : end]])
    words = subject.split()
    if kind in ("param", "parameter", "arg", "argument", "key", "keyword") and words:
        found.arguments.setdefault(
            words[-1].lstrip("*"), text
        )  # the words before the name are its type
    elif kind.startswith(("return", "yield")):
        found.returns = found.returns or text
    return end


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _joined(lines: list[str]) -> str:
    return " ".join(line.strip() for line in lines if line.strip())
