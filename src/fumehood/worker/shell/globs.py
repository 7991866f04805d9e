"""Patterns of names: * ? and [ … ], and the files that have such names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from fumehood.worker.shell.places import Places
from fumehood.worker.shell.tree import Misread

MOST = 100_000
"""Names that one pattern may stand for."""

_CLASSES = {
    "alpha": "a-zA-Z", "digit": "0-9", "alnum": "a-zA-Z0-9", "upper": "A-Z", "lower": "a-z",
    "space": " \\t\\n\\r\\f\\v", "blank": " \\t", "punct": r"!-/:-@\[-`{-~", "xdigit": "0-9A-Fa-f",
}  # fmt: skip


def escaped(text: str) -> str:
    """Text in which nothing is a pattern."""
    return re.sub(r"([*?\[\]\\])", r"\\\1", text)


def unescaped(pattern: str) -> str:
    return re.sub(r"\\(.)", r"\1", pattern, flags=re.DOTALL)


def is_pattern(pattern: str) -> bool:
    return re.search(r"[*?\[]", re.sub(r"\\.", "", pattern, flags=re.DOTALL)) is not None


@lru_cache(256)
def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern as a regular expression for a whole name. In it a `\\` takes the meaning from what
    follows."""
    return re.compile(_translated(pattern), re.DOTALL)


def _translated(pattern: str, any_text: str = ".*") -> str:
    pieces: list[str] = []
    at = 0
    while at < len(pattern):
        char = pattern[at]
        at += 1
        if char == "*":
            if (
                not pieces or pieces[-1] != any_text
            ):  # several mean the same as one, and would take for ever
                pieces.append(any_text)
        elif char == "?":
            pieces.append(".")
        elif char == "\\" and at < len(pattern):
            pieces.append(re.escape(pattern[at]))
            at += 1
        elif char == "[" and (found := _set(pattern, at)) is not None:
            pieces.append(found[0])
            at = found[1]
        else:
            pieces.append(re.escape(char))
    return "".join(pieces)


def _set(pattern: str, at: int) -> tuple[str, int] | None:
    """A set of characters that begins here, as a regular expression, and where it ends; None if it
    does not end."""
    negated = pattern[at : at + 1] in ("!", "^") and pattern[at : at + 1] != ""
    at += negated
    start, members = at, []
    while True:
        char = pattern[at : at + 1]
        if not char:
            return None
        if char == "]" and at > start:
            break
        if pattern.startswith("[:", at) and (end := pattern.find(":]", at)) > 0:
            if pattern[at + 2 : end] not in _CLASSES:
                return None
            members.append(_CLASSES[pattern[at + 2 : end]])
            at = end + 2
        else:
            if char == "\\" and at + 1 < len(pattern):
                at += 1
                char = pattern[at]
            last = pattern[at + 2 : at + 3]
            if pattern[at + 1 : at + 2] == "-" and last not in ("", "]"):
                if char <= last:
                    members.append(f"{re.escape(char)}-{re.escape(last)}")
                at += 3
            else:
                members.append(re.escape(char))
                at += 1
    inside = "".join(members)
    if not inside:
        return ("." if negated else "(?!)"), at + 1
    return f"[{'^' if negated else ''}{inside}]", at + 1


def matches(pattern: str, name: str) -> bool:
    return compiled(pattern).fullmatch(name) is not None


def expand(pattern: str, places: Places) -> list[str]:
    """The paths that a pattern stands for, in order; none if there are none."""
    found: list[str] = []
    for path in _walk(pattern, places):
        found.append(path)
        if len(found) > MOST:
            raise Misread(f"{pattern[:60]} stands for more than {MOST:,} names")
    return sorted(found)


def _walk(pattern: str, places: Places) -> Iterator[str]:
    parts = re.split(r"(/+)", pattern)
    steps: list[tuple[str, str]] = [
        (parts[i], parts[i + 1] if i + 1 < len(parts) else "") for i in range(0, len(parts), 2)
    ]
    stack: list[tuple[str, int]] = [("", 0)]
    while stack:
        path, step = stack.pop()
        if step == len(steps):
            if path:
                yield path
            continue
        part, slash = steps[step]
        if not is_pattern(part):
            longer = path + unescaped(part) + slash
            is_last = step + 1 == len(steps)
            if not is_last or not part or _is_there(places, longer):
                stack.append((longer, step + 1))
            continue
        try:
            names = places.names(path or ".")
        except (OSError, ValueError):
            continue
        wanted = compiled(part)
        for name in names:
            is_shown = name[0] != "." or part.startswith((".", "\\."))
            if (
                is_shown
                and wanted.fullmatch(name)
                and (not slash or places.is_directory(path + name))
            ):
                stack.append((path + name + slash, step + 1))


def _is_there(places: Places, path: str) -> bool:
    try:
        places.lstat(path)
    except (OSError, ValueError):
        return False
    return True
