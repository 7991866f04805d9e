"""What a class that code made consists of, and how it is put together again without running any of
its code a second time.

A class is not made by running its statement again: what that statement did (registering, reading,
counting) has been done, and what it computed may have changed since. It is made empty, and then
given what it had.
"""

from __future__ import annotations

import abc
import collections
import dataclasses
import enum
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

# Entries of a class's dictionary that are made with the class, or by what makes it.
_MADE_WITH_IT = {
    "__dict__",
    "__weakref__",
    "__module__",
    "__qualname__",
    "__slots__",
    "__orig_bases__",
    "_abc_impl",
    "__classcell__",
}
_MADE_BY_DATACLASS = {"__dataclass_fields__", "__dataclass_params__"}

_FIELD_OPTIONS = (
    "default",
    "default_factory",
    "init",
    "repr",
    "hash",
    "compare",
    "metadata",
    "kw_only",
)
_CLASS_OPTIONS = ("init", "repr", "eq", "order", "unsafe_hash", "frozen")


def open_parts(cls: Any) -> dict[str, Any]:
    """What has to be there when a class is made."""
    own = vars(cls)
    parts = {"__module__": cls.__module__, "__qualname__": cls.__qualname__}
    if "__slots__" in own:
        slots = own["__slots__"]
        parts["__slots__"] = (
            slots if type(slots) is str else tuple(name for name in slots if type(name) is str)
        )
    if "__orig_bases__" in own:
        parts["__orig_bases__"] = own["__orig_bases__"]
    return parts


def attributes_of(
    cls: Any, is_wanted: Callable[[types.FunctionType], bool]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """A class's own methods, and its other own attributes. What a decorator or a metaclass
    generates is left out: it is made again."""
    own = vars(cls)
    is_enum = issubclass(type(cls), enum.EnumMeta)
    is_generated = (
        is_enum
        or "__dataclass_fields__" in own
        or "_is_protocol" in own
        or namedtuple_parts(cls) is not None
    )
    left_out = _MADE_WITH_IT | (_MADE_BY_DATACLASS if "__dataclass_fields__" in own else set())
    if namedtuple_parts(cls) is not None:
        left_out |= {*cls._fields, "__match_args__", "_fields", "_field_defaults"}
    if is_enum:
        left_out |= {*cls._member_map_}
    methods: dict[str, Any] = {}
    others: dict[str, Any] = {}
    for name, value in own.items():
        if name in left_out or type(value) in (
            types.MemberDescriptorType,
            types.GetSetDescriptorType,
        ):
            continue
        function = _function_in(value)
        if function is not None:
            if is_wanted(function) or not is_generated:
                methods[name] = value
        elif type(value) is property:
            methods[name] = value
        elif not is_enum or not name.startswith("_") or name in ("__doc__", "__annotations__"):
            others[name] = value
    return methods, others


def _function_in(value: Any) -> types.FunctionType | None:
    if type(value) in (classmethod, staticmethod):
        value = value.__func__
    return value if type(value) is types.FunctionType else None


# -- classes that libraries write methods for


def namedtuple_parts(cls: Any) -> tuple[Any, ...] | None:
    """Name, fields, defaults and module of a class that `namedtuple` made; None for any other."""
    own = vars(cls)
    made = _function_in(own.get("__new__"))
    if cls.__bases__ != (tuple,) or "_fields" not in own or made is None:
        return None
    if not str(made.__globals__.get("__name__")).startswith("namedtuple_"):
        return None
    defaults = own.get("_field_defaults", {})
    return (
        cls.__name__,
        tuple(own["_fields"]),
        tuple(defaults.values()),
        cls.__module__,
        cls.__qualname__,
    )


def dataclass_parts(cls: Any) -> tuple[dict[str, Any], dict[str, dict[str, Any]], dict[str, Any]]:
    """The decorator's options, each own field's options, and the annotations that say which fields
    are its own."""
    options = {name: getattr(cls.__dataclass_params__, name) for name in _CLASS_OPTIONS}
    annotations = dict(vars(cls).get("__annotations__", {}))
    fields = {}
    for name, item in vars(cls)["__dataclass_fields__"].items():
        if name in annotations and item._field_type is not dataclasses._FIELD_CLASSVAR:  # type: ignore[attr-defined]
            given = {option: getattr(item, option) for option in _FIELD_OPTIONS}
            given["metadata"] = dict(given["metadata"])
            fields[name] = {
                option: value for option, value in given.items() if value is not dataclasses.MISSING
            }
    return options, fields, annotations


# -- instances

# pickle reads an instance by these, and a class of the code's own may give them a meaning that only
# makes sense once it is whole.
_HOOKS = {
    "__new__",
    "__getattr__",
    "__getattribute__",
    "__setattr__",
    "__setitem__",
    "append",
    "extend",
}
_OWN_PICKLING = {"__reduce__", "__reduce_ex__", "__getnewargs__", "__getnewargs_ex__"}
_HEAP_TYPE = 1 << 9


def needs_care(cls: Any) -> bool:
    """Whether instances of a class are to be put together past its own methods. Not where a base in
    C, or the class, has its own way."""
    ways = [base for base in cls.__mro__ if base is not object]
    if any(
        not (base.__flags__ & _HEAP_TYPE or base in (list, dict))
        or _OWN_PICKLING & vars(base).keys()
        for base in ways
    ):
        return False
    return any(_HOOKS & vars(base).keys() for base in ways if base.__module__ == "__main__")


def instance_parts(value: Any) -> tuple[Any, list[Any], dict[Any, Any]]:
    """What an instance has: its state, and its items if it is a list or a dictionary."""
    items = list(list.__iter__(value)) if isinstance(value, list) else []
    kind: Any = type(value)
    return (
        kind.__getstate__(value),
        items,
        dict(dict.items(value)) if isinstance(value, dict) else {},
    )


def make_instance(cls: Any) -> Any:
    new: Any = (
        list.__new__
        if issubclass(cls, list)
        else dict.__new__
        if issubclass(cls, dict)
        else object.__new__
    )
    return new(cls)


def fill_instance(value: Any, parts: tuple[Any, list[Any], dict[Any, Any]]) -> None:
    state, items, entries = parts
    if items:
        list.extend(value, items)
    if entries:
        dict.update(value, entries)
    setter = next(
        (
            vars(base)["__setstate__"]
            for base in type(value).__mro__
            if "__setstate__" in vars(base)
        ),
        None,
    )
    if setter is not None and state is not None:
        setter(value, state)
        return
    attributes, slots = state if type(state) is tuple else (state, None)
    if attributes:
        object.__getattribute__(value, "__dict__").update(attributes)
    for name, content in (slots or {}).items():
        object.__setattr__(value, name, content)


# -- making them


def make_class(meta: Any, name: str, bases: tuple[Any, ...], parts: dict[str, Any]) -> Any:
    """An empty class. No `__init_subclass__` and no metaclass of the code's own is called: they
    were, when the class was first made."""
    make = (
        abc.ABCMeta.__new__ if meta is not None and issubclass(meta, abc.ABCMeta) else type.__new__
    )
    with _quiet(bases):
        return make(meta or type, name, bases, dict(parts))


@contextmanager
def _quiet(bases: tuple[Any, ...]) -> Iterator[None]:
    hooks: dict[Any, Any] = {}
    for cls in dict.fromkeys(ancestor for base in bases for ancestor in base.__mro__):
        if cls.__module__ == "__main__" and "__init_subclass__" in vars(cls):
            hooks[cls] = vars(cls)["__init_subclass__"]
            type.__delattr__(cls, "__init_subclass__")
    try:
        yield
    finally:
        for cls, hook in hooks.items():
            type.__setattr__(cls, "__init_subclass__", hook)


def make_enum(
    name: str, qualname: str, bases: tuple[Any, ...], members: dict[str, Any], boundary: str | None
) -> Any:
    """An enumeration with its members, made by their values alone."""
    meta: Any = enum.EnumMeta
    body = meta.__prepare__(name, bases)
    body["__module__"] = "__main__"
    body["__qualname__"] = qualname
    for member, value in members.items():
        body[member] = value
    options = {} if boundary is None else {"boundary": enum.FlagBoundary[boundary]}
    with _quiet(bases):
        return meta.__new__(meta, name, bases, body, **options)


def make_namedtuple(
    name: str, fields: tuple[str, ...], defaults: tuple[Any, ...], module: str, qualname: str
) -> Any:
    made = collections.namedtuple(name, fields, defaults=defaults, module=module)  # type: ignore[misc]
    made.__qualname__ = qualname
    return made


def make_dataclass(
    decorate: Callable[..., Any],
    field: Callable[..., Any],
    cls: Any,
    options: dict[str, Any],
    fields: dict[str, dict[str, Any]],
    annotations: dict[str, Any],
) -> None:
    """Let the decorator write its methods again. Where it made slots, they are kept: it would put
    defaults in their place."""
    slots = {
        name: vars(cls)[name]
        for name in fields
        if type(vars(cls).get(name)) is types.MemberDescriptorType
    }
    type.__setattr__(cls, "__annotations__", annotations)
    for name, given in fields.items():
        type.__setattr__(cls, name, field(**given))
    decorate(cls, **options)
    for name, slot in slots.items():
        type.__setattr__(cls, name, slot)
    if slots and options.get("frozen"):
        for name in (
            "__getstate__",
            "__setstate__",
        ):  # without them an instance that nobody may change could not be read
            if name not in vars(cls):
                type.__setattr__(cls, name, getattr(dataclasses, f"_dataclass_{name.strip('_')}"))


def set_attributes(cls: Any, attributes: dict[str, Any]) -> None:
    for name, value in attributes.items():
        type.__setattr__(cls, name, value)
