"""Keys stay out of sight: every text about a call of a server passes here before anybody reads it.

A server may repeat the key it was sent in its error message, and so may the library that talks to
it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

from fumehood.wire.show import one_line

LONGEST = 400
"""Characters of a server's message that are shown."""

_HIDDEN = "***"

# A short value is more likely a word than a key, and to replace it would spoil the text.
_SHORTEST = 6

# Variables of the environment that libraries take keys from.
_ENVIRONMENT = re.compile(r"(API_?KEY|TOKEN|SECRET|PASSWORD|ACCESS_KEY)", re.IGNORECASE)

_HEADERS = re.compile(r"auth|key|token|secret|cookie", re.IGNORECASE)

# What keys look like, for those that were found somewhere we do not know of.
_SHAPES = re.compile(
    r"\b(sk-|hf_|gsk_|xai-|AIza|ghp_|key-)[A-Za-z0-9_\-]{12,}|(?<=Bearer )[^\s'\",]{6,}",
    re.IGNORECASE,
)


class Key:
    """A key that does not show itself."""

    __slots__ = ("value",)

    def __init__(self, value: str) -> None:
        self.value = value

    def __repr__(self) -> str:
        return _HIDDEN


def without_keys(text: str, keys: Iterable[str]) -> str:
    """The text with these keys, those of the environment, and what looks like a key replaced."""
    known = {key for key in keys if len(key) >= _SHORTEST}
    known |= {
        value for name, value in os.environ.items() if _ENVIRONMENT.search(name) and len(value) >= 8
    }
    for key in sorted(known, key=len, reverse=True):
        text = text.replace(key, _HIDDEN)
    return _SHAPES.sub(_HIDDEN, text)


def in_one_line(text: str, keys: Iterable[str] = (), longest: int = LONGEST) -> str:
    """The text without keys on one line of bounded length, fit for a terminal."""
    # What is far beyond the cut is not looked at: a server may send megabytes. A key across that
    # border is cut off with the rest.
    return one_line(" ".join(without_keys(text[: longest * 20], keys).split()), longest)


def address(url: str) -> str:
    """A server's address without user, password and query."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        if ":" in host:
            host = f"[{host}]"
        return (
            f"{parts.scheme}://{host}{f':{parts.port}' if parts.port else ''}{parts.path}".rstrip(
                "/"
            )
        )
    except ValueError:
        return "an address that cannot be read"


def keys_in_address(url: str | None) -> Iterator[str]:
    """What may be secret in a server's address: user, password, values of the query."""
    try:
        parts = urlsplit(url or "")
    except ValueError:
        return
    for value in (
        parts.username,
        parts.password,
        *(pair.partition("=")[2] for pair in parts.query.split("&")),
    ):
        if value:
            yield value
            yield unquote(value)


def keys_in_headers(headers: Any) -> Iterator[str]:
    """What may be secret in headers that a caller adds to its requests."""
    if isinstance(headers, Mapping):
        for name, value in headers.items():
            if isinstance(value, str) and _HEADERS.search(str(name)):
                yield value
                yield value.rpartition(" ")[2]  # without the word that says of what kind it is
