"""Rows of the value codec for the standard library: dates and times, exact numbers, UUIDs, paths.

None of these modules is imported before a value of theirs is met.
"""

from __future__ import annotations

import functools
import re
from typing import Any, Final

from fumehood.wire.codec import (
    LATE,
    Decoding,
    Encoding,
    Node,
    Unsupported,
    arity,
    decodes,
    exactly,
    guarded,
    malformed,
)

Rows = dict[type, Any]

# -- dates and times


def _date(walk: Encoding, value: Any) -> Node:
    return ["date", value.year, value.month, value.day]


def _time(walk: Encoding, value: Any) -> Node:
    return [
        "time",
        value.hour,
        value.minute,
        value.second,
        value.microsecond,
        value.fold,
        zone(walk, value.tzinfo, None),
    ]


def _datetime(walk: Encoding, value: Any) -> Node:
    node: list[Any] = [
        "datetime",
        value.year,
        value.month,
        value.day,
        value.hour,
        value.minute,
        value.second,
        value.microsecond,
    ]
    return [*node, value.fold, zone(walk, value.tzinfo, value)]


def _timedelta(walk: Encoding, value: Any) -> Node:
    return ["timedelta", value.days, value.seconds, value.microseconds]


def _timezone(walk: Encoding, value: Any) -> Node:
    offset, *name = value.__getinitargs__()
    return [
        "timezone",
        offset.days,
        offset.seconds,
        offset.microseconds,
        walk.words(name[0]) if name else None,
    ]


def zone(walk: Encoding, tzinfo: Any, moment: Any) -> Node:
    """The node of a time zone. Unknown kinds of tzinfo would have to be asked for their offset,
    that is, called: they are not carried.

    The offset at `moment` goes along for a reader whose zone database lacks the key.
    """
    if tzinfo is None:
        return None
    import datetime
    import zoneinfo

    if type(tzinfo) is datetime.timezone:
        return _timezone(walk, tzinfo)
    if (
        type(tzinfo) is not zoneinfo.ZoneInfo
        or type(tzinfo.key) is not str
        or not _KEY.fullmatch(tzinfo.key)
    ):
        raise Unsupported("a time zone of an unknown kind")
    offset = tzinfo.utcoffset(moment) if type(moment) is datetime.datetime else None
    return ["zone", tzinfo.key, None if offset is None else offset.days * 86400 + offset.seconds]


def _datetime_rows(datetime: Any) -> Rows:
    rows = {datetime.date: _date, datetime.time: _time, datetime.datetime: _datetime}
    return {
        kind: guarded(row)
        for kind, row in {
            **rows,
            datetime.timedelta: _timedelta,
            datetime.timezone: _timezone,
        }.items()
    }


def _ints(parts: list[Any]) -> list[int]:
    return [exactly(int, part) for part in parts]


@decodes("date", key=True)
def _to_date(walk: Decoding, node: list[Any]) -> Any:
    from datetime import date

    return date(*_ints(arity(node, 3)))


@decodes("time", key=True)
def _to_time(walk: Decoding, node: list[Any]) -> Any:
    from datetime import time

    *parts, fold, tz = arity(node, 6)
    hour, minute, second, microsecond = _ints(parts)
    return time(hour, minute, second, microsecond, to_zone(walk, tz), fold=exactly(int, fold))


@decodes("datetime", key=True)
def _to_datetime(walk: Decoding, node: list[Any]) -> Any:
    from datetime import datetime

    *parts, fold, tz = arity(node, 9)
    year, month, day, hour, minute, second, microsecond = _ints(parts)
    return datetime(
        year,
        month,
        day,
        hour,
        minute,
        second,
        microsecond,
        to_zone(walk, tz),
        fold=exactly(int, fold),
    )


@decodes("timedelta", key=True)
def _to_timedelta(walk: Decoding, node: list[Any]) -> Any:
    from datetime import timedelta

    days, seconds, microseconds = _ints(arity(node, 3))
    return timedelta(days, seconds, microseconds)


@decodes("timezone", key=True)
def _to_timezone(walk: Decoding, node: list[Any]) -> Any:
    from datetime import timedelta, timezone

    *parts, name = arity(node, 4)
    days, seconds, microseconds = _ints(parts)
    offset = timedelta(days, seconds, microseconds)
    return timezone(offset) if name is None else timezone(offset, walk.words(name))


_KEY: Final = re.compile(r"[A-Za-z0-9_+\-]{1,40}(/[A-Za-z0-9_+\-]{1,40}){0,3}")


@functools.cache
def _zones() -> frozenset[str]:
    # ZoneInfo opens files, and modules of the tzdata package, by the name it is given: only names
    # that this machine lists itself.
    import zoneinfo

    return frozenset(zoneinfo.available_timezones())


def to_zone(walk: Decoding, node: Any) -> Any:
    if node is None:
        return None
    if type(node) is not list or not node or node[0] not in ("timezone", "zone"):
        malformed("a time zone that is none")
    return walk.value(node)


def _zone_value(walk: Encoding, value: Any) -> Node:
    return zone(walk, value, None)


@decodes("zone", key=True)
def _to_zone(walk: Decoding, node: list[Any]) -> Any:
    import zoneinfo
    from datetime import timedelta, timezone

    key, offset = arity(node, 2)
    if not _KEY.fullmatch(exactly(str, key)):
        malformed("the key of a time zone that cannot be one")
    if key in _zones():
        return zoneinfo.ZoneInfo(key)
    return timezone(timedelta(seconds=0 if offset is None else exactly(int, offset)), key)


# -- exact numbers


def _decimal(walk: Encoding, value: Any) -> Node:
    return ["decimal", walk.words(str(value))]


_DECIMAL: Final = re.compile(r"-?(\d+(\.\d+)?(E[+-]\d{1,19})?|Infinity|s?NaN\d*)", re.ASCII)


@decodes("decimal", key=True)
def _to_decimal(walk: Decoding, node: list[Any]) -> Any:
    from decimal import Decimal

    (part,) = arity(node, 1)
    text = walk.words(part)
    if not _DECIMAL.fullmatch(text):
        malformed("a decimal number that is none")
    return Decimal(text)


FRACTION_BITS: Final = 16_384
"""Of each side. Making a fraction takes the greatest common divisor, in quadratic time."""


def _fraction(walk: Encoding, value: Any) -> Node:
    above, below = value.numerator, value.denominator
    if (
        type(above) is not int
        or type(below) is not int
        or max(above.bit_length(), below.bit_length()) > FRACTION_BITS
    ):
        raise Unsupported("a fraction of very large or odd parts")
    return ["fraction", walk.value(above), walk.value(below)]


@decodes("fraction", key=True)
def _to_fraction(walk: Decoding, node: list[Any]) -> Any:
    from fractions import Fraction

    above, below = (walk.of(int, part) for part in arity(node, 2))
    if max(above.bit_length(), below.bit_length()) > FRACTION_BITS:
        malformed("a fraction of very large parts")
    return Fraction(above, below)


# -- names


def _uuid(walk: Encoding, value: Any) -> Node:
    return ["uuid", value.hex]


_UUID: Final = re.compile(r"[0-9a-f]{32}")


@decodes("uuid", key=True)
def _to_uuid(walk: Decoding, node: list[Any]) -> Any:
    from uuid import UUID

    (text,) = arity(node, 1)
    if not _UUID.fullmatch(exactly(str, text)):
        malformed("a UUID that is none")
    return UUID(text)


def _path_rows(pathlib: Any) -> Rows:
    kinds = {"PurePosixPath": "pure", "PosixPath": "path", "PureWindowsPath": "windows"}
    return {
        getattr(pathlib, name): guarded(functools.partial(_path, which))
        for name, which in kinds.items()
    }


def _path(which: str, walk: Encoding, value: Any) -> Node:
    return ["path", which, walk.words(str(value))]


@decodes("path", key=True)
def _to_path(walk: Decoding, node: list[Any]) -> Any:
    from pathlib import Path, PurePosixPath, PureWindowsPath

    which, text = arity(node, 2)
    return {"pure": PurePosixPath, "path": Path, "windows": PureWindowsPath}[exactly(str, which)](
        walk.words(text)
    )


LATE.update(
    {
        "datetime": _datetime_rows,
        "zoneinfo": lambda module: {module.ZoneInfo: guarded(_zone_value)},
        "decimal": lambda module: {module.Decimal: guarded(_decimal)},
        "fractions": lambda module: {module.Fraction: guarded(_fraction)},
        "uuid": lambda module: {module.UUID: guarded(_uuid)},
        "pathlib": _path_rows,
    }
)
