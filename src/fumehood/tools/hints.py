"""Type hints as functions: each is compiled once, and then takes a value and gives it back,
converted where it means the same, or `NO`.

Arguments have been decoded to exact builtin types, so looking at them is safe; but they may be
large, share parts and hold themselves. A part is looked at once per hint (`Seen`), however often it
occurs, so a check costs no more than the value is big. All of a value is checked: the wire bounds
its size, and a check of the first so many items could be walked around.

A hint that nobody wrote a row for is not checked: a hint says what the author expects, and the jail
does not rest on it.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections import abc
from enum import Enum
from typing import Any, Literal, Union

from fumehood.tools.containers import fields_of, fixed_tuple, items, mapping
from fumehood.tools.describe import type_text
from fumehood.tools.kinds import (
    NO,
    Hint,
    anything,
    enum_class,
    later,
    literal,
    nothing_but_none,
    plain_class,
    union,
)

Named = dict[Any, Hint]
"""The classes and aliases compiled so far for one parameter. They may mention themselves, so each
is compiled once."""


def compile_hint(hint: Any, named: Named | None = None) -> Hint:
    """The check for a resolved hint; one that takes anything for a hint of an unknown kind."""
    try:
        made = _compile(hint, {} if named is None else named)
    except (
        Exception
    ):  # typing's forms differ from one Python to the next, and a hint may be any object at all
        return anything()
    return dataclasses.replace(made, text=type_text(hint) or made.text)


def optional(hint: Hint) -> Hint:
    """The same, and None: what `limit: int = None` means."""
    if hint.convert is None or type(None) in hint.exact:
        return hint
    return dataclasses.replace(union([hint, nothing_but_none()]), text=f"{hint.text} | None")


def _compile(hint: Any, named: Named) -> Hint:
    if hint is Any or hint is object:
        return anything()
    if hint is None or hint is type(None):
        return nothing_but_none()
    if isinstance(hint, typing.TypeVar):
        if hint.__constraints__:
            return union([compile_hint(h, named) for h in hint.__constraints__])
        return anything() if hint.__bound__ is None else compile_hint(hint.__bound__, named)
    if isinstance(hint, typing.NewType):
        return compile_hint(hint.__supertype__, named)
    if hint is typing.LiteralString:
        return compile_hint(str)
    if type(hint).__name__ == "TypeAliasType":  # new in 3.12
        if hint not in named:
            named[hint] = later(lambda: compile_hint(hint.__value__, named))
        return named[hint]
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin in (
        typing.Annotated,
        typing.Final,
        typing.ClassVar,
        typing.Required,
        typing.NotRequired,
    ):
        return compile_hint(args[0], named)
    if origin in (Union, types.UnionType):
        return union([compile_hint(arg, named) for arg in args])
    if origin is Literal:
        return literal(args)
    kind = origin or hint
    if kind is abc.Callable or kind is typing.Callable:
        return Hint(
            "Callable", lambda value, seen: NO, flat=True
        )  # what comes out of a sandbox is data
    if not isinstance(kind, type) or kind is typing.Generic:
        return anything()
    if kind is tuple and len(args) == 2 and args[1] is Ellipsis:
        return items(tuple, compile_hint(args[0], named))
    if kind is tuple and (args or hint == tuple[()]):
        if any(
            typing.get_origin(arg) is typing.Unpack or isinstance(arg, typing.TypeVarTuple)
            for arg in args
        ):
            return plain_class(tuple)
        return fixed_tuple([compile_hint(arg, named) for arg in args])
    if len(args) == 2 and issubclass(kind, abc.Mapping):
        return mapping(kind, compile_hint(args[0], named), compile_hint(args[1], named))
    if (
        len(args) == 1
        and issubclass(kind, abc.Iterable)
        and kind.__module__ in ("builtins", "collections", "collections.abc")
    ):
        return items(kind, compile_hint(args[0], named))
    return _class(kind, named)


def _class(kind: Any, named: Named) -> Hint:
    if kind in named:
        return named[kind]

    def compile_field(hint: Any) -> Hint:
        return compile_hint(hint, named)

    if typing.is_typeddict(kind):
        known = kind.__required_keys__ | kind.__optional_keys__
        named[kind] = fields_of(kind, sorted(known), _required_keys(kind), compile_field)
    elif issubclass(kind, Enum):
        return enum_class(kind)
    elif dataclasses.is_dataclass(kind):
        fields = [field for field in dataclasses.fields(kind) if field.init]
        needed = {
            f.name
            for f in fields
            if f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING
        }
        named[kind] = fields_of(kind, [field.name for field in fields], needed, compile_field)
    elif issubclass(kind, tuple) and hasattr(kind, "_fields"):
        needed = set(kind._fields) - set(getattr(kind, "_field_defaults", ()))
        named[kind] = fields_of(kind, list(kind._fields), needed, compile_field)
    else:
        return plain_class(kind)
    return named[kind]


def _required_keys(kind: Any) -> set[str]:
    """Which keys a TypedDict needs. Python's own list misses `NotRequired` where annotations are
    text."""
    needed = set(kind.__required_keys__)
    try:
        hints = typing.get_type_hints(kind, include_extras=True)
    except Exception:
        return needed
    for name, hint in hints.items():
        if typing.get_origin(hint) is typing.NotRequired:
            needed.discard(name)
        elif typing.get_origin(hint) is typing.Required:
            needed.add(name)
    return needed
