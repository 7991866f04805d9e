"""What stands on one side for a thing that stays on the other: Record, RemoteError, RemoteObject,
Picture.

A class never travels. Its name does, with what the instance held and how the instance compared.
All of these are constants.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import total_ordering
from typing import Any, Final

from fumehood.wire import show

KINDS: Final = {
    "dataclass": "compares by its fields, is not hashable, keeps its identity",
    "frozen": "a dataclass that compares and hashes by its fields",
    "instance": "a dataclass that compares and hashes by identity (eq=False), and keeps it",
    "namedtuple": "also indexes, iterates, compares and hashes as the tuple it was",
    "enum": "has `name` and `value`; equal to the same member of the same enum",
    "missing": "a value of a library that this side lacks; the fields say what and why",
}
MIMES: Final = ("image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml")
_IDENTITY: Final = frozenset({"instance", "missing"})


class Record:
    """A value whose class stayed behind. Fields are attributes, and items by name: `record.x`,
    `record["x"]`.

    `_type_name`, `_kind` (see KINDS), `_names` and `_values` are its own, underscored so that
    fields may have any name. A field whose name begins and ends with an underscore is an item
    only: libraries read such attributes to decide what to call or which memory to read
    (`__array_interface__`), and a sandbox must not control that.
    """

    __slots__ = ("__weakref__", "_kind", "_names", "_type_name", "_values")
    _kind: str
    _names: tuple[str, ...]
    _type_name: str
    _values: tuple[Any, ...]

    def __new__(
        cls, type_name: str, kind: str, names: tuple[str, ...] = (), values: tuple[Any, ...] = ()
    ) -> Record:
        self = object.__new__(TupleRecord if kind == "namedtuple" else Record)
        for name, value in zip(Record.__slots__[1:], (kind, names, type_name, values), strict=True):
            object.__setattr__(self, name, value)
        return self

    def __setattr__(self, name: str, value: object = None) -> None:
        raise AttributeError("a Record cannot be changed")

    __delattr__ = __setattr__

    def __getattr__(self, name: str) -> Any:
        if name in self._names and not (name.startswith("_") and name.endswith("_")):
            return self[name]
        raise AttributeError(f"this {show.one_line(self._type_name, 100)} has no field {name!r}")

    def __getitem__(self, name: Any) -> Any:
        try:
            return self._values[self._names.index(name)]
        except (ValueError, IndexError):
            raise KeyError(name) from None

    def __iter__(self) -> Iterator[Any]:
        raise TypeError(
            f"a Record of kind {self._kind!r} cannot be iterated; _asdict() gives its fields"
        )

    def _asdict(self) -> dict[str, Any]:
        return dict(zip(self._names, self._values, strict=True))

    def _identity(self) -> Any:
        """What decides whether two records are equal, and their hash."""
        if self._kind in _IDENTITY:
            return id(self)
        is_named = self._kind == "enum" and self._values[0] is not None
        return self._type_name, self._values[0] if is_named else self._values

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        assert isinstance(other, Record)
        return self is other or (
            (self._kind, self._names) == (other._kind, other._names)
            and bool(self._identity() == other._identity())
        )

    def __hash__(self) -> int:
        if self._kind == "dataclass":
            raise TypeError("unhashable: a Record of kind 'dataclass'")
        return hash(self._identity())

    def __repr__(self) -> str:
        return show.bounded_repr(self, 1000)

    def __reduce__(self) -> Any:
        return Record, (self._type_name, self._kind, self._names, self._values)


@total_ordering
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
        values = _as_tuple(other)
        return NotImplemented if values is None else self._values == values

    def __lt__(self, other: object) -> bool:
        values = _as_tuple(other)
        return NotImplemented if values is None else self._values < values


def _as_tuple(value: object) -> tuple[Any, ...] | None:
    if isinstance(value, TupleRecord):
        return value._values
    return value if isinstance(value, tuple) else None


def _shown_record(record: Record) -> tuple[str, str, Iterator[tuple[str, Any]]]:
    brackets = "()" if record._kind in ("namedtuple", "dataclass", "frozen") else "<>"
    return record._type_name, brackets, zip(record._names, record._values, strict=False)


class RemoteError(Exception):
    """An exception whose class stayed in the sandbox: `type_name` is its name, `args` are its
    arguments. Its text is bounded."""

    def __init__(self, type_name: str, *args: Any) -> None:
        super().__init__(*args)
        self.type_name = type_name

    def __str__(self) -> str:
        words = ", ".join(
            arg if type(arg) is str and len(self.args) == 1 else show.bounded_repr(arg, 300)
            for arg in self.args[:10]
        )
        name = show.one_line(self.type_name, 200)
        return f"{name}: {words}"[:4000] if words else name

    def __repr__(self) -> str:
        return show.bounded_repr(self, 1000)

    def __reduce__(self) -> Any:
        return RemoteError, (self.type_name, *self.args)


def _shown_error(error: RemoteError) -> tuple[str, str, Iterator[tuple[str, Any]]]:
    return "RemoteError", "()", (("", part) for part in (error.type_name, *error.args))


show.FIELDS.update({Record: _shown_record, TupleRecord: _shown_record, RemoteError: _shown_error})


@dataclass(frozen=True, eq=False, repr=False, slots=True, weakref_slot=True)
class RemoteObject:
    """A name for an object inside a sandbox. Passed back to that sandbox, it is the object itself.

    `id` is the sandbox's number for it; `type_name` and `text` (its repr) are what the sandbox says
    about it. `owner` is a token of the sandbox: an encoder of another sandbox refuses the object.
    Two are equal if they are the same object of the same sandbox.
    """

    id: int
    type_name: str = ""
    text: str = ""
    owner: object = None

    def __eq__(self, other: object) -> bool:
        if type(other) is not RemoteObject:
            return NotImplemented
        return self.id == other.id and self.owner is other.owner

    def __hash__(self) -> int:
        return hash((RemoteObject, self.id))

    def __repr__(self) -> str:
        name = show.one_line(self.type_name, 200) or self.id
        return f"<RemoteObject {name}: {show.one_line(self.text, 200)}>"

    def __reduce__(self) -> Any:
        raise TypeError("a RemoteObject means nothing outside the session it came from")

    def __deepcopy__(self, memo: object) -> RemoteObject:
        return self

    def __copy__(self) -> RemoteObject:
        return self


@dataclass(frozen=True, repr=False, slots=True)
class Picture:
    """A picture as the bytes of its file. `mime` is the format; width and height are in pixels, 0
    if they are not known."""

    mime: str
    data: bytes
    width: int = field(default=0, compare=False)
    height: int = field(default=0, compare=False)

    def __repr__(self) -> str:
        return f"<Picture {self.mime} {self.width}x{self.height}, {len(self.data):,} bytes>"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        if self.mime == "image/svg+xml":
            return {"text/html": show.framed(self.data.decode("utf-8", "replace"))}
        return {self.mime: self.data}
