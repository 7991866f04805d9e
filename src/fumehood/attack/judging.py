"""What the host may hold of a sandbox: texts without canaries, values of known types, no object
that only hostile code would want."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from fumehood.attack.loot import is_dangerous
from fumehood.wire.values import RemoteObject

# A view shows its name and nothing else; a real module tells where it comes from as well.
_VIEW = re.compile(r"<module '[\w.]+'>")

# Where the classes of values come from that the codec makes (wire/values.py). Of the builtins, only
# these.
_BUILTIN = frozenset(
    "NoneType bool int float complex str bytes bytearray list tuple set frozenset dict range slice"
    " ellipsis NotImplementedType".split()
)
_LIBRARIES = frozenset(
    "collections datetime decimal fractions uuid pathlib zoneinfo array numpy pandas PIL fumehood".split()  # noqa: E501
)
_MOST_LOOKED_AT = 20_000


def text_of(thing: Any) -> str:
    try:
        return repr(thing)
    except (ValueError, RecursionError, MemoryError):
        # a number with more digits than Python likes to write, or a value deeper than it likes to
        # walk
        return ""


def danger_of(thing: Any) -> str | None:
    """An object that stayed inside is known by its type and its repr, whatever it is part of."""
    for each in _walk(thing):
        if type(each) is RemoteObject:
            if _VIEW.fullmatch(each.text):
                continue
            if each.type_name in ("code", "frame"):
                return f"a {each.type_name}"
            if reason := is_dangerous(each.text):
                return reason
        elif type(each) not in (list, tuple, set, frozenset, dict) and (
            reason := is_dangerous(each)
        ):
            return reason
    return None


def strangers_in(thing: Any) -> list[str]:
    """The classes of what the host holds that no value from a sandbox may have."""
    return sorted({name for each in _walk(thing) if (name := _stranger(each))})


def _stranger(thing: Any) -> str | None:
    kind = type(thing)
    if kind.__module__ == "builtins" and (
        kind.__name__ in _BUILTIN or issubclass(kind, BaseException)
    ):
        return None
    return (
        None
        if kind.__module__.partition(".")[0] in _LIBRARIES
        else f"{kind.__module__}.{kind.__name__}"
    )


def _walk(thing: Any) -> Iterable[Any]:
    """It and its parts, each once; the parts of plain containers, and of no other kind of
    object."""
    waiting = [thing]
    seen: set[int] = set()
    while waiting and len(seen) < _MOST_LOOKED_AT:
        each = waiting.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        yield each
        if type(each) in (list, tuple, set, frozenset):
            waiting += each
        elif type(each) is dict:
            waiting += [*each, *each.values()]
