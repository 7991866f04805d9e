"""What is displayed, as texts to look at: each format opened so that what is put in its place
leaves it a document of that format.

JSON is read, and written again only if something was found. HTML and SVG are looked at as they
stand, with characters that are spelled as numbers (`&#64;`) written out; what stands in place of a
thing holds no character that means something there. Pictures stay as they are.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

_TEXT = re.compile(r"text/.*|image/svg\+xml|application/(?:javascript|xml|x-latex|.*\+xml)")
_JSON = re.compile(r"application/(?:.*\+)?json")
_BINARY = re.compile(r"(?:image|audio|video)/.*|application/pdf")
_SPELLED = re.compile(
    r"&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(commat|period|colon|plus|lowbar|hyphen|dash|nbsp));"
)
_NAMED = {
    "commat": "@",
    "period": ".",
    "colon": ":",
    "plus": "+",
    "lowbar": "_",
    "hyphen": "-",
    "dash": "-",
    "nbsp": "\u00a0",
}
_MEANS_SOMETHING = frozenset("<>&\"'")


class Part(NamedTuple):
    """One format of one display: where it stands, what it was, and what is looked at."""

    number: int
    mime: str
    original: str | bytes
    content: Any


def opened(displays: tuple[Any, ...]) -> list[Part]:
    """Everything in displays that can be looked at."""
    parts = []
    for number, bundle in enumerate(displays):
        for mime, data in bundle.items() if isinstance(bundle, dict) else ():
            content = _content(str(mime), data)
            if content is not None:
                parts.append(Part(number, mime, data, content))
    return parts


def _content(mime: str, data: Any) -> Any:
    if not isinstance(data, str):
        if isinstance(data, (bytes, bytearray)) and (
            _BINARY.fullmatch(mime) and mime != "image/svg+xml"
        ):
            return None
        return data
    if _JSON.fullmatch(mime):
        try:
            return json.loads(data)
        except (ValueError, RecursionError):
            return data
    if _BINARY.fullmatch(mime) and not _TEXT.fullmatch(mime):
        return None  # base64 of a picture
    return _SPELLED.sub(_written_out, data) if "html" in mime or "xml" in mime else data


def _written_out(found: re.Match[str]) -> str:
    decimal, hexadecimal, name = found.groups()
    number = ord(_NAMED[name]) if name else int(decimal) if decimal else int(hexadecimal, 16)
    if (
        number > 0x10FFFF
        or 0xD800 <= number < 0xE000
        or number < 32
        or chr(number) in _MEANS_SOMETHING
    ):
        return found[0]
    return chr(number)


def closed(displays: tuple[Any, ...], parts: list[Part], contents: list[Any]) -> tuple[Any, ...]:
    """The displays with what was found in them replaced; those in which nothing was found are the
    very same."""
    changed: dict[int, dict[str, Any]] = {}
    for part, content in zip(parts, contents, strict=True):
        if content != part.content:
            is_json = (
                isinstance(part.original, str)
                and _JSON.fullmatch(part.mime)
                and not isinstance(part.content, str)
            )
            changed.setdefault(part.number, {})[part.mime] = (
                json.dumps(content, ensure_ascii=False) if is_json else content
            )
    return tuple(
        {**bundle, **changed[number]} if number in changed else bundle
        for number, bundle in enumerate(displays)
    )
