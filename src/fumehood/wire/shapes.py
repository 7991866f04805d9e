"""Rows of the value codec for records and exceptions: classes recognized by their shape.

Inside a sandbox the objects read here are the code's own: fields are read from where Python keeps
them, nothing of theirs is called.
"""

from __future__ import annotations

import builtins
import sys
from types import MemberDescriptorType
from typing import Any, Final

from fumehood.wire.codec import (
    HASHABLE_BY_PARTS,
    SHAPES,
    Decoding,
    Encoding,
    Node,
    Unsupported,
    decodes,
    encodes,
    exactly,
    is_utf8,
    malformed,
)
from fumehood.wire.records import KINDS, Record, RemoteError, TupleRecord
from fumehood.wire.show import qualified_name

NUMBERED: Final = frozenset({"dataclass", "instance"})
_IDENTITY: Final = frozenset({"instance", "missing"})

# -- the node of a record


def _node(
    walk: Encoding, kind: str, name: str, names: tuple[str, ...], values: tuple[Any, ...]
) -> Node:
    walk.enter(len(values))
    node: list[Any] = ["record", kind, name, list(names)]
    for value in values:
        node.append(walk.value(value))
    walk.depth += 1
    return node


@encodes(Record, TupleRecord)
def _record(walk: Encoding, value: Record) -> Node:
    if value._kind in NUMBERED:
        seen = walk.seen(value)
        if seen is not None:
            return seen
        walk.note(value, key=value._kind == "instance")
    return _node(walk, value._kind, value._type_name, value._names, value._values)


@decodes("record")
def _to_record(walk: Decoding, node: list[Any]) -> Record:
    if len(node) < 4:
        malformed("a record without a type")
    _, kind, name, names, *parts = node
    if exactly(str, kind) not in KINDS or type(names) is not list or set(map(type, names)) - {str}:
        malformed("a record of an unknown kind or without names")
    walk.spend(len(names))
    if len(names) != len(parts) or len(set(names)) != len(names) or len(exactly(str, name)) > 1000:
        malformed(
            "a record whose names and values differ in number, or whose names are not different"
        )
    record = Record(name, kind, tuple(names))
    if kind in NUMBERED:
        walk.note(record)
    object.__setattr__(record, "_values", tuple([walk.value(part) for part in parts]))
    if kind == "enum" and (
        names != ["name", "value"] or type(record._values[0]) not in (str, type(None))
    ):
        malformed("a member of an enum without name and value")
    return record


# -- classes recognized by their shape

_DICT: Final = type.__dict__["__dict__"]


def _find(mro: tuple[type, ...], name: str) -> Any:
    """A class attribute where Python keeps it; no metaclass and no descriptor is asked."""
    for base in mro:
        found = _DICT.__get__(base)
        if name in found:
            return found[name]
    return None


def _instance_dict(value: object) -> dict[str, Any]:
    found = object.__getattribute__(value, "__dict__")
    if type(found) is not dict:
        raise Unsupported("an instance without a plain __dict__")
    return found


def _enum_shape(kind: type, mro: tuple[type, ...]) -> Any:
    enum = sys.modules.get("enum")
    if enum is None or not any(base is enum.Enum for base in mro):
        return None
    name = qualified_name(kind)

    def encode(walk: Encoding, value: Any) -> Node:
        parts = _instance_dict(value)
        member = parts["_name_"]
        if member is not None and (type(member) is not str or not is_utf8(member)):
            raise Unsupported("a member without a name")
        return _node(walk, "enum", name, ("name", "value"), (member, parts["_value_"]))

    return encode


def _namedtuple_shape(kind: type, mro: tuple[type, ...]) -> Any:
    names = _find(mro, "_fields")
    if tuple not in mro or not _are_names(names):
        return None
    name = qualified_name(kind)

    def encode(walk: Encoding, value: Any) -> Node:
        values = tuple(tuple.__iter__(value))
        if len(values) != len(names):
            raise Unsupported("a namedtuple with more or fewer values than names")
        return _node(walk, "namedtuple", name, names, values)

    return encode


def _are_names(names: Any) -> bool:
    return (
        type(names) is tuple
        and all(type(n) is str and is_utf8(n) for n in names)
        and len(set(names)) == len(names)
    )


def _dataclass_shape(kind: type, mro: tuple[type, ...]) -> Any:
    fields = _find(mro, "__dataclass_fields__")
    if type(fields) is not dict:
        return None
    # By name: code may have been given a private copy of the dataclasses module, whose marks are
    # other objects.
    names = tuple(
        name
        for name, field in fields.items()
        if object.__getattribute__(field, "_field_type").name == "_FIELD"
    )
    if not _are_names(names):
        return None
    slots = {
        name: found for name in names if type(found := _find(mro, name)) is MemberDescriptorType
    }
    hashed = _find(mro, "__hash__")
    shape = "dataclass" if hashed is None else "instance" if hashed is object.__hash__ else "frozen"
    title = qualified_name(kind)

    def encode(walk: Encoding, value: Any) -> Node:
        if shape in NUMBERED:
            seen = walk.seen(value)
            if seen is not None:
                return seen
            walk.note(value, key=shape == "instance")
        found = _instance_dict(value) if len(slots) < len(names) else {}
        values = tuple(
            [slots[name].__get__(value) if name in slots else found[name] for name in names]
        )
        return _node(walk, shape, title, names, values)

    return encode


# -- exceptions

EXCEPTIONS: Final[dict[str, type[BaseException]]] = {
    name: kind
    for name, kind in vars(builtins).items()
    if isinstance(kind, type) and issubclass(kind, BaseException) and kind.__name__ == name
}
"""The exceptions that come back as what they were. Aliases (IOError) are left out."""

_BUILT_IN: Final = {kind: name for name, kind in EXCEPTIONS.items()}
_ARGS: Any = BaseException.__dict__["args"]
_FILENAMES: Final[tuple[Any, Any]] = (OSError.__dict__["filename"], OSError.__dict__["filename2"])


def _exception_shape(kind: type, mro: tuple[type, ...]) -> Any:
    if BaseException not in mro:
        return None
    built_in = _BUILT_IN.get(kind)
    name = built_in or qualified_name(kind)

    def encode(walk: Encoding, value: Any) -> Node:
        seen = walk.seen(value)
        if seen is not None:
            return seen
        args = _ARGS.__get__(value)
        if built_in and OSError in mro and len(args) == 2:
            # A file's name is an argument of the constructor that `args` leaves out.
            first, second = (descriptor.__get__(value) for descriptor in _FILENAMES)
            args = (
                args
                if first is None
                else (*args, first)
                if second is None
                else (*args, first, None, second)
            )
        number = walk.reserve(value, key=True)
        walk.enter(len(args))
        node: list[Any] = [
            "error" if built_in else "raised",
            _title(value) if kind is RemoteError else name,
        ]
        for arg in args:
            node.append(walk.value(arg))
        walk.depth += 1
        walk.fill(number)
        return node

    return encode


def _title(value: RemoteError) -> str:
    title = value.type_name
    if type(title) is not str or not is_utf8(title):
        raise Unsupported("an error without a type")
    return title[:1000]


@decodes("error", key=True)
def _to_error(walk: Decoding, node: list[Any]) -> BaseException:
    number, before = walk.reserve(), walk.refs
    if len(node) < 2 or len(exactly(str, node[1])) > 1000:
        malformed("an exception without a type")
    name, args = node[1], [walk.value(part) for part in node[2:]]
    # str() of a real exception is the repr of its arguments, and shared parts can make that
    # endless.
    error = _built_in(EXCEPTIONS.get(name), args) if walk.refs == before else None
    return walk.fill(number, error or RemoteError(name, *args))  # type: ignore[no-any-return]


def _built_in(kind: Any, args: list[Any]) -> BaseException | None:
    """The real exception, or None where this Python has no such one or would not make one of these
    arguments."""
    try:
        if kind is None:
            return None
        if issubclass(kind, SyntaxError):
            # Without the place: what prints a SyntaxError may open the file it names.
            error: BaseException = kind(*args[:1])
            error.args = tuple(args)
            return error
        if issubclass(kind, (UnicodeEncodeError, UnicodeDecodeError, UnicodeTranslateError)):
            # Its text is read from the object between two indices; some Pythons trust them.
            *_, text, start, end, _reason = args
            if type(start) is not int or type(end) is not int or not 0 <= start < end <= len(text):
                return None
        error = kind(*args)
    except Exception:
        return None
    return error


@decodes("raised", key=True)
def _to_raised(walk: Decoding, node: list[Any]) -> RemoteError:
    number = walk.reserve()
    if len(node) < 2 or len(exactly(str, node[1])) > 1000:
        malformed("an exception without a type")
    return walk.fill(number, RemoteError(node[1], *[walk.value(part) for part in node[2:]]))  # type: ignore[no-any-return]


SHAPES += [_enum_shape, _exception_shape, _namedtuple_shape, _dataclass_shape]


def _key_parts(node: list[Any]) -> list[Any] | None:
    kind = node[1]
    if kind in _IDENTITY or kind == "enum" and node[4] is not None:
        return []
    return node[4:] if kind in ("frozen", "namedtuple", "enum") else None


HASHABLE_BY_PARTS["record"] = _key_parts
