"""Values to and from MCP servers: what JSON can carry on the way there, and on the way back text,
data and pictures."""

from __future__ import annotations

import base64
import binascii
import math
from collections.abc import Mapping
from datetime import date, datetime, time
from decimal import Decimal
from enum import Enum
from pathlib import PurePath
from typing import Any
from uuid import UUID

from fumehood.tools.prompting import plain
from fumehood.wire.records import MIMES, Picture, Record

MOST_DEPTH = 100

# Types that JSON does not have, and what they are there.
_AS_TEXT = (datetime, date, time, UUID, PurePath)


def as_json(value: Any, where: str, depth: int = 0) -> Any:
    """A value as JSON has it. Raises TypeError, with `where` it stands, for one that JSON cannot
    carry."""
    kind = type(value)
    if value is None or kind in (bool, str, int):
        return value
    if depth > MOST_DEPTH:
        raise TypeError(f"{where} is nested too deeply")
    if kind is float:
        if not math.isfinite(value):
            raise TypeError(f"{where} holds {value}, which JSON has no word for")
        return value
    if kind in (list, tuple, set, frozenset):
        return [as_json(item, where, depth + 1) for item in value]
    if isinstance(value, Mapping):
        return {_key(key, where): as_json(item, where, depth + 1) for key, item in value.items()}
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, _AS_TEXT):
        return str(value)
    if isinstance(value, Decimal):
        return as_json(float(value), where, depth)
    if isinstance(value, Enum):
        return as_json(value.value, where, depth + 1)
    if isinstance(value, Record):
        return as_json(value._asdict(), where, depth + 1)
    if kind.__module__.partition(".")[0] == "numpy" and hasattr(value, "tolist"):
        return as_json(value.tolist(), where, depth + 1)
    hint = "; use .to_dict()" if hasattr(value, "to_dict") else ""
    raise TypeError(f"{where} holds {_article(kind.__name__)}, which JSON cannot carry{hint}")


def _key(key: Any, where: str) -> str:
    if isinstance(key, str):
        return key
    if isinstance(key, (bool, int, float)) or key is None:
        return str(key)
    raise TypeError(
        f"{where} has a key that is {_article(type(key).__name__)}; keys are text in JSON"
    )


def _article(name: str) -> str:
    return f"{'an' if name[:1].lower() in 'aeio' else 'a'} {name}"


# -- back


def as_value(result: Any, *, structured: bool, is_wrapped: bool) -> Any:
    """What a server has answered: its data if it gives any, else text, pictures, or a list of
    both."""
    parts = [_part(block) for block in result.content]
    data = result.structured_content
    if structured and data is not None and all(isinstance(part, str) for part in parts):
        return (
            data["result"]
            if is_wrapped and isinstance(data, dict) and data.keys() == {"result"}
            else data
        )
    if not parts:
        return None
    if all(isinstance(part, str) for part in parts):
        return "\n".join(parts)
    return parts[0] if len(parts) == 1 else parts


def _part(block: Any) -> Any:
    kind = getattr(block, "type", "")
    if kind == "text":
        return plain(str(block.text))
    if kind in ("image", "audio"):
        return _file(block.data, str(block.mime_type))
    if kind == "resource":
        inner = block.resource
        text = getattr(inner, "text", None)
        return (
            plain(text) if isinstance(text, str) else _file(inner.blob, str(inner.mime_type or ""))
        )
    if kind == "resource_link":
        return {"uri": str(block.uri), "name": block.name, "description": block.description}
    return plain(str(block))


def _file(data: str, mime: str) -> Any:
    try:
        content = base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        return f"({plain(mime)[:60]} that is damaged)"
    if mime not in MIMES:
        return content
    is_png = mime == "image/png" and len(content) >= 24
    sides = (int.from_bytes(content[at : at + 4], "big") if is_png else 0 for at in (16, 20))
    width, height = (side if side < 1 << 20 else 0 for side in sides)
    return Picture(mime, content, width, height)
