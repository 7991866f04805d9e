"""A walk through a value: every text in it is shown to somebody, who may put another in its place.

The same walk is made twice. The first time texts are collected and nothing is built. If something
was found in them, the second builds the value anew, containers and all, with the texts that are
given back, in the same order: shared parts stay shared, cycles stay cycles, and the original is
left alone. Objects are told apart by exact type; nothing of theirs is called.

Numbers long enough to stand for something are texts here too. Pictures and other binary data are
not looked into.
"""

from __future__ import annotations

import array
import collections
import dataclasses
import itertools
import sys
from collections.abc import Callable
from decimal import Decimal
from pathlib import PurePath
from typing import Any

from fumehood.validation.checksums import luhn
from fumehood.validation.identities import IDENTITIES
from fumehood.validation.payments import is_card_word
from fumehood.validation.telephones import is_phone_word
from fumehood.wire.records import Picture, Record, RemoteError, RemoteObject, TupleRecord
from fumehood.wire.show import bounded_repr
from fumehood.wire.values import EXCEPTIONS

Leaf = Callable[[str, str], str | None]
"""Given a text and the name that it stands under: the text for its place, or None to leave it."""

LEAST_NUMBER, MOST_NUMBER = 10**7, 10**20
"""Numbers between these have as many digits as a telephone number, an id or a card."""

_NO_TEXT = frozenset({"datetime", "fractions", "uuid", "zoneinfo"})
"""Modules whose types hold no text."""
_REPR = 20_000
_KEY = 60


class Walk:
    """One walk. `leaf` is asked about every text; `builds` says whether its answers are used."""

    def __init__(self, leaf: Leaf, builds: bool) -> None:
        self.leaf = leaf
        self.builds = builds
        self.memo: dict[int, Any] = {}
        self.kept: list[Any] = []  # what the memo knows by its address must not go away meanwhile

    def value(self, value: Any, name: str = "") -> Any:
        """The value, or what takes its place. In a walk that does not build it is always the
        value."""
        kind = type(value)
        if kind is str:
            found = self.leaf(value, name) if value else None
            return value if found is None else found
        if kind is int or kind is float:
            return self.number(value, name)
        if value is None or kind is bool:
            return value
        if id(value) in self.memo:
            return self.memo[id(value)]
        handler = HANDLERS.get(kind) or self.late(kind)
        if handler is not None:
            return handler(self, value, name)
        return self.other(value, name)

    def late(self, kind: type) -> Callable[[Walk, Any, str], Any] | None:
        """How to go into types of libraries, if they are loaded, and into classes of the host's
        own."""
        module = kind.__module__.partition(".")[0] if isinstance(kind.__module__, str) else ""
        if module in ("numpy", "pandas") and module in sys.modules:
            from fumehood.validation import walking_tables

            return walking_tables.handler(kind)
        if module in _NO_TEXT:
            return _as_it_is
        for base in (BaseException, str, bytes, dict, list, tuple, set, frozenset, PurePath):
            if issubclass(kind, base):
                return HANDLERS[base]
        return None

    def note(self, value: Any, new: Any) -> Any:
        self.memo[id(value)] = new
        self.kept.append(value)
        return new

    def number(self, value: Any, name: str) -> Any:
        size = abs(value)
        if not LEAST_NUMBER <= size < MOST_NUMBER or value != int(value):
            return value
        text = str(int(value))
        found = self.leaf(text, name)
        return value if found is None or found == text else found

    def text(self, text: str, name: str) -> str | None:
        """What a text becomes; None if it stays."""
        found = self.leaf(text, name) if text else None
        return None if found is None or found == text else found

    def keys(self, keys: list[Any], name: str) -> list[Any]:
        """Keys, which must stay different from one another."""
        taken: set[Any] = set()
        made = []
        for key in keys:
            new, number = self.value(key, name), 1
            while self.builds and new in taken and new is not key:
                number += 1
                new = f"{self.value_text(new, number)}"
            taken.add(new)
            made.append(new)
        return made

    @staticmethod
    def value_text(text: Any, number: int) -> str:
        words = str(text)
        words = words.rpartition(" #")[0] + "]" if number > 2 and " #" in words else words
        return f"{words[:-1]} #{number}]" if words.endswith("]") else f"{words} #{number}"

    def other(self, value: Any, name: str) -> Any:
        """Something that only its repr says anything about."""
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return self.dataclass(value)
        text = bounded_repr(value, _REPR)
        found = self.text(text, name)
        return self.note(value, value if found is None else found)

    def dataclass(self, value: Any) -> Any:
        """Only inline: from a sandbox such things come as Records."""
        new = self.note(value, object.__new__(type(value)) if self.builds else value)
        for field in dataclasses.fields(value):
            try:
                item = object.__getattribute__(value, field.name)
            except AttributeError:
                continue
            item = self.value(item, field.name)
            if self.builds:
                object.__setattr__(new, field.name, item)
        return new


# -- containers

_DULL = frozenset({bool, type(None)})


def _list(walk: Walk, value: Any, name: str) -> Any:
    if not walk.builds:
        walk.note(value, value)
        if type(value) in (list, collections.deque) and (
            _is_dull(value) or _is_plain_crowd(value, name)
        ):
            return value
        for item in value:
            walk.value(item, name)
        return value
    new: Any = collections.deque(maxlen=value.maxlen) if type(value) is collections.deque else []
    walk.note(value, new)
    if type(value) not in (list, collections.deque) or not (
        _is_dull(value) or _is_plain_crowd(value, name)
    ):
        for item in value:
            new.append(walk.value(item, name))
    else:
        new.extend(value)
    return new


_CROWD, _SAMPLE = 10_000, 1000


def is_crowd(numbers: Any, name: str) -> bool:
    """Whether a great many numbers, by a look at the first of them, are none that stand for
    something: times, ids of rows. Where few have the check digit of a card, none is taken for one
    (payments.py), so all that could be found is what the name says."""
    if (
        len(numbers) < _CROWD
        or any(row.words.search(name) for row in IDENTITIES)
        or is_card_word(name)
        or is_phone_word(name)
    ):
        return False
    right = sum(luhn(str(abs(int(number)))) for number in itertools.islice(numbers, _SAMPLE))
    return right * 2 < _SAMPLE


def _is_dull(items: Any) -> bool:
    """Many numbers, none of which is large enough to stand for something."""
    kinds = set(map(type, items))
    if not kinds:
        return True
    if kinds <= _DULL:
        return True
    if not kinds <= {int, float, bool}:
        return False
    return (
        bool(max(items) < LEAST_NUMBER and min(items) > -LEAST_NUMBER)
        if all(item == item for item in items)
        else False
    )


def _is_plain_crowd(items: Any, name: str) -> bool:
    return len(items) >= _CROWD and set(map(type, items)) == {int} and is_crowd(items, name)


def _tuple(walk: Walk, value: Any, name: str) -> Any:
    fields = getattr(type(value), "_fields", None)
    has_fields = isinstance(fields, tuple) and len(fields) == len(value)
    names = map(str, fields) if has_fields and fields else (name,) * len(value)
    items = [walk.value(item, field) for item, field in zip(value, names, strict=True)]
    if not walk.builds:
        return walk.note(value, value)
    return walk.note(value, tuple.__new__(type(value) if has_fields else tuple, items))


def _set(walk: Walk, value: Any, name: str) -> Any:
    items = walk.keys(list(value), name)
    if not walk.builds:
        return walk.note(value, value)
    return walk.note(value, (frozenset if isinstance(value, frozenset) else set)(items))


def _dict(walk: Walk, value: Any, name: str) -> Any:
    if not walk.builds:
        walk.note(value, value)
        for key, item in value.items():
            walk.value(key, name)
            walk.value(item, named(key, name))
        return value
    new: Any = (
        type(value)() if type(value) in (collections.OrderedDict, collections.Counter) else {}
    )
    walk.note(value, new)
    taken: set[Any] = set()
    for key, item in value.items():
        made, number = walk.value(key, name), 1
        while made in taken:
            number += 1
            made = walk.value_text(made, number)
        taken.add(made)
        new[made] = walk.value(item, named(key, name))
    return new


def named(key: Any, name: str) -> str:
    return key[:_KEY] if type(key) is str else name


# -- texts in other clothes


def _text(walk: Walk, value: Any, name: str) -> Any:
    found = walk.text(str.__str__(value), name)
    return walk.note(value, value if found is None else found)


def _bytes(walk: Walk, value: Any, name: str) -> Any:
    decoded = as_text(bytes(value))
    found = walk.text(decoded[0], name) if decoded else None
    if found is None or decoded is None:
        return walk.note(value, value)
    return walk.note(
        value, (bytearray if type(value) is bytearray else bytes)(found, decoded[1], "replace")
    )


def as_text(data: bytes) -> tuple[str, str] | None:
    """Bytes as text, and the encoding. None for binary data: not UTF-8, and with zero bytes in it,
    as such data has."""
    try:
        return data.decode(), "utf-8"
    except UnicodeDecodeError:
        return None if b"\0" in data else (data.decode("latin-1"), "latin-1")


def _path(walk: Walk, value: Any, name: str) -> Any:
    found = walk.text(str(value), name)
    return walk.note(value, value if found is None else type(value)(found))


def _decimal(walk: Walk, value: Any, name: str) -> Any:
    if (
        not value.is_finite()
        or not LEAST_NUMBER <= abs(value) < MOST_NUMBER
        or value != value.to_integral_value()
    ):
        return value
    found = walk.text(str(int(value)), name)
    return value if found is None else found


def _exception(walk: Walk, value: Any, name: str) -> Any:
    args = value.args
    if isinstance(value, OSError) and len(args) == 2 and value.filename is not None:
        args = (
            (*args, value.filename)
            if value.filename2 is None
            else (*args, value.filename, None, value.filename2)
        )
    items = [walk.value(arg, name) for arg in args]
    title = value.type_name if type(value) is RemoteError else type(value).__name__
    if not walk.builds:
        return walk.note(value, value)
    if all(new is old for new, old in zip(items, args, strict=True)):
        return walk.note(value, value)
    kind = EXCEPTIONS.get(title) if type(value) is not RemoteError else None
    try:
        new: BaseException = (
            kind(*items) if kind is not None and type(value) is kind else RemoteError(title, *items)
        )
    except Exception:  # what it would be made of is no longer what it takes
        new = RemoteError(title, *items)
    return walk.note(value, new)


def _record(walk: Walk, value: Any, name: str) -> Any:
    kind = walk.text(value._type_name, "")
    new = walk.note(
        value, Record(kind or value._type_name, value._kind, value._names) if walk.builds else value
    )
    fields = tuple(
        [walk.value(item, field) for field, item in zip(value._names, value._values, strict=True)]
    )
    if walk.builds:
        object.__setattr__(new, "_values", fields)
    return new


def _remote(walk: Walk, value: Any, name: str) -> Any:
    kind, text = walk.text(value.type_name, ""), walk.text(value.text, name)
    if kind is None and text is None:
        return walk.note(value, value)
    return walk.note(
        value, RemoteObject(value.id, kind or value.type_name, text or value.text, value.owner)
    )


def _picture(walk: Walk, value: Any, name: str) -> Any:
    if value.mime != "image/svg+xml":
        return value
    found = walk.text(value.data.decode("utf-8", "replace"), name)
    return walk.note(
        value,
        value if found is None else Picture(value.mime, found.encode(), value.width, value.height),
    )


def _numbers(walk: Walk, value: Any, name: str) -> Any:
    if value.typecode in ("u", "w"):
        found = walk.text(value.tounicode(), name)
        return walk.note(value, value if found is None else array.array(value.typecode, found))
    if value.itemsize < 8 or _is_dull(value):
        return value
    items = [walk.value(item, name) for item in value]
    return walk.note(
        value,
        items if walk.builds and any(map(lambda new, old: new is not old, items, value)) else value,
    )


def _as_it_is(walk: Walk, value: Any, name: str) -> Any:
    return value


HANDLERS: dict[type, Callable[[Walk, Any, str], Any]] = {
    str: _text,
    list: _list,
    collections.deque: _list,
    tuple: _tuple,
    set: _set,
    frozenset: _set,
    dict: _dict,
    collections.OrderedDict: _dict,
    collections.Counter: _dict,
    collections.defaultdict: _dict,
    bytes: _bytes,
    bytearray: _bytes,
    Decimal: _decimal,
    BaseException: _exception,
    RemoteError: _exception,
    Record: _record,
    TupleRecord: _record,
    RemoteObject: _remote,
    Picture: _picture,
    PurePath: _path,
    array.array: _numbers,
    **dict.fromkeys((complex, range, slice, type(...), type(NotImplemented)), _as_it_is),
}
"""Types that values from a sandbox have, and how to go into them."""
