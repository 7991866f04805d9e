"""Hints for one value: plain classes and what may stand for them, literals, enums, unions. What a
hint is, is said in hints.py."""

from __future__ import annotations

import contextlib
import dataclasses
import sys
from collections.abc import Callable, Iterable
from enum import Enum, Flag
from pathlib import PurePath
from typing import Any

from fumehood.tools.describe import class_name
from fumehood.wire.records import Record, TupleRecord

NO: Any = type("NO", (), {"__repr__": lambda self: "NO"})()
"""What a hint gives for a value that is not of its kind."""

Seen = dict[Any, Any]
"""Parts looked at during one check: (id of the value, id of the hint) → the outcome, `NO` while it
is being looked at."""

WHY = "why"
"""A key of `Seen`: what a class said that did not take its fields."""

Part = tuple[str, "Hint | None", Any]


@dataclasses.dataclass(frozen=True, slots=True)
class Hint:
    """`convert` is None if anything goes. `flat` says that the type of a value decides alone;
    `exact` are types that are taken as they are.

    `parts` names the parts of a value with their hints, for a message that says which one is wrong.
    """

    text: str
    convert: Callable[[Any, Seen], Any] | None = None
    flat: bool = False
    exact: frozenset[type] = frozenset()
    parts: Callable[[Any], Iterable[Part]] | None = None


def anything() -> Hint:
    return Hint("Any", None, flat=True)


def nothing_but_none() -> Hint:
    return Hint(
        "None",
        lambda value, seen: None if value is None else NO,
        flat=True,
        exact=frozenset([type(None)]),
    )


def later(make: Callable[[], Hint]) -> Hint:
    """A hint that is compiled when it is first needed, because it may contain itself."""
    made: list[Hint] = []

    def get() -> Hint:
        if not made:
            made.append(make())
        return made[0]

    def convert(value: Any, seen: Seen) -> Any:
        found = get().convert
        return value if found is None else found(value, seen)

    def parts(value: Any) -> Iterable[Part]:
        found = get().parts
        return () if found is None else found(value)

    return Hint("", convert, parts=parts)


# -- one value


def _to_float(value: Any) -> Any:
    try:
        return float(value)
    except OverflowError:
        return NO


# What else may stand for a class, and what it becomes. Rows only for what loses nothing and means
# the same; text is never a number.
STAND_INS: dict[type, tuple[tuple[tuple[type, ...], Callable[[Any], Any], str], ...]] = {
    float: (((int,), _to_float, "a whole number is a number"),),
    complex: (((int, float), complex, "a number is a complex number"),),
}
PATH_STAND_INS = (str, PurePath)
"""For a path: text, because code without pathlib has nothing else; and pure paths, which is what a
path is inside."""

# numpy's scalars, by the name of the abstract class they belong to: code that calculates with numpy
# passes these without knowing.
NUMPY_STAND_INS: dict[type, tuple[str, ...]] = {
    bool: ("bool_",),
    int: ("integer",),
    float: ("floating", "integer"),
    complex: ("complexfloating", "floating", "integer"),
    str: ("str_",),
    bytes: ("bytes_",),
}


def _numpy_stands_in(value: Any, names: tuple[str, ...]) -> bool:
    numpy: Any = sys.modules.get("numpy")
    # A timedelta64 is an integer in numpy's class tree, and a long double holds more than a float.
    if numpy is None or isinstance(value, (numpy.timedelta64, numpy.longdouble, numpy.clongdouble)):
        return False
    return any(isinstance(value, getattr(numpy, name)) for name in names)


def plain_class(kind: type) -> Hint:
    try:
        isinstance(None, kind)
    except TypeError:
        return anything()  # a protocol that cannot be asked
    rows = STAND_INS.get(kind, ())
    numpy_names = NUMPY_STAND_INS.get(kind, ())
    is_path = issubclass(kind, PurePath)

    def convert(value: Any, seen: Seen) -> Any:
        given = type(value)
        if given is kind:
            return value
        if numpy_names and given.__module__ == "numpy":
            return kind(value) if _numpy_stands_in(value, numpy_names) else NO
        if given is bool and kind is int:
            return NO  # a flag is no number, though Python's class tree says so
        if isinstance(value, kind):
            return value
        for types_, make, _ in rows:
            if given in types_:
                return make(value)
        if is_path and isinstance(value, PATH_STAND_INS):
            return kind(value)
        if kind is tuple and isinstance(value, TupleRecord):
            return as_tuple(value)
        return NO

    # The type decides alone, but for a protocol, which may look at the value's attributes.
    return Hint(
        class_name(kind),
        convert,
        flat=not getattr(kind, "_is_protocol", False),
        exact=frozenset([kind]),
    )


def literal(options: tuple[Any, ...]) -> Hint:
    enums = [
        enum_class(kind)
        for kind in {type(option): None for option in options if isinstance(option, Enum)}
    ]

    def convert(value: Any, seen: Seen) -> Any:
        for option in options:
            if type(option) is type(value) and option == value:
                return option
        for enum in enums:
            member = enum.convert(value, seen) if enum.convert else NO
            if member is not NO and any(member is option for option in options):
                return member
        return NO

    return Hint("Literal", convert)


def enum_class(kind: type[Enum]) -> Hint:
    """A member, by its value or by its name: the sandbox does not have the host's class."""
    by_value = {
        (type(member.value), member.value): member
        for member in kind
        if type(member.value) in _SCALARS
    }
    others = [member for member in kind if type(member.value) not in _SCALARS]

    def convert(value: Any, seen: Seen) -> Any:
        if isinstance(value, kind):
            return value
        given = type(value)
        if given in _SCALARS:
            found = by_value.get((given, value), NO)
            if found is NO and given is str:
                found = kind.__members__.get(value, NO)
            if found is NO and given is int and issubclass(kind, Flag):
                with contextlib.suppress(ValueError):
                    found = kind(value)
            return found
        for member in others:
            if type(member.value) is given and member.value == value:
                return member
        record = record_fields(value, "enum")
        name = None if record is None else record.get("name")  # a member of the sandbox's own enum
        return kind.__members__.get(name, NO) if type(name) is str else NO

    return Hint(class_name(kind), convert)


_SCALARS = frozenset({str, int, float, bool, bytes, type(None)})


def union(options: list[Hint]) -> Hint:
    if any(option.convert is None for option in options):
        return anything()
    exact = frozenset[type]().union(*(option.exact for option in options))
    converts = [option.convert for option in options if option.convert is not None]

    def convert(value: Any, seen: Seen) -> Any:
        if type(value) in exact:  # before any conversion: 1 for `float | int` stays 1
            return value
        for attempt in converts:
            result = attempt(value, seen)
            if result is not NO:
                return result
        return NO

    with_parts = [option.parts for option in options if option.parts is not None]
    # Which of several containers was meant nobody knows; of one, which part is wrong can be said.
    parts = with_parts[0] if len(with_parts) == 1 else None
    return Hint("", convert, all(option.flat for option in options), exact, parts)


def record_fields(value: Any, *kinds: str) -> dict[str, Any] | None:
    """The fields of what the wire makes of dataclass instances, named tuples and enum members; None
    for anything else."""
    return value._asdict() if isinstance(value, Record) and value._kind in kinds else None


def as_tuple(value: Any) -> Any:
    """The tuple that a named tuple of the sandbox is; any other value as it is."""
    return value._values if isinstance(value, TupleRecord) else value


# -- text


def short(value: Any) -> str:
    """A few characters that tell a plain value; "" for any other. Sizes are looked at first: a repr
    may be endless."""
    kind = type(value)
    if kind is str or kind is bytes:
        return repr(value) if len(value) <= 40 else repr(value[:37]) + "…"
    if kind is int:
        return repr(value) if value.bit_length() <= 128 else f"{value.bit_length()} bits"
    return repr(value) if kind in (bool, float, complex) else ""
