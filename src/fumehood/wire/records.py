"""Records: enum members, dataclass instances, namedtuples and exceptions without the classes they
are made of.

A class never travels. What it was called, what its instance held and how the instance compared
does.
Inside a sandbox the objects looked at here are the code's own: fields are read from where Python
keeps them, nothing of theirs is called.
"""

from __future__ import annotations

import builtins
import datetime
import sys
from collections import Counter, OrderedDict, deque
from collections.abc import Iterator
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
from fumehood.wire.remote import one_line, type_name

KINDS: Final = {
    "dataclass": "compares by its fields, is not hashable, keeps its identity",
    "frozen": "a dataclass that compares and hashes by its fields",
    "instance": "a dataclass that compares and hashes by identity (eq=False), and keeps it",
    "namedtuple": "also indexes, iterates, compares and hashes as the tuple it was",
    "enum": "has `name` and `value`; equal to the same member of the same enum",
    "missing": "something this side lacks the library for; the fields say what and why",
}
NUMBERED: Final = frozenset({"dataclass", "instance"})
_IDENTITY: Final = frozenset({"instance", "missing"})


class Record:
    """A value whose class stayed behind. Fields are attributes, and items by name: `record.x`,
    `record["x"]`.

    `_type_name`, `_kind` (see KINDS), `_names` and `_values` are its own, underscored so that
    fields may be called anything. A field whose name begins and ends with an underscore is an item
    only: libraries read such attributes to decide what to call or which memory to look at
    (`__array_interface__`), and a sandbox must not be able to tell them.
    """

    __slots__ = ("__weakref__", "_kind", "_names", "_type_name", "_values")
    _type_name: str
    _kind: str
    _names: tuple[str, ...]
    _values: tuple[Any, ...]

    def __new__(
        cls, type_name: str, kind: str, names: tuple[str, ...] = (), values: tuple[Any, ...] = ()
    ) -> Record:
        self = object.__new__(TupleRecord if kind == "namedtuple" else Record)
        for name, value in (
            ("_type_name", type_name),
            ("_kind", kind),
            ("_names", names),
            ("_values", values),
        ):
            object.__setattr__(self, name, value)
        return self

    def __getattr__(self, name: str) -> Any:
        if name in self._names and not (name.startswith("_") and name.endswith("_")):
            return self[name]
        raise AttributeError(f"this {one_line(self._type_name, 100)} has no field {name!r}")

    def __getitem__(self, name: Any) -> Any:
        try:
            return self._values[self._names.index(name)]
        except (ValueError, IndexError):
            raise KeyError(name) from None

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Record cannot be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a Record cannot be changed")

    def __iter__(self) -> Iterator[Any]:
        raise TypeError(
            f"a Record of kind {self._kind!r} cannot be iterated; _asdict() gives its fields"
        )

    def _asdict(self) -> dict[str, Any]:
        return dict(zip(self._names, self._values, strict=True))

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(other) is not type(self):
            return NotImplemented
        assert isinstance(other, Record)
        if (
            self._kind != other._kind
            or self._kind in _IDENTITY
            or self._type_name != other._type_name
            or self._names != other._names
        ):
            return False
        if self._kind == "enum" and self._values[0] is not None:
            return bool(self._values[0] == other._values[0])
        return self._values == other._values

    def __hash__(self) -> int:
        if self._kind in _IDENTITY:
            return object.__hash__(self)
        if self._kind == "enum" and self._values[0] is not None:
            return hash((self._type_name, self._values[0]))
        if self._kind in ("frozen", "enum"):
            return hash((self._type_name, self._values))
        raise TypeError(f"unhashable: a Record of kind {self._kind!r}")

    def __repr__(self) -> str:
        return shown(self)

    def __copy__(self) -> Record:
        return self

    def __reduce__(self) -> Any:
        return Record, (self._type_name, self._kind, self._names, self._values)


class TupleRecord(Record):
    """A namedtuple whose class stayed behind: a Record that is also the sequence it was."""

    __slots__ = ()

    def __getitem__(self, place: Any) -> Any:
        return Record.__getitem__(self, place) if type(place) is str else self._values[place]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __contains__(self, value: object) -> bool:
        return value in self._values

    def __hash__(self) -> int:
        return hash(self._values)

    def __eq__(self, other: object) -> bool:
        return NotImplemented if (values := _as_tuple(other)) is None else self._values == values

    def __lt__(self, other: object) -> bool:
        return NotImplemented if (values := _as_tuple(other)) is None else self._values < values

    def __le__(self, other: object) -> bool:
        return NotImplemented if (values := _as_tuple(other)) is None else self._values <= values

    def __gt__(self, other: object) -> bool:
        return NotImplemented if (values := _as_tuple(other)) is None else self._values > values

    def __ge__(self, other: object) -> bool:
        return NotImplemented if (values := _as_tuple(other)) is None else self._values >= values


def _as_tuple(value: object) -> tuple[Any, ...] | None:
    return (
        value._values if type(value) is TupleRecord else value if isinstance(value, tuple) else None
    )


class RemoteError(Exception):
    """An exception whose class stayed in the sandbox. `type_name` says which; `args` are its
    arguments. Its text is bounded."""

    def __init__(self, type_name: str, *args: Any) -> None:
        super().__init__(*args)
        self.type_name = type_name

    def __str__(self) -> str:
        words = ", ".join(
            arg if type(arg) is str and len(self.args) == 1 else shown(arg)
            for arg in self.args[:10]
        )
        return (
            f"{one_line(self.type_name, 200)}: {words}"[:4000]
            if words
            else one_line(self.type_name, 200)
        )

    def __repr__(self) -> str:
        return f"RemoteError({one_line(str(self), 1000)!r})"

    def __reduce__(self) -> Any:
        return RemoteError, (self.type_name, *self.args)


# -- a bounded repr

_BRACKETS: Final[dict[type, str]] = {
    list: "[]",
    tuple: "()",
    set: "{}",
    frozenset: "{}",
    deque: "[]",
    dict: "{}",
    OrderedDict: "{}",
    Counter: "{}",
}


_SHORT: Final = frozenset(
    {int, float, bool, complex, type(None), type(...)}
    | {datetime.date, datetime.time, datetime.timedelta}
)


def shown(value: Any, room: int = 300, level: int = 4) -> str:
    """A short text for a value that may be hostile: a few shared lists can have a repr of 10^20
    characters."""
    kind = type(value)
    if kind in (str, bytes, bytearray):
        return repr(value) if len(value) <= 80 else repr(value[:79]) + "…"
    if kind is int and value.bit_length() > 200:
        return f"<int of {value.bit_length()} bits>"
    if kind in _SHORT:
        return repr(value)
    if level and (kind is Record or kind is TupleRecord):
        pairs = zip(value._names, value._values, strict=False)
        inside = _several(
            (f"{one_line(name, 40)}={shown(item, room // 2, level - 1)}" for name, item in pairs),
            room,
        )
        name = one_line(value._type_name, 80)
        is_as_written = value._kind in ("namedtuple", "dataclass", "frozen")
        return f"{name}({inside})" if is_as_written else f"<{name} {inside}>"
    if level and kind in _BRACKETS:
        brackets = _BRACKETS[kind]
        if isinstance(value, dict):
            items = (
                f"{shown(key, room // 2, level - 1)}: {shown(item, room // 2, level - 1)}"
                for key, item in value.items()
            )
        else:
            items = (shown(item, room // 2, level - 1) for item in value)
        return brackets[0] + _several(items, room) + brackets[1]
    return f"<{one_line(type_name(kind), 80)}>"


def _several(texts: Iterator[str], room: int) -> str:
    taken: list[str] = []
    for text in texts:
        if room <= 0:
            taken.append("…")
            break
        taken.append(text)
        room -= len(text) + 2
    return ", ".join(taken)


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
    name = type_name(kind)

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
    name = type_name(kind)

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
    title = type_name(kind)

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
    name = built_in or type_name(kind)

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
