"""How much a value is, counted up to a bound: a few shared lists can be more than anything can
count."""

from __future__ import annotations

import sys
from collections import deque
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
        objects = _objects(item)
        if objects is not None:
            if id(item) in seen:
                continue
            seen.add(id(item))
            left -= len(objects) * _ITEM
            waiting.extend(objects)
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


def _objects(item: Any) -> list[Any] | None:
    """The parts of a deque, and the Python objects in an array or a table, each column and index
    by itself. None for what holds none."""
    module = type(item).__module__.partition(".")[0]
    if type(item) is deque:
        return [*item]
    if module == "pandas" and hasattr(item, "columns"):
        return [item.index, item.columns, *(item.iloc[:, at] for at in range(item.shape[1]))]
    if module in ("numpy", "pandas") and _has_objects(item) and hasattr(item, "tolist"):
        parts: list[Any] = item.ravel().tolist() if module == "numpy" else item.tolist()
        return [*parts, item.index] if hasattr(item, "index") and module == "pandas" else parts
    return None


def _has_objects(item: Any) -> bool:
    dtype = getattr(item, "dtype", None)
    return str(dtype) in ("object", "category")


def _bytes(item: Any) -> int:
    if isinstance(item, str):
        return len(item) if item.isascii() else len(item.encode("utf-8", "surrogatepass"))
    if isinstance(item, (bytes, bytearray, memoryview)):
        return len(item)
    module = type(item).__module__.partition(".")[0]
    if module == "numpy" and hasattr(item, "nbytes"):
        return int(item.nbytes)
    if module == "pandas" and hasattr(item, "memory_usage") and "pandas" in sys.modules:
        if hasattr(item, "columns"):
            return _ITEM  # its columns are counted by themselves
        # not deep with objects: they are counted one by one, each once
        return int(item.memory_usage(deep=not _has_objects(item)))
    if module == "PIL" and hasattr(item, "size"):
        return int(item.size[0] * item.size[1] * 4)
    data = getattr(item, "data", None) if module == "fumehood" else None
    return len(data) if isinstance(data, bytes) else _ITEM


def display_bytes(displays: tuple[Any, ...]) -> int:
    return sum(
        _bytes(data) for bundle in displays if isinstance(bundle, dict) for data in bundle.values()
    )
