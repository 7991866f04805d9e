"""Hints for values made of others: lists, tuples, dictionaries and their relatives, and records
with named fields."""

from __future__ import annotations

import collections
import typing
from collections.abc import Callable, Iterable, Set
from typing import Any

from fumehood.tools.describe import class_name
from fumehood.tools.kinds import NO, WHY, Hint, Part, Seen, as_tuple, record_fields, short
from fumehood.wire.records import Record

# -- containers

# The types whose items are looked at. Others that a hint like Iterable[int] takes (arrays, tables)
# are taken whole.
_ITERATED = frozenset({list, tuple, set, frozenset, dict, str, bytes, bytearray, collections.deque})


def _once(seen: Seen, key: Any, look: Callable[[], Any]) -> Any:
    found = seen.get(key, seen)
    if found is not seen:
        return found
    seen[key] = NO  # a value that holds itself where the hint does not end is of no kind
    result = seen[key] = look()
    return result


def items(kind: type, item: Hint) -> Hint:
    one = item.convert
    own = object()

    def convert(value: Any, seen: Seen) -> Any:
        value = as_tuple(value) if issubclass(tuple, kind) else value
        if not isinstance(value, kind) or isinstance(
            value, Record
        ):  # a record has `__iter__` to say that it cannot be iterated
            return NO
        given = type(value)
        if one is None or given not in _ITERATED:
            # A range is not walked: it may be longer than any list.
            return NO if given is range and one is not None and one(0, seen) is NO else value
        return _once(seen, (id(value), id(own)), lambda: look(value, seen))

    def look(value: Any, seen: Seen) -> Any:
        if item.exact.issuperset(map(type, value)):
            return value
        made = []
        for part in value:
            result = one(part, seen)  # type: ignore[misc]
            if result is NO:
                return NO
            made.append(result)
        same = type(value) is dict or all(map(_is, made, value))
        return value if same else _rebuilt(value, made)

    def parts(value: Any) -> Iterable[Part]:
        value = as_tuple(value)
        if type(value) in _ITERATED and issubclass(type(value), kind):
            for index, part in enumerate(value):
                yield f"item {index}", item, part

    return Hint(class_name(kind), convert, parts=parts)


def _is(a: Any, b: Any) -> bool:
    return a is b


def _rebuilt(value: Any, items: list[Any]) -> Any:
    try:
        return type(value)(items)
    except TypeError:
        return NO  # a set of what has become unhashable


def fixed_tuple(each: list[Hint]) -> Hint:
    def convert(value: Any, seen: Seen) -> Any:
        value = as_tuple(value)
        if not isinstance(value, tuple) or len(value) != len(each):
            return NO
        return _once(seen, (id(value), id(each)), lambda: look(value, seen))

    def look(value: Any, seen: Seen) -> Any:
        made = []
        for item, part in zip(each, value, strict=True):
            result = part if item.convert is None else item.convert(part, seen)
            if result is NO:
                return NO
            made.append(result)
        return value if all(map(_is, made, value)) else tuple(made)

    def parts(value: Any) -> Iterable[Part]:
        value = as_tuple(value)
        if isinstance(value, tuple):
            if len(value) != len(each):
                yield f"it has {len(value)} {'item' if len(value) == 1 else 'items'}", None, value
            for index, (item, part) in enumerate(zip(each, value, strict=False)):
                yield f"item {index}", item, part

    return Hint("tuple", convert, parts=parts)


def mapping(kind: type, key: Hint, item: Hint) -> Hint:
    own = object()

    def convert(value: Any, seen: Seen) -> Any:
        if not isinstance(value, kind):
            return NO
        if not isinstance(value, dict):
            return value
        return _once(seen, (id(value), id(own)), lambda: look(value, seen))

    def look(value: Any, seen: Seen) -> Any:
        if (key.convert is None or key.exact.issuperset(map(type, value))) and (
            item.convert is None or item.exact.issuperset(map(type, value.values()))
        ):
            return value
        made = {}
        changed = False
        for name, part in value.items():
            new_name = name if key.convert is None else key.convert(name, seen)
            new_part = part if item.convert is None else item.convert(part, seen)
            if new_name is NO or new_part is NO:
                return NO
            changed = changed or new_name is not name or new_part is not part
            try:
                made[new_name] = new_part
            except TypeError:
                return NO  # a key that has become unhashable
        if not changed:
            return value
        if type(value) is not collections.OrderedDict:
            return made
        return collections.OrderedDict(made)

    def parts(value: Any) -> Iterable[Part]:
        if isinstance(value, dict):
            for name, part in value.items():
                yield "a key", key, name
                yield f"[{short(name)}]", item, part

    return Hint(class_name(kind), convert, parts=parts)


# -- records


def fields_of(
    kind: Any, names: list[str], needed: Set[str], compile_field: Callable[[Any], Hint]
) -> Hint:
    """A value made of named fields. Their hints are compiled when they are needed: a class may
    mention itself."""
    compiled: dict[str, Hint] = {}
    is_dict = typing.is_typeddict(kind)
    record_kinds = (
        ("namedtuple",) if issubclass(kind, tuple) else ("dataclass", "frozen", "instance")
    )

    def hints() -> dict[str, Hint]:
        if not compiled:
            try:
                found = typing.get_type_hints(kind)
            except Exception:
                found = {}
            compiled.update({name: compile_field(found.get(name, Any)) for name in names})
        return compiled

    def read(value: Any) -> dict[str, Any] | None:
        return (
            value
            if type(value) is dict
            else None
            if is_dict
            else record_fields(value, *record_kinds)
        )

    def convert(value: Any, seen: Seen) -> Any:
        if not is_dict and isinstance(value, kind):
            return value
        fields = read(value)
        if fields is None or not needed <= fields.keys() or not fields.keys() <= set(names):
            return NO
        return _once(seen, (id(value), id(compiled)), lambda: look(value, fields, seen))

    def look(value: Any, fields: dict[str, Any], seen: Seen) -> Any:
        made = {}
        for name, part in fields.items():
            one = hints()[name].convert
            made[name] = part if one is None else one(part, seen)
            if made[name] is NO:
                return NO
        if is_dict:
            return value if all(made[name] is fields[name] for name in made) else made
        try:
            return kind(**made)
        except Exception as error:  # the class does not take them, and says why
            seen[WHY] = f"{type(error).__name__}: {str(error)[:200]}"
            return NO

    def parts(value: Any) -> Iterable[Part]:
        fields = None if not is_dict and isinstance(value, kind) else read(value)
        if fields is None:
            return
        for name in names:
            if name in needed and name not in fields:
                yield f"{name!r} is missing", None, value
        for name, part in fields.items():
            if name in names:
                yield f"[{name!r}]", hints()[name], part
            else:
                yield (
                    f"{short(name) or 'a key'} is not one of {', '.join(names)[:200]}",
                    None,
                    value,
                )

    return Hint(class_name(kind), convert, parts=parts)
