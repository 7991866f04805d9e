"""Why something cannot be saved, in words, and where in a variable it is."""

from __future__ import annotations

import asyncio
import contextvars
import io
import threading
import types
import weakref
from collections import deque
from collections.abc import Iterator
from typing import Any

from fumehood.language.run import CompiledText
from fumehood.wire.show import safe_str, type_name

_MOST_LOOKED_AT = 200_000

# What is of one of these types lives only while its process does.
REASONS: dict[type, str] = {
    types.GeneratorType: "a generator cannot be saved: it is a function in the middle of its work",
    types.CoroutineType: "a coroutine cannot be saved: it is a function in the middle of its work",
    types.AsyncGeneratorType: (
        "an asynchronous generator cannot be saved: it is a function in the middle of its work"
    ),
    types.FrameType: "a frame cannot be saved: it is a function in the middle of its work",
    types.TracebackType: (
        "a traceback cannot be saved: it holds functions in the middle of their work"
    ),
    types.CodeType: "code cannot be saved as such: save the function it is of",
    CompiledText: "compiled text cannot be saved: save the text",
    type(threading.Lock()): "a lock cannot be saved: it is held by threads of this process",
    type(threading.RLock()): "a lock cannot be saved: it is held by threads of this process",
    threading.Thread: "a thread cannot be saved",
    asyncio.Future: "a task or future cannot be saved: it belongs to a running event loop",
    asyncio.AbstractEventLoop: "an event loop cannot be saved",
    contextvars.ContextVar: (
        "a context variable cannot be saved: its value belongs to the code that is running"
    ),
    contextvars.Context: "a context cannot be saved: it belongs to the code that is running",
    weakref.ref: "a weak reference cannot be saved: it does not hold what it refers to",
    memoryview: "a memoryview cannot be saved: save what it is a view of",
    io.TextIOWrapper: "an open file cannot be saved",
    io.BufferedReader: "an open file cannot be saved",
    io.BufferedWriter: "an open file cannot be saved",
    io.BufferedRandom: "an open file cannot be saved",
    io.FileIO: "an open file cannot be saved",
}


class Unsavable(Exception):
    """Met while variables are written: one thing that cannot be."""

    def __init__(self, culprit: Any, reason: str) -> None:
        super().__init__(reason)
        self.culprit = culprit


def known_reason(value: Any) -> str | None:
    for kind in type(value).__mro__:
        if kind in REASONS:
            return REASONS[kind]
    return None


def why_not_pickled(value: Any, error: BaseException) -> str:
    """A reason made of the exception with which pickling ended."""
    return (
        known_reason(value)
        or f"a value of type {type_name(value)} cannot be saved ({type_name(error)}: {safe_str(error, 150)})"  # noqa: E501
    )


def path_to(value: Any, culprit: Any) -> str:
    """How to get from a value to what is inside it, as code would write it; empty if it is the
    value itself, or cannot be found."""
    if value is culprit:
        return ""
    seen = {id(value)}
    waiting: deque[tuple[Any, str]] = deque([(value, "")])
    while waiting and len(seen) < _MOST_LOOKED_AT:
        holder, path = waiting.popleft()
        for step, part in _parts(holder):
            if part is culprit:
                return path + step
            if id(part) not in seen and type(part) not in (int, str, float, bool, bytes):
                seen.add(id(part))
                waiting.append((part, path + step))
    return " (inside it)"


def _parts(holder: Any) -> Iterator[tuple[str, Any]]:
    kind = type(holder)
    if issubclass(kind, dict):
        for key, part in dict.items(holder):
            yield (
                (f"[{key!r}]" if type(key) in (str, int, float, bool) else f"[<{type_name(key)}>]"),
                part,
            )
            yield " (a key)", key
    elif issubclass(kind, (list, tuple)):
        yield from ((f"[{number}]", part) for number, part in enumerate(kind.__iter__(holder)))
    elif kind in (set, frozenset, deque):
        yield from ((" (an item)", part) for part in holder)
    if kind is types.FunctionType:
        for name, cell in zip(holder.__code__.co_freevars, holder.__closure__ or (), strict=False):
            yield from ((f" (its variable {name})", part) for part in _content(cell))
        yield from (
            (" (a default)", part)
            for part in (*(holder.__defaults__ or ()), *(holder.__kwdefaults__ or {}).values())
        )
    elif kind is types.MethodType:
        yield " (its object)", holder.__self__
    elif kind in (staticmethod, classmethod):
        yield "", holder.__func__
    elif kind.__name__ == "partial":
        yield from (
            (" (an argument)", part)
            for part in (holder.func, *holder.args, *holder.keywords.values())
        )
    try:
        read: Any = type.__getattribute__ if issubclass(kind, type) else object.__getattribute__
        attributes = read(holder, "__dict__")
        yield from ((f".{name}", part) for name, part in [*attributes.items()] if type(name) is str)
    except (AttributeError, TypeError):
        pass
    for base in kind.__mro__:
        for name, slot in vars(base).items():
            if type(slot) is types.MemberDescriptorType and base.__module__ == "__main__":
                try:
                    yield f".{name}", slot.__get__(holder)
                except AttributeError:
                    continue


def _content(cell: types.CellType) -> list[Any]:
    try:
        return [cell.cell_contents]
    except ValueError:
        return []
