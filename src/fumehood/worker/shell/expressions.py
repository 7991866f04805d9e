"""Regular expressions as grep and sed have them, told to Python's engine: basic ones, extended
ones, plain texts."""

from __future__ import annotations

import re

from fumehood.worker.shell.calls import Usage, encoded

_CLASSES = {
    "alpha": "a-zA-Z", "digit": "0-9", "alnum": "a-zA-Z0-9", "upper": "A-Z", "lower": "a-z", "space": r"\s", "blank": r" \t",  # noqa: E501
    "punct": r"!-/:-@\[-`{-~", "xdigit": "0-9A-Fa-f", "word": r"\w", "cntrl": r"\x00-\x1f\x7f",
    "print": r"\x20-\x7e", "graph": r"\x21-\x7e",
}  # fmt: skip
_SPECIAL = "(){}+?|"
_SHORT = {"<": r"\b(?=\w)", ">": r"\b(?<=\w)", "`": r"\A", "'": r"\Z"}


def compiled(
    texts: list[str],
    kind: str,
    *,
    ignores_case: bool = False,
    whole_words: bool = False,
    whole_lines: bool = False,
) -> re.Pattern[bytes]:
    """One expression for several, of a kind: G for basic, E for extended, F for plain text, P for
    Python's own. Usage if it is none."""
    translated = [_translated(text, kind) for text in texts]
    pattern = (
        "|".join(f"(?:{text})" for text in translated)
        if len(translated) > 1
        else translated[0]
        if translated
        else "(?!)"
    )
    if whole_words:
        pattern = rf"(?<!\w)(?:{pattern})(?!\w)"
    if whole_lines:
        pattern = rf"\A(?:{pattern})\Z"
    try:
        return re.compile(encoded(pattern), re.IGNORECASE if ignores_case else 0)
    except (re.error, OverflowError, RecursionError) as error:
        raise Usage(f"{' '.join(texts)[:80]!r} is no regular expression: {error}") from None


def _translated(text: str, kind: str) -> str:
    if kind == "F":
        return re.escape(text)
    if kind == "P":
        return text
    is_basic = kind == "G"
    out: list[str] = []
    at = 0
    starts = True
    """Whether an expression begins here, and a sign of repetition has nothing to repeat."""
    while at < len(text):
        char = text[at]
        at += 1
        begins, starts = starts, False
        if char == "\\" and at < len(text):
            escaped = text[at]
            at += 1
            if escaped in _SPECIAL:
                out.append(escaped if is_basic else "\\" + escaped)
                starts = is_basic and escaped in "(|"
            elif escaped in _SHORT:
                out.append(_SHORT[escaped])
            elif escaped.isdigit() or escaped in "wWsSbB" or escaped in "nt":
                out.append("\\" + escaped)
            else:
                out.append(re.escape(escaped))
        elif char == "[":
            piece, at = _set(text, at)
            out.append(piece)
        elif is_basic and char in _SPECIAL:
            out.append("\\" + char)
        elif char == "*" and begins:
            out.append(r"\*")
        elif (
            char == "^"
            and is_basic
            and not begins
            or char == "$"
            and is_basic
            and not _ends(text, at)
        ):
            out.append("\\" + char)
        elif char == "{" and not re.match(r"[0-9]*(,[0-9]*)?\}", text[at:]):
            out.append(r"\{")
        else:
            out.append(char)
            starts = char in "(|" or char == "^" and begins
    return "".join(out)


def _ends(text: str, at: int) -> bool:
    return at == len(text) or text.startswith((r"\)", r"\|"), at)


def _set(text: str, at: int) -> tuple[str, int]:
    start = at
    negated = text[at : at + 1] == "^"
    at += negated
    first = at
    members: list[str] = []
    while True:
        char = text[at : at + 1]
        if not char:
            raise Usage(f"the [ in {text[start - 1 : start + 40]!r} is not closed")
        if char == "]" and at > first:
            return f"[{'^' if negated else ''}{''.join(members)}]", at + 1
        named = re.match(r"\[:(\w+):\]", text[at:])
        if named is not None and named[1] in _CLASSES:
            members.append(_CLASSES[named[1]])
            at += named.end()
        else:
            members.append(
                "\\" + char
                if char in r"\[]^&~|"
                or char == "-"
                and (at == first or text[at + 1 : at + 2] == "]")
                else char
            )
            at += 1
