"""Values and displays of code, in words: bounded, and with nothing in them believed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fumehood.agent.console.text import one_line
from fumehood.agent.describing.values import is_a
from fumehood.agent.describing.values import value_text as repr_of
from fumehood.agent.describing.variables import description

LONGEST_VALUE = 10_000
"""Characters of a value that are shown: screens full, and a bound on what a hostile value can
cost."""

_IN_ROWS = (("numpy", "ndarray"), ("pandas", "DataFrame"), ("pandas", "Series"))
_MOST_ROWS = 60


def value_text(value: Any, limit: int = LONGEST_VALUE) -> str:
    """Tables and arrays in rows, anything else as a repr; bounded in length and in time."""
    if any(is_a(value, module, name) for module, name in _IN_ROWS):
        return "\n".join(description(value, limit, _MOST_ROWS))
    return repr_of(value, limit)


def display_line(bundle: Any) -> str:
    """The formats of a display, with its text if that is short."""
    if not isinstance(bundle, Mapping):
        return one_line(value_text(bundle, 200))
    formats = [_format(str(kind), data) for kind, data in bundle.items() if kind != "text/plain"]
    text = bundle.get("text/plain", "")
    plain = text[:1_000].strip("\n") if isinstance(text, str) else ""
    words = one_line(plain, 160) if plain and "\n" not in plain else ""
    if not formats:
        return words or f"text, {str(text).count(chr(10)) + 1:,} lines"
    return f"{', '.join(formats[:6])}{': ' if words else ''}{words}"


def _format(kind: str, data: Any) -> str:
    size = f"{len(data):,} bytes" if isinstance(data, bytes) else f"{len(str(data)):,} characters"
    shape = png_size(data) if kind == "image/png" and isinstance(data, bytes) else None
    return f"{one_line(kind, 80)} {f'{shape[0]}x{shape[1]}, ' if shape else ''}{size}"


def png_size(data: bytes) -> tuple[int, int] | None:
    """Width and height as the picture's first bytes say, without opening it."""
    if len(data) < 24 or data[:8] != b"\x89PNG\r\n\x1a\n":
        return None
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
