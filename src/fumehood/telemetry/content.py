"""What somebody said, as telemetry carries it: bounded, in characters that every exporter can
write, and JSON where that is expected.

No code of a value is run to show it: of a type that is not Python's own, only the name is told.
"""

from __future__ import annotations

import datetime
import decimal
import json
import math
import pathlib
import re
import uuid
from collections.abc import Sequence
from typing import Any

_MOST = 32_768
"""Characters of one attribute, about."""
_MOST_OF_A_TEXT = 8_192
"""Characters of one message among several."""
_MOST_ITEMS = 200
_DEEPEST = 8
_LONGEST_NAME = 100
_LARGEST = 2**53
"""A whole number that every reader of JSON knows, too."""

# Halves of characters cannot be written as UTF-8, which would cost an exporter the whole batch;
# other control characters are refused by some of those who store them.
_UNFIT = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")

_SPELLED = (
    datetime.date,
    datetime.datetime,
    datetime.time,
    datetime.timedelta,
    decimal.Decimal,
    pathlib.PosixPath,
    pathlib.PurePosixPath,
    uuid.UUID,
)
"""Types whose text is short and says it all."""


def fit(text: object, most: int = _MOST) -> str:
    """A text that can be an attribute."""
    if not isinstance(text, str):
        return f"<{type(text).__name__}>"
    cut = _UNFIT.sub("�", text[:most])
    return cut if len(text) <= most else f"{cut}… ({len(text) - most:,} more characters)"


def name(text: object) -> str:
    """A name that can be an attribute, or part of the name of a span. Names of tools come from
    code, too."""
    if isinstance(text, str) and len(text) > _LONGEST_NAME:
        text = text[: _LONGEST_NAME - 1] + "…"
    return " ".join(fit(text).split())


def number(value: object) -> int | float:
    """A number that can be an attribute, and be added up. Sandboxes and servers may claim
    anything."""
    if not isinstance(value, (int, float)) or not math.isfinite(value):
        return 0
    return max(0, min(value, _LARGEST))


def as_json(value: object) -> str:
    """Any value as JSON."""
    return _dumped(_Plain(_MOST).of(value, 0))


def arguments(args: Sequence[Any], kwargs: dict[str, Any]) -> str:
    """The arguments of a tool as JSON: an object with their names. Those without one are under `*`,
    which is no name."""
    plain = _Plain(_MOST)
    named = {"*": plain.of(list(args), 1)} if args else {}
    return _dumped({**named, **plain.of(kwargs, 0)})


def messages(given: Sequence[Any]) -> str:
    """Messages as the conventions have them. Of a conversation that is too long, the beginning is
    left out."""
    room = _MOST
    shown: list[dict[str, Any]] = []
    for message in reversed(given):
        if room <= 0:
            shown.append(
                {"role": "system", "parts": [{"type": "omitted", "count": len(given) - len(shown)}]}
            )
            break
        parts = _parts(message, min(room, _MOST_OF_A_TEXT))
        room -= sum(len(part.get("content", "")) for part in parts) + 20
        shown.append({"role": name(_field(message, "role", "user")), "parts": parts})
    return _dumped(shown[::-1])


def message(role: str, text: str, finish_reason: str = "") -> str:
    """One message of text."""
    said: dict[str, Any] = {"role": role, "parts": [{"type": "text", "content": fit(text)}]}
    return _dumped([{**said, "finish_reason": name(finish_reason)} if finish_reason else said])


def answer(output: object) -> str:
    """What a run ends with, as a message."""
    return message("assistant", output if isinstance(output, str) else as_json(output), "stop")


def _parts(message: Any, room: int) -> list[dict[str, Any]]:
    content = _field(message, "content", "")
    said = content if isinstance(content, str) else as_json(content)
    parts: list[dict[str, Any]] = [{"type": "text", "content": fit(said, room)}]
    for picture in _field(message, "images", ()) or ():  # not recorded, only that there was one
        parts.append(
            {
                "type": "image",
                "mime_type": name(_field(picture, "mime", "")),
                "bytes": len(_field(picture, "data", b"")),
            }
        )
    return parts


def _field(thing: Any, key: str, default: Any) -> Any:
    return thing.get(key, default) if type(thing) is dict else getattr(thing, key, default)


def _dumped(plain: Any) -> str:
    return json.dumps(plain, ensure_ascii=False, allow_nan=False)


class _Plain:
    """Values made of what JSON has, within a number of characters."""

    def __init__(self, room: int) -> None:
        self._room = room

    def of(self, value: Any, depth: int) -> Any:
        kind = type(value)
        if value is None or kind is bool:
            self._room -= 5
            return value
        if kind in (list, tuple, set, frozenset, dict):
            return self._of_container(value, kind, depth)
        plain = self._of_one(value, kind)
        self._room -= len(plain) + 2 if isinstance(plain, str) else 10
        return plain

    def _of_one(self, value: Any, kind: type) -> Any:
        if kind is str:
            return fit(value, max(self._room, 0))
        if kind is int:
            bits = value.bit_length()
            return (
                value if bits <= 64 else str(value) if bits < 2_000 else f"<int of {bits:,} bits>"
            )
        if kind is float:
            return value if math.isfinite(value) else str(value)
        if kind in (bytes, bytearray):
            return f"<{len(value):,} bytes>"
        if kind in _SPELLED:
            return fit(str(value), 1_000)
        return f"<{name(kind.__name__)}>"

    def _of_container(self, value: Any, kind: type, depth: int) -> Any:
        # whatever else: a list that holds the same list many times over is small, and endless
        self._room -= 5
        if depth >= _DEEPEST:
            return "…"
        items: list[Any] = []
        for item in value.items() if kind is dict else value:
            if len(items) >= _MOST_ITEMS or self._room <= 0:
                left_out = f"… {len(value) - len(items):,} more"
                self._room -= len(left_out)
                items.append((left_out, None) if kind is dict else left_out)
                break
            if kind is dict:
                key = item[0] if type(item[0]) is str else str(self.of(item[0], _DEEPEST))
                self._room -= len(key[:_LONGEST_NAME]) + 4
                items.append((fit(key, _LONGEST_NAME), self.of(item[1], depth + 1)))
            else:
                items.append(self.of(item, depth + 1))
        return dict(items) if kind is dict else items
