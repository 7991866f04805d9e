"""How much a value is, counted up to a bound: a few shared lists can be more than anything can
count."""

from __future__ import annotations

import sys
from typing import Any

_ITEM = 8


def is_larger(value: Any, most: int) -> bool:
    """Whether a value has more bytes than that: the memory of texts, bytes and arrays, and 8 for
    every other item."""
    left, waiting, seen = most, [value], set()
    while waiting:
        item = waiting.pop()
        if isinstance(item, (list, tuple, dict, set, frozenset)):
            if id(item) in seen:
                continue
            seen.add(id(item))
            left -= len(item) * _ITEM
            if left < 0:
                return True
            waiting.extend(item)
            if isinstance(item, dict):
                waiting.extend(item.values())
            continue
        left -= _bytes(item)
        if left < 0:
            return True
        for name in ("_values", "args"):  # Records and exceptions
            inside = (
                getattr(item, name, None)
                if type(item).__module__.startswith(("fumehood.", "builtins"))
                else None
            )
            if type(inside) is tuple:
                waiting.append(inside)
    return False


def _bytes(item: Any) -> int:
    if isinstance(item, str):
        return len(item) if item.isascii() else len(item.encode("utf-8", "surrogatepass"))
    if isinstance(item, (bytes, bytearray, memoryview)):
        return len(item)
    module = type(item).__module__.partition(".")[0]
    if module == "numpy" and hasattr(item, "nbytes"):
        return int(item.nbytes)
    if module == "pandas" and hasattr(item, "memory_usage") and "pandas" in sys.modules:
        usage = item.memory_usage(deep=True)
        return int(usage if isinstance(usage, int) else usage.sum())
    if module == "PIL" and hasattr(item, "size"):
        return int(item.size[0] * item.size[1] * 4)
    data = getattr(item, "data", None) if module == "fumehood" else None
    return len(data) if isinstance(data, bytes) else _ITEM


def display_bytes(displays: tuple[Any, ...]) -> int:
    return sum(
        _bytes(data) for bundle in displays if isinstance(bundle, dict) for data in bundle.values()
    )
